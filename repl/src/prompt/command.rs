//! The declaration of a prompt command, and the functions that derive from it: lookup, help and completion.
//!
//! The commands themselves are declared in `commands.rs`.

use super::commands::COMMANDS;
use super::session::{CommandResult, Session};
use super::wrap::wrapped;
use astragal_dsl::notation::nearest;
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
    const ALL: [Topic; 6] =
        [Topic::Playing, Topic::Viewing, Topic::Starting, Topic::Files, Topic::Analysis, Topic::Program];

    /// Its name, for `help NAME`, and its description.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Topic::Playing => ("playing", "moves, dice, the computer"),
            Topic::Viewing => ("viewing", "the board and how it is drawn"),
            Topic::Starting => ("starting", "new games, positions, options"),
            Topic::Files => ("files", "saving and loading games"),
            Topic::Analysis => ("analysis", "rules, reasons and odds"),
            Topic::Program => ("program", "help, leaving"),
        }
    }

    /// Its commands.
    fn commands(self) -> impl Iterator<Item = &'static Command> {
        COMMANDS.iter().filter(move |command| command.topic == self)
    }

    /// The topic with that name.
    fn named(word: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.words().0.eq_ignore_ascii_case(word))
    }
}

/// A command of the prompt, declared once: see [`command`].
#[derive(Clone, Copy)]
pub struct Command {
    /// Its topic.
    topic: Topic,
    /// Its name.
    pub name: &'static str,
    aliases: &'static [&'static str],
    /// The arguments, for the help.
    usage: &'static str,
    /// A one-line description.
    about: &'static str,
    /// Details, shown by `help NAME`.
    more: &'static str,
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

    fn synopsis(&self) -> String {
        format!("{} {}", self.name, self.usage).trim_end().to_owned()
    }
}

/// The command called `word`, by name or alias.
pub fn find(word: &str) -> Option<&'static Command> {
    let lower = word.to_lowercase();
    // A single capital letter is more likely a piece than a command.
    let word = if word.chars().count() > 1 { lower.as_str() } else { word };
    COMMANDS.iter().find(|command| command.name == word || command.aliases.contains(&word))
}

/// The command with the name most similar to `word`.
pub(super) fn near(word: &str) -> Option<&'static str> {
    nearest(word, COMMANDS.iter().map(|command| command.name))
}

/// The names of all commands.
pub(super) fn names() -> Vec<String> {
    COMMANDS.iter().map(|command| command.name.to_owned()).collect()
}

/// The arguments of `help`: topics, `all`, commands.
pub(super) fn helped() -> Vec<String> {
    let topics = Topic::ALL.into_iter().map(|topic| topic.words().0.to_owned());
    topics.chain(["all".to_owned()]).chain(names()).collect()
}

/// The width of explanations: that of the usual terminal.
const WIDTH: usize = 80;

/// The help: an overview, or the help on a topic, on all commands or on one.
///
/// # Errors
/// If there is no such command or topic.
pub(super) fn help(word: Option<&str>) -> CommandResult {
    let Some(word) = word else { return Ok(overview()) };
    if word == "all" {
        return Ok(Topic::ALL.into_iter().map(|topic| heading(topic) + table(topic).as_str()).collect());
    }
    if let Some(topic) = Topic::named(word) {
        return Ok(table(topic) + "'help COMMAND' explains a command in detail.\n");
    }
    let Some(command) = find(word) else {
        let known = helped();
        let near = nearest(word, known.iter().map(String::as_str));
        let near = near.map_or("'help all' lists all commands".into(), |near| format!("did you mean '{near}'?"));
        return Err(format!("there is no command '{word}'; {near}"));
    };
    let mut text = format!("{}\n    {}\n", command.synopsis(), command.about);
    // One paragraph: its line breaks would look ragged on a narrower screen.
    let more = command.more.lines().collect::<Vec<_>>().join(" ");
    if !more.is_empty() {
        text.push_str(&wrapped(&format!("    {more}\n"), WIDTH));
    }
    if !command.aliases.is_empty() {
        text.push_str(&format!("    also: {}\n", command.aliases.join(", ")));
    }
    Ok(text)
}

fn heading(topic: Topic) -> String {
    let (name, about) = topic.words();
    format!("{}{}: {about}\n", name[..1].to_uppercase(), &name[1..])
}

/// The commands of a topic, one per line.
fn table(topic: Topic) -> String {
    let width = topic.commands().map(|command| command.synopsis().len()).max().unwrap_or(0);
    let mut text = String::new();
    for command in topic.commands() {
        let aliases = match command.aliases.first() {
            Some(alias) if alias.ends_with('!') => format!(" ({alias} overwrites)"),
            Some(alias) => format!(" ({alias})"),
            None => String::new(),
        };
        text.push_str(&format!("  {:width$}  {}{aliases}\n", command.synopsis(), command.about));
    }
    text
}

/// An overview that fits on one screen: how to play, and where to find more.
fn overview() -> String {
    let mut text = String::from(
        "Type a move (Nf3, g1f3, e8=Q) or a choice. In dice games, press Enter to roll.\n'moves' lists legal \
         moves, 'undo' takes back your last decision, 'quit' leaves.\n\n",
    );
    for topic in Topic::ALL {
        let names: Vec<&str> = topic.commands().map(|command| command.name).collect();
        text.push_str(&format!("{}  {}\n", heading(topic), names.join(" ")));
    }
    text.push_str("\nFor details, type 'help TOPIC' or 'help COMMAND'; for everything, 'help all'.\n");
    text
}

#[cfg(test)]
mod tests {
    use super::super::commands::of_game_files;
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = COMMANDS.iter().flat_map(|c| c.aliases.iter().chain([&c.name])).copied().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn words_are_found() {
        assert_eq!(find("ROLL").map(|c| c.name), Some("roll"));
        assert_eq!(find("b").map(|c| c.name), Some("board"));
        assert!(find("B").is_none());
        for word in astragal_service::gametest::file::WORDS {
            assert!(find(word).is_some() || of_game_files(word).is_some(), "{word}");
        }
        assert_eq!(near("rol"), Some("roll"));
        assert!(help(Some("undoo")).unwrap_err().contains("'undo'"));
        assert!(help(Some("move")).unwrap().contains("6:h1h5"));
        assert!(help(Some("drop")).unwrap_err().contains("'help all' lists all commands"));
        for command in COMMANDS {
            let text = help(Some(command.name)).unwrap();
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        }
    }

    #[test]
    fn the_help_fits_on_a_screen_and_leads_to_all_of_it() {
        let short = help(None).unwrap();
        assert!(short.lines().count() < 24 && short.lines().all(|line| line.len() <= 80), "{short}");
        let all = help(Some("all")).unwrap();
        for command in COMMANDS {
            assert!(short.split_whitespace().any(|word| word == command.name), "{}", command.name);
            assert!(all.contains(command.about), "{}", command.name);
        }
        for topic in Topic::ALL {
            let text = help(Some(topic.words().0)).unwrap();
            assert!(text.lines().count() < 24 && text.contains("'help COMMAND'"), "{text}");
            assert!(find(topic.words().0).is_none(), "a topic is no command: {}", topic.words().0);
        }
        assert!(help(Some("viewin")).unwrap_err().contains("'viewing'"));
    }
}
