//! Tracks which board state a value depends on, as of the time it was read.

use super::super::name_table::LineColumn;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The owner of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Mover,
    Another,
}

/// The place where the script reads a value that the moves of a turn change.
#[derive(Clone)]
pub(super) struct Source {
    /// The function that was called.
    pub(super) asked: String,
    pub(super) at: LineColumn,
    /// Whether the function that makes the permits reads it.
    pub(super) inside: bool,
    /// Whether it covers all of the mover's pieces: their number does not depend on where they are.
    pub(super) whole: bool,
    /// Whether its only use is to limit where the mover's pieces move from.
    pub(super) only_from: bool,
    /// Whether it is a set in a permit rather than the answer to a condition.
    pub(super) is_set: bool,
}

/// The effect of a turn's moves on a set, number or truth value.
#[derive(Clone, Default)]
pub(super) enum Board {
    /// No effect.
    #[default]
    Fixed,
    /// They change it.
    Moving(Source),
    /// Unknown.
    Unknown,
}

impl Board {
    /// A value combined from two others.
    pub(super) fn or(self, other: Board) -> Board {
        match (self, other) {
            (Board::Moving(source), _) | (_, Board::Moving(source)) => Board::Moving(source),
            (Board::Unknown, _) | (_, Board::Unknown) => Board::Unknown,
            _ => Board::Fixed,
        }
    }

    /// A value that another one limits: if either is unknown, so is the result.
    pub(super) fn bounded_by(self, other: Board) -> Board {
        match (self, other) {
            (Board::Unknown, _) | (_, Board::Unknown) => Board::Unknown,
            (a, b) => a.or(b).part(),
        }
    }

    /// The same value, no longer covering all pieces.
    pub(super) fn part(mut self) -> Board {
        if let Board::Moving(source) = &mut self {
            source.whole = false;
        }
        self
    }

    pub(super) fn source(&self) -> Option<&Source> {
        if let Board::Moving(source) = self { Some(source) } else { None }
    }
}

/// A function as a value, with its captured values.
#[derive(Clone)]
pub(super) struct Closure {
    pub(super) name: String,
    pub(super) captured: Vec<Held>,
}

/// The known properties of a value.
#[derive(Clone, Default)]
pub(super) struct Held {
    pub(super) board: Board,
    /// The frozen set, if the value is a permit.
    pub(super) permit: Option<Source>,
    pub(super) is_permit: bool,
    pub(super) side: Option<Whose>,
    pub(super) function: Option<Rc<Closure>>,
    /// The entries of a map literal.
    pub(super) entries: Option<Rc<BTreeMap<String, Held>>>,
    /// The value of a string or truth literal.
    pub(super) text: Option<String>,
    pub(super) truth: Option<bool>,
}

impl Held {
    pub(super) fn unknown() -> Held {
        Held { board: Board::Unknown, ..Held::default() }
    }

    pub(super) fn of(board: Board) -> Held {
        Held { board, ..Held::default() }
    }

    /// One of two values, depending on the branch taken, or a value made of both.
    pub(super) fn or(self, other: Held) -> Held {
        Held {
            board: self.board.or(other.board),
            is_permit: self.is_permit || other.is_permit,
            permit: self.permit.or(other.permit),
            side: if self.side == other.side { self.side } else { None },
            function: self.function.or(other.function),
            entries: None,
            text: None,
            truth: None,
        }
    }

    /// Without the properties that apply only to a single value.
    pub(super) fn item(self) -> Held {
        Held { side: None, entries: None, text: None, truth: None, ..self }
    }
}
