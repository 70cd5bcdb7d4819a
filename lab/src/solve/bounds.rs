//! Lower and upper bounds of the values of all states, brought together sweep by sweep.
//!
//! Owns the iteration, which solves the components of the states one after the other, from the end of the game. The first
//! bounds are the worst and the best result of a game; a sweep replaces those of each state by those of its turn. So they
//! hold from the beginning, and it is known how far a value is from the truth (interval iteration: S. Haddad and B. Monmege,
//! "Interval iteration algorithm for MDPs and IMDPs", 2018).
//!
//! Where both players can play on forever, such sweeps stop before the bounds meet. An endless game is a draw. So a player
//! who can stay in some states forever, whatever the dice show, has at least a draw there. The opponent may leave if that
//! is worse for this player (end components in stochastic games: J. Eisentraut, E. Kelmendi, J. Křetínský and M. Weininger,
//! "Value iteration for simple stochastic games", 2022). [`Part::settle`] finds these states.
//!
//! Invariants: the lower bounds never fall, and the upper ones never rise. The values do not depend on the number of threads:
//! a sweep reads the bounds before it, first for the states of one side, then for those of the other.

use super::code::{Bounds, States, evaluate, hold};
use super::components::Components;
use super::progress::{Step, Watch};
use super::space::Space;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The states that a thread takes at a time.
const SHARE: usize = 1024;

/// The sweeps before endless games are looked for.
const FIRST_SWEEPS: u64 = 8;

/// Bounds that move less than this in a sweep, in half points, count as unchanged.
const STILL: f64 = 1e-14;

/// The bounds of all states.
pub(super) struct Values {
    /// By the number of the state, in half points for the first side.
    pub(super) bounds: Vec<Bounds>,
    /// The same, except that the states of a component differ while endless games are looked for.
    held: Vec<Bounds>,
    components: Components,
}

/// A component that is being solved.
struct Part<'a> {
    space: &'a Space,
    /// The states of each side to move.
    sides: [Vec<u32>; 2],
    threads: usize,
}

/// The result of a sweep.
struct Swept {
    /// The widest interval.
    widest: f64,
    /// Whether a bound still moves.
    moves: bool,
}

impl Values {
    /// These bounds, one for each state.
    pub(super) fn from(bounds: Vec<Bounds>, space: &Space) -> Values {
        Values { held: bounds.clone(), bounds, components: Components::of(space) }
    }

    /// The widest interval of a state whose turn is listed.
    pub(super) fn widest(&self, space: &Space) -> f64 {
        self.bounds[..space.listed()].iter().map(|bounds| bounds.1 - bounds.0).fold(0.0, f64::max)
    }

    /// Improves all bounds, component by component, until none in a component is wider than `epsilon`, or none moves
    /// anymore. Returns false if the watch stops it.
    pub(super) fn improve(&mut self, space: &Space, epsilon: f64, threads: usize, watch: &Watch<'_>) -> bool {
        let mut done = 0;
        for component in 0..self.components.len() {
            let states = self.components.states(component);
            let part = Part::new(space, states, threads);
            done += states.len();
            let mut due = FIRST_SWEEPS;
            let (mut sweeps, mut still) = (0, false);
            loop {
                let swept = part.sweep(&mut self.bounds);
                sweeps += 1;
                if part.len() > SHARE || component.is_multiple_of(SHARE) {
                    (watch.progress)(Step::Improved { states: done, of: space.listed(), widest: swept.widest / 2.0 });
                    if (watch.stop)() {
                        return false;
                    }
                }
                if swept.widest <= epsilon || part.is_final() || !swept.moves && still {
                    break;
                }
                still = !swept.moves;
                if still || sweeps >= due {
                    let (settled, moved) = part.settle(&mut self.bounds, &mut self.held, watch.stop);
                    still &= !moved;
                    due = sweeps + 2 * settled.max(FIRST_SWEEPS);
                }
            }
            part.states().for_each(|state| self.held[state] = self.bounds[state]);
        }
        true
    }
}

impl Part<'_> {
    fn new<'a>(space: &'a Space, states: &[u32], threads: usize) -> Part<'a> {
        let (first, second) = states.iter().partition(|&&state| space.sides[state as usize] == 0);
        Part { space, sides: [first, second], threads }
    }

    /// The number of its states.
    fn len(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    fn states(&self) -> impl Iterator<Item = usize> {
        self.sides.iter().flatten().map(|&state| state as usize)
    }

    /// Whether it is a state that no turn leads back to: one sweep gives its bounds.
    fn is_final(&self) -> bool {
        self.len() == 1
            && self.states().all(|state| States::of(self.space.turn(state)).all(|next| next as usize != state))
    }

    /// Improves all bounds once.
    fn sweep(&self, bounds: &mut [Bounds]) -> Swept {
        let mut swept = Swept { widest: 0.0, moves: false };
        for side in &self.sides {
            let found = self.turns(side, &|state, nodes| evaluate(self.space.turn(state), bounds, nodes));
            for (&state, found) in side.iter().zip(found) {
                let bounds = &mut bounds[state as usize];
                let better = (bounds.0.max(found.0), bounds.1.min(found.1));
                // Rounding must not let the bounds cross.
                let better = if better.0 <= better.1 { better } else { *bounds };
                swept.moves |= (better.0 - bounds.0).max(bounds.1 - better.1) > STILL;
                swept.widest = swept.widest.max(better.1 - better.0);
                *bounds = better;
            }
        }
        swept
    }

    /// Improves the bounds of states where a player can make the game endless. Nothing is changed if `stop` ends it early.
    /// Returns the number of sweeps, and whether a bound has moved.
    ///
    /// The lower bound: at first, the first side is assumed to hold a draw in every state. A state keeps the least that the
    /// dice and the second side can enforce in one turn, if that is worse. Where dice are rolled, the first side may accept
    /// the average of the known bounds instead. When nothing changes anymore, the first side can hold the remaining values:
    /// it stays in states that keep as much, until it accepts the average. The upper bound is found in the same way for the
    /// second side.
    fn settle(&self, bounds: &mut [Bounds], held: &mut [Bounds], stop: &dyn Fn() -> bool) -> (u64, bool) {
        for state in self.states() {
            held[state] = (bounds[state].0.max(0.0), bounds[state].1.min(0.0));
        }
        for sweeps in 1.. {
            let mut moves = false;
            for side in &self.sides {
                let found = self.turns(side, &|state, nodes| hold(self.space.turn(state), bounds, held, nodes));
                for (&state, found) in side.iter().zip(found) {
                    let state = state as usize;
                    let next = (found.0.min(0.0).max(bounds[state].0), found.1.max(0.0).min(bounds[state].1));
                    moves |= next != held[state];
                    held[state] = next;
                }
            }
            if stop() {
                return (sweeps, false);
            }
            if !moves {
                let mut moved = false;
                for state in self.states().filter(|&state| held[state].0 <= held[state].1) {
                    let (before, after) = (bounds[state], held[state]);
                    moved |= (after.0 - before.0).max(before.1 - after.1) > STILL;
                    bounds[state] = after;
                }
                return (sweeps, moved);
            }
        }
        (0, false)
    }

    /// The results of `turn` for some states, in order. It gets a buffer for the values of a turn's nodes.
    fn turns<N>(&self, states: &[u32], turn: &(impl Fn(usize, &mut Vec<N>) -> Bounds + Sync)) -> Vec<Bounds> {
        let each = |states: &[u32], found: &mut [Bounds]| {
            let mut nodes = Vec::new();
            for (&state, found) in states.iter().zip(found) {
                *found = turn(state as usize, &mut nodes);
            }
        };
        let mut found = vec![(0.0, 0.0); states.len()];
        if states.len() <= SHARE {
            each(states, &mut found);
            return found;
        }
        let shares: Vec<Mutex<&mut [Bounds]>> = found.chunks_mut(SHARE).map(Mutex::new).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let share = next.fetch_add(1, Ordering::Relaxed);
                let Some(room) = shares.get(share) else { return };
                let mut room = room.lock().unwrap_or_else(PoisonError::into_inner);
                each(&states[share * SHARE..], &mut room);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.clamp(1, shares.len()) {
                // If no thread can be started, this one works alone.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        drop(shares);
        found
    }
}
