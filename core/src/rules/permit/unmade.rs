//! Explains why a permit that generates moves generates none from one square to another.
//!
//! Reasons are found by experiment, as for the board: the permit is evaluated again with other pieces taken away, and its
//! moves are examined. So a reason cannot disagree with the moves.

use super::Permit;
use crate::board::piece::{Kind, Piece};
use crate::board::square::{Square, SquareSet};
use crate::movegen::Safety;
use crate::movegen::explain::Wish;
use crate::position::Position;
use crate::position::moves::{Move, Tag};
use crate::rules::error::RuleError;
use crate::rules::value::View;

/// The reason why a move is not generated.
#[derive(Clone, PartialEq, Debug)]
pub enum Unmade {
    /// These pieces are in the way.
    Blocked(SquareSet),
    /// This piece is on the target, and may not be captured like that.
    Target(Piece),
    /// The piece on the square can only move to these.
    Only(Square, SquareSet),
    /// Only pieces on these squares can move.
    Others(SquareSet),
    /// A piece of this kind can only enter on these squares.
    Enters(Kind, SquareSet),
    /// No piece can move at all.
    Nothing,
}

/// Whether a move matches a wish, ignoring promotions.
fn fits(mv: Move, wish: Wish) -> bool {
    match wish {
        Wish::Step { from, to, .. } => (mv.from, mv.to) == (from, to) && !matches!(mv.tag, Tag::Drop | Tag::Castle),
        Wish::Castle(index) => mv.castling() == Some(index),
        Wish::Drop { kind, to } => mv.dropped() == Some(kind) && mv.to == to,
    }
}

impl Permit {
    /// The parts that generate moves.
    fn makers(&self) -> Vec<&Permit> {
        match self {
            maker!() => vec![self],
            // Moves of another side are not generated here.
            Permit::Of(..) => Vec::new(),
            plain!() | Permit::Or(..) | Permit::And(..) | Permit::Minus(..) | Permit::OrElse(..) => self.inner_makers(),
            Permit::Where(..) | Permit::After(..) | Permit::Payable(..) => self.inner_makers(),
            Permit::Longest(_) | Permit::Most(_) | Permit::Safety(..) => self.inner_makers(),
        }
    }

    fn inner_makers(&self) -> Vec<&Permit> {
        self.sources().flat_map(Permit::makers).collect()
    }

    /// Whether some alternative leaves the movement of pieces to the board.
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

    /// The moves matching a wish that some part of the permit generates, regardless of the mover's royals, promotions and
    /// all other parts.
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

    /// The reason why no part of the permit generates the requested move.
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

    /// Pieces that are in the way: a minimal set.
    fn bars(&self, view: &View<'_>, others: SquareSet, wish: Wish) -> Result<SquareSet, RuleError> {
        let mut bars = others;
        for square in others {
            let fewer = bars - SquareSet::from(square);
            // Is the way still blocked with only these?
            if !self.makes_in(view, &without(view, others - fewer), wish)? {
                bars = fewer;
            }
        }
        Ok(bars)
    }
}

/// The position with some squares emptied.
fn without(view: &View<'_>, squares: SquareSet) -> Position {
    let mut position = view.position.clone();
    for square in squares {
        position.take_heap(view.variant, square);
    }
    position
}
