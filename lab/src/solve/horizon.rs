//! The value of a state if the game is decided within some turns, as an exact fraction.
//!
//! Owns the recursion over turns. A game that is unfinished by then counts as a draw.

use super::code::{Best, Node, Ref};
use super::limits::SolveError;
use super::progress::Watch;
use super::turn::{Numbers, fresh, list};
use astragal_computer::half_points;
use astragal_core::{Position, Ratio, Ruleset, State};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A value, in half points above the worst result that it can express: fractions are not negative.
type Value = Ratio;

/// No result is worse than this, in half points.
const WORST: i32 = -(1 << 20);

/// The value of a state for the first side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exact {
    /// The numerator, in points.
    pub numerator: i128,
    /// The denominator.
    pub denominator: i128,
}

struct Horizon<'a, 'w> {
    set: &'a Arc<Ruleset>,
    known: FxHashMap<(u64, u32), Value>,
    watch: &'a Watch<'w>,
}

/// The positions that a turn leads to.
#[derive(Default)]
struct Listed(Vec<Position>, FxHashMap<u64, u32>);

impl Numbers for Listed {
    fn number(&mut self, position: &Position) -> Result<u32, SolveError> {
        let next = self.0.len() as u32;
        let number = *self.1.entry(position.hash()).or_insert(next);
        if number == next {
            self.0.push(fresh(position));
        }
        Ok(number)
    }
}

/// The value of the state that begins with `position` if no more than `turns` turns are played; `None` if the watch stops it.
///
/// # Errors
/// If a turn cannot be listed, or a fraction has more than 128 bits.
pub fn within(
    set: &Arc<Ruleset>,
    position: &Position,
    turns: u32,
    watch: &Watch<'_>,
) -> Result<Option<Exact>, SolveError> {
    super::check(set)?;
    let mut horizon = Horizon { set, known: FxHashMap::default(), watch };
    let Some(value) = horizon.value(&fresh(position), turns)? else { return Ok(None) };
    let too_large = |_| SolveError::Fraction;
    let numerator = i128::try_from(value.numerator()).map_err(too_large)?;
    let denominator = i128::try_from(value.denominator()).map_err(too_large)?;
    let shift = denominator.checked_mul(i128::from(WORST)).ok_or(SolveError::Fraction)?;
    let halves = numerator.checked_add(shift).ok_or(SolveError::Fraction)?;
    // Half points to points, in lowest terms.
    Ok(Some(match (halves % 2, denominator.checked_mul(2)) {
        (0, _) => Exact { numerator: halves / 2, denominator },
        (_, Some(denominator)) => Exact { numerator: halves, denominator },
        (_, None) => return Err(SolveError::Fraction),
    }))
}

fn shifted(halves: i32) -> Result<Value, SolveError> {
    u128::try_from(i64::from(halves) - i64::from(WORST))
        .map(|value| Ratio::new(value, 1))
        .map_err(|_| SolveError::Fraction)
}

impl Horizon<'_, '_> {
    fn value(&mut self, position: &Position, turns: u32) -> Result<Option<Value>, SolveError> {
        let key = (position.hash(), turns);
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(*known));
        }
        if (self.watch.stop)() {
            return Ok(None);
        }
        let state = State::new(Arc::clone(self.set), position.clone())?;
        if turns == 0 {
            return shifted(state.over().map_or(0, half_points)).map(Some);
        }
        let mut listed = Listed::default();
        let nodes = list(&state, &mut listed)?;
        let mut next = Vec::with_capacity(listed.0.len());
        for position in &listed.0 {
            let Some(value) = self.value(position, turns - 1)? else { return Ok(None) };
            next.push(value);
        }
        let value = root(&nodes, &next)?;
        self.known.insert(key, value);
        Ok(Some(value))
    }
}

/// The value of a turn, given those of the states that it leads to.
fn root(nodes: &[Node], states: &[Value]) -> Result<Value, SolveError> {
    let mut values: Vec<Value> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let value = match node {
            Node::Chance(outcomes) => expected(outcomes, &values, states)?,
            Node::Best(best) => of_best(best, &values, states)?,
        };
        values.push(value);
    }
    values.last().copied().ok_or(SolveError::Endless)
}

fn expected(outcomes: &[(u64, Ref)], nodes: &[Value], states: &[Value]) -> Result<Value, SolveError> {
    let total: u128 = outcomes.iter().map(|(weight, _)| u128::from(*weight)).sum();
    outcomes.iter().try_fold(Ratio::ZERO, |sum, (weight, to)| {
        let value = match to {
            Ref::Payoff(payoff) => shifted(*payoff)?,
            Ref::Node(node) => nodes[*node as usize],
            Ref::State(state) => states[*state as usize],
        };
        let part = Ratio::new(u128::from(*weight), total).checked_mul(value);
        part.and_then(|part| sum.checked_add(part)).ok_or(SolveError::Fraction)
    })
}

fn of_best(best: &Best, nodes: &[Value], states: &[Value]) -> Result<Value, SolveError> {
    let ended = best.payoff.map(shifted).transpose()?;
    let later = best.nodes.iter().map(|&node| nodes[node as usize]);
    let all = ended.into_iter().chain(later).chain(best.states.iter().map(|&state| states[state as usize]));
    if best.is_first { all.max() } else { all.min() }.ok_or(SolveError::Endless)
}
