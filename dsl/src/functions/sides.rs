//! Sides: whose turn it is, which moves they have, and their pieces.

use super::param::{Call, NamedSide, PieceOrSide};
use super::row::{Chapter, Cost, ExampleContext, Fact, Row, row};
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::values::SideV;
use astragal_core::query::Query;
use astragal_core::value::SideRef;
use astragal_core::{Kind, KindMask, MAX_SIDES, Side};

pub(super) fn chapter() -> Chapter {
    Chapter {
        title: "Sides",
        intro: "Instead of a side, you can pass its name as a string: `\"White\"`.",
        rows: [which(), what_they_can_do(), what_they_have()].into_iter().flatten().collect(),
    }
}

fn which() -> Vec<Row> {
    vec![
        row("mover", Cost::Value)
            .about("Returns the side whose turn it is. Between turns, it returns the side whose turn has just ended.")
            .example(r#"if has(mover(), "queen") { label("queen"); }"#)
            .form([], |call: &Call<'_>| Ok(call.side_value(SideRef::Mover))),
        row("opponent", Cost::Value)
            .about("Returns the next side in play after the mover.")
            .example(r#"if in_check(opponent()) { label("check"); }"#)
            .form([], |call: &Call<'_>| Ok(call.side_value(SideRef::Opponent))),
        row("to_move", Cost::Value)
            .about(
                "Returns the side to move now. Within a turn, it can differ from the mover; between turns, it is the
                next side.",
            )
            .example_in(ExampleContext::Outcome, r#"if between_turns() && !can_move(to_move()) { draw("stalemate"); }"#)
            .form([], |call: &Call<'_>| Ok(call.side_value(SideRef::ToMove))),
        row("ahead", Cost::Value)
            .about(
                "Returns the side that is this many places after the mover in the turn order; sides that are out also
                count. `places` can be 0 to 3 or, with more than four sides, 0 to the number of sides minus 1.",
            )
            .example(r#"if in_check(ahead(1)) { label("check"); }"#)
            .form(["places"], |call: &Call<'_>, places: i64| {
                // With fewer sides they are counted round again.
                let most = (call.trace().declaration.spec.sides.len() - 1).max(3);
                match u8::try_from(places) {
                    Ok(places) if usize::from(places) <= most => Ok(call.side_value(SideRef::Ahead(places))),
                    _ => fail_help(
                        format!("a side is 0 to {most} places ahead of the mover, not {places}"),
                        Some(format!("`ahead(places)` takes 0 to {most}: 0 is the mover")),
                    ),
                }
            }),
        row("side", Cost::Value)
            .about("Returns a side by its name.")
            .example(r#"if mover() == side("White") { label("white"); }"#)
            .form(["name"], |call: &Call<'_>, side: NamedSide| Ok(call.side_value(side.0))),
        row("name", Cost::Question).about("Returns the name of the side.").example("label(mover().name());").form(
            ["side"],
            |call: &Call<'_>, side: SideV| {
                let index = call.ask(Query::Side(side.0.now()))?;
                let trace = call.trace();
                Ok(trace.declaration.spec.sides.get(index as usize).map(|side| side.name.clone()))
            },
        ),
        row("==", Cost::Question)
            .about("Returns whether two sides are the same.")
            .example(r#"if to_move() == mover() { label("still"); }"#)
            .form(["a", "b"], same),
        row("!=", Cost::Question)
            .about("Returns whether two sides differ.")
            .example(r#"if mover() != side("White") { label("black"); }"#)
            .form(["a", "b"], |call: &Call<'_>, a: SideV, b: SideV| same(call, a, b).map(|same| !same)),
    ]
}

fn same(call: &Call<'_>, a: SideV, b: SideV) -> ScriptResult<bool> {
    let (a, b) = (a.0.now(), b.0.now());
    if a == b { Ok(true) } else { call.ask_truth(Query::SameSide(a, b)) }
}

fn what_they_can_do() -> Vec<Row> {
    vec![
        row("is_out", Cost::Question)
            .about("Returns whether the side is out, so that its turns are skipped.")
            .example(r#"if is_out(opponent()) { label("alone"); }"#)
            .form(["side"], |call: &Call<'_>, side: SideRef| call.ask_truth(Query::IsOut(side))),
        row("in_check", Cost::Question)
            .about(
                "Returns whether a royal piece of the side is attacked, by declared moves or by moves of `fn
                movement()`.",
            )
            .example(r#"if in_check(opponent()) { label("check"); }"#)
            .form(["side"], |call: &Call<'_>, side: SideRef| call.ask_truth(Query::InCheck(side))),
        row("can_move", Cost::Question)
            .about(
                "Returns whether the side has a legal move. Dice and permits are ignored, except the permit that `fn
                movement()` returns.",
            )
            .example(r#"if !can_move(opponent()) { label("stuck"); }"#)
            .form(["side"], |call: &Call<'_>, side: SideRef| call.ask_truth(Query::CanMove(side))),
        row("can_move_safely", Cost::Question)
            .about(
                "Returns whether the side has a move that leaves its royal pieces safe. Dice and permits are ignored,
                except the permit that `fn movement()` returns.",
            )
            .example(r#"if !can_move_safely(opponent()) { label("in danger"); }"#)
            .form(["side"], |call: &Call<'_>, side: SideRef| call.ask_truth(Query::CanMoveSafely(side))),
        row("mated", Cost::Question)
            .about(
                "Returns whether the side is in check and has no move that leaves its royal pieces safe, as in chess.
                Dice and permits are ignored, except the permit that `fn movement()` returns.",
            )
            .example(r#"if mated(opponent()) { label("mate"); }"#)
            .form(["side"], |call: &Call<'_>, side: SideRef| {
                Ok(call.ask_truth(Query::InCheck(side))? && !call.ask_truth(Query::CanMoveSafely(side))?)
            }),
        row("stalemated", Cost::Question)
            .about(
                "Returns whether the side is stalemated, as in chess: it is not in check and has no legal move. Dice and
                permits are ignored, except the permit that `fn movement()` returns.",
            )
            .example_in(ExampleContext::Outcome, r#"if stalemated(to_move()) { draw("stalemate"); }"#)
            .form(["side"], |call: &Call<'_>, side: SideRef| {
                Ok(!call.ask_truth(Query::CanMove(side))? && !call.ask_truth(Query::InCheck(side))?)
            }),
    ]
}

fn what_they_have() -> Vec<Row> {
    vec![
        row("count", Cost::Question)
            .about(
                "Returns how many pieces a side, or all sides together, have on the board, including pieces below
                others. If you only compare the result with a number, the tree has two branches; otherwise, it has one
                for each value.",
            )
            .example(r#"if count(mover(), "pawn") > 7 { label("all"); }"#)
            .facts(&[Fact::TellsOfRoyals])
            .form(["side", "kinds"], |call: &Call<'_>, side: SideV, kinds: Option<KindMask>| {
                call.ask_number(Query::Pieces(Some(side.0.now()), kinds.unwrap_or(KindMask::ALL)), 0)
            })
            .form(["side", "kinds"], |call: &Call<'_>, side: NamedSide, kinds: KindMask| {
                call.ask_number(Query::Pieces(Some(side.0), kinds), 0)
            })
            .form(["kind"], |call: &Call<'_>, what: PieceOrSide| match call.side_named(&what) {
                // A piece can have the same name as a side.
                Some(side) if call.kind(&what).is_err() => call.ask_number(Query::Pieces(Some(side), KindMask::ALL), 0),
                _ => call.ask_number(Query::Pieces(None, call.kind_or_side(&what)?.into()), 0),
            }),
        row("has", Cost::Question)
            .about("Returns whether a side has at least `least` pieces (default: 1), of any kind or of these kinds.")
            .example(r#"if has(mover(), "rook", 2) { label("two rooks"); }"#)
            .form(["side", "least"], |call: &Call<'_>, side: SideV, least: i64| {
                has(call, side.0.now(), KindMask::ALL, Some(least))
            })
            .form(["side", "kinds", "least"], |call: &Call<'_>, side: SideV, kinds: KindMask, least: Option<i64>| {
                has(call, side.0.now(), kinds, least)
            })
            .form(["side", "least"], |call: &Call<'_>, side: NamedSide, least: i64| {
                has(call, side.0, KindMask::ALL, Some(least))
            })
            .form(
                ["side", "kinds", "least"],
                |call: &Call<'_>, side: NamedSide, kinds: KindMask, least: Option<i64>| has(call, side.0, kinds, least),
            ),
        row("captured", Cost::Question)
            .about(
                "Returns how many fewer pieces of a kind a side, or all sides together, have now than in the starting
                position.",
            )
            .example(r#"if captured(opponent(), "queen") > 0 { label("queen taken"); }"#)
            .facts(&[Fact::TellsOfRoyals])
            .form(["side", "kind"], |call: &Call<'_>, side: SideV, kind: Kind| captured(call, Some(side.0.now()), kind))
            .form(["side", "kind"], |call: &Call<'_>, side: NamedSide, kind: Kind| captured(call, Some(side.0), kind))
            .form(["kind"], |call: &Call<'_>, kind: Kind| captured(call, None, kind)),
        row("hand", Cost::Question)
            .about("Returns how many pieces of a kind a side holds in hand.")
            .errors("The script must declare `hands()`.")
            .example(r#"if hand(mover(), "pawn") > 0 { label("pawn in hand"); }"#)
            .facts(&[Fact::UsesHands])
            .form(["side", "kind"], |call: &Call<'_>, side: SideRef, kind: Kind| {
                call.ask_number(Query::Hand(side, kind), 0)
            }),
    ]
}

/// Whether a side has at least `least` pieces of some kinds.
fn has(call: &Call<'_>, side: SideRef, kinds: KindMask, least: Option<i64>) -> ScriptResult<bool> {
    call.at_least(Query::Pieces(Some(side), kinds), least.unwrap_or(1))
}

/// The number of pieces of a kind missing compared with the starting position.
fn captured(call: &Call<'_>, side: Option<SideRef>, kind: Kind) -> ScriptResult<i64> {
    let missing = |side: SideRef, array: i64| -> ScriptResult<i64> {
        Ok((array - call.ask(Query::Pieces(Some(side), kind.into()))?).max(0))
    };
    let counts = call.trace().declaration.array_counts.get(kind.index()).copied().unwrap_or_default();
    let sides = call.trace().declaration.spec.sides.len();
    match side {
        None => (0..sides).map(|s| missing(SideRef::Is(Side(s as u8)), counts[s])).sum(),
        Some(SideRef::Is(side)) => missing(SideRef::Is(side), counts[side.index()]),
        Some(side) if counts[..sides].iter().all(|c| *c == counts[0]) => missing(side, counts[0]),
        Some(side) => match usize::try_from(call.ask(Query::Side(side))?) {
            Ok(index) => missing(SideRef::Is(Side(index as u8)), counts[index % MAX_SIDES]),
            Err(_) => fail("there is no piece on that square"),
        },
    }
}
