//! Checks dice against the pieces that their faces name.

use super::name_table::{Call, LineColumn, NameTable, Value};
use super::report::Report;
use super::rules::tells_faces;
use crate::diagnostic::Code;
use crate::functions::position_of;
use crate::host::kind::ParamKind;
use crate::host::tokens::tokens;
use crate::notation::dice;
use astragal_core::Variant;
use std::collections::BTreeSet;

/// A roll of dice as written.
struct Roll {
    /// The highest number of faces of any die in the roll.
    faces: usize,
    /// The numbers the dice can show.
    shown: BTreeSet<i64>,
    /// The place of the dice in the script.
    at: LineColumn,
    /// Whether the faces are listed explicitly.
    told: bool,
}

/// Warns if all known rolls have more faces than `die_faces` names pieces, or if no die shows one of these faces.
pub(super) fn check(table: &NameTable, variant: &Variant, faces: &[String], report: &mut Report) {
    if faces.is_empty() {
        return;
    }
    named_twice(table, variant, faces, report);
    let most = faces.len();
    let calls = || table.calls.iter().filter(|call| call.module.is_none());
    let rolls: Vec<Roll> = calls().filter_map(roll).collect();
    let told: Vec<&Roll> = rolls.iter().filter(|roll| roll.told).collect();
    if !told.is_empty() && told.iter().all(|roll| roll.faces > most) {
        for roll in told {
            let help =
                format!("in `die_faces([...])`, list one piece for each face, or roll dice with {most} faces instead");
            let message =
                format!("this rolls dice with {} faces, but `die_faces` names only {most} pieces", roll.faces);
            report.warning(Code::Index, roll.at, message, Some(help));
        }
        return;
    }
    // Dice assembled at run time, and dice of a base, may show any number.
    let all_known = table.imports.is_empty() || !imported_rolls(table);
    let unknown = calls().any(|call| rolls_dice(&call.name) && roll(call).is_none());
    let shown: BTreeSet<i64> = rolls.iter().flat_map(|roll| roll.shown.iter().copied()).collect();
    let missing = (1..=most as i64).find(|face| !shown.contains(face));
    let (Some(missing), false) = (missing, !all_known || unknown) else { return };
    let highest = shown.last().copied().unwrap_or(0);
    for roll in told.into_iter().filter(|roll| roll.shown.last() == Some(&highest)) {
        let what = match missing > highest {
            true => format!("the dice never show more than {highest}"),
            false => format!("no die shows {missing}"),
        };
        let message = format!("`die_faces` names {most} pieces, but {what}");
        let help = format!(
            "roll dice with {most} faces, as in \"1d{most}\", or change `die_faces([...])` to list one piece for each \
             face"
        );
        report.warning(Code::Index, roll.at, message, Some(help));
    }
}

/// Notes a piece that two faces name while no face names another piece, although there is a face for each.
fn named_twice(table: &NameTable, variant: &Variant, faces: &[String], report: &mut Report) {
    let kinds: Vec<&str> = variant.kinds().iter().map(|kind| kind.name.as_str()).collect();
    let kind = |letter: &String| variant.kinds().iter().find(|kind| kind.letter.eq_ignore_ascii_case(letter));
    let Some(faces) = faces.iter().map(|face| Some(kind(face)?.name.as_str())).collect::<Option<Vec<&str>>>() else {
        return;
    };
    let named = |kind: &str| faces.iter().filter(|face| **face == kind).count();
    let only = |count: usize| {
        let mut all = kinds.iter().filter(|kind| named(kind) == count);
        all.next().filter(|_| all.next().is_none())
    };
    let (Some(twice), Some(missing), true) = (only(2), only(0), faces.len() == kinds.len()) else { return };
    let text = report.text.clone();
    let all = tokens(&text);
    // Points to the second of the two in the list, if the list is written out.
    let quoted = faces.iter().map(|face| format!("\"{face}\"")).collect::<Vec<_>>();
    let list = all
        .windows(2 * faces.len())
        .find(|some| some[0].is("[") && quoted.iter().enumerate().all(|(i, face)| some[2 * i + 1].is(face)));
    let second = faces.iter().rposition(|face| face == twice);
    let at = match (list, second) {
        (Some(list), Some(second)) => list[2 * second + 1].at,
        _ => table.calls.iter().find(|call| call.name == "die_faces").map_or((0, 0), |call| call.at),
    };
    let message = format!("two faces stand for the {twice}, but none stands for the {missing}");
    let help = format!("if a face should stand for the {missing}, write \"{missing}\" in place of one of the two");
    report.note(Code::Index, at, message, Some(help));
}

/// Whether a base that the script imports rolls dice.
fn imported_rolls(table: &NameTable) -> bool {
    let bases = table.imports.iter().map(|(_, base)| crate::library::bundled(base));
    let rolls = |text: &str| tokens(text).windows(2).any(|two| two[1].is("(") && rolls_dice(two[0].text));
    bases.into_iter().any(|base| base.is_none_or(|base| rolls(&base.text)))
}

/// Whether a function takes dice as its first argument and rolls them.
fn rolls_dice(name: &str) -> bool {
    position_of(name, ParamKind::Dice) == Some(0) || position_of(name, ParamKind::DiceByPiece).is_some()
}

/// A roll of dice as written.
fn roll(call: &Call) -> Option<Roll> {
    let Some(Value::Text(text, at)) = call.args.first() else { return None };
    if position_of(&call.name, ParamKind::Dice) != Some(0) || call.module.is_some() {
        return None;
    }
    let dice = dice::parse(text).ok()?.dice;
    let faces = dice.iter().map(|die| die.faces().len()).max()?;
    let shown = dice.iter().flat_map(|die| die.faces()).map(|face| i64::from(*face)).collect();
    Some(Roll { faces, shown, at: *at, told: tells_faces(&call.name) })
}
