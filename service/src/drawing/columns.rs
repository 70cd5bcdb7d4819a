//! The columns that texts take on screen.

use unicode_width::UnicodeWidthStr;

/// The columns that a text takes on screen, not counting color codes.
pub fn shown(text: &str) -> usize {
    let mut parts = text.split('\x1b');
    let first = parts.next().map_or(0, |part| part.width());
    first + parts.map(|part| part.split_once('m').map_or(0, |(_, rest)| rest.width())).sum::<usize>()
}
