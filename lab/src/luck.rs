//! Luck and skill of many games, and what their courses were like: sums of integers, so that they add up exactly.

use crate::histogram::Histogram;
use crate::judge::{Course, Kind};
use crate::statistics::{Estimate, bootstrap, estimate};
use serde::{Deserialize, Serialize};

/// Values are counted in millionths.
const UNIT: f64 = 1e6;

/// Games are dealt into so many groups, so that errors can be told from how these differ.
const GROUPS: usize = 16;

/// The seed of the groups that are drawn anew: any number, but always the same.
const BOOTSTRAP_SEED: u64 = 1979;

/// A game counts as open as long as the later loser's chance is at least this.
const OPEN: f64 = 0.25;

/// Steps of the winning chance in the fan, and moments of a game at which it is looked at.
pub const FAN: (usize, usize) = (20, 11);

/// Cells of luck, and of skill, in the picture of both.
pub const SCATTER: usize = 21;

/// The most luck or skill in that picture: from lost to won.
const SPAN: f64 = 2.0;

/// Gives an empty table its rows and columns.
fn grow(table: &mut Vec<Vec<u64>>, (rows, columns): (usize, usize)) {
    if table.is_empty() {
        *table = vec![vec![0; columns]; rows];
    }
}

/// Sums over games: of the result, luck, both parts of its way, and their products.
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

    /// By how much smaller the variance of a result is without the luck.
    fn worth(&self) -> Option<f64> {
        let worth = (self.plain()?.error / self.adjusted()?.error).powi(2);
        worth.is_finite().then_some(worth)
    }

    /// The part of the results' variance that goes with the rolls. That of decisions and this are one together.
    fn share(&self) -> Option<f64> {
        let n = self.games as i128;
        let with = |sum: i128, product: i128| (product * n - sum * self.result) as f64;
        let rolls = with(self.by_rolls, self.by_rolls_and_result);
        let decisions = with(self.by_decisions, self.by_decisions_and_result);
        let all = rolls + decisions;
        (n > 1 && all.abs() > 0.0).then(|| rolls / all)
    }
}

/// What many judged games add up to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Fortune {
    groups: [Sums; GROUPS],
    /// Games of which nothing is told.
    pub not_evaluated: NotEvaluated,
    /// How often the lead has changed in a game.
    pub lead_changes: Histogram,
    /// The part of the game, in percent, for which the later winner was behind.
    pub behind: Histogram,
    /// The later winner's least chance, in percent.
    pub depth: Histogram,
    /// When the game was open for the last time, in percent of it.
    pub open_until: Histogram,
    /// The most that one decision has changed the chances by, in points of a hundred.
    pub killer_decision: Histogram,
    /// The same for rolls.
    pub killer_roll: Histogram,
    /// At each tenth of the game: how often the first player's chance was how great, in steps of five percent.
    pub fan: Vec<Vec<u64>>,
    /// How often games had how much luck (rows) and how much skill (columns), with the first player's eyes: from -2 to 2 in
    /// steps of a [tenth of that](SCATTER).
    pub scatter: Vec<Vec<u64>>,
}

/// Games whose luck and skill cannot be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NotEvaluated {
    /// Broken off: they have no result.
    pub unfinished: u64,
    /// Something was rolled that has more than [`MOST_OUTCOMES`](crate::judge::MOST_OUTCOMES) outcomes.
    pub outcomes: u64,
    /// They were over before anything was rolled or decided.
    pub nothing: u64,
}

impl NotEvaluated {
    /// All of them.
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
    pub fn add(&mut self, number: u64, course: &Course) {
        let Some(result) = course.result else { return self.not_evaluated.unfinished += 1 };
        if !course.is_whole {
            return self.not_evaluated.outcomes += 1;
        }
        let Some(first) = course.points.first() else { return self.not_evaluated.nothing += 1 };
        let whole = |value: f64| (value * UNIT).round() as i128;
        let (luck, by_decisions) = (whole(course.luck), whole(course.shares(result).1));
        let result_units = whole(result);
        // What is left is exactly the rest, whatever was rounded.
        let by_rolls = result_units - whole(first.value) - by_decisions;
        let has_rolls = course.points.iter().any(|point| point.kind == Kind::Roll);
        let has_decisions = course.points.iter().any(|point| point.kind != Kind::Roll);
        // Rounding belongs to what there was.
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

    fn add_course(&mut self, course: &Course, result: f64) {
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
        // With the eyes of the later winner.
        let chances: Vec<f64> = values.iter().map(|value| (value * result.signum() + 1.0) / 2.0).collect();
        let before = &chances[..chances.len() - 1];
        let count = before.len().max(1) as f64;
        self.behind.add(percent(before.iter().filter(|chance| **chance < 0.5).count() as f64 / count));
        self.depth.add(percent(before.iter().copied().fold(1.0, f64::min)));
        let last_open = before.iter().rposition(|chance| 1.0 - chance >= OPEN);
        self.open_until.add(percent(last_open.map_or(0.0, |at| (at + 1) as f64 / count)));
    }

    /// Adds what other games amount to.
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

    /// The games that were judged.
    pub fn games(&self) -> u64 {
        self.sums().games
    }

    /// The share of luck in the variance of results: the covariance with the result of what rolls have changed, over the
    /// variance. With that of what decisions have changed it is one together: luck / (luck + skill). A judge who does not
    /// understand the game may find less than nothing or more than all; see [`Fortune::is_poor`]. Its error is told by leaving out each group of games in turn (the
    /// jackknife). `None` if all results are the same.
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

    /// The same without the luck that was in it: what is expected of such games, known better.
    pub fn adjusted(&self) -> Option<Estimate> {
        self.sums().adjusted()
    }

    /// What the courses of games were like, each with its name for people and what it is a part of: 100, or nothing.
    pub(crate) fn courses(&self) -> [(&'static str, f64, &Histogram); 6] {
        [
            ("changes of the lead", 1.0, &self.lead_changes),
            ("winner behind, % of the game", 100.0, &self.behind),
            ("winner's least chance, %", 100.0, &self.depth),
            ("open until, % of the game", 100.0, &self.open_until),
            ("greatest decision, points", 100.0, &self.killer_decision),
            ("greatest roll, points", 100.0, &self.killer_roll),
        ]
    }

    /// Whether the judge understands too little of the game for what is said of luck to mean much: without the luck results
    /// vary more, or its share is no share.
    pub fn is_poor(&self) -> bool {
        let is_none = |share: Estimate| !(-1e-9..=1.0 + 1e-9).contains(&share.value);
        self.worth().is_some_and(|worth| worth < 1.0 - 1e-9) || self.share().is_some_and(is_none)
    }

    /// How many plain games one game is worth whose luck is known.
    pub fn worth(&self) -> Option<f64> {
        self.sums().worth()
    }

    /// The 95 % interval of that, for which there is no formula: the bootstrap over the groups of games. `None` if too few of
    /// them have games, or if all of them say the same.
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
