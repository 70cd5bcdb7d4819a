//! Continues past code that cannot be parsed, so that one mistake does not hide the others.
//!
//! The unreadable code is removed: first the statement, and if the text still fails, the whole function. A [`STAND_IN`]
//! replaces values, which then count as unknown. All remaining characters keep their line and column. Names in the removed
//! code are recorded, so that their absence elsewhere is not reported as another mistake.

use super::brackets::around;
use super::name_table::{LineColumn, parse};
use super::report::MOST;
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::functions::{Cost, Fact, costs, has_fact};
use crate::host::engine::ExecutionBudget;
use crate::host::locate::diagnose;
use crate::host::script::read_strictly;
use crate::host::tokens::{Token, tokens};
use crate::host::{slips, syntax};
use crate::library::Source;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A call with an unknown result.
const STAND_IN: &str = "h_()";

/// The body of a function with unknown behavior.
const NO_BODY: &str = "throw}";

/// The note on an error that leaves the declared names of the script unknown.
pub(super) const UNSEEN: &str = "names of pieces, squares and counters are checked once this is corrected";

/// A script that parses.
pub(super) struct Recovered {
    /// The script without the unreadable code.
    pub(super) source: Source,
    /// The syntax errors.
    pub(super) errors: Vec<Diagnostic>,
    /// Whether the remaining script parses.
    pub(super) whole: bool,
    /// Whether declarations were removed.
    pub(super) declarations: bool,
    /// Whether the removed code includes declarations that all others depend on, or statements with unknown effect.
    pub(super) lost: bool,
    /// Whether the starting position was removed.
    pub(super) no_start: bool,
    hidden: BTreeSet<String>,
    /// The lines of functions from which a statement was removed, and of statements removed at the top level.
    torn: Vec<Range<usize>>,
    /// The first syntax error of the original script.
    pub(super) first: Option<Diagnostic>,
}

/// Removes the unreadable parts of a script.
pub(super) fn recover(source: &Source) -> Recovered {
    let original: Arc<str> = source.text.as_str().into();
    let mut found = Recovered {
        source: source.clone(),
        errors: Vec::new(),
        whole: false,
        declarations: false,
        lost: false,
        no_start: false,
        hidden: BTreeSet::new(),
        torn: Vec::new(),
        first: None,
    };
    for _ in 0..3 * MOST {
        let Some(error) = first_error(&found.source) else {
            found.whole = true;
            break;
        };
        found.first.get_or_insert_with(|| error.clone());
        let lost = found.lost;
        let (read, item) = found.without(&error);
        let Some(read) = read else {
            found.note(&error, &original, item);
            break;
        };
        let known = found.errors.len();
        found.note(&error, &original, item);
        if found.lost && !lost {
            found.errors.iter_mut().skip(known).for_each(|error| error.notes.push(UNSEEN.into()));
        }
        if read.text == found.source.text {
            break;
        }
        // An unclosed comment hides all code after it.
        if let Some(span) = error.span().filter(|span| found.source.text[span.start..].starts_with("/*")) {
            let behind = found.source.text[span.start..].split(|c: char| !c.is_alphanumeric() && c != '_');
            found.hidden.extend(behind.filter(|word| !word.is_empty()).map(String::from));
        }
        found.source = read;
    }
    found.without_echoes(&tokens(&original));
    found
}

/// The first syntax error.
fn first_error(source: &Source) -> Option<Diagnostic> {
    let text: Arc<str> = source.text.as_str().into();
    if let Some(slip) = syntax::certain(&source.file(), &text) {
        return Some(slip);
    }
    let error = parse(&source.text).err().or_else(|| read_strictly(source).err())?;
    Some(diagnose(&error, source, &ExecutionBudget::default()))
}

impl Recovered {
    /// Whether a finding is only a consequence of removed code.
    pub(super) fn follows(&self, said: &Diagnostic) -> bool {
        let mut quoted = said.message.split(['`', '"']).skip(1).step_by(2);
        let of_parser = said.code == Some(Code::Syntax) || is_name(said);
        !of_parser && quoted.any(|name| name == "h_" || self.hidden.contains(name))
    }

    /// Whether a finding is about a loop, a switch or a block from which a statement may have been removed.
    pub(super) fn needs_what_is_out(&self, said: &Diagnostic) -> bool {
        let gap = ["this switch has no case for", "the block after this condition is empty"];
        (said.code == Some(Code::Endless) || gap.iter().any(|gap| said.message.starts_with(gap)))
            && said.file == self.source.file()
            && self.torn.iter().any(|lines| lines.contains(&said.line))
    }

    /// Drops errors about brackets caused by another syntax error in the same function.
    fn without_echoes(&mut self, all: &[Token<'_>]) {
        let item_of =
            |error: &Diagnostic| all.iter().rposition(|token| token.at <= place(error)).map(|at| item(all, at).start);
        let others: Vec<(Option<usize>, bool)> =
            self.errors.iter().map(|error| (item_of(error), is_of_brackets(error))).collect();
        let mut i = 0;
        self.errors.retain(|_| {
            let (own, brackets) = others[i];
            let echo =
                brackets && others.iter().enumerate().any(|(k, other)| k != i && other.0 == own && (!other.1 || k < i));
            i += 1;
            !echo
        });
    }

    /// Records an error, unless the same line already has it, or it is about a name that is known to be missing.
    fn note(&mut self, error: &Diagnostic, original: &Arc<str>, item: Option<String>) {
        let same = |known: &Diagnostic| known.message == error.message && (known.line == error.line || is_name(error));
        if self.errors.iter().any(same) || self.follows(error) || self.is_end_of_string(error) {
            return;
        }
        let mut error = error.clone();
        error.fix = error.fix.map(|fix| Fix { span: moved(&fix.span, &self.source.text, original), text: fix.text });
        error.text = original.clone();
        error.notes.extend(item.map(|name| format!("the rest of `{name}` is checked once this is corrected")));
        self.errors.push(error);
    }

    /// Whether an unclosed string is only the end of one that starts on the line before.
    fn is_end_of_string(&self, error: &Diagnostic) -> bool {
        let unclosed = error.message == syntax::NO_CLOSING_QUOTE;
        let above =
            self.errors.last().is_some_and(|known| known.message == error.message && known.line + 1 == error.line);
        let behind = error.span().and_then(|span| error.text[span.start..].chars().nth(1));
        unclosed && above && behind.is_some_and(|next| matches!(next, ')' | ']' | '}' | ',' | ';'))
    }

    /// The script without an error: with the fix applied, without the statement, or without the body of the function around
    /// it. Returns that function's name in the last case.
    fn without(&mut self, error: &Diagnostic) -> (Option<Source>, Option<String>) {
        let with = |text: String| Source { text, ..self.source.clone() };
        let text = self.source.text.clone();
        let all = tokens(&text);
        let Some(at) = all.iter().rposition(|token| token.at <= place(error)) else { return (None, None) };
        let item = item(&all, at);
        // Removing code from the function cannot cause an error before it.
        let begin = all[item.start].at;
        if let Some(text) = error.fix.as_ref().and_then(|fix| put_right(&self.source.text, fix, error)) {
            let next = with(text);
            if first_error(&next).is_none_or(|left| place(&left) > place(error) || place(&left) < begin) {
                return (Some(next), None);
            }
        }
        if item == (0..all.len()) && all.len() > 400 {
            return (None, None);
        }
        if let Some((range, left)) = statement(&all, at, &item) {
            let end = all[range.end - 1].at;
            let words = all[range.clone()].iter().map(|token| token.text.to_string()).collect::<Vec<_>>();
            let is_top = !all[item.start].is("fn");
            let next = with(replaced(&text, all[range.start].span.start..all[range.end - 1].span.end, &left));
            if first_error(&next).is_none_or(|left| place(&left) > end || place(&left) < begin) {
                self.hide(&words, is_top, !left.contains('='));
                self.torn.push(match is_top {
                    true => all[range.start].at.0..end.0 + 1,
                    false => begin.0..all.get(item.end).map_or(usize::MAX, |next| next.at.0),
                });
                return (Some(next), None);
            }
        }
        let end = all.get(item.end).map_or(text.len(), |next| next.span.start);
        let (body, name) = body(&all, &item);
        let in_body = body.filter(|open| at > *open);
        let from = match in_body {
            Some(open) => all[open].span.end,
            None => all[item.start].span.start,
        };
        let last = text[..end].trim_end().len();
        let left = if in_body.is_some() { NO_BODY } else { "" };
        let next = with(replaced(&text, from..last.max(from), left));
        if in_body.is_none() {
            let words: Vec<String> = all[item.clone()].iter().map(|token| token.text.to_string()).collect();
            // If a function is declared twice, the other one remains.
            if error.others.is_empty() {
                self.hide(&words, name.is_none(), true);
            }
        }
        (Some(next), name.map(String::from).filter(|_| in_body.is_some()))
    }

    /// Records a missing name.
    pub(super) fn hide_name(&mut self, name: &str) {
        self.hidden.insert(name.to_string());
    }

    /// Whether a name is missing.
    pub(super) fn is_missing(&self, name: &str) -> bool {
        self.hidden.contains(name)
    }

    /// Records the names in code that is removed.
    fn hide(&mut self, words: &[String], is_top: bool, all: bool) {
        self.declarations |= is_top;
        let declares = match words {
            [first, sign, ..] => costs(first, Cost::Declaration) && sign != "::",
            _ => false,
        };
        if let (true, Some(first)) = (is_top, words.first()) {
            let named = matches!(first.as_str(), "let" | "const");
            self.lost |= !(named || declares) || is_ground(first);
            self.no_start |= first == "setup";
        }
        for (i, word) in words.iter().enumerate() {
            let made = i > 0 && matches!(words[i - 1].as_str(), "let" | "const" | "fn" | "as" | "for");
            // Bare words in a declaration belong to the language.
            let is_name = is_top && (!declares || word.starts_with('"'));
            if is_name || made && all {
                let name = word.trim_matches('"');
                if name.chars().any(char::is_alphanumeric) {
                    self.hidden.insert(name.to_string());
                }
            }
        }
    }
}

/// Whether all other declarations depend on those that begin with this word.
pub(super) fn is_ground(word: &str) -> bool {
    word == "import" || has_fact(word, Fact::GivesGround)
}

fn place(diagnostic: &Diagnostic) -> LineColumn {
    (diagnostic.line, diagnostic.column)
}

/// Whether an error is only about unbalanced brackets.
fn is_of_brackets(error: &Diagnostic) -> bool {
    ["is never closed", "closes nothing", "functions must be at the top level", "ends too early"]
        .iter()
        .any(|words| error.message.contains(words))
}

/// Whether an error is about an unknown name. Such an error is reported once, however often the name appears.
fn is_name(error: &Diagnostic) -> bool {
    error.message.starts_with("there is no variable") || error.message.starts_with("nothing is imported as")
}

/// The text with a fix applied, if the text after it does not move. A fix for a quotation mark covers the whole line.
fn put_right(text: &str, fix: &Fix, error: &Diagnostic) -> Option<String> {
    let old = text.get(fix.span.clone())?;
    let (before, after) = (old.chars().count(), fix.text.chars().count());
    let rest = text[fix.span.end..].split('\n').next().unwrap_or_default();
    if before == 0 && rest.trim().is_empty() {
        return Some(format!("{}{}{}", &text[..fix.span.start], fix.text, &text[fix.span.end..]));
    }
    if after > before {
        return widened(text, fix, after - before);
    }
    if fix.text == "\"" && before == 1 {
        let curly = |c: char| if slips::is_curly_quote(c) { '"' } else { c };
        let line = |(i, line): (usize, &str)| {
            if i + 1 == error.line { line.chars().map(curly).collect() } else { line.to_string() }
        };
        return Some(text.split_inclusive('\n').enumerate().map(line).collect());
    }
    let padded = format!("{}{}", fix.text, " ".repeat(before - after));
    Some(format!("{}{padded}{}", &text[..fix.span.start], &text[fix.span.end..]))
}

/// The text with a fix that is longer than the code it replaces and uses up the spaces before or after it.
fn widened(text: &str, fix: &Fix, more: usize) -> Option<String> {
    let (before, behind) = (&text[..fix.span.start], &text[fix.span.end..]);
    let blanks = " ".repeat(more);
    match (before.strip_suffix(&blanks), behind.strip_prefix(&blanks)) {
        (Some(before), _) => Some(format!("{before}{}{behind}", fix.text)),
        (None, Some(behind)) => Some(format!("{before}{}{behind}", fix.text)),
        (None, None) => None,
    }
}

/// Converts a byte range of one text to another text with the same lines and columns.
fn moved(span: &Range<usize>, from: &str, to: &str) -> Range<usize> {
    let at = |byte: usize| {
        let start = from[..byte].rfind('\n').map_or(0, |end| end + 1);
        let (line, column) = (from[..byte].matches('\n').count(), from[start..byte].chars().count());
        let start: usize = to.split_inclusive('\n').take(line).map(str::len).sum();
        let own = to[start..].split('\n').next().unwrap_or_default();
        start + own.char_indices().nth(column).map_or(own.len(), |(byte, _)| byte)
    };
    at(span.start)..at(span.end)
}

/// The top-level item around a token. Functions and declarations begin in the first column.
fn item(all: &[Token<'_>], at: usize) -> Range<usize> {
    let begins = |token: &Token<'_>| token.at.1 == 1 && token.is_word() && !token.is("else");
    let start = all[..=at].iter().rposition(begins).unwrap_or(0);
    let end = all[at + 1..].iter().position(begins).map_or(all.len(), |further| at + 1 + further);
    start..end
}

/// The opening brace of a function's body, and the function's name. Both are `None` for an unreadable header.
fn body<'t>(all: &[Token<'t>], item: &Range<usize>) -> (Option<usize>, Option<&'t str>) {
    let here = &all[item.clone()];
    let name = here.get(1).filter(|name| name.is_word() && here[0].is_word()).map(|name| name.text);
    if !here[0].is("fn") {
        return (None, name.filter(|_| matches!(here[0].text, "function" | "func" | "def" | "fun")));
    }
    let close = here.iter().position(|token| token.is(")"));
    let plain = |close: &usize| here[2..*close].iter().all(|token| token.is_word() || matches!(token.text, "(" | ","));
    let open = close.filter(|close| *close >= 3 && here[2].is("(") && plain(close)).map(|close| close + 1);
    (open.filter(|open| here.get(*open).is_some_and(|token| token.is("{"))).map(|open| item.start + open), name)
}

/// The statement around a token, and a replacement for it.
fn statement(all: &[Token<'_>], at: usize, item: &Range<usize>) -> Option<(Range<usize>, String)> {
    let start = statement_start(all, at, item);
    let first = all.get(start)?;
    let control = matches!(first.text, "if" | "while" | "switch" | "for" | "else");
    let mut depth = 0;
    let mut end = item.end;
    for (i, token) in all.iter().enumerate().take(item.end).skip(start) {
        match token.text {
            "{" if control && depth == 0 && i >= at => {
                end = i;
                break;
            }
            "{" | "#{" => depth += 1,
            "}" if depth == 0 => {
                end = i;
                break;
            }
            "}" => depth -= 1,
            ";" if depth == 0 => {
                end = i + 1;
                break;
            }
            _ => {}
        }
    }
    let here = &all[start..end];
    if here.is_empty() || at >= end || here.iter().any(|token| token.is("=>")) {
        return None;
    }
    let text = |i: usize| here.get(i).map_or("", |token| token.text);
    let close = if here.last().is_some_and(|token| token.is(";")) { ";" } else { "" };
    let left = match first.text {
        "fn" | "import" => return None,
        "let" | "const" if here[1..].first().is_some_and(Token::is_word) && text(2) == "=" => {
            format!("{} {}={STAND_IN}{close}", text(0), text(1))
        }
        "let" | "const" => String::new(),
        "if" | "while" | "switch" if all.get(end).is_some_and(|token| token.is("{")) => {
            format!("{} {STAND_IN}", text(0))
        }
        "else" if text(1) == "if" => format!("else if {STAND_IN}"),
        "for" if text(2) == "in" => format!("for {} in {STAND_IN}", text(1)),
        _ if control => return None,
        "return" => format!("return {STAND_IN}{close}"),
        // A top-level statement is a declaration, and nothing can replace it.
        _ if !all[item.start].is("fn") => String::new(),
        _ => format!("{STAND_IN}{close}"),
    };
    Some((start..end, left))
}

/// The start of the statement around a token, including any map in it.
fn statement_start(all: &[Token<'_>], at: usize, item: &Range<usize>) -> usize {
    let mut i = at;
    while i > item.start {
        match all[i - 1].text {
            ";" | "{" => return i,
            "}" => match around(all, i - 1).filter(|open| *open >= item.start && all[*open].is("#{")) {
                Some(open) => i = open,
                None => return i,
            },
            _ => i -= 1,
        }
    }
    item.start
}

/// The text with a byte range replaced by other code, padded with spaces. Line breaks are kept.
pub(super) fn replaced(text: &str, range: Range<usize>, left: &str) -> String {
    let old = &text[range.clone()];
    let blank = |c: char| if c == '\n' || c == '\r' { c } else { ' ' };
    let mut words = Some(left);
    let line = |line: &str| -> String {
        let room = line.trim_end_matches(['\n', '\r']).chars().count();
        let words = words.take_if(|words| words.chars().count() <= room).unwrap_or_default();
        words.chars().chain(line.chars().skip(words.chars().count()).map(blank)).collect()
    };
    let new: String = old.split_inclusive('\n').map(line).collect();
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Source {
        Source { name: "torn".into(), path: None, text: text.into() }
    }

    #[test]
    fn what_can_be_read_is_left_as_it_is() {
        let source = script("fn turn() {\n    play(any());\n}\n");
        let read = recover(&source);
        assert!(read.whole && read.errors.is_empty() && read.source.text == source.text);
    }

    #[test]
    fn each_mistake_is_told_once_and_the_rest_keeps_its_place() {
        let text = "fn a() {\n    let n = 1\n    play(any());\n}\nfn b(x {\n    x\n}\nfn c() {\n    let d = \
             3d6;\n    if d = 2 { any(); }\n    roll(\"1d6\");\n}\n";
        let read = recover(&script(text));
        let lines: Vec<usize> = read.errors.iter().map(|error| error.line).collect();
        assert_eq!(lines.len(), 4, "{:#?}", read.errors);
        assert!([2, 5, 9, 10].iter().all(|line| lines.contains(line)), "{lines:?}");
        assert!(read.whole, "{}", read.source.text);
        assert_eq!(read.source.text.lines().nth(10), Some("    roll(\"1d6\");"));
    }

    /// A fragment of another script in the middle of a call. The unclosed bracket and the misplaced statement each look
    /// like a consequence of the other.
    #[test]
    fn what_cannot_be_read_is_never_passed_over() {
        let text = "counter(\"dice\", 0, #{ each: true, places\n\nimport \"chess\" as chess;\n\ntitle(\"A\");\n\n: 6 });\n\
                    chess::setup();\nfn turn() { play(any()); }\n";
        let found = crate::check(&script(text));
        assert!(found.iter().any(|said| said.severity == crate::Severity::Error), "{found:?}");
    }

    /// The unreadable code may contain the change of a loop's variable.
    #[test]
    fn a_loop_is_not_called_endless_for_what_was_taken_out_of_it() {
        let head = "import \"chess\" as chess;\nchess::setup();\nfn turn() {\n    let n = 0;\n    while n < 3 {\n";
        let tail = "\n        play(any());\n    }\n}\n";
        let said = |step: &str| crate::check(&script(&format!("{head}        {step}{tail}")));
        let endless = |step: &str| said(step).iter().any(|one| one.code == Some(Code::Endless));
        assert!(endless("label(\"x\");"), "{:?}", said("label(\"x\");"));
        let torn = "n = n + ;";
        assert!(!endless(torn), "{:?}", said(torn));
        assert_eq!(said(torn).iter().map(|one| one.line).collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn no_text_is_too_strange() {
        for text in
            ["", "fn", "fn f(", "}", "{", "\"", "fn a() { fn b() { ) } }", "let = ;", "é“", "fn f() {\n\"\n}\n'", "h_("]
        {
            recover(&script(text));
        }
    }
}
