//! Numbers of the game: counters, dice held in counters, piece traits, and numbers that a rule calculates with but does not
//! see.

use super::param::{Call, CounterName, Operand, Track, Trait, fixed_number};
use super::row::{Chapter, Cost, Fact, Row, row};
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::size_limit;
use crate::host::values::{AmountV, SetV, SideV, SquareV};
use astragal_core::amount::{Amount, CounterRef};
use astragal_core::effect::Effect;
use astragal_core::query::Query;
use astragal_core::value::{SetExpr, SideRef};

pub(super) fn chapter() -> Chapter {
    Chapter {
        title: "Numbers of the game",
        intro: "`get` reads a counter or trait, with a branch for each value. `number` returns a computed number: \
             the rule can calculate with it and compare it without a branch for each value.",
        rows: [reading(), reckoning(), changing(), spending()].into_iter().flatten().collect(),
    }
}

impl Call<'_> {
    /// A counter's cell. Without a side it is the mover's, if each side has one.
    pub(super) fn cell(&self, name: &str, side: Option<SideV>, place: i64) -> ScriptResult<CounterRef> {
        let side = side.map(|side| side.0.now());
        let (counter, per_side) = self.counter(name)?;
        let size = self.trace().declaration.spec.counters[counter as usize].size;
        let Some(place) = u8::try_from(place - 1).ok().filter(|place| *place < size) else {
            let help = match place {
                _ if size == 1 => format!("use place 1, or declare more: `counter(\"{name}\", .., #{{ places: .. }})`"),
                0 => {
                    format!("places are numbered from 1 to {size}: add 1 to an array index, and skip a face that is 0")
                }
                _ => format!("use a place from 1 to {size}"),
            };
            return fail_help(
                match size {
                    1 => format!("the counter \"{name}\" has only place 1, but no place {place}"),
                    _ => format!("the counter \"{name}\" has places 1 to {size}, but no place {place}"),
                },
                Some(help),
            );
        };
        match side {
            Some(_) if !per_side => {
                let help =
                    "leave out the side, or declare the counter with `each: true`: `counter(.., .., #{ each: true })`";
                fail_help(format!("the counter \"{name}\" belongs to no side"), Some(help.into()))
            }
            Some(side) => Ok(CounterRef { counter, place, side }),
            None => Ok(CounterRef { counter, place, side: SideRef::Mover }),
        }
    }
}

fn reading() -> Vec<Row> {
    vec![
        row("get", Cost::Question)
            .about("Returns the value of a counter.")
            .errors("There must be a counter with this name. Name a side only if each side has its own counter.")
            .example(r#"if get("stake") > 1 { label("doubled"); }"#)
            .form(["counter", "side"], |call: &Call<'_>, counter: CounterName, side: Option<SideV>| {
                get(call, counter, side, 1)
            }),
        row("get_at", Cost::Question)
            .about("Returns the value of one of a counter's places, counted from 1.")
            .errors("There must be a counter with this name. Name a side only if each side has its own counter.")
            .example(r#"if get_at("dice", mover(), 6) > 0 { label("six"); }"#)
            .form(["counter", "place"], |call: &Call<'_>, counter: CounterName, place: i64| {
                get(call, counter, None, place)
            })
            .form(["counter", "side", "place"], |call: &Call<'_>, counter: CounterName, side: SideV, place: i64| {
                get(call, counter, Some(side), place)
            }),
        row("get", Cost::Question)
            .about("Returns the value of a piece's trait.")
            .errors("Pieces must have a trait with this name.")
            .example(r#"if royal(mover()).get("mark") == 1 { label("marked"); }"#)
            .form(["square", "trait"], |call: &Call<'_>, square: SquareV, name: Trait| {
                call.ask_number(Query::Amount(Amount::Trait(name.0, square.0.now())), 0)
            }),
        row("number", Cost::Value)
            .about("Returns the value of a counter as a computed number.")
            .errors("There must be a counter with this name. Name a side only if each side has its own counter.")
            .example(r#"if number("score", mover()) > number("score", opponent()) { label("ahead"); }"#)
            .form(["counter", "side"], |call: &Call<'_>, counter: CounterName, side: Option<SideV>| {
                number(call, counter, side, 1)
            }),
        row("number_at", Cost::Value)
            .about("Returns the value of one of a counter's places, counted from 1, as a computed number.")
            .errors("There must be a counter with this name. Name a side only if each side has its own counter.")
            .example(r#"if number_at("dice", mover(), 6) > 0 { label("six"); }"#)
            .form(["counter", "place"], |call: &Call<'_>, counter: CounterName, place: i64| {
                number(call, counter, None, place)
            })
            .form(["counter", "side", "place"], |call: &Call<'_>, counter: CounterName, side: SideV, place: i64| {
                number(call, counter, Some(side), place)
            }),
        row("number", Cost::Value)
            .about("Returns the value of a piece's trait, or the number of squares in a set, as a computed number.")
            .errors("Pieces must have a trait with this name.")
            .example(r#"if number(squares_of(mover())) > number(squares_of(opponent())) { label("ahead"); }"#)
            .form(["square", "trait"], |call: &Call<'_>, square: SquareV, name: Trait| {
                Ok(call.number_value(Amount::Trait(name.0, square.0.now())))
            })
            .form(["squares"], |_: &Call<'_>, squares: SetV| Ok(fixed_number(Amount::Count(squares.0)))),
        row("number_of", Cost::Value)
            .newer()
            .about(
                "Returns how many pieces of one side, or of all sides, are on these squares, as a computed number. Every
                piece of a heap counts.",
            )
            .example(r#"if number_of(squares("a1-h4"), mover()) >= 5 { label("at home"); }"#)
            .form(["squares", "side"], |call: &Call<'_>, squares: SetExpr, side: Option<SideRef>| {
                Ok(call.number_value(Amount::Pieces(squares, side)))
            }),
        row("pips", Cost::Value)
            .newer()
            .about(
                "Returns the pip count of a side (default: the mover) as a computed number. This is the total number of
                stations that its pieces still have to move to the end of a track. Pieces in hand start before the first
                station, every piece of a heap counts, and pieces elsewhere do not. If pieces need one more step to
                leave the board, add one for each piece.",
            )
            .errors("There must be a track with this name.")
            .example(r#"if pips("lane") < pips("lane", opponent()) { label("ahead in the race"); }"#)
            .form(["track", "side"], |call: &Call<'_>, track: Track, side: Option<SideV>| {
                let side = side.map_or(SideRef::Mover, |side| side.0.now());
                Ok(call.number_value(Amount::Pips(track.0, side)))
            }),
        row("held", Cost::Value)
            .about(
                "Returns how many dice a pool holds, as a computed number. A pool is a counter with a place for each
                face.",
            )
            .example(r#"if held("dice", mover()) > 2 { label("many"); }"#)
            .form(["pool", "side"], |call: &Call<'_>, pool: CounterName, side: Option<SideV>| {
                let cell = call.cell(&pool, side, 1)?;
                Ok(call.number_value(Amount::Held(cell.counter, cell.side)))
            }),
        row("holds", Cost::Question)
            .about("Returns whether a pool holds any dice, or a die with this face.")
            .example(r#"if holds("dice", mover(), 6) { label("six"); }"#)
            .form(["pool", "face"], |call: &Call<'_>, pool: CounterName, face: Option<i64>| {
                holds(call, pool, None, face)
            })
            .form(["pool", "side", "face"], |call: &Call<'_>, pool: CounterName, side: SideV, face: Option<i64>| {
                holds(call, pool, Some(side), face)
            }),
        row("highest", Cost::Question)
            .about("Returns the highest face in a pool, or 0 if the pool is empty.")
            .example(r#"if highest("dice", mover()) == 6 { label("six"); }"#)
            .form(["pool", "side"], |call: &Call<'_>, pool: CounterName, side: Option<SideV>| {
                let cell = call.cell(&pool, side, 1)?;
                call.ask_number(Query::Amount(Amount::Highest(cell.counter, cell.side)), 0)
            }),
    ]
}

fn get(call: &Call<'_>, counter: CounterName, side: Option<SideV>, place: i64) -> ScriptResult<i64> {
    call.ask_number(Query::Amount(Amount::Counter(call.cell(&counter, side, place)?)), 0)
}

fn number(call: &Call<'_>, counter: CounterName, side: Option<SideV>, place: i64) -> ScriptResult<AmountV> {
    Ok(call.number_value(Amount::Counter(call.cell(&counter, side, place)?)))
}

/// Whether a pool holds a face, or anything.
fn holds(call: &Call<'_>, pool: CounterName, side: Option<SideV>, face: Option<i64>) -> ScriptResult<bool> {
    let cell = call.cell(&pool, side, face.unwrap_or(1))?;
    let held = match face {
        Some(_) => Amount::Counter(cell),
        None => Amount::Held(cell.counter, cell.side),
    };
    call.ask_truth(Query::Less(Amount::Is(0), held))
}

fn reckoning() -> Vec<Row> {
    vec![
        row("+", Cost::Value)
            .about("Adds two computed numbers. Either of them can be an ordinary number instead.")
            .example(r#"let both = number("score", mover()) + number("score", opponent());"#)
            .form(["a", "b"], reckoned(Amount::Plus)),
        row("-", Cost::Value)
            .about(
                "Subtracts the second computed number from the first. Either of them can be an ordinary number
                instead.",
            )
            .example(r#"let lead = number("score", mover()) - number("score", opponent());"#)
            .form(["a", "b"], reckoned(Amount::Minus)),
        row("*", Cost::Value)
            .about("Multiplies two computed numbers. Either of them can be an ordinary number instead.")
            .example(r#"let doubled = number("score", mover()) * 2;"#)
            .form(["a", "b"], reckoned(Amount::Times)),
        row("-", Cost::Value)
            .about("Returns the negative of a computed number.")
            .example(r#"let behind = -number("score", opponent());"#)
            .form(["a"], |call: &Call<'_>, a: Operand| {
                size_limit::amount(Amount::Minus(Amount::Is(0).into(), a.0.into()), call)
            }),
        row("/", Cost::Value)
            .about(
                "Divide a computed number by an ordinary number: `/` returns the quotient and `%` the remainder. `7 / 2`
                is 3 and `7 % 2` is 1; `-7 / 2` is -3 and `-7 % 2` is -1.",
            )
            .errors("The divisor must not be 0.")
            .example(r#"let holes = number("score") / 12; let rest = number("score") % 12;"#)
            .form(["a", "b"], |call: &Call<'_>, a: Operand, b: i64| divided(call, a, b, Amount::Quotient))
            .also("%")
            .form(["a", "b"], |call: &Call<'_>, a: Operand, b: i64| divided(call, a, b, Amount::Remainder)),
        row("max", Cost::Value)
            .about("Returns the greater of two computed numbers. Either of them can be an ordinary number instead.")
            .example(r#"let better = max(number("score", mover()), number("score", opponent()));"#)
            .form(["a", "b"], reckoned(Amount::Greater)),
        row("min", Cost::Value)
            .about("Returns the smaller of two computed numbers. Either of them can be an ordinary number instead.")
            .example(r#"let capped = min(number("score", mover()), 5);"#)
            .form(["a", "b"], reckoned(Amount::Smaller)),
        row("<", Cost::Question)
            .about(
                "Compare two computed numbers. Either of them can be an ordinary number instead. `==` and `!=` ask two
                questions.",
            )
            .example(r#"if number("score") >= 1 { label("some"); }"#)
            .form(["a", "b"], |call: &Call<'_>, a: Operand, b: Operand| less(call, a.0, b.0))
            .also(">")
            .form(["a", "b"], |call: &Call<'_>, a: Operand, b: Operand| less(call, b.0, a.0))
            .also("<=")
            .form(["a", "b"], |call: &Call<'_>, a: Operand, b: Operand| less(call, b.0, a.0).map(|is| !is))
            .also(">=")
            .form(["a", "b"], |call: &Call<'_>, a: Operand, b: Operand| less(call, a.0, b.0).map(|is| !is))
            .also("==")
            .form(["a", "b"], |call: &Call<'_>, a: Operand, b: Operand| same(call, a.0, b.0))
            .also("!=")
            .form(["a", "b"], |call: &Call<'_>, a: Operand, b: Operand| same(call, a.0, b.0).map(|is| !is)),
        row("number.value", Cost::Question)
            .about(
                "Returns the value of a computed number as an ordinary number. The tree has a branch for each value.",
            )
            .example(r#"if number("score").value == 2 { label("two"); }"#)
            .form(["number"], |call: &Call<'_>, number: Operand| call.ask_number(Query::Amount(number.0), 0)),
        row("to_string", Cost::Question)
            .about(
                "Converts a computed number to a string; the tree has a branch for each value. Joining the number to a
                string with `+`, or writing it as `${..}`, does the same.",
            )
            .example(r#"label("score " + number("score").to_string());"#)
            .form(["number"], |call: &Call<'_>, number: Operand| {
                call.ask_number(Query::Amount(number.0), 0).map(|value| value.to_string())
            }),
    ]
}

fn reckoned(
    join: fn(Box<Amount>, Box<Amount>) -> Amount,
) -> impl Fn(&Call<'_>, Operand, Operand) -> ScriptResult<AmountV> {
    move |call, a, b| size_limit::amount(join(a.0.into(), b.0.into()), call)
}

fn divided(call: &Call<'_>, a: Operand, by: i64, how: fn(Box<Amount>, i64) -> Amount) -> ScriptResult<AmountV> {
    if by == 0 {
        return fail("a number cannot be divided by 0");
    }
    size_limit::amount(how(a.0.into(), by), call)
}

/// A comparison asks the position: only then does the rule's course depend on the number.
fn less(call: &Call<'_>, a: Amount, b: Amount) -> ScriptResult<bool> {
    call.ask_truth(Query::Less(a, b))
}

fn same(call: &Call<'_>, a: Amount, b: Amount) -> ScriptResult<bool> {
    Ok(!less(call, a.clone(), b.clone())? && !less(call, b, a)?)
}

fn changing() -> Vec<Row> {
    vec![
        row("set", Cost::Effect)
            .about("Sets the value of a counter.")
            .errors("There must be a counter with this name. Name a side only if each side has its own counter.")
            .example(r#"set("score", mover(), 3);"#)
            .facts(&[Fact::Fills])
            .form(["counter", "value"], |call: &Call<'_>, counter: CounterName, value: Amount| {
                change(call, Effect::SetCounter, counter, None, 1, value)
            })
            .form(["counter", "side", "value"], |call: &Call<'_>, counter: CounterName, side: SideV, value: Amount| {
                change(call, Effect::SetCounter, counter, Some(side), 1, value)
            }),
        row("add", Cost::Effect)
            .about("Adds a number to a counter.")
            .errors("There must be a counter with this name. Name a side only if each side has its own counter.")
            .example(r#"add("score", mover(), 1);"#)
            .facts(&[Fact::Fills])
            .form(["counter", "value"], |call: &Call<'_>, counter: CounterName, value: Amount| {
                change(call, Effect::AddCounter, counter, None, 1, value)
            })
            .form(["counter", "side", "value"], |call: &Call<'_>, counter: CounterName, side: SideV, value: Amount| {
                change(call, Effect::AddCounter, counter, Some(side), 1, value)
            }),
        row("set_at", Cost::Effect)
            .about("Sets the number at one of a counter's places, counted from 1.")
            .errors("There must be a counter with this name. Name a side only if each side has its own counter.")
            .example(r#"set_at("dice", mover(), 6, 1);"#)
            .facts(&[Fact::Fills])
            .form(["counter", "place", "value"], at_place(Effect::SetCounter))
            .form(["counter", "side", "place", "value"], at_place_of(Effect::SetCounter)),
        row("add_at", Cost::Effect)
            .about("Adds a number to one of a counter's places, counted from 1.")
            .errors("There must be a counter with this name. Name a side only if each side has its own counter.")
            .example(r#"add_at("dice", mover(), 6, 1);"#)
            .facts(&[Fact::Fills])
            .form(["counter", "place", "value"], at_place(Effect::AddCounter))
            .form(["counter", "side", "place", "value"], at_place_of(Effect::AddCounter)),
        row("set", Cost::Effect)
            .about("Sets a trait of the piece on a square, or of all pieces on a set of squares.")
            .errors("Pieces must have a trait with this name.")
            .example(r#"set(squares_of(mover(), "king"), "mark", 1);"#)
            .facts(&[Fact::Fills])
            .form(["square", "trait", "value"], of_piece(Effect::SetTrait))
            .form(["squares", "trait", "value"], of_pieces(Effect::SetTrait)),
        row("add", Cost::Effect)
            .about("Adds a number to a trait of the piece on a square, or of all pieces on a set of squares.")
            .errors("Pieces must have a trait with this name.")
            .example(r#"add(royal(mover()), "mark", 1);"#)
            .facts(&[Fact::Fills])
            .form(["square", "trait", "value"], of_piece(Effect::AddTrait))
            .form(["squares", "trait", "value"], of_pieces(Effect::AddTrait)),
    ]
}

/// How a counter is changed.
type Change = fn(CounterRef, Amount) -> Effect;

fn change(
    call: &Call<'_>,
    change: Change,
    counter: CounterName,
    side: Option<SideV>,
    place: i64,
    value: Amount,
) -> ScriptResult<()> {
    call.act(change(call.cell(&counter, side, place)?, value))
}

fn at_place(how: Change) -> impl Fn(&Call<'_>, CounterName, i64, Amount) -> ScriptResult<()> {
    move |call, counter, place, value| change(call, how, counter, None, place, value)
}

fn at_place_of(how: Change) -> impl Fn(&Call<'_>, CounterName, SideV, i64, Amount) -> ScriptResult<()> {
    move |call, counter, side, place, value| change(call, how, counter, Some(side), place, value)
}

/// How a trait is changed.
type ChangeTrait = fn(u8, SetExpr, Amount) -> Effect;

fn of_piece(change: ChangeTrait) -> impl Fn(&Call<'_>, SquareV, Trait, Amount) -> ScriptResult<()> {
    move |call, square, name, value| call.act(change(name.0, SetExpr::One(square.0.now()), value))
}

fn of_pieces(change: ChangeTrait) -> impl Fn(&Call<'_>, SetV, Trait, Amount) -> ScriptResult<()> {
    move |call, squares, name, value| call.act(change(name.0, squares.0, value))
}

fn spending() -> Vec<Row> {
    vec![
        row("spend", Cost::Effect)
            .about("Removes one die with this face from a pool.")
            .errors("There must be a pool with this name. Name a side only if each side has its own pool.")
            .example(r#"if holds("dice", mover(), 6) { spend("dice", mover(), 6); }"#)
            .facts(&[Fact::Spends])
            .form(["pool", "face"], |call: &Call<'_>, pool: CounterName, face: i64| {
                change(call, Effect::AddCounter, pool, None, face, Amount::Is(-1))
            })
            .form(["pool", "side", "face"], |call: &Call<'_>, pool: CounterName, side: SideV, face: i64| {
                change(call, Effect::AddCounter, pool, Some(side), face, Amount::Is(-1))
            }),
        row("discard", Cost::Effect)
            .about("Removes all dice from a pool.")
            .errors("There must be a pool with this name. Name a side only if each side has its own pool.")
            .example(r#"discard("dice", mover());"#)
            .facts(&[Fact::Spends])
            .form(["pool", "side"], |call: &Call<'_>, pool: CounterName, side: Option<SideV>| {
                let cell = call.cell(&pool, side, 1)?;
                call.act(Effect::Clear(cell.counter, cell.side))
            }),
    ]
}
