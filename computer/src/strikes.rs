//! How dangerous it is to leave a royal piece attacked: learnt from random games.
//!
//! In one game an attacked king is taken whenever the dice show the attacker, in another the attacker has
//! to win a contest first, in a third nobody may leave it attacked at all. At the beginning of turns of
//! random games, dice are rolled and the turn is searched for a way to take a royal.

use crate::search::{apply, events};
use astragal_core::rule::RuleError;
use astragal_core::{Side, State, Status, Stream, attack};

/// Turns looked at, of each sort.
const TURNS: u32 = 80;
/// Turns of fewer looks tell nothing.
const FEW: u32 = 8;
/// Events tried in one turn.
const EVENTS: u32 = 250;

/// Looks and hits for one sort of turns.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    looks: u32,
    hits: u32,
}

/// How often royals can be taken in the next turn: attacked ones, and others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strikes {
    attacked: Count,
    others: Count,
}

impl Strikes {
    /// The chance that an attacked royal can be taken in the next turn, above that of others.
    pub fn danger(&self) -> f64 {
        let rate = |count: Count| (f64::from(count.hits) + 0.5) / (f64::from(count.looks) + 1.0);
        match self.attacked.looks {
            looks if looks < FEW => 0.0,
            _ if self.others.looks < FEW => rate(self.attacked),
            _ => (rate(self.attacked) - rate(self.others)).max(0.0),
        }
    }

    /// Looks at a turn that begins in `state`, if more is to be learnt from such.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn look(&mut self, state: &State, random: &mut Stream) -> Result<(), RuleError> {
        let set = std::rc::Rc::clone(state.ruleset());
        let enemies = (0..set.variant.sides() as u8).map(Side);
        let mut enemies =
            enemies.filter(|&side| !set.variant.allied(side, state.mover()) && state.position().royal_count(side) > 0);
        let Some(victim) = enemies.next() else { return Ok(()) };
        let attacked = attack::in_check(&set.variant, state.position(), victim);
        let count = if attacked { &mut self.attacked } else { &mut self.others };
        // Attacks are rare: other turns need not be looked at more often.
        if count.looks >= TURNS {
            return Ok(());
        }
        count.looks += 1;
        let royals = state.position().royal_count(victim);
        let mut hunt = Hunt { victim, royals, turn: state.turn(), left: EVENTS, random };
        count.hits += u32::from(hunt.takes(state)?);
        Ok(())
    }
}

struct Hunt<'a> {
    victim: Side,
    royals: u32,
    turn: u32,
    left: u32,
    random: &'a mut Stream,
}

impl Hunt<'_> {
    fn takes(&mut self, state: &State) -> Result<bool, RuleError> {
        if state.position().royal_count(self.victim) < self.royals {
            return Ok(true);
        }
        if state.over().is_some() || state.turn() != self.turn {
            return Ok(false);
        }
        if state.status() == Status::Chance {
            let mut next = state.clone();
            next.roll(crate::player::draw(state, self.random))?;
            return self.takes(&next);
        }
        for event in events(state) {
            if self.left == 0 {
                return Ok(false);
            }
            self.left -= 1;
            let mut next = state.clone();
            apply(&mut next, &event)?;
            if self.takes(&next)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
