//! Untrusted texts on a terminal: control characters are shown instead of sent.
//!
//! Titles, names, choices, reasons and comments come from scripts and records. A terminal treats some characters in them as
//! commands: to clear the screen, to change its title, or to reorder the letters of a line. All of these are shown as
//! `\x1b`, `\u009b` or `\u202e`. In JSON, where the first form is never valid, the second means the same character.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal may treat `c` as a command: control characters other than line breaks and tabs, and those that change
/// the direction of writing.
pub fn steers(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

/// Whether a text of 1 to `most` characters can be written on a board: it has no commands to terminals.
pub(crate) fn is_visible(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.chars().count()) && !text.chars().any(|c| c.is_control() || steers(c))
}

/// Appends `c` in printable form.
pub fn show(out: &mut String, c: char) {
    let _ = match c {
        c if c < ' ' => write!(out, "\\x{:02x}", c as u32),
        c => write!(out, "\\u{:04x}", c as u32),
    };
}

/// The text with its control characters in printable form. Line breaks and tabs stay.
///
/// ```
/// use astragal_dsl::printable::printable;
/// assert_eq!(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\n");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    shown(text, steers)
}

/// The same on one line: line breaks and tabs are made printable, too.
pub fn in_a_line(text: &str) -> Cow<'_, str> {
    shown(text, |c| steers(c) || matches!(c, '\n' | '\t'))
}

fn shown(text: &str, is_shown: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_shown) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_shown(c) {
            true => show(&mut out, c),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Makes a text printable on one line, in place.
pub(crate) fn tame(text: &mut String) {
    if let Cow::Owned(shown) = in_a_line(text) {
        *text = shown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_shown() {
        assert_eq!(printable("\x07\u{9b}2J\u{7f}\u{202e}\u{2066}\r"), r"\x07\u009b2J\u007f\u202e\u2066\x0d");
        assert_eq!(in_a_line("a\tb\nc"), r"a\x09b\x0ac");
        assert!(matches!(printable("\u{265a} ½ \u{5c07}\n\t"), Cow::Borrowed(_)));
    }
}
