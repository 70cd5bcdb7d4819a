//! Names of sides in typed input: the name, its beginning, its letter, its ordinal, or `me`, `other` and `all`.

use astragal_core::{Side, Variant};
use astragal_dsl::game_text;
use astragal_dsl::notation::nearest;

/// The sides that `word` refers to, where `chooser` is to act; empty if there are none, or if it is ambiguous.
pub(super) fn named(variant: &Variant, chooser: Side, word: &str) -> Vec<Side> {
    let all = || (0..variant.sides() as u8).map(Side);
    let word = word.to_lowercase();
    let fits = |fits: &dyn Fn(Side, &str) -> bool| -> Vec<Side> {
        all().filter(|&side| fits(side, &game_text::side_name(variant, side).to_lowercase())).collect()
    };
    match word.as_str() {
        "" => return Vec::new(),
        "all" | "both" => return all().collect(),
        "other" | "others" | "opponent" => return all().filter(|&side| !variant.allied(side, chooser)).collect(),
        "me" | "mine" => return vec![chooser],
        _ => {}
    }
    let letter = |side: Side| variant.spec().sides[side.index()].letter.to_string().to_lowercase();
    let exact = fits(&|side, name| name == word || letter(side) == word || game_text::ordinal(side) == word);
    if !exact.is_empty() {
        return exact;
    }
    // Unless two names begin alike.
    let begun = fits(&|_, name| name.starts_with(&word));
    if begun.len() == 1 && word.starts_with(char::is_alphabetic) { begun } else { Vec::new() }
}

/// The names of all sides.
pub(super) fn names(variant: &Variant) -> String {
    variant.spec().sides.iter().map(|side| side.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The side with the most similar name, as a question; empty if none is similar.
pub(super) fn near(variant: &Variant, word: &str) -> String {
    let near = nearest(word, variant.spec().sides.iter().map(|side| side.name.as_str()));
    near.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_dsl::load_named;

    #[test]
    fn sides_have_many_names() {
        let chess = load_named("chess", &[]).unwrap();
        let variant = &chess.set.variant;
        for (word, sides) in [
            ("white", &[0][..]),
            ("BLACK", &[1]),
            ("b", &[1]),
            ("bl", &[1]),
            ("second", &[1]),
            ("other", &[0]),
            ("me", &[1]),
            ("both", &[0, 1]),
            ("", &[]),
            ("green", &[]),
            ("off", &[]),
            ("3", &[]),
        ] {
            let found: Vec<u8> = named(variant, Side(1), word).iter().map(|side| side.0).collect();
            assert_eq!(found, sides, "{word}");
        }
    }

    #[test]
    fn a_beginning_that_two_share_names_none() {
        let four = load_named("chaturaji", &[]).unwrap();
        let variant = &four.set.variant;
        let names: Vec<String> = variant.spec().sides.iter().map(|side| side.name.to_lowercase()).collect();
        for (i, name) in names.iter().enumerate() {
            assert_eq!(named(variant, Side(0), name), [Side(i as u8)]);
        }
        assert_eq!(named(variant, Side(0), "all").len(), 4);
    }
}
