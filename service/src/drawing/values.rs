//! Values of squares on the board: a disk on each, in a color between those of a lost and a won game, with the value in
//! hundredths.

use super::board_drawing::BoardDrawing;
use super::svg::{CELL, lay_out};
use super::theme::Theme;
use astragal_core::Square;
use std::fmt::Write;

/// The colors of a lost, a drawn and a won game: distinguishable with any color vision.
const COLORS: [(f64, f64, f64); 3] = [(179.0, 88.0, 6.0), (247.0, 247.0, 247.0), (33.0, 102.0, 172.0)];

/// Draws a position as a self-contained SVG document with a value, from -1 (lost) to 1 (won), on some of its squares.
pub fn draw(drawing: &BoardDrawing, theme: Theme, values: &[(Square, f64)]) -> String {
    let drawn = lay_out(drawing, theme, &[]);
    let mut disks = String::new();
    for place in &drawn.places {
        let Some((_, value)) = values.iter().find(|(square, _)| *square == place.square) else { continue };
        let (x, y, radius, low) = (place.x, place.y, CELL * 26 / 60, place.y + CELL * 6 / 60);
        let ink = if value.abs() > 0.6 { "#ffffff" } else { "#222222" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            disks,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\" stroke=\"#00000033\"/>\n\
             <text x=\"{x}\" y=\"{low}\" font-size=\"17\" fill=\"{ink}\">{}</text>",
            color(*value),
            hundredths(*value)
        );
    }
    drawn.svg.replacen("</svg>", &format!("{disks}</svg>"), 1)
}

/// A value in hundredths, with its sign.
pub fn hundredths(value: f64) -> String {
    match (value * 100.0).round() as i64 {
        0 => "0".into(),
        number => format!("{number:+}"),
    }
}

/// The color of a value, from -1 (lost) to 1 (won), as `#rrggbb`.
pub(crate) fn color(value: f64) -> String {
    let value = value.clamp(-1.0, 1.0);
    let (from, to, part) =
        if value < 0.0 { (COLORS[0], COLORS[1], value + 1.0) } else { (COLORS[1], COLORS[2], value) };
    let mixed = |from: f64, to: f64| (from + (to - from) * part).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mixed(from.0, to.0), mixed(from.1, to.1), mixed(from.2, to.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_go_from_lost_to_won() {
        assert_eq!([-1.0, 0.0, 1.0, 5.0].map(color), ["#b35806", "#f7f7f7", "#2166ac", "#2166ac"]);
        assert_eq!([-0.004, 0.2668, -1.0].map(hundredths), ["0", "+27", "-100"]);
    }
}
