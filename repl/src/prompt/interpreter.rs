//! The interpreter of the prompt: it reads lines, and carries out the commands, moves and choices in them.
//!
//! It knows no terminal: the interactive prompt, pipes and tests all use it. A refused line changes nothing.

use super::commands;
use super::declaration::{Call, Command};
use super::session::{CommandResult, Reply, Session};
use astragal_core::Status;
use astragal_dsl::game_text;
use astragal_dsl::printable::printable;
use astragal_service::input;

/// The longest line that is accepted, in bytes.
pub(super) const MAX_LINE: usize = 10_000;

/// The longest word of a move or choice; longer words are not repeated in an answer.
const LONGEST_WORD: usize = 200;

impl Session {
    /// Carries out one line. First reloads the script if it has been edited.
    pub fn execute(&mut self, line: &str) -> Reply {
        self.stop.clone().during(|| self.executed(line))
    }

    fn executed(&mut self, line: &str) -> Reply {
        let news = self.reload();
        // Parts of the line that are repeated in the answer must not control the terminal.
        let mut reply = self.carry_out(&printable(line));
        if !news.is_empty() {
            reply.text.insert_str(0, &news);
        }
        reply
    }

    fn carry_out(&mut self, line: &str) -> Reply {
        let line = line.trim();
        if line.starts_with('#') {
            return Reply::default();
        }
        if line.len() > MAX_LINE {
            return Reply {
                text: format!("a line can have at most {MAX_LINE} bytes\n"),
                error: true,
                ..Reply::default()
            };
        }
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
        let (command, call) =
            (commands::find(word).filter(|_| !self.is_choice(line)), Call { rest, over: word.ends_with('!') });
        if let Some(mv) = self.spaced_move(word, rest).filter(|_| command.is_some()) {
            let text = format!("did you mean the move '{mv}'? Write it without a space.\n");
            return Reply { text, error: true, ..Reply::default() };
        }
        if command.is_some_and(|command| command.ends) {
            return Reply { done: true, ..Reply::default() };
        }
        let output = match command {
            _ if self.is_hidden() => self.while_hidden(command, line, call),
            _ if line.is_empty() => self.enter(),
            Some(command) => (command.body)(self, call),
            None => self.bare(line),
        };
        let verbatim = command.is_some_and(|command| command.verbatim);
        let paged = command.is_some_and(|command| command.paged);
        let goes_on = command.is_none_or(|command| command.then_computers);
        self.due = self.apart && goes_on && output.is_ok();
        let output = if goes_on && !self.apart { self.and_computers(output) } else { output };
        self.keep();
        let (aside, clear) = (std::mem::take(&mut self.aside), self.is_cleared());
        match output {
            Ok(text) => Reply { text: aside + text.as_str(), verbatim, clear, paged, ..Reply::default() },
            Err(why) => Reply { text: aside + with_break(why).as_str(), error: true, ..Reply::default() },
        }
    }

    /// Handles a line while everything is hidden: Enter shows the view, and few commands work.
    fn while_hidden(&mut self, command: Option<&Command>, line: &str, call: Call<'_>) -> CommandResult {
        match command.filter(|command| (command.heard)(call.rest)) {
            _ if line.is_empty() => {
                (self.observation.hidden, self.observation.clear) = (false, true);
                Ok(format!("{}{}", self.board(), self.standing()))
            }
            Some(command) => (command.body)(self, call),
            None => Err(format!("{} Then press Enter.", self.warning())),
        }
    }

    /// The legal move that a letter and the rest of the line form together, if the letter is also the short name of a
    /// command: `n f3` is `Nf3`, not a new game called `f3`.
    fn spaced_move(&self, word: &str, rest: &str) -> Option<String> {
        if word.len() != 1 || rest.is_empty() || !self.knows_options() || self.game.status() != Status::Move {
            return None;
        }
        let together = format!("{}{rest}", word.to_uppercase());
        input::moves(&self.game).into_iter().find(|mv| *mv == together)
    }

    fn is_choice(&self, line: &str) -> bool {
        game_text::choices(self.game.state()).iter().any(|choice| choice == line)
    }

    fn enter(&mut self) -> CommandResult {
        match self.game.status() {
            _ if self.acts_by_itself() => Ok(String::new()),
            Status::Chance => self.roll(""),
            _ => Ok(self.standing()),
        }
    }

    /// A line that does not begin with a command: a choice, or moves and choices one after another.
    fn bare(&mut self, line: &str) -> CommandResult {
        if let Some(long) = line.split_whitespace().find(|word| word.len() > LONGEST_WORD) {
            let begin: String = long.chars().take(20).collect();
            return Err(format!("'{begin}...' is neither a command nor a move"));
        }
        match self.play(line) {
            Ok(text) => Ok(text),
            Err(why) => {
                let first = line.split_whitespace().next().unwrap_or_default();
                if let Some(instead) = commands::of_game_files(first) {
                    return Err(format!("'{first}' only works in '.game' test files; here, {instead}"));
                }
                let understood = game_text::find_choice(self.game.state(), line).is_ok();
                match commands::near(first).filter(|_| !understood) {
                    // A word similar to a legal move is more likely a move than a command.
                    Some(near) if !why.contains("did you mean") => Err(format!("{why}; did you mean '{near}'?")),
                    _ => Err(why),
                }
            }
        }
    }

    /// The possible first words of a line: commands, moves and choices.
    pub fn vocabulary(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.knows_options() {
            all.extend(input::moves(&self.game));
            all.extend(game_text::choices(self.game.state()));
            all.extend(game_text::options(self.game.state()));
        }
        all.extend(commands::names());
        all.dedup();
        all
    }
}

fn with_break(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
