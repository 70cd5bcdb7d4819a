//! Which part of a permit refuses a move.

use super::{Permit, SafetyOverride, Unmade};
use crate::board::piece::KindMask;
use crate::board::square::SquareSet;
use crate::movegen::Safety;
use crate::movegen::explain::{Exposure, Wish};
use crate::position::moves::Move;
use crate::rules::error::RuleError;
use crate::rules::hook::RuleId;
use crate::rules::movement;
use crate::rules::value::View;

/// The reason why a permit does not admit a move that the board allows.
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    /// It admits nothing.
    Nothing,
    /// It only admits moves of these kinds on the board (castling not included).
    Kinds(KindMask),
    /// It only admits castling: bits of the variant's list.
    Castling(u16),
    /// It only admits castling with a piece from one of these squares.
    CastlingBy(SquareSet),
    /// It only admits captures en passant.
    EnPassant,
    /// It only admits drops of these kinds.
    Drops(KindMask),
    /// It only admits moves from these squares.
    Origin(SquareSet),
    /// It only admits moves to these squares.
    Target(SquareSet),
    /// It only admits promotions to these kinds.
    Promotion(KindMask),
    /// It only admits captures of these kinds.
    Captures(KindMask),
    /// It only admits distances from the first to the second.
    Distance(i16, i16),
    /// It only admits moves in one direction: signs to the right and forward.
    Direction(i8, i8),
    /// The held dice only pay for these kinds.
    Payment(KindMask),
    /// A longer move of the same piece in the same direction is possible.
    Longer,
    /// Another move allows more further moves.
    FewerFollow,
    /// It generates its own moves (pushes, moves along a track), and this is not one of them.
    Made(Unmade),
    /// It is for moves of another side.
    OtherSide,
    /// None of its alternatives admits the move: the reason for each.
    Either(Vec<Refusal>),
    /// It only admits moves that meet all of these demands.
    All(Vec<Refusal>),
    /// The subtracted permit admits the move.
    Excluded(Box<Permit>),
    /// The second choice would admit the move, but only applies if the first admits nothing.
    FirstChoice {
        /// The reason why the first does not admit it.
        first: Box<Refusal>,
        /// Whether the second would.
        second: bool,
    },
    /// A test of the script answers no, asked before the move (or in the position after it).
    Test(RuleId, bool),
    /// It respects the safety of the mover's royals.
    Exposed(Exposure),
}

impl Permit {
    /// The reason why the permit does not admit a move; `None` if it does. The board allows the move to the side to move,
    /// apart from the safety of the mover's royals.
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub(crate) fn refusal(&self, view: &View<'_>, mv: Move) -> Result<Option<Refusal>, RuleError> {
        self.refuse(view, mv, false)
    }

    /// The same. With `whole`, for an alternative among others, the result includes all its demands, met or not.
    fn refuse(&self, view: &View<'_>, mv: Move, whole: bool) -> Result<Option<Refusal>, RuleError> {
        let refused = match self {
            Permit::Or(a, b) => match (a.refuse(view, mv, true)?, b.refuse(view, mv, true)?) {
                // Reasons about generated moves are combined over all of them.
                (Some(Refusal::Made(_)), Some(Refusal::Made(_))) => self.not_made(view, mv)?,
                (Some(a), Some(b)) => Some(either(a, b)),
                _ => None,
            },
            Permit::And(a, b) => match (a.refuse(view, mv, whole)?, b.refuse(view, mv, whole)?) {
                (None, None) => None,
                (Some(one), None) => Some(if whole { with(one, b.demand(view)) } else { one }),
                (None, Some(one)) => Some(match a.demand(view).filter(|_| whole) {
                    Some(met) => with(met, Some(one)),
                    None => one,
                }),
                (Some(a), Some(b)) => Some(with(a, Some(b))),
            },
            Permit::Minus(a, b) => match (a.refuse(view, mv, whole)?, b.refusal(view, mv)?) {
                (None, None) => Some(Refusal::Excluded(b.clone())),
                (first, _) => first,
            },
            Permit::OrElse(a, b) => match a.refuse(view, mv, whole)? {
                None => None,
                Some(first) if a.exists(view)? => {
                    let second = b.refusal(view, mv)?.is_none();
                    Some(Refusal::FirstChoice { first: Box::new(first), second })
                }
                Some(_) => b.refuse(view, mv, whole)?,
            },
            Permit::Safety(inner, guard) => match inner.refuse(view, mv, whole)? {
                None if *guard == SafetyOverride::Heeded => unsafe_move(view, mv)?,
                other => other,
            },
            Permit::Where(inner, rule) | Permit::After(inner, rule) => match inner.refuse(view, mv, whole)? {
                None if !self.passes(view, mv)? => Some(Refusal::Test(*rule, matches!(self, Permit::After(..)))),
                other => other,
            },
            Permit::Longest(inner) => match inner.refuse(view, mv, whole)? {
                None if !self.lists(view, mv)? => Some(Refusal::Longer),
                other => other,
            },
            Permit::Most(most) => match most.permit.refuse(view, mv, whole)? {
                None if !self.lists(view, mv)? => Some(Refusal::FewerFollow),
                other => other,
            },
            maker!() => self.not_made(view, mv)?,
            Permit::Of(..) => (!self.lists(view, mv)?).then_some(Refusal::OtherSide),
            Permit::Payable(..) | plain!() => match self.admits(view, mv)? {
                true => None,
                false => Some(self.plain(view)),
            },
        };
        // Combined with others, a permit that generates moves is filtered as a whole.
        match self {
            Permit::And(..) | Permit::Minus(..) if refused.is_none() && self.makes() => self.not_made(view, mv),
            _ => Ok(refused),
        }
    }

    /// The reason why a permit that generates moves does not generate this one, if so.
    fn not_made(&self, view: &View<'_>, mv: Move) -> Result<Option<Refusal>, RuleError> {
        if self.lists(view, mv)? {
            return Ok(None);
        }
        if self.made_for(view, wished(mv))?.contains(&mv)
            && let Some(exposed) = unsafe_move(view, mv)?
        {
            return Ok(Some(exposed));
        }
        self.unmade(view, wished(mv)).map(|why| Some(Refusal::Made(why)))
    }

    /// The demands of the permit on a move, as far as they can be stated in general.
    fn demand(&self, view: &View<'_>) -> Option<Refusal> {
        match self {
            Permit::And(a, b) => match (a.demand(view), b.demand(view)) {
                (Some(a), b) => Some(with(a, b)),
                (None, b) => b,
            },
            Permit::Or(a, b) => Some(either(a.demand(view)?, b.demand(view)?)),
            Permit::Minus(inner, _) | Permit::Where(inner, _) | Permit::After(inner, _) => inner.demand(view),
            Permit::OrElse(inner, _) | Permit::Longest(inner) | Permit::Safety(inner, _) => inner.demand(view),
            Permit::Most(most) => most.permit.demand(view),
            maker!() | Permit::Of(..) => None,
            Permit::Payable(..) | plain!() => Some(self.plain(view)).filter(Refusal::is_demand),
        }
    }

    fn lists(&self, view: &View<'_>, mv: Move) -> Result<bool, RuleError> {
        let mut moves = Vec::new();
        self.moves(view, &mut moves)?;
        Ok(moves.contains(&mv))
    }

    /// The demand of a permit without parts.
    fn plain(&self, view: &View<'_>) -> Refusal {
        match self {
            Permit::Pieces(kinds) => Refusal::Kinds(*kinds),
            Permit::Castling(which) => Refusal::Castling(*which),
            Permit::CastlingBy(set) => Refusal::CastlingBy(view.set(set)),
            Permit::EnPassant => Refusal::EnPassant,
            Permit::Drops(kinds) => Refusal::Drops(*kinds),
            Permit::From(set) => Refusal::Origin(view.set(set)),
            Permit::To(set) => Refusal::Target(view.set(set)),
            Permit::Promoting(kinds) => Refusal::Promotion(*kinds),
            Permit::Capturing(kinds) => Refusal::Captures(*kinds),
            Permit::Steps(least, most) => Refusal::Distance(*least, *most),
            Permit::Toward(right, forward) => Refusal::Direction(*right, *forward),
            Permit::Payable(held_dice, higher) => Refusal::Payment(held_dice.pays(view, *higher)),
            Permit::Any | Permit::Nothing | maker!() => Refusal::Nothing,
            Permit::Or(..) | Permit::And(..) | Permit::Minus(..) | Permit::OrElse(..) => Refusal::Nothing,
            Permit::Where(..) | Permit::After(..) | Permit::Longest(_) | Permit::Most(_) => Refusal::Nothing,
            Permit::Of(..) | Permit::Safety(..) => Refusal::Nothing,
        }
    }

    /// Whether some part ignores the safety of the mover's royals.
    pub(crate) fn ignores_safety(&self) -> bool {
        self.any(|permit| matches!(permit, Permit::Safety(_, SafetyOverride::Ignored)))
    }
}

impl Refusal {
    /// Whether it states a requirement on moves.
    fn is_demand(&self) -> bool {
        match self {
            Refusal::Either(all) | Refusal::All(all) => all.iter().all(Refusal::is_demand),
            Refusal::Kinds(_) | Refusal::Drops(_) | Refusal::Payment(_) | Refusal::EnPassant => true,
            Refusal::Castling(_) | Refusal::CastlingBy(_) => true,
            Refusal::Origin(_) | Refusal::Target(_) | Refusal::Promotion(_) | Refusal::Captures(_) => true,
            Refusal::Distance(..) | Refusal::Direction(..) => true,
            _ => false,
        }
    }
}

/// A move as a wish.
fn wished(mv: Move) -> Wish {
    match (mv.dropped(), mv.castling()) {
        (Some(kind), _) => Wish::Drop { kind, to: mv.to },
        (_, Some(index)) => Wish::Castle(index),
        _ => Wish::Step { from: mv.from, to: mv.to, promotion: mv.promotion() },
    }
}

/// Combines two refusals if both are demands; otherwise the one that is not a demand is more informative.
fn with(a: Refusal, b: Option<Refusal>) -> Refusal {
    let Some(b) = b else { return a };
    match (a.is_demand(), b.is_demand()) {
        (true, true) => {}
        (true, false) if b != Refusal::Nothing => return b,
        _ => return a,
    }
    let mut all: Vec<Refusal> = Vec::new();
    for refusal in [a, b] {
        let parts = if let Refusal::All(more) = refusal { more } else { vec![refusal] };
        for part in parts {
            let same = all.iter_mut().find_map(|known| met(known, &part).map(|both| *known = both));
            if same.is_none() {
                all.push(part);
            }
        }
    }
    match all.len() {
        _ if all.contains(&Refusal::Kinds(KindMask::NONE)) => Refusal::Nothing,
        1 => all.remove(0),
        _ => Refusal::All(all),
    }
}

/// Two demands of the same sort as one, where that is simple.
fn met(a: &Refusal, b: &Refusal) -> Option<Refusal> {
    Some(match (a, b) {
        (Refusal::Kinds(a), Refusal::Kinds(b)) => Refusal::Kinds(KindMask(a.0 & b.0)),
        (Refusal::Origin(a), Refusal::Origin(b)) => Refusal::Origin(*a & *b),
        (Refusal::Target(a), Refusal::Target(b)) => Refusal::Target(*a & *b),
        (a, b) if a == b => a.clone(),
        _ => return None,
    })
}

fn unsafe_move(view: &View<'_>, mv: Move) -> Result<Option<Refusal>, RuleError> {
    Ok(movement::why_unsafe(view, Safety::Safe, mv)?.map(Refusal::Exposed))
}

/// Neither of two alternatives; demands for kinds are merged.
fn either(a: Refusal, b: Refusal) -> Refusal {
    let mut all = Vec::new();
    for refusal in [a, b] {
        match refusal {
            Refusal::Either(more) => all.extend(more),
            one => all.push(one),
        }
    }
    let kinds = all.iter().fold(0, |mask, r| if let Refusal::Kinds(k) = r { mask | k.0 } else { mask });
    let first = all.iter().position(|r| matches!(r, Refusal::Kinds(_)));
    if let Some(first) = first {
        all[first] = Refusal::Kinds(KindMask(kinds));
        let mut index = 0;
        all.retain(|r| {
            index += 1;
            index == first + 1 || !matches!(r, Refusal::Kinds(_))
        });
    }
    // For a piece from a hand the entry squares matter, not how pieces on the board move.
    let enters = |r: &Refusal| matches!(r, Refusal::Made(Unmade::Enters(..)));
    if all.iter().any(enters) {
        all.retain(|r| enters(r) || matches!(r, Refusal::Drops(_)));
    }
    // A permit that admits nothing is not an alternative.
    all.retain(|r| *r != Refusal::Nothing);
    match all.len() {
        0 => Refusal::Nothing,
        1 => all.remove(0),
        _ => Refusal::Either(all),
    }
}
