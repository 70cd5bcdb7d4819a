//! `odds`: exact chances, for people and as data.

use super::args::Odds;
use super::{Answer, Failure, input};
use crate::analysis::{self, NextRoll, Outcome, odds_text};
use astragal_core::{Game, Status};
use astragal_dsl::{Loaded, record, words};
use serde_json::{Value, json};
use std::io::Write;

/// `astragal odds`.
pub fn odds(args: &Odds, out: &mut impl Write) -> Answer {
    let loaded = super::load(&args.variant, &args.choice)?;
    let mut game = super::begin(&loaded, &args.choice)?;
    let turn = game.state().turn();
    if !args.roll.is_empty() && game.state().over().is_none() {
        words::roll(&mut game, &args.roll).map_err(input)?;
    }
    if let Some(result) = words::result(game.state()) {
        return Err(input(format!("the game is over: {result}")));
    }
    if game.state().turn() != turn {
        writeln!(
            out,
            "{}",
            if args.json { json!({"version": 1, "lost": true}).to_string() } else { "The turn is lost.".into() }
        )?;
        return Ok(true);
    }
    match &args.mv {
        Some(mv) => of_move(args, &loaded, game, mv, out),
        None if game.status() == Status::Chance => of_roll(args, &loaded, &game, out),
        None => of_all(args, &loaded, &game, out),
    }
}

fn of_move(args: &Odds, loaded: &Loaded, mut game: Game, mv: &str, out: &mut impl Write) -> Answer {
    if game.status() == Status::Chance {
        return Err(input(format!("the game waits for {}: give --roll, too", words::waits(game.state()))));
    }
    let outcomes = after(args, loaded, &mut game, mv)?;
    match args.json {
        true => writeln!(out, "{}", json!({"version": 1, "move": mv, "outcomes": outcomes_json(&outcomes)}))?,
        false => write!(out, "{}", odds_text::outcomes(&outcomes))?,
    }
    Ok(true)
}

fn after(args: &Odds, loaded: &Loaded, game: &mut Game, mv: &str) -> Result<Vec<Outcome>, Failure> {
    let die = Some(&args.die[..]).filter(|die| !die.is_empty());
    let turn = game.state().turn();
    analysis::after_words(game, mv, &[], die).map_err(input)?;
    analysis::outcomes(loaded, game.state(), turn).map_err(input)
}

fn of_roll(args: &Odds, loaded: &Loaded, game: &Game, out: &mut impl Write) -> Answer {
    let roll = analysis::next_roll(game.state()).map_err(input)?;
    match args.json {
        true => writeln!(out, "{}", roll_json(loaded, &roll))?,
        false => write!(out, "{}", odds_text::next_roll(&loaded.set.variant, &roll))?,
    }
    Ok(true)
}

fn roll_json(loaded: &Loaded, roll: &NextRoll) -> Value {
    let kinds: serde_json::Map<String, Value> = roll
        .kinds
        .iter()
        .map(|(kind, chance)| (loaded.set.variant.kind(*kind).name.clone(), chance.to_string().into()))
        .collect();
    json!({"version": 1, "dice": roll.dice, "lost": roll.lost.to_string(), "over": roll.over.to_string(), "movable": kinds})
}

/// Every permitted move whose end is open; the others are counted.
fn of_all(args: &Odds, loaded: &Loaded, game: &Game, out: &mut impl Write) -> Answer {
    let (turn, mut certain, mut open) = (game.state().turn(), 0, Vec::new());
    for &paid in game.state().moves() {
        let mut next = game.clone();
        next.play(paid).map_err(input)?;
        let outcomes = analysis::outcomes(loaded, next.state(), turn).map_err(input)?;
        match outcomes.len() {
            1 => certain += 1,
            _ => open.push((record::move_text(game.state(), paid), outcomes)),
        }
    }
    if args.json {
        let moves = open.iter().map(|(mv, outcomes)| json!({"move": mv, "outcomes": outcomes_json(outcomes)}));
        writeln!(out, "{}", json!({"version": 1, "certain": certain, "moves": moves.collect::<Vec<_>>()}))?;
        return Ok(true);
    }
    for (mv, outcomes) in &open {
        let parts: Vec<String> = outcomes.iter().map(|o| format!("{} {}", o.effect, o.probability)).collect();
        writeln!(out, "{mv}: {}", parts.join(", "))?;
    }
    writeln!(out, "{certain} moves have a certain outcome")?;
    Ok(true)
}

fn outcomes_json(outcomes: &[Outcome]) -> Value {
    let one =
        |o: &Outcome| json!({"probability": o.probability.to_string(), "effect": o.effect, "position": o.position});
    outcomes.iter().map(one).collect()
}
