//! Reports of a tally: figures with their intervals, as text for people and as JSON for programs.
//!
//! A report depends only on the experiment and the tally, not on the time that the games took or on who played which game.

mod html;
mod json;
mod never;
mod sections;
mod text;

pub(crate) use html::escaped;

use crate::experiment::Experiment;
use crate::histogram::Histogram;
use crate::lines::LineGames;
use crate::statistics::{Estimate, Interval, RatioSums, Z};
use crate::tally::{Results, Tally};
use astragal_core::MAX_SIDES;
use astragal_dsl::coverage_report::Finding;
use std::collections::BTreeSet;
use std::ops::Range;

/// A report. See the [module](self).
pub struct Report<'a> {
    experiment: &'a Experiment,
    /// The games that were requested.
    asked: Range<u64>,
    tally: &'a Tally,
    /// The parts of the script that never ran.
    never: Vec<Finding>,
}

/// The unit of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// A share, in percent: from 0 to 1.
    Share,
    /// A rate in percent, which may exceed 100.
    Rate,
    /// A plain number.
    Number,
}

/// A figure, comparable between two experiments.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// Its name for programs.
    pub key: String,
    /// Its name for people.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// The value and its standard error.
    pub estimate: Estimate,
    /// Its 95 % interval; `None` if it is undefined: after one game, or if all games are alike and the figure is unbounded.
    pub interval: Option<(f64, f64)>,
}

impl Figure {
    fn share(key: String, name: String, count: u64, of: u64) -> Figure {
        let interval = Interval::wilson(count, of);
        let value = count as f64 / of.max(1) as f64;
        let error = (value * (1.0 - value) / of.max(1) as f64).sqrt();
        let (estimate, interval) = (Estimate { value, error }, Some((interval.low, interval.high)));
        Figure { key, name, unit: Unit::Share, estimate, interval }
    }

    /// A figure from this many games.
    fn of(key: &str, name: &str, unit: Unit, estimate: Option<Estimate>, games: u64) -> Option<Figure> {
        let estimate = estimate?;
        let interval = match unit {
            Unit::Share => {
                let Interval { low, high } = Interval::of_games(&estimate, games);
                Some((low, high))
            }
            // Counts are not negative.
            Unit::Rate | Unit::Number if estimate.error > 0.0 => Some((estimate.low().max(0.0), estimate.high())),
            Unit::Rate | Unit::Number => None,
        };
        Some(Figure { key: key.into(), name: name.into(), unit, estimate, interval })
    }
}

impl<'a> Report<'a> {
    /// The report on games of an experiment: the games that were `asked` for, and the tally of those that were played.
    pub fn new(experiment: &'a Experiment, asked: Range<u64>, tally: &'a Tally) -> Report<'a> {
        Report { experiment, asked, tally, never: never::findings(experiment, tally) }
    }

    /// Whether all requested games were played.
    pub fn is_complete(&self) -> bool {
        self.tally.games >= self.asked.end.saturating_sub(self.asked.start)
    }

    /// The parts of the script that never ran.
    pub fn never(&self) -> &[Finding] {
        &self.never
    }

    /// The figures, comparable between two experiments.
    pub fn figures(&self) -> Vec<Figure> {
        let (tally, seats) = (self.tally, self.experiment.seats().len());
        let mut figures = Vec::new();
        for (seat, key) in SEATS.iter().enumerate().take(seats) {
            let name = format!("{} wins", self.experiment.side_name(seat));
            figures.push(Figure::share(format!("results.{key}"), name, tally.results.won[seat], tally.games));
        }
        let other = [("draw", "drawn", tally.results.drawn), ("unfinished", "unfinished", tally.results.unfinished)];
        for (key, name, count) in other {
            figures.push(Figure::share(format!("results.{key}"), name.into(), count, tally.games));
        }
        let number =
            |key, name, histogram: &Histogram| Figure::of(key, name, Unit::Number, histogram.mean(), tally.games);
        let ratio = |key, name, unit, sums: &RatioSums| Figure::of(key, name, unit, sums.ratio(), sums.games);
        let turns = &tally.turns;
        figures.extend(
            [
                self.advantage(),
                number("length.plies", "moves per game", &tally.plies),
                number("length.turns", "turns per game", &tally.turn_numbers),
                number("length.events", "events per game", &tally.events),
                ratio("turns.lost", "turns lost", Unit::Share, &turns.lost),
                ratio("turns.passed", "turns passed", Unit::Share, &turns.passed),
                ratio("turns.forced", "turns forced", Unit::Share, &turns.forced),
                ratio("turns.decided", "turns with a decision", Unit::Share, &turns.decided),
                ratio("turns.cut_short", "turns cut short", Unit::Share, &turns.cut_short),
                ratio("turns.forced_passes", "forced passes per turn", Unit::Number, &turns.forced_passes),
                ratio("branching", "moves to choose from", Unit::Number, &tally.branching_by_game),
                ratio("captures", "captures per move", Unit::Number, &tally.captures),
                ratio("contests", "contests won by the attacker", Unit::Share, &tally.contests),
                ratio("wasted_rolls", "rolls wasted", Unit::Share, &tally.wasted_rolls),
                ratio("used_dice", "dice used", Unit::Rate, &tally.used_dice),
            ]
            .into_iter()
            .flatten(),
        );
        figures
    }

    /// How much more often the first seat wins than the average of the others; with teams, than the average other team. It
    /// is zero if all win equally often, whatever their number. Only finished games count; `None` if there are none.
    pub fn advantage(&self) -> Option<Figure> {
        let Results { won, drawn, .. } = &self.tally.results;
        let others = self.opponents();
        let against: u64 = others.iter().map(|&seat| won[seat]).sum();
        let games = won[0] + against + drawn;
        if games == 0 {
            return None;
        }
        let each = 1.0 / others.len().max(1) as f64;
        let (mine, theirs) = (won[0] as f64 / games as f64, against as f64 / games as f64);
        let lead = mine - theirs * each;
        let error = ((mine + theirs * each * each - lead * lead).max(0.0) / games as f64).sqrt();
        Some(Figure {
            key: "advantage".into(),
            name: "first-player advantage".into(),
            unit: Unit::Share,
            estimate: Estimate { value: lead, error },
            interval: Some(Interval::of_lead(won[0], against, others.len(), games)),
        })
    }

    /// The size of an evaluator's value of 1 in a report: one game won, or half a point if the rules award points.
    fn points_of_result(&self) -> f64 {
        if self.tally.results.awarded > 0 { 0.5 } else { 1.0 }
    }

    /// The opponents of the first seat, one per team, since partners win the same games.
    fn opponents(&self) -> Vec<usize> {
        let variant = &self.experiment.loaded().set.variant;
        let allied = |a: usize, b: usize| variant.allied(astragal_core::Side(a as u8), astragal_core::Side(b as u8));
        let mut found: Vec<usize> = Vec::new();
        for seat in 1..self.experiment.seats().len() {
            if !allied(0, seat) && !found.iter().any(|&other| allied(other, seat)) {
                found.push(seat);
            }
        }
        found
    }

    /// All lines of the script that could run, with the games that ran them; empty if lines were not counted.
    fn lines_of_script(&self) -> Vec<(usize, LineGames)> {
        if !self.experiment.setting().lines {
            return Vec::new();
        }
        let known = &self.tally.lines;
        let lines = self.experiment.lines_of_rules().iter().chain(known.keys()).collect::<BTreeSet<_>>();
        lines.into_iter().map(|line| (*line, known.get(line).cloned().unwrap_or_default())).collect()
    }

    /// The 95 % interval of the number of options that 95 % of all decisions about moves do not exceed. Decisions of a game
    /// are dependent: they count for as many as would give their mean its error over games (L. Kish, 1965). `None` if there
    /// are too few.
    fn interval_of_common_branching(&self) -> Option<(u64, u64)> {
        let (branching, error) = (&self.tally.branching, self.tally.branching_by_game.ratio()?.error);
        let independent = (branching.deviation()? / error).powi(2).min(branching.count() as f64);
        branching.quantile_interval_of(0.95, if independent.is_nan() { 0.0 } else { independent })
    }

    /// The precision of the run: half the width of the interval of a share of one half.
    pub fn resolution(&self) -> f64 {
        let interval = Interval::wilson(self.tally.games / 2, self.tally.games);
        (interval.high - interval.low) / 2.0
    }

    /// The precision of a comparison of two such runs: half the width of the interval of a difference of shares near one
    /// half.
    pub fn resolution_between(&self) -> f64 {
        Z * (0.5 / self.tally.games.max(1) as f64).sqrt()
    }
}

/// The seats, as named in JSON.
pub(crate) const SEATS: [&str; MAX_SIDES] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
