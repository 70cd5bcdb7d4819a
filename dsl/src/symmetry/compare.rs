//! Finds differences between two games that should be equal with colors swapped.

use super::Flip;
use crate::game_text;
use crate::notation::coord;
use astragal_core::{MoveWithDice, Position, State};

impl Flip<'_> {
    /// A description of the difference if `other` is not `state` with colors swapped; `None` if it is.
    pub fn difference(&self, state: &State, other: &State) -> Option<String> {
        let variant = self.variant;
        let text = |position: &Position| game_text::plain_position(variant, position);
        let mut expected = self.position(state.position());
        // Rounds count the first side's turns, no matter which side began.
        expected.set_number(other.position().number());
        if text(&expected) != text(other.position()) || expected.hash() != other.position().hash() {
            return Some(format!("the position is {} instead of {}", text(other.position()), text(&expected)));
        }
        if state.status() != other.status() || self.side(state.chooser()) != other.chooser() {
            let waits = game_text::waits;
            return Some(format!("the game is waiting for {} instead of {}", waits(other), waits(state)));
        }
        let sorted = |mut moves: Vec<MoveWithDice>| {
            moves.sort();
            moves
        };
        let mine = sorted(state.moves().iter().map(|paid| self.paid(*paid)).collect());
        let theirs = sorted(other.moves().to_vec());
        if let Some(paid) = mine.iter().find(|paid| theirs.binary_search(paid).is_err()) {
            let mv = coord::write(variant, other.position(), paid.mv);
            return Some(format!("the move {mv} is not legal"));
        }
        if let Some(paid) = theirs.iter().find(|paid| mine.binary_search(paid).is_err()) {
            let mv = coord::write(variant, other.position(), paid.mv);
            return Some(format!("the move {mv} is legal only with the sides swapped"));
        }
        self.other_difference(state, other)
    }

    fn other_difference(&self, state: &State, other: &State) -> Option<String> {
        if state.can_pass() != other.can_pass() {
            return Some("only one of the players can pass".into());
        }
        let missing = state.choices().iter().map(|c| self.choice(c)).find(|c| !other.choices().contains(c));
        if let Some(choice) = missing {
            return Some(format!("{} cannot be chosen", game_text::choice_text(self.variant, &choice)));
        }
        if state.dice().map(|dice| dice.outcomes()) != other.dice().map(|dice| dice.outcomes()) {
            return Some("the dice are different".into());
        }
        let winner = |state: &State| state.over().map(|over| (over.winner, over.reason.clone()));
        let expected = winner(state).map(|(side, reason)| (side.map(|side| self.side(side)), reason));
        if expected != winner(other) {
            let told = |state: &State| game_text::result(state).unwrap_or_else(|| "the game continues".into());
            return Some(format!("{} instead of {}", told(other), told(state)));
        }
        None
    }
}
