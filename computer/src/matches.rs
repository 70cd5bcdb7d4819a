//! Matches: games between two players who change sides, and what their results add up to.

use crate::events::apply;
use crate::player::{Player, PlayerError};
use astragal_core::dice::mix;
use astragal_core::{Over, Position, Ruleset, Side, State, Status, Stream};
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

/// A seat at a game of a match: who sits there, and the numbers that the player's chances may follow from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seat {
    /// 0 for the match's first player, 1 for the second.
    pub player: usize,
    /// The side that is played.
    pub side: Side,
    /// The seed of the game's dice.
    pub dice_seed: u64,
}

/// How a game of a match went.
#[derive(Clone, Debug)]
pub struct GameResult {
    /// How it ended; nothing if it was cut.
    pub over: Option<Over>,
    /// The events, rolls included.
    pub events: usize,
    /// For each side, the player (0 or 1).
    players: Vec<usize>,
    /// The decisions that each player made and the time that they took.
    effort: [(u64, Duration); 2],
}

/// Plays game `number` of a match whose dice follow from `seed`, between the players that `sit_down` places.
///
/// The two players have the sides in turns and change places after each game; two games with changed places have the
/// same dice. After `most` events the game is cut.
///
/// # Errors
/// If a player cannot sit down or refuses, or a rule fails.
pub fn play_game<E: From<PlayerError>>(
    ruleset: &Arc<Ruleset>,
    start: &Position,
    (number, seed): (u64, u64),
    most: usize,
    sit_down: impl FnMut(Seat) -> Result<Box<dyn Player>, E>,
) -> Result<GameResult, E> {
    let dice_seed = mix(seed ^ mix(number / 2));
    let seat = |side| Seat { player: player_of(side, number), side, dice_seed };
    let seats: Vec<Seat> = (0..ruleset.variant.sides() as u8).map(|side| seat(Side(side))).collect();
    let mut seated = seats.iter().copied().map(sit_down).collect::<Result<Vec<_>, E>>()?;
    let state = State::new(Arc::clone(ruleset), start.clone()).map_err(PlayerError::from)?;
    Ok(play(state, dice_seed, most, seats.iter().map(|seat| seat.player).collect(), &mut seated)?)
}

/// Plays a game to its end, or `most` events; `players` tells for each side whose it is.
fn play(
    mut state: State,
    dice_seed: u64,
    most: usize,
    players: Vec<usize>,
    seated: &mut [Box<dyn Player>],
) -> Result<GameResult, PlayerError> {
    let mut result = GameResult { over: None, events: 0, players, effort: Default::default() };
    while state.status() != Status::Over && result.events < most {
        if state.status() == Status::Chance {
            let mut random = Stream::new(dice_seed, result.events as u64);
            let index = state.draw(&mut random);
            state.roll(index)?;
        } else {
            let side = state.chooser().index();
            let begun = Instant::now();
            let event = seated[side].decide(&state)?;
            let effort = &mut result.effort[result.players[side]];
            *effort = (effort.0 + 1, effort.1 + begun.elapsed());
            apply(&mut state, &event)?;
        }
        state.take_notes();
        result.events += 1;
    }
    result.over = state.over().cloned();
    Ok(result)
}

/// Which player has `side` in game `number`.
fn player_of(side: Side, number: u64) -> usize {
    usize::from(!(u64::from(side.0) + number).is_multiple_of(2))
}

/// What the games of a match add up to, from the first player's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MatchScore {
    /// Games that the first has won.
    pub wins: u64,
    /// Games that nobody has won.
    pub draws: u64,
    /// Games that the second has won.
    pub losses: u64,
    /// Games that were cut: no result, and counted as none.
    pub cut: u64,
    /// Points made, where the rules name some, less those of the other.
    pub points: f64,
    /// Events of all games.
    pub events: u64,
    /// Decisions and time of the first and of the second player.
    pub effort: [(u64, Duration); 2],
}

impl MatchScore {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses + self.cut
    }

    /// Counts a game.
    pub fn count(&mut self, game: &GameResult) {
        self.events += game.events as u64;
        for (sum, (decisions, time)) in self.effort.iter_mut().zip(game.effort) {
            *sum = (sum.0 + decisions, sum.1 + time);
        }
        let Some(over) = &game.over else { return self.cut += 1 };
        match over.winner {
            None => self.draws += 1,
            Some(side) if game.players[side.index()] == 0 => self.wins += 1,
            Some(_) => self.losses += 1,
        }
        if let Some(points) = over.points {
            let of = |player| game.players.iter().zip(points).filter(move |(seat, _)| **seat == player);
            let best = |player| of(player).map(|(_, points)| points).max();
            self.points += f64::from(best(0).unwrap_or(0)) - f64::from(best(1).unwrap_or(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::player_of;
    use astragal_core::Side;

    #[test]
    fn players_change_places_after_each_game() {
        let seats = |number| [0, 1, 2, 3].map(|side| player_of(Side(side), number));
        assert_eq!(seats(0), [0, 1, 0, 1]);
        assert_eq!(seats(1), [1, 0, 1, 0]);
        assert_eq!(seats(2), seats(0));
    }
}
