//! A ladder of players: how much stronger each level is than the next, and the number of games it takes to show.

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
    /// The supposedly better player.
    pub better: String,
    /// The other player.
    pub other: String,
    /// The number of games: each pair has the same dice and swapped seats.
    pub games: u64,
    /// Games that were aborted: half a point for each player.
    pub unfinished: u64,
    /// The better player's share of the points.
    pub score: f64,
    /// Its 95 % interval, computed from pairs, since the games of a pair have the same dice.
    pub interval: Interval,
    /// The number of games after which the better player is ahead with a chance of 95 %; `None` if neither is shown to be
    /// better.
    pub ahead_after: Option<u64>,
}

/// Prepares the games of a step.
pub type Begin<'a> = &'a dyn Fn(Setting) -> Result<Experiment, LabError>;

/// Plays each of these players against the one before, in `pairs` pairs of games. If it is stopped, only pairs with both
/// games finished count.
///
/// # Errors
/// If a game fails, the game is not one for two players, or it is stopped before the first pair.
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

/// The same, for experiments that `begin` prepares.
///
/// # Errors
/// As [`climb`]; or the error of `begin`.
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
    // A pair has the same dice, so it counts as one sample.
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

/// The number of games after which a player with this expected score is ahead with a chance of 95 %, by the normal
/// approximation.
fn ahead_after(score: f64, variance: f64) -> u64 {
    let games = ONE_SIDED.powi(2) * variance / (score - 0.5).powi(2);
    games.ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player who wins 60 of 100 games: (1.645 / 0.1)^2 0.24 = 64.9 games; by the binomial distribution this player is
    /// ahead after 65 games in 94.6 of 100 cases.
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
