//! Colors as scripts write them: names or numbers.

use crate::host::error::{ScriptResult, fail_help};
use crate::notation::nearest;
use astragal_core::variant::Color;

/// Named colors, with the names that CSS uses.
const COLORS: [(&str, [u8; 3]); 20] = [
    ("white", [255, 255, 255]),
    ("black", [28, 28, 28]),
    ("red", [175, 0, 0]),
    ("green", [0, 95, 0]),
    ("blue", [0, 0, 175]),
    ("yellow", [255, 215, 0]),
    ("orange", [255, 140, 0]),
    ("purple", [128, 0, 128]),
    ("brown", [122, 74, 22]),
    ("gray", [128, 128, 128]),
    ("pink", [255, 160, 180]),
    ("teal", [0, 128, 128]),
    ("navy", [0, 0, 96]),
    ("gold", [224, 176, 32]),
    ("silver", [192, 192, 192]),
    ("beige", [245, 235, 210]),
    ("tan", [210, 180, 140]),
    ("ivory", [255, 250, 230]),
    ("maroon", [110, 16, 16]),
    ("olive", [110, 110, 20]),
];

/// Reads a color from its name or its numbers.
pub(super) fn color(text: &str) -> ScriptResult<Color> {
    if let Some((_, rgb)) = COLORS.iter().find(|(name, _)| *name == text) {
        return Ok(Color(*rgb));
    }
    let digits: Option<Vec<u8>> = text.strip_prefix('#').map(|hex| {
        let digit = |c: char| c.to_digit(16).map_or(u8::MAX, |digit| digit as u8);
        hex.chars().map(digit).collect()
    });
    match digits.as_deref() {
        Some(&[r, g, b]) if r.max(g).max(b) < 16 => Ok(Color([r * 17, g * 17, b * 17])),
        Some(&[a, b, c, d, e, f]) if [a, b, c, d, e, f].iter().all(|digit| *digit < 16) => {
            Ok(Color([a * 16 + b, c * 16 + d, e * 16 + f]))
        }
        _ => {
            let names = COLORS.iter().map(|(name, _)| *name);
            let meant = nearest(text, names.clone()).map(|name| format!("did you mean \"{name}\"? Color"));
            let all = names.collect::<Vec<_>>().join(", ");
            let help =
                format!("{} names are {all}; write other colors as in \"#2e6b4f\"", meant.unwrap_or("color".into()));
            fail_help(format!("\"{text}\" is not a color"), Some(help))
        }
    }
}
