//! Changing the board: effects on pieces, and trying effects out.

use super::param::{Anything, Call, Mark, SomeSquares};
use super::row::{Chapter, Cost, ExampleContext, Fact, Row, row};
use super::squares::owner_of;
use crate::host::convert::sign;
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::values::{MoveV, SetV, SideV};
use astragal_core::Kind;
use astragal_core::amount::Amount;
use astragal_core::effect::Effect;
use astragal_core::value::{SetExpr, SideRef, SquareRef};
use rhai::{FnPtr, ImmutableString};

pub(super) fn chapter() -> Chapter {
    Chapter {
        title: "Changing the board",
        intro: "Effects are steps of the rule's tree that do not branch. After each effect, the rule continues with \
             the changed position.",
        rows: [captures(), made(), pieces(), game()].into_iter().flatten().collect(),
    }
}

fn captures() -> Vec<Row> {
    vec![
        row("take", Cost::Effect)
            .about("Makes the capture succeed. Use it in `capture`.")
            .facts(&[Fact::SaysWhatHappens])
            .example_in(ExampleContext::Capture, r#"if roll("1d6") > 2 { take(); } else { stand_off(); }"#)
            .form([], |call: &Call<'_>| {
                call.act(Effect::Complete)?;
                call.act(Effect::Label("win".into()))
            }),
        row("stand_off", Cost::Effect)
            .about("Ends the move without a capture: both pieces stay where they are. Use it in `capture`.")
            .facts(&[Fact::SaysWhatHappens])
            .example_in(ExampleContext::Capture, r#"if roll("1d6") > 2 { take(); } else { stand_off(); }"#)
            .form([], |call: &Call<'_>| call.act(Effect::Label("tie".into()))),
        row("repel", Cost::Effect)
            .about("Makes the capture fail and removes the attacker. Use it in `capture`.")
            .facts(&[Fact::SaysWhatHappens, Fact::LosesRoyals])
            .example_in(ExampleContext::Capture, r#"if roll("1d6") > 2 { take(); } else { repel(attacker); }"#)
            .form(["attacker"], |call: &Call<'_>, attacker: SquareRef| {
                call.act(Effect::Remove(attacker))?;
                call.act(Effect::Label("lose".into()))
            }),
    ]
}

fn made() -> Vec<Row> {
    vec![
        row("make", Cost::Effect)
            .newer()
            .facts(&[Fact::SaysWhatHappens, Fact::LosesRoyals])
            .about(
                "Makes a move that `draw_move`, `choose` or `last_move` returned, as if a player had made it: `capture`
                resolves captures, and `outcome` runs next. `mv.done` is true if the move succeeded. Nothing happens if
                its piece is gone, or if it would now capture something else. `make` does not check again whether the
                move leaves a royal piece of its own side attacked. Inside `suppose`, every capture succeeds.",
            )
            .errors("Do not use it in `capture` for the capturing move; use `take` instead.")
            .example("let mv = draw_move(any()); if mv != () { make(mv); }")
            .form(["move"], |call: &Call<'_>, mv: MoveV| call.make(mv.0)),
    ]
}

fn pieces() -> Vec<Row> {
    vec![
        row("remove", Cost::Effect)
            .about("Removes pieces from the board; in a heap, only the top piece.")
            .example(r#"remove("e7");"#)
            .facts(&[Fact::Removes, Fact::LosesRoyals])
            .form(["squares"], |call: &Call<'_>, what: SomeSquares| {
                if what.0.read_lock::<SetV>().is_none()
                    && let Ok(square) = call.square(&what.0)
                {
                    return call.act(Effect::Remove(square));
                }
                call.act(Effect::RemoveAll(call.set(&what.0)?))
            }),
        row("remove_heaps", Cost::Effect)
            .newer()
            .about("Removes all pieces from the squares, including whole heaps.")
            .example(r#"remove_heaps("e7");"#)
            .facts(&[Fact::UsesHeaps, Fact::Removes, Fact::LosesRoyals])
            .form(["squares"], |call: &Call<'_>, squares: SetExpr| call.act(Effect::RemoveHeaps(squares))),
        row("surface", Cost::Effect)
            .newer()
            .about(
                "Brings the side's pieces to the top of heaps in which they are below others, on all squares or only on
                these. Use it if several sides share squares and each side can move its own pieces.",
            )
            .example("surface(mover());")
            .facts(&[Fact::UsesHeaps])
            .form(["side"], |call: &Call<'_>, side: SideRef| {
                let everywhere = call.trace().declaration.spec.board.squares();
                call.act(Effect::Surface(SetExpr::Is(everywhere), side))
            })
            .form(["squares", "side"], |call: &Call<'_>, squares: SetExpr, side: SideRef| {
                call.act(Effect::Surface(squares, side))
            }),
        row("place", Cost::Effect)
            .about(
                "Puts a new piece on a square. It replaces any piece already there; on a board with heaps, it goes on
                top.",
            )
            .errors("A position can have at most 1,000 pieces below others.")
            .example(r#"place("e4", mover(), "pawn");"#)
            .facts(&[Fact::PlacesPieces, Fact::LosesRoyals])
            .form(["square", "side", "kind"], |call: &Call<'_>, square: SquareRef, side: SideRef, kind: Kind| {
                call.act(Effect::SourceLocation(square, side, kind))
            }),
        row("relocate", Cost::Effect)
            .about(
                r#"Moves a piece to another square. It replaces any piece already there; on a board with heaps, it goes
                on top. On such a board, a number or `"all"` moves several pieces from the top of the heap."#,
            )
            .errors("Pass `count` only on a board with heaps.")
            .example(r#"relocate("b1", "c3");"#)
            .facts(&[Fact::PlacesPieces, Fact::LosesRoyals])
            .form(["from", "to"], |call: &Call<'_>, from: SquareRef, to: SquareRef| {
                call.act(Effect::Relocate(from, to))
            })
            .form(["from", "to", "count"], |call: &Call<'_>, from: SquareRef, to: SquareRef, count: ImmutableString| {
                match count.as_str() {
                    "all" => carry(call, from, to, Amount::Is(i64::MAX)),
                    other => fail(format!("the count must be a number of pieces or \"all\", not \"{other}\"")),
                }
            })
            .form(["from", "to", "count"], carry),
        row("swap", Cost::Effect)
            .about("Swaps the pieces on two squares; in heaps, only the top pieces.")
            .example(r#"swap("b1", "g1");"#)
            .facts(&[Fact::PlacesPieces])
            .form(["a", "b"], |call: &Call<'_>, a: SquareRef, b: SquareRef| call.act(Effect::Swap(a, b))),
        row("push", Cost::Effect)
            .about(
                "Pushes the piece on a square, and the line of pieces ahead of it, one step in a direction. If the line
                already reaches the edge of the board, no piece moves.",
            )
            .example(r#"push("a2", 0, 1);"#)
            .facts(&[Fact::PlacesPieces, Fact::LosesRoyals])
            .form(["square", "right", "forward"], push(false)),
        row("push_off", Cost::Effect)
            .about(
                "Like `push`, but if the line of pieces reaches the edge of the board, the last piece is pushed off the
                board.",
            )
            .example(r#"push_off("a2", 0, 1);"#)
            .facts(&[Fact::PlacesPieces, Fact::LosesRoyals])
            .form(["square", "right", "forward"], push(true)),
        row("become", Cost::Effect)
            .about("Changes the kind of pieces and keeps their traits; in a heap, only the top piece changes.")
            .example(r#"become("a2", "rook");"#)
            .facts(&[Fact::PlacesPieces, Fact::LosesRoyals])
            .form(["squares", "kind"], |call: &Call<'_>, squares: SetExpr, kind: Kind| {
                call.act(Effect::Become(squares, kind))
            }),
        row("convert", Cost::Effect)
            .about("Gives pieces to another side; in a heap, only the top piece.")
            .example(r#"convert("a7", mover());"#)
            .facts(&[Fact::PlacesPieces, Fact::LosesRoyals])
            .form(["squares", "side"], |call: &Call<'_>, squares: SetExpr, side: SideRef| {
                call.act(Effect::Convert(squares, side))
            }),
        row("convert_all", Cost::Effect)
            .about("Gives all pieces of a side to another side.")
            .example(r#"if roll("1d20") == 20 { convert_all(opponent(), mover()); }"#)
            .facts(&[Fact::PlacesPieces, Fact::LosesRoyals])
            .form(["from", "to"], |call: &Call<'_>, from: SideRef, to: SideRef| call.act(Effect::ConvertAll(from, to))),
        row("mark", Cost::Effect)
            .newer()
            .about(
                "Puts a mark on squares. If each side has its own marks, the function uses the mover's mark unless you
                name another side.",
            )
            .errors("There must be marks with this name. Name a side only if each side has its own marks.")
            .example(r#"let mv = play(any()); if mv != () { mark(mv.from, "burnt"); }"#)
            .form(["squares", "name", "side"], |call: &Call<'_>, squares: SetExpr, mark: Mark, side: Option<SideV>| {
                call.act(Effect::Mark(mark.0, owner_of(&mark, side)?, squares, true))
            }),
        row("unmark", Cost::Effect)
            .newer()
            .about(
                "Removes a mark from these squares, or from all squares. If each side has its own marks, the function
                uses the mover's mark unless you name another side.",
            )
            .errors("There must be marks with this name. Name a side only if each side has its own marks.")
            .example(r#"unmark("burnt"); mark("e4", "burnt");"#)
            .form(["name"], |call: &Call<'_>, mark: Mark| {
                let all = SetExpr::Is(call.trace().declaration.spec.board.squares());
                call.act(Effect::Mark(mark.0, owner_of(&mark, None)?, all, false))
            })
            .form(["squares", "name", "side"], |call: &Call<'_>, squares: SetExpr, mark: Mark, side: Option<SideV>| {
                call.act(Effect::Mark(mark.0, owner_of(&mark, side)?, squares, false))
            }),
        row("to_hand", Cost::Effect)
            .about("Puts pieces into a hand, or takes them out if the count is negative.")
            .errors("The script must declare `hands()`.")
            .example(r#"to_hand(mover(), "pawn", 1);"#)
            .facts(&[Fact::UsesHands, Fact::LosesRoyals])
            .form(["side", "kind", "count"], |call: &Call<'_>, side: SideRef, kind: Kind, count: Amount| {
                call.act(Effect::ToHand(side, kind, count))
            }),
    ]
}

/// Moves `count` pieces together from the top of a heap.
fn carry(call: &Call<'_>, from: SquareRef, to: SquareRef, count: Amount) -> ScriptResult<()> {
    if !call.trace().declaration.spec.heaps {
        let help = "let pieces stand on one another: `board(.., #{ heaps: true })`";
        return fail_help(
            "several pieces can move together only in a heap, but this board has no heaps",
            Some(help.into()),
        );
    }
    call.act(Effect::Carry(from, to, count))
}

fn push(over_edge: bool) -> impl Fn(&Call<'_>, SquareRef, i64, i64) -> ScriptResult<()> {
    move |call, square, right, forward| {
        call.act(Effect::Push(square, (sign(right)?, sign(forward)?), SideRef::Mover, over_edge))
    }
}

fn game() -> Vec<Row> {
    vec![
        row("restart", Cost::Effect)
            .about(
                "Restores the pieces with their traits, the hands and the castling rights of the starting position, and
                brings back sides that are out. Counters and marks do not change. Use it for the next game of a match.",
            )
            .example(r#"if roll("1d20") == 20 { restart(); }"#)
            .facts(&[Fact::ChangesOrder, Fact::LosesRoyals])
            .form([], |call: &Call<'_>| call.act(Effect::Restart)),
        row("suppose", Cost::Question)
            .about("Returns what `test` returns in the position after `change`; the game does not change.")
            .errors("`change` can only have effects, and `test` can only read the game.")
            .example(r#"if suppose(|| remove("e7"), || in_check(opponent())) { label("open"); }"#)
            .form(["change", "test"], |call: &Call<'_>, change: FnPtr, test: FnPtr| {
                call.suppose(|| call.apply(&change, ()), || call.apply(&test, ())).map(Anything)
            }),
    ]
}
