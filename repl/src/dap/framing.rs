//! The frames of messages: a header with the length of the JSON text, an empty line, and the text.
//!
//! Owns the limits on what is read. It must never know what messages mean. Invariant: a client cannot make the adapter
//! reserve more memory than the bytes that it has sent.

use serde_json::Value;
use std::io::{self, BufRead, ErrorKind, Read, Write};

/// The longest text of a message, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// The longest line of a header, in bytes.
const LONGEST_LINE: u64 = 1024;

/// The maximum number of lines of a header.
const MOST_LINES: usize = 16;

/// Reads a message; `None` at the end of the input.
///
/// # Errors
/// If the input fails, or is not a message within the limits.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let Some(length) = read_header(input)? else { return Ok(None) };
    let mut text = Vec::new();
    input.by_ref().take(length).read_to_end(&mut text)?;
    if text.len() as u64 != length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    serde_json::from_slice(&text).map(Some).map_err(io::Error::from)
}

/// The length of the text after a header; `None` at the end of the input.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let invalid = |what: &str| io::Error::new(ErrorKind::InvalidData, what.to_string());
    let mut length = None;
    for number in 0..MOST_LINES {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && number == 0 {
            return Ok(None);
        }
        let line = line.strip_suffix(b"\n").ok_or_else(|| invalid("a header line is incomplete"))?;
        let line = std::str::from_utf8(line).map_err(|_| invalid("a header is not UTF-8 text"))?.trim_end();
        if line.is_empty() {
            let length: u64 = length.ok_or_else(|| invalid("a header has no Content-Length"))?;
            return if length <= MOST_BYTES { Ok(Some(length)) } else { Err(invalid("a message is too long")) };
        }
        let (name, value) = line.split_once(':').ok_or_else(|| invalid("a header line has no name"))?;
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(value.trim().parse().map_err(|_| invalid("Content-Length is not a number"))?);
        }
    }
    Err(invalid("a header is too long"))
}

/// Writes a message.
///
/// # Errors
/// If the output fails.
pub(super) fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let mut bytes = Vec::new();
        for message in [json!({ "a": "\u{1f3b2}\n" }), json!([1, 2])] {
            write(&mut bytes, &message).expect("it writes");
        }
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).expect("a message"), Some(json!({ "a": "\u{1f3b2}\n" })));
        assert_eq!(read(&mut input).expect("a message"), Some(json!([1, 2])));
        assert_eq!(read(&mut input).expect("the end"), None);
    }

    #[test]
    fn garbage_is_refused_before_it_is_read() {
        let long = "x".repeat(5000);
        let lines = "a: b\r\n".repeat(50);
        for text in [
            "no header\r\n\r\n",
            "Content-Length: 99999999999\r\n\r\n{}",
            "Content-Length: -1\r\n\r\n{}",
            "Content-Length: 2\r\n\r\n{x",
            "Content-Length: 20\r\n\r\n{}",
            "Other: 2\r\n\r\n{}",
            "\u{fffd}",
            &long,
            &lines,
        ] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text:?}");
        }
        assert!(read(&mut &b"Content-Length: 2\xff\r\n\r\n{}"[..]).is_err());
    }
}
