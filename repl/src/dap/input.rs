//! The inputs of the thread that answers: messages of the client, and reports of the game.

use super::report::Report;

/// An input of the thread that answers.
pub(super) enum Input {
    /// A message of the client.
    Message(serde_json::Value),
    /// The client has disconnected, or has sent bytes that are not a message.
    Closed,
    /// A report of the thread that plays the game.
    Report(Report),
}
