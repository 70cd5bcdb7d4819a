//! Players by name: `random`, `greedy`, `computer:3`; and durations in the usual notation.

use astragal_computer::learned::{LearnedPlayer, LearnedValues};
use astragal_computer::{Computer, Evaluation, Greedy, LEVELS, Limits, Player, Random};
use astragal_dsl::notation::nearest;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The default level of a computer.
pub const USUAL_LEVEL: u8 = 3;

/// The longest time for a decision.
const MOST_TIME: f64 = 24.0 * 3600.0;

/// An invalid name of a player or an invalid duration.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpponentError {
    /// There is no such player.
    #[error("expected a player such as random, greedy or computer:{USUAL_LEVEL}, found '{found}'{}", meant(.nearest))]
    Player {
        /// The input.
        found: String,
        /// A similar valid name.
        nearest: Option<&'static str>,
    },
    /// The computer has no such level.
    #[error("expected a level from {} to {}, found '{found}'", LEVELS.start(), LEVELS.end())]
    Level {
        /// The input.
        found: String,
    },
    /// A learned player is not available.
    #[error("{found}: {why}")]
    Learned {
        /// The input.
        found: String,
        /// The reason.
        why: String,
    },
    /// It is not a time, not positive, or longer than a day.
    #[error("expected a time such as 2s or 300ms, found '{found}'")]
    Time {
        /// The input.
        found: String,
    },
}

fn meant(nearest: &Option<&'static str>) -> String {
    nearest.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default()
}

/// The name of the learned player that comes with a variant, and the beginning of the names of all others.
pub const LEARNED: &str = "learned";

/// Returns the learned evaluation in a file, or without a file, the one that comes with the variant.
pub type OpenFile<'a> = &'a dyn Fn(Option<&str>) -> Result<Arc<LearnedValues>, String>;

/// What follows the name of a learned player: a file, the turns that it looks ahead, or both.
fn learned(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(LEARNED)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(':') }
}

/// The maximum number of turns that a learned player looks ahead.
pub const MOST_AHEAD: u32 = 9;

/// A player that has learned from games against itself.
#[derive(Clone)]
pub struct Learned {
    /// Its name.
    text: String,
    /// The turns that it looks ahead: 1 for the end of its own turn.
    turns: u32,
    values: Arc<LearnedValues>,
}

impl Learned {
    /// A computer that searches with the learned values.
    pub fn computer(&self, evaluation: &Evaluation, seed: u64, time: Option<Duration>) -> Computer {
        let evaluation = evaluation.clone().with_learned(Arc::clone(&self.values));
        let computer = Computer::new(Arc::new(evaluation), USUAL_LEVEL, seed).looking_ahead(self.turns);
        match time {
            Some(time) => computer.with_limits(Limits { time: Some(time), ..Limits::default() }),
            None => computer,
        }
    }

    /// Its learned evaluation.
    pub fn values(&self) -> &Arc<LearnedValues> {
        &self.values
    }
}

impl PartialEq for Learned {
    fn eq(&self, other: &Learned) -> bool {
        self.text == other.text && Arc::ptr_eq(&self.values, &other.values)
    }
}

impl Eq for Learned {}

impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Learned").field(&self.text).finish()
    }
}

/// A player that can be selected by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// Decides at random.
    Random,
    /// Captures the most valuable piece it can.
    Greedy,
    /// Searches ahead, at this level.
    Computer(u8),
    /// Has learned from games against itself.
    Learned(Learned),
}

impl Opponent {
    /// The player named by `text`: `random`, `greedy`, `computer`, `computer:5` or `5`.
    ///
    /// # Errors
    /// If there is no such player or level.
    pub fn parse(text: &str) -> Result<Opponent, OpponentError> {
        let (name, level) = match text.split_once(':') {
            Some((name, level)) => (name, Some(level)),
            None if text.starts_with(|c: char| c.is_ascii_digit()) => ("computer", Some(text)),
            None => (text, None),
        };
        match (name.to_ascii_lowercase().as_str(), level) {
            ("random", None) => Ok(Opponent::Random),
            ("greedy", None) => Ok(Opponent::Greedy),
            ("computer", None) => Ok(Opponent::Computer(USUAL_LEVEL)),
            ("computer", Some(level)) => parse_level(level).map(Opponent::Computer),
            (other, _) => {
                let nearest = nearest(other, ["random", "greedy", "computer", LEARNED]);
                Err(OpponentError::Player { found: text.into(), nearest })
            }
        }
    }

    /// The same, and `learned:FILE` or `learned:FILE:2`, where `open` returns the learned evaluation in the file. `learned`
    /// and `learned:2` name the player that comes with the variant: then `open` gets no file.
    ///
    /// # Errors
    /// If there is no such player or level, or `open` fails.
    pub fn parse_with(text: &str, open: OpenFile<'_>) -> Result<Opponent, OpponentError> {
        let Some(rest) = learned(text) else { return Opponent::parse(text) };
        let wrong = |why: String| OpponentError::Learned { found: text.into(), why };
        let depth = |depth: &str| depth.parse().ok().filter(|turns| (1..=MOST_AHEAD).contains(turns));
        let (file, turns) = rest.rsplit_once(':').unwrap_or(("", rest));
        let (file, turns) = match turns.bytes().all(|byte| byte.is_ascii_digit()) {
            true if turns.is_empty() => (rest, 1),
            true => (file, depth(turns).ok_or_else(|| wrong(format!("expected 1 to {MOST_AHEAD} turns ahead")))?),
            false => (rest, 1),
        };
        let values = open(Some(file).filter(|file| !file.is_empty())).map_err(wrong)?;
        Ok(Opponent::Learned(Learned { text: text.into(), turns, values }))
    }

    /// Whether a name is that of a learned player.
    pub fn is_learned(text: &str) -> bool {
        learned(text).is_some()
    }

    /// Creates the player; a computer with `time` is limited by it instead of its level's nodes. Calls `evaluation` only
    /// for players that use it.
    ///
    /// # Errors
    /// The error of `evaluation`.
    pub fn sit_down<E>(
        &self,
        evaluation: impl FnOnce() -> Result<Arc<Evaluation>, E>,
        seed: u64,
        time: Option<Duration>,
    ) -> Result<Box<dyn Player>, E> {
        Ok(match self {
            Opponent::Random => Box::new(Random::new(seed)),
            Opponent::Greedy => Box::new(Greedy::new(evaluation()?, seed)),
            Opponent::Computer(level) => {
                let computer = Computer::new(evaluation()?, *level, seed).optimistic();
                Box::new(match time {
                    Some(time) => computer.with_limits(Limits { time: Some(time), ..Limits::default() }),
                    None => computer,
                })
            }
            Opponent::Learned(Learned { text, turns: 1, values }) => {
                Box::new(LearnedPlayer::new(Arc::clone(values), text.clone()))
            }
            Opponent::Learned(learned) => Box::new(learned.computer(&*evaluation()?, seed, time)),
        })
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Random => f.write_str("random"),
            Opponent::Greedy => f.write_str("greedy"),
            Opponent::Computer(level) => write!(f, "computer:{level}"),
            Opponent::Learned(learned) => f.write_str(&learned.text),
        }
    }
}

/// A level of the computer.
///
/// # Errors
/// If there is no such level.
pub fn parse_level(text: &str) -> Result<u8, OpponentError> {
    let level = text.parse().ok().filter(|level| LEVELS.contains(level));
    level.ok_or_else(|| OpponentError::Level { found: text.into() })
}

/// A time such as `2s`, `1.5s`, `300ms` or `1m`; a bare number means seconds.
///
/// # Errors
/// If it is not a time, not positive, or longer than a day.
pub fn parse_time(text: &str) -> Result<Duration, OpponentError> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        _ => f64::NAN,
    };
    let seconds = number.trim().parse::<f64>().unwrap_or(f64::NAN) * scale;
    if !(seconds > 0.0 && seconds <= MOST_TIME) {
        return Err(OpponentError::Time { found: text.into() });
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_by_name() {
        assert_eq!(Opponent::parse("random"), Ok(Opponent::Random));
        assert_eq!(Opponent::parse("Greedy"), Ok(Opponent::Greedy));
        assert_eq!(Opponent::parse("computer"), Ok(Opponent::Computer(USUAL_LEVEL)));
        assert_eq!(Opponent::parse("computer:8"), Ok(Opponent::Computer(8)));
        assert_eq!(Opponent::parse("5"), Ok(Opponent::Computer(5)));
        assert!(Opponent::parse("gredy").unwrap_err().to_string().contains("'greedy'"));
        for wrong in ["computer:0", "computer:9", "computer:x", "9", "random:1", "", "\u{e9}"] {
            assert!(Opponent::parse(wrong).is_err(), "{wrong}");
        }
        for name in ["random", "greedy", "computer:4"] {
            assert_eq!(Opponent::parse(name).unwrap().to_string(), name);
        }
    }

    /// Only the part that a file would be is passed on.
    #[test]
    fn names_of_learned_players_say_their_file_and_how_far_they_look() {
        for (name, file) in [
            ("learned", Some(None)),
            ("learned:2", Some(None)),
            ("learned:x.learned", Some(Some("x.learned"))),
            ("learned:a:b:3", Some(Some("a:b"))),
            ("learned:0", None),
            ("learned:12", None),
        ] {
            let asked = std::cell::RefCell::new(None);
            let open = |file: Option<&str>| {
                *asked.borrow_mut() = Some(file.map(str::to_owned));
                Err("no file".into())
            };
            assert!(Opponent::parse_with(name, &open).is_err() && Opponent::is_learned(name));
            assert_eq!(asked.borrow().as_ref().map(|file| file.as_deref()), file, "{name}");
        }
        assert!(!Opponent::is_learned("learnedly") && !Opponent::is_learned("lerned:2"));
    }

    #[test]
    fn times() {
        assert_eq!(parse_time("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_time("300ms"), Ok(Duration::from_millis(300)));
        assert_eq!(parse_time("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time("2 m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "s", "0s", "-1s", "2h", "1e9", "nan", "inf"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
