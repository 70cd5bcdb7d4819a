//! Checks the options of `look` against the game: a color for each side, and names for the faces that its dice show.

use super::brackets::index_at;
use super::name_table::{Call, LineColumn, NameTable, Value};
use super::report::Report;
use crate::diagnostic::Code;
use crate::functions::position_where;
use crate::host::kind::ParamKind;
use crate::host::tokens::tokens;
use crate::notation::{
    describe::{counted, enumeration},
    dice,
};
use astragal_core::Variant;
use std::collections::BTreeSet;

/// Checks the appearance that the script declares.
pub(super) fn check(table: &NameTable, variant: &Variant, report: &mut Report) {
    for call in table.named("look") {
        let Some(Value::Map(options)) = call.args.first() else { continue };
        for (key, value) in options {
            match (key.as_str(), value) {
                ("sides", Value::List(colors)) => sides(call, colors, variant, report),
                ("faces", Value::Map(names)) => faces(table, names, report),
                _ => {}
            }
        }
    }
}

/// Fewer colors than sides.
fn sides(call: &Call, colors: &[Value], variant: &Variant, report: &mut Report) {
    let all = &variant.spec().sides;
    if colors.is_empty() || colors.len() >= all.len() {
        return;
    }
    let at = colors.last().and_then(Value::text).map_or(call.at, |(_, at)| at);
    let without: Vec<String> = all[colors.len()..].iter().map(|side| side.name.clone()).collect();
    let (has, names) = (if without.len() == 1 { "has" } else { "have" }, enumeration(&without));
    let listed = counted(colors.len(), "color");
    let message = format!("{names} {has} no color: the list has {listed} for {} sides", all.len());
    report.warning(Code::Declaration, at, message, Some("write a color for each side, in turn order".into()));
}

/// Names for faces that no die of the game shows, and faces that are missing from a list of names.
fn faces(table: &NameTable, names: &[(String, Value)], report: &mut Report) {
    let Some(shown) = shown(table) else { return };
    let named: BTreeSet<i16> = names.iter().filter_map(|(face, _)| face.parse().ok()).collect();
    let list = |all: &BTreeSet<i16>| enumeration(&all.iter().map(i16::to_string).collect::<Vec<_>>());
    let left: BTreeSet<i16> = shown.difference(&named).copied().collect();
    for (face, name) in names {
        let (Ok(number), Value::Text(_, at)) = (face.parse::<i16>(), name) else { continue };
        if shown.contains(&number) {
            continue;
        }
        let help = match left.len() {
            0 => "remove the name".to_string(),
            1 => format!("did you mean \"{0}\"? Face {0} has no name", list(&left)),
            _ => format!("faces {} have no name: write one of them here", list(&left)),
        };
        let message = format!("no die shows {number}: the faces are {}", list(&shown));
        report.warning(Code::Declaration, key_before(report, *at), message, Some(help));
    }
}

/// The place of an entry's key, from the place of its value.
fn key_before(report: &Report, value: LineColumn) -> LineColumn {
    let all = tokens(&report.text);
    let at = index_at(&all, value);
    at.and_then(|at| at.checked_sub(2)).map_or(value, |key| all[key].at)
}

/// The faces of all dice that the script rolls; `None` if some dice are not literals.
fn shown(table: &NameTable) -> Option<BTreeSet<i16>> {
    let mut all = BTreeSet::new();
    for call in table.calls.iter().filter(|call| call.module.is_none()) {
        let Some(at) = position_where(&call.name, |param| param.kind == ParamKind::Dice) else { continue };
        let Some(Value::Text(text, _)) = call.args.get(at) else { return None };
        let written = dice::parse(text).ok()?;
        all.extend(written.dice.iter().flat_map(|die| die.faces().iter().copied()));
    }
    (!all.is_empty() && table.imports.is_empty()).then_some(all)
}
