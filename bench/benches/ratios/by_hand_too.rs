//! The same baseline on shakmaty: Dice Chess written by hand, and perft. Kings are never captured here, because shakmaty
//! cannot represent such positions: a game ends when a check is not answered.

use astragal_core::Stream;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, MoveList, Position, Role};
use std::hint::black_box;
use std::ops::Range;

/// Plays random games of Dice Chess; returns games and plies.
pub fn dice_chess(seeds: Range<u64>, cap: u32) -> (u64, u64) {
    let (mut games, mut plies) = (0, 0);
    let mut hashes: Vec<u64> = Vec::new();
    for seed in seeds {
        let mut draw = Stream::new(seed, 0);
        let mut position = Chess::default();
        hashes.clear();
        hashes.push(hash(&position));
        let mut made = 0;
        while made < cap && !drawn(&position, &hashes) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            match choose(&moves, &mut draw) {
                Some(mv) => {
                    position.play_unchecked(mv);
                    hashes.push(hash(&position));
                    made += 1;
                }
                None => match position.swap_turn() {
                    Ok(next) => position = next,
                    Err(_) => break,
                },
            }
        }
        plies += u64::from(made);
        games += 1;
    }
    (games, plies)
}

fn hash(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

fn drawn(position: &Chess, hashes: &[u64]) -> bool {
    let clock = position.halfmoves() as usize;
    let since = &hashes[hashes.len().saturating_sub(clock + 1)..];
    let now = hashes.last();
    since.iter().filter(|hash| Some(*hash) == now).count() >= 3
        || clock >= 100
        || position.board().occupied().count() == 2
}

/// A random move among those that two dice permit.
fn choose(moves: &MoveList, draw: &mut Stream) -> Option<Move> {
    let (a, b) = (draw.below(6) as usize, draw.below(6) as usize);
    let permitted = |mv: &&Move| match mv {
        _ if a == b => true,
        Move::Castle { .. } => [3, 5].contains(&a) || [3, 5].contains(&b),
        mv => mv.role() == Role::ALL[a] || mv.role() == Role::ALL[b],
    };
    let count = moves.iter().filter(permitted).count();
    moves.iter().filter(permitted).nth(draw.below(count as u64) as usize).copied()
}

/// Perft; every leaf is made.
pub fn perft(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        black_box(position);
        return 1;
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        nodes += perft(&next, depth - 1);
    }
    nodes
}
