//! The regions that pieces are bound to, against where they stand and what they can come to: a promotion that never comes,
//! a home without a way on, a palace that its general stands outside of.

use super::name_table::{NameTable, Place, Value};
use super::report::Report;
use super::rules::{self, RULES};
use crate::diagnostic::Code;
use crate::functions::{Fact, has_fact};
use astragal_core::movegen::{self, Filter, Safety};
use astragal_core::{Kind, KindDef, Piece, Position, Side, Square, SquareSet, Travel, Variant};

/// Pieces that the set-up puts outside of the region which they may not leave.
pub(super) fn outside(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    for (index, kind) in variant.kinds().iter().enumerate() {
        let Some(name) = kind.within.as_deref() else { continue };
        let Some(region) = variant.board().region(name) else { continue };
        let stray = (0..variant.sides()).find_map(|side| {
            let stands = start.squares_of(Piece::new(Side(side as u8), Kind(index as u8)));
            (stands - region.squares[side]).into_iter().next()
        });
        if let Some(square) = stray {
            let at = variant.board().name(square);
            let message =
                format!("the set-up has a {} on {at}, outside of \"{name}\", which it may not leave", kind.name);
            let help = format!("let \"{name}\" hold {at}, or set the {} up within it", kind.name);
            report.warning(Code::Declaration, named(table, kind, name), message, Some(help));
        }
    }
}

/// Regions of pieces that are empty, or that no such piece comes to.
pub(super) fn check(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    let placed = {
        let called = rules::called(table, &RULES);
        variant.spec().hands || called.iter().any(|name| has_fact(name, Fact::PlacesPieces))
    };
    for (index, kind) in variant.kinds().iter().enumerate() {
        let zone = kind.promotion.as_ref().map(|promotion| promotion.zone.as_str());
        let all = [
            (zone, "it never promotes"),
            (kind.home.as_deref(), "its moves from home are never made"),
            (kind.within.as_deref(), "it can go nowhere"),
            (kind.drops_to.as_deref(), "it is never dropped"),
        ];
        for (name, then) in all.into_iter().filter_map(|(name, then)| Some((name?, then))) {
            let squares = |side: usize| variant.board().region(name).map_or(SquareSet::EMPTY, |r| r.squares[side]);
            if (0..variant.sides()).all(|side| squares(side).is_empty()) {
                let message = format!("the region \"{name}\" of the {} is empty: {then}", kind.name);
                let help = Some("name its squares, as \"a8-h8\"".into());
                report.warning(Code::Declaration, named(table, kind, name), message, help);
            }
        }
        if placed || !all_known(kind) || (zone.is_none() && kind.home.is_none() && kind.within.is_none()) {
            continue;
        }
        let kind_of = |side: usize| Piece::new(Side(side as u8), Kind(index as u8));
        let starts: Vec<SquareSet> = (0..variant.sides()).map(|side| start.squares_of(kind_of(side))).collect();
        if starts.iter().all(|squares| squares.is_empty()) {
            continue;
        }
        let reach: Vec<SquareSet> =
            starts.iter().enumerate().map(|(side, from)| reach(variant, kind_of(side), *from)).collect();
        let mut warn = |name: &str, message: String, help: &str| {
            report.warning(Code::Declaration, named(table, kind, name), message, Some(help.into()));
        };
        let stuck = || starts.iter().zip(&reach).all(|(from, reached)| reached == from);
        if let Some(within) = kind.within.as_deref().filter(|_| !kind.atoms.is_empty() && stuck()) {
            let message = format!(
                "no {} can ever move: it may go only to squares of \"{within}\", and it gets to none from where it stands",
                kind.name
            );
            warn(within, message, "set it up in the region or beside it, or widen the region");
        }
        let comes = |name: &str, also: &dyn Fn(usize, Square) -> bool| {
            let region = variant.board().region(name);
            region.is_none_or(|region| {
                region.squares.iter().take(reach.len()).all(|squares| squares.is_empty())
                    || (0..reach.len())
                        .any(|side| (region.squares[side] & reach[side]).into_iter().any(|s| also(side, s)))
            })
        };
        if let Some(zone) = zone.filter(|zone| !comes(zone, &|_, _| true)) {
            let message = format!("no {} ever comes to \"{zone}\", where it would promote", kind.name);
            warn(zone, message, seen_from(table, zone));
        }
        let leads = |side: usize, from: Square| {
            first_moves(variant, kind, side).any(|step| variant.board().offset(from, step).is_some())
        };
        let initial = kind.atoms.iter().any(|atom| atom.initial);
        if let Some(home) = kind.home.as_deref().filter(|home| initial && !comes(home, &leads)) {
            let message = format!(
                "no {} ever moves from its home \"{home}\": it does not stand there, or has no way on",
                kind.name
            );
            warn(home, message, seen_from(table, home));
        }
    }
}

/// The steps of the moves that a kind makes only from its home, as a side makes them.
fn first_moves(variant: &Variant, kind: &KindDef, side: usize) -> impl Iterator<Item = astragal_core::board::Offset> {
    let turn = kind.facing.unwrap_or(variant.spec().sides[side].forward);
    let steps = kind.atoms.iter().filter(|atom| atom.initial).flat_map(|atom| &atom.steps);
    steps.map(move |step| variant.board().turn(*step, turn))
}

/// Whether [`reach`] finds all squares that a kind may come to: pieces that jump others need some to jump.
fn all_known(kind: &KindDef) -> bool {
    kind.atoms.iter().all(|atom| atom.travel == Travel::Clear && atom.routes.is_empty())
}

/// The squares that a piece may come to from some squares, if it may capture wherever it goes.
fn reach(variant: &Variant, piece: Piece, from: SquareSet) -> SquareSet {
    let enemy = (0..variant.sides()).map(|side| Side(side as u8)).find(|side| *side != piece.side());
    let victim = variant.kinds().iter().position(|kind| !kind.royal).unwrap_or(0);
    let mut full = Position::empty(variant);
    if let Some(enemy) = enemy {
        let victim = Piece::new(enemy, Kind(victim as u8));
        variant.board().squares().into_iter().for_each(|square| full.put(variant, square, victim));
    }
    let (mut reached, mut open) = (from, from.into_iter().collect::<Vec<_>>());
    let mut moves = Vec::new();
    while let Some(square) = open.pop() {
        for mut position in [Position::empty(variant), full.clone()] {
            position.take(variant, square);
            position.put(variant, square, piece);
            movegen::generate(variant, &position, piece.side(), Safety::Pseudo, Filter::ALL, &mut moves);
        }
        for mv in moves.drain(..).filter(|mv| mv.castling().is_none()) {
            if !reached.contains(mv.to) {
                reached.insert(mv.to);
                open.push(mv.to);
            }
        }
    }
    reached
}

/// Whose eyes the squares of a region are told with.
fn seen_from(table: &NameTable, region: &str) -> &'static str {
    let by_side = table.calls.iter().any(|call| {
        let [Value::Text(name, _), Value::List(_), ..] = call.args.as_slice() else { return false };
        call.name == "region" && name == region
    });
    if by_side {
        "the array has the squares of each side in order of turn"
    } else {
        "regions are named as the first side sees them"
    }
}

/// Where the declaration of a kind names a region; else where the region or the kind is declared.
fn named(table: &NameTable, kind: &KindDef, region: &str) -> Place {
    let is = |value: &Value, wanted: &str| value.text().filter(|(text, _)| *text == wanted).map(|(_, at)| at);
    let of_kind = table.named("piece").find(|call| call.args.first().is_some_and(|arg| is(arg, &kind.name).is_some()));
    let in_options = of_kind.and_then(|call| match call.args.last() {
        Some(Value::Map(entries)) => entries.iter().find_map(|(_, value)| is(value, region)),
        _ => None,
    });
    let as_region = || table.declared_at("region", region);
    in_options.or_else(as_region).or_else(|| of_kind.map(|call| call.at)).unwrap_or((0, 0))
}
