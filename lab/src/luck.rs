//! Luck and skill of many games, and the course of their chances: sums of integers, so that they add up exactly.

use crate::evaluator::{EvaluatedGame, Kind};
use crate::histogram::Histogram;
use crate::statistics::{Estimate, bootstrap, estimate};
use serde::{Deserialize, Serialize};

/// Values are counted in millionths.
const UNIT: f64 = 1e6;

/// Games are dealt into this many groups; the differences between groups give the errors.
const GROUPS: usize = 16;

/// The seed of the bootstrap: arbitrary, but fixed.
const BOOTSTRAP_SEED: u64 = 1979;

/// A game counts as open as long as the later loser's chance is at least this.
const OPEN: f64 = 0.25;

/// Steps of the winning chance in the fan, and the number of moments of a game at which it is taken.
pub const FAN: (usize, usize) = (20, 11);

/// The number of cells per axis in the picture of luck and skill.
pub const SCATTER: usize = 21;

/// The limit of luck and skill in that picture: from lost to won.
const SPAN: f64 = 2.0;

/// An upper limit for the number of plain games that one game with known luck is worth: beyond it, only the rounding of
/// values is measured.
const MOST_WORTH: f64 = 1e6;

/// Gives an empty table its rows and columns.
fn grow(table: &mut Vec<Vec<u64>>, (rows, columns): (usize, usize)) {
    if table.is_empty() {
        *table = vec![vec![0; columns]; rows];
    }
}

/// Sums over games: of the result, the luck, the changes by rolls and by decisions, and their products.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Sums {
    games: u64,
    result: i128,
    luck: i128,
    by_rolls: i128,
    by_decisions: i128,
    result_squared: i128,
    adjusted_squared: i128,
    by_rolls_and_result: i128,
    by_decisions_and_result: i128,
}

impl Sums {
    fn merge(&mut self, other: &Sums) {
        self.games += other.games;
        self.result += other.result;
        self.luck += other.luck;
        self.by_rolls += other.by_rolls;
        self.by_decisions += other.by_decisions;
        self.result_squared += other.result_squared;
        self.adjusted_squared += other.adjusted_squared;
        self.by_rolls_and_result += other.by_rolls_and_result;
        self.by_decisions_and_result += other.by_decisions_and_result;
    }

    fn without(&self, other: &Sums) -> Sums {
        Sums {
            games: self.games - other.games,
            result: self.result - other.result,
            luck: self.luck - other.luck,
            by_rolls: self.by_rolls - other.by_rolls,
            by_decisions: self.by_decisions - other.by_decisions,
            result_squared: self.result_squared - other.result_squared,
            adjusted_squared: self.adjusted_squared - other.adjusted_squared,
            by_rolls_and_result: self.by_rolls_and_result - other.by_rolls_and_result,
            by_decisions_and_result: self.by_decisions_and_result - other.by_decisions_and_result,
        }
    }

    fn plain(&self) -> Option<Estimate> {
        estimate::mean(self.games, self.result as f64 / UNIT, self.result_squared as f64 / (UNIT * UNIT))
    }

    fn adjusted(&self) -> Option<Estimate> {
        estimate::mean(
            self.games,
            (self.result - self.luck) as f64 / UNIT,
            self.adjusted_squared as f64 / (UNIT * UNIT),
        )
    }

    /// The factor by which the variance of a result shrinks without the luck; `None` if only rounding is left of it,
    /// as in games of perfect players.
    fn worth(&self) -> Option<f64> {
        let worth = (self.plain()?.error / self.adjusted()?.error).powi(2);
        (worth < MOST_WORTH).then_some(worth)
    }

    /// The part of the results' variance that is due to rolls. With that of decisions it adds up to one.
    fn share(&self) -> Option<f64> {
        let n = self.games as i128;
        let with = |sum: i128, product: i128| (product * n - sum * self.result) as f64;
        let rolls = with(self.by_rolls, self.by_rolls_and_result);
        let decisions = with(self.by_decisions, self.by_decisions_and_result);
        let all = rolls + decisions;
        (n > 1 && all.abs() > 0.0).then(|| rolls / all)
    }
}

/// The totals of evaluated games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Fortune {
    groups: [Sums; GROUPS],
    /// Games without an evaluation.
    pub not_evaluated: NotEvaluated,
    /// The number of lead changes in a game.
    pub lead_changes: Histogram,
    /// The part of the game, in percent, for which the later winner was behind.
    pub behind: Histogram,
    /// The later winner's least chance, in percent.
    pub depth: Histogram,
    /// When the game was open for the last time, in percent of its length.
    pub open_until: Histogram,
    /// The greatest change of the chances by one decision, in percentage points.
    pub killer_decision: Histogram,
    /// The same for rolls.
    pub killer_roll: Histogram,
    /// At each tenth of the game, a histogram of the first player's chance, in steps of five percent.
    pub fan: Vec<Vec<u64>>,
    /// The number of games by luck (rows) and skill (columns), from the first player's point of view: from -2 to 2 in
    /// [`SCATTER`] cells.
    pub scatter: Vec<Vec<u64>>,
}

/// Games whose luck and skill cannot be determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NotEvaluated {
    /// Games that were aborted, without a result.
    pub unfinished: u64,
    /// Games with a roll of more than [`MOST_OUTCOMES`](crate::proof::MOST_OUTCOMES) outcomes.
    pub outcomes: u64,
    /// Games that were over before the first roll or decision.
    pub nothing: u64,
}

impl NotEvaluated {
    /// The number of these games.
    pub fn games(&self) -> u64 {
        self.unfinished + self.outcomes + self.nothing
    }

    fn merge(&mut self, other: &NotEvaluated) {
        self.unfinished += other.unfinished;
        self.outcomes += other.outcomes;
        self.nothing += other.nothing;
    }
}

impl Fortune {
    /// Counts game number `number`.
    pub fn add(&mut self, number: u64, course: &EvaluatedGame) {
        let Some(result) = course.result else { return self.not_evaluated.unfinished += 1 };
        if !course.is_whole {
            return self.not_evaluated.outcomes += 1;
        }
        let Some(first) = course.points.first() else { return self.not_evaluated.nothing += 1 };
        let whole = |value: f64| (value * UNIT).round() as i128;
        let (luck, by_decisions) = (whole(course.luck), whole(course.shares(result).1));
        let result_units = whole(result);
        // The remainder is exact, in spite of rounding.
        let by_rolls = result_units - whole(first.value) - by_decisions;
        let has_rolls = course.points.iter().any(|point| point.kind == Kind::Roll);
        let has_decisions = course.points.iter().any(|point| point.kind != Kind::Roll);
        // Rounding errors go to the part that exists.
        let (by_rolls, by_decisions) = match (has_rolls, has_decisions) {
            (false, _) => (0, by_rolls + by_decisions),
            (_, false) => (by_rolls + by_decisions, 0),
            _ => (by_rolls, by_decisions),
        };
        let adjusted = result_units - luck;
        self.groups[(number % GROUPS as u64) as usize].merge(&Sums {
            games: 1,
            result: result_units,
            luck,
            by_rolls,
            by_decisions,
            result_squared: result_units * result_units,
            adjusted_squared: adjusted * adjusted,
            by_rolls_and_result: by_rolls * result_units,
            by_decisions_and_result: by_decisions * result_units,
        });
        self.add_course(course, result);
        grow(&mut self.scatter, (SCATTER, SCATTER));
        let cell = |millionths: i128| {
            let share = (millionths as f64 / UNIT / SPAN).clamp(-1.0, 1.0);
            ((share + 1.0) / 2.0 * (SCATTER - 1) as f64).round() as usize
        };
        self.scatter[cell(by_rolls)][cell(by_decisions)] += 1;
    }

    fn add_course(&mut self, course: &EvaluatedGame, result: f64) {
        let values: Vec<f64> = course.points.iter().map(|point| point.value).chain([result]).collect();
        let leads = values.iter().filter(|value| **value != 0.0).map(|value| *value > 0.0);
        let leads: Vec<bool> = leads.collect();
        self.lead_changes.add(leads.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64);
        let percent = |share: f64| (share.clamp(0.0, 1.0) * 100.0).round() as u64;
        let most = |of_roll: bool| {
            let changes = course.points.iter().zip(values.windows(2));
            let mine = changes.filter(|(point, _)| (point.kind == Kind::Roll) == of_roll);
            mine.map(|(_, pair)| (pair[1] - pair[0]).abs() / 2.0).reduce(f64::max)
        };
        most(false).into_iter().for_each(|change| self.killer_decision.add(percent(change)));
        most(true).into_iter().for_each(|change| self.killer_roll.add(percent(change)));
        grow(&mut self.fan, (FAN.1, FAN.0 + 1));
        for (tenth, chances) in self.fan.iter_mut().enumerate() {
            let value = values[(values.len() - 1) * tenth / (FAN.1 - 1)];
            let step = ((value.clamp(-1.0, 1.0) + 1.0) / 2.0 * FAN.0 as f64).round() as usize;
            chances[step.min(FAN.0)] += 1;
        }
        if result == 0.0 {
            return;
        }
        // From the later winner's point of view.
        let chances: Vec<f64> = values.iter().map(|value| (value * result.signum() + 1.0) / 2.0).collect();
        let before = &chances[..chances.len() - 1];
        let count = before.len().max(1) as f64;
        self.behind.add(percent(before.iter().filter(|chance| **chance < 0.5).count() as f64 / count));
        self.depth.add(percent(before.iter().copied().fold(1.0, f64::min)));
        let last_open = before.iter().rposition(|chance| 1.0 - chance >= OPEN);
        self.open_until.add(percent(last_open.map_or(0.0, |at| (at + 1) as f64 / count)));
    }

    /// Adds the totals of other games.
    pub fn merge(&mut self, other: &Fortune) {
        self.groups.iter_mut().zip(&other.groups).for_each(|(mine, more)| mine.merge(more));
        self.not_evaluated.merge(&other.not_evaluated);
        self.lead_changes.merge(&other.lead_changes);
        self.behind.merge(&other.behind);
        self.depth.merge(&other.depth);
        self.open_until.merge(&other.open_until);
        self.killer_decision.merge(&other.killer_decision);
        self.killer_roll.merge(&other.killer_roll);
        for (mine, more) in [(&mut self.fan, &other.fan), (&mut self.scatter, &other.scatter)] {
            grow(mine, (more.len(), more.first().map_or(0, Vec::len)));
            mine.iter_mut().flatten().zip(more.iter().flatten()).for_each(|(mine, more)| *mine += more);
        }
    }

    fn sums(&self) -> Sums {
        let mut all = Sums::default();
        self.groups.iter().for_each(|group| all.merge(group));
        all
    }

    /// The number of evaluated games.
    pub fn games(&self) -> u64 {
        self.sums().games
    }

    /// The share of luck in the variance of results: the covariance of the result with the changes by rolls, over the
    /// variance. It adds up to one with the share of the changes by decisions: luck / (luck + skill). An evaluator that does not
    /// understand the game may yield a share below zero or above one; see [`Fortune::is_poor`]. The error is computed by
    /// leaving out each group of games in turn (the jackknife). `None` if all results are the same.
    pub fn share(&self) -> Option<Estimate> {
        let all = self.sums();
        let value = all.share()?;
        let used = self.groups.iter().filter(|group| group.games > 0);
        let left_out: Vec<f64> = used.filter_map(|group| all.without(group).share()).collect();
        let n = left_out.len() as f64;
        let mean = left_out.iter().sum::<f64>() / n;
        let squares: f64 = left_out.iter().map(|share| (share - mean).powi(2)).sum();
        let error = if left_out.len() < 2 { f64::NAN } else { ((n - 1.0) / n * squares).sqrt() };
        Some(Estimate { value, error })
    }

    /// The first player's mean result, as it was.
    pub fn plain(&self) -> Option<Estimate> {
        self.sums().plain()
    }

    /// The same with its luck removed: an estimate of the expected result with less variance.
    pub fn adjusted(&self) -> Option<Estimate> {
        self.sums().adjusted()
    }

    /// The histograms of the courses of games, each with its name for people and its scale: 100 for percentages, 1 for
    /// counts.
    pub(crate) fn courses(&self) -> [(&'static str, f64, &Histogram); 6] {
        [
            ("lead changes", 1.0, &self.lead_changes),
            ("winner behind, % of game", 100.0, &self.behind),
            ("winner's lowest chance, %", 100.0, &self.depth),
            ("undecided until, % of game", 100.0, &self.open_until),
            ("largest decision, points", 100.0, &self.killer_decision),
            ("largest roll, points", 100.0, &self.killer_roll),
        ]
    }

    /// Whether the evaluator understands too little of the game for the luck figures to mean much: results vary more without
    /// the luck, or its share is not between zero and one.
    pub fn is_poor(&self) -> bool {
        let is_none = |share: Estimate| !(-1e-9..=1.0 + 1e-9).contains(&share.value);
        self.worth().is_some_and(|worth| worth < 1.0 - 1e-9) || self.share().is_some_and(is_none)
    }

    /// The number of plain games that one game with known luck is worth.
    pub fn worth(&self) -> Option<f64> {
        self.sums().worth()
    }

    /// The 95 % interval of [`worth`](Fortune::worth), which has no formula: the bootstrap over the groups of games. `None`
    /// if too few groups have games, or if all of them agree.
    pub fn worth_interval(&self) -> Option<(f64, f64)> {
        let used: Vec<&Sums> = self.groups.iter().filter(|group| group.games > 0).collect();
        if used.len() < GROUPS {
            return None;
        }
        let figure = |drawn: &[u32]| {
            let mut all = Sums::default();
            used.iter().zip(drawn).for_each(|(group, &times)| (0..times).for_each(|_| all.merge(group)));
            all.worth()
        };
        bootstrap::interval(used.len(), BOOTSTRAP_SEED, figure).filter(|(low, high)| low < high)
    }
}
