//! What a value holds of the board as it was when it was asked for.

use super::super::name_table::Place;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Whose something is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Mover,
    Another,
}

/// Where something was asked that the moves of a turn change.
#[derive(Clone)]
pub(super) struct Source {
    /// The function that was asked.
    pub(super) asked: String,
    pub(super) at: Place,
    /// Whether the function that makes the permits asks it.
    pub(super) inside: bool,
    /// Whether it is all of the mover's pieces: how many there are is another question than where.
    pub(super) whole: bool,
    /// Whether all it does is to say from where the mover's pieces may move.
    pub(super) only_from: bool,
    /// Whether it is a set in a permit, and no answer that a condition has had.
    pub(super) is_set: bool,
}

/// What the moves of a turn do to a set, number or truth.
#[derive(Clone, Default)]
pub(super) enum Board {
    /// Nothing.
    #[default]
    Fixed,
    /// They change it.
    Moving(Source),
    /// That is not known.
    Unknown,
}

impl Board {
    /// A value that is made of two.
    pub(super) fn or(self, other: Board) -> Board {
        match (self, other) {
            (Board::Moving(source), _) | (_, Board::Moving(source)) => Board::Moving(source),
            (Board::Unknown, _) | (_, Board::Unknown) => Board::Unknown,
            _ => Board::Fixed,
        }
    }

    /// A value that is less than it might be if one of the two is not known.
    pub(super) fn bounded_by(self, other: Board) -> Board {
        match (self, other) {
            (Board::Unknown, _) | (_, Board::Unknown) => Board::Unknown,
            (a, b) => a.or(b).part(),
        }
    }

    /// A part of it.
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

/// A function as a value, with what it has captured.
#[derive(Clone)]
pub(super) struct Closure {
    pub(super) name: String,
    pub(super) captured: Vec<Held>,
}

/// What is known of a value.
#[derive(Clone, Default)]
pub(super) struct Held {
    pub(super) board: Board,
    /// The set that it holds, if it is a permit.
    pub(super) permit: Option<Source>,
    pub(super) is_permit: bool,
    pub(super) side: Option<Whose>,
    pub(super) function: Option<Rc<Closure>>,
    /// The entries of a map that is written down.
    pub(super) entries: Option<Rc<BTreeMap<String, Held>>>,
    /// A text or truth that is written down.
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

    /// One of two values, as the course of the script decides, or something made of both.
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

    /// Without what only a single value can be.
    pub(super) fn item(self) -> Held {
        Held { side: None, entries: None, text: None, truth: None, ..self }
    }
}
