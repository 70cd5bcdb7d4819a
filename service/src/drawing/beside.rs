//! Hands and dice beside the board of a picture.
//!
//! Owns their layout and the look of a die. The board is drawn by `svg.rs`.

use super::svg::{ABREAST, CELL, Held, LINE, MARGIN, Svg, escaped};
use astragal_core::{Kind, Piece, Side};
use astragal_dsl::game_text;

/// The pips of each face: column and row, each in thirds of the die.
const PIPS: [&[(i64, i64)]; 6] = [
    &[(1, 1)],
    &[(0, 0), (2, 2)],
    &[(0, 0), (1, 1), (2, 2)],
    &[(0, 0), (0, 2), (2, 0), (2, 2)],
    &[(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)],
    &[(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)],
];
impl Svg<'_> {
    /// Draws dice and, with `hands`, pieces in hand beside the board, from `left` on. Returns where they end, if there are
    /// any. The side that plays upward holds its pieces below.
    pub(super) fn beside(&mut self, left: i64, dice: &[i16], hands: bool) -> Option<i64> {
        let sides = self.drawing.variant.sides();
        let order: Vec<usize> = if self.theme.flipped { (0..sides).collect() } else { (0..sides).rev().collect() };
        let (first, others) = order.split_last()?;
        let begin = MARGIN;
        let mut y = begin;
        for &side in others.iter().filter(|_| hands) {
            y = self.hand(Side(side as u8), left, y);
        }
        y = self.dice(dice, left, y);
        if hands {
            y = self.hand(Side(*first as u8), left, y);
        }
        (y > begin).then_some(y)
    }

    /// Draws the pieces that a side holds, from `y` on; returns where they end.
    fn hand(&mut self, side: Side, left: i64, mut y: i64) -> i64 {
        let (variant, position) = (self.drawing.variant, self.drawing.position);
        let count = |kind: Kind| if variant.spec().hands { position.in_hand(variant, side, kind) } else { 0 };
        let all = (0..variant.kinds().len() as u8).map(Kind);
        let held: Vec<(Kind, i32)> = all.map(|kind| (kind, i32::from(count(kind)))).filter(|(_, n)| *n > 0).collect();
        if held.is_empty() {
            return y;
        }
        y = self.heading(&format!("{} holds", game_text::side_name(variant, side)), left, y);
        for row in held.chunks(ABREAST) {
            for (column, (kind, n)) in row.iter().enumerate() {
                let (x, middle) = (left + CELL * 3 / 10 + column as i64 * CELL, y + CELL * 3 / 10);
                self.held_piece(Piece::new(side, *kind), *n, (x, middle), CELL * 6 / 10);
                if *n > 1 {
                    let (x, low) = (x + CELL * 27 / 60, middle + 5);
                    self.line(format!(
                        "<text class=\"rim\" x=\"{x}\" y=\"{low}\" font-size=\"13\" fill=\"{LINE}\">\u{d7}{n}</text>"
                    ));
                }
            }
            y += CELL * 42 / 60;
        }
        y + MARGIN / 2
    }

    /// Draws pieces in hand as one piece, as wide as a square of this width.
    pub(super) fn held_piece(&mut self, piece: Piece, count: i32, (x, y): (i64, i64), width: i64) {
        let scale = width as f64 / CELL as f64;
        self.line(format!("<g transform=\"translate({x} {y}) scale({scale})\">"));
        self.piece(piece, 0, 0);
        self.line("</g>".into());
        self.held.push(Held { side: piece.side(), kind: piece.kind(), count, x, y, width });
    }

    fn dice(&mut self, dice: &[i16], left: i64, mut y: i64) -> i64 {
        if dice.is_empty() {
            return y;
        }
        y = self.heading("Dice left", left, y);
        let size = CELL * 32 / 60;
        for row in dice.chunks(ABREAST) {
            for (column, face) in row.iter().enumerate() {
                self.die(*face, left + column as i64 * CELL * 42 / 60, y, size);
            }
            y += CELL * 42 / 60;
        }
        y + MARGIN / 2
    }

    /// Draws a die with its upper left corner at a point: pips, or a number for faces that no common die has.
    fn die(&mut self, face: i16, x: i64, y: i64, size: i64) {
        self.line(format!(
            "<g><title>{face}</title><rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"6\" \
             fill=\"#ffffff\" stroke=\"{LINE}\"/>"
        ));
        let middle = |third: i64| size / 2 + (third - 1) * size * 9 / 32;
        match usize::try_from(face - 1).ok().and_then(|face| PIPS.get(face)) {
            None => self.text(&face.to_string(), x + size / 2, y + size / 2, 18, "#222222"),
            Some(pips) => {
                for (column, row) in *pips {
                    let (x, y) = (x + middle(*column), y + middle(*row));
                    self.line(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"#222222\"/>"));
                }
            }
        }
        self.line("</g>".into());
    }

    /// Draws a heading beside the board; returns where its content begins.
    fn heading(&mut self, text: &str, left: i64, y: i64) -> i64 {
        let (text, low) = (escaped(text), y + 14);
        self.line(format!(
            "<text class=\"rim\" x=\"{left}\" y=\"{low}\" font-size=\"14\" text-anchor=\"start\" \
             fill=\"{LINE}\">{text}</text>"
        ));
        y + 24
    }
}
