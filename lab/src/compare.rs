//! Compares two experiments: the differences, and whether they are more than noise.
//!
//! Both play game `i` with the same seed, so with the same dice as long as they roll the same; differences are taken game
//! by game. No p-value is below the smallest that exchanging the two in each pair can show: 2^(1 - pairs that differ). A
//! [sequential test](Sequential) on the first player's score ends the comparison as soon as its result is clear. All other
//! figures are those of the games played by then.

use crate::experiment::{Experiment, LabError};
use crate::report::Unit;
use crate::row::Row;
use crate::run::{Watch, run};
use crate::statistics::comparisons::Correction;
use crate::statistics::sequential::{Sequential, Verdict};
use crate::statistics::{Estimate, Interval, normal};
use crate::tally::Tally;
use astragal_core::{Side, TurnEnd};

/// The number of pairs between checks for a clear result.
const BLOCK: u64 = 128;

/// The plan of a comparison.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// The maximum number of games of each.
    pub games: u64,
    /// The number of threads.
    pub threads: usize,
    /// The smallest relevant difference of the first player's scores, as a share.
    pub detect: f64,
    /// Whether to stop as soon as it is clear whether there is such a difference.
    pub stops_early: bool,
}

/// A figure of both experiments, and the difference.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// Its name for programs.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// How it is written.
    pub unit: Unit,
    /// The value in the first.
    pub first: f64,
    /// The value in the second.
    pub second: f64,
    /// The second value minus the first.
    pub difference: Estimate,
    /// The 95 % interval of the difference; `None` if all pairs differ by the same amount and the figure is unbounded.
    pub interval: Option<(f64, f64)>,
    /// The chance of a difference at least as large if there is no real one.
    pub p: f64,
    /// The same after the correction for the number of figures compared.
    pub adjusted: f64,
}

impl Difference {
    /// Whether it is 0 in both: such a figure is not tested, and corrections do not count it.
    pub fn is_nothing(&self) -> bool {
        self.first == 0.0 && self.second == 0.0
    }

    /// Whether the difference is significant after correction.
    pub fn is_real(&self) -> bool {
        self.adjusted <= 0.05
    }
}

/// The results of a comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The number of games of each experiment.
    pub games: u64,
    /// The result of the sequential test on the first player's score: higher, lower, or the same within the difference to
    /// be detected; open if there were too few games.
    pub verdict: Score,
    /// All figures.
    pub differences: Vec<Difference>,
    /// The share by which pairing has reduced the variance of the difference of scores; `None` if the scores do not vary.
    pub saved: Option<f64>,
}

/// The result of a sequential test on the first player's score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Higher in the second.
    Higher,
    /// Lower in the second.
    Lower,
    /// The same, within the difference to be detected.
    Same,
    /// Not known yet.
    Open,
}

/// A compared figure: its key, its name, its unit, and the numerator and denominator of its ratio in one game.
type Measure = (&'static str, &'static str, Unit, fn(&Row) -> (f64, f64));

const MEASURES: [Measure; 13] = [
    ("score", "first player's score", Unit::Share, |row| match row.winner {
        Some(Side::FIRST) => (1.0, 1.0),
        Some(_) => (0.0, 1.0),
        None => (0.5, 1.0),
    }),
    ("first", "first player wins", Unit::Share, |row| (yes(row.winner == Some(Side::FIRST)), 1.0)),
    ("draw", "drawn", Unit::Share, |row| (yes(row.winner.is_none() && row.reason.is_some()), 1.0)),
    ("unfinished", "unfinished", Unit::Share, |row| (yes(row.reason.is_none()), 1.0)),
    ("plies", "moves per game", Unit::Number, |row| (row.plies as f64, 1.0)),
    ("turns", "turns per game", Unit::Number, |row| (row.turns.all() as f64, 1.0)),
    ("events", "events per game", Unit::Number, |row| (row.events as f64, 1.0)),
    ("lost", "turns lost", Unit::Share, |row| of_turns(row, TurnEnd::Lost)),
    ("passed", "turns passed", Unit::Share, |row| of_turns(row, TurnEnd::Passed)),
    ("forced", "turns forced", Unit::Share, |row| of_turns(row, TurnEnd::Forced)),
    ("decided", "turns with a decision", Unit::Share, |row| of_turns(row, TurnEnd::Decided)),
    ("captures", "captures per game", Unit::Number, |row| (row.captures as f64, 1.0)),
    ("capture_rate", "captures per move", Unit::Number, |row| (row.captures as f64, (row.plies - row.instead) as f64)),
];

fn yes(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

fn of_turns(row: &Row, end: TurnEnd) -> (f64, f64) {
    (row.turns.of(end) as f64, row.turns.all() as f64)
}

/// Sums of the numerators and denominators in both experiments, and of all products of two of them.
#[derive(Clone, Copy, Default)]
struct PairSums {
    sums: [f64; 4],
    products: [[f64; 4]; 4],
    /// The number of pairs whose two values differ.
    differing: u64,
}

/// A variance below this part of the squares it is computed from is due to rounding.
const ROUNDING: f64 = 1e-12;

impl PairSums {
    fn add(&mut self, (above, below): (f64, f64), (above_too, below_too): (f64, f64)) {
        let numbers = [above, below, above_too, below_too];
        self.differing += u64::from((above, below) != (above_too, below_too));
        for (i, number) in numbers.iter().enumerate() {
            self.sums[i] += number;
            for (j, other) in numbers.iter().enumerate() {
                self.products[i][j] += number * other;
            }
        }
    }

    /// The two ratios and the variance of a pair's contribution to their difference, with the covariance and without it.
    fn difference(&self, pairs: f64) -> Option<(f64, f64, f64, f64)> {
        let [above, below, above_too, below_too] = self.sums;
        if below == 0.0 || below_too == 0.0 {
            return None;
        }
        let (first, second) = (above / below, above_too / below_too);
        // The residual of a pair: (c - s d) / mean d - (a - r b) / mean b. It sums to zero.
        let weights = [-pairs / below, first * pairs / below, pairs / below_too, -second * pairs / below_too];
        let form = |range: &[(usize, usize)]| -> f64 {
            range.iter().map(|&(i, j)| weights[i] * weights[j] * self.products[i][j]).sum()
        };
        let all: Vec<(usize, usize)> = (0..4).flat_map(|i| (0..4).map(move |j| (i, j))).collect();
        let own: Vec<(usize, usize)> = all.iter().copied().filter(|(i, j)| i / 2 == j / 2).collect();
        let scale = 1.0 / (pairs - 1.0);
        let least = ROUNDING * (first * first + second * second) * pairs;
        let variance = |form: f64| if form > least { form * scale } else { 0.0 };
        Some((first, second, variance(form(&all)), variance(form(&own))))
    }

    /// A measure over all pairs; `None` if it never applied.
    fn figure(&self, pairs: u64, (key, name, unit, _): Measure) -> Option<Difference> {
        let (first, second, variance, _) = self.difference(pairs as f64)?;
        let difference = Estimate { value: second - first, error: (variance / pairs as f64).sqrt() };
        let interval = match (difference.error > 0.0, unit) {
            (true, _) => Some((difference.low(), difference.high())),
            // All pairs alike: an unseen difference may still have some chance, and is at most -1 or 1.
            (false, Unit::Share) => {
                let unseen = Interval::wilson(0, pairs).high;
                Some((
                    difference.value - unseen * (1.0 + difference.value),
                    difference.value + unseen * (1.0 - difference.value),
                ))
            }
            (false, Unit::Number | Unit::Rate) => None,
        };
        // If the experiments do not differ, exchanging the two in each pair is equally likely. Of all combinations of
        // exchanges, at least two show as large a difference. That is the sign test if all pairs differ by the same amount.
        let exchanges = (1.0 - self.differing as f64).exp2().min(1.0);
        let far = match difference.error > 0.0 {
            true => normal::p_value(difference.value / difference.error),
            // No difference at all: any exchange shows as much.
            false if difference.value == 0.0 => 1.0,
            false => 0.0,
        };
        let p = far.max(exchanges);
        Some(Difference { key, name, unit, first, second, difference, interval, p, adjusted: p })
    }
}

/// Plays both until the result is clear, but at most the planned number of games. P-values are not yet corrected.
///
/// # Errors
/// If a game fails or the comparison is stopped before the first games.
pub fn compare(
    first: &Experiment,
    second: &Experiment,
    plan: &Plan,
    watch: &Watch<'_>,
) -> Result<(Comparison, [Tally; 2]), LabError> {
    let mut sums = [PairSums::default(); MEASURES.len()];
    let (mut played, mut tallies) = (0, [Tally::default(), Tally::default()]);
    let mut verdict = Score::Open;
    while played < plan.games && !(watch.stop)() {
        let games = played..plan.games.min(played + BLOCK);
        let [mut rows, mut others] = [Vec::new(), Vec::new()];
        for (experiment, rows, tally) in [(first, &mut rows, 0), (second, &mut others, 1)] {
            let mut take = |more: &[Row]| {
                rows.extend_from_slice(more);
                Ok(())
            };
            tallies[tally].merge(&run(experiment, games.clone(), plan.threads, watch, Some(&mut take))?);
        }
        let pairs = rows.len().min(others.len());
        for (row, other) in rows.iter().zip(&others) {
            for (sums, (.., measure)) in sums.iter_mut().zip(MEASURES) {
                sums.add(measure(row), measure(other));
            }
        }
        played += pairs as u64;
        if (pairs as u64) < games.end - games.start {
            break;
        }
        verdict = judged(&sums[0], played, plan.detect);
        if plan.stops_early && verdict != Score::Open {
            break;
        }
    }
    if played == 0 {
        return Err(LabError::Stopped);
    }
    let differences = sums.iter().zip(MEASURES).filter_map(|(sums, measure)| sums.figure(played, measure)).collect();
    let saved = sums[0].difference(played as f64).filter(|(.., without)| *without > 0.0);
    let saved = saved.map(|(.., with, without)| 1.0 - with / without);
    Ok((Comparison { games: played, verdict, differences, saved }, tallies))
}

/// The verdict on the difference of scores: two tests, one for each direction.
fn judged(sums: &PairSums, pairs: u64, detect: f64) -> Score {
    let Some((first, second, variance, _)) = sums.difference(pairs as f64) else { return Score::Open };
    let test = Sequential { low: 0.0, high: detect, alpha: 0.025, beta: 0.05 };
    let mean = second - first;
    match (test.verdict(pairs, mean, variance), test.verdict(pairs, -mean, variance)) {
        (Verdict::High, _) => Score::Higher,
        (_, Verdict::High) => Score::Lower,
        (Verdict::Low, Verdict::Low) => Score::Same,
        _ => Score::Open,
    }
}

/// Corrects the p-values of several comparisons for the number of figures in all of them.
pub fn correct(comparisons: &mut [&mut Comparison], by: Correction) {
    let looked_at = comparisons.iter().flat_map(|one| one.differences.iter().filter(|d| !d.is_nothing()));
    let adjusted = by.adjust(&looked_at.map(|d| d.p).collect::<Vec<f64>>());
    let differences = comparisons.iter_mut().flat_map(|one| one.differences.iter_mut().filter(|d| !d.is_nothing()));
    for (difference, adjusted) in differences.zip(adjusted) {
        difference.adjusted = adjusted;
    }
}
