//! Wraps long answers at words to fit the screen.

use astragal_service::drawing;
use unicode_width::UnicodeWidthStr;

/// Wraps the lines of a text at blanks if they are wider than `width`. Continuation lines are indented like the line, or
/// like the second column of a table.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        // Boards are not prose, and their color codes are not words.
        if drawing::shown(bare) <= width || bare.contains('\x1b') {
            out.push_str(line);
        } else {
            wrap(&mut out, bare, width);
            out.push_str(&line[bare.len()..]);
        }
    }
    out
}

fn wrap(out: &mut String, line: &str, width: usize) {
    let start = line.len() - line.trim_start().len();
    let body = &line[start..];
    let gap = body.find("  ").map(|at| at + body[at..].len() - body[at..].trim_start().len());
    let hang = gap.map(|gap| start + body[..gap].width()).filter(|hang| *hang <= width / 2).unwrap_or(start);
    let mut column = 0;
    // Each word includes the blanks before it.
    let mut rest = line;
    while !rest.is_empty() {
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        let end = rest[blanks..].find(' ').map_or(rest.len(), |at| blanks + at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        if column > hang && column + piece.width() > width {
            out.push('\n');
            out.push_str(&" ".repeat(hang));
            out.push_str(&piece[blanks..]);
            column = hang + piece[blanks..].width();
        } else {
            out.push_str(piece);
            column += piece.width();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_not_torn() {
        assert_eq!(wrapped("one two three\n", 9), "one two\nthree\n");
        assert_eq!(wrapped("  one two three", 9), "  one two\n  three");
        assert_eq!(wrapped("a  one two three\n", 9), "a  one\n   two\n   three\n");
        assert_eq!(wrapped("unbreakable it is\nshort\n", 6), "unbreakable\nit is\nshort\n");
        assert_eq!(wrapped("\x1b[1mone two\x1b[0m\n", 4), "\x1b[1mone two\x1b[0m\n");
        assert_eq!(wrapped("車 馬 象 士\n", 5), "車 馬\n象 士\n");
    }
}
