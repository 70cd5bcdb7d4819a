//! A position with its marks, ready to be drawn: its squares in drawing order, with their contents and names.

use super::heaps;
use super::symbol::symbol;
use super::theme::Theme;
use astragal_core::{Event, Game, HistoryEntry, Move, Note, Position, Side, Square, SquareSet, Variant};

/// A position with its marks.
#[derive(Clone, Copy)]
pub struct BoardDrawing<'a> {
    /// The variant.
    pub(crate) variant: &'a Variant,
    /// The position.
    pub(crate) position: &'a Position,
    /// The last move.
    pub(crate) last: Option<Move>,
    /// The squares of pieces that can move now.
    pub(crate) movable: SquareSet,
    /// Whether the script's look is drawn: signs, bars and numbers.
    pub(crate) dressed: bool,
    /// The side whose secrets are drawn in pictures.
    pub(crate) viewer: Option<Side>,
}

/// The last move played, to be marked on the board.
fn last_move(game: &Game) -> Option<Move> {
    // Moves made by rules follow the move that the player made.
    let made = |note: &Note| if let Note::Made(made) = note { Some(made.mv) } else { None };
    let played = |event: &Event| if let Event::Move(paid) = event { Some(paid.mv) } else { None };
    let last = |entry: &HistoryEntry| entry.notes.iter().rev().find_map(made).or_else(|| played(&entry.event));
    game.entries().iter().rev().find_map(last)
}

/// How a square is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    None,
    /// The origin of the last move.
    From,
    /// The target of the last move.
    To,
    /// A piece on it can move now.
    Movable,
}

impl<'a> BoardDrawing<'a> {
    /// A position without marks.
    pub fn plain(variant: &'a Variant, position: &'a Position) -> BoardDrawing<'a> {
        BoardDrawing { variant, position, last: None, movable: SquareSet::EMPTY, dressed: true, viewer: None }
    }

    /// The position of a game with the last move. If `open` is set, the pieces that can move are marked, too.
    pub fn of(game: &'a Game, open: bool) -> BoardDrawing<'a> {
        let state = game.state();
        let movable = state.moves().iter().filter(|paid| open && paid.mv.dropped().is_none()).map(|paid| paid.mv.from);
        BoardDrawing {
            variant: &state.ruleset().variant,
            position: state.position(),
            last: last_move(game),
            movable: movable.collect(),
            dressed: true,
            viewer: None,
        }
    }

    /// The same without marks for movable pieces: for pictures that are not played on.
    #[must_use]
    pub fn still(self) -> BoardDrawing<'a> {
        BoardDrawing { movable: SquareSet::EMPTY, ..self }
    }

    /// The same as a side sees it in pictures, with the secrets of its own pieces.
    #[must_use]
    pub fn seen_by(self, viewer: Option<Side>) -> BoardDrawing<'a> {
        BoardDrawing { viewer, ..self }
    }

    /// The text of a square without colors: a piece with the height of its heap and its visible numbers, or the sign of the
    /// square.
    pub(super) fn text(&self, square: Square, theme: Theme) -> String {
        let piece = self.position.at(square);
        let mut text = symbol(self.variant, piece, theme);
        if let Some(height) = heaps::height(self.position, square) {
            text.push_str(&height.to_string());
        }
        if !self.dressed {
            return text;
        }
        if piece.is_none() {
            return self.sign(square, theme).map_or(text, String::from);
        }
        for (i, _) in self.variant.spec().traits.iter().enumerate().filter(|(_, def)| def.shown) {
            text.push_str(&self.position.trait_at(self.variant, i, square).to_string());
        }
        text
    }

    /// The sign of an empty square, if it has its own.
    pub(super) fn sign(&self, square: Square, theme: Theme) -> Option<char> {
        let sign = self.variant.board().drawing().sign(square).filter(|_| self.dressed)?;
        Some(if theme.boxes { sign.picture } else { sign.letter })
    }

    pub(super) fn mark(&self, square: Square) -> Mark {
        match self.last {
            Some(mv) if mv.to == square => Mark::To,
            Some(mv) if mv.from == square && mv.dropped().is_none() => Mark::From,
            _ if self.movable.contains(square) => Mark::Movable,
            _ => Mark::None,
        }
    }

    /// The vertical offset of a hexagon, in half cells.
    pub(super) fn height(&self, square: Square) -> i32 {
        let board = self.variant.board();
        2 * i32::from(board.rank(square)) - i32::from(board.file(square))
    }

    /// Files from left to right and ranks from top to bottom.
    pub(super) fn order(&self, flipped: bool) -> (Vec<u8>, Vec<u8>) {
        let board = self.variant.board();
        let mut files: Vec<u8> = (0..board.width()).collect();
        let mut ranks: Vec<u8> = (0..board.height()).rev().collect();
        if flipped {
            files.reverse();
            ranks.reverse();
        }
        (files, ranks)
    }

    pub(super) fn rank_name(&self, rank: u8) -> String {
        (u32::from(rank) + u32::from(self.variant.board().first_rank())).to_string()
    }

    /// The width of the rank names.
    pub(super) fn margin(&self) -> usize {
        self.rank_name(self.variant.board().height() - 1).len()
    }
}
