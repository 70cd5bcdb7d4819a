//! Text about a game: the events so far, and what it waits for.

use crate::input;
use astragal_core::{Event, Game, Side, State, Status};
use astragal_dsl::printable::printable;
use astragal_dsl::{Loaded, game_text, record, turn_state_text, view};

/// Lists of moves up to this length are shown at once.
const FEW: usize = 10;

/// A roll that has been reported, for callers that draw it before its consequences are reported.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations)] // A state has too much to show.
pub struct ToldRoll<'a> {
    /// The state before the roll.
    pub before: &'a State,
    /// The rolled faces.
    pub faces: &'a [i16],
    /// The event just before it in the same turn, and the state before that event.
    pub after: Option<(&'a State, &'a Event)>,
}

/// The events from number `from` on and their results, one sentence per line, as far as `viewer` may know them.
pub fn events(game: &Game, from: usize, viewer: Option<Side>) -> String {
    events_with_dice(game, from, viewer, |_| String::new())
}

/// The same, with the output of `drawn` for each roll that `viewer` sees between the roll and its results.
pub fn events_with_dice(
    game: &Game,
    from: usize,
    viewer: Option<Side>,
    drawn: impl Fn(ToldRoll<'_>) -> String,
) -> String {
    let variant = &game.state().ruleset().variant;
    let mut out = String::new();
    let Ok(mut again) = turn_state_text::restarted(game) else { return out };
    if from == 0 {
        out.extend(game_text::notes(variant, game.opening()).into_iter().map(|event| event.text + "\n"));
    }
    let mut earlier: Option<(State, &Event)> = None;
    for (i, entry) in game.entries().iter().enumerate() {
        let before = again.state().clone();
        if again.apply(&entry.event).is_err() {
            return out;
        }
        if i >= from {
            let dice = match &entry.event {
                Event::Roll(faces) if view::sees(&before, viewer) => {
                    let after = earlier.as_ref().filter(|(state, _)| state.turn() == before.turn());
                    drawn(ToldRoll { before: &before, faces, after: after.map(|(state, event)| (state, *event)) })
                }
                _ => String::new(),
            };
            out.push_str(&told(&before, &again, viewer, &dice));
        }
        earlier = Some((before, &entry.event));
    }
    out
}

/// The last event of `game`, made in `before`, and its results.
pub(crate) fn happened(before: &State, game: &Game, viewer: Option<Side>) -> String {
    told(before, game, viewer, "")
}

/// The same, with the drawn `dice` before the results.
fn told(before: &State, game: &Game, viewer: Option<Side>, dice: &str) -> String {
    let Some(entry) = game.entries().last() else { return String::new() };
    let mut out = format!("{}\n{dice}", view::event_text(before, &entry.event, viewer));
    for event in game_text::follow_ups(game) {
        out.push_str(&sentence_of(&event.text));
    }
    out
}

/// Turns a label of the script into a sentence; sentences stay unchanged.
fn sentence_of(text: &str) -> String {
    if text.ends_with('.') { format!("{text}\n") } else { format!("Outcome: {text}.\n") }
}

/// The side to move and what the game waits for, or how the game ended; before it, what only `viewer` knows.
pub fn status(game: &Game, viewer: Option<Side>) -> String {
    let state = game.state();
    let variant = &state.ruleset().variant;
    let who = game_text::side_name(variant, state.chooser());
    let line = match state.status() {
        Status::Over => game_text::result(state).unwrap_or_default(),
        Status::Chance => format!("{who} to roll {}.", state.dice().map_or(String::new(), |dice| dice.to_string())),
        Status::Choice if !view::knows_options(state, viewer) => format!("{who} chooses."),
        Status::Move if !view::knows_options(state, viewer) => format!("{who} to move."),
        Status::Choice => {
            let pass = if state.can_pass() { " or pass" } else { "" };
            format!("{who} chooses: {}{pass}.", game_text::choices(state).join(", "))
        }
        Status::Move => {
            let count = count(game);
            let dice = state.unused().filter(|unused| !unused.is_empty());
            let dice = dice.map(|dice| format!(", dice left {}", game_text::faces(&dice))).unwrap_or_default();
            let pass = if state.can_pass() { " or pass" } else { "" };
            let instead = input::instead(state);
            let what = if state.names_move() { "to name a move" } else { "to move" };
            match count {
                n if n <= FEW => format!("{who} {what}{dice}: {}{pass}{instead}.", input::moves(game).join(" ")),
                n => format!("{who} {what}{dice}: {n} moves{pass}{instead}."),
            }
        }
    };
    let question = game_text::question(state).filter(|_| view::knows_options(state, viewer));
    let line = question.map_or(line.clone(), |question| format!("{question} {line}"));
    let own = viewer.map(|side| (game_text::side_name(variant, side), view::own_secrets_text(state, side)));
    match own.filter(|(_, secrets)| !secrets.is_empty()) {
        Some((who, secrets)) => format!("Only {who} knows: {secrets}.\n{line}\n"),
        None => line + "\n",
    }
}

/// The number of different legal moves, without computing names if there are very many.
fn count(game: &Game) -> usize {
    let state = game.state();
    if state.moves().len() > input::MANY { game_text::distinct(state).len() } else { input::moves(game).len() }
}

/// The turns of a game as far as `viewer` may know them, one round per line if two sides alternate.
pub fn history(game: &Game, viewer: Option<Side>) -> String {
    let variant = &game.state().ruleset().variant;
    let mut out = String::new();
    for turn in record::turns_for(game, viewer) {
        out.push_str(&format!("{:>3}. {:<8} {}\n", turn.number, game_text::side_name(variant, turn.side), turn.text()));
    }
    if let Some(result) = game_text::result(game.state()) {
        out.push_str(&format!("{result}\n"));
    }
    out
}

/// The options of a variant with their values; the current value is marked.
pub fn options(loaded: &Loaded) -> String {
    if loaded.options.is_empty() {
        return format!("{} has no options.\n", loaded.title);
    }
    let width = loaded.options.iter().map(|option| option.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for option in &loaded.options {
        let values = option.values.iter().map(|v| if *v == option.chosen { format!("[{v}]") } else { v.clone() });
        out.push_str(&format!("{:width$}  {}\n", option.name, values.collect::<Vec<_>>().join(" | ")));
        out.push_str(&format!("{:width$}  {}\n", "", option.why));
    }
    printable(&out).into_owned()
}
