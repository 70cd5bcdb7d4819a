//! Positions drawn as text: letters or pictures, boards of any size and shape, from either side.
//!
//! A [`Theme`] decides how they look; nothing here knows commands or terminals. Pieces within squares are drawn here,
//! pieces on crossing lines in `intersections.rs`, and everything beside the board in `sidebar.rs`.

pub use super::board_drawing::BoardDrawing;
use super::board_drawing::Mark;
use super::columns::shown;
pub use super::theme::{Pieces, Theme};
use super::{colors, intersections, sidebar};
use astragal_core::board::Cells;
use astragal_core::{Position, Square, Variant};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Light and dark squares, plain and marked: colors of the 256-color terminal palette.
const PLAIN: [u8; 2] = [144, 101];
const TOUCHED: [u8; 2] = [179, 136];
const MOVABLE: [u8; 2] = [108, 65];

/// Draws a position over several lines, with the names of files and ranks, without marks, with the hands below. The format
/// is the same for all boards of squares, whatever their look elsewhere.
pub(crate) fn draw(variant: &Variant, position: &Position, theme: Theme) -> String {
    let drawing = BoardDrawing { dressed: false, ..BoardDrawing::plain(variant, position) };
    let board = match variant.board().cells() {
        Cells::Hex => honeycomb(&drawing, theme),
        Cells::Square => squares(&drawing, theme),
    };
    board.into_iter().chain(sidebar::hands(variant, position, theme)).fold(String::new(), |mut text, row| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", row.trim_end());
        text
    })
}

/// The lines of a drawing; all but the last are equally wide on screen.
pub(crate) fn rows(drawing: &BoardDrawing, theme: Theme) -> Vec<String> {
    let board = drawing.variant.board();
    match board.cells() {
        Cells::Hex => honeycomb(drawing, theme),
        Cells::Square if board.drawing().points => intersections::rows(drawing, theme),
        Cells::Square => squares(drawing, theme),
    }
}

/// The width of the widest piece.
fn widest(drawing: &BoardDrawing, theme: Theme) -> usize {
    let all = drawing.variant.board().squares().into_iter();
    all.map(|square| drawing.text(square, theme).width()).max().unwrap_or(1).max(1)
}

fn squares(drawing: &BoardDrawing, theme: Theme) -> Vec<String> {
    let board = drawing.variant.board();
    let (width, margin) = (widest(drawing, theme), drawing.margin());
    let (files, ranks) = drawing.order(theme.flipped);
    let mut rows: Vec<String> = ranks
        .iter()
        .map(|&rank| {
            let squares: Vec<Option<Square>> =
                files.iter().map(|&file| board.at(i64::from(file), i64::from(rank))).collect();
            let name = theme.paint("2", &format!("{:>margin$}", drawing.rank_name(rank)));
            let bars = Bars { drawing, theme, files: &files };
            let cells = if theme.color { colored(&bars, &squares, width) } else { bare(&bars, &squares, width) };
            name + cells.as_str()
        })
        .collect();
    let bars = Bars { drawing, theme, files: &files };
    for (i, pair) in ranks.windows(2).enumerate().rev() {
        if drawing.dressed && board.drawing().has_rank_bar(pair[0], pair[1]) {
            let wide = shown(&rows[i]).saturating_sub(margin);
            rows.insert(i + 1, " ".repeat(margin) + bars.lying(wide).as_str());
        }
    }
    let edge = if theme.color { " " } else { "" };
    let one = |(i, &file): (usize, &u8)| {
        let gap = match (bars.after(i), theme.color) {
            (false, _) => "",
            (true, true) => " ",
            (true, false) => "  ",
        };
        format!(" {:<width$}{edge}{gap}", (b'a' + file) as char)
    };
    let names: String = files.iter().enumerate().map(one).collect();
    rows.push(theme.paint("2", &format!("{}{edge}{}", " ".repeat(margin), names.trim_end())));
    rows
}

/// The bars of a board, in the order in which its files are drawn.
struct Bars<'a> {
    drawing: &'a BoardDrawing<'a>,
    theme: Theme,
    files: &'a [u8],
}

impl Bars<'_> {
    /// Whether there is a bar after a column.
    fn after(&self, column: usize) -> bool {
        let pair = self.files.get(column).zip(self.files.get(column + 1));
        let drawing = self.drawing.variant.board().drawing();
        self.drawing.dressed && pair.is_some_and(|(a, b)| drawing.has_file_bar(*a, *b))
    }

    /// The text after a column: a bar or a blank.
    fn behind(&self, column: usize) -> String {
        match (self.after(column), self.theme.boxes) {
            (false, _) => String::new(),
            (true, true) => self.theme.paint("2", "║"),
            (true, false) => self.theme.paint("2", "|"),
        }
    }

    /// A bar between two ranks.
    fn lying(&self, wide: usize) -> String {
        self.theme.paint("2", &(if self.theme.boxes { "═" } else { "-" }).repeat(wide))
    }
}

/// Hexagons: files run straight up, each half a cell lower than the one to its left, so that neighbors are adjacent. Each
/// line begins with the name of its first cell.
fn honeycomb(drawing: &BoardDrawing, theme: Theme) -> Vec<String> {
    let (board, width) = (drawing.variant.board(), widest(drawing, theme));
    let mut heights: Vec<i32> = board.squares().into_iter().map(|square| drawing.height(square)).collect();
    heights.sort_unstable();
    heights.dedup();
    if !theme.flipped {
        heights.reverse();
    }
    let margin = board.squares().into_iter().map(|s| board.name(s).len()).max().unwrap_or(2);
    let column = |s: Square| match theme.flipped {
        true => usize::from(board.width() - 1 - board.file(s)),
        false => usize::from(board.file(s)),
    };
    let mut rows = Vec::new();
    for level in heights {
        let mut row: Vec<Square> = board.squares().into_iter().filter(|&s| drawing.height(s) == level).collect();
        row.sort_by_key(|&s| column(s));
        let name = row.first().map_or(String::new(), |&s| board.name(s));
        let mut out = theme.paint("2", &format!("{name:>margin$}"));
        for square in row {
            let start = margin + column(square) * (width + 1);
            out.push_str(&" ".repeat(start.saturating_sub(shown(&out))));
            let (piece, mark) = (drawing.position.at(square), drawing.mark(square));
            let text = drawing.text(square, theme);
            let style = if piece.is_none() { "2".into() } else { intersections::disc(drawing.variant, piece, mark) };
            let text = theme.paint(&style, &text);
            // There is room for a bracket: the next cell of this line is two files away.
            out.push_str(&match mark {
                Mark::To => format!("[{text}]"),
                Mark::From => format!("({text})"),
                Mark::None | Mark::Movable => format!(" {text}"),
            });
        }
        rows.push(out);
    }
    rows
}

/// A rank in colors: squares light and dark.
fn colored(bars: &Bars<'_>, squares: &[Option<Square>], width: usize) -> String {
    let (drawing, theme) = (bars.drawing, bars.theme);
    let board = drawing.variant.board();
    let mut out = String::from(" ");
    for (i, square) in squares.iter().enumerate() {
        let Some(square) = *square else {
            out.push_str(&(" ".repeat(width + 2) + bars.behind(i).as_str()));
            continue;
        };
        let dark = usize::from(board.is_dark(square));
        let back = match drawing.mark(square) {
            Mark::None => PLAIN[dark],
            Mark::From | Mark::To => TOUCHED[dark],
            Mark::Movable => MOVABLE[dark],
        };
        let piece = drawing.position.at(square);
        let bare = piece.is_none() && drawing.sign(square, theme).is_none();
        let text = if bare { String::new() } else { drawing.text(square, theme) };
        let pad = " ".repeat(width.saturating_sub(text.width()));
        let front = if piece.is_none() { 16 } else { colors::of(drawing.variant, piece.side()).code };
        out.push_str(&theme.paint(&format!("1;38;5;{front};48;5;{back}"), &format!(" {text}{pad} ")));
        out.push_str(&bars.behind(i));
    }
    out
}

/// A rank without colors: brackets mark the last move, `(.)` to `[N]`.
fn bare(bars: &Bars<'_>, squares: &[Option<Square>], width: usize) -> String {
    let (drawing, theme) = (bars.drawing, bars.theme);
    let mark =
        |square: Option<&Option<Square>>| square.copied().flatten().map_or(Mark::None, |square| drawing.mark(square));
    let mut out = String::new();
    for (i, square) in squares.iter().enumerate() {
        let mut before = if i == 0 { Mark::None } else { mark(squares.get(i - 1)) };
        if i > 0 && bars.after(i - 1) {
            out.push(closing(before));
            out.push_str(&bars.behind(i - 1));
            before = Mark::None;
        }
        out.push(match (before, mark(Some(square))) {
            (_, Mark::To) => '[',
            (Mark::To, _) => ']',
            (_, Mark::From) => '(',
            (Mark::From, _) => ')',
            _ => ' ',
        });
        let text = square.map_or(String::new(), |square| drawing.text(square, theme));
        let pad = " ".repeat(width.saturating_sub(text.width()));
        out.push_str(&format!("{text}{pad}"));
    }
    out.push(closing(mark(squares.last())));
    out
}

/// The character that closes a marked square.
fn closing(mark: Mark) -> char {
    match mark {
        Mark::To => ']',
        Mark::From => ')',
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant_cache::VariantCache;

    fn drawn(theme: Theme) -> String {
        let loaded = VariantCache::new().load("chess", &[]).unwrap();
        draw(&loaded.set.variant, &loaded.start, theme)
    }

    #[test]
    fn letters() {
        let expected = "8 r n b q k b n r\n7 p p p p p p p p\n6 . . . . . . . .\n5 . . . . . . . .\n\
                        4 . . . . . . . .\n3 . . . . . . . .\n2 P P P P P P P P\n1 R N B Q K B N R\n  a b c d e f g h\n";
        assert_eq!(drawn(Theme::default()), expected);
    }

    #[test]
    fn from_the_other_side() {
        let drawn = drawn(Theme { flipped: true, ..Theme::default() });
        assert!(drawn.starts_with("1 R N B K Q B N R\n2 P"), "{drawn}");
        assert!(drawn.ends_with("8 r n b k q b n r\n  h g f e d c b a\n"), "{drawn}");
    }

    #[test]
    fn colors_are_only_there_when_asked_for() {
        assert!(!drawn(Theme { pieces: Pieces::Unicode, ..Theme::default() }).contains('\x1b'));
        let colored = drawn(Theme { color: true, ..Theme::default() });
        // White's rook on a1, a dark square; Black's on a8, a light one.
        assert!(colored.contains("\x1b[1;38;5;231;48;5;101m R \x1b[0m"), "{colored}");
        assert!(colored.contains("\x1b[1;38;5;16;48;5;144m r \x1b[0m"), "{colored}");
    }

    /// Signs, bars and numbers from a script; `draw`, whose text is compared in tests, leaves them out.
    #[test]
    fn the_look_of_a_script() {
        let script = "board(4, 3, #{ signs: #{ \"*x\": \"a1 d3\", \" \": \"b2\" }, bars: \"b 1\" });\n\
                      piece(\"man\", \"M\", \"W\"); piece_trait(\"force\", 7, #{ shown: true });\n\
                      setup(\"4/3m/M3 w\"); fn turn() { play(any()); }";
        let source = astragal_dsl::Source { name: "look".into(), path: None, text: script.into() };
        let loaded = astragal_dsl::load(&source, &[]).unwrap();
        let drawing = BoardDrawing::plain(&loaded.set.variant, &loaded.start);
        let text = |theme| rows(&drawing, theme).iter().map(|row| row.trim_end().to_owned() + "\n").collect::<String>();
        assert_eq!(
            text(Theme::default()),
            "3 .  .  | .  *\n2 .     | .  m7\n ---------------\n1 M7 .  | .  .\n  a  b    c  d\n"
        );
        let boxes = Theme { boxes: true, ..Theme::default() };
        assert!(text(boxes).starts_with("3 .  .  ║ .  x\n") && text(boxes).contains("═══"), "{}", text(boxes));
        let turned = text(Theme { flipped: true, ..Theme::default() });
        assert!(turned.starts_with("1 .  .  | .  M7\n ---"), "{turned}");
        let colored = text(Theme { color: true, ..Theme::default() });
        assert!(colored.contains(" * ") && colored.contains("m7") && colored.contains('|'), "{colored}");
        let plain = draw(&loaded.set.variant, &loaded.start, Theme::default());
        assert!(plain.starts_with("3 . . . .\n2 . . . m\n1 M . . .\n  a b c d\n"), "{plain}");
        let svg = super::super::svg::draw(&drawing, Theme::default(), &[]);
        assert!(svg.contains(">x</text>") && svg.contains("stroke-width=\"6\"") && svg.contains("force 7"), "{svg}");
    }
}
