//! Where pieces may be dropped.

use super::Position;
use crate::board::piece::Piece;
use crate::board::square::SquareSet;
use crate::variant::Variant;

impl Position {
    /// The squares where the declaration allows `piece` to be dropped in this position, including occupied ones.
    pub(crate) fn droppable(&self, variant: &Variant, piece: Piece) -> SquareSet {
        let squares = variant.drop_zone(piece);
        if variant.kind(piece.kind()).drops_apart { squares - self.files_of(variant, piece) } else { squares }
    }

    /// The files with a piece `piece`.
    #[cold]
    fn files_of(&self, variant: &Variant, piece: Piece) -> SquareSet {
        let board = variant.board();
        self.squares_of(piece).into_iter().fold(SquareSet::EMPTY, |all, s| all | board.file_set(board.file(s)))
    }
}
