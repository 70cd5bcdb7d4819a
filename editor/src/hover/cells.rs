//! The shape of the cells of a script's board.

use super::current;
use crate::document::Document;
use crate::script::Script;
use astragal_core::board::Cells;
use astragal_dsl::library;

/// The shape of the cells of the script's board.
pub(super) fn cells(script: &Script) -> Cells {
    if let Some(loaded) = current::loaded(script, &[("board", None)]) {
        return loaded.set.variant.board().cells();
    }
    let document = script.document();
    let bases = document.imports().iter().filter_map(|import| document.text().get(document.inside(import.script)));
    let of_base = |name: &str| library::bundled(name).is_some_and(|base| mentions_hexagons(&Document::new(base.text)));
    match mentions_hexagons(document) || bases.into_iter().any(of_base) {
        true => Cells::Hex,
        false => Cells::Square,
    }
}

/// Whether a document declares a board of hexagons.
fn mentions_hexagons(document: &Document) -> bool {
    let tokens = 0..document.tokens().len();
    tokens
        .into_iter()
        .any(|token| document.is_key(token) && document.key(token) == "cells" && document.is(token + 2, "\"hex\""))
}
