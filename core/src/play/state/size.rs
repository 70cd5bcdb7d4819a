//! Estimates the memory that a state takes, so that containers of states can limit bytes instead of counts.
//!
//! An upper estimate. Memory shared by copies of a state is divided among the current owners. Rules and boards belong to
//! the variant and do not count.

use super::{Choice, Frame, Note, State};
use crate::position::moves::Move;
use crate::rules::plan::{Memo, MoveWithDice};
use crate::rules::value::Value;
use std::sync::{Arc, Mutex, PoisonError};

impl State {
    /// The approximate memory of the state.
    pub(crate) fn bytes(&self) -> usize {
        let texts = |choice: &Choice| match choice {
            Choice::Text(text) => text.capacity(),
            Choice::Square(_) => 0,
        };
        let asked = &self.asked;
        let offered = asked.moves.capacity() * size_of::<MoveWithDice>()
            + asked.room() * size_of::<Move>()
            + asked.choices.capacity() * size_of::<Choice>()
            + asked.choices.iter().map(texts).sum::<usize>();
        let named = self.course.label.as_ref().map_or(0, String::capacity)
            + self.course.over.as_ref().map_or(0, |over| over.reason.capacity());
        size_of::<State>()
            + self.position.heap_bytes()
            + self.begun.as_ref().map_or(0, |begun| size_of_val(&**begun) + begun.heap_bytes())
            + self.history.heap_bytes()
            + self.frames.capacity() * size_of::<Frame>()
            + self.frames.iter().map(of_frame).sum::<usize>()
            + offered
            + named
            + self.pending_roll.as_ref().map_or(0, super::pending_roll::PendingRoll::heap_bytes)
            + self.notes.capacity() * size_of::<Note>()
            + self.spare.capacity() * size_of::<Value>()
            + self.spare_memo.as_ref().map_or(0, of_memo)
    }
}

fn of_frame(frame: &Frame) -> usize {
    let own = frame.tree.own().map_or(0, |tree| tree.grown_bytes() / (Arc::strong_count(&tree) - 1).max(1));
    let memos = frame.paused.iter().map(|(_, memo)| memo).chain(&frame.memo);
    own + frame.env.capacity() * size_of::<Value>()
        + frame.env.iter().map(of_value).sum::<usize>()
        + memos.map(of_memo).sum::<usize>()
}

fn of_value(value: &Value) -> usize {
    match value {
        Value::Faces(faces) => size_of_val(&faces[..]),
        Value::Dice(faces) | Value::Piece(_, _, faces) => size_of_val(&faces[..]),
        Value::Watched(watched) => size_of_val(&**watched) + of_value(watched.value()),
        Value::Move(..) | Value::Named(..) | Value::Square(_) | Value::Set(_) => 0,
        Value::Side(_) | Value::Number(_) | Value::None => 0,
    }
}

fn of_memo(memo: &Arc<Mutex<Memo>>) -> usize {
    memo.lock().unwrap_or_else(PoisonError::into_inner).bytes() / Arc::strong_count(memo)
}
