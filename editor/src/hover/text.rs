//! A string: a name, an imported script, or a notation, depending on its context.

use super::{function, key, name, notation, own};
use crate::document::Part;
use crate::names::{NameUse, Wanted, wanted};
use crate::script::Script;
use astragal_dsl::manual::ParamKind;

/// Describes the string at a token. The offset selects a part of it.
pub(super) fn about(script: &Script, token: usize, offset: usize) -> Option<String> {
    let document = script.document();
    let span = document.inside(token);
    let text = document.text().get(span.clone())?;
    if document.is_key(token) {
        return key::about(script, token).or_else(|| notation::squares_of_key(script, token));
    }
    if document.imports().iter().any(|import| import.script == token) {
        return own::script(text);
    }
    // In a position, the names of counters, marks and traits are only parts of the string.
    let is_here = |one: &&NameUse| one.token == token && (one.span == span || one.span.contains(&offset));
    if let Some(used) = script.uses().iter().find(is_here) {
        return name::about(script, used);
    }
    // Escape sequences would shift all offsets.
    if text.contains('\\') {
        return None;
    }
    let at = offset.saturating_sub(span.start).min(text.len());
    wanted(document, token).into_iter().find_map(|wanted| match wanted {
        Wanted::Name(_) => None,
        Wanted::Anything => notation::guessed(script, token, text),
        Wanted::Parameter(kind) => match kind {
            ParamKind::Betza => notation::betza(script, token, text, at),
            ParamKind::Position => notation::fen(script, text),
            ParamKind::Dice => notation::dice(script, text),
            ParamKind::SquareList | ParamKind::SquareName | ParamKind::SquareOrName | ParamKind::SquaresOrNames => {
                notation::squares(script, text)
            }
            ParamKind::Options => option(script, token, text, at),
            ParamKind::Word => function::word(script, token),
            _ => None,
        },
    })
}

/// The value of an option.
fn option(script: &Script, token: usize, text: &str, at: usize) -> Option<String> {
    let call = script.document().call_of(token)?;
    match (call.name.as_str(), call.parts.as_slice()) {
        ("piece", [Part::Value(key)]) if key == "betza" => notation::betza(script, token, text, at),
        ("board", [Part::Value(key), ..]) if matches!(key.as_str(), "crosses" | "signs") => {
            notation::squares(script, text)
        }
        ("look", [Part::Value(key), ..]) if key == "squares" => notation::squares(script, text),
        _ => function::word(script, token),
    }
}
