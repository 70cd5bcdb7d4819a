//! Matches: games between two players who change sides, and what their results add up to.

use crate::player::{Player, PlayerError};
use astragal_core::dice::mix;
use astragal_core::{Event, Game, Over, Side, Status};
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

/// What a participant answers when it is to decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It does this, which the rules permit.
    Event(Event),
    /// It loses the game for this reason: it broke a rule, took too long or is no longer there.
    Forfeit(String),
}

/// Somebody who sits at a game of a match. Every [`Player`] can; others may look at the whole game, and may fail to decide.
pub trait Participant<E> {
    /// What to do in `game`, which waits for a decision of the participant.
    ///
    /// # Errors
    /// If the match cannot go on.
    fn decide(&mut self, game: &Game) -> Result<Answer, E>;

    /// The game is over, or was cut or forfeited.
    fn leave(&mut self, _game: &Game) {}
}

impl<E: From<PlayerError>> Participant<E> for Box<dyn Player> {
    fn decide(&mut self, game: &Game) -> Result<Answer, E> {
        Ok(Answer::Event(Player::decide_in(&mut **self, game)?))
    }
}

/// A game that a player has lost otherwise than by the rules of the variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// The side that has lost.
    pub side: Side,
    /// Why.
    pub reason: String,
}

/// How a game of a match went.
#[derive(Clone)]
pub struct GameResult {
    /// The game with all its events.
    pub game: Game,
    /// Who has forfeited it, if somebody has.
    pub forfeit: Option<Forfeit>,
    /// For each side, the player (0 or 1).
    players: Vec<usize>,
    /// The decisions that each player made and the time that they took.
    effort: [(u64, Duration); 2],
}

impl GameResult {
    /// What is known of game `number` of a match when it is over: not how long its players took.
    pub fn of(number: u64, game: Game, forfeit: Option<Forfeit>) -> GameResult {
        let players = seats(&game, number).map(|(_, player)| player).collect();
        GameResult { game, forfeit, players, effort: Default::default() }
    }

    /// How it ended by the rules; nothing if it was cut or forfeited.
    pub fn over(&self) -> Option<&Over> {
        self.game.state().over()
    }

    /// The player (0 or 1) who has forfeited it.
    pub fn forfeited_by(&self) -> Option<usize> {
        self.forfeit.as_ref().map(|forfeit| self.players[forfeit.side.index()])
    }
}

/// The seed of the dice of game `number` of a match: two games with changed places have the same.
pub fn dice_seed(number: u64, seed: u64) -> u64 {
    mix(seed ^ mix(number / 2))
}

/// Plays game `number` of a match whose dice follow from `seed`, between the players that `sit_down` places. `begin`
/// lays out a game whose dice have the seed that it is given.
///
/// The two players have the sides in turns and change places after each game; two games with changed places have the
/// same dice. After `most` events the game is cut.
///
/// # Errors
/// If the game cannot begin, a player cannot sit down or refuses, or a rule fails.
pub fn play_game<E: From<PlayerError>, P: Participant<E>>(
    begin: impl FnOnce(u64) -> Result<Game, E>,
    (number, seed): (u64, u64),
    most: usize,
    sit_down: impl FnMut(Seat) -> Result<P, E>,
) -> Result<GameResult, E> {
    let dice_seed = dice_seed(number, seed);
    let game = begin(dice_seed)?;
    let seats = seats(&game, number).map(|(side, player)| Seat { player, side, dice_seed });
    let mut seated = seats.map(sit_down).collect::<Result<Vec<P>, E>>()?;
    let mut result = GameResult::of(number, game, None);
    play(&mut result, most, &mut seated)?;
    for participant in &mut seated {
        participant.leave(&result.game);
    }
    Ok(result)
}

/// Plays a game to its end, or until it has `most` events.
fn play<E: From<PlayerError>>(
    result: &mut GameResult,
    most: usize,
    seated: &mut [impl Participant<E>],
) -> Result<(), E> {
    let game = &mut result.game;
    while game.status() != Status::Over && game.entries().len() < most {
        if game.status() == Status::Chance {
            game.roll().map_err(PlayerError::from)?;
            continue;
        }
        let side = game.state().chooser();
        let begun = Instant::now();
        let answer = seated[side.index()].decide(game)?;
        let effort = &mut result.effort[result.players[side.index()]];
        *effort = (effort.0 + 1, effort.1 + begun.elapsed());
        match answer {
            Answer::Event(event) => game.apply(&event).map_err(PlayerError::from)?,
            Answer::Forfeit(reason) => {
                result.forfeit = Some(Forfeit { side, reason });
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The sides of a game with their players.
fn seats(game: &Game, number: u64) -> impl Iterator<Item = (Side, usize)> + use<> {
    let sides = game.state().ruleset().variant.sides() as u8;
    (0..sides).map(move |side| (Side(side), player_of(Side(side), number)))
}

/// Which player (0 or 1) has `side` in game `number` of a match.
pub fn player_of(side: Side, number: u64) -> usize {
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
    /// In how many games the rules have said what the game was worth.
    pub awarded: u64,
    /// Half points made in all games that ended, less those of the other: as the rules have said, else two for a game won.
    halves: i64,
    /// Games that the first and the second have forfeited; they are among those that the other has won.
    pub forfeits: [u64; 2],
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

    /// Games that ended by the rules or were forfeited.
    pub fn ended(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The script's points that the first has made, less those of the second; `None` where the rules never say what a game
    /// is worth.
    pub fn points(&self) -> Option<f64> {
        (self.awarded > 0).then_some(self.halves as f64 / 2.0)
    }

    /// Counts a game.
    pub fn count(&mut self, game: &GameResult) {
        self.events += game.game.entries().len() as u64;
        for (sum, (decisions, time)) in self.effort.iter_mut().zip(game.effort) {
            *sum = (sum.0 + decisions, sum.1 + time);
        }
        if let Some(loser) = game.forfeited_by() {
            self.forfeits[loser] += 1;
            self.halves += if loser == 0 { -WIN } else { WIN };
            return if loser == 0 { self.losses += 1 } else { self.wins += 1 };
        }
        let Some(over) = game.over() else { return self.cut += 1 };
        let plain = match over.winner {
            None => {
                self.draws += 1;
                0
            }
            Some(side) if game.players[side.index()] == 0 => {
                self.wins += 1;
                WIN
            }
            Some(_) => {
                self.losses += 1;
                -WIN
            }
        };
        self.awarded += u64::from(over.points.is_some());
        self.halves += over.points.map_or(plain, |points| {
            let of = |player| game.players.iter().zip(points).filter(move |(seat, _)| **seat == player);
            let best = |player| of(player).map(|(_, points)| i64::from(points)).max();
            best(0).unwrap_or(0) - best(1).unwrap_or(0)
        });
    }
}

/// What a game is worth that is won, less what it is worth to the loser, in half points, unless the rules say otherwise.
const WIN: i64 = 2;

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
