//! Strings in a notation: movement, positions, dice and lists of squares.

use super::army::army;
use super::cells::cells;
use super::current;
use crate::document::CallAround;
use crate::markdown::{block, code, counted, enumeration, escaped, paragraphs, sentence};
use crate::script::Script;
use crate::{board, diagram};
use astragal_core::board::{Board, Cells, Region};
use astragal_core::variant::Spec;
use astragal_core::{Atom, Dice, Kind, KindDef, Position, Ratio, Side, SquareSet, Variant};
use astragal_dsl::notation::{NotationError, betza, describe, dice, fen};
use astragal_dsl::squares_from_text;
use std::collections::BTreeMap;

/// The maximum number of rows in a table of totals.
const MOST_ROWS: usize = 24;
/// The width of the longest bar, in characters.
const BAR: f64 = 20.0;
/// The maximum number of totals that are calculated.
const MOST_TOTALS: usize = 40_000;

/// An error in a notation, with its place in the string.
fn error(error: &NotationError) -> String {
    let usual = if error.help.is_none() { error.usual() } else { None };
    let advice = usual.map_or(String::new(), |usual| format!("{}.", sentence(usual)));
    paragraphs([block("text", &error.render()), advice])
}

/// Movement in a call: the drawing, the description, and the part at an offset.
pub(super) fn betza(script: &Script, token: usize, text: &str, at: usize) -> Option<String> {
    let call = script.document().call_of(token)?;
    match betza::parse_on(cells(script), text) {
        Err(wrong) => Some(error(&wrong)),
        Ok(_) => {
            let mover = Mover::of_call(script, &call);
            let head = format!("**{}**: movement", escaped(text));
            Some(paragraphs([head, movement(script, &mover, text)?, part(script, &mover, text, at)]))
        }
    }
}

/// The properties of a piece that affect the drawing and the description of its movement.
pub(super) struct Mover {
    letter: String,
    home: Option<String>,
}

impl Mover {
    pub(super) fn of_call(script: &Script, call: &CallAround) -> Mover {
        let document = script.document();
        let arguments = document.arguments(call.open);
        let written = |at: usize| {
            let argument = arguments.get(at).filter(|argument| argument.len() == 1)?;
            document.is_text(argument.start).then(|| document.text()[document.inside(argument.start)].to_owned())
        };
        // The letter is the second argument for a new piece; other calls name a piece that is declared elsewhere.
        let is_new = call.name == "piece" && arguments.get(1).is_some_and(|second| !document.is(second.start, "#{"));
        let known = written(0).filter(|_| !is_new).and_then(|name| {
            let calls = [("piece", Some(name.as_str()))];
            let variant = &current::loaded(script, &calls)?.set.variant;
            Some(variant.kind(variant.kind_named(&name)?))
        });
        let home = (call.open..document.partner(call.open).unwrap_or(call.open))
            .find(|&token| document.is_key(token) && document.is(token, "home") && document.is_text(token + 2))
            .map(|token| document.text()[document.inside(token + 2)].to_owned());
        let letter = if is_new { written(1) } else { known.map(|kind| kind.letter.clone()) };
        Mover {
            letter: letter.filter(|letter| !letter.is_empty()).unwrap_or_else(|| "@".into()),
            home: home.or_else(|| known.and_then(|kind| kind.home.clone())),
        }
    }

    /// The description of movement of this piece, in phrases.
    fn words(&self, cells: Cells, atoms: Vec<Atom>) -> Vec<String> {
        words(cells, KindDef { atoms, home: self.home.clone(), ..KindDef::new("piece", "P") })
    }
}

/// The drawing and the description of movement; `None` if it cannot be parsed.
pub(super) fn movement(script: &Script, mover: &Mover, text: &str) -> Option<String> {
    let cells = cells(script);
    let atoms = betza::parse_on(cells, text).ok()?;
    let loaded = current::loaded(script, &[("board", None)]);
    // On drawn lines, directions differ from point to point.
    let is_drawn = !loaded.is_some_and(|loaded| loaded.set.variant.board().has_drawn_lines());
    let picture = if is_drawn { diagram::movement(cells, &mover.letter, &atoms, None) } else { String::new() };
    let list: Vec<String> = mover.words(cells, atoms).iter().map(|phrase| format!("- {}", sentence(phrase))).collect();
    Some(paragraphs([block("text", &picture), list.join("\n")]))
}

/// Movement in words. Of the board, only the shape of the cells matters.
fn words(cells: Cells, kind: KindDef) -> Vec<String> {
    let Ok(mut board) = Board::new(8, 8, 1) else { return Vec::new() };
    board.set_cells(cells);
    let mut spec = Spec::new("", board);
    // A variant must declare the regions that its pieces use.
    if let Some(name) = &kind.home {
        spec.board.add_region(Region { name: name.clone(), squares: Default::default() });
    }
    spec.kinds.push(kind);
    match Variant::new(spec) {
        Ok(variant) => variant.kinds().first().map_or(Vec::new(), |kind| describe::movement(&variant, kind)),
        Err(_) => Vec::new(),
    }
}

/// The atom at an offset: its description, and the meaning of each of its lowercase letters.
fn part(script: &Script, mover: &Mover, text: &str, at: usize) -> String {
    let cells = cells(script);
    let Some(atom) = atoms(text).into_iter().find(|range| range.start <= at && at <= range.end) else {
        return String::new();
    };
    let Some(atom) = text.get(atom) else { return String::new() };
    let known = betza::letters(cells);
    let mut seen: Vec<char> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for letter in atom.chars().filter(|c| c.is_ascii_lowercase()) {
        let about = known.iter().find(|one| one.letter == letter).filter(|_| !seen.contains(&letter));
        lines.extend(about.map(|one| format!("- {}: {}", code(&letter.to_string()), one.about)));
        seen.push(letter);
    }
    let parsed = betza::parse_on(cells, atom).ok();
    let words = parsed.map(|atoms| mover.words(cells, atoms)).unwrap_or_default();
    let head = format!("At the cursor, {}: {}", code(atom), words.join("; "));
    match (lines.is_empty(), atom.len() == text.len()) {
        (true, true) => String::new(),
        (_, true) => paragraphs(["Letters:".to_owned(), lines.join("\n")]),
        (_, false) => paragraphs([head, lines.join("\n")]),
    }
}

/// The byte range of each atom of a movement: lowercase letters, a capital or a leap in parentheses, and a number.
fn atoms(text: &str) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'(' => at = text[at..].find(')').map_or(text.len(), |close| at + close + 1),
            b'A'..=b'Z' => at += usize::from(bytes.get(at) == Some(&byte)),
            _ => continue,
        }
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        found.push(start..at);
        start = at;
    }
    found
}

/// A position: the board and the pieces of each side.
pub(super) fn fen(script: &Script, text: &str) -> Option<String> {
    let variant = &script.loaded()?.set.variant;
    let placed = match fen::parse(variant, text) {
        Ok(placed) => placed,
        Err(wrong) => {
            // An older version may have other pieces or another board.
            let calls = [("board", None), ("sides", None), ("piece", None), ("hands", None), ("counter", None)];
            let more = [("marks", None), ("piece_trait", None), ("castling", None)];
            current::loaded(script, &[&calls[..], &more[..]].concat())?;
            return Some(error(&wrong));
        }
    };
    let position = &placed.position;
    let sides = &variant.spec().sides;
    let mut armies: Vec<String> = Vec::new();
    for (side, def) in (0..).map(Side).zip(sides) {
        armies.push(format!("- {}: {}", def.name, army(variant, position, side)));
        let held = in_hand(variant, position, side);
        if !held.is_empty() {
            armies.push(format!("- {}, in hand: {}", def.name, held.join(", ")));
        }
    }
    let mover = sides.get(position.side().index()).map_or("", |side| side.name.as_str());
    let head = format!("**Position**: {mover} to move");
    Some(paragraphs([head, block("text", &board::position(variant, position)), armies.join("\n")]))
}

/// The pieces that a side holds: `pawn 2`.
fn in_hand(variant: &Variant, position: &Position, side: Side) -> Vec<String> {
    let kinds = (0..).map(Kind).zip(variant.kinds()).filter(|_| variant.spec().hands);
    let counts = kinds.map(|(kind, def)| (position.in_hand(variant, side, kind), &def.name));
    counts.filter(|(count, _)| *count > 0).map(|(count, name)| format!("{name} {count}")).collect()
}

/// Dice: the number of outcomes, and the chance of each total.
pub(super) fn dice(script: &Script, text: &str) -> Option<String> {
    let dice = match dice::parse(text) {
        Ok(dice) => dice,
        Err(wrong) => return Some(error(&wrong)),
    };
    let count = match dice.dice.len() {
        1 => "1 die".to_owned(),
        count => format!("{count} dice"),
    };
    let outcomes = match (dice.is_countable(), dice.outcomes()) {
        (true, 1) => "1 outcome".into(),
        (true, outcomes) => format!("{} outcomes", thousands(outcomes)),
        (false, _) => "too many outcomes to count".into(),
    };
    let head = format!("**{}**: {count}, {outcomes}", dice.text);
    let names = current::loaded(script, &[("die_faces", None), ("look", None), ("piece", None)])
        .filter(|_| dice.dice.len() == 1)
        .map(|loaded| loaded.named_faces())
        .unwrap_or_default();
    Some(paragraphs([head, block("text", &totals(&dice, &names).unwrap_or_default())]))
}

/// The chance of each total as a table; for many totals, the range and the most likely ones. `None` if the ways to roll
/// them cannot be counted exactly.
fn totals(dice: &Dice, names: &[(i16, String)]) -> Option<String> {
    let (ways, all) = distribution(dice)?;
    let chance = |ways: u128| Ratio::new(ways, all);
    let (least, most) = (*ways.first_key_value()?.0, *ways.last_key_value()?.0);
    let best = *ways.values().max()?;
    let likeliest: Vec<String> =
        ways.iter().filter(|(_, ways)| **ways == best).map(|(total, _)| total.to_string()).collect();
    let what = if dice.dice.len() == 1 { "face" } else { "total" };
    let rate = format!("{} ({})", chance(best), percent(chance(best)));
    let summary = match likeliest.as_slice() {
        all if all.len() == ways.len() => format!("Each {what} from {least} to {most}: {rate}\n"),
        [one] => format!("Totals {least} to {most}, most often {one}: {rate}\n"),
        _ => format!("Totals {least} to {most}, most often {}: {rate} each\n", enumeration(&likeliest)),
    };
    // Bars of equal length show nothing.
    let is_even = likeliest.len() == ways.len() && names.is_empty();
    if ways.len() > MOST_ROWS || is_even {
        return Some(summary);
    }
    let name =
        |total: i64| names.iter().find(|(face, _)| i64::from(*face) == total).map_or("", |(_, name)| name.as_str());
    let rows: Vec<[String; 4]> = ways
        .iter()
        .map(|(&total, &ways)| {
            let bar = (ways as f64 / best as f64 * BAR).round().max(1.0) as usize;
            [format!("{total} {}", name(total)), chance(ways).to_string(), percent(chance(ways)), "█".repeat(bar)]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second, third) = (width(0), width(1), width(2));
    let line = |[total, chance, percent, bar]: &[String; 4]| {
        let total = if names.is_empty() {
            format!("{:>first$}", total.trim_end(), first = first - 1)
        } else {
            format!("{total:<first$}")
        };
        format!("{total}  {chance:>second$}  {percent:>third$}  {bar}\n")
    };
    Some(rows.iter().map(line).collect())
}

/// A number with a comma between groups of three digits.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The number of ways to roll each total, and their sum. `None` if there are too many.
fn distribution(dice: &Dice) -> Option<(BTreeMap<i64, u128>, u128)> {
    let mut ways: BTreeMap<i64, u128> = BTreeMap::from([(0, 1)]);
    let mut all: u128 = 1;
    for die in &dice.dice {
        let mut next: BTreeMap<i64, u128> = BTreeMap::new();
        if ways.len().saturating_mul(die.faces().len()) > MOST_TOTALS {
            return None;
        }
        for (total, count) in &ways {
            for (face, weight) in die.faces().iter().zip(die.weights()) {
                let entry = next.entry(total + i64::from(*face)).or_default();
                *entry = entry.checked_add(count.checked_mul(u128::from(*weight))?)?;
            }
        }
        all = all.checked_mul(u128::from(die.total()))?;
        ways = next;
    }
    Some((ways, all))
}

fn percent(chance: Ratio) -> String {
    let percent = chance.to_f64() * 100.0;
    match percent {
        percent if percent > 0.0 && percent < 0.01 => "<0.01%".into(),
        percent if percent < 1.0 => format!("{percent:.2}%"),
        percent => format!("{percent:.1}%"),
    }
}

/// Squares drawn on the board, or the reason why the string is not a list of squares.
pub(super) fn squares(script: &Script, text: &str) -> Option<String> {
    let loaded = script.loaded()?;
    let board = loaded.set.variant.board();
    match squares_from_text(board, text) {
        Ok(squares) if squares.is_empty() => None,
        Ok(squares) => Some(drawn(board, squares)),
        Err(message) => {
            current::loaded(script, &[("board", None)])?;
            Some(format!("{}.", sentence(message.trim_end_matches('.'))))
        }
    }
}

fn drawn(board: &Board, squares: SquareSet) -> String {
    let count = counted(squares.len(), "square");
    paragraphs([count, block("text", &marked(board, squares))])
}

/// A board with `#` on some squares.
pub(super) fn marked(board: &Board, squares: SquareSet) -> String {
    board::draw(board, |square| if squares.contains(square) { "#".into() } else { ".".into() })
}

/// Squares as a key: the blocks in `look(#{ places: .. })`.
pub(super) fn squares_of_key(script: &Script, token: usize) -> Option<String> {
    let document = script.document();
    let call = document.call_of(token).filter(|call| call.name == "look")?;
    let is_block = matches!(call.parts.first(), Some(crate::document::Part::Value(key)) if key == "places");
    let text = document.text().get(document.inside(token)).filter(|_| is_block)?;
    squares(script, text)
}

/// A string of unknown use: dice, or a list of squares without diagonals. Tracks read lists of squares in another way,
/// so their lists are left out.
pub(super) fn guessed(script: &Script, token: usize, text: &str) -> Option<String> {
    let is_dice = text.contains('d') && text.starts_with(|c: char| c.is_ascii_digit() || c == 'd');
    if is_dice && dice::parse(text).is_ok() {
        return dice(script, text);
    }
    let document = script.document();
    let is_track =
        document.call_of(token).is_some_and(|call| matches!(call.name.as_str(), "track" | "lines" | "board"));
    let board = script.loaded()?.set.variant.board();
    let is_list = text.contains([' ', '-']) && !is_track;
    let place = |name: &str| board.parse(name).map(|square| (board.file(square), board.rank(square)));
    let is_row = |word: &str| match word.split_once('-') {
        None => place(word).is_some(),
        Some((from, to)) => place(from).zip(place(to)).is_some_and(|(a, b)| a.0 == b.0 || a.1 == b.1),
    };
    let all = is_list && text.split([' ', ',']).filter(|word| !word.is_empty()).all(is_row);
    squares_from_text(board, text)
        .ok()
        .filter(|squares| all && !squares.is_empty())
        .map(|squares| drawn(board, squares))
}
