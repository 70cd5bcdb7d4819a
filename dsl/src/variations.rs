//! A game with all its alternatives: every line ever played from one start, as a tree of events with a current place.
//!
//! It knows only events, no rules. The owner of a [`Game`] makes the tree follow it, and receives the steps from one place
//! to the next. No line is ever removed.

use astragal_core::{Event, Game, HistoryEntry};

const ROOT: usize = 0;

/// The lines of a game. See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variations {
    nodes: Vec<Node>,
    at: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    /// The event that led here; `None` at the root.
    event: Option<Event>,
    before: usize,
    /// The nodes that followed, in the order in which they were first tried.
    after: Vec<usize>,
    /// The branch that was visited last.
    latest: Option<usize>,
}

/// The steps from one place of the tree to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// The number of events to undo.
    pub back: usize,
    /// The number of events to play after that.
    pub on: usize,
}

impl Default for Variations {
    fn default() -> Variations {
        Variations::new()
    }
}

impl Variations {
    /// A game in which nothing has happened.
    pub fn new() -> Variations {
        let root = Node { event: None, before: ROOT, after: Vec::new(), latest: None };
        Variations { nodes: vec![root], at: ROOT }
    }

    /// The line of `game`.
    pub fn of(game: &Game) -> Variations {
        let mut variations = Variations::new();
        variations.follow(game.entries());
        variations
    }

    /// Goes to the place that `entries` lead to from the start, and adds new events. Returns the steps from the old place.
    pub fn follow(&mut self, entries: &[HistoryEntry]) -> Steps {
        let line = self.line();
        let same = line.iter().zip(entries).take_while(|(event, entry)| **event == &entry.event).count();
        let back = line.len() - same;
        for _ in 0..back {
            self.at = self.nodes[self.at].before;
        }
        for entry in &entries[same..] {
            self.go(&entry.event);
        }
        Steps { back, on: entries.len() - same }
    }

    fn go(&mut self, event: &Event) {
        let known =
            self.nodes[self.at].after.iter().copied().find(|&node| self.nodes[node].event.as_ref() == Some(event));
        let node = known.unwrap_or_else(|| {
            self.nodes.push(Node { event: Some(event.clone()), before: self.at, after: Vec::new(), latest: None });
            let node = self.nodes.len() - 1;
            self.nodes[self.at].after.push(node);
            node
        });
        self.nodes[self.at].latest = Some(node);
        self.at = node;
    }

    /// The events from the start to the current place.
    pub fn line(&self) -> Vec<&Event> {
        self.path().into_iter().filter_map(|node| self.event(node)).collect()
    }

    /// The rest of the line that was last played from here.
    pub fn ahead(&self) -> Vec<&Event> {
        let next = |node: &usize| self.nodes[*node].latest;
        std::iter::successors(next(&self.at), next).filter_map(|node| self.event(node)).collect()
    }

    /// All events that followed here, in the order in which they were first tried.
    pub fn continuations(&self) -> Vec<&Event> {
        self.nodes[self.at].after.iter().filter_map(|&node| self.event(node)).collect()
    }

    /// The number of lines, that is, of events after which nothing was played.
    pub fn lines(&self) -> usize {
        self.nodes.iter().filter(|node| node.after.is_empty()).count()
    }

    /// The places from the first event to the current one.
    pub(crate) fn path(&self) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(self.at), |&node| Some(self.nodes[node].before))
            .take_while(|&n| n != ROOT)
            .collect();
        path.reverse();
        path
    }

    /// The event that led to a place.
    pub(crate) fn event(&self, node: usize) -> Option<&Event> {
        self.nodes[node].event.as_ref()
    }

    /// The places that follow a place, the one visited last first.
    pub(crate) fn after(&self, node: usize) -> Vec<usize> {
        let Node { latest, after, .. } = &self.nodes[node];
        latest.iter().copied().chain(after.iter().copied().filter(|node| Some(*node) != *latest)).collect()
    }

    /// The place before the first event.
    pub(crate) fn root(&self) -> usize {
        ROOT
    }

    /// The place before a place.
    pub(crate) fn before(&self, node: usize) -> usize {
        self.nodes[node].before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(rolls: &[i16]) -> Vec<HistoryEntry> {
        rolls
            .iter()
            .map(|&face| HistoryEntry { event: Event::Roll(vec![face]), notes: Vec::new(), secret: None })
            .collect()
    }

    fn faces(events: &[&Event]) -> Vec<i16> {
        let face = |event: &&Event| match event {
            Event::Roll(faces) => faces[0],
            _ => 0,
        };
        events.iter().map(face).collect()
    }

    #[test]
    fn what_was_left_is_found_again() {
        let mut tree = Variations::new();
        assert_eq!(tree.follow(&entries(&[1, 2, 3])), Steps { back: 0, on: 3 });
        assert_eq!(tree.follow(&entries(&[1, 4])), Steps { back: 2, on: 1 });
        assert_eq!(tree.lines(), 2);
        assert_eq!(tree.follow(&entries(&[1])), Steps { back: 1, on: 0 });
        assert_eq!((faces(&tree.ahead()), faces(&tree.continuations())), (vec![4], vec![2, 4]));
        assert_eq!(tree.follow(&entries(&[1, 2])), Steps { back: 0, on: 1 });
        assert_eq!(faces(&tree.ahead()), [3]);
        assert_eq!(tree.follow(&entries(&[])), Steps { back: 2, on: 0 });
        assert_eq!(faces(&tree.ahead()), [1, 2, 3]);
        assert_eq!((tree.lines(), tree.line().len()), (2, 0));
    }
}
