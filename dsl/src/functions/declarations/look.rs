//! How the game looks: colours of squares and sides, the form of its pieces.

use super::super::param::{Call, Options};
use super::super::row::{Cost, ExampleContext, Row, row};
use crate::host::convert::squares_of_text;
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::ValueKind;
use crate::host::kind::option::{MAP, TEXT};
use crate::notation::nearest;
use astragal_core::variant::{Color, Look};

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("look", Cost::Declaration)
            .about(
                r##"How the game is drawn; its rules are the same without. Options: `squares` (colours of squares, as
                `#{ "gold": "a1 g1", "#2e6b4f": "a6-l11" }`), `sides` (a colour for the pieces of each side), `pieces`
                (`"wedges"`: flat pieces that point forward, as in shogi). A colour is a name, as `"teal"`, or its red,
                green and blue, as `"#2e6b4f"`."##,
            )
            .errors("It stands behind `board()` and `sides()`; an unknown colour or square is refused, and a square with two colours.")
            .example_in(ExampleContext::Top, r#"look(#{ squares: #{ "gold": "a1 h8" }, sides: ["white", "teal"] });"#)
            .options(&[("squares", MAP), ("sides", &[ValueKind::Array, ValueKind::Text]), ("pieces", TEXT)])
            .form(["options"], look),
    ]
}

/// Colours by name, as web pages call them.
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

/// A colour by its name or numbers.
fn color(text: &str) -> ScriptResult<Color> {
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
            let meant = nearest(text, names.clone()).map(|name| format!("did you mean \"{name}\"? "));
            let all = names.collect::<Vec<_>>().join(", ");
            let help = format!("{}names are {all}; others are written as \"#2e6b4f\"", meant.unwrap_or_default());
            fail_help(format!("\"{text}\" is no colour"), Some(help))
        }
    }
}

fn look(call: &Call<'_>, options: Options) -> ScriptResult<()> {
    let squares = options.text_map("squares")?;
    let sides = options.texts("sides")?.unwrap_or_default();
    let wedges = match options.text("pieces")?.as_deref() {
        None => false,
        Some("wedges") => true,
        Some(other) => return fail(format!("pieces are drawn as \"wedges\" or as usual, not as \"{other}\"")),
    };
    let sides: Vec<Color> = sides.iter().map(|text| color(text)).collect::<ScriptResult<_>>()?;
    call.declare("look()", |d| {
        d.note("the look", call.place());
        if sides.len() > d.spec.sides.len() {
            let help = Some("look() stands behind sides()".into());
            return fail_help(format!("there are {} colours for {} sides", sides.len(), d.spec.sides.len()), help);
        }
        let mut look = Look { wedges, ..Look::default() };
        look.sides.iter_mut().zip(sides).for_each(|(side, color)| *side = Some(color));
        for (name, text) in &squares {
            let all = squares_of_text(&d.spec.board, text)?;
            if let Some(twice) = all.into_iter().find(|square| look.square(*square).is_some()) {
                return fail(format!("{} is given two colours", d.spec.board.name(twice)));
            }
            look.squares.push((all, color(name)?));
        }
        d.spec.look = look;
        Ok(())
    })
}
