//! Changes of texts, here and there, with words that mean something to the parsers.

use std::path::Path;

/// Words that mean something to a target: its fuzzing dictionary.
///
/// # Panics
/// If there is no dictionary for it.
pub fn dictionary(target: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../fuzz/dictionaries/{target}.dict"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let words = text.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    words.map(|word| word.replace("\\x22", "\"").replace("\\x0a", "\n").replace("\\x5c", "\\")).collect()
}

/// Changes a text at `at`, over `length % 8 + 1` letters: `what` says whether `word` is inserted there or replaces them, or
/// whether they are removed, doubled, or one of them is changed.
pub fn apply(letters: &mut Vec<char>, what: u8, at: usize, length: u8, word: &str) {
    let end = (at + 1 + usize::from(length % 8)).min(letters.len());
    match what % 5 {
        0 => drop(letters.splice(at..at, word.chars())),
        1 => drop(letters.splice(at..end.max(at), word.chars())),
        2 => drop(letters.drain(at..end.max(at))),
        3 => {
            let again = letters[at..end.max(at)].to_vec();
            letters.splice(at..at, again);
        }
        _ if at < letters.len() => letters[at] = char::from(length),
        _ => letters.truncate(at),
    }
}
