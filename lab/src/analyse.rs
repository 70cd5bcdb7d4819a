//! Analysis of a game: the luck of each roll, the error of each decision, and the course of the chances.
//!
//! Owns which events are evaluated and how they are summed; the [evaluator](crate::evaluator) evaluates states. All values are
//! winning chances, from 0 to 1, or points if the rules award points.

use crate::evaluator::{Evaluator, Kind, Value};
use astragal_computer::{Evaluation, Horizon, PlayerError, apply, legal_events};
use astragal_core::{Event, Game, GameError, Side, State, Status};
use astragal_dsl::{Loaded, game_text, turn_state_text};
use std::sync::Arc;
use thiserror::Error;

/// The reason why a game cannot be analyzed.
#[derive(Clone, Debug, Error)]
pub enum AnalysisError {
    /// The analysis would reveal secrets, or a rule fails.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The game cannot be played again.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl AnalysisError {
    /// Whether the only problem is that the analysis was stopped.
    pub fn is_stop(&self) -> bool {
        match self {
            AnalysisError::Player(PlayerError::Rule(error)) | AnalysisError::Game(GameError::Rule(error)) => {
                error.is_stop()
            }
            _ => false,
        }
    }
}

/// An evaluated event.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Its number among the events, from 1.
    pub number: usize,
    /// The number of the round.
    pub round: u16,
    /// The side that rolled or decided.
    pub side: Side,
    /// The event as text, such as `[2,3]` or `Nc3`.
    pub text: String,
    /// The first player's chance before it.
    pub before: f64,
    /// The first player's chance after it.
    pub after: f64,
    /// The luck or error of the event.
    pub finding: Finding,
    /// Whether the finding is exact: for a roll, if every outcome certainly ends the game within the horizon; for a
    /// decision, if the best event and the played event do. Otherwise it is an estimate.
    pub is_exact: bool,
}

/// The luck or error of an event, for the side that rolled or decided.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// The luck of a roll: the chance after it minus the mean over all rolls.
    Luck(f64),
    /// The error of a decision: the chance after the best event found minus the chance after the played event.
    Decision {
        /// The loss, at least 0.
        error: f64,
        /// A better event, if there is one.
        better: Option<String>,
    },
}

/// The totals of a side over a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Total {
    /// The sum of the luck of its rolls.
    pub luck: f64,
    /// The number of its rolls.
    pub rolls: usize,
    /// The sum of its errors.
    pub error: f64,
    /// The number of its decisions with more than one answer.
    pub decisions: usize,
}

/// An analyzed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The evaluated events.
    pub events: Vec<Judged>,
    /// By side.
    pub totals: Vec<Total>,
    /// The names of the sides.
    pub sides: Vec<String>,
    /// The first player's chance at each event, and at the end.
    pub curve: Vec<f64>,
    /// How the game ended, if it has.
    pub result: Option<String>,
    /// Whether values are points, because the rules award points, instead of chances.
    pub in_points: bool,
    /// The number of rolls with too many outcomes to be evaluated.
    pub not_evaluated: usize,
}

/// The levels of an analysis: the search depth in turns.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=3;

/// The default level of an analysis: the turn and the reply to it.
pub const USUAL_LEVEL: u8 = 2;

/// Analyzes a game at one of the [`LEVELS`]; `progress` receives the number of finished events and the total.
///
/// # Errors
/// If something is secret, a rule fails or the work is stopped.
pub fn analyse(
    loaded: &Loaded,
    evaluation: &Arc<Evaluation>,
    game: &Game,
    level: u8,
    progress: &dyn Fn(usize, usize),
) -> Result<Analysis, AnalysisError> {
    evaluation.can_be_evaluated()?;
    let variant = &loaded.set.variant;
    let horizon = match level {
        0 | 1 => Horizon::Turn,
        2 => Horizon::Reply,
        _ => Horizon::Answer,
    };
    let mut evaluator =
        Evaluator::new(evaluation, horizon).proving(u32::from(level.clamp(*LEVELS.start(), *LEVELS.end())));
    let in_points = evaluator.is_in_points();
    let mut analysis = Analysis {
        events: Vec::new(),
        totals: vec![Total::default(); variant.sides()],
        sides: (0..variant.sides()).map(|side| game_text::side_name(variant, Side(side as u8)).to_owned()).collect(),
        curve: Vec::new(),
        result: game_text::result(game.state()),
        in_points,
        not_evaluated: 0,
    };
    let mut again = turn_state_text::restarted(game)?;
    for (done, entry) in game.entries().iter().enumerate() {
        progress(done, game.entries().len());
        let before = again.state().clone();
        again.apply(&entry.event)?;
        analysis.look(&mut evaluator, done + 1, &before, &entry.event, again.state())?;
    }
    let last = match evaluator.result(game.state()) {
        Some(result) => Some(result),
        None => evaluator.point(game.state())?.map(|point| point.value),
    };
    analysis.curve.extend(last.map(|value| analysis.told(value)));
    Ok(analysis)
}

impl Analysis {
    /// A value of the evaluator, in the units of the analysis.
    fn told(&self, value: f64) -> f64 {
        if self.in_points { value } else { ((value + 1.0) / 2.0).clamp(0.0, 1.0) }
    }

    /// A difference of two values, in the units of the analysis.
    fn told_difference(&self, value: f64) -> f64 {
        if self.in_points { value } else { value / 2.0 }
    }

    fn look(
        &mut self,
        evaluator: &mut Evaluator,
        number: usize,
        before: &State,
        event: &Event,
        after: &State,
    ) -> Result<(), AnalysisError> {
        let Some(point) = evaluator.point(before)? else {
            self.not_evaluated += usize::from(before.status() == Status::Chance);
            return Ok(());
        };
        let side = before.chooser();
        // Partners win together.
        let eyes = if before.ruleset().variant.allied(side, Side::FIRST) { 1.0 } else { -1.0 };
        let Value { value: reached, is_exact } = evaluator.value(after)?;
        let (finding, value, text, is_exact) = match (point.kind, event) {
            (Kind::Roll, Event::Roll(faces)) => {
                let luck = eyes * self.told_difference(reached - point.value);
                let text = format!("[{}]", game_text::rolled(before, faces));
                (Finding::Luck(luck), point.value, text, is_exact && point.is_exact)
            }
            _ => {
                let (best, Value { value, is_exact: best_is_exact }) = best(evaluator, before, eyes)?;
                // The played event may look better after it than in the first search.
                let error = (eyes * (value - reached)).max(0.0);
                let better = best.filter(|best| best != event && error > 0.0).map(|best| said(before, &best));
                let error = if better.is_none() { 0.0 } else { self.told_difference(error) };
                let value = if error > 0.0 { value } else { reached };
                (Finding::Decision { error, better }, value, said(before, event), is_exact && best_is_exact)
            }
        };
        let total = &mut self.totals[side.index()];
        match &finding {
            Finding::Luck(luck) => (total.luck, total.rolls) = (total.luck + luck, total.rolls + 1),
            Finding::Decision { error, .. } => {
                (total.error, total.decisions) = (total.error + error, total.decisions + 1);
            }
        }
        let (before_told, after_told) = (self.told(value), self.told(reached));
        self.curve.push(before_told);
        let round = before.position().number();
        self.events.push(Judged {
            number,
            round,
            side,
            text,
            before: before_told,
            after: after_told,
            finding,
            is_exact,
        });
        Ok(())
    }

    /// The most costly decisions, the worst first; decisions without a cost are left out.
    pub fn worst(&self, most: usize) -> Vec<&Judged> {
        let mut found: Vec<(&Judged, f64)> = self
            .events
            .iter()
            .filter_map(|evaluated| match &evaluated.finding {
                Finding::Decision { error, .. } if *error > 0.0 => Some((evaluated, *error)),
                _ => None,
            })
            .collect();
        found.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        found.into_iter().take(most).map(|(evaluated, _)| evaluated).collect()
    }

    /// The rolls that changed the chances most, for better or worse.
    pub fn luckiest(&self, most: usize) -> Vec<&Judged> {
        let mut found: Vec<(&Judged, f64)> = self
            .events
            .iter()
            .filter_map(|evaluated| match evaluated.finding {
                Finding::Luck(luck) => Some((evaluated, luck.abs())),
                Finding::Decision { .. } => None,
            })
            .collect();
        found.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        found.into_iter().take(most).map(|(evaluated, _)| evaluated).collect()
    }

    /// The luckier side and its margin: the first side's luck minus that of the others. A roll that is lucky for one side
    /// is unlucky for the other.
    pub fn luckier(&self) -> (usize, f64) {
        let against: f64 = self.totals.iter().skip(1).map(|total| total.luck).sum();
        let lead = self.totals.first().map_or(0.0, |total| total.luck) - against;
        if lead >= 0.0 { (0, lead) } else { (1, -lead) }
    }
}

/// The best event found for a decision, and its value for the first player: exact if the values of all events are, or if
/// nothing can be better.
fn best(evaluator: &mut Evaluator, before: &State, eyes: f64) -> Result<(Option<Event>, Value), AnalysisError> {
    let (mut found, mut value, mut all_are_exact) =
        (None, Value { value: f64::NEG_INFINITY * eyes, is_exact: false }, true);
    for event in legal_events(before) {
        let mut next = before.clone();
        apply(&mut next, &event).map_err(PlayerError::from)?;
        let reached = evaluator.value(&next)?;
        all_are_exact &= reached.is_exact;
        if found.is_none() || eyes * reached.value > eyes * value.value {
            (found, value) = (Some(event), reached);
        }
    }
    let is_won = !evaluator.is_in_points() && eyes * value.value >= 1.0 - 1e-9;
    Ok((found, Value { is_exact: all_are_exact || value.is_exact && is_won, ..value }))
}

/// An event in record notation.
fn said(before: &State, event: &Event) -> String {
    match event {
        Event::Roll(faces) => format!("[{}]", game_text::rolled(before, faces)),
        Event::Move(paid) => game_text::typed_move(before, *paid),
        Event::Pass => "pass".into(),
        Event::Choice(index) => game_text::choices(before).get(*index).cloned().unwrap_or_default(),
    }
}
