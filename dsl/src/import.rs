//! Records of other programs: the variants they name, and the differences in their notation.
//!
//! The names are data, in `variants/other-names.txt`; this module knows no game.

use crate::game_text::{self, AnswerError};
use crate::library;
use crate::notation::pgn;
use astragal_core::{MoveWithDice, Side, State, Variant};
use astragal_variants::OTHER_NAMES;

/// Tags that only our own records have.
const OWN: [&str; 2] = ["Seed", "Options"];
const OWN_COMMANDS: [&str; 3] = ["roll", "choose", "die"];

/// The variant that a record was written for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The variant, by name or path.
    pub variant: String,
    /// The options to play it with.
    pub options: Vec<(String, String)>,
    /// Piece letters of the other program, each with ours.
    letters: Vec<(char, char)>,
}

/// The variant that a record was written for: its own `Variant` tag, or the game that another program names. `None` if
/// neither identifies the game.
pub(crate) fn origin(record: &pgn::PgnGame) -> Option<Origin> {
    let variant = record.tag("Variant");
    if let Some(name) = variant.filter(|name| library::is_name(name)) {
        // A record by another program may use that program's letters for a game of the same name.
        let ours = OWN.iter().any(|tag| record.tag(tag).is_some());
        let same = rows().find(|row| row.tag == "Variant" && row.value.eq_ignore_ascii_case(name) && !ours);
        let letters = same.map(|row| row.origin.letters).unwrap_or_default();
        return Some(Origin { variant: name.into(), letters, ..Origin::default() });
    }
    let told = |row: &Row| record.tag(row.tag).is_some_and(|value| value.trim().eq_ignore_ascii_case(row.value));
    if let Some(row) = rows().find(told) {
        return Some(row.origin);
    }
    if let Some(name) = variant {
        return Some(Origin { variant: name.into(), ..Origin::default() });
    }
    let own = |entry: &pgn::SpannedItem| match &entry.item {
        pgn::Item::Command { name, .. } => OWN_COMMANDS.contains(&name.as_str()),
        _ => false,
    };
    let ours = OWN.iter().any(|tag| record.tag(tag).is_some()) || record.items.iter().any(own);
    rows().find(|row| row.tag == "*" && !ours).map(|row| row.origin)
}

/// A line of the list.
struct Row {
    tag: &'static str,
    value: &'static str,
    origin: Origin,
}

fn rows() -> impl Iterator<Item = Row> {
    OTHER_NAMES.lines().filter(|line| !line.trim_start().starts_with('#')).filter_map(row)
}

fn row(line: &'static str) -> Option<Row> {
    let (name, meaning) = line.split_once(" = ")?;
    let (tag, value) = name.split_once(':').unwrap_or((name, ""));
    let (played, letters) = meaning.split_once(", letters").unwrap_or((meaning, ""));
    let mut words = played.split_whitespace();
    let variant = words.next()?.into();
    let options = words.filter_map(|word| word.split_once('=')).map(|(name, value)| (name.into(), value.into()));
    let letters = letters.split_whitespace().filter_map(|pair| {
        let (theirs, ours) = pair.split_once('>')?;
        Some((theirs.chars().next()?, ours.chars().next()?))
    });
    let origin = Origin { variant, options: options.collect(), letters: letters.collect() };
    Some(Row { tag: tag.trim(), value: value.trim(), origin })
}

impl Origin {
    /// A position in our notation.
    pub(crate) fn position(&self, variant: &Variant, text: &str) -> String {
        if self.letters.is_empty() {
            return text.into();
        }
        let mut fields: Vec<String> = text.split_whitespace().map(String::from).collect();
        if let Some(squares) = fields.first_mut() {
            *squares = squares.chars().map(|c| self.letter(c)).collect();
        }
        let known = |letter: &str| variant.spec().sides.iter().any(|side| letter == side.letter.to_string());
        if let Some(side) = fields.get_mut(1).filter(|letter| !known(letter)) {
            // The first side may be given by the first letter of its name.
            let first = &variant.spec().sides[Side::FIRST.index()];
            if first.name.to_lowercase().starts_with(&side.to_lowercase()) {
                *side = first.letter.to_string();
            }
        }
        fields.join(" ")
    }

    /// Our letter for one of theirs.
    fn letter(&self, theirs: char) -> char {
        let pair = self.letters.iter().find(|(letter, _)| letter.eq_ignore_ascii_case(&theirs));
        match pair {
            Some((_, ours)) if theirs.is_lowercase() => ours.to_ascii_lowercase(),
            Some((_, ours)) => *ours,
            None => theirs,
        }
    }

    /// The permitted move that a text of the record stands for.
    ///
    /// # Errors
    /// As [`game_text::find_move`], on the text as it stands.
    pub(crate) fn find(&self, state: &State, text: &str, die: Option<&[i16]>) -> Result<MoveWithDice, AnswerError> {
        let error = match game_text::find_move(state, text, die) {
            Err(error @ (AnswerError::Die { .. } | AnswerError::Price { .. } | AnswerError::Two { .. })) => {
                return Err(error);
            }
            Err(error) => error,
            found => return found,
        };
        // The dice before a move stay unchanged.
        let (named, text) = game_text::die_prefix(text);
        let die = named.as_deref().or(die);
        let renamed: String = match text.chars().next() {
            Some(first) => self.letter(first).to_string() + &text[first.len_utf8()..],
            None => return Err(error),
        };
        let other = [renamed.as_str()].into_iter().filter(|other| *other != text).map(String::from);
        other.chain(plain_coordinates(text)).find_map(|text| game_text::find_move(state, &text, die).ok()).ok_or(error)
    }
}

/// `H2-E2`, `e2-e4`, `Ng1xf3` as `h2e2`, `e2e4`, `g1f3`: the long forms of coordinates.
fn plain_coordinates(text: &str) -> Option<String> {
    let body = text.trim_end_matches(['+', '#']);
    let (from, to) = body.split_once(['-', 'x', ':']).or_else(|| body.split_at_checked(2))?;
    let square = |text: &str| {
        let mut letters = text.chars();
        letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.as_str().parse::<u8>().is_ok()
    };
    let from = if square(from) { from } else { from.get(1..).filter(|rest| square(rest))? };
    to.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| format!("{from}{to}").to_lowercase())
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
