//! scratch
#[path = "../tests/common/mod.rs"]
mod common;
use astragal_core::perft::{bulk_perft, perft};
use common::*;
fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 { std::hint::black_box(board); return 1; }
    let mut nodes = 0;
    board.generate_moves(|moves| { for mv in moves { let mut next = board.clone(); next.play_unchecked(mv); nodes += cozy(&next, depth - 1); } false });
    nodes
}
fn main() {
    let mode = std::env::args().nth(1).unwrap();
    let c = variant(chess_spec()); let x = variant(xiangqi_spec());
    let n = match mode.as_str() {
        "cozy" => cozy(&format!("{CHESS} 0 1").parse().unwrap(), 5),
        "cozyk" => cozy(&format!("{KIWIPETE} 0 1").parse().unwrap(), 4),
        "leaf" => perft(&c, &position(&c, CHESS), 5),
        "leafk" => perft(&c, &position(&c, KIWIPETE), 4),
        "bulk" => bulk_perft(&c, &position(&c, CHESS), 5),
        "bulkk" => bulk_perft(&c, &position(&c, KIWIPETE), 4),
        "leafx" => perft(&x, &position(&x, XIANGQI), 4),
        "bulkx" => bulk_perft(&x, &position(&x, XIANGQI), 4),
        _ => 1,
    };
    println!("{mode} {n}");
}
