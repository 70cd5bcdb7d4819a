//! A request's variant and position, laid out as a game; and the errors that games make.

use super::message::{Fault, INTERNAL};
use super::params::Params;
use crate::shelf::Shelf;
use astragal_core::rule::{Cause, RuleError};
use astragal_core::{Die, Game, GameError, Position, Ratio, Side, State, Status};
use astragal_dsl::notation::{NotationError, fen};
use astragal_dsl::words::{self, Pending, WordError};
use astragal_dsl::{LoadError, Loaded, midturn, view};
use serde_json::{Value, json};
use std::rc::Rc;

/// There is no such variant.
pub const NO_VARIANT: i64 = -32000;
/// The script is wrong, or failed.
pub const SCRIPT: i64 = -32001;
/// There is no such option, or it has no such value.
pub const OPTION: i64 = -32002;
/// The position's text is wrong.
pub const POSITION: i64 = -32003;
/// A roll is missing, or not one that the rules ask for.
pub const ROLL: i64 = -32004;
/// The move or choice is not permitted.
pub const NOT_PERMITTED: i64 = -32005;
/// The game waits for something else.
pub const NOT_NOW: i64 = -32006;
/// The answer would take too long to work out.
pub const TOO_LARGE: i64 = -32007;

/// A variant and a game of it.
pub struct Table {
    /// The variant.
    pub loaded: Rc<Loaded>,
    /// The game.
    pub game: Game,
    /// The dice that stood in the position's text and have not been applied yet.
    pub dice: Option<Vec<i16>>,
    /// The number of the turn that the position is the beginning or middle of.
    turn: u32,
}

impl Table {
    /// The variant, options and position of a request; no dice rolled yet.
    ///
    /// # Errors
    /// If one of them is wrong.
    pub fn lay(shelf: &mut Shelf, params: &Params<'_>) -> Result<Table, Fault> {
        let name = params.text("variant")?;
        let options = params.options()?;
        let loaded = shelf.load(name, &options).map_err(|error| load_fault(name, &error))?;
        let (position, dice, turn) = read_position(&loaded, params.optional_text("position")?)?;
        if let Some(turn) = turn {
            let game = midturn::resume(&loaded, &turn, 0);
            let game =
                game.map_err(|why| Fault::new(POSITION, format!("position: {why}")).with("field", "position"))?;
            let turn = game.state().turn();
            return Ok(Table { loaded, game, dice: None, turn });
        }
        let game = Game::new(Rc::clone(&loaded.set), position, 0).map_err(|error| rule_fault(&loaded, &error))?;
        let turn = game.state().turn();
        Ok(Table { loaded, game, dice, turn })
    }

    /// The same, with the request's roll (or else the dice of the position) applied.
    ///
    /// # Errors
    /// If a part is wrong, or the rules wait for a roll that is not given.
    pub fn rolled(shelf: &mut Shelf, params: &Params<'_>) -> Result<Table, Fault> {
        let mut table = Table::lay(shelf, params)?;
        let given = table.given(params)?;
        if table.state().over().is_none() {
            match given {
                Some(faces) => drop(table.roll(&faces)?),
                None => table.use_dice()?,
            }
        }
        if table.state().status() == Status::Chance && !table.has_passed() {
            return Err(roll_missing(table.state()));
        }
        Ok(table)
    }

    /// Whether the turn is over: without a move, if only dice have been rolled.
    pub fn has_passed(&self) -> bool {
        self.state().turn() != self.turn
    }

    /// The state of the game.
    pub fn state(&self) -> &State {
        self.game.state()
    }

    /// The faces that a request lets the dice show; a square drawn by chance may be named, as `["e4"]`.
    ///
    /// # Errors
    /// If they are there but nothing that can be read.
    pub fn given(&self, params: &Params<'_>) -> Result<Option<Vec<i16>>, Fault> {
        let list = params.get("roll").and_then(Value::as_array).map(Vec::as_slice);
        let Some([Value::String(name)]) = list else { return params.faces("roll") };
        let read = words::read_roll(self.state(), name);
        read.map(Some).map_err(|why| Fault::new(ROLL, format!("roll: {why}")).with("field", "roll"))
    }

    /// Takes up the turn whose unused dice stood in the position's text, if there were any.
    ///
    /// # Errors
    /// If the rules know no such turn.
    pub fn use_dice(&mut self) -> Result<(), Fault> {
        let Some(faces) = self.dice.take() else { return Ok(()) };
        let game = Game::in_turn(Rc::clone(&self.loaded.set), self.game.start().clone(), &faces, 0);
        self.game = game.map_err(|error| game_fault(&self.loaded, self.game.state(), &error))?;
        Ok(())
    }

    /// Lets the dice show these faces; returns the dice that the rules have rolled again.
    ///
    /// # Errors
    /// If they cannot.
    pub fn roll(&mut self, faces: &[i16]) -> Result<Vec<Vec<i16>>, Fault> {
        words::roll(&mut self.game, faces).map_err(|error| game_fault(&self.loaded, self.game.state(), &error))
    }
}

/// A position, the unused dice of its text, and the turn under way as far as the text tells it.
type Placement = (Position, Option<Vec<i16>>, Option<String>);

/// A position's text (or none, or `start`).
fn read_position(loaded: &Loaded, text: Option<&str>) -> Result<Placement, Fault> {
    let Some(text) = text.map(str::trim).filter(|text| *text != "start") else {
        return Ok((loaded.start.clone(), None, None));
    };
    let placed = fen::parse(&loaded.set.variant, text).map_err(|error| notation_fault(POSITION, "position", &error))?;
    placed.whole(&loaded.set.variant).map_err(|why| Fault::new(POSITION, why).with("field", "position"))?;
    let dice = placed.dice.map(|dice| words::read_dice(&loaded.faces, &dice)).transpose();
    let dice = dice.map_err(|why| Fault::new(POSITION, format!("position: {why}")).with("field", "position"))?;
    let turn = placed.extra.into_iter().find(|(name, _)| name == midturn::FIELD).map(|(_, value)| value);
    Ok((placed.position, dice, turn))
}

/// The error for a roll that should have been given.
pub fn roll_missing(state: &State) -> Fault {
    let (dice, count) = state.dice().map_or((String::new(), 0), |d| (d.to_string(), d.dice.len()));
    let numbers = if count == 1 { "1 number".into() } else { format!("{count} numbers") };
    Fault::new(ROLL, format!("the rules wait for a roll of {dice}: give 'roll', a list of {numbers}"))
        .with("field", "roll")
        .with("dice", dice)
        .with("pending", pending_json(state))
}

/// The error for a text that is not in its notation, about the parameter `field`.
pub fn notation_fault(code: i64, field: &str, error: &NotationError) -> Fault {
    let fault = Fault::new(code, error.to_string())
        .with("field", field)
        .with("column", error.column())
        .with("expected", error.expected.clone())
        .with("found", error.found.clone());
    match &error.help {
        Some(help) => fault.with("help", help.clone()),
        None => fault,
    }
}

/// The error for a text that is no answer to what the game waits for.
pub fn word_fault(state: &State, field: &str, error: &WordError) -> Fault {
    let fault = match error {
        WordError::Notation(error) => notation_fault(NOT_PERMITTED, field, error),
        WordError::NotNow { .. } => Fault::new(NOT_NOW, error.to_string()).with("field", field),
        WordError::Die { dice, .. } | WordError::Price { dice, .. } => {
            Fault::new(NOT_PERMITTED, error.to_string()).with("field", "die").with("dice", dice.clone())
        }
        WordError::Draw { .. } => Fault::new(ROLL, error.to_string()).with("field", field),
        WordError::Choice { .. } => Fault::new(NOT_PERMITTED, error.to_string()).with("field", field),
    };
    fault.with("reason", error.to_string()).with("pending", pending_json(state))
}

/// The error for an event that a game in `state` refused.
pub fn game_fault(loaded: &Loaded, state: &State, error: &GameError) -> Fault {
    let code = match error {
        GameError::Rule(error) => return rule_fault(loaded, error),
        GameError::NotNow { .. } => NOT_NOW,
        GameError::Roll { .. } | GameError::Rest { .. } | GameError::Rerolled(_) => ROLL,
        GameError::Move | GameError::Choice(_) => NOT_PERMITTED,
    };
    let message = match error {
        GameError::NotNow { offered, .. } => words::not_now(state, offered),
        _ => error.to_string(),
    };
    Fault::new(code, message.clone()).with("reason", message).with("pending", pending_json(state))
}

/// The error for a rule that failed during play.
pub fn rule_fault(loaded: &Loaded, error: &RuleError) -> Fault {
    if error.is_stop() {
        return out_of_time();
    }
    let fault = Fault::new(SCRIPT, error.to_string());
    let fault = match error.cause {
        Cause::Work(_) => fault.with("limit", 1),
        _ => fault,
    };
    let fault = match &error.file {
        Some(file) => fault.with("file", file.clone()),
        None => fault.with("file", loaded.name.clone()),
    };
    match error.place {
        Some((line, column)) => fault.with("line", line).with("column", column),
        None => fault,
    }
}

/// The error of a request that has no more time.
pub fn out_of_time() -> Fault {
    Fault::new(TOO_LARGE, "this takes longer than a request may take")
}

/// The error for a variant that cannot be loaded.
pub fn load_fault(name: &str, error: &LoadError) -> Fault {
    match error {
        LoadError::NotFound { nearest, .. } => {
            let fault = Fault::new(NO_VARIANT, error.to_string()).with("field", "variant").with("variant", name);
            nearest.iter().fold(fault, |fault, near| fault.with("nearest", near.clone()))
        }
        LoadError::Script(found) => {
            let fault = Fault::new(SCRIPT, error.to_string());
            let Some(first) = found.first() else { return fault };
            let fault = fault.with("file", first.file.clone()).with("line", first.line).with("column", first.column);
            first.help.iter().fold(fault, |fault, help| fault.with("help", help.clone()))
        }
        LoadError::Option(_) => Fault::new(OPTION, error.to_string()).with("field", "options"),
        other => Fault::new(NO_VARIANT, other.to_string()).with("variant", name),
    }
}

/// What the game waits for, as the protocol says it.
pub fn pending_json(state: &State) -> Value {
    pending_view(state, None)
}

/// The same as `viewer` may know it: without options, but with `hidden`, if it may not know them.
pub fn pending_view(state: &State, viewer: Option<Side>) -> Value {
    let Some((pending, hidden)) = view::pending(state, viewer) else { return Value::Null };
    let mut value = pending_value(pending, state);
    let drawn = state.drawn_from();
    if !hidden && !drawn.is_empty() {
        let board = state.ruleset().variant.board();
        value["squares"] = drawn.iter().map(|square| board.name(*square)).collect::<Vec<_>>().into();
    }
    if viewer.is_some() && (state.ruleset().variant.has_secrets() || state.secret().is_some()) {
        // The chances of a draw tell what is in the pool.
        value
            .as_object_mut()
            .into_iter()
            .for_each(|map| map.retain(|name, _| !["faces", "chances"].contains(&name.as_str())));
    }
    if hidden {
        drop(value.as_object_mut().and_then(|map| map.remove("options")));
        value["hidden"] = true.into();
    }
    value
}

/// Dice with more faces together are named, but not their faces one by one.
const MAX_FACES: usize = 1000;

fn pending_value(pending: Pending, state: &State) -> Value {
    match pending {
        Pending::Roll { dice, .. } => {
            let mut value = json!({"kind": "roll", "dice": dice, "player": words::ordinal(state.chooser())});
            let dice = state.dice().map(|dice| dice.dice.as_slice()).unwrap_or_default();
            if dice.iter().map(|die| die.faces().len()).sum::<usize>() <= MAX_FACES {
                value["faces"] = dice.iter().map(|die| json!(die.faces())).collect();
                value["chances"] = dice.iter().map(chances).collect();
            }
            if !state.can_roll_all() {
                value["conditional"] = true.into();
            }
            value
        }
        Pending::Move { player, options, pass } => {
            let mut value = json!({"kind": "move", "player": words::ordinal(player), "options": options});
            if pass {
                value["pass"] = true.into();
            }
            value
        }
        Pending::Choice { player, options } => {
            json!({"kind": "choice", "player": words::ordinal(player), "options": options})
        }
    }
}

/// The chance of each face of a die, as `1/6`.
fn chances(die: &Die) -> Value {
    let one = |weight: &u32| Ratio::new(u128::from(*weight), u128::from(die.total())).to_string();
    die.weights().iter().map(one).collect()
}

/// How the game stands, as the protocol says it.
pub fn state_json(state: &State) -> Value {
    let over = state.over();
    let mut value = json!({
        "over": over.is_some(),
        "winner": over.and_then(|over| over.winner).map(words::ordinal),
        "reason": over.map(|over| over.reason.clone()),
    });
    if let Some(points) = over.and_then(|over| over.points) {
        // Half points are the only fractions, and binary fractions can write them.
        let number = |halves: &i32| if halves % 2 == 0 { json!(halves / 2) } else { json!(f64::from(*halves) / 2.0) };
        value["points"] = points[..state.ruleset().variant.sides()].iter().map(number).collect();
    }
    let winners = words::winners(state);
    if winners.len() > 1 {
        value["winners"] = winners.into_iter().map(words::ordinal).collect();
    }
    value
}

/// The answer to a panic.
pub fn internal() -> Fault {
    Fault::new(INTERNAL, "this program has a fault that this request brought to light; it goes on")
}
