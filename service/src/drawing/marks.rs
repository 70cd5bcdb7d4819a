//! Marks that rules have put on squares: in words, and in pictures.
//!
//! Each sort has a shape; marks that belong to a side have its color. On an empty square, a single mark is drawn in the
//! middle. Otherwise marks are drawn in the corners, where pieces leave room.

use super::colors;
use astragal_core::{Position, Side, Square, Variant};
use astragal_dsl::game_text;

/// A mark on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct OnSquare {
    /// Its sort, in the order of the script.
    sort: usize,
    /// Its owner, if each side has its own.
    side: Option<Side>,
}

/// Paths of the sorts, from -10 to 10, drawn as lines: a cross, a ring, a triangle, a square; then they repeat.
const SHAPES: [&str; 4] =
    ["M-7-7L7 7M-7 7L7-7", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0z", "M0-8L8 7H-8z", "M-7-7H7V7H-7z"];
/// Upper left, lower right, lower left, upper right. The upper right comes last because numbers of pieces are drawn there.
const CORNERS: [(i64, i64); 4] = [(-1, -1), (1, 1), (-1, 1), (1, -1)];

fn on(variant: &Variant, position: &Position, square: Square) -> Vec<OnSquare> {
    let mut all = Vec::new();
    for (sort, def) in variant.spec().marks.iter().enumerate() {
        let sides = (0..if def.per_side { variant.sides() } else { 1 }).map(|side| Side(side as u8));
        let marked = sides.filter(|side| position.marked(variant, sort, *side).contains(square));
        all.extend(marked.map(|side| OnSquare { sort, side: def.per_side.then_some(side) }));
    }
    all
}

/// The marks of a square in words, `burnt, claimed by black`; `None` without any.
pub(crate) fn words(variant: &Variant, position: &Position, square: Square) -> Option<String> {
    let word = |mark: OnSquare| {
        let name = &variant.spec().marks[mark.sort].name;
        match mark.side {
            Some(side) => format!("{name} by {}", game_text::side_name(variant, side).to_lowercase()),
            None => name.clone(),
        }
    };
    let all: Vec<String> = on(variant, position, square).into_iter().map(word).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// The marks of a square as SVG, around its middle. `cell` is the height of the square, `ink` the color of marks without an
/// owner.
pub(super) fn draw(
    variant: &Variant,
    position: &Position,
    square: Square,
    (x, y): (i64, i64),
    cell: i64,
    ink: &str,
) -> String {
    let all = on(variant, position, square);
    let is_alone = all.len() == 1 && position.at(square).is_none();
    let mut out = String::new();
    for (mark, (right, down)) in all.iter().zip(CORNERS) {
        let (x, y, size) = match is_alone {
            true => (x, y, 16 * cell / 60),
            false => (x + right * cell * 22 / 60, y + down * cell * 22 / 60, 6 * cell / 60),
        };
        let own = mark.side.map(|side| colors::of(variant, side));
        let color = own.as_ref().map_or(ink, |own| own.hex.as_str());
        // A light color needs an edge to be visible on a light square.
        let edge = if own.as_ref().is_some_and(|own| own.light) { "#222222" } else { "#fffbe6" };
        let (path, scale) = (SHAPES[mark.sort % SHAPES.len()], size as f64 / 10.0);
        out.push_str(&format!(
            "<g transform=\"translate({x} {y}) scale({scale:.2})\" fill=\"none\" \
             stroke-linejoin=\"round\"><path d=\"{path}\" stroke=\"{edge}\" stroke-width=\"5\"/><path \
             d=\"{path}\" stroke=\"{color}\" stroke-width=\"3\"/></g>\n"
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::board::{BoardDrawing, Theme};
    use super::super::svg;
    use super::*;
    use astragal_dsl::notation::fen;

    /// Two sorts on three squares: the words, and how often each shape is drawn.
    #[test]
    fn marks_are_drawn_and_told() {
        let script = r#"board(3, 3); sides(["White", "Black"]); piece("man", "M", "W"); setup("3/3/M2 w");
            marks("burnt"); marks("claimed", #{ each: true }); fn turn() { play(any()); }"#;
        let source = astragal_dsl::Source { name: "marks".into(), path: None, text: script.into() };
        let loaded = astragal_dsl::load(&source, &[]).unwrap();
        let variant = &loaded.set.variant;
        let placed = fen::parse(variant, "3/3/M2 w - - 0 1 burnt=a1,b2 claimed=b2/c3").unwrap();
        let told = |name: &str| words(variant, &placed.position, variant.board().parse(name).unwrap());
        assert_eq!(told("a1").as_deref(), Some("burnt"));
        assert_eq!(told("b2").as_deref(), Some("burnt, claimed by white"));
        assert_eq!(told("c3").as_deref(), Some("claimed by black"));
        assert_eq!(told("a3"), None);
        let picture = svg::draw(&BoardDrawing::plain(variant, &placed.position), Theme::default(), &[]);
        // Twice each: an edge and the shape itself.
        assert_eq!(picture.matches(SHAPES[0]).count(), 4);
        assert_eq!(picture.matches(SHAPES[1]).count(), 4);
        let none = fen::parse(variant, "3/3/M2 w").unwrap();
        let picture = svg::draw(&BoardDrawing::plain(variant, &none.position), Theme::default(), &[]);
        assert!(!SHAPES.iter().any(|shape| picture.contains(shape)));
    }
}
