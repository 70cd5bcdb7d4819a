//! Limits the size of values that the interpreter's own limits do not cover: descriptions of moves, squares and numbers,
//! and functions that hold other functions.
//!
//! Sizes are checked whenever a rule reads a variable, and whenever a description is made of others, because callbacks of
//! `reduce` and similar functions read no variable. This protects memory and the stack, which walking and dropping deep
//! values needs.

use super::error::{ScriptResult, fail_help};
use super::trace::Host;
use super::values::{AmountV, PermitV, SetV};
use astragal_core::Term;
use astragal_core::amount::Amount;
use astragal_core::permit::Permit;
use astragal_core::value::SetExpr;
use rhai::{Array, Dynamic, FnPtr, Map};

/// The maximum number of parts of a description, including everything that a value holds.
pub(crate) const PARTS: usize = 1000;
/// The deepest nesting of functions, arrays and maps.
pub(crate) const DEPTH: usize = 32;

/// The problem with a value that has grown too large, if it has.
pub(crate) fn too_large(value: &Dynamic) -> Option<String> {
    if value.is_int() || value.is_string() || value.is_bool() || value.is_unit() {
        return None;
    }
    let mut left = PARTS;
    match measure(value, DEPTH, &mut left) {
        Ok(()) => None,
        Err(TooLarge::Parts) => Some(too_many()),
        Err(TooLarge::Depth) => Some(format!("arrays, maps and functions are nested more than {DEPTH} deep")),
    }
}

fn too_many() -> String {
    format!("this permit, set or number has more than {PARTS} parts")
}

/// The error for a description with too many parts.
fn fail_parts<T>() -> ScriptResult<T> {
    fail_help(too_many(), Some("combine fewer permits, sets or numbers in a single value".into()))
}

/// Checks a permit that was just made of others.
pub(crate) fn permit(permit: Permit, host: &Host) -> ScriptResult<PermitV> {
    if count(&permit, &mut { PARTS }).is_err() { fail_parts() } else { Ok(host.permit_value(permit)) }
}

/// Checks a set that was just made of others.
pub(crate) fn set(set: SetExpr, host: Host) -> ScriptResult<SetV> {
    bounded_set(set).map(|set| SetV(set, host))
}

/// The same set, unless it has too many parts.
pub(crate) fn bounded_set(set: SetExpr) -> ScriptResult<SetExpr> {
    if count(&set, &mut { PARTS }).is_err() { fail_parts() } else { Ok(set) }
}

/// Checks a number that was just made of others.
pub(crate) fn amount(amount: Amount, host: &Host) -> ScriptResult<AmountV> {
    if count(&amount, &mut { PARTS }).is_err() { fail_parts() } else { Ok(host.number_value(amount)) }
}

enum TooLarge {
    Parts,
    Depth,
}

fn take(left: &mut usize) -> Result<(), TooLarge> {
    *left = left.checked_sub(1).ok_or(TooLarge::Parts)?;
    Ok(())
}

fn measure(value: &Dynamic, depth: usize, left: &mut usize) -> Result<(), TooLarge> {
    if value.is_int() || value.is_string() {
        return Ok(());
    }
    let depth = depth.checked_sub(1).ok_or(TooLarge::Depth)?;
    if let Some(items) = value.read_lock::<Array>() {
        return items.iter().try_for_each(|item| measure(item, depth, left));
    }
    if let Some(entries) = value.read_lock::<Map>() {
        return entries.values().try_for_each(|item| measure(item, depth, left));
    }
    if let Some(pointer) = value.read_lock::<FnPtr>() {
        take(left)?;
        return pointer.curry().iter().try_for_each(|held| measure(held, depth, left));
    }
    if let Some(permit) = value.read_lock::<PermitV>() {
        return count(&*permit.0.peek(), left);
    }
    if let Some(set) = value.read_lock::<SetV>() {
        return count(&set.0, left);
    }
    match value.read_lock::<AmountV>() {
        Some(amount) => count(&*amount.0.peek(), left),
        None => Ok(()),
    }
}

/// Counts a permit, set or number with all its parts.
fn count(term: &impl Term, left: &mut usize) -> Result<(), TooLarge> {
    take(left)?;
    let parts = term.parts();
    parts.permits.into_iter().flatten().try_for_each(|part| count(part, left))?;
    parts.sets.into_iter().flatten().try_for_each(|part| count(part, left))?;
    parts.amounts.into_iter().flatten().try_for_each(|part| count(part, left))
}
