//! Moves a diagnostic from a call as a whole to the mistake within the call.
//!
//! The texts, keys or numbers that a message names are searched for among the tokens of the call. This module knows
//! functions only through their rows.

use super::kind::{ParamKind, ValueKind};
use super::tokens;
use crate::diagnostic::Diagnostic;
use crate::functions;
use crate::notation::{describe::alternatives, nearest};

/// Moves a diagnostic from a call to the misread part of a text in that call, or to the only place of that text.
pub(super) fn point_into(diagnostic: &mut Diagnostic, misread: &str, span: std::ops::Range<usize>) {
    let text = diagnostic.text.clone();
    let all = tokens::tokens(&text);
    let quoted = format!("\"{misread}\"");
    let from = (diagnostic.line, diagnostic.column);
    let same = |token: &&tokens::Token<'_>| token.text == quoted;
    let near = all.iter().filter(|token| token.at >= from && token.at.0 < from.0 + 12).find(same);
    let mut anywhere = all.iter().filter(same);
    let only = anywhere.next().filter(|_| anywhere.next().is_none());
    if let Some(token) = written_so(&all, from, &quoted).or(near).or(only) {
        let into = misread.get(..span.start).map_or(0, |s| s.chars().count());
        (diagnostic.line, diagnostic.column) = (token.at.0, token.at.1 + 1 + into);
        diagnostic.length = misread.get(span).map_or(1, |s| s.chars().count()).max(1);
    }
}

/// The argument with this text among those in a notation, in the call that begins at `from`. A name can have the same text.
fn written_so<'t, 's>(
    all: &'t [tokens::Token<'s>],
    from: (usize, usize),
    quoted: &str,
) -> Option<&'t tokens::Token<'s>> {
    let first = all.iter().position(|token| token.at == from)?;
    let notations = [ParamKind::Betza, ParamKind::Dice, ParamKind::Position, ParamKind::SquareList];
    let ranges = tokens::arguments(all, first + 1);
    let places = notations.into_iter().filter_map(|kind| functions::position_of(all[first].text, kind));
    places.filter_map(|at| all[ranges.get(at)?.clone()].iter().find(|token| token.text == quoted)).next()
}

/// Moves a diagnostic from within an index to the start of the index.
pub(super) fn point_at_index(diagnostic: &mut Diagnostic) {
    let text = diagnostic.text.clone();
    let all = tokens::tokens(&text);
    let Some(at) = all.iter().position(|token| token.at == (diagnostic.line, diagnostic.column)) else { return };
    let mut depth = 0;
    let open = all[..at].iter().rposition(|token| {
        depth += i32::from(token.closes()) - i32::from(token.opens());
        depth < 0
    });
    if let Some(first) = open.filter(|open| all[*open].is("[")).and_then(|open| all.get(open + 1)) {
        (diagnostic.line, diagnostic.column) = first.at;
        diagnostic.length = all[at].span.end.saturating_sub(first.span.start).max(1);
    }
    let Some(open) = open.filter(|open| all[*open].is("[") && *open > 0 && all[open - 1].is_word()) else { return };
    let name = all[open - 1].text;
    diagnostic.message = diagnostic.message.replacen("the array", &format!("`{name}`"), 1);
    if let Some(help) = diagnostic.help.as_mut() {
        *help = help.replace("`if list.len()", &format!("`if {name}.len()"));
    }
    let index = tokens::arguments(&all, open).first().map(|range| tokens::text_of(&text, &all, range).to_string());
    let missing = diagnostic.message.rsplit(' ').next().and_then(|number| number.parse::<i64>().ok());
    if let (Some(index), Some(missing)) = (index.filter(|index| index.contains(" - ")), missing.filter(|n| *n > 0)) {
        let needed = missing + 1;
        let help = format!(
            "entries are numbered from 0: give `{name}` {needed} entries, or check the value of `{index}` first"
        );
        diagnostic.help = Some(help);
    }
}

/// Moves a diagnostic from a call to the first argument that no form of the function takes, and reports the kinds it takes.
/// Returns whether there is one. `signature` lists the argument types, as the interpreter names them.
pub(super) fn point_at_argument(diagnostic: &mut Diagnostic, signature: &str) -> bool {
    let Some((name, types)) = signature.split_once(" (") else { return false };
    let kinds: Vec<Option<ValueKind>> = types.trim_end_matches(')').split(", ").map(ValueKind::named).collect();
    let forms = functions::named(name).flat_map(|(_, function)| &function.forms);
    let mut forms: Vec<&functions::Form> =
        forms.filter(|form| (form.least()..=form.params.len()).contains(&kinds.len())).collect();
    let wrong = kinds.iter().enumerate().find(|(at, kind)| {
        let takes = |form: &&functions::Form| kind.is_none_or(|kind| form.params[*at].kind.accepts().contains(&kind));
        let left: Vec<&functions::Form> = forms.iter().copied().filter(takes).collect();
        let none = left.is_empty();
        if !none {
            forms = left;
        }
        none
    });
    let (Some((at, Some(kind))), Some(form)) = (wrong, forms.first()) else { return false };
    let text = diagnostic.text.clone();
    let all = tokens::tokens(&text);
    let called = all.iter().position(|token| token.at == (diagnostic.line, diagnostic.column) && token.is(name));
    let Some(called) = called.filter(|called| *called == 0 || !all[*called - 1].is(".")) else { return false };
    let ranges = tokens::arguments(&all, called + 1);
    let Some(range) = ranges.get(at).filter(|_| ranges.len() == kinds.len()) else { return false };
    let shown = tokens::text_of(&text, &all, range).to_string();
    let wanted = form.params[at].kind.accepts().first().map_or("something else", |kind| kind.words());
    (diagnostic.line, diagnostic.column) = all[range.start].at;
    diagnostic.length = shown.lines().next().map_or(1, |line| line.chars().count());
    diagnostic.message = format!("`{name}` takes {wanted} here, not {}", kind.words());
    let takes = |param: &functions::Parameter, at: usize| {
        kinds.get(at).is_none_or(|kind| kind.is_none_or(|kind| param.kind.accepts().contains(&kind)))
    };
    let signature = crate::manual::fitting_signature(name, kinds.len(), takes);
    let signature = signature.map_or_else(String::new, |one| crate::manual::signature_advice(&one));
    diagnostic.help = Some(match kind {
        ValueKind::Array => {
            format!("use one entry, `{shown}[0]`, or the sum of the dice, `{shown}.total`; {signature}")
        }
        ValueKind::Nothing => format!("test first whether it exists: `{shown} != ()`; {signature}"),
        _ => signature,
    });
    true
}

/// Moves a diagnostic from a call to the text, key or number in it that its message names. If the message names several,
/// the last is wrong and the earlier ones give the context.
pub(super) fn point_at_word(diagnostic: &mut Diagnostic) {
    let text = diagnostic.text.clone();
    let all = tokens::tokens(&text);
    let Some(first) = all.iter().position(|token| token.at >= (diagnostic.line, diagnostic.column)) else { return };
    let mut depth = 0;
    let end = all[first..].iter().position(|token| {
        depth += i32::from(token.opens()) - i32::from(token.closes());
        depth < 0 || depth == 0 && token.is(";")
    });
    let call = &all[first..end.map_or(all.len(), |end| first + end)];
    let words: Vec<&str> = diagnostic.message.split('"').skip(1).step_by(2).filter(|word| !word.is_empty()).collect();
    let of_word = |word: &&str| {
        let quoted = format!("\"{word}\"");
        let whole = call.iter().find(|token| token.text == quoted || token.is(word));
        let part = || {
            let holds = |token: &&tokens::Token<'_>| {
                token.text.trim_matches('"').split([' ', ',', '[', ']']).any(|part| part == *word)
            };
            let token = call.iter().filter(|token| token.text.starts_with('"')).find(holds)?;
            let before = token.text.find(word).map_or(0, |at| token.text[..at].chars().count());
            Some((token.at.0, token.at.1 + before, word.chars().count()))
        };
        whole.map(|token| (token.at.0, token.at.1, token.text.chars().count())).or_else(part)
    };
    let of_option = |word: &str| {
        let at = call.windows(2).position(|pair| pair[0].is(word) && pair[1].is(":"))?;
        let value = call.get(at + 2)?;
        Some((value.at.0, value.at.1, value.text.chars().count()))
    };
    // In ", not ..", the last word is the one that does not fit.
    let last_first = diagnostic.message.contains(", not \"");
    let number_last = diagnostic.message.rsplit(", not ").next().filter(|n| *n != diagnostic.message);
    let number_last = number_last.is_some_and(|n| n.trim_start_matches('-').parse::<i64>().is_ok());
    let of_key = words.first().filter(|word| diagnostic.message.starts_with(&format!("\"{word}\" is ")));
    let found = match (last_first, of_key.and_then(|word| of_option(word))) {
        (_, Some(value)) => Some(value),
        (true, None) => words.iter().rev().find_map(of_word),
        (false, None) => words.iter().find_map(of_word).filter(|_| !number_last),
    };
    let numbers = || {
        // The number after "not" is wrong; the numbers before it would be valid.
        let said = if number_last { diagnostic.message.rsplit(", not ").next() } else { Some(&*diagnostic.message) };
        let said = said.unwrap_or_default();
        let all: Vec<&str> = said.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).collect();
        let arguments = call.iter().filter(|token| token.sort == Some(tokens::Sort::Number));
        let arguments: Vec<_> = arguments.collect();
        all.into_iter()
            .rev()
            .find_map(|n| arguments.iter().find(|token| token.is(n)))
            .map(|token| (token.at.0, token.at.1, token.text.len()))
    };
    let numbers =
        || numbers().or_else(|| number_argument(&diagnostic.message, &text, &all, first).filter(|_| number_last));
    // A word that the call gets from elsewhere is located if it occurs only once in the script.
    let elsewhere = || {
        let quoted = format!("\"{}\"", if last_first { words.last() } else { words.first() }?);
        let mut same = all.iter().filter(|token| token.text == quoted);
        let only = same.next().filter(|_| same.next().is_none())?;
        Some((only.at.0, only.at.1, quoted.chars().count()))
    };
    // In a text with several parts, the part with a character that no name contains.
    let part_of_it = || {
        let word = words.first().filter(|word| word.contains(is_odd))?;
        let holds = |token: &&tokens::Token<'_>| {
            let part = token.text.trim_matches('"');
            token.sort == Some(tokens::Sort::Text) && part.contains(is_odd) && word.contains(part.trim())
        };
        let mut parts = all.iter().filter(holds);
        let only = parts.next().filter(|_| parts.next().is_none())?;
        Some((only.at.0, only.at.1, only.text.chars().count()))
    };
    let elsewhere = || elsewhere().or_else(part_of_it);
    let own = (diagnostic.line, diagnostic.column);
    // The superfluous argument follows the name.
    let side = || {
        let range = tokens::arguments(&all, first + 1).into_iter().nth(1)?;
        let shown = tokens::text_of(&text, &all, &range).chars().count();
        Some((all[range.start].at.0, all[range.start].at.1, shown))
    };
    let found = found.map(|found| match diagnostic.message.ends_with("belongs to no side") {
        true => side().unwrap_or(found),
        false => found,
    });
    match (found, elsewhere()) {
        (None, Some((line, column, length))) => {
            (diagnostic.line, diagnostic.column, diagnostic.length) = (line, column, length);
            diagnostic.others.push((own.0, own.1, "it is used here".into()));
            let said = format!("{} {}", diagnostic.message, diagnostic.help.as_deref().unwrap_or_default());
            if let Some(help) = swapped_texts(&text, &all, (line, column), &said) {
                diagnostic.help = Some(help);
            }
            if diagnostic.help.is_none()
                && let Some(odd) = words.first().and_then(|word| word.chars().find(|c| is_odd(*c)))
            {
                let help =
                    "write a square as \"a1\", a row as \"a1-a8\", and several squares of one station as \"[a1-a8]\"";
                diagnostic.help = Some(format!("`{odd}` is not used in the names of squares: {help}"));
            }
        }
        (found, _) => {
            if let Some((line, column, length)) = found.or_else(numbers) {
                (diagnostic.line, diagnostic.column, diagnostic.length) = (line, column, length);
            }
        }
    }
    if diagnostic.help.is_none() {
        diagnostic.help = one_of(&diagnostic.message);
    }
}

/// The call of a script function with two of its texts swapped, if a message asks for a text that is another argument of
/// the call.
fn swapped_texts(text: &str, all: &[tokens::Token<'_>], at: (usize, usize), said: &str) -> Option<String> {
    let here = all.iter().position(|token| token.at == at)?;
    let mut depth = 0;
    let open = all[..here].iter().rposition(|token| {
        depth += i32::from(token.closes()) - i32::from(token.opens());
        depth < 0
    })?;
    let name = open.checked_sub(1).map(|name| &all[name]).filter(|name| name.is_word() && all[open].is("("))?;
    let own = all.windows(2).any(|pair| pair[0].is("fn") && pair[1].is(name.text));
    let ranges = tokens::arguments(all, open);
    let mut texts: Vec<&str> = ranges.iter().map(|range| tokens::text_of(text, all, range)).collect();
    let wrong = ranges.iter().position(|range| range.contains(&here))?;
    let bare = |text: &'_ str| text.trim_matches('"').to_string();
    let typo = |text: &str| nearest(&bare(texts[wrong]), [bare(text).as_str()]).is_some();
    let asked_for = |text: &&str| text.starts_with('"') && text.len() > 2 && said.contains(*text) && !typo(text);
    let meant = (0..texts.len()).find(|i| *i != wrong && asked_for(&texts[*i])).filter(|_| own)?;
    texts.swap(wrong, meant);
    Some(format!("the arguments are swapped: did you mean `{}({})`?", name.text, texts.join(", ")))
}

/// The advice for a word that is not in the list that the message gives before it.
pub(crate) fn one_of(message: &str) -> Option<String> {
    let words: Vec<&str> = message.split('"').skip(1).step_by(2).filter(|word| !word.is_empty()).collect();
    let (wrong, others) =
        words.split_last().filter(|(_, others)| !others.is_empty() && message.contains(", not \""))?;
    let all: Vec<String> = others.iter().map(|word| format!("\"{word}\"")).collect();
    Some(match nearest(wrong, others.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("write {}", alternatives(&all)),
    })
}

/// A character that no name of a square or piece contains.
fn is_odd(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, ' ' | '-' | '_' | '+' | '[' | ']')
}

/// The argument that must be the number in the message, in the call that begins at a token, if the argument is not a
/// literal number.
fn number_argument(said: &str, text: &str, all: &[tokens::Token<'_>], first: usize) -> Option<(usize, usize, usize)> {
    let ranges = tokens::arguments(all, first + 1);
    let kinds = [ParamKind::Number, ParamKind::Amount, ParamKind::Reckoned];
    let forms = functions::named(all[first].text).flat_map(|(_, function)| &function.forms);
    let places = forms.filter(|form| form.params.len() == ranges.len()).map(|form| {
        let numbers = form.params.iter().enumerate().filter(|(_, param)| kinds.contains(&param.kind));
        numbers.map(|(at, _)| at).collect::<Vec<usize>>()
    });
    let mut places: Vec<Vec<usize>> = places.filter(|numbers| !numbers.is_empty()).collect();
    places.dedup();
    let [numbers] = places.as_slice() else { return None };
    // Of several, the one that the message names.
    let named = |at: &usize| {
        let mut forms = functions::named(all[first].text).flat_map(|(_, function)| &function.forms);
        forms.any(|form| form.params.len() == ranges.len() && said.contains(form.params[*at].name))
    };
    let only = match numbers.as_slice() {
        [only] => only,
        several => several.iter().find(|at| named(at))?,
    };
    let range = ranges.get(*only)?;
    let token = all.get(range.start)?;
    Some((token.at.0, token.at.1, tokens::text_of(text, all, range).lines().next()?.chars().count()))
}
