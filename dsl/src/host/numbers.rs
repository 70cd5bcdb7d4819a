//! Numbers of the game: counters, the dice held in them, the traits of pieces, and numbers that a rule
//! reckons with but does not see.

use super::convert::{number, small};
use super::live::Live;
use super::trace::{Host, Outcome, fail};
use super::values::{AmountV, CastV, SetV, SideV, SquareV};
use super::weight;
use astragal_core::amount::{Amount, Cell};
use astragal_core::effect::Effect;
use astragal_core::query::{Query, Tally, tally as tally_of};
use astragal_core::value::{SetExpr, SideRef};
use rhai::{Array, Dynamic, Engine};

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    engine.register_type_with_name::<AmountV>("Number");
    engine.register_type_with_name::<CastV>("Cast");
    register_reading(engine, host);
    register_counters(engine, host);
    register_traits(engine, host);
    register_pools(engine, host);
    register_arithmetic(engine, host);
    register_comparison(engine, host);
    register_cast(engine);
}

impl Host {
    /// A counter's cell; without a side the mover's, where each side has one.
    fn cell(&self, name: &str, side: Option<SideRef>, place: i64) -> Outcome<Cell> {
        let (counter, per_side) = self.counter(name)?;
        let size = self.trace().declaration.spec.counters[counter as usize].size;
        let Some(place) = u8::try_from(place - 1).ok().filter(|place| *place < size) else {
            return fail(format!("the counter \"{name}\" has the places 1 to {size}, not {place}"));
        };
        match side {
            Some(_) if !per_side => fail(format!("the counter \"{name}\" belongs to no side")),
            Some(side) => Ok(Cell { counter, place, side }),
            None => Ok(Cell { counter, place, side: SideRef::Mover }),
        }
    }

    /// A number: known, or to be reckoned with.
    pub(crate) fn amount(&self, value: &Dynamic) -> Outcome<Amount> {
        match value.read_lock::<AmountV>() {
            Some(amount) => Ok(amount.0.now()),
            None => Ok(Amount::Is(i64::from(small(number(value)?)?))),
        }
    }
}

fn register_reading(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("get", move |name: &str| h.ask(counted(&h, name, None, 1)?));
    let h = host.clone();
    engine.register_fn("get", move |name: &str, side: SideV| h.ask(counted(&h, name, Some(side.0.now()), 1)?));
    let h = host.clone();
    engine.register_fn("get_at", move |name: &str, place: i64| h.ask(counted(&h, name, None, place)?));
    let h = host.clone();
    engine.register_fn("get_at", move |name: &str, side: SideV, place: i64| {
        h.ask(counted(&h, name, Some(side.0.now()), place)?)
    });
    let h = host.clone();
    engine.register_fn("number", move |name: &str| amount_of(&h, h.cell(name, None, 1)));
    let h = host.clone();
    engine.register_fn("number", move |name: &str, side: SideV| amount_of(&h, h.cell(name, Some(side.0.now()), 1)));
    let h = host.clone();
    engine.register_fn("number_at", move |name: &str, place: i64| amount_of(&h, h.cell(name, None, place)));
    let h = host.clone();
    engine.register_fn("number_at", move |name: &str, side: SideV, place: i64| {
        amount_of(&h, h.cell(name, Some(side.0.now()), place))
    });
    let h = host.clone();
    engine.register_fn("get", move |square: SquareV, name: &str| -> Outcome<i64> {
        h.ask(Query::Amount(Amount::Trait(h.trait_index(name)?, square.0.now())))
    });
    let h = host.clone();
    engine.register_fn("number", move |square: SquareV, name: &str| -> Outcome<AmountV> {
        Ok(h.number_value(Amount::Trait(h.trait_index(name)?, square.0.now())))
    });
    engine.register_fn("number", |set: SetV| AmountV(Live::fixed(Amount::Count(set.0))));
}

fn counted(host: &Host, name: &str, side: Option<SideRef>, place: i64) -> Outcome<Query> {
    Ok(Query::Amount(Amount::Counter(host.cell(name, side, place)?)))
}

fn amount_of(host: &Host, cell: Outcome<Cell>) -> Outcome<AmountV> {
    cell.map(|cell| host.number_value(Amount::Counter(cell)))
}

fn register_counters(engine: &mut Engine, host: &Host) {
    type Change = fn(Cell, Amount) -> Effect;
    for (one, at, change) in
        [("set", "set_at", Effect::SetCounter as Change), ("add", "add_at", Effect::AddCounter as Change)]
    {
        let h = host.clone();
        engine.register_fn(one, move |name: &str, value: Dynamic| -> Outcome<()> {
            h.act(change(h.cell(name, None, 1)?, h.amount(&value)?))
        });
        let h = host.clone();
        engine.register_fn(one, move |name: &str, side: SideV, value: Dynamic| -> Outcome<()> {
            h.act(change(h.cell(name, Some(side.0.now()), 1)?, h.amount(&value)?))
        });
        let h = host.clone();
        engine.register_fn(at, move |name: &str, place: i64, value: Dynamic| -> Outcome<()> {
            h.act(change(h.cell(name, None, place)?, h.amount(&value)?))
        });
        let h = host.clone();
        engine.register_fn(at, move |name: &str, side: SideV, place: i64, value: Dynamic| -> Outcome<()> {
            h.act(change(h.cell(name, Some(side.0.now()), place)?, h.amount(&value)?))
        });
    }
}

fn register_traits(engine: &mut Engine, host: &Host) {
    type Change = fn(u8, SetExpr, Amount) -> Effect;
    for (name, change) in [("set", Effect::SetTrait as Change), ("add", Effect::AddTrait as Change)] {
        let h = host.clone();
        engine.register_fn(name, move |square: SquareV, name: &str, value: Dynamic| -> Outcome<()> {
            h.act(change(h.trait_index(name)?, SetExpr::One(square.0.now()), h.amount(&value)?))
        });
        let h = host.clone();
        engine.register_fn(name, move |set: SetV, name: &str, value: Dynamic| -> Outcome<()> {
            h.act(change(h.trait_index(name)?, set.0, h.amount(&value)?))
        });
    }
}

/// Dice held in counters whose places stand for faces.
fn register_pools(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("keep", move |dice: CastV, name: &str| -> Outcome<()> {
        let cell = h.cell(name, None, 1)?;
        h.act(Effect::Gather(cell.counter, cell.side, dice.0))
    });
    let h = host.clone();
    engine.register_fn("keep", move |dice: CastV, name: &str, side: SideV| -> Outcome<()> {
        let cell = h.cell(name, Some(side.0.now()), 1)?;
        h.act(Effect::Gather(cell.counter, cell.side, dice.0))
    });
    let h = host.clone();
    engine.register_fn("discard", move |name: &str, side: SideV| -> Outcome<()> {
        let cell = h.cell(name, Some(side.0.now()), 1)?;
        h.act(Effect::Clear(cell.counter, cell.side))
    });
    let h = host.clone();
    engine.register_fn("discard", move |name: &str| -> Outcome<()> {
        let cell = h.cell(name, None, 1)?;
        h.act(Effect::Clear(cell.counter, cell.side))
    });
    register_held(engine, host);
}

/// Questions about a pool and its spending; a pool that belongs to no side, or the mover's, needs none named.
fn register_held(engine: &mut Engine, host: &Host) {
    for named in [true, false] {
        // The side of the pool, as the call has it.
        let owner = move |side: &SideV| named.then(|| side.0.now());
        let h = host.clone();
        let spend = move |name: &str, side: SideV, face: i64| -> Outcome<()> {
            h.act(Effect::AddCounter(h.cell(name, owner(&side), face)?, Amount::Is(-1)))
        };
        let h = host.clone();
        let holds_face = move |name: &str, side: SideV, face: i64| -> Outcome<bool> {
            h.ask_truth(Query::Less(Amount::Is(0), Amount::Counter(h.cell(name, owner(&side), face)?)))
        };
        let h = host.clone();
        let held = move |name: &str, side: SideV| -> Outcome<AmountV> {
            let cell = h.cell(name, owner(&side), 1)?;
            Ok(h.number_value(Amount::Held(cell.counter, cell.side)))
        };
        let h = host.clone();
        let highest = move |name: &str, side: SideV| -> Outcome<i64> {
            let cell = h.cell(name, owner(&side), 1)?;
            h.ask(Query::Amount(Amount::Highest(cell.counter, cell.side)))
        };
        let (h, total) = (host.clone(), held.clone());
        let holds = move |name: &str, side: SideV| h.ask_truth(Query::Less(Amount::Is(0), total(name, side)?.0.now()));
        if named {
            engine.register_fn("spend", spend);
            engine.register_fn("holds", holds_face);
            engine.register_fn("holds", holds);
            engine.register_fn("held", held);
            engine.register_fn("highest", highest);
        } else {
            let mover = || SideV(Live::fixed(SideRef::Mover));
            engine.register_fn("spend", move |name: &str, face: i64| spend(name, mover(), face));
            engine.register_fn("holds", move |name: &str, face: i64| holds_face(name, mover(), face));
            engine.register_fn("holds", move |name: &str| holds(name, mover()));
            engine.register_fn("held", move |name: &str| held(name, mover()));
            engine.register_fn("highest", move |name: &str| highest(name, mover()));
        }
    }
}

type Pair = fn(Box<Amount>, Box<Amount>) -> Amount;

fn register_arithmetic(engine: &mut Engine, host: &Host) {
    for (name, join) in [
        ("+", Amount::Plus as Pair),
        ("-", Amount::Minus as Pair),
        ("*", Amount::Times as Pair),
        ("max", Amount::Greater as Pair),
        ("min", Amount::Smaller as Pair),
    ] {
        let joined = |host: &Host| {
            let h = host.clone();
            move |a: Amount, b: Amount| weight::amount(join(a.into(), b.into()), &h)
        };
        let both = joined(host);
        engine.register_fn(name, move |a: AmountV, b: AmountV| both(a.0.now(), b.0.now()));
        let both = joined(host);
        engine.register_fn(name, move |a: AmountV, b: i64| both(a.0.now(), Amount::Is(b)));
        let both = joined(host);
        engine.register_fn(name, move |a: i64, b: AmountV| both(Amount::Is(a), b.0.now()));
    }
}

/// Comparing asks: only then does the rule's course depend on the number.
fn register_comparison(engine: &mut Engine, host: &Host) {
    let less = |host: &Host, a: Amount, b: Amount| host.ask_truth(Query::Less(a, b));
    let same = move |host: &Host, a: Amount, b: Amount| -> Outcome<bool> {
        Ok(!less(host, a.clone(), b.clone())? && !less(host, b, a)?)
    };
    let compare = move |host: &Host, operator: &str, a: Amount, b: Amount| match operator {
        "<" => less(host, a, b),
        ">" => less(host, b, a),
        "<=" => less(host, b, a).map(|is| !is),
        ">=" => less(host, a, b).map(|is| !is),
        "==" => same(host, a, b),
        _ => same(host, a, b).map(|is| !is),
    };
    for operator in ["<", ">", "<=", ">=", "==", "!="] {
        let h = host.clone();
        engine.register_fn(operator, move |a: AmountV, b: AmountV| compare(&h, operator, a.0.now(), b.0.now()));
        let h = host.clone();
        engine.register_fn(operator, move |a: AmountV, b: i64| compare(&h, operator, a.0.now(), Amount::Is(b)));
        let h = host.clone();
        engine.register_fn(operator, move |a: i64, b: AmountV| compare(&h, operator, Amount::Is(a), b.0.now()));
    }
    let h = host.clone();
    engine.register_get("value", move |a: &mut AmountV| h.ask(Query::Amount(a.0.now())));
}

fn register_cast(engine: &mut Engine) {
    engine.register_indexer_get(|dice: &mut CastV, index: i64| -> Outcome<AmountV> {
        match u8::try_from(index) {
            Ok(index) => Ok(AmountV(Live::fixed(Amount::Face(dice.0, index)))),
            Err(_) => fail(format!("dice are numbered from 0, not {index}")),
        }
    });
    for (name, tally) in
        [("total", Tally::Total), ("lowest", Tally::Lowest), ("highest", Tally::Highest), ("count", Tally::Count)]
    {
        engine.register_get(name, move |dice: &mut CastV| AmountV(Live::fixed(Amount::Dice(dice.0, tally))));
    }
    for (name, tally) in PATTERNS {
        engine.register_get(name, move |dice: &mut CastV| AmountV(Live::fixed(Amount::Dice(dice.0, tally))));
    }
    engine.register_fn("count_of", |dice: CastV, face: i64| -> Outcome<AmountV> {
        Ok(AmountV(Live::fixed(Amount::Dice(dice.0, Tally::Showing(small(face)?)))))
    });
    engine.register_fn("ranked", |dice: CastV, place: i64| -> Outcome<AmountV> {
        Ok(AmountV(Live::fixed(Amount::Dice(dice.0, ranked(place)?))))
    });
    register_rolled(engine);
}

/// What dice show together.
const PATTERNS: [(&str, Tally); 3] = [("alike", Tally::Alike), ("different", Tally::Kinds), ("row", Tally::Row)];

fn ranked(place: i64) -> Outcome<Tally> {
    match u8::try_from(place) {
        Ok(place @ 1..) => Ok(Tally::Ranked(place)),
        _ => fail(format!("the highest die has place 1, the next 2: there is no place {place}")),
    }
}

/// The same of dice that are seen: arrays of numbers.
fn register_rolled(engine: &mut Engine) {
    let tallied = |dice: &Array, tally: Tally| -> Outcome<i64> {
        let faces = dice.iter().map(number).collect::<Outcome<Vec<i64>>>()?;
        Ok(tally_of(faces.into_iter(), tally))
    };
    let sums = [("total", Tally::Total), ("lowest", Tally::Lowest), ("highest", Tally::Highest)];
    for (name, tally) in sums.into_iter().chain(PATTERNS) {
        engine.register_get(name, move |dice: &mut Array| tallied(dice, tally));
    }
    engine.register_fn("count_of", move |dice: Array, face: i64| tallied(&dice, Tally::Showing(small(face)?)));
    engine.register_fn("ranked", move |dice: Array, place: i64| tallied(&dice, ranked(place)?));
}
