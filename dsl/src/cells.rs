//! Counts the position cells that hands, counters and marks take, for scripts that declare more than a position holds.

use crate::notation::fen::last_moves::LAST_MOVE;
use astragal_core::Spec;
use astragal_core::variant::CELLS;

/// At most this many of the largest are listed.
const TOLD: usize = 4;

/// A declaration that takes cells.
pub(crate) struct Need {
    /// The number of cells.
    pub(crate) cells: usize,
    /// The function that declares it, or that needs it without a declaration.
    pub(crate) call: &'static str,
    /// The declared name, if it has one.
    pub(crate) name: Option<String>,
    /// The reason for the number, in words.
    why: String,
}

/// All declarations that take cells, in the order in which they receive them.
pub(crate) fn needs(spec: &Spec) -> Vec<Need> {
    let (counts, sides) = (spec.cells(), spec.sides.len());
    let owners = |per_side: bool| if per_side { format!(" for each of {sides} sides") } else { String::new() };
    let mut all = Vec::new();
    if counts.hands > 0 {
        let why = format!("{} kinds for each of {sides} sides", spec.kinds.len());
        all.push(Need { cells: counts.hands, call: "hands", name: None, why });
    }
    for (counter, cells) in spec.counters.iter().zip(counts.counters) {
        let places: String = if counter.size == 1 { "one number".into() } else { format!("{} places", counter.size) };
        let why = format!("{places}{}", owners(counter.per_side));
        let own = counter.name == LAST_MOVE;
        let (call, name) = if own { ("last_move", None) } else { ("counter", Some(counter.name.clone())) };
        all.push(Need { cells, call, name, why });
    }
    for (mark, cells) in spec.marks.iter().zip(counts.marks) {
        let why = format!("one for every 16 of the {} squares{}", spec.board.len(), owners(mark.per_side));
        all.push(Need { cells, call: "marks", name: Some(mark.name.clone()), why });
    }
    all
}

/// The first declaration that no longer fits.
pub(crate) fn first_over(needs: &[Need]) -> Option<&Need> {
    let mut all = 0;
    needs.iter().find(|need| {
        all += need.cells;
        all > CELLS
    })
}

/// The help text: the largest declarations, and ways to take fewer cells.
pub(crate) fn cure(needs: &[Need]) -> String {
    let mut most: Vec<&Need> = needs.iter().collect();
    most.sort_by_key(|need| std::cmp::Reverse(need.cells));
    let told = most.iter().take(TOLD).map(|need| {
        let what = need.name.as_ref().map_or_else(|| format!("`{}()`", need.call), |name| format!("\"{name}\""));
        format!("{what} {} ({})", need.cells, need.why)
    });
    let told: Vec<String> = told.collect();
    let more = if needs.len() > TOLD { ", .." } else { "" };
    format!(
        "cells needed: {}{more}; to use fewer, declare fewer `places`, one counter for all sides instead of \
         `each`, or fewer kinds or marks; for a number that belongs to a piece, use a `piece_trait`, which \
         needs no cells",
        told.join(", ")
    )
}
