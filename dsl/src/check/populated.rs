//! What stands where the game begins, against what the script says of it: a side without a piece, two armies that are not
//! alike in a game that is said to be symmetric, kinds that never come onto the board.

use super::brackets::index_at;
use super::name_table::{NameTable, Place, Value};
use super::report::Report;
use super::rules::{self, RULES};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::functions::{Fact, has_fact};
use crate::game_text;
use crate::host::tokens::{Token, arguments, tokens};
use astragal_core::variant::Captives;
use astragal_core::{Kind, Piece, Position, Side, Variant};

/// How many pieces of a kind a side begins with, on the board and in hand.
pub(super) fn number(variant: &Variant, start: &Position, side: Side, kind: Kind) -> i64 {
    i64::from(start.count(variant, Piece::new(side, kind))) + i64::from(start.in_hand(variant, side, kind))
}

fn kinds(variant: &Variant) -> impl Iterator<Item = Kind> + use<> {
    (0..variant.kinds().len()).map(|kind| Kind(kind as u8))
}

/// How many pieces a side begins with, on the board and in hand.
pub(super) fn pieces(variant: &Variant, start: &Position, side: Side) -> i64 {
    kinds(variant).map(|kind| number(variant, start, side, kind)).sum()
}

/// The call that sets the pieces up.
pub(super) fn set_up(table: &NameTable) -> Option<Place> {
    let call = table.named("setup").filter(|call| call.at.0 > 0).last()?;
    Some(call.text(0).map_or(call.at, |(_, at)| at))
}

/// Points a rule that has failed for want of a piece at the set-up in which a side has none.
pub(super) fn without_pieces(table: &NameTable, variant: &Variant, start: &Position, failed: &mut Diagnostic) {
    let mut sides = (0..variant.sides()).map(|side| Side(side as u8)).filter(|side| !start.is_out(*side));
    let empty = sides.clone().find(|side| pieces(variant, start, *side) == 0);
    let (Some(empty), true) = (empty, sides.any(|side| pieces(variant, start, side) > 0)) else { return };
    let (Some(at), true) = (set_up(table), failed.message.contains("one square is wanted")) else { return };
    if rules::called(table, &RULES).iter().any(|name| has_fact(name, Fact::PlacesPieces)) {
        return;
    }
    let (name, letter) = (game_text::side_name(variant, empty), variant.spec().sides[usize::from(empty.0)].letter);
    failed.others = vec![(failed.line, failed.column, "a rule looks for one of them here".into())];
    (failed.line, failed.column) = at;
    failed.length = 1;
    failed.message = format!("{name} has no piece in the set-up, and nothing in hand");
    failed.help = Some(format!("give it pieces, or write `out={letter}` behind the set-up if it has no turn"));
    failed.code = Some(Code::Declaration);
}

/// Shows the import of a base that the script takes nothing of: it does not stand on the board by itself.
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
    failed.message = format!("the script imports {base} and does not call its `setup()`: there are no pieces");
    failed.help = Some(format!("write `{alias}::setup();` behind this line: an import by itself declares nothing"));
}

/// Questions about royals in games without one: where the piece is declared that is hardly anything else.
pub(super) fn no_royals(table: &NameTable, variant: &Variant, report: &mut Report) {
    if variant.kinds().iter().any(|kind| kind.royal) {
        return;
    }
    for call in rules::calls(table).filter(|call| call.module.is_none() && call.at.0 > 0) {
        let message = match call.name.as_str() {
            _ if table.is_own(&call.name) => continue,
            "royal" => "`royal` finds nothing: no piece of this game is royal",
            "mated" => "`mated` is never true: no piece of this game is royal",
            "in_check" => "`in_check` is never true: no piece of this game is royal",
            _ => continue,
        };
        let message = message.to_string();
        match royal_meant(table, variant) {
            Some((name, at)) => {
                let help = format!("say that the {name} is: `#{{ royal: true }}` behind its movement");
                let others = vec![(call.at.0, call.at.1, "it is asked for here".to_string())];
                report.verdict(Severity::Warning, Code::Comparison, at, (message, help), others, Vec::new());
            }
            None => {
                let help =
                    "say which is, as `piece(\"king\", \"K\", \"K\", #{ royal: true })`, or ask for something else";
                report.warning(Code::Comparison, call.at, message, Some(help.into()));
            }
        }
    }
}

/// The only kind of which every side begins with one, where the script declares it.
fn royal_meant(table: &NameTable, variant: &Variant) -> Option<(String, Place)> {
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

/// Enemies that a rule takes off by itself, where captured pieces go into a hand.
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
            let message = format!("what `{}` takes off comes into no hand, as what is captured does", call.name);
            let help = format!("capture it, `take()`, or put it into the hand: `to_hand({whose}, kind, 1)`");
            report.note(Code::Declaration, call.at, message, Some(help));
        }
    }
}

/// Armies of different numbers where the script claims that the game is symmetric.
pub(super) fn unlike(table: &NameTable, variant: &Variant, start: &Position, claimed: bool, report: &mut Report) {
    let Some(at) = set_up(table).filter(|_| claimed && variant.sides() == 2) else { return };
    let number = |side: u8, kind: Kind| number(variant, start, Side(side), kind);
    let Some(kind) = kinds(variant).find(|kind| number(0, *kind) != number(1, *kind)) else { return };
    let has = |side: u8| format!("{} of {}", number(side, kind), game_text::side_name(variant, Side(side)));
    let message = format!(
        "the script says `symmetric(..)`, but of the kind {} there are {} and {}",
        variant.kind(kind).name,
        has(0),
        has(1)
    );
    let help = "give both sides the same pieces, or leave `symmetric` out".to_string();
    let claim = table.calls.iter().find(|call| call.name == "symmetric" && call.at.0 > 0);
    let others = claim.map(|call| (call.at.0, call.at.1, "this is the claim".to_string()));
    report.verdict(Severity::Warning, Code::Declaration, at, (message, help), others.into_iter().collect(), Vec::new());
}

/// Kinds that nobody has where the game begins, and that nothing ever makes of a piece.
pub(super) fn never_comes(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    let sides = || (0..variant.sides()).map(|side| Side(side as u8));
    // A board without a set-up is told by itself.
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
        // Declared by a literal name that stands nowhere else in the script.
        let named: Vec<Place> = places_of(table, &kind.name);
        let declared = table.declared_at("piece", &kind.name);
        let Some(at) = declared.filter(|at| named.iter().all(|place| place == at)) else { continue };
        let message = format!("no {} ever comes onto the board: nobody has one, and nothing becomes one", kind.name);
        let made = format!("`become(square, \"{}\")`", kind.name);
        let help = format!("set one up, let a piece promote to it, or let a rule make one: {made}");
        report.warning(Code::Unused, at, message, Some(help));
    }
}

/// Where a name stands in the script as a text of its own.
fn places_of(table: &NameTable, name: &str) -> Vec<Place> {
    fn look(value: &Value, name: &str, found: &mut Vec<Place>) {
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
