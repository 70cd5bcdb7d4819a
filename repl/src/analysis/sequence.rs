//! Several events in a row, as people type them: moves with their dice, choices, passes, faces of rolls.

use super::AnalysisError;
use crate::prompt::typed::{die_prefix, read_faces};
use astragal_core::{Game, State, Status};
use astragal_dsl::words::{self, WordError};

/// Splits off the first thing to be done in `state`, and what comes after it: a choice may have several words,
/// of which the most are taken; all else is one word.
pub fn first<'a>(state: &State, text: &'a str) -> (&'a str, &'a str) {
    let text = text.trim();
    let word = text.find(char::is_whitespace).unwrap_or(text.len());
    let begins = |choice: &String| {
        let head = text.get(..choice.len()).filter(|head| head.eq_ignore_ascii_case(choice))?;
        let whole = text[head.len()..].chars().next().is_none_or(char::is_whitespace);
        whole.then_some(head.len())
    };
    let choice = words::choices(state).iter().filter_map(begins).max();
    let (head, rest) = text.split_at(choice.unwrap_or(word));
    (head, rest.trim_start())
}

/// Does one thing after another, as `d1a4 assist` or `a1a2 6 b1b2`: what the game waits for each time. `die` pays
/// for the first move, if that does not name its own. Returns the number of the turn in which the last was done.
///
/// # Errors
/// If one of them is not permitted; the game is then where that was to be done.
pub fn follow(game: &mut Game, text: &str, mut die: Option<&[i16]>) -> Result<u32, AnalysisError> {
    let (mut rest, mut turn) = (text.trim(), game.state().turn());
    while !rest.is_empty() {
        turn = game.state().turn();
        let (word, more) = first(game.state(), rest);
        do_one(game, word, &mut die)?;
        rest = more;
    }
    Ok(turn)
}

fn do_one(game: &mut Game, word: &str, die: &mut Option<&[i16]>) -> Result<(), AnalysisError> {
    let state = game.state();
    match state.status() {
        Status::Choice => {
            let index = words::find_choice(state, word)?;
            game.choose(index)?;
        }
        Status::Chance => {
            let waits = words::awaited(state);
            let faces = read_faces(word).map_err(|_| WordError::NotNow { waits, offered: "a move" })?;
            words::roll(game, &faces)?;
        }
        _ if words::is_pass(word) => game.pass()?,
        _ => {
            let (named, text) = die_prefix(word);
            let paid = words::find_move(state, text, named.as_deref().or(die.take()))?;
            game.play(paid)?;
        }
    }
    Ok(())
}
