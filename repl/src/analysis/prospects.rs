//! What a move lets happen: its outcomes, and what the next player's turn may bring.
//!
//! Chances are exact as long as the work stays within a budget; then rolls are drawn, and what is
//! reported is how many of how many, to be read with its interval.

use super::AnalysisError;
use astragal_computer::{Interval, player, search};
use astragal_core::rule::RuleError;
use astragal_core::{Event, Ratio, Side, State, Status, Stream, odds};
use std::collections::HashMap;

/// Events tried for one chance before it is sampled.
pub const BUDGET: u64 = 200_000;
/// Rolls drawn for a chance that is sampled.
const DRAWN: u64 = 400;
/// Events tried for all of them.
const DRAWN_BUDGET: u64 = 400_000;

/// A chance, exact or estimated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Chance {
    /// The chance itself.
    Exact(Ratio),
    /// So many hits among so many tries.
    Sampled {
        /// How often it happened.
        hits: u64,
        /// How often it could have.
        trials: u64,
    },
}

impl Chance {
    /// The fraction or estimate, with its percentage.
    pub fn text(&self) -> String {
        match self {
            Chance::Exact(ratio) => format!("{ratio}  {:.2} %", ratio.to_f64() * 100.0),
            Chance::Sampled { hits, trials } => format!("about {}", Interval::wilson(*hits, *trials)),
        }
    }

    /// The chance or its estimate as a number.
    pub fn to_f64(self) -> f64 {
        match self {
            Chance::Exact(ratio) => ratio.to_f64(),
            Chance::Sampled { hits, trials } => hits as f64 / trials.max(1) as f64,
        }
    }
}

/// What the turn after a move may bring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NextTurn {
    /// Whose turn it is.
    pub side: Side,
    /// The chance that this side, if it tries for nothing else, takes a royal piece or wins; nothing if
    /// that takes too long to work out.
    pub strike: Option<Chance>,
    /// The chance that its turn is lost.
    pub lost: Ratio,
}

/// What a decision lets happen.
pub struct Prospect {
    /// The move, choice or pass.
    pub event: Event,
    /// Its outcomes by their word, in the order of the dice.
    pub outcomes: Vec<(String, Ratio)>,
    /// The next turn; nothing if the present one may go on or the game may end.
    pub next: Option<NextTurn>,
}

/// What each thing that may be decided now lets happen: moves, choices, doing without. The budget is shared among
/// them.
///
/// # Errors
/// If an outcome has too many parts to be listed, or a rule fails.
pub fn of_decisions(state: &State) -> Result<Vec<Prospect>, AnalysisError> {
    // Equal moves that other dice pay for differ in what is left of the turn.
    let events = search::events(state);
    let budget = 4 * BUDGET / events.len().max(4) as u64;
    let mut all: Vec<Prospect> = Vec::new();
    for event in events {
        let mut next = state.clone();
        search::apply(&mut next, &event)?;
        let After { outcomes, next } = after(state, &next, budget)?;
        all.push(Prospect { event, outcomes, next });
    }
    Ok(all)
}

/// What `next`, to which a move or choice in `state` has led, lets happen.
///
/// # Errors
/// As [`of_decisions`].
pub fn after(state: &State, next: &State, budget: u64) -> Result<After, AnalysisError> {
    let found = match next.status() == Status::Chance && next.turn() == state.turn() {
        true => {
            super::check_size(next)?;
            odds::outcomes(next)?
        }
        false => vec![odds::Outcome { probability: Ratio::ONE, state: next.clone() }],
    };
    let mut outcomes: Vec<(String, Ratio)> = Vec::new();
    for outcome in &found {
        let effect = super::effect(&outcome.state);
        match outcomes.iter_mut().find(|(known, _)| *known == effect) {
            Some((_, chance)) => *chance += outcome.probability,
            None => outcomes.push((effect, outcome.probability)),
        }
    }
    Ok(After { outcomes, next: next_turn(state, &found, budget)? })
}

/// What a decision has led to.
pub struct After {
    /// As in [`Prospect`].
    pub outcomes: Vec<(String, Ratio)>,
    /// As in [`Prospect`].
    pub next: Option<NextTurn>,
}

/// The next turn after these outcomes, weighted; an outcome that wins leaves nothing to fear.
fn next_turn(state: &State, found: &[odds::Outcome], budget: u64) -> Result<Option<NextTurn>, AnalysisError> {
    let on = |o: &&odds::Outcome| o.state.over().is_none();
    let Some(first) = found.iter().find(on) else { return Ok(None) };
    if found.iter().filter(on).any(|o| o.state.turn() == state.turn() || o.state.mover() == state.mover()) {
        return Ok(None);
    }
    let (mut lost, mut exact, mut estimate) = (Ratio::ZERO, Some(Ratio::ZERO), Some((0.0, u64::MAX)));
    let share = budget / found.len() as u64;
    for outcome in found {
        if let Some(over) = outcome.state.over() {
            // A move that loses the game at once has done the enemy's work.
            let gone = over.winner.is_some_and(|side| !state.ruleset().variant.allied(side, state.mover()));
            if gone {
                exact = exact.map(|sum| sum + outcome.probability);
                estimate = estimate.map(|(sum, n)| (sum + outcome.probability.to_f64(), n));
            }
            continue;
        }
        lost += outcome.probability * super::lost(&outcome.state)?;
        let strike = strike(&outcome.state, state.mover(), share.max(1))?;
        exact = match (exact, strike) {
            (Some(sum), Some(Chance::Exact(chance))) => Some(sum + outcome.probability * chance),
            _ => None,
        };
        estimate = match (estimate, strike) {
            (Some((sum, n)), Some(chance)) => {
                let trials = if let Chance::Sampled { trials, .. } = chance { trials } else { n };
                Some((sum + outcome.probability.to_f64() * chance.to_f64(), n.min(trials)))
            }
            _ => None,
        };
    }
    let sampled = estimate.map(|(sum, trials)| {
        // Parts that are exact only make the interval wider than it need be.
        let trials = trials.min(DRAWN);
        Chance::Sampled { hits: (sum * trials as f64).round() as u64, trials }
    });
    Ok(Some(NextTurn { side: first.state.mover(), strike: exact.map(Chance::Exact).or(sampled), lost }))
}

/// The chance that in the turn under way a royal piece of `victim` is taken, or `victim` loses the game,
/// if everybody else tries for nothing else and `victim` tries to prevent it. Nothing if that cannot be
/// worked out with about `budget` events.
///
/// # Errors
/// If a rule fails.
pub fn strike(state: &State, victim: Side, budget: u64) -> Result<Option<Chance>, RuleError> {
    let mut hunt = Hunt::new(state, victim, budget);
    if let Some(chance) = hunt.visit(state)? {
        return Ok(Some(Chance::Exact(chance)));
    }
    if state.status() != Status::Chance {
        return Ok(None);
    }
    let mut random = Stream::new(0x7374_7269_6b65, state.position().hash());
    let mut hunt = Hunt::new(state, victim, DRAWN_BUDGET);
    let (mut hits, mut trials) = (0, 0);
    while trials < DRAWN {
        let mut next = state.clone();
        next.roll(player::draw(state, &mut random))?;
        let Some(chance) = hunt.visit(&next)? else { break };
        trials += 1;
        // What depends on further dice is drawn, too: then every try is a hit or none.
        // Fractions of more than 64 bits are drawn as their first 64.
        let excess = (u128::BITS - chance.denominator().leading_zeros()).saturating_sub(64);
        let (hit, all) = (chance.numerator() >> excess, chance.denominator() >> excess);
        hits += u64::from((u128::from(random.next_u64() >> 1) * all) >> 63 < hit);
    }
    Ok((trials >= 20).then_some(Chance::Sampled { hits, trials }))
}

/// The search for the best chance to strike within one turn.
struct Hunt {
    victim: Side,
    royals: u32,
    turn: u32,
    left: u64,
    known: HashMap<u64, Ratio>,
}

impl Hunt {
    fn new(state: &State, victim: Side, budget: u64) -> Hunt {
        let royals = state.position().royal_count(victim);
        Hunt { victim, royals, turn: state.turn(), left: budget, known: HashMap::new() }
    }

    /// The chance from `state` on; nothing when the budget is used up.
    fn visit(&mut self, state: &State) -> Result<Option<Ratio>, RuleError> {
        let variant = &state.ruleset().variant;
        let beaten = |side| !variant.allied(side, self.victim);
        if state.over().is_some_and(|over| over.winner.is_some_and(beaten)) {
            return Ok(Some(Ratio::ONE));
        }
        if state.position().royal_count(self.victim) < self.royals {
            return Ok(Some(Ratio::ONE));
        }
        if state.over().is_some() || state.turn() != self.turn {
            return Ok(Some(Ratio::ZERO));
        }
        if state.status() == Status::Chance {
            return self.rolls(state);
        }
        let key = state.fingerprint();
        if let Some(&known) = self.known.get(&key) {
            return Ok(Some(known));
        }
        let found = self.decisions(state, variant.allied(state.chooser(), self.victim))?;
        if let Some(chance) = found {
            self.known.insert(key, chance);
        }
        Ok(found)
    }

    fn rolls(&mut self, state: &State) -> Result<Option<Ratio>, RuleError> {
        let count = state.dice().map_or(0, |dice| dice.outcomes());
        if count > self.left {
            return Ok(None);
        }
        self.left -= count;
        let mut sum = Ratio::ZERO;
        for (chance, _, next) in odds::next_roll(state)? {
            let Some(value) = self.visit(&next)? else { return Ok(None) };
            sum += chance * value;
        }
        Ok(Some(sum))
    }

    fn decisions(&mut self, state: &State, victim: bool) -> Result<Option<Ratio>, RuleError> {
        let mut best: Option<Ratio> = None;
        for event in search::events(state) {
            if self.left == 0 {
                return Ok(None);
            }
            self.left -= 1;
            let mut next = state.clone();
            search::apply(&mut next, &event)?;
            let Some(value) = self.visit(&next)? else { return Ok(None) };
            best = Some(best.map_or(value, |best| if victim { best.min(value) } else { best.max(value) }));
            if best == Some(if victim { Ratio::ZERO } else { Ratio::ONE }) {
                break;
            }
        }
        Ok(best)
    }
}
