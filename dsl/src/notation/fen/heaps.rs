//! The pieces beneath the topmost ones as a field of positions, in games with stacked pieces: `under=a1:2Mm,c4:M`.
//!
//! Each heap is written as its square and the pieces from the bottom up. The topmost piece is in the placement instead. A
//! number comes before several pieces of a kind.

use super::super::NotationError;
use super::letters::letter;
use super::reader::Reader;
use astragal_core::position::MOST_BENEATH;
use astragal_core::{Piece, Position, Square, Variant};
use std::ops::Range;

/// The name of the field.
pub(crate) const UNDER: &str = "under";

const SHAPE: &str = "a square and the pieces below its top piece, from the bottom up, as in 'a1:2Mm'";

/// Writes the field, unless no piece is beneath another.
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
                return Err(error.help("put the top piece of each heap in the board part of the position"));
            }
            if self.position.height(square) > 1 {
                return Err(self.error(named, "each square at most once"));
            }
            let pieces = self.lying(named.end + 1..place.end, &mut left)?;
            self.position.put_beneath(self.variant, square, &pieces);
        }
        Ok(())
    }

    /// The correct form of a heap that was written into a rank, as `5*M` or `M*5`, or the general form if the attempt is
    /// unclear. `None` in games without heaps.
    pub(super) fn heap(&self, rank: &Range<usize>, number: usize) -> Option<String> {
        self.variant.spec().heaps.then_some(())?;
        let tried = self.heap_tried(rank).and_then(|(count, piece, file)| {
            let square = self.variant.board().at(file, number as i64)?;
            (count > 1).then(|| (count, letter(self.variant, piece), self.variant.board().name(square)))
        });
        Some(match tried {
            Some((count, letter, square)) => format!(
                "write only the top piece of the heap here, `{letter}`, and the pieces below it at the end: \
                 `under={square}:{}{letter}`",
                count - 1
            ),
            None => "write only the top piece of a heap here, and the pieces below it at the end, as in \
                 `under=a1:4M` for a heap of five"
                .into(),
        })
    }

    /// The number, the piece and the file of an attempt to write a heap.
    fn heap_tried(&self, rank: &Range<usize>) -> Option<(usize, Piece, i64)> {
        let width = i64::from(self.variant.board().width());
        let (mut at, mut file) = (rank.start, 0);
        let number = |at: usize| {
            let rest = &self.text[at.min(rank.end)..rank.end];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            rest[..digits].parse::<usize>().ok().map(|number| (number, digits))
        };
        let is_times = |at: usize| self.text[at.min(rank.end)..rank.end].starts_with(['*', 'x', '×']);
        while at < rank.end {
            if let Some((count, digits)) = number(at) {
                let sign = usize::from(is_times(at + digits));
                let piece = self.piece(at + digits + sign..rank.end).ok();
                let bracket = self.text[rank.start..at].ends_with(['(', '[', '{']);
                match piece {
                    Some((piece, _)) if sign > 0 || bracket || file + count as i64 > width => {
                        return Some((count, piece, file));
                    }
                    _ => {}
                }
                (at, file) = (at + digits, file + count as i64);
            } else if let Ok((piece, length)) = self.piece(at..rank.end) {
                let sign = usize::from(is_times(at + length));
                if let Some((count, _)) = number(at + length + sign).filter(|_| sign > 0) {
                    return Some((count, piece, file));
                }
                (at, file) = (at + length, file + 1);
            } else {
                at += self.text[at..].chars().next().map_or(1, char::len_utf8);
            }
        }
        None
    }

    /// Parses pieces from the bottom up, at most `left` of them, and subtracts their number from `left`.
    fn lying(&self, span: Range<usize>, left: &mut usize) -> Result<Vec<Piece>, NotationError> {
        let mut pieces = Vec::new();
        let mut at = span.start;
        while at < span.end || pieces.is_empty() {
            let rest = &self.text[at..span.end];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let count = if digits == 0 { Some(1) } else { rest[..digits].parse::<usize>().ok() };
            let Some(count) = count.filter(|count| (1..=*left).contains(count)) else {
                let most = format!("a number of pieces: at most {MOST_BENEATH} in a position can be below others");
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
