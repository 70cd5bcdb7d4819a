//! Sums of probabilities per item, in the order in which the items first appear.

use astragal_core::Ratio;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Deref;

/// Each item once, with the sum of its probabilities.
pub struct Sums<T> {
    list: Vec<(T, Ratio)>,
    index: HashMap<T, usize>,
}

impl<T> Default for Sums<T> {
    fn default() -> Self {
        Sums { list: Vec::new(), index: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Sums<T> {
    /// Adds a probability to the sum of an item.
    pub(crate) fn add(&mut self, what: T, chance: Ratio) {
        match self.index.get(&what) {
            Some(&known) => self.list[known].1 += chance,
            None => {
                self.index.insert(what.clone(), self.list.len());
                self.list.push((what, chance));
            }
        }
    }
}

impl<T: Clone + Eq + Hash + Ord> Sums<T> {
    /// Sorts the items by their own order.
    pub(crate) fn sort(&mut self) {
        self.list.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.index = self.list.iter().enumerate().map(|(i, (what, _))| (what.clone(), i)).collect();
    }
}

impl<T> Deref for Sums<T> {
    type Target = [(T, Ratio)];

    fn deref(&self) -> &[(T, Ratio)] {
        &self.list
    }
}
