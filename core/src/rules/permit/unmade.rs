//! Why a permit that makes moves itself makes none from one square to another.
//!
//! Found out by trying, as for the board: the permit is asked again with other pieces taken away, and what it
//! does make is looked at, so that a reason cannot disagree with the moves.

use super::Permit;
use crate::board::piece::{Kind, Piece};
use crate::board::square::{Square, SquareSet};
use crate::movegen::Safety;
use crate::movegen::explain::Wish;
use crate::position::Position;
use crate::position::moves::{Move, Tag};
use crate::rules::rule::RuleError;
use crate::rules::value::View;

/// Why a move is not made.
#[derive(Clone, PartialEq, Debug)]
pub enum Unmade {
    /// These stand in the way.
    Blocked(SquareSet),
    /// This stands on the target, and may not be taken like that.
    Target(Piece),
    /// The piece on the square gets only to these.
    Only(Square, SquareSet),
    /// Only pieces on these squares are moved.
    Others(SquareSet),
    /// A piece of this kind enters on these squares only.
    Enters(Kind, SquareSet),
    /// Nothing is moved at all.
    Nothing,
}

/// Whether a move is the one wished for, promotions aside.
fn fits(mv: Move, wish: Wish) -> bool {
    match wish {
        Wish::Step { from, to, .. } => (mv.from, mv.to) == (from, to) && !matches!(mv.tag, Tag::Drop | Tag::Castle),
        Wish::Castle(index) => mv.castling() == Some(index),
        Wish::Drop { kind, to } => mv.dropped() == Some(kind) && mv.to == to,
    }
}

impl Permit {
    /// The parts that make moves.
    fn makers(&self) -> Vec<&Permit> {
        match self {
            maker!() => vec![self],
            // Another side's are not made here.
            Permit::Of(..) => Vec::new(),
            plain!() | Permit::Or(..) | Permit::And(..) | Permit::Minus(..) | Permit::OrElse(..) => self.inner_makers(),
            Permit::Where(..) | Permit::After(..) | Permit::Payable(..) => self.inner_makers(),
            Permit::Longest(_) | Permit::Most(_) | Permit::Safety(..) => self.inner_makers(),
        }
    }

    fn inner_makers(&self) -> Vec<&Permit> {
        self.sources().flat_map(Permit::makers).collect()
    }

    /// Whether some alternative leaves it to the board how pieces move.
    pub(crate) fn leaves_to_board(&self) -> bool {
        match self {
            Permit::And(..) => !self.makes(),
            plain!() => *self != Permit::Nothing,
            Permit::Payable(..) => true,
            maker!() => false,
            Permit::Or(..) | Permit::Minus(..) | Permit::OrElse(..) | Permit::Where(..) | Permit::After(..) => {
                self.sources().any(Permit::leaves_to_board)
            }
            Permit::Longest(_) | Permit::Most(_) | Permit::Of(..) | Permit::Safety(..) => {
                self.sources().any(Permit::leaves_to_board)
            }
        }
    }

    /// The moves that some part of the permit makes as wished for, own royals, promotions and all other parts aside.
    ///
    /// # Errors
    /// If the work goes beyond what rules may do.
    pub(crate) fn made_for(&self, view: &View<'_>, wish: Wish) -> Result<Vec<Move>, RuleError> {
        let mut moves = Vec::new();
        for maker in self.makers() {
            maker.made(view, Safety::Pseudo, &mut moves)?;
        }
        moves.retain(|&mv| fits(mv, wish));
        Ok(moves)
    }

    /// Why no part of the permit makes the move wished for.
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub(crate) fn unmade(&self, view: &View<'_>, wish: Wish) -> Result<Unmade, RuleError> {
        let (from, to) = match wish {
            Wish::Step { from, to, .. } => (from, to),
            Wish::Drop { to, .. } => (to, to),
            Wish::Castle(_) => return Ok(Unmade::Nothing),
        };
        let there = view.position.at(to);
        if from != to || matches!(wish, Wish::Drop { .. }) {
            let free = without(view, SquareSet::from(to));
            if !there.is_none() && self.makes_in(view, &free, wish)? {
                return Ok(Unmade::Target(there));
            }
            let others = view.position.occupied() - SquareSet::from(from) - SquareSet::from(to);
            if self.makes_in(view, &without(view, others), wish)? {
                return self.bars(view, others, wish).map(Unmade::Blocked);
            }
            if !there.is_none() && self.makes_in(view, &without(view, others | SquareSet::from(to)), wish)? {
                return self.bars(&View { position: &free, ..*view }, others, wish).map(Unmade::Blocked);
            }
        }
        let mut moves = Vec::new();
        self.moves(view, &mut moves)?;
        if let Wish::Drop { kind, .. } = wish {
            let entries = moves.iter().filter(|mv| mv.dropped() == Some(kind)).map(|mv| mv.to).collect();
            return Ok(Unmade::Enters(kind, entries));
        }
        moves.retain(|mv| mv.tag != Tag::Drop);
        let targets: SquareSet = moves.iter().filter(|mv| mv.from == from).map(|mv| mv.to).collect();
        let origins: SquareSet = moves.iter().map(|mv| mv.from).collect();
        Ok(match () {
            () if !targets.is_empty() => Unmade::Only(from, targets),
            () if !origins.is_empty() => Unmade::Others(origins),
            () => Unmade::Nothing,
        })
    }

    fn makes_in(&self, view: &View<'_>, position: &Position, wish: Wish) -> Result<bool, RuleError> {
        Ok(!self.made_for(&View { position, ..*view }, wish)?.is_empty())
    }

    /// Pieces that stand in the way, of which no one can be left out.
    fn bars(&self, view: &View<'_>, others: SquareSet, wish: Wish) -> Result<SquareSet, RuleError> {
        let mut bars = others;
        for square in others {
            let fewer = bars - SquareSet::from(square);
            // Is the way still closed with only these?
            if !self.makes_in(view, &without(view, others - fewer), wish)? {
                bars = fewer;
            }
        }
        Ok(bars)
    }
}

/// The position with nothing on some squares.
fn without(view: &View<'_>, squares: SquareSet) -> Position {
    let mut position = view.position.clone();
    for square in squares {
        position.take_heap(view.variant, square);
    }
    position
}
