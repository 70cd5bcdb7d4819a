//! What trial games have shown under one setting of the options, noted while they are played.

use super::offers::Offers;
use crate::Loaded;
use crate::profile::TreeGrowth;
use astragal_core::{Position, RoyalPolicy, Side, State};
use std::collections::{BTreeMap, BTreeSet};

/// How long a game goes on in which nobody has moved yet: rare dice may be needed.
pub(super) const PATIENCE: usize = 2_000;

/// So often a side must have been asked for a move before it is said that it never has one.
const OFTEN: usize = 8;

/// What the games under one setting have shown.
#[derive(Default)]
pub(super) struct Shown {
    /// How often each side was asked for a move or a choice, and how often it had one.
    pub(super) asked: BTreeMap<Side, (usize, usize)>,
    /// How many games ended, by who won.
    pub(super) ended: BTreeMap<Option<Side>, usize>,
    /// Whether a game was over before anybody rolled, moved or chose.
    pub(super) at_once: bool,
    /// How many games were cut because they were so long.
    pub(super) cut: usize,
    /// A position from which nobody could do anything any more, for very many rolls.
    pub(super) stuck: Option<String>,
    /// A side whose royal was taken where none may be left attacked, and what came of it: a draw, or nothing.
    pub(super) bereft: Option<(Side, Option<String>)>,
    /// The sides whose turn has come.
    pub(super) turns: BTreeSet<Side>,
    /// The sides that were out of the game at some time.
    pub(super) eliminated: BTreeSet<Side>,
    /// Whether pieces ever came to stand elsewhere.
    pub(super) changed: bool,
    /// What was offered, and what could have been.
    pub(super) offers: Offers,
    /// Whether a rule failed.
    pub(super) failed: bool,
    pub(super) rolled: bool,
    /// The rules that will outgrow their trees.
    pub(super) growing: Vec<(String, Option<TreeGrowth>)>,
    pub(super) events: usize,
}

impl Shown {
    /// A side was asked for something, and had something to answer.
    pub(super) fn asked(&mut self, side: Side, has: bool) {
        let (asked, had) = self.asked.entry(side).or_default();
        *asked += 1;
        *had += usize::from(has);
    }

    /// A game has ended after so many events.
    pub(super) fn over(&mut self, state: &State, events: usize) {
        *self.ended.entry(state.over().and_then(|over| over.winner)).or_default() += 1;
        self.at_once |= events == 0 && state.turn() <= 1;
    }

    /// Notes what is strange in a game that goes on.
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

    /// Whether nobody ever had a move or a choice, and bad luck with the dice is hardly the reason.
    pub(super) fn is_stuck(&self) -> bool {
        let moved = self.asked.values().any(|(_, had)| *had > 0);
        let enough = !self.rolled || self.events >= PATIENCE;
        let ended = self.games() > 0 && self.rolled;
        enough && !self.failed && !moved && !ended
    }

    /// A side that nobody ever asks for anything, while the others are asked again and again.
    pub(super) fn unasked(&self, loaded: &Loaded) -> Option<Side> {
        let (variant, start) = (&loaded.set.variant, &loaded.start);
        // Games that end before its first turn say nothing of a side.
        let rounds = OFTEN.max(2 * self.games());
        let often = self.asked.values().map(|(_, had)| had).sum::<usize>() >= rounds * variant.sides();
        let sides = (0..variant.sides()).map(|side| Side(side as u8));
        let never = |side: &Side| !self.asked.contains_key(side) && !start.is_out(*side);
        sides.filter(never).find(|_| often)
    }

    /// A side that is asked again and again, and never has a move.
    pub(super) fn idle(&self) -> Option<Side> {
        self.asked.iter().find(|(_, (asked, had))| *asked >= OFTEN && *had == 0).map(|(side, _)| *side)
    }
}
