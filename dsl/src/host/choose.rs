//! Choices other than moves, as scripts state them: texts, squares, numbers, dice to keep, things held.

use super::convert::text;
use super::declare::{check_keys, flag};
use super::live::Live;
use super::roll::{hidden, secret};
use super::trace::{Host, Outcome, fail};
use super::values::{AmountV, CastV, SetV, SquareV};
use astragal_core::amount::Amount;
use astragal_core::rule::{Chance, Decision};
use astragal_core::state::choice::MOST_KEPT;
use astragal_core::value::{SetExpr, SideRef, SquareRef};
use rhai::{Array, Dynamic, Engine, Map};
use std::rc::Rc;

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    register_choices(engine, host);
    register_numbers(engine, host);
    register_pools(engine, host);
    register_rerolls(engine, host);
}

/// The decision, its answer known to the chooser alone if it is `secret`.
fn veiled(decision: Decision, secret: bool) -> Decision {
    if secret { Decision::Secret(Box::new(decision)) } else { decision }
}

/// Whether the options of a call say that only the chooser knows the answer.
fn secret_choice(what: &str, more: &Map) -> Outcome<bool> {
    check_keys(what, more, &["secret"])?;
    flag(more, "secret", false)
}

fn register_choices(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("choose", move |texts: Array| choose(&h, SideRef::ToMove, &texts, None, false));
    let h = host.clone();
    engine.register_fn("choose", move |set: SetV| choose(&h, SideRef::ToMove, &Array::new(), Some(set.0), false));
    let h = host.clone();
    engine.register_fn("choose", move |texts: Array, more: Map| {
        choose(&h, SideRef::ToMove, &texts, None, secret_choice("choose", &more)?)
    });
    let h = host.clone();
    engine.register_fn("choose", move |by: Dynamic, what: Dynamic| either(&h, h.side(&by)?, &what, false));
    let h = host.clone();
    engine.register_fn("choose", move |by: Dynamic, what: Dynamic, more: Map| {
        either(&h, h.side(&by)?, &what, secret_choice("choose", &more)?)
    });
    let h = host.clone();
    engine.register_fn("choose", move |by: Dynamic, texts: Array, set: SetV| {
        choose(&h, h.side(&by)?, &texts, Some(set.0), false)
    });
    let h = host.clone();
    engine.register_fn("choose", move |by: Dynamic, texts: Array, set: SetV, more: Map| {
        choose(&h, h.side(&by)?, &texts, Some(set.0), secret_choice("choose", &more)?)
    });
}

/// Texts, or squares.
fn either(host: &Host, by: SideRef, what: &Dynamic, secret: bool) -> Outcome<Dynamic> {
    match (what.read_lock::<Array>(), what.read_lock::<SetV>()) {
        (Some(texts), _) => choose(host, by, &texts, None, secret),
        (_, Some(set)) => choose(host, by, &Array::new(), Some(set.0.clone()), secret),
        _ => fail("a choice is made from an array of texts or numbers, or from a set of squares"),
    }
}

fn choose(host: &Host, by: SideRef, texts: &Array, squares: Option<SetExpr>, secret: bool) -> Outcome<Dynamic> {
    let labels = labels(texts)?;
    if labels.is_empty() && squares.is_none() {
        return fail("a choice needs something to choose from");
    }
    let (answer, slot) = host.decide(veiled(Decision::Choose { by, labels, squares }, secret))?;
    Ok(match texts.get(answer.max(0) as usize) {
        Some(item) => item.clone(),
        None => Dynamic::from(SquareV::place(SquareRef::Slot(slot))),
    })
}

fn labels(texts: &Array) -> Outcome<Vec<String>> {
    texts.iter().map(|item| if item.is_int() { Ok(item.to_string()) } else { text(item) }).collect()
}

fn register_numbers(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("choose_number", move |by: Dynamic, least: Dynamic, most: Dynamic| {
        choose_number(&h, &by, &least, &most, false)
    });
    let h = host.clone();
    engine.register_fn("choose_number", move |by: Dynamic, least: Dynamic, most: Dynamic, more: Map| {
        choose_number(&h, &by, &least, &most, secret_choice("choose_number", &more)?)
    });
}

fn choose_number(host: &Host, by: &Dynamic, least: &Dynamic, most: &Dynamic, secret: bool) -> Outcome<AmountV> {
    let decision = Decision::Number { by: host.side(by)?, least: host.amount(least)?, most: host.amount(most)? };
    let (_, slot) = host.decide(veiled(decision, secret))?;
    Ok(AmountV(Live::fixed(Amount::Face(slot, 0))))
}

fn register_pools(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("choose_held", move |by: Dynamic, pool: &str| choose_held(&h, &by, pool, &by, &Map::new()));
    let h = host.clone();
    engine.register_fn("choose_held", move |by: Dynamic, pool: &str, more: Map| choose_held(&h, &by, pool, &by, &more));
    let h = host.clone();
    engine.register_fn("choose_held", move |by: Dynamic, pool: &str, owner: Dynamic| {
        choose_held(&h, &by, pool, &owner, &Map::new())
    });
    let h = host.clone();
    engine.register_fn("choose_held", move |by: Dynamic, pool: &str, owner: Dynamic, more: Map| {
        choose_held(&h, &by, pool, &owner, &more)
    });
    let h = host.clone();
    engine.register_fn("draw_from", move |pool: &str| draw(&h, pool, SideRef::Mover, None));
    let h = host.clone();
    engine.register_fn("draw_from", move |pool: &str, more: Map| {
        draw(&h, pool, SideRef::Mover, secret(&h, "draw_from", &more)?)
    });
    let h = host.clone();
    engine.register_fn("draw_from", move |pool: &str, side: Dynamic| draw(&h, pool, h.side(&side)?, None));
    let h = host.clone();
    engine.register_fn("draw_from", move |pool: &str, side: Dynamic, more: Map| {
        draw(&h, pool, h.side(&side)?, secret(&h, "draw_from", &more)?)
    });
    let h = host.clone();
    engine.register_fn("draw_from", move |set: SetV| pick(&h, set.0, None));
    let h = host.clone();
    engine.register_fn("draw_from", move |set: SetV, more: Map| pick(&h, set.0, secret(&h, "draw_from", &more)?));
}

/// One of the faces held; or one of the texts under `or`. Nothing, if there is nothing to choose from.
fn choose_held(host: &Host, by: &Dynamic, pool: &str, owner: &Dynamic, more: &Map) -> Outcome<Dynamic> {
    check_keys("choose_held", more, &["secret", "or"])?;
    let secret = flag(more, "secret", false)?;
    let texts = match more.get("or") {
        None => Array::new(),
        Some(texts) => match texts.read_lock::<Array>() {
            Some(texts) => texts.clone(),
            None => vec![text(texts)?.into()],
        },
    };
    let (counter, _) = host.counter(pool)?;
    let decision = Decision::Held { by: host.side(by)?, counter, side: host.side(owner)?, labels: labels(&texts)? };
    let (answer, _) = host.decide(veiled(decision, secret))?;
    Ok(match answer {
        0 => Dynamic::UNIT,
        face @ 1.. => face.into(),
        text => texts.get((-1 - text) as usize).cloned().unwrap_or_default(),
    })
}

/// A die, card or counter drawn by chance from a pool and no longer in it; nothing, if that is empty.
fn draw(host: &Host, pool: &str, side: SideRef, secret: Option<SideRef>) -> Outcome<Dynamic> {
    let (counter, _) = host.counter(pool)?;
    let (answer, slot) = host.roll(hidden(Chance::Draw(counter, side), secret))?;
    let slot = slot.unwrap_or_default();
    if answer < 0 {
        return Ok(Dynamic::UNIT);
    }
    host.act(astragal_core::effect::Effect::Scatter(counter, side, slot))?;
    Ok(Dynamic::from(CastV(slot, None, secret.map(|side| host.side_value(side)))))
}

/// A square by chance; nothing, if there is none.
fn pick(host: &Host, set: SetExpr, secret: Option<SideRef>) -> Outcome<Dynamic> {
    let (answer, slot) = host.roll(hidden(Chance::Pick(set), secret))?;
    let square = SquareV::place(SquareRef::Slot(slot.unwrap_or_default()));
    Ok(if answer < 0 { Dynamic::UNIT } else { Dynamic::from(square) })
}

fn register_rerolls(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("reroll", move |dice: CastV| reroll(&h, SideRef::ToMove, dice, 1));
    let h = host.clone();
    engine.register_fn("reroll", move |dice: CastV, times: i64| reroll(&h, SideRef::ToMove, dice, times));
    let h = host.clone();
    engine.register_fn("reroll", move |by: Dynamic, dice: CastV| reroll(&h, h.side(&by)?, dice, 1));
    let h = host.clone();
    engine.register_fn("reroll", move |by: Dynamic, dice: CastV, times: i64| reroll(&h, h.side(&by)?, dice, times));
}

/// The player says which of the dice he keeps; the others are rolled again, and so on until he keeps all or
/// has rolled so many times.
fn reroll(host: &Host, by: SideRef, mut cast: CastV, times: i64) -> Outcome<CastV> {
    let Some(dice) = cast.1.clone() else { return fail("only dice of cast() can be rolled again") };
    if dice.dice.windows(2).any(|pair| pair[0] != pair[1]) || dice.dice.len() > MOST_KEPT {
        return fail(format!("only up to {MOST_KEPT} dice of one make can be kept or rolled again, not {dice}"));
    }
    for _ in 0..times {
        let (faces, secret) = (cast.0, cast.2.as_ref().map(|side| side.0.now()));
        let (answer, kept) = host.decide(veiled(Decision::Keep { by, faces }, secret.is_some()))?;
        if answer == 0 {
            break;
        }
        let (_, slot) = host.roll(hidden(Chance::Again { dice: Rc::clone(&dice), faces, kept }, secret))?;
        cast.0 = slot.unwrap_or_default();
    }
    Ok(cast)
}
