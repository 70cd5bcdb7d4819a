//! Complete turns: of a roll, of all rolls, and sequences of several turns by the rules.

use super::{AnalysisError, check_size};
use crate::interrupt;
use astragal_core::odds::Certainty;
use astragal_core::turns::{self, Turns};
use astragal_core::{Ratio, State, Status, odds};
use astragal_dsl::words;

/// What one roll permits.
pub struct OfRoll {
    /// The faces, sorted: rolls that differ in their order only are taken together.
    pub faces: Vec<i16>,
    /// How likely it is.
    pub chance: Ratio,
    /// Its complete turns.
    pub turns: Turns,
}

/// The complete turns from a state that waits for a decision; none from others.
///
/// # Errors
/// If a rule fails, or Ctrl-C or the end of the time comes first.
pub fn of_decision(state: &State) -> Result<Turns, AnalysisError> {
    turns::count_until(state, &interrupt::stop_requested)?.ok_or(AnalysisError::Stopped)
}

/// The complete turns of every roll that `state` waits for, sorted by faces.
///
/// # Errors
/// As [`of_decision`]; or if there are too many rolls.
pub fn of_rolls(state: &State) -> Result<Vec<OfRoll>, AnalysisError> {
    check_size(state)?;
    let mut all: Vec<OfRoll> = Vec::new();
    for (chance, mut faces, next) in odds::next_roll(state)? {
        let here = next.turn() == state.turn();
        let turns = if here { of_decision(&next)? } else { Turns::default() };
        faces.sort_unstable();
        // Dice of which each has a meaning of its own may permit other turns in another order.
        match all.iter_mut().find(|known| known.faces == faces && known.turns == turns) {
            Some(known) => known.chance += chance,
            None => all.push(OfRoll { faces, chance, turns }),
        }
    }
    all.sort_by(|a, b| a.faces.cmp(&b.faces));
    Ok(all)
}

/// The number of ways to play so many complete turns: see [`turns::paths_until`].
///
/// # Errors
/// As [`of_decision`]; or if a turn can go on without end.
pub fn paths(state: &State, depth: u32) -> Result<u128, AnalysisError> {
    turns::paths_until(state, depth, &interrupt::stop_requested)?.ok_or(AnalysisError::Stopped)
}

/// For each first event (a roll, or a decision where none is due) the ways that begin with it.
///
/// # Errors
/// As [`paths`].
pub fn divided(state: &State, depth: u32) -> Result<Vec<(String, u128)>, AnalysisError> {
    let mut all = Vec::new();
    if depth == 0 || state.over().is_some() {
        return Ok(all);
    }
    let mut from = |text: String, next: &State| -> Result<(), AnalysisError> {
        let ended = next.over().is_some() || next.turn() != state.turn();
        let ways = match (ended, next.over().is_some()) {
            // The turn under way is the first of them.
            (false, _) => paths(next, depth)?,
            (true, true) => u128::from(depth == 1),
            (true, false) => paths(next, depth - 1)?,
        };
        all.push((text, ways));
        Ok(())
    };
    if state.status() == Status::Chance {
        check_size(state)?;
        for (_, faces, next) in odds::next_roll(state)? {
            from(words::rolled(state, &faces), &next)?;
        }
        return Ok(all);
    }
    for event in astragal_computer::search::events(state) {
        let mut next = state.clone();
        astragal_computer::search::apply(&mut next, &event)?;
        from(super::odds_text::event(state, &event), &next)?;
    }
    Ok(all)
}

/// What the turns amount to, in one line.
pub fn text(found: &Turns) -> String {
    let many = |n: u64, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    if found.count == 0 {
        return "no turn: nothing can be done".into();
    }
    let dice = match found.max_dice {
        0 => String::new(),
        n => format!(" with up to {}", many(n.into(), "die", "dice")),
    };
    format!(
        "{}{dice}: {}, {}",
        many(found.count, "turn", "turns"),
        many(found.placements as u64, "placement", "placements"),
        match found.winning {
            0 => "none wins".into(),
            n => many(n, "wins", "win"),
        }
    )
}

/// The turns of all rolls that `state` waits for, a line for each roll.
pub fn table(state: &State, all: &[OfRoll]) -> String {
    let faces: Vec<String> = all.iter().map(|roll| words::rolled(state, &roll.faces)).collect();
    let width = faces.iter().map(String::len).max().unwrap_or(0);
    let rows: Vec<(Ratio, String)> = (all.iter().zip(faces))
        .map(|(roll, faces)| (roll.chance, format!("{faces:width$}  {}", text(&roll.turns))))
        .collect();
    super::odds_text::table(&rows, Certainty::Exact)
}
