//! `turns`: the complete turns of a roll, or of all rolls.

use super::args::Turns;
use super::chosen_game::{begin, load, roll};
use super::failure::{Answer, input, of_rule};
use super::stderr::tell;
use astragal_core::{State, Status};
use astragal_dsl::{Loaded, game_text};
use astragal_service::analysis::turns::{self, CompleteTurn, Listed, Listing};
use serde_json::{Value, json};
use std::io::Write;

/// `astragal turns`.
pub(super) fn turns(args: &Turns, out: &mut impl Write) -> Answer {
    let loaded = load(&args.variant, &args.choice)?;
    let mut game = begin(&loaded, &args.choice)?;
    if let Some(result) = game_text::result(game.state()) {
        return Err(input(format!("the game is over: {result}")));
    }
    let turn = game.state().turn();
    roll(&loaded, &mut game, args.roll.as_deref())?;
    let state = game.state();
    if args.list {
        return list(args, &loaded, state, state.turn() != turn, out);
    }
    if state.status() == Status::Chance && state.turn() == turn {
        let all = turns::of_rolls(state).map_err(of_rule(&loaded))?;
        if !args.json {
            write!(out, "{}", turns::table(state, &all))?;
            return Ok(true);
        }
        let one = |roll: &turns::OfRoll| {
            let mut value = as_json(&roll.turns);
            value["roll"] = match game_text::drawn(state).is_empty() {
                true => json!(roll.faces),
                false => json!([game_text::rolled(state, &roll.faces)]),
            };
            value["chance"] = roll.chance.to_string().into();
            value
        };
        writeln!(out, "{}", json!({"version": 1, "rolls": all.iter().map(one).collect::<Vec<_>>()}))?;
        return Ok(true);
    }
    let found = match state.turn() == turn {
        true => turns::of_decision(state).map_err(of_rule(&loaded))?,
        false => Default::default(),
    };
    if args.json {
        let mut value = as_json(&found);
        value["version"] = 1.into();
        writeln!(out, "{value}")?;
    } else {
        writeln!(out, "{}", turns::text(&found))?;
    }
    Ok(true)
}

/// Lists the turns; none if the roll has `passed` the turn.
fn list(args: &Turns, loaded: &Loaded, state: &State, passed: bool, out: &mut impl Write) -> Answer {
    let asked = Listing { limit: args.limit, distinct: args.distinct };
    let found = match passed {
        false => turns::list(state, asked).map_err(of_rule(loaded))?,
        true => Listed { turns: Vec::new(), more: false },
    };
    let position = |turn: &CompleteTurn| game_text::position(loaded, &turn.state);
    if args.json {
        let one = |turn: &CompleteTurn| {
            let mut value = json!({"moves": turn.texts, "chance": turn.chance.to_string(), "position": position(turn)});
            if let Some(result) = game_text::result(&turn.state) {
                value["result"] = result.into();
            }
            value
        };
        let all: Vec<Value> = found.turns.iter().map(one).collect();
        writeln!(out, "{}", json!({"version": 1, "listed": all, "more": found.more}))?;
        return Ok(true);
    }
    let texts: Vec<String> = found.turns.iter().map(CompleteTurn::text).collect();
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    for (turn, text) in found.turns.iter().zip(&texts) {
        let result = game_text::result(&turn.state).map(|result| format!("  {result}")).unwrap_or_default();
        writeln!(out, "{text:width$}  {}{result}", position(turn))?;
    }
    match (found.turns.is_empty(), found.more) {
        (true, false) => writeln!(out, "no turn: no move or choice is possible")?,
        (_, true) => tell(&format!("showing only the first {}; for more, use --limit", found.turns.len())),
        (false, false) => {}
    }
    Ok(true)
}

fn as_json(found: &astragal_core::turns::Turns) -> Value {
    json!({
        "count": found.count,
        "max_dice": found.max_dice,
        "placements": found.placements,
        "winning": found.winning,
    })
}
