//! How pictures of a board differ from the grid of its squares: patterns, triangles, numbers, labels, captions, figures.
//!
//! Text boards ignore these options of `look`, which all are data for renderers.

use super::super::param::Options;
use super::colors::color;
use super::tracks::track_called;
use crate::host::convert::squares_of_text;
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::notation::nearest;
use crate::printable;
use astragal_core::board::{Board, Cells};
use astragal_core::variant::{Color, Look, Pattern, Triangle};
use astragal_core::{Kind, Spec, Square};

/// The patterns of a board.
const PATTERNS: [(&str, Pattern); 3] =
    [("checkered", Pattern::Checkered), ("plain", Pattern::Plain), ("circles", Pattern::Circles)];
/// The limits of `square_height`, in percent.
const HEIGHTS: std::ops::RangeInclusive<i64> = 50..=600;
/// The longest label, in characters.
const LABEL: usize = 12;
/// The longest caption, in characters.
const CAPTION: usize = 24;

/// The options as written.
pub(super) struct Picture {
    pattern: Pattern,
    triangles: Vec<(String, String)>,
    square_height: Option<u16>,
    is_nameless: bool,
    numbers: Option<String>,
    from_zero: bool,
    labels: Vec<(String, String)>,
    captions: Vec<(String, String)>,
    figures: Vec<(String, String)>,
    holes: Option<Color>,
}

impl Picture {
    /// Reads the options, as far as they do not depend on other declarations.
    pub(super) fn read(options: &Options) -> ScriptResult<Picture> {
        let square_height = match options.number("square_height")? {
            None => None,
            Some(percent) if HEIGHTS.contains(&percent) => Some(percent as u16),
            Some(other) => {
                let (least, most) = (HEIGHTS.start(), HEIGHTS.end());
                let help =
                    Some("with 100, squares are as high as they are wide; with 200, they are twice as high".into());
                return fail_help(format!("`square_height` must be from {least} to {most}, not {other}"), help);
            }
        };
        Ok(Picture {
            pattern: options.text("pattern")?.as_deref().map(pattern).transpose()?.unwrap_or_default(),
            triangles: options.text_map("triangles")?,
            square_height,
            is_nameless: !options.flag("coordinates", true)?,
            numbers: options.text("numbers")?,
            from_zero: options.flag("from_zero", false)?,
            labels: options.text_map("labels")?,
            captions: options.text_map("captions")?,
            figures: options.text_map("figures")?,
            holes: options.text("holes")?.as_deref().map(color).transpose()?,
        })
    }

    /// Adds the options to the look of a game whose other declarations are known.
    pub(super) fn add_to(&self, look: &mut Look, spec: &Spec) -> ScriptResult<()> {
        if spec.board.cells() == Cells::Hex {
            let fitting = [
                (self.pattern != Pattern::Circles, "pattern: \"circles\""),
                (self.triangles.is_empty(), "triangles"),
                (self.square_height.is_none(), "square_height"),
            ];
            if let Some((_, option)) = fitting.iter().find(|(fits, _)| !fits) {
                return fail(format!("`{option}` needs a board of squares, not of hexagons"));
            }
        }
        look.pattern = self.pattern;
        look.square_height = self.square_height;
        look.is_nameless = self.is_nameless;
        look.holes = self.holes;
        look.numbers = self.numbers.as_ref().map(|name| track_called(spec, name)).transpose()?;
        look.from_zero = self.from_zero;
        for (name, text) in &self.triangles {
            let color = color(name)?;
            for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
                look.triangles.push(Triangle { squares: triangle(&spec.board, word)?, color });
            }
        }
        for (label, text) in &self.labels {
            is_label(label, "label", LABEL)?;
            for square in squares_of_text(&spec.board, text)? {
                if look.labels.iter().any(|(known, _)| *known == square) {
                    return fail(format!("{} has two labels", spec.board.name(square)));
                }
                look.labels.push((square, label.clone()));
            }
        }
        for (caption, text) in &self.captions {
            is_label(caption, "caption", CAPTION)?;
            for area in text.split([' ', ',']).filter(|word| !word.is_empty()) {
                look.captions.push((squares_of_text(&spec.board, area)?, caption.clone()));
            }
        }
        for (kind, figure) in &self.figures {
            look.figures.push((kind_called(spec, kind)?, figure_of(kind, figure)?));
        }
        Ok(())
    }
}

fn pattern(text: &str) -> ScriptResult<Pattern> {
    match PATTERNS.iter().find(|(name, _)| *name == text) {
        Some((_, pattern)) => Ok(*pattern),
        None => {
            let meant = nearest(text, PATTERNS.iter().map(|(name, _)| *name));
            let help = meant.map(|name| format!("did you mean \"{name}\"?"));
            fail_help(format!("`pattern` must be \"checkered\", \"plain\" or \"circles\", not \"{text}\""), help)
        }
    }
}

/// The squares of a triangle, from the end nearest to an edge of the board to its tip.
fn triangle(board: &Board, word: &str) -> ScriptResult<Vec<Square>> {
    let mut squares: Vec<Square> = squares_of_text(board, word)?.into_iter().collect();
    squares.sort_by_key(|square| board.rank(*square));
    let (Some(low), Some(high)) = (squares.first(), squares.last()) else {
        return fail(format!("the triangle \"{word}\" has no squares"));
    };
    if board.file(*low) != board.file(*high) || squares.iter().any(|square| board.file(*square) != board.file(*low)) {
        let help = Some("write a triangle for each file, as in \"a1-a5 b1-b5\"".into());
        return fail_help(format!("a triangle is part of one file, but \"{word}\" covers several"), help);
    }
    if board.height() - 1 - board.rank(*high) < board.rank(*low) {
        squares.reverse();
    }
    Ok(squares)
}

fn is_label(text: &str, what: &str, most: usize) -> ScriptResult<()> {
    match printable::is_visible(text, most) {
        true => Ok(()),
        false => fail(format!("a {what} must be visible text of 1 to {most} characters, not {text:?}")),
    }
}

fn kind_called(spec: &Spec, name: &str) -> ScriptResult<Kind> {
    let names = spec.kinds.iter().map(|kind| kind.name.as_str());
    match names.clone().position(|known| known == name) {
        Some(index) => Ok(Kind(index as u8)),
        None => {
            let meant = nearest(name, names).map(|name| format!("did you mean \"{name}\"?"));
            let help = meant.unwrap_or("call `look()` after `piece()`".into());
            fail_help(format!("there is no piece called \"{name}\""), Some(help))
        }
    }
}

fn figure_of(kind: &str, text: &str) -> ScriptResult<String> {
    let mut chars = text.trim_end_matches('\u{fe0e}').chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if !c.is_control() && !c.is_whitespace() && !printable::steers(c) => Ok(text.into()),
        _ => fail_help(
            format!("the figure of \"{kind}\" must be one visible character, not {text:?}"),
            Some(format!("write a single character, as in `#{{ \"{kind}\": \"♚\" }}`")),
        ),
    }
}
