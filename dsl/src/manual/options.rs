//! The meaning of each option of a call: the part of a row's description that is about one key of its map.
//!
//! The descriptions come from the rows, except those of the options of a piece, for which the rows have no room.

use crate::functions::{PIECE_OPTIONS, Row, in_one_line, named};
use std::collections::BTreeSet;

/// The meaning of an option of a function, in sentences; empty if the key is unknown or explains itself.
///
/// ```
/// use astragal_dsl::manual::about_option;
/// assert_eq!(about_option("counter", "each"), "True: each side has its own counter.");
/// assert!(about_option("along", "end").starts_with("The option `end` (`\"exact\"`,"));
/// assert_eq!(about_option("counter", "unknown"), "");
/// ```
pub fn about_option(function: &str, key: &str) -> String {
    if let Some(text) = of_piece(key).filter(|_| function == "piece") {
        return text;
    }
    let rows = named(function).map(|(row, _)| row).filter(|row| row.options.iter().any(|(known, _)| *known == key));
    rows.map(|row| described(row, key)).find(|text| !text.is_empty()).map_or(String::new(), |text| as_sentence(&text))
}

/// A phrase or sentences, with a capital letter and a period.
fn as_sentence(text: &str) -> String {
    let stop = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(stop.chars()).collect()
}

/// An option of a piece.
fn of_piece(key: &str) -> Option<String> {
    let is_of_key = |example: &str| example.split_once(':').is_some_and(|(name, _)| name == key);
    let (example, effect, without) = PIECE_OPTIONS.iter().find(|(example, ..)| is_of_key(example))?;
    Some(format!("`{example}`: {effect}. Without it: {without}."))
}

/// The description of a row's functions without the sentences about their options.
pub(super) fn purpose(row: &Row) -> String {
    let about = in_one_line(row.about);
    let sentences = sentences(&about);
    let mut of_options: BTreeSet<usize> = BTreeSet::new();
    for (key, _) in row.options {
        match place(row, &sentences, key) {
            Some(Place::Own(own)) => of_options.extend(own),
            Some(Place::List(at)) if is_list(sentences[at]) => {
                of_options.insert(at);
            }
            _ => {}
        }
    }
    let others = sentences.iter().enumerate().filter(|(at, text)| !of_options.contains(at) && !is_pointer(text));
    others.map(|(_, sentence)| *sentence).collect::<Vec<_>>().join(" ")
}

/// Where the sentences of a row describe an option.
enum Place {
    /// In a list of options.
    List(usize),
    /// In sentences of its own.
    Own(std::ops::Range<usize>),
    /// In a sentence about the function.
    Within(usize),
}

fn place(row: &Row, sentences: &[&str], key: &str) -> Option<Place> {
    // A parameter can have the same name.
    let introduced = sentences.iter().position(|sentence| sentence.contains(&format!("he option `{key}`")));
    let first = introduced.or_else(|| sentences.iter().position(|sentence| mentions(sentence, key)))?;
    let sentence = sentences[first];
    if sentence.contains("Options") || sentence.contains(" options") || is_list(sentence) {
        return Some(Place::List(first));
    }
    let heads = [format!("The option `{key}`"), format!("With `{key}"), format!("`{key}")];
    if !heads.iter().any(|head| sentence.starts_with(head)) {
        return Some(Place::Within(first));
    }
    // Sentences that follow belong to the same option until another one is mentioned.
    let others = || row.options.iter().map(|(other, _)| *other).filter(|other| *other != key);
    let goes_on = |sentence: &&&str| {
        !others().any(|other| mentions(sentence, other)) && !is_list(sentence) && !is_pointer(sentence)
    };
    let further = sentences[first + 1..].iter().take_while(goes_on).count();
    Some(Place::Own(first..first + 1 + further))
}

/// Whether a sentence only lists options.
fn is_list(sentence: &str) -> bool {
    ["Option: ", "Options", "Further options"].iter().any(|head| sentence.starts_with(head))
}

/// Whether a sentence only points to the guide.
fn is_pointer(sentence: &str) -> bool {
    sentence.starts_with("The guide ")
}

fn described(row: &Row, key: &str) -> String {
    let about = in_one_line(row.about);
    let sentences = sentences(&about);
    match place(row, &sentences, key) {
        None => String::new(),
        Some(Place::List(at)) => listed(sentences[at], key),
        Some(Place::Own(own)) => sentences[own].join(" "),
        Some(Place::Within(at)) => sentences[at].to_owned(),
    }
}

/// Whether a sentence names an option.
fn mentions(sentence: &str, key: &str) -> bool {
    sentence.contains(&format!("`{key}`")) || sentence.contains(&format!("`{key}: "))
}

/// The meaning of an option in a list such as ``Options: `each` (one for each side), `ask`, as for `choose` ``.
fn listed(sentence: &str, key: &str) -> String {
    let Some((_, behind)) = sentence.split_once(&format!("`{key}")) else { return String::new() };
    // The name alone, or with a value as in `secret: true`.
    let valued = || behind.split_once("` (").filter(|(value, _)| value.starts_with(": ") && !value.contains('`'));
    if let Some(text) = behind.strip_prefix("` (").or_else(|| valued().map(|(_, text)| text)) {
        return text[..closing(text)].to_owned();
    }
    // The same options of another function.
    let like = sentence.strip_prefix("Like `").or_else(|| behind.split_once("as for `").map(|(_, rest)| rest));
    let other = like.and_then(|rest| rest.split_once('`'));
    other.map_or(String::new(), |(function, _)| about_option(function, key))
}

/// The offset of the closing parenthesis in a text that follows an opening parenthesis.
fn closing(text: &str) -> usize {
    let mut depth = 1;
    let ends = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    };
    text.find(ends).unwrap_or(text.len())
}

/// The sentences of a text. Periods in code do not end a sentence.
fn sentences(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut in_code) = (Vec::new(), 0, false);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        in_code ^= *byte == b'`';
        let ends = matches!(byte, b'.' | b'?') && !in_code && bytes.get(at + 1).is_none_or(|next| *next == b' ');
        if ends {
            found.push(text[start..=at].trim());
            start = at + 1;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::rows;
    use std::path::Path;

    #[test]
    fn nearly_every_option_is_described() {
        // Their names explain them.
        let plain = [("piece", "letter"), ("track", "same_for_all"), ("track", "closed")];
        for row in rows() {
            for (key, _) in row.options {
                let name = row.functions[0].name;
                assert_eq!(about_option(name, key).is_empty(), plain.contains(&(name, key)), "{key} of {name}");
            }
        }
    }

    #[test]
    fn a_description_is_about_its_option_alone() {
        assert_eq!(about_option("choose_number", "ask"), about_option("choose", "ask"));
        assert_eq!(about_option("choose", "secret"), "Only the chooser knows the answer.");
        let castling =
            "Default true: the king cannot castle while it is attacked, or through or onto an attacked square.";
        assert_eq!(about_option("castling", "safe"), castling);
        let zone = "`zone: \"camp\"`: the region where it promotes. Without it: `\"far rank\"`.";
        assert_eq!(about_option("piece", "zone"), zone);
        let heaps = "With `heaps: true`, pieces can stand on one another; only the top piece can move or be attacked.";
        assert_eq!(about_option("board", "heaps"), heaps);
        for (function, key, end) in [
            ("play_each", "after", "or let a player choose or move."),
            ("along", "end", "makes them turn back."),
            ("along", "most", "unless the track is closed."),
            ("look", "countdown", "down to 0."),
        ] {
            let text = about_option(function, key);
            assert!(text.contains(&format!("`{key}")) && text.ends_with(end), "{text}");
        }
    }

    #[test]
    fn a_purpose_leaves_the_options_out() {
        let purpose_of = |name: &str| purpose(named(name).next().unwrap().0);
        assert_eq!(purpose_of("counter"), "Declares a number that is part of the position.");
        let piece = "Declares a kind of piece and its movement in Betza notation; without a movement, the piece cannot \
                     move.";
        assert_eq!(purpose_of("piece"), piece);
        assert!(purpose_of("win_by").contains("(with the option `least`, the lowest)"), "{}", purpose_of("win_by"));
        let play_each = purpose_of("play_each");
        assert!(play_each.ends_with("If no die can be used, the player is not asked for a decision."), "{play_each}");
        for row in rows() {
            assert!(!purpose(row).is_empty(), "{}", row.functions[0].name);
        }
    }

    #[test]
    fn the_guide_describes_the_options_of_pieces_in_the_same_words() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/pieces.md");
        let guide = std::fs::read_to_string(path).unwrap();
        for (example, effect, without) in PIECE_OPTIONS {
            let row = format!("| `{example}` | {effect} | {without} |");
            assert!(guide.contains(&row), "docs/guide/pieces.md lacks {row}");
        }
    }
}
