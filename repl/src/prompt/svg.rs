//! The board as a vector picture: the same scene as on screen, in SVG that needs nothing from outside.
//!
//! Men are characters, as their script draws them, or letters; without a picture of its own a man is a
//! disc with its letter. All texts are escaped.

use super::board::{Look, Mark, Pieces, Scene, shade, symbol};
use astragal_core::{Piece, Side, Square};
use std::fmt::Write;

const CELL: i64 = 60;
const MARGIN: i64 = 30;
/// Light and dark squares, plain, touched by the last move, and of men that may move.
const SQUARES: [[&str; 2]; 3] = [["#f0d9b5", "#b58863"], ["#f4e08a", "#d3ac4e"], ["#cfdfb0", "#8fae6e"]];
const LINE: &str = "#5a3e1b";

/// Draws a scene.
pub fn draw(scene: &Scene, look: Look) -> String {
    let (files, ranks) = scene.order(look.flipped);
    let (width, height) = (files.len() as i64 * CELL + 2 * MARGIN, ranks.len() as i64 * CELL + 2 * MARGIN);
    let mut svg = Svg { out: String::new(), scene, look, files, ranks };
    svg.line(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans, Noto Sans Symbols2, Noto Sans CJK SC, sans-serif\" text-anchor=\"middle\">"
    ));
    svg.line(format!("<title>{}</title>", escaped(&scene.variant.spec().title)));
    svg.line(format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ede3cf\"/>"));
    if scene.variant.board().drawing().points {
        svg.lines();
    } else {
        svg.squares();
    }
    svg.men();
    svg.names();
    svg.line("</svg>".into());
    svg.out
}

struct Svg<'a> {
    out: String,
    scene: &'a Scene<'a>,
    look: Look,
    files: Vec<u8>,
    ranks: Vec<u8>,
}

impl Svg<'_> {
    fn line(&mut self, text: String) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn at(&self, row: usize, column: usize) -> Option<Square> {
        let (file, rank) = (self.files.get(column)?, self.ranks.get(row)?);
        self.scene.variant.board().at(i64::from(*file), i64::from(*rank))
    }

    /// All squares with the middle of each.
    fn places(&self) -> Vec<(Square, usize, usize)> {
        let all = (0..self.ranks.len()).flat_map(|row| (0..self.files.len()).map(move |column| (row, column)));
        all.filter_map(|(row, column)| Some((self.at(row, column)?, row, column))).collect()
    }

    fn squares(&mut self) {
        for (square, row, column) in self.places() {
            let board = self.scene.variant.board();
            let dark = usize::from((board.file(square) + board.rank(square)).is_multiple_of(2));
            let fill = match self.scene.mark(square) {
                Mark::None => SQUARES[0][dark],
                Mark::From | Mark::To => SQUARES[1][dark],
                Mark::Movable => SQUARES[2][dark],
            };
            let (x, y) = (middle(column) - CELL / 2, middle(row) - CELL / 2);
            self.line(format!("<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\"/>"));
        }
    }

    /// The lines of a board on whose crossings the men stand.
    fn lines(&mut self) {
        let drawing = self.scene.variant.board().drawing();
        let mut path = String::new();
        for (square, row, column) in self.places() {
            let (x, y) = (middle(column), middle(row));
            if self.at(row, column + 1).is_some() {
                path.push_str(&format!("M{x} {y}h{CELL}"));
            }
            let river = row + 1 < self.ranks.len() && drawing.river == Some(self.ranks[row].min(self.ranks[row + 1]));
            let edge = column == 0 || column + 1 == self.files.len();
            if self.at(row + 1, column).is_some() && (edge || !river) {
                path.push_str(&format!("M{x} {y}v{CELL}"));
            }
            if drawing.crosses.contains(square) {
                let (left, top, both) = (x - CELL, y - CELL, 2 * CELL);
                path.push_str(&format!("M{left} {top}l{both} {both}M{left} {}l{both} -{both}", y + CELL));
            }
        }
        self.line(format!("<path d=\"{path}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"1.5\"/>"));
        for (square, row, column) in self.places() {
            let fill = match self.scene.mark(square) {
                Mark::None => continue,
                Mark::From | Mark::To => SQUARES[1][1],
                Mark::Movable => SQUARES[2][1],
            };
            let (x, y, half) = (middle(column), middle(row), CELL * 29 / 60);
            self.line(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{half}\" fill=\"{fill}\"/>"));
        }
    }

    fn men(&mut self) {
        for (square, row, column) in self.places() {
            let piece = self.scene.position.at(square);
            if !piece.is_none() {
                self.man(piece, middle(column), middle(row));
            }
        }
    }

    fn man(&mut self, piece: Piece, x: i64, y: i64) {
        let colour = rgb(shade(self.scene.variant, piece.side()));
        let look = Look { color: true, ..self.look };
        let text = symbol(self.scene.variant, piece, look);
        let figure = text.chars().next().is_some_and(|c| ('\u{2654}'..='\u{265f}').contains(&c));
        let edge = if light(piece.side(), self) { "#222222" } else { "#f4ead6" };
        if figure && self.look.pieces == Pieces::Unicode {
            let figure = escaped(text.trim_end_matches('\u{fe0e}'));
            let size = CELL * 48 / 60;
            self.line(format!(
                "<text x=\"{x}\" y=\"{}\" font-size=\"{size}\" fill=\"{colour}\" stroke=\"{edge}\" stroke-width=\"1.2\">{figure}</text>",
                y + CELL * 17 / 60
            ));
            return;
        }
        let size = if text.chars().count() > 1 { CELL * 22 / 60 } else { CELL * 30 / 60 };
        let ink = if light(piece.side(), self) { "#222222" } else { colour };
        let ground = if light(piece.side(), self) { colour } else { "#fbf3e0" };
        self.line(format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{ground}\" stroke=\"{ink}\" stroke-width=\"2.5\"/>",
            CELL * 25 / 60
        ));
        self.line(format!(
            "<text x=\"{x}\" y=\"{}\" font-size=\"{size}\" font-weight=\"bold\" fill=\"{ink}\">{}</text>",
            y + size * 7 / 20,
            escaped(&text)
        ));
    }

    fn names(&mut self) {
        let (bottom, size) = (middle(self.ranks.len()) - CELL / 2 + MARGIN * 2 / 3, MARGIN / 2);
        for column in 0..self.files.len() {
            let name = (b'a' + self.files[column]) as char;
            let x = middle(column);
            self.line(format!("<text x=\"{x}\" y=\"{bottom}\" font-size=\"{size}\" fill=\"{LINE}\">{name}</text>"));
        }
        for row in 0..self.ranks.len() {
            let name = self.scene.rank_name(self.ranks[row]);
            let (x, y) = (MARGIN / 2, middle(row) + size * 7 / 20);
            self.line(format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{LINE}\">{name}</text>"));
        }
    }
}

/// The middle of a row or column.
fn middle(index: usize) -> i64 {
    MARGIN + CELL / 2 + index as i64 * CELL
}

fn light(side: Side, svg: &Svg) -> bool {
    matches!(shade(svg.scene.variant, side), 231 | 226)
}

/// The colours of men, from their numbers at terminals.
fn rgb(shade: u8) -> &'static str {
    match shade {
        231 => "#ffffff",
        124 => "#af0000",
        22 => "#005f00",
        19 => "#0000af",
        226 => "#ffd700",
        _ => "#1c1c1c",
    }
}

/// A text as XML has it; what XML cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
