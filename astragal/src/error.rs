//! The error type of all functions of this crate.

use astragal_core::GameError;
use astragal_core::rule::RuleError;
use astragal_dsl::LoadError;
use astragal_dsl::explain::ExplainError;
use astragal_dsl::game_text::AnswerError;
use astragal_dsl::notation::NotationError;
use astragal_dsl::record::RecordError;
use astragal_lab::opponent::OpponentError;
use astragal_lab::solve::table::TableError;
use astragal_service::analysis::AnalysisError;
pub use astragal_service::analysis::TooLarge;
use std::fmt;
use std::path::PathBuf;

/// The reason why an operation failed. The message names what was expected, what was found and, if possible, what would
/// work. The [`Debug`](fmt::Debug) form is the same message, so a `main` that returns it prints readable text.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A script was not found or has errors. [`Error::report`] shows the lines.
    #[error(transparent)]
    Script(LoadError),
    /// A text is not a position of the variant.
    #[error(transparent)]
    Position(NotationError),
    /// A game cannot continue from the position.
    #[error("{0}")]
    Start(String),
    /// A text does not name a move, choice or roll that is possible now.
    #[error(transparent)]
    Word(AnswerError),
    /// The game does not allow it now.
    #[error(transparent)]
    Game(GameError),
    /// A rule of the script failed.
    #[error(transparent)]
    Rule(RuleError),
    /// A record has errors.
    #[error(transparent)]
    Record(RecordError),
    /// The result is too large to compute.
    #[error(transparent)]
    TooLarge(TooLarge),
    /// The computation was stopped on request.
    #[error("stopped")]
    Stopped,
    /// The game has no side with this number.
    #[error("there is no side {side}: the sides are 0 to {}", sides.saturating_sub(1))]
    NoSide {
        /// The requested number.
        side: usize,
        /// The available number.
        sides: usize,
    },
    /// There is no such opponent.
    #[error(transparent)]
    Opponent(OpponentError),
    /// The opponent does not decide here.
    #[error(transparent)]
    Player(astragal_computer::PlayerError),
    /// A file is not a table of solved states, or is for other rules.
    #[error("{}: {why}", file.display())]
    Table {
        /// The file.
        file: PathBuf,
        /// The reason.
        why: TableError,
    },
    /// The text to explain is not a move.
    #[error(transparent)]
    Explain(ExplainError),
    /// The decision was already made.
    #[error("this decision has already been made: get the next turn from the game")]
    Made,
}

impl Error {
    /// The error for people: for a script, with its lines and a mark under the place.
    pub fn report(&self) -> String {
        match self {
            Error::Script(error) => error.render(false),
            other => format!("error: {other}\n"),
        }
    }
}

/// The output of `unwrap` and of a `main` that returns an error: the message, followed by the lines of a script with
/// errors.
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
