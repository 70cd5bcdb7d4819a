//! What the commands and the server work out about a position: exact odds and node counts.

use crate::interrupt;
use astragal_core::perft;
use astragal_core::rule::RuleError;
use astragal_core::{Game, GameError, Kind, Move, Position, Ratio, State, Status, Variant, odds};
use astragal_dsl::Loaded;
use astragal_dsl::words::{self, WordError};
use thiserror::Error;

pub mod odds_text;
pub mod prospects;

/// More outcomes of one roll than anyone waits for.
const MAX_OUTCOMES: u64 = 20_000_000;
/// More nodes than anyone waits for.
const MAX_NODES: f64 = 5e9;

/// Why something cannot be worked out.
#[derive(Clone, Debug, Error)]
pub enum AnalysisError {
    /// A move or choice means nothing here.
    #[error(transparent)]
    Word(#[from] WordError),
    /// The game refuses it, or a rule fails.
    #[error(transparent)]
    Game(#[from] GameError),
    /// It would take too long.
    #[error("{0}")]
    TooLarge(String),
    /// Ctrl-C was pressed, or the time is over.
    #[error("stopped")]
    Stopped,
}

impl From<RuleError> for AnalysisError {
    fn from(error: RuleError) -> Self {
        AnalysisError::Game(error.into())
    }
}

/// One of the things that a move may lead to.
pub struct Outcome {
    /// How likely it is.
    pub probability: Ratio,
    /// The script's word for it, or `win`, `lose`, `draw`, `moved`.
    pub effect: String,
    /// The position it leads to.
    pub position: String,
    /// Whether somebody must decide before the turn goes on.
    pub decides: bool,
    /// The state it leads to.
    pub state: State,
}

/// Plays a move and the choices after it: `d1a4 assist`, then `choices`.
///
/// # Errors
/// If one of them is not permitted.
pub fn after_words(game: &mut Game, text: &str, choices: &[&str], die: Option<&[i16]>) -> Result<(), AnalysisError> {
    let mut rest: Vec<&str> = Vec::new();
    if game.status() == Status::Choice {
        rest.push(text);
    } else {
        let paid = match words::find_move(game.state(), text, die) {
            Ok(paid) => paid,
            Err(error) => {
                let mut parts = text.split_whitespace();
                let first = parts.next().unwrap_or_default();
                rest.extend(parts);
                if rest.is_empty() {
                    return Err(error.into());
                }
                words::find_move(game.state(), first, die)?
            }
        };
        game.play(paid)?;
    }
    for choice in rest.iter().chain(choices) {
        let index = words::find_choice(game.state(), choice)?;
        game.choose(index)?;
    }
    Ok(())
}

/// All that the dice can do from `state` within turn number `turn`, merged by effect and position, in
/// the order of the dice.
///
/// # Errors
/// If there are too many outcomes, or a rule fails.
pub fn outcomes(loaded: &Loaded, state: &State, turn: u32) -> Result<Vec<Outcome>, AnalysisError> {
    let goes_on = |state: &State| state.turn() == turn && state.over().is_none();
    let found = if goes_on(state) && state.status() == Status::Chance {
        check_size(state)?;
        all_outcomes(state)?
    } else {
        vec![odds::Outcome { probability: Ratio::ONE, state: state.clone() }]
    };
    let mut merged: Vec<Outcome> = Vec::new();
    for odds::Outcome { probability, state } in found {
        if interrupt::asked() {
            return Err(AnalysisError::Stopped);
        }
        let (effect, position) = (effect(&state), words::position(loaded, &state));
        let decides = goes_on(&state) && matches!(state.status(), Status::Move | Status::Choice);
        let same = |o: &&mut Outcome| o.effect == effect && o.position == position && o.decides == decides;
        match merged.iter_mut().find(same) {
            Some(known) => known.probability += probability,
            None => merged.push(Outcome { probability, effect, position, decides, state }),
        }
    }
    Ok(merged)
}

fn all_outcomes(state: &State) -> Result<Vec<odds::Outcome>, AnalysisError> {
    odds::outcomes_until(state, &interrupt::asked)?.ok_or(AnalysisError::Stopped)
}

fn check_size(state: &State) -> Result<(), AnalysisError> {
    match state.dice().map_or(0, |dice| dice.outcomes()) {
        count if count > MAX_OUTCOMES => Err(AnalysisError::TooLarge(format!("{count} outcomes are too many to list"))),
        _ => Ok(()),
    }
}

/// What the roll of a turn may bring.
pub struct NextRoll {
    /// The dice, as `2d6`.
    pub dice: String,
    /// The chance that the turn is lost: that it ends without a decision.
    pub lost: Ratio,
    /// The chance that the roll itself ends the game.
    pub over: Ratio,
    /// For each kind that may be able to move: the chance that it can.
    pub kinds: Vec<(Kind, Ratio)>,
    /// For each move, in coordinates: the chance that it is permitted next.
    pub moves: Vec<(String, Ratio)>,
}

/// The chance that the turn beginning in `state` is lost: that it ends without a decision.
///
/// # Errors
/// If there are too many outcomes, or a rule fails.
pub fn lost(state: &State) -> Result<Ratio, AnalysisError> {
    if state.status() != Status::Chance {
        return Ok(Ratio::ZERO);
    }
    check_size(state)?;
    let found = all_outcomes(state)?;
    let lost = found.iter().filter(|o| o.state.turn() != state.turn() && o.state.over().is_none());
    Ok(lost.fold(Ratio::ZERO, |sum, outcome| sum + outcome.probability))
}

/// The chances of the roll that `state` waits for.
///
/// # Errors
/// If there are too many outcomes, or a rule fails.
pub fn next_roll(state: &State) -> Result<NextRoll, AnalysisError> {
    check_size(state)?;
    let dice = state.dice().map(|dice| dice.to_string()).unwrap_or_default();
    let mut found = NextRoll { dice, lost: Ratio::ZERO, over: Ratio::ZERO, kinds: Vec::new(), moves: Vec::new() };
    for odds::Outcome { probability, state: next } in all_outcomes(state)? {
        if next.over().is_some() {
            found.over += probability;
        } else if next.turn() != state.turn() {
            found.lost += probability;
        }
        let moved = |mv: Move| mv.dropped().unwrap_or_else(|| next.position().at(mv.from).kind());
        let moves = if next.turn() == state.turn() { next.moves() } else { &[] };
        if !moves.is_empty() {
            for text in words::moves(&next) {
                match found.moves.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, chance)) => *chance += probability,
                    None => found.moves.push((text, probability)),
                }
            }
        }
        let mut kinds: Vec<Kind> = moves.iter().map(|paid| moved(paid.mv)).collect();
        kinds.sort();
        kinds.dedup();
        for kind in kinds {
            match found.kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, chance)) => *chance += probability,
                None => found.kinds.push((kind, probability)),
            }
        }
    }
    found.kinds.sort_by_key(|(kind, _)| *kind);
    found.moves.sort();
    Ok(found)
}

/// What has happened, in a word.
fn effect(state: &State) -> String {
    if let Some(label) = state.label() {
        return label.to_owned();
    }
    let word = match state.over().map(|over| over.winner) {
        None => "moved",
        Some(None) => "draw",
        Some(Some(_)) if words::winners(state).contains(&state.mover()) => "win",
        Some(Some(_)) => "lose",
    };
    word.into()
}

/// The number of sequences of `depth` moves.
///
/// # Errors
/// If there are too many to count in reasonable time.
pub fn nodes(variant: &Variant, position: &Position, depth: u32) -> Result<u64, AnalysisError> {
    let (mut before, mut nodes) = (1_u64, 1);
    for level in 1..=depth {
        let growth = (nodes as f64 / before.max(1) as f64).max(1.0);
        let (next, last) = (nodes as f64 * growth, nodes as f64 * growth.powi((depth - level) as i32 + 1));
        // The estimate of the last level is rough: only what is far too much is refused by it.
        if next > MAX_NODES || last > MAX_NODES * 1000.0 {
            let why = format!("depth {depth} is too deep: depth {} has {nodes} nodes already", level - 1);
            return Err(AnalysisError::TooLarge(why));
        }
        if nodes == 0 {
            return Ok(0);
        }
        let count = perft::bulk_perft_until(variant, position, level, &interrupt::asked);
        (before, nodes) = (nodes, count.ok_or(AnalysisError::Stopped)?);
    }
    Ok(nodes)
}
