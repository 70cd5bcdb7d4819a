//! Players as users name them: built-in ones, and external programs, `cmd:python3 bot.py`.
//!
//! Owns how a program is named, and that it runs without a shell; the protocol is in [`process`]. Only typed input and
//! command-line arguments name a program: files never do.

mod process;

pub(crate) use process::{Fault, PlayerProcess, ProgramPlayer, USUAL_TIME};

use astragal_dsl::Loaded;
use astragal_lab::learning::file;
use astragal_lab::opponent::Opponent;
use std::fmt;

/// The prefix of the command of a program that plays.
pub(crate) const PREFIX: &str = "cmd:";

/// A player that can be requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PlayerChoice {
    /// A built-in player.
    Own(Opponent),
    /// A program.
    Program(ProgramCommand),
}

impl PlayerChoice {
    /// Parses the name of a player: as [`Opponent::parse_with`] does, or `cmd:` and a command.
    ///
    /// # Errors
    /// A sentence that describes the error.
    pub(crate) fn parse(text: &str, loaded: &Loaded) -> Result<PlayerChoice, String> {
        let open = |name: Option<&str>| file::open(loaded, name);
        match text.strip_prefix(PREFIX) {
            Some(command) => ProgramCommand::parse(command).map(PlayerChoice::Program),
            None => Opponent::parse_with(text, &open).map(PlayerChoice::Own).map_err(|error| error.to_string()),
        }
    }
}

impl fmt::Display for PlayerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerChoice::Own(opponent) => opponent.fmt(f),
            PlayerChoice::Program(command) => command.fmt(f),
        }
    }
}

/// A program and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProgramCommand {
    /// The command as written.
    text: String,
    program: String,
    arguments: Vec<String>,
}

impl ProgramCommand {
    /// Parses a command such as `python3 bot.py --depth 3`. Arguments with blanks are in quotation marks, as in a shell. No
    /// shell runs, and no other characters are special.
    ///
    /// # Errors
    /// A sentence, if the command is empty or a quotation mark is missing.
    pub(crate) fn parse(text: &str) -> Result<ProgramCommand, String> {
        let text = text.trim().to_owned();
        let wrong =
            |why: &str| format!("expected a command such as {PREFIX}\"python3 bot.py\", found '{PREFIX}{text}': {why}");
        let words = shell_words::split(&text).map_err(|_| wrong("a quotation mark is missing"))?;
        let mut words = words.into_iter();
        let program = words.next().ok_or_else(|| wrong("the name of the program is missing"))?;
        let arguments = words.collect();
        Ok(ProgramCommand { text, program, arguments })
    }
}

impl fmt::Display for ProgramCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_named_by_a_command() {
        let loaded = astragal_dsl::load_named("dice-chess", &[]).expect("a variant");
        let parse = |text: &str| PlayerChoice::parse(text, &loaded);
        let PlayerChoice::Program(command) = parse("cmd:python3 'my bot.py' --depth 3").expect("a player") else {
            panic!("a program")
        };
        assert_eq!((command.program.as_str(), command.arguments.len()), ("python3", 3));
        assert_eq!(command.arguments[0], "my bot.py");
        assert_eq!(command.to_string(), "cmd:python3 'my bot.py' --depth 3");
        assert_eq!(parse("computer:2"), Ok(PlayerChoice::Own(Opponent::Computer(2))));
        for (text, part) in
            [("cmd:", "the name of the program is missing"), ("cmd:a 'b", "quotation mark"), ("gredy", "'greedy'")]
        {
            let why = parse(text).expect_err("no player");
            assert!(why.contains(part), "{why}");
        }
    }
}
