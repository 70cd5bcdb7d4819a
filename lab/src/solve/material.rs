//! All placements of some pieces: `KRvK` is a king and a rook of the first side against a king of the second.
//!
//! Owns how material is written, and the list of its positions. A piece that never leaves a region is only placed there,
//! and none is placed where it would have had to promote.

use super::limits::SolveError;
use astragal_core::{Kind, Piece, Position, Side, Square, SquareSet, Variant};

/// The pieces of an ending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Material {
    /// The pieces, equal ones next to each other.
    pieces: Vec<Piece>,
}

impl Material {
    /// Reads the letters of the first side's pieces, a `v`, and those of the second side's.
    ///
    /// # Errors
    /// If a letter is not that of a piece, or there is not one `v`.
    pub fn parse(variant: &Variant, text: &str) -> Result<Material, SolveError> {
        let error = |message: String| SolveError::Material(format!("'{text}': {message}"));
        let Some((first, second)) = text.split_once('v') else {
            return Err(error("expected the pieces of both sides with a 'v' between them, such as 'KRvK'".into()));
        };
        let mut pieces = Vec::new();
        for (side, letters) in [(Side(0), first), (Side(1), second)] {
            let mut rest = letters;
            while !rest.is_empty() {
                let longest = variant
                    .kinds()
                    .iter()
                    .filter(|kind| rest.starts_with(kind.letter.as_str()))
                    .max_by_key(|kind| kind.letter.len());
                let Some(found) = longest else {
                    let all: Vec<&str> = variant.kinds().iter().map(|kind| kind.letter.as_str()).collect();
                    return Err(error(format!(
                        "no piece has the letter '{}'; the letters are {}",
                        rest.chars().next().unwrap_or_default(),
                        all.join(", ")
                    )));
                };
                pieces.push((side, variant.kind_lettered(&found.letter).unwrap_or(Kind(0))));
                rest = &rest[found.letter.len()..];
            }
        }
        pieces.sort();
        Ok(Material { pieces: pieces.into_iter().map(|(side, kind)| Piece::new(side, kind)).collect() })
    }

    /// The number of placements that [`Material::each`] visits, or more: pieces of different kinds are counted on the same
    /// square, too.
    pub fn placements(&self, variant: &Variant) -> u128 {
        let alike = self.pieces.chunk_by(|a, b| a == b);
        let ways = alike.map(|alike| {
            let squares = u128::from(squares_of(variant, alike[0]).len());
            (0..alike.len() as u128).fold(1, |ways: u128, n| ways.saturating_mul(squares.saturating_sub(n)) / (n + 1))
        });
        ways.fold(2, u128::saturating_mul)
    }

    /// Visits every placement of the pieces on different squares, each with both sides to move. Equal pieces are placed
    /// once.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn each(
        &self,
        variant: &Variant,
        visit: &mut dyn FnMut(&Position) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let squares: Vec<SquareSet> = self.pieces.iter().map(|piece| squares_of(variant, *piece)).collect();
        self.place(variant, &squares, &mut Vec::new(), visit)
    }

    fn place(
        &self,
        variant: &Variant,
        squares: &[SquareSet],
        placed: &mut Vec<Square>,
        visit: &mut dyn FnMut(&Position) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let at = placed.len();
        if at == self.pieces.len() {
            let mut position = Position::empty(variant);
            self.pieces.iter().zip(placed.iter()).for_each(|(&piece, &square)| position.put(variant, square, piece));
            for side in [Side(0), Side(1)] {
                position.set_side(variant, side);
                visit(&position)?;
            }
            return Ok(());
        }
        let alike = at > 0 && self.pieces[at - 1] == self.pieces[at];
        for square in squares[at] {
            if placed.contains(&square) || (alike && placed[at - 1] > square) {
                continue;
            }
            placed.push(square);
            self.place(variant, squares, placed, visit)?;
            placed.pop();
        }
        Ok(())
    }
}

/// The squares where a piece can stand.
fn squares_of(variant: &Variant, piece: Piece) -> SquareSet {
    let board = variant.board();
    let region =
        |name: &str| board.region(name).map_or(SquareSet::EMPTY, |region| region.squares[piece.side().index()]);
    let kind = &variant.kinds()[piece.kind().index()];
    let within = kind.within.as_deref().map_or(board.squares(), region);
    match kind.promotion.as_ref().filter(|promotion| promotion.forced && !promotion.on_leaving) {
        Some(promotion) => within - region(&promotion.zone),
        None => within,
    }
}
