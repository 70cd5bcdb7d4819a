//! The consequences of a move: its outcomes, and the threats of the next player's turn.
//!
//! Probabilities are exact while the work stays within a budget. Beyond it, rolls are sampled, and the result is a number
//! of hits and trials, to be read with its confidence interval.

pub use super::chance::Chance;
use super::chance::worst;
use super::{AnalysisError, plus, times};
use crate::interrupt;
use astragal_computer::{apply, legal_events};
use astragal_core::odds::Certainty;
use astragal_core::rule::{Cause, RuleError};
use astragal_core::{Event, Piece, Ratio, Side, Square, State, Status, Stream, odds};
use std::collections::HashMap;

/// The maximum number of events tried for an exact probability; beyond it, the probability is sampled.
pub const BUDGET: u64 = 200_000;
/// The number of rolls in a sample.
const DRAWN: u64 = 400;
/// The maximum number of events tried for all rolls of a sample.
const DRAWN_BUDGET: u64 = 400_000;
/// The maximum number of decisions and rolls of one turn that are followed. The search recurses this deep, and threads have
/// small stacks.
const DEEPEST: u32 = 128;

/// The possible results of the turn after a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NextTurn {
    /// The side to move.
    pub side: Side,
    /// The probability that this side captures a royal piece or wins, if it pursues nothing else; `None` if that takes too
    /// long to compute.
    pub strike: Option<Chance>,
    /// The probability that the turn is lost.
    pub lost: Ratio,
    /// The certainty of `lost`.
    pub(crate) certainty: Certainty,
}

impl NextTurn {
    /// The probability that the turn is lost, with its certainty.
    pub(crate) fn lost(&self) -> Chance {
        Chance::of(self.lost, self.certainty)
    }
}

/// The consequences of a decision.
pub struct Prospect {
    /// The move, choice or pass.
    pub event: Event,
    /// Its outcomes by effect, in dice order.
    pub outcomes: Vec<(String, Ratio)>,
    /// The certainty of these probabilities.
    pub(crate) certainty: Certainty,
    /// The next turn; `None` if the current turn may go on or the game may end.
    pub next: Option<NextTurn>,
}

/// The consequences of each legal decision: moves, choices and passing. The decisions share the budget.
///
/// # Errors
/// If a rule fails, or a stop is requested.
pub fn of_decisions(state: &State) -> Result<Vec<Prospect>, AnalysisError> {
    match begun(state)? {
        (all, 0) => Ok(all),
        _ => Err(AnalysisError::Stopped),
    }
}

/// Like [`of_decisions`], but returns the results found before a stop request, and the number of decisions that are left.
///
/// # Errors
/// If a rule fails.
pub fn begun(state: &State) -> Result<(Vec<Prospect>, usize), AnalysisError> {
    // Equal moves that other dice pay for differ in what is left of the turn.
    let events = legal_events(state);
    let count = events.len();
    let budget = 4 * BUDGET / count.max(4) as u64;
    let mut all: Vec<Prospect> = Vec::new();
    for (number, event) in events.into_iter().enumerate() {
        let mut next = state.clone();
        let found = interrupt::share(count - number, || {
            apply(&mut next, &event)?;
            after(state, &next, budget)
        });
        match found {
            Ok(After { outcomes, certainty, next }) => all.push(Prospect { event, outcomes, certainty, next }),
            Err(AnalysisError::Stopped) if interrupt::stop_requested() => break,
            Err(AnalysisError::Stopped) => {}
            Err(error) => return Err(error),
        }
    }
    let left = count - all.len();
    Ok((all, left))
}

/// The consequences of a move or choice in `state` that leads to `next`.
///
/// # Errors
/// As [`of_decisions`].
pub fn after(state: &State, next: &State, budget: u64) -> Result<After, AnalysisError> {
    let found = match next.status() == Status::Chance && next.turn() == state.turn() {
        true => super::all_outcomes(next)?,
        false => odds::Found {
            outcomes: vec![odds::Outcome { probability: Ratio::ONE, state: next.clone() }],
            certainty: Certainty::Exact,
        },
    };
    let mut outcomes: Vec<(String, Ratio)> = Vec::new();
    for outcome in &found.outcomes {
        let effect = super::effect(&outcome.state);
        match outcomes.iter_mut().find(|(known, _)| *known == effect) {
            Some((_, chance)) => *chance = plus(*chance, outcome.probability)?,
            None => outcomes.push((effect, outcome.probability)),
        }
    }
    Ok(After { outcomes, certainty: found.certainty, next: next_turn(state, &found, budget)? })
}

/// The consequences of a decision that has been applied.
pub struct After {
    /// As in [`Prospect`].
    pub(crate) outcomes: Vec<(String, Ratio)>,
    /// As in [`Prospect`].
    pub(crate) certainty: Certainty,
    /// As in [`Prospect`].
    pub next: Option<NextTurn>,
}

/// The next turn after these outcomes, weighted by their probabilities. Outcomes that win carry no threat.
fn next_turn(state: &State, found: &odds::Found, budget: u64) -> Result<Option<NextTurn>, AnalysisError> {
    let outcomes = &found.outcomes;
    let on = |o: &&odds::Outcome| o.state.over().is_none();
    let Some(first) = outcomes.iter().find(on) else { return Ok(None) };
    if outcomes.iter().filter(on).any(|o| o.state.turn() == state.turn() || o.state.mover() == state.mover()) {
        return Ok(None);
    }
    let (mut lost, mut certainty) = (Ratio::ZERO, found.certainty);
    let mut sum = Some(Sum { exact: Some(Ratio::ZERO), estimate: 0.0, certainty: found.certainty });
    let share = budget / outcomes.len() as u64;
    for outcome in outcomes {
        if let Some(over) = outcome.state.over() {
            // A move that loses the game at once counts as a successful strike.
            let gone = over.winner.is_some_and(|side| !state.ruleset().variant.allied(side, state.mover()));
            if gone && let Some(sum) = &mut sum {
                sum.add(outcome.probability, Chance::Exact(Ratio::ONE));
            }
            continue;
        }
        let (chance, sure) = super::lost(&outcome.state)?;
        lost = plus(lost, times(outcome.probability, chance)?)?;
        certainty = worst(certainty, sure);
        let strike = match strike(&outcome.state, state.mover(), share.max(1)) {
            Err(AnalysisError::Stopped) if interrupt::is_estimating() && !interrupt::is_asked() => None,
            strike => strike?,
        };
        match (&mut sum, strike) {
            (Some(sum), Some(chance)) => sum.add(outcome.probability, chance),
            _ => sum = None,
        }
    }
    let strike = sum.map(Sum::chance);
    Ok(Some(NextTurn { side: first.state.mover(), strike, lost, certainty }))
}

/// A sum of probabilities, some of them estimates.
struct Sum {
    exact: Option<Ratio>,
    estimate: f64,
    certainty: Certainty,
}

impl Sum {
    fn add(&mut self, weight: Ratio, chance: Chance) {
        self.estimate += weight.to_f64() * chance.to_f64();
        match chance {
            Chance::Exact(chance) => {
                let more = |sum: Ratio| sum.checked_add(weight.checked_mul(chance)?);
                self.exact = self.exact.and_then(more);
            }
            Chance::Within { bound, .. } => self.certainty = worst(self.certainty, Certainty::Within(bound)),
            Chance::Sampled { trials, .. } => self.certainty = worst(self.certainty, Certainty::Drawn(trials)),
        }
    }

    fn chance(self) -> Chance {
        match (self.certainty, self.exact) {
            (Certainty::Exact, Some(exact)) => Chance::Exact(exact),
            // The floating-point sum is nearly exact.
            (Certainty::Exact, None) => Chance::Within { least: self.estimate, bound: f64::EPSILON },
            (Certainty::Within(bound), _) => Chance::Within { least: self.estimate, bound },
            (Certainty::Drawn(trials), _) => {
                // Exact parts only make the interval wider than necessary.
                let trials = trials.min(DRAWN);
                Chance::Sampled { hits: (self.estimate * trials as f64).round() as u64, trials }
            }
        }
    }
}

/// The probability that a royal piece of `victim` is captured in the current turn, or `victim` loses the game. All other
/// sides pursue nothing else, and `victim` tries to prevent it. `None` if that cannot be computed or estimated with about
/// `budget` events.
///
/// # Errors
/// If a rule fails, or a stop is requested.
pub fn strike(state: &State, victim: Side, budget: u64) -> Result<Option<Chance>, AnalysisError> {
    let royals = Target::Royals { of: victim, count: state.position().royal_count(victim) };
    hunted(state, royals, budget, DRAWN_BUDGET)
}

/// For each enemy piece: the probability that the side to move captures it in the current turn. That side pursues nothing
/// else, and the piece's owner tries to prevent it. `None` for a probability that takes too long to compute. The pieces
/// share the budget of events.
///
/// # Errors
/// As [`strike`].
pub fn captures(state: &State, budget: u64) -> Result<Vec<(Square, Option<Chance>)>, AnalysisError> {
    let (variant, position) = (&state.ruleset().variant, state.position());
    let is_victim = |square: &Square| !variant.allied(position.at(*square).side(), state.mover());
    let victims: Vec<Square> = position.occupied().into_iter().filter(is_victim).collect();
    let share = (budget / victims.len().max(1) as u64).max(1);
    let one = |square: Square| {
        let target = Target::Piece { on: square, piece: position.at(square) };
        Ok((square, hunted(state, target, share, 2 * share)?))
    };
    victims.into_iter().map(one).collect()
}

/// The probability that a target is caught in the current turn, found with about `budget` events or estimated with `drawn`.
fn hunted(state: &State, target: Target, budget: u64, drawn: u64) -> Result<Option<Chance>, AnalysisError> {
    let mut hunt = Hunt::new(state, target, budget);
    if let Some(chance) = End::or_spent(hunt.visit(state))? {
        return Ok(Some(Chance::Exact(chance)));
    }
    if state.status() != Status::Chance {
        return Ok(None);
    }
    let mut random = Stream::new(0x7374_7269_6b65, state.position().hash());
    let mut hunt = Hunt::new(state, target, drawn);
    let (mut hits, mut trials) = (0, 0);
    while trials < DRAWN {
        let mut next = state.clone();
        next.roll(state.draw(&mut random))?;
        let Some(chance) = End::or_spent(hunt.visit(&next))? else { break };
        trials += 1;
        // Later dice are sampled, too: every trial is a hit or a miss. Fractions with more than 64 bits are truncated to
        // their first 64.
        let excess = (u128::BITS - chance.denominator().leading_zeros()).saturating_sub(64);
        let (hit, all) = (chance.numerator() >> excess, chance.denominator() >> excess);
        hits += u64::from((u128::from(random.next_u64() >> 1) * all) >> 63 < hit);
    }
    Ok((trials >= 20).then_some(Chance::Sampled { hits, trials }))
}

/// Why the search for a probability ends without a result.
enum End {
    /// The budget is used up, or the fraction has too many digits.
    Spent,
    Stopped,
    Rule(RuleError),
}

impl From<RuleError> for End {
    fn from(error: RuleError) -> End {
        match error.cause {
            // Players can prolong this turn too far to search it to its end, but they are not forced to.
            Cause::Held => End::Spent,
            _ => End::Rule(error),
        }
    }
}

impl End {
    /// The result; `None` if the budget was used up.
    fn or_spent(found: Result<Ratio, End>) -> Result<Option<Ratio>, AnalysisError> {
        match found {
            Ok(chance) => Ok(Some(chance)),
            Err(End::Spent) => Ok(None),
            Err(End::Stopped) => Err(AnalysisError::Stopped),
            Err(End::Rule(error)) => Err(error.into()),
        }
    }
}

/// The target of a search.
#[derive(Clone, Copy)]
enum Target {
    /// The royal pieces of a side, with their number at the start of the search, or the side's game.
    Royals { of: Side, count: u32 },
    /// The piece on a square.
    Piece { on: Square, piece: Piece },
}

impl Target {
    /// The side that defends it.
    fn owner(self) -> Side {
        match self {
            Target::Royals { of, .. } => of,
            Target::Piece { piece, .. } => piece.side(),
        }
    }

    /// Whether it has been caught.
    fn is_caught(self, state: &State) -> bool {
        match self {
            Target::Royals { of, count } => {
                let beaten = |side| !state.ruleset().variant.allied(side, of);
                state.over().is_some_and(|over| over.winner.is_some_and(beaten))
                    || state.position().royal_count(of) < count
            }
            Target::Piece { on, piece } => state.position().at(on) != piece,
        }
    }
}

/// The search for the best probability of catching a target within one turn.
struct Hunt {
    target: Target,
    turn: u32,
    left: u64,
    /// The number of further events that may be followed.
    depth_left: u32,
    known: HashMap<u64, Ratio>,
}

impl Hunt {
    fn new(state: &State, target: Target, budget: u64) -> Hunt {
        Hunt { target, turn: state.turn(), left: budget, depth_left: DEEPEST, known: HashMap::new() }
    }

    /// The probability from `state` on.
    fn visit(&mut self, state: &State) -> Result<Ratio, End> {
        if self.target.is_caught(state) {
            return Ok(Ratio::ONE);
        }
        if state.over().is_some() || state.turn() != self.turn {
            return Ok(Ratio::ZERO);
        }
        self.depth_left = self.depth_left.checked_sub(1).ok_or(End::Spent)?;
        let chance = self.deeper(state);
        self.depth_left += 1;
        chance
    }

    /// The same, when the turn goes on.
    fn deeper(&mut self, state: &State) -> Result<Ratio, End> {
        if state.status() == Status::Chance {
            return self.rolls(state);
        }
        let key = state.fingerprint();
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let victim = state.ruleset().variant.allied(state.chooser(), self.target.owner());
        let chance = self.decisions(state, victim)?;
        self.known.insert(key, chance);
        Ok(chance)
    }

    /// Uses up part of the budget.
    fn spend(&mut self, events: u64) -> Result<(), End> {
        if interrupt::stop_requested() {
            return Err(End::Stopped);
        }
        self.left = self.left.checked_sub(events).ok_or(End::Spent)?;
        Ok(())
    }

    fn rolls(&mut self, state: &State) -> Result<Ratio, End> {
        self.spend(state.dice().map_or(0, |dice| dice.outcomes()))?;
        let mut sum = Ratio::ZERO;
        odds::each_roll(state, |chance, _, next| {
            let part = self.visit(&next)?.checked_mul(chance).ok_or(End::Spent)?;
            sum = sum.checked_add(part).ok_or(End::Spent)?;
            Ok::<(), End>(())
        })?;
        Ok(sum)
    }

    fn decisions(&mut self, state: &State, victim: bool) -> Result<Ratio, End> {
        let mut best: Option<Ratio> = None;
        for event in legal_events(state) {
            self.spend(1)?;
            let mut next = state.clone();
            apply(&mut next, &event)?;
            let value = self.visit(&next)?;
            best = Some(best.map_or(value, |best| if victim { best.min(value) } else { best.max(value) }));
            if best == Some(if victim { Ratio::ZERO } else { Ratio::ONE }) {
                break;
            }
        }
        best.ok_or(End::Spent)
    }
}
