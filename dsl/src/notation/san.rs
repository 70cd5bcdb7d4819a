//! Moves in standard algebraic notation, for any variant: `Nf3`, `exd6`, `e8=Q`, `O-O`, `P@e4`.
//!
//! Kinds can be declared to have no letter in moves, as the orthodox pawn. A move's text is unique among the permitted
//! moves only; moves that the dice forbid do not matter. Check and mate are marked in games where royal pieces are
//! protected.

use super::coord::{self, Finder, castle_name, castle_of, letter, list, split_square};
use super::{NotationError, alike};
use astragal_core::attack::in_check;
use astragal_core::explain::Question;
use astragal_core::movegen::{Filter, Safety, has_move};
use astragal_core::{Castle, Kind, Move, Obstacle, Position, RoyalPolicy, Side, Square, Tag, Variant, Wish};

/// Writes a move that is one of `all`, the permitted moves.
pub fn write(variant: &Variant, position: &Position, mv: Move, all: &[Move]) -> String {
    let mut text = named(variant, position, mv, all);
    text.push_str(check_mark(variant, position, mv));
    text
}

/// The text without its check mark, distinct from all other moves.
fn named(variant: &Variant, position: &Position, mv: Move, all: &[Move]) -> String {
    let by_squares = |mv: Move| !matches!(mv.tag, Tag::Drop | Tag::Castle | Tag::Over);
    let captures = |mv: Move| !position.captured_by(mv).0.is_none();
    let same = |other: &Move| {
        by_squares(mv)
            && by_squares(*other)
            && (other.from, other.to, other.promotion()) == (mv.from, mv.to, mv.promotion())
            && captures(*other) == captures(mv)
    };
    body(variant, position, mv, all) + alike::mark(mv, all.iter().copied().filter(same)).as_str()
}

fn body(variant: &Variant, position: &Position, mv: Move, all: &[Move]) -> String {
    let board = variant.board();
    if let Some(kind) = mv.dropped() {
        return format!("{}@{}", letter(variant, kind), board.name(mv.to));
    }
    if let Some(castle) = castle_of(variant, mv) {
        return castle_name(variant, castle);
    }
    if mv.over().is_some() {
        return coord::write(variant, position, mv);
    }
    let mark = mark(variant, position, mv.from);
    let capture = !position.captured_by(mv).0.is_none();
    let origin = origin(variant, position, mv, all, mark.is_empty() && capture);
    let x = if capture { "x" } else { "" };
    let promotion = mv.promotion().map(|kind| format!("={}", letter(variant, kind)));
    format!("{mark}{origin}{x}{}{}", board.name(mv.to), promotion.unwrap_or_default())
}

/// The letter of the piece on `square`; empty for pawns and similar kinds.
fn mark<'a>(variant: &'a Variant, position: &Position, square: Square) -> &'a str {
    let piece = position.at(square);
    match variant.kinds().get(piece.kind().index()) {
        Some(kind) if !kind.unlettered => &kind.letter,
        _ => "",
    }
}

/// The part of the origin that distinguishes the move from others: nothing, file, rank or both.
fn origin(variant: &Variant, position: &Position, mv: Move, all: &[Move], show_file: bool) -> String {
    let board = variant.board();
    let (file, rank) = (board.file(mv.from), board.rank(mv.from));
    let name = board.name(mv.from);
    let (file_name, rank_name) = name.split_at(1);
    let own = mark(variant, position, mv.from);
    let others: Vec<Square> = all
        .iter()
        .filter(|other| {
            other.to == mv.to && other.from != mv.from && !matches!(other.tag, Tag::Drop | Tag::Castle | Tag::Over)
        })
        .filter(|other| other.promotion() == mv.promotion() && mark(variant, position, other.from) == own)
        .map(|other| other.from)
        .collect();
    let same_file = others.iter().any(|s| board.file(*s) == file);
    let same_rank = others.iter().any(|s| board.rank(*s) == rank);
    match (others.is_empty(), same_file, same_rank) {
        (true, ..) if !show_file => String::new(),
        (_, false, _) => file_name.into(),
        (_, true, false) if !show_file => rank_name.into(),
        _ => name,
    }
}

/// `+`, `#` or nothing, by the move's effect on the next side. Always empty if a rule defines how pieces move: only a
/// running game can evaluate that rule.
fn check_mark(variant: &Variant, position: &Position, mv: Move) -> &'static str {
    if variant.spec().royal_policy != RoyalPolicy::Protected || variant.spec().ruled_movement {
        return "";
    }
    let mut after = position.clone();
    after.make(variant, mv);
    let next = Side((position.side().0 + 1) % variant.sides().max(1) as u8);
    if next == position.side() || !in_check(variant, &after, next) {
        return "";
    }
    after.end_turn(variant, next);
    if has_move(variant, &after, next, Safety::Safe, Filter::ALL) { "+" } else { "#" }
}

/// Finds the move that `text` names among the permitted ones. Marks of check, `e.p.`, `x` and
/// comments as `!?` are accepted and not verified.
///
/// # Errors
/// A [`NotationError`] if the text is no move, or fits none or several of the permitted ones.
pub fn find(variant: &Variant, position: &Position, legal: &[Move], text: &str) -> Result<Move, NotationError> {
    let word = text.trim();
    let start = text.len() - text.trim_start().len();
    let finder = Finder { variant, position, legal, text, start, end: text.trim_end().len() };
    if word.len() > coord::LONGEST {
        return Err(finder.error("a move such as 'Nf3', 'exd5', 'e8=Q' or 'O-O'"));
    }
    let core = strip_marks(word);
    let over = legal.iter().find(|mv| mv.over().is_some() && coord::write(variant, position, **mv) == core);
    if let Some(mv) = over {
        return Ok(*mv);
    }
    if let Some(castling) = castling(core) {
        let found = legal
            .iter()
            .find(|mv| castle_of(variant, **mv).is_some_and(|castle| castle_name(variant, castle) == castling));
        return found
            .copied()
            .ok_or_else(|| near(&finder, finder.error("a legal move (this castling move is not legal)")));
    }
    let Some(wanted) = Wanted::read(variant, core) else {
        return Err(near(&finder, finder.error("a move such as 'Nf3', 'exd5', 'e8=Q' or 'O-O'")));
    };
    if wanted.drop {
        let kind = wanted.kind.or_else(|| variant.kinds().iter().position(|k| k.unlettered).map(|i| Kind(i as u8)));
        let found = legal.iter().find(|mv| mv.dropped().is_some() && mv.dropped() == kind && mv.to == wanted.to);
        return found.copied().ok_or_else(|| {
            kind.map_or_else(|| finder.error("a piece to drop"), |kind| finder.no_drop(kind, wanted.to))
        });
    }
    choose(&finder, &wanted, core)
}

/// The possible meanings of a text in algebraic notation, legal or not: one for each own piece that fits, or only those
/// that can reach the square if there are any. `None` if it is no move, the kind's name if there is no such piece.
pub(crate) fn wishes(variant: &Variant, position: &Position, word: &str) -> Option<Result<Vec<Wish>, String>> {
    if word.len() > coord::LONGEST {
        return None;
    }
    let core = strip_marks(word);
    if let Some(name) = castling(core) {
        let fits = |c: &Castle| c.side == position.side() && castle_name(variant, c) == name;
        let castles = variant.spec().castles.iter().enumerate();
        let found: Vec<Wish> = castles.filter(|(_, c)| fits(c)).map(|(i, _)| Wish::Castle(i)).collect();
        return (!found.is_empty()).then_some(Ok(found));
    }
    let wanted = Wanted::read(variant, core)?;
    let plain = || variant.kinds().iter().position(|kind| kind.unlettered).map(|i| Kind(i as u8));
    let kind = wanted.kind.or_else(plain)?;
    if wanted.drop {
        return Some(Ok(vec![Wish::Drop { kind, to: wanted.to }]));
    }
    let own = position.of(position.side()).into_iter().filter(|s| wanted.suits(variant, position, *s));
    let wish = |from: Square| Wish::Step { from, to: wanted.to, promotion: wanted.promotion };
    let all: Vec<Square> = own.collect();
    if all.is_empty() {
        return Some(Err(variant.kind(kind).name.clone()));
    }
    let question = Question { variant, position, side: position.side(), safety: Safety::Pseudo };
    let near: Vec<Wish> = all
        .iter()
        .map(|&from| wish(from))
        .filter(|&wish| !matches!(question.resolve(wish), Err(Obstacle::Unlike | Obstacle::Home)))
        .collect();
    if !near.is_empty() {
        return Some(Ok(near));
    }
    let file = |square: &Square| variant.board().file(*square).abs_diff(variant.board().file(wanted.to));
    let nearest = all.iter().copied().min_by_key(file);
    Some(Ok(nearest.map(wish).into_iter().collect()))
}

fn choose(finder: &Finder, wanted: &Wanted, core: &str) -> Result<Move, NotationError> {
    let (variant, position) = (finder.variant, finder.position);
    let here: Vec<Move> = finder.legal.iter().copied().filter(|mv| wanted.fits(variant, position, *mv)).collect();
    let mut fitting: Vec<Move> = here.iter().copied().filter(|mv| mv.promotion() == wanted.promotion).collect();
    // Among moves of one piece that differ only in their sort, the one with exactly this text is chosen, else the first.
    fitting.sort();
    if let Some(mv) = exactly(finder, &fitting, core) {
        return Ok(mv);
    }
    fitting.dedup_by_key(|mv| mv.from);
    match fitting[..] {
        [mv] => Ok(mv),
        [] if here.is_empty() => Err(explain(finder, wanted)),
        [] => Err(
            match list(here.iter().filter_map(|mv| mv.promotion()).map(|kind| format!("={}", letter(variant, kind)))) {
                Some(letters) => finder.error(format!("the promotion piece after the move: {letters}")),
                None => finder.error("no promotion").help("this move is not a promotion"),
            },
        ),
        _ => {
            let names = list(fitting.iter().map(|mv| named(variant, position, *mv, finder.legal))).unwrap_or_default();
            Err(finder.error("a move that only one piece can make").help(format!("it could be {names}")))
        }
    }
}

/// Among several moves of one piece, the one with the text `core`; `None` if there are not several, or none has it.
fn exactly(finder: &Finder, fitting: &[Move], core: &str) -> Option<Move> {
    let [first, _, ..] = fitting else { return None };
    if fitting.iter().any(|mv| mv.from != first.from) {
        return None;
    }
    fitting.iter().copied().find(|mv| named(finder.variant, finder.position, *mv, finder.legal) == core)
}

/// Explains why no permitted move fits.
fn explain(finder: &Finder, wanted: &Wanted) -> NotationError {
    let (variant, position, board) = (finder.variant, finder.position, finder.variant.board());
    if let (Some(file), Some(rank)) = (wanted.file, wanted.rank)
        && let Some(from) = board.at(i64::from(file), i64::from(rank))
    {
        return finder.no_step(from, wanted.to);
    }
    let suits = |square: Square| wanted.suits(variant, position, square);
    let owned: Vec<Square> = position.of(position.side()).into_iter().filter(|s| suits(*s)).collect();
    if owned.is_empty() {
        let named = wanted.kind.and_then(|kind| variant.kinds().get(kind.index()));
        let Some(kind) = named.or_else(|| variant.kinds().iter().find(|kind| kind.unlettered)) else {
            return near(finder, finder.error("a move that starts with the letter of its piece"));
        };
        let name = &kind.name;
        let side = variant.spec().sides.get(position.side().index()).map_or("the mover", |s| s.name.as_str());
        return near(finder, finder.error(format!("a piece that {side} has (there is no such {name})")));
    }
    let moves = finder.legal.iter().filter(|mv| mv.tag != Tag::Drop && suits(mv.from));
    let names = list(moves.map(|mv| named(variant, position, *mv, finder.legal)));
    match names {
        Some(names) => finder.error("a legal move").help(format!("legal moves of such a piece: {names}")),
        None => near(finder, finder.error("a legal move (such a piece has none)")),
    }
}

/// Adds the nearest permitted moves in this notation.
fn near(finder: &Finder, error: NotationError) -> NotationError {
    /// Each name requires a pass over all moves, so only this many moves are named.
    const MOST_NAMED: usize = 2_000;
    let legal = &finder.legal[..finder.legal.len().min(MOST_NAMED)];
    let names: Vec<String> = legal.iter().map(|mv| named(finder.variant, finder.position, *mv, finder.legal)).collect();
    let word = finder.text.get(finder.start..finder.end).unwrap_or_default();
    match super::nearest(strip_marks(word), names.iter().map(String::as_str)) {
        Some(name) => error.help(format!("did you mean '{name}'?")),
        None => match list(names.into_iter()) {
            Some(names) => error.help(format!("legal here: {names}")),
            None => error.help("no move is legal here"),
        },
    }
}

/// The text without check marks and annotations.
fn strip_marks(word: &str) -> &str {
    let word = word.trim_end_matches(['!', '?', '+', '#']).trim_end();
    let short = word.strip_suffix("e.p.").or_else(|| word.strip_suffix("ep").filter(|text| !text.ends_with(':')));
    short.unwrap_or(word).trim_end().trim_end_matches(['!', '?', '+', '#'])
}

/// The name of the castling that a text stands for, if any.
fn castling(word: &str) -> Option<String> {
    let (name, letter) = word.split_once(':').map_or((word, None), |(name, letter)| (name, Some(letter)));
    let name: String = name.chars().map(|c| if matches!(c, '0' | 'o') { 'O' } else { c }).collect();
    (name == "O-O" || name == "O-O-O").then(|| letter.map_or(name.clone(), |letter| format!("{name}:{letter}")))
}

/// Whether a text has the form of a move in algebraic notation.
pub(crate) fn reads(variant: &Variant, word: &str) -> bool {
    let core = strip_marks(word);
    word.len() <= coord::LONGEST && (castling(core).is_some() || Wanted::read(variant, core).is_some())
}

/// The parts of a move's text.
struct Wanted {
    /// The kind whose letter comes first; `None` without a letter.
    kind: Option<Kind>,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    promotion: Option<Kind>,
    drop: bool,
    /// The sort of move, if given.
    sort: Option<Tag>,
}

impl Wanted {
    fn read(variant: &Variant, word: &str) -> Option<Wanted> {
        let (word, sort) = alike::split(word);
        let (kind, rest) = split_letter(variant, word);
        if let Some(square) = rest.strip_prefix('@') {
            let to = variant.board().parse(square)?;
            return Some(Wanted { kind, file: None, rank: None, to, promotion: None, drop: true, sort });
        }
        let (rest, promotion) = split_promotion(variant, rest)?;
        let (before, to) = split_target(variant, rest)?;
        let before = before.strip_suffix(['x', ':', '-']).unwrap_or(before);
        let (file, rank) = origin_of(variant, before)?;
        Some(Wanted { kind, file, rank, to, promotion, drop: false, sort })
    }

    /// Whether the piece on `square` fits.
    fn suits(&self, variant: &Variant, position: &Position, square: Square) -> bool {
        let (board, piece) = (variant.board(), position.at(square));
        let Some(def) = variant.kinds().get(piece.kind().index()).filter(|_| !piece.is_none()) else { return false };
        self.kind.map_or(def.unlettered, |kind| kind == piece.kind())
            && self.file.is_none_or(|file| board.file(square) == file)
            && self.rank.is_none_or(|rank| board.rank(square) == rank)
    }

    fn fits(&self, variant: &Variant, position: &Position, mv: Move) -> bool {
        mv.to == self.to
            && !matches!(mv.tag, Tag::Drop | Tag::Castle | Tag::Over)
            && self.sort.is_none_or(|sort| sort == mv.tag && sort != Tag::Heap)
            && self.suits(variant, position, mv.from)
    }
}

/// The kind whose letter the text begins with (the longest that fits), and what follows.
fn split_letter<'a>(variant: &Variant, word: &'a str) -> (Option<Kind>, &'a str) {
    let kinds = variant.kinds().iter().enumerate();
    let fitting = kinds.filter(|(_, kind)| !kind.letter.is_empty() && word.starts_with(&kind.letter));
    match fitting.max_by_key(|(_, kind)| kind.letter.len()) {
        Some((i, kind)) => (Some(Kind(i as u8)), &word[kind.letter.len()..]),
        None => (None, word),
    }
}

/// Takes `=Q`, `(Q)` or `Q` off the end; `None` if it is no kind's letter.
fn split_promotion<'a>(variant: &Variant, text: &'a str) -> Option<(&'a str, Option<Kind>)> {
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (rest, tail) = text.split_at(end);
    let name = tail.strip_prefix('=').unwrap_or(tail);
    let name = name.strip_prefix('(').and_then(|n| n.strip_suffix(')')).unwrap_or(name);
    match (tail.is_empty(), variant.kinds().iter().position(|kind| kind.letter.eq_ignore_ascii_case(name))) {
        (true, _) => Some((rest, None)),
        (false, kind) => kind.map(|i| (rest, Some(Kind(i as u8)))),
    }
}

/// Takes the target off the end.
fn split_target<'a>(variant: &Variant, text: &'a str) -> Option<(&'a str, Square)> {
    let at = text.rfind(|c: char| c.is_ascii_lowercase())?;
    Some((&text[..at], variant.board().parse(&text[at..])?))
}

/// File and rank of the origin, if given.
fn origin_of(variant: &Variant, text: &str) -> Option<(Option<u8>, Option<u8>)> {
    let board = variant.board();
    if text.is_empty() {
        return Some((None, None));
    }
    if let Some((square, "")) = split_square(variant, text) {
        return Some((Some(board.file(square)), Some(board.rank(square))));
    }
    if let Some(rank) = text.parse::<u8>().ok().filter(|_| text.starts_with(|c: char| c.is_ascii_digit())) {
        let rank = rank.checked_sub(board.first_rank()).filter(|rank| *rank < board.height())?;
        return Some((None, Some(rank)));
    }
    match text.as_bytes() {
        [file @ b'a'..=b'z'] if file - b'a' < board.width() => Some((Some(file - b'a'), None)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "san_tests.rs"]
mod tests;
