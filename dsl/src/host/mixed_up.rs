//! Swapped values, found where a script stops: parameters of a closure, faces where a key gives its result, values of
//! another option of the same call, and letters that look like others.
//!
//! It works on the text alone, at the place that the error blames.

use super::slips::looks_alike;
use super::tokens::Token;
use crate::diagnostic::Diagnostic;
use crate::functions;

/// The advice for a property that a value does not have; `at` is the place of the property's name.
pub(super) fn property(all: &[Token<'_>], at: (usize, usize)) -> Option<String> {
    let here = all.iter().position(|token| token.at == at)?;
    let owner = here.checked_sub(2).filter(|_| all[here - 1].is("."))?;
    if all[owner].is(")") { key_of(all, owner, here) } else { parameter(all, owner, here) }
}

/// A property read from a call whose key already computes it: `roll("2d6", |dice| dice.total).total`.
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
        format!(
            "`{name}` returns the result of the key function, not the faces: remove `.{property}` or the key function"
        )
    })
}

/// A parameter of a closure used where another one was intended.
fn parameter(all: &[Token<'_>], owner: usize, property: usize) -> Option<String> {
    let name = all[owner].text;
    // The nearest parameter list before it that contains the name.
    let close = all[..owner].iter().rposition(|token| token.is("|"))?;
    let open = all[..close].iter().rposition(|token| token.is("|"))?;
    let names: Vec<&str> =
        all[open + 1..close].iter().filter(|token| token.is_word()).map(|token| token.text).collect();
    let is_list = all[open + 1..close].iter().all(|token| token.is_word() || token.is(","));
    let ([first, second], true) = (names.as_slice(), is_list && names.contains(&name)) else { return None };
    let known = functions::all().any(|(_, f)| f.name.split_once('.').is_some_and(|(_, of)| of == all[property].text));
    known.then(|| format!("the parameters are in the wrong order: write `|{second}, {first}|`"))
}

/// The option of the same call that takes a value which the given one rejects: `landing: "exact"` for `end: "exact"`.
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

/// Adds a note if a character in the blamed text, or in a similar name suggested for it, looks like another character.
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
        diagnostic.help = Some(format!("{what}: write `{meant}`{before}"));
    } else if let Some((what, _)) = diagnostic.help.as_deref().and_then(looks_alike) {
        let before = diagnostic.help.take().unwrap_or_default();
        diagnostic.help = Some(format!("{before} ({what}: spell both names the same way)"));
    }
}
