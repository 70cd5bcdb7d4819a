//! Endings that wait for the capture of a royal piece in a script that forbids it.

use super::super::name_table::{LineColumn, NameTable, Value};
use super::super::report::Report;
use super::super::rules::{RULES, called};
use super::calls::Endings;
use crate::diagnostic::{Code, Severity};
use crate::functions::{Fact, has_fact};
use crate::host::tokens::tokens;
use astragal_core::{Kind, Piece, Position, RoyalCapture, RoyalPolicy, Side, Variant};

/// Warns about endings that ask whether a side has lost its royal piece, where none can be lost.
pub(super) fn check(endings: &Endings, table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    let spec = variant.spec();
    let never = spec.royal_policy == RoyalPolicy::Protected && spec.royal_capture == RoyalCapture::Never;
    let Some(declared) = forbidden(table, &report.text).filter(|_| never) else { return };
    let kinds = || (0..variant.kinds().len()).map(|kind| Kind(kind as u8));
    let has_royal = |side: Side| {
        let mut royal = kinds().filter(|kind| variant.royals().contains(*kind));
        royal.any(|kind| !start.squares_of(Piece::new(side, kind)).is_empty())
    };
    let all_begin_with_one = (0..variant.sides()).all(|side| has_royal(Side(side as u8)));
    if !all_begin_with_one || called(table, &RULES).iter().any(|name| has_fact(name, Fact::LosesRoyals)) {
        return;
    }
    let royal = |name: &str| {
        let kind: Option<Kind> = variant.kind_named(name.trim_matches('"'));
        kind.is_some_and(|kind| variant.royals().contains(kind))
    };
    for ending in &endings.all {
        let lost = ending.facts.iter().find_map(|fact| {
            let (_, kind) = fact.lost()?;
            kind.filter(|kind| royal(kind)).map(|kind| (fact, kind.trim_matches('"')))
        });
        let Some((fact, kind)) = lost else { continue };
        let message = format!("the {kind} is never captured: `royals(\"protected\", \"never\")` forbids it");
        let help = format!(
            "permit it with `royals(\"protected\", \"free\")` or `royals(\"capturable\")`, or test for mate: \
             `mated(..)` is true when the {kind} cannot be saved"
        );
        let others = vec![(declared.0, declared.1, "this line forbids it".to_string())];
        report.verdict(Severity::Warning, Code::NoEnd, fact.at, (message, help), others, Vec::new());
    }
}

/// The place where the top level declares, independent of options, that royal pieces are never captured.
fn forbidden(table: &NameTable, text: &str) -> Option<LineColumn> {
    let mut all = table.calls.iter().filter(|call| call.name == "royals" && call.module.is_none() && call.at.0 > 0);
    let (Some(call), None) = (all.next(), all.next()) else { return None };
    let [Value::Text(policy, _), Value::Text(capture, _)] = call.args.as_slice() else { return None };
    let before = tokens(text).into_iter().take_while(|token| token.at < call.at);
    let depth: i32 = before.map(|token| i32::from(token.opens()) - i32::from(token.closes())).sum();
    (depth == 0 && policy == "protected" && capture == "never").then_some(call.at)
}
