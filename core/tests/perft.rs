//! Published node counts. Depths that take long in a debug build are marked `ignore`.

mod common;

use astragal_core::perft::perft;
use common::{CHESS, KIWIPETE, XIANGQI, chess_spec, position, variant, xiangqi_spec};

fn check(spec: astragal_core::Spec, fen: &str, counts: &[u64]) {
    let variant = variant(spec);
    let position = position(&variant, fen);
    for (i, &count) in counts.iter().enumerate() {
        assert_eq!(perft(&variant, &position, i as u32 + 1), count, "{fen} depth {}", i + 1);
    }
}

#[test]
fn chess_start() {
    check(chess_spec(), CHESS, &[20, 400, 8902, 197281]);
}

#[test]
fn chess_kiwipete() {
    check(chess_spec(), KIWIPETE, &[48, 2039, 97862]);
}

#[test]
fn chess_en_passant_pins() {
    check(chess_spec(), "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", &[14, 191, 2812, 43238]);
}

#[test]
fn chess_promotions() {
    check(chess_spec(), "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", &[6, 264, 9467, 422333]);
    check(chess_spec(), "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", &[44, 1486, 62379]);
}

#[test]
fn chess_middle_game() {
    check(chess_spec(), "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", &[46, 2079, 89890]);
}

#[test]
fn xiangqi_start() {
    check(xiangqi_spec(), XIANGQI, &[44, 1920, 79666]);
}

#[test]
#[ignore = "deep: run in release"]
fn deep() {
    check(chess_spec(), CHESS, &[20, 400, 8902, 197281, 4865609]);
    check(chess_spec(), KIWIPETE, &[48, 2039, 97862, 4085603]);
    check(chess_spec(), "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", &[44, 1486, 62379, 2103487]);
    check(xiangqi_spec(), XIANGQI, &[44, 1920, 79666, 3290240]);
}
