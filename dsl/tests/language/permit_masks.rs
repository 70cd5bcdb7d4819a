//! Permits that masks express in full or in large part, compared with the same permits asked move by move.

use crate::common::{game, start};
use astragal_core::value::View;
use astragal_core::{Kind, KindMask, Move, Permit, State, Stream};

/// A random permit. Its parts and the ways of joining them are all that masks can express, and some that they cannot.
fn random(stream: &mut Stream, depth: u32) -> Permit {
    let (kinds, form) = (KindMask(stream.below(64)), stream.below(8));
    let mut part = || Box::new(random(stream, depth - 1));
    match (depth, form) {
        (0, 0) => Permit::Any,
        (0, 1) => Permit::Castling(stream.below(16) as u16),
        (0, 2 | 3) => Permit::Promoting(kinds),
        (0, 4) => Permit::Capturing(kinds),
        (0, _) => Permit::Pieces(kinds),
        (_, 0..=2) => Permit::Or(part(), part()),
        (_, 3..=5) => Permit::And(part(), part()),
        _ => Permit::Minus(part(), part()),
    }
}

/// What the permit means, one move at a time.
fn admits(permit: &Permit, view: &View<'_>, mv: Move) -> bool {
    let moved = view.position.at(mv.from).kind();
    let captured = view.position.captured_by(mv).0;
    let among = |kinds: &KindMask, kind: Option<Kind>| kind.is_some_and(|kind| kinds.contains(kind));
    match permit {
        Permit::Any => true,
        Permit::Castling(which) => mv.castling().is_some_and(|index| which >> index & 1 != 0),
        Permit::Pieces(kinds) => mv.castling().is_none() && kinds.contains(moved),
        Permit::Promoting(kinds) => among(kinds, mv.promotion()),
        Permit::Capturing(kinds) => among(kinds, (!captured.is_none()).then(|| captured.kind())),
        Permit::Or(a, b) => admits(a, view, mv) || admits(b, view, mv),
        Permit::And(a, b) => admits(a, view, mv) && admits(b, view, mv),
        Permit::Minus(a, b) => admits(a, view, mv) && !admits(b, view, mv),
        _ => unreachable!("no other is made"),
    }
}

fn listed(permit: &Permit, view: &View<'_>) -> Vec<Move> {
    let mut moves = Vec::new();
    permit.moves(view, &mut moves).expect("permits that consult no rule");
    moves
}

fn compare(state: &State, stream: &mut Stream) {
    let rules = state.walker();
    let view = state.view(&rules);
    let all = listed(&Permit::Any, &view);
    for depth in [0, 1, 1, 2, 2, 3] {
        let permit = random(stream, depth);
        let expected: Vec<Move> = all.iter().copied().filter(|&mv| admits(&permit, &view, mv)).collect();
        let found = listed(&permit, &view);
        assert_eq!(found, expected, "{permit:?} in {:?}", state.position());
        assert_eq!(permit.exists(&view), Ok(!expected.is_empty()), "{permit:?} in {:?}", state.position());
        let drawn = permit.draw(&view, stream, &mut Vec::new()).expect("permits that consult no rule");
        assert!(drawn.map_or(expected.is_empty(), |mv| expected.contains(&mv)), "{permit:?} in {:?}", state.position());
    }
}

#[test]
fn masks_say_what_permits_mean() {
    // Pawns that promote soon, and castling.
    let script = "import \"chess\" as chess; chess::army(); royals(\"protected\");
        setup(\"r3k2r/1P4pp/8/8/8/8/PP4p1/R3K2R w KQkq - 0 1\"); chess::castlings(true);
        fn turn() { play(any()) }";
    let (loaded, mut stream) = (game(script), Stream::new(7, 0));
    let mut promotions = 0;
    for _ in 0..60 {
        let mut state = start(&loaded);
        for _ in 0..30 {
            if state.moves().is_empty() {
                break;
            }
            compare(&state, &mut stream);
            let paid = state.moves()[stream.below(state.moves().len() as u64) as usize];
            promotions += u32::from(paid.mv.promotion().is_some());
            state.play(paid).expect("the rules go on");
        }
    }
    assert!(promotions > 50, "{promotions}");
}
