//! Boards drawn as text: a symbol of one or two characters on each square, with the names of files and ranks.
//!
//! The cells can be squares or hexagons. Holes are blank.

use astragal_core::board::{Board, Cells};
use astragal_core::{Position, Square, Variant};
use astragal_dsl::notation::fen;

/// Draws a board. Every line ends with a line break.
pub(crate) fn draw(board: &Board, symbol: impl Fn(Square) -> String) -> String {
    let symbols: Vec<(Square, String)> = board.squares().into_iter().map(|square| (square, symbol(square))).collect();
    let width = symbols.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(1);
    match board.cells() {
        Cells::Square => squares(board, &symbols, width),
        Cells::Hex => hexagons(board, &symbols, width),
    }
}

/// Draws the pieces of a position by their letters; a number after a letter is the height of a heap.
pub(crate) fn position(variant: &Variant, position: &Position) -> String {
    let symbol = |square: Square| {
        let piece = position.at(square);
        match position.height(square) {
            _ if piece.is_none() => ".".into(),
            height if height > 1 => format!("{}{height}", fen::letter(variant, piece)),
            _ => fen::letter(variant, piece),
        }
    };
    draw(variant.board(), symbol)
}

fn squares(board: &Board, symbols: &[(Square, String)], width: usize) -> String {
    let name = |rank: u8| (u32::from(rank) + u32::from(board.first_rank())).to_string();
    let margin = name(board.height() - 1).len();
    let mut out = String::new();
    for rank in (0..board.height()).rev() {
        let mut line = format!("{:>margin$}", name(rank));
        for file in 0..board.width() {
            let square = board.at(i64::from(file), i64::from(rank));
            let text = symbols.iter().find(|(known, _)| Some(*known) == square).map_or("", |(_, text)| text);
            line.push_str(&format!(" {text:<width$}"));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let files = (0..board.width()).map(|file| format!(" {:<width$}", (b'a' + file) as char)).collect::<String>();
    out.push_str(&format!("{}{}\n", " ".repeat(margin), files.trim_end()));
    out
}

/// Files run straight up, each half a cell lower than the file to its left. Each line begins with the name of its first
/// cell.
fn hexagons(board: &Board, symbols: &[(Square, String)], width: usize) -> String {
    let height = |square: Square| 2 * i32::from(board.rank(square)) - i32::from(board.file(square));
    let mut levels: Vec<i32> = symbols.iter().map(|(square, _)| height(*square)).collect();
    levels.sort_unstable_by(|a, b| b.cmp(a));
    levels.dedup();
    let margin = symbols.iter().map(|(square, _)| board.name(*square).len()).max().unwrap_or(2);
    let mut out = String::new();
    for level in levels {
        let mut row: Vec<&(Square, String)> = symbols.iter().filter(|(square, _)| height(*square) == level).collect();
        row.sort_by_key(|(square, _)| board.file(*square));
        let name = row.first().map_or(String::new(), |(square, _)| board.name(*square));
        let mut line = format!("{name:>margin$}");
        for (square, text) in row {
            let start = margin + 1 + usize::from(board.file(*square)) * (width + 1);
            let missing = start.saturating_sub(line.chars().count());
            line.push_str(&format!("{}{text}", " ".repeat(missing)));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_the_names_of_its_files_and_ranks() {
        let board = Board::new(2, 2, 1).unwrap();
        let text = draw(&board, |square| if square == Square(3) { "#".into() } else { ".".into() });
        assert_eq!(text, "2 . #\n1 . .\n  a b\n");
    }

    #[test]
    fn holes_are_blank_and_columns_align() {
        let mut board = Board::new(3, 10, 1).unwrap();
        board.cut(Square(4).into());
        let text = draw(&board, |square| if square.0 < 3 { "M2".into() } else { ".".into() });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "10 .  .  .");
        assert_eq!(lines[8..], [" 2 .     .", " 1 M2 M2 M2", "   a  b  c"]);
    }

    #[test]
    fn the_starting_position_of_chess_is_drawn() {
        let loaded = astragal_dsl::load_named("chess", &[]).unwrap();
        let expected = "\
            8 r n b q k b n r\n7 p p p p p p p p\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . . . . .\n\
            3 . . . . . . . .\n2 P P P P P P P P\n1 R N B Q K B N R\n  a b c d e f g h\n";
        assert_eq!(position(&loaded.set.variant, &loaded.start), expected);
    }

    /// The top of the board of Gliński's chess: one cell, two, three, each file half a cell lower.
    #[test]
    fn hexagons_are_drawn_as_a_honeycomb() {
        let loaded = astragal_dsl::load_named("hexagonal-babylonian", &[]).unwrap();
        let text = position(&loaded.set.variant, &loaded.start);
        let lines: Vec<&str> = text.lines().take(4).collect();
        assert_eq!(
            lines,
            ["f11           b", "e10         q   k", " d9       n   b   n", " c8     r   .   .   r"],
            "{text}"
        );
    }
}
