//! Sums over games: counts, histograms and totals, all of them integers.
//!
//! Invariant: a tally of some games is the [merged](Tally::merge) tallies of any parts of them, to the bit and in any
//! order. So it does not matter who played which game. Its size grows with the length of games and the words of the script,
//! not with the number of games.

use crate::histogram::Histogram;
use crate::lines::Lines;
use crate::luck::Fortune;
use crate::statistics::{RatioSums, SignedSums};
use astragal_core::{EndedTurn, MAX_SIDES, TurnEnd};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How often something happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Occurrence {
    /// The total count.
    pub times: u64,
    /// The number of games with it.
    pub games: u64,
}

/// Turns by how they ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Turns {
    /// All of them, including those without a question.
    pub all: RatioSums,
    /// No move was permitted.
    pub lost: RatioSums,
    /// The player declined to move.
    pub passed: RatioSums,
    /// Every question had a single answer.
    pub forced: RatioSums,
    /// A player decided something.
    pub decided: RatioSums,
    /// No player was asked anything; at most dice were rolled.
    pub ended: RatioSums,
    /// Moves were made, and dice were left that no permitted move could use; such turns also count in the other categories.
    pub cut_short: RatioSums,
    /// How often a move was requested, or owed to a die, and none was permitted: possibly several times per turn.
    pub forced_passes: RatioSums,
}

/// The turns of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TurnCounts {
    /// By [`TurnEnd`]: lost, passed, forced, decided, ended.
    by_end: [u64; 5],
    /// Turns with moves that were [cut short](EndedTurn::is_cut_short).
    pub cut_short: u64,
    /// How often a move was requested, or a die had to pay for one, and none was permitted.
    pub forced_passes: u64,
}

impl TurnCounts {
    /// Counts a turn.
    #[inline]
    pub fn add(&mut self, turn: &EndedTurn) {
        self.by_end[turn.counts_as() as usize] += 1;
        self.cut_short += u64::from(turn.is_cut_short());
        self.forced_passes += u64::from(turn.answers.forced_passes);
    }

    /// All turns.
    pub fn all(&self) -> u64 {
        self.by_end.iter().sum()
    }

    /// The turns that ended like this.
    pub fn of(&self, end: TurnEnd) -> u64 {
        self.by_end[end as usize]
    }
}

impl Turns {
    /// Adds the turns of one game.
    pub fn add(&mut self, turns: &TurnCounts) {
        let all = turns.all();
        self.all.add(all, all);
        self.lost.add(turns.of(TurnEnd::Lost), all);
        self.passed.add(turns.of(TurnEnd::Passed), all);
        self.forced.add(turns.of(TurnEnd::Forced), all);
        self.decided.add(turns.of(TurnEnd::Decided), all);
        self.ended.add(turns.of(TurnEnd::Ended), all);
        self.cut_short.add(turns.cut_short, all);
        self.forced_passes.add(turns.forced_passes, all);
    }

    fn merge(&mut self, other: &Turns) {
        self.all.merge(&other.all);
        self.lost.merge(&other.lost);
        self.passed.merge(&other.passed);
        self.forced.merge(&other.forced);
        self.decided.merge(&other.decided);
        self.ended.merge(&other.ended);
        self.cut_short.merge(&other.cut_short);
        self.forced_passes.merge(&other.forced_passes);
    }
}

/// Named events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Named {
    /// A label that the script gives an event: `label("tie")`.
    Label,
    /// An answer to a choice.
    Choice,
    /// A move of a special kind: castling, promotion and so on.
    Move,
}

/// How many games each side has won, and how many were drawn.
pub type Winners = [u64; DRAWN + 1];

/// The index of draws among [`Winners`].
pub const DRAWN: usize = MAX_SIDES;

/// The results of all seats, draws and unfinished games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Results {
    /// Games won by each seat, including those won by its partners.
    pub won: [u64; MAX_SIDES],
    /// Games that were drawn.
    pub drawn: u64,
    /// Games that were aborted.
    pub unfinished: u64,
    /// The number of games whose value the rules set.
    pub awarded: u64,
    /// The points of each seat in the finished games, in half points: as set by the rules, otherwise two for a win and one
    /// for a draw.
    pub points: [SignedSums; MAX_SIDES],
    /// By reason: the number of games won by each side, and at [`DRAWN`] the number of draws.
    pub reasons: BTreeMap<String, Winners>,
}

/// Sums over games. See the [module](self).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// The number of games.
    pub games: u64,
    /// A digest of all games: two sums modulo 2^64 of one number for each game.
    pub digest: [u64; 2],
    /// How they ended.
    pub results: Results,
    /// Moves made in a game, and choices made instead of one.
    pub plies: Histogram,
    /// Turns of a game.
    pub turn_numbers: Histogram,
    /// Events of a game, rolls included.
    pub events: Histogram,
    /// Turns by how they ended.
    pub turns: Turns,
    /// The number of permitted moves at a decision about moves, plus the choices beside them.
    pub branching: Histogram,
    /// The same by game: moves over decisions.
    pub branching_by_game: RatioSums,
    /// Captures over moves.
    pub captures: RatioSums,
    /// Captures that succeeded over those that a rule has decided about.
    pub contests: RatioSums,
    /// Rolls of lost turns over all rolls.
    pub wasted_rolls: RatioSums,
    /// Dice that paid for moves over all dice rolled, where dice pay.
    pub used_dice: RatioSums,
    /// By what was rolled, as `2d6`, and by die: how often each face came up.
    pub faces: BTreeMap<String, BTreeMap<String, BTreeMap<i16, u64>>>,
    /// Named events, and how often they happened.
    pub named: BTreeMap<Named, BTreeMap<String, Occurrence>>,
    /// How often a piece moved to each square.
    pub arrivals: Vec<u64>,
    /// How often a piece was captured on each square.
    pub taken: Vec<u64>,
    /// Luck and skill, if games were evaluated.
    pub fortune: Fortune,
    /// In how many games each line of the script ran, if requested.
    pub lines: Lines,
    /// The marks of the parts of the script that ran.
    pub covered: BTreeSet<String>,
}

impl Tally {
    /// Adds the totals of other games.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        for (mine, more) in self.digest.iter_mut().zip(other.digest) {
            *mine = mine.wrapping_add(more);
        }
        self.results.merge(&other.results);
        self.plies.merge(&other.plies);
        self.turn_numbers.merge(&other.turn_numbers);
        self.events.merge(&other.events);
        self.turns.merge(&other.turns);
        self.branching.merge(&other.branching);
        self.branching_by_game.merge(&other.branching_by_game);
        self.captures.merge(&other.captures);
        self.contests.merge(&other.contests);
        self.wasted_rolls.merge(&other.wasted_rolls);
        self.used_dice.merge(&other.used_dice);
        for (rolled, dice) in &other.faces {
            for (die, faces) in dice {
                let mine = self.faces.entry(rolled.clone()).or_default().entry(die.clone()).or_default();
                faces.iter().for_each(|(face, times)| *mine.entry(*face).or_default() += times);
            }
        }
        for (group, names) in &other.named {
            let mine = self.named.entry(*group).or_default();
            for (name, more) in names {
                let occurrence = mine.entry(name.clone()).or_default();
                occurrence.times += more.times;
                occurrence.games += more.games;
            }
        }
        add_all(&mut self.arrivals, &other.arrivals);
        add_all(&mut self.taken, &other.taken);
        self.fortune.merge(&other.fortune);
        for (line, more) in &other.lines {
            let mine = self.lines.entry(*line).or_default();
            mine.games += more.games;
            more.answers.iter().for_each(|(answer, games)| *mine.answers.entry(answer.clone()).or_default() += games);
        }
        self.covered.extend(other.covered.iter().cloned());
    }

    /// The digest as text.
    pub fn digest_text(&self) -> String {
        format!("{:016x}{:016x}", self.digest[0], self.digest[1])
    }
}

impl Results {
    fn merge(&mut self, other: &Results) {
        add_all(&mut self.won, &other.won);
        self.drawn += other.drawn;
        self.unfinished += other.unfinished;
        self.awarded += other.awarded;
        self.points.iter_mut().zip(&other.points).for_each(|(mine, more)| mine.merge(more));
        for (reason, counts) in &other.reasons {
            add_all(self.reasons.entry(reason.clone()).or_default(), counts);
        }
    }
}

/// Adds numbers elementwise; missing elements are created.
fn add_all(mine: &mut (impl AsMutSlice + ?Sized), more: &[u64]) {
    for (mine, more) in mine.slice(more.len()).iter_mut().zip(more) {
        *mine += more;
    }
}

/// Lists of numbers of any length.
trait AsMutSlice {
    /// The numbers, at least `least` of them if the list can grow.
    fn slice(&mut self, least: usize) -> &mut [u64];
}

impl AsMutSlice for Vec<u64> {
    fn slice(&mut self, least: usize) -> &mut [u64] {
        if self.len() < least {
            self.resize(least, 0);
        }
        self
    }
}

impl<const N: usize> AsMutSlice for [u64; N] {
    fn slice(&mut self, _: usize) -> &mut [u64] {
        self
    }
}
