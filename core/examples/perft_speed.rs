//! Speed of perft with every leaf made (and with leaves counted in bulk), compared with cozy-chess in the same run.
//!
//! `cargo run --release -p astragal-core --example perft_speed` prints the best of several rounds of wall time, in million
//! nodes a second, and the ratio to cozy-chess making every leaf.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/cozy.rs"]
mod cozy;

use astragal_core::perft::{bulk_perft, perft};
use common::{CHESS, KIWIPETE, XIANGQI, chess_spec, position, variant, xiangqi_spec};
use std::hint::black_box;
use std::time::Instant;

/// How often each count is repeated; the fastest one counts.
const ROUNDS: usize = 5;

fn main() {
    let (chess, xiangqi) = (variant(chess_spec()), variant(xiangqi_spec()));
    let cases =
        [("chess start 5", &chess, CHESS, 5), ("kiwipete 4", &chess, KIWIPETE, 4), ("xiangqi 4", &xiangqi, XIANGQI, 4)];
    let fens = [format!("{CHESS} 0 1"), format!("{KIWIPETE} 0 1")];
    let mut yardstick: [f64; 2] = [0.0; 2];
    let mut speeds = [[0.0f64; 2]; 3];
    // Rounds alternate, so that a busy moment of the machine affects all of them equally.
    for _ in 0..ROUNDS {
        for (i, fen) in fens.iter().enumerate() {
            let board: cozy_chess::Board = fen.parse().unwrap();
            yardstick[i] = yardstick[i].max(speed(|| cozy::perft(&board, 5 - i as u32)));
        }
        for (i, &(_, variant, fen, depth)) in cases.iter().enumerate() {
            let position = position(variant, fen);
            speeds[i][0] = speeds[i][0].max(speed(|| perft(variant, &position, depth)));
            speeds[i][1] = speeds[i][1].max(speed(|| bulk_perft(variant, &position, depth)));
        }
    }
    for (i, &(name, ..)) in cases.iter().enumerate() {
        // There is no baseline for xiangqi: it is compared with the starting position of chess.
        let cozy = yardstick[if i < 2 { i } else { 0 }];
        let [leaf, bulk] = speeds[i];
        println!("{name:14} leaf {leaf:6.1} bulk {bulk:6.1}   cozy-chess leaf {cozy:6.1}   ratio {:.2}", leaf / cozy);
    }
}

/// Million nodes a second of one count.
fn speed(count: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let nodes = black_box(count());
    nodes as f64 / start.elapsed().as_secs_f64() / 1e6
}
