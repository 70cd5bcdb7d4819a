//! The endings of a game: collects the calls that end it ([`calls`]) and checks them ([`sides`], [`order`], [`kept`]).
//!
//! Conditions are normalized ([`phrase`]), so that two of them can be compared however the script spells them.

mod calls;
mod kept;
mod order;
mod phrase;
mod sides;

pub(super) use calls::{Endings, Wanted};

use super::name_table::NameTable;
use super::report::Report;
use astragal_core::{Position, Variant};

/// Checks the endings of a game.
pub(super) fn check(endings: &Endings, table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    sides::check(endings, variant, start, report);
    order::check(endings, report);
    kept::check(endings, table, variant, start, report);
}

/// Checks all other conditions against earlier ones, and skips lines that already have a message.
pub(super) fn settled(endings: &Endings, report: &mut Report) {
    order::settled(endings, report);
}
