//! All letters that have a meaning on a board, for editors: the parser decides which.

use super::letters::{DIRECTIONS, JOINT, Letter, MODES, Role};
use super::parse_on;
use crate::notation::describe;
use astragal_core::board::Cells;

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
