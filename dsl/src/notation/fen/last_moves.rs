//! The last moves of the sides as a field of positions, in games whose rules ask for them: `last_move=P:e2:e4/-`.
//!
//! For each side: the piece's letter, origin and target, then additions. `p:d5` is the captured piece and its square, `=Q`
//! the promotion, and `t3.0` the tag of a rarer move and its parameter.

use super::super::NotationError;
use super::letters::letter;
use super::reader::Reader;
use astragal_core::{Kind, Made, Move, Position, Side, Tag, Variant};
use std::ops::Range;

/// The name of the field, and of the counter that holds the moves.
pub(crate) const LAST_MOVE: &str = "last_move";

const SHAPE: &str = "each side's last move ('P:e2:e4', or '-' for none), separated by '/'";

/// Writes the field, unless no side has moved.
pub(super) fn write(variant: &Variant, position: &Position, text: &mut String) {
    let all: Vec<_> = (0..variant.sides() as u8).map(|side| position.last_move(variant, Side(side))).collect();
    if all.iter().any(Option::is_some) {
        let one = |made: &Option<Made>| made.as_ref().map_or("-".into(), |made| one(variant, made));
        text.push_str(&format!(" {LAST_MOVE}={}", all.iter().map(one).collect::<Vec<_>>().join("/")));
    }
}

fn one(variant: &Variant, made: &Made) -> String {
    let (board, mv) = (variant.board(), made.mv);
    let mut parts = vec![letter(variant, made.piece()), board.name(mv.from), board.name(mv.to)];
    if let Some((captured, at)) = made.captured() {
        parts.extend([letter(variant, captured), board.name(at)]);
    }
    match mv.promotion().filter(|_| mv.tag == Tag::Plain) {
        Some(kind) => parts.push(format!("={}", variant.kinds()[kind.index()].letter)),
        None if mv.tag != Tag::Plain => parts.push(format!("t{}.{}", mv.tag as u8, mv.extra)),
        None => {}
    }
    parts.join(":")
}

impl Reader<'_> {
    /// Reads what [`write`] writes.
    pub(super) fn last_moves(&mut self, span: Range<usize>) -> Result<(), NotationError> {
        let text = self.text;
        let all: Vec<&str> = text[span.clone()].split('/').collect();
        if all.len() != self.variant.sides() {
            return Err(self.error(span, SHAPE));
        }
        let mut start = span.start;
        for (side, part) in all.into_iter().enumerate() {
            let place = start..start + part.len();
            start = place.end + 1;
            let made = if part == "-" { None } else { Some(self.last_move(part, place)?) };
            self.position.set_last_move(self.variant, Side(side as u8), made);
        }
        Ok(())
    }

    fn last_move(&self, part: &str, place: Range<usize>) -> Result<Made, NotationError> {
        let wrong = || self.error(place.clone(), SHAPE);
        let piece = |word: &str| {
            let all = (0..self.variant.sides() as u8).flat_map(|side| {
                (0..self.variant.kinds().len() as u8).map(move |kind| astragal_core::Piece::new(Side(side), Kind(kind)))
            });
            let mut named = all.filter(|&piece| letter(self.variant, piece) == word);
            named.next().ok_or_else(wrong)
        };
        let square = |word: &str| self.variant.board().parse(word).ok_or_else(wrong);
        let mut words = part.split(':').peekable();
        let mut next = || words.next().ok_or_else(wrong);
        let (moved, from, to) = (piece(next()?)?, square(next()?)?, square(next()?)?);
        let mut mv = Move::plain(from, to);
        let mut captured = None;
        while let Some(word) = words.next() {
            if let Some(kind) = word.strip_prefix('=') {
                let kind = self.variant.kinds().iter().position(|known| known.letter == kind).ok_or_else(wrong)?;
                mv.extra = kind as u8;
            } else if let Some((tag, extra)) = word.strip_prefix('t').and_then(|word| word.split_once('.')) {
                mv.tag = tag.parse().ok().and_then(Tag::numbered).ok_or_else(wrong)?;
                mv.extra = extra.parse().map_err(|_| wrong())?;
            } else {
                captured = Some((piece(word)?, square(words.next().ok_or_else(wrong)?)?));
            }
        }
        Ok(Made::new(mv, moved, captured))
    }
}
