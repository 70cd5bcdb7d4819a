//! Values that stand in another's place, found where a script stops: parameters of a function without a name, what a key of
//! dice has made already, values of another option of the same call, letters that look like others.
//!
//! It is read off the text alone, at the place that the error blames.

use super::slips::looks_alike;
use super::tokens::Token;
use crate::diagnostic::Diagnostic;
use crate::functions;

/// What to do about a property that a value has not: `at` is where its name stands.
pub(super) fn property(all: &[Token<'_>], at: (usize, usize)) -> Option<String> {
    let here = all.iter().position(|token| token.at == at)?;
    let owner = here.checked_sub(2).filter(|_| all[here - 1].is("."))?;
    if all[owner].is(")") { key_of(all, owner, here) } else { parameter(all, owner, here) }
}

/// What a call gives whose key has made it: `roll("2d6", |dice| dice.total).total`.
fn key_of(all: &[Token<'_>], close: usize, property: usize) -> Option<String> {
    let mut depth = 0;
    let open = all[..=close].iter().rposition(|token| {
        depth += i32::from(token.closes()) - i32::from(token.opens());
        depth == 0
    })?;
    let name = all[open.checked_sub(1)?].text;
    let functions =
        all[open..close].windows(2).filter(|two| matches!(two[0].text, "(" | ",") && two[1].is("|")).count();
    functions::takes_key(name, functions).then(|| {
        let property = all[property].text;
        format!("`{name}` gives what the key has made of the faces: leave `.{property}` out, or the key")
    })
}

/// A parameter of a function without a name that is meant to be another of them.
fn parameter(all: &[Token<'_>], owner: usize, property: usize) -> Option<String> {
    let name = all[owner].text;
    // The nearest list of parameters before it in which the name stands.
    let close = all[..owner].iter().rposition(|token| token.is("|"))?;
    let open = all[..close].iter().rposition(|token| token.is("|"))?;
    let names: Vec<&str> =
        all[open + 1..close].iter().filter(|token| token.is_word()).map(|token| token.text).collect();
    let is_list = all[open + 1..close].iter().all(|token| token.is_word() || token.is(","));
    let ([first, second], true) = (names.as_slice(), is_list && names.contains(&name)) else { return None };
    let known = functions::all().any(|(_, f)| f.name.split_once('.').is_some_and(|(_, of)| of == all[property].text));
    known.then(|| format!("the function is given its values in the other order: write `|{second}, {first}|`"))
}

/// The option of the same call that takes a value which this one does not: `landing: "exact"` for `end: "exact"`.
pub(crate) fn other_option(all: &[Token<'_>], message: &str, at: (usize, usize)) -> Option<String> {
    let (_, wrong) = message.split_once(", not \"")?;
    let wrong = format!("\"{}", wrong.split_inclusive('"').next()?);
    let here = all.iter().position(|token| token.at == at && token.text == wrong)?;
    let mut depth = 0;
    // The map, and the call around it.
    let open = all[..here].iter().rposition(|token| {
        depth += i32::from(token.closes()) - i32::from(token.opens());
        depth == -2
    });
    let name = all.get(open?.checked_sub(1)?).filter(|name| name.is_word())?.text;
    let own = here.checked_sub(2).map(|key| all[key].text)?;
    let keys = functions::named(name).flat_map(|(row, _)| row.options.iter().map(|(key, _)| *key));
    let meant =
        keys.filter(|key| *key != own).find(|key| functions::words_of_option(name, key).contains(&wrong.as_str()))?;
    Some(format!("{wrong} is a value of `{meant}`: write `{meant}: {wrong}`"))
}

/// Names a letter or sign in what is blamed, or in the name that is proposed for it, that only looks like another.
pub(crate) fn alike(diagnostic: &mut Diagnostic) {
    let said = |help: &str| help.contains("U+");
    if diagnostic.help.as_deref().is_some_and(said) || said(&diagnostic.message) {
        return;
    }
    let text = diagnostic.text.clone();
    let line = diagnostic.line.checked_sub(1).and_then(|line| text.lines().nth(line)).unwrap_or_default();
    let blamed: String =
        line.chars().skip(diagnostic.column.saturating_sub(1)).take(diagnostic.length.max(1)).collect();
    if let Some((what, meant)) = looks_alike(blamed.trim_matches('"')) {
        let before = diagnostic.help.take().map(|help| format!("; {help}")).unwrap_or_default();
        diagnostic.help = Some(format!("{what}: write {meant}{before}"));
    } else if let Some((what, _)) = diagnostic.help.as_deref().and_then(looks_alike) {
        let before = diagnostic.help.take().unwrap_or_default();
        diagnostic.help = Some(format!("{before} {what}: write both alike"));
    }
}
