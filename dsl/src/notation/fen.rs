//! Positions as FEN, for any variant: placement with hands, side, castling, en passant, two clocks,
//! unused dice, and the counters and traits of the game as `name=value`.
//!
//! Details that the board cannot confirm are rejected. A castling right without its pieces, or an en passant square that no
//! piece passed, is a mistake of the author, and a guess would hide it.
//!
//! Letters are those of the kinds, in upper case for the first side and lower case for the second. Each further pair of
//! sides uses the same letters with one more `'` after them.

mod heaps;
pub(crate) mod last_moves;
mod letters;
mod reader;
mod writing;

pub use letters::letter;
pub use reader::Masked;
pub use writing::{placement, write, write_turn, write_view};

use super::NotationError;
use astragal_core::{EnPassant, Kind, Piece, Position, Side, Square, SquareSet, Variant};
use letters::side_letter;
use reader::Reader;
use std::ops::Range;

/// The field of the turn so far, which [`crate::turn_state_text`] writes and reads.
pub(crate) const TURN: &str = "turn";
/// Its value in texts that hide how far the current turn has come.
pub(crate) const UNTOLD: &str = "?";
/// The largest number in a hand or clock; larger numbers are mistakes.
const MAX_IN_HAND: i16 = 999;

/// The content of a position's text.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The position.
    pub position: Position,
    /// The unused dice of the current turn, as written.
    pub dice: Option<String>,
    /// The `name=value` fields as written; their values are in the position already.
    pub extra: Vec<(String, String)>,
    /// The hidden parts, if the text is one side's view. In the position they have their initial values.
    pub masked: Vec<Masked>,
}

/// The error for playing from a text that ends in `turn=?`.
const AMID: &str = "this position is in the middle of a turn, and 'turn=?' hides its progress: pass the \
     'resume' value from the answer to 'play' or 'apply' ('astragal serve'), or play the turn from its start";

impl Placed {
    /// Whether the text shows that a turn is in progress, but not how far.
    pub(crate) fn is_amid_turn(&self) -> bool {
        self.masked.iter().any(|masked| masked.name == TURN)
    }

    /// Checks that the text gives the whole position, so that rules can be asked about it.
    ///
    /// # Errors
    /// A sentence about the hidden part, and what to do about it.
    pub fn whole(&self, variant: &Variant) -> Result<(), String> {
        let Some(masked) = self.masked.first() else { return Ok(()) };
        if self.is_amid_turn() {
            return Err(AMID.into());
        }
        let owner = masked.owner.and_then(|side| variant.spec().sides.get(side.index()));
        let whose = owner.map(|side| format!(" of {}", side.name)).unwrap_or_default();
        Err(format!(
            "this position is one side's view: it hides '{}'{whose} ('?'), which the rules need; you can draw \
             it ('astragal board') or play from it ('astragal play', or 'open' with a \"seed\"); for the full \
             position, use 'view all', or 'serve' without \"view\"",
            masked.name
        ))
    }
}

/// Parses a position. Fields after the side are optional.
///
/// # Errors
/// A [`NotationError`] that points at the field, letter or square that does not fit.
pub fn parse(variant: &Variant, text: &str) -> Result<Placed, NotationError> {
    let mut reader = Reader { variant, text, position: Position::empty(variant), masked: Vec::new() };
    let fields = fields(text);
    let (named, fields): (Vec<_>, Vec<_>) = {
        let first = fields.iter().position(|f| text[f.clone()].contains('=')).unwrap_or(fields.len());
        (fields[first..].to_vec(), fields[..first].to_vec())
    };
    let field = |i: usize| fields.get(i).cloned();
    reader.placement(field(0).unwrap_or(0..0))?;
    reader.side(field(1).unwrap_or(text.len()..text.len()))?;
    let dice = field(6).filter(|span| &text[span.clone()] != "-");
    if let Some(span) = fields.iter().find(|span| text[(*span).clone()].starts_with('[')) {
        let help = "write pieces in hand directly after the board, without a space: '8/8[PPp] w'";
        return Err(reader.error(span.clone(), "no separate field for pieces in hand").help(help));
    }
    let given = |i: usize| field(i).filter(|span| &text[span.clone()] != "-");
    if let Some(span) = given(2) {
        reader.castling(span)?;
    }
    if let Some(span) = given(3) {
        reader.en_passant(span, field(6).is_some())?;
    }
    if let Some(span) = given(4) {
        let clock = reader.number(span, "the number of plies without progress")?;
        reader.position.set_clock(clock);
    }
    if let Some(span) = given(5) {
        let number = reader.number(span, "the round number")?;
        reader.position.set_number(number.max(1));
    }
    if let Some(span) = field(7) {
        return Err(reader.error(span, "the end of the position, or a field such as 'name=value'"));
    }
    let mut extra: Vec<(String, String)> = Vec::new();
    for span in named {
        extra.push(reader.named(span, &extra)?);
    }
    let dice = dice.map(|span| text[span].to_owned());
    if dice.as_ref().is_some_and(|dice| dice.contains('?')) {
        reader.masked.push(Masked { owner: Some(reader.position.side()), ..Masked::named("dice") });
    }
    Ok(Placed { position: reader.position, dice, extra, masked: reader.masked })
}

/// The places of the words of `text`.
fn fields(text: &str) -> Vec<Range<usize>> {
    let mut fields = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (true, Some(from)) => {
                fields.push(from..i);
                start = None;
            }
            (false, None) => start = Some(i),
            _ => {}
        }
    }
    fields
}

/// Parses a hidden value: `?`, or `?3` with the number of hidden items.
fn kept_back(value: &str) -> Option<Option<u16>> {
    match value.strip_prefix('?')? {
        "" => Some(None),
        count => count.parse().ok().map(Some),
    }
}

impl Reader<'_> {
    fn placement(&mut self, field: Range<usize>) -> Result<(), NotationError> {
        let text = &self.text[field.clone()];
        let (board, hand) = match text.find('[') {
            Some(at) => (field.start..field.start + at, Some(field.start + at..field.end)),
            None => (field.clone(), None),
        };
        let height = usize::from(self.variant.board().height());
        let mut ranks = Vec::new();
        let mut start = board.start;
        for part in self.text[board.clone()].split('/') {
            ranks.push(start..start + part.len());
            start += part.len() + 1;
        }
        if ranks.len() != height {
            // If there are too many ranks, report the surplus ones.
            let other = self.other_board();
            let surplus = ranks.get(height).filter(|_| other.is_none());
            let blamed = surplus.map_or(board.clone(), |first| first.start..board.end);
            let error = self.error(blamed, format!("{height} ranks, separated by '/'"));
            let width = self.variant.board().width();
            let ranks_of = match (height.saturating_sub(ranks.len()), ranks.len().saturating_sub(height)) {
                _ if text.is_empty() => format!("write {height} ranks from the top down, separated by `/`"),
                (1, _) => format!("add the missing rank; an empty rank is `{width}`"),
                (0, 1) => "remove the extra rank".to_string(),
                (0, extra) => format!("remove the {extra} extra ranks"),
                (missing, _) => format!("add the {missing} missing ranks; an empty rank is `{width}`"),
            };
            let error = error.help(other.unwrap_or(ranks_of));
            return Err(error.found(if text.is_empty() { "none".into() } else { ranks.len().to_string() }));
        }
        for (i, span) in ranks.into_iter().enumerate() {
            self.rank(span, height - 1 - i)?;
        }
        hand.map_or(Ok(()), |span| self.hands(span))
    }

    fn rank(&mut self, span: Range<usize>, rank: usize) -> Result<(), NotationError> {
        let (mut at, mut file) = (span.start, 0_i64);
        let number = rank + usize::from(self.variant.board().first_rank());
        while at < span.end {
            let rest = &self.text[at..span.end];
            let run = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            // On a narrow board no number has two digits: some programs write each empty square as 1.
            let digits = if self.variant.board().width() < 10 { run.min(1) } else { run };
            if digits > 0 {
                let count = rest[..digits].parse::<u16>().ok().filter(|n| *n > 0);
                let count = count.ok_or_else(|| self.error(at..at + digits, "a number of empty squares"))?;
                file += i64::from(count);
                at += digits;
                continue;
            }
            let square = self.variant.board().at(file, rank as i64);
            let on_board = file < i64::from(self.variant.board().width());
            if rest.starts_with('*') {
                if square.is_some() {
                    let error = self.error(at..at + 1, "a piece or a number of empty squares").found("'*' (a hole)");
                    let hole = || {
                        "the board has a square here; to remove it, use the option `holes: \"..\"` of `board`".into()
                    };
                    return Err(error.help(self.heap(&span, rank).unwrap_or_else(hole)));
                }
                at += 1;
            } else {
                let unheaped = |error: NotationError| match self.heap(&span, rank) {
                    Some(heap) => error.help(heap),
                    None => error,
                };
                let (piece, length) = self.piece(at..span.end).map_err(unheaped)?;
                match square {
                    Some(square) => self.position.put(self.variant, square, piece),
                    None if on_board => {
                        let error = self.error(at..at + length, "'*' or a number, where the board has a hole");
                        return Err(
                            error.help("write '*' for the hole, or remove it from the option `holes` of `board`")
                        );
                    }
                    None => {}
                }
                at += length;
            }
            file += 1;
        }
        let width = i64::from(self.variant.board().width());
        if file == width {
            return Ok(());
        }
        let heap = self.heap(&span, rank).filter(|_| file > width);
        let error = self.error(span, format!("{width} squares on rank {number}")).found(file.to_string());
        let count = format!(
            "the pieces and empty squares of a rank must add up to {width}; a number stands for that many empty \
             squares"
        );
        Err(error.help(heap.or_else(|| self.other_board()).unwrap_or(count)))
    }

    /// Advice if the position fits another board, one whose ranks all have the same length.
    fn other_board(&self) -> Option<String> {
        let placement = self.text.split(['[', ' ']).next()?;
        let digits = |text: &str| text.parse::<usize>().unwrap_or(0);
        let length = |rank: &str| {
            let empty: usize = rank.split(|c: char| !c.is_ascii_digit()).map(digits).sum();
            empty + rank.chars().filter(|c| c.is_alphabetic() || *c == '*').count()
        };
        let lengths: Vec<usize> = placement.split('/').map(length).collect();
        let (width, height) = (*lengths.first()?, lengths.len());
        let board = self.variant.board();
        let other = height > 1 && lengths.iter().all(|length| *length == width) && width != usize::from(board.width());
        other.then(|| {
            let (files, ranks) = (board.width(), board.height());
            format!(
                "this position fits a board of {width} by {height} squares, but the board is {files} by {ranks}: to \
                 change the board, write `board({width}, {height}, ..)`"
            )
        })
    }

    /// The piece that the text at `span` begins with, and the length of its letter.
    fn piece(&self, span: Range<usize>) -> Result<(Piece, usize), NotationError> {
        let rest = &self.text[span.clone()];
        let mut best: Option<(Piece, usize)> = None;
        for (i, kind) in self.variant.kinds().iter().enumerate() {
            for side in 0..self.variant.sides() as u8 {
                let text = side_letter(&kind.letter, Side(side));
                if !text.is_empty() && rest.starts_with(&text) && best.is_none_or(|(_, n)| text.len() > n) {
                    best = Some((Piece::new(Side(side), Kind(i as u8)), text.len()));
                }
            }
        }
        best.ok_or_else(|| {
            let letters: Vec<&str> = self.variant.kinds().iter().map(|k| k.letter.as_str()).collect();
            let end = span.start + rest.chars().next().map_or(0, char::len_utf8);
            let error = self.error(span.start..end, "a piece");
            let sides = self.variant.sides();
            if rest.starts_with('\'') && sides < 3 {
                let noun = if sides == 1 { "side" } else { "sides" };
                return error.help(format!(
                    "`'` after a letter marks the third or fourth side, `''` the fifth or sixth, but this game \
                     has only {sides} {noun}"
                ));
            }
            let are = if letters.len() == 1 { "the only piece letter is" } else { "the piece letters are" };
            error.help(format!("{are} {} (lowercase for the second side)", letters.join(" ")))
        })
    }

    fn hands(&mut self, span: Range<usize>) -> Result<(), NotationError> {
        if !self.variant.spec().hands {
            return Err(self
                .error(span, "no pieces in hand")
                .help("this game has no hands: declare `hands()`, or remove the square brackets"));
        }
        if span.len() < 2 || !self.text[span.clone()].ends_with(']') {
            return Err(self.error(span.end..span.end, "']' after the pieces in hand"));
        }
        let (mut at, end) = (span.start + 1, span.end - 1);
        if &self.text[at..end] == "-" {
            return Ok(());
        }
        while at < end {
            let rest = &self.text[at..end];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let count = if digits == 0 { Some(1) } else { rest[..digits].parse::<i16>().ok() };
            let count = count.filter(|n| (1..=MAX_IN_HAND).contains(n));
            let count =
                count.ok_or_else(|| self.error(at..at + digits, format!("a number from 1 to {MAX_IN_HAND}")))?;
            let (piece, length) = self.piece(at + digits..end)?;
            let held = self.position.in_hand(self.variant, piece.side(), piece.kind());
            if held > MAX_IN_HAND - count {
                return Err(
                    self.error(at..at + digits + length, format!("at most {MAX_IN_HAND} pieces of a kind in hand"))
                );
            }
            self.position.set_in_hand(self.variant, piece.side(), piece.kind(), held + count);
            at += digits + length;
        }
        Ok(())
    }

    fn side(&mut self, span: Range<usize>) -> Result<(), NotationError> {
        let text = &self.text[span.clone()];
        let sides = &self.variant.spec().sides;
        let mut letters = text.chars();
        let found =
            letters.next().and_then(|c| sides.iter().position(|s| s.letter == c)).filter(|_| letters.next().is_none());
        let Some(side) = found else {
            let names: Vec<String> = sides.iter().map(|s| format!("'{}' ({})", s.letter, s.name)).collect();
            let help = "after the ranks and a space, write the letter of the side to move";
            let expected = format!("the side to move: {}", super::describe::alternatives(&names));
            return Err(self.error(span, expected).help(help));
        };
        self.position.set_side(self.variant, Side(side as u8));
        Ok(())
    }

    fn castling(&mut self, span: Range<usize>) -> Result<(), NotationError> {
        let castles = &self.variant.spec().castles;
        if castles.is_empty() {
            return Err(self.error(span, "'-'").help(
                "this game has no castling: declare it, as in `castling(\"K\", \"e1g1\", \"h1f1\")`, or write '-'",
            ));
        }
        let mut rights = 0;
        for (i, c) in self.text[span.clone()].char_indices() {
            let place = span.start + i..span.start + i + c.len_utf8();
            let mut named = castles.iter().enumerate().filter(|(_, castle)| castle.letter == c).peekable();
            let Some((_, first)) = named.peek() else {
                let letters: String = castles.iter().map(|castle| castle.letter).collect();
                return Err(self.error(place, format!("castling rights from '{letters}', or '-'")));
            };
            let first = (*first).clone();
            let ready = |castle: &&astragal_core::Castle| {
                self.position.at(castle.king.0) == Piece::new(castle.side, castle.kinds.0)
                    && self.position.at(castle.rook.0) == Piece::new(castle.side, castle.kinds.1)
            };
            let granted = named.filter(|(_, castle)| ready(castle)).fold(0, |bits, (n, _)| bits | 1 << n);
            if granted == 0 {
                return Err(self.idle_right(&first, place));
            }
            if rights & granted != 0 {
                return Err(self.error(place, "each castling right at most once"));
            }
            rights |= granted;
        }
        self.position.set_rights(self.variant, rights);
        Ok(())
    }

    fn idle_right(&self, castle: &astragal_core::Castle, place: Range<usize>) -> NotationError {
        let king = Piece::new(castle.side, castle.kinds.0);
        let (piece, square) = match self.position.at(castle.king.0) == king {
            true => (Piece::new(castle.side, castle.kinds.1), castle.rook.0),
            false => (king, castle.king.0),
        };
        let name = self.variant.kinds().get(piece.kind().index()).map_or("piece", |k| k.name.as_str());
        let owner = self.variant.spec().sides.get(castle.side.index()).map_or("", |s| s.name.as_str());
        let square = self.variant.board().name(square);
        let error = self.error(place, format!("{owner}'s {name} on {square} for castling right '{}'", castle.letter));
        error.found("none").help("remove this castling right, or write '-' if none is left")
    }

    fn en_passant(&mut self, span: Range<usize>, under_way: bool) -> Result<(), NotationError> {
        let text = &self.text[span.clone()];
        let starts: Vec<usize> =
            text.char_indices().filter(|(i, c)| *i == 0 || !c.is_ascii_digit()).map(|(i, _)| i).collect();
        for (n, start) in starts.iter().enumerate() {
            let end = starts.get(n + 1).copied().unwrap_or(text.len());
            let place = span.start + start..span.start + end;
            let square = self.square(place.clone(), "an en passant square such as 'e3', or '-'")?;
            if self.position.en_passant().iter().any(|right| right.target == square) {
                return Err(self.error(place, "each en passant square at most once"));
            }
            if self.position.en_passant().len() == astragal_core::position::MAX_EN_PASSANT {
                return Err(self
                    .error(place, format!("at most {} en passant squares", astragal_core::position::MAX_EN_PASSANT)));
            }
            let mover = self.position.side();
            let others = (0..self.variant.sides() as u8).map(Side).filter(|s| *s != mover);
            // Within a turn of several moves, or after an extra turn, the mover's own double steps are included too; then
            // there is a seventh field, even if it is '-'.
            let own = under_way.then_some(mover);
            let victim = others.chain(own).find_map(|side| self.position.passer(self.variant, square, side));
            let Some(victim) = victim else {
                let name = self.variant.board().name(square);
                let error =
                    self.error(place, format!("a square that a piece has just passed (no piece has passed {name})"));
                return Err(error.help("write '-' if there is no en passant square"));
            };
            // In games without en passant captures, older positions contain squares without meaning.
            if self.variant.captures_en_passant() {
                self.position.add_en_passant(self.variant, EnPassant { target: square, victim });
            }
        }
        Ok(())
    }

    fn square(&self, span: Range<usize>, expected: &str) -> Result<Square, NotationError> {
        let board = self.variant.board();
        board.parse(&self.text[span.clone()]).ok_or_else(|| self.error(span, expected).help(squares(self.variant)))
    }

    fn number(&self, span: Range<usize>, expected: &str) -> Result<u16, NotationError> {
        let text = &self.text[span.clone()];
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|_| digits).ok_or_else(|| self.error(span, format!("{expected}, or '-'")))
    }

    /// A field as `name=value`: a counter, a trait or a mark of this game.
    fn named(&mut self, span: Range<usize>, before: &[(String, String)]) -> Result<(String, String), NotationError> {
        let text = &self.text[span.clone()];
        let Some((name, value)) = text.split_once('=') else {
            return Err(self.error(span, "a field such as 'name=value'"));
        };
        let (name, value) = (name.to_owned(), value.to_owned());
        let values = span.start + name.len() + 1..span.end;
        if before.iter().any(|(n, v)| *n == name && v.contains(':') == value.contains(':')) {
            return Err(self.error(span.start..values.start - 1, format!("'{name}' once")));
        }
        let counter = self.variant.counter_named(&name);
        match (self.variant.trait_named(&name), counter) {
            // A trait's values name squares; so a trait and a counter may share a name.
            (Some(index), other) if other.is_none() || value.contains(':') => self.traits(index, values)?,
            (_, Some(index)) if self.variant.spec().last_moves == Some(index as u8) => self.last_moves(values)?,
            (_, Some(index)) => self.counter(index, values)?,
            _ if self.variant.mark_named(&name).is_some() => self.marks(&name, values)?,
            _ if name == "out" => self.out(values)?,
            _ if name == heaps::UNDER && self.variant.spec().heaps => self.under(values)?,
            // The turn so far: parsed later, with the rules.
            _ if name == TURN && value == UNTOLD => self.masked.push(Masked::named(TURN)),
            _ if name == TURN => {}
            _ => {
                let spec = self.variant.spec();
                let known: Vec<&str> = spec
                    .counters
                    .iter()
                    .map(|c| c.name.as_str())
                    .chain(spec.traits.iter().map(|t| t.name.as_str()))
                    .chain(spec.marks.iter().map(|mark| mark.name.as_str()))
                    .chain(spec.heaps.then_some(heaps::UNDER))
                    .collect();
                let error =
                    self.error(span.start..values.start - 1, "the name of a counter, trait or mark of this game");
                return Err(match known.is_empty() {
                    true => error.help("this game has none of them"),
                    false => error.help(format!("this game has {}", known.join(", "))).suggest(&name, known),
                });
            }
        }
        Ok((name, value))
    }

    fn counter(&mut self, index: usize, span: Range<usize>) -> Result<(), NotationError> {
        let def = &self.variant.spec().counters[index];
        let (wanted, size) = (if def.per_side { self.variant.sides() } else { 1 }, usize::from(def.size));
        // A side does not see the progress of a preparation.
        let secret = def.secret || self.variant.spec().unprepared == Some(index as u8);
        let mut masked = Vec::new();
        let mut places = |(side, part): (usize, &str)| match kept_back(part).filter(|_| secret) {
            None => part.split(',').map(|v| v.parse().ok()).collect::<Option<Vec<i16>>>(),
            Some(count) => {
                let owner = def.per_side.then_some(Side(side as u8));
                masked.push(Masked { name: def.name.clone(), owner, count, values: None });
                Some(vec![def.initial; size])
            }
        };
        let values: Option<Vec<Vec<i16>>> = self.text[span.clone()].split('/').enumerate().map(&mut places).collect();
        let Some(values) = values.filter(|v| v.len() == wanted && v.iter().all(|part| part.len() == size)) else {
            let mut expected = if size == 1 { "a number".into() } else { format!("{size} numbers, separated by ','") };
            if wanted > 1 {
                expected = format!("{expected} for each of {wanted} sides, separated by '/'");
            }
            let one = vec!["1"; size].join(",");
            let help = match wanted * size {
                1 => "write a single number".to_string(),
                _ => format!("write it in the form {}", vec![one; wanted].join("/")),
            };
            return Err(self.error(span, expected).help(help));
        };
        self.masked.append(&mut masked);
        for (side, part) in values.into_iter().enumerate() {
            for (place, value) in part.into_iter().enumerate() {
                self.position.set_counter_at(self.variant, index, place as u8, Side(side as u8), value);
            }
        }
        Ok(())
    }

    /// The squares with a mark: of each side, separated by '/', if each has its own.
    fn marks(&mut self, name: &str, span: Range<usize>) -> Result<(), NotationError> {
        let Some(index) = self.variant.mark_named(name) else { return Ok(()) };
        let wanted = if self.variant.spec().marks[index].per_side { self.variant.sides() } else { 1 };
        let parts: Vec<&str> = self.text[span.clone()].split('/').collect();
        if parts.len() != wanted {
            let expected = match wanted {
                1 => "squares, separated by ','".to_owned(),
                _ => format!("squares separated by ',' (or '-' for none) for each of {wanted} sides, separated by '/'"),
            };
            return Err(self
                .error(span, expected)
                .help(format!("write it in the form {}", vec!["a1,b2"; wanted].join("/"))));
        }
        let mut start = span.start;
        for (side, part) in parts.into_iter().enumerate() {
            let mut set = SquareSet::EMPTY;
            for name in part.split(',').filter(|_| part != "-") {
                set.insert(self.square(start..start + name.len(), "a square")?);
                start += name.len() + 1;
            }
            start += if part == "-" { 2 } else { 0 };
            self.position.set_marked(self.variant, index, Side(side as u8), set);
        }
        Ok(())
    }

    /// The eliminated sides, by their letters.
    fn out(&mut self, span: Range<usize>) -> Result<(), NotationError> {
        let text = self.text;
        for (i, c) in text[span.clone()].char_indices() {
            let place = span.start + i..span.start + i + c.len_utf8();
            let side = self.variant.spec().sides.iter().position(|s| s.letter == c);
            let Some(side) = side.map(|s| Side(s as u8)).filter(|s| !self.position.is_out(*s)) else {
                let letters: String = self.variant.spec().sides.iter().map(|s| s.letter).collect();
                return Err(self.error(place, format!("side letters from '{letters}', each at most once")));
            };
            self.position.set_out(self.variant, side, true);
        }
        Ok(())
    }

    fn traits(&mut self, index: usize, span: Range<usize>) -> Result<(), NotationError> {
        let mut start = span.start;
        for part in self.text[span].split(',') {
            let place = start..start + part.len();
            start = place.end + 1;
            if let Some(hidden) = part.strip_prefix('?').filter(|_| self.variant.spec().traits[index].secret) {
                let masked = self.hidden_trait(index, hidden);
                let wrong =
                    "'?' and the letter of the side whose values are hidden, as in '?b', or '?b:0x3+1x2' with counts";
                self.masked.push(masked.ok_or_else(|| self.error(place, wrong))?);
                continue;
            }
            let value = part.split_once(':').and_then(|(name, value)| Some((name, value.parse::<i16>().ok()?)));
            let Some((name, value)) = value else {
                return Err(self.error(place, "a square and a number, such as 'e4:3'"));
            };
            let square = self.square(place.start..place.start + name.len(), "a square")?;
            if self.position.at(square).is_none() {
                let error = self.error(place, "a square with a piece").found("an empty square");
                return Err(error.help("traits belong to pieces: name a square with a piece"));
            }
            self.position.set_trait(self.variant, index, square, value);
        }
        Ok(())
    }
}

impl Reader<'_> {
    /// Parses the text after the `?` of a trait: nothing, the letter of a side, or the letter with its counts per value.
    fn hidden_trait(&self, index: usize, text: &str) -> Option<Masked> {
        let def = &self.variant.spec().traits[index];
        let masked = |owner, values| Some(Masked { name: def.name.clone(), owner, count: None, values });
        let mut letters = text.chars();
        let Some(letter) = letters.next() else { return masked(None, None) };
        let side = self.variant.spec().sides.iter().position(|side| side.letter == letter)?;
        let owner = Some(Side(side as u8));
        let Some(counts) = letters.as_str().strip_prefix(':') else {
            return if letters.as_str().is_empty() { masked(owner, None) } else { None };
        };
        let count =
            |part: &str| part.split_once('x').and_then(|(value, n)| Some((value.parse().ok()?, n.parse().ok()?)));
        let counts: Option<Vec<(i16, u32)>> = counts.split('+').filter(|part| !part.is_empty()).map(count).collect();
        masked(owner, Some(counts.filter(|_| def.counted)?))
    }
}

/// The first and the last square, for messages.
pub(crate) fn squares(variant: &Variant) -> String {
    let board = variant.board();
    let (file, low) = ((b'a' + board.width() - 1) as char, u32::from(board.first_rank()));
    format!("squares range from a{low} to {file}{}", u32::from(board.height()) - 1 + low)
}

#[cfg(test)]
#[path = "fen_tests.rs"]
mod tests;
