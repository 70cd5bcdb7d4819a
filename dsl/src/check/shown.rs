//! Records the observations of trial games under one setting of the options, while they are played.

use super::offers::Offers;
use crate::Loaded;
use crate::tree_growth::TreeGrowth;
use astragal_core::{Position, RoyalPolicy, Side, State};
use std::collections::{BTreeMap, BTreeSet};

/// How many events a game lasts while no side has moved yet: a move may require a rare roll.
pub(super) const PATIENCE: usize = 2_000;

/// How often a side must be asked for a move before it counts as one that never has any.
const OFTEN: usize = 8;

/// The observations of the games under one setting.
#[derive(Default)]
pub(super) struct Shown {
    /// How often each side was asked for a move or a choice, and how often it had one.
    pub(super) asked: BTreeMap<Side, (usize, usize)>,
    /// How many games ended, by winner.
    pub(super) ended: BTreeMap<Option<Side>, usize>,
    /// Whether a game ended before the first roll, move or choice.
    pub(super) at_once: bool,
    /// How many games were stopped at the maximum length.
    pub(super) cut: usize,
    /// A position in which no side could act for a very large number of rolls.
    pub(super) stuck: Option<String>,
    /// A side that lost its royal piece although royal pieces are protected, with the reason of the draw if the game ended.
    pub(super) bereft: Option<(Side, Option<String>)>,
    /// The sides that have had a turn.
    pub(super) turns: BTreeSet<Side>,
    /// The sides that were eliminated at some time.
    pub(super) eliminated: BTreeSet<Side>,
    /// Whether the set of occupied squares ever changed.
    pub(super) changed: bool,
    /// The moves that were offered, and those that were possible.
    pub(super) offers: Offers,
    /// Whether a rule failed.
    pub(super) failed: bool,
    pub(super) rolled: bool,
    /// The rules whose trees will exceed their limit.
    pub(super) growing: Vec<(String, Option<TreeGrowth>)>,
    pub(super) events: usize,
}

impl Shown {
    /// Records that a side was asked for a move or choice, and whether it had one.
    pub(super) fn asked(&mut self, side: Side, has: bool) {
        let (asked, had) = self.asked.entry(side).or_default();
        *asked += 1;
        *had += usize::from(has);
    }

    /// Records that a game has ended after this many events.
    pub(super) fn over(&mut self, state: &State, events: usize) {
        *self.ended.entry(state.over().and_then(|over| over.winner)).or_default() += 1;
        self.at_once |= events == 0 && state.turn() <= 1;
    }

    /// Records unusual states of a running game.
    pub(super) fn look(&mut self, start: &Position, state: &State) {
        self.offers.counters(state);
        let variant = &state.ruleset().variant;
        let (now, sides) = (state.position(), (0..variant.sides()).map(|side| Side(side as u8)));
        self.turns.insert(state.mover());
        self.eliminated.extend(sides.filter(|side| now.is_out(*side)));
        self.changed |= now.occupied() != start.occupied();
        let bound = variant.spec().royal_policy == RoyalPolicy::Protected;
        if !bound || self.bereft.is_some() || state.over().is_some_and(|over| over.winner.is_some()) {
            return;
        }
        let lost = |side: &Side| {
            let had = !start.royals(variant, *side).is_empty();
            had && now.royals(variant, *side).is_empty() && !now.is_out(*side)
        };
        let side = (0..variant.sides()).map(|side| Side(side as u8)).find(lost);
        self.bereft = side.map(|side| (side, state.over().map(|over| over.reason.clone())));
    }

    /// How many games have ended.
    pub(super) fn games(&self) -> usize {
        self.ended.values().sum()
    }

    /// Whether no side ever had a move or a choice, and bad luck with the dice is unlikely to be the reason.
    pub(super) fn is_stuck(&self) -> bool {
        let moved = self.asked.values().any(|(_, had)| *had > 0);
        let enough = !self.rolled || self.events >= PATIENCE;
        let ended = self.games() > 0 && self.rolled;
        enough && !self.failed && !moved && !ended
    }

    /// A side that is never asked for anything, while the others are asked repeatedly.
    pub(super) fn unasked(&self, loaded: &Loaded) -> Option<Side> {
        let (variant, start) = (&loaded.set.variant, &loaded.start);
        // Games that end before a side's first turn are no evidence.
        let rounds = OFTEN.max(2 * self.games());
        let often = self.asked.values().map(|(_, had)| had).sum::<usize>() >= rounds * variant.sides();
        let sides = (0..variant.sides()).map(|side| Side(side as u8));
        let never = |side: &Side| !self.asked.contains_key(side) && !start.is_out(*side);
        sides.filter(never).find(|_| often)
    }

    /// A side that is asked repeatedly and never has a move.
    pub(super) fn idle(&self) -> Option<Side> {
        self.asked.iter().find(|(_, (asked, had))| *asked >= OFTEN && *had == 0).map(|(side, _)| *side)
    }
}
