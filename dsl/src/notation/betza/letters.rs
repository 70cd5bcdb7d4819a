//! The letters of Betza notation and their meaning, for the parser and for editors.
//!
//! The parser accepts exactly the lowercase letters in these lists. Capitals are not listed: the parser determines
//! which of them are valid, and their meaning is a description of the parsed movement.

use super::parse_on;
use crate::notation::describe;
use astragal_core::board::Cells;

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

/// All letters that have a meaning on a board with these cells: capitals, then directions, modes and the joint.
///
/// ```
/// use astragal_core::board::Cells;
/// use astragal_dsl::notation::betza;
/// let letters = betza::letters(Cells::Square);
/// let rook = letters.iter().find(|one| one.letter == 'R').unwrap();
/// assert_eq!(rook.about, "any distance straight");
/// ```
pub fn letters(cells: Cells) -> Vec<Letter> {
    let step = |letter: char| {
        let atoms = parse_on(cells, &letter.to_string()).ok()?;
        let phrases: Vec<String> = atoms.iter().map(|atom| describe::way_on(cells, atom)).collect();
        Some(Letter { letter, role: Role::Step, about: phrases.join("; ") })
    };
    let small = |role: Role| {
        move |&(letter, about): &(char, &str)| {
            is_read(cells, letter).then(|| Letter { letter, role, about: about.to_string() })
        }
    };
    let mut all: Vec<Letter> = ('A'..='Z').filter_map(step).collect();
    all.extend(DIRECTIONS.iter().filter_map(small(Role::Direction)));
    all.extend(MODES.iter().filter_map(small(Role::Mode)));
    all.push(Letter { letter: JOINT.0, role: Role::Joint, about: JOINT.1.to_string() });
    all
}

/// Whether any movement with a lowercase letter can be parsed. Several letters are valid only with a few steps.
fn is_read(cells: Cells, letter: char) -> bool {
    let samples = ["W", "D", "B", "N0", "afsF", "rN"];
    samples.iter().any(|rest| parse_on(cells, &format!("{letter}{rest}")).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_parser_has_a_meaning_and_no_other_letter() {
        let squares = letters(Cells::Square);
        let of = |role: Role| squares.iter().filter(|one| one.role == role).map(|one| one.letter).collect::<String>();
        assert_eq!(of(Role::Step), "ABCDFGHKNQRWZ");
        assert_eq!(of(Role::Direction), "fblrvsh");
        assert_eq!(of(Role::Mode), "mcdeinjpgoqyz");
        assert!(squares.iter().all(|one| !one.about.is_empty()));
        let about = |letter: char| squares.iter().find(|one| one.letter == letter).unwrap().about.clone();
        assert_eq!((about('W'), about('N')), ("one square straight".into(), "knight's leaps".into()));
    }

    #[test]
    fn hexagons_have_fewer_letters() {
        let hexagons: String = letters(Cells::Hex).iter().map(|one| one.letter).collect();
        assert!(hexagons.starts_with("ABDFGHKNQRW"), "{hexagons}");
        assert!(!hexagons.contains(['h', 'q', 'z']), "{hexagons}");
    }
}
