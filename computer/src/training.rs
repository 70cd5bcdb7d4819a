//! Random games, played once for each variant: whether its static evaluation predicts winners, the value of an attack on a
//! royal, and the kind of game it is.

use crate::attack_values::AttackValues;
use crate::events::{hidden_from_chooser, step_randomly};
use crate::pace::Pace;
use crate::race::Race;
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
    /// The pace of a race along tracks.
    pub(crate) pace: Pace,
    /// Whether all games were played.
    pub(crate) complete: bool,
}

/// Plays random games from `start`, until work is stopped.
///
/// # Errors
/// If a rule fails.
pub(crate) fn train(evaluation: &StaticEvaluation, start: &Position) -> Result<Training, RuleError> {
    let race = Race::new(&evaluation.ruleset().variant);
    let (mut training, mut attacks) = (Training { complete: true, ..Training::default() }, AttackValues::default());
    let mut events = 0;
    for game in 0..GAMES {
        match training.play_random_game(evaluation, race.as_ref(), game, start, &mut attacks) {
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

/// A random game of a race.
struct Run<'a> {
    race: &'a Race,
    turn: u32,
    mover: Side,
    /// The steps that the mover had to go when its turn began.
    remaining: f64,
    /// Whether the mover has decided something in this turn.
    decided: bool,
}

impl<'a> Run<'a> {
    fn begin(race: &'a Race, state: &State) -> Run<'a> {
        let remaining = race.remaining(&state.ruleset().variant, state.position(), state.mover());
        Run { race, turn: state.turn(), mover: state.mover(), remaining, decided: false }
    }

    /// Notes the turn before, if a new one has begun, and the moves that the first decision of a turn permits.
    fn follow(&mut self, state: &State, pace: &mut Pace) {
        if state.turn() != self.turn {
            let now = self.race.remaining(&state.ruleset().variant, state.position(), self.mover);
            pace.note_turn(self.remaining - now);
            *self = Run::begin(self.race, state);
        }
        if state.status() == Status::Move && !self.decided {
            self.decided = true;
            pace.note_decision(self.race, state);
        }
    }

    /// How many steps the first side is ahead of the average of the others.
    fn lead(&self, state: &State) -> f64 {
        let variant = &state.ruleset().variant;
        let steps = |side: u8| self.race.remaining(variant, state.position(), Side(side));
        let others = (1..variant.sides() as u8).map(steps).sum::<f64>() / (variant.sides() - 1).max(1) as f64;
        others - steps(0)
    }
}

impl Training {
    /// Whether progress along tracks predicts winners better than material.
    pub(crate) fn is_race(&self) -> bool {
        let Pace { right, wrong, .. } = self.pace;
        self.pace.is_known() && right * (self.right + self.wrong) > self.right * (right + wrong)
    }

    /// Plays a game and learns from it; returns its length in events.
    fn play_random_game(
        &mut self,
        evaluation: &StaticEvaluation,
        race: Option<&Race>,
        game: u64,
        start: &Position,
        attacks: &mut AttackValues,
    ) -> Result<usize, RuleError> {
        let ruleset = evaluation.ruleset();
        let has_royals = ruleset.variant.royals().0 != 0;
        let mut random = Stream::new(0x6c65_7373_6f6e, game);
        let mut state = State::new(Arc::clone(ruleset), start.clone())?;
        let (mut values, mut turn) = (Vec::new(), u32::MAX);
        let mut leads = Vec::new();
        let mut run = race.map(|race| Run::begin(race, &state));
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
            if let Some(run) = &mut run {
                run.follow(&state, &mut self.pace);
                leads.push(run.lead(&state));
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
                let ahead = leads.get(leads.len() * 2 / 3).copied().unwrap_or(0.0);
                self.pace.right += usize::from(ahead * result > 0.0);
                self.pace.wrong += usize::from(ahead * result < 0.0);
            }
        }
        Ok(values.len())
    }
}
