//! Splits typed or pasted text into commands: expressions over several lines, several commands at once, lines of any
//! length.

use super::commands;
use super::declaration::Argument;
use std::io::{self, BufRead, Read};

/// The lines of an input without their line breaks. Of a line with more than `most` bytes, `most + 1` bytes are kept, which
/// marks it as too long; the rest is read and discarded.
pub(super) fn bounded(mut input: impl BufRead, most: usize) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match input.by_ref().take(most as u64 + 2).read_until(b'\n', &mut line) {
            Err(error) => return Some(Err(error)),
            Ok(0) => return None,
            Ok(_) => {}
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() > most {
            line.truncate(most + 1);
            if let Err(error) = input.skip_until(b'\n') {
                return Some(Err(error));
            }
        }
        Some(Ok(line))
    })
}

/// Whether a command continues on the next line: a question to the script with an open bracket. A blank line always ends
/// it.
pub(super) fn goes_on(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let asks = commands::find(word).is_some_and(|command| matches!(command.argument, Argument::Expression));
    let blank = text.contains('\n') && text.rsplit('\n').next().is_some_and(|last| last.trim().is_empty());
    asks && !blank && open(text)
}

/// Whether a bracket, a string or a comment of a script is not closed at the end.
fn open(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek().copied()) {
            ('(' | '[' | '{', _) => depth += 1,
            (')' | ']' | '}', _) => depth = depth.saturating_sub(1),
            ('"' | '\'', _) => {
                // Such strings end with their line; the script host reports errors in them better.
                while let Some(next) = rest.next_if(|next| *next != '\n') {
                    if next == c {
                        break;
                    }
                    if next == '\\' {
                        rest.next();
                    }
                }
            }
            ('`', _) if !rest.any(|next| next == '`') => return true,
            ('/', Some('/')) => while rest.next_if(|next| *next != '\n').is_some() {},
            ('/', Some('*')) => {
                let mut last = ' ';
                if !rest.any(|next| std::mem::replace(&mut last, next) == '*' && next == '/') {
                    return true;
                }
            }
            _ => {}
        }
    }
    depth > 0
}

/// The commands of a typed or pasted text: one per line, except for those that continue.
pub(super) fn commands(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines() {
        match all.last_mut() {
            Some(last) if goes_on(last) => {
                last.push('\n');
                last.push_str(line);
            }
            _ => all.push(line.into()),
        }
    }
    if all.len() > 1 {
        // Blank lines between pasted lines do not count as Enter.
        all.retain(|line| !line.trim().is_empty());
    }
    if all.is_empty() { vec![String::new()] } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_brackets_go_on() {
        for (text, more) in [
            ("ask pieces(\"pawn\"", true),
            ("ask pieces(\"pawn\")", false),
            ("ask [1, (2\n+ 3)", true),
            ("ask [1, (2\n+ 3)]", false),
            ("ask 1 + 1 // (", false),
            ("ask \"(\"", false),
            ("ask '\\''", false),
            ("ask `(", true),
            ("ask `(\n`", false),
            ("ask 1 /* (", true),
            ("ask 1 /* ( */", false),
            ("ask (\n", false),
            ("ask )(", true),
            ("e4(", false),
            ("", false),
        ] {
            assert_eq!(goes_on(text), more, "{text}");
        }
    }

    #[test]
    fn no_line_takes_more_room_than_it_may() {
        let read = |text: &str| -> Vec<String> {
            let lines = bounded(text.as_bytes(), 4).map(|line| String::from_utf8(line.unwrap()).unwrap());
            lines.collect()
        };
        assert_eq!(read("abcd\nabcde\nabcdef\n\nx"), ["abcd", "abcde", "abcde", "", "x"]);
        assert_eq!(read(&"y".repeat(100_000)), ["yyyyy"]);
        // A megabyte of an endless line is not kept.
        let endless = io::repeat(b'z').take(1 << 20).chain(&b"\nend"[..]);
        let lines: Vec<usize> = bounded(io::BufReader::new(endless), 4).map(|line| line.unwrap().len()).collect();
        assert_eq!(lines, [5, 3]);
    }

    #[test]
    fn pasted_text_is_commands() {
        assert_eq!(commands("e4\ne5\n\nNf3"), ["e4", "e5", "Nf3"]);
        assert_eq!(commands("ask (1\n+ 2)\ne4\n"), ["ask (1\n+ 2)", "e4"]);
        assert_eq!(commands(""), [""]);
        assert_eq!(commands("\n"), [""]);
    }
}
