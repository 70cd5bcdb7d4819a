//! Permits as scripts build them.

use super::convert::{number, sign, small};
use super::declare::{check_keys, flag};
use super::tested::Subject;
use super::trace::{Host, Outcome, Phase, fail, fail_help};
use super::values::{BundleV, PermitV, SideV};
use super::weight;
use astragal_core::permit::{Guard, Permit, Purse};
use astragal_core::push::Reach;
use astragal_core::query::Query;
use astragal_core::value::{SetExpr, SideRef};
use astragal_core::{Castle, KindMask, SquareSet};
use rhai::{Array, Dynamic, Engine, FnPtr, Map, NativeCallContext};

/// How a permit is made of what a script says.
pub(crate) type PermitMap<T> = fn(T) -> Permit;

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    engine.register_type_with_name::<PermitV>("Permit");
    engine.register_type_with_name::<BundleV>("Payment");
    register_basic(engine, host);
    register_algebra(engine, host);
    register_tests(engine, host);
}

fn register_basic(engine: &mut Engine, host: &Host) {
    engine.register_fn("any", || PermitV::fixed(Permit::Any));
    engine.register_fn("nothing", || PermitV::fixed(Permit::Nothing));
    engine.register_fn("castling", || PermitV::fixed(Permit::Castling));
    engine.register_fn("drops", || PermitV::fixed(Permit::Drops(KindMask::ALL)));
    engine.register_fn("captures", || PermitV::fixed(Permit::Capturing(KindMask::ALL)));
    engine.register_fn("promotions", || PermitV::fixed(Permit::Promoting(KindMask::ALL)));
    let kinds = |host: &Host, make: fn(KindMask) -> Permit| {
        let host = host.clone();
        move |kinds: Dynamic| -> Outcome<PermitV> { Ok(PermitV::fixed(make(host.kinds(&kinds)?))) }
    };
    engine.register_fn("pieces", kinds(host, Permit::Pieces));
    let h = host.clone();
    engine.register_fn("moves_of", move |kinds: Dynamic| moves_of(&h, &kinds));
    engine.register_fn("drops", kinds(host, Permit::Drops));
    engine.register_fn("captures", kinds(host, Permit::Capturing));
    engine.register_fn("promoting_to", kinds(host, Permit::Promoting));
    let h = host.clone();
    engine.register_fn("from", move |set: Dynamic| -> Outcome<PermitV> {
        Ok(PermitV::fixed(Permit::From(h.set(&set)?)))
    });
    let h = host.clone();
    engine.register_fn("to", move |set: Dynamic| -> Outcome<PermitV> { Ok(PermitV::fixed(Permit::To(h.set(&set)?))) });
    engine
        .register_fn("steps", |n: i64| -> Outcome<PermitV> { Ok(PermitV::fixed(Permit::Steps(small(n)?, small(n)?))) });
    engine.register_fn("steps", |min: i64, max: i64| -> Outcome<PermitV> {
        Ok(PermitV::fixed(Permit::Steps(small(min)?, small(max)?)))
    });
    engine.register_fn("toward", |right: i64, forward: i64| -> Outcome<PermitV> {
        Ok(PermitV::fixed(Permit::Toward(sign(right)?, sign(forward)?)))
    });
    engine.register_fn("pushes", |steps: i64| pushes(steps, &Map::new()));
    engine.register_fn("pushes", |steps: i64, more: Map| pushes(steps, &more));
    for (name, higher) in [("payable", false), ("payable_above", true)] {
        let h = host.clone();
        engine.register_fn(name, move |pool: &str, side: SideV, kinds: Array| {
            payable(&h, pool, side.0.now(), &kinds, higher)
        });
        let h = host.clone();
        engine.register_fn(name, move |pool: &str, kinds: Array| payable(&h, pool, SideRef::Mover, &kinds, higher));
    }
    let h = host.clone();
    engine.register_fn("pay", move |faces: Array, permit: Dynamic| -> Outcome<BundleV> {
        let faces = faces.iter().map(|f| small(number(f)?)).collect::<Outcome<Vec<i16>>>()?;
        Ok(BundleV { faces, permit: h.permit_value(h.permit(&permit)?).0 })
    });
}

/// All that pieces of these kinds may do on the board: their moves, and castling where it is they who castle.
fn moves_of(host: &Host, kinds: &Dynamic) -> Outcome<PermitV> {
    let kinds = host.kinds(kinds)?;
    let trace = host.trace();
    if trace.phase != Phase::Running {
        drop(trace);
        let help = "use it in a rule, where it is known which kinds castle";
        return fail_help("moves_of() at the top level of a script comes too early", Some(help.into()));
    }
    let castles = &trace.declaration.spec.castles;
    let own = |castle: &&Castle| kinds.contains(castle.kinds.0);
    let origins: SquareSet = castles.iter().filter(own).map(|castle| castle.king.0).collect();
    let castling = match castles.iter().all(|castle| own(&castle)) {
        _ if origins.is_empty() => return Ok(PermitV::fixed(Permit::Pieces(kinds))),
        true => Permit::Castling,
        false => Permit::And(Box::new(Permit::Castling), Box::new(Permit::From(SetExpr::Is(origins)))),
    };
    Ok(PermitV::fixed(Permit::Or(Box::new(Permit::Pieces(kinds)), Box::new(castling))))
}

/// Pushes of so many steps.
fn pushes(steps: i64, more: &Map) -> Outcome<PermitV> {
    check_keys("pushes", more, &["fewer", "over_edge", "line"])?;
    let line = more.get("line").map_or(Ok(i64::from(i16::MAX)), number)?;
    let (fewer, over_edge) = (flag(more, "fewer", false)?, flag(more, "over_edge", false)?);
    Ok(PermitV::fixed(Permit::Push(Reach { steps: small(steps)?, fewer, over_edge, line: small(line)? })))
}

/// Moves of pieces that dice held in a counter pay for.
fn payable(host: &Host, pool: &str, side: SideRef, kinds: &Array, higher: bool) -> Outcome<PermitV> {
    let (counter, per_side) = host.counter(pool)?;
    if !per_side && side != SideRef::Mover {
        return fail(format!("the counter \"{pool}\" belongs to no side"));
    }
    let kinds = kinds.iter().map(|kind| host.kinds(kind)).collect::<Outcome<Vec<KindMask>>>()?;
    Ok(host.permit_value(Permit::Payable(Purse { counter, side, kinds }, higher)))
}

fn register_algebra(engine: &mut Engine, host: &Host) {
    type Join = fn(Permit, Permit) -> Permit;
    for (name, join) in [
        ("|", union as Join),
        ("&", |a, b| Permit::And(Box::new(a), Box::new(b))),
        ("-", |a, b| Permit::Minus(Box::new(a), Box::new(b))),
    ] {
        let h = host.clone();
        engine.register_fn(name, move |a: PermitV, b: PermitV| weight::permit(join(a.0.now(), b.0.now()), &h));
    }
    let h = host.clone();
    engine.register_fn("or_else", move |a: PermitV, b: Dynamic| -> Outcome<PermitV> {
        weight::permit(Permit::OrElse(Box::new(a.0.now()), Box::new(h.permit(&b)?)), &h)
    });
    type Change = fn(Box<Permit>) -> Permit;
    for (name, change) in [
        ("even_if_attacked", (|a| Permit::Safety(a, Guard::Ignored)) as Change),
        ("safely", |a| Permit::Safety(a, Guard::Heeded)),
        ("longest", Permit::Longest),
    ] {
        let h = host.clone();
        engine.register_fn(name, move |a: PermitV| weight::permit(change(Box::new(a.0.now())), &h));
    }
    let h = host.clone();
    engine.register_fn("of", move |a: PermitV, side: Dynamic| -> Outcome<PermitV> {
        weight::permit(Permit::Of(Box::new(a.0.now()), h.side(&side)?), &h)
    });
    let h = host.clone();
    engine.register_fn("exists", move |a: PermitV| -> Outcome<bool> {
        h.ask_truth(Query::AtLeast(Box::new(Query::Moves(a.0.now())), 1))
    });
    let h = host.clone();
    engine.register_fn("count", move |a: PermitV| -> Outcome<i64> { h.ask(Query::Moves(a.0.now())) });
}

/// Either of two permits; kinds are merged into one mask.
fn union(a: Permit, b: Permit) -> Permit {
    match (a, b) {
        (Permit::Pieces(a), Permit::Pieces(b)) => Permit::Pieces(KindMask(a.0 | b.0)),
        (Permit::Nothing, other) | (other, Permit::Nothing) => other,
        (Permit::Any, other) | (other, Permit::Any) if !other.makes() => Permit::Any,
        (a, b) => Permit::Or(Box::new(a), Box::new(b)),
    }
}

fn register_tests(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("where", move |ctx: NativeCallContext, permit: PermitV, test: FnPtr| -> Outcome<PermitV> {
        let rule = h.test(&ctx, &test, Subject::Move)?;
        weight::permit(Permit::Where(Box::new(permit.0.now()), rule), &h)
    });
    let h = host.clone();
    engine.register_fn("after", move |ctx: NativeCallContext, permit: PermitV, test: FnPtr| -> Outcome<PermitV> {
        let rule = h.test(&ctx, &test, Subject::Move)?;
        weight::permit(Permit::After(Box::new(permit.0.now()), rule), &h)
    });
}
