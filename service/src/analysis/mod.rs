//! What the commands and the server work out about a position: odds and node counts.

use crate::interrupt;
use astragal_core::odds::Certainty;
use astragal_core::perft;
use astragal_core::room::{Room, Share};
use astragal_core::rule::RuleError;
use astragal_core::{GameError, Kind, Move, Note, Position, Ratio, State, Status, Variant, odds};
use astragal_dsl::game_text::{self, AnswerError};
use astragal_dsl::{Loaded, turn_state_text};
use chance::{Chance, worst};
use std::collections::HashMap;
use sums::Sums;
use thiserror::Error;

pub mod chance;
pub mod odds_text;
pub mod prospects;
pub mod sequence;
pub mod sums;
pub mod turns;

/// More nodes than anyone waits for.
const MAX_NODES: f64 = 5e9;

/// Why something cannot be worked out.
#[derive(Clone, Debug, Error)]
pub enum AnalysisError {
    /// A move or choice means nothing here.
    #[error(transparent)]
    Word(#[from] AnswerError),
    /// The game refuses it, or a rule fails.
    #[error(transparent)]
    Game(#[from] GameError),
    /// It would take too long.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Somebody has asked to stop, or the time is over.
    #[error("stopped")]
    Stopped,
}

/// So many moves or turns deep sequences are counted at most: each level takes room on the stack.
pub const MAX_DEPTH: u32 = 64;

/// What there is too much of for something to be worked out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TooLarge {
    /// Chances have numerators or denominators of more than 128 bits.
    #[error("the chances are fractions too fine to be written")]
    Fractions,
    /// The dice have so many outcomes.
    #[error("{0} outcomes are too many to list")]
    Outcomes(u64),
    /// So many sequences of moves, at a depth before the one that was asked for.
    #[error("depth {depth} is too deep: depth {reached} has {nodes} nodes already")]
    Depth {
        /// What was asked for.
        depth: u32,
        /// How deep has been counted.
        reached: u32,
        /// How many there are at that depth.
        nodes: u64,
    },
    /// More moves or turns than are ever looked at.
    #[error("depth {0} is too deep: at most {MAX_DEPTH} moves or turns are counted")]
    Deeper(u32),
    /// There are more complete turns than were asked for.
    #[error("there are more than {0} complete turns")]
    Turns(usize),
    /// A turn goes on after so many events.
    #[error("a turn goes on after {0} events")]
    Turn(usize),
}

impl From<RuleError> for AnalysisError {
    fn from(error: RuleError) -> Self {
        if error.is_stop() { AnalysisError::Stopped } else { AnalysisError::Game(error.into()) }
    }
}

/// One of the things that a move may lead to.
pub struct Outcome {
    /// How likely it is.
    pub probability: Ratio,
    /// How far that is to be trusted.
    pub certainty: Certainty,
    /// The script's word for it, or `win`, `lose`, `draw`, `moved`.
    pub effect: String,
    /// The squares drawn by chance on the way, by name.
    pub drawn: Vec<String>,
    /// The position it leads to.
    pub position: String,
    /// Whether somebody must decide before the turn goes on.
    pub(crate) decides: bool,
    /// The state it leads to.
    pub(crate) state: State,
}

impl Outcome {
    /// How likely it is, as it is told.
    pub fn chance(&self) -> Chance {
        Chance::of(self.probability, self.certainty)
    }

    /// The position as other programs are given it: it ends in `turn=?` where somebody decides before the turn goes on and
    /// the text does not tell all of the turn.
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

/// All that the dice can do from `state` within turn number `turn`, merged by effect and position, in
/// the order of the dice. Chances that would take too long are estimated.
///
/// # Errors
/// If a rule fails, or somebody has asked to stop.
pub fn outcomes(loaded: &Loaded, state: &State, turn: u32) -> Result<Vec<Outcome>, AnalysisError> {
    let goes_on = |state: &State| state.turn() == turn && state.over().is_none();
    let (mut found, mut certainty) = (Vec::new(), Certainty::Exact);
    match goes_on(state) && state.status() == Status::Chance {
        true => certainty = gather(state, Ratio::ONE, &[], &mut Room::default().share(), &mut found)?,
        false => found.push((odds::Outcome { probability: Ratio::ONE, state: state.clone() }, Vec::new())),
    }
    interrupt::uninterrupted_if_estimating(|| merged(loaded, found, certainty, &goes_on))
}

/// What has been found, with equal effects and positions together.
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

/// All outcomes of the chance that `state` waits for, with the names of the squares and moves that are drawn in them: draws
/// are gone through one by one, as long as nothing else is rolled before. Also how far the chances are to be trusted.
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

/// Every square or move that can be drawn now, by name, with its chance and what follows.
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

/// Refuses sequences that are too long to be counted.
fn check_depth(depth: u32) -> Result<(), AnalysisError> {
    if depth > MAX_DEPTH { Err(TooLarge::Deeper(depth).into()) } else { Ok(()) }
}

/// What the roll that a state waits for may bring.
pub struct NextRoll {
    /// The dice, as `2d6`.
    pub dice: String,
    /// How far the chances are to be trusted.
    pub certainty: Certainty,
    /// The chance that the turn is lost: that it ends without anything having been done in it; nothing in a turn
    /// in which something has been done already.
    pub lost: Option<Ratio>,
    /// The chance that the roll itself ends the game.
    pub over: Ratio,
    /// For each square or move that may be drawn, by name: its chance.
    pub drawn: Sums<String>,
    /// For each word of the script for what happens: its chance.
    pub labels: Sums<String>,
    /// For turns that end with the roll, without being lost and without a word of the script for it: what it has
    /// changed on the board, and the chance of that.
    pub ended: Sums<String>,
    /// For each choice that somebody then has, as a list of its texts: its chance. Choices of dice to keep are one.
    pub choices: Sums<String>,
    /// For each kind that may be able to move: the chance that it can.
    pub kinds: Sums<Kind>,
    /// For each move, in coordinates: the chance that it is permitted next.
    pub moves: Sums<String>,
}

/// Whether the turn under way in `before` is lost in `after`, to which nothing but dice has led.
fn is_lost(before: &State, after: &State) -> bool {
    let new = after.notes().get(before.notes().len()..).unwrap_or_default();
    let lost = new.iter().find(|note| note.ended().is_some()).is_some_and(Note::is_lost);
    after.turn() != before.turn() && after.over().is_none() && lost
}

/// The chance that the turn beginning in `state` is lost: that it ends without anything having been done in it.
/// Also how far that is to be trusted.
///
/// # Errors
/// If a rule fails, or somebody has asked to stop.
pub(crate) fn lost(state: &State) -> Result<(Ratio, Certainty), AnalysisError> {
    if state.status() != Status::Chance {
        return Ok((Ratio::ZERO, Certainty::Exact));
    }
    let found = all_outcomes(state)?;
    let mut lost = found.outcomes.iter().filter(|o| is_lost(state, &o.state));
    let sum = lost.try_fold(Ratio::ZERO, |sum, outcome| plus(sum, outcome.probability))?;
    Ok((sum, found.certainty))
}

/// The chances of the roll that `state` waits for. Those that would take too long are estimated.
///
/// # Errors
/// If a rule fails, or somebody has asked to stop.
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
    found.certainty = gather(state, Ratio::ONE, &[], &mut Room::default().share(), &mut all)?;
    interrupt::uninterrupted_if_estimating(|| {
        for (outcome, drawn) in all {
            // What has been found is put into words even if the time is over, but not if nobody wants it.
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

/// What somebody may choose from, in a line.
fn offered(state: &State) -> String {
    match state.keeps_dice() {
        true => "the dice to keep".into(),
        false => game_text::choices(state).join(", "),
    }
}

/// More squares than these are not named one by one.
const FEW_SQUARES: usize = 4;

/// What stands elsewhere than before, as `queen on b8, a7 empty`; empty if nothing does.
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

/// What has happened, in a word.
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
/// If there are too many to count in reasonable time.
pub fn nodes(variant: &Variant, position: &Position, depth: u32) -> Result<u64, AnalysisError> {
    check_depth(depth)?;
    let (mut before, mut nodes) = (1_u64, 1);
    for level in 1..=depth {
        let growth = (nodes as f64 / before.max(1) as f64).max(1.0);
        let (next, last) = (nodes as f64 * growth, nodes as f64 * growth.powi((depth - level) as i32 + 1));
        // The estimate of the last level is rough: only what is far too much is refused by it.
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
