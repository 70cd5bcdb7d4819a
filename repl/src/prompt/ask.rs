//! Questions about the position: `why`, `ask` and `perft`.

use super::session::{CommandResult, Session};
use astragal_dsl::explain::{self, ExplainError};
use astragal_dsl::question;
use astragal_service::analysis;

impl Session {
    /// The command `why`.
    pub(super) fn why(&self, rest: &str) -> CommandResult {
        if rest.is_empty() {
            return Err("write a move, as in 'why Nf3'; 'moves' lists the legal moves".into());
        }
        if !self.knows_options() {
            return Err(self.secret("the reason"));
        }
        let said = explain::why(&self.loaded, &self.game, rest).map_err(|error| match error {
            ExplainError::Notation(error) => format!("expected {}, found {}", error.expected, error.found),
            other => other.to_string(),
        })?;
        Ok(format!("{}\n", said.text()))
    }

    /// The command `ask`.
    pub(super) fn ask(&self, rest: &str) -> CommandResult {
        if rest.is_empty() {
            return Err("write a question, as in 'ask in_check(mover())'; see 'help ask'".into());
        }
        self.open_only("an answer")?;
        let answer = question::ask(&self.loaded, &self.game, rest);
        answer.map(|text| format!("{text}\n")).map_err(|error| error.render(self.layout()))
    }

    /// The command `perft`.
    pub(super) fn perft(&self, rest: &str) -> CommandResult {
        let (number, by_turns) = match rest.strip_suffix("turns").map(str::trim_end) {
            Some(number) => (number, true),
            None => (rest, false),
        };
        if number.is_empty() {
            return Err("write a number of moves, as in 'perft 3'".into());
        }
        let depth = number.parse().map_err(|_| format!("expected a number of moves, found '{number}'"))?;
        let state = self.game.state();
        if by_turns {
            self.open_only("the turns")?;
            let paths = analysis::turns::paths(state, depth);
            return paths.map(|paths| format!("{paths}\n")).map_err(|error| error.to_string());
        }
        let nodes = analysis::nodes(&self.loaded.set.variant, state.position(), depth);
        nodes.map(|nodes| format!("{nodes}\n")).map_err(|error| error.to_string())
    }
}
