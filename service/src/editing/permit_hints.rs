//! Inlay hints that show how many moves the permits of a script admit in a position.
//!
//! Hints follow arguments that must be permits, as in `play(..)`, and values of variables that are permits. A permit is
//! evaluated as a [question](astragal_dsl::question) about a game. If the dice of the turn have been rolled,
//! `roll("2d6")` and variables set to it have these faces. Permits that depend on other local variables have no hint.

use super::hint::Hint;
use astragal_core::{Event, Game};
use astragal_dsl::manual::{Entry, ParamKind, ValueKind};
use astragal_dsl::notation::dice;
use astragal_dsl::{Loaded, question};
use astragal_editor::document::{Document, Origin};
use astragal_editor::functions;
use std::ops::Range;
use std::sync::Arc;

/// The maximum number of permits that are evaluated.
const MOST: usize = 40;

/// The game of a variant before its first event. `None` if a rule fails in its starting position.
pub fn starting_game(loaded: &Loaded) -> Option<Game> {
    Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).ok()
}

/// The hints after the permits of a script, in order. They apply to the current position of `game`, a game of `loaded`.
/// `position` names that position in tooltips, such as `the starting position`. Each permit loads the script again, so
/// run this in the background.
pub fn permit_hints(script: &Document, loaded: &Loaded, game: &Game, position: &str) -> Vec<Hint> {
    let rolled = rolled(game);
    let questions = permits(script).into_iter().filter_map(|tokens| {
        let expression = expression(script, &tokens, rolled)?;
        Some((bytes(script, &tokens)?, expression))
    });
    let (mut found, mut done): (Vec<Hint>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    for (span, expression) in questions.take(MOST) {
        // If a permit can be evaluated, its parts have no hints.
        if done.iter().any(|outer| outer.start <= span.start && span.end <= outer.end) {
            continue;
        }
        let Some(moves) = question::ask(loaded, game, &expression).ok().filter(|answer| is_count(answer)) else {
            continue;
        };
        let tooltip = format!("In {position}, this permit allows {moves}.");
        found.push(Hint { offset: span.end, text: moves, tooltip });
        done.push(span);
    }
    found.sort_by_key(|hint| hint.offset);
    found
}

/// Whether an answer is a number of moves.
fn is_count(answer: &str) -> bool {
    let number = answer.strip_suffix(" moves").or(answer.strip_suffix(" move"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The number of dice of the current turn's roll; `None` unless there was exactly one.
fn rolled(game: &Game) -> Option<usize> {
    let (_, _, entries) = game.turn_so_far();
    let mut rolls = entries.iter().filter_map(|entry| match &entry.event {
        Event::Roll(faces) => Some(faces.len()),
        _ => None,
    });
    rolls.next().filter(|_| rolls.next().is_none())
}

/// The tokens of the permits of a script, outer ones before inner ones.
fn permits(script: &Document) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for token in 0..script.tokens().len() {
        if script.is_call(token) {
            found.extend(arguments(script, token).into_iter().filter(|tokens| !tokens.is_empty()));
        } else if matches!(script.word(token), "let" | "const") && script.is(token + 2, "=") {
            found.extend(value(script, token + 3));
        }
    }
    found.sort_by_key(|tokens| (tokens.start, std::cmp::Reverse(tokens.end)));
    found.dedup();
    found
}

/// The tokens of the arguments of a call that must be permits.
fn arguments(script: &Document, name: usize) -> Vec<Range<usize>> {
    if script.module_of(name).is_some() {
        return Vec::new();
    }
    let given = script.arguments(name + 1);
    let is_method = script.is_member(name);
    let count = given.len() + usize::from(is_method);
    let fits = |entry: &&Entry| {
        let required = entry.parameters.iter().filter(|parameter| !parameter.is_optional).count();
        required <= count && count <= entry.parameters.len()
    };
    let forms: Vec<&Entry> = functions::named(script.word(name)).filter(fits).collect();
    let takes = |number: usize| {
        let kind = |entry: &&Entry| entry.parameters.get(number).map(|parameter| parameter.kind);
        !forms.is_empty() && forms.iter().all(|entry| kind(entry).is_some_and(is_permit))
    };
    let shift = usize::from(is_method);
    given.into_iter().enumerate().filter(|(number, _)| takes(number + shift)).map(|(_, tokens)| tokens).collect()
}

/// Whether a parameter takes only permits.
fn is_permit(kind: ParamKind) -> bool {
    kind.accepts() == [ValueKind::Permit]
}

/// The tokens of a value that begins with a call that returns a permit, up to the semicolon.
fn value(script: &Document, first: usize) -> Option<Range<usize>> {
    let mut forms = functions::named(script.word(first)).peekable();
    let is_permit = forms.peek().is_some() && forms.all(|entry| entry.results == [ValueKind::Permit]);
    if !is_permit || !script.is_call(first) {
        return None;
    }
    let mut at = first;
    loop {
        match script.word(at) {
            ";" => return Some(first..at),
            "" | ")" | "]" | "}" => return None,
            "(" | "[" | "?[" | "{" | "#{" => at = script.partner(at)? + 1,
            _ => at += 1,
        }
    }
}

/// The text of an expression as a question, in which the variable `rolled` contains the faces of the roll. The argument
/// `rolled` is the number of dice. `None` if the expression depends on an unknown roll or on other local variables.
fn expression(script: &Document, tokens: &Range<usize>, rolled: Option<usize>) -> Option<String> {
    let whole = bytes(script, tokens)?;
    let (mut text, mut at, mut token) = (String::new(), whole.start, tokens.start);
    while token < tokens.end {
        let first = token;
        let faces = match (roll_of(script, token), local(script, tokens, token)) {
            (Some((dice, close)), _) => {
                token = close;
                Some(dice)
            }
            (None, Some(variable)) => Some(roll_in(script, variable)?),
            (None, None) => None,
        };
        if let Some(dice) = faces {
            let is_known = rolled == Some(dice) && is_only_roll(script, first, dice);
            text.push_str(&script.text()[at..script.tokens().get(first)?.span.start]);
            text.push_str(Some(if dice == 1 { "rolled[0]" } else { "rolled" }).filter(|_| is_known)?);
            at = script.tokens().get(token)?.span.end;
        }
        token += 1;
    }
    text.push_str(&script.text()[at..whole.end]);
    Some(text)
}

/// The token that declares a variable, if the variable is local and declared outside the expression.
fn local(script: &Document, tokens: &Range<usize>, token: usize) -> Option<usize> {
    let is_variable = script.is_name(token)
        && !script.is_member(token)
        && !script.is_call(token)
        && !script.is_key(token)
        && !script.is(token + 1, "::");
    let offset = script.tokens().get(token)?.span.start;
    let binding = script.binding(script.word(token), offset).filter(|_| is_variable)?;
    let is_local = !tokens.contains(&binding.token) && !matches!(binding.origin, Origin::Const | Origin::Import);
    is_local.then_some(binding.token)
}

/// The number of dice and the token of the closing bracket, if a token begins a call such as `roll("2d6")`.
fn roll_of(script: &Document, token: usize) -> Option<(usize, usize)> {
    let is_roll = script.is(token, "roll") && script.is_call(token) && !script.is_member(token);
    let close = script.partner(token + 1).filter(|close| is_roll && *close == token + 3)?;
    let text = script.is_text(token + 2).then(|| &script.text()[script.inside(token + 2)])?;
    let dice = dice::parse(text).ok()?;
    Some((dice.dice.len(), close))
}

/// The number of dice, if a variable is declared as in `let dice = roll("2d6");`.
fn roll_in(script: &Document, variable: usize) -> Option<usize> {
    let is_set = variable > 0 && script.is(variable - 1, "let") && script.is(variable + 1, "=");
    let (dice, close) = roll_of(script, variable + 2).filter(|_| is_set)?;
    script.is(close + 1, ";").then_some(dice)
}

/// Whether the function around a token contains exactly one roll of this number of dice.
fn is_only_roll(script: &Document, token: usize, dice: usize) -> bool {
    let place = script.tokens().get(token).map_or(0, |token| token.span.start);
    let Some(function) = script.function_at(place) else { return false };
    let first = script.tokens_before(function.span.start);
    let rolls = (first..script.tokens_before(function.span.end)).filter_map(|token| roll_of(script, token));
    rolls.filter(|(count, _)| *count == dice).count() == 1
}

fn bytes(script: &Document, tokens: &Range<usize>) -> Option<Range<usize>> {
    let last = tokens.end.checked_sub(1)?;
    Some(script.tokens().get(tokens.start)?.span.start..script.tokens().get(last)?.span.end)
}
