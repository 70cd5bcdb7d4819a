//! A digest of seeded games. It is the same on every machine, in every version and through every interface; any difference
//! is a bug.
//!
//! Dice use the game's seed; decisions use a separate random stream. The digest covers all faces and all positions as
//! texts. It uses 64-bit FNV-1a (Fowler, Noll, Vo), which is simple to implement in any language.

use crate::gametest::property::random_event;
use astragal_core::{Game, GameError, Status, Stream};
use astragal_dsl::{Loaded, turn_state_text};
use std::sync::Arc;

/// A game stops after this many events.
const LONGEST: usize = 400;

struct Digest(u64);

impl Digest {
    const START: Digest = Digest(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, text: &str) {
        for &byte in text.as_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Plays games with the seeds from 0 on, with at most 400 events each. Returns the number of games, the number of their
/// events, and the digest in 16 hexadecimal digits.
///
/// # Errors
/// If a rule of the script fails.
pub fn of_games(loaded: &Loaded, games: u64) -> Result<String, GameError> {
    let (mut digest, mut events) = (Digest::START, 0);
    for seed in 0..games {
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed)?;
        let mut decisions = Stream::new(seed, u64::MAX);
        for _ in 0..LONGEST {
            if game.status() == Status::Chance {
                digest.add(&format!("{:?}", game.roll()?));
            } else {
                let Some(event) = random_event(game.state(), &mut decisions) else { break };
                game.apply(&event)?;
            }
            digest.add(&turn_state_text::position(loaded, &game));
        }
        events += game.entries().len();
    }
    Ok(format!("{games} {events} {:016x}", digest.0))
}
