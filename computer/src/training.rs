//! Random games, played once for each variant: whether its static evaluation predicts winners, the value of an attack on a
//! royal, and the kind of game it is.

use crate::attack_values::AttackValues;
use crate::events::{hidden_from_chooser, step_randomly};
use crate::static_evaluation::StaticEvaluation;
use astragal_core::rule::RuleError;
use astragal_core::{Position, Side, State, Status, Stream};
use std::sync::Arc;

/// The number of random games.
const GAMES: u64 = 48;
/// A longer game, in events, is not informative.
const MAX_GAME_EVENTS: usize = 600;
/// The greatest number of events of all random games together.
const MAX_EVENTS: usize = 12_000;

/// The results of the random games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Training {
    /// Games that ended with a winner.
    pub(crate) decided: usize,
    /// Evaluations two thirds through a game that favored the later winner.
    pub(crate) right: usize,
    /// Such evaluations that favored another side.
    pub(crate) wrong: usize,
    /// Whether a game was worth points.
    pub(crate) points: bool,
    /// Whether dice were rolled.
    pub(crate) dice: bool,
    /// The reason why a deciding side did not know everything, if so.
    pub(crate) hidden: Option<&'static str>,
    /// The value of an attack on a royal for the side whose turn begins: see [`AttackValues::royal_attack`].
    pub(crate) royal_attack: f64,
    /// Whether all games were played.
    pub(crate) complete: bool,
}

/// Plays random games from `start`, until work is stopped.
///
/// # Errors
/// If a rule fails.
pub(crate) fn train(evaluation: &StaticEvaluation, start: &Position) -> Result<Training, RuleError> {
    let (mut training, mut attacks) = (Training { complete: true, ..Training::default() }, AttackValues::default());
    let mut events = 0;
    for game in 0..GAMES {
        match training.play_random_game(evaluation, game, start, &mut attacks) {
            Err(error) if error.is_stop() => {
                training.complete = false;
                break;
            }
            length => events += length?,
        }
        if events > MAX_EVENTS {
            break;
        }
    }
    training.royal_attack = attacks.royal_attack();
    Ok(training)
}

impl Training {
    /// Plays a game and learns from it; returns its length in events.
    fn play_random_game(
        &mut self,
        evaluation: &StaticEvaluation,
        game: u64,
        start: &Position,
        attacks: &mut AttackValues,
    ) -> Result<usize, RuleError> {
        let ruleset = evaluation.ruleset();
        let has_royals = ruleset.variant.royals().0 != 0;
        let mut random = Stream::new(0x6c65_7373_6f6e, game);
        let mut state = State::new(Arc::clone(ruleset), start.clone())?;
        let (mut values, mut turn) = (Vec::new(), u32::MAX);
        while state.status() != Status::Over && values.len() < MAX_GAME_EVENTS {
            if has_royals && state.turn() != turn {
                turn = state.turn();
                let mover = state.mover();
                attacks.sample(&state, &mut random, &|next| evaluation.evaluate(next, mover))?;
            }
            self.dice |= state.status() == Status::Chance;
            if self.hidden.is_none() && matches!(state.status(), Status::Move | Status::Choice) {
                self.hidden = hidden_from_chooser(&state);
            }
            step_randomly(&mut state, &mut random)?;
            values.push(evaluation.evaluate_position(state.position(), state.chooser(), Side::FIRST));
        }
        if let Some(over) = state.over() {
            self.points |= over.points.is_some();
            let result = evaluation.result(over, Side::FIRST);
            if result != 0.0 {
                self.decided += 1;
                // Well before the end, but late enough for a lead.
                let predicted = values.get(values.len() * 2 / 3).copied().unwrap_or(0.0);
                self.right += usize::from(predicted * result > 0.0);
                self.wrong += usize::from(predicted * result < 0.0);
            }
        }
        Ok(values.len())
    }
}
