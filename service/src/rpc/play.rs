//! The method `play`: events applied to a position, in order.

use super::message::{Fault, INVALID_PARAMS, describe};
use super::params::Params;
use super::table::{self, Table};
use crate::shelf::Shelf;
use astragal_core::Side;
use astragal_core::game::{Entry, Event};
use astragal_dsl::{explain, midturn, view, words};
use serde_json::{Map, Value, json};

/// Applies the events; says where that leads and what the game waits for.
///
/// # Errors
/// If a parameter is wrong, or the game refuses an event: then the error's data has the event's index.
pub fn play(shelf: &mut Shelf, params: &Params<'_>) -> Result<Value, Fault> {
    let mut table = Table::lay(shelf, params)?;
    let viewer = params.view(table.loaded.set.variant.sides())?;
    let mut log: Vec<String> = opening(&table);
    let given = params.faces("roll")?;
    if (given.is_some() || table.dice.is_some()) && table.state().over().is_none() {
        let seen = view::sees(table.state(), viewer);
        let again = match given {
            Some(faces) => table.roll(&faces)?,
            None => table.use_dice().map(|()| Vec::new())?,
        };
        log.extend(rolled_again(&again, seen));
        log.extend(words::follow_ups(&table.game, None));
    }
    for (index, event) in params.list("events")?.iter().enumerate() {
        let label = table.state().label().map(String::from);
        let entries = table.game.entries().len();
        let seen = view::sees(table.state(), viewer);
        let again = apply(&mut table, event).map_err(|fault| refused(&table, index, fault, viewer))?;
        log.extend(rolled_again(&again, seen));
        log.extend(table.game.entries()[entries..].iter().filter_map(|entry| in_secret(&table, entry, viewer)));
        if table.game.entries().len() > entries {
            log.extend(words::follow_ups(&table.game, label.as_deref()));
        }
    }
    let state = table.state();
    let mut result = json!({
        "position": match viewer {
            None => words::position(&table.loaded, state),
            viewer => view::position(&table.loaded, &table.game, viewer),
        },
        "state": table::state_json(state),
        "pending": table::pending_view(state, viewer),
    });
    // A turn under way that the position alone does not tell can be gone on with from this text.
    if viewer.is_none() {
        let whole = midturn::position(&table.loaded, &table.game);
        if result["position"] != whole.as_str() {
            result["resume"] = whole.into();
        }
    }
    if !log.is_empty() {
        result["log"] = log.into();
    }
    Ok(result)
}

fn rolled_again(again: &[Vec<i16>], seen: bool) -> impl Iterator<Item = String> {
    again.iter().map(move |dice| if seen { words::again(dice) } else { "Dice are rolled again.".into() })
}

/// For a roll that the viewer did not see, or a choice that it does not know: that it was made.
fn in_secret(table: &Table, entry: &Entry, viewer: Option<Side>) -> Option<String> {
    let side = entry.secret.filter(|side| viewer.is_some_and(|viewer| viewer != *side))?;
    let what = if matches!(entry.event, Event::Choice(_)) { "chooses" } else { "rolls" };
    Some(format!("{} {what} in secret.", words::side_name(&table.loaded.set.variant, side)))
}

fn refused(table: &Table, index: usize, fault: Fault, viewer: Option<Side>) -> Fault {
    if !view::knows_options(table.state(), viewer) {
        // The reason would tell what is permitted.
        let fault = Fault::new(fault.code, format!("event {index}: this is not permitted now"));
        return fault.with("event", index).with("pending", table::pending_view(table.state(), viewer));
    }
    let reason = fault.message.clone();
    let fault = Fault { message: format!("event {index}: {reason}"), ..fault };
    fault.with("event", index).with("reason", reason).with("pending", table::pending_json(table.state()))
}

fn opening(table: &Table) -> Vec<String> {
    let variant = &table.loaded.set.variant;
    words::notes(variant, table.game.opening())
}

const EXPECTED: &str = "an event as {\"roll\":[2,3]}, {\"move\":\"e2e4\"} or {\"choice\":\"text\"}";

fn bad(found: String) -> Fault {
    Fault::new(INVALID_PARAMS, format!("expected {EXPECTED}, found {found}"))
        .with("field", "events")
        .with("expected", EXPECTED)
        .with("found", found)
}

/// Applies an event; returns dice that are rolled again.
fn apply(table: &mut Table, event: &Value) -> Result<Vec<Vec<i16>>, Fault> {
    let Value::Object(map) = event else { return Err(bad(describe(event))) };
    let params = Params::new("an event", map, &["roll", "move", "die", "choice"])?;
    let kinds: Vec<&str> = ["roll", "move", "choice"].into_iter().filter(|k| params.get(k).is_some()).collect();
    if params.get("die").is_some() && kinds != ["move"] {
        return Err(bad(names(map)));
    }
    match kinds[..] {
        ["roll"] => {
            let faces =
                table.given(&params)?.ok_or_else(|| Fault::param("roll", "at least one face", map.get("roll")))?;
            // At a real table dice that allow no move are simply thrown again, where the rules say so.
            table.roll(&faces)
        }
        ["move"] => make_move(table, &params).map(|()| Vec::new()),
        ["choice"] => choose(table, params.text("choice")?).map(|()| Vec::new()),
        _ => Err(bad(names(map))),
    }
}

fn names(map: &Map<String, Value>) -> String {
    match map.is_empty() {
        true => "an empty object".into(),
        false => format!("an object with {}", map.keys().map(String::as_str).collect::<Vec<_>>().join(", ")),
    }
}

fn make_move(table: &mut Table, params: &Params<'_>) -> Result<(), Fault> {
    let text = params.text("move")?;
    if words::is_pass(text) {
        return pass(table);
    }
    let die = params.die()?;
    let paid = words::find_move_anyhow(table.state(), text, die.as_deref());
    let paid = paid.map_err(|error| {
        let fault = table::word_fault(table.state(), "move", &error);
        match explain::why(&table.loaded, &table.game, text) {
            Ok(said) if !said.permitted => fault.with("why", said.sentences),
            _ => fault,
        }
    })?;
    let before = table.state().clone();
    table.game.play(paid).map_err(|error| table::game_fault(&table.loaded, &before, &error))
}

fn choose(table: &mut Table, text: &str) -> Result<(), Fault> {
    let listed = words::choices(table.state()).iter().any(|option| option == text);
    if words::is_pass(text) && !listed {
        return pass(table);
    }
    let index = words::find_choice(table.state(), text);
    let index = index.map_err(|error| table::word_fault(table.state(), "choice", &error))?;
    let before = table.state().clone();
    table.game.choose(index).map_err(|error| table::game_fault(&table.loaded, &before, &error))
}

fn pass(table: &mut Table) -> Result<(), Fault> {
    let before = table.state().clone();
    table.game.pass().map_err(|error| table::game_fault(&table.loaded, &before, &error))
}
