//! Lines of a text, and the units in which editors count columns.
//!
//! Inside this crate, every location is a byte offset. Editors count UTF-16 code units (the default of the protocol),
//! bytes or characters. This module converts between them for documents.

use std::ops::Range;

/// The units in which an editor counts the characters of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Units {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16: characters beyond U+FFFF count twice.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

/// A location as editors count it: line and column, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in the units of the editor.
    pub column: u32,
}

/// The offsets at which the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// Finds the lines of a text. `\n`, `\r\n` and a lone `\r` end a line.
    pub fn of(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends = |&(at, &byte): &(usize, &u8)| byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let starts = bytes.iter().enumerate().filter(ends).map(|(at, _)| at + 1);
        Lines { starts: std::iter::once(0).chain(starts).collect() }
    }

    /// The line that contains an offset, from 0.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The byte range of a line, without its line ending. Numbers after the last line return the last line.
    pub fn range(&self, text: &str, line: usize) -> Range<usize> {
        let line = line.min(self.starts.len() - 1);
        let start = self.starts[line];
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        start..start + text[start..end].trim_end_matches(['\r', '\n']).len()
    }

    /// The place of an offset. An offset within a character means its beginning, and one after the text means its end.
    pub fn place(&self, text: &str, offset: usize, units: Units) -> Place {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset);
        let before = &text[self.starts[line]..offset];
        let column = match units {
            Units::Utf8 => before.len(),
            Units::Utf16 => before.chars().map(char::len_utf16).sum(),
            Units::Utf32 => before.chars().count(),
        };
        Place { line: line as u32, column: column as u32 }
    }

    /// The offset of a place. A column after the end of its line means the end of the line, as the protocol requires. A
    /// line after the last line means the end of the text.
    pub fn offset(&self, text: &str, place: Place, units: Units) -> usize {
        if place.line as usize >= self.starts.len() {
            return text.len();
        }
        let range = self.range(text, place.line as usize);
        let mut left = place.column as usize;
        for (at, c) in text[range.clone()].char_indices() {
            let width = match units {
                Units::Utf8 => c.len_utf8(),
                Units::Utf16 => c.len_utf16(),
                Units::Utf32 => 1,
            };
            if left < width {
                return range.start + at;
            }
            left -= width;
        }
        range.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_places_convert_both_ways_in_all_units() {
        let text = "a\u{e9}\u{1f3b2}b\r\n\nlast\rmore";
        let lines = Lines::of(text);
        assert_eq!(lines.starts.len(), 4);
        for units in [Units::Utf8, Units::Utf16, Units::Utf32] {
            for (offset, c) in text.char_indices().filter(|(_, c)| !"\r\n".contains(*c)) {
                let place = lines.place(text, offset, units);
                assert_eq!(lines.offset(text, place, units), offset, "{c} in {units:?}");
            }
        }
        assert_eq!(lines.place(text, text.find('b').unwrap(), Units::Utf16), Place { line: 0, column: 4 });
        assert_eq!(lines.place(text, text.find('b').unwrap(), Units::Utf8), Place { line: 0, column: 7 });
        assert_eq!(lines.place(text, text.len() + 9, Units::Utf16), Place { line: 3, column: 4 });
        assert_eq!(lines.offset(text, Place { line: 0, column: 99 }, Units::Utf16), text.find('\r').unwrap());
        assert_eq!(lines.offset(text, Place { line: 99, column: 0 }, Units::Utf16), text.len());
        // In the middle of a character: its beginning.
        assert_eq!(lines.offset(text, Place { line: 0, column: 3 }, Units::Utf16), text.find('\u{1f3b2}').unwrap());
        assert_eq!(Lines::of("").starts.len(), 1);
    }
}
