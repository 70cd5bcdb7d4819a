//! Evaluates trial games: games that end before they begin, games without an ending, and games with only one result. Also
//! reports games in which no side or one side never moves, and code that never ran.
//!
//! Each verdict is reported once, with the first setting of the options to which it applies.

use super::brackets::{around, index_at};
use super::endings::Endings;
use super::name_table::{LineColumn, NameTable, Value};
use super::never_true::Why;
use super::offers;
use super::report::Report;
use super::trial_games::{Permission, STUCK, Trials, Tried, load, note};
use super::{never_true, permits, populated, rules};
use crate::Loaded;
use crate::coverage::Coverage;
use crate::coverage_report::unreached;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::functions::{Cost, costs, gives};
use crate::game_text;
use crate::host::kind::ValueKind;
use crate::host::locate::place_of_function;
use crate::host::tokens::{Token, text_of, tokens};
use crate::library::Source;
use crate::notation::describe::{a, enumeration};
use astragal_core::{Game, Kind, Side};
use std::ops::Range;
use std::sync::Arc;

/// Minimum number of ended games before a single result is reported.
const ENOUGH: usize = 16;

/// Maximum number of places shown.
const DRAWN: usize = 4;

/// Reports the conclusions from all games.
pub(super) fn check(source: &Source, table: &NameTable, endings: &Endings, trials: &Trials, report: &mut Report) {
    let ever = trials.tried.iter().any(|one| one.shown.games() > 0);
    let first = &trials.tried[0];
    if !first.shown.failed {
        offers::passed_over(&first.loaded, endings, &first.shown.offers, report);
    }
    if !ever && rules::cannot_end(table) {
        let help = "write `fn outcome() { ... }` with `win(...)` or `draw(...)`".to_string();
        report.warning(Code::NoEnd, (0, 0), "no rule ever ends the game with a win or a draw".to_string(), Some(help));
    }
    let mut reported: Vec<Code> = Vec::new();
    // If a permit admits no move or a loop never runs, missing moves are only a consequence.
    let idle = |code: Option<Code>| matches!(code, Some(Code::Permits | Code::Condition));
    let empty = report.found.iter().any(|one| idle(one.code) && one.severity < Severity::Note);
    let mut warned = trials.tried.iter().any(|one| one.shown.failed);
    let why = if warned || ever { Why::Unknown } else { never_ends(source, endings, trials, report) };
    let explained = why == Why::Told;
    warned |= explained;
    // If players overlook captures, games may merely be long.
    let ends = ever || why == Why::Ended;
    // Moves that the rules make count as moves.
    let makes = rules::called(table, &rules::RULES).contains("make");
    for one in &trials.tried {
        let Some(verdict) = verdict(source, table, one, (ever, ends), makes).filter(|one| !(explained && one.general))
        else {
            continue;
        };
        if empty && verdict.code == Code::NobodyMoves {
            warned = true;
        } else if !reported.contains(&verdict.code) {
            reported.push(verdict.code);
            warned |= verdict.severity < Severity::Note;
            let words = (verdict.message, verdict.help);
            report.verdict(verdict.severity, verdict.code, verdict.at, words, Vec::new(), note(&one.setting));
        }
    }
    if explained || !warned {
        offers::check(&first.loaded, table, &first.shown.offers, report);
    }
    if !warned {
        not_played(source, trials, report);
    }
}

/// Reports the conditions that prevented all endings, and returns whether they are known.
fn never_ends(source: &Source, endings: &Endings, trials: &Trials, report: &mut Report) -> Why {
    let one = &trials.tried[0];
    let moves = one.shown.asked.values().any(|(_, had)| *had > 0);
    if one.shown.bereft.is_some() || !moves || one.shown.cut == 0 && one.shown.stuck.is_none() {
        return Why::Unknown;
    }
    let reason = match never_true::reason(source, endings, one, &trials.permission) {
        Ok(reason) => reason,
        Err(why) => return why,
    };
    let words = (reason.message, reason.help);
    report.verdict(Severity::Warning, Code::NoEnd, reason.at, words, reason.others, note(&one.setting));
    Why::Told
}

/// The kind that the condition before an ending names, if no side starts with one.
fn asked_in_vain(source: &Source, at: LineColumn, loaded: &Loaded) -> Option<String> {
    let condition = condition_before(source, at)?;
    let named = condition.split_once("has(")?.1.split('"').nth(1)?;
    let variant = &loaded.set.variant;
    let kind = Kind(variant.kinds().iter().position(|kind| kind.name == named)? as u8);
    let sides = (0..variant.sides()).map(|side| Side(side as u8));
    let has = |side: Side| populated::number(variant, &loaded.start, side, kind) > 0;
    (!sides.into_iter().any(has)).then(|| named.to_string())
}

/// A conclusion from the games under one setting.
struct Verdict {
    severity: Severity,
    code: Code,
    at: LineColumn,
    message: String,
    help: String,
    /// Whether it reports a missing ending without the reason.
    general: bool,
}

/// The conclusion from the games under a setting, if there is one. `makes` is true if rules make moves.
fn verdict(
    source: &Source,
    table: &NameTable,
    one: &Tried,
    (ever, ends): (bool, bool),
    makes: bool,
) -> Option<Verdict> {
    let (loaded, shown) = (&one.loaded, &one.shown);
    let warning = |code, at, message: String, help: String| {
        Some(Verdict { severity: Severity::Warning, code, at, message, help, general: false })
    };
    if shown.failed {
        return None;
    }
    if shown.at_once {
        let (at, message) = ended_by(source, table, one);
        let asked = condition_before(source, at).map(|asked| format!(", `{asked}`")).unwrap_or_default();
        if let Some(kind) = asked_in_vain(source, at, loaded) {
            let help = format!(
                "no side has {} in the starting position: test for a different kind, or add one to `setup(..)`",
                a(&kind)
            );
            return warning(Code::OverAtOnce, at, message, help);
        }
        let help = format!(
            "check the condition before it{asked}: a `!` may be missing or unnecessary, or the side may be wrong; \
             `outcome` also runs before the first turn"
        );
        return warning(Code::OverAtOnce, at, message, help);
    }
    // Moves that the rules make count as moves.
    let gets_on = makes && shown.changed;
    // A game of dice alone has no decisions.
    let never_plays = rules::never_plays(table);
    let no_decisions = never_plays && is_dice_alone(loaded, table);
    if shown.asked.is_empty() && never_plays && !gets_on && !no_decisions {
        let at = place_of_function(&source.text, "turn");
        let message = "this rule never asks a player for a decision".to_string();
        return warning(Code::NeverPlays, at, message, "end the rule with `play(...)`".into());
    }
    if shown.is_stuck() && !gets_on && !no_decisions {
        let (at, help) = permits::stuck(loaded, table);
        return warning(Code::NobodyMoves, at, "no side ever had a move in the trial games".into(), help);
    }
    if let Some(side) = shown.idle().filter(|_| !no_decisions) {
        let at = place_of_function(&source.text, "turn");
        let name = game_text::side_name(&loaded.set.variant, side);
        let message = format!("{name} never had a move in the trial games");
        let help = format!("check the permits of {name}: each side sees ranks and regions from its own edge");
        return warning(Code::NobodyMoves, at, message, help);
    }
    if let Some((side, drawn)) = &shown.bereft {
        let variant = &loaded.set.variant;
        let at = place_of_function(&source.text, "outcome");
        let royal = variant.kinds().iter().zip(0..).find(|(_, index)| variant.royals().contains(Kind(*index)));
        let royal = royal.map_or("king", |(kind, _)| kind.name.as_str());
        let side = game_text::side_name(variant, *side);
        let then = drawn.as_ref().map_or("went on".to_string(), |reason| format!("was drawn ({reason})"));
        let message = format!("in a trial game, {side}'s {royal} was captured and the game {then}");
        let help = format!(
            "after a lost turn, the {royal} may still be attacked: begin `outcome` with `if !has(opponent(), \"{royal}\") {{ \
             win(mover(), \"{royal} captured\"); }}`, or forbid the capture with `royals(\"protected\", \"never\")`"
        );
        return warning(Code::NoEnd, at, message, help);
    }
    if let Some(position) = &shown.stuck {
        let at = place_of_function(&source.text, "turn");
        let message = format!("in a trial game, no side could act for {STUCK} rolls in a row");
        let help = format!(
            "make sure that some roll allows a move or choice in this position, or that the game ends. The position: \
             {position}"
        );
        return Some(Verdict { severity: ended(ends), code: Code::NoEnd, at, message, help, general: false });
    }
    if let Some(side) = shown.unasked(loaded).filter(|side| !(no_decisions || makes && shown.turns.contains(side))) {
        return Some(never_asked(source, table, one, side));
    }
    if !ever && shown.cut > 0 && !rules::cannot_end(table) {
        let at =
            rules::endings(table).next().map_or_else(|| place_of_function(&source.text, "outcome"), |call| call.at);
        let message = match shown.cut {
            1 => "a trial game did not end within 1200 rolls and moves".to_string(),
            games => format!("none of the {games} trial games ended within 1200 rolls and moves"),
        };
        let help = "check the conditions that end the game, and stop endless games with a limit, such as \
             `round() > 100` or `repeated(3)`";
        let (severity, code, help) = (ended(ends), Code::NoEnd, help.to_string());
        return Some(Verdict { severity, code, at, message, help, general: true });
    }
    one_result(table, one)
}

/// Whether the rules only roll and calculate, and no piece could ever move.
fn is_dice_alone(loaded: &Loaded, table: &NameTable) -> bool {
    let names = rules::called(table, &rules::RULES);
    let has_moves = loaded.set.variant.kinds().iter().any(|kind| !kind.atoms.is_empty());
    let rolls = names.iter().any(|name| costs(name, Cost::Chance));
    rolls && !has_moves && !names.iter().any(|name| costs(name, Cost::Value) && gives(name, ValueKind::Permit))
}

/// The severity of a game without an ending: lower if other games of the same script have ended.
fn ended(ever: bool) -> Severity {
    if ever { Severity::Note } else { Severity::Warning }
}

/// A side that is never asked for a move or choice, at the place of its declaration or elimination.
fn never_asked(source: &Source, table: &NameTable, one: &Tried, side: Side) -> Verdict {
    let loaded = &one.loaded;
    let variant = &loaded.set.variant;
    let name = game_text::side_name(variant, side);
    let letter = variant.spec().sides[side.0 as usize].letter;
    let out = one.shown.eliminated.contains(&side);
    let (why, help) = match populated::pieces(variant, &loaded.start, side) > 0 {
        true if out => (
            ": it was eliminated before its first turn".to_string(),
            format!("check the condition of `eliminate(..)`, and whether {name} is the right side"),
        ),
        true => (String::new(), "give it a turn: check `next(..)`, `again()`, and the side of `play(..)`".to_string()),
        false => (
            ": it has no pieces on the board or in hand".to_string(),
            format!(
                "give it pieces in `setup(..)`, remove it from `sides(..)`, or add `out={letter}` to the \
                 starting position if it never takes a turn"
            ),
        ),
    };
    let named = table.calls.iter().filter(|call| call.name == "sides").find_map(|call| match call.args.first() {
        Some(Value::List(names)) => names.iter().find_map(|one| match one {
            Value::Text(text, at) if *text == name => Some(*at),
            _ => None,
        }),
        _ => None,
    });
    let mut eliminations = table.calls.iter().filter(|call| call.name == "eliminate" && call.at.0 > 0);
    let sole = match (eliminations.next().filter(|_| out), eliminations.next()) {
        (Some(only), None) => Some(only.at),
        _ => None,
    };
    let at = sole.or(named).unwrap_or_else(|| place_of_function(&source.text, "turn"));
    let message = format!("{name} never made a move or a choice in the trial games{why}");
    Verdict { severity: Severity::Warning, code: Code::NobodyMoves, at, message, help, general: false }
}

/// Games that always have the same result.
fn one_result(table: &NameTable, one: &Tried) -> Option<Verdict> {
    let (games, mut results) = (one.shown.games(), one.shown.ended.keys());
    let (Some(only), None) = (results.next(), results.next()) else { return None };
    if games < ENOUGH {
        return None;
    }
    let at = rules::endings(table).next().map_or((0, 0), |call| call.at);
    let (message, help) = match only {
        Some(side) => {
            let name = game_text::side_name(&one.loaded.set.variant, *side);
            (format!("{name} won all {games} trial games"), "if that is not intended, check the side in `win(..)`")
        }
        None => {
            (format!("all {games} trial games were drawn"), "if that is not intended, check the conditions for a win")
        }
    };
    Some(Verdict { severity: Severity::Note, code: Code::OneResult, at, message, help: help.into(), general: false })
}

/// The reason why a game ends before its first move, and the place of the call.
fn ended_by(source: &Source, table: &NameTable, one: &Tried) -> (LineColumn, String) {
    let coverage = Coverage::new();
    let result =
        load(source, &one.setting, &Permission::new(Arc::default()), &coverage).ok().and_then(|loaded: Loaded| {
            let game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).ok()?;
            game_text::result(game.state())
        });
    let ending = rules::endings(table).find(|call| coverage.has_visited(&source.name, call.at));
    let so = result.map(|result| format!(" ({})", result.trim_end_matches('.'))).unwrap_or_default();
    match ending {
        Some(call) => (call.at, format!("`{}` ends the game before the first move{so}", call.name)),
        None => ((0, 0), format!("the game is over before the first move{so}")),
    }
}

/// The condition of the `if` whose block contains a place.
fn condition_before(source: &Source, at: LineColumn) -> Option<String> {
    let all = tokens(&source.text);
    let here = index_at(&all, at)?;
    let condition = condition_of(&all, around(&all, here)?)?;
    let words = text_of(&source.text, &all, &condition);
    (words.len() <= 80 && !words.contains('\n')).then(|| words.to_string())
}

/// The tokens of the condition of the `if` whose block begins at a token.
fn condition_of(all: &[Token<'_>], open: usize) -> Option<Range<usize>> {
    let start = all[..open].iter().rposition(|token| matches!(token.text, "if" | ";" | "}"))?;
    all[start].is("if").then_some(start + 1..open)
}

/// The code that no trial game reached, without code that a warning about its condition already explains.
fn unexplained(source: &Source, trials: &Trials, report: &Report) -> Vec<(LineColumn, usize)> {
    let all = tokens(&source.text);
    let own = |one: &&Diagnostic| one.severity == Severity::Warning && one.file == source.file();
    let warned: Vec<LineColumn> = report.found.iter().filter(own).map(|one| (one.line, one.column)).collect();
    let explained = |(place, last): &(LineColumn, usize)| {
        let outer = |open: &usize| around(&all, *open);
        let blocks = std::iter::successors(index_at(&all, *place).and_then(|here| around(&all, here)), outer);
        let conditions: Vec<Range<usize>> = blocks.filter_map(|open| condition_of(&all, open)).collect();
        let within =
            |at: &LineColumn| conditions.iter().any(|tokens| all[tokens.clone()].iter().any(|one| one.at == *at));
        warned.iter().any(|at| (place.0..=*last).contains(&at.0) || within(at))
    };
    let mut left = unreached(source, &trials.coverage);
    left.retain(|code| !explained(code));
    left
}

/// One note for all code that no trial game reached.
fn not_played(source: &Source, trials: &Trials, report: &mut Report) {
    let lines = unexplained(source, trials, report);
    let Some((first, rest)) = lines.split_first() else { return };
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for ((line, _), last) in &lines {
        match ranges.last_mut() {
            Some((_, end)) if *line <= *end + 1 => *end = (*end).max(*last),
            _ => ranges.push((*line, *last)),
        }
    }
    let words = |(line, last): &(usize, usize)| match line == last {
        true => line.to_string(),
        false => format!("{line}-{last}"),
    };
    let message = match &ranges[..] {
        [(line, last)] if line == last => "this code never ran in the trial games".to_string(),
        all => {
            let all: Vec<String> = all.iter().map(words).collect();
            format!("code on lines {} never ran in the trial games", enumeration(&all))
        }
    };
    let help = "write a test that reaches this code (see `astragal test --help`); to list all lines that no test \
         reaches, run `astragal test --coverage`";
    let cut = "the trial games are slow, so fewer were played; `astragal check --profile` shows the cost of each rule";
    let notes = (!trials.whole).then(|| cut.to_string());
    let others =
        rest.iter().take(DRAWN).map(|((line, column), _)| (*line, *column, "this never ran either".to_string()));
    report.verdict(Severity::Note, Code::NotPlayed, first.0, (message, help.to_string()), others.collect(), notes);
}
