//! Sequences of events, as people type them: moves with their dice, choices, passes, faces of rolls.

use super::AnalysisError;
use astragal_core::{Event, Game, State, Status};
use astragal_dsl::game_text::{self, AnswerError};

/// Splits off the first event to apply in `state`, and returns it with the rest. A choice may have several words; the
/// longest match is taken, with or without `choose` before it. All other events are one word.
pub fn first<'a>(state: &State, text: &'a str) -> (&'a str, &'a str) {
    let text = text.trim();
    let chosen = text.strip_prefix("choose ").filter(|_| !state.choices().is_empty());
    let words = chosen.map_or(text, str::trim_start);
    let word = words.find(char::is_whitespace).unwrap_or(words.len());
    let begins = |choice: &String| {
        let head = words.get(..choice.len()).filter(|head| head.eq_ignore_ascii_case(choice))?;
        let whole = words[head.len()..].chars().next().is_none_or(char::is_whitespace);
        whole.then_some(head.len())
    };
    let choice = game_text::choices(state).iter().filter_map(begins).max();
    let (head, rest) = text.split_at(text.len() - words.len() + choice.unwrap_or(word));
    (head, rest.trim_start())
}

/// Applies a sequence of events such as `d1a4 assist`, `a1a2 6 b1b2` or `a1a2 c3`. Each must be an event that the game then
/// waits for. Faces of dice (`2 4` or `2,4`) and drawn squares may have the word `roll` before them. `die` pays for the
/// first move, which then does not have to name it. Returns the number of the turn that contains the last event.
///
/// # Errors
/// If one of the events is not legal; the game then stops before it.
pub fn follow(game: &mut Game, text: &str, mut die: Option<&[i16]>) -> Result<u32, AnalysisError> {
    let (mut rest, mut turn) = (text.trim(), game.state().turn());
    while !rest.is_empty() {
        turn = game.state().turn();
        rest = match game.status() {
            Status::Chance => roll(game, rest)?,
            _ => {
                let (word, more) = first(game.state(), rest);
                do_one(game, word, &mut die)?;
                more
            }
        };
    }
    Ok(turn)
}

/// Applies a roll with the faces at the start of a text: in one word, as `2,4`, or in one word per die. Returns the rest of
/// the text.
fn roll<'a>(game: &mut Game, text: &'a str) -> Result<&'a str, AnalysisError> {
    let state = game.state();
    let dice = state.dice().map_or(1, |dice| dice.dice.len());
    let (word, more) = match first(state, text) {
        ("roll", faces) if !faces.is_empty() => first(state, faces),
        other => other,
    };
    let (mut shown, mut rest) = (faces(state, word)?, more);
    while shown.len() < dice {
        let (word, more) = first(state, rest);
        match faces(state, word) {
            Ok(further) if !further.is_empty() => shown.extend(further),
            _ => break,
        }
        rest = more;
    }
    game_text::roll(game, &shown)?;
    Ok(rest)
}

/// Whether a text begins with a possible result of the roll or draw that the game waits for, and not with a move.
pub fn begins_with_roll(state: &State, text: &str) -> bool {
    let (word, more) = first(state, text);
    faces(state, if word == "roll" { first(state, more).0 } else { word }).is_ok()
}

/// The faces that `word` names, or the number of the square to draw.
fn faces(state: &State, word: &str) -> Result<Vec<i16>, AnswerError> {
    game_text::read_roll(state, word).map_err(|why| match game_text::drawn(state).is_empty() {
        true => AnswerError::NotNow { waits: game_text::awaited(state), offered: "a move" },
        false => AnswerError::Draw { waits: game_text::waits(state), why },
    })
}

/// Makes one move, choice or pass.
fn do_one(game: &mut Game, word: &str, die: &mut Option<&[i16]>) -> Result<(), AnalysisError> {
    let event = match game_text::find_answer(game.state(), word, *die) {
        Err(_) if game_text::is_pass(word) => Event::Pass,
        found => found?,
    };
    if matches!(event, Event::Move(_)) {
        *die = None;
    }
    game.apply(&event)?;
    Ok(())
}
