//! The greedy player: makes the most valuable capture and does not look further ahead.

use crate::evaluation::Evaluation;
use crate::events::legal_events;
use crate::player::{Player, PlayerError, Random};
use astragal_core::{Event, Move, Piece, Position, State, Tag};
use std::sync::Arc;

/// Captures the most valuable piece possible, or tries to; otherwise decides at random.
pub struct Greedy {
    evaluation: Arc<Evaluation>,
    chance: Random,
}

impl Greedy {
    /// A player with the piece values of `evaluation`; `seed` decides between equal events.
    pub fn new(evaluation: Arc<Evaluation>, seed: u64) -> Greedy {
        Greedy { evaluation, chance: Random::new(seed) }
    }

    /// The value of the enemy's piece that an event would capture.
    fn capture_value(&self, state: &State, event: &Event) -> f64 {
        let Event::Move(paid) = event else { return 0.0 };
        let piece = victim(state.position(), paid.mv);
        let enemy = !piece.is_none() && !self.evaluation.ruleset().variant.allied(piece.side(), state.chooser());
        if enemy { self.evaluation.piece_value(piece.kind()) } else { 0.0 }
    }
}

/// The piece that a move captures, or none.
fn victim(position: &Position, mv: Move) -> Piece {
    match mv.tag {
        Tag::Plain => position.at(mv.to),
        Tag::EnPassant => {
            let right = position.en_passant().iter().find(|right| right.target == mv.to);
            right.map_or(Piece::NONE, |right| position.at(right.victim))
        }
        Tag::Heap => position.captured_by(mv).0,
        _ => Piece::NONE,
    }
}

impl Player for Greedy {
    fn name(&self) -> String {
        "greedy".into()
    }

    fn decide(&mut self, state: &State) -> Result<Event, PlayerError> {
        let all = legal_events(state);
        let best = all.iter().map(|event| self.capture_value(state, event)).fold(0.0, f64::max);
        let is_best = |event: &Event| best <= 0.0 || self.capture_value(state, event) >= best;
        let kept = all.into_iter().filter(is_best).collect();
        self.chance.pick(kept)
    }
}
