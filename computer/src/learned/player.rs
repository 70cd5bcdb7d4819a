//! A player that chooses the best end of its turn by a learned evaluation, and looks no further ahead.

use super::{LearnedValues, Lookahead};
use crate::events::{after, hidden_from_chooser};
use crate::player::{Player, PlayerError};
use astragal_core::{Event, Reply, State};
use std::sync::Arc;

/// The maximum number of states of a decision.
const MOST: u32 = 4_000;

/// A player with a learned evaluation. See the [module](self).
pub struct LearnedPlayer {
    values: Arc<LearnedValues>,
    lookahead: Lookahead,
    name: String,
    /// The rest of the chosen replies, last first, and the fingerprint of the state that they continue from.
    planned: Option<(u64, Vec<Reply>)>,
}

impl LearnedPlayer {
    /// A player of this name.
    pub fn new(values: Arc<LearnedValues>, name: String) -> LearnedPlayer {
        LearnedPlayer { values, lookahead: Lookahead::new(MOST), name, planned: None }
    }
}

impl Player for LearnedPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn decide(&mut self, state: &State) -> Result<Event, PlayerError> {
        if let Some(why) = hidden_from_chooser(state) {
            return Err(PlayerError::Secret(why));
        }
        let planned = self.planned.take().filter(|(key, _)| *key == state.fingerprint());
        let mut rest = match planned {
            Some((_, rest)) => rest,
            None if state.replies() == 1 => state.nth_reply(0).into_iter().collect(),
            None => {
                let (mut replies, _) = self.lookahead.best(&self.values, state)?;
                replies.reverse();
                replies
            }
        };
        let event = match rest.pop().ok_or(PlayerError::Nothing)? {
            Reply::Move(paid) => Event::Move(paid),
            Reply::Choice(index) => Event::Choice(index),
            Reply::Pass => Event::Pass,
            Reply::Roll(_) => return Err(PlayerError::Nothing),
        };
        if !rest.is_empty() {
            self.planned = Some((after(state, &event)?.fingerprint(), rest));
        }
        Ok(event)
    }
}
