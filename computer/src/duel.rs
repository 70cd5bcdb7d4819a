//! Games between players, and what their results add up to.

use crate::player::{self, Player, PlayerError};
use astragal_core::{Over, Position, Ruleset, Side, State, Status, Stream};
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

/// How a game between players went.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How it ended; nothing if it was cut.
    pub over: Option<Over>,
    /// The events, rolls included.
    pub events: usize,
    /// The decisions that each side made and the time that it took for them.
    pub effort: [(u32, Duration); 4],
}

/// Plays one game. Dice come from `seed`, as in a game at the prompt; after `most` events it is cut.
///
/// # Errors
/// If a rule fails or a player refuses.
///
/// # Panics
/// If there are fewer seats than sides.
pub fn play(
    set: &Arc<Ruleset>,
    start: &Position,
    seed: u64,
    most: usize,
    seats: &mut [&mut dyn Player],
) -> Result<Ended, PlayerError> {
    let mut state = State::new(Arc::clone(set), start.clone())?;
    let mut ended = Ended { over: None, events: 0, effort: Default::default() };
    while state.status() != Status::Over && ended.events < most {
        if state.status() == Status::Chance {
            let mut random = Stream::new(seed, ended.events as u64);
            let index = player::draw(&state, &mut random);
            state.roll(index)?;
        } else {
            let side = state.chooser().index();
            let begun = Instant::now();
            let event = seats[side].decide(&state)?;
            let effort = &mut ended.effort[side];
            *effort = (effort.0 + 1, effort.1 + begun.elapsed());
            crate::search::apply(&mut state, &event)?;
        }
        state.take_notes();
        ended.events += 1;
    }
    ended.over = state.over().cloned();
    Ok(ended)
}

/// What games of a first player against a second one add up to, from the first one's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Duel {
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

impl Duel {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses + self.cut
    }

    /// Counts a game; `first` tells which sides the first player had.
    pub fn count(&mut self, ended: &Ended, sides: usize, first: impl Fn(Side) -> bool) {
        self.events += ended.events as u64;
        for side in 0..sides {
            let (decisions, time) = ended.effort[side];
            let effort = &mut self.effort[usize::from(!first(Side(side as u8)))];
            *effort = (effort.0 + u64::from(decisions), effort.1 + time);
        }
        let Some(over) = &ended.over else { return self.cut += 1 };
        match over.winner {
            None => self.draws += 1,
            Some(side) if first(side) => self.wins += 1,
            Some(_) => self.losses += 1,
        }
        if let Some(points) = over.points {
            let best = |own: bool| (0..sides).filter(|&i| first(Side(i as u8)) == own).map(|i| points[i]).max();
            self.points += f64::from(best(true).unwrap_or(0)) - f64::from(best(false).unwrap_or(0));
        }
    }

    /// Puts the results of other games to these.
    pub fn add(&mut self, other: &Duel) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.cut += other.cut;
        self.points += other.points;
        self.events += other.events;
        for (mine, more) in self.effort.iter_mut().zip(other.effort) {
            *mine = (mine.0 + more.0, mine.1 + more.1);
        }
    }
}

/// Whether the first player has `side` in game number `game`: sides alternate between the players, and
/// they change places after each game.
pub fn is_first(side: Side, game: u64) -> bool {
    (u64::from(side.0) + game).is_multiple_of(2)
}

/// The seed of the dice of game number `game`: two games with changed places have the same dice.
pub fn dice_seed(seed: u64, game: u64) -> u64 {
    astragal_core::dice::mix(seed ^ astragal_core::dice::mix(game / 2))
}
