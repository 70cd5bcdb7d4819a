//! Analysis of positions for the commands and the server: odds and node counts.

use crate::interrupt;
use astragal_core::memory_limit::{MemoryLimit, Share};
use astragal_core::odds::Certainty;
use astragal_core::perft;
use astragal_core::rule::RuleError;
use astragal_core::{GameError, Kind, Move, Note, Position, Ratio, State, Status, Variant, odds};
use astragal_dsl::game_text::{self, AnswerError};
use astragal_dsl::{Loaded, turn_state_text};
use chance::{Chance, worst};
use std::collections::HashMap;
use sums::Sums;
use thiserror::Error;

pub mod chance;
pub mod known;
pub mod odds_text;
pub mod prospects;
pub mod sequence;
pub mod sums;
pub mod turns;

/// The maximum number of nodes that a request can ask for.
const MAX_NODES: f64 = 5e9;

/// Why an analysis fails.
#[derive(Clone, Debug, Error)]
pub enum AnalysisError {
    /// A move or choice is not recognized here.
    #[error(transparent)]
    Word(#[from] AnswerError),
    /// The game rejects an event, or a rule fails.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The analysis would take too long.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A caller has requested a stop, or the time limit has passed.
    #[error("stopped")]
    Stopped,
}

/// The greatest depth, in moves or turns, to which sequences are counted. Each level takes space on the stack.
pub const MAX_DEPTH: u32 = 64;

/// The limit that an analysis exceeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TooLarge {
    /// Numerators or denominators of probabilities have more than 128 bits.
    #[error("the probabilities cannot be written as exact fractions")]
    Fractions,
    /// The dice have this many outcomes.
    #[error("{0} outcomes are too many to list")]
    Outcomes(u64),
    /// There are too many sequences of moves; counting stopped before the requested depth.
    #[error("depth {depth} is too large: depth {reached} already has {nodes} nodes")]
    Depth {
        /// The requested depth.
        depth: u32,
        /// The depth that has been counted.
        reached: u32,
        /// The number of nodes at that depth.
        nodes: u64,
    },
    /// The requested depth exceeds this limit.
    #[error("depth {0} exceeds the limit: at most {MAX_DEPTH} moves or turns")]
    Deeper(u32),
    /// There are more complete turns than the limit allows.
    #[error("there are more than {0} complete turns")]
    Turns(usize),
    /// A turn does not end within this many events.
    #[error("a turn has not ended after {0} events")]
    Turn(usize),
}

impl From<RuleError> for AnalysisError {
    fn from(error: RuleError) -> Self {
        if error.is_stop() { AnalysisError::Stopped } else { AnalysisError::Game(error.into()) }
    }
}

/// One outcome of a move.
pub struct Outcome {
    /// Its probability.
    pub probability: Ratio,
    /// The certainty of the probability.
    pub certainty: Certainty,
    /// The script's label for the effect, or `win`, `lose`, `draw`, `moved`.
    pub effect: String,
    /// The names of squares drawn by chance on the way.
    pub drawn: Vec<String>,
    /// The resulting position.
    pub position: String,
    /// Whether a player must decide before the turn goes on.
    pub(crate) decides: bool,
    /// The resulting state.
    pub(crate) state: State,
}

impl Outcome {
    /// The probability with its certainty.
    pub fn chance(&self) -> Chance {
        Chance::of(self.probability, self.certainty)
    }

    /// The position for other programs. It ends in `turn=?` if a player must decide before the turn goes on and the text
    /// does not describe the whole turn.
    pub fn told_position(&self, loaded: &Loaded) -> String {
        if self.decides { turn_state_text::amid(loaded, &self.state) } else { self.position.clone() }
    }

    /// The effect, with the squares that were drawn.
    pub fn what(&self) -> String {
        match &self.drawn[..] {
            [] => self.effect.clone(),
            drawn => format!("{}, {} drawn", self.effect, drawn.join(", ")),
        }
    }
}

/// All outcomes of the dice from `state` within turn number `turn`, merged by effect and position, in dice order.
/// Probabilities that would take too long to compute are estimated.
///
/// # Errors
/// If a rule fails, or a stop is requested.
pub fn outcomes(loaded: &Loaded, state: &State, turn: u32) -> Result<Vec<Outcome>, AnalysisError> {
    let goes_on = |state: &State| state.turn() == turn && state.over().is_none();
    let (mut found, mut certainty) = (Vec::new(), Certainty::Exact);
    match goes_on(state) && state.status() == Status::Chance {
        true => certainty = gather(state, Ratio::ONE, &[], &mut MemoryLimit::default().share(), &mut found)?,
        false => found.push((odds::Outcome { probability: Ratio::ONE, state: state.clone() }, Vec::new())),
    }
    interrupt::uninterrupted_if_estimating(|| merged(loaded, found, certainty, &goes_on))
}

/// Merges outcomes with equal effects and positions.
fn merged(
    loaded: &Loaded,
    found: Vec<(odds::Outcome, Vec<String>)>,
    certainty: Certainty,
    goes_on: &dyn Fn(&State) -> bool,
) -> Result<Vec<Outcome>, AnalysisError> {
    let (mut merged, mut index) = (Vec::new(), HashMap::new());
    for (odds::Outcome { probability, state }, drawn) in found {
        if interrupt::stop_requested() {
            return Err(AnalysisError::Stopped);
        }
        let (effect, position) = (effect(&state), game_text::position(loaded, &state));
        let decides = goes_on(&state) && matches!(state.status(), Status::Move | Status::Choice);
        let key = (effect.clone(), drawn.clone(), position.clone(), decides);
        match index.get(&key) {
            Some(&known) => {
                let known: &mut Outcome = &mut merged[known];
                known.probability = plus(known.probability, probability)?;
            }
            None => {
                index.insert(key, merged.len());
                merged.push(Outcome { probability, certainty, effect, drawn, position, decides, state });
            }
        }
    }
    Ok(merged)
}

/// Collects all outcomes of the chance node `state`, with the names of the squares and moves drawn on the way. Draws are
/// enumerated one by one until other dice are rolled. Returns the certainty of the probabilities.
fn gather(
    state: &State,
    chance: Ratio,
    drawn: &[String],
    share: &mut Share<'_>,
    found: &mut Vec<(odds::Outcome, Vec<String>)>,
) -> Result<Certainty, AnalysisError> {
    if game_text::drawn(state).is_empty() {
        let all = all_outcomes(state)?;
        for outcome in all.outcomes {
            let probability = times(chance, outcome.probability)?;
            share.keep(&outcome.state)?;
            found.push((odds::Outcome { probability, ..outcome }, drawn.to_vec()));
        }
        return Ok(all.certainty);
    }
    let mut certainty = Certainty::Exact;
    for (name, probability, next) in draws(state)? {
        let (chance, drawn) = (times(chance, probability)?, [drawn, &[name]].concat());
        match next.status() == Status::Chance && next.turn() == state.turn() {
            true => certainty = worst(certainty, gather(&next, chance, &drawn, share, found)?),
            false => {
                share.keep(&next)?;
                found.push((odds::Outcome { probability: chance, state: next }, drawn));
            }
        }
    }
    Ok(certainty)
}

fn too_fine() -> AnalysisError {
    TooLarge::Fractions.into()
}

fn plus(a: Ratio, b: Ratio) -> Result<Ratio, AnalysisError> {
    a.checked_add(b).ok_or_else(too_fine)
}

fn times(a: Ratio, b: Ratio) -> Result<Ratio, AnalysisError> {
    a.checked_mul(b).ok_or_else(too_fine)
}

/// Every square or move that can be drawn now: its name, its probability and the next state.
fn draws(state: &State) -> Result<Vec<(String, Ratio, State)>, AnalysisError> {
    let drawn = game_text::drawn(state);
    let name = |face: Option<&i16>| {
        let name = face.and_then(|&face| drawn.get(usize::try_from(i32::from(face) - 1).ok()?));
        name.cloned().unwrap_or_default()
    };
    let all = odds::next_roll(state)?.into_iter();
    Ok(all.map(|(probability, faces, next)| (name(faces.first()), probability, next)).collect())
}

fn all_outcomes(state: &State) -> Result<odds::Found, AnalysisError> {
    let found = match interrupt::is_estimating() {
        true => odds::explore_in_time(state, &interrupt::is_half_over, &interrupt::stop_requested),
        false => odds::explore(state, &interrupt::stop_requested),
    };
    found?.ok_or(AnalysisError::Stopped)
}

fn check_size(state: &State) -> Result<(), AnalysisError> {
    match state.dice().map_or(0, |dice| dice.outcomes()) {
        count if count > odds::MOST_ROLLS => Err(TooLarge::Outcomes(count).into()),
        _ => Ok(()),
    }
}

/// Rejects depths above [`MAX_DEPTH`].
fn check_depth(depth: u32) -> Result<(), AnalysisError> {
    if depth > MAX_DEPTH { Err(TooLarge::Deeper(depth).into()) } else { Ok(()) }
}

/// The possible results of the roll that a state waits for.
pub struct NextRoll {
    /// The dice, as `2d6`.
    pub dice: String,
    /// The certainty of the probabilities.
    pub certainty: Certainty,
    /// The probability that the turn is lost: it ends before the player has acted. `None` if the player has already acted
    /// in this turn.
    pub lost: Option<Ratio>,
    /// The probability that the roll ends the game.
    pub over: Ratio,
    /// For each square or move that can be drawn, by name: its probability.
    pub drawn: Sums<String>,
    /// For each label that the script sets: its probability.
    pub labels: Sums<String>,
    /// For turns that end with the roll, but are not lost and have no label: the changes on the board, and their
    /// probability.
    pub ended: Sums<String>,
    /// For each choice that a player then has, as a list of its texts: its probability. All choices of dice to keep count
    /// as one.
    pub choices: Sums<String>,
    /// For each kind of piece: the probability that it has a legal move.
    pub kinds: Sums<Kind>,
    /// For each move, in coordinates: the probability that it is legal after the roll.
    pub moves: Sums<String>,
}

/// Whether the turn under way in `before` is lost in `after`, if only chance events lie between them.
fn is_lost(before: &State, after: &State) -> bool {
    let new = after.notes().get(before.notes().len()..).unwrap_or_default();
    let lost = new.iter().find(|note| note.ended().is_some()).is_some_and(Note::is_lost);
    after.turn() != before.turn() && after.over().is_none() && lost
}

/// The probability that the turn beginning in `state` is lost (it ends before the player has acted), with its certainty.
///
/// # Errors
/// If a rule fails, or a stop is requested.
pub(crate) fn lost(state: &State) -> Result<(Ratio, Certainty), AnalysisError> {
    if state.status() != Status::Chance {
        return Ok((Ratio::ZERO, Certainty::Exact));
    }
    let found = all_outcomes(state)?;
    let mut lost = found.outcomes.iter().filter(|o| is_lost(state, &o.state));
    let sum = lost.try_fold(Ratio::ZERO, |sum, outcome| plus(sum, outcome.probability))?;
    Ok((sum, found.certainty))
}

/// The probabilities of the roll that `state` waits for. Those that would take too long to compute are estimated.
///
/// # Errors
/// If a rule fails, or a stop is requested.
pub fn next_roll(state: &State) -> Result<NextRoll, AnalysisError> {
    let dice = state.dice().map(|dice| dice.to_string()).unwrap_or_default();
    let mut found = NextRoll {
        dice,
        certainty: Certainty::Exact,
        lost: (!state.has_acted()).then_some(Ratio::ZERO),
        over: Ratio::ZERO,
        drawn: Sums::default(),
        labels: Sums::default(),
        ended: Sums::default(),
        choices: Sums::default(),
        kinds: Sums::default(),
        moves: Sums::default(),
    };
    let mut all = Vec::new();
    found.certainty = gather(state, Ratio::ONE, &[], &mut MemoryLimit::default().share(), &mut all)?;
    interrupt::uninterrupted_if_estimating(|| {
        for (outcome, drawn) in all {
            // Results are described even after the time limit, but not after a stop request.
            if interrupt::is_asked() || interrupt::stop_requested() {
                return Err(AnalysisError::Stopped);
            }
            for name in drawn {
                found.drawn.add(name, outcome.probability);
            }
            found.count(state, &outcome);
        }
        Ok(())
    })?;
    found.kinds.sort();
    found.moves.sort();
    Ok(found)
}

impl NextRoll {
    /// Adds an outcome of the roll that `before` waits for.
    fn count(&mut self, before: &State, outcome: &odds::Outcome) {
        let (chance, next) = (outcome.probability, &outcome.state);
        let label = next.new_label();
        if let Some(label) = label {
            self.labels.add(label.to_owned(), chance);
        }
        if next.over().is_some() {
            self.over += chance;
        } else if is_lost(before, next) {
            self.lost = Some(self.lost.unwrap_or(Ratio::ZERO) + chance);
        } else if next.turn() != before.turn() {
            if label.is_none() && game_text::drawn(before).is_empty() {
                self.ended.add(changes(before, next), chance);
            }
        } else if next.status() == Status::Choice {
            self.choices.add(offered(next), chance);
        } else {
            let moved = |mv: Move| mv.dropped().unwrap_or_else(|| next.position().at(mv.from).kind());
            let mut kinds: Vec<Kind> = next.moves().iter().map(|paid| moved(paid.mv)).collect();
            kinds.sort();
            kinds.dedup();
            kinds.into_iter().for_each(|kind| self.kinds.add(kind, chance));
            game_text::moves(next).into_iter().for_each(|text| self.moves.add(text, chance));
        }
    }
}

/// The options of the choice in `state`, on one line.
fn offered(state: &State) -> String {
    match state.keeps_dice() {
        true => "the dice to keep".into(),
        false => game_text::choices(state).join(", "),
    }
}

/// The maximum number of squares that are named one by one.
const FEW_SQUARES: usize = 4;

/// The squares whose contents differ, as `queen on b8, a7 empty`; empty if none do.
fn changes(before: &State, after: &State) -> String {
    let variant = &before.ruleset().variant;
    let board = variant.board();
    let (old, new) = (before.position(), after.position());
    let other: Vec<_> = board.squares().into_iter().filter(|&square| old.at(square) != new.at(square)).collect();
    let one = |&square: &astragal_core::Square| match new.at(square) {
        piece if piece.is_none() => format!("{} empty", board.name(square)),
        piece => format!("{} on {}", variant.kind(piece.kind()).name, board.name(square)),
    };
    match other.len() {
        n if n > FEW_SQUARES => format!("{n} squares changed"),
        _ => other.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

/// The effect of the events up to `state`, in one word or label.
fn effect(state: &State) -> String {
    if let Some(label) = state.label() {
        return label.to_owned();
    }
    let word = match state.over().map(|over| over.winner) {
        None => "moved",
        Some(None) => "draw",
        Some(Some(_)) if game_text::winners(state).contains(&state.mover()) => "win",
        Some(Some(_)) => "lose",
    };
    word.into()
}

/// The number of sequences of `depth` moves.
///
/// # Errors
/// If there are too many to count in reasonable time, or a stop is requested.
pub fn nodes(variant: &Variant, position: &Position, depth: u32) -> Result<u64, AnalysisError> {
    check_depth(depth)?;
    let (mut before, mut nodes) = (1_u64, 1);
    for level in 1..=depth {
        let growth = (nodes as f64 / before.max(1) as f64).max(1.0);
        let (next, last) = (nodes as f64 * growth, nodes as f64 * growth.powi((depth - level) as i32 + 1));
        // The estimate for the last level is rough, so it rejects only far larger counts.
        if next > MAX_NODES || last > MAX_NODES * 1000.0 {
            return Err(TooLarge::Depth { depth, reached: level - 1, nodes }.into());
        }
        if nodes == 0 {
            return Ok(0);
        }
        let count = perft::bulk_perft_until(variant, position, level, &interrupt::stop_requested);
        (before, nodes) = (nodes, count.ok_or(AnalysisError::Stopped)?);
    }
    Ok(nodes)
}
