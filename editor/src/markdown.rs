//! The parts of hover texts and descriptions in Markdown: paragraphs, code and pictures.

/// Joins paragraphs; empty ones are left out.
pub(crate) fn paragraphs<T: AsRef<str>>(parts: impl IntoIterator<Item = T>) -> String {
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

/// A block of code or a picture; empty without a text. `language` is `rhai` or `text`.
///
/// ```
/// use astragal_editor::markdown::block;
/// assert_eq!(block("text", "a b\n"), "```text\na b\n```");
/// ```
pub fn block(language: &str, text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

/// Inline code.
pub(crate) fn code(text: &str) -> String {
    let marks = "`".repeat(longest_run(text) + 1);
    let gap = if marks.len() > 1 || text.is_empty() { " " } else { "" };
    format!("{marks}{gap}{text}{gap}{marks}")
}

/// A name within a line of Markdown.
pub(crate) fn escaped(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\''));
    if is_plain { name.to_owned() } else { code(name) }
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A text on one line, cut off after `most` characters.
///
/// ```
/// use astragal_editor::markdown::shortened;
/// assert_eq!(shortened("one  two\nthree", 9), "one two t…");
/// ```
pub fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// A text of an author in Markdown, with its pictures turned into links. A client would load the pictures, and so tell
/// the author about the reader.
///
/// ```
/// use astragal_editor::markdown::without_pictures;
/// assert_eq!(without_pictures("![x](https://example.org/x.png)"), "\\![x](https://example.org/x.png)");
/// ```
pub fn without_pictures(text: &str) -> String {
    text.replace("![", "\\![")
}

/// A text with a capital letter at its beginning.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// `1 piece`, `2 pieces`.
pub(crate) fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// `a, b and c`.
pub(crate) fn enumeration(items: &[String]) -> String {
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
        assert_eq!(shortened("one  two\nthree", 9), "one two t…");
        assert_eq!(shortened("one two", 7), "one two");
    }
}
