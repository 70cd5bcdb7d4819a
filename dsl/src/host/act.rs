//! What scripts may do to the game.

use super::convert::small;
use super::trace::{Host, Outcome, fail};
use super::values::{SideV, SquareV};
use astragal_core::effect::Effect;
use astragal_core::query::{Aspect, Query};
use astragal_core::value::SideRef;
use rhai::{Dynamic, Engine};

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    register_board(engine, host);
    register_numbers(engine, host);
    register_course(engine, host);
}

fn register_board(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("remove", move |what: Dynamic| -> Outcome<()> {
        match h.square(&what) {
            Ok(square) => h.act(Effect::Remove(square)),
            Err(_) => h.act(Effect::RemoveAll(h.set(&what)?)),
        }
    });
    let h = host.clone();
    engine.register_fn("place", move |square: Dynamic, side: Dynamic, kind: &str| -> Outcome<()> {
        h.act(Effect::Place(h.square(&square)?, h.side(&side)?, h.kind(kind)?))
    });
    let h = host.clone();
    engine.register_fn("relocate", move |from: Dynamic, to: Dynamic| -> Outcome<()> {
        h.act(Effect::Relocate(h.square(&from)?, h.square(&to)?))
    });
    let h = host.clone();
    engine.register_fn("convert", move |square: Dynamic, side: Dynamic| -> Outcome<()> {
        h.act(Effect::Convert(h.square(&square)?, h.side(&side)?))
    });
    let h = host.clone();
    engine.register_fn("convert_all", move |from: Dynamic, to: Dynamic| -> Outcome<()> {
        h.act(Effect::ConvertAll(h.side(&from)?, h.side(&to)?))
    });
    let h = host.clone();
    engine.register_fn("become", move |square: Dynamic, kind: &str| -> Outcome<()> {
        h.act(Effect::Become(h.square(&square)?, h.kind(kind)?))
    });
    let h = host.clone();
    engine.register_fn("to_hand", move |side: Dynamic, kind: &str, count: i64| -> Outcome<()> {
        h.act(Effect::ToHand(h.side(&side)?, h.kind(kind)?, small(count)?))
    });
    let h = host.clone();
    engine.register_fn("take", move || -> Outcome<()> {
        h.act(Effect::Complete)?;
        h.act(Effect::Label("win".into()))
    });
    let h = host.clone();
    engine.register_fn("stand_off", move || h.act(Effect::Label("tie".into())));
    let h = host.clone();
    engine.register_fn("repel", move |attacker: Dynamic| -> Outcome<()> {
        h.act(Effect::Remove(h.square(&attacker)?))?;
        h.act(Effect::Label("lose".into()))
    });
}

fn register_numbers(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("set", move |name: &str, value: i64| set_counter(&h, name, None, value));
    let h = host.clone();
    engine.register_fn("set", move |name: &str, side: SideV, value: i64| set_counter(&h, name, Some(side.0), value));
    let h = host.clone();
    engine.register_fn("set", move |square: SquareV, name: &str, value: i64| -> Outcome<()> {
        h.act(Effect::SetTrait(h.trait_index(name)?, square.0, small(value)?))
    });
    let h = host.clone();
    engine.register_fn("add", move |name: &str, value: i64| add(&h, name, None, value));
    let h = host.clone();
    engine.register_fn("add", move |name: &str, side: SideV, value: i64| add(&h, name, Some(side.0), value));
}

fn set_counter(host: &Host, name: &str, side: Option<SideRef>, value: i64) -> Outcome<()> {
    let (index, side) = counter(host, name, side)?;
    host.act(Effect::SetCounter(index, side, small(value)?))
}

fn add(host: &Host, name: &str, side: Option<SideRef>, value: i64) -> Outcome<()> {
    let (index, side) = counter(host, name, side)?;
    let held = host.ask(Query::Counter(index, side))?;
    host.act(Effect::SetCounter(index, side, small(held + value)?))
}

/// A counter with the side that it belongs to: said or, where each side has one, the mover.
pub(crate) fn counter(host: &Host, name: &str, side: Option<SideRef>) -> Outcome<(u8, SideRef)> {
    let (index, per_side) = host.counter(name)?;
    match side {
        Some(_) if !per_side => fail(format!("the counter \"{name}\" belongs to no side")),
        Some(side) => Ok((index, side)),
        None => Ok((index, SideRef::Mover)),
    }
}

fn register_course(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("win", move |side: Dynamic| -> Outcome<()> { h.act(Effect::Win(h.side(&side)?, String::new())) });
    let h = host.clone();
    engine.register_fn("win", move |side: Dynamic, reason: &str| -> Outcome<()> { h.act(Effect::Win(h.side(&side)?, reason.into())) });
    let h = host.clone();
    engine.register_fn("draw", move |reason: &str| h.act(Effect::Draw(reason.into())));
    let h = host.clone();
    engine.register_fn("eliminate", move |side: Dynamic| -> Outcome<()> { h.act(Effect::Eliminate(h.side(&side)?)) });
    let h = host.clone();
    engine.register_fn("next", move |side: Dynamic| -> Outcome<()> { h.act(Effect::Next(h.side(&side)?)) });
    let h = host.clone();
    engine.register_fn("again", move || h.act(Effect::Next(SideRef::Mover)));
    let h = host.clone();
    engine.register_fn("label", move |text: &str| h.act(Effect::Label(text.into())));
    let h = host.clone();
    engine.register_fn("is_done", move |mv: super::values::MoveV| h.ask_truth(Query::Move(mv.0, Aspect::Done)));
}
