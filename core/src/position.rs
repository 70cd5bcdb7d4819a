//! A position: pieces on squares, side to move, rights, hands, counters; and how it changes.
//!
//! Positions are copied, not unmade. Invariants: occupancy, royal squares and hash always agree with the board (every
//! change goes through [`Position::put`], [`Position::take`] and the setters), and a square outside the board is always
//! empty. Nothing here checks whether a move is allowed.

mod bitboards;
mod drops;
mod heaps;
mod hidden;
mod make;
pub(crate) mod moves;
mod numbers;
mod remembered;
mod squares;
mod tail;

use crate::board::bits::Bits;
use crate::board::piece::{KindMask, Piece};
use crate::board::side::{MAX_SIDES, Side};
use crate::board::square::{MAX_SQUARES, Square, SquareSet};
use crate::position::moves::Move;
use crate::variant::{Variant, mark};
use bitboards::{Bitboards, Shape, at_width};
use tail::Tail;

pub use heaps::MOST_BENEATH;
pub use remembered::MOVE_PLACES;

/// A right to capture en passant: entering `target` captures the piece on `victim`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnPassant {
    /// The square passed over.
    pub target: Square,
    /// The square of the piece that passed it.
    pub victim: Square,
}

/// The maximum number of en passant rights in a position; beyond that the oldest are dropped.
pub const MAX_EN_PASSANT: usize = 8;

const NO_RIGHT: EnPassant = EnPassant { target: Square(0), victim: Square(0) };

/// The effects of a move, for records and rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Made {
    /// The move.
    pub mv: Move,
    /// The piece that moved, as it was before.
    pub(crate) piece: Piece,
    /// The captured piece, or [`Piece::NONE`].
    pub(crate) captured: Piece,
    /// The square of the captured piece; after a push, the square of the farthest piece that it moved.
    pub(crate) captured_at: Square,
}

impl Made {
    /// A move of a piece that captures, or would capture, another one on a square.
    pub fn new(mv: Move, piece: Piece, captured: Option<(Piece, Square)>) -> Made {
        let (captured, captured_at) = captured.unwrap_or((Piece::NONE, mv.to));
        Made { mv, piece, captured, captured_at }
    }

    /// The piece that moved, as it was before.
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// The captured piece and its square.
    pub fn captured(&self) -> Option<(Piece, Square)> {
        (!self.captured.is_none()).then_some((self.captured, self.captured_at))
    }

    /// A number that is unique to the move.
    pub(crate) fn number(&self) -> u64 {
        let Move { from, to, tag, extra } = self.mv;
        let (piece, captured) = (self.piece.index() as u64, self.captured.index() as u64);
        let parts = [from.0, to.0, tag as u8, extra, piece as u8, captured as u8, self.captured_at.0];
        let beyond = (piece >> 8) << 1 | captured >> 8;
        parts.into_iter().fold(beyond, |number, part| number << 8 | u64::from(part))
    }

    /// Whether it is the same move of the same piece as another: the same squares and promotion.
    pub(crate) fn is_like(&self, other: &Made) -> bool {
        let becomes = |made: &Made| made.mv.promotion().unwrap_or(made.piece.kind());
        (self.mv.from, self.mv.to, self.piece) == (other.mv.from, other.mv.to, other.piece)
            && self.mv.carried() == other.mv.carried()
            && self.mv.tag.is_special() == other.mv.tag.is_special()
            && becomes(self) == becomes(other)
    }
}

/// A position of some [`Variant`]. Methods that take a variant expect the one it was made for.
#[derive(Debug)]
pub struct Position {
    header: Header,
    layout: Layout,
    bitboards: Bitboards,
    /// For each square the [byte](Piece::low_byte) of the piece on it, 0 if it is empty. With more than four sides the
    /// bitboards hold the missing bit of the side.
    board: [u8; MAX_SQUARES],
    /// Data that few games use; `None` for all others.
    tail: Option<Box<Tail>>,
}

const _: () = assert!(size_of::<Position>() <= 512);

/// The part of a position that has the same form in all games, kept together for fast copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Header {
    hash: u64,
    en_passant: [EnPassant; MAX_EN_PASSANT],
    en_passant_len: u8,
    side: Side,
    rights: u16,
    clock: u16,
    number: u16,
    royal_count: [u8; MAX_SIDES],
    royal_at: [Square; MAX_SIDES],
    /// The sides that are out of the game, one bit each.
    out: u8,
}

/// The parts of a position that a variant uses; the same for all its positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Layout {
    /// Blocks of 64 squares of the board.
    blocks: u8,
    /// Whether there are numbers or heaps.
    wide: bool,
    load: Load,
    shape: Shape,
    /// Whether there is one block, few kinds and no numbers.
    least: bool,
}

/// The data that is stored with the pieces on their squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Load {
    Nothing,
    /// Traits, among the numbers.
    Traits,
    /// Stacked pieces.
    Heaps,
}

const BLOCK: usize = 64;

impl PartialEq for Position {
    /// Whether every question about the positions has the same answer, clocks included.
    fn eq(&self, other: &Position) -> bool {
        // The squares of royals follow from the board, and are only maintained for sides with exactly one.
        let header = Header { royal_at: other.header.royal_at, ..self.header };
        let used = BLOCK * usize::from(self.layout.blocks);
        header == other.header
            && self.layout == other.layout
            && self.board[..used] == other.board[..used]
            && (!self.layout.shape.has_many_sides() || self.bitboards == other.bitboards)
            && self.tail == other.tail
    }
}

impl Eq for Position {}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position {
            board: self.board,
            bitboards: self.bitboards.clone(),
            header: self.header,
            layout: self.layout,
            tail: self.tail.clone(),
        }
    }

    /// Copies only the parts that can differ between positions of one variant: several times faster than [`Clone::clone`]
    /// on a small board. So loops that try moves reuse one position.
    #[inline(always)]
    fn clone_from(&mut self, source: &Position) {
        if self.layout != source.layout {
            return self.become_clone(source);
        }
        self.board[..BLOCK].copy_from_slice(&source.board[..BLOCK]);
        self.header = source.header;
        match self.layout.least {
            true => self.bitboards.copy_few(&source.bitboards),
            false => self.clone_rest(source),
        }
    }
}

impl Position {
    /// The memory of the position beside its own size.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.tail.as_ref().map_or(0, |tail| tail.heap_bytes())
    }

    /// Restores `before`, whose copy with `mv` made this is: faster than [`Clone::clone_from`] after most moves.
    pub(crate) fn take_back(&mut self, before: &Position, mv: Move) {
        if !mv.is_ordinary() || self.layout.wide {
            return self.clone_from(before);
        }
        for square in [mv.from.index(), mv.to.index()] {
            self.board[square] = before.board[square];
        }
        match self.layout.least {
            true => self.bitboards.copy_few(&before.bitboards),
            false => self.bitboards.copy_all(&before.bitboards),
        }
        self.header = before.header;
    }

    #[cold]
    fn become_clone(&mut self, source: &Position) {
        *self = source.clone();
    }

    /// Copies all sets, and everything else that the smallest layout does not use.
    fn clone_rest(&mut self, source: &Position) {
        self.bitboards.copy_all(&source.bitboards);
        if self.layout.blocks > 1 {
            self.board[BLOCK..2 * BLOCK].copy_from_slice(&source.board[BLOCK..2 * BLOCK]);
        }
        if self.layout.blocks > 2 {
            self.board[2 * BLOCK..].copy_from_slice(&source.board[2 * BLOCK..]);
        }
        if let (Some(own), Some(theirs)) = (&mut self.tail, &source.tail) {
            own.copy(theirs);
        }
    }

    /// The empty board with the first side to move, counters at their initial values.
    pub fn empty(variant: &Variant) -> Position {
        let numbers = variant.cells + variant.spec.traits.len() * variant.board().len();
        let squares = variant.board().len();
        let shape = Shape::new(squares, variant.sides(), variant.kinds().len());
        let blocks = squares.div_ceil(BLOCK) as u8;
        let tail = Tail::new(numbers, variant.spec.heaps);
        let load = match (variant.spec.heaps, variant.spec.traits.is_empty()) {
            (true, _) => Load::Heaps,
            (false, true) => Load::Nothing,
            (false, false) => Load::Traits,
        };
        let mut position = Position {
            board: [0; MAX_SQUARES],
            bitboards: Bitboards::EMPTY,
            header: Header {
                hash: 0,
                en_passant: [NO_RIGHT; MAX_EN_PASSANT],
                en_passant_len: 0,
                side: Side::FIRST,
                rights: 0,
                clock: 0,
                number: 1,
                royal_count: [0; MAX_SIDES],
                royal_at: [Square(0); MAX_SIDES],
                out: 0,
            },
            layout: Layout {
                blocks,
                wide: tail.is_some(),
                load,
                shape,
                least: blocks == 1 && tail.is_none() && shape.is_small(),
            },
            tail,
        };
        for (i, counter) in variant.spec.counters.iter().enumerate() {
            for side in 0..if counter.per_side { variant.sides() } else { 1 } {
                for place in 0..counter.size {
                    position.set_counter_at(variant, i, place, Side(side as u8), counter.initial);
                }
            }
        }
        position
    }

    /// The squares of `side`'s pieces; for heaps, those with its piece on top.
    pub fn of(&self, side: Side) -> SquareSet {
        at_width!(self.layout.shape, B => self.bitboards.side::<B>(self.layout.shape, side).set())
    }

    /// All squares with a piece.
    pub fn occupied(&self) -> SquareSet {
        at_width!(self.layout.shape, B => self.bitboards.all::<B>().set())
    }

    /// [`Position::of`] at the width of the board.
    pub(crate) fn men<B: Bits>(&self, side: Side) -> B {
        self.bitboards.side(self.layout.shape, side)
    }

    /// [`Position::occupied`] at the width of the board.
    pub(crate) fn occupied_at<B: Bits>(&self) -> B {
        self.bitboards.all()
    }

    /// Whether looking up pieces by kind is faster than examining all pieces of a side.
    pub(crate) fn keeps_kinds(&self) -> bool {
        self.layout.shape.by_kind()
    }

    /// The squares of `side`'s pieces of some kinds, at the width of the board.
    pub(crate) fn pieces_of<B: Bits>(&self, side: Side, kinds: KindMask) -> B {
        let own: B = self.bitboards.side(self.layout.shape, side);
        match self.bitboards.of_kinds::<B>(self.layout.shape, kinds) {
            Some(of_kinds) => own & of_kinds,
            None => self.filter_kinds(own, kinds),
        }
    }

    /// The subset of some pieces that are of some kinds. A loop without branches, since dice make kinds hard to predict.
    #[inline(never)]
    fn filter_kinds<B: Bits>(&self, mut pieces: B, kinds: KindMask) -> B {
        let mut found = B::NONE;
        while let Some(square) = pieces.pop() {
            let suits = kinds.contains(self.kind_at(square));
            found |= B::just(square).when(suits);
        }
        found
    }

    /// The squares of `side`'s pieces of some kinds.
    pub fn of_kinds(&self, side: Side, kinds: KindMask) -> SquareSet {
        at_width!(self.layout.shape, B => self.pieces_of::<B>(side, kinds).set())
    }

    /// Whether `side` has a piece of one of some kinds.
    pub fn has(&self, side: Side, kinds: KindMask) -> bool {
        if self.layout.least {
            return self.pieces_of::<u64>(side, kinds) != 0;
        }
        self.has_any(side, kinds)
    }

    #[inline(never)]
    fn has_any(&self, side: Side, kinds: KindMask) -> bool {
        match self.keeps_kinds() {
            true => !self.of_kinds(side, kinds).is_empty(),
            false => self.of(side).into_iter().any(|square| kinds.contains(self.kind_at(square))),
        }
    }

    /// The squares of all pieces `piece`.
    pub fn squares_of(&self, piece: Piece) -> SquareSet {
        self.of_kinds(piece.side(), piece.kind().into())
    }

    /// The number of pieces `piece` on the board, topmost or beneath others.
    pub fn count(&self, variant: &Variant, piece: Piece) -> u32 {
        if variant.royals.0 == 1 << piece.kind().0 {
            return u32::from(self.header.royal_count[piece.side().index()]);
        }
        let on_top = at_width!(self.layout.shape, B => self.pieces_of::<B>(piece.side(), piece.kind().into()).count());
        on_top + if self.has_heaps() { self.count_beneath(piece.side(), piece.kind().into()) as u32 } else { 0 }
    }

    /// The number of royal pieces of `side`.
    pub fn royal_count(&self, side: Side) -> u32 {
        u32::from(self.header.royal_count[side.index()])
    }

    /// The squares of `side`'s royal pieces.
    pub fn royals(&self, variant: &Variant, side: Side) -> SquareSet {
        match self.header.royal_count[side.index()] {
            0 => SquareSet::EMPTY,
            1 => self.header.royal_at[side.index()].into(),
            _ => self.of_kinds(side, variant.royals),
        }
    }

    /// The square of `side`'s royal piece, if it has exactly one.
    pub fn sole_royal(&self, side: Side) -> Option<Square> {
        (self.header.royal_count[side.index()] == 1).then(|| self.header.royal_at[side.index()])
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.header.side
    }

    /// Gives the turn to `side` and changes nothing else.
    pub fn set_side(&mut self, variant: &Variant, side: Side) {
        self.header.hash ^= variant.zobrist.side(self.header.side) ^ variant.zobrist.side(side);
        self.header.side = side;
    }

    /// Whether `side` is out of the game: its turns are skipped.
    pub fn is_out(&self, side: Side) -> bool {
        self.header.out >> side.index() & 1 != 0
    }

    /// The side after `side` in turn order, skipping those out of the game.
    pub(crate) fn after(&self, variant: &Variant, side: Side) -> Side {
        let next = variant.after(side);
        if self.header.out == 0 { next } else { self.after_those_out(variant, next) }
    }

    #[cold]
    fn after_those_out(&self, variant: &Variant, mut next: Side) -> Side {
        for _ in 1..variant.sides() {
            if !self.is_out(next) {
                break;
            }
            next = variant.after(next);
        }
        next
    }

    /// Takes `side` out of the game, or back into it.
    pub fn set_out(&mut self, variant: &Variant, side: Side, out: bool) {
        if self.is_out(side) != out {
            self.header.out ^= 1 << side.index();
            self.header.hash ^= variant.zobrist.out(side);
        }
    }

    /// The castling rights: bit `i` stands for the variant's castling number `i`.
    pub fn rights(&self) -> u16 {
        self.header.rights
    }

    /// Sets the castling rights.
    pub fn set_rights(&mut self, variant: &Variant, rights: u16) {
        if rights != self.header.rights {
            self.header.hash ^= variant.zobrist.castling(self.header.rights) ^ variant.zobrist.castling(rights);
            self.header.rights = rights;
        }
    }

    /// The en passant rights, oldest first.
    pub fn en_passant(&self) -> &[EnPassant] {
        &self.header.en_passant[..self.header.en_passant_len as usize]
    }

    /// Adds an en passant right.
    pub fn add_en_passant(&mut self, variant: &Variant, right: EnPassant) {
        if self.header.en_passant_len as usize == MAX_EN_PASSANT {
            self.forget_oldest_right(variant);
        }
        self.header.hash ^= variant.zobrist.en_passant(right.target);
        self.header.en_passant[self.header.en_passant_len as usize] = right;
        self.header.en_passant_len += 1;
    }

    #[cold]
    fn forget_oldest_right(&mut self, variant: &Variant) {
        let oldest = self.header.en_passant[0];
        self.retain_en_passant(variant, |right| right != oldest);
    }

    /// Keeps only the en passant rights for which `keep` holds.
    pub fn retain_en_passant(&mut self, variant: &Variant, keep: impl Fn(EnPassant) -> bool) {
        let (mut len, before) = (0, self.header.en_passant_len as usize);
        for i in 0..before {
            let right = self.header.en_passant[i];
            if keep(right) {
                self.header.en_passant[len] = right;
                len += 1;
            } else {
                self.header.hash ^= variant.zobrist.en_passant(right.target);
            }
        }
        self.header.en_passant[len..before].fill(NO_RIGHT);
        self.header.en_passant_len = len as u8;
    }

    /// Plies since the last capture or move of a kind that restarts the count.
    pub fn clock(&self) -> u16 {
        self.header.clock
    }

    /// Sets the count of plies.
    pub fn set_clock(&mut self, clock: u16) {
        self.header.clock = clock;
    }

    /// The number of the round, from 1; it grows when the first side gets its turn.
    pub fn number(&self) -> u16 {
        self.header.number
    }

    /// Sets the number of the round.
    pub fn set_number(&mut self, number: u16) {
        self.header.number = number;
    }

    /// The hash of placement, side, rights, hands, counters and traits; clocks do not count.
    pub fn hash(&self) -> u64 {
        self.header.hash
    }

    /// Puts `piece` on the empty `square`, its traits at their initial values; in games with heaps on top of the pieces
    /// there.
    pub fn put(&mut self, variant: &Variant, square: Square, piece: Piece) {
        debug_assert!((self.has_heaps() || self.at(square).is_none()) && !piece.is_none());
        if self.layout.load != Load::Nothing {
            self.make_room(variant, square);
            self.set_piece(variant, square, piece);
            return self.reset_traits(variant, square, piece);
        }
        self.set_piece(variant, square, piece);
    }

    /// Covers the piece on a square that is about to receive another.
    fn make_room(&mut self, variant: &Variant, square: Square) {
        if self.has_heaps() && !self.at(square).is_none() {
            self.cover(variant, square);
        }
    }

    fn set_piece(&mut self, variant: &Variant, square: Square, piece: Piece) {
        self.board[square.index()] = piece.low_byte();
        self.bitboards.flip(self.layout.shape, piece, square);
        self.header.hash ^= variant.zobrist.piece(piece, square);
        if variant.royals.contains(piece.kind()) {
            self.header.royal_count[piece.side().index()] += 1;
            self.header.royal_at[piece.side().index()] = square;
        }
    }

    /// Removes the piece on `square` (of a heap the topmost) and returns it; [`Piece::NONE`] if it is empty.
    pub fn take(&mut self, variant: &Variant, square: Square) -> Piece {
        let piece = self.at(square);
        if !piece.is_none() {
            self.take_piece(variant, square, piece);
        }
        piece
    }

    /// Removes `piece`, which is on `square`.
    fn take_piece(&mut self, variant: &Variant, square: Square, piece: Piece) {
        self.lift_top(variant, square, piece);
        if variant.royals.contains(piece.kind()) {
            self.royal_gone(variant, piece.side());
        }
        if self.layout.load != Load::Nothing {
            self.clear_traits(variant, square);
            self.uncover(variant, square);
        }
    }

    /// Removes the topmost piece of a square from the board's data.
    fn lift_top(&mut self, variant: &Variant, square: Square, piece: Piece) {
        self.board[square.index()] = 0;
        self.bitboards.flip(self.layout.shape, piece, square);
        self.header.hash ^= variant.zobrist.piece(piece, square);
    }

    fn royal_gone(&mut self, variant: &Variant, side: Side) {
        self.header.royal_count[side.index()] -= 1;
        if self.header.royal_count[side.index()] == 1 {
            self.find_royal(variant, side);
        }
    }

    #[cold]
    fn find_royal(&mut self, variant: &Variant, side: Side) {
        let left = self.of_kinds(side, variant.royals).lowest();
        self.header.royal_at[side.index()] = left.unwrap_or(Square(0));
    }

    /// Moves the piece on `from` to the empty `to` with its traits; it may change kind or owner.
    #[inline(always)]
    pub(crate) fn shift(&mut self, variant: &Variant, from: Square, to: Square, becomes: Piece) {
        if becomes != self.at(from) {
            return self.shift_and_change(variant, from, to, becomes);
        }
        self.shift_unchanged(variant, from, to, becomes);
    }

    /// Moves an unchanged piece from one square to another, which is empty.
    #[inline(always)]
    fn shift_unchanged(&mut self, variant: &Variant, from: Square, to: Square, becomes: Piece) {
        if self.layout.load != Load::Nothing && !(self.is_flat() && self.is_vacant(to)) {
            return self.shift_and_change(variant, from, to, becomes);
        }
        self.board[from.index()] = 0;
        self.board[to.index()] = becomes.low_byte();
        self.bitboards.shift(self.layout.shape, becomes, from, to);
        let keys = variant.zobrist.row(becomes);
        self.header.hash ^= keys[from.index()] ^ keys[to.index()];
        if variant.marks[becomes.index()] & mark::ROYAL != 0 {
            // Correct if it is the only royal, and meaningless otherwise.
            self.header.royal_at[becomes.side().index()] = to;
        }
    }

    #[inline(never)]
    fn shift_and_change(&mut self, variant: &Variant, from: Square, to: Square, becomes: Piece) {
        let kept = self.lift(variant, from);
        self.lay(variant, to, becomes, kept);
    }
}
