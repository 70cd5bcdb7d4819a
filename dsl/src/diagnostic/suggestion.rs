//! Turns the suggestions in a diagnostic's help into changes of the script.
//!
//! It knows the phrases that help uses for suggestions, not the problems behind them. Suggested code can replace several
//! parts of a script, so candidates are ordered with the likeliest first. The caller, who has the script, tries them.

use super::{Diagnostic, Fix};
use crate::host::tokens::{Sort, Token, arguments, tokens};
use crate::notation::describe::alternatives;
use std::collections::BTreeMap;
use std::ops::Range;

/// The phrase that starts a suggestion.
const MEANT: &str = "did you mean ";

/// Phrases before code that replaces other code.
const CUES: [&str; 4] = ["did you mean", "write", ":", "take"];

/// Phrases after code that does not replace other code.
const ELSEWHERE: [&str; 11] = [
    " before",
    " behind",
    " after",
    " on line",
    " on its own line",
    " as the last line",
    " in the",
    " around",
    " above",
    " once",
    " where",
];

/// At most this many places are tried per cure.
const MOST_PLACES: usize = 6;

/// From this similarity on, in percent, code is certainly meant to replace a part of the script.
const ALIKE: usize = 50;

/// How help suggests adding an option.
const OPTION: &str = "add the option `";

/// The change that the help of a diagnostic suggests: replace a name or text, replace a call of the same name, or add an
/// option to a call.
pub(super) fn of(one: &Diagnostic) -> Option<Fix> {
    if let Some(option) = one.help.as_deref().and_then(|help| help.strip_prefix(OPTION)) {
        let (entry, rest) = option.split_once("` to `")?;
        return option_of(one, entry, rest.split_once('`')?.0);
    }
    let advice = one.help.as_deref()?.split_once(MEANT)?.1;
    let span = one.span()?;
    let fix = match advice.strip_prefix('`').and_then(|code| code.split_once('`')) {
        Some((code, _)) => {
            let code = code.strip_prefix("fn ").unwrap_or(code);
            Fix { span: place_of(one, span, code)?, text: code.into() }
        }
        None => text_for(one, span, advice.strip_prefix('"')?.split_once('"')?.0)?,
    };
    (one.text.get(fix.span.clone())? != fix.text).then_some(fix)
}

/// Code that help names as a cure.
pub(crate) struct Cure {
    /// Its range in the help, quotes included.
    pub(crate) within: Range<usize>,
    /// The clause of the help that contains it.
    pub(crate) clause: Range<usize>,
    /// The possible changes of the script, likeliest first.
    pub(crate) fixes: Vec<Fix>,
    /// Whether one of the changes is certainly intended.
    pub(crate) certain: bool,
}

/// The cures that the help of a diagnostic names, each with its possible changes.
pub(crate) fn cures(one: &Diagnostic) -> Vec<Cure> {
    let (Some(help), Some(span)) = (one.help.as_deref(), one.span()) else { return Vec::new() };
    let all = tokens(&one.text);
    let mut found: Vec<Cure> = Vec::new();
    for clause in clauses(help) {
        let all_quoted = quoted(help, &clause);
        for (at, code) in all_quoted.iter().enumerate() {
            let code = code.clone();
            let before = help[clause.start..code.start].trim_end();
            let between = found.last().and_then(|last| help.get(last.within.end..code.start));
            let another = matches!(between, Some(", " | " or "));
            let after = &help[code.end..clause.end];
            let listed =
                after.starts_with(", ") && !are_alternatives(help, &all_quoted[at..]) || after.starts_with(" and ");
            // After a colon, code may be an example rather than a replacement.
            let is_example = before.ends_with(':') && !(after.is_empty() || after.starts_with(" or "));
            let cue = CUES.iter().any(|cue| before.ends_with(cue)) && !is_example || another;
            if !cue || listed || ELSEWHERE.iter().any(|words| after.starts_with(words)) {
                continue;
            }
            let text = help[code.clone()].trim_matches('`');
            let (fixes, certain) = changes(one, &all, &span, text);
            if !fixes.is_empty() {
                found.push(Cure { within: code, clause: clause.clone(), fixes, certain });
            }
        }
    }
    found
}

/// The help without its failed cures. Other cures of the same clause stay.
pub(crate) fn without(help: &str, cures: &[Cure], failed: &[bool]) -> Option<String> {
    let mut kept = Vec::new();
    for clause in clauses(help) {
        let own = || cures.iter().zip(failed).filter(|(cure, _)| cure.clause == clause);
        let left: Vec<String> =
            own().filter(|(_, failed)| !**failed).map(|(cure, _)| help[cure.within.clone()].to_string()).collect();
        let (all, first, last) = (own().count(), own().next(), own().next_back());
        match (first, last) {
            (Some((first, _)), Some((last, _))) if left.len() < all => {
                if !left.is_empty() {
                    let (before, after) = (&help[clause.start..first.within.start], &help[last.within.end..clause.end]);
                    kept.push(format!("{before}{}{after}", alternatives(&left)));
                }
            }
            _ => kept.push(help[clause].to_string()),
        }
    }
    let all = kept.iter().map(|clause| clause.trim_end_matches([';', '.', ' '])).collect::<Vec<_>>().join("; ");
    Some(all.replace("?; ", "? ")).filter(|help| !help.is_empty())
}

/// Whether a help names these quotes as alternatives: `a, b or c`. Later quotes do not matter.
fn are_alternatives(help: &str, all_quoted: &[Range<usize>]) -> bool {
    let mut between = all_quoted.windows(2).map(|two| &help[two[0].end..two[1].start]);
    between.find(|between| *between != ", ") == Some(" or ")
}

/// The clauses of a help: the parts between semicolons, periods and question marks outside quotes.
fn clauses(help: &str) -> Vec<Range<usize>> {
    let (mut found, mut quote, mut first) = (Vec::new(), None, 0);
    for (at, c) in help.char_indices() {
        match (quote, c) {
            (None, '`' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ';' | '.' | '?') if help[at + 1..].starts_with(' ') => {
                let end = if c == '?' { at + 1 } else { at };
                found.push(first..end);
                first = at + 2;
            }
            _ => {}
        }
    }
    if first < help.len() {
        found.push(first..help.len());
    }
    found
}

/// The quoted ranges of a clause, quotes included: code in backticks, text in double quotes.
fn quoted(help: &str, clause: &Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut open) = (Vec::new(), None);
    for (at, c) in help[clause.clone()].char_indices() {
        let at = clause.start + at;
        match (open, c) {
            (None, '`' | '"') => open = Some((c, at)),
            (Some((quote, first)), _) if quote == c => {
                found.push(first..at + 1);
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// The possible changes for code in a help, likeliest first, and whether one of them is certainly intended.
fn changes(one: &Diagnostic, all: &[Token<'_>], span: &Range<usize>, code: &str) -> (Vec<Fix>, bool) {
    let code = code.strip_prefix("fn ").unwrap_or(code);
    let (code, is_part) = code.strip_prefix('.').map_or((code, false), |code| (code, true));
    let meant = tokens(code);
    let depth = meant.iter().map(|token| i32::from(token.opens()) - i32::from(token.closes()));
    let balanced = depth.clone().sum::<i32>() == 0 && !meant.first().is_some_and(Token::closes);
    let statement =
        meant.first().is_some_and(|first| matches!(first.text, "for" | "while" | "let" | "const" | "import"));
    if meant.is_empty() || !balanced || statement || leaves_out(&meant) || stands_for_another(&meant, all) {
        return (Vec::new(), false);
    }
    let Some(here) = all.iter().position(|token| token.span.end > span.start) else { return (Vec::new(), false) };
    if let ([text], Some(inner)) = (&meant[..], code.strip_prefix('"').and_then(|code| code.strip_suffix('"')))
        && text.sort == Some(Sort::Text)
        && let Some(fix) = text_for(one, span.clone(), inner)
    {
        return (vec![fix], true);
    }
    if let ([name], true) = (&meant[..], all[here].is_word())
        && name.is_word()
        && !is_part
        && !all.get(here + 1).is_some_and(|next| next.is("-"))
    {
        return (vec![Fix { span: all[here].span.clone(), text: code.into() }], true);
    }
    let mut ranked: Vec<(usize, Range<usize>)> = Vec::new();
    for range in parts(all, here, span) {
        let (Some(first), Some(last)) = (all.get(range.start), range.end.checked_sub(1).and_then(|last| all.get(last)))
        else {
            continue;
        };
        let bytes = first.span.start..last.span.end;
        let known = ranked.iter().any(|(_, known)| *known == bytes);
        if !known && one.text.get(bytes.clone()).is_some_and(|text| text != code) {
            ranked.push((alike(&all[range], &meant), bytes));
        }
    }
    // Longer code must share at least a word with the place.
    ranked.retain(|(alike, _)| *alike > 0 || meant.len() < 3);
    ranked.sort_by_key(|(alike, _)| std::cmp::Reverse(*alike));
    let certain = ranked.first().is_some_and(|(alike, _)| *alike >= ALIKE);
    ranked.truncate(MOST_PLACES);
    (ranked.into_iter().map(|(_, span)| Fix { span, text: code.into() }).collect(), certain)
}

/// Whether code contains an ellipsis: dots that are not a range.
fn leaves_out(code: &[Token<'_>]) -> bool {
    let value = |token: Option<&Token<'_>>| {
        token
            .is_some_and(|token| token.is_word() || token.sort == Some(Sort::Number) || matches!(token.text, ")" | "]"))
    };
    let dots = |at: usize| match code[at].text {
        "..." => true,
        ".." => !value(at.checked_sub(1).map(|before| &code[before])) || !value(code.get(at + 1)),
        _ => false,
    };
    (0..code.len()).any(dots)
}

/// Whether code contains a placeholder for the author's own expression, such as `side` in `in_check(side)`.
fn stands_for_another(code: &[Token<'_>], all: &[Token<'_>]) -> bool {
    let text = |at: Option<usize>| at.and_then(|at| code.get(at)).map_or("", |token| token.text);
    let alone = |at: usize| {
        let (before, after) = (text(at.checked_sub(1)), text(Some(at + 1)));
        !matches!(before, "." | "::" | "|") && !matches!(after, "(" | ":" | "::" | "|")
    };
    let known =
        |word: &str| matches!(word, "if" | "else" | "in" | "true" | "false") || all.iter().any(|token| token.is(word));
    let names = |at: usize| code[at].is_word() && alone(at) && !known(code[at].text);
    code.len() > 1 && (0..code.len()).any(names)
}

/// The similarity of two token lists, in percent.
fn alike(some: &[Token<'_>], others: &[Token<'_>]) -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    others.iter().for_each(|token| *counts.entry(token.text).or_default() += 1);
    let same = some.iter().filter(|token| match counts.get_mut(token.text) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    });
    200 * same.count() / (some.len() + others.len()).max(1)
}

/// The parts of a script around a token that code may replace.
fn parts(all: &[Token<'_>], here: usize, span: &Range<usize>) -> Vec<Range<usize>> {
    let underlined = all[here..].iter().take_while(|token| token.span.start < span.end).count().max(1);
    let (first, end) = (chain_start(all, here), chain_end(all, here));
    let mut found = vec![here..here + underlined, here..here + 1, first..end, here..end, first..here + 1];
    let three = here..(here + 3).min(all.len());
    found.extend([three, here..call_end(all, here), here.saturating_sub(1)..here + 1, here..(here + 2).min(all.len())]);
    found.extend(argument(all, here));
    let operand = operand(all, here);
    found.extend([operand.clone(), here..operand.end, first..operand.end]);
    // The parameters of a closure.
    if let Some(close) = all[..here].iter().rposition(|token| token.is("|"))
        && let Some(open) = all[..close].iter().rposition(|token| token.is("|"))
    {
        found.push(open..close + 1);
    }
    // Each enclosing call, with its receiver.
    let mut inner = here;
    while let Some(open) = opener(all, inner) {
        let around = chain_start(all, open.saturating_sub(1));
        let is_call = open > 0 && all[open].is("(") && all[open - 1].is_word();
        if is_call {
            found.extend([open - 1..closing(all, open), around..closing(all, open), around..chain_end(all, open - 1)]);
        } else if all[open].is("[") || all[open].is("#{") {
            found.extend([around..closing(all, open), open..closing(all, open)]);
        } else {
            break;
        }
        inner = open;
    }
    found.retain(|range| range.start < range.end && range.end <= all.len());
    found
}

/// The bracket that is open at a token.
fn opener(all: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0;
    all[..at].iter().rposition(|token| {
        depth += i32::from(token.closes()) - i32::from(token.opens());
        depth < 0
    })
}

/// The index after the bracket that closes the one at `open`.
fn closing(all: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    let close = all[open..].iter().position(|token| {
        depth += i32::from(token.opens()) - i32::from(token.closes());
        depth == 0
    });
    close.map_or(all.len(), |close| open + close + 1)
}

/// The start of the chain of dots and calls that a token belongs to.
fn chain_start(all: &[Token<'_>], at: usize) -> usize {
    let mut first = at;
    while first > 0 {
        let before = &all[first - 1];
        if before.is(".") || before.is("::") {
            first -= 1;
        } else if before.closes() && (all[first].is(".") || all[first].is("[")) {
            first = opener(all, first - 1).unwrap_or(first - 1);
        } else if before.is_word() && matches!(all[first].text, "." | "::" | "(" | "[") {
            first -= 1;
        } else {
            break;
        }
    }
    first
}

/// The end of the chain of dots and calls that a token belongs to.
fn chain_end(all: &[Token<'_>], at: usize) -> usize {
    let mut end = call_end(all, at);
    while all.get(end).is_some_and(|token| token.is(".")) && all.get(end + 1).is_some_and(Token::is_word) {
        end = call_end(all, end + 1);
    }
    end
}

/// The end of a word with the brackets right after it, or of a bracketed expression.
fn call_end(all: &[Token<'_>], at: usize) -> usize {
    let mut end = if all[at].opens() { closing(all, at) } else { at + 1 };
    while all.get(end).is_some_and(|token| token.is("(") || token.is("[")) && all[at].is_word() {
        end = closing(all, end);
    }
    end
}

/// The operand around a token: the text between commas, brackets and operators.
fn operand(all: &[Token<'_>], here: usize) -> Range<usize> {
    let parts = |token: &Token<'_>| token.parts_operands() || matches!(token.text, "return" | "in" | "if" | "{" | "}");
    let (mut depth, mut start) = (0, here);
    while start > 0 {
        let before = &all[start - 1];
        depth += i32::from(before.closes()) - i32::from(before.opens());
        if depth < 0 || depth == 0 && parts(before) {
            break;
        }
        start -= 1;
    }
    let (mut depth, mut end) = (0, here);
    while let Some(token) = all.get(end) {
        if depth == 0 && end > here && (parts(token) || token.closes()) {
            break;
        }
        depth += i32::from(token.opens()) - i32::from(token.closes());
        end += 1;
        if depth < 0 {
            break;
        }
    }
    start..end
}

/// The argument or statement that contains a token, and its body if it is a closure.
fn argument(all: &[Token<'_>], here: usize) -> [Range<usize>; 2] {
    let ends = |token: &Token<'_>| matches!(token.text, ";" | "=" | "=>" | "return" | "{" | "}");
    let (mut depth, mut start, mut bars) = (0, here, false);
    while start > 0 {
        let before = &all[start - 1];
        depth += i32::from(before.closes()) - i32::from(before.opens());
        bars ^= before.is("|");
        if depth < 0 || depth == 0 && (ends(before) || before.is(",") && !bars) {
            break;
        }
        start -= 1;
    }
    let (mut depth, mut end) = (0, here);
    while let Some(token) = all.get(end) {
        if depth == 0 && end > here && (token.closes() || token.is(",") || token.is(";")) {
            break;
        }
        depth += i32::from(token.opens()) - i32::from(token.closes());
        end += 1;
        if depth < 0 {
            break;
        }
    }
    let body = match all[start].text {
        "||" => start + 1,
        "|" => all[start + 1..end].iter().position(|token| token.is("|")).map_or(start, |close| start + close + 2),
        _ => start,
    };
    [start..end, body..end]
}

/// Adds an option, such as `anew: true`, to a call at one of the diagnostic's other places or at its own.
fn option_of(one: &Diagnostic, entry: &str, name: &str) -> Option<Fix> {
    let all = tokens(&one.text);
    let others = one.others.iter().map(|(line, column, _)| (*line, *column));
    let at = others
        .chain([(one.line, one.column)])
        .find_map(|at| all.iter().position(|token| token.at == at && token.is(name)));
    let open = at.map(|at| at + 1).filter(|open| all.get(*open).is_some_and(|token| token.is("(")))?;
    let last = arguments(&all, open).pop()?;
    let map = all.get(last.start).filter(|token| token.is("#{"));
    let (key, _) = entry.split_once(':')?;
    if let (Some(_), Some(known)) = (map, all[last.clone()].windows(2).position(|two| two[0].is(key) && two[1].is(":")))
    {
        let from = last.start + known;
        let value = all.get(from + 2).filter(|value| matches!(value.text, "true" | "false"))?;
        return Some(Fix { span: all[from].span.start..value.span.end, text: entry.into() });
    }
    Some(match map {
        Some(map) if all.get(last.start + 1).is_some_and(|next| next.is("}")) => {
            Fix { span: map.span.end..map.span.end, text: format!(" {entry} ") }
        }
        Some(map) => Fix { span: map.span.end..map.span.end, text: format!(" {entry},") },
        None => {
            let end = all.get(last.end.checked_sub(1)?)?.span.end;
            Fix { span: end..end, text: format!(", #{{ {entry} }}") }
        }
    })
}

/// The range that code replaces: a name replaces the name at the place, a call the call around it.
fn place_of(one: &Diagnostic, span: Range<usize>, code: &str) -> Option<Range<usize>> {
    let meant = tokens(code);
    let all = tokens(&one.text);
    match meant.as_slice() {
        [name] if name.is_word() => {
            let here = all.iter().find(|token| token.span.start == span.start && token.is_word())?;
            Some(here.span.clone())
        }
        // Code with an ellipsis cannot be inserted into a script.
        _ if leaves_out(&meant) => None,
        [name, open, .., close] if name.is_word() && open.is("(") && close.is(")") => {
            call_around(&all, name.text, &span)
        }
        _ => None,
    }
}

/// The call of the function `name` that contains the place or begins there.
fn call_around(all: &[Token<'_>], name: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let calls = all.windows(2).enumerate().filter(|(_, pair)| pair[0].is(name) && pair[1].is("("));
    let ends = |open: usize| {
        let after = arguments(all, open).last().map_or(open + 1, |last| last.end);
        all.get(after).filter(|close| close.is(")")).map(|close| close.span.end)
    };
    let mut ranges = calls.filter_map(|(at, _)| Some(all[at].span.start..ends(at + 1)?));
    ranges.rfind(|range| range.start <= span.start && span.start < range.end)
}

/// Replaces the text at the place, or the name that the message quotes, for instance before a colon.
fn text_for(one: &Diagnostic, span: Range<usize>, text: &str) -> Option<Fix> {
    let all = tokens(&one.text);
    let here = all.iter().find(|token| token.span.contains(&span.start))?;
    match here.sort {
        Some(Sort::Text) => Some(Fix { span: here.span.clone(), text: format!("\"{text}\"") }),
        Some(Sort::Word) if one.message.contains(&format!("\"{}\"", here.text)) => {
            Some(Fix { span: here.span.clone(), text: text.into() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script after the suggested change of one of its words.
    fn mended(text: &str, word: &str, message: &str, help: &str) -> Option<String> {
        let column = text.find(word)? + 1;
        let one = Diagnostic::error("a.rhai", &text.into(), 1, column, message).with_help(Some(help.into()));
        let fix = one.suggestion()?;
        let mut text = text.to_owned();
        text.replace_range(fix.span, &fix.text);
        Some(text)
    }

    #[test]
    fn an_option_is_added_to_the_call_that_is_meant() {
        let of = |text| mended(text, "f", "it is frozen", "add the option `anew: true` to `f`: then it is asked again");
        assert_eq!(of("f(a, |b| c);").as_deref(), Some("f(a, |b| c, #{ anew: true });"));
        assert_eq!(of("f(a, #{ x: g(1) });").as_deref(), Some("f(a, #{ anew: true, x: g(1) });"));
        assert_eq!(of("f(a, #{});").as_deref(), Some("f(a, #{ anew: true });"));
        assert_eq!(of("f(a, #{ x: 1, anew: false });").as_deref(), Some("f(a, #{ x: 1, anew: true });"));
        assert_eq!(of("f;"), None);
    }

    #[test]
    fn what_is_perhaps_meant_takes_the_place_of_what_stands_there() {
        let of = |text, word, help| mended(text, word, "there is no \"royall\"", help);
        assert_eq!(of("baord(5);", "baord", "did you mean `board`?").as_deref(), Some("board(5);"));
        assert_eq!(of("fn trun() {}", "trun", "did you mean `fn turn`?").as_deref(), Some("fn turn() {}"));
        assert_eq!(of("side(\"Whit\")", "\"Whit", "did you mean \"White\"?").as_deref(), Some("side(\"White\")"));
        assert_eq!(of("#{ royall: 1 }", "royall", "did you mean \"royal\"?").as_deref(), Some("#{ royal: 1 }"));
        let swapped = "its arguments are swapped: did you mean `has(mover(), \"man\")`?";
        let call = of("if has(\"man\", mover()) {}", "\"man", swapped);
        assert_eq!(call.as_deref(), Some("if has(mover(), \"man\") {}"));
        assert_eq!(of("f(1, 2);", "f", "did you mean `g(...)`?"), None, "what is left out is not known");
        assert_eq!(of("x + 1;", "+", "did you mean `- 1`?"), None);
        assert_eq!(of("baord(5);", "baord", "write `board`"), None);
    }
}
