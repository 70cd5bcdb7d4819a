//! Checks trait values that are unique within a side, such as the dice totals that move a piece. Reports a value that two
//! pieces share, while a value that the other side uses is missing.

use super::name_table::{LineColumn, NameTable};
use super::populated::set_up;
use super::report::Report;
use crate::diagnostic::Code;
use crate::game_text;
use crate::host::tokens::tokens;
use astragal_core::{Position, Side, Square, Variant};

/// Minimum number of pieces for a conclusion.
const LEAST: usize = 5;

/// Warns about a value that two pieces share, where all values of the other side are different.
pub(super) fn twice(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    for (index, def) in variant.spec().traits.iter().enumerate() {
        let of = |side: Side| -> Vec<(i16, Square)> {
            let mut all: Vec<(i16, Square)> =
                start.of(side).into_iter().map(|square| (start.trait_at(variant, index, square), square)).collect();
            all.sort_unstable_by_key(|(value, _)| *value);
            all
        };
        let sides: Vec<Vec<(i16, Square)>> = (0..variant.sides()).map(|side| of(Side(side as u8))).collect();
        let Some(whole) = sides.iter().find(|all| all.len() >= LEAST && doubles(all).is_empty()) else { continue };
        for (side, own) in sides.iter().enumerate() {
            let [twice] = doubles(own)[..] else { continue };
            let lacks = |value: &i16| own.iter().all(|(known, _)| known != value);
            let strange = own.iter().any(|(value, _)| whole.iter().all(|(known, _)| known != value));
            let missing: Vec<&(i16, Square)> = whole.iter().filter(|(value, _)| lacks(value)).collect();
            let ([(missing, theirs)], false, true) = (&missing[..], strange, own.len() == whole.len()) else {
                continue;
            };
            let board = variant.board();
            let both: Vec<Square> =
                own.iter().filter(|(value, _)| *value == twice).map(|(_, square)| *square).collect();
            let wrong = both.iter().find(|square| board.file(**square) == board.file(*theirs));
            let name = |square: Square| board.name(square);
            let written = wrong.and_then(|square| written_at(&report.text, &format!("{}:{twice}", name(*square))));
            let Some(at) = written.or_else(|| set_up(table)) else { continue };
            let side = game_text::side_name(variant, Side(side as u8));
            let squares = both.iter().map(|square| name(*square)).collect::<Vec<_>>().join(" and ");
            let message =
                format!("two pieces of {side} have the {} {twice}, on {squares}, but none has {missing}", def.name);
            let theirs = name(*theirs);
            let help = match wrong {
                Some(square) => {
                    format!("give the piece on {} the value {missing}, like the piece on {theirs}", name(*square))
                }
                None => format!("give one of them the value {missing}, like the piece on {theirs}"),
            };
            report.warning(Code::Declaration, at, message, Some(help));
        }
    }
}

/// The duplicates in a sorted list. A value that occurs n times is listed n - 1 times.
fn doubles(all: &[(i16, Square)]) -> Vec<i16> {
    all.windows(2).filter(|two| two[0].0 == two[1].0).map(|two| two[0].0).collect()
}

/// The place of a text in the script, if it occurs exactly once.
fn written_at(text: &str, words: &str) -> Option<LineColumn> {
    let places: Vec<usize> = text.match_indices(words).map(|(at, _)| at).collect();
    let whole = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(|c| c.is_ascii_digit())
    };
    let [at] = places.into_iter().filter(whole).collect::<Vec<_>>()[..] else { return None };
    let token = tokens(text).into_iter().find(|token| token.span.contains(&at))?;
    Some((token.at.0, token.at.1 + text[token.span.start..at].chars().count()))
}
