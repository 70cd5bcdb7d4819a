use super::*;
use crate::notation::samples_tests::{self as samples, CHESS, XIANGQI, legal};
use proptest::prelude::*;

fn written(variant: &Variant, text: &str, mv: &str) -> String {
    let (position, moves) = legal(variant, text);
    let mv = coord::find(variant, &position, &moves, mv).unwrap_or_else(|e| panic!("{}", e.render()));
    let san = write(variant, &position, mv, &moves);
    assert_eq!(find(variant, &position, &moves, &san), Ok(mv), "{san}");
    san
}

fn read(variant: &Variant, text: &str, san: &str) -> String {
    let (position, moves) = legal(variant, text);
    let mv = find(variant, &position, &moves, san).unwrap_or_else(|e| panic!("{}", e.render()));
    coord::write(variant, &position, mv)
}

fn refused(variant: &Variant, text: &str, san: &str, part: &str) {
    let (position, moves) = legal(variant, text);
    let error = find(variant, &position, &moves, san).expect_err(san);
    assert!(error.to_string().contains(part), "{san}: {error}");
}

#[test]
fn moves_of_chess() {
    let chess = samples::chess();
    for (position, mv, san) in [
        (CHESS, "e2e4", "e4"),
        (CHESS, "g1f3", "Nf3"),
        ("N3k2N/8/8/3N4/N4N1N/2R5/1R6/4K3 w - - 0 1", "e1f1", "Kf1"),
        ("N3k2N/8/8/3N4/N4N1N/2R5/1R6/4K3 w - - 0 1", "c3c2", "Rcc2"),
        ("N3k2N/8/8/3N4/N4N1N/2R5/1R6/4K3 w - - 0 1", "b2c2", "Rbc2"),
        ("N3k2N/8/8/3N4/N4N1N/2R5/1R6/4K3 w - - 0 1", "a4b6", "N4b6"),
        ("N3k2N/8/8/3N4/N4N1N/2R5/1R6/4K3 w - - 0 1", "h8g6", "N8g6"),
        ("N3k2N/8/8/3N4/N4N1N/2R5/1R6/4K3 w - - 0 1", "h4g6", "Nh4g6"),
        ("8/2KN1p2/5p2/3N1B1k/5PNp/7P/7P/8 w - -", "d5f6", "N5xf6#"),
        ("8/8/8/R2nkn2/8/8/2K5/8 b - - 0 1", "f5e3", "Ne3+"),
        ("7k/1p2Npbp/8/2P5/1P1r4/3b2QP/3q1pPK/2RB4 b - - 1 29", "f2f1q", "f1=Q"),
        ("7k/1p2Npbp/8/2P5/1P1r4/3b2QP/3q1pPK/2RB4 b - - 1 29", "f2f1n", "f1=N+"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ("4k3/8/8/pPp5/8/8/8/4K3 w - a6c6", "b5c6", "bxc6"),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"),
        ("1rbqkbnr/pppppBpp/2n5/8/4P3/7N/PPPP1PPP/RNBQK2R w KQk - 0 5", "h3g5", "Ng5#"),
    ] {
        assert_eq!(written(&chess, position, mv), san, "{position}");
    }
}

#[test]
fn only_permitted_moves_are_told_apart() {
    let chess = samples::chess();
    let (position, moves) = legal(&chess, "4k3/8/8/8/8/8/8/1N2KN2 w");
    let mv = coord::find(&chess, &position, &moves, "b1d2").unwrap();
    assert_eq!(write(&chess, &position, mv, &moves), "Nbd2");
    assert_eq!(write(&chess, &position, mv, &[mv]), "Nd2");
    assert_eq!(find(&chess, &position, &[mv], "Nd2"), Ok(mv));
}

#[test]
fn other_games() {
    let xiangqi = samples::xiangqi();
    assert_eq!(written(&xiangqi, XIANGQI, "b0c2"), "Nc2");
    assert_eq!(written(&xiangqi, XIANGQI, "h2e2"), "Che2");
    assert_eq!(written(&xiangqi, XIANGQI, "b2b9"), "Cxb9");
    assert_eq!(written(&xiangqi, XIANGQI, "e3e4"), "Pe4");
    let crazy = samples::crazy();
    assert_eq!(written(&crazy, "4k3/P7/8/8/8/8/8/4K3[N] w", "N@f6"), "N@f6+");
    assert_eq!(written(&crazy, "6k1/P7/8/8/8/8/8/4K3[N] w", "a7a8+p"), "a8=+P");
    assert_eq!(written(&samples::wide(), "*10*/12/12/12/12/12/12/12/12/12/12/12/1P9P/*K9* w", "b2b4"), "b4");
    let mut spec = samples::chess().spec().clone();
    spec.royal_policy = RoyalPolicy::Capturable;
    let free = Variant::new(spec).unwrap();
    let text = "4k3/8/8/8/8/8/8/R3K3 w";
    let position = crate::notation::fen::parse(&free, text).unwrap().position;
    let mv = Move::plain(free.board().parse("a1").unwrap(), free.board().parse("a8").unwrap());
    assert_eq!(write(&free, &position, mv, &[mv]), "Ra8");
}

#[test]
fn what_is_read() {
    let chess = samples::chess();
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for text in ["O-O", "0-0", "o-o", "O-O+", "O-O!?"] {
        assert_eq!(read(&chess, start, text), "e1g1");
    }
    for text in ["Rxa8+", "Rxa8#", "Ra8", "Raxa8", "R1xa8", "Ra1xa8", "Ra1-a8", "R:a8"] {
        assert_eq!(read(&chess, start, text), "a1a8", "{text}");
    }
    for text in ["bxc6", "bxc6 e.p.", "bxc6e.p.", "b5xc6", "bc6", "Pxc6", "b:c6"] {
        assert_eq!(read(&chess, "4k3/8/8/pPp5/8/8/8/4K3 w - a6c6", text), "b5c6", "{text}");
    }
    for text in ["a8=Q", "a8Q", "a8=q", "a8(Q)", "a8=Q+", "a7-a8=Q"] {
        assert_eq!(read(&chess, "4k3/P7/8/8/8/8/8/4K3 w", text), "a7a8q", "{text}");
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let chess = samples::chess();
    let knights = "4k3/8/8/8/8/8/8/1N2KN2 w";
    refused(&chess, knights, "Nd2", "it could be Nbd2, Nfd2");
    refused(&chess, knights, "Nd4", "legal moves of such a piece: Na3, Nbd2, Nc3");
    refused(&chess, knights, "Rd1", "no such rook");
    refused(&chess, knights, "Nb1d4", "the knight on b1 can move to a3, c3, d2");
    refused(&chess, knights, "O-O", "this castling move is not legal");
    refused(&chess, knights, "Kd9", "a move such as 'Nf3'");
    refused(&chess, knights, "", "a move such as 'Nf3'");
    refused(&chess, "4k3/P7/8/8/8/8/8/4K3 w", "a8", "=B, =N, =Q, =R");
    refused(&chess, "4k3/P7/8/8/8/8/8/4K3 w", "Kd1=Q", "is not a promotion");
    refused(&chess, CHESS, "e5", "of such a piece: a3");
    refused(&chess, CHESS, "Qd3", "such a piece has none");
    refused(&chess, CHESS, "N@e5", "no knight in hand");
    refused(&samples::xiangqi(), XIANGQI, "e4", "a move that starts with the letter of its piece");
}

fn walk(variant: &Variant, start: &str, choices: &[u16]) {
    let (mut position, mut moves) = legal(variant, start);
    for choice in choices {
        if moves.is_empty() {
            return;
        }
        let mut seen = std::collections::HashSet::new();
        for mv in &moves {
            let san = write(variant, &position, *mv, &moves);
            assert_eq!(find(variant, &position, &moves, &san).as_ref(), Ok(mv), "{san}");
            assert!(seen.insert(san));
        }
        position.make(variant, moves[usize::from(*choice) % moves.len()]);
        let next = Side((position.side().0 + 1) % 2);
        position.end_turn(variant, next);
        let text = crate::notation::fen::write(variant, &position);
        let again;
        (again, moves) = legal(variant, &text);
        assert_eq!(again, position, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn games_round_trip(choices in proptest::collection::vec(any::<u16>(), 0..60)) {
        walk(&samples::chess(), CHESS, &choices);
        walk(&samples::crazy(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1", &choices);
        walk(&samples::xiangqi(), XIANGQI, &choices);
    }
}

proptest! {
    #[test]
    fn any_text_is_found_or_refused(text in "\\PC*|[NBRQKPO+]?[a-i0-9@=x()-]{0,8}[+#e.p]{0,4}") {
        let game = samples::crazy();
        let (position, moves) = legal(&game, "4k3/P7/8/8/8/8/8/4K3[PN] w");
        let _ = find(&game, &position, &moves, &text).map_err(|e| (e.render(), e.to_string()));
    }
}
