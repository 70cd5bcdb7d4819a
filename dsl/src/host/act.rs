//! What scripts may do to the game.

use super::trace::{Host, Outcome};
use crate::printable::in_a_line;
use astragal_core::amount::Amount;
use astragal_core::effect::Effect;
use astragal_core::value::SideRef;
use rhai::{Dynamic, Engine};

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    register_board(engine, host);
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
        h.act(Effect::Convert(h.set(&square)?, h.side(&side)?))
    });
    let h = host.clone();
    engine.register_fn("convert_all", move |from: Dynamic, to: Dynamic| -> Outcome<()> {
        h.act(Effect::ConvertAll(h.side(&from)?, h.side(&to)?))
    });
    let h = host.clone();
    engine.register_fn("become", move |square: Dynamic, kind: &str| -> Outcome<()> {
        h.act(Effect::Become(h.set(&square)?, h.kind(kind)?))
    });
    let h = host.clone();
    engine.register_fn("swap", move |a: Dynamic, b: Dynamic| -> Outcome<()> {
        h.act(Effect::Swap(h.square(&a)?, h.square(&b)?))
    });
    let h = host.clone();
    engine
        .register_fn("push", move |square: Dynamic, right: i64, forward: i64| push(&h, &square, right, forward, false));
    let h = host.clone();
    engine.register_fn("push_off", move |square: Dynamic, right: i64, forward: i64| {
        push(&h, &square, right, forward, true)
    });
    let h = host.clone();
    engine.register_fn("to_hand", move |side: Dynamic, kind: &str, count: Dynamic| -> Outcome<()> {
        h.act(Effect::ToHand(h.side(&side)?, h.kind(kind)?, h.amount(&count)?))
    });
    let h = host.clone();
    engine.register_fn("restart", move || h.act(Effect::Restart));
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

fn push(host: &Host, square: &Dynamic, right: i64, forward: i64, over: bool) -> Outcome<()> {
    let step = (super::convert::sign(right)?, super::convert::sign(forward)?);
    host.act(Effect::Push(host.square(square)?, step, SideRef::Mover, over))
}

fn register_course(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine
        .register_fn("win", move |side: Dynamic| -> Outcome<()> { h.act(Effect::Win(h.side(&side)?, String::new())) });
    let h = host.clone();
    engine.register_fn("win", move |side: Dynamic, reason: &str| -> Outcome<()> {
        h.act(Effect::Win(h.side(&side)?, in_a_line(reason).as_ref().into()))
    });
    let h = host.clone();
    engine.register_fn("draw", move |reason: &str| h.act(Effect::Draw(in_a_line(reason).as_ref().into())));
    let h = host.clone();
    engine.register_fn("eliminate", move |side: Dynamic| -> Outcome<()> { h.act(Effect::Eliminate(h.side(&side)?)) });
    let h = host.clone();
    engine.register_fn("readmit", move |side: Dynamic| -> Outcome<()> { h.act(Effect::Readmit(h.side(&side)?)) });
    let h = host.clone();
    engine.register_fn("award", move |side: Dynamic, points: Dynamic| -> Outcome<()> {
        let halves = Amount::Times(Box::new(Amount::Is(2)), Box::new(h.amount(&points)?));
        h.act(Effect::Award(h.side(&side)?, halves))
    });
    let h = host.clone();
    engine.register_fn("award_halves", move |side: Dynamic, halves: Dynamic| -> Outcome<()> {
        h.act(Effect::Award(h.side(&side)?, h.amount(&halves)?))
    });
    let h = host.clone();
    engine.register_fn("hand_over", move |side: Dynamic| -> Outcome<()> { h.act(Effect::HandOver(h.side(&side)?)) });
    let h = host.clone();
    engine.register_fn("next", move |side: Dynamic| -> Outcome<()> { h.act(Effect::Next(h.side(&side)?)) });
    let h = host.clone();
    engine.register_fn("again", move || h.act(Effect::Next(SideRef::Mover)));
    let h = host.clone();
    engine.register_fn("label", move |text: &str| h.act(Effect::Label(in_a_line(text).as_ref().into())));
}
