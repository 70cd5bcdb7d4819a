//! The fast generator against slow definitions, on random games and random boards.

mod common;

use astragal_core::attack::{attackers, in_check, is_attacked};
use astragal_core::movegen::{allows, count, generate, has_move};
use astragal_core::{
    Castle, Filter, KindMask, Move, Piece, Position, RoyalCapture, RoyalPolicy, Safety, Side, Spec, SquareSet, Tag,
    Variant,
};
use common::*;

fn moves(variant: &Variant, position: &Position, side: Side, safety: Safety) -> Vec<Move> {
    let mut list = Vec::new();
    generate(variant, position, side, safety, Filter::ALL, &mut list);
    list
}

/// Makes the move and looks.
fn leaves_check(variant: &Variant, position: &Position, side: Side, mv: Move) -> bool {
    let mut after = position.clone();
    after.set_side(variant, side);
    after.make(variant, mv);
    in_check(variant, &after, side)
}

fn takes_royal(variant: &Variant, position: &Position, side: Side, mv: Move) -> bool {
    let (captured, _) = position.captured_by(mv);
    !captured.is_none() && captured.side() != side && variant.royals().contains(captured.kind())
}

fn expected(variant: &Variant, position: &Position, side: Side, safety: Safety) -> Vec<Move> {
    let spec = variant.spec();
    let mut list = moves(variant, position, side, Safety::Pseudo);
    list.retain(|&mv| match safety {
        Safety::Pseudo => true,
        Safety::Policy if spec.royal_policy == RoyalPolicy::Capturable => true,
        Safety::Policy if spec.royal_capture == RoyalCapture::Free && takes_royal(variant, position, side, mv) => true,
        _ => !leaves_check(variant, position, side, mv),
    });
    list
}

/// The hash of the position when it is built up from nothing.
fn rebuilt_hash(variant: &Variant, position: &Position) -> u64 {
    let mut fresh = Position::empty(variant);
    for square in variant.board().squares() {
        if !position.at(square).is_none() {
            fresh.put(variant, square, position.at(square));
        }
    }
    fresh.set_side(variant, position.side());
    fresh.set_rights(variant, position.rights());
    for &right in position.en_passant() {
        fresh.add_en_passant(variant, right);
    }
    for side in (0..variant.sides() as u8).map(Side) {
        for kind in (0..variant.kinds().len() as u8).map(astragal_core::Kind) {
            fresh.set_in_hand(variant, side, kind, position.in_hand(variant, side, kind));
        }
    }
    fresh.hash()
}

/// The sets of squares by side and kind agree with the board.
fn compare_sets(variant: &Variant, position: &Position, side: Side, kinds: KindMask) {
    let squares = variant.board().squares();
    let own: SquareSet = squares.into_iter().filter(|&s| position.at(s).belongs_to(side)).collect();
    let some: SquareSet = own.into_iter().filter(|&s| kinds.contains(position.at(s).kind())).collect();
    assert_eq!((position.of(side), position.of_kinds(side, kinds)), (own, some), "{position:?}");
    assert_eq!(position.has(side, kinds), !some.is_empty());
    for kind in (0..variant.kinds().len() as u8).map(astragal_core::Kind) {
        let piece = Piece::new(side, kind);
        let all: SquareSet = squares.into_iter().filter(|&s| position.at(s) == piece).collect();
        assert_eq!((position.squares_of(piece), position.count(variant, piece)), (all, all.len()), "{position:?}");
    }
}

/// Of all moves, a filter leaves out those that it should and no others, and keeps their order.
fn compare_filter(variant: &Variant, position: &Position, side: Side, safety: Safety, filter: Filter) {
    let wanted = |mv: &Move| match mv.tag {
        Tag::Castle => mv.castling().is_some_and(|index| filter.castling >> index & 1 != 0),
        Tag::Drop => mv.dropped().is_some_and(|kind| filter.drops.contains(kind)),
        _ => {
            let promotes = mv.promotion().is_some_and(|kind| filter.into.contains(kind));
            promotes || filter.kinds.contains(position.at(mv.from).kind())
        }
    };
    let expected: Vec<Move> = moves(variant, position, side, safety).into_iter().filter(wanted).collect();
    let mut list = Vec::new();
    generate(variant, position, side, safety, filter, &mut list);
    assert_eq!(list, expected, "{side:?} {safety:?} {filter:?} in {position:?}");
    assert_eq!(list.len() as u64, count(variant, position, side, safety, filter));
    assert_eq!(!list.is_empty(), has_move(variant, position, side, safety, filter));
}

fn compare(variant: &Variant, position: &Position) {
    let mut random = Random(position.hash());
    for side in (0..variant.sides() as u8).map(Side) {
        let mut some = || KindMask(random.below(1 << 16) as u64 | (random.below(1 << 16) as u64) << 16);
        compare_sets(variant, position, side, some());
        let (kinds, drops, into) = (some(), some(), some());
        for safety in [Safety::Pseudo, Safety::Policy, Safety::Safe] {
            let castling = kinds.0 as u16;
            compare_filter(variant, position, side, safety, Filter { kinds, castling, drops, into });
            compare_filter(variant, position, side, safety, Filter { kinds, into, ..Filter::NONE });
            compare_filter(variant, position, side, safety, Filter { kinds, ..Filter::NONE });
            compare_filter(variant, position, side, safety, Filter { into, ..Filter::NONE });
        }
        for safety in [Safety::Pseudo, Safety::Policy, Safety::Safe] {
            let list = moves(variant, position, side, safety);
            assert_eq!(list, expected(variant, position, side, safety), "{side:?} {safety:?} in {position:?}");
            assert_eq!(list.len() as u64, count(variant, position, side, safety, Filter::ALL));
            // One move at a time.
            let mut singles = moves(variant, position, side, Safety::Pseudo);
            singles.retain(|&mv| allows(variant, position, side, safety, mv));
            assert_eq!(singles, list, "{side:?} {safety:?} in {position:?}");
            assert_eq!(!list.is_empty(), has_move(variant, position, side, safety, Filter::ALL));
            // However it is tagged: people write origin, target and promotion.
            let mut sorted: Vec<_> = list.iter().map(|m| (m.from, m.to, m.extra)).collect();
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len(), list.len(), "a move comes twice in {position:?}");
            let spec = variant.spec();
            if spec.royal_policy == RoyalPolicy::Protected && spec.royal_capture == RoyalCapture::Never {
                assert!(!list.iter().any(|&mv| takes_royal(variant, position, side, mv)));
            }
            assert!(
                list.windows(2).all(|w| w[0].from <= w[1].from || w[1].tag == Tag::Castle || w[1].tag == Tag::Drop)
            );
        }
    }
}

/// Plays random moves and compares at each position.
fn playouts(spec: Spec, fen: &str, games: usize, plies: usize) {
    let variant = variant(spec);
    let mut random = Random(games as u64);
    for _ in 0..games {
        let mut position = position(&variant, fen);
        for _ in 0..plies {
            compare(&variant, &position);
            assert_eq!(position.hash(), rebuilt_hash(&variant, &position));
            let list = moves(&variant, &position, position.side(), Safety::Policy);
            if list.is_empty() {
                break;
            }
            position.make(&variant, list[random.below(list.len())]);
            position.end_turn(&variant, Side((position.side().0 + 1) % variant.sides() as u8));
        }
    }
}

#[test]
fn chess_playouts() {
    playouts(chess_spec(), CHESS, 60, 150);
    playouts(chess_spec(), KIWIPETE, 40, 100);
}

#[test]
fn xiangqi_playouts() {
    playouts(xiangqi_spec(), XIANGQI, 60, 200);
}

#[test]
fn odd_army_playouts() {
    let odd = |capture, policy, hands| Spec { royal_capture: capture, royal_policy: policy, hands, ..odd_spec() };
    playouts(odd(RoyalCapture::Free, RoyalPolicy::Protected, false), ODD, 30, 150);
    playouts(odd(RoyalCapture::Never, RoyalPolicy::Protected, false), ODD, 30, 150);
    playouts(odd(RoyalCapture::Safe, RoyalPolicy::Capturable, true), ODD, 30, 100);
    playouts(odd(RoyalCapture::Safe, RoyalPolicy::Protected, true), ODD, 30, 100);
}

/// Random boards are full of checks, pins and screens that games seldom show.
#[test]
fn scattered_boards() {
    let immune = Spec { royal_capture: RoyalCapture::Never, ..odd_spec() };
    // Whoever takes its own king has ended the attacks on it.
    let mut cannibals = chess_spec();
    cannibals.kinds.iter_mut().flat_map(|kind| &mut kind.atoms).for_each(|atom| atom.friendly = atom.max == 0);
    let specs = [chess_spec(), xiangqi_spec(), odd_spec(), ring_spec(), odd_army(15, 14), immune, cannibals];
    for (spec, seed) in specs.into_iter().zip(1..) {
        let variant = variant(spec);
        let mut random = Random(seed);
        for _ in 0..if variant.board().len() > 128 { 200 } else { 1500 } {
            let filled = 5 + random.below(60);
            let royals = 1 + random.below(2) as u32;
            compare(&variant, &scatter(&variant, &mut random, filled, royals));
        }
    }
}

/// En passant rights of several kinds: when the victim disappears, lines along ranks and diagonals may open.
#[test]
fn scattered_en_passant() {
    let variant = variant(Spec { castles: Vec::new(), ..chess_spec() });
    let mut random = Random(9);
    let mut seen = 0;
    for _ in 0..20000 {
        let mut position = scatter(&variant, &mut random, 25, 1);
        let side = position.side();
        for square in variant.board().squares() {
            let back = if side.0 == 0 { 1 } else { -1 };
            let Some(target) = variant.board().offset(square, (0, back)) else { continue };
            let piece = position.at(square);
            if piece == Piece::new(Side(1 - side.0), astragal_core::Kind(0)) && position.at(target).is_none() {
                position.add_en_passant(&variant, astragal_core::EnPassant { target, victim: square });
            }
        }
        let list = moves(&variant, &position, side, Safety::Safe);
        assert_eq!(list, expected(&variant, &position, side, Safety::Safe), "{position:?}");
        seen += list.iter().filter(|m| m.tag == Tag::EnPassant).count();
    }
    assert!(seen > 400, "{seen}");
}

/// Forward attacks agree with reverse attacks, for all kinds, sides and squares on random boards.
#[test]
fn attackers_are_those_that_capture() {
    for (spec, seed) in
        [(chess_spec(), 5), (xiangqi_spec(), 6), (odd_spec(), 7), (ring_spec(), 8), (odd_army(16, 16), 11)]
    {
        let variant = variant(Spec { royal_policy: RoyalPolicy::Capturable, ..spec });
        let mut random = Random(seed);
        for _ in 0..if variant.board().len() > 128 { 10 } else { 300 } {
            let filled = 5 + random.below(80);
            let position = scatter(&variant, &mut random, filled, 2);
            for side in (0..variant.sides() as u8).map(Side) {
                let list = moves(&variant, &position, side, Safety::Pseudo);
                let capturing = |to| {
                    list.iter().filter(|m| m.tag == Tag::Plain && m.to == to).map(|m| m.from).collect::<SquareSet>()
                };
                for to in variant.board().squares() - position.of(side) {
                    let piece = position.at(to);
                    if !piece.is_none() {
                        assert_eq!(
                            attackers(&variant, &position, to, side),
                            capturing(to),
                            "{side:?} on {to:?} in {position:?}"
                        );
                    }
                }
                check_reverse_of_any_piece(&variant, &position, side, &mut random);
            }
        }
    }
}

/// The same with a piece of a random kind put on each empty square in turn.
fn check_reverse_of_any_piece(variant: &Variant, position: &Position, side: Side, random: &mut Random) {
    let enemy = Side((side.0 + 1) % variant.sides() as u8);
    for to in variant.board().squares() - position.occupied() {
        let mut filled = position.clone();
        let kind = astragal_core::Kind(random.below(variant.kinds().len()) as u8);
        filled.put(variant, to, Piece::new(enemy, kind));
        let list = moves(variant, &filled, side, Safety::Pseudo);
        let capturing: SquareSet = list.iter().filter(|m| m.tag == Tag::Plain && m.to == to).map(|m| m.from).collect();
        let found = attackers(variant, &filled, to, side);
        assert_eq!(found, capturing, "{side:?} on {to:?} in {filled:?}");
        assert!(attackers(variant, position, to, side).is_subset(found));
        assert!(!capturing.is_empty() <= is_attacked(variant, &filled, to, enemy));
    }
}

#[test]
fn filters_choose_before_generating() {
    let variant = variant(chess_spec());
    let position = position(&variant, KIWIPETE);
    let all = moves(&variant, &position, Side::FIRST, Safety::Policy);
    for kinds in 0..64 {
        for castling in [0, 1, 2, u16::MAX] {
            let filter = Filter { kinds: KindMask(kinds), castling, ..Filter::NONE };
            let mut some = Vec::new();
            generate(&variant, &position, Side::FIRST, Safety::Policy, filter, &mut some);
            let wanted = |m: &&Move| {
                if let Some(index) = m.castling() {
                    castling >> index & 1 != 0
                } else {
                    filter.kinds.contains(position.at(m.from).kind())
                }
            };
            assert_eq!(some, all.iter().filter(wanted).copied().collect::<Vec<_>>());
        }
    }
}

/// Whether a castling of `spec` is listed under `safety`.
fn castles(spec: &Spec, fen: &str, safety: Safety) -> bool {
    let variant = variant(spec.clone());
    let position = position(&variant, fen);
    moves(&variant, &position, Side::FIRST, safety).iter().any(|m| m.tag == Tag::Castle)
}

#[test]
fn castling_is_judged_with_the_king_lifted_and_the_rook_moved() {
    let mut spec = chess_spec();
    spec.castles.truncate(1);
    let square = |name: &str| spec.board.parse(name).unwrap();
    // King e1, rook h1: the black rook sees f1 as soon as the king has left e1.
    let castle = Castle { safe: square("f1").into(), ..spec.castles[0].clone() };
    let through = Spec { castles: vec![castle.clone()], ..spec.clone() };
    assert!(castles(&through, "4k3/8/8/8/8/8/8/4K2R w K -", Safety::Pseudo));
    assert!(!castles(&through, "4k3/8/8/8/8/8/8/r3K2R w K -", Safety::Pseudo));
    // King c1, rook b1: it is the rook's going that lays the king open.
    let (king, rook) = ((square("c1"), square("c1")), (square("b1"), square("d1")));
    let aside = Castle { king, rook, safe: square("c1").into(), empty: SquareSet::EMPTY, ..castle.clone() };
    let shield = Spec { castles: vec![aside], ..spec.clone() };
    assert!(castles(&shield, "4k3/8/8/8/8/8/8/1RK5 w K -", Safety::Policy));
    assert!(castles(&shield, "4k3/8/8/8/8/8/8/rRK5 w K -", Safety::Pseudo));
    assert!(!castles(&shield, "4k3/8/8/8/8/8/8/rRK5 w K -", Safety::Policy));
    // Without squares that must be safe, attacks matter only to the policy.
    let careless = Spec { castles: vec![Castle { safe: SquareSet::EMPTY, ..castle }], ..spec.clone() };
    assert!(castles(&careless, "4k3/8/8/8/8/8/6r1/4K2R w K -", Safety::Pseudo));
    assert!(!castles(&careless, "4k3/8/8/8/8/8/6r1/4K2R w K -", Safety::Policy));
}

#[test]
fn promotion_is_free_to_choose_but_not_to_get_stuck() {
    let variant = variant(odd_spec());
    let pawn = |fen: &str| {
        let list = moves(&variant, &position(&variant, fen), Side::FIRST, Safety::Policy);
        list.iter().map(|m| m.promotion()).collect::<Vec<_>>()
    };
    let kinds = [1, 2, 6].map(|k| Some(astragal_core::Kind(k)));
    let mut or_not = vec![None];
    or_not.extend(kinds);
    // Arriving in the zone a pawn may stay one; on the last rank it could never move again.
    assert_eq!(pawn("10/10/10/10/P9/10/10/10 w - -"), [None]);
    assert_eq!(pawn("10/10/P9/10/10/10/10/10 w - -"), or_not);
    assert_eq!(pawn("10/P9/10/10/10/10/10/10 w - -"), kinds);
}
