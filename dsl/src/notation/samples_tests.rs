//! Small games for the tests of this folder: the bases, and the pieces of chess on other boards.

use super::{betza, fen};
use crate::load_named;
use astragal_core::board::Region;
use astragal_core::movegen::{Filter, Safety, generate};
use astragal_core::variant::{CounterDef, TraitDef};
use astragal_core::{Board, Kind, KindDef, Move, Piece, Position, Side, Spec, SquareSet, Variant};

pub(crate) const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub(crate) const XIANGQI: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The position of `text` and its legal moves.
pub(crate) fn legal(variant: &Variant, text: &str) -> (Position, Vec<Move>) {
    let position = fen::parse(variant, text).unwrap_or_else(|e| panic!("{}", e.render())).position;
    let mut moves = Vec::new();
    generate(variant, &position, position.side(), Safety::Safe, Filter::ALL, &mut moves);
    (position, moves)
}

fn kind(name: &str, letter: &str, moves: &str) -> KindDef {
    let mut kind = KindDef::new(name, letter);
    kind.atoms = betza::parse(moves).unwrap();
    kind
}

fn region(board: &mut Board, name: &str, first: SquareSet) {
    let second = first.into_iter().filter_map(|s| board.turned(s, 2)).collect();
    board.add_region(Region { name: name.into(), squares: std::array::from_fn(|side| [first, second][side % 2]) });
}

/// What a script that comes with the program declares.
fn declared(name: &str) -> Spec {
    load_named(name, &[]).unwrap_or_else(|error| panic!("{name}: {error}")).set.variant.spec().clone()
}

/// Lets a game on another board be played with the pieces of chess; pawns promote on the last rank.
fn army(spec: &mut Spec) {
    spec.kinds = declared("chess").kinds;
    let last = spec.board.rank_set(spec.board.height() - 1);
    region(&mut spec.board, "last", last);
    if let Some(promotion) = &mut spec.kinds[0].promotion {
        promotion.zone = "last".into();
    }
}

/// Orthodox chess.
pub(crate) fn chess() -> Variant {
    Variant::new(declared("chess")).unwrap()
}

/// Chess with counters and a trait.
pub(crate) fn counting() -> Variant {
    let mut spec = declared("chess");
    spec.counters = vec![
        CounterDef { name: "stake".into(), per_side: false, initial: 1, size: 1, secret: false, counted: false },
        CounterDef { name: "lives".into(), per_side: true, initial: 3, size: 1, secret: false, counted: false },
    ];
    spec.traits = vec![TraitDef {
        name: "strength".into(),
        initial: vec![1, 3, 3, 5, 9, 0],
        secret: false,
        counted: false,
        shown: false,
        names: Vec::new(),
    }];
    Variant::new(spec).unwrap()
}

/// Chess with hands and a promoted kind of two letters; captured pieces change sides.
pub(crate) fn crazy() -> Variant {
    let mut spec = declared("chess");
    spec.hands = true;
    let mut tokin = kind("tokin", "+P", "WfF");
    tokin.in_hand = Some(Kind(0));
    spec.kinds.push(tokin);
    let far = spec.board.rank_set(6) | spec.board.rank_set(7);
    region(&mut spec.board, "far", far);
    if let Some(promotion) = &mut spec.kinds[0].promotion {
        promotion.zone = "far".into();
        promotion.to = Kind(6).into();
        promotion.forced = false;
    }
    Variant::new(spec).unwrap()
}

/// A board of 12 files and 14 ranks with cut corners, without castling.
pub(crate) fn wide() -> Variant {
    let mut board = Board::new(12, 14, 1).unwrap();
    let corners = ["a1", "l1", "a14", "l14"].iter().map(|n| board.parse(n).unwrap()).collect();
    board.cut(corners);
    let mut spec = Spec::new("Wide", board);
    army(&mut spec);
    let b = spec.board.clone();
    for file in 0..12 {
        spec.array.push((b.at(file, 1).unwrap(), Piece::new(Side(0), Kind(0))));
        spec.array.push((b.at(file, 12).unwrap(), Piece::new(Side(1), Kind(0))));
    }
    Variant::new(spec).unwrap()
}

/// Four sides on a small board.
pub(crate) fn four() -> Variant {
    let mut spec = Spec::new("Four", Board::new(4, 4, 1).unwrap());
    army(&mut spec);
    let names = [("Red", 'r', 0), ("Blue", 'b', 1), ("Yellow", 'y', 2), ("Green", 'g', 3)];
    spec.sides = names
        .iter()
        .map(|&(name, letter, forward)| astragal_core::SideDef {
            name: name.into(),
            letter,
            forward,
            elsewhere: Vec::new(),
        })
        .collect();
    Variant::new(spec).unwrap()
}

/// Xiangqi, ranks from 0.
pub(crate) fn xiangqi() -> Variant {
    Variant::new(declared("xiangqi")).unwrap()
}
