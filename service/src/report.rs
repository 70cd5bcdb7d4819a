//! What the prompt says about a game: what happened, and what it waits for.

use crate::drawing::board::{self, BoardDrawing, Theme};
use crate::drawing::sidebar;
use crate::input;
use astragal_core::{Event, Game, Move, Side, State, Status};
use astragal_dsl::notation::fen::Placed;
use astragal_dsl::printable::printable;
use astragal_dsl::{Loaded, record, view, words};
use unicode_width::UnicodeWidthStr;

/// Lists of moves up to this length are shown at once.
const FEW: usize = 10;

/// More moves than this are named by their squares: each name in algebraic notation is compared with all other moves.
const MANY: usize = 1000;

/// What the events from number `from` on were and led to, one sentence a line, as `viewer` may know it.
pub fn events(game: &Game, from: usize, viewer: Option<Side>) -> String {
    let variant = &game.state().ruleset().variant;
    let mut out = String::new();
    let Ok(mut again) = words::restarted(game) else { return out };
    if from == 0 {
        out.extend(words::notes(variant, game.opening()).into_iter().map(|text| text + "\n"));
    }
    for (i, entry) in game.entries().iter().enumerate() {
        let before = again.state().clone();
        if again.apply(&entry.event).is_err() {
            return out;
        }
        if i < from {
            continue;
        }
        out.push_str(&happened(&before, &again, viewer));
    }
    out
}

/// What the last event of `game`, made in `before`, was and led to.
pub fn happened(before: &State, game: &Game, viewer: Option<Side>) -> String {
    let Some(entry) = game.entries().last() else { return String::new() };
    let mut out = format!("{}\n", view::event_text(before, &entry.event, viewer));
    for text in words::follow_ups(game, before.label()) {
        out.push_str(&sentence_of(&text));
    }
    out
}

/// A label of the script's becomes a sentence; what is one already stays.
fn sentence_of(text: &str) -> String {
    if text.ends_with('.') { format!("{text}\n") } else { format!("Outcome: {text}.\n") }
}

/// Whose turn it is and what is waited for, or how the game ended; before it, what only `viewer` knows.
pub fn status(game: &Game, viewer: Option<Side>) -> String {
    let state = game.state();
    let variant = &state.ruleset().variant;
    let who = words::side_name(variant, state.chooser());
    let line = match state.status() {
        Status::Over => words::result(state).unwrap_or_default(),
        Status::Chance => format!("{who} to roll {}.", state.dice().map_or(String::new(), |dice| dice.to_string())),
        Status::Choice if !view::knows_options(state, viewer) => format!("{who} chooses."),
        Status::Move if !view::knows_options(state, viewer) => format!("{who} to move."),
        Status::Choice => format!("{who} chooses: {}.", words::choices(state).join(", ")),
        Status::Move => {
            let count = count(game);
            let dice = state.unused().filter(|unused| !unused.is_empty());
            let dice = dice.map(|dice| format!(", dice left {}", words::faces(&dice))).unwrap_or_default();
            let pass = if state.can_pass() { " or pass" } else { "" };
            match count {
                n if n <= FEW => format!("{who} to move{dice}: {}{pass}.", moves(game).join(" ")),
                n => format!("{who} to move{dice}: {n} moves{pass}."),
            }
        }
    };
    let own = viewer.map(|side| (words::side_name(variant, side), view::own_secrets(state, side)));
    match own.filter(|(_, secrets)| !secrets.is_empty()) {
        Some((who, secrets)) => format!("Only {who} knows: {secrets}.\n{line}\n"),
        None => line + "\n",
    }
}

/// How many different moves are permitted, without names for very many.
fn count(game: &Game) -> usize {
    let state = game.state();
    if state.moves().len() > MANY { words::distinct(state).len() } else { moves(game).len() }
}

/// The permitted moves in algebraic notation (in coordinates, where there are very many), with the die before it
/// where that matters, sorted.
pub fn moves(game: &Game) -> Vec<String> {
    let state = game.state();
    if state.moves().len() > MANY {
        return words::moves(state);
    }
    let mut texts: Vec<String> = state.moves().iter().map(|&paid| input::move_text(state, paid)).collect();
    texts.sort();
    texts.dedup();
    texts
}

/// The last move made, to be marked on the board.
pub(crate) fn last_move(game: &Game) -> Option<Move> {
    game.entries().iter().rev().find_map(|entry| match entry.event {
        Event::Move(paid) => Some(paid.mv),
        _ => None,
    })
}

/// The widest screen that is counted on.
const SCREEN: usize = 80;

/// The board as it stands, and beside it what else belongs to the position; `open` says whether what may
/// be done now may be shown.
pub fn board(loaded: &Loaded, game: &Game, theme: Theme, open: bool) -> String {
    side_by_side(board::rows(&BoardDrawing::of(game, open), theme), sidebar::lines(loaded, game, theme, open))
}

/// A position as far as its text tells it, without a game.
pub fn masked_board(loaded: &Loaded, placed: &Placed, theme: Theme) -> String {
    let variant = &loaded.set.variant;
    let rows = board::rows(&BoardDrawing::plain(variant, &placed.position), theme);
    side_by_side(rows, sidebar::standing(variant, &placed.position, Some(&placed.masked), theme))
}

fn side_by_side(mut rows: Vec<String>, beside: Vec<String>) -> String {
    let width = rows.iter().map(|row| shown(row)).max().unwrap_or(0);
    let fits = |line: &String| width + 3 + shown(line) <= SCREEN;
    if beside.len() < rows.len() && beside.iter().all(fits) {
        for (row, line) in rows.iter_mut().zip(&beside) {
            let gap = width - shown(row) + 3;
            row.push_str(&format!("{}{line}", " ".repeat(gap)));
        }
    } else {
        rows.extend(beside);
    }
    rows.iter().map(|row| format!("{}\n", row.trim_end())).collect()
}

/// The columns that a text takes on screen, colours aside.
pub fn shown(text: &str) -> usize {
    let mut parts = text.split('\x1b');
    let first = parts.next().map_or(0, |part| part.width());
    first + parts.map(|part| part.split_once('m').map_or(0, |(_, rest)| rest.width())).sum::<usize>()
}

/// The turns of a game as `viewer` may know them, one round a line where two sides alternate.
pub fn history(game: &Game, viewer: Option<Side>) -> String {
    let variant = &game.state().ruleset().variant;
    let mut out = String::new();
    for turn in record::turns_for(game, viewer) {
        out.push_str(&format!("{:>3}. {:<8} {}\n", turn.number, words::side_name(variant, turn.side), turn.text));
    }
    if let Some(result) = words::result(game.state()) {
        out.push_str(&format!("{result}\n"));
    }
    out
}

/// The options of a variant with their values; the value in force is marked.
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
