//! Squares with outlines from the script, fitted into a picture.

use astragal_core::Square;
use astragal_core::variant::Outline;

/// The corners of a square in a picture; y grows downward.
pub(super) type Corners = [(i64, i64); 4];

/// All outlines in a picture, scaled so that no edge is shorter than `cell`, unless the picture would be wider or higher
/// than 24 cells. `None` if there are none, or they have no extent.
pub(super) fn fitted(
    all: &[(Square, Outline)],
    cell: i64,
    margin: i64,
    flipped: bool,
) -> Option<Vec<(Square, Corners)>> {
    let edges = all.iter().flat_map(|(_, corners)| (0..4).map(|i| length(corners[i], corners[(i + 1) % 4])));
    let shortest = edges.filter(|edge| *edge > 0.0).fold(f64::INFINITY, f64::min);
    if !shortest.is_finite() {
        return None;
    }
    let points = || all.iter().flat_map(|(_, corners)| corners.iter().copied());
    let (left, right) = (points().map(|p| p.0).min()?, points().map(|p| p.0).max()?);
    let (bottom, top) = (points().map(|p| p.1).min()?, points().map(|p| p.1).max()?);
    // A tiny square in a script does not make the picture huge.
    let widest = f64::from((right - left).max(top - bottom)) / (24.0 * cell as f64);
    let unit = (shortest / cell as f64).max(widest);
    let scaled = |n: i32| (f64::from(n) / unit).round() as i64;
    let place = |(x, y): (i32, i32)| match flipped {
        true => (margin + scaled(right - x), margin + scaled(y - bottom)),
        false => (margin + scaled(x - left), margin + scaled(top - y)),
    };
    Some(all.iter().map(|(square, corners)| (*square, corners.map(place))).collect())
}

/// The middle of a square.
pub(super) fn middle(corners: &Corners) -> (i64, i64) {
    let sum = |of: fn(&(i64, i64)) -> i64| corners.iter().map(of).sum::<i64>() / 4;
    (sum(|corner| corner.0), sum(|corner| corner.1))
}

fn length(a: (i32, i32), b: (i32, i32)) -> f64 {
    f64::from(a.0 - b.0).hypot(f64::from(a.1 - b.1))
}

#[cfg(test)]
mod tests {
    use crate::drawing::board::{self, BoardDrawing, Pieces, Theme};
    use crate::drawing::svg;
    use crate::variant_cache::VariantCache;
    use astragal_dsl::{Loaded, Source};

    fn sketch(text: &str) -> Loaded {
        astragal_dsl::load(&Source { name: "sketch".into(), path: None, text: text.into() }, &[]).unwrap()
    }

    #[test]
    fn squares_have_their_places_and_two_colors() {
        let loaded = VariantCache::new().load("three-player-babylonian", &[]).unwrap();
        let drawing = BoardDrawing::plain(&loaded.set.variant, &loaded.start);
        let theme = Theme { pieces: Pieces::Unicode, ..Theme::default() };
        let drawn = svg::lay_out(&drawing, theme, &[]);
        assert_eq!(drawn.svg.matches("<polygon").count(), 96);
        let at = |name: &str| {
            let square = loaded.set.variant.board().parse(name).unwrap();
            drawn.places.iter().find(|place| place.square == square).map(|place| (place.x, place.y)).unwrap()
        };
        // Red's half is below, White's on the left, Black's on the right; the middle is where six squares meet.
        assert!(at("a1").1 > at("d4").1 && at("a8").0 < at("d5").0 && at("h12").0 > at("e9").0);
        assert!(at("i5").0 < at("i9").0 && at("i5").1 == at("i9").1);
        // Neighbors across a seam differ in color, as do neighbors along a rank.
        let board = loaded.set.variant.board();
        let dark = |name: &str| board.is_dark(board.parse(name).unwrap());
        assert!(dark("a1") && !dark("d1") && dark("d4") && !dark("d5") && dark("i5") && !dark("i9") && dark("e9"));
        // A side without its own picture uses that of the first side where colors distinguish them: no letters.
        assert!(!drawn.svg.contains(">P'<"));
        let turned = svg::lay_out(&drawing, Theme { flipped: true, ..theme }, &[]);
        assert_eq!((turned.width, turned.height), (drawn.width, drawn.height));
    }

    #[test]
    fn drawn_lines_are_drawn() {
        let script = r#"board(7, 7, #{ lines: ["a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5",
            "b6 d6 f6", "a7 d7 g7", "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6",
            "g1 g4 g7"] }); piece("man", "M", "W"); setup("7/7/7/7/7/7/M6 w"); fn turn() { play(any()); }"#;
        let loaded = sketch(script);
        let drawing = BoardDrawing::plain(&loaded.set.variant, &loaded.start);
        let rows: Vec<String> =
            board::rows(&drawing, Theme::default()).iter().map(|row| row.trim_end().into()).collect();
        let expected = [
            "7 +-----------+-----------+",
            "  |           |           |",
            "6 |   +-------+-------+   |",
            "  |   |       |       |   |",
            "5 |   |   +---+---+   |   |",
            "  |   |   |       |   |   |",
            "4 +---+---+       +---+---+",
            "  |   |   |       |   |   |",
            "3 |   |   +---+---+   |   |",
            "  |   |       |       |   |",
            "2 |   +-------+-------+   |",
            "  |           |           |",
            "1 M-----------+-----------+",
        ];
        assert_eq!(rows[..13], expected, "{}", rows.join("\n"));
        let picture = svg::draw(&drawing, Theme::default(), &[]);
        let strokes = picture.split('M').skip(1).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(strokes.count(), 32, "{picture}");
    }
}
