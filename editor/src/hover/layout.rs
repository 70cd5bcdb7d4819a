//! The parts of hover texts: paragraphs, lists, code and pictures in Markdown.

/// Joins paragraphs; empty ones are left out.
pub(super) fn paragraphs<T: AsRef<str>>(parts: impl IntoIterator<Item = T>) -> String {
    let mut out = String::new();
    for part in parts {
        let part = part.as_ref().trim_end();
        if !part.is_empty() {
            out.push_str(if out.is_empty() { "" } else { "\n\n" });
            out.push_str(part);
        }
    }
    out
}

/// A block of code or a picture. `language` is `rhai` or `text`.
pub(super) fn block(language: &str, text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

/// Inline code.
pub(super) fn code(text: &str) -> String {
    let marks = "`".repeat(longest_run(text) + 1);
    let gap = if marks.len() > 1 || text.is_empty() { " " } else { "" };
    format!("{marks}{gap}{text}{gap}{marks}")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A text on one line, truncated if it is long.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{} ..", line[..end].trim_end()),
        None => line,
    }
}

/// A text with a capital letter at its beginning.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// `1 piece`, `2 pieces`.
pub(super) fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// `a, b and c`.
pub(super) fn enumeration(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_with_backticks_stays_code() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(block("text", "```\n"), "````text\n```\n````");
        assert_eq!(block("text", ""), "");
        assert_eq!(paragraphs(["a\n", "", "b"]), "a\n\nb");
        assert_eq!(shortened("one  two\nthree", 9), "one two t ..");
    }
}
