//! The text of a piece: its letter, or its picture.

use super::theme::{Pieces, Theme};
use astragal_core::{Piece, Variant};
use astragal_dsl::notation::fen;

/// The text of a piece, without color.
pub(super) fn symbol(variant: &Variant, piece: Piece, theme: Theme) -> String {
    if piece.is_none() {
        return if theme.pieces == Pieces::Unicode { "·".into() } else { ".".into() };
    }
    let glyphs = variant.kinds().get(piece.kind().index()).map_or(&[][..], |kind| &kind.glyphs[..]);
    // If colors distinguish the sides, a side without its own picture uses that of the first.
    let shared = glyphs.first().filter(|_| theme.color);
    match glyphs.get(piece.side().index()).or(shared) {
        Some(glyph) if theme.pieces == Pieces::Unicode && !glyph.is_empty() => picture(glyph, theme),
        _ => fen::letter(variant, piece),
    }
}

/// Unicode has hollow and filled chess figures. Hollow ones look black on dark terminals; with colors, both sides use the
/// filled shape. The pawn needs a variation selector, or some terminals draw it as an emoji.
fn picture(glyph: &str, theme: Theme) -> String {
    let mut chars = glyph.chars();
    match (chars.next(), chars.next()) {
        (Some(c @ '\u{2654}'..='\u{265f}'), None | Some('\u{fe0e}')) => {
            let hollow = c <= '\u{2659}';
            let c = if theme.color && hollow { char::from_u32(c as u32 + 6).unwrap_or(c) } else { c };
            if c == '\u{265f}' { format!("{c}\u{fe0e}") } else { c.to_string() }
        }
        _ => glyph.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_filled_where_colour_tells_the_sides_apart() {
        let plain = Theme { pieces: Pieces::Unicode, ..Theme::default() };
        assert_eq!(picture("\u{2659}", plain), "\u{2659}");
        assert_eq!(picture("\u{2659}", Theme { color: true, ..plain }), "\u{265f}\u{fe0e}");
        assert_eq!(picture("\u{265c}", plain), "\u{265c}");
        assert_eq!(picture("帥", plain), "帥");
    }
}
