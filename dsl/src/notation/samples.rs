//! Small games for the tests of this folder, declared by hand.

use super::{betza, fen};
use astragal_core::board::Region;
use astragal_core::movegen::{Filter, Safety, generate};
use astragal_core::variant::{CounterDef, TraitDef};
use astragal_core::{
    Board, Castle, Kind, KindDef, Move, Piece, Position, Promotion, Side, Spec, Square, SquareSet, Variant,
};

pub const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub const XIANGQI: &str = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1";

/// The position of `text` and its legal moves.
pub fn legal(variant: &Variant, text: &str) -> (Position, Vec<Move>) {
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
    board.add_region(Region { name: name.into(), squares: [first, second, first, second] });
}

/// Puts `kinds` (by number) on the first rank, pawns on the second, the same for the other side.
fn array(spec: &mut Spec, back: &[u8]) {
    let top = i64::from(spec.board.height()) - 1;
    for (file, &kind) in back.iter().enumerate() {
        for (side, rank, pawns) in [(0, 0, 1), (1, top, top - 1)] {
            let squares = [(rank, kind), (pawns, 0)];
            for (rank, kind) in squares {
                let square = spec.board.at(file as i64, rank).unwrap();
                spec.array.push((square, Piece::new(Side(side), Kind(kind))));
            }
        }
    }
}

fn castle(board: &Board, side: u8, letter: char, [k0, k1, r0, r1]: [&str; 4], empty: &[&str], safe: &[&str]) -> Castle {
    let at = |name: &str| board.parse(name).unwrap();
    let set = |names: &[&str]| names.iter().map(|n| at(n)).collect::<SquareSet>();
    Castle {
        side: Side(side),
        letter,
        king: (at(k0), at(k1)),
        rook: (at(r0), at(r1)),
        kinds: (Kind(5), Kind(3)),
        empty: set(empty),
        safe: set(safe),
    }
}

fn army(spec: &mut Spec) {
    let last = spec.board.rank_set(spec.board.height() - 1);
    region(&mut spec.board, "last", last);
    let mut pawn = kind("pawn", "P", "mfWcefFimfnD");
    pawn.restarts_clock = true;
    let to = (1..5).map(Kind).collect();
    pawn.promotion = Some(Promotion { zone: "last".into(), to, forced: true, on_leaving: false });
    let mut king = kind("king", "K", "K");
    king.royal = true;
    spec.kinds = vec![
        pawn,
        kind("knight", "N", "N"),
        kind("bishop", "B", "B"),
        kind("rook", "R", "R"),
        kind("queen", "Q", "Q"),
        king,
    ];
}

fn chess_spec() -> Spec {
    let mut spec = Spec::new("Chess", Board::new(8, 8, 1).unwrap());
    army(&mut spec);
    array(&mut spec, &[3, 1, 2, 4, 5, 2, 1, 3]);
    let b = spec.board.clone();
    spec.castles = vec![
        castle(&b, 0, 'K', ["e1", "g1", "h1", "f1"], &["f1", "g1"], &["e1", "f1", "g1"]),
        castle(&b, 0, 'Q', ["e1", "c1", "a1", "d1"], &["b1", "c1", "d1"], &["e1", "d1", "c1"]),
        castle(&b, 1, 'k', ["e8", "g8", "h8", "f8"], &["f8", "g8"], &["e8", "f8", "g8"]),
        castle(&b, 1, 'q', ["e8", "c8", "a8", "d8"], &["b8", "c8", "d8"], &["e8", "d8", "c8"]),
    ];
    spec
}

/// Orthodox chess.
pub fn chess() -> Variant {
    Variant::new(chess_spec()).unwrap()
}

/// Chess with counters and a trait.
pub fn counting() -> Variant {
    let mut spec = chess_spec();
    spec.counters = vec![
        CounterDef { name: "stake".into(), per_side: false, initial: 1, size: 1, secret: false },
        CounterDef { name: "lives".into(), per_side: true, initial: 3, size: 1, secret: false },
    ];
    spec.traits = vec![TraitDef { name: "strength".into(), initial: vec![1, 3, 3, 5, 9, 0], secret: false }];
    Variant::new(spec).unwrap()
}

/// Chess with hands and a promoted kind of two letters; captured pieces change sides.
pub fn crazy() -> Variant {
    let mut spec = chess_spec();
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
pub fn wide() -> Variant {
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
pub fn four() -> Variant {
    let mut spec = Spec::new("Four", Board::new(4, 4, 1).unwrap());
    army(&mut spec);
    let names = [("Red", 'r', 0), ("Blue", 'b', 1), ("Yellow", 'y', 2), ("Green", 'g', 3)];
    spec.sides = names
        .iter()
        .map(|&(name, letter, forward)| astragal_core::SideDef { name: name.into(), letter, forward })
        .collect();
    Variant::new(spec).unwrap()
}

/// Xiangqi, ranks from 0.
pub fn xiangqi() -> Variant {
    let mut board = Board::new(9, 10, 0).unwrap();
    let palace = |b: &Board| -> SquareSet {
        (0..3).flat_map(|r| (3..6).map(move |f| (f, r))).filter_map(|(f, r)| b.at(f, r)).collect()
    };
    let squares = palace(&board);
    region(&mut board, "palace", squares);
    let near: SquareSet = (0..45).map(Square).collect();
    region(&mut board, "near", near);
    let mut spec = Spec::new("Xiangqi", board);
    let mut king = kind("general", "K", "W");
    king.royal = true;
    king.within = Some("palace".into());
    let mut advisor = kind("advisor", "A", "F");
    advisor.within = Some("palace".into());
    let mut elephant = kind("elephant", "E", "nA");
    elephant.within = Some("near".into());
    spec.kinds = vec![
        kind("soldier", "P", "fW"),
        king,
        advisor,
        elephant,
        kind("horse", "H", "nN"),
        kind("chariot", "R", "R"),
        kind("cannon", "C", "mRcpR"),
    ];
    Variant::new(spec).unwrap()
}
