use super::*;
use crate::notation::samples_tests::{self as samples, CHESS, XIANGQI, legal};
use proptest::prelude::*;

fn all_round_trip(variant: &Variant, text: &str, count: usize) {
    let (position, moves) = legal(variant, text);
    let mut names: Vec<String> = moves.iter().map(|mv| write(variant, &position, *mv)).collect();
    assert_eq!(names.len(), count, "{names:?}");
    for (mv, name) in moves.iter().zip(&names) {
        assert_eq!(find(variant, &position, &moves, name).as_ref(), Ok(mv), "{name}");
        assert_eq!(find(variant, &position, &moves, &format!(" {name} ")).as_ref(), Ok(mv));
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

fn refused(variant: &Variant, text: &str, mv: &str, part: &str) {
    let (position, moves) = legal(variant, text);
    let error = find(variant, &position, &moves, mv).expect_err(mv);
    assert!(error.to_string().contains(part), "{mv}: {error}");
}

#[test]
fn every_move_has_one_text() {
    let chess = samples::chess();
    all_round_trip(&chess, CHESS, 20);
    all_round_trip(&chess, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 48);
    all_round_trip(&chess, "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 44);
    all_round_trip(&samples::xiangqi(), XIANGQI, 44);
    all_round_trip(&samples::wide(), "*10*/12/12/12/12/12/12/12/12/12/12/12/1P9P/*K9* w", 7);
    let crazy = samples::crazy();
    let held = "4k3/8/P7/8/8/8/8/4K3[PN] w";
    all_round_trip(&crazy, held, legal(&crazy, held).1.len());
}

#[test]
fn known_texts() {
    let chess = samples::chess();
    let (position, moves) = legal(&chess, "r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let names = |m: Move| write(&chess, &position, m);
    let castle = moves.iter().find(|m| m.castling() == Some(0)).unwrap();
    assert_eq!(names(*castle), "e1g1");
    assert_eq!(find(&chess, &position, &moves, "e1c1").unwrap().castling(), Some(1));
    assert_eq!(find(&chess, &position, &moves, "a1a6").unwrap().tag, Tag::Plain);
    let (position, moves) = legal(&chess, "4k3/P7/8/8/8/8/8/4K3 w");
    for text in ["a7a8n", "a7a8N", "a7a8=n"] {
        assert_eq!(find(&chess, &position, &moves, text).unwrap().promotion(), Some(Kind(1)), "{text}");
    }
    let (position, moves) = legal(&samples::xiangqi(), XIANGQI);
    assert!(moves.iter().any(|m| write(&samples::xiangqi(), &position, *m) == "b0c2"));
    let crazy = samples::crazy();
    let (position, moves) = legal(&crazy, "4k3/8/P7/8/8/8/8/4K3[P] w");
    assert_eq!(find(&crazy, &position, &moves, "a6a7+p").unwrap().promotion(), Some(Kind(6)));
    assert_eq!(find(&crazy, &position, &moves, "a6a7").unwrap().promotion(), None);
    assert_eq!(find(&crazy, &position, &moves, "p@e4").unwrap().dropped(), Some(Kind(0)));
}

#[test]
fn castling_that_looks_like_a_step_has_its_name() {
    let mut spec = samples::chess().spec().clone();
    spec.kinds[5].atoms = crate::notation::betza::parse("K2").unwrap();
    let game = Variant::new(spec).unwrap();
    let text = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let (position, moves) = legal(&game, text);
    assert_eq!(find(&game, &position, &moves, "e1g1").unwrap().tag, Tag::Plain);
    assert_eq!(find(&game, &position, &moves, "O-O").unwrap().castling(), Some(0));
    let castles: Vec<Move> = moves.iter().copied().filter(|m| m.tag == Tag::Castle).collect();
    assert_eq!(find(&game, &position, &castles, "e1c1").unwrap().castling(), Some(1));
    all_round_trip(&game, text, moves.len());
}

#[test]
fn errors_say_what_is_wrong() {
    let chess = samples::chess();
    refused(&chess, CHESS, "e2e5", "the pawn on e2 can move to e3, e4");
    refused(&chess, CHESS, "e4e5", "a piece on e4, found an empty square");
    refused(&chess, CHESS, "e7e5", "a piece of White (the side to move), found a pawn of Black on e7");
    refused(&chess, CHESS, "a1a2", "legal here: a2a3");
    refused(&chess, CHESS, "e2e4q", "is not a promotion");
    refused(&chess, CHESS, "e2e9", "a1 to h8");
    refused(&chess, CHESS, "O-O", "as the king's move");
    refused(&chess, CHESS, "0-0", "as the king's move");
    refused(&chess, CHESS, "hello", "a move such as 'e2e4'");
    refused(&chess, CHESS, "", "but the text ends");
    refused(&chess, CHESS, "P@e4", "no pawn in hand");
    refused(&chess, CHESS, "x@e4", "a move such as 'e2e4'");
    refused(&chess, "4k3/P7/8/8/8/8/8/4K3 w", "a7a8", "b, n, q, r");
    refused(&chess, "4k3/P7/8/8/8/8/8/4K3 w", "a7a8k", "b, n, q, r");
    refused(&chess, "7k/5Q2/6K1/8/8/8/8/8 b", "h8h7", "no move is legal here");
    let crazy = samples::crazy();
    refused(&crazy, "4k3/8/8/8/8/8/8/4K3[P] w", "P@e1", "an empty square to drop on");
}

proptest! {
    #[test]
    fn any_text_is_found_or_refused(text in "\\PC*|[a-i0-9@=O-]{0,8}") {
        let game = samples::crazy();
        let (position, moves) = legal(&game, "4k3/P7/8/8/8/8/8/4K3[PN] w");
        let _ = find(&game, &position, &moves, &text).map_err(|e| (e.render(), e.to_string()));
    }
}
