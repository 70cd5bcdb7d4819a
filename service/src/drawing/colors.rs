//! The colors of sides and squares: for pictures, and the nearest terminal colors.
//!
//! A color set in the script has priority, then one that matches the side's name, then the usual order of light and dark.

use astragal_core::variant::Color;
use astragal_core::{MAX_SIDES, Side, Variant};

/// A color by name, with its number in the 256-color terminal palette and its value in pictures.
const NAMED: [(&str, u8, &str); 8] = [
    ("white", 231, "#ffffff"),
    ("black", 16, "#1c1c1c"),
    ("red", 124, "#af0000"),
    ("green", 22, "#005f00"),
    ("blue", 19, "#0000af"),
    ("yellow", 226, "#ffd700"),
    ("orange", 208, "#ff8700"),
    ("purple", 90, "#870087"),
];

/// The colors of sides whose names match none: white, black, red, blue, then the rest.
const USUAL: [usize; MAX_SIDES] = [0, 1, 2, 4, 3, 5, 6, 7];

/// The luminance (0 to 255) above which a color has dark edges and texts.
const LIGHT: u32 = 140;

/// The color of a side's pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SideColor {
    /// Its number in the 256-color terminal palette.
    pub(super) code: u8,
    /// Its value in pictures: `#af0000`.
    pub(super) hex: String,
    /// Whether drawings on it must be dark.
    pub(super) light: bool,
}

/// The color of a side's pieces.
pub(super) fn of(variant: &Variant, side: Side) -> SideColor {
    if let Some(color) = variant.spec().look.sides.get(side.index()).copied().flatten() {
        return SideColor { code: nearest(color), hex: hex(color), light: is_light(color) };
    }
    let name = variant.spec().sides.get(side.index()).map_or(String::new(), |side| side.name.to_lowercase());
    let named = NAMED.iter().position(|(known, _, _)| *known == name);
    let index = named.unwrap_or(USUAL[side.index()]);
    let (name, code, hex) = NAMED[index];
    SideColor { code, hex: hex.into(), light: matches!(name, "white" | "yellow" | "orange") }
}

/// A color as it is written in pictures.
pub(super) fn hex(Color([red, green, blue]): Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn is_light(Color([red, green, blue]): Color) -> bool {
    // The luma weights of BT.601.
    (299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue)) / 1000 > LIGHT
}

/// The nearest color of the 216-color terminal cube.
fn nearest(Color(parts): Color) -> u8 {
    // Its six levels are 0, 95, 135, 175, 215 and 255.
    let [red, green, blue] = parts.map(|part| if part < 48 { 0 } else { (part.saturating_sub(35) / 40).max(1) });
    16 + 36 * red + 6 * green + blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_those_of_the_script_of_the_name_or_of_the_order() {
        let of = |script: &str, side: u8| {
            let text = format!(
                "{script} piece(\"man\", \"M\", \"W\"); setup(\"8/8/8/8/8/8/8/M6m w\"); fn turn() {{ play(any()); }}"
            );
            let source = astragal_dsl::Source { name: "look".into(), path: None, text };
            let loaded = astragal_dsl::load(&source, &[]).expect("a script");
            super::of(&loaded.set.variant, Side(side))
        };
        assert_eq!(of("", 0), SideColor { code: 231, hex: "#ffffff".into(), light: true });
        assert_eq!(of("sides([\"Blue\", \"Red\"]);", 1).hex, "#af0000");
        assert_eq!(of("sides([\"North\", \"South\"]);", 1).code, 16);
        let teal = of("look(#{ sides: [\"teal\", \"#ffe\"] });", 0);
        assert_eq!(teal, SideColor { code: 30, hex: "#008080".into(), light: false });
        assert!(of("look(#{ sides: [\"teal\", \"#ffe\"] });", 1).light);
        assert_eq!(of("look(#{ sides: [\"teal\"] });", 1).code, 16, "only the first has one");
    }

    #[test]
    fn terminals_have_the_nearest_color() {
        assert_eq!(
            [[0, 0, 0], [255, 255, 255], [0, 0, 175], [95, 0, 47]].map(|rgb| nearest(Color(rgb))),
            [16, 231, 19, 52]
        );
    }
}
