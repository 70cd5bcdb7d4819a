//! `odds`: probabilities, as text or JSON.

use super::args::Odds;
use super::chosen_game::{begin, load, roll};
use super::failure::{Answer, Failure, input, of_rule};
use crate::tables;
use astragal_computer::{apply, legal_events};
use astragal_core::odds::Certainty;
use astragal_core::{Event, Game, Note, Ratio, Status};
use astragal_dsl::{Loaded, game_text};
use astragal_lab::solve::Interval;
use astragal_service::analysis::chance::Chance;
use astragal_service::analysis::{self, AnalysisError, NextRoll, Outcome, known, odds_text, sequence};
use astragal_service::interrupt;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// `astragal odds`.
pub(super) fn odds(args: &Odds, out: &mut impl Write) -> Answer {
    let loaded = load(&args.variant, &args.choice)?;
    let mut game = begin(&loaded, &args.choice)?;
    let turn = game.state().turn();
    if game.state().over().is_none() {
        roll(&loaded, &mut game, args.roll.as_deref())?;
    }
    if let Some(result) = game_text::result(game.state()) {
        return Err(input(format!("the game is over: {result}")));
    }
    if game.state().turn() != turn {
        return over_with_roll(args, &game, out);
    }
    match args.time {
        Some(time) => interrupt::estimating(time, || told(args, &loaded, game, out)),
        None => told(args, &loaded, game, out),
    }
}

fn failed(loaded: &Loaded) -> impl Fn(AnalysisError) -> Failure {
    move |error| match error {
        AnalysisError::Stopped => input("stopped before the first result: allow more time with --time"),
        other => of_rule(loaded)(other),
    }
}

/// The chances, and the value of the game if a table has it.
fn told(args: &Odds, loaded: &Loaded, game: Game, out: &mut impl Write) -> Answer {
    if args.tables.is_empty() {
        return of_game(args, loaded, game, out);
    }
    let tables = tables::read_all(&args.tables, loaded).map_err(input)?;
    let side = game.state().chooser();
    let value = known::value(game.state(), &tables).map_err(of_rule(loaded))?;
    let mut text = Vec::new();
    let done = of_game(args, loaded, game, &mut text)?;
    if args.json {
        let mut answer: Value = serde_json::from_slice(&text).map_err(io::Error::from)?;
        answer["value"] = value.map_or(Value::Null, |value| json!([value.low, value.high]));
        writeln!(out, "{answer}")?;
        return Ok(done);
    }
    out.write_all(&text)?;
    let name = game_text::side_name(&loaded.set.variant, side);
    match value {
        Some(Interval { low, high }) if high - low > 1e-6 => {
            writeln!(out, "{name} can expect {low:+.6} to {high:+.6} points (from the table)")?;
        }
        Some(Interval { low, high }) => {
            writeln!(out, "{name} can expect {:+.6} points (exact, from the table)", (low + high) / 2.0)?;
        }
        None => writeln!(out, "the table lacks some of the positions after this turn")?,
    }
    Ok(done)
}

fn of_game(args: &Odds, loaded: &Loaded, game: Game, out: &mut impl Write) -> Answer {
    match &args.mv {
        Some(mv) => of_events(args, loaded, game, mv, out),
        None if game.status() == Status::Chance => of_roll(args, loaded, &game, out),
        None => of_all(args, loaded, &game, out),
    }
}

/// Reports that the given roll has ended the turn.
fn over_with_roll(args: &Odds, game: &Game, out: &mut impl Write) -> Answer {
    let lost = game.entries().iter().flat_map(|entry| &entry.notes).any(Note::is_lost);
    let text = match (args.json, lost) {
        (true, true) => json!({"version": 1, "lost": true}).to_string(),
        (true, false) => json!({"version": 1, "over": true}).to_string(),
        (false, true) => "The turn is lost.".into(),
        (false, false) => "This roll ends the turn.".into(),
    };
    writeln!(out, "{text}")?;
    Ok(true)
}

fn of_events(args: &Odds, loaded: &Loaded, mut game: Game, mv: &str, out: &mut impl Write) -> Answer {
    if game.status() == Status::Chance && !sequence::begins_with_roll(game.state(), mv) {
        let waits = game_text::waits(game.state());
        return Err(input(format!("the game is waiting for {waits}: add --roll")));
    }
    let die = Some(&args.die[..]).filter(|die| !die.is_empty());
    let turn = sequence::follow(&mut game, mv, die).map_err(of_rule(loaded))?;
    let outcomes = analysis::outcomes(loaded, game.state(), turn).map_err(failed(loaded))?;
    match args.json {
        true => writeln!(out, "{}", json!({"version": 1, "move": mv, "outcomes": outcomes_json(&outcomes)}))?,
        false => write!(out, "{}", odds_text::outcomes(&outcomes))?,
    }
    Ok(true)
}

fn of_roll(args: &Odds, loaded: &Loaded, game: &Game, out: &mut impl Write) -> Answer {
    let roll = analysis::next_roll(game.state()).map_err(failed(loaded))?;
    match args.json {
        true => writeln!(out, "{}", roll_json(loaded, &roll))?,
        false => write!(out, "{}", odds_text::next_roll(&loaded.set.variant, &roll))?,
    }
    Ok(true)
}

fn roll_json(loaded: &Loaded, roll: &NextRoll) -> Value {
    let name = |kind| loaded.set.variant.kind(kind).name.clone();
    let told = |chance| Chance::of(chance, roll.certainty).json().0;
    let kinds: Map<String, Value> = roll.kinds.iter().map(|(kind, chance)| (name(*kind), told(*chance))).collect();
    let table = |list: &[(String, Ratio)]| -> Map<String, Value> {
        list.iter().map(|(text, chance)| (text.clone(), told(*chance))).collect()
    };
    let lost = roll.lost.unwrap_or(Ratio::ZERO);
    let mut value =
        json!({"version": 1, "dice": roll.dice, "lost": told(lost), "over": told(roll.over), "movable": kinds});
    match roll.certainty {
        Certainty::Exact => {}
        Certainty::Within(bound) => value["bound"] = bound.into(),
        Certainty::Drawn(samples) => value["samples"] = samples.into(),
    }
    let more = [("labels", &roll.labels), ("drawn", &roll.drawn), ("ended", &roll.ended), ("choices", &roll.choices)];
    for (key, list) in more.into_iter().filter(|(_, list)| !list.is_empty()) {
        value[key] = table(list).into();
    }
    value
}

/// The odds of every legal decision with more than one outcome; the others are counted.
fn of_all(args: &Odds, loaded: &Loaded, game: &Game, out: &mut impl Write) -> Answer {
    let state = game.state();
    let (turn, mut certain, mut open) = (state.turn(), 0, Vec::new());
    let events = legal_events(state);
    let mut left = events.len();
    let count = events.len();
    for (number, event) in events.into_iter().enumerate() {
        let mut next = state.clone();
        let found = interrupt::share(count - number, || {
            apply(&mut next, &event)?;
            analysis::outcomes(loaded, &next, turn)
        });
        let outcomes = match found {
            Err(AnalysisError::Stopped) if interrupt::stop_requested() => break,
            Err(AnalysisError::Stopped) => continue,
            found => found.map_err(of_rule(loaded))?,
        };
        left -= 1;
        match outcomes.len() {
            1 => certain += 1,
            _ => open.push((event, outcomes)),
        }
    }
    let text = |event: &Event| match event {
        Event::Move(paid) => astragal_dsl::game_text::typed_move(state, *paid),
        other => odds_text::event(state, other),
    };
    if args.json {
        let key = |event: &Event| if matches!(event, Event::Choice(_)) { "choice" } else { "move" };
        let one = |(event, outcomes): &(Event, Vec<Outcome>)| {
            let mut value = Map::new();
            value.insert(key(event).into(), text(event).into());
            value.insert("outcomes".into(), outcomes_json(outcomes));
            Value::from(value)
        };
        let all: Vec<Value> = open.iter().map(one).collect();
        let mut value = json!({"version": 1, "certain": certain, "moves": all});
        if left > 0 {
            value["left"] = left.into();
        }
        writeln!(out, "{value}")?;
        return Ok(true);
    }
    for (event, outcomes) in &open {
        let parts: Vec<String> = outcomes.iter().map(|o| format!("{} {}", o.what(), o.chance().figure())).collect();
        writeln!(out, "{}: {}", text(event), parts.join(", "))?;
    }
    let what = if state.status() == Status::Choice { "choices" } else { "moves" };
    if certain > 0 {
        writeln!(out, "Not listed: {what} with only one possible outcome ({certain})")?;
    }
    write!(out, "{}", odds_text::stopped(state, left))?;
    Ok(true)
}

fn outcomes_json(outcomes: &[Outcome]) -> Value {
    let one = |o: &Outcome| {
        let (probability, more) = o.chance().json();
        let mut value = json!({"probability": probability, "effect": o.effect, "position": o.position});
        more.into_iter().for_each(|(key, number)| value[key] = number);
        if !o.drawn.is_empty() {
            value["drawn"] = o.drawn.clone().into();
        }
        value
    };
    outcomes.iter().map(one).collect()
}
