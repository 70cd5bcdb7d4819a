//! Applies text input to a game: moves with their dice, choices, faces. Refusals come with a reason.
//!
//! It knows nothing of the session: the prompt, tests of scripts and hints at the prompt share it. A refused input leaves
//! the game unchanged.

use astragal_core::{Event, Game, GameError, State, Status};
use astragal_dsl::explain::{self, ExplainError};
use astragal_dsl::game_text::AnswerError;
use astragal_dsl::notation::nearest;
use astragal_dsl::{Loaded, blame, game_text};
use thiserror::Error;

/// If there are more moves than this, they are named by their squares. Algebraic notation compares each move with all
/// others.
pub(crate) const MANY: usize = 1000;

/// Why input is not applied.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InputError {
    /// The input is not legal now, or is unknown; with a suggestion.
    #[error("{}", .0.text)]
    Refused(Refusal),
    /// A rule of the script fails; with its place.
    #[error("{0}")]
    Rule(String),
}

/// Why input is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The reasons as text.
    pub(crate) text: String,
    /// Whether the text already explains why the input is not legal or what would be; then nothing is added.
    pub(crate) is_explained: bool,
}

impl InputError {
    /// The error for an event that a game refuses, with the reasons in `text`.
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

/// Why an event is not possible; for a rule that fails, with its place in the script.
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

/// Makes one move (with or without its die), choice or pass.
///
/// # Errors
/// Why it is not legal, or a rule fails.
pub(crate) fn step(loaded: &Loaded, game: &mut Game, word: &str) -> Result<(), InputError> {
    InputHandler(Some(loaded)).step(game, word)
}

/// Applies input to a game. With a variant, it can explain refusals.
pub struct InputHandler<'a>(
    /// The variant.
    pub Option<&'a Loaded>,
);

impl InputHandler<'_> {
    /// Why an event is not possible, as text.
    pub fn refusal(&self, game: &Game, error: &GameError) -> String {
        match (self.0, error) {
            // The script is wrong: show where, and in which position.
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

    /// Makes one move (with or without its die), choice or pass.
    ///
    /// # Errors
    /// Why it is not legal, or a rule fails.
    pub fn step(&self, game: &mut Game, word: &str) -> Result<(), InputError> {
        match game_text::find_answer(game.state(), word, None) {
            Ok(event) => game.apply(&event).map_err(|error| self.refused(game, &error)),
            Err(_) if game_text::is_pass(word) => game.pass().map_err(|error| self.refused(game, &error)),
            Err(error @ AnswerError::Choice { .. }) => Err(InputError::of_word(&error)),
            Err(error) => Err(self.meant(game, word, &error)),
        }
    }

    /// Why a text is not a legal move, with a suggestion.
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

/// An event as it can be typed in `state`: a move with the dice that pay for it, if they must be named.
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

/// The legal moves, sorted, in algebraic notation, or in coordinates if there are very many. The die comes first where it
/// matters.
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

/// The choices besides the moves that have been listed, as the end of a sentence; empty if there are none.
pub fn instead(state: &State) -> String {
    match state.choices() {
        [] => String::new(),
        _ => format!(", or to choose: {}", game_text::choices(state).join(", ")),
    }
}

/// Faces of dice as they are typed: `2 3` or `2,3`.
///
/// # Errors
/// The word that is not a face.
pub(crate) fn read_faces(text: &str) -> Result<Vec<i16>, String> {
    let parts = text.split([' ', ',', '\t']).filter(|part| !part.is_empty());
    parts
        .map(|part| part.parse().map_err(|_| format!("expected faces of dice such as '2 3', found '{part}'")))
        .collect()
}
