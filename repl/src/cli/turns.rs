//! `turns`: the complete turns of a roll, or of all rolls.

use super::args::Turns;
use super::failure::of_rule;
use super::{Answer, input};
use astragal_core::Status;
use astragal_dsl::game_text;
use astragal_service::analysis::turns;
use serde_json::{Value, json};
use std::io::Write;

/// `astragal turns`.
pub(super) fn turns(args: &Turns, out: &mut impl Write) -> Answer {
    let loaded = super::load(&args.variant, &args.choice)?;
    let mut game = super::begin(&loaded, &args.choice)?;
    if let Some(result) = game_text::result(game.state()) {
        return Err(input(format!("the game is over: {result}")));
    }
    let turn = game.state().turn();
    super::roll(&loaded, &mut game, args.roll.as_deref())?;
    let state = game.state();
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

fn as_json(found: &astragal_core::turns::Turns) -> Value {
    json!({
        "count": found.count,
        "max_dice": found.max_dice,
        "placements": found.placements,
        "winning": found.winning,
    })
}
