//! Sanitizes the output of the program. Whatever a script, a record or a request contains, the only control sequences that
//! reach the terminal are our own colors and the clearing of the screen.
//!
//! All writes to standard output or standard error pass through here. Texts of scripts are already made
//! [`astragal_dsl::printable`] when they are read; other control characters are shown, not sent.

use astragal_dsl::printable;
use std::io::{self, Write};

/// Clears the screen and its scrollback.
const CLEAR: &[u8] = b"\x1b[2J\x1b[3J\x1b[H";
/// The longest sequence that sets a color, in bytes.
const LONGEST: usize = 32;

/// A target for answers.
pub(crate) trait Screen: Write {
    /// Clears the screen.
    ///
    /// # Errors
    /// If the sequence cannot be written.
    fn clear(&mut self) -> io::Result<()>;
}

/// Passes on texts and color sequences, and shows all other control characters.
pub(crate) struct SanitizingWriter<W: Write> {
    inner: W,
    color: bool,
    /// The bytes of an incomplete character or color sequence.
    held: Vec<u8>,
}

impl<W: Write> SanitizingWriter<W> {
    /// Wraps a writer; color sequences pass if `color` is set.
    pub(crate) fn new(inner: W, color: bool) -> SanitizingWriter<W> {
        SanitizingWriter { inner, color, held: Vec::new() }
    }

    /// Passes on all complete parts; at the `end`, everything.
    fn pass(&mut self, end: bool) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.held);
        let mut out = String::with_capacity(bytes.len());
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (text, broken) = match std::str::from_utf8(rest) {
                Ok(text) => (text, None),
                Err(error) => {
                    let text = std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default();
                    (text, Some(error.error_len()))
                }
            };
            let shown = show(text, self.color, end || broken.is_some(), &mut out);
            rest = &rest[shown..];
            match broken {
                // A color sequence may be incomplete.
                _ if shown < text.len() => break,
                Some(None) if !end => break,
                Some(length) => {
                    out.push(char::REPLACEMENT_CHARACTER);
                    rest = &rest[length.unwrap_or(rest.len())..];
                }
                None => {}
            }
        }
        self.held = rest.to_vec();
        self.inner.write_all(out.as_bytes())
    }
}

/// Appends the shown form of a text to `out`, and returns how many of its bytes that covers: all, unless the text ends
/// within a color sequence and `end` is not set.
fn show(text: &str, color: bool, end: bool, out: &mut String) -> usize {
    let mut rest = text;
    while let Some(at) = rest.find(printable::steers) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match color_sequence(rest).filter(|_| color) {
            Some(length) => {
                out.push_str(&rest[..length]);
                rest = &rest[length..];
            }
            None if color && !end && may_become_color(rest) => return text.len() - rest.len(),
            None => {
                let c = rest.chars().next().unwrap_or_default();
                printable::show(out, c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out.push_str(rest);
    text.len()
}

/// The length of the color sequence at the start of a text, as `\x1b[1;31m`.
fn color_sequence(text: &str) -> Option<usize> {
    let codes = text.strip_prefix("\x1b[")?;
    let end = codes.find(|c: char| !(c.is_ascii_digit() || c == ';'))?;
    (codes[end..].starts_with('m') && end + 3 <= LONGEST).then_some(end + 3)
}

fn may_become_color(text: &str) -> bool {
    let mut letters = text.chars();
    let begins = letters.next() == Some('\x1b') && letters.next().is_none_or(|c| c == '[');
    begins && text.len() < LONGEST && letters.all(|c| c.is_ascii_digit() || c == ';')
}

impl<W: Write> Write for SanitizingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        self.pass(false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(true)?;
        self.inner.flush()
    }
}

impl<W: Write> Screen for SanitizingWriter<W> {
    fn clear(&mut self) -> io::Result<()> {
        self.pass(true)?;
        self.inner.write_all(CLEAR)
    }
}

/// Standard output. If it was closed when the program began, every write fails.
pub(crate) struct Output {
    closed: bool,
}

impl Output {
    /// Standard output, with `closed` set if it was closed when the program began.
    pub(crate) fn new(closed: bool) -> Output {
        Output { closed }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.closed && !bytes.is_empty() {
            true => Err(named(io::Error::other("it is closed"))),
            false => io::stdout().write(bytes).map_err(named),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().map_err(named)
    }
}

fn named(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(pieces: &[&[u8]], color: bool) -> String {
        let mut guarded = SanitizingWriter::new(Vec::new(), color);
        pieces.iter().for_each(|piece| guarded.write_all(piece).expect("written"));
        guarded.flush().expect("flushed");
        String::from_utf8(guarded.inner).expect("UTF-8")
    }

    #[test]
    fn only_colors_pass() {
        let text = "a\x1b[1;31mb\x1b[0m\x1b]0;x\x07\x1b[2J\u{9b}\u{202e}\r\n\x1b[8";
        let shown = "\\x1b]0;x\\x07\\x1b[2J\\u009b\\u202e\\x0d\n\\x1b[8";
        assert_eq!(printed(&[text.as_bytes()], true), format!("a\x1b[1;31mb\x1b[0m{shown}"));
        assert_eq!(printed(&[text.as_bytes()], false), format!("a\\x1b[1;31mb\\x1b[0m{shown}"));
        // However the text is split.
        for at in 0..text.len() {
            let (one, other) = text.as_bytes().split_at(at);
            assert_eq!(printed(&[one, other], true), printed(&[text.as_bytes()], true), "{at}");
        }
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(printed(&bytes, true), printed(&[text.as_bytes()], true));
        assert_eq!(printed(&[b"a\xff\x9bb\xe2\x80"], false), "a\u{fffd}\u{fffd}b\u{fffd}");
    }

    #[test]
    fn the_screen_is_cleared_on_purpose_only() {
        let mut guarded = SanitizingWriter::new(Vec::new(), true);
        guarded.clear().and_then(|()| guarded.write_all(CLEAR)).and_then(|()| guarded.flush()).expect("written");
        assert_eq!(guarded.inner, [CLEAR, b"\\x1b[2J\\x1b[3J\\x1b[H"].concat());
    }
}
