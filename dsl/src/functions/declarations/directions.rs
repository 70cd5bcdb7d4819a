//! The directions of a board, as declarations name them.

use crate::host::declare::Declaration;
use crate::host::error::{ScriptResult, fail_help};
use crate::notation::describe::directions_on;
use astragal_core::board::Cells;

/// A direction of a board, by its name: the number of turns from its first direction.
pub(super) fn direction(cells: Cells, word: &str) -> ScriptResult<u8> {
    let names = directions_on(cells);
    match names.iter().position(|name| *name == word) {
        Some(turns) => Ok(turns as u8),
        None => fail_help(
            format!("\"{word}\" is not a direction of this board"),
            Some(format!("write one of these: \"{}\"; for another board, call `board()` first", names.join("\", \""))),
        ),
    }
}

/// Checks that the board has a direction for each side, so that `what` can be rotated for every side.
pub(super) fn enough_directions(d: &Declaration, what: &str, help: &str) -> ScriptResult<()> {
    let (turns, sides) = (usize::from(d.spec.board.cells().turns()), d.spec.sides.len());
    if sides <= turns {
        return Ok(());
    }
    fail_help(
        format!("{what} cannot be rotated for {sides} sides: this board has only {turns} directions"),
        Some(help.into()),
    )
}
