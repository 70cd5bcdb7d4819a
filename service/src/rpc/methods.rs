//! The methods that look at a variant or position: `variants`, `rules`, `state`, `moves`, `turns`, `why`, `odds`,
//! `perft`.

use super::message::Fault;
use super::params::Params;
use super::table::{self, NOT_NOW, NOT_PERMITTED, TOO_LARGE, Table, out_of_time};
use crate::analysis;
use crate::interrupt;
use crate::shelf::Shelf;
use astragal_core::{Status, turns};
use astragal_dsl::explain::{self, ExplainError};
use astragal_dsl::library;
use astragal_dsl::{rulebook, view, words};
use serde_json::{Value, json};

/// What can be asked for.
#[derive(Clone, Copy)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// The names of its parameters.
    pub params: &'static [&'static str],
    /// What answers it.
    pub answer: fn(&mut Shelf, &Params<'_>) -> Result<Value, Fault>,
}

/// All methods, in alphabetical order.
pub const METHODS: [Method; 10] = [
    method("hint", &["variant", "options", "position", "roll", "level", "nodes"], super::hint::hint),
    method("moves", &["variant", "options", "position", "roll", "view"], moves),
    method("odds", &["variant", "options", "position", "roll", "move", "die", "choices"], odds),
    method("perft", &["variant", "options", "position", "depth"], perft),
    method("play", &["variant", "options", "position", "roll", "events", "view"], super::play::play),
    method("rules", &["variant", "options"], rules),
    method("state", &["variant", "options", "position", "view"], state),
    method("turns", &["variant", "options", "position", "roll"], turns),
    method("variants", &[], |shelf, _| variants(shelf)),
    method("why", &["variant", "options", "position", "roll", "move", "view"], why),
];

const fn method(
    name: &'static str,
    params: &'static [&'static str],
    answer: fn(&mut Shelf, &Params<'_>) -> Result<Value, Fault>,
) -> Method {
    Method { name, params, answer }
}

/// So many scripts of a folder are listed.
const LISTED: usize = 100;
/// The largest depth that `perft` looks at.
const MAX_DEPTH: u64 = 64;

/// `variants`: what there is to play.
///
/// # Errors
/// Never so far: a script that does not load is listed with its error.
pub fn variants(shelf: &mut Shelf) -> Result<Value, Fault> {
    let names = library::names().into_iter().map(String::from);
    let names: Vec<String> = names.chain(shelf.reach().listed(LISTED)).collect();
    let mut one = |name: &String| match shelf.load(name, &[]) {
        Ok(loaded) => json!({
            "name": name,
            "title": loaded.title,
            "about": loaded.about,
            "options": options_json(&loaded.options),
        }),
        Err(error) => json!({"name": name, "title": name, "options": [], "error": error.to_string()}),
    };
    // Scripts of strangers may take their time.
    Ok(json!({"variants": names.iter().take_while(|_| !interrupt::asked()).map(&mut one).collect::<Vec<_>>()}))
}

/// The options of a script, as data.
pub fn options_json(options: &[astragal_dsl::OptionDef]) -> Value {
    let one = |option: &astragal_dsl::OptionDef| json!({"name": option.name, "values": option.values, "default": option.default, "why": option.why});
    options.iter().map(one).collect()
}

/// `state`: whether the game is over, before any roll.
///
/// # Errors
/// If the variant or position is wrong.
pub fn state(shelf: &mut Shelf, params: &Params<'_>) -> Result<Value, Fault> {
    let table = Table::lay(shelf, params)?;
    params.view(table.loaded.set.variant.sides())?;
    Ok(table::state_json(table.state()))
}

/// `moves`: what may be moved next.
///
/// # Errors
/// If a parameter is wrong or the roll is missing.
pub fn moves(shelf: &mut Shelf, params: &Params<'_>) -> Result<Value, Fault> {
    let table = Table::rolled(shelf, params)?;
    let viewer = params.view(table.loaded.set.variant.sides())?;
    let state = table.state();
    if table.has_passed() || state.status() == Status::Over {
        return Ok(json!({"moves": []}));
    }
    if !view::knows_options(state, viewer) {
        return Ok(json!({"moves": [], "hidden": true, "pending": table::pending_view(state, viewer)}));
    }
    let mut result = json!({"moves": words::moves(state)});
    if state.status() == Status::Choice {
        result["pending"] = table::pending_json(state);
    }
    if state.can_pass() {
        result["pass"] = true.into();
    }
    Ok(result)
}

/// `why`: whether a move is permitted, and why or why not.
///
/// # Errors
/// If a parameter is wrong, or the text is no move.
pub fn why(shelf: &mut Shelf, params: &Params<'_>) -> Result<Value, Fault> {
    let mut table = Table::lay(shelf, params)?;
    let viewer = params.view(table.loaded.set.variant.sides())?;
    match table.given(params)?.filter(|_| table.state().over().is_none()) {
        Some(faces) => drop(table.roll(&faces)?),
        None => table.use_dice()?,
    }
    if !view::knows_options(table.state(), viewer) {
        return Ok(json!({"hidden": true, "pending": table::pending_view(table.state(), viewer)}));
    }
    let text = params.text("move")?;
    let said = explain::why(&table.loaded, &table.game, text).map_err(|error| match error {
        ExplainError::Notation(error) => table::notation_fault(NOT_PERMITTED, "move", &error),
        ExplainError::Rule(error) => table::rule_fault(&table.loaded, &error),
        none @ (ExplainError::NoPiece(_) | ExplainError::NoSquare { .. }) => {
            Fault::new(NOT_PERMITTED, none.to_string()).with("field", "move")
        }
    })?;
    let mut result = json!({"move": said.mv, "permitted": said.permitted, "why": said.sentences});
    if let Some((place, line)) = &said.place {
        result["place"] = place.as_str().into();
        result["line"] = line.as_str().into();
    }
    Ok(result)
}

/// `rules`: the rulebook of a script.
///
/// # Errors
/// If the variant or an option is wrong.
pub fn rules(shelf: &mut Shelf, params: &Params<'_>) -> Result<Value, Fault> {
    let table = Table::lay(shelf, params)?;
    Ok(json!({
        "name": table.loaded.name,
        "title": table.loaded.title,
        "text": rulebook::text(&table.loaded),
        "options": options_json(&table.loaded.options),
    }))
}

/// `turns`: how many complete turns there are.
///
/// # Errors
/// If a parameter is wrong or the roll is missing.
pub fn turns(shelf: &mut Shelf, params: &Params<'_>) -> Result<Value, Fault> {
    let table = Table::rolled(shelf, params)?;
    let stop = &interrupt::asked;
    let found =
        if table.has_passed() { Ok(Some(turns::Turns::default())) } else { turns::count_until(table.state(), stop) };
    let found = found.map_err(|error| table::rule_fault(&table.loaded, &error))?.ok_or_else(out_of_time)?;
    Ok(json!({
        "count": found.count,
        "max_dice": found.max_dice,
        "placements": found.placements,
        "winning": found.winning,
    }))
}

/// `odds`: what a move leads to, with exact chances.
///
/// # Errors
/// If a parameter is wrong, the roll is missing or the move is not permitted.
pub fn odds(shelf: &mut Shelf, params: &Params<'_>) -> Result<Value, Fault> {
    let mut table = Table::rolled(shelf, params)?;
    let refusal = match table.state().status() {
        Status::Over => Some("the game is over: no move has odds"),
        _ if table.has_passed() => Some("with this roll the turn is lost: no move is permitted"),
        _ => None,
    };
    if let Some(why) = refusal {
        return Err(Fault::new(NOT_NOW, why).with("state", table::state_json(table.state())));
    }
    let texts = params.text("move")?;
    let mut choices: Vec<&str> = Vec::new();
    for (i, value) in params.list("choices")?.iter().enumerate() {
        let text = value.as_str().ok_or_else(|| Fault::param(&format!("choices[{i}]"), "a text", Some(value)));
        choices.push(text?);
    }
    let die = params.die()?;
    let mut turn = analysis::sequence::follow(&mut table.game, texts, die.as_deref())
        .map_err(|error| analysis_fault(&table, "move", &error))?;
    for text in choices {
        turn = analysis::sequence::follow(&mut table.game, text, None)
            .map_err(|error| analysis_fault(&table, "choices", &error))?;
    }
    let outcomes = analysis::outcomes(&table.loaded, table.state(), turn);
    let outcomes = outcomes.map_err(|error| analysis_fault(&table, "move", &error))?;
    let one = |outcome: &analysis::Outcome| {
        let (probability, more) = outcome.chance().json();
        let mut value = json!({
            "probability": probability,
            "effect": outcome.effect,
            "position": outcome.position,
        });
        more.into_iter().for_each(|(key, number)| value[key] = number);
        if !outcome.drawn.is_empty() {
            value["drawn"] = outcome.drawn.clone().into();
        }
        if outcome.decides {
            value["decision"] = table::pending_json(&outcome.state);
        }
        value
    };
    Ok(json!({"outcomes": outcomes.iter().map(one).collect::<Vec<_>>()}))
}

fn analysis_fault(table: &Table, field: &str, error: &analysis::AnalysisError) -> Fault {
    use analysis::AnalysisError;
    match error {
        AnalysisError::Word(error) => table::word_fault(table.state(), field, error),
        AnalysisError::Game(error) => table::game_fault(&table.loaded, table.state(), error),
        AnalysisError::TooLarge(_) => Fault::new(TOO_LARGE, error.to_string()),
        AnalysisError::Stopped => out_of_time(),
    }
}

/// `perft`: the number of sequences of legal moves, without dice.
///
/// # Errors
/// If a parameter is wrong, or counting would take too long.
pub fn perft(shelf: &mut Shelf, params: &Params<'_>) -> Result<Value, Fault> {
    let table = Table::lay(shelf, params)?;
    let depth = params.number("depth", MAX_DEPTH)? as u32;
    let nodes = analysis::nodes(&table.loaded.set.variant, table.state().position(), depth);
    let nodes = nodes.map_err(|error| analysis_fault(&table, "depth", &error).with("field", "depth"))?;
    Ok(json!({"nodes": nodes}))
}
