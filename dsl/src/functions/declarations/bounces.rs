//! The options for pieces that bounce off the edges of the board.

use super::super::param::Options;
use crate::host::error::{ScriptResult, fail_help};
use crate::host::kind::words_for;
use astragal_core::KindDef;
use astragal_core::board::{Board, Bounces, Cells, Cushions, EdgeLine};

/// The maximum number of bounces that can be written as a number.
const MOST: i64 = 99;

/// Applies the bouncing options to a kind. Earlier calls may have set some of them; `()` removes a setting.
pub(super) fn read(kind: &mut KindDef, board: &Board, options: &Options) -> ScriptResult<()> {
    let given = |key: &str| options.get(key).map(|value| !value.is_unit());
    let details = ["bounces_off", "bounces_at"].into_iter().find(|key| given(key) == Some(true));
    if given("bounces").is_some() {
        kind.bounces = often(options)?.map(|most| Bounces { most, ..kind.bounces.take().unwrap_or_else(all) });
    }
    let Some(bounces) = &mut kind.bounces else {
        return match details {
            None => Ok(()),
            Some(key) => {
                let help = format!(
                    "to use `{key}`, also set how many times the piece can bounce: `bounces: true` means no limit"
                );
                fail_help(format!("`{key}` has no effect on a piece that does not bounce"), Some(help))
            }
        };
    };
    match given("bounces_off") {
        Some(true) => bounces.off = cushions(options)?,
        Some(false) => bounces.off = Cushions::All,
        None => {}
    }
    match given("bounces_at") {
        Some(true) => bounces.at = line(options)?,
        Some(false) => bounces.at = EdgeLine::Squares,
        None => {}
    }
    if details.is_some() || given("bounces").is_some() || options.get("betza").is_some() {
        fits(kind, board)?;
    }
    Ok(())
}

fn all() -> Bounces {
    Bounces { most: None, off: Cushions::All, at: EdgeLine::Squares }
}

/// The maximum number of bounces per move: `None` if the piece does not bounce, `Some(None)` for no limit.
fn often(options: &Options) -> ScriptResult<Option<Option<u8>>> {
    let Some(value) = options.get("bounces").filter(|value| !value.is_unit()) else { return Ok(None) };
    if let Ok(any) = value.as_bool() {
        return Ok(any.then_some(None));
    }
    match value.as_int() {
        Ok(most @ 1..=MOST) => Ok(Some(Some(most as u8))),
        Ok(0) => fail_help(
            "`bounces` must be at least 1, not 0",
            Some("use `bounces: false`, or leave it out, for a piece that stops at the edge".into()),
        ),
        Ok(other) => fail_help(
            format!("\"bounces\" must be a number from 1 to {MOST}, not {other}"),
            Some("use `bounces: true` for any number of bounces".into()),
        ),
        Err(_) => fail_help(
            format!(
                "\"bounces\" must be the number of bounces in one move, or true for any number, not {}",
                words_for(value)
            ),
            Some("to limit which edges the piece bounces off, use `bounces_off: \"files\"`".into()),
        ),
    }
}

fn cushions(options: &Options) -> ScriptResult<Cushions> {
    let word = options.text("bounces_off")?.unwrap_or_default();
    Ok(match word.as_str() {
        "files" => Cushions::Files,
        "ranks" => Cushions::Ranks,
        "both" => Cushions::All,
        _ => Cushions::Region(word),
    })
}

fn line(options: &Options) -> ScriptResult<EdgeLine> {
    match options.text("bounces_at")?.as_deref() {
        Some("squares") => Ok(EdgeLine::Squares),
        Some("border") => Ok(EdgeLine::Border),
        other => fail_help(
            format!("\"bounces_at\" must be \"squares\" or \"border\", not \"{}\"", other.unwrap_or_default()),
            Some("to limit the edges that a piece bounces off, use `bounces_off`".into()),
        ),
    }
}

/// Whether a kind can bounce on a board.
fn fits(kind: &KindDef, board: &Board) -> ScriptResult<()> {
    if board.cells() != Cells::Square || board.has_drawn_lines() {
        let what = if board.has_drawn_lines() { "on drawn lines" } else { "on hexagons" };
        let help = "leave out `bounces`; a rule can add such moves with `way(squares, targets)`";
        return fail_help(format!("pieces can bounce only on boards of squares, not {what}"), Some(help.into()));
    }
    if kind.atoms.iter().all(|atom| atom.steps.is_empty() || atom.max == 1) {
        let help = "first give it moves along lines, such as \"B\", \"Q\", \"B4\" or \"NN\"";
        return fail_help(
            format!("the {} never bounces: each of its moves is a single step or has several legs", kind.name),
            Some(help.into()),
        );
    }
    Ok(())
}
