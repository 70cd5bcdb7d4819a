//! Dice that no player can choose: commit and reveal.
//!
//! Each player draws a secret part and publishes its commitment, the SHA-256 of the part. When all commitments are known,
//! the parts are revealed, and together they determine the seed of the game. A player who knows only the others'
//! commitments cannot choose a part to get a certain seed. Afterward, anyone can verify a record. `docs/fair-dice.md`
//! specifies every byte, with test vectors. It is part of the record format and never changes.
//!
//! This module has no source of randomness and reads no files: callers supply the parts.

use astragal_core::{Event, Game, GameError, Status};
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The bytes of a part and of a commitment.
pub const BYTES: usize = 32;

/// A player's part of the seed: 32 bytes, written as 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part([u8; BYTES]);

/// A hash that binds a player to a part without revealing it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commitment([u8; BYTES]);

/// Why a text is not a part or commitment.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected 64 hexadecimal digits, found {found}")]
pub struct NotHex {
    found: String,
}

impl Part {
    /// A part of these bytes, which should be random.
    pub fn new(bytes: [u8; BYTES]) -> Part {
        Part(bytes)
    }

    /// Parses a part.
    ///
    /// # Errors
    /// If the text is not 64 hexadecimal digits, in lower or upper case.
    pub fn parse(text: &str) -> Result<Part, NotHex> {
        bytes(text).map(Part)
    }

    /// The SHA-256 of the part's text.
    ///
    /// ```
    /// use astragal_service::fair_dice::Part;
    /// // printf %s 0000000000000000000000000000000000000000000000000000000000000000 | sha256sum
    /// let commitment = Part::new([0; 32]).commitment().to_string();
    /// assert_eq!(commitment, "60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55");
    /// ```
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.to_string()).into())
    }
}

impl Commitment {
    /// Parses a commitment.
    ///
    /// # Errors
    /// As [`Part::parse`].
    pub fn parse(text: &str) -> Result<Commitment, NotHex> {
        bytes(text).map(Commitment)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(&self.0, f)
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(&self.0, f)
    }
}

/// The seed of a game from the parts of its players, in turn order: the first 53 bits of the SHA-256 of the parts' texts,
/// joined by line feeds. Every client can represent 53 bits exactly.
pub fn seed(parts: &[Part]) -> u64 {
    let texts: Vec<String> = parts.iter().map(Part::to_string).collect();
    let digest: [u8; BYTES] = Sha256::digest(texts.join("\n")).into();
    digest[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)) >> 11
}

/// A roll that differs from the one that the seed of its game produces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongRoll {
    /// The number of the event, from 0.
    pub event: usize,
    /// The roll in the record.
    pub found: Vec<i16>,
    /// The roll that the seed produces.
    pub expected: Vec<i16>,
}

/// Compares all rolls of a game with those of its seed. Returns the number of rolls, or the first that differs.
///
/// # Errors
/// If a rule fails, which it did not when the game was played.
pub fn verify(game: &Game) -> Result<Result<usize, WrongRoll>, GameError> {
    let set = Arc::clone(game.state().ruleset());
    let mut again = match game.start_dice() {
        [] => Game::new(set, game.start().clone(), game.seed())?,
        dice => Game::in_turn(set, game.start().clone(), dice, game.seed())?,
    };
    let mut rolls = 0;
    for (event, entry) in game.entries().iter().enumerate() {
        if let (Event::Roll(found), Status::Chance) = (&entry.event, again.status()) {
            let mut rolled = again.clone();
            let expected = rolled.roll()?;
            if expected != *found {
                return Ok(Err(WrongRoll { event, found: found.clone(), expected }));
            }
            (again, rolls) = (rolled, rolls + 1);
        } else {
            again.apply(&entry.event)?;
        }
    }
    Ok(Ok(rolls))
}

fn bytes(text: &str) -> Result<[u8; BYTES], NotHex> {
    let digits: Option<Vec<u8>> = text.trim().chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let read = digits.filter(|digits| digits.len() == 2 * BYTES);
    let read = read.map(|digits| std::array::from_fn(|i| digits[2 * i] << 4 | digits[2 * i + 1]));
    read.ok_or_else(|| NotHex { found: shown(text.trim()) })
}

/// A short description of an invalid text.
fn shown(text: &str) -> String {
    match text.chars().find(|c| !c.is_ascii_hexdigit()) {
        None => text.len().to_string(),
        Some(other) => format!("{other:?} among {} characters", text.chars().count()),
    }
}

fn hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant_cache::VariantCache;

    /// Computed with `printf %s PART | sha256sum` and `printf '%s\n%s' PART PART | sha256sum`.
    #[test]
    fn vectors_are_frozen() {
        let (a, b) = (Part::new([0; BYTES]), Part::new(std::array::from_fn(|i| i as u8)));
        let vectors = include_str!("../../docs/fair-dice.md");
        for (name, value) in [
            ("part of the first player", a.to_string()),
            ("commitment of the first player", a.commitment().to_string()),
            ("part of the second player", b.to_string()),
            ("commitment of the second player", b.commitment().to_string()),
            ("seed", seed(&[a, b]).to_string()),
            ("seed with the parts in the opposite order", seed(&[b, a]).to_string()),
        ] {
            assert!(vectors.contains(&format!("| {name} | `{value}` |")), "{name}: {value}");
        }
    }

    #[test]
    fn texts_are_read_back_and_others_refused() {
        let part = Part::new(std::array::from_fn(|i| (i * 7) as u8));
        assert_eq!(Part::parse(&format!(" {}\n", part.to_string().to_uppercase())), Ok(part));
        for bad in ["", "0", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64), &"é".repeat(64)] {
            assert!(Part::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_roll_that_was_changed_is_found() {
        let loaded = VariantCache::new().load("dice-chess", &[]).unwrap();
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 9).unwrap();
        let mut other = game.clone();
        for turn in 0..30 {
            while game.status() == Status::Chance {
                let faces = game.roll().unwrap();
                let turned: Vec<i16> = faces.iter().map(|face| face % 6 + 1).collect();
                other.set_roll(if turn == 29 { &turned } else { &faces }).unwrap();
                if turn == 29 {
                    let rolls = game.entries().iter().filter(|entry| matches!(entry.event, Event::Roll(_))).count();
                    assert_eq!(verify(&game).unwrap(), Ok(rolls));
                    let wrong = WrongRoll { event: other.entries().len() - 1, found: turned, expected: faces };
                    assert_eq!(verify(&other).unwrap(), Err(wrong));
                    return;
                }
            }
            let first = game.state().moves()[0];
            game.play(first).unwrap();
            other.play(first).unwrap();
        }
        panic!("the last roll is reached");
    }
}
