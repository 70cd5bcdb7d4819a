//! When thinking stops: after so many nodes, at a time, or because someone says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use web_time::Instant;

/// How often the clock is looked at, in nodes.
const EVERY: u64 = 64;

/// The units of work that the rules may make of each node on average: where they take more, there are fewer nodes.
pub const WORK: u64 = 50_000;

/// What bounds the thinking about one decision. A node is one event tried: a roll, a move, a choice.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most nodes; unlimited without.
    pub nodes: Option<u64>,
    /// The longest time; unlimited without.
    pub time: Option<Duration>,
    /// Thinking ends soon after this is set.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// At most so many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Begins to count.
    pub fn start(&self) -> Meter {
        let until = self.time.and_then(|time| Instant::now().checked_add(time));
        Meter { limits: self.clone(), until, nodes: 0, spent: false }
    }
}

/// Limits at work.
#[derive(Clone, Debug)]
pub struct Meter {
    limits: Limits,
    until: Option<Instant>,
    nodes: u64,
    spent: bool,
}

impl Meter {
    /// Counts a node; true when there may be no more.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.nodes += 1;
        self.spent |= self.limits.nodes.is_some_and(|most| self.nodes > most);
        if self.nodes.is_multiple_of(EVERY) {
            self.look();
        }
        self.spent
    }

    #[cold]
    fn look(&mut self) {
        self.spent |= self.limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.until.is_some_and(|until| Instant::now() >= until);
    }

    /// Notes how many units of work the rules have made of the nodes so far; true if that is too much for all nodes
    /// that there may be.
    #[inline]
    pub fn note(&mut self, work: u64) -> bool {
        let over = self.limits.nodes.is_some_and(|most| work / WORK > most);
        self.spent |= over;
        over
    }

    /// Says whether to stop in the middle of a node, as the rules are asked again and again while they run.
    pub fn watch(&self) -> impl Fn() -> bool + 'static {
        let (stop, until) = (self.limits.stop.clone(), self.until);
        move || {
            stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
                || until.is_some_and(|until| Instant::now() >= until)
        }
    }

    /// Whether there may be no more nodes.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// The nodes counted.
    pub fn count(&self) -> u64 {
        self.nodes
    }
}
