//! A pending roll: its dice, the outcomes that are possible, and what the rule does with the faces.

use crate::board::square::Square;
use crate::dice::Dice;
use crate::position::moves::Move;
use crate::rules::rule::{Keys, PermitsByOutcome};
use crate::rules::value::View;
use std::sync::Arc;

/// The rule's use of the faces.
#[derive(Clone)]
pub(super) enum Landing {
    /// The number of the outcome is the answer.
    Answer,
    /// The key of the outcome is the answer.
    Key(Keys),
    /// They are held.
    Held,
    /// Each is held with its square.
    Each(Vec<Square>),
    /// They are put at these places among other faces; all are held.
    Among(Vec<usize>, Vec<i16>),
    /// The square with this number, from 1, is held.
    Square(Vec<Square>),
    /// The move with this number, from 1, is held.
    Move(Vec<Move>),
}

/// The dice of a chance node, and what the rule does with their faces.
#[derive(Clone)]
pub(super) struct PendingRoll {
    pub(super) dice: Arc<Dice>,
    pub(super) landing: Landing,
    pub(super) possible: Possible,
    pub(super) outcomes: u64,
}

/// The possible outcomes.
#[derive(Clone)]
pub(super) enum Possible {
    All,
    /// Those whose entry is true.
    Some(Vec<bool>),
    /// Those whose permit admits a move, evaluated on demand.
    Playable(Arc<PermitsByOutcome>, PermitResults),
}

/// At most this many permits of outcomes are examined one by one for a permitted move.
pub(super) const MOST_KNOWN: usize = 64;

/// Results for at most 64 permits, one bit each: which have been examined, and which of these admit a move.
#[derive(Clone, Default)]
pub(super) struct PermitResults(std::cell::Cell<(u64, u64)>);

impl PermitResults {
    fn get(&self, index: u64) -> Option<bool> {
        let (asked, possible) = self.0.get();
        (asked >> (index & 63) & 1 != 0).then_some(possible >> (index & 63) & 1 != 0)
    }

    fn note(&self, index: u64, so: bool) {
        let (asked, possible) = self.0.get();
        self.0.set((asked | 1 << (index & 63), possible | u64::from(so) << (index & 63)));
    }
}

/// Copies `from` to `to`; plain rolls of the same dice keep their reference counts.
pub(super) fn copy_pending(to: &mut Option<PendingRoll>, from: &Option<PendingRoll>) {
    match (&*to, from) {
        (Some(known), Some(PendingRoll { dice, landing: Landing::Answer, possible: Possible::All, .. }))
            if known.is_plain(dice, None) => {}
        (Some(known), Some(PendingRoll { dice, landing: Landing::Key(keys), possible: Possible::All, .. }))
            if known.is_plain(dice, Some(keys)) => {}
        _ => to.clone_from(from),
    }
}

impl PendingRoll {
    /// All outcomes of these dice.
    pub(super) fn new(dice: Arc<Dice>, landing: Landing) -> PendingRoll {
        PendingRoll { outcomes: dice.outcomes(), dice, landing, possible: Possible::All }
    }

    /// Whether this is a plain roll of these dice, reported as these keys if there are any.
    pub(super) fn is_plain(&self, dice: &Arc<Dice>, keys: Option<&Keys>) -> bool {
        let told = match (&self.landing, keys) {
            (Landing::Answer, None) => true,
            (Landing::Key(own), Some(keys)) => Arc::ptr_eq(own, keys),
            _ => false,
        };
        told && Arc::ptr_eq(&self.dice, dice) && matches!(self.possible, Possible::All)
    }

    /// The number that a rule receives for outcome number `index`.
    pub(super) fn told(&self, index: u64) -> u64 {
        match &self.landing {
            Landing::Key(keys) => keys.get(index as usize).map_or(0, |&key| key.into()),
            _ => index,
        }
    }

    /// The memory beside its own size, including dice that it does not share.
    pub(super) fn heap_bytes(&self) -> usize {
        let own = Arc::strong_count(&self.dice) == 1;
        let dice = || self.dice.dice.iter().map(|die| size_of_val(die) + 6 * die.faces().len()).sum::<usize>();
        let landing = match &self.landing {
            Landing::Each(squares) | Landing::Square(squares) => size_of_val(&squares[..]),
            Landing::Among(places, faces) => size_of_val(&places[..]) + size_of_val(&faces[..]),
            Landing::Move(moves) => size_of_val(&moves[..]),
            Landing::Answer | Landing::Key(_) | Landing::Held => 0,
        };
        let possible = if let Possible::Some(possible) = &self.possible { possible.len() } else { 0 };
        landing + possible + if own { dice() } else { 0 }
    }

    /// Whether there is an outcome with this number.
    pub(super) fn has(&self, index: u64) -> bool {
        index < self.outcomes
    }

    /// Whether every outcome is possible.
    pub(super) fn shows_all(&self) -> bool {
        matches!(self.possible, Possible::All)
    }

    /// Whether a rule holds the faces without seeing them.
    pub(super) fn is_held(&self) -> bool {
        matches!(self.landing, Landing::Held | Landing::Each(_) | Landing::Among(..))
    }

    /// Whether outcome number `index` is possible, where `view` is the view of the rule that rolls.
    pub(super) fn can_show<'a>(&self, index: u64, view: impl FnOnce() -> View<'a>) -> bool {
        match &self.possible {
            Possible::All => true,
            Possible::Some(possible) => possible.get(index as usize).copied().unwrap_or(false),
            Possible::Playable(permits, known) => {
                let Some(number) = permits.number(index) else { return false };
                let permit = &permits.permits()[number];
                known.get(number as u64).unwrap_or_else(|| {
                    // These permits consult no rule, so they cannot fail without a meter.
                    let view = view();
                    let so = view.rules.meter().freely(|| permit.exists(&view)).unwrap_or(false);
                    known.note(number as u64, so);
                    so
                })
            }
        }
    }
}
