//! Measures the cost of a script's rules by watching seeded random games.
//!
//! Reports for each rule how often it ran, how often the interpreter was needed, the size of its tree, the time of a run,
//! and the question that keeps a tree growing. Counts are the same on every machine; times are not. Knows nothing of how a
//! report is displayed.

use crate::diagnostic::LoadError;
use crate::game_text;
use crate::library::Source;
use crate::locked::locked;
pub use crate::tree_growth::{Cause, TreeGrowth};
use crate::tree_growth::{blame, named};
use astragal_core::rule::SourceLocation;
use astragal_core::rules::{Moment, TREE_CAP};
use astragal_core::{Mode, RuleError, RuleId, State, Status, Stream};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thiserror::Error;
use web_time::Instant;

/// The limits of the games played for a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProfileLimits {
    /// The number of games.
    pub games: u64,
    /// The maximum number of events of a game, rolls included; longer games are cut off.
    pub longest: usize,
    /// The cap on the nodes of each tree.
    pub cap: usize,
    /// No game starts after this time.
    pub time: Duration,
}

impl Default for ProfileLimits {
    fn default() -> ProfileLimits {
        ProfileLimits { games: 60, longest: 2000, cap: TREE_CAP, time: Duration::from_secs(20) }
    }
}

/// The results of the games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// The number of games played.
    pub games: u64,
    /// The moves and choices made in them.
    pub plies: u64,
    /// The maximum number of units of work that one event took: see [`astragal_core::meter`].
    pub work: u64,
    /// How many of them were played to the end.
    pub ended: u64,
    /// The first game that was cut off: its number, from 1, and its last position.
    pub cut: Option<(u64, String)>,
    /// Whether the run was stopped before all games were played.
    pub stopped: bool,
    /// The rules, by number: the hooks, then the tests of moves and squares.
    pub rules: Vec<RuleProfile>,
}

/// The cost of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleProfile {
    /// The rule's name.
    pub rule: String,
    /// Its place in the script, if it is a test of moves or squares.
    pub place: Option<SourceLocation>,
    /// How often it was run.
    pub calls: u64,
    /// How often the interpreter was needed.
    pub runs: u64,
    /// The nodes of its tree.
    pub nodes: usize,
    /// The approximate memory of the tree, in bytes.
    pub bytes: usize,
    /// Whether the tree has reached the cap; from then on the rule is interpreted.
    pub capped: bool,
    /// The time spent in it, without the rules that it asks.
    pub time: Duration,
    /// The reason why its tree is still growing, if it is.
    pub growth: Option<TreeGrowth>,
}

/// The reason why there is no profile.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// The script cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A rule fails in a game.
    #[error(transparent)]
    Rule(#[from] RuleError),
}

/// Plays random games of a script with its default options and watches its rules. Before each event, `go_on` is called with
/// the number of games played and the number of events in the current game; returning false ends the run.
///
/// # Errors
/// If the script cannot be loaded, or a rule fails in a game.
pub fn profile(
    source: &Source,
    limits: &ProfileLimits,
    go_on: &dyn Fn(u64, usize) -> bool,
) -> Result<Profile, ProfileError> {
    profile_until(source, limits, go_on, || false)
}

/// As [`profile`], but also stops when `stop` returns true, even in the middle of an event. From then on, `go_on` must
/// return false.
///
/// # Errors
/// As [`profile`].
pub fn profile_until(
    source: &Source,
    limits: &ProfileLimits,
    go_on: &dyn Fn(u64, usize) -> bool,
    stop: impl Fn() -> bool + Send + Sync + 'static,
) -> Result<Profile, ProfileError> {
    let mut loaded = crate::load_with(source, &[], Mode::Trees)?;
    loaded.set.rules.stop_when(stop);
    let meter = Arc::new(Mutex::new(Meter::default()));
    if let Some(set) = Arc::get_mut(&mut loaded.set) {
        set.rules.set_cap(limits.cap);
        let meter = Arc::clone(&meter);
        set.rules.watch(move |rule, moment| locked(&meter).note(rule, moment));
    }
    let begun = Instant::now();
    let (mut games, mut plies, mut ended, mut cut, mut stopped) = (0, 0, 0, None, false);
    while games < limits.games && begun.elapsed() < limits.time {
        let mut state = State::new(Arc::clone(&loaded.set), loaded.start.clone())?;
        let (made, played) = match play(&mut state, games, limits.longest, &|events| go_on(games, events)) {
            // A rule that was stopped while running has not failed.
            Err(_) if !go_on(games, 0) => (0, Played::Stopped),
            other => other?,
        };
        plies += made;
        games += 1;
        match played {
            Played::Ended => ended += 1,
            Played::Cut => cut = cut.or_else(|| Some((games, game_text::position(&loaded, &state)))),
            Played::Stopped => {
                stopped = true;
                break;
            }
        }
    }
    let meter = locked(&meter);
    let rules = &loaded.set.rules;
    let report = rules.report().into_iter().map(|tree| {
        let of = |counts: &BTreeMap<RuleId, u64>| counts.get(&tree.id).copied().unwrap_or(0);
        RuleProfile {
            place: rules.test_place(tree.id).map(|at| named(source, at)),
            calls: of(&meter.calls),
            runs: of(&meter.runs),
            nodes: tree.nodes,
            bytes: tree.bytes,
            capped: tree.capped,
            time: meter.times.get(&tree.id).copied().unwrap_or_default(),
            growth: (tree.capped || meter.needed.get(&tree.id).is_some_and(|needed| grows(&needed.quarters())))
                .then(|| blame(rules, tree.id, source))
                .flatten(),
            rule: tree.rule,
        }
    });
    let work = rules.walker().meter().most();
    Ok(Profile { games, plies, work, ended, cut, stopped, rules: report.collect() })
}

/// Whether the interpreter is still needed as often, judged by the runs in each quarter of the calls.
fn grows(runs: &[u64]) -> bool {
    match runs {
        [first, .., last] => *last >= 20 && last * 4 >= *first,
        _ => false,
    }
}

/// The result of a game.
enum Played {
    Ended,
    Cut,
    Stopped,
}

/// Plays one random game. Returns the number of its moves and choices, and its result.
fn play(
    state: &mut State,
    seed: u64,
    longest: usize,
    go_on: &dyn Fn(usize) -> bool,
) -> Result<(u64, Played), RuleError> {
    let mut draw = Stream::new(seed, 0x0070_726f_6669_6c65);
    let mut plies = 0;
    for events in 0..longest {
        if state.status() != Status::Over && !go_on(events) {
            return Ok((plies, Played::Stopped));
        }
        state.take_notes();
        match state.status() {
            Status::Over => return Ok((plies, Played::Ended)),
            Status::Chance => {
                let index = state.draw(&mut draw);
                state.roll(index)?;
                continue;
            }
            Status::Move | Status::Choice => {
                let answers = state.moves().len() + state.choices().len();
                let index = draw.below(answers as u64) as usize;
                match index.checked_sub(state.moves().len()) {
                    None => state.play(state.moves()[index])?,
                    Some(choice) => state.choose(choice)?,
                }
            }
        }
        plies += 1;
    }
    Ok((plies, if state.status() == Status::Over { Played::Ended } else { Played::Cut }))
}

/// The calls of a rule are divided into at least this many parts, once there are as many calls, and at most twice as many.
const PARTS: usize = 32;

/// How often the interpreter was needed in each part of a rule's calls. Parts have equal lengths and do not depend on
/// games, since a slow rule may not finish many games.
#[derive(Clone, Default)]
struct Needed {
    /// The binary logarithm of a part's length in calls.
    length: u32,
    calls: u64,
    parts: Vec<u64>,
}

impl Needed {
    fn called(&mut self) {
        if self.calls >> self.length == 2 * PARTS as u64 {
            self.parts = self.parts.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.length += 1;
        }
        if self.calls >> self.length == self.parts.len() as u64 {
            self.parts.push(0);
        }
        self.calls += 1;
    }

    fn interpreted(&mut self) {
        if let Some(last) = self.parts.last_mut() {
            *last += 1;
        }
    }

    /// The counts by quarters of the calls.
    fn quarters(&self) -> Vec<u64> {
        let of = |quarter: usize| quarter * self.parts.len() / 4;
        (0..4).map(|quarter| self.parts[of(quarter)..of(quarter + 1)].iter().sum()).collect()
    }
}

/// Counts and times, by rule.
#[derive(Default)]
struct Meter {
    needed: BTreeMap<RuleId, Needed>,
    calls: BTreeMap<RuleId, u64>,
    runs: BTreeMap<RuleId, u64>,
    times: BTreeMap<RuleId, Duration>,
    /// The rules that have been entered and not left, the innermost last.
    entered: Vec<RuleId>,
    /// When `entered` last changed.
    since: Option<Instant>,
}

impl Meter {
    fn note(&mut self, rule: RuleId, moment: Moment) {
        match moment {
            Moment::Begins => {
                *self.calls.entry(rule).or_default() += 1;
                self.needed.entry(rule).or_default().called();
            }
            Moment::Runs => {
                *self.runs.entry(rule).or_default() += 1;
                self.needed.entry(rule).or_default().interpreted();
            }
            Moment::Enters => {
                self.charge();
                self.entered.push(rule);
            }
            Moment::Leaves => {
                self.charge();
                self.entered.pop();
            }
        }
    }

    /// Charges the time that has passed to the innermost rule.
    fn charge(&mut self) {
        let now = Instant::now();
        if let (Some(rule), Some(since)) = (self.entered.last(), self.since) {
            *self.times.entry(*rule).or_default() += now - since;
        }
        self.since = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::{Needed, grows};

    #[test]
    fn quarters_are_those_of_the_calls_whatever_was_played() {
        for (calls, one) in [(4, 1), (400, 100), (40_000, 10_000)] {
            let mut needed = Needed::default();
            for call in 0..calls {
                needed.called();
                if call < calls / 2 {
                    needed.interpreted();
                }
            }
            let quarters = needed.quarters();
            assert_eq!(quarters.iter().sum::<u64>(), calls / 2, "{quarters:?}");
            let near = |found: u64, wanted: u64| found.abs_diff(wanted) * 10 <= wanted;
            assert!(near(quarters[0], one) && near(quarters[1], one) && quarters[3] == 0, "{quarters:?}");
        }
    }

    #[test]
    fn warming_up_is_not_growing() {
        assert!(!grows(&[900, 200, 60, 40]));
        assert!(!grows(&[10, 4, 5, 6]));
        assert!(grows(&[900, 700, 650, 600]));
    }
}
