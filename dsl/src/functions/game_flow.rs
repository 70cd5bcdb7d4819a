//! The flow of a game: its end, the next side, and its length.

use super::param::{Call, CounterName, Options};
use super::row::{Chapter, Cost, ExampleContext, Fact, Row, row};
use crate::host::error::ScriptResult;
use crate::host::kind::option::TRUTH;
use crate::host::live::Live;
use crate::host::values::SideV;
use crate::printable::in_a_line;
use astragal_core::Side;
use astragal_core::amount::Amount;
use astragal_core::effect::{Effect, Ranking};
use astragal_core::query::Query;
use astragal_core::value::SideRef;
use rhai::{FnPtr, ImmutableString};

pub(super) fn chapter() -> Chapter {
    Chapter {
        title: "The course of the game",
        intro: "",
        rows: [endings(), turns(), history()].into_iter().flatten().collect(),
    }
}

fn endings() -> Vec<Row> {
    vec![
        row("win", Cost::Effect)
            .about("Ends the game with a win for the side.")
            .example_in(ExampleContext::Outcome, r#"if mated(to_move()) { win(mover(), "checkmate"); }"#)
            .facts(&[Fact::Wins])
            .form(["side", "reason"], |call: &Call<'_>, side: SideRef, reason: Option<ImmutableString>| {
                let reason = reason.unwrap_or_default();
                call.act(Effect::Win(side, in_a_line(&reason).as_ref().into()))
            }),
        row("draw", Cost::Effect)
            .about("Ends the game without a winner.")
            .example_in(ExampleContext::Outcome, r#"if repeated(3) { draw("repetition"); }"#)
            .facts(&[Fact::Draws])
            .form(["reason"], |call: &Call<'_>, reason: ImmutableString| {
                call.act(Effect::Draw(in_a_line(&reason).as_ref().into()))
            }),
        row("win_by", Cost::Effect)
            .newer()
            .about(
                "Ends the game and ranks the sides by a number. The side with the highest number wins (with the option
                `least`, the lowest); in a tie for first place, no side wins. The number is a counter that each side
                has, or the result of a function that takes a side. If three or more sides or teams play, a side gets
                one point for each opponent ranked below it, and half a point for each opponent tied with it. Points
                that `award` sets replace these points.",
            )
            .errors("Each side must have the counter; a function must return a number.")
            .example_in(
                ExampleContext::Outcome,
                r#"if clock_reached(40) { win_by(|side| number(squares_of(side)), "most pieces"); }"#,
            )
            .options(&[("least", TRUTH)])
            .facts(&[Fact::Wins, Fact::Draws])
            .form(
                ["counter", "reason", "options"],
                |call: &Call<'_>, counter: CounterName, reason: ImmutableString, options: Options| {
                    let of = |side| Ok(Amount::Counter(call.cell(&counter, Some(side), 1)?));
                    rank(call, of, &reason, &options)
                },
            )
            .form(
                ["number", "reason", "options"],
                |call: &Call<'_>, number: FnPtr, reason: ImmutableString, options: Options| {
                    let of = |side| call.amount(&call.apply(&number, (side,))?);
                    rank(call, of, &reason, &options)
                },
            ),
        row("award", Cost::Effect)
            .about("Sets how many points a side gets when the game ends.")
            .example_in(ExampleContext::Outcome, r#"if clock_reached(20) { award(mover(), 2); draw("long"); }"#)
            .facts(&[Fact::AwardsPoints])
            .form(["side", "points"], |call: &Call<'_>, side: SideRef, points: Amount| {
                let halves = Amount::Times(Box::new(Amount::Is(2)), Box::new(points));
                call.act(Effect::Award(side, halves))
            }),
        row("award_halves", Cost::Effect)
            .about("Sets how many half points a side gets when the game ends.")
            .example_in(ExampleContext::Outcome, r#"if clock_reached(20) { award_halves(mover(), 1); draw("long"); }"#)
            .facts(&[Fact::AwardsPoints])
            .form(["side", "halves"], |call: &Call<'_>, side: SideRef, halves: Amount| {
                call.act(Effect::Award(side, halves))
            }),
    ]
}

/// Ends the game, with the sides ranked by a number for each.
fn rank(
    call: &Call<'_>,
    number: impl Fn(SideV) -> ScriptResult<Amount>,
    reason: &str,
    options: &Options,
) -> ScriptResult<()> {
    let sides = call.trace().declaration.spec.sides.len() as u8;
    let scores = (0..sides).map(|side| number(SideV(Live::fixed(SideRef::Is(Side(side))))));
    let scores = scores.collect::<ScriptResult<Vec<Amount>>>()?;
    let least = options.flag("least", false)?;
    call.act(Effect::Rank(Box::new(Ranking { scores, least, reason: in_a_line(reason).as_ref().into() })))
}

fn turns() -> Vec<Row> {
    vec![
        row("again", Cost::Effect)
            .about("Gives the mover another turn.")
            .example(r#"if roll("1d6") == 6 { again(); }"#)
            .facts(&[Fact::NamesNext])
            .form([], |call: &Call<'_>| call.act(Effect::Next(SideRef::Mover))),
        row("next", Cost::Effect)
            .about("Gives the next turn to the side.")
            .example(r#"if roll("1d6") == 6 { next(mover()); }"#)
            .facts(&[Fact::NamesNext])
            .form(["side"], |call: &Call<'_>, side: SideRef| call.act(Effect::Next(side))),
        row("hand_over", Cost::Effect)
            .about("Lets another side decide and move for the rest of this turn, or until the next `hand_over`.")
            .example("play(any()); hand_over(opponent()); hand_over(mover());")
            .facts(&[Fact::ChangesTurn])
            .form(["side"], |call: &Call<'_>, side: SideRef| call.act(Effect::HandOver(side))),
        row("eliminate", Cost::Effect)
            .about("Removes a side from the turn order.")
            .example("eliminate(opponent()); readmit(opponent());")
            .facts(&[Fact::Eliminates, Fact::ChangesOrder, Fact::TellsOfRoyals, Fact::LosesRoyals])
            .form(["side"], |call: &Call<'_>, side: SideRef| call.act(Effect::Eliminate(side))),
        row("readmit", Cost::Effect)
            .about("Brings an eliminated side back into the turn order.")
            .example("eliminate(opponent()); readmit(opponent());")
            .facts(&[Fact::ChangesOrder])
            .form(["side"], |call: &Call<'_>, side: SideRef| call.act(Effect::Readmit(side))),
        row("label", Cost::Effect)
            .about("Names the result of a roll or move; the prompt and `odds` show this name.")
            .facts(&[Fact::SaysWhatHappens])
            .example(r#"label("quiet");"#)
            .form(["text"], |call: &Call<'_>, text: ImmutableString| {
                call.act(Effect::Label(in_a_line(&text).as_ref().into()))
            }),
    ]
}

fn history() -> Vec<Row> {
    vec![
        row("repetitions", Cost::Question)
            .about(
                "Returns how many times this position has occurred, including now. If you only compare the result with a
                number, the tree has two branches; otherwise, it has one for each value.",
            )
            .example_in(ExampleContext::Outcome, r#"if repetitions() == 3 { draw("repetition"); }"#)
            .facts(&[Fact::CountsRepetitions])
            .form([], |call: &Call<'_>| call.ask_number(Query::Repetitions, 0)),
        row("repeated", Cost::Question)
            .about("Returns whether this position has occurred at least this many times.")
            .example_in(ExampleContext::Outcome, r#"if repeated(3) { draw("repetition"); }"#)
            .facts(&[Fact::CountsRepetitions])
            .form(["times"], |call: &Call<'_>, times: i64| call.at_least(Query::Repetitions, times)),
        row("clock", Cost::Question)
            .about(
                "Returns how many plies have been played since the last capture, or since the last move of a kind with
                `clock`. An effect that removes or converts a piece also restarts the count. If you only compare the
                result with a number, the tree has two branches; otherwise, it has one for each value.",
            )
            .example_in(ExampleContext::Outcome, r#"if clock() >= 40 { draw("move limit"); }"#)
            .facts(&[Fact::CountsQuietMoves])
            .form([], |call: &Call<'_>| call.ask_number(Query::Clock, 0)),
        row("clock_reached", Cost::Question)
            .about(
                "Returns whether at least this many plies have been played since the last capture, or since the last
                move of a kind with `clock`. An effect that removes or converts a piece also restarts the count.",
            )
            .example_in(ExampleContext::Outcome, r#"if clock_reached(40) { draw("move limit"); }"#)
            .facts(&[Fact::CountsQuietMoves])
            .form(["plies"], |call: &Call<'_>, plies: i64| call.at_least(Query::Clock, plies)),
        row("round", Cost::Question)
            .about(
                "Returns the number of the round, counted from 1. If you only compare the result with a number, the tree
                has two branches; otherwise, it has one for each value.",
            )
            .example_in(ExampleContext::Outcome, r#"if round() > 9 { draw("ten rounds"); }"#)
            .form([], |call: &Call<'_>| call.ask_number(Query::Round, 0)),
        row("between_turns", Cost::Question)
            .about("Returns whether the game is between turns: the last turn has ended and the next has not begun.")
            .example_in(ExampleContext::Outcome, r#"if between_turns() && !can_move(to_move()) { draw("stalemate"); }"#)
            .form([], |call: &Call<'_>| call.ask_truth(Query::BetweenTurns)),
        row("perpetual_checker", Cost::Question)
            .about(
                "Returns the side that gave check with every move since this position first occurred. Returns `()` if no
                side did, if several did, or if the position is new.",
            )
            .example_in(
                ExampleContext::Outcome,
                r#"if repeated(3) { let checker = perpetual_checker(); draw("repetition"); }"#,
            )
            .form([], |call: &Call<'_>| {
                let side = u8::try_from(call.ask(Query::PerpetualChecker)?).ok();
                Ok(side.map(|side| SideV(Live::fixed(SideRef::Is(Side(side))))))
            }),
    ]
}
