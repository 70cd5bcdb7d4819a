//! Counts sequences of moves, to check and to time the move generator.
//!
//! Sides move in order, one move each, under the variant's royal policy. Nothing ends the game early.

use crate::board::side::Side;
use crate::movegen::{Filter, Safety, count, generate};
use crate::position::Position;
use crate::position::moves::Move;
use crate::variant::Variant;
use std::cell::Cell;
use std::hint::black_box;

/// The number of sequences of `depth` moves; every last move is made. 1 for depth 0.
pub fn perft(variant: &Variant, position: &Position, depth: u32) -> u64 {
    Counter { variant, made: true }.from(position, depth)
}

/// The same number without making the last move of each sequence, which is several times faster.
pub fn bulk_perft(variant: &Variant, position: &Position, depth: u32) -> u64 {
    Counter { variant, made: false }.from(position, depth)
}

/// As [`bulk_perft`], unless `stop` returns true: it is called after every few thousand sequences.
pub fn bulk_perft_until(variant: &Variant, position: &Position, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    if stop() {
        return None;
    }
    counted_until(variant, position, depth, &Cell::new(0), stop)
}

/// See [`bulk_perft_until`]; `since` is the number of sequences counted since `stop` was last called.
fn counted_until(
    variant: &Variant,
    position: &Position,
    depth: u32,
    since: &Cell<u64>,
    stop: &dyn Fn() -> bool,
) -> Option<u64> {
    /// The number of sequences and positions between calls of `stop`.
    const STRIDE: u64 = 1 << 16;
    if depth <= 1 {
        let count = bulk_perft(variant, position, depth);
        since.set(since.get() + count + 1);
        return if since.get() >= STRIDE && stop_and_rest(since, stop) { None } else { Some(count) };
    }
    let mut moves = Vec::new();
    generate(variant, position, position.side(), Safety::Policy, Filter::ALL, &mut moves);
    let mut next = position.clone();
    moves.into_iter().try_fold(0, |sum, mv| {
        next.clone_from(position);
        play(variant, &mut next, mv);
        Some(sum + counted_until(variant, &next, depth - 1, since, stop)?)
    })
}

fn stop_and_rest(since: &Cell<u64>, stop: &dyn Fn() -> bool) -> bool {
    since.set(0);
    stop()
}

/// For each move of `position` the number of sequences of `depth` moves that begin with it, in
/// generation order; empty for depth 0.
pub fn divide(variant: &Variant, position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = Vec::new();
    if depth > 0 {
        generate(variant, position, position.side(), Safety::Policy, Filter::ALL, &mut moves);
    }
    let mut next = position.clone();
    let count = |mv| {
        next.clone_from(position);
        play(variant, &mut next, mv);
        (mv, bulk_perft(variant, &next, depth - 1))
    };
    moves.into_iter().map(count).collect()
}

/// Makes a move and passes the turn to the next side in order.
#[inline(always)]
fn play(variant: &Variant, position: &mut Position, mv: Move) {
    let side = position.side().0 + 1;
    position.make(variant, mv);
    position.end_turn(variant, Side(if side as usize == variant.sides() { 0 } else { side }));
}

struct Counter<'a> {
    variant: &'a Variant,
    /// Whether last moves are made.
    made: bool,
}

impl Counter<'_> {
    fn from(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.count(position, depth, &mut Vec::new()) }
    }

    /// Counts at a depth of at least 1; `moves` is used as a stack and restored.
    fn count(&self, position: &Position, depth: u32, moves: &mut Vec<Move>) -> u64 {
        let variant = self.variant;
        if depth == 1 && !self.made {
            return count(variant, position, position.side(), Safety::Policy, Filter::ALL);
        }
        let start = moves.len();
        generate(variant, position, position.side(), Safety::Policy, Filter::ALL, moves);
        let mut nodes = 0;
        if depth == 1 {
            nodes = self.make_all(position, &moves[start..]);
        } else {
            let mut next = position.clone();
            for i in start..moves.len() {
                next.clone_from(position);
                play(variant, &mut next, moves[i]);
                nodes += self.count(&next, depth - 1, moves);
            }
        }
        moves.truncate(start);
        nodes
    }

    /// Makes every move and counts them. Separate from [`Counter::count`], so that its loop is short.
    fn make_all(&self, position: &Position, moves: &[Move]) -> u64 {
        let mut next = position.clone();
        for &mv in moves {
            play(self.variant, &mut next, mv);
            // The position is not used: without this the compiler might not compute all of it.
            black_box(&next);
            next.take_back(position, mv);
        }
        moves.len() as u64
    }
}
