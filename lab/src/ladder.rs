//! A ladder of players: how much better each level is than the next, and what that means in games.

use crate::experiment::{Experiment, LabError, Setting};
use crate::row::Row;
use crate::run::{Watch, run};
use crate::statistics::{Interval, estimate};
use astragal_core::Side;
use astragal_dsl::Source;

/// The quantile of the normal distribution that leaves 5 % above.
const ONE_SIDED: f64 = 1.644_853_626_951_473;

/// One step of the ladder.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The better player, or so it is thought.
    pub better: String,
    /// The other one.
    pub other: String,
    /// Games: each pair with the same dice and changed seats.
    pub games: u64,
    /// Games that were broken off: half a point for each.
    pub unfinished: u64,
    /// The better one's share of the points.
    pub score: f64,
    /// Its 95 % interval: pairs are told apart, for the games of one have the same dice.
    pub interval: Interval,
    /// After so many games the better player is ahead with a chance of 95 %; `None` if it is not shown that he is better.
    pub ahead_after: Option<u64>,
}

/// Prepares the games of a step.
pub type Begin<'a> = &'a dyn Fn(Setting) -> Result<Experiment, LabError>;

/// Plays each of these players against the one before, so many pairs of games. If it is stopped, the pairs that both games
/// of were over by then count.
///
/// # Errors
/// If a game fails, the game is not one for two, or it is stopped before a first pair.
pub fn climb(
    source: &Source,
    setting: &Setting,
    players: &[&str],
    pairs: u64,
    threads: usize,
    watch: &Watch<'_>,
) -> Result<Vec<Step>, LabError> {
    climb_with(&|setting| Experiment::new(source, setting), setting, players, pairs, threads, watch)
}

/// The same, of experiments that `begin` prepares.
///
/// # Errors
/// As [`climb`]; or what `begin` says.
pub fn climb_with(
    begin: Begin<'_>,
    setting: &Setting,
    players: &[&str],
    pairs: u64,
    threads: usize,
    watch: &Watch<'_>,
) -> Result<Vec<Step>, LabError> {
    let mut steps = Vec::new();
    for pair in players.windows(2) {
        match step(begin, setting, pair[1], pair[0], pairs, threads, watch) {
            Ok(step) => steps.push(step),
            Err(error) if error.is_stop() && !steps.is_empty() => break,
            Err(error) => return Err(error),
        }
        if (watch.stop)() {
            break;
        }
    }
    Ok(steps)
}

fn step(
    begin: Begin<'_>,
    setting: &Setting,
    better: &str,
    other: &str,
    pairs: u64,
    threads: usize,
    watch: &Watch<'_>,
) -> Result<Step, LabError> {
    let seated = |players: [&str; 2]| {
        let players = players.map(String::from).to_vec();
        begin(Setting { players, luck: false, lines: false, ..setting.clone() })
    };
    let mut seats = [Vec::new(), Vec::new()];
    for (seat, rows) in seats.iter_mut().enumerate() {
        let experiment = seated(if seat == 0 { [better, other] } else { [other, better] })?;
        let mut take = |more: &[Row]| {
            rows.extend(more.iter().map(|row| (points(row, Side(seat as u8)), row.reason.is_none())));
            Ok(())
        };
        run(&experiment, 0..pairs, threads, watch, Some(&mut take))?;
    }
    let [first, second] = seats;
    let both: Vec<_> = first.into_iter().zip(second).collect();
    // A pair has the same dice: it counts as one.
    let means: Vec<f64> = both.iter().map(|((a, _), (b, _))| (a + b) / 2.0).collect();
    let (sum, squares) = (means.iter().sum(), means.iter().map(|mean| mean * mean).sum());
    let score = estimate::mean(means.len() as u64, sum, squares).ok_or(LabError::Stopped)?;
    let all = || both.iter().flat_map(|(a, b)| [a, b]);
    let variance = all().map(|(point, _)| (point - score.value).powi(2)).sum::<f64>() / all().count() as f64;
    let interval = Interval::of_games(&score, means.len() as u64);
    Ok(Step {
        better: better.into(),
        other: other.into(),
        games: 2 * means.len() as u64,
        unfinished: all().filter(|(_, is_unfinished)| *is_unfinished).count() as u64,
        score: score.value,
        interval,
        ahead_after: (interval.low > 0.5).then(|| ahead_after(score.value, variance)),
    })
}

fn points(row: &Row, side: Side) -> f64 {
    match row.winner {
        None => 0.5,
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
    }
}

/// After how many games a player with this expected score is ahead with a chance of 95 %, by the normal approximation.
fn ahead_after(score: f64, variance: f64) -> u64 {
    let games = ONE_SIDED.powi(2) * variance / (score - 0.5).powi(2);
    games.ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player who wins 60 of 100 games: (1.645 / 0.1)^2 0.24 = 64.9 games; the binomial distribution has him ahead after
    /// 65 games in 94.6 of 100 cases.
    #[test]
    fn games_until_ahead() {
        assert_eq!(ahead_after(0.6, 0.24), 65);
        assert_eq!(ahead_after(1.0, 0.0), 1);
        let mut chance = vec![1.0_f64];
        for _ in 0..65 {
            let next = |wins: usize| {
                let lost = chance.get(wins).copied().unwrap_or(0.0) * 0.4;
                lost + if wins > 0 { chance[wins - 1] * 0.6 } else { 0.0 }
            };
            chance = (0..=chance.len()).map(next).collect();
        }
        let ahead: f64 = chance[33..].iter().sum();
        assert!((ahead - 0.95).abs() < 0.01, "{ahead}");
    }
}
