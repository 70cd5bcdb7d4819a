//! Dice: rolling them, reading their faces, drawing from pools.

use super::outcomes::{MOST_CAST, VisibleOutcomes, hidden, is_castable, is_sorted, parse};
use super::param::{
    Answer, Anything, Call, CounterName, DiceByPiece, DiceText, Faces, OptionKey, Options, Shown, SomeSets,
    fixed_number,
};
use super::row::{Chapter, Cost, Fact, Row, row};
use crate::host::convert::{misread, number, text};
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::option::{SECRET, TRUTH};
use crate::host::values::{AmountV, CastV, FacesV, MoveV, SetV, SideV, SquareV};
use crate::notation::dice;
use astragal_core::MOST_KEPT;
use astragal_core::amount::Amount;
use astragal_core::effect::Effect;
use astragal_core::query::{Find, Query, Tally, tally};
use astragal_core::rule::{Chance, Decision, PermitsByOutcome};
use astragal_core::value::{SetExpr, SideRef, SquareRef};
use astragal_core::{Dice, Die, Permit};
use rhai::{Dynamic, FnPtr};
use std::sync::Arc;

/// The options of rolls.
const ROLL_OPTIONS: &[OptionKey] = &[("secret", SECRET), ("sorted", TRUTH)];

pub(super) fn chapter() -> Chapter {
    Chapter {
        title: "Dice",
        intro: "A rule can roll dice anywhere. The rule's tree has a branch for each outcome that the script \
             distinguishes.",
        rows: [rolls(), rolled_for_pieces(), casts(), pools()].into_iter().flatten().collect(),
    }
}

fn rolls() -> Vec<Row> {
    vec![
        row("roll", Cost::Chance)
            .about(
                "Rolls dice and returns the faces: a number for one die, an array for several. Outcomes that the script
                does not distinguish share a branch of the tree. For example, if it uses only `dice.total`, outcomes
                with the same total share a branch. A function `key` computes a value from the faces, and the rule sees
                only that value. If a turn has more than 100,000 outcomes, `odds` estimates the probabilities. With
                `sorted: true`, the faces are an array in ascending order: 6d6 then has 462 branches instead of 46,656.
                With `secret: true`, only the mover sees the faces.",
            )
            .errors(r#"Write dice as in `"2d6"`. They can have at most a million outcomes, or 10,000 with `key`."#)
            .example(r#"let die = roll("1d6"); if die > 3 { label("high"); }"#)
            .options(ROLL_OPTIONS)
            .form(["dice", "options"], roll)
            .form(["dice", "key", "options"], |call: &Call<'_>, text: DiceText, key: FnPtr, options: Options| {
                roll_for_key(call, text, key, options).map(Anything)
            }),
        row("roll_playable", Cost::Chance)
            .about(
                "Rolls dice until the outcome permits a move. The function `permit` returns the permit for an outcome.
                If no outcome permits a move, `roll_playable` returns `()`. With a function `key` of the faces, such as
                `|dice| dice.total`, `permit` takes the result of `key`, and `roll_playable` returns that result. With
                `sorted: true`, the faces are an array in ascending order. With `secret: true`, only the mover sees the
                outcome.",
            )
            .errors("Dice can have at most 10,000 outcomes; with `sorted: true`, these are the sorted outcomes.")
            .example(
                r#"let die = roll_playable("1d6", |die| if die < 4 { pieces("pawn") } else { pieces("knight") });"#,
            )
            .options(ROLL_OPTIONS)
            .form(["dice", "permit", "options"], |call: &Call<'_>, text: DiceText, permit: FnPtr, options: Options| {
                roll_playable(call, text, None, permit, options)
            })
            .form(
                ["dice", "key", "permit", "options"],
                |call: &Call<'_>, text: DiceText, key: FnPtr, permit: FnPtr, options: Options| {
                    roll_playable(call, text, Some(key), permit, options).map(|told| Anything(told.give()))
                },
            ),
        row("roll_until", Cost::Chance)
            .about(
                "Rolls dice until the outcome passes a test. With a function `key` of the faces, the test takes the
                result of `key`, and `roll_until` returns that result. `odds` computes exact probabilities for
                `roll_until`. For a loop that rolls again, they are exact only if each pass leaves the position and all
                variables unchanged. With `sorted: true`, the faces are an array in ascending order. With `secret:
                true`, only the mover sees the outcome.",
            )
            .errors(
                "The test must accept at least one outcome. Dice can have at most 10,000 outcomes; with `sorted: true`,
                these are the sorted outcomes.",
            )
            .example(r#"let dice = roll_until("2d6", |dice| dice[0] != dice[1]);"#)
            .options(ROLL_OPTIONS)
            .form(["dice", "test", "options"], |call: &Call<'_>, text: DiceText, test: FnPtr, options: Options| {
                roll_until(call, text, None, test, options)
            })
            .form(
                ["dice", "key", "test", "options"],
                |call: &Call<'_>, text: DiceText, key: FnPtr, test: FnPtr, options: Options| {
                    roll_until(call, text, Some(key), test, options).map(|told| Anything(told.0))
                },
            ),
        row("roll_each", Cost::Chance)
            .about(
                "Rolls one die for each piece on the squares; the map `dice` sets the die for each kind of piece. To ask
                about the faces, use functions such as `total`. With `secret: true`, only the mover sees the faces.",
            )
            .errors("`dice` must be a map with one die for each kind.")
            .example(
                r#"let rolled = roll_each(squares_of(mover(), "king"), #{ king: "1d6" }); if
                rolled.total(squares_of(mover(), "king")) > 3 { label("high"); }"#,
            )
            .options(&[("secret", SECRET)])
            .form(["squares", "dice", "options"], roll_each),
    ]
}

fn roll(call: &Call<'_>, text: DiceText, options: Options) -> ScriptResult<Shown> {
    let (secret, dice) = (options.secret(call)?, parse(&text)?);
    let told =
        if is_sorted(&options)? { VisibleOutcomes::sorted(call, dice) } else { VisibleOutcomes::as_used(call, dice) };
    let rolled = told.roll(call, Chance::Roll(Arc::clone(&told.dice)), secret)?;
    Ok(rolled.unwrap_or(Shown(Dynamic::UNIT)))
}

fn roll_for_key(call: &Call<'_>, text: DiceText, key: FnPtr, options: Options) -> ScriptResult<Dynamic> {
    let (secret, told) = (options.secret(call)?, VisibleOutcomes::listed(call, &text, &options, Some(key))?);
    let rolled = told.roll(call, Chance::Roll(Arc::clone(&told.dice)), secret)?;
    Ok(rolled.give())
}

fn roll_playable(
    call: &Call<'_>,
    text: DiceText,
    key: Option<FnPtr>,
    permit: FnPtr,
    options: Options,
) -> ScriptResult<Option<Shown>> {
    let (secret, told) = (options.secret(call)?, VisibleOutcomes::listed(call, &text, &options, key)?);
    let results = told.each(|outcome| call.apply(&permit, (outcome,)))?;
    let permits = results.iter().map(|result| call.permit(result)).collect::<ScriptResult<Vec<Permit>>>()?;
    let permits = Arc::new(PermitsByOutcome::new(permits));
    told.roll(call, Chance::Playable(Arc::clone(&told.dice), permits), secret)
}

fn roll_until(
    call: &Call<'_>,
    text: DiceText,
    key: Option<FnPtr>,
    test: FnPtr,
    options: Options,
) -> ScriptResult<Shown> {
    let (secret, told) = (options.secret(call)?, VisibleOutcomes::listed(call, &text, &options, key)?);
    let possible = told.each(|outcome| test.call_within_context::<bool>(call.context(), (outcome,)))?;
    if !possible.contains(&true) {
        return fail(format!("no outcome of {} passes the test, so the dice would be rolled forever", *text));
    }
    let rolled = told.roll(call, Chance::Only(Arc::clone(&told.dice), Arc::new(possible)), secret)?;
    Ok(rolled.unwrap_or(Shown(Dynamic::UNIT)))
}

fn roll_each(call: &Call<'_>, sets: SomeSets, table: DiceByPiece, options: Options) -> ScriptResult<FacesV> {
    let secret = options.secret(call)?;
    let kinds = call.trace().declaration.spec.kinds.len();
    let mut dice: Vec<Option<Die>> = vec![None; kinds];
    for (kind, value) in table.iter() {
        let parsed = parse(&text(value)?)?;
        let [die] = parsed.dice.as_slice() else {
            return fail(format!("each piece rolls one die, not {}", parsed.text));
        };
        dice[call.kind(kind)?.index()] = Some(die.clone());
    }
    let (_, slot) = call.roll(hidden(Chance::Each { sets: sets.0, dice: Arc::new(dice) }, secret))?;
    Ok(FacesV(slot.unwrap_or_default()))
}

fn rolled_for_pieces() -> Vec<Row> {
    vec![
        row("total", Cost::Question)
            .about("Returns the sum of the faces rolled for the pieces on these squares.")
            .example(
                r#"let kings = squares_of_all("king"); let rolled = roll_each(kings, #{ king: "1d6" }); if
                rolled.total(kings) > 9 { label("high"); }"#,
            )
            .form(["rolled", "squares"], tally_of(Tally::Total)),
        row("lowest", Cost::Question)
            .about("Returns the lowest face rolled for the pieces on these squares.")
            .example(
                r#"let kings = squares_of_all("king"); let rolled = roll_each(kings, #{ king: "1d6" }); if
                rolled.lowest(kings) == 1 { label("one"); }"#,
            )
            .form(["rolled", "squares"], tally_of(Tally::Lowest)),
        row("highest", Cost::Question)
            .about("Returns the highest face rolled for the pieces on these squares.")
            .example(
                r#"let kings = squares_of_all("king"); let rolled = roll_each(kings, #{ king: "1d6" }); if
                rolled.highest(kings) == 6 { label("six"); }"#,
            )
            .form(["rolled", "squares"], tally_of(Tally::Highest)),
        row("compare", Cost::Question)
            .about(
                "Compares the sums of the faces rolled for the pieces on two sets of squares. Returns 1 if the sum for
                `a` is greater than the sum for `b`, 0 if both are equal, and -1 if it is less.",
            )
            .example(
                r#"let a = squares_of(mover(), "king"); let b = squares_of(opponent(), "king"); let rolled =
                roll_each([a, b], #{ king: "1d6" }); if rolled.compare(a, b) == 1 { label("more"); }"#,
            )
            .form(["rolled", "a", "b"], |call: &Call<'_>, rolled: FacesV, a: SetExpr, b: SetExpr| {
                call.ask_number(Query::CompareFaces(rolled.0, a, b), 0)
            }),
        row("lowest_squares", Cost::Search)
            .about("Returns the squares in this set whose pieces rolled the lowest face.")
            .example(
                r#"let kings = squares_of_all("king"); let rolled = roll_each(kings, #{ king: "1d6" }); let losers =
                rolled.lowest_squares(kings);"#,
            )
            .form(["rolled", "squares"], |call: &Call<'_>, rolled: FacesV, squares: SetExpr| {
                call.find_squares(Find::Lowest(rolled.0, squares))
            }),
    ]
}

/// Asks for a tally of the faces rolled for pieces.
fn tally_of(tally: Tally) -> impl Fn(&Call<'_>, FacesV, SetExpr) -> ScriptResult<i64> {
    move |call, rolled, squares| call.ask_number(Query::Faces(rolled.0, squares, tally), 0)
}

fn casts() -> Vec<Row> {
    vec![
        row("cast", Cost::Chance)
            .about(
                "Rolls dice that the rule can calculate with but whose faces it cannot see. The rule does not become
                slower if the dice have more outcomes. With `secret: true`, only the mover sees the faces.",
            )
            .example(r#"let dice = cast("3d20"); if dice.total > 30 { label("high"); }"#)
            .options(&[("secret", SECRET)])
            .form(["dice", "options"], cast),
        row("cast[]", Cost::Value)
            .about("Returns the face of one of the dice as a computed number. The first die has the index 0.")
            .example(r#"let dice = cast("2d20"); if dice[0] > dice[1] { label("more"); }"#)
            .form(["cast", "index"], |_: &Call<'_>, dice: CastV, index: i64| match u8::try_from(index) {
                Ok(index) => Ok(fixed_number(Amount::Face(dice.0, index))),
                Err(_) => fail(format!("the index of a die must be 0 or more, not {index}")),
            }),
        row("cast.total", Cost::Value)
            .about(
                "Return computed numbers: the sum of the faces, the lowest face, the highest face, and the number of
                dice. `alike` is the largest number of dice with the same face, `different` is the number of different
                faces, and `row` is the length of the longest run of consecutive faces.",
            )
            .example(r#"let dice = cast("2d20"); if dice.highest == 20 { label("twenty"); }"#)
            .form(["cast"], of_cast(Tally::Total))
            .also("cast.lowest")
            .form(["cast"], of_cast(Tally::Lowest))
            .also("cast.highest")
            .form(["cast"], of_cast(Tally::Highest))
            .also("cast.count")
            .form(["cast"], of_cast(Tally::Count))
            .also("cast.alike")
            .form(["cast"], of_cast(Tally::Alike))
            .also("cast.different")
            .form(["cast"], of_cast(Tally::Kinds))
            .also("cast.row")
            .form(["cast"], of_cast(Tally::Row)),
        row("count_of", Cost::Value)
            .about("Returns how many of the cast dice, or how many faces in the array, show this face.")
            .example(r#"let dice = cast("5d6"); if dice.count_of(6) >= 2 { label("two sixes"); }"#)
            .form(["dice", "face"], |call: &Call<'_>, dice: CastV, face: i16| of_cast(Tally::Showing(face))(call, dice))
            .form(["faces", "face"], |call: &Call<'_>, faces: Faces, face: i16| {
                of_faces(Tally::Showing(face))(call, faces)
            }),
        row("ranked", Cost::Value)
            .about(
                "Sorts cast dice or an array of faces in descending order, and returns the face at this place: 1 is the
                highest face, 2 the second highest, and so on.",
            )
            .errors("There must be a die at this place.")
            .example(r#"let dice = cast("5d6"); if dice.ranked(2) == 6 { label("two sixes"); }"#)
            .form(["dice", "place"], |call: &Call<'_>, dice: CastV, place: i64| of_cast(ranked(place)?)(call, dice))
            .form(["faces", "place"], |call: &Call<'_>, faces: Faces, place: i64| {
                of_faces(ranked(place)?)(call, faces)
            }),
        row("faces.total", Cost::Value)
            .about(
                "Return the sum of the faces, the lowest face and the highest face in an array of faces. `alike` is the
                largest number of dice with the same face, `different` is the number of different faces, and `row` is
                the length of the longest run of consecutive faces.",
            )
            .example(r#"let dice = roll("3d6"); if dice.alike == 3 { label("a triple"); }"#)
            .form(["faces"], of_faces(Tally::Total))
            .also("faces.lowest")
            .form(["faces"], of_faces(Tally::Lowest))
            .also("faces.highest")
            .form(["faces"], of_faces(Tally::Highest))
            .also("faces.alike")
            .form(["faces"], of_faces(Tally::Alike))
            .also("faces.different")
            .form(["faces"], of_faces(Tally::Kinds))
            .also("faces.row")
            .form(["faces"], of_faces(Tally::Row)),
        row("reroll", Cost::Chance)
            .about(
                "Lets a player choose which cast dice to keep, and rolls the others again, up to `times` times (default:
                once). Returns the final dice.",
            )
            .errors("There can be at most 10 dice, and all must be of the same kind.")
            .example(r#"let dice = reroll(cast("2d6"), 2); if dice.total > 9 { label("high"); }"#)
            .form(["dice", "times"], |call: &Call<'_>, dice: CastV, times: Option<i64>| {
                reroll(call, SideRef::ToMove, dice, times)
            })
            .form(["side", "dice", "times"], reroll),
    ]
}

/// A tally of cast dice, such as their total.
fn of_cast(tally: Tally) -> impl Fn(&Call<'_>, CastV) -> ScriptResult<AmountV> {
    move |_, dice| Ok(fixed_number(Amount::Dice(dice.0, tally)))
}

/// The same for visible dice: arrays of numbers.
fn of_faces(what: Tally) -> impl Fn(&Call<'_>, Faces) -> ScriptResult<i64> {
    move |_, faces| {
        let faces = faces.iter().map(number).collect::<ScriptResult<Vec<i64>>>()?;
        Ok(tally(faces.into_iter(), what))
    }
}

fn ranked(place: i64) -> ScriptResult<Tally> {
    match u8::try_from(place) {
        Ok(place @ 1..) => Ok(Tally::Ranked(place)),
        _ => fail(format!("the highest die has place 1, the next 2: there is no place {place}")),
    }
}

fn cast(call: &Call<'_>, text: DiceText, options: Options) -> ScriptResult<CastV> {
    let (secret, dice) = (options.secret(call)?, Arc::new(unseen(&text)?));
    let (_, slot) = call.roll(hidden(Chance::Held(Arc::clone(&dice)), secret))?;
    Ok(CastV(slot.unwrap_or_default(), Some(dice), secret.map(|side| call.side_value(side))))
}

/// Parses dice whose faces make no branches. They may have more outcomes than can be listed, but not more than can be
/// counted.
fn unseen(text: &str) -> ScriptResult<Dice> {
    let dice = dice::parse(text).or_else(misread)?;
    if !is_castable(&dice) {
        return fail_help(
            format!("{text} has too many outcomes to count"),
            Some(format!("one `cast()` can have {MOST_CAST}; to use more dice, add the results of several calls")),
        );
    }
    Ok(dice)
}

/// The player chooses which dice to keep, and the others are rolled again. This repeats until the player keeps them all or
/// the number of rolls is used up.
fn reroll(call: &Call<'_>, by: SideRef, mut cast: CastV, times: Option<i64>) -> ScriptResult<CastV> {
    let Some(dice) = cast.1.clone() else { return fail("only dice from `cast()` can be rolled again") };
    if dice.dice.windows(2).any(|pair| pair[0] != pair[1]) || dice.dice.len() > MOST_KEPT {
        return fail(format!("at most {MOST_KEPT} dice, all of the same kind, can be rerolled, not {dice}"));
    }
    for _ in 0..times.unwrap_or(1) {
        let (faces, secret) = (cast.0, cast.2.as_ref().map(|side| side.0.now()));
        let keep = Decision::Keep { by, faces };
        let keep = if secret.is_some() { Decision::Secret(Box::new(keep)) } else { keep };
        let (answer, kept) = call.decide(keep)?;
        if answer == 0 {
            break;
        }
        let (_, slot) = call.roll(hidden(Chance::Again { dice: Arc::clone(&dice), faces, kept }, secret))?;
        cast.0 = slot.unwrap_or_default();
    }
    Ok(cast)
}

fn pools() -> Vec<Row> {
    vec![
        row("draw_from", Cost::Chance)
            .about(
                "Draws a die, card or chip at random from a pool, and removes it from the pool. A pool is a counter with
                a place for each face. Returns `()` if the pool is empty. With `secret: true`, only the mover sees what
                was drawn.",
            )
            .example(r#"if draw_from("dice") == () { label("empty"); }"#)
            .facts(&[Fact::Spends])
            .options(&[("secret", SECRET)])
            .form(["pool", "options"], |call: &Call<'_>, pool: CounterName, options: Options| {
                draw(call, pool, SideRef::Mover, options)
            })
            .form(["pool", "side", "options"], draw),
        row("draw_from", Cost::Chance)
            .about(
                "Draws one of the squares at random, each with the same probability; returns `()` if the set is empty.
                With `secret: true`, only the mover sees which square was drawn.",
            )
            .example(r#"let lost = draw_from(squares_of(mover(), "pawn")); if lost != () { label("drawn"); }"#)
            .options(&[("secret", SECRET)])
            .form(["squares", "options"], pick),
        row("draw_move", Cost::Chance)
            .newer()
            .about(
                "Draws one of the permitted moves, each with the same probability; returns `()` if there are none. The
                move is not made: you can ask about it or `make` it. The record contains the move in coordinates (`roll
                e2e4`). With `secret: true`, only the mover sees the move.",
            )
            .example("let mv = draw_move(any()); if mv != () { make(mv); }")
            .options(&[("secret", SECRET)])
            .facts(&[Fact::TellsOfRoyals])
            .form(["permit", "options"], |call: &Call<'_>, permit: Permit, options: Options| {
                let (answer, slot) = call.roll(hidden(Chance::PickMove(permit), options.secret(call)?))?;
                Ok((answer >= 0).then(|| MoveV(slot.unwrap_or_default())))
            }),
        row("keep", Cost::Effect)
            .about(
                "Puts cast dice into a pool, which is a counter with a place for each face: each die adds 1 to the place
                of its face.",
            )
            .errors("The pool must have as many places as the dice have faces.")
            .example(r#"cast("2d6").keep("dice");"#)
            .facts(&[Fact::Fills])
            .form(["dice", "pool", "side"], keep),
    ]
}

/// A die, card or counter drawn by chance from a pool and removed from it; `None` if the pool is empty.
fn draw(call: &Call<'_>, pool: CounterName, side: SideRef, options: Options) -> ScriptResult<Option<CastV>> {
    let (counter, _) = call.counter(&pool)?;
    let secret = options.secret(call)?;
    let (answer, slot) = call.roll(hidden(Chance::Draw(counter, side), secret))?;
    let slot = slot.unwrap_or_default();
    if answer < 0 {
        return Ok(None);
    }
    call.act(Effect::Scatter(counter, side, slot))?;
    Ok(Some(CastV(slot, None, secret.map(|side| call.side_value(side)))))
}

/// A random square of a set; `None` if the set is empty.
fn pick(call: &Call<'_>, set: SetV, options: Options) -> ScriptResult<Option<SquareV>> {
    let (answer, slot) = call.roll(hidden(Chance::Pick(set.0), options.secret(call)?))?;
    Ok((answer >= 0).then(|| SquareV::place(SquareRef::Slot(slot.unwrap_or_default()))))
}

/// Puts dice into the counter's places for their faces.
fn keep(call: &Call<'_>, dice: CastV, pool: CounterName, side: Option<SideV>) -> ScriptResult<()> {
    let cell = call.cell(&pool, side, 1)?;
    call.act(Effect::Gather(cell.counter, cell.side, dice.0))
}
