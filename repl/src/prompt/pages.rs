//! Long texts one screen at a time, for people at a terminal.

use std::io::{self, Write};

/// The line below every page but the last.
const MORE: &str = "-- more: Enter continues, q quits --";

/// Writes a text to a screen with `rows` rows. If it is longer, Enter shows the next page and `q` leaves out the rest.
/// `ask` shows a question and reads a line; `None`, for Ctrl-C and Ctrl-D, leaves out the rest, too.
///
/// # Errors
/// If reading or writing fails.
pub(super) fn write(
    text: &str,
    rows: usize,
    mut ask: impl FnMut(&str) -> io::Result<Option<String>>,
    out: &mut impl Write,
) -> io::Result<()> {
    // One row is for the question, or for the prompt after the text.
    let page = rows.saturating_sub(1).max(1);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut rest = lines.as_slice();
    while rest.len() > page {
        let (shown, left) = rest.split_at(page);
        write!(out, "{}", shown.concat())?;
        out.flush()?;
        if ask(&format!("{MORE} "))?.is_none_or(|answer| !answer.trim().is_empty()) {
            return Ok(());
        }
        rest = left;
    }
    write!(out, "{}", rest.concat())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paged(lines: usize, rows: usize, keys: &str) -> String {
        let text: String = (1..=lines).map(|n| format!("{n}\n")).collect();
        let (mut out, mut asked, mut keys) = (Vec::new(), Vec::new(), keys.lines());
        let ask = |question: &str| {
            asked.push(question.to_owned());
            Ok(keys.next().map(String::from))
        };
        write(&text, rows, ask, &mut out).unwrap();
        assert!(asked.iter().all(|question| question.trim() == MORE));
        String::from_utf8(out).unwrap() + "?".repeat(asked.len()).as_str()
    }

    #[test]
    fn what_fits_is_shown_at_once() {
        assert_eq!(paged(3, 4, ""), "1\n2\n3\n");
        assert_eq!(paged(0, 4, ""), "");
    }

    #[test]
    fn what_does_not_fit_waits_for_enter() {
        assert_eq!(paged(4, 4, "\n"), "1\n2\n3\n4\n?");
        assert_eq!(paged(8, 4, "\n\n"), "1\n2\n3\n4\n5\n6\n7\n8\n??");
        assert_eq!(paged(8, 4, "q\n"), "1\n2\n3\n?");
        assert_eq!(paged(8, 4, ""), "1\n2\n3\n?", "nobody is there");
        assert_eq!(paged(2, 0, "\n"), "1\n2\n?", "some terminals have no size");
    }
}
