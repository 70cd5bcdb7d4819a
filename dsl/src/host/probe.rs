//! Records values while rules run. `check` wraps parts of a copy of the script, to find conditions that were never true.

use super::error::ScriptResult;
use super::trace::Host;
use super::values::AmountV;
use astragal_core::query::Query;
use rhai::{Dynamic, Engine};

/// The function that wraps a watched value. It takes a number and the value, and returns the value.
pub(crate) const SEEN: &str = "seen__";

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn(SEEN, move |index: i64, value: Dynamic| -> ScriptResult<Dynamic> {
        let Some(watch) = &h.watch else { return Ok(value) };
        let amount = value.read_lock::<AmountV>().map(|amount| amount.0.now());
        let number = match amount {
            Some(amount) => Some(h.ask(Query::Amount(amount))?),
            None => value.as_int().ok().or_else(|| value.as_bool().ok().map(i64::from)),
        };
        if let Some(number) = number {
            watch.note_seen(index, number);
        }
        Ok(value)
    });
}
