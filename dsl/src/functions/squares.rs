//! Squares and sets of squares.

use super::param::{Call, Mark, NamedSquare, Region, SomeSquares, Track, Trait};
use super::row::{Chapter, Cost, Fact, Row, row};
use crate::host::convert::{join, small, squares_of_text};
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::size_limit;
use crate::host::tested::Subject;
use crate::host::trace::Host;
use crate::host::values::{SetV, SideV, SquareV};
use astragal_core::query::{Find, Query};
use astragal_core::rule::Step;
use astragal_core::value::{SetExpr, SideRef, SquareRef};
use astragal_core::{KindMask, Side, Square};
use rhai::{Engine, FnPtr, ImmutableString};

pub(super) fn chapter() -> Chapter {
    Chapter {
        title: "Squares and sets",
        intro: "Instead of a set, you can pass a square, an array of squares, or the name of a square. `squares(\"a1 \
             c3-e5\")` creates a set from a string.",
        rows: [squares(), sets(), around_squares(), tracks_and_traits(), algebra(), asked()]
            .into_iter()
            .flatten()
            .collect(),
    }
}

fn squares() -> Vec<Row> {
    vec![
        row("square", Cost::Value)
            .about(
                "Returns a square by its name. A function that takes the square uses the piece that is there when the
                function runs.",
            )
            .errors("The square must be on the board.")
            .example(r#"if square("e4").is_empty { label("free"); }"#)
            .form(["name"], |_: &Call<'_>, square: NamedSquare| Ok(SquareV::place(square.0))),
        row("piece_at", Cost::Value)
            .about(
                "Returns the piece that is now on a square. The result keeps the piece's kind, side and traits, whatever
                happens later. You can use it as a square.",
            )
            .errors("The square must be on the board.")
            .example(r#"let taken = piece_at("e4"); remove("e4"); if taken.kind == "rook" { label("a rook"); }"#)
            .form(["square"], |call: &Call<'_>, square: SquareRef| Ok(call.piece_value(square))),
        row("royal", Cost::Search)
            .about(
                "Returns the square of the side's royal piece. If the side has several, the function returns the first
                of them in the order a1, b1, c1 and so on.",
            )
            .example("let king = royal(mover());")
            .facts(&[Fact::TellsOfRoyals])
            .form(["side"], |call: &Call<'_>, side: SideRef| held(call, Find::Royal(side))),
        row("step", Cost::Search)
            .about(
                "Shifts a square by a number of files to the right and a number of ranks forward, as the mover sees the
                board. The resulting square can be off the board.",
            )
            .example(r#"let ahead = step("e4", 0, 1);"#)
            .form(["square", "right", "forward"], |call: &Call<'_>, square: SquareRef, right: i64, forward: i64| {
                held(call, Find::Step(square, offset(right, forward)?, SideRef::Mover))
            }),
        row("distance", Cost::Question)
            .about("Returns the number of king's steps between two squares.")
            .example(r#"if distance(royal(mover()), royal(opponent())) < 3 { label("near"); }"#)
            .form(["a", "b"], |call: &Call<'_>, a: SquareRef, b: SquareRef| call.ask_number(Query::Distance(a, b), 0)),
        row("height", Cost::Question)
            .newer()
            .about("Returns how many pieces of one side, or of all sides, are on a square.")
            .example(r#"if height("e4", mover()) > 1 { label("a heap"); }"#)
            .facts(&[Fact::UsesHeaps])
            .form(["square", "side"], |call: &Call<'_>, square: SquareRef, side: Option<SideRef>| {
                call.ask_number(Query::Height(square, side), 0)
            }),
        row("square.kind", Cost::Question)
            .about(
                "Return the kind of the piece on the square (or `()`), whether the square is empty, its file and rank
                (counted from 1), and its name.",
            )
            .example(r#"if square("e4").kind == "pawn" { label("pawn"); }"#)
            .form(["square"], |call: &Call<'_>, square: SquareV| call.ask_kind(Query::KindAt(square.0.now())))
            .also("square.is_empty")
            .form(["square"], |call: &Call<'_>, square: SquareV| {
                call.at_least(Query::KindAt(square.0.now()), 0).map(|occupied| !occupied)
            })
            .also("square.file")
            .form(["square"], |call: &Call<'_>, square: SquareV| call.ask_number(Query::File(square.0.now()), 1))
            .also("square.rank")
            .form(["square"], |call: &Call<'_>, square: SquareV| {
                call.ask_number(Query::Rank(square.0.now(), SideRef::Is(Side::FIRST)), 1)
            })
            .also("square.name")
            .form(["square"], |call: &Call<'_>, square: SquareV| {
                let index = u8::try_from(call.ask(Query::Square(square.0.now()))?).ok();
                let trace = call.trace();
                Ok(index.map(|index| trace.declaration.spec.board.name(Square(index))))
            }),
        row("square.side", Cost::Value)
            .about("Returns the owner of the piece on the square.")
            .example(r#"if !square("e2").is_empty && square("e2").side == mover() { label("mine"); }"#)
            .form(["square"], |call: &Call<'_>, square: SquareV| Ok(call.side_value(SideRef::OwnerOf(square.0.now())))),
        row("rank_for", Cost::Question)
            .about("Returns the rank of the square, counted from the side's own edge.")
            .example(r#"if royal(mover()).rank_for(mover()) > 1 { label("out"); }"#)
            .form(["square", "side"], |call: &Call<'_>, square: SquareV, side: SideRef| {
                call.ask_number(Query::Rank(square.0.now(), side), 1)
            }),
        row("==", Cost::Question)
            .about("Returns whether two squares are the same. You can also compare a square with the name of a square.")
            .example(r#"if royal(mover()) == "e1" { label("at home"); }"#)
            .form(["a", "b"], |call: &Call<'_>, a: SquareV, b: SquareV| same(call, a.0.now(), b.0.now()))
            .form(["a", "b"], |call: &Call<'_>, a: SquareV, b: ImmutableString| is_named(call, a.0.now(), &b)),
        row("!=", Cost::Question)
            .about("Returns whether two squares differ. You can also compare a square with the name of a square.")
            .example(r#"if royal(mover()) != "e1" { label("moved"); }"#)
            .form(["a", "b"], |call: &Call<'_>, a: SquareV, b: SquareV| {
                same(call, a.0.now(), b.0.now()).map(|same| !same)
            })
            .form(["a", "b"], |call: &Call<'_>, a: SquareV, b: ImmutableString| {
                is_named(call, a.0.now(), &b).map(|same| !same)
            }),
    ]
}

/// A square that is found and held.
fn held(call: &Call<'_>, find: Find) -> ScriptResult<SquareV> {
    Ok(SquareV::place(SquareRef::Slot(call.find(find)?)))
}

/// An offset of squares to the right and forward.
pub(super) fn offset(right: i64, forward: i64) -> ScriptResult<(i8, i8)> {
    Ok((small(right)?.clamp(-16, 16) as i8, small(forward)?.clamp(-16, 16) as i8))
}

/// With coverage recording on, records a section from after the station where a move begins to the station where it ends,
/// if both are `station`. Such a move has entered, and comes from no square.
fn note_backward(call: &Call<'_>, station: i64) {
    let (Some(watch), Some(at)) = (&call.watch, call.place()) else { return };
    let trace = call.trace();
    let mut answers = trace.levels[trace.level].answers.iter();
    let mut there = Vec::new();
    for step in &trace.steps {
        match step {
            Step::Ask(Query::SourceLocation(_, square, _)) => {
                there.extend(answers.next().filter(|answer| **answer == station).map(|_| *square));
            }
            Step::Ask(_) | Step::Roll(_) | Step::Decide(_) => {
                answers.next();
            }
            Step::Find(_) | Step::Act(_) | Step::Return(_) => {}
        }
    }
    let ends = |slot| there.contains(&SquareRef::To(slot));
    if there.iter().any(|square| matches!(square, SquareRef::From(slot) if ends(*slot))) {
        watch.note_backward(at.file.as_deref().unwrap_or_default(), (at.line, at.column));
    }
}

fn same(call: &Call<'_>, a: SquareRef, b: SquareRef) -> ScriptResult<bool> {
    call.ask_truth(Query::SameSquare(a, b))
}

/// Whether a square has this name. A text that cannot be a square's name (one of a choice's) never is.
fn is_named(call: &Call<'_>, square: SquareRef, name: &str) -> ScriptResult<bool> {
    let like_a_square = name.len() <= 3 && name.ends_with(|c: char| c.is_ascii_digit());
    if like_a_square { same(call, square, SquareRef::At(call.square_named(name)?)) } else { Ok(false) }
}

fn sets() -> Vec<Row> {
    vec![
        row("squares", Cost::Value)
            .facts(&[Fact::OfSets])
            .about(r#"Returns the set of these squares, which can be written as a string such as `"a1 c3-e5"`."#)
            .example(r#"let corners = squares("a1 a8 h1 h8");"#)
            .form(["what"], |call: &Call<'_>, what: SomeSquares| {
                let set = match what.0.clone().into_string() {
                    Ok(text) => SetExpr::Is(squares_of_text(&call.trace().declaration.spec.board, &text)?),
                    Err(_) => call.set(&what.0)?,
                };
                Ok(call.set_value(set))
            }),
        row("squares_of", Cost::Search)
            .about(
                "Returns the squares with pieces of a side, of any kind or of these kinds. In a heap, only the top
                piece counts.",
            )
            .example(r#"let pawns = squares_of(mover(), "pawn");"#)
            .form(["side", "kinds"], |call: &Call<'_>, side: SideRef, kinds: Option<KindMask>| {
                call.find_squares(Find::Pieces(Some(side), kinds.unwrap_or(KindMask::ALL)))
            }),
        row("squares_of_all", Cost::Search)
            .about("Returns the squares with pieces of these kinds, of any side.")
            .example(r#"let kings = squares_of_all("king");"#)
            .form(["kinds"], |call: &Call<'_>, kinds: KindMask| call.find_squares(Find::Pieces(None, kinds))),
        row("empty_squares", Cost::Search)
            .facts(&[Fact::FindsByPieces])
            .about("Returns the empty squares.")
            .example("let free = empty_squares() & rank(4);")
            .form([], |call: &Call<'_>| call.find_squares(Find::Empty)),
        row("region", Cost::Search)
            .facts(&[Fact::OfSets])
            .about("Returns the squares of a region for the mover or another side.")
            .errors("There must be a region with this name.")
            .example(r#"if royal(mover()) in region("centre") { label("centre"); }"#)
            .form(["name", "side"], |call: &Call<'_>, region: Region, side: Option<SideV>| {
                call.find_squares(Find::Region(region.0, side.map_or(SideRef::Mover, |side| side.0.now())))
            }),
        row("heaps", Cost::Search)
            .newer()
            .about("Returns the squares with at least this many pieces, of any side.")
            .example("let points = heaps(2) & squares_of(mover());")
            .facts(&[Fact::UsesHeaps])
            .form(["least"], |call: &Call<'_>, least: i16| call.find_squares(Find::Heaps(least))),
        row("covered", Cost::Search)
            .newer()
            .about(
                "Returns the squares where a piece of the side is below an opponent's piece: for example, where it is
                pinned or captive.",
            )
            .example(r#"if covered(mover()).is_empty { label("free"); }"#)
            .facts(&[Fact::UsesHeaps])
            .form(["side"], |call: &Call<'_>, side: SideRef| call.find_squares(Find::Covered(side))),
        row("file", Cost::Value)
            .facts(&[Fact::OfSets])
            .about("Returns all squares of a file. Files are numbered from 1.")
            .errors("The board must have a file with this number.")
            .example("let edge = file(1) | file(8);")
            .form(["number"], |call: &Call<'_>, number: i64| line(call, number, false)),
        row("rank", Cost::Value)
            .facts(&[Fact::OfSets])
            .about("Returns all squares of a rank. Ranks are numbered from 1.")
            .errors("The board must have a rank with this number.")
            .example("let home = rank(1) | rank(8);")
            .form(["number"], |call: &Call<'_>, number: i64| line(call, number, true)),
    ]
}

/// A file (from the left) or rank (from below) of the board, from 1.
fn line(call: &Call<'_>, number: i64, rank: bool) -> ScriptResult<SetV> {
    let trace = call.trace();
    let board = &trace.declaration.spec.board;
    let most = if rank { board.height() } else { board.width() };
    match u8::try_from(number - 1).ok().filter(|line| *line < most) {
        Some(line) => Ok(call.set_value(SetExpr::Is(if rank { board.rank_set(line) } else { board.file_set(line) }))),
        None => {
            let line = if rank { "rank" } else { "file" };
            let help = format!("use a number from 1 to {most}");
            fail_help(format!("the {line}s are numbered 1 to {most}: there is no {line} {number}"), Some(help))
        }
    }
}

fn around_squares() -> Vec<Row> {
    vec![
        row("file_of", Cost::Search)
            .facts(&[Fact::OfSets])
            .about("Returns all squares on the files of these squares.")
            .example("let line = file_of(royal(mover()));")
            .form(["squares"], |call: &Call<'_>, squares: SetExpr| call.find_squares(Find::Line(squares, false))),
        row("rank_of", Cost::Search)
            .facts(&[Fact::OfSets])
            .about("Returns all squares on the ranks of these squares.")
            .example("let line = rank_of(royal(mover()));")
            .form(["squares"], |call: &Call<'_>, squares: SetExpr| call.find_squares(Find::Line(squares, true))),
        row("around", Cost::Search)
            .facts(&[Fact::OfSets])
            .about(
                "Returns the squares within `steps` king's steps of these squares (default: 1), without the squares
                themselves.",
            )
            .errors("The distance must be from 0 to 16 steps.")
            .example("let near = around(royal(mover()));")
            .form(["squares", "steps"], |call: &Call<'_>, squares: SetExpr, steps: Option<i64>| {
                let steps = steps.unwrap_or(1);
                match u8::try_from(steps) {
                    Ok(steps @ 0..=16) => call.find_squares(Find::Around(squares, steps)),
                    _ => fail(format!("`around` takes 0 to 16 steps, not {steps}")),
                }
            }),
        row("shifted", Cost::Search)
            .facts(&[Fact::OfSets])
            .about(
                "Shifts each of these squares by a number of files to the right and a number of ranks forward, as the
                mover sees the board, and returns the resulting squares. Squares off the board are left out. For a
                single square, use `step`.",
            )
            .example(r#"let guarded = shifted(squares_of(mover(), "pawn"), 1, 1) & squares_of(opponent(), "knight");"#)
            .form(["squares", "right", "forward"], |call: &Call<'_>, squares: SetExpr, right: i64, forward: i64| {
                call.find_squares(Find::Shifted(squares, offset(right, forward)?, SideRef::Mover))
            }),
        row("between", Cost::Search)
            .facts(&[Fact::OfSets])
            .about("Returns the squares between two squares that are on one line, without the two squares.")
            .example(r#"let line = between("a1", "a8");"#)
            .form(["a", "b"], |call: &Call<'_>, a: SquareRef, b: SquareRef| call.find_squares(Find::Between(a, b))),
        row("attackers", Cost::Search)
            .about(
                "Returns the squares of the side's pieces that attack a square, by their declared moves; `fn
                movement()` is ignored.",
            )
            .example(r#"if !attackers(royal(opponent()), mover()).is_empty { label("check"); }"#)
            .form(["square", "side"], |call: &Call<'_>, square: SquareRef, by: SideRef| {
                call.find_squares(Find::Attackers(square, by))
            }),
        row("attacked_by", Cost::Search)
            .facts(&[Fact::FindsByPieces])
            .about("Returns all squares that a side attacks, by declared moves; `fn movement()` is ignored.")
            .example("let covered = attacked_by(mover()) & empty_squares();")
            .form(["side"], |call: &Call<'_>, by: SideRef| call.find_squares(Find::Attacked(by))),
        row("group", Cost::Search)
            .facts(&[Fact::OfSets])
            .about("Returns the squares of `within` that are connected to these squares through neighbors in `within`.")
            .example(r#"let wall = group("e2", squares_of(mover(), "pawn"));"#)
            .form(["squares", "within"], |call: &Call<'_>, seeds: SetExpr, within: SetExpr| {
                call.find_squares(Find::Group(seeds, within))
            }),
        row("largest_group", Cost::Search)
            .facts(&[Fact::OfSets])
            .about("Returns the squares of the largest connected part of a set.")
            .example(r#"let wall = largest_group(squares_of(mover(), "pawn"));"#)
            .form(["squares"], |call: &Call<'_>, squares: SetExpr| call.find_squares(Find::LargestGroup(squares))),
    ]
}

fn tracks_and_traits() -> Vec<Row> {
    vec![
        row("on_track", Cost::Search)
            .facts(&[Fact::OfSets])
            .about(
                "Returns the squares of a track's stations from number `first` to number `last`, counted from 1. The set
                is empty if `first` is greater than `last`.",
            )
            .errors("There must be a track with this name.")
            .example(r#"let home = on_track("lane", 1, 4);"#)
            .form(
                ["track", "first", "last", "side"],
                |call: &Call<'_>, track: Track, first: i16, last: i16, side: Option<SideRef>| {
                    let side = side.unwrap_or(SideRef::Mover);
                    if first == last.saturating_add(1) {
                        note_backward(call, last.into());
                    }
                    call.find_squares(Find::Stations(track.0, side, first, last))
                },
            ),
        row("joined", Cost::Search)
            .facts(&[Fact::OfSets])
            .about(
                "Returns the squares of the next stations on a track after these squares, in the direction in which the
                mover, or another side, follows it.",
            )
            .errors("There must be a track with this name.")
            .example(r#"let next_to = joined("lane", "c2");"#)
            .form(
                ["track", "squares", "side"],
                |call: &Call<'_>, track: Track, squares: SetExpr, side: Option<SideRef>| {
                    call.find_squares(Find::Joined(track.0, side.unwrap_or(SideRef::Mover), squares))
                },
            ),
        row("foremost", Cost::Search)
            .facts(&[Fact::FindsByPieces])
            .newer()
            .about(
                "Returns the squares of the most advanced station of a track where the mover, or another side, has
                pieces. Covered pieces count. Pieces on the last station are home and do not count, unless the track is
                closed. As for `place_on`, a square that the track visits twice counts as the earlier station.",
            )
            .errors("There must be a track with this name.")
            .example(r#"play(from(foremost("lane")));"#)
            .form(["track", "side"], |call: &Call<'_>, track: Track, side: Option<SideRef>| {
                call.find_squares(Find::Foremost(track.0, side.unwrap_or(SideRef::Mover), false))
            }),
        row("rearmost", Cost::Search)
            .facts(&[Fact::FindsByPieces])
            .newer()
            .about(
                "Like `foremost`, but for the pieces that are farthest behind. Pieces in hand are behind all others:
                while the side has any in hand, the set is empty.",
            )
            .errors("There must be a track with this name.")
            .example(r#"play(from(rearmost("lane")).or_else(any()));"#)
            .form(["track", "side"], |call: &Call<'_>, track: Track, side: Option<SideRef>| {
                call.find_squares(Find::Foremost(track.0, side.unwrap_or(SideRef::Mover), true))
            }),
        row("place_on", Cost::Question)
            .about(
                "Returns the number of the square's station on the track, counted from 1, or 0 if the square is not on
                the track.",
            )
            .errors("There must be a track with this name.")
            .example(r#"if place_on("lane", "a2") == 1 { label("first"); }"#)
            .form(
                ["track", "square", "side"],
                |call: &Call<'_>, track: Track, square: SquareRef, side: Option<SideV>| {
                    let side = side.map_or(SideRef::Mover, |side| side.0.now());
                    call.ask_number(Query::SourceLocation(track.0, square, side), 0)
                },
            ),
        row("marked", Cost::Search)
            .newer()
            .about(
                "Returns the squares that have this mark. If each side has its own marks, the function uses the mover's
                marks unless you name another side.",
            )
            .errors("There must be marks with this name. Name a side only if each side has its own marks.")
            .example(r#"let open = empty_squares() - marked("burnt");"#)
            .form(["name", "side"], |call: &Call<'_>, mark: Mark, side: Option<SideV>| {
                call.find_squares(Find::Marked(mark.0, owner_of(&mark, side)?))
            }),
        row("with_trait", Cost::Search)
            .about("Returns the squares with pieces whose trait has this value, or a value from `least` to `most`.")
            .errors("Pieces must have a trait with this name.")
            .example(r#"let marked = with_trait("mark", 1);"#)
            .form(["name", "value"], |call: &Call<'_>, name: Trait, value: i16| {
                call.find_squares(Find::WithTrait(name.0, value))
            })
            .form(["name", "least", "most"], |call: &Call<'_>, name: Trait, least: i16, most: i16| {
                call.find_squares(Find::TraitBetween(name.0, least, most))
            }),
    ]
}

/// The owner of a mark. If each side has its own and none is given, it is the moving side.
pub(super) fn owner_of(mark: &Mark, side: Option<SideV>) -> ScriptResult<SideRef> {
    match side {
        Some(_) if !mark.1 => {
            let help = "leave out the side, or declare them with `each: true`: `marks(.., #{ each: true })`";
            fail_help("these marks belong to no side", Some(help.into()))
        }
        Some(side) => Ok(side.0.now()),
        None => Ok(SideRef::Mover),
    }
}

fn algebra() -> Vec<Row> {
    vec![
        row("|", Cost::Value)
            .about("Returns the squares that are in at least one of the sets.")
            .example("let edge = file(1) | file(8);")
            .form(["a", "b"], |_: &Call<'_>, a: SetV, b: SetV| size_limit::set(join(a.0, b.0), a.1))
            .form(["a", "b"], |_: &Call<'_>, a: SetV, b: SquareV| {
                size_limit::set(join(a.0, SetExpr::One(b.0.now())), a.1)
            })
            .form(["a", "b"], |_: &Call<'_>, a: SquareV, b: SetV| {
                size_limit::set(join(SetExpr::One(a.0.now()), b.0), b.1)
            })
            .form(["a", "b"], |call: &Call<'_>, a: SquareV, b: SquareV| {
                Ok(call.set_value(join(SetExpr::One(a.0.now()), SetExpr::One(b.0.now()))))
            }),
        row("&", Cost::Value)
            .about("Returns the squares that are in both sets.")
            .example(r#"let outposts = squares("c5-f6") & empty_squares();"#)
            .form(["a", "b"], |_: &Call<'_>, a: SetV, b: SetV| {
                size_limit::set(SetExpr::And(Box::new(a.0), Box::new(b.0)), a.1)
            }),
        row("-", Cost::Value)
            .about("Returns the squares in the first set that are not in the second.")
            .example(r#"let ring = squares("c3-f6") - squares("d4-e5");"#)
            .form(["a", "b"], |_: &Call<'_>, a: SetV, b: SetV| {
                size_limit::set(SetExpr::Minus(Box::new(a.0), Box::new(b.0)), a.1)
            })
            .form(["a", "b"], |_: &Call<'_>, a: SetV, b: SquareV| {
                size_limit::set(SetExpr::Minus(Box::new(a.0), Box::new(SetExpr::One(b.0.now()))), a.1)
            }),
    ]
}

fn asked() -> Vec<Row> {
    vec![
        row("contains", Cost::Question)
            .about("Returns whether a square is in the set. You can also write `square in set`.")
            .example(r#"if royal(mover()) in squares("d4-e5") { label("centre"); }"#)
            .form(["set", "item"], |call: &Call<'_>, set: SetV, item: SquareRef| {
                call.ask_truth(Query::Contains(set.0, item))
            }),
        row("count", Cost::Question)
            .about(
                "Returns how many squares a set has. If you only compare the result with a number, the tree has two
                branches; otherwise, it has one for each value.",
            )
            .example(r#"if squares_of(mover(), "rook").count() == 2 { label("two"); }"#)
            .facts(&[Fact::TellsOfRoyals])
            .form(["set"], |call: &Call<'_>, set: SetV| call.ask_number(Query::Count(set.0), 0)),
        row("where", Cost::Search)
            .about(
                "Returns the squares that pass a test. The test is a separate rule that runs once for each square, and
                does not add branches to the calling rule's tree. To ask about the position after an effect on the
                square, use `suppose`.",
            )
            .errors("The test must return true or false, and can only read the game.")
            .example(
                "let safe = around(royal(mover())).where(|s| !suppose(|| relocate(royal(mover()), s), ||
                in_check(mover())));",
            )
            .form(["squares", "test"], |call: &Call<'_>, squares: SetV, test: FnPtr| {
                let rule = call.test(call.context(), &test, Subject::Square)?;
                call.find_squares(Find::Where(squares.0, rule))
            }),
        row("squares.is_empty", Cost::Question)
            .about(
                "Returns whether the set is empty. A loop `for s in set` asks a question for each square, so use
                functions that take whole sets if you can.",
            )
            .example(r#"if squares_of(mover(), "queen").is_empty { label("no queen"); }"#)
            .form(["squares"], |call: &Call<'_>, squares: SetV| {
                call.at_least(Query::Count(squares.0), 1).map(|some| !some)
            }),
    ]
}

/// Lets scripts iterate over sets.
pub(super) fn register_iteration(engine: &mut Engine) {
    engine.register_iterator_result::<SetV, SquareV>();
}

/// An iteration over a set, with one question per square. The set is frozen first.
pub(crate) struct Walk {
    host: Host,
    set: SetExpr,
    after: i16,
    frozen: bool,
}

impl IntoIterator for SetV {
    type Item = ScriptResult<SquareV>;
    type IntoIter = Walk;

    fn into_iter(self) -> Walk {
        Walk { host: self.1, set: self.0, after: -1, frozen: false }
    }
}

impl Iterator for Walk {
    type Item = ScriptResult<SquareV>;

    fn next(&mut self) -> Option<ScriptResult<SquareV>> {
        if !std::mem::replace(&mut self.frozen, true) {
            match self.host.find(Find::Set(self.set.clone())) {
                Ok(slot) => self.set = SetExpr::Slot(slot),
                Err(error) => return Some(Err(error)),
            }
        }
        match self.host.ask(Query::Following(self.set.clone(), self.after)) {
            Ok(square) if square < 0 => None,
            Ok(square) => {
                self.after = square as i16;
                Some(Ok(SquareV::place(SquareRef::At(Square(square as u8)))))
            }
            Err(error) => Some(Err(error)),
        }
    }
}
