//! Moves as values: their squares, their pieces, their kind.

use super::param::Call;
use super::row::{Chapter, Cost, Row, row};
use crate::host::error::{ScriptResult, fail_help};
use crate::host::live::Live;
use crate::host::values::{MoveV, SideV, SquareV};
use astragal_core::Side;
use astragal_core::query::{Aspect, Find, Query};
use astragal_core::value::{SideRef, Slot, SquareRef};

pub(super) fn chapter() -> Chapter {
    Chapter { title: "Moves", intro: "", rows: rows() }
}

fn rows() -> Vec<Row> {
    vec![
        row("move.from", Cost::Value)
            .about(
                "Return squares of a move: its origin, its target, the target of the king's partner (in castling), and
                the square of the captured piece.",
            )
            .example(r#"let mv = play(any()); if mv != () && !mv.to.is_empty { label("there"); }"#)
            .form(["move"], square(SquareRef::From))
            .also("move.to")
            .form(["move"], square(SquareRef::To))
            .also("move.partner")
            .form(["move"], square(SquareRef::Partner))
            .also("move.victim")
            .form(["move"], square(SquareRef::Captured)),
        row("move.moved", Cost::Search)
            .about("Returns the squares of all pieces that the move has moved, including pushed ones.")
            .example("let mv = play(any()); if mv != () { let all = mv.moved; }")
            .form(["move"], |call: &Call<'_>, mv: MoveV| call.find_squares(Find::Moved(mv.0))),
        row("move.kind", Cost::Question)
            .about(
                "Return the kind of the moving piece, of the captured piece, and of the promotion piece; `()` if there
                is none.",
            )
            .example(r#"let mv = play(any()); if mv != () && mv.kind == "pawn" { label("pawn"); }"#)
            .form(["move"], kind(Aspect::Kind))
            .also("move.captured")
            .form(["move"], kind(Aspect::CapturedKind))
            .also("move.promotion")
            .form(["move"], kind(Aspect::Promotion)),
        row("move.captured_side", Cost::Question)
            .about("Returns the owner of the captured piece, or `()` if the move captures nothing.")
            .example(
                r#"let mv = play(any()); if mv != () && mv.is_capture && mv.captured_side == opponent() {
                label("capture"); }"#,
            )
            .form(["move"], |call: &Call<'_>, mv: MoveV| {
                let side = u8::try_from(call.ask(Query::Move(mv.0, Aspect::CapturedSide))?).ok();
                Ok(side.map(|side| SideV(Live::fixed(SideRef::Is(Side(side))))))
            }),
        row("move.is_capture", Cost::Question)
            .about(
                "Return whether the move is a capture, castling, a drop, an en passant capture or a push. `is_push` is
                true if the move pushed pieces, or was a push that was blocked before its first step. `done` is true if
                the move succeeded; a capture can fail.",
            )
            .example("let mv = play(any()); if mv != () && mv.is_capture { again(); }")
            .form(["move"], |call: &Call<'_>, mv: MoveV| call.at_least(Query::Move(mv.0, Aspect::CapturedKind), 0))
            .also("move.is_castling")
            .form(["move"], truth(Aspect::Castling))
            .also("move.is_drop")
            .form(["move"], truth(Aspect::Drop))
            .also("move.is_en_passant")
            .form(["move"], truth(Aspect::EnPassant))
            .also("move.is_push")
            .form(["move"], truth(Aspect::Push))
            .also("move.done")
            .form(["move"], truth(Aspect::Done)),
        row("last_move", Cost::Question)
            .newer()
            .about(
                "Returns the last move of the side's pieces, not counting failed captures; returns `()` if there was
                none. Games that call this function store the last moves in the position (`last_move=N:b8:c6/-`), so
                positions with different last moves are not repetitions.",
            )
            .example(r#"let last = last_move(opponent()); if last != () && last.is_capture { label("after a capture"); }"#)
            .form(["side"], |call: &Call<'_>, side: SideRef| {
                if call.trace().declaration.spec.last_moves.is_none() {
                    let help = "call `last_move` by its name: only scripts that do so store last moves";
                    return fail_help("this game does not store last moves", Some(help.into()));
                }
                if !call.ask_truth(Query::HasMoved(side))? {
                    return Ok(None);
                }
                call.find(Find::LastMove(side)).map(|slot| Some(MoveV(slot)))
            }),
        row("==", Cost::Question)
            .about("Returns whether two moves have the same piece, origin, target and promotion.")
            .example(
                r#"let drawn = draw_move(any()); let mv = play(any()); if drawn != () && mv != () && mv == drawn { label("as drawn"); }"#,
            )
            .form(["a", "b"], same),
        row("!=", Cost::Question)
            .about("Returns whether two moves differ.")
            .example(
                r#"let drawn = draw_move(any()); let mv = play(any()); if drawn != () && mv != () && mv != drawn { label("another"); }"#,
            )
            .form(["a", "b"], |call: &Call<'_>, a: MoveV, b: MoveV| same(call, a, b).map(|same| !same)),
        row("move.distance", Cost::Question)
            .about("Returns the number of king's steps between the origin and the target.")
            .example(r#"let mv = play(any()); if mv != () && mv.distance > 3 { label("far"); }"#)
            .form(["move"], |call: &Call<'_>, mv: MoveV| call.ask_number(Query::Move(mv.0, Aspect::Distance), 0)),
    ]
}

fn same(call: &Call<'_>, a: MoveV, b: MoveV) -> ScriptResult<bool> {
    if a.0 == b.0 { Ok(true) } else { call.ask_truth(Query::SameMove(a.0, b.0)) }
}

fn square(of: fn(Slot) -> SquareRef) -> impl Fn(&Call<'_>, MoveV) -> ScriptResult<SquareV> {
    move |_, mv| Ok(SquareV::place(of(mv.0)))
}

fn kind(aspect: Aspect) -> impl Fn(&Call<'_>, MoveV) -> ScriptResult<Option<String>> {
    move |call, mv| call.ask_kind(Query::Move(mv.0, aspect))
}

fn truth(aspect: Aspect) -> impl Fn(&Call<'_>, MoveV) -> ScriptResult<bool> {
    move |call, mv| call.ask_truth(Query::Move(mv.0, aspect))
}
