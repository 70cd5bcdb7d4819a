//! The indentation of lines: one level for each line with open brackets, and one for a line that continues the previous
//! line.

use super::items::Items;
use super::spacing::{Role, follows_block};
use crate::document::{closes, opens};
use astragal_dsl::syntax::Sort;

/// The number of columns per level.
const LEVEL: usize = 4;

/// The indentation of a line, relative to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Indent {
    /// The line that it depends on; `None` for the margin.
    pub(super) line: Option<usize>,
    /// The number of additional columns.
    pub(super) more: usize,
}

/// The keywords that a block can belong to.
const HEADS: [&str; 11] = ["catch", "do", "else", "fn", "for", "if", "loop", "switch", "try", "until", "while"];

/// How the tokens of a script nest.
pub(super) struct Nesting {
    /// For each token, the bracket that contains it.
    pub(super) enclosing: Vec<Option<usize>>,
    /// For each token, the first token of its statement, element or argument.
    part: Vec<usize>,
    /// For each brace that opens a block, the keyword that the block belongs to.
    head: Vec<Option<usize>>,
}

struct Frame {
    open: Option<usize>,
    part: usize,
    head: Option<usize>,
}

impl Nesting {
    pub(super) fn of(items: &Items<'_>, roles: &[Role]) -> Nesting {
        let document = items.document;
        let count = document.tokens().len();
        let mut nesting = Nesting { enclosing: vec![None; count], part: vec![0; count], head: vec![None; count] };
        let mut outer: Vec<Frame> = Vec::new();
        let mut frame = Frame { open: None, part: 0, head: None };
        for at in 0..count {
            let word = document.word(at);
            let is_sign = document.tokens()[at].sort == Some(Sort::Sign);
            if is_sign && closes(word) {
                frame = outer.pop().unwrap_or(frame);
            } else if begins_part(items, roles, at) {
                (frame.part, frame.head) = (at, None);
            }
            (nesting.enclosing[at], nesting.part[at]) = (frame.open, frame.part);
            if HEADS.contains(&word) && !document.is_member(at) {
                frame.head = Some(at);
            }
            if is_sign && opens(word) {
                nesting.head[at] = if word == "{" { frame.head.take() } else { None };
                outer.push(std::mem::replace(&mut frame, Frame { open: Some(at), part: at + 1, head: None }));
            }
        }
        nesting
    }

    /// The indentation of every line.
    pub(super) fn indents(&self, items: &Items<'_>) -> Vec<Indent> {
        let lines = items.lines.len();
        let mut indents = vec![Indent { line: None, more: 0 }; lines];
        let mut next = None;
        for line in (0..lines).rev() {
            let Some(token) = items.first_token(line) else {
                // Comments are indented like the next line of code, or before a closing bracket, like the code in it.
                indents[line] = match next.map(|next| (next, items.first_token(next))) {
                    Some((_, Some(token))) if self.is_closing(items, token) => {
                        self.inside(items, items.document.partner(token))
                    }
                    Some((next, _)) => Indent { line: Some(next), more: 0 },
                    None => Indent { line: None, more: 0 },
                };
                continue;
            };
            indents[line] = self.indent(items, token);
            next = Some(line);
        }
        indents
    }

    /// Whether a token closes a bracket.
    pub(super) fn is_closing(&self, items: &Items<'_>, token: usize) -> bool {
        closes(items.document.word(token))
    }

    /// The indentation of a line that begins with a token.
    fn indent(&self, items: &Items<'_>, token: usize) -> Indent {
        let document = items.document;
        let part = self.part[token];
        let at = |line: usize, more: usize| Indent { line: Some(line), more };
        if self.is_closing(items, token) {
            return document
                .partner(token)
                .map_or(Indent { line: None, more: 0 }, |open| at(self.anchor(items, open), 0));
        }
        if part == token {
            return self.inside(items, self.enclosing[token]);
        }
        if document.is(token, "{")
            && let Some(head) = self.head[token]
        {
            return at(items.line_of(head), 0);
        }
        let continues_head = matches!(document.word(token), "else" | "catch") && HEADS.contains(&document.word(part));
        if continues_head && items.is_first(items.of_token[part]) {
            return at(items.line_of(part), 0);
        }
        at(items.line_of(part), LEVEL)
    }

    /// The indentation of the contents of a bracket.
    fn inside(&self, items: &Items<'_>, open: Option<usize>) -> Indent {
        open.map_or(Indent { line: None, more: 0 }, |open| Indent { line: Some(self.anchor(items, open)), more: LEVEL })
    }

    /// The line whose indentation a closing bracket takes: that of the opening bracket, or of the keyword of its block.
    fn anchor(&self, items: &Items<'_>, open: usize) -> usize {
        items.line_of(self.head[open].unwrap_or(open))
    }
}

/// Whether a token begins a statement, element or argument.
fn begins_part(items: &Items<'_>, roles: &[Role], at: usize) -> bool {
    let document = items.document;
    let Some(before) = at.checked_sub(1) else { return true };
    match document.word(before) {
        "," | ";" => true,
        word if opens(word) => true,
        "}" if follows_block(document, at) => {
            let goes_on = matches!(document.word(at), "else" | "catch" | "as" | "in");
            !goes_on && !matches!(roles[at], Role::Binary | Role::Joins | Role::Range)
        }
        _ => false,
    }
}
