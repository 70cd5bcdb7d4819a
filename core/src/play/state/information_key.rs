//! The information state of one side as a single number: states that look the same to a side have the same number.
//!
//! Knows which values are hidden from which side; knows nothing of how they are displayed or what a side may infer.

use super::{Choice, Note, State, Status};
use crate::board::side::Side;
use crate::dice::mix;
use crate::position::Position;
use crate::rules::plan::MoveWithDice;

/// Mixes a number into a key.
fn with(key: u64, number: u64) -> u64 {
    mix(key.rotate_left(23) ^ number)
}

/// Mixes a text into a key.
fn with_text(key: u64, text: &str) -> u64 {
    text.bytes().fold(with(key, text.len() as u64), |key, byte| with(key, byte.into()))
}

impl State {
    /// A hash that two states within one run of the program share (almost certainly) only if they look the same to
    /// `viewer`. It covers the position without the fields hidden from the viewer, the status and the side concerned, and
    /// the result of the game. It also covers the notes that have not been [taken](State::take_notes), and the viewer's own
    /// options, if it is to decide.
    pub fn information_key(&self, viewer: Side) -> u64 {
        let asked = [self.status as u64, self.chooser().0.into(), self.mover.0.into()];
        let known = [self.between, self.answers.moved, self.answers.chose].into_iter().map(u64::from);
        let secret = self.secret().map_or(0, |side| 1 + u64::from(side.0));
        let mut key = asked.into_iter().chain(known).fold(secret, with);
        key = self.position.information_key(&self.set.variant, viewer, key);
        key = with_text(key, self.label().unwrap_or_default());
        if let Some(over) = self.over() {
            key = with(key, 1 + over.winner.map_or(0, |side| 1 + u64::from(side.0)));
            key = with_text(key, &over.reason);
        }
        // The faces may come from a secret pool, so only its name counts.
        key = self.dice().map_or(key, |dice| with_text(with(key, dice.dice.len() as u64), &dice.text));
        key = self.notes.iter().fold(key, |key, note| match note {
            Note::Failed(made) => with(key, moved(made.mv)),
            Note::Made(made) => with(key, 1 << 40 | moved(made.mv)),
            Note::Ended(turn) => with(key, u64::from(turn.side.0) << 1 | u64::from(note.is_lost())),
        });
        if self.decides() && self.chooser() == viewer { self.options_in_sight(key) } else { key }
    }

    /// The possible answers.
    fn options_in_sight(&self, key: u64) -> u64 {
        let paid = |key, paid: &MoveWithDice| with(with(key, moved(paid.mv)), paid.dice.into());
        let key = self.moves().iter().fold(with(key, self.can_pass().into()), paid);
        self.choices().iter().fold(key, |key, choice| match choice {
            Choice::Text(text) => with_text(key, text),
            Choice::Square(square) => with(key, 1 << 32 | u64::from(square.0)),
        })
    }

    /// Whether the pending decision will be known to its side only, so that another side may decide at the same time.
    pub fn decides_in_secret(&self) -> bool {
        self.status == Status::Choice && self.secret.is_some()
    }
}

/// A move as a number.
fn moved(mv: crate::position::moves::Move) -> u64 {
    u64::from(mv.from.0) << 24 | u64::from(mv.to.0) << 16 | u64::from(mv.extra) << 8 | mv.tag as u64
}

impl Position {
    /// Mixes into a key the part of the position that `viewer` sees.
    fn information_key(&self, variant: &crate::variant::Variant, viewer: Side, key: u64) -> u64 {
        let seen = self.seen_by(variant, viewer);
        let key = with(with(key, seen.hash()), u64::from(seen.clock()) << 16 | u64::from(seen.number()));
        (0..variant.spec().traits.len()).filter(|&index| variant.spec().traits[index].counted).fold(
            key,
            |key, index| {
                (0..variant.sides() as u8).fold(key, |key, side| {
                    self.trait_counts(variant, index, Side(side)).iter().fold(key, |key, &(value, count)| {
                        with(with(with(key, side.into()), value as u64), count.into())
                    })
                })
            },
        )
    }
}
