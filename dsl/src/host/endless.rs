//! Loops that ran until a budget was used up: finds the loop, and the part of its condition that never changes.
//!
//! The interpreter only reports the place where it was stopped and the calls that led there. The loop is found in the text
//! around these places.

use super::tokens::{Token, tokens};
use crate::notation::describe::{alternatives, enumeration};

/// A loop that does not end.
pub(crate) struct Endless {
    /// The place of the loop.
    pub at: (usize, usize),
    pub message: String,
    pub help: String,
}

/// The loop around the innermost place that is within a loop.
pub(crate) fn around(text: &str, places: &[(usize, usize)]) -> Option<Endless> {
    let all = tokens(text);
    let loops = loops(&all);
    let inside =
        |at: (usize, usize), one: &&Loop| all[one.word].at <= at && all.get(one.end).is_none_or(|end| at <= end.at);
    // A `for` ends, so the endless loop is more likely one around it, with a condition or without.
    let innermost = |counts: bool| {
        let of = |at: &(usize, usize)| {
            loops.iter().filter(|one| all[one.word].is("for") == counts).rfind(|one| inside(*at, one))
        };
        places.iter().find_map(of)
    };
    let found = innermost(false).or_else(|| innermost(true))?;
    Some(in_words(&all, found))
}

/// A loop: the tokens of its keyword, of the start of its body, and of the end of its body.
struct Loop {
    word: usize,
    open: usize,
    end: usize,
}

/// All loops, in the order in which they begin.
fn loops(all: &[Token<'_>]) -> Vec<Loop> {
    let words = all.iter().enumerate().filter(|(_, token)| matches!(token.text, "while" | "loop" | "for"));
    let found = words.filter_map(|(word, _)| {
        let mut depth = 0;
        let open = (word + 1..all.len()).find(|&i| {
            let opens = all[i].is("{") && depth == 0;
            depth += i32::from(all[i].opens()) - i32::from(all[i].closes());
            opens
        })?;
        let mut depth = 0;
        let end = (open..all.len()).find(|&i| {
            depth += i32::from(all[i].opens()) - i32::from(all[i].closes());
            depth == 0
        });
        Some(Loop { word, open, end: end.unwrap_or(all.len()) })
    });
    found.collect()
}

fn in_words(all: &[Token<'_>], found: &Loop) -> Endless {
    let word = all[found.word].text;
    let at = all[found.word].at;
    let leave = "leave it with `break` or `return` once a condition becomes true";
    if word == "for" {
        let message = "this `for` exceeds the limits of a rule".to_string();
        return Endless { at, message, help: "loop over fewer items, or use sets instead of single squares".into() };
    }
    if word != "while" {
        let message = format!("this `{word}` never ends: it exceeds the limits of a rule");
        return Endless { at, message, help: leave.into() };
    }
    let variable = |i: &usize| {
        let token = &all[*i];
        let called = all.get(i + 1).is_some_and(|next| next.is("("));
        token.is_word() && !called && !all[i - 1].is(".") && !matches!(token.text, "true" | "false" | "in")
    };
    let mut names: Vec<&str> = Vec::new();
    for i in (found.word + 1..found.open).filter(variable) {
        if !names.contains(&all[i].text) {
            names.push(all[i].text);
        }
    }
    let body = &all[found.open..found.end.min(all.len())];
    let sets = |sign: &str| sign.ends_with('=') && !matches!(sign, "==" | "!=" | "<=" | ">=");
    let changed = |name: &&str| body.windows(2).any(|pair| pair[0].is(name) && (sets(pair[1].text) || pair[1].is(".")));
    let (moving, still): (Vec<&str>, Vec<&str>) = names.into_iter().partition(changed);
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let (message, help) = match (moving.first(), still.first()) {
        (None, Some(first)) => (
            format!("this `while` never ends: nothing in it changes {}", alternatives(&quoted(&still))),
            format!("change it in the loop, as in `{first} += 1;`, or leave the loop with `break`"),
        ),
        (Some(first), still) => (
            format!(
                "this `while` never ends: {} {}, but its condition stays true",
                enumeration(&quoted(&moving)),
                if moving.len() == 1 { "changes" } else { "change" }
            ),
            match still {
                Some(other) => format!("`{other}` stays the same: did you mean to change it instead of `{first}`?"),
                None => format!("check how `{first}` changes: the condition must become false"),
            },
        ),
        (None, None) => ("this `while` never ends: its condition stays true".to_string(), leave.to_string()),
    };
    Endless { at, message, help }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_that_goes_on_is_named() {
        let text =
            "fn f() {\n let n = 0;\n while n < 3 {\n  for i in 0..9 { g(); }\n }\n}\nfn g() { loop { h(1); } }\n";
        let said = |places: &[(usize, usize)]| around(text, places).map(|found| (found.at, found.message));
        let (at, message) = said(&[(4, 20)]).unwrap();
        assert_eq!((at, message.contains("nothing in it changes `n`")), ((3, 2), true), "{message}");
        let (at, message) = said(&[(7, 18), (4, 20)]).unwrap();
        assert_eq!((at, message.contains("this `loop`")), ((7, 10), true), "{message}");
        assert!(said(&[(2, 2)]).is_none());
        let turning = around("while n > 0 { n += 1; }", &[(1, 15)]).unwrap();
        assert!(turning.message.contains("`n` changes") && turning.help.contains("`n`"), "{}", turning.message);
        assert!(around("while (", &[(1, 7)]).is_none());
    }
}
