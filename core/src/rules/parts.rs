//! The components of the terms of rules: permits within permits and sets, numbers within numbers, and questions within all
//! of them.
//!
//! A function that inspects a term with all its components (its size, whether it consults a rule, whether it can ever admit
//! a move) goes through its [`Parts`]. So a new kind of term is handled everywhere or does not compile. The *meaning* of a
//! term is matched where it is evaluated: answers, generation, refusals, information states.

use crate::dice::Dice;
use crate::rules::amount::Amount;
use crate::rules::effect::Effect;
use crate::rules::permit::{Permit, WayTo};
use crate::rules::query::{Find, Query};
use crate::rules::rule::{Alternatives, Chance, Decision};
use crate::rules::value::SetExpr;

/// The direct components of a term.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// Permits.
    pub permits: [Option<&'a Permit>; 2],
    /// Permits, one for each outcome of dice.
    pub(crate) outcomes: &'a [Permit],
    /// Sets of squares.
    pub sets: [Option<&'a SetExpr>; 2],
    /// Sets of squares, any number of them.
    pub(crate) each: &'a [SetExpr],
    /// Numbers.
    pub amounts: [Option<&'a Amount>; 2],
    /// Numbers, any number of them.
    pub(crate) scores: &'a [Amount],
    /// A question.
    pub(crate) query: Option<&'a Query>,
    /// A find.
    pub(crate) find: Option<&'a Find>,
    /// Effects that it assumes to be applied.
    pub(crate) effects: &'a [Effect],
    /// Its chance node.
    pub(crate) chance: Option<&'a Chance>,
    /// Dice.
    pub(crate) dice: Option<&'a Dice>,
    /// The memory in bytes beside itself and its parts: texts and lists.
    pub(crate) heap: usize,
}

/// A term of the language of rules.
pub trait Term {
    /// Its direct components.
    fn parts(&self) -> Parts<'_>;
}

impl Parts<'_> {
    const NONE: Parts<'static> = Parts {
        permits: [None; 2],
        outcomes: &[],
        sets: [None; 2],
        each: &[],
        amounts: [None; 2],
        scores: &[],
        query: None,
        find: None,
        effects: &[],
        chance: None,
        dice: None,
        heap: 0,
    };
}

impl Term for Permit {
    fn parts(&self) -> Parts<'_> {
        match self {
            Permit::Or(a, b) | Permit::And(a, b) | Permit::Minus(a, b) | Permit::OrElse(a, b) => {
                Parts { permits: [Some(a), Some(b)], ..Parts::NONE }
            }
            Permit::Where(a, _)
            | Permit::After(a, _)
            | Permit::Longest(a)
            | Permit::Of(a, _)
            | Permit::Safety(a, _) => Parts { permits: [Some(a), None], ..Parts::NONE },
            Permit::Most(most) => {
                Parts { permits: [Some(&most.permit), Some(&most.next)], heap: size_of_val(&**most), ..Parts::NONE }
            }
            Permit::From(set) | Permit::To(set) | Permit::CastlingBy(set) | Permit::MovesLike(_, set) => {
                Parts { sets: [Some(set), None], ..Parts::NONE }
            }
            Permit::Payable(held_dice, _) => Parts { heap: size_of_val(&held_dice.kinds[..]), ..Parts::NONE },
            Permit::Way { from, to, own: _, landing: _, carry: _ } => {
                let to = match to {
                    WayTo::Squares(to) => Some(to),
                    WayTo::Offset(..) => None,
                };
                Parts { sets: [Some(from), to], ..Parts::NONE }
            }
            Permit::Any
            | Permit::Nothing
            | Permit::Pieces(_)
            | Permit::Castling(_)
            | Permit::EnPassant
            | Permit::Drops(_)
            | Permit::Promoting(_)
            | Permit::Capturing(_)
            | Permit::Steps(..)
            | Permit::Toward(..)
            | Permit::Push(_)
            | Permit::Along(_)
            | Permit::Enter(_) => Parts::NONE,
        }
    }
}

impl Term for SetExpr {
    fn parts(&self) -> Parts<'_> {
        match self {
            SetExpr::Or(a, b) | SetExpr::And(a, b) | SetExpr::Minus(a, b) => {
                Parts { sets: [Some(a), Some(b)], ..Parts::NONE }
            }
            SetExpr::Slot(_) | SetExpr::Is(_) | SetExpr::One(_) => Parts::NONE,
        }
    }
}

impl Term for Amount {
    fn parts(&self) -> Parts<'_> {
        match self {
            Amount::Plus(a, b)
            | Amount::Minus(a, b)
            | Amount::Times(a, b)
            | Amount::Greater(a, b)
            | Amount::Smaller(a, b) => Parts { amounts: [Some(a), Some(b)], ..Parts::NONE },
            Amount::Quotient(a, _) | Amount::Remainder(a, _) => Parts { amounts: [Some(a), None], ..Parts::NONE },
            Amount::Faces(_, set, _) | Amount::Count(set) | Amount::Pieces(set, _) => {
                Parts { sets: [Some(set), None], ..Parts::NONE }
            }
            Amount::Is(_)
            | Amount::Slot(_)
            | Amount::Face(..)
            | Amount::Dice(..)
            | Amount::Counter(_)
            | Amount::Pips(..)
            | Amount::Highest(..)
            | Amount::Held(..)
            | Amount::Trait(..) => Parts::NONE,
        }
    }
}

impl Term for Query {
    fn parts(&self) -> Parts<'_> {
        match self {
            Query::AtLeast(inner, _) | Query::Equals(inner, _) => Parts { query: Some(inner), ..Parts::NONE },
            Query::Suppose(effects, inner) => Parts { effects, query: Some(inner), ..Parts::NONE },
            Query::Moves(permit) => Parts { permits: [Some(permit), None], ..Parts::NONE },
            Query::Amount(amount) => Parts { amounts: [Some(amount), None], ..Parts::NONE },
            Query::Less(a, b) => Parts { amounts: [Some(a), Some(b)], ..Parts::NONE },
            Query::Count(set) | Query::Contains(set, _) | Query::Following(set, _) | Query::Faces(_, set, _) => {
                Parts { sets: [Some(set), None], ..Parts::NONE }
            }
            Query::CompareFaces(_, a, b) => Parts { sets: [Some(a), Some(b)], ..Parts::NONE },
            Query::KindAt(_)
            | Query::Side(_)
            | Query::SameSide(..)
            | Query::Square(_)
            | Query::SameSquare(..)
            | Query::File(_)
            | Query::Rank(..)
            | Query::Distance(..)
            | Query::Pieces(..)
            | Query::Hand(..)
            | Query::IsOut(_)
            | Query::InCheck(_)
            | Query::CanMove(_)
            | Query::CanMoveSafely(_)
            | Query::Clock
            | Query::Round
            | Query::Repetitions
            | Query::PerpetualChecker
            | Query::Move(..)
            | Query::SameMove(..)
            | Query::HasMoved(_)
            | Query::BetweenTurns
            | Query::Height(..)
            | Query::SourceLocation(..) => Parts::NONE,
        }
    }
}

impl Term for Find {
    fn parts(&self) -> Parts<'_> {
        match self {
            Find::Suppose(effects, inner) => Parts { effects, find: Some(inner), ..Parts::NONE },
            Find::Reach(permit, _) => Parts { permits: [Some(permit), None], ..Parts::NONE },
            Find::Number(amount) => Parts { amounts: [Some(amount), None], ..Parts::NONE },
            Find::Group(seeds, set) => Parts { sets: [Some(seeds), Some(set)], ..Parts::NONE },
            Find::Line(set, _)
            | Find::Around(set, _)
            | Find::Shifted(set, ..)
            | Find::Joined(_, _, set)
            | Find::LargestGroup(set)
            | Find::Lowest(_, set)
            | Find::Set(set)
            | Find::Only(set)
            | Find::Where(set, _) => Parts { sets: [Some(set), None], ..Parts::NONE },
            Find::Pieces(..)
            | Find::Attackers(..)
            | Find::Attacked(_)
            | Find::Region(..)
            | Find::Royal(_)
            | Find::WithTrait(..)
            | Find::TraitBetween(..)
            | Find::Moved(_)
            | Find::Between(..)
            | Find::Stations(..)
            | Find::Foremost(..)
            | Find::Marked(..)
            | Find::Covered(_)
            | Find::Heaps(_)
            | Find::Empty
            | Find::Step(..)
            | Find::Side(_)
            | Find::LastMove(_)
            | Find::Piece(_) => Parts::NONE,
        }
    }
}

impl Term for Effect {
    fn parts(&self) -> Parts<'_> {
        match self {
            Effect::SetTrait(_, set, amount) | Effect::AddTrait(_, set, amount) => {
                Parts { sets: [Some(set), None], amounts: [Some(amount), None], ..Parts::NONE }
            }
            Effect::RemoveAll(set)
            | Effect::RemoveHeaps(set)
            | Effect::Surface(set, _)
            | Effect::Convert(set, _)
            | Effect::Become(set, _)
            | Effect::Mark(_, _, set, _) => Parts { sets: [Some(set), None], ..Parts::NONE },
            Effect::SetCounter(_, amount)
            | Effect::AddCounter(_, amount)
            | Effect::ToHand(_, _, amount)
            | Effect::Carry(_, _, amount)
            | Effect::Award(_, amount) => Parts { amounts: [Some(amount), None], ..Parts::NONE },
            Effect::Label(text) | Effect::Win(_, text) | Effect::Draw(text) => {
                Parts { heap: text.capacity(), ..Parts::NONE }
            }
            Effect::Rank(ranking) => {
                let heap = size_of_val(&**ranking) + ranking.reason.capacity();
                Parts { scores: &ranking.scores, heap, ..Parts::NONE }
            }
            Effect::Remove(_)
            | Effect::SourceLocation(..)
            | Effect::Relocate(..)
            | Effect::Swap(..)
            | Effect::Push(..)
            | Effect::ConvertAll(..)
            | Effect::Gather(..)
            | Effect::Scatter(..)
            | Effect::Clear(..)
            | Effect::Restart
            | Effect::Complete
            | Effect::Make(_)
            | Effect::Eliminate(_)
            | Effect::Readmit(_)
            | Effect::HandOver(_)
            | Effect::Next(_) => Parts::NONE,
        }
    }
}

impl Term for Chance {
    fn parts(&self) -> Parts<'_> {
        match self {
            Chance::Roll(dice) | Chance::Held(dice) | Chance::Again { dice, .. } => {
                Parts { dice: Some(dice), ..Parts::NONE }
            }
            Chance::Only(dice, possible) => Parts { dice: Some(dice), heap: possible.len(), ..Parts::NONE },
            Chance::Playable(dice, permits) => Parts { dice: Some(dice), outcomes: permits.permits(), ..Parts::NONE },
            Chance::Keyed(inner, keys) => Parts { chance: Some(inner), heap: size_of_val(&keys[..]), ..Parts::NONE },
            Chance::Each { sets, dice } => {
                let faces: usize = dice.iter().flatten().map(|die| die.faces().len() * 6).sum();
                Parts { each: sets, heap: size_of_val(&dice[..]) + faces, ..Parts::NONE }
            }
            Chance::Pick(set) => Parts { sets: [Some(set), None], ..Parts::NONE },
            Chance::PickMove(permit) => Parts { permits: [Some(permit), None], ..Parts::NONE },
            Chance::Secret(inner, _) => Parts { chance: Some(inner), ..Parts::NONE },
            Chance::Draw(..) => Parts::NONE,
        }
    }
}

impl Term for Decision {
    /// The permits of a turn of several moves belong to the plan.
    fn parts(&self) -> Parts<'_> {
        let parts = match self.bare() {
            Decision::Play { permit, or, .. } => {
                let or =
                    or.as_deref().map_or(Parts::NONE, |or| Parts { heap: size_of_val(or), ..Parts::NONE }.with(or));
                Parts { permits: [Some(permit), None], ..or }
            }
            Decision::Choose { among, .. } => Parts::NONE.with(among),
            Decision::Held { labels, names, among, .. } => {
                let among = among.as_ref().map_or(0, Vec::len);
                Parts { heap: texts(labels) + texts(names) + among, ..Parts::NONE }
            }
            Decision::Number { least, most, .. } => Parts { amounts: [Some(least), Some(most)], ..Parts::NONE },
            Decision::PlayEach(plan) => plan
                .or
                .as_deref()
                .map_or(Parts::NONE, |or| Parts { heap: size_of_val(or), ..Parts::NONE }.with(&or.among)),
            Decision::Keep { .. } | Decision::Secret(_) | Decision::Asked(..) | Decision::Named(_) => Parts::NONE,
        };
        let words = self.question().map_or(0, |words| words.len());
        Parts { heap: parts.heap + words, ..parts }
    }
}

impl<'a> Parts<'a> {
    /// These parts with those of the alternatives.
    fn with(self, among: &'a Alternatives) -> Parts<'a> {
        let heap = self.heap + texts(&among.labels);
        Parts { sets: [among.squares.as_ref(), None], heap, ..self }
    }
}

/// The memory of some texts.
fn texts(labels: &[String]) -> usize {
    labels.iter().map(|label| size_of_val(label) + label.capacity()).sum()
}

impl Permit {
    /// Whether the permit or any permit within it passes a test.
    pub(crate) fn any(&self, test: impl Fn(&Permit) -> bool + Copy) -> bool {
        test(self) || self.parts().permits.into_iter().flatten().any(|part| part.any(test))
    }

    /// The permits whose moves include all that this one admits; empty if it generates moves.
    pub fn sources(&self) -> impl Iterator<Item = &Permit> {
        // The subtracted permit of a `Minus` provides no moves, and the moves that may follow in a `Most` are not moves
        // now.
        let used = if matches!(self, Permit::Minus(..) | Permit::Most(_)) { 1 } else { 2 };
        self.parts().permits.into_iter().take(used).flatten()
    }
}
