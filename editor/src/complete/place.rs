//! The sort of place at which a completion is requested, from the tokens before it.
//!
//! It knows how scripts are written, and nothing of functions and names.

use crate::document::{Document, opens};
use astragal_dsl::syntax::Sort;
use std::ops::Range;

/// The sort of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Nothing can be offered: a comment, a number, a new name, or after a complete value.
    Nowhere,
    /// Within the text of a token.
    Text(usize),
    /// After `import`.
    Import,
    /// Only certain words of the language can be written here.
    Words(&'static [&'static str]),
    /// After the script of an import, whose text is this token.
    Alias(usize),
    /// After a dot, whose token this is.
    Member(usize),
    /// After `::`, with the name before it.
    Module(String),
    /// A key of the map that opens at this token.
    Key(usize),
    /// A value to compare with, in a `switch` whose subject ends with this token.
    Pattern(usize),
    /// The beginning of a value.
    Value,
    /// The beginning of a statement.
    Statement,
}

/// A place, and the word at it.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// The sort of place.
    pub(super) place: Place,
    /// The bytes of the word at the place; empty if there is none.
    pub(super) replaces: Range<usize>,
    /// The number of tokens before the word.
    pub(super) at: usize,
    /// The offset.
    pub(super) offset: usize,
}

/// The place at an offset.
pub(super) fn spot(document: &Document, offset: usize) -> Spot {
    let mut offset = offset.min(document.text().len());
    while !document.text().is_char_boundary(offset) {
        offset -= 1;
    }
    let mut spot = Spot { place: Place::Nowhere, replaces: offset..offset, at: document.tokens_before(offset), offset };
    if document.in_comment(offset) {
        return spot;
    }
    if let Some(last) = spot.at.checked_sub(1)
        && let Some(token) = document.tokens().get(last)
        && offset <= token.span.end
    {
        let is_inside = offset < token.span.end;
        match token.sort {
            Some(Sort::Text) if is_inside => spot.place = Place::Text(last),
            Some(Sort::OpenText) => spot.place = Place::Text(last),
            Some(Sort::Word) => {
                (spot.replaces, spot.at) = (token.span.clone(), last);
                spot.place = of_tokens(document, last, offset);
            }
            Some(Sort::Number | Sort::Dice | Sort::OpenComment) => {}
            Some(Sort::Template) if is_inside || !document.word(last).ends_with('`') => {}
            _ if is_inside => {}
            _ => spot.place = of_tokens(document, spot.at, offset),
        }
        return spot;
    }
    spot.place = of_tokens(document, spot.at, offset);
    spot
}

/// The place of a word that begins after `at` tokens.
fn of_tokens(document: &Document, at: usize, offset: usize) -> Place {
    let Some(last) = at.checked_sub(1) else { return Place::Statement };
    let open = document.enclosing(at);
    if names_something(document, last, open) {
        return Place::Nowhere;
    }
    match document.word(last) {
        "." | "?." => return Place::Member(last),
        "::" => return Place::Module(document.word(last.wrapping_sub(1)).to_string()),
        "import" => return Place::Import,
        "private" => return Place::Words(&["fn"]),
        "else" => return Place::Words(&["if"]),
        _ => {}
    }
    if let Some(open) = open.filter(|&open| document.is(open, "#{")) {
        if last == open || document.is(last, ",") {
            return Place::Key(open);
        }
    } else if let Some(open) = open.filter(|&open| document.is(open, "{"))
        && is_pattern(document, open, last)
        && let Some(subject) = switch_subject(document, open)
    {
        return Place::Pattern(subject);
    }
    let in_block = open.is_none_or(|open| document.is(open, "{"));
    match document.word(last) {
        ";" | "{" => Place::Statement,
        "}" if !ends_value(document, last) && in_block => Place::Statement,
        _ if ends_value(document, last) || document.is(last, "}") => after_value(document, last, in_block, offset),
        _ => Place::Value,
    }
}

/// The place after a complete value: a new statement if it is on a new line.
fn after_value(document: &Document, last: usize, in_block: bool, offset: usize) -> Place {
    let before = |word: &str, back: usize| last.checked_sub(back).is_some_and(|token| document.is(token, word));
    if document.is_text(last) && before("import", 1) {
        return Place::Alias(last);
    }
    let open = document.partner(last).filter(|_| document.is(last, ")"));
    let loops = open.and_then(|open| open.checked_sub(1)).is_some_and(|token| document.is(token, "for"));
    if loops || before("for", 1) {
        return Place::Words(&["in"]);
    }
    let lines = document.lines();
    let end = document.tokens().get(last).map_or(0, |token| token.span.end);
    match in_block && lines.line_of(end) < lines.line_of(offset) {
        true => Place::Statement,
        false => Place::Nowhere,
    }
}

/// Whether a token is the end of a value, so that an operator has to follow.
fn ends_value(document: &Document, token: usize) -> bool {
    let sort = document.tokens().get(token).and_then(|token| token.sort);
    match document.word(token) {
        ")" | "]" | "true" | "false" | "this" => true,
        "}" => document.partner(token).is_some_and(|open| document.is(open, "#{")),
        _ => document.is_name(token) || !matches!(sort, None | Some(Sort::Sign | Sort::Word)),
    }
}

/// Whether the word after a token is a new name, or the sign after a new name.
fn names_something(document: &Document, last: usize, open: Option<usize>) -> bool {
    let declares = |token: usize| matches!(document.word(token), "fn" | "let" | "const" | "as");
    if declares(last) || document.is(last, "for") || document.is(last, "catch") {
        return true;
    }
    if document.is_name(last) && last > 0 && declares(last - 1) && !document.is(last - 1, "as") {
        return true;
    }
    let head = open.filter(|&open| document.is(open, "(")).and_then(|open| open.checked_sub(1));
    let is_head =
        |token: usize| matches!(document.word(token), "for" | "catch") || token > 0 && document.is(token - 1, "fn");
    head.is_some_and(is_head) || in_parameters(document, last)
}

/// Whether a token is in the parameters of an anonymous function: after its first bar, before its second one.
fn in_parameters(document: &Document, last: usize) -> bool {
    let mut at = last;
    while document.is_name(at) || document.is(at, ",") {
        let Some(before) = at.checked_sub(1) else { return false };
        at = before;
    }
    document.is(at, "|") && document.begins_value(at)
}

/// Whether the word after a token is a value to compare with, if a block that opens at a token belongs to a `switch`.
fn is_pattern(document: &Document, open: usize, last: usize) -> bool {
    let mut at = last;
    let starts = |at: usize| at == open || document.is(at, ",") || document.is(at, "}");
    while document.is(at, "|") && at > open + 1 {
        // Further values of the same arm.
        at -= 2;
    }
    starts(at) && document.enclosing(at + 1) == Some(open)
}

/// The last token of the value that the `switch` of a block compares; `None` if the block belongs to something else.
pub(super) fn switch_subject(document: &Document, open: usize) -> Option<usize> {
    let mut at = open.checked_sub(1)?;
    for _ in 0..64 {
        match document.word(at) {
            "switch" => return (at + 1 < open).then(|| open - 1),
            ";" | "," | "{" | "(" | "=" | "=>" | "||" | "if" | "while" | "for" | "loop" | "else" => return None,
            "}" if document.partner(at).is_some_and(|open| document.is(open, "{")) => return None,
            _ => {}
        }
        at = match document.partner(at) {
            Some(other) if !opens(document.word(at)) => other,
            _ => at,
        }
        .checked_sub(1)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(marked: &str) -> Place {
        let at = marked.find('^').expect("a mark");
        spot(&Document::new(marked.replacen('^', "", 1)), at).place
    }

    #[test]
    fn places_are_told_apart() {
        assert_eq!(place("^"), Place::Statement);
        assert_eq!(place("bo^ard(8, 8);"), Place::Statement);
        assert_eq!(place("title(\"x\"); ^"), Place::Statement);
        assert_eq!(place("fn turn() { if x { y } ^ }"), Place::Statement);
        assert_eq!(place("fn turn() { let a = 1\n  pl^ }"), Place::Statement);
        assert_eq!(place("play(^"), Place::Value);
        assert_eq!(place("play(any() | ^)"), Place::Value);
        assert_eq!(place("x.where(|mv| ^)"), Place::Value);
        assert_eq!(place("if ^"), Place::Value);
        assert_eq!(place("mover().^"), Place::Member(3));
        assert_eq!(place("chess::se^"), Place::Module("chess".into()));
        assert_eq!(place("f(#{ ^ })"), Place::Key(2));
        assert_eq!(place("f(#{ a: 1, b^: 2 })"), Place::Key(2));
        assert_eq!(place("f(#{ a: ^ })"), Place::Value);
        assert_eq!(place("switch M { ^ }"), Place::Pattern(1));
        assert_eq!(place("switch M { 1 => 2, 3 | ^ }"), Place::Pattern(1));
        assert_eq!(place("switch M { 1 => ^ }"), Place::Value);
        assert_eq!(place("switch M { 1 => a | ^ }"), Place::Value);
        assert_eq!(place("import ^"), Place::Import);
        assert_eq!(place("import \"chess\" ^"), Place::Alias(1));
        assert_eq!(place("for s ^"), Place::Words(&["in"]));
    }

    #[test]
    fn nothing_is_offered_where_something_is_named_or_nothing_can_follow() {
        for text in [
            "// ^",
            "/* ^ */",
            "/* ^",
            "fn ^",
            "fn tu^rn() {}",
            "fn a(x, ^) {}",
            "let ^",
            "const x^ = 1;",
            "let x ^",
            "import \"a\" as ^",
            "for ^",
            "for (a, ^) in x {}",
            "f(|^",
            "f(|a, b^| a)",
            "1^",
            "f(x ^)",
            "`a ^`",
            "`a^",
            "x =^= y",
            "#{ a ^ }",
        ] {
            assert_eq!(place(text), Place::Nowhere, "{text}");
        }
    }
}
