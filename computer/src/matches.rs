//! Matches: games between two players who alternate sides, and the sums of their results.

use crate::player::{Player, PlayerError};
use astragal_core::dice::mix;
use astragal_core::{Event, Game, Over, Side, Status};
use std::time::Duration;
use web_time::Instant;

/// A seat in a game of a match: the player, and seeds for the player's random numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seat {
    /// 0 for the match's first player, 1 for the second.
    pub player: usize,
    /// The side that the player has.
    pub side: Side,
    /// The seed of the game's dice.
    pub dice_seed: u64,
}

/// A participant's answer to a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Plays this permitted event.
    Event(Event),
    /// Loses the game for this reason: the participant broke a rule, took too long or left.
    Forfeit(String),
}

/// A participant in a match. Every [`Player`] can be one; others may read the whole game, and may fail to decide.
pub trait Participant<E> {
    /// Chooses an event in `game`, which waits for a decision of the participant.
    ///
    /// # Errors
    /// If the match cannot go on.
    fn decide(&mut self, game: &Game) -> Result<Answer, E>;

    /// Called when the game is over, or was cut or forfeited.
    fn leave(&mut self, _game: &Game) {}
}

impl<E: From<PlayerError>> Participant<E> for Box<dyn Player> {
    fn decide(&mut self, game: &Game) -> Result<Answer, E> {
        Ok(Answer::Event(Player::decide_in(&mut **self, game)?))
    }
}

/// A loss for a reason other than the rules of the variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// The side that has lost.
    pub side: Side,
    /// The reason.
    pub reason: String,
}

/// The result of a game of a match.
#[derive(Clone)]
pub struct GameResult {
    /// The game with all its events.
    pub game: Game,
    /// The forfeit, if there was one.
    pub forfeit: Option<Forfeit>,
    /// For each side, the player (0 or 1).
    players: Vec<usize>,
    /// The number of decisions of each player, and the time they took.
    effort: [(u64, Duration); 2],
}

impl GameResult {
    /// The result of game `number` of a match, without the players' times.
    pub fn of(number: u64, game: Game, forfeit: Option<Forfeit>) -> GameResult {
        let players = seats(&game, number).map(|(_, player)| player).collect();
        GameResult { game, forfeit, players, effort: Default::default() }
    }

    /// The result under the rules; `None` if the game was cut or forfeited.
    pub fn over(&self) -> Option<&Over> {
        self.game.state().over()
    }

    /// The player (0 or 1) who forfeited the game.
    pub fn forfeited_by(&self) -> Option<usize> {
        self.forfeit.as_ref().map(|forfeit| self.players[forfeit.side.index()])
    }
}

/// The seed of the dice of game `number` of a match: the two games with swapped sides share it.
pub fn dice_seed(number: u64, seed: u64) -> u64 {
    mix(seed ^ mix(number / 2))
}

/// Plays game `number` of a match between the players that `sit_down` returns. `seed` determines the dice; `begin` returns
/// a game whose dice have the seed it receives.
///
/// The two players alternate sides after each game, and the two games with swapped sides have the same dice. After `most`
/// events the game is cut.
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

/// The sums of the games of a match, from the first player's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MatchScore {
    /// Games won by the first.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by the second.
    pub losses: u64,
    /// Games that were cut: they have no result and no points.
    pub cut: u64,
    /// The number of games whose value the rules set.
    pub awarded: u64,
    /// Half points of the first player in all finished games, minus those of the second: as set by the rules, otherwise two
    /// for a win.
    halves: i64,
    /// Games forfeited by the first and by the second; they count among the other's wins.
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

    /// The first's points minus the second's, in the script's units; `None` if the rules never set the value of a game.
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

/// The difference between the winner's and the loser's half points in a decided game, unless the rules set it.
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
