//! One whole game of each variant, to be read.
//!
//! The games are kept as records in `data/games`: every roll, move and choice by name. Replaying them gives the texts
//! compared here; whatever the rules made of the events is worked out anew.

use crate::common::{DICE_VARIANTS, apply, text};
use astragal_core::odds::{next_roll, outcomes};
use astragal_core::{Event, Game, Kind, Note, Piece, Position, Ratio, Side, State, Status, attack};
use astragal_dsl::notation::{coord, fen, san};
use astragal_dsl::{Loaded, game_text, record};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The board is shown after so many turns.
const SHOWN: u32 = 10;

/// Lists up to this length are written out.
const LISTED: usize = 6;

/// A game as text: a head, then a line for each event, with its consequences by the rules.
fn transcript(loaded: &Loaded, game: &Game) -> String {
    let mut text = format!("{} ({})\n", loaded.title, loaded.name);
    let options = loaded.options.iter().filter(|option| option.chosen != option.default);
    let options: Vec<String> = options.map(|option| format!("{}={}", option.name, option.chosen)).collect();
    let _ = writeln!(text, "options: {}", if options.is_empty() { "default".into() } else { options.join(" ") });
    let _ = writeln!(text, "start: {}", fen::write(&loaded.set.variant, game.start()));
    board(loaded, game.start(), &mut text);
    let mut state = State::new(loaded.set.clone(), game.start().clone()).expect("a game");
    state.take_notes();
    let mut turn = None;
    for entry in game.entries() {
        if turn != Some(state.turn()) {
            turn = Some(state.turn());
            head(loaded, &state, &mut text);
        }
        let _ = write!(text, "{}", before(&state, &entry.event));
        let was = state.position().clone();
        apply(&mut state, &entry.event);
        let _ = writeln!(text, "{}", after(loaded, &was, &mut state));
    }
    let _ = writeln!(text, "\nend: {}", game_text::result(&state).unwrap_or_else(|| "unfinished".into()));
    let _ = writeln!(text, "{}", fen::write(&loaded.set.variant, state.position()));
    board(loaded, state.position(), &mut text);
    text
}

/// The placement as a picture.
fn board(loaded: &Loaded, position: &Position, text: &mut String) {
    for row in fen::placement(&loaded.set.variant, position).split('/') {
        let dots = |c: char| c.to_digit(10).map_or_else(|| c.to_string(), |empty| ".".repeat(empty as usize));
        let row: String = row.chars().map(dots).collect();
        let row: Vec<String> = row.chars().map(String::from).collect();
        let _ = writeln!(text, "      {}", row.join(" "));
    }
}

fn head(loaded: &Loaded, state: &State, text: &mut String) {
    let turn = state.turn() + 1;
    if turn > 1 && (turn - 1).is_multiple_of(SHOWN) {
        board(loaded, state.position(), text);
    }
    let _ = writeln!(text, "{turn}. {}", game_text::side_name(&loaded.set.variant, state.mover()));
}

/// What was rolled, played or chosen, and from which possibilities.
fn before(state: &State, event: &Event) -> String {
    match event {
        Event::Roll(faces) => {
            let dice = state.dice().expect("dice");
            format!("   {dice}: {}{}", game_text::faces(faces), chances(state))
        }
        Event::Move(paid) => {
            let price = state.price(*paid);
            let dice = if price.is_empty() { String::new() } else { format!("[{}] ", game_text::faces(&price)) };
            let squares = coord::write(&state.ruleset().variant, state.position(), paid.mv);
            format!("   {dice}{} ({squares}), {}", record::move_text(state, *paid), permitted(state))
        }
        Event::Pass => format!("   declines, {}", permitted(state)),
        Event::Choice(index) => {
            let choices = game_text::choices(state);
            let who = game_text::side_name(&state.ruleset().variant, state.chooser());
            format!("   {who} chooses {} of {}", choices[*index], choices.join(" "))
        }
    }
}

fn permitted(state: &State) -> String {
    let moves = game_text::distinct(state);
    let variant = &state.ruleset().variant;
    let names = moves.iter().map(|&mv| san::write(variant, state.position(), mv, &moves));
    match moves.len() {
        1 => "the only move".into(),
        n if n > LISTED => format!("one of {n}"),
        n => format!("one of {n}: {}", names.collect::<Vec<_>>().join(" ")),
    }
}

/// What a roll decides by itself, as exact chances: the result of a contest, or whether the turn is lost.
fn chances(state: &State) -> String {
    let mut sums = BTreeMap::<String, Ratio>::new();
    if is_contest(state) {
        for outcome in outcomes(state).expect("outcomes") {
            let label = outcome.state.label().unwrap_or("nothing").to_owned();
            *sums.entry(label).or_insert(Ratio::ZERO) += outcome.probability;
        }
    } else {
        for (probability, _, next) in next_roll(state).expect("rolls") {
            let label = if next.turn() > state.turn() { "lost" } else { "playable" };
            *sums.entry(label.to_owned()).or_insert(Ratio::ZERO) += probability;
        }
        sums.remove("playable");
    }
    let texts: Vec<String> = sums.iter().map(|(label, chance)| format!("{label} {chance}")).collect();
    if texts.is_empty() { String::new() } else { format!(" ({})", texts.join(", ")) }
}

/// Whether the dice decide about something already begun, rather than open a turn.
fn is_contest(state: &State) -> bool {
    state.label().is_none() && state.plan().is_none() && state.dice().is_some_and(|dice| dice.text.contains('+'))
}

/// What an event led to.
fn after(loaded: &Loaded, was: &Position, state: &mut State) -> String {
    let variant = &loaded.set.variant;
    let mut parts: Vec<String> = Vec::new();
    let now = state.position();
    let gone = |side| was.of(side).len().saturating_sub(now.of(side).len());
    for side in (0..variant.sides()).map(|side| Side(side as u8)) {
        if gone(side) > 0 {
            let lost = variant.kinds().iter().enumerate().filter_map(|(kind, def)| {
                let piece = Piece::new(side, Kind(kind as u8));
                let fewer = was.count(variant, piece).saturating_sub(now.count(variant, piece));
                (fewer > 0).then(|| def.name.clone())
            });
            parts.push(format!(
                "{} loses {}",
                game_text::side_name(variant, side),
                lost.collect::<Vec<_>>().join(", ")
            ));
        }
    }
    if let Some(label) = state.new_label() {
        parts.push(label.to_owned());
    }
    let notes = state.take_notes();
    parts.extend(notes.iter().filter(|note| note.is_lost()).map(|_| "the turn is lost".into()));
    if state.status() != Status::Over && notes.iter().any(|note| matches!(note, Note::Ended(_))) {
        let next = state.position().side();
        if attack::in_check(variant, state.position(), next) {
            parts.push(format!("royal of {} attacked", game_text::side_name(variant, next)));
        }
    }
    if parts.is_empty() { String::new() } else { format!(" -> {}", parts.join("; ")) }
}

fn check(name: &str) {
    let pgn = text(&format!("games/{name}.pgn"));
    let read = record::read(&pgn, astragal_dsl::load_named);
    let (loaded, game) = read.unwrap_or_else(|error| panic!("games/{name}.pgn: {error}"));
    assert_eq!(loaded.name, name);
    let text = transcript(&loaded, &game);
    assert!((1_500..10_240).contains(&text.len()), "{name}: {} bytes", text.len());
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("game-{name}"), text);
    });
}

#[test]
fn chess() {
    check("chess");
}

#[test]
fn xiangqi() {
    check("xiangqi");
}

#[test]
fn games_with_dice() {
    DICE_VARIANTS.into_iter().for_each(check);
}
