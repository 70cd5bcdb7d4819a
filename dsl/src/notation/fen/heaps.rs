//! What lies beneath the topmost pieces as a field of positions, in games whose pieces stand on one another:
//! `under=a1:2Mm,c4:M`.
//!
//! Of each heap its square, then the pieces from the bottom up, the topmost left out: it stands in the placement. A number
//! stands before several of a kind.

use super::super::NotationError;
use super::{Reader, letter};
use astragal_core::position::MOST_BENEATH;
use astragal_core::{Piece, Position, Square, Variant};
use std::ops::Range;

/// The name of the field.
pub(crate) const UNDER: &str = "under";

const SHAPE: &str = "a square and what lies on it beneath the topmost piece, from the bottom up, as 'a1:2Mm'";

/// Writes the field; nothing where no piece lies beneath another.
pub(super) fn write(variant: &Variant, position: &Position, text: &mut String) {
    let heaps = position.heaps(2).into_iter();
    let heaps: Vec<String> = heaps.map(|square| one(variant, position, square)).collect();
    if !heaps.is_empty() {
        text.push_str(&format!(" {UNDER}={}", heaps.join(",")));
    }
}

fn one(variant: &Variant, position: &Position, square: Square) -> String {
    let pieces: Vec<Piece> = position.beneath(square).collect();
    let alike = pieces.chunk_by(|a, b| a == b).map(|alike| match alike.len() {
        1 => letter(variant, alike[0]),
        count => format!("{count}{}", letter(variant, alike[0])),
    });
    format!("{}:{}", variant.board().name(square), alike.collect::<String>())
}

impl Reader<'_> {
    /// Reads what [`write`] writes.
    pub(super) fn under(&mut self, span: Range<usize>) -> Result<(), NotationError> {
        let (mut start, mut left) = (span.start, MOST_BENEATH);
        for part in self.text[span].split(',') {
            let place = start..start + part.len();
            start = place.end + 1;
            let Some((name, _)) = part.split_once(':') else { return Err(self.error(place, SHAPE)) };
            let named = place.start..place.start + name.len();
            let square = self.square(named.clone(), SHAPE)?;
            if self.position.at(square).is_none() {
                let error = self.error(named, "a square with a piece").found("an empty square");
                return Err(error.help("the topmost piece of a heap stands on the board: put it there"));
            }
            if self.position.height(square) > 1 {
                return Err(self.error(named, "each square once"));
            }
            let pieces = self.lying(named.end + 1..place.end, &mut left)?;
            self.position.put_beneath(self.variant, square, &pieces);
        }
        Ok(())
    }

    /// Pieces from the bottom up, of which so many may be `left`.
    fn lying(&self, span: Range<usize>, left: &mut usize) -> Result<Vec<Piece>, NotationError> {
        let mut pieces = Vec::new();
        let mut at = span.start;
        while at < span.end || pieces.is_empty() {
            let rest = &self.text[at..span.end];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let count = if digits == 0 { Some(1) } else { rest[..digits].parse::<usize>().ok() };
            let Some(count) = count.filter(|count| (1..=*left).contains(count)) else {
                let most = format!("a number of pieces; at most {MOST_BENEATH} lie beneath others in a position");
                return Err(self.error(at..at + digits.max(1).min(rest.len()), most));
            };
            let (piece, length) = self.piece(at + digits..span.end)?;
            pieces.extend(std::iter::repeat_n(piece, count));
            *left -= count;
            at += digits + length;
        }
        Ok(pieces)
    }
}
