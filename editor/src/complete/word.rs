//! The word at an offset of a text.

use std::ops::Range;

/// The bytes of the word at an offset within a range.
pub(super) fn word_at(
    text: &str,
    inside: &Range<usize>,
    offset: usize,
    is_part: impl Fn(char) -> bool,
) -> Range<usize> {
    let offset = offset.clamp(inside.start, inside.end);
    let before = text[inside.start..offset].trim_end_matches(&is_part).len();
    let after = &text[offset..inside.end];
    let rest = after.len() - after.trim_start_matches(&is_part).len();
    inside.start + before..offset + rest
}

/// The bytes that a name replaces: the whole text if it could be a name, or the word at the offset. A text that is not
/// closed can contain the rest of its line.
pub(super) fn whole_or_word(text: &str, inside: &Range<usize>, offset: usize) -> Range<usize> {
    let could_be_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '-' | '\'');
    let is_closed = text[inside.end..].starts_with('"');
    match is_closed && text[inside.clone()].chars().all(could_be_name) {
        true => inside.clone(),
        false => word_at(text, inside, offset, is_word),
    }
}

/// Whether a character belongs to a name.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
