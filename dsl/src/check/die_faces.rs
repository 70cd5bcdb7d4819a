//! Dice against the pieces that their faces name.

use super::name_table::{Call, NameTable, Place, Value};
use super::report::Report;
use super::rules::tells_faces;
use crate::diagnostic::Code;
use crate::functions::position_of;
use crate::host::kind::ParamKind;
use crate::notation::dice;

/// Complains if every roll has more faces than there are pieces named by `die_faces`.
pub(super) fn check(table: &NameTable, faces: &[String], report: &mut Report) {
    if faces.is_empty() {
        return;
    }
    let rolls: Vec<(usize, Place)> = table.calls.iter().filter_map(roll).collect();
    let most = faces.len();
    if rolls.is_empty() || rolls.iter().any(|(n, _)| *n <= most) {
        return;
    }
    for (n, at) in rolls {
        let help = format!("name a piece for each face in die_faces([...]), or roll dice with {most} faces");
        report.warning(
            Code::Index,
            at,
            format!("the dice have {n} faces, but only {most} of them name a piece"),
            Some(help),
        );
    }
}

/// The largest number of faces in a roll of dice as written.
fn roll(call: &Call) -> Option<(usize, Place)> {
    let Some(Value::Text(text, at)) = call.args.first() else { return None };
    let rolls = position_of(&call.name, ParamKind::Dice) == Some(0) && tells_faces(&call.name);
    if !rolls || call.module.is_some() {
        return None;
    }
    let most = dice::parse(text).ok()?.dice.iter().map(|die| die.faces().len()).max()?;
    Some((most, *at))
}
