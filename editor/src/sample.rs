//! Scripts for tests: a small one, with a mark for the place, and all bundled ones.

use crate::script::Script;
use astragal_dsl::{Source, load};
use std::sync::Arc;

/// The beginning of the script of [`marked`].
pub(crate) const BASE: &str = r#"import "chess" as chess;
title("Sample");
chess::setup();
const LENGTH = option("length", ["short", "long", 3], "How long a game is.");
const PIECE = ["pawn", "knight"];
const NAMES = #{ one: "pawn", two: "knight" };
region("camp", "a1-h2");
counter("stake", 1);
marks("burnt");
piece_trait("health", 1);
track("way", "a3-h3");
// The moves of a die.
// More of them with a flag.
fn permit(die, more) { if more { return any(); } pieces(PIECE[die - 1]) | castling() }
fn outcome() { let dice = roll("2d6"); win(mover()); permit(dice[0], true); }
"#;

/// Opens a script that begins with [`BASE`] and ends with a text, and returns it with the offset of the mark `^` in the
/// text. Only the beginning is loaded.
pub(crate) fn marked(text: &str) -> (Script, usize) {
    let source = Source { name: "sample".into(), path: None, text: BASE.into() };
    let loaded = load(&source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut script = Script::new(source);
    script.set_loaded(Arc::new(loaded));
    let at = BASE.len() + text.find('^').expect("a mark");
    script.edit(format!("{BASE}{}", text.replacen('^', "", 1)));
    (script, at)
}

/// The source of a script.
pub(crate) fn source(text: &str) -> Source {
    Source { name: "mine".into(), path: None, text: text.into() }
}

/// All bundled scripts, loaded.
pub(crate) fn bundled() -> Vec<Script> {
    let scripts = astragal_variants::SCRIPTS.iter();
    scripts
        .map(|(name, text)| {
            let source = Source { name: (*name).into(), path: None, text: (*text).into() };
            let mut script = Script::new(source.clone());
            script.set_loaded(Arc::new(load(&source, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))));
            script
        })
        .collect()
}
