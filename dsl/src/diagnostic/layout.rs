//! The layout of reports: color, width, and the wrapping of sentences.

use unicode_width::UnicodeWidthStr;

/// The layout of a report. A `bool` converts to [`Layout::COLUMNS`] with that color setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Whether it has colors, as terminal escapes.
    pub color: bool,
    /// How many columns a line may have. Only a word that cannot be broken is longer.
    pub columns: usize,
}

impl Layout {
    /// The width of a report without a terminal.
    pub const COLUMNS: usize = 80;

    /// In narrower terminals, hardly any text fits beside the bars.
    const NARROWEST: usize = 30;

    /// The columns that are used.
    pub(super) fn width(self) -> usize {
        self.columns.max(Layout::NARROWEST)
    }
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { color: false, columns: Layout::COLUMNS }
    }
}

impl From<bool> for Layout {
    fn from(color: bool) -> Layout {
        Layout { color, ..Layout::default() }
    }
}

/// Breaks lines wider than `room` at blanks. Quoted text stays on one line if it fits.
pub(super) fn wrapped(text: &str, room: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| broken(line, room)).collect();
    lines.join("\n")
}

/// Breaks one line; the lines after it keep its indentation.
fn broken(line: &str, room: usize) -> String {
    if line.width() <= room {
        return line.into();
    }
    let (indent, body) = line.split_at(line.len() - line.trim_start_matches(' ').len());
    let mut out = String::from(indent);
    let (mut column, mut first) = (indent.len(), true);
    for unit in units(body, room.saturating_sub(indent.len())) {
        if !first && column + 1 + unit.width() > room {
            out.push('\n');
            out.push_str(indent);
            (column, first) = (indent.len(), true);
        }
        if !first {
            out.push(' ');
            column += 1;
        }
        out.push_str(unit);
        column += unit.width();
        first = false;
    }
    out
}

/// The words of a line. Quoted text is one word if it fits into `room`.
fn units(line: &str, room: usize) -> Vec<&str> {
    let mut found = Vec::new();
    let mut left = Some(line);
    while let Some(rest) = left {
        let mut quote = None;
        let mut is_end = |c: char| {
            match (quote, c) {
                (None, ' ') => return true,
                (None, '`' | '"') => quote = Some(c),
                (Some(open), _) if open == c => quote = None,
                _ => {}
            }
            false
        };
        let end = rest.find(&mut is_end).unwrap_or(rest.len());
        // An unclosed quote does not count.
        let end = if quote.is_some() { rest.find(' ').unwrap_or(rest.len()) } else { end };
        let unit = &rest[..end];
        match unit.width() > room {
            true => found.extend(unit.split(' ')),
            false => found.push(unit),
        }
        left = rest[end..].strip_prefix(' ');
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks_and_not_within_quotes() {
        assert_eq!(wrapped("one two three\nfour", 9), "one two\nthree\nfour");
        assert_eq!(wrapped("write `a b c` now", 14), "write `a b c`\nnow");
        assert_eq!(wrapped("write `a b c` now", 12), "write\n`a b c` now");
        assert_eq!(wrapped("say \"a  b\", or c", 9), "say\n\"a  b\",\nor c");
        // A quote that fits into no line is broken anyway; a single word never is.
        assert_eq!(wrapped("`f(one, two, three)` it is", 10), "`f(one,\ntwo,\nthree)` it\nis");
        assert_eq!(wrapped("an unbreakable word", 5), "an\nunbreakable\nword");
        // A quote that is never closed does not count.
        assert_eq!(wrapped("six \" seven eight", 9), "six \"\nseven\neight");
        assert_eq!(wrapped("  one two three", 9), "  one two\n  three");
        // Each character takes two columns.
        assert_eq!(wrapped("車 馬 象 士", 5), "車 馬\n象 士");
    }
}
