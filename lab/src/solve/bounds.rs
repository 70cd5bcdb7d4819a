//! Lower and upper bounds of the values of all states, brought together sweep by sweep.
//!
//! Owns the iteration, which solves the components of the states one after the other, from the end of the game. The first bounds are the worst and the best result of a game; a sweep replaces those of each state by
//! those of its turn. So they hold from the beginning, and it is known how far a value is from the truth (interval
//! iteration: S. Haddad and B. Monmege, "Interval iteration algorithm for MDPs and IMDPs", 2018).
//!
//! Where both players can play on for ever, such sweeps come to a standstill before the bounds meet. An endless game is a
//! draw, so a player who can stay for ever in some states whatever the dice show has at least a draw there, unless the
//! opponent leaves for a state that is worse for that player (end components in stochastic games: J. Eisentraut, E. Kelmendi,
//! J. Křetínský and M. Weininger, "Value iteration for simple stochastic games", 2022). [`Part::settle`] finds these states.
//!
//! Invariants: the lower bounds never fall, and the upper ones never rise. The values do not depend on the number of threads:
//! a sweep reads the bounds before it, first for the states of one side, then for those of the other.

use super::code::{Bounds, Dice, evaluate};
use super::components::Components;
use super::space::Space;
use super::{Step, Watch};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The states that a thread takes at a time.
const SHARE: usize = 1024;

/// The sweeps before endless games are looked for.
const FIRST_SWEEPS: u64 = 8;

/// Bounds that move less than this in a sweep, in half points, do not move any more.
const STILL: f64 = 1e-14;

/// The bounds of all states.
pub(super) struct Values {
    /// By the number of the state, in half points for the first side.
    pub(super) bounds: Vec<Bounds>,
    components: Components,
    /// The sweeps so far, in states.
    pub(super) visits: u64,
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
    /// Bounds that exclude nothing but results outside `range`.
    pub(super) fn new(space: &Space, range: Bounds) -> Values {
        Values { bounds: vec![range; space.len()], components: Components::of(space), visits: 0 }
    }

    /// The widest interval of a state whose turn is listed.
    pub(super) fn widest(&self, space: &Space) -> f64 {
        self.bounds[..space.listed()].iter().map(|bounds| bounds.1 - bounds.0).fold(0.0, f64::max)
    }

    /// Improves all bounds, component by component, until none in a component is wider than `epsilon` or it does not move any
    /// more. Returns false if the watch stops it.
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
                self.visits += part.len();
                sweeps += 1;
                if part.len() > SHARE as u64 || done.is_multiple_of(SHARE) {
                    (watch.progress)(Step::Improved { states: done, of: space.listed(), widest: swept.widest / 2.0 });
                    if (watch.stop)() {
                        return false;
                    }
                }
                // The bounds of a state that cannot return to itself do not change any more.
                if swept.widest <= epsilon || !swept.moves && (still || part.len() == 1) {
                    break;
                }
                still = !swept.moves;
                if still || sweeps >= due {
                    let settled = part.settle(&mut self.bounds, watch.stop);
                    self.visits += settled * part.len();
                    due = sweeps + 2 * settled.max(FIRST_SWEEPS);
                }
            }
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
    fn len(&self) -> u64 {
        (self.sides[0].len() + self.sides[1].len()) as u64
    }

    /// Improves all bounds once.
    fn sweep(&self, bounds: &mut [Bounds]) -> Swept {
        let mut swept = Swept { widest: 0.0, moves: false };
        for side in &self.sides {
            let found = self.turns(side, bounds, Dice::Expected);
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
    /// Returns the number of sweeps.
    ///
    /// The lower bound: at first, the first side is assumed to hold a draw in every state. A state keeps the least that the
    /// dice and the second side can enforce in one turn, if that is worse, but not less than its bound. What is left when
    /// nothing changes any more can be held for ever. The upper bound is found in the same way for the second side.
    fn settle(&self, bounds: &mut [Bounds], stop: &dyn Fn() -> bool) -> u64 {
        let known: Vec<Bounds> = self.sides.iter().flatten().map(|&state| bounds[state as usize]).collect();
        let restore = |bounds: &mut [Bounds], wanted: &dyn Fn(Bounds, Bounds) -> Bounds| {
            for (&state, &known) in self.sides.iter().flatten().zip(&known) {
                let held = &mut bounds[state as usize];
                *held = wanted(known, *held);
            }
        };
        restore(bounds, &|known, _| (known.0.max(0.0), known.1.min(0.0)));
        for sweeps in 1.. {
            let (mut moves, mut at) = (false, 0);
            for side in &self.sides {
                let found = self.turns(side, bounds, Dice::Whatever);
                for (&state, found) in side.iter().zip(found) {
                    let next = (found.0.min(0.0).max(known[at].0), found.1.max(0.0).min(known[at].1));
                    moves |= next != bounds[state as usize];
                    bounds[state as usize] = next;
                    at += 1;
                }
            }
            if stop() {
                restore(bounds, &|known, _| known);
                return sweeps;
            }
            if !moves {
                restore(bounds, &|known, held| if held.0 <= held.1 { held } else { known });
                return sweeps;
            }
        }
        0
    }

    /// The bounds of the turns of some states, in order.
    fn turns(&self, states: &[u32], bounds: &[Bounds], dice: Dice) -> Vec<Bounds> {
        turns(self.space, states, bounds, dice, self.threads)
    }
}

/// The bounds of the turns of some states, in order.
fn turns(space: &Space, states: &[u32], bounds: &[Bounds], dice: Dice, threads: usize) -> Vec<Bounds> {
    if states.len() <= SHARE {
        let mut nodes = Vec::new();
        let turn = |&state: &u32| evaluate(space.turn(state as usize), bounds, dice, &mut nodes);
        return states.iter().map(turn).collect();
    }
    let mut found = vec![(0.0, 0.0); states.len()];
    let shares: Vec<Mutex<&mut [Bounds]>> = found.chunks_mut(SHARE).map(Mutex::new).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut nodes = Vec::new();
        loop {
            let share = next.fetch_add(1, Ordering::Relaxed);
            let Some(room) = shares.get(share) else { return };
            let mut room = room.lock().unwrap_or_else(PoisonError::into_inner);
            for (at, found) in room.iter_mut().enumerate() {
                let state = states[share * SHARE + at] as usize;
                *found = evaluate(space.turn(state), bounds, dice, &mut nodes);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, shares.len().max(1)) {
            // Without another thread, this one does all the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    drop(shares);
    found
}
