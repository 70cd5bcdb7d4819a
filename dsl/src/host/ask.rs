//! Questions that scripts may ask.

use super::convert::small;
use super::live::Live;
use super::tested::Subject;
use super::trace::{Host, Outcome, fail};
use super::values::{FacesV, MoveV, PermitV, SetV, SideV, SquareV};
use super::weight;
use astragal_core::query::{Aspect, Find, Query, Tally};
use astragal_core::value::{SetExpr, SideRef, Slot, SquareRef};
use astragal_core::{KindMask, Side};
use rhai::{Dynamic, Engine, FnPtr, NativeCallContext};

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    register_sides(engine, host);
    register_squares(engine, host);
    register_sets(engine, host);
    register_set_algebra(engine, host);
    register_moves(engine, host);
    register_game(engine, host);
}

fn register_sides(engine: &mut Engine, host: &Host) {
    engine.register_type_with_name::<SideV>("Side");
    for (name, side) in [("mover", SideRef::Mover), ("opponent", SideRef::Opponent), ("to_move", SideRef::ToMove)] {
        let h = host.clone();
        engine.register_fn(name, move || h.side_value(side));
    }
    let h = host.clone();
    engine.register_fn("ahead", move |places: i64| -> Outcome<SideV> {
        match u8::try_from(places) {
            Ok(places @ 0..=3) => Ok(h.side_value(SideRef::Ahead(places))),
            _ => fail(format!("a side is 0 to 3 places ahead of the mover, not {places}")),
        }
    });
    let h = host.clone();
    engine.register_fn("is_out", move |side: Dynamic| h.ask_truth(Query::IsOut(h.side(&side)?)));
    let h = host.clone();
    engine.register_fn("side", move |name: &str| -> Outcome<SideV> { Ok(h.side_value(h.side(&name.into())?)) });
    let h = host.clone();
    engine.register_fn("==", move |a: SideV, b: SideV| same_side(&h, &a, &b));
    let h = host.clone();
    engine.register_fn("!=", move |a: SideV, b: SideV| same_side(&h, &a, &b).map(|same| !same));
    let h = host.clone();
    engine.register_fn("name", move |side: SideV| -> Outcome<Dynamic> {
        let index = h.ask(Query::Side(side.0.now()))?;
        let trace = h.trace();
        Ok(trace.declaration.spec.sides.get(index as usize).map_or(Dynamic::UNIT, |s| s.name.clone().into()))
    });
    let h = host.clone();
    engine
        .register_fn("in_check", move |side: Dynamic| -> Outcome<bool> { h.ask_truth(Query::InCheck(h.side(&side)?)) });
    let h = host.clone();
    engine
        .register_fn("can_move", move |side: Dynamic| -> Outcome<bool> { h.ask_truth(Query::CanMove(h.side(&side)?)) });
    let h = host.clone();
    engine.register_fn("can_move_safely", move |side: Dynamic| -> Outcome<bool> {
        h.ask_truth(Query::CanMoveSafely(h.side(&side)?))
    });
    let h = host.clone();
    engine.register_fn("mated", move |side: Dynamic| -> Outcome<bool> {
        let side = h.side(&side)?;
        Ok(h.ask_truth(Query::InCheck(side))? && !h.ask_truth(Query::CanMoveSafely(side))?)
    });
    let h = host.clone();
    engine.register_fn("stalemated", move |side: Dynamic| -> Outcome<bool> {
        let side = h.side(&side)?;
        Ok(!h.ask_truth(Query::CanMove(side))? && !h.ask_truth(Query::InCheck(side))?)
    });
}

fn same_side(host: &Host, a: &SideV, b: &SideV) -> Outcome<bool> {
    let (a, b) = (a.0.now(), b.0.now());
    if a == b { Ok(true) } else { host.ask_truth(Query::SameSide(a, b)) }
}

fn register_squares(engine: &mut Engine, host: &Host) {
    engine.register_type_with_name::<SquareV>("Square");
    let h = host.clone();
    engine.register_fn("square", move |name: &str| -> Outcome<SquareV> {
        Ok(SquareV::place(SquareRef::At(h.square_named(name)?)))
    });
    let h = host.clone();
    engine
        .register_fn("piece_at", move |square: Dynamic| -> Outcome<SquareV> { Ok(h.piece_value(h.square(&square)?)) });
    let h = host.clone();
    engine.register_get("kind", move |s: &mut SquareV| -> Outcome<Dynamic> {
        Ok(h.kind_name(h.ask(Query::KindAt(s.0.now()))?))
    });
    let h = host.clone();
    engine.register_get("side", move |s: &mut SquareV| h.side_value(SideRef::OwnerOf(s.0.now())));
    let h = host.clone();
    engine.register_get("is_empty", move |s: &mut SquareV| at_least(&h, Query::KindAt(s.0.now()), 0).map(|is| !is));
    let h = host.clone();
    engine.register_get("file", move |s: &mut SquareV| -> Outcome<i64> { Ok(h.ask(Query::File(s.0.now()))? + 1) });
    let h = host.clone();
    engine.register_get("rank", move |s: &mut SquareV| -> Outcome<i64> {
        Ok(h.ask(Query::Rank(s.0.now(), SideRef::Is(Side::FIRST)))? + 1)
    });
    let h = host.clone();
    engine.register_fn("rank_for", move |s: SquareV, side: Dynamic| -> Outcome<i64> {
        Ok(h.ask(Query::Rank(s.0.now(), h.side(&side)?))? + 1)
    });
    let h = host.clone();
    engine.register_get("name", move |s: &mut SquareV| -> Outcome<Dynamic> {
        let index = h.ask(Query::Square(s.0.now()))?;
        let trace = h.trace();
        Ok(u8::try_from(index)
            .map_or(Dynamic::UNIT, |i| trace.declaration.spec.board.name(astragal_core::Square(i)).into()))
    });
    let h = host.clone();
    engine.register_fn("==", move |a: SquareV, b: SquareV| same_square(&h, a.0.now(), b.0.now()));
    let h = host.clone();
    engine.register_fn("!=", move |a: SquareV, b: SquareV| same_square(&h, a.0.now(), b.0.now()).map(|same| !same));
    let h = host.clone();
    engine.register_fn("==", move |a: SquareV, b: &str| named(&h, a.0.now(), b));
    let h = host.clone();
    engine.register_fn("!=", move |a: SquareV, b: &str| named(&h, a.0.now(), b).map(|same| !same));
    let h = host.clone();
    engine.register_fn("distance", move |a: Dynamic, b: Dynamic| -> Outcome<i64> {
        h.ask(Query::Distance(h.square(&a)?, h.square(&b)?))
    });
    let h = host.clone();
    engine.register_fn("royal", move |side: Dynamic| -> Outcome<SquareV> {
        Ok(SquareV::place(SquareRef::Slot(h.find(Find::Royal(h.side(&side)?))?)))
    });
    let h = host.clone();
    engine.register_fn("step", move |s: Dynamic, right: i64, forward: i64| -> Outcome<SquareV> {
        let step = (small(right)?.clamp(-16, 16) as i8, small(forward)?.clamp(-16, 16) as i8);
        Ok(SquareV::place(SquareRef::Slot(h.find(Find::Step(h.square(&s)?, step, SideRef::Mover))?)))
    });
}

/// Whether a square has this name. A text that cannot be a square's name (one of a choice's) never is.
fn named(host: &Host, square: SquareRef, name: &str) -> Outcome<bool> {
    let like_a_square = name.len() <= 3 && name.ends_with(|c: char| c.is_ascii_digit());
    if like_a_square { same_square(host, square, SquareRef::At(host.square_named(name)?)) } else { Ok(false) }
}

fn same_square(host: &Host, a: SquareRef, b: SquareRef) -> Outcome<bool> {
    host.ask_truth(Query::SameSquare(a, b))
}

fn register_sets(engine: &mut Engine, host: &Host) {
    engine.register_type_with_name::<SetV>("Squares");
    let found = |host: &Host, find: Find| -> Outcome<SetV> { Ok(SetV(SetExpr::Slot(host.find(find)?), host.clone())) };
    let h = host.clone();
    engine.register_fn("squares", move |list: Dynamic| -> Outcome<SetV> { Ok(SetV(set_of(&h, &list)?, h.clone())) });
    let h = host.clone();
    engine.register_fn("squares_of", move |side: Dynamic| found(&h, Find::Pieces(Some(h.side(&side)?), KindMask::ALL)));
    let h = host.clone();
    engine.register_fn("squares_of", move |side: Dynamic, kinds: Dynamic| {
        found(&h, Find::Pieces(Some(h.side(&side)?), h.kinds(&kinds)?))
    });
    let h = host.clone();
    engine.register_fn("attackers", move |square: Dynamic, by: Dynamic| {
        found(&h, Find::Attackers(h.square(&square)?, h.side(&by)?))
    });
    let h = host.clone();
    engine.register_fn("attacked_by", move |by: Dynamic| found(&h, Find::Attacked(h.side(&by)?)));
    let h = host.clone();
    engine.register_fn("region", move |name: &str, side: SideV| found(&h, Find::Region(h.region(name)?, side.0.now())));
    let h = host.clone();
    engine.register_fn("region", move |name: &str| found(&h, Find::Region(h.region(name)?, SideRef::Mover)));
    let h = host.clone();
    engine.register_fn("file_of", move |square: Dynamic| found(&h, Find::Line(h.set(&square)?, false)));
    let h = host.clone();
    engine.register_fn("rank_of", move |square: Dynamic| found(&h, Find::Line(h.set(&square)?, true)));
    let h = host.clone();
    engine.register_fn("shifted", move |squares: Dynamic, right: i64, forward: i64| {
        let step = (small(right)?.clamp(-16, 16) as i8, small(forward)?.clamp(-16, 16) as i8);
        found(&h, Find::Shifted(h.set(&squares)?, step, SideRef::Mover))
    });
    let h = host.clone();
    engine.register_fn("around", move |square: Dynamic| found(&h, Find::Around(h.set(&square)?, 1)));
    let h = host.clone();
    engine.register_fn("around", move |square: Dynamic, steps: i64| match u8::try_from(steps) {
        Ok(steps @ 0..=16) => found(&h, Find::Around(h.set(&square)?, steps)),
        _ => fail(format!("squares are looked for within 0 to 16 steps, not {steps}")),
    });
    let h = host.clone();
    engine.register_fn("group", move |seeds: Dynamic, within: Dynamic| {
        found(&h, Find::Group(h.set(&seeds)?, h.set(&within)?))
    });
    let h = host.clone();
    engine.register_fn("largest_group", move |set: Dynamic| found(&h, Find::LargestGroup(h.set(&set)?)));
    let h = host.clone();
    engine.register_fn("between", move |a: Dynamic, b: Dynamic| found(&h, Find::Between(h.square(&a)?, h.square(&b)?)));
    let h = host.clone();
    engine.register_fn("file", move |number: i64| line(&h, number, false));
    let h = host.clone();
    engine.register_fn("rank", move |number: i64| line(&h, number, true));
    let h = host.clone();
    engine.register_fn("squares_of_all", move |kinds: Dynamic| found(&h, Find::Pieces(None, h.kinds(&kinds)?)));
    let h = host.clone();
    engine.register_fn("empty_squares", move || found(&h, Find::Empty));
    let h = host.clone();
    engine.register_fn("origins", move |permit: PermitV| found(&h, Find::Reach(permit.0.now(), false)));
    let h = host.clone();
    engine.register_fn("targets", move |permit: PermitV| found(&h, Find::Reach(permit.0.now(), true)));
    let h = host.clone();
    engine.register_fn("with_trait", move |name: &str, value: i64| {
        found(&h, Find::WithTrait(h.trait_index(name)?, small(value)?))
    });
    let h = host.clone();
    engine.register_fn("with_trait", move |name: &str, least: i64, most: i64| {
        found(&h, Find::TraitBetween(h.trait_index(name)?, small(least)?, small(most)?))
    });
}

/// A file (from the left) or rank (from below) of the board, from 1.
fn line(host: &Host, number: i64, rank: bool) -> Outcome<SetV> {
    let trace = host.trace();
    let board = &trace.declaration.spec.board;
    let most = if rank { board.height() } else { board.width() };
    match u8::try_from(number - 1).ok().filter(|line| *line < most) {
        Some(line) => {
            Ok(SetV(SetExpr::Is(if rank { board.rank_set(line) } else { board.file_set(line) }), host.clone()))
        }
        None => fail(format!("the {} are 1 to {most}, not {number}", if rank { "ranks" } else { "files" })),
    }
}

/// Squares as written (`"a1 c3-e5"`), or a set, a square, an array of these.
fn set_of(host: &Host, list: &Dynamic) -> Outcome<SetExpr> {
    match list.clone().into_string() {
        Ok(text) => Ok(SetExpr::Is(super::declare::squares(&host.trace().declaration.spec.board, &text)?)),
        Err(_) => host.set(list),
    }
}

fn register_set_algebra(engine: &mut Engine, host: &Host) {
    engine.register_fn("|", |a: SetV, b: SetV| weight::set(super::convert::join(a.0, b.0), a.1));
    engine.register_fn("&", |a: SetV, b: SetV| weight::set(SetExpr::And(Box::new(a.0), Box::new(b.0)), a.1));
    engine.register_fn("-", |a: SetV, b: SetV| weight::set(SetExpr::Minus(Box::new(a.0), Box::new(b.0)), a.1));
    engine.register_fn("-", |a: SetV, b: SquareV| {
        weight::set(SetExpr::Minus(Box::new(a.0), Box::new(SetExpr::One(b.0.now()))), a.1)
    });
    engine.register_fn("|", |a: SetV, b: SquareV| weight::set(super::convert::join(a.0, SetExpr::One(b.0.now())), a.1));
    let h = host.clone();
    engine.register_fn("contains", move |set: SetV, item: Dynamic| -> Outcome<bool> {
        h.ask_truth(Query::Contains(set.0, h.square(&item)?))
    });
    let h = host.clone();
    engine.register_fn("count", move |set: SetV| h.ask(Query::Count(set.0)));
    let h = host.clone();
    engine.register_get("is_empty", move |set: &mut SetV| at_least(&h, Query::Count(set.0.clone()), 1).map(|is| !is));
    let h = host.clone();
    engine.register_fn("where", move |ctx: NativeCallContext, set: SetV, test: FnPtr| -> Outcome<SetV> {
        let rule = h.test(&ctx, &test, Subject::Square)?;
        Ok(SetV(SetExpr::Slot(h.find(Find::Where(set.0, rule))?), h.clone()))
    });
    engine.register_iterator_result::<SetV, SquareV>();
}

/// A walk through a set, one question a square. The set is frozen first.
pub(crate) struct Walk {
    host: Host,
    set: SetExpr,
    after: i16,
    frozen: bool,
}

impl IntoIterator for SetV {
    type Item = Outcome<SquareV>;
    type IntoIter = Walk;

    fn into_iter(self) -> Walk {
        Walk { host: self.1, set: self.0, after: -1, frozen: false }
    }
}

impl Iterator for Walk {
    type Item = Outcome<SquareV>;

    fn next(&mut self) -> Option<Outcome<SquareV>> {
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
                Some(Ok(SquareV::place(SquareRef::At(astragal_core::Square(square as u8)))))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

fn register_moves(engine: &mut Engine, host: &Host) {
    engine.register_type_with_name::<MoveV>("Move");
    engine.register_type_with_name::<FacesV>("Rolled");
    engine.register_get("from", |m: &mut MoveV| SquareV::place(SquareRef::From(m.0)));
    engine.register_get("to", |m: &mut MoveV| SquareV::place(SquareRef::To(m.0)));
    let h = host.clone();
    engine.register_get("moved", move |m: &mut MoveV| -> Outcome<SetV> {
        Ok(SetV(SetExpr::Slot(h.find(Find::Moved(m.0))?), h.clone()))
    });
    engine.register_get("is_push", {
        let h = host.clone();
        move |m: &mut MoveV| h.ask_truth(Query::Move(m.0, Aspect::Push))
    });
    engine.register_get("partner", |m: &mut MoveV| SquareV::place(SquareRef::Partner(m.0)));
    engine.register_get("victim", |m: &mut MoveV| SquareV::place(SquareRef::Captured(m.0)));
    let kind = |aspect: Aspect, h: Host| {
        move |m: &mut MoveV| -> Outcome<Dynamic> { Ok(h.kind_name(h.ask(Query::Move(m.0, aspect))?)) }
    };
    engine.register_get("kind", kind(Aspect::Kind, host.clone()));
    engine.register_get("captured", kind(Aspect::CapturedKind, host.clone()));
    engine.register_get("promotion", kind(Aspect::Promotion, host.clone()));
    let truth =
        |aspect: Aspect, h: Host| move |m: &mut MoveV| -> Outcome<bool> { h.ask_truth(Query::Move(m.0, aspect)) };
    engine.register_get("is_castling", truth(Aspect::Castling, host.clone()));
    engine.register_get("is_drop", truth(Aspect::Drop, host.clone()));
    engine.register_get("is_en_passant", truth(Aspect::EnPassant, host.clone()));
    engine.register_get("done", truth(Aspect::Done, host.clone()));
    let h = host.clone();
    engine.register_get("is_capture", move |m: &mut MoveV| at_least(&h, Query::Move(m.0, Aspect::CapturedKind), 0));
    let h = host.clone();
    engine.register_get("distance", move |m: &mut MoveV| h.ask(Query::Move(m.0, Aspect::Distance)));
    let h = host.clone();
    engine.register_get("captured_side", move |m: &mut MoveV| captured_side(&h, m.0));
    let tally = |tally: Tally, h: Host| {
        move |f: FacesV, set: Dynamic| -> Outcome<i64> { h.ask(Query::Faces(f.0, h.set(&set)?, tally)) }
    };
    engine.register_fn("total", tally(Tally::Total, host.clone()));
    engine.register_fn("lowest", tally(Tally::Lowest, host.clone()));
    engine.register_fn("highest", tally(Tally::Highest, host.clone()));
    let h = host.clone();
    engine.register_fn("compare", move |f: FacesV, a: Dynamic, b: Dynamic| -> Outcome<i64> {
        h.ask(Query::CompareFaces(f.0, h.set(&a)?, h.set(&b)?))
    });
    let h = host.clone();
    engine.register_fn("lowest_squares", move |f: FacesV, set: Dynamic| -> Outcome<SetV> {
        Ok(SetV(SetExpr::Slot(h.find(Find::Lowest(f.0, h.set(&set)?))?), h.clone()))
    });
}

/// The side that a move takes a piece from, or nothing.
fn captured_side(host: &Host, slot: Slot) -> Outcome<Dynamic> {
    let side = host.ask(Query::Move(slot, Aspect::CapturedSide))?;
    Ok(u8::try_from(side).map_or(Dynamic::UNIT, |side| Dynamic::from(SideV(Live::fixed(SideRef::Is(Side(side)))))))
}

fn register_game(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("count", move |side: SideV, kinds: Dynamic| -> Outcome<i64> {
        h.ask(Query::Pieces(Some(side.0.now()), h.kinds(&kinds)?))
    });
    let h = host.clone();
    engine.register_fn("count", move |side: SideV| h.ask(Query::Pieces(Some(side.0.now()), KindMask::ALL)));
    let h = host.clone();
    engine.register_fn("count", move |what: &str| match h.side_named(what) {
        // A piece may be called like a side.
        Some(side) if h.kind(what).is_err() => h.ask(Query::Pieces(Some(side), KindMask::ALL)),
        _ => h.ask(Query::Pieces(None, h.kind_or_side(what)?.into())),
    });
    let h = host.clone();
    engine.register_fn("count", move |side: &str, kinds: Dynamic| -> Outcome<i64> {
        h.ask(Query::Pieces(Some(h.side(&side.into())?), h.kinds(&kinds)?))
    });
    let h = host.clone();
    engine.register_fn("has", move |side: SideV, kinds: Dynamic| has(&h, side.0.now(), &kinds, 1));
    let h = host.clone();
    engine.register_fn("has", move |side: &str, kinds: Dynamic| has(&h, h.side(&side.into())?, &kinds, 1));
    let h = host.clone();
    engine.register_fn("has", move |side: &str, kinds: Dynamic, least: i64| {
        has(&h, h.side(&side.into())?, &kinds, least)
    });
    let h = host.clone();
    engine.register_fn("has", move |side: SideV, kinds: Dynamic, least: i64| has(&h, side.0.now(), &kinds, least));
    let h = host.clone();
    engine.register_fn("captured", move |side: SideV, kind: &str| captured(&h, Some(side.0.now()), kind));
    let h = host.clone();
    engine.register_fn("captured", move |side: &str, kind: &str| captured(&h, Some(h.side(&side.into())?), kind));
    let h = host.clone();
    engine.register_fn("captured", move |kind: &str| captured(&h, None, kind));
    let h = host.clone();
    engine.register_fn("hand", move |side: Dynamic, kind: &str| -> Outcome<i64> {
        h.ask(Query::Hand(h.side(&side)?, h.kind(kind)?))
    });
    let h = host.clone();
    engine.register_fn("suppose", move |ctx: NativeCallContext, change: FnPtr, test: FnPtr| {
        h.suppose(|| change.call_within_context(&ctx, ()), || test.call_within_context(&ctx, ()))
    });
    let h = host.clone();
    engine.register_fn("repetitions", move || h.ask(Query::Repetitions));
    let h = host.clone();
    engine.register_fn("repeated", move |times: i64| at_least(&h, Query::Repetitions, times));
    let h = host.clone();
    engine.register_fn("clock", move || h.ask(Query::Clock));
    let h = host.clone();
    engine.register_fn("clock_reached", move |half_moves: i64| at_least(&h, Query::Clock, half_moves));
    let h = host.clone();
    engine.register_fn("round", move || h.ask(Query::Round));
    let h = host.clone();
    engine.register_fn("between_turns", move || h.ask_truth(Query::BetweenTurns));
    let h = host.clone();
    engine.register_fn("perpetual_checker", move || -> Outcome<Dynamic> {
        let side = h.ask(Query::PerpetualChecker)?;
        Ok(u8::try_from(side).map_or(Dynamic::UNIT, |side| Dynamic::from(SideV(Live::fixed(SideRef::Is(Side(side)))))))
    });
}

/// Whether a side has at least so many pieces of some kinds; a number instead of kinds means all kinds.
fn has(host: &Host, side: SideRef, kinds: &Dynamic, least: i64) -> Outcome<bool> {
    let (kinds, least) = match kinds.as_int() {
        Ok(number) => (KindMask::ALL, number),
        Err(_) => (host.kinds(kinds)?, least),
    };
    at_least(host, Query::Pieces(Some(side), kinds), least)
}

/// Whether the answer to a query is at least so much.
fn at_least(host: &Host, query: Query, least: i64) -> Outcome<bool> {
    host.ask_truth(Query::AtLeast(Box::new(query), least))
}

/// How many pieces of a kind are missing from the starting array.
fn captured(host: &Host, side: Option<SideRef>, kind: &str) -> Outcome<i64> {
    let kind = host.kind(kind)?;
    let missing = |side: SideRef, array: i64| -> Outcome<i64> {
        Ok((array - host.ask(Query::Pieces(Some(side), kind.into()))?).max(0))
    };
    let counts = host.trace().declaration.array_counts.get(kind.index()).copied().unwrap_or_default();
    let sides = host.trace().declaration.spec.sides.len();
    match side {
        None => (0..sides).map(|s| missing(SideRef::Is(Side(s as u8)), counts[s])).sum(),
        Some(SideRef::Is(side)) => missing(SideRef::Is(side), counts[side.index()]),
        Some(side) if counts[..sides].iter().all(|c| *c == counts[0]) => missing(side, counts[0]),
        Some(side) => match usize::try_from(host.ask(Query::Side(side))?) {
            Ok(index) => missing(SideRef::Is(Side(index as u8)), counts[index & 3]),
            Err(_) => fail("nobody stands on that square"),
        },
    }
}
