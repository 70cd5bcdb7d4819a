//! The strongly connected components of the states: groups in which every state can be reached from every other.
//!
//! Owns their order: each component comes after all those that its turns lead to. So values are known from the end of the
//! game backwards, and only states that can return to each other need many sweeps (R. Tarjan, "Depth-first search and linear
//! graph algorithms", 1972).

use super::code::States;
use super::space::Space;

/// The components.
pub(super) struct Components {
    /// All states whose turns are listed, component by component.
    states: Vec<u32>,
    /// Where each component ends among them.
    ends: Vec<u32>,
}

/// A state that the search has entered.
struct Entered<'a> {
    state: u32,
    next: States<'a>,
}

const UNSEEN: u32 = u32::MAX;

impl Components {
    /// Finds the components.
    pub(super) fn of(space: &Space) -> Components {
        let count = space.listed();
        let mut found = Components { states: Vec::with_capacity(count), ends: Vec::new() };
        // The number of each state in the order of the search, and the lowest number that it can return to.
        let (mut order, mut low) = (vec![UNSEEN; count], vec![UNSEEN; count]);
        let mut is_open = vec![false; count];
        let (mut path, mut open, mut counter) = (Vec::new(), Vec::new(), 0);
        for root in 0..count as u32 {
            if order[root as usize] != UNSEEN {
                continue;
            }
            let mut entering = Some(root);
            loop {
                if let Some(state) = entering.take() {
                    let at = state as usize;
                    (order[at], low[at], is_open[at]) = (counter, counter, true);
                    counter += 1;
                    open.push(state);
                    path.push(Entered { state, next: States::of(space.turn(at)) });
                }
                let Some(entered) = path.last_mut() else { break };
                let at = entered.state as usize;
                if let Some(next) = entered.next.next() {
                    let to = next as usize;
                    if to >= count {
                        continue;
                    }
                    if order[to] == UNSEEN {
                        entering = Some(next);
                    } else if is_open[to] {
                        low[at] = low[at].min(order[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(before) = path.last() {
                    let before = before.state as usize;
                    low[before] = low[before].min(low[at]);
                }
                if low[at] == order[at] {
                    found.close(at as u32, &mut open, &mut is_open);
                }
            }
        }
        found
    }

    /// Takes the component of `root` from the open states.
    fn close(&mut self, root: u32, open: &mut Vec<u32>, is_open: &mut [bool]) {
        while let Some(state) = open.pop() {
            is_open[state as usize] = false;
            self.states.push(state);
            if state == root {
                break;
            }
        }
        self.ends.push(self.states.len() as u32);
    }

    /// The number of components.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The states of a component.
    pub(super) fn states(&self, component: usize) -> &[u32] {
        let start = component.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.states[start as usize..self.ends[component] as usize]
    }
}
