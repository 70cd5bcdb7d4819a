//! Checks the starting position against the script: a side without pieces, different armies in a game declared symmetric,
//! kinds that never reach the board.

use super::brackets::index_at;
use super::name_table::{LineColumn, NameTable, Value};
use super::report::Report;
use super::rules::{self, RULES};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::functions::{Fact, has_fact};
use crate::game_text;
use crate::host::tokens::{Token, arguments, tokens};
use astragal_core::variant::Captives;
use astragal_core::{Kind, Piece, Position, Side, Variant};

/// The number of pieces of a kind that a side starts with, on the board and in hand.
pub(super) fn number(variant: &Variant, start: &Position, side: Side, kind: Kind) -> i64 {
    i64::from(start.count(variant, Piece::new(side, kind))) + i64::from(start.in_hand(variant, side, kind))
}

fn kinds(variant: &Variant) -> impl Iterator<Item = Kind> + use<> {
    (0..variant.kinds().len()).map(|kind| Kind(kind as u8))
}

/// The number of pieces that a side starts with, on the board and in hand.
pub(super) fn pieces(variant: &Variant, start: &Position, side: Side) -> i64 {
    kinds(variant).map(|kind| number(variant, start, side, kind)).sum()
}

/// The call that declares the starting position.
pub(super) fn set_up(table: &NameTable) -> Option<LineColumn> {
    let call = table.named("setup").filter(|call| call.at.0 > 0).last()?;
    Some(call.text(0).map_or(call.at, |(_, at)| at))
}

/// Moves the error of a rule that lacks a piece to the starting position in which a side has none.
pub(super) fn without_pieces(table: &NameTable, variant: &Variant, start: &Position, failed: &mut Diagnostic) {
    let mut sides = (0..variant.sides()).map(|side| Side(side as u8)).filter(|side| !start.is_out(*side));
    let empty = sides.clone().find(|side| pieces(variant, start, *side) == 0);
    let (Some(empty), true) = (empty, sides.any(|side| pieces(variant, start, side) > 0)) else { return };
    let (Some(at), true) = (set_up(table), failed.message.contains("expected one square")) else { return };
    if rules::called(table, &RULES).iter().any(|name| has_fact(name, Fact::PlacesPieces)) {
        return;
    }
    let (name, letter) = (game_text::side_name(variant, empty), variant.spec().sides[usize::from(empty.0)].letter);
    failed.others = vec![(failed.line, failed.column, "a rule expects one of its pieces here".into())];
    (failed.line, failed.column) = at;
    failed.length = 1;
    failed.message = format!("{name} has no pieces in the starting position or in hand");
    failed.help =
        Some(format!("give it pieces, or add `out={letter}` to the starting position if it never takes a turn"));
    failed.code = Some(Code::Declaration);
}

/// Points to the import of a base whose `setup()` the script never calls.
pub(super) fn setup_left_out(table: &NameTable, failed: &mut Diagnostic) {
    if failed.line > 0 || !failed.message.starts_with("the script declares no pieces") {
        return;
    }
    let text = failed.text.clone();
    let all = tokens(&text);
    let (Some((alias, base)), Some(at)) = (table.imports.first(), all.iter().position(|token| token.is("import")))
    else {
        return;
    };
    let Some(named) = all.get(at + 1) else { return };
    (failed.line, failed.column) = named.at;
    failed.length = named.text.chars().count();
    failed.message = format!("the script imports {base} but does not call its `setup()`, so it has no pieces");
    failed.help = Some(format!("write `{alias}::setup();` after this line: an import alone declares nothing"));
}

/// Queries about royal pieces in games without one. Points to the piece that is most likely meant to be royal.
pub(super) fn no_royals(table: &NameTable, variant: &Variant, report: &mut Report) {
    if variant.kinds().iter().any(|kind| kind.royal) {
        return;
    }
    for call in rules::calls(table).filter(|call| call.module.is_none() && call.at.0 > 0) {
        let message = match call.name.as_str() {
            _ if table.is_own(&call.name) => continue,
            "royal" => "`royal` finds no square: no piece in this game is royal",
            "mated" => "`mated` is never true: no piece in this game is royal",
            "in_check" => "`in_check` is never true: no piece in this game is royal",
            _ => continue,
        };
        let message = message.to_string();
        match royal_meant(table, variant) {
            Some((name, at)) => {
                let help = format!("make the {name} royal: add `#{{ royal: true }}` after its movement");
                let others = vec![(call.at.0, call.at.1, "it is used here".to_string())];
                report.verdict(Severity::Warning, Code::Comparison, at, (message, help), others, Vec::new());
            }
            None => {
                let help = "make a piece royal, as in `piece(\"king\", \"K\", \"K\", #{ royal: true })`, or test something else";
                report.warning(Code::Comparison, call.at, message, Some(help.into()));
            }
        }
    }
}

/// The only kind that every side has exactly once in the starting position, and the place of its declaration.
fn royal_meant(table: &NameTable, variant: &Variant) -> Option<(String, LineColumn)> {
    let array = &variant.spec().array;
    let single = |kind: usize| {
        let of = |side: usize| Piece::new(Side(side as u8), Kind(kind as u8));
        (0..variant.sides()).all(|side| array.iter().filter(|(_, piece)| *piece == of(side)).count() == 1)
    };
    let mut all = (0..variant.kinds().len()).filter(|kind| single(*kind));
    let (Some(kind), None) = (all.next(), all.next()) else { return None };
    let name = &variant.kinds()[kind].name;
    Some((name.clone(), table.declared_at("piece", name)?))
}

/// Enemy pieces that a rule removes directly, in games where captured pieces go to a hand.
pub(super) fn past_the_hand(table: &NameTable, variant: &Variant, report: &mut Report) {
    let spec = variant.spec();
    let called = rules::called(table, &RULES);
    if !spec.hands || spec.captives == Captives::Nobody || called.contains("to_hand") {
        return;
    }
    let text = report.text.clone();
    let all = tokens(&text);
    let captured = table.functions.iter().find(|f| f.name == "capture").and_then(|f| f.names.get(1));
    for call in rules::calls(table).filter(|call| has_fact(&call.name, Fact::Removes)) {
        let Some(at) = index_at(&all, call.at) else { continue };
        let within = arguments(&all, at + 1).into_iter().flat_map(|range| all[range].iter());
        let enemy = |token: &Token<'_>| token.is("opponent") || captured.is_some_and(|name| token.is(name));
        if within.into_iter().any(enemy) {
            let whose = if spec.captives == Captives::Owner { "opponent()" } else { "mover()" };
            let message = format!("pieces removed by `{}` do not go to a hand, unlike captured pieces", call.name);
            let help = format!("capture the piece with `take()`, or add it to the hand: `to_hand({whose}, kind, 1)`");
            report.note(Code::Declaration, call.at, message, Some(help));
        }
    }
}

/// Armies of different sizes, in a script that declares the game symmetric.
pub(super) fn unlike(table: &NameTable, variant: &Variant, start: &Position, claimed: bool, report: &mut Report) {
    let Some(at) = set_up(table).filter(|_| claimed && variant.sides() == 2) else { return };
    let number = |side: u8, kind: Kind| number(variant, start, Side(side), kind);
    let Some(kind) = kinds(variant).find(|kind| number(0, *kind) != number(1, *kind)) else { return };
    let side = |side: u8| game_text::side_name(variant, Side(side));
    let message = format!(
        "the script declares `symmetric(..)`, but {} and {} have different numbers of pieces ({}: {} and {})",
        side(0),
        side(1),
        variant.kind(kind).name,
        number(0, kind),
        number(1, kind)
    );
    let help = "give both sides the same pieces, or remove `symmetric`".to_string();
    let claim = table.calls.iter().find(|call| call.name == "symmetric" && call.at.0 > 0);
    let others = claim.map(|call| (call.at.0, call.at.1, "symmetry is declared here".to_string()));
    report.verdict(Severity::Warning, Code::Declaration, at, (message, help), others.into_iter().collect(), Vec::new());
}

/// Kinds that no side starts with and that no piece ever becomes.
pub(super) fn never_comes(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    let sides = || (0..variant.sides()).map(|side| Side(side as u8));
    // A board without a starting position is reported separately.
    if start.occupied().is_empty() {
        return;
    }
    for (index, kind) in variant.kinds().iter().enumerate() {
        let here = Kind(index as u8);
        let stands = sides().any(|side| number(variant, start, side, here) > 0);
        let promoted = variant.kinds().iter().any(|other| {
            other.promotion.as_ref().is_some_and(|promotion| promotion.to.contains(here))
                || other.in_hand == Some(here) && other.name != kind.name
        });
        if stands || promoted {
            continue;
        }
        // Only if the name is declared as a literal and the script does not contain it elsewhere.
        let named: Vec<LineColumn> = places_of(table, &kind.name);
        let declared = table.declared_at("piece", &kind.name);
        let Some(at) = declared.filter(|at| named.iter().all(|place| place == at)) else { continue };
        let message =
            format!("no {} can ever be on the board: no side starts with one, and no piece becomes one", kind.name);
        let made = format!("`become(square, \"{}\")`", kind.name);
        let help =
            format!("add one to the starting position, let a piece promote to it, or make one in a rule: {made}");
        report.warning(Code::Unused, at, message, Some(help));
    }
}

/// The places where the script contains a name as a separate string.
fn places_of(table: &NameTable, name: &str) -> Vec<LineColumn> {
    fn look(value: &Value, name: &str, found: &mut Vec<LineColumn>) {
        match value {
            Value::Text(text, at) if text == name => found.push(*at),
            Value::List(all) | Value::OneOf(all) | Value::Joined(all) => {
                all.iter().for_each(|one| look(one, name, found))
            }
            Value::Map(all) => all.iter().for_each(|(_, one)| look(one, name, found)),
            Value::Item(whole, index) => {
                look(whole, name, found);
                look(index, name, found);
            }
            Value::Call(call) => call.args.iter().for_each(|arg| look(arg, name, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    table.calls.iter().flat_map(|call| &call.args).for_each(|arg| look(arg, name, &mut found));
    table.values.iter().for_each(|(_, value, _)| look(value, name, &mut found));
    table.comparisons.iter().for_each(|one| {
        look(&one.left, name, &mut found);
        look(&one.right, name, &mut found);
    });
    found
}
