//! Answers to questions at the prompt, as text. Values are references, so the position is asked again to resolve them.

use super::error::{ScriptResult, fail_help};
use super::kind::words_for;
use super::trace::Host;
use super::values::{AmountV, MoveV, PermitV, SetV, SideV, SquareV};
use astragal_core::query::{Aspect, Query};
use astragal_core::rule::Step;
use astragal_core::value::{SetExpr, Slot, SquareRef};
use astragal_core::{Permit, Square};
use rhai::{Array, Dynamic, Engine, Map};

/// The function that wraps a question; it stores the text of its argument.
pub(crate) const ANSWER: &str = "answer__";

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn(ANSWER, move |value: Dynamic| -> ScriptResult<()> {
        if h.trace().steps.iter().any(|step| matches!(step, Step::Act(_))) {
            return fail_help(
                "a question cannot change the game",
                Some("use suppose(..) to see the result of a change".into()),
            );
        }
        let text = text(&h, &value)?;
        h.trace().answer = Some(text);
        Ok(())
    });
}

/// A value as text for people.
fn text(host: &Host, value: &Dynamic) -> ScriptResult<String> {
    if let Some(set) = value.read_lock::<SetV>() {
        return squares(host, &set.0);
    }
    if let Some(square) = value.read_lock::<SquareV>() {
        return Ok(square_name(host, host.ask(Query::Square(square.0.now()))?));
    }
    if let Some(side) = value.read_lock::<SideV>() {
        let index = usize::try_from(host.ask(Query::Side(side.0.now()))?).ok();
        let trace = host.trace();
        let named = index.and_then(|index| trace.declaration.spec.sides.get(index));
        return Ok(named.map_or("nobody".into(), |side| side.name.clone()));
    }
    if let Some(amount) = value.read_lock::<AmountV>() {
        return Ok(host.ask(Query::Amount(amount.0.now()))?.to_string());
    }
    if let Some(permit) = value.read_lock::<PermitV>() {
        return moves(host, &permit.0.now());
    }
    if let Some(mv) = value.read_lock::<MoveV>() {
        return a_move(host, mv.0);
    }
    if let Some(items) = value.read_lock::<Array>() {
        let texts = items.iter().map(|item| text(host, item)).collect::<ScriptResult<Vec<_>>>()?;
        return Ok(format!("[{}]", texts.join(", ")));
    }
    if let Some(map) = value.read_lock::<Map>() {
        let one = |(key, value): (_, &Dynamic)| text(host, value).map(|value| format!("{key}: {value}"));
        return Ok(format!("{{{}}}", map.iter().map(one).collect::<ScriptResult<Vec<_>>>()?.join(", ")));
    }
    match value {
        unit if unit.is_unit() => Ok("nothing".into()),
        truth if truth.is_bool() => Ok(if truth.as_bool() == Ok(true) { "yes" } else { "no" }.into()),
        plain if plain.is_int() || plain.is_string() || plain.is_char() => Ok(plain.to_string()),
        other => Ok(words_for(other).into()),
    }
}

/// The squares of a set in their order, with their number.
fn squares(host: &Host, set: &SetExpr) -> ScriptResult<String> {
    let mut names = Vec::new();
    let mut last = -1;
    loop {
        last = host.ask(Query::Following(set.clone(), last))? as i16;
        if last < 0 {
            break;
        }
        names.push(square_name(host, last.into()));
    }
    Ok(match names.len() {
        0 => "no squares".into(),
        1 => format!("1 square: {}", names[0]),
        count => format!("{count} squares: {}", names.join(" ")),
    })
}

fn moves(host: &Host, permit: &Permit) -> ScriptResult<String> {
    Ok(match host.ask(Query::Moves(permit.clone()))? {
        1 => "1 move".into(),
        count => format!("{count} moves"),
    })
}

/// A move: its squares, its piece, and whether it captures.
fn a_move(host: &Host, slot: Slot) -> ScriptResult<String> {
    let ask = |aspect| host.ask(Query::Move(slot, aspect));
    let square = |of: SquareRef| host.ask(Query::Square(of)).map(|index| square_name(host, index));
    let kind = usize::try_from(ask(Aspect::Kind)?).ok();
    let captures = ask(Aspect::CapturedKind)? >= 0;
    let to = square(SquareRef::To(slot))?;
    let from = match ask(Aspect::Drop)? {
        0 => format!(" {}{}", square(SquareRef::From(slot))?, if captures { "x" } else { "-" }),
        _ => "@".into(),
    };
    let trace = host.trace();
    let named = kind.and_then(|kind| trace.declaration.spec.kinds.get(kind));
    Ok(format!("{}{from}{to}", named.map_or("piece", |kind| kind.name.as_str())))
}

fn square_name(host: &Host, index: i64) -> String {
    let square = u8::try_from(index).ok().map(Square);
    square.map_or("no square".into(), |square| host.trace().declaration.spec.board.name(square))
}
