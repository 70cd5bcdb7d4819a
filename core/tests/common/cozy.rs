//! Perft by cozy-chess, with which speeds are compared.

use cozy_chess::Board;
use std::hint::black_box;

/// Perft, every leaf made.
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        black_box(board);
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += perft(&next, depth - 1);
        }
        false
    });
    nodes
}
