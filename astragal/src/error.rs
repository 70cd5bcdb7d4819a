//! What can go wrong, for callers of any function here.

use astragal_core::GameError;
use astragal_core::rule::RuleError;
use astragal_dsl::LoadError;
use astragal_dsl::explain::ExplainError;
use astragal_dsl::game_text::AnswerError;
use astragal_dsl::notation::NotationError;
use astragal_dsl::record::RecordError;
use astragal_lab::opponent::OpponentError;
use astragal_service::analysis::AnalysisError;
pub use astragal_service::analysis::TooLarge;
use std::fmt;

/// Why something cannot be done. Its text says what was expected, what was found and, where it can, what would work. Its
/// [`Debug`](fmt::Debug) form is the text for people as well, so a `main` that returns it prints something readable.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A script cannot be found or is wrong. [`Error::report`] has the lines in question.
    #[error(transparent)]
    Script(LoadError),
    /// A text is no position of the variant.
    #[error(transparent)]
    Position(NotationError),
    /// A position is none that a game can go on from.
    #[error("{0}")]
    Start(String),
    /// A text names no move, choice or roll that can be made now.
    #[error(transparent)]
    Word(AnswerError),
    /// The game does not allow it now.
    #[error(transparent)]
    Game(GameError),
    /// A rule of the script has failed.
    #[error(transparent)]
    Rule(RuleError),
    /// A record is wrong.
    #[error(transparent)]
    Record(RecordError),
    /// There is too much of something to be worked out.
    #[error(transparent)]
    TooLarge(TooLarge),
    /// Somebody has asked to stop.
    #[error("stopped")]
    Stopped,
    /// The game has no side of this number.
    #[error("there is no side number {side}: the sides are 0 to {}", sides.saturating_sub(1))]
    NoSide {
        /// What was asked for.
        side: usize,
        /// How many there are.
        sides: usize,
    },
    /// There is no such opponent.
    #[error(transparent)]
    Opponent(OpponentError),
    /// An opponent does not decide here.
    #[error(transparent)]
    Player(astragal_computer::PlayerError),
    /// What is to be explained is no move.
    #[error(transparent)]
    Explain(ExplainError),
    /// A decision is made once.
    #[error("this decision has been made: ask the game for its next turn")]
    Made,
}

impl Error {
    /// The error for people: of a script with its lines, and marks under what is meant.
    pub fn report(&self) -> String {
        match self {
            Error::Script(error) => error.render(false),
            other => format!("error: {other}\n"),
        }
    }
}

/// What `unwrap` and a `main` that returns an error print: the message, and the lines of a wrong script below it.
///
/// ```
/// let error = astragal::load("dice-ches").unwrap_err();
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Script(LoadError::Script(_)) => write!(f, "{self}\n\n{}", self.report().trim_end()),
            other => write!(f, "{other}"),
        }
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Error {
        Error::Script(error)
    }
}

impl From<NotationError> for Error {
    fn from(error: NotationError) -> Error {
        Error::Position(error)
    }
}

impl From<AnswerError> for Error {
    fn from(error: AnswerError) -> Error {
        Error::Word(error)
    }
}

impl From<GameError> for Error {
    fn from(error: GameError) -> Error {
        match error {
            GameError::Rule(error) => Error::Rule(error),
            other => Error::Game(other),
        }
    }
}

impl From<RuleError> for Error {
    fn from(error: RuleError) -> Error {
        Error::Rule(error)
    }
}

impl From<RecordError> for Error {
    fn from(error: RecordError) -> Error {
        Error::Record(error)
    }
}

impl From<AnalysisError> for Error {
    fn from(error: AnalysisError) -> Error {
        match error {
            AnalysisError::Word(error) => error.into(),
            AnalysisError::Game(error) => error.into(),
            AnalysisError::TooLarge(error) => error.into(),
            AnalysisError::Stopped => Error::Stopped,
        }
    }
}

impl From<TooLarge> for Error {
    fn from(error: TooLarge) -> Error {
        Error::TooLarge(error)
    }
}

impl From<OpponentError> for Error {
    fn from(error: OpponentError) -> Error {
        Error::Opponent(error)
    }
}

impl From<astragal_computer::PlayerError> for Error {
    fn from(error: astragal_computer::PlayerError) -> Error {
        Error::Player(error)
    }
}

impl From<ExplainError> for Error {
    fn from(error: ExplainError) -> Error {
        Error::Explain(error)
    }
}
