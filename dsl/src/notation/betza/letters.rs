//! The letters of Betza notation and their meaning, for the parser and for editors.
//!
//! The parser accepts exactly the lowercase letters in these lists. Capitals are not listed: the parser determines
//! which of them are valid, and their meaning is a description of the parsed movement.

/// The role of a letter in a movement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A capital: the type of step.
    Step,
    /// A direction, before the capital.
    Direction,
    /// A condition or a way of moving, before the capital.
    Mode,
    /// The letter between two legs.
    Joint,
}

/// A letter of the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// The letter.
    pub letter: char,
    /// Its role.
    pub role: Role,
    /// Its meaning, as a phrase.
    pub about: String,
}

/// The letters for directions.
pub(super) const DIRECTIONS: [(char, &str); 7] = [
    ('f', "forward"),
    ('b', "backward"),
    ('l', "to the left"),
    ('r', "to the right"),
    ('v', "forward or backward"),
    ('s', "sideways"),
    (
        'h',
        "after a direction, all steps in that half, as in fhN; before l or r, the steps that turn that way, as in hrN",
    ),
];

/// The letters for conditions and ways of moving.
pub(super) const MODES: [(char, &str); 13] = [
    ('m', "moves without capturing"),
    ('c', "captures, and cannot move otherwise"),
    ('d', "captures pieces of its own side"),
    ('e', "captures en passant"),
    ('i', "only from its home squares"),
    ('n', "lame: pieces on the way block it"),
    ('j', "must jump over a piece, before D or A"),
    ('p', "jumps over exactly one piece"),
    ('g', "lands just beyond the piece that it jumps over"),
    ('o', "wraps around the left and right edges"),
    ('q', "turns the same way after each step, in a circle"),
    ('y', "before an a: the next leg slides"),
    ('z', "turns left and right after each step, in a zigzag"),
];

/// The letter that joins legs.
pub(super) const JOINT: (char, &str) = ('a', "joins two legs of a move, as in cabK");

/// Whether a list has a letter.
pub(super) fn is_in(list: &[(char, &str)], letter: char) -> bool {
    list.iter().any(|(known, _)| *known == letter)
}

/// The letters of a list, separated by spaces.
pub(super) fn spaced(list: &[(char, &str)]) -> String {
    list.iter().map(|(letter, _)| letter.to_string()).collect::<Vec<_>>().join(" ")
}
