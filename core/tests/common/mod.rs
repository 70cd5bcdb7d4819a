//! Games written by hand for the tests of the generator, and a tiny reader of positions.

#![allow(dead_code)]

use astragal_core::board::Region;
use astragal_core::{
    Atom, Board, Castle, EnPassant, Kind, KindDef, KindMask, MAX_SIDES, Piece, Position, Promotion, Side, SideDef,
    Spec, Square, SquareSet, Travel, Variant,
};

pub const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
pub const XIANGQI: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -";
pub const ODD: &str = "rnzgkagznr/1pppppppp1/10/10/10/10/1PPPPPPPP1/RNZGKAGZNR w - -";

/// All eight images of an offset under turns and reflections.
pub fn around(x: i8, y: i8) -> Vec<(i8, i8)> {
    let mut all = vec![(x, y), (y, x), (y, -x), (x, -y), (-x, -y), (-y, -x), (-y, x), (-x, y)];
    let mut seen = Vec::new();
    all.retain(|o| {
        !seen.contains(o) && {
            seen.push(*o);
            true
        }
    });
    all
}

pub fn leap(steps: Vec<(i8, i8)>) -> Atom {
    Atom { steps, ..Atom::default() }
}

pub fn ride(steps: Vec<(i8, i8)>) -> Atom {
    Atom { steps, max: 0, ..Atom::default() }
}

pub fn quiet(atom: Atom) -> Atom {
    Atom { capture: false, ..atom }
}

pub fn takes(atom: Atom) -> Atom {
    Atom { quiet: false, ..atom }
}

/// A lame leap whose legs follow from its steps.
pub fn lame(steps: Vec<(i8, i8)>, legs: impl Fn((i8, i8)) -> Vec<(i8, i8)>) -> Atom {
    let legs = steps.iter().map(|&s| legs(s)).collect();
    Atom { steps, legs, ..Atom::default() }
}

pub fn kind(name: &str, letter: &str, atoms: Vec<Atom>) -> KindDef {
    KindDef { atoms, ..KindDef::new(name, letter) }
}

/// A region made of rows (from each side's own edge, 0 first) and files, for two sides.
pub fn region(board: &Board, name: &str, rows: std::ops::Range<u8>, files: std::ops::Range<u8>) -> Region {
    let mut squares = [SquareSet::EMPTY; MAX_SIDES];
    for s in board.squares() {
        for (side, rank) in [(0, board.rank(s)), (1, board.height() - 1 - board.rank(s))] {
            if rows.contains(&rank) && files.contains(&board.file(s)) {
                squares[side].insert(s);
            }
        }
    }
    Region { name: name.into(), squares }
}

pub fn pawn(promotes_to: KindMask) -> KindDef {
    let double = Atom { initial: true, double: true, ..quiet(lame(vec![(0, 2)], |_| vec![(0, 1)])) };
    let strike = Atom { en_passant: true, ..takes(leap(vec![(-1, 1), (1, 1)])) };
    let promotion = Promotion { zone: "last".into(), to: promotes_to, forced: true, on_leaving: false };
    KindDef {
        promotion: Some(promotion),
        restarts_clock: true,
        ..kind("pawn", "P", vec![quiet(leap(vec![(0, 1)])), double, strike])
    }
}

pub fn chess_spec() -> Spec {
    let mut board = Board::new(8, 8, 1).unwrap();
    let last = region(&board, "last", 7..8, 0..8);
    board.add_region(last);
    let mut spec = Spec::new("chess", board);
    let (rook, bishop) = (around(1, 0), around(1, 1));
    spec.kinds = vec![
        pawn((1..5).map(Kind).collect()),
        kind("knight", "N", vec![leap(around(1, 2))]),
        kind("bishop", "B", vec![ride(bishop.clone())]),
        kind("rook", "R", vec![ride(rook.clone())]),
        kind("queen", "Q", vec![ride([rook.clone(), bishop.clone()].concat())]),
        KindDef { royal: true, ..kind("king", "K", vec![leap([rook, bishop].concat())]) },
    ];
    for (side, letter, rank, rook, king_to, rook_to) in
        [(0, 'K', 0, 7, 6, 5), (0, 'Q', 0, 0, 2, 3), (1, 'k', 7, 7, 6, 5), (1, 'q', 7, 0, 2, 3)]
    {
        let square = |file: i64| spec.board.at(file, rank).unwrap();
        let between = |a: i64, b: i64| (a.min(b)..=a.max(b)).map(square).collect::<SquareSet>();
        spec.castles.push(Castle {
            side: Side(side),
            letter,
            king: (square(4), square(king_to)),
            rook: (square(rook), square(rook_to)),
            kinds: (Kind(5), Kind(3)),
            empty: between(4, rook) - square(4).into() - square(rook).into(),
            safe: between(4, king_to),
        });
    }
    with_array(spec, CHESS)
}

pub fn xiangqi_spec() -> Spec {
    let mut board = Board::new(9, 10, 0).unwrap();
    for r in
        [region(&board, "palace", 0..3, 3..6), region(&board, "near", 0..5, 0..9), region(&board, "far", 5..10, 0..9)]
    {
        board.add_region(r);
    }
    let mut spec = Spec::new("xiangqi", board);
    let rook = around(1, 0);
    let half = |(x, y): (i8, i8)| vec![(x / 2, y / 2)];
    let glance = Atom { victims: Kind(0).into(), ..takes(ride(vec![(0, 1), (0, -1)])) };
    let screen = Atom { travel: Travel::Hop, ..takes(ride(rook.clone())) };
    let aside = Atom { initial: true, ..leap(vec![(-1, 0), (1, 0)]) };
    let confined = |region: &str, def: KindDef| KindDef { within: Some(region.into()), ..def };
    spec.kinds = vec![
        confined("palace", KindDef { royal: true, ..kind("general", "K", vec![leap(rook.clone()), glance]) }),
        confined("palace", kind("advisor", "A", vec![leap(around(1, 1))])),
        confined("near", kind("elephant", "B", vec![lame(around(2, 2), half)])),
        kind("horse", "N", vec![lame(around(1, 2), half)]),
        kind("chariot", "R", vec![ride(rook.clone())]),
        kind("cannon", "C", vec![quiet(ride(rook)), screen]),
        KindDef { home: Some("far".into()), ..kind("soldier", "P", vec![leap(vec![(0, 1)]), aside]) },
    ];
    with_array(spec, XIANGQI)
}

/// Nightriders, grasshoppers, cannon-bishops, lame zebras that also capture their own, pawns that promote freely (even to a
/// royal), two royals, and hands.
pub fn odd_spec() -> Spec {
    with_array(odd_army(10, 8), ODD)
}

/// The same army, without an array, on a board of another size.
pub fn odd_army(width: u8, height: u8) -> Spec {
    let mut board = Board::new(width.into(), height.into(), 1).unwrap();
    for r in [region(&board, "last", height - 2..height, 0..width), region(&board, "home", 1..3, 0..width)] {
        board.add_region(r);
    }
    let mut spec = Spec::new("odd", board);
    let all = [around(1, 0), around(1, 1)].concat();
    let zebra = Atom {
        friendly: true,
        ..lame(around(2, 3), |(x, y)| vec![(x.signum(), y.signum()), (x - x.signum(), y - y.signum())])
    };
    let screen = Atom { travel: Travel::Hop, ..takes(ride(around(1, 1))) };
    let hop = Atom { travel: Travel::Land, ..ride(all.clone()) };
    let mut soldier = pawn([1, 2, 6].into_iter().map(Kind).collect());
    soldier.home = Some("home".into());
    let promotion = soldier.promotion.as_mut().unwrap();
    (promotion.forced, promotion.on_leaving) = (false, true);
    spec.kinds = vec![
        soldier,
        kind("nightrider", "N", vec![ride(around(1, 2))]),
        kind("grasshopper", "G", vec![hop]),
        kind("archbishop", "A", vec![quiet(ride(around(1, 1))), screen]),
        kind("zebra", "Z", vec![zebra]),
        KindDef { royal: true, ..kind("king", "K", vec![leap(all)]) },
        // Overlapping atoms: no move may come twice.
        KindDef {
            royal: true,
            ..kind("regent", "R", vec![ride(around(1, 0)), leap(around(1, 0)), leap(around(1, 2))])
        },
    ];
    spec
}

/// Four sides on a ring, each with its own forward direction, and with limited, ski and cannon sliders.
pub fn ring_spec() -> Spec {
    let mut board = Board::new(7, 6, 1).unwrap();
    board.wrap(true, false);
    board.cut(Square(17).into());
    let mut spec = Spec::new("ring", board);
    spec.sides = (0..4)
        .map(|i| SideDef { name: format!("{i}"), letter: (b'a' + i) as char, forward: i, elsewhere: Vec::new() })
        .collect();
    let ski = Atom { min: 2, max: 4, ..leap(around(1, 1)) };
    let stride = Atom { min: 2, max: 2, double: true, ..quiet(leap(vec![(0, 1)])) };
    let far_screen = Atom { travel: Travel::Hop, min: 3, ..ride(around(1, 0)) };
    let lame_rider = Atom { max: 3, ..lame(around(1, 2), |(x, y)| vec![(x / 2, y / 2)]) };
    spec.kinds = vec![
        KindDef { royal: true, ..kind("king", "K", vec![leap([around(1, 0), around(1, 1)].concat())]) },
        // The stride goes where the ride goes: no move may come twice.
        kind("rook", "R", vec![ride(around(1, 0)), stride]),
        kind("skier", "S", vec![ski]),
        kind("cannon", "C", vec![far_screen, quiet(ride(around(1, 0)))]),
        kind("horserider", "H", vec![lame_rider]),
        kind("pawn", "P", vec![leap(vec![(0, 1)]), takes(leap(vec![(1, 1), (-1, 1)]))]),
        KindDef {
            facing: Some(1),
            ..kind("east", "E", vec![Atom { victims: Kind(1).into(), ..leap(vec![(0, 1), (0, 2)]) }])
        },
    ];
    spec
}

pub fn variant(spec: Spec) -> Variant {
    Variant::new(spec).unwrap()
}

fn with_array(mut spec: Spec, fen: &str) -> Spec {
    spec.array = placement(&spec.board, &spec.kinds, fen);
    spec
}

fn placement(board: &Board, kinds: &[KindDef], fen: &str) -> Vec<(Square, Piece)> {
    let mut found = Vec::new();
    for (row, text) in fen.split(' ').next().unwrap().split('/').enumerate() {
        let (mut file, mut gap) = (0, 0);
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                gap = gap * 10 + i64::from(digit);
                continue;
            }
            file += std::mem::take(&mut gap);
            let index = kinds.iter().position(|k| k.letter == letter.to_ascii_uppercase().to_string()).unwrap();
            let piece = Piece::new(Side(letter.is_lowercase() as u8), Kind(index as u8));
            found.push((board.at(file, i64::from(board.height()) - 1 - row as i64).unwrap(), piece));
            file += 1;
        }
    }
    found
}

pub fn position(variant: &Variant, fen: &str) -> Position {
    let mut position = Position::empty(variant);
    for (square, piece) in placement(variant.board(), variant.kinds(), fen) {
        position.put(variant, square, piece);
    }
    let fields: Vec<&str> = fen.split(' ').collect();
    position.set_side(variant, Side((fields[1] == "b") as u8));
    let castles = variant.spec().castles.iter().enumerate();
    position.set_rights(variant, castles.filter(|(_, c)| fields[2].contains(c.letter)).fold(0, |r, (i, _)| r | 1 << i));
    if let Some(target) = variant.board().parse(fields[3]) {
        let up = if fields[1] == "b" { 1 } else { -1 };
        let victim = variant.board().offset(target, (0, up)).unwrap();
        position.add_en_passant(variant, EnPassant { target, victim });
    }
    position
}

/// A small generator of pseudo-random numbers.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A board of random pieces, `filled` of 100 squares, with at most `royals` royals a side.
pub fn scatter(variant: &Variant, random: &mut Random, filled: usize, royals: u32) -> Position {
    let mut position = Position::empty(variant);
    for square in variant.board().squares() {
        if random.below(100) >= filled {
            continue;
        }
        let piece =
            Piece::new(Side(random.below(variant.sides()) as u8), Kind(random.below(variant.kinds().len()) as u8));
        if !variant.royals().contains(piece.kind()) || position.royal_count(piece.side()) < royals {
            position.put(variant, square, piece);
        }
    }
    position.set_side(variant, Side(random.below(variant.sides()) as u8));
    position
}
