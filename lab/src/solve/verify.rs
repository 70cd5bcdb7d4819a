//! The check of a table: every value against those of the next turn, by the rules alone.
//!
//! Owns the comparison. It uses none of the code that made the table: each turn is played out event by event, and states
//! are found again from the position or the pieces that the table began with.

use super::interval::Interval;
use super::limits::{Limits, SolveError};
use super::progress::{Step, Watch};
use super::table::{Origin, Table};
use super::turn::fresh;
use super::{Material, parallel};
use astragal_computer::{KnownValues, value_of_turn};
use astragal_core::{Position, State};
use astragal_dsl::Loaded;
use astragal_dsl::notation::fen;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use thiserror::Error;

/// The states that are checked together.
const BATCH: usize = 512;

/// The result of a check.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified {
    /// The states that were checked.
    pub states: usize,
    /// The states of the table.
    pub of: usize,
    /// The greatest difference between a bound and the one that follows from the next turn, in points, beyond rounding.
    pub off: f64,
    /// A state with a value that does not follow from the next turn: its position, the value in the table and the value
    /// that follows.
    pub wrong: Option<(String, Interval, Interval)>,
}

/// Why a table cannot be checked.
#[derive(Clone, Debug, Error)]
pub enum VerifyError {
    /// A turn cannot be played out.
    #[error(transparent)]
    Turn(#[from] SolveError),
    /// The position that the table began with cannot be read.
    #[error("the position of the table: {0}")]
    Position(String),
    /// A state is missing.
    #[error("the table has no value for '{0}', although a turn leads to it")]
    Missing(String),
}

/// The values of a table, and the positions that were looked up: many sequences of moves lead to the same one.
struct Looked<'a> {
    table: &'a Table,
    known: RefCell<FxHashMap<u64, Option<(f64, f64)>>>,
    next: RefCell<Vec<Position>>,
}

impl KnownValues for Looked<'_> {
    fn bounds(&self, position: &Position) -> Option<(f64, f64)> {
        *self.known.borrow_mut().entry(position.hash()).or_insert_with(|| {
            self.next.borrow_mut().push(position.clone());
            self.table.bounds(position)
        })
    }
}

/// Checks a table. If the watch stops it, the result is that of the states so far.
///
/// # Errors
/// If a rule fails, or a state is missing.
pub fn verify(loaded: &Loaded, table: &Table, limits: &Limits, watch: &Watch<'_>) -> Result<Verified, VerifyError> {
    let variant = &loaded.set.variant;
    let mut found = Found::default();
    match &table.header().from {
        Origin::Position(text) => {
            let placed = fen::parse(variant, text).map_err(|error| VerifyError::Position(error.render()))?;
            found.add(&placed.position);
        }
        Origin::Material(text) => {
            let material = Material::parse(variant, text)?;
            material.each(variant, &mut |position| {
                found.add(position);
                Ok(())
            })?;
        }
    }
    let mut verified = Verified { states: 0, of: table.header().states, off: 0.0, wrong: None };
    while !found.open.is_empty() && !(watch.stop)() {
        let count = found.open.len().min(BATCH);
        let batch: Vec<Position> = found.open.drain(..count).collect();
        let checked = parallel::each(&batch, limits.threads, watch.stop, |position| check(loaded, table, position));
        let checked = checked?;
        verified.states += checked.len();
        for (position, (value, next)) in batch.iter().zip(checked) {
            let own = value_in(loaded, table, position)?;
            let slack = 2.0 * table.header().step() + (own.high - own.low).max(table.header().widest) / 4.0;
            let off = (own.low - value.low).max(value.high - own.high) - slack;
            verified.off = verified.off.max(off);
            if off > 0.0 && verified.wrong.is_none() {
                verified.wrong = Some((fen::write(variant, position), own, value));
            }
            next.iter().for_each(|position| found.add(position));
        }
        (watch.progress)(Step::Verified { states: verified.states, of: verified.of });
    }
    Ok(verified)
}

/// The states that have been found, and those that are to be checked.
#[derive(Default)]
struct Found {
    known: FxHashSet<u64>,
    open: VecDeque<Position>,
}

impl Found {
    fn add(&mut self, position: &Position) {
        if self.known.insert(position.hash()) {
            self.open.push_back(fresh(position));
        }
    }
}

fn value_in(loaded: &Loaded, table: &Table, position: &Position) -> Result<Interval, VerifyError> {
    let missing = || VerifyError::Missing(fen::write(&loaded.set.variant, position));
    table.value(position).ok_or_else(missing)
}

/// The value that follows from the next turn, and the states after it.
fn check(loaded: &Loaded, table: &Table, position: &Position) -> Result<(Interval, Vec<Position>), VerifyError> {
    let state = State::new(Arc::clone(&loaded.set), position.clone()).map_err(SolveError::Rule)?;
    let known = Looked { table, known: RefCell::default(), next: RefCell::default() };
    let value = value_of_turn(&state, &known, usize::MAX).map_err(SolveError::Rule)?;
    let next = known.next.into_inner();
    let Some((low, high)) = value else {
        let missing = next.iter().find(|position| table.value(position).is_none()).unwrap_or(position);
        return Err(VerifyError::Missing(fen::write(&loaded.set.variant, missing)));
    };
    Ok((Interval { low, high }, next))
}
