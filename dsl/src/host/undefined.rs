//! Advice on undefined names: a name that is not a variable, a typo, a variable of another block, or a value where a
//! function is required.
//!
//! It works on the text alone: a script with such a name cannot run.

use super::kind::ParamKind;
use super::slips;
use super::tokens::{self, Token};
use crate::functions::{self, Cost};
use crate::notation::nearest;
use std::collections::BTreeSet;

/// The advice for an undefined variable.
pub(super) fn undefined(tokens: &[Token<'_>], name: &str, at: (usize, usize)) -> String {
    let functions: Vec<&str> = tokens.windows(2).filter(|p| p[0].is("fn")).map(|p| p[1].text).collect();
    let made = tokens.windows(2).filter(|pair| pair[0].is("let") && pair[1].is(name)).map(|pair| pair[1].at);
    if let Some(later) = made.clone().find(|made| *made > at).filter(|_| made.clone().all(|made| made > at)) {
        return format!("line {} declares it: move that line before this one", later.0);
    }
    let behind_import = tokens.iter().position(|token| token.at == at).filter(|here| *here > 0);
    if behind_import.is_some_and(|here| tokens[here - 1].is("import")) {
        return format!("write the name of the base game in quotes: `import \"{name}\" as {name};`");
    }
    if let Some(inner) = in_square_brackets(tokens, name, at).filter(|_| name != "board") {
        return format!("put arguments in parentheses: write `{name}({inner})`");
    }
    let before_bracket = tokens.iter().position(|token| token.at == at).and_then(|here| tokens.get(here + 1));
    let own = variables(tokens, name);
    if before_bracket.is_some_and(|next| next.is("["))
        && name != "board"
        && let Some(near) = nearest(name, own.iter().map(String::as_str))
    {
        return format!("did you mean `{near}`?");
    }
    let is_set = before_bracket.is_some_and(|next| next.is("="));
    if let Some(help) = slips::of_variable(name, &functions).filter(|_| made.count() == 0) {
        if is_set && help.starts_with("it is a function") {
            return format!("declare it with `let {name} = ..`");
        }
        let quoted = format!("\"{name}\"");
        let is_text = tokens.iter().any(|token| token.text == quoted) && help.starts_with("it is a function");
        return if is_text { format!("{help}, or {quoted} for a string") } else { help };
    }
    // In its own value a variable does not exist yet, so another declaration of that name was intended.
    let here = tokens.iter().position(|token| token.at == at);
    let within =
        here.and_then(|here| tokens[..here].iter().rposition(|token| matches!(token.text, ";" | "{" | "}" | "let")));
    let own_value =
        within.is_some_and(|let_| tokens[let_].is("let") && tokens.get(let_ + 1).is_some_and(|t| t.is(name)));
    let quoted = format!("\"{name}\"");
    if own_value && tokens.iter().any(|token| token.text == quoted) {
        return format!("write the string in quotes: {quoted}");
    }
    if let (true, Some(let_), Some(here)) = (own_value, within, here)
        && let Some(param) = tokens[let_..here].windows(3).rev().find(|three| three[0].is("|") && three[2].is("|"))
    {
        let param = param[1].text;
        return format!(
            "this function's parameter is `{param}`: write `{param}` here, or rename the parameter: `|{name}|`"
        );
    }
    if let Some(function) = here.filter(|_| own_value).and_then(|here| as_function(tokens, name, here)) {
        return function;
    }
    let mut depth = 0;
    for (i, pair) in tokens.windows(2).enumerate().take_while(|(_, pair)| pair[0].at < at) {
        match pair[0].text {
            "{" | "#{" => depth += 1,
            "}" => depth -= 1,
            // Dice cannot be rolled at the top level, outside a game.
            "let" if pair[1].is(name) && depth == 0 && is_rolled(&tokens[i + 2..]) => {
                return format!("rules cannot use top-level variables: move line {} into the rule", pair[0].at.0);
            }
            // A constant could not be changed either.
            "let" if pair[1].is(name) && depth == 0 && is_changed(tokens, name) => {
                return format!(
                    "rules cannot use top-level variables: for a value that changes, write `counter({quoted}, \
                     ..);` on line {}",
                    pair[0].at.0
                );
            }
            "let" if pair[1].is(name) && depth == 0 => {
                return format!(
                    "rules cannot use top-level variables: write `const {name} = ...` on line {}",
                    pair[0].at.0
                );
            }
            "let" if pair[1].is(name) => {
                let line = pair[0].at.0;
                if let Some(function) = here.and_then(|here| as_function(tokens, name, here)) {
                    return function;
                }
                if here.is_some_and(|here| tokens[i..here].iter().any(|token| token.is("fn"))) {
                    return format!(
                        "the `{name}` from line {line} belongs to another function: pass it to this one as an argument"
                    );
                }
                return format!(
                    "the `{name}` from line {line} exists only inside its block: write `let {name};` before that block, \
                     and `{name} = ..` without `let` inside it"
                );
            }
            _ => {}
        }
    }
    if let Some(help) = undeclared(tokens, name, at) {
        return help;
    }
    let names = variables(tokens, name);
    // Prefer a name in the same case to a constant in capitals.
    let (alike, others): (Vec<&str>, Vec<&str>) = names
        .iter()
        .map(String::as_str)
        .partition(|other| other.starts_with(char::is_uppercase) == name.starts_with(char::is_uppercase));
    let same_word = others.iter().copied().find(|other| other.eq_ignore_ascii_case(name));
    if let Some(called) = called_of(tokens, at).filter(|_| same_word.is_none() && name.starts_with(char::is_uppercase))
    {
        return format!("`{name}` has no functions: write `{called}(..)`, or `value.{called}()`");
    }
    let sets = tokens.iter().position(|token| token.at == at).and_then(|here| tokens.get(here + 1));
    if sets.is_some_and(|next| next.is("=")) {
        let word = if name.starts_with(char::is_uppercase) { "const" } else { "let" };
        let near = nearest(name, alike.iter().copied());
        let meant = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return format!("declare it with `{word} {name} = ..`{meant}");
    }
    match same_word.or_else(|| nearest(name, alike)).or_else(|| nearest(name, others)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if takes_side(tokens, at) => "pass a side: `mover()`, `opponent()` or `side(\"..\")`".to_string(),
        // No string can be an operand of these operators.
        None if among_numbers(tokens, at) => format!("declare it: `let {name} = ...`"),
        None if of_capture(tokens, name) => {
            format!("`{name}` is a parameter of the rule `capture`: use it there, or use the move that `play` returns")
        }
        None => format!("for a string, use quotes: \"{name}\"; for a variable, declare it: `let {name} = ...`"),
    }
}

/// Whether the rule `capture` has a parameter of this name, in this script or by convention.
fn of_capture(tokens: &[Token<'_>], name: &str) -> bool {
    let own = tokens.windows(3).enumerate().any(|(at, head)| {
        let mut params = tokens[at + 3..].iter().take_while(|token| !token.is(")"));
        head[0].is("fn") && head[1].is("capture") && head[2].is("(") && params.any(|token| token.is(name))
    });
    own || matches!(name, "attacker" | "defender")
}

/// Whether a number of this name is changed outside its declaration.
fn is_changed(tokens: &[Token<'_>], name: &str) -> bool {
    tokens.windows(2).any(|pair| pair[0].is(name) && matches!(pair[1].text, "+=" | "-="))
}

/// Whether the token at a place is an operand of an operator that takes no strings.
fn among_numbers(tokens: &[Token<'_>], at: (usize, usize)) -> bool {
    let Some(here) = tokens.iter().position(|token| token.at == at) else { return false };
    let before = here.checked_sub(1).and_then(|before| tokens.get(before));
    let beside = [before, tokens.get(here + 1)];
    beside.into_iter().flatten().any(|token| matches!(token.text, "-" | "*" | "/" | "%"))
}

/// Whether an assigned value is a roll.
fn is_rolled(given: &[Token<'_>]) -> bool {
    matches!(given, [sign, called, open, ..] if sign.is("=") && open.is("(") && functions::costs(called.text, Cost::Chance))
}

/// Whether a name alone is the first argument of a function that takes a side there.
fn takes_side(tokens: &[Token<'_>], at: (usize, usize)) -> bool {
    let Some(here) = tokens.iter().position(|token| token.at == at).filter(|here| *here > 1) else { return false };
    let alone = tokens[here - 1].is("(") && tokens.get(here + 1).is_some_and(|next| matches!(next.text, "," | ")"));
    let side = |kind: ParamKind| matches!(kind, ParamKind::Side | ParamKind::SideName | ParamKind::SideOrName);
    let mut forms = functions::named(tokens[here - 2].text).flat_map(|(_, function)| &function.forms);
    alone && forms.any(|form| form.params.first().is_some_and(|param| side(param.kind)))
}

/// The argument in square brackets after the name of a function.
fn in_square_brackets<'t>(tokens: &[Token<'t>], name: &str, at: (usize, usize)) -> Option<&'t str> {
    let here = tokens.iter().position(|token| token.at == at)?;
    let [open, inner, close, ..] = &tokens[here + 1..] else { return None };
    let function = functions::named(name).next().is_some();
    (function && open.is("[") && close.is("]")).then_some(inner.text)
}

/// The function called after a name and a dot.
fn called_of<'t>(tokens: &[Token<'t>], at: (usize, usize)) -> Option<&'t str> {
    let here = tokens.iter().position(|token| token.at == at)?;
    let [dot, called, open, ..] = &tokens[here + 1..] else { return None };
    (dot.is(".") && open.is("(")).then_some(called.text)
}

/// The advice for a name that belongs to something other than a variable: a counter, an import.
fn undeclared(tokens: &[Token<'_>], name: &str, at: (usize, usize)) -> Option<String> {
    let quoted = format!("\"{name}\"");
    let declares =
        |maker: &str| tokens.windows(3).any(|three| three[0].is(maker) && three[1].is("(") && three[2].text == quoted);
    if declares("counter") {
        return Some(format!(
            "it is a counter: write `number({quoted})` to read it, and `set({quoted}, ..)` to change it"
        ));
    }
    let in_capitals = || variables(tokens, name).iter().any(|other| other.eq_ignore_ascii_case(name));
    if declares("option") && !in_capitals() {
        return Some(format!("it is an option: write `option({quoted})`; for a string, use quotes: {quoted}"));
    }
    let here = tokens.iter().position(|token| token.at == at)?;
    if let Some(function) = as_function(tokens, name, here) {
        return Some(function);
    }
    let called = tokens.get(here + 2).filter(|_| tokens[here + 1].is("."))?;
    after_as(tokens)
        .iter()
        .any(|import| import == name)
        .then(|| format!("to call an imported function, write `{name}::{}`", called.text))
}

/// Rewrites an argument as a function, if an undefined name is used where a function is required, such as the permit for
/// each die.
fn as_function(tokens: &[Token<'_>], name: &str, here: usize) -> Option<String> {
    let mut depth = 0;
    for open in (1..here).rev() {
        depth += i32::from(tokens[open].closes()) - i32::from(tokens[open].opens());
        if depth >= 0 {
            continue;
        }
        depth = 0;
        if !tokens[open].is("(") || !tokens[open - 1].is_word() {
            continue;
        }
        let called = tokens[open - 1].text;
        let at = functions::position_where(called, |param| param.kind == ParamKind::Function);
        // The receiver is the first argument.
        let method = open > 1 && tokens[open - 2].is(".");
        let at = at.and_then(|at| at.checked_sub(usize::from(method)));
        let ranges = tokens::arguments(tokens, open);
        let Some(range) = at.and_then(|at| ranges.get(at)).filter(|range| range.contains(&here)) else { continue };
        let whole: String = tokens[range.clone()].iter().map(|token| token.text).collect();
        return (!whole.starts_with('|')).then(|| format!("`{called}` needs a function: write `|{name}| {whole}`"));
    }
    None
}

/// The names of variables, constants and parameters, and names used more than once.
fn variables(tokens: &[Token<'_>], but: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut in_params = false;
    for pair in tokens.windows(2) {
        match pair[0].text {
            "fn" | "|" => in_params = true,
            ")" | "{" | ";" => in_params = false,
            _ => {}
        }
        let declares = matches!(pair[0].text, "let" | "const" | "for" | "|");
        let parameter = in_params && matches!(pair[0].text, "(" | "," | "|");
        if pair[1].is_word() && (declares || parameter) && !pair[1].is(but) {
            names.insert(pair[1].text.to_string());
        }
    }
    names
}

/// The names of imports.
pub(super) fn after_as(tokens: &[Token<'_>]) -> Vec<String> {
    let names = tokens.windows(2).filter(|pair| pair[0].is("as") && pair[1].is_word());
    names.map(|pair| pair[1].text.to_string()).collect()
}
