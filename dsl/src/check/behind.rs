//! Continues past a top-level declaration that fails, so that one mistake does not hide the others.
//!
//! The failing statement is simplified (a piece keeps its name and letter, anything else gets fewer arguments) or removed,
//! and the top level runs again. The names that go missing are recorded, so that their absence elsewhere is not reported as
//! another mistake. If the board, the sides or a base is missing, checking stops there.

use super::brackets::statements;
use super::name_table::LineColumn;
use super::recovery::{Recovered, UNSEEN, is_ground, replaced};
use super::report::MOST;
use crate::diagnostic::{Diagnostic, LoadError};
use crate::host::engine::{Clock, Limits};
use crate::host::script::{self, Script};
use crate::host::tokens::{Sort, Token, arguments, text_of, tokens};
use crate::library::Source;
use crate::load::{Declared, declare};
use std::ops::Range;

/// The declarations of a script, as far as they are known.
pub(super) struct Declarations {
    /// The script and its declarations; `None` if too much is missing.
    pub(super) loaded: Option<(Script, Declared)>,
    /// The errors that made declarations incomplete, each with a note on the checks it prevented.
    pub(super) failed: Vec<LoadError>,
    /// Whether any declaration is missing.
    pub(super) partial: bool,
    /// Whether the starting position is among the missing declarations.
    pub(super) no_start: bool,
}

/// Runs the top level of a script as far as possible and records the names that go missing.
pub(super) fn declarations(
    recovered: &mut Recovered,
    given: &[(String, String)],
    limits: &Limits,
    at_cause: &dyn Fn(&mut Diagnostic),
) -> Declarations {
    let (mut source, clock) = (recovered.source.clone(), Clock::start());
    let partial = recovered.declarations;
    let mut all = Declarations { loaded: None, failed: Vec::new(), partial, no_start: recovered.no_start };
    for _ in 0..2 * MOST {
        if recovered.lost || clock.is_past(limits.time) {
            break;
        }
        let mut error = match attempt(&source, given, limits) {
            Ok(loaded) => {
                all.loaded = Some(loaded);
                break;
            }
            Err(error) => error,
        };
        if let LoadError::Script(said) = &mut error {
            said.iter_mut().for_each(at_cause);
        }
        let place = place_of(&error, &source).filter(|_| !clock.is_past(limits.time / 2));
        let follows = matches!(&error, LoadError::Script(said) if said.iter().all(|one| recovered.follows(one)))
            || place.is_some_and(|at| uses_missing(&source, at, recovered))
            || stands_for_missing(&error, recovered, &all.failed);
        let next = place.and_then(|at| without(&source, at, given, limits, recovered, &mut all.no_start));
        // An error without a suggestion of its own is only a consequence of earlier ones.
        if !follows || next.is_none() && all.failed.is_empty() && recovered.errors.is_empty() {
            all.failed.push(error);
        }
        let Some(next) = next else {
            if let Some(LoadError::Script(said)) = all.failed.last_mut() {
                said.iter_mut().take(1).for_each(|one| one.notes.push(UNSEEN.into()));
            }
            break;
        };
        all.partial = true;
        source = next;
    }
    all
}

fn attempt(source: &Source, given: &[(String, String)], limits: &Limits) -> Result<(Script, Declared), LoadError> {
    script::open_within(source, given, limits.clone()).and_then(declare)
}

/// The place in the script's own text where loading fails.
fn place_of(error: &LoadError, source: &Source) -> Option<LineColumn> {
    let LoadError::Script(all) = error else { return None };
    let [one, ..] = &all[..] else { return None };
    (one.line > 0 && one.file == source.file()).then_some((one.line, one.column))
}

/// The script with the statement at a place simplified as far as possible, or without that statement.
fn without(
    source: &Source,
    at: LineColumn,
    given: &[(String, String)],
    limits: &Limits,
    recovered: &mut Recovered,
    no_start: &mut bool,
) -> Option<Source> {
    let all = tokens(&source.text);
    let range = statement(&all, at)?;
    let here = &all[range.clone()];
    let bytes = here.first()?.span.start..here.last()?.span.end;
    let with = |left: &str| Source { text: replaced(&source.text, bytes.clone(), left), ..source.clone() };
    let passes = |next: &Source| match attempt(next, given, limits) {
        Ok(_) => true,
        Err(error) => place_of(&error, next).is_some_and(|place| place != at && !inside(&all, &range, place)),
    };
    // After a rule with an impossible header, or an assignment, nothing else is declared by the statement.
    let changes = here.get(1).is_some_and(|sign| matches!(sign.text, "=" | "+=" | "-="));
    let header = here.iter().take_while(|token| !token.is("{")).any(|token| token.at == at);
    if here[0].is("fn") && header || changes {
        return Some(with(""));
    }
    let call = here.windows(2).position(|two| two[0].is_word() && two[1].is("("))?;
    let name = here[call].text;
    if is_ground(name) || is_ground(here[0].text) {
        return None;
    }
    let plain = call == 0 || call == 3 && matches!(here[0].text, "let" | "const") && here[2].is("=");
    if !plain {
        return None;
    }
    let args = arguments(&all, range.start + call + 1);
    // A partial declaration is not what the author meant either, so nothing is reported about its names elsewhere.
    let named = if name == "piece" { 2 } else { 1 };
    for arg in args.iter().take(named) {
        let words = all[arg.clone()].iter().filter(|token| token.sort == Some(Sort::Text));
        words.for_each(|token| recovered.hide_name(token.text.trim_matches('"')));
    }
    *no_start |= name == "setup";
    if call == 3 {
        recovered.hide_name(here[1].text);
        return Some(with(&format!("{} {}=0;", here[0].text, here[1].text)));
    }
    let texts: Vec<&str> = args.iter().map(|arg| text_of(&source.text, &all, arg)).collect();
    let mut less = simpler(name, &texts).into_iter().map(|left| with(&left));
    less.find(|next| next.text != source.text && passes(next)).or_else(|| Some(with("")))
}

/// Simpler forms of the same declaration, to try in order.
fn simpler(name: &str, args: &[&str]) -> Vec<String> {
    let fewer = (1..args.len()).rev().map(|count| format!("{name}({});", args[..count].join(",")));
    let piece = match (name, args) {
        ("piece", [called, letter, ..]) => Some(format!("{name}({called},{letter},\"W\");")),
        _ => None,
    };
    fewer.chain(piece).collect()
}

/// The top-level statement around a place.
fn statement(all: &[Token<'_>], at: LineColumn) -> Option<Range<usize>> {
    let here = all.iter().rposition(|token| token.at <= at)?;
    statements(all).into_iter().find(|range| range.contains(&here))
}

/// Whether the statement at a place uses a constant that is missing.
fn uses_missing(source: &Source, at: LineColumn, recovered: &Recovered) -> bool {
    let all = tokens(&source.text);
    let words = statement(&all, at).map(|range| &all[range]).unwrap_or_default();
    words.iter().skip(1).any(|token| token.is_word() && recovered.is_missing(token.text))
}

/// Whether a letter cannot be read because the piece it stands for is missing, or because an earlier declaration of a
/// letter or of hands fails.
fn stands_for_missing(error: &LoadError, recovered: &Recovered, earlier: &[LoadError]) -> bool {
    let LoadError::Script(all) = error else { return false };
    let failed = |fails: fn(&Diagnostic) -> bool| {
        earlier.iter().any(|one| matches!(one, LoadError::Script(said) if said.iter().any(fails)))
    };
    let letters = failed(|one| one.message.contains(" the letter "));
    let hands = failed(|one| one.text.lines().nth(one.line.max(1) - 1).is_some_and(|line| line.starts_with("hands(")));
    let found = |one: &Diagnostic| {
        if hands && one.message.contains("expected no pieces in hand") {
            return Some(true);
        }
        let letter = one.message.split_once("expected a piece, found '")?.1.split('\'').next()?.to_uppercase();
        Some(letters || recovered.is_missing(&letter))
    };
    all.iter().all(|one| found(one) == Some(true))
}

/// Whether a place is the start of one of these tokens.
fn inside(all: &[Token<'_>], range: &Range<usize>, place: LineColumn) -> bool {
    all[range.clone()].iter().any(|token| token.at == place)
}

/// Removes the findings from index `before` on that are only consequences of missing declarations.
pub(super) fn without_followers(found: &mut Vec<Diagnostic>, before: usize, recovered: &Recovered) {
    let later = found.split_off(before);
    found.extend(later.into_iter().filter(|said| !recovered.follows(said)));
}
