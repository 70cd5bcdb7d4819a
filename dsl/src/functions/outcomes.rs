//! The outcomes of dice as a rule sees them: faces in rolled or ascending order, the results of a key function, or only the
//! differences that the script uses.
//!
//! Owns the tables from outcomes to visible values, and the limits on listing and trying outcomes. It knows nothing of
//! permits, pools and pieces.

use super::param::{Call, Options, Shown};
use crate::host::convert::misread;
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::face_uses;
use crate::host::key_table::KeyTable;
use crate::host::kind::words_for;
use crate::host::values::{identity, is_said_in_full};
use crate::notation::dice;
use astragal_core::Dice;
use astragal_core::rule::Chance;
use astragal_core::value::SideRef;
use rhai::{Array, Dynamic, FnPtr};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Dice with more outcomes than this cannot be listed.
const MAX_OUTCOMES: u64 = 1_000_000;
/// At most this many outcomes are tried one by one.
const MOST_TRIED: u64 = 10_000;

/// The outcomes of dice as a rule sees them: their faces, or the results of a function.
pub(super) struct VisibleOutcomes {
    pub(super) dice: Arc<Dice>,
    /// `None` if the rule sees the faces.
    keys: Option<KeyTable>,
}

impl VisibleOutcomes {
    /// Dice whose outcomes, sorted or not, are tried one by one. There may be at most [`MOST_TRIED`] of them.
    pub(super) fn listed(
        call: &Call<'_>,
        text: &str,
        options: &Options,
        key: Option<FnPtr>,
    ) -> ScriptResult<VisibleOutcomes> {
        let dice = parse(text)?;
        let sorted = is_sorted(options)?;
        let visible = match sorted {
            true => VisibleOutcomes::sorted(call, dice),
            false => VisibleOutcomes { dice: Arc::new(dice), keys: None },
        };
        let outcomes = visible.keys.as_ref().map_or(visible.dice.outcomes(), |visible| visible.keys.len() as u64);
        if outcomes > MOST_TRIED {
            let message = format!("{text} has {outcomes} outcomes, but at most {MOST_TRIED} can be tried one by one");
            let help = (!sorted && visible.dice.dice.len() > 1)
                .then_some("if the order of the dice does not matter, pass `#{ sorted: true }` as the last argument");
            return fail_help(message, help.map(String::from));
        }
        match key {
            Some(key) => visible.keyed(call, key),
            None => Ok(visible),
        }
    }

    /// The same dice; the rule sees the results of a function of what it saw before.
    fn keyed(self, call: &Call<'_>, key: FnPtr) -> ScriptResult<VisibleOutcomes> {
        let dice = Arc::clone(&self.dice);
        // Without captured variables, a function returns the same result for the same faces, unless it asks the game.
        let own =
            call.place().filter(|_| !key.is_curried()).map(|at| (dice.text.clone(), key.fn_name().to_string(), at));
        let cached = own.as_ref().and_then(|own| call.trace().keyed.get(own).cloned());
        if let Some(keys) = cached {
            return Ok(VisibleOutcomes { dice, keys: Some(keys) });
        }
        let progress = call.trace().progress();
        let keys = self.keys(call, &key)?;
        if let Some(own) = own.filter(|_| call.trace().progress() == progress) {
            call.trace().keyed.insert(own, keys.clone());
        }
        Ok(VisibleOutcomes { dice, keys: Some(keys) })
    }

    /// Dice where the rule sees only the differences that the script uses: the first of all outcomes that every use treats
    /// alike. With coverage recording on, it sees every outcome.
    pub(super) fn as_used(call: &Call<'_>, dice: Dice) -> VisibleOutcomes {
        let dice = Arc::new(dice);
        let source = call.context().call_source();
        let uses = || call.trace().face_uses.of(source?, call.context().call_position());
        let at = call.place().filter(|_| call.watch.is_none() && dice.outcomes() <= MOST_TRIED);
        let Some((uses, at)) = uses().zip(at) else { return VisibleOutcomes { dice, keys: None } };
        let own = (dice.text.clone(), at);
        if let Some(known) = call.trace().lazy.get(&own) {
            return VisibleOutcomes { dice, keys: known.clone() };
        }
        let classes = face_uses::classes(&uses, (0..dice.outcomes()).map(|index| dice.outcome(index)));
        let keys = classes.map(|(first, of)| KeyTable {
            keys: first.into_iter().map(|index| values(&dice.outcome(index))).collect(),
            of: Arc::new(of),
        });
        call.trace().lazy.insert(own, keys.clone());
        VisibleOutcomes { dice, keys }
    }

    /// Dice whose faces the rule sees in ascending order, as an array.
    pub(super) fn sorted(call: &Call<'_>, dice: Dice) -> VisibleOutcomes {
        let dice = Arc::new(dice);
        // The empty name belongs to no function.
        let own = call.place().map(|at| (dice.text.clone(), String::new(), at));
        if let Some(keys) = own.as_ref().and_then(|own| call.trace().keyed.get(own).cloned()) {
            return VisibleOutcomes { dice, keys: Some(keys) };
        }
        let (mut keys, mut known) = (Vec::new(), BTreeMap::new());
        let of = (0..dice.outcomes()).map(|index| {
            let mut faces = dice.outcome(index);
            faces.sort_unstable();
            *known.entry(faces).or_insert_with_key(|faces| {
                keys.push(Dynamic::from(listed(faces)));
                keys.len() as u32 - 1
            })
        });
        let of = Arc::new(of.collect());
        let keys = KeyTable { keys: keys.into(), of };
        if let Some(own) = own {
            call.trace().keyed.insert(own, keys.clone());
        }
        VisibleOutcomes { dice, keys: Some(keys) }
    }

    /// The results of a function for each outcome.
    fn keys(&self, call: &Call<'_>, key: &FnPtr) -> ScriptResult<KeyTable> {
        let (mut keys, mut names, mut of) = (Vec::new(), Vec::new(), Vec::new());
        let inputs = match &self.keys {
            Some(inputs) => inputs.keys.to_vec(),
            None => (0..self.dice.outcomes()).map(|index| values(&self.dice.outcome(index))).collect(),
        };
        for faces in inputs {
            let made = call.apply(key, (faces,))?;
            if made.is_unit() {
                return fail_help(
                    "the key function returns no value",
                    Some("end the function with a number, a string or an array of these".into()),
                );
            }
            if !is_said_in_full(&made) {
                return fail(format!(
                    "a key must be a number, a string or an array of these, not {}",
                    words_for(&made)
                ));
            }
            let name = identity(&made);
            let known = names.iter().position(|known| *known == name);
            of.push(known.unwrap_or(keys.len()) as u32);
            if known.is_none() {
                names.push(name);
                keys.push(made);
            }
        }
        if let Some(inputs) = &self.keys {
            of = inputs.of.iter().map(|&index| of[index as usize]).collect();
        }
        Ok(KeyTable { keys: keys.into(), of: Arc::new(of) })
    }

    /// Applies `make` to each visible value. Returns one result per outcome, in order.
    pub(super) fn each<T: Clone>(&self, make: impl Fn(Dynamic) -> ScriptResult<T>) -> ScriptResult<Vec<T>> {
        match &self.keys {
            None => (0..self.dice.outcomes()).map(|index| make(values(&self.dice.outcome(index)))).collect(),
            Some(KeyTable { keys, of }) => {
                let made = keys.iter().map(|key| make(key.clone())).collect::<ScriptResult<Vec<T>>>()?;
                Ok(of.iter().map(|&key| made[key as usize].clone()).collect())
            }
        }
    }

    /// Rolls, and returns the visible value; `None` if no outcome is possible.
    pub(super) fn roll(&self, call: &Call<'_>, chance: Chance, secret: Option<SideRef>) -> ScriptResult<Option<Shown>> {
        let chance = match &self.keys {
            Some(KeyTable { of, .. }) => Chance::Keyed(Box::new(chance), Arc::clone(of)),
            None => chance,
        };
        let (answer, _) = call.roll(hidden(chance, secret))?;
        let Ok(index) = u64::try_from(answer) else { return Ok(None) };
        Ok(Some(match &self.keys {
            None => shown(call, self.dice.outcome(index)),
            Some(KeyTable { keys, .. }) => {
                call.trace().last_roll.clear();
                Shown(keys.get(index as usize).cloned().unwrap_or_default())
            }
        }))
    }
}

/// The chance node, visible to one side only if it is `secret`.
pub(super) fn hidden(chance: Chance, secret: Option<SideRef>) -> Chance {
    match secret {
        Some(side) => Chance::Secret(Box::new(chance), side),
        None => chance,
    }
}

/// Reads dice whose outcomes can be listed.
///
/// # Errors
/// If they cannot be read, or have too many outcomes.
pub(super) fn parse(text: &str) -> ScriptResult<Dice> {
    let dice = dice::parse(text).or_else(misread)?;
    if dice.outcomes() > MAX_OUTCOMES {
        return fail_help(
            format!("{text} has more than {MAX_OUTCOMES} outcomes"),
            is_castable(&dice).then(|| {
                format!("to calculate with faces that the rule does not see, use `cast()`, which can have {MOST_CAST}")
            }),
        );
    }
    if !dice.is_countable() {
        return fail(format!("the product of the weights of {text} is too large"));
    }
    Ok(dice)
}

/// Whether the script requests the faces in ascending order.
pub(super) fn is_sorted(options: &Options) -> ScriptResult<bool> {
    options.flag("sorted", false)
}

/// One die is a number, several are an array.
pub(super) fn values(faces: &[i16]) -> Dynamic {
    match faces {
        [face] => i64::from(*face).into(),
        _ => listed(faces).into(),
    }
}

fn listed(faces: &[i16]) -> Array {
    faces.iter().map(|&face| Dynamic::from(i64::from(face))).collect()
}

fn shown(call: &Call<'_>, faces: Vec<i16>) -> Shown {
    let value = values(&faces);
    call.trace().last_roll = faces;
    Shown(value)
}

/// The limits of unseen dice, in words.
pub(super) const MOST_CAST: &str = "up to 2^60 outcomes (such as 23d6 or 13d20) and up to 32 dice";

pub(super) fn is_castable(dice: &Dice) -> bool {
    let chances = dice.dice.iter().try_fold(1u64, |all, die| all.checked_mul(die.total()));
    chances.is_some_and(|chances| chances <= 1 << 60)
}
