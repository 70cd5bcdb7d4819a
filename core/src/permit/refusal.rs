//! Which part of a permit refuses a move.

use super::{Guard, Permit};
use crate::army::KindMask;
use crate::explain::{Exposure, Question};
use crate::movegen::Safety;
use crate::moves::Move;
use crate::rule::{RuleError, RuleId};
use crate::square::SquareSet;
use crate::value::View;

/// Why a permit does not admit a move that the board allows.
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    /// It admits nothing.
    Nothing,
    /// It admits moves of these kinds on the board only (castling not included).
    Kinds(KindMask),
    /// It admits castling only.
    Castling,
    /// It admits drops of these kinds only.
    Drops(KindMask),
    /// It admits moves from these squares only.
    Origin(SquareSet),
    /// It admits moves to these squares only.
    Target(SquareSet),
    /// It admits promotions to these kinds only.
    Promotion(KindMask),
    /// It admits captures of these kinds only.
    Captures(KindMask),
    /// It admits distances from the first to the second only.
    Distance(i16, i16),
    /// It admits moves in one direction only: signs to the right and forward.
    Direction(i8, i8),
    /// The dice held pay for these kinds only.
    Payment(KindMask),
    /// A longer move of the same piece in the same direction can be made.
    Longer,
    /// It makes moves of its own (pushes, moves along a track), and this is none of them.
    Made,
    /// The moves of another side are meant.
    OtherSide,
    /// It admits moves only that are admitted for none of these reasons: each alternative's own.
    Either(Vec<Refusal>),
    /// What it takes away admits the move.
    Excluded(Box<Permit>),
    /// The second choice would admit the move, but comes into play only if the first admits nothing.
    FirstChoice {
        /// Why the first does not admit it.
        first: Box<Refusal>,
        /// Whether the second would.
        second: bool,
    },
    /// A test of the script's answers no, asked before the move (or in the position after it).
    Test(RuleId, bool),
    /// It heeds the safety of the own royals.
    Exposed(Exposure),
}

impl Permit {
    /// Why the permit does not admit a move; `None` if it does. The move is one that the board allows
    /// the side to move, own royals aside.
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub fn refusal(&self, view: &View<'_>, mv: Move) -> Result<Option<Refusal>, RuleError> {
        Ok(match self {
            // Together with others, a permit that makes moves is filtered as a whole.
            Permit::And(..) | Permit::Minus(..) if self.makes() => (!self.lists(view, mv)?).then_some(Refusal::Made),
            Permit::Or(a, b) => match (a.refusal(view, mv)?, b.refusal(view, mv)?) {
                (Some(a), Some(b)) => Some(either(a, b)),
                _ => None,
            },
            Permit::And(a, b) => match a.refusal(view, mv)? {
                None => b.refusal(view, mv)?,
                some => some,
            },
            Permit::Minus(a, b) => match (a.refusal(view, mv)?, b.refusal(view, mv)?) {
                (None, None) => Some(Refusal::Excluded(b.clone())),
                (first, _) => first,
            },
            Permit::OrElse(a, b) => match a.refusal(view, mv)? {
                None => None,
                Some(first) if a.exists(view)? => {
                    let second = b.refusal(view, mv)?.is_none();
                    Some(Refusal::FirstChoice { first: Box::new(first), second })
                }
                Some(_) => b.refusal(view, mv)?,
            },
            Permit::Safety(inner, guard) => match inner.refusal(view, mv)? {
                None if *guard == Guard::Heeded => unsafe_move(view, mv),
                other => other,
            },
            Permit::Where(inner, rule) | Permit::After(inner, rule) => match inner.refusal(view, mv)? {
                None if !self.passes(view, mv)? => Some(Refusal::Test(*rule, matches!(self, Permit::After(..)))),
                other => other,
            },
            Permit::Longest(inner) => match inner.refusal(view, mv)? {
                None if !self.lists(view, mv)? => Some(Refusal::Longer),
                other => other,
            },
            Permit::Push(_) | Permit::Along(_) | Permit::Enter(_) | Permit::Way { .. } => {
                (!self.lists(view, mv)?).then_some(Refusal::Made)
            }
            Permit::Of(..) => (!self.lists(view, mv)?).then_some(Refusal::OtherSide),
            simple => match simple.admits(view, mv)? {
                true => None,
                false => Some(simple.plain(view)),
            },
        })
    }

    fn lists(&self, view: &View<'_>, mv: Move) -> Result<bool, RuleError> {
        let mut moves = Vec::new();
        self.moves(view, &mut moves)?;
        Ok(moves.contains(&mv))
    }

    /// What a permit without parts asks for.
    fn plain(&self, view: &View<'_>) -> Refusal {
        match self {
            Permit::Pieces(kinds) => Refusal::Kinds(*kinds),
            Permit::Castling => Refusal::Castling,
            Permit::Drops(kinds) => Refusal::Drops(*kinds),
            Permit::From(set) => Refusal::Origin(view.set(set)),
            Permit::To(set) => Refusal::Target(view.set(set)),
            Permit::Promoting(kinds) => Refusal::Promotion(*kinds),
            Permit::Capturing(kinds) => Refusal::Captures(*kinds),
            Permit::Steps(least, most) => Refusal::Distance(*least, *most),
            Permit::Toward(right, forward) => Refusal::Direction(*right, *forward),
            Permit::Payable(purse, higher) => Refusal::Payment(purse.pays(view, *higher)),
            _ => Refusal::Nothing,
        }
    }

    /// Whether some part ignores the safety of the own royals.
    pub fn ignores_safety(&self) -> bool {
        match self {
            Permit::Safety(inner, guard) => *guard == Guard::Ignored || inner.ignores_safety(),
            Permit::Or(a, b) | Permit::And(a, b) | Permit::Minus(a, b) | Permit::OrElse(a, b) => {
                a.ignores_safety() || b.ignores_safety()
            }
            Permit::Where(inner, _) | Permit::After(inner, _) | Permit::Longest(inner) | Permit::Of(inner, _) => {
                inner.ignores_safety()
            }
            _ => false,
        }
    }
}

fn unsafe_move(view: &View<'_>, mv: Move) -> Option<Refusal> {
    let (variant, position) = (view.variant, view.position);
    let question = Question { variant, position, side: position.side(), safety: Safety::Safe };
    question.exposure(mv).map(Refusal::Exposed)
}

/// Neither of two; what asks for kinds is put together.
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
    // What admits nothing is no alternative.
    all.retain(|r| *r != Refusal::Nothing);
    match all.len() {
        0 => Refusal::Nothing,
        1 => all.remove(0),
        _ => Refusal::Either(all),
    }
}
