//! Checks regions that restrict pieces against the squares that these pieces start on and can reach.
//!
//! Reports a promotion zone that is never reached, a home without a move, and a region that does not contain its piece.

use super::name_table::{LineColumn, NameTable, Value};
use super::report::Report;
use super::rules::{self, RULES};
use crate::diagnostic::Code;
use crate::functions::{Fact, has_fact};
use crate::notation::describe::a;
use astragal_core::movegen::{self, Filter, Safety};
use astragal_core::{Board, Kind, KindDef, Piece, Position, Side, Square, SquareSet, Travel, Variant};

/// Pieces that start outside the region they may not leave.
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
            let message = format!("the starting position has {} on {at}, outside its region \"{name}\"", a(&kind.name));
            let help = format!("add {at} to \"{name}\", or place the {} inside it", kind.name);
            report.warning(Code::Declaration, named(table, kind, name), message, Some(help));
        }
    }
}

/// Regions that are empty, or that the piece in question never reaches.
pub(super) fn check(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    let placed = {
        let called = rules::called(table, &RULES);
        variant.spec().hands || called.iter().any(|name| has_fact(name, Fact::PlacesPieces))
    };
    for (index, kind) in variant.kinds().iter().enumerate() {
        let zone = kind.promotion.as_ref().map(|promotion| promotion.zone.as_str());
        let all = [
            (zone, "never promotes"),
            (kind.home.as_deref(), "never makes its moves from home"),
            (kind.within.as_deref(), "cannot move"),
            (kind.drops_to.as_deref(), "cannot be dropped"),
        ];
        for (name, then) in all.into_iter().filter_map(|(name, then)| Some((name?, then))) {
            let squares = |side: usize| variant.board().region(name).map_or(SquareSet::EMPTY, |r| r.squares[side]);
            if (0..variant.sides()).all(|side| squares(side).is_empty()) {
                let message = format!("the region \"{name}\" is empty, so the {} {then}", kind.name);
                let squares = last_rank(variant.board());
                let help = Some(format!("list the region's squares, as in `region(\"{name}\", \"{squares}\")`"));
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
                "no {0} can ever move: every move must end in the region \"{within}\", which no {0} can reach",
                kind.name
            );
            warn(within, message, "start the piece in the region or a single move away from it, or enlarge the region");
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
            let message = format!("no {0} can ever promote: none can reach the region \"{zone}\"", kind.name);
            warn(zone, message, seen_from(table, zone));
        }
        let leads = |side: usize, from: Square| {
            first_moves(variant, kind, side).any(|step| variant.board().offset(from, step).is_some())
        };
        let initial = kind.atoms.iter().any(|atom| atom.initial);
        if let Some(home) = kind.home.as_deref().filter(|home| initial && !comes(home, &leads)) {
            let message = format!(
                "no {0} can ever make its `i` moves from the region \"{home}\": no {0} is ever there, or these moves leave the board",
                kind.name
            );
            warn(home, message, seen_from(table, home));
        }
    }
}

/// The steps of the moves that a kind makes only from its home, in the direction of a side.
fn first_moves(variant: &Variant, kind: &KindDef, side: usize) -> impl Iterator<Item = astragal_core::board::Offset> {
    let turn = kind.facing.unwrap_or(variant.spec().sides[side].forward);
    let steps = kind.atoms.iter().filter(|atom| atom.initial).flat_map(|atom| &atom.steps);
    steps.map(move |step| variant.board().turn(*step, turn))
}

/// Whether [`reach`] finds all squares a kind can move to. Pieces that jump over others are excluded.
fn all_known(kind: &KindDef) -> bool {
    kind.atoms.iter().all(|atom| atom.travel == Travel::Clear && atom.routes.is_empty())
}

/// The squares that a piece can reach from some squares, if it can capture on every square.
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

/// Advice on the point of view from which a region's squares are written.
fn seen_from(table: &NameTable, region: &str) -> &'static str {
    let by_side = table.calls.iter().any(|call| {
        let [Value::Text(name, _), Value::List(_), ..] = call.args.as_slice() else { return false };
        call.name == "region" && name == region
    });
    if by_side {
        "list the squares of each side in the array, in turn order"
    } else {
        "list the squares for the first side's pieces: for the other sides, the region is rotated automatically"
    }
}

/// The place where the declaration of a kind names a region, or else the declaration of the region or the kind.
fn named(table: &NameTable, kind: &KindDef, region: &str) -> LineColumn {
    let is = |value: &Value, wanted: &str| value.text().filter(|(text, _)| *text == wanted).map(|(_, at)| at);
    let of_kind = table.named("piece").find(|call| call.args.first().is_some_and(|arg| is(arg, &kind.name).is_some()));
    let in_options = of_kind.and_then(|call| match call.args.last() {
        Some(Value::Map(entries)) => entries.iter().find_map(|(_, value)| is(value, region)),
        _ => None,
    });
    let as_region = || table.declared_at("region", region);
    in_options.or_else(as_region).or_else(|| of_kind.map(|call| call.at)).unwrap_or((0, 0))
}

/// The squares of the last rank, as a range.
fn last_rank(board: &Board) -> String {
    let squares: Vec<Square> = board.squares().into_iter().collect();
    let last = squares.last().copied().unwrap_or(Square(0));
    let first = squares.iter().copied().find(|square| board.rank(*square) == board.rank(last)).unwrap_or(last);
    format!("{}-{}", board.name(first), board.name(last))
}
