//! Moves in coordinates: `e2e4`, promotion `e7e8q`, castling as the king's move `e1g1`, drop `P@e4`,
//! capture on another square than the target `c3xd4e5`.
//!
//! Castling is written by name (`O-O`) only if the king's move would be ambiguous: the king stays where it is, or could go
//! there on its own. Moves of a list with the same text get distinguishing marks, `a1a2:push`: see [`alike`].

use super::{NotationError, alike, nearest};
use astragal_core::{Castle, Kind, Move, Piece, Position, Square, Tag, Variant, Wish};

const NAME: &str = "move";
/// The longest text of a move; longer ones are rejected unread.
pub(crate) const LONGEST: usize = 64;

/// Writes a move of `all`, the permitted moves, with a text that no other move has: [`find`] finds it again.
pub(crate) fn name(variant: &Variant, position: &Position, mv: Move, all: &[Move]) -> String {
    let plain = |mv: &Move| by_squares(variant, *mv).then(|| (mv.from, mv.to, mv.promotion()));
    let alike = all.iter().copied().filter(|other| plain(&mv).is_some() && plain(other) == plain(&mv));
    match (alike::mark(mv, alike), castle_of(variant, mv)) {
        (mark, Some(castle)) if !mark.is_empty() => castle_name(variant, castle),
        (mark, _) => write(variant, position, mv) + mark.as_str(),
    }
}

/// Whether squares and promotion are all that [`write`] writes of a move.
fn by_squares(variant: &Variant, mv: Move) -> bool {
    match mv.tag {
        Tag::Drop | Tag::Over => false,
        _ => castle_of(variant, mv).is_none_or(|castle| !hidden(variant, castle)),
    }
}

/// Writes a move in coordinates, whatever else is permitted. To distinguish it from other moves, use [`name`].
pub fn write(variant: &Variant, _position: &Position, mv: Move) -> String {
    plain(variant, mv)
}

/// The same, without a position.
pub(crate) fn plain(variant: &Variant, mv: Move) -> String {
    let board = variant.board();
    if let Some(kind) = mv.dropped() {
        return format!("{}@{}", letter(variant, kind), board.name(mv.to));
    }
    if let Some(castle) = castle_of(variant, mv).filter(|castle| hidden(variant, castle)) {
        return castle_name(variant, castle);
    }
    if let Some(over) = mv.over() {
        return format!("{}x{}{}", board.name(mv.from), board.name(over), board.name(mv.to));
    }
    let promotion = mv.promotion().map(|kind| letter(variant, kind).to_lowercase());
    format!("{}{}{}", board.name(mv.from), board.name(mv.to), promotion.unwrap_or_default())
}

/// Finds the move that `text` names among the permitted ones.
///
/// # Errors
/// A [`NotationError`] that distinguishes a text that is no move from a move that is not permitted, and names moves that
/// are.
pub fn find(variant: &Variant, position: &Position, legal: &[Move], text: &str) -> Result<Move, NotationError> {
    let word = text.trim();
    let finder = Finder {
        variant,
        position,
        legal,
        text,
        start: text.len() - text.trim_start().len(),
        end: text.trim_end().len(),
    };
    if let Some(mv) = found(variant, position, legal, text) {
        return Ok(mv);
    }
    if word.len() <= LONGEST {
        if word.contains('@') {
            return Err(finder.no_such_drop(word));
        }
        if let Some(named) = Named::read(variant, word) {
            return Err(finder.no_such_step(named));
        }
    }
    Err(finder.malformed(word))
}

/// The same without an error: listing legal moves takes time proportional to their number.
pub(crate) fn found(variant: &Variant, position: &Position, legal: &[Move], text: &str) -> Option<Move> {
    let word = text.trim();
    if word.len() > LONGEST {
        return None;
    }
    // Names of castlings, and all texts in our own spelling.
    exactly(variant, position, legal, word).or_else(|| {
        if let Some((name, square)) = word.split_once('@') {
            let (kind, to) = (kind_lettered(variant, name)?, variant.board().parse(square)?);
            return legal.iter().find(|mv| mv.dropped() == Some(kind) && mv.to == to).copied();
        }
        let named = Named::read(variant, word)?;
        let here = named.here(legal);
        named.fitting(variant, &here).filter(|mv| !is_open(*mv, &here))
    })
}

/// Whether moves between the same squares differ in the captured piece.
fn is_open(mv: Move, here: &[Move]) -> bool {
    mv.over().is_some() && here.iter().filter(|other| other.over().is_some()).count() > 1
}

fn kind_lettered(variant: &Variant, letter: &str) -> Option<Kind> {
    let kind = variant.kinds().iter().position(|kind| kind.letter.eq_ignore_ascii_case(letter));
    kind.map(|index| Kind(index as u8))
}

/// The [names](name) of all permitted moves, in their order.
pub(crate) fn names(variant: &Variant, position: &Position, all: &[Move]) -> Vec<String> {
    let key = |mv: &Move| (mv.from, mv.to);
    let mut sorted = all.to_vec();
    sorted.sort_by_key(key);
    let one = |mv: &Move| {
        let first = sorted.partition_point(|other| key(other) < key(mv));
        let count = sorted[first..].partition_point(|other| key(other) == key(mv));
        name(variant, position, *mv, &sorted[first..first + count])
    };
    all.iter().map(one).collect()
}

/// The move whose name is `word`.
fn exactly(variant: &Variant, position: &Position, legal: &[Move], word: &str) -> Option<Move> {
    let (plain, _) = alike::split(word);
    let may_be = |mv: Move| {
        let text = write(variant, position, mv);
        text == plain || text == word || castle_of(variant, mv).is_some_and(|c| castle_name(variant, c) == word)
    };
    let found = |mv: &&Move| may_be(**mv) && name(variant, position, **mv, legal) == word;
    legal.iter().find(found).copied()
}

/// The move that a text in coordinates asks for, possible or not; `None` if the text is no move.
pub(crate) fn wish(variant: &Variant, position: &Position, word: &str) -> Option<Wish> {
    if word.len() > LONGEST {
        return None;
    }
    if let Some((name, square)) = word.split_once('@') {
        let kind = variant.kinds().iter().position(|kind| kind.letter.eq_ignore_ascii_case(name))?;
        return Some(Wish::Drop { kind: Kind(kind as u8), to: variant.board().parse(square)? });
    }
    let named = Named::read(variant, word)?;
    let promotion = match named.promotion {
        "" => None,
        name => Some(Kind(variant.kinds().iter().position(|kind| kind.letter.eq_ignore_ascii_case(name))? as u8)),
    };
    let castle = variant.spec().castles.iter().position(|castle| {
        castle.side == position.side() && castle.king == (named.from, named.to) && !hidden(variant, castle)
    });
    let king = castle.filter(|&i| position.at(named.from).kind() == variant.spec().castles[i].kinds.0);
    Some(match king {
        Some(index) if promotion.is_none() => Wish::Castle(index),
        _ => Wish::Step { from: named.from, to: named.to, promotion },
    })
}

/// Whether a text has the form of a move in coordinates.
pub(crate) fn reads(variant: &Variant, word: &str) -> bool {
    let is_letter = |name: &str| variant.kinds().iter().any(|kind| kind.letter.eq_ignore_ascii_case(name));
    let over = |word: &str| {
        let (_, rest) = split_square(variant, word)?;
        let (_, rest) = split_square(variant, rest.strip_prefix('x')?)?;
        split_square(variant, rest).map(|(_, rest)| rest.is_empty())
    };
    word.len() <= LONGEST
        && (word.split_once('@').is_some_and(|(name, at)| is_letter(name) && variant.board().parse(at).is_some())
            || Named::read(variant, word).is_some_and(|named| named.promotion.is_empty() || is_letter(named.promotion))
            || over(word).unwrap_or(false))
}

/// The squares and the rest of a text as `e7e8q`.
struct Named<'a> {
    from: Square,
    to: Square,
    promotion: &'a str,
    /// The sort of move, if given.
    sort: Option<Tag>,
    /// The sort as written.
    mark: &'a str,
}

impl Named<'_> {
    /// Whether a move is of the given sort.
    fn suits(&self, mv: Move) -> bool {
        self.sort.is_none_or(|sort| sort == mv.tag && (sort != Tag::Heap || alike::of_heap(mv) == self.mark))
    }

    /// The moves between the squares, of the given sort.
    fn here(&self, legal: &[Move]) -> Vec<Move> {
        let between = |mv: &&Move| mv.tag != Tag::Drop && mv.from == self.from && mv.to == self.to;
        legal.iter().filter(between).copied().filter(|mv| self.suits(*mv)).collect()
    }

    /// Of these, the move with the given promotion. A king that can both walk and castle to a square walks.
    fn fitting(&self, variant: &Variant, here: &[Move]) -> Option<Move> {
        let promotes = |mv: &&Move| match mv.promotion() {
            None => self.promotion.is_empty(),
            Some(kind) => letter(variant, kind).to_lowercase() == self.promotion.to_lowercase(),
        };
        here.iter().filter(promotes).min_by_key(|mv| (mv.tag == Tag::Castle, **mv)).copied()
    }
}

impl<'a> Named<'a> {
    fn read(variant: &Variant, word: &'a str) -> Option<Named<'a>> {
        let (plain, sort) = alike::split(word);
        let (from, rest) = split_square(variant, plain)?;
        let (to, rest) = split_square(variant, rest)?;
        let mark = word[plain.len()..].trim_start_matches(':');
        Some(Named { from, to, promotion: rest.strip_prefix('=').unwrap_or(rest), sort, mark })
    }
}

/// The square that `text` begins with, and what follows.
pub(crate) fn split_square<'a>(variant: &Variant, text: &'a str) -> Option<(Square, &'a str)> {
    let tail = text.get(1..)?;
    let digits = tail.len() - tail.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (name, rest) = text.split_at_checked(1 + digits)?;
    Some((variant.board().parse(name)?, rest))
}

pub(crate) fn letter(variant: &Variant, kind: Kind) -> &str {
    variant.kinds().get(kind.index()).map_or("?", |kind| kind.letter.as_str())
}

fn kind_name(variant: &Variant, kind: Kind) -> &str {
    variant.kinds().get(kind.index()).map_or("piece", |kind| kind.name.as_str())
}

pub(crate) fn castle_of(variant: &Variant, mv: Move) -> Option<&Castle> {
    variant.spec().castles.get(mv.castling()?)
}

/// `O-O` or `O-O-O`, followed by the right's letter if a side has several castlings of the same name.
pub(crate) fn castle_name(variant: &Variant, castle: &Castle) -> String {
    let plain = |castle: &Castle| match castle.letter.to_ascii_lowercase() {
        'k' => "O-O",
        'q' => "O-O-O",
        _ if variant.board().file(castle.rook.0) > variant.board().file(castle.king.0) => "O-O",
        _ => "O-O-O",
    };
    let name = plain(castle);
    let others = variant.spec().castles.iter().filter(|other| other.side == castle.side && plain(other) == name);
    if others.count() > 1 { format!("{name}:{}", castle.letter) } else { name.into() }
}

/// Whether the king's move alone would be ambiguous.
fn hidden(variant: &Variant, castle: &Castle) -> bool {
    let (board, (from, to)) = (variant.board(), castle.king);
    let forward = variant.spec().sides.get(castle.side.index()).map_or(0, |side| side.forward_at(from));
    let atoms = variant.kinds().get(castle.kinds.0.index()).map_or(&[][..], |kind| &kind.atoms[..]);
    let walks = |step| board.rides(from, step).iter().any(|way| way.contains(&to));
    from == to
        || atoms.iter().filter(|atom| atom.quiet).any(|atom| {
            let single = |step| board.offsets(from, step).contains(to);
            atom.steps
                .iter()
                .map(|step| board.turn(*step, forward))
                .any(|step| if atom.max == 1 { single(step) } else { walks(step) })
        })
}

/// The context to find a move or explain why there is none.
pub(crate) struct Finder<'a> {
    pub variant: &'a Variant,
    pub position: &'a Position,
    pub legal: &'a [Move],
    pub text: &'a str,
    pub start: usize,
    pub end: usize,
}

impl Finder<'_> {
    pub(crate) fn error(&self, expected: impl Into<String>) -> NotationError {
        NotationError::new(NAME, self.text, self.start..self.end.max(self.start), expected)
    }

    /// Explains why the drop `word` is not permitted.
    fn no_such_drop(&self, word: &str) -> NotationError {
        let Some((name, square)) = word.split_once('@') else { return self.malformed(word) };
        match (kind_lettered(self.variant, name), self.variant.board().parse(square)) {
            (Some(kind), Some(to)) => self.no_drop(kind, to),
            _ => self.malformed(word),
        }
    }

    pub(crate) fn no_drop(&self, kind: Kind, to: Square) -> NotationError {
        let name = kind_name(self.variant, kind);
        if self.position.in_hand(self.variant, self.position.side(), kind) < 1 {
            return self.error(format!("a piece in hand (there is no {name} in hand)"));
        }
        if !self.position.at(to).is_none() {
            return self
                .error("an empty square to drop on")
                .found(format!("a piece on {}", self.variant.board().name(to)));
        }
        let targets =
            self.legal.iter().filter(|mv| mv.dropped() == Some(kind)).map(|mv| self.variant.board().name(mv.to));
        self.not_permitted(list(targets), format!("legal drop squares for the {name}:"))
    }

    /// Explains why `named` matches no move, or more than one.
    fn no_such_step(&self, named: Named) -> NotationError {
        let here = named.here(self.legal);
        if named.fitting(self.variant, &here).is_some() {
            let names = list(here.iter().map(|mv| write(self.variant, self.position, *mv))).unwrap_or_default();
            return self.error("a move that names the captured piece").help(format!("write {names}"));
        }
        if here.is_empty() {
            return self.no_step(named.from, named.to);
        }
        let letters =
            list(here.iter().filter_map(|mv| mv.promotion()).map(|kind| letter(self.variant, kind).to_lowercase()));
        match letters {
            None => self.error("no promotion").help("this move is not a promotion"),
            Some(letters) => self.error(format!("the letter of the promotion piece after the move: {letters}")),
        }
    }

    /// Explains why no piece goes from `from` to `to`.
    pub(crate) fn no_step(&self, from: Square, to: Square) -> NotationError {
        let (board, piece) = (self.variant.board(), self.position.at(from));
        let name = board.name(from);
        if piece.is_none() {
            let error = self.error(format!("a piece on {name}")).found("an empty square");
            return self.with_near(error);
        }
        let kind = kind_name(self.variant, piece.kind());
        if piece.side() != self.position.side() && !self.legal.iter().any(|mv| mv.tag != Tag::Drop && mv.from == from) {
            let owner = |piece: Piece| {
                self.variant.spec().sides.get(piece.side().index()).map_or("nobody", |s| s.name.as_str())
            };
            let mover = Piece::new(self.position.side(), piece.kind());
            let error = self.error(format!("a piece of {} (the side to move)", owner(mover)));
            return error.found(format!("a {kind} of {} on {name}", owner(piece)));
        }
        let targets = self
            .legal
            .iter()
            .filter(|mv| mv.tag != Tag::Drop && mv.from == from && mv.to != to)
            .map(|mv| board.name(mv.to));
        self.not_permitted(list(targets), format!("the {kind} on {name} can move to"))
    }

    /// The error for a well-formed move that is not among the permitted ones.
    pub(crate) fn not_permitted(&self, targets: Option<String>, intro: String) -> NotationError {
        let error = self.error("a legal move");
        match targets {
            Some(targets) => error.help(format!("{intro} {targets}")),
            None => self.with_near(error),
        }
    }

    fn malformed(&self, word: &str) -> NotationError {
        if matches!(word.chars().next(), Some('O' | 'o' | '0')) && word.contains('-') {
            return self.error("a move such as 'e2e4'").help("write castling as the king's move, as in 'e1g1'");
        }
        let board = self.variant.board();
        let squares: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        let off =
            split_square(self.variant, &squares).is_none_or(|(_, rest)| split_square(self.variant, rest).is_none());
        let shape = squares.len() >= 4
            && squares.starts_with(|c: char| c.is_ascii_lowercase())
            && squares.contains(|c: char| c.is_ascii_digit());
        let error = self.error("a move such as 'e2e4', 'e7e8q' or 'P@e4'");
        if off && shape && board.parse(word).is_none() && !word.contains(['@', '-']) {
            return error.help(super::fen::squares(self.variant));
        }
        self.with_near(error)
    }

    /// Adds permitted moves: those with the most similar text, or the first few.
    pub(crate) fn with_near(&self, error: NotationError) -> NotationError {
        let names = names(self.variant, self.position, self.legal);
        let word = self.text.get(self.start..self.end).unwrap_or_default();
        if let Some(near) = nearest(word, names.iter().map(String::as_str)) {
            return error.help(format!("did you mean '{near}'?"));
        }
        match list(names.into_iter()) {
            Some(names) => error.help(format!("legal here: {names}")),
            None => error.help("no move is legal here"),
        }
    }
}

/// The items in order without repetition, the first dozen of them; `None` for none.
pub(crate) fn list(items: impl Iterator<Item = String>) -> Option<String> {
    const MOST: usize = 12;
    let mut items: Vec<String> = items.collect();
    items.sort();
    items.dedup();
    let more = items.len().saturating_sub(MOST);
    items.truncate(MOST);
    if items.is_empty() {
        return None;
    }
    Some(if more > 0 { format!("{} and {more} more", items.join(", ")) } else { items.join(", ") })
}

#[cfg(test)]
#[path = "coord_tests.rs"]
mod tests;
