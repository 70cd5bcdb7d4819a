//! Learning: games of the computer against itself train a network that evaluates positions.
//!
//! A [`Trainer`] plays rounds of games with the same weights on any number of threads, and then learns from them in order.
//! So its weights depend on the seed and the number of games, not on threads. [`mod@file`] writes and reads the result.
//!
//! The trainer is a part of the lab, since it needs the digest and the symmetry of a script; the arithmetic is in
//! [`astragal_computer::learned`], where the search uses it. Knows neither terminals nor clocks.

pub mod curve;
pub mod file;
mod symmetry;

pub use self::symmetry::{counterparts, features};

use self::file::{FileError, Header, Precision};
use astragal_computer::learned::{
    Activity, Habits, LearnedPlayer, LearnedValues, Lesson, Lookahead, Network, Shape, lessons, levels_of_random_games,
};
use astragal_computer::{MatchScore, Player, PlayerError, play_game};
use astragal_core::dice::mix;
use astragal_core::rule::RuleError;
use astragal_core::{Game, State, Stream};
use astragal_dsl::Loaded;
use astragal_dsl::view::can_hide;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// The random games that show the results of a variant.
const GAMES: u64 = 100;
/// The maximum number of events of such a game.
const EVENTS: u32 = 4_000;
/// The mean of the weights is taken over the last part of the rounds: one over this number.
const MEAN_PART: f32 = 8.0;
/// The stack of a thread that plays.
const STACK: usize = 64 << 20;

/// Why a game cannot be learned.
#[derive(Clone, Debug, Error)]
pub enum LearnError {
    /// A player has to decide without knowing everything.
    #[error("this game hides information from its players, so a position alone does not show what a player may know")]
    Secret,
    /// The settings do not make sense.
    #[error("{0}")]
    Setting(String),
    /// The file to continue from cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// A rule failed.
    #[error(transparent)]
    Rule(#[from] RuleError),
}

/// How to learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Setting {
    /// Hidden units of the network.
    pub hidden: u32,
    /// How far results reach back in a game, from 0 to 1.
    pub lambda: f32,
    /// The size of the first steps.
    pub rate: f32,
    /// The number of games after which steps become shorter: after three times as many they are half as long.
    pub decay: u64,
    /// The chance of a random decision.
    pub explore: f32,
    /// The maximum number of random decisions that a game begins with: as many as that, fewer, or none.
    pub opening: u32,
    /// The seed of all games and of the first weights.
    pub seed: u64,
    /// The maximum number of turns of a game; longer games count as drawn.
    pub turns: u32,
    /// The maximum number of states that a decision examines.
    pub states: u32,
    /// The threads that play.
    pub threads: usize,
}

impl Default for Setting {
    fn default() -> Setting {
        Setting {
            hidden: 80,
            lambda: 0.7,
            rate: 2.0,
            decay: 1_000,
            explore: 0.02,
            opening: 0,
            seed: 1,
            turns: 1_000,
            states: 400,
            threads: 1,
        }
    }
}

/// Learns one variant. See the [module](self).
pub struct Trainer {
    start: Mutex<State>,
    setting: Setting,
    /// The newest weights, which play.
    newest: Arc<LearnedValues>,
    /// The mean of the last weights, which is kept: its errors are smaller, as those of single steps cancel.
    mean: Arc<LearnedValues>,
    games: u64,
    /// The rounds played.
    rounds: u64,
    /// The lessons learned.
    lessons: u64,
    /// The mean squared error of the last lessons.
    error: f32,
}

impl Trainer {
    /// A trainer for games that begin with `start`.
    ///
    /// # Errors
    /// If the game hides information, or a rule fails in random games.
    pub fn new(loaded: &Loaded, start: State, setting: Setting) -> Result<Trainer, LearnError> {
        check(loaded, &setting)?;
        let variant = &loaded.set.variant;
        let levels = result_levels(&start, setting.seed)?;
        let features = features(loaded);
        let outputs = LearnedValues::outputs_for(levels.len(), variant.sides());
        let shape = Shape { inputs: features.len(), hidden: setting.hidden, outputs };
        let network = Network::new(shape, setting.seed);
        let values = LearnedValues::new(features, network, levels, variant.sides());
        let values = values.ok_or_else(|| LearnError::Setting("the network does not fit the game".into()))?;
        let values = Arc::new(values);
        Ok(Trainer::of(start, setting, values))
    }

    /// A trainer that continues from a file. The size of the network is that of the file.
    ///
    /// # Errors
    /// If the file is damaged or for other rules, or the game hides information.
    pub fn resume(loaded: &Loaded, start: State, setting: Setting, bytes: &[u8]) -> Result<Trainer, LearnError> {
        check(loaded, &setting)?;
        let (header, values) = file::read(bytes, loaded)?;
        let setting = Setting { hidden: values.network().shape().hidden, ..setting };
        let trainer = Trainer::of(start, setting, Arc::new(values));
        // The mean continues from the weights in the file: they count as those of the rounds so far.
        let rounds = rounds_of(header.games);
        Ok(Trainer { games: header.games, lessons: header.lessons, rounds, ..trainer })
    }

    fn of(start: State, setting: Setting, newest: Arc<LearnedValues>) -> Trainer {
        let (start, mean) = (Mutex::new(start), Arc::clone(&newest));
        Trainer { start, setting, newest, mean, games: 0, rounds: 0, lessons: 0, error: 0.0 }
    }

    /// The games learned from so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The positions learned from so far.
    pub fn lessons(&self) -> u64 {
        self.lessons
    }

    /// The mean squared difference between the outputs and the targets of the last round.
    pub fn error(&self) -> f32 {
        self.error
    }

    /// The evaluation so far.
    pub fn values(&self) -> &Arc<LearnedValues> {
        &self.mean
    }

    /// The file of what has been learned so far.
    pub fn write(&self, loaded: &Loaded, precision: Precision) -> Vec<u8> {
        file::write(&self.mean, loaded, Header { games: self.games, lessons: self.lessons }, precision)
    }

    /// The number of games in the next round: few at first, since weights change most then.
    pub fn next_round(&self) -> u64 {
        round_after(self.games)
    }

    /// Plays a round of games, at most `most`, and learns from them. False if `stop` returned true before the end; then
    /// nothing has been learned.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn round(&mut self, most: u64, stop: &(dyn Fn() -> bool + Sync)) -> Result<bool, RuleError> {
        let count = self.next_round().min(most.max(1));
        let Some(played) = self.play(count, stop)? else { return Ok(false) };
        let rate = self.setting.rate / (1.0 + self.games as f32 / self.setting.decay.max(1) as f32).sqrt();
        let network = Arc::make_mut(&mut self.newest).network_mut();
        let (mut activity, mut error, mut lessons) = (Activity::default(), 0.0, 0);
        let mut played: Vec<Lesson> = played.into_iter().flatten().collect();
        shuffle(&mut played, &mut Stream::new(mix(!self.setting.seed), self.rounds));
        for Lesson { features, targets } in &played {
            error += network.learn(features, targets, rate, &mut activity);
            lessons += 1;
        }
        self.error = error / (lessons.max(1) as f32);
        self.rounds += 1;
        let part = (MEAN_PART / self.rounds as f32).min(1.0);
        Arc::make_mut(&mut self.mean).network_mut().approach(self.newest.network(), part);
        self.games += count;
        self.lessons += lessons;
        Ok(true)
    }

    /// The lessons of the next `count` games, in order.
    fn play(&self, count: u64, stop: &(dyn Fn() -> bool + Sync)) -> Result<Option<Vec<Vec<Lesson>>>, RuleError> {
        let Setting { lambda, explore, opening, turns, states, seed, threads, .. } = self.setting;
        let habits = Habits { lambda, explore, opening, turns, events: turns.saturating_mul(16) };
        let done: Vec<Mutex<Option<Vec<Lesson>>>> = (0..count).map(|_| Mutex::default()).collect();
        let next = std::sync::atomic::AtomicU64::new(0);
        let work = || -> Result<(), RuleError> {
            let start = self.start.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let mut lookahead = Lookahead::new(states);
            loop {
                let game = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if game >= count || stop() {
                    return Ok(());
                }
                let mut random = Stream::new(mix(seed), self.games + game);
                let played = lessons(&self.newest, &mut lookahead, start.clone(), &mut random, &habits)?;
                *done[game as usize].lock().unwrap_or_else(PoisonError::into_inner) = Some(played);
            }
        };
        if threads <= 1 {
            work()?;
        } else {
            std::thread::scope(|scope| -> Result<(), RuleError> {
                let begin = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
                let begun: Vec<_> = (0..threads).map_while(|_| begin().ok()).collect();
                if begun.is_empty() {
                    return work();
                }
                begun.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(RuleError::stopped())))
            })?;
        }
        let taken = done.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ok(taken.collect())
    }

    /// A match of the evaluation so far against another player, which `other` creates for each game with a seed. `begin` returns a
    /// game whose dice have the seed it receives. The match ends early if `stop` returns true.
    ///
    /// # Errors
    /// If a rule fails, a game cannot begin, or the other player cannot sit down.
    pub fn against(
        &self,
        other: &dyn Fn(u64) -> Result<Box<dyn Player>, PlayerError>,
        begin: &dyn Fn(u64) -> Result<Game, PlayerError>,
        games: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<MatchScore, PlayerError> {
        let mut score = MatchScore::default();
        for number in (0..games).take_while(|_| !stop()) {
            let most = self.setting.turns as usize * 4;
            let result = play_game(begin, (number, self.setting.seed), most, |seat| -> Result<Box<dyn Player>, _> {
                match seat.player {
                    0 => Ok::<_, PlayerError>(Box::new(LearnedPlayer::new(Arc::clone(&self.mean), "learned".into()))),
                    _ => other(seat.dice_seed ^ number),
                }
            })?;
            score.count(&result);
        }
        Ok(score)
    }
}

/// The most games of a round.
const MOST_IN_A_ROUND: u64 = 32;

/// The number of games in the round after this many games.
fn round_after(games: u64) -> u64 {
    (games / 32).clamp(4, MOST_IN_A_ROUND)
}

/// The rounds in which this many games are played.
fn rounds_of(games: u64) -> u64 {
    let (mut played, mut rounds) = (0, 0);
    while played < games && round_after(played) < MOST_IN_A_ROUND {
        played += round_after(played);
        rounds += 1;
    }
    rounds + games.saturating_sub(played).div_ceil(MOST_IN_A_ROUND)
}

/// Puts lessons in a random order. Those of one game in a row would pull the weights toward that game.
fn shuffle(lessons: &mut [Lesson], random: &mut Stream) {
    for last in (1..lessons.len()).rev() {
        lessons.swap(last, random.below(last as u64 + 1) as usize);
    }
}

/// The levels of results in half points that a new network for games from `start` distinguishes.
///
/// # Errors
/// If a rule fails in random games.
pub fn result_levels(start: &State, seed: u64) -> Result<Vec<i32>, RuleError> {
    levels_of_random_games(start, GAMES, EVENTS, seed)
}

fn check(loaded: &Loaded, setting: &Setting) -> Result<(), LearnError> {
    if can_hide(loaded) {
        return Err(LearnError::Secret);
    }
    let wrong = |why: &str| Err(LearnError::Setting(why.into()));
    match setting {
        Setting { hidden: 0 | 4097.., .. } => wrong("expected 1 to 4096 hidden units"),
        Setting { lambda, .. } if !(0.0..=1.0).contains(lambda) => wrong("expected a lambda from 0 to 1"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{round_after, rounds_of};

    #[test]
    fn the_rounds_of_a_training_are_counted_also_for_absurd_numbers_of_games() {
        let (mut games, mut rounds) = (0, 0);
        while games < 5_000 {
            assert_eq!(rounds_of(games), rounds, "{games} games");
            games += round_after(games);
            rounds += 1;
        }
        assert!(rounds_of(u64::MAX) > u64::MAX / 33);
    }
}
