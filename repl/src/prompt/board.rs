//! Drawing a position for people: letters or pictures, any size of board, holes, either way up.
//!
//! It knows nothing of commands or terminals beyond what a [`Look`] says.

use astragal_core::board::Cells;
use astragal_core::{Made, Piece, Position, Square, Variant};
use astragal_dsl::notation::fen;
use unicode_width::UnicodeWidthStr;

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pieces {
    /// The letters of position texts.
    #[default]
    Letters,
    /// Pictures where the variant has them.
    Unicode,
}

/// How boards and messages look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// Letters or pictures.
    pub pieces: Pieces,
    /// Whether colours are used.
    pub color: bool,
    /// Whether the board is drawn from the second side.
    pub flipped: bool,
}

impl Look {
    /// `text` in a colour or style, by its number in terminals; plain without colours.
    pub fn paint(&self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }
}

/// The colour of each side's pieces.
const SIDES: [&str; 4] = ["1;97", "1;36", "1;33", "1;32"];
/// The style of squares that the last move touched.
const TOUCHED: &str = "4";

/// Draws a position over several lines, with the names of files and ranks. `last` is marked.
pub fn draw(variant: &Variant, position: &Position, look: Look, last: Option<&Made>) -> String {
    let board = variant.board();
    let cells: Vec<String> = board.squares().into_iter().map(|s| symbol(variant, position.at(s), look)).collect();
    let width = cells.iter().map(|cell| cell.width()).max().unwrap_or(1).max(1);
    if board.cells() == Cells::Hex {
        let mut out = honeycomb(variant, position, look, last, width);
        out.push_str(&hands(variant, position, look));
        return out;
    }
    let margin = (u32::from(board.height()) - 1 + u32::from(board.first_rank())).to_string().len();
    let order = |n: u8| -> Vec<u8> { if look.flipped { (0..n).rev().collect() } else { (0..n).collect() } };
    let (files, ranks) = (order(board.width()), order(board.height()));
    let mut out = String::new();
    for &rank in ranks.iter().rev() {
        let name = (u32::from(rank) + u32::from(board.first_rank())).to_string();
        out.push_str(&look.paint("2", &format!("{name:>margin$}")));
        for &file in &files {
            out.push(' ');
            out.push_str(&cell(variant, position, board.at(i64::from(file), i64::from(rank)), look, last, width));
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    let names = files.iter().map(|&file| format!(" {:<width$}", (b'a' + file) as char)).collect::<String>();
    out.push_str(&look.paint("2", &format!("{}{}", " ".repeat(margin), names.trim_end())));
    out.push('\n');
    out.push_str(&hands(variant, position, look));
    out
}

/// Hexagons: files run straight up, each half a cell lower than the one to its left, so that neighbours
/// stand next to each other. Each line begins with the name of its first cell.
fn honeycomb(variant: &Variant, position: &Position, look: Look, last: Option<&Made>, width: usize) -> String {
    let board = variant.board();
    let height = |s: Square| 2 * i32::from(board.rank(s)) - i32::from(board.file(s));
    let mut heights: Vec<i32> = board.squares().into_iter().map(height).collect();
    heights.sort_unstable();
    heights.dedup();
    if !look.flipped {
        heights.reverse();
    }
    let margin = board.squares().into_iter().map(|s| board.name(s).len()).max().unwrap_or(2);
    let column = |s: Square| match look.flipped {
        true => usize::from(board.width() - 1 - board.file(s)),
        false => usize::from(board.file(s)),
    };
    let mut out = String::new();
    for level in heights {
        let mut row: Vec<Square> = board.squares().into_iter().filter(|&s| height(s) == level).collect();
        row.sort_by_key(|&s| column(s));
        let name = row.first().map_or(String::new(), |&s| board.name(s));
        out.push_str(&look.paint("2", &format!("{name:>margin$}")));
        let mut at = 0;
        for square in row {
            out.push_str(&" ".repeat((column(square) - at) * (width + 1) + 1));
            out.push_str(&cell(variant, position, Some(square), look, last, width));
            at = column(square) + 1;
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

fn cell(
    variant: &Variant,
    position: &Position,
    square: Option<Square>,
    look: Look,
    last: Option<&Made>,
    width: usize,
) -> String {
    let Some(square) = square else { return " ".repeat(width) };
    let piece = position.at(square);
    let text = symbol(variant, piece, look);
    let pad = " ".repeat(width.saturating_sub(text.width()));
    let touched = last.is_some_and(|made| made.mv.from == square || made.mv.to == square);
    let code = match (piece.is_none(), touched) {
        (true, true) => TOUCHED.to_owned(),
        (true, false) => "2".to_owned(),
        (false, touched) => format!("{}{}", if touched { "4;" } else { "" }, SIDES[piece.side().index()]),
    };
    format!("{}{pad}", look.paint(&code, &text))
}

/// What stands on a square, uncoloured.
fn symbol(variant: &Variant, piece: Piece, look: Look) -> String {
    if piece.is_none() {
        return if look.pieces == Pieces::Unicode { "·".into() } else { ".".into() };
    }
    let glyphs = variant.kinds().get(piece.kind().index()).map_or(&[][..], |kind| &kind.glyphs[..]);
    match glyphs.get(piece.side().index()) {
        Some(glyph) if look.pieces == Pieces::Unicode && !glyph.is_empty() => picture(glyph, look),
        _ => fen::letter(variant, piece),
    }
}

/// Chess figures come hollow and filled. Hollow ones look black on dark terminals: with colours, both
/// sides get the filled shape. The pawn needs a mark behind it, or some terminals draw it as an emoji.
fn picture(glyph: &str, look: Look) -> String {
    let mut chars = glyph.chars();
    match (chars.next(), chars.next()) {
        (Some(c @ '\u{2654}'..='\u{265f}'), None | Some('\u{fe0e}')) => {
            let hollow = c <= '\u{2659}';
            let c = if look.color && hollow { char::from_u32(c as u32 + 6).unwrap_or(c) } else { c };
            if c == '\u{265f}' { format!("{c}\u{fe0e}") } else { c.to_string() }
        }
        _ => glyph.to_owned(),
    }
}

/// The hands, one line for each side that holds something.
fn hands(variant: &Variant, position: &Position, look: Look) -> String {
    if !variant.spec().hands {
        return String::new();
    }
    let mut out = String::new();
    for (i, def) in variant.spec().sides.iter().enumerate() {
        let side = astragal_core::Side(i as u8);
        let held = (0..variant.kinds().len() as u8).map(astragal_core::Kind).flat_map(|kind| {
            let count = position.in_hand(variant, side, kind).max(0) as usize;
            std::iter::repeat_n(symbol(variant, Piece::new(side, kind), look), count)
        });
        let held: Vec<String> = held.collect();
        if !held.is_empty() {
            out.push_str(&format!("{} holds {}\n", def.name, held.join(" ")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shelf::Shelf;

    fn drawn(look: Look) -> String {
        let loaded = Shelf::new().load("chess", &[]).unwrap();
        draw(&loaded.set.variant, &loaded.start, look, None)
    }

    #[test]
    fn letters() {
        let expected = "8 r n b q k b n r\n7 p p p p p p p p\n6 . . . . . . . .\n5 . . . . . . . .\n\
                        4 . . . . . . . .\n3 . . . . . . . .\n2 P P P P P P P P\n1 R N B Q K B N R\n  a b c d e f g h\n";
        assert_eq!(drawn(Look::default()), expected);
    }

    #[test]
    fn from_the_other_side() {
        let drawn = drawn(Look { flipped: true, ..Look::default() });
        assert!(drawn.starts_with("1 R N B K Q B N R\n2 P"), "{drawn}");
        assert!(drawn.ends_with("8 r n b k q b n r\n  h g f e d c b a\n"), "{drawn}");
    }

    #[test]
    fn colours_are_only_there_when_asked_for() {
        assert!(!drawn(Look { pieces: Pieces::Unicode, ..Look::default() }).contains('\x1b'));
        assert!(drawn(Look { color: true, ..Look::default() }).contains("\x1b[1;97mR\x1b[0m"));
    }

    #[test]
    fn figures_are_filled_where_colour_tells_the_sides_apart() {
        let plain = Look { pieces: Pieces::Unicode, ..Look::default() };
        assert_eq!(picture("\u{2659}", plain), "\u{2659}");
        assert_eq!(picture("\u{2659}", Look { color: true, ..plain }), "\u{265f}\u{fe0e}");
        assert_eq!(picture("\u{265c}", plain), "\u{265c}");
        assert_eq!(picture("帥", plain), "帥");
    }
}
