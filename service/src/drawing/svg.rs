//! The board as a vector picture: the same drawing as on screen, in SVG without external resources.
//!
//! Pieces are characters from their script, or letters. A piece without its own picture is a disk with its letter. The
//! usual characters are drawn as shapes (`figures.rs`), so no font is needed. Rare characters have the letter above them.
//! All texts are escaped.
//!
//! This file owns the picture and its pieces. The squares are laid out in `layout.rs` and drawn in `ground.rs`.

use super::board_drawing::BoardDrawing;
use super::colors;
use super::figures::{self, Shape};
use super::square_center::SquareCenter;
use super::symbol::symbol;
use super::theme::{Pieces, Theme};
use super::{heaps, marks, numbers};
use astragal_core::board::Cells;
use astragal_core::{Kind, Piece, Position, Side, Square, Variant};
use astragal_dsl::notation::fen;
use std::fmt::Write;

pub(super) const CELL: i64 = 60;
pub(super) const MARGIN: i64 = 30;
/// How many pieces in hand, or dice, are drawn side by side.
pub(super) const ABREAST: usize = 3;
pub(super) const LINE: &str = "#5a3e1b";
/// The background around the board. Texts on it have the class `rim`: a viewer in a dark theme darkens both.
const GROUND: &str = "#ede3cf";
const DARK_THEME: &str =
    "<style>@media (prefers-color-scheme: dark) { .ground { fill: #26221d } .rim { fill: #d8c9ae } }</style>";
/// The font attributes of texts.
const FONT: &str =
    "font-family=\"DejaVu Sans, Noto Sans Symbols2, Noto Sans CJK SC, sans-serif\" text-anchor=\"middle\"";
/// Wood, the color of flat pieces whose sides have no colors.
const WOOD: &str = "#f3d9a0";
/// The part of a square that a figure fills.
const FIGURE: f64 = 0.82;
/// How much higher disks are drawn on hexagons, to leave room for the names of these.
const RAISED: i64 = CELL * 5 / 60;

/// A picture with the coordinates of its parts.
pub(crate) struct Drawn {
    /// The picture.
    pub(crate) svg: String,
    /// Its width, in the units of all coordinates.
    pub(crate) width: i64,
    /// Its height.
    pub(crate) height: i64,
    /// The squares, rank by rank from the top.
    pub(crate) places: Vec<SquareCenter>,
    /// The pieces that sides hold.
    pub(crate) held: Vec<Held>,
}

/// Pieces of a kind that a side holds, and the middle of their drawing.
pub(crate) struct Held {
    pub(crate) side: Side,
    pub(crate) kind: Kind,
    pub(crate) count: i32,
    pub(crate) x: i64,
    pub(crate) y: i64,
    pub(crate) width: i64,
}

/// Draws a position as a self-contained SVG document, with the pieces that sides hold and the unused `dice` beside it. It
/// follows the light or dark theme of its viewer.
pub fn draw(drawing: &BoardDrawing, theme: Theme, dice: &[i16]) -> String {
    lay_out(drawing, theme, dice).svg.replacen("</title>", &format!("</title>\n{DARK_THEME}"), 1)
}

/// The same, with the coordinates of its parts.
pub(crate) fn lay_out(drawing: &BoardDrawing, theme: Theme, dice: &[i16]) -> Drawn {
    lay_out_beside(drawing, theme, dice, false)
}

/// The same without dice, and always with room for pieces in hand.
pub(crate) fn lay_out_steady(drawing: &BoardDrawing, theme: Theme) -> Drawn {
    lay_out_beside(drawing, theme, &[], drawing.variant.spec().hands)
}

fn lay_out_beside(drawing: &BoardDrawing, theme: Theme, dice: &[i16], reserved: bool) -> Drawn {
    let (files, ranks) = drawing.order(theme.flipped);
    let mut svg = Svg { out: String::new(), drawing, theme, files, ranks, held: Vec::new() };
    let places = svg.places();
    let (right, bottom) = svg.extent(&places);
    let (board, height) = (right + MARGIN, bottom + MARGIN);
    let stretched = !drawing.variant.spec().look.outlines.is_empty();
    svg.ground();
    let in_rows = drawing.variant.board().cells() == Cells::Square && !stretched;
    if in_rows {
        svg.bars();
    }
    svg.captions();
    svg.names_of_squares();
    svg.pieces();
    svg.marks();
    if in_rows {
        svg.names();
    }
    let on_bar = svg.hands_on_bar();
    let end = svg.beside(board, dice, !on_bar).or_else(|| (reserved && !on_bar).then_some(0));
    let (width, height) = match end {
        Some(end) => (board + ABREAST as i64 * CELL + MARGIN, height.max(end)),
        None => (board, height),
    };
    let title = escaped(&drawing.variant.spec().title);
    let picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" {FONT}>\n<title>{title}</title>\n<rect class=\"ground\" width=\"{width}\" \
         height=\"{height}\" fill=\"{GROUND}\"/>\n{}</svg>\n",
        svg.out
    );
    Drawn { svg: picture, width, height, places, held: svg.held }
}

/// A single piece as a picture.
pub(crate) fn figure(variant: &Variant, position: &Position, piece: Piece, theme: Theme) -> String {
    let drawing = BoardDrawing::plain(variant, position);
    let mut svg =
        Svg { out: String::new(), drawing: &drawing, theme, files: Vec::new(), ranks: Vec::new(), held: Vec::new() };
    svg.piece(piece, CELL / 2, CELL / 2);
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {CELL} {CELL}\" {FONT}>\n{}</svg>\n", svg.out)
}

/// Whether the usual fonts have all characters of a text: Latin, and the signs up to the chess figures.
fn is_common(text: &str) -> bool {
    text.chars().all(|c| c < '\u{2c00}')
}

pub(super) struct Svg<'a> {
    pub(super) out: String,
    pub(super) drawing: &'a BoardDrawing<'a>,
    pub(super) theme: Theme,
    pub(super) files: Vec<u8>,
    pub(super) ranks: Vec<u8>,
    pub(super) held: Vec<Held>,
}

impl Svg<'_> {
    pub(super) fn line(&mut self, text: String) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn pieces(&mut self) {
        let (variant, position) = (self.drawing.variant, self.drawing.position);
        let look = &variant.spec().look;
        let raised = if variant.board().cells() == Cells::Hex { RAISED } else { 0 };
        for SquareCenter { square, x, y, height, .. } in self.places() {
            if !position.at(square).is_none() {
                self.stack(square, x, y - raised, height);
                continue;
            }
            let is_covered = look.triangles.iter().any(|triangle| triangle.squares.contains(&square));
            let sign = variant.board().drawing().sign(square).filter(|sign| !sign.picture.is_whitespace());
            if let Some(sign) = sign.filter(|_| !is_covered) {
                let (sign, low) = (escaped(&sign.picture.to_string()), y - raised + CELL * 12 / 60);
                self.line(format!(
                    "<text x=\"{x}\" y=\"{low}\" font-size=\"34\" fill=\"{LINE}\" opacity=\"0.6\">{sign}</text>"
                ));
            }
        }
    }

    /// Where the pieces of a square have their middles, from the lowest to the topmost; a single place without pieces.
    /// Squares that are much higher than wide fill up from the edge of the board.
    pub(super) fn levels(&self, square: Square, y: i64, height: i64) -> Vec<i64> {
        let count = self.drawing.position.height(square).max(1) as i64;
        let step = heaps::step(count, height);
        if height < heaps::TALL {
            return (0..count).map(|level| y + step * (count - 1) / 2 - step * level).collect();
        }
        let board = self.drawing.variant.board();
        let is_upper = board.rank(square) * 2 >= board.height();
        let up = if is_upper == self.theme.flipped { -1 } else { 1 };
        (0..count).map(|level| y - up * (height / 2 - heaps::RADIUS - 4) + up * step * level).collect()
    }

    /// Draws the pieces of a square, the topmost last.
    fn stack(&mut self, square: Square, x: i64, y: i64, height: i64) {
        let position = self.drawing.position;
        let levels = self.levels(square, y, height);
        let beneath: Vec<Piece> = position.beneath(square).collect();
        for (piece, y) in beneath.into_iter().zip(&levels) {
            match height < heaps::TALL {
                true => self.out.push_str(&heaps::edge(self.drawing.variant, piece, (x, *y), LINE)),
                false => self.piece(piece, x, *y),
            }
        }
        let top = levels.last().copied().unwrap_or(y);
        self.piece(position.at(square), x, top);
        self.badge(square, x, top);
    }

    /// Draws the marks that rules have put on squares.
    fn marks(&mut self) {
        let (variant, position) = (self.drawing.variant, self.drawing.position);
        for SquareCenter { square, x, y, height, .. } in self.places() {
            let y = self.levels(square, y, height).last().copied().unwrap_or(y);
            self.out.push_str(&marks::draw(variant, position, square, (x, y), CELL, LINE));
        }
    }

    /// Draws the numbers of a piece that differ from those of its kind, in a corner.
    fn badge(&mut self, square: Square, x: i64, y: i64) {
        let (variant, position) = (self.drawing.variant, self.drawing.position);
        let is_own = Some(position.at(square).side()) == self.drawing.viewer;
        let mut all: Vec<(&str, String)> = Vec::new();
        all.extend(heaps::height(position, square).map(|height| ("height", height.to_string())));
        for (i, def) in variant.spec().traits.iter().enumerate().filter(|(_, def)| !def.secret || is_own) {
            let value = match def.shown || def.secret {
                true => Some(position.trait_at(variant, i, square)),
                false => numbers::unusual(variant, position, i, square),
            };
            all.extend(value.map(|value| (def.name.as_str(), def.text(value))));
        }
        if all.is_empty() {
            return;
        }
        let named: Vec<String> = all.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let text = all.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(",");
        let (width, high) = (10 + 7 * text.chars().count() as i64, 16);
        let (left, top) = (x + CELL * 27 / 60 - width, y - CELL * 27 / 60);
        self.line(format!(
            "<g><title>{}</title><rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{high}\" rx=\"7\" \
             fill=\"#fffbe6\" stroke=\"{LINE}\"/><text x=\"{}\" y=\"{}\" font-size=\"12\" \
             fill=\"{LINE}\">{}</text></g>",
            escaped(&named.join(", ")),
            left + width / 2,
            top + 12,
            escaped(&text)
        ));
    }

    pub(super) fn piece(&mut self, piece: Piece, x: i64, y: i64) {
        let color = colors::of(self.drawing.variant, piece.side());
        let theme = Theme { color: true, ..self.theme };
        let figure = self.drawing.variant.spec().look.figure(piece.kind()).filter(|_| theme.pieces == Pieces::Unicode);
        let text = figure.map_or_else(|| symbol(self.drawing.variant, piece, theme), String::from);
        let shape = figures::shape(&text).filter(|_| self.theme.pieces == Pieces::Unicode);
        if self.drawing.variant.spec().look.wedges {
            return self.wedge(piece, &text, shape.as_ref(), x, y);
        }
        let hex = self.drawing.variant.board().cells() == Cells::Hex;
        let radius = if hex { CELL * 20 / 60 } else { CELL * 25 / 60 };
        let (ink, ground) = match color.light {
            true => ("#222222", color.hex.as_str()),
            false => (color.hex.as_str(), "#fbf3e0"),
        };
        let edge = if color.light { "#222222" } else { "#f4ead6" };
        match shape {
            Some(Shape::Figure(outline, lines)) => self.figure(outline, lines, &color.hex, edge, x, y),
            Some(Shape::Number(digit)) => {
                self.disc(x, y, radius, &color.hex, edge);
                self.text(&digit.to_string(), x, y, radius * 6 / 5, edge);
            }
            // Without its own picture, a piece is recognized by its color and its letter: case adds nothing.
            None if text == fen::letter(self.drawing.variant, piece) => {
                let letter = self.drawing.variant.kind(piece.kind()).letter.clone();
                self.disc(x, y, radius, &color.hex, edge);
                self.sign(piece, &letter, None, x, y, radius, edge);
            }
            shape => {
                self.disc(x, y, radius, ground, ink);
                self.sign(piece, &text, shape.as_ref(), x, y, radius, ink);
            }
        }
    }

    fn disc(&mut self, x: i64, y: i64, radius: i64, ground: &str, ink: &str) {
        self.line(format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{ground}\" stroke=\"{ink}\" stroke-width=\"2.5\"/>"
        ));
    }

    fn figure(&mut self, outline: &str, lines: &str, color: &str, edge: &str, x: i64, y: i64) {
        let size = CELL as f64 * FIGURE;
        self.line(format!(
            "<g transform=\"translate({:.1} {:.1}) scale({:.3})\" stroke=\"{edge}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"><path d=\"{outline}\" fill=\"{color}\" stroke-width=\"3.5\"/><path \
             d=\"{lines}\" fill=\"none\" stroke-width=\"3\"/></g>",
            x as f64 - size / 2.0,
            y as f64 - size / 2.0,
            size / figures::SIZE
        ));
    }

    /// Draws a character made of strokes around a point.
    pub(super) fn strokes(&mut self, path: &str, (x, y): (i64, i64), size: f64, ink: &str) {
        let (scale, half) = (size / figures::SIZE, size / 2.0);
        self.line(format!(
            "<path d=\"{path}\" transform=\"translate({:.1} {:.1}) scale({scale:.3})\" fill=\"none\" \
             stroke=\"{ink}\" stroke-width=\"8\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
            x as f64 - half,
            y as f64 - half
        ));
    }

    /// Draws the sign on a piece of this radius.
    #[expect(clippy::too_many_arguments, reason = "they describe a place and the sign that is drawn there")]
    fn sign(&mut self, piece: Piece, text: &str, shape: Option<&Shape>, x: i64, y: i64, radius: i64, ink: &str) {
        if let Some(Shape::Strokes(path)) = shape {
            self.strokes(path, (x, y), radius as f64 * 1.36, ink);
        } else if is_common(text) {
            let size = if text.chars().count() > 1 { radius * 22 / 25 } else { radius * 6 / 5 };
            self.text(text, x, y, size, ink);
        } else {
            let letters = symbol(self.drawing.variant, piece, Theme { pieces: Pieces::Letters, ..self.theme });
            self.text(&letters, x, y - radius / 6, radius, ink);
            self.text(text, x, y + radius * 7 / 10, radius / 2, ink);
        }
    }

    /// Draws a flat piece that points forward.
    fn wedge(&mut self, piece: Piece, text: &str, shape: Option<&Shape>, x: i64, y: i64) {
        let variant = self.drawing.variant;
        let (turns, sides) = (i64::from(variant.board().cells().turns()), &variant.spec().sides);
        let forward = sides.get(piece.side().index()).map_or(0, |side| i64::from(side.forward));
        let turned = (360 / turns * forward + if self.theme.flipped { 180 } else { 0 }) % 360;
        let own = variant.spec().look.sides[piece.side().index()];
        let ground = own.map_or(WOOD.to_owned(), colors::hex);
        let light = own.is_none() || colors::of(variant, piece.side()).light;
        let ink = if light { "#222222" } else { "#f4ead6" };
        let r = CELL * 27 / 60;
        let corners =
            [(0, -r), (r * 7 / 10, -r * 6 / 10), (r * 9 / 10, r), (-r * 9 / 10, r), (-r * 7 / 10, -r * 6 / 10)];
        let corners: Vec<String> = corners.iter().map(|(dx, dy)| format!("{dx},{dy}")).collect();
        self.line(format!("<g transform=\"translate({x} {y}) rotate({turned})\">"));
        self.line(format!(
            "<polygon points=\"{}\" fill=\"{ground}\" stroke=\"{LINE}\" stroke-width=\"1.5\" \
             stroke-linejoin=\"round\"/>",
            corners.join(" ")
        ));
        self.sign(piece, text, shape, 0, CELL * 4 / 60, CELL * 22 / 60, ink);
        self.line("</g>".into());
    }

    /// Draws a bold text with its middle at a point.
    pub(super) fn text(&mut self, text: &str, x: i64, y: i64, size: i64, ink: &str) {
        let (text, low) = (escaped(text), y + size * 7 / 20);
        self.line(format!(
            "<text x=\"{x}\" y=\"{low}\" font-size=\"{size}\" font-weight=\"bold\" fill=\"{ink}\">{text}</text>"
        ));
    }
}

/// A text escaped for XML; characters that XML cannot hold are left out.
pub(super) fn escaped(text: &str) -> String {
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
