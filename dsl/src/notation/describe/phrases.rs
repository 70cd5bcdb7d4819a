//! Parts of sentences that all descriptions share: articles, counts, lists and distances.

use astragal_core::Atom;

/// The numbers of an array's entries: `entries 0 to 5`.
pub(crate) fn entries(count: usize) -> String {
    match count {
        ..=1 => "only entry 0".into(),
        2 => "entries 0 and 1".into(),
        _ => format!("entries 0 to {}", count - 1),
    }
}

/// A word, or several with `or`, with the article: `a knight or rook`.
pub(crate) fn a(word: &str) -> String {
    let vowel = word.starts_with(|c: char| "aeiouAEIOU".contains(c));
    format!("{} {word}", if vowel { "an" } else { "a" })
}

/// A number of things: `1 argument`, `2 arguments`.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// `a, b or c`.
pub(crate) fn alternatives(items: &[String]) -> String {
    series(items, "or")
}

/// `a, b and c`.
pub(crate) fn enumeration(items: &[String]) -> String {
    series(items, "and")
}

fn series(items: &[String], word: &str) -> String {
    match items {
        [] => "nothing".into(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {word} {last}", most.join(", ")),
    }
}

pub(super) fn distance(min: u8, max: u8, unit: &str) -> String {
    let many = |n: u8| if n == 1 { format!("one {unit}") } else { format!("{n} {unit}s") };
    match (min, max) {
        (a, b) if a == b => many(a),
        (1, 0) if unit == "square" => "any distance".into(),
        (1, 0) => format!("any number of {unit}s"),
        (a, 0) => format!("{a} or more {unit}s"),
        (1, b) => format!("up to {}", many(b)),
        (a, b) => format!("{a} to {b} {unit}s"),
    }
}

pub(super) fn lame(atom: &Atom) -> bool {
    atom.legs.iter().any(|legs| !legs.is_empty())
}
