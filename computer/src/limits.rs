//! The limits of a search: nodes, time, or an external stop signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use web_time::Instant;

/// The clock is checked once per this many nodes.
const CLOCK_INTERVAL: u64 = 64;

/// The average units of work that the rules may spend on a node: if they spend more, there are fewer nodes.
pub(crate) const WORK_PER_NODE: u64 = 50_000;

/// The limits of the search for one decision. A node is one event tried: a roll, a move, a choice.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The maximum number of nodes; `None` for no limit.
    pub nodes: Option<u64>,
    /// The longest time; `None` for no limit.
    pub time: Option<Duration>,
    /// The search ends soon after this is set.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// At most `nodes` nodes.
    pub(crate) fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// The same with the time that is left since `budget` began.
    pub(crate) fn less(&self, budget: &Budget) -> Limits {
        let left = budget.until.map(|until| until.saturating_duration_since(Instant::now()));
        Limits { time: left.or(self.time), ..self.clone() }
    }

    /// Starts counting.
    pub(crate) fn start(&self) -> Budget {
        let until = self.time.and_then(|time| Instant::now().checked_add(time));
        Budget { limits: self.clone(), until, nodes: 0, spent: false }
    }
}

/// Limits in use: counts the nodes spent, and knows whether more are left.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    limits: Limits,
    until: Option<Instant>,
    nodes: u64,
    spent: bool,
}

impl Budget {
    /// Counts a node; true if no more nodes are allowed.
    #[inline]
    pub(crate) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        self.spent |= self.limits.nodes.is_some_and(|most| self.nodes > most);
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            self.check_clock();
        }
        self.spent
    }

    #[cold]
    fn check_clock(&mut self) {
        self.spent |= self.limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.until.is_some_and(|until| Instant::now() >= until);
    }

    /// Records the units of work that the rules have spent on the nodes so far; true if that exceeds the work of all
    /// allowed nodes.
    #[inline]
    pub(crate) fn charge_work(&mut self, work: u64) -> bool {
        let over = self.limits.nodes.is_some_and(|most| work / WORK_PER_NODE > most);
        self.spent |= over;
        over
    }

    /// Returns a function that checks whether to stop in the middle of a node; the rules call it repeatedly while they run.
    pub(crate) fn stop_condition(&self) -> impl Fn() -> bool + 'static {
        let (stop, until) = (self.limits.stop.clone(), self.until);
        move || {
            stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
                || until.is_some_and(|until| Instant::now() >= until)
        }
    }

    /// Whether no more nodes are allowed.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent
    }

    /// The nodes counted.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::WORK_PER_NODE;

    #[test]
    fn the_documentation_names_the_work_of_a_node() {
        let page = include_str!("../../docs/limits.md");
        let said = format!("{},000 units of work", WORK_PER_NODE / 1000);
        assert!(page.split_whitespace().collect::<Vec<_>>().join(" ").contains(&said), "{said}");
    }
}
