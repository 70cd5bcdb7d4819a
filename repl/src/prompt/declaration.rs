//! The declaration of a prompt command: its name, its arguments, its purpose and its implementation.

use super::session::{CommandResult, Session};
use std::fmt;

/// The parts of a line that a command receives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    /// The text after the name.
    pub rest: &'a str,
    /// Whether the name ends in `!`: an existing file may be replaced.
    pub over: bool,
}

/// The kind of text after the name of a command.
#[derive(Clone, Copy)]
pub(super) enum Argument {
    /// Words; the function lists those that are useful now.
    Words(fn(&Session) -> Vec<String>),
    /// Words, or the name of a file if it looks like one.
    WordsOrFile(fn(&Session) -> Vec<String>),
    /// The name of a file.
    File,
    /// An expression in the script language, which may continue on the next line.
    Expression,
}

/// The purpose of commands; the help has a table for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Topic {
    /// Making moves, and taking them back.
    Playing,
    /// Viewing the game.
    Viewing,
    /// Starting another game.
    Starting,
    /// Games in files.
    Files,
    /// Reasons and odds.
    Analysis,
    /// Help and quitting.
    Program,
}

impl Topic {
    /// All topics, in the order of the help.
    pub(super) const ALL: [Topic; 6] =
        [Topic::Playing, Topic::Viewing, Topic::Starting, Topic::Files, Topic::Analysis, Topic::Program];

    /// Its name, for `help NAME`, and its description.
    pub(super) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Topic::Playing => ("playing", "moves, dice, the computer"),
            Topic::Viewing => ("viewing", "the board and how it is drawn"),
            Topic::Starting => ("starting", "new games, positions, options"),
            Topic::Files => ("files", "saving and loading games"),
            Topic::Analysis => ("analysis", "rules, reasons and odds"),
            Topic::Program => ("program", "help, leaving"),
        }
    }

    /// The topic with that name.
    pub(super) fn named(word: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.words().0.eq_ignore_ascii_case(word))
    }
}

/// A command of the prompt, declared once: see [`command`].
#[derive(Clone, Copy)]
pub struct Command {
    /// Its topic.
    pub(super) topic: Topic,
    /// Its name.
    pub name: &'static str,
    pub(super) aliases: &'static [&'static str],
    /// The arguments, for the help.
    pub(super) usage: &'static str,
    /// A one-line description.
    pub(super) about: &'static str,
    /// Details, shown by `help NAME`.
    pub(super) more: &'static str,
    pub(super) argument: Argument,
    /// Its implementation.
    pub(super) body: fn(&mut Session, Call<'_>) -> CommandResult,
    /// Whether a computer may act after it.
    pub(super) then_computers: bool,
    /// Whether its answer is for copying: lines are not wrapped.
    pub(super) verbatim: bool,
    /// Whether its answer is long text: if it exceeds the screen, it is shown page by page.
    pub(super) paged: bool,
    /// Whether it ends the session.
    pub(super) ends: bool,
    /// Whether it works, with this argument, while the game is hidden.
    pub(super) heard: fn(&str) -> bool,
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Command").field(&self.name).finish()
    }
}

/// A command without aliases or completion.
pub(super) const fn command(
    topic: Topic,
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    body: fn(&mut Session, Call<'_>) -> CommandResult,
) -> Command {
    Command {
        topic,
        name,
        aliases: &[],
        usage,
        about,
        more: "",
        argument: Argument::Words(|_| Vec::new()),
        body,
        then_computers: false,
        verbatim: false,
        paged: false,
        ends: false,
        heard: |_| false,
    }
}

impl Command {
    /// The same with aliases.
    pub(super) const fn also(self, aliases: &'static [&'static str]) -> Command {
        Command { aliases, ..self }
    }

    /// The same with details for `help NAME`.
    pub(super) const fn more(self, more: &'static str) -> Command {
        Command { more, ..self }
    }

    /// The same, with completion of its argument from these words.
    pub(super) const fn completed(self, words: fn(&Session) -> Vec<String>) -> Command {
        Command { argument: Argument::Words(words), ..self }
    }

    /// The same, with an argument that is completed from these words or is the name of a file.
    pub(super) const fn completed_or_file(self, words: fn(&Session) -> Vec<String>) -> Command {
        Command { argument: Argument::WordsOrFile(words), ..self }
    }

    /// The same, with the name of a file as argument.
    pub(super) const fn of_file(self) -> Command {
        Command { argument: Argument::File, ..self }
    }

    /// The same, with an expression in the script language as argument.
    pub(super) const fn of_expression(self) -> Command {
        Command { argument: Argument::Expression, ..self }
    }

    /// The same; a computer may act after it.
    pub(super) const fn then_computers(self) -> Command {
        Command { then_computers: true, ..self }
    }

    /// The same; its answer is for copying.
    pub(super) const fn verbatim(self) -> Command {
        Command { verbatim: true, ..self }
    }

    /// The same; its answer is shown page by page.
    pub(super) const fn paged(self) -> Command {
        Command { paged: true, ..self }
    }

    /// The same; it ends the session.
    pub(super) const fn ends(self) -> Command {
        Command { ends: true, ..self }
    }

    /// The same; with arguments for which `heard` returns true, it works while the game is hidden.
    pub(super) const fn heard(self, heard: fn(&str) -> bool) -> Command {
        Command { heard, ..self }
    }

    /// The possible continuations after the command.
    pub(super) fn completions(&self, session: &Session) -> Vec<String> {
        match self.argument {
            Argument::Words(words) | Argument::WordsOrFile(words) => words(session),
            Argument::File | Argument::Expression => Vec::new(),
        }
    }

    /// Whether `word`, somewhere in its arguments, is the name of a file.
    pub(super) fn takes_file(&self, word: &str) -> bool {
        match self.argument {
            Argument::File => true,
            Argument::WordsOrFile(_) => word.starts_with(['.', '/', '~']) || word.contains('/'),
            Argument::Words(_) | Argument::Expression => false,
        }
    }

    /// Its name and arguments.
    pub(super) fn synopsis(&self) -> String {
        format!("{} {}", self.name, self.usage).trim_end().to_owned()
    }
}
