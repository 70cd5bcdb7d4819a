//! Hashes that distinguish states: keys of transposition tables and memos within one run of the program. They are not part
//! of any record.

use super::{Answers, Frame, State};
use crate::rules::effect::GameFlow;
use crate::rules::hook::RuleId;
use crate::rules::value::Value;
use std::hash::{Hash, Hasher};

impl State {
    /// A hash that two states share (almost certainly) only if they continue alike: for memo tables within one run of the
    /// program.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint_by(None, Value::mark)
    }

    /// The same, where `mark` mixes held values into the key. With `standing`, its number represents the place of the
    /// innermost rule, and only the given number of held values count.
    pub(crate) fn fingerprint_by(&self, standing: Option<(u64, usize)>, mark: impl Fn(&Value, u64) -> u64) -> u64 {
        let rules = self.walker();
        let mut key = self.position.hash();
        for (at, frame) in self.frames.iter().enumerate() {
            let standing = standing.filter(|_| at + 1 == self.frames.len());
            let node = standing.map_or_else(|| frame.tree(&rules).mark(frame.node), |(place, _)| place);
            key = crate::dice::mix(key ^ u64::from(frame.rule.0) << 32 ^ node);
            for progress in frame.paused.iter().map(|(progress, _)| progress).chain(&frame.progress) {
                let owed = u64::from(progress.owed & 0xff) << 8 ^ u64::from(progress.owed >> 8) << 32;
                key = crate::dice::mix(key ^ u64::from(progress.left) << 16 ^ owed);
                for square in progress.moved {
                    key = crate::dice::mix(key ^ u64::from(square.0) << 40);
                }
            }
            let held = standing.map_or(frame.env.len(), |(_, held)| held.min(frame.env.len()));
            key = frame.env[..held].iter().fold(key, |key, value| mark(value, key));
        }
        key
    }

    /// A hash of everything in the turn that [`State::fingerprint_by`] leaves out, and the decided course of the game.
    /// Within one turn, two states with the same fingerprint and circumstances are (almost certainly) equivalent.
    pub(crate) fn circumstances(&self) -> (u64, &GameFlow) {
        let Answers { moved, chose, declined, blocked, several, .. } = self.answers;
        let turn = [moved, chose, declined, blocked, several];
        let Self { between, outcome_pending, changed, eventful, labelled, .. } = *self;
        let flags =
            [between, outcome_pending, changed, eventful, labelled, self.secret_to != 0].into_iter().chain(turn);
        let mut key = flags.fold(u64::from(self.mover.0), |key, flag| key << 1 | u64::from(flag));
        let counts = [self.turn as usize, self.idle, self.notes.len(), self.history.len(), self.frames.len()];
        for number in counts {
            key = crate::dice::mix(key ^ number as u64);
        }
        let clocks = u64::from(self.position.clock()) << 32 | u64::from(self.position.number());
        let completed = self.frames.iter().fold(clocks, |key, frame| key << 1 | u64::from(frame.completed.is_some()));
        (crate::dice::mix(key ^ completed), &self.course)
    }

    /// A hash that two states of one turn share (almost certainly) only if they are equivalent, the decided course of the game
    /// included: for walks that examine everything that a turn can lead to.
    pub fn place_in_turn(&self) -> u64 {
        let (circumstances, course) = self.circumstances();
        let mut hasher = rustc_hash::FxHasher::default();
        course.hash(&mut hasher);
        let key = self.fingerprint() ^ u64::from(self.status as u8) << 56;
        crate::dice::mix(crate::dice::mix(key) ^ circumstances ^ hasher.finish().rotate_left(17))
    }

    /// The waiting rule, a number for its place, and the number of values it holds.
    pub(crate) fn standing(&self) -> Option<(RuleId, u64, usize)> {
        let mark = |frame: &Frame| frame.tree(&self.walker()).mark(frame.node);
        self.frames.last().map(|frame| (frame.rule, mark(frame), frame.env.len()))
    }

    /// The answers that the waiting rule has received since its start.
    pub(crate) fn answers(&self) -> Vec<crate::rules::query::Answer> {
        let path = |frame: &Frame| frame.tree(&self.walker()).path(frame.node);
        self.frames.last().map_or_else(Vec::new, path)
    }
}
