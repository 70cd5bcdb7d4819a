//! Long texts a screen at a time, for people at a terminal.

use std::io::{self, BufRead, Write};

/// What stands below a page that is not the last.
const MORE: &str = "-- more: Enter goes on, q ends --";

/// Writes a text to a screen of so many rows; where it is longer, Enter shows the next page and `q` leaves out
/// the rest.
///
/// # Errors
/// If reading or writing fails.
pub(super) fn write(text: &str, rows: usize, keys: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
    // A row for the question, or for the prompt that follows.
    let page = rows.saturating_sub(1).max(1);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut rest = lines.as_slice();
    while rest.len() > page {
        let (shown, left) = rest.split_at(page);
        write!(out, "{}{MORE} ", shown.concat())?;
        out.flush()?;
        let mut answer = String::new();
        let read = keys.read_line(&mut answer)?;
        if read == 0 || !answer.trim().is_empty() {
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
        let mut out = Vec::new();
        write(&text, rows, &mut keys.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_fits_is_shown_at_once() {
        assert_eq!(paged(3, 4, ""), "1\n2\n3\n");
        assert_eq!(paged(0, 4, ""), "");
    }

    #[test]
    fn what_does_not_fit_waits_for_enter() {
        assert_eq!(paged(4, 4, "\n"), format!("1\n2\n3\n{MORE} 4\n"));
        assert_eq!(paged(8, 4, "\n\n"), format!("1\n2\n3\n{MORE} 4\n5\n6\n{MORE} 7\n8\n"));
        assert_eq!(paged(8, 4, "q\n"), format!("1\n2\n3\n{MORE} "));
        assert_eq!(paged(8, 4, ""), format!("1\n2\n3\n{MORE} "), "nobody is there");
        assert_eq!(paged(2, 0, "\n"), format!("1\n{MORE} 2\n"), "some terminals have no size");
    }
}
