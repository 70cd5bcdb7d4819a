//! What people type about one game, done or refused in words: moves with their dice, choices, faces.
//!
//! It knows nothing of the session: the prompt, tests of scripts and hints at the prompt share it. What
//! is refused leaves the game as it was.

use astragal_core::{Event, Game, GameError, State, Status};
use astragal_dsl::explain::{self, ExplainError};
use astragal_dsl::game_text::AnswerError;
use astragal_dsl::notation::nearest;
use astragal_dsl::{Loaded, blame, game_text};
use thiserror::Error;

/// More moves than this are named by their squares: each name in algebraic notation is compared with all other moves.
pub(crate) const MANY: usize = 1000;

/// Why something that was typed is not done.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InputError {
    /// It is not permitted now, or nothing that could be; with what was perhaps meant.
    #[error("{}", .0.text)]
    Refused(Refusal),
    /// A rule of the script fails; with its place.
    #[error("{0}")]
    Rule(String),
}

/// Why something that was typed is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The reasons, for people.
    pub(crate) text: String,
    /// Whether the text also says why this is not permitted or what would be: then nothing is left to be added.
    pub(crate) is_explained: bool,
}

impl InputError {
    /// A game refuses an event, for reasons told in `text`.
    pub(crate) fn of_game(error: &GameError, text: String) -> InputError {
        match error {
            GameError::Rule(_) => InputError::Rule(text),
            _ => InputError::Refused(Refusal { text, is_explained: matches!(error, GameError::Move) }),
        }
    }

    fn of_word(error: &AnswerError) -> InputError {
        let is_explained = match error {
            AnswerError::Choice { .. } | AnswerError::Both { .. } => true,
            AnswerError::Notation(error) => error.help.is_some(),
            AnswerError::Die { .. }
            | AnswerError::Price { .. }
            | AnswerError::Two { .. }
            | AnswerError::Draw { .. }
            | AnswerError::NotNow { .. } => false,
        };
        InputError::Refused(Refusal { text: error.brief(), is_explained })
    }

    fn explained(text: String) -> InputError {
        InputError::Refused(Refusal { text, is_explained: true })
    }
}

/// Why an event cannot be; for a rule that fails, with the place in its script.
pub fn refusal(game: &Game, error: &GameError) -> String {
    match error {
        GameError::NotNow { offered, .. } => game_text::not_now(game.state(), offered),
        _ => error.to_string(),
    }
}

/// Makes a choice by its text.
///
/// # Errors
/// Why there is no such choice, or a rule fails.
pub(crate) fn choose(loaded: &Loaded, game: &mut Game, text: &str) -> Result<(), InputError> {
    InputHandler(Some(loaded)).choose(game, text)
}

/// Rolls the dice from the game's seed.
///
/// # Errors
/// Why no roll is due, or a rule fails.
pub(crate) fn roll(loaded: &Loaded, game: &mut Game) -> Result<(), InputError> {
    let rolled = game.roll().map(drop);
    rolled.map_err(|error| InputHandler(Some(loaded)).refused(game, &error))
}

/// Makes one move (perhaps with its die), choice or pass.
///
/// # Errors
/// Why it is not permitted, or a rule fails.
pub(crate) fn step(loaded: &Loaded, game: &mut Game, word: &str) -> Result<(), InputError> {
    InputHandler(Some(loaded)).step(game, word)
}

/// Does things to a game; with the variant at hand it tells why they are refused.
pub struct InputHandler<'a>(
    /// The variant.
    pub Option<&'a Loaded>,
);

impl InputHandler<'_> {
    /// Why an event cannot be, for people.
    pub fn refusal(&self, game: &Game, error: &GameError) -> String {
        match (self.0, error) {
            // The script is wrong: where, and in which position.
            (Some(loaded), GameError::Rule(error)) => blame(loaded, Some(game.state().position()), error).render(false),
            _ => refusal(game, error),
        }
    }

    pub(crate) fn refused(&self, game: &Game, error: &GameError) -> InputError {
        InputError::of_game(error, self.refusal(game, error))
    }

    /// Makes a choice by its text.
    ///
    /// # Errors
    /// Why there is no such choice, or a rule fails.
    pub fn choose(&self, game: &mut Game, text: &str) -> Result<(), InputError> {
        let index = game_text::find_choice(game.state(), text).map_err(|error| InputError::of_word(&error))?;
        game.choose(index).map_err(|error| self.refused(game, &error))
    }

    /// Makes one move (perhaps with its die), choice or pass.
    ///
    /// # Errors
    /// Why it is not permitted, or a rule fails.
    pub fn step(&self, game: &mut Game, word: &str) -> Result<(), InputError> {
        match game_text::find_answer(game.state(), word, None) {
            Ok(event) => game.apply(&event).map_err(|error| self.refused(game, &error)),
            Err(_) if game_text::is_pass(word) => game.pass().map_err(|error| self.refused(game, &error)),
            Err(error @ AnswerError::Choice { .. }) => Err(InputError::of_word(&error)),
            Err(error) => Err(self.meant(game, word, &error)),
        }
    }

    /// Why a text is no permitted move, with what was perhaps meant.
    fn meant(&self, game: &Game, text: &str, error: &AnswerError) -> InputError {
        if let (Some(loaded), AnswerError::Notation(error)) = (self.0, error) {
            match explain::why(loaded, game, text) {
                Ok(said) if !said.permitted => {
                    let help = error.help.as_ref().map(|help| format!("\n  {help}")).unwrap_or_default();
                    return InputError::explained(format!("{}{help}", said.text()));
                }
                Err(none @ ExplainError::NoSquare { .. }) => {
                    return InputError::Refused(Refusal { text: none.to_string(), is_explained: false });
                }
                _ => {}
            }
        }
        let said = format!("{}{}", error.brief(), instead(game.state()));
        if said.contains("did you mean") || game.status() != Status::Move {
            return InputError::of_word(error);
        }
        let mut answers = moves(game);
        answers.extend(game_text::choices(game.state()));
        match nearest(text, answers.iter().map(String::as_str)) {
            Some(near) => InputError::explained(format!("{said}; did you mean '{near}'?")),
            None if game.state().choices().is_empty() => InputError::of_word(error),
            None => InputError::explained(said),
        }
    }
}

/// An event as it can be typed in `state`: a move with the dice that pay for it, if they have to be named.
pub fn event(state: &State, event: &Event) -> String {
    match event {
        Event::Move(paid) => game_text::typed_move(state, *paid),
        Event::Choice(index) => {
            let text = game_text::choices(state).get(*index).cloned().unwrap_or_default();
            match game_text::find_answer(state, &text, None) {
                Err(AnswerError::Both { .. }) => format!("choose {text}"),
                _ => text,
            }
        }
        Event::Pass => "pass".into(),
        Event::Roll(faces) => game_text::rolled(state, faces),
    }
}

/// The permitted moves in algebraic notation (in coordinates, where there are very many), with the die before it
/// where that matters, sorted.
pub fn moves(game: &Game) -> Vec<String> {
    let state = game.state();
    if state.moves().len() > MANY {
        return game_text::options(state);
    }
    let mut texts: Vec<String> = state.moves().iter().map(|&paid| game_text::typed_move(state, paid)).collect();
    texts.sort();
    texts.dedup();
    texts
}

/// What may be chosen instead of the moves that have been named, as the end of a sentence; empty if nothing may.
pub fn instead(state: &State) -> String {
    match state.choices() {
        [] => String::new(),
        _ => format!(", or to choose: {}", game_text::choices(state).join(", ")),
    }
}

/// Faces of dice as they are typed: `2 3` or `2,3`.
///
/// # Errors
/// Which word is no face.
pub(crate) fn read_faces(text: &str) -> Result<Vec<i16>, String> {
    let parts = text.split([' ', ',', '\t']).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_err(|_| format!("expected faces of dice as '2 3', found '{part}'"))).collect()
}
