//! Parses `.game` files: headers, then lines of play and questions, with comments. It does not play them.
//!
//! ```text
//! # DC-4: a piece of either type shown.
//! title: Two and three
//! variant: ../dice-chess.rhai
//!
//! roll 2 3
//! moves
//! Nc3
//! ```

use astragal_dsl::Diagnostic;
use astragal_dsl::library::ENDING;
use astragal_dsl::notation::nearest;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The headers.
pub(crate) const HEADERS: [&str; 5] = ["title", "variant", "options", "position", "seed"];

/// The words that a line can begin with; any other line consists of moves and choices.
pub const WORDS: [&str; 13] = [
    "roll", "move", "pass", "choose", "undo", "moves", "state", "board", "odds", "outcome", "history", "refused",
    "check",
];

/// The meaning of a header or of a word that a line can begin with, in a sentence or two; `None` for other words.
pub(crate) fn about(word: &str) -> Option<&'static str> {
    Some(match word {
        "title" => "The subject of the test.",
        "variant" => {
            "The path of the script, relative to this file, or the name of a built-in variant. By default, the only \
             script in the folder."
        }
        "options" => "Options of the script and their values, as in `options: doubles=any repetition=off`.",
        "position" => "The position in which the game begins. By default, the script's starting position.",
        "seed" => "The seed for rolls whose faces are not given.",
        "roll" => {
            "Rolls the dice with these faces, as in `roll 2 3`. Without faces, the seed decides. If a square or a move \
             is drawn by chance, write its name, as in `roll d5`."
        }
        "move" => "Makes moves, as in `move Nc3`. The word `move` can be left out.",
        "pass" => "Passes instead of making a move.",
        "choose" => "Makes a choice, as in `choose double`.",
        "undo" => "Takes back the last event, or several, as in `undo 3`.",
        "moves" => "Prints the legal moves or choices.",
        "state" => "Prints the position and the next decision or roll.",
        "board" => "Prints the board.",
        "odds" => "Prints the exact odds of the next roll, or of the moves, choices and faces after it.",
        "outcome" => "Prints the result.",
        "history" => "Prints the turns so far.",
        "refused" => "Fails the test if this move, choice, roll or pass is legal.",
        "check" => "Fails the test unless the game has all the properties that random games are checked for.",
        _ => return None,
    })
}

/// The script that a test names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptReference {
    /// A built-in variant, by name.
    Named(String),
    /// A file: its path, relative to the same folder as the path of the game file.
    File(PathBuf),
    /// None is named: the only script in this folder.
    OnlyOneIn(PathBuf),
}

/// A text read as far as possible, for editors: mistakes are listed and left out.
#[derive(Clone, Debug)]
pub(crate) struct PartialFile {
    /// The headers and lines that could be parsed.
    pub(crate) file: GameFile,
    /// The mistakes, in order.
    pub(crate) mistakes: Vec<Diagnostic>,
    /// The number of the first line of play that could not be parsed. The game after it is unknown.
    pub(crate) unread: Option<usize>,
}

/// A parsed test.
#[derive(Clone, Debug)]
pub struct GameFile {
    /// Where it was read from.
    pub path: PathBuf,
    /// The whole text.
    pub(crate) text: Arc<str>,
    /// A short description.
    pub title: Option<String>,
    /// The script: a path relative to the file's folder, or the name of a bundled variant. Without it, the script next
    /// to the file is used.
    pub variant: Option<Header>,
    /// Options and their values.
    pub options: Vec<(String, String)>,
    /// The line of the options, if there are any.
    pub(crate) options_at: Option<Header>,
    /// The starting position.
    pub(crate) position: Option<Header>,
    /// The seed of dice whose faces are not given.
    pub(crate) seed: u64,
    /// The lines of play.
    pub lines: Vec<Line>,
}

/// The value of a header and its place.
#[derive(Clone, Debug)]
pub struct Header {
    /// The value.
    pub value: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column where the value begins, from 1.
    pub(crate) column: usize,
}

/// A line of play.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// The column where it begins, from 1.
    pub(crate) column: usize,
    /// The parsed line.
    pub(crate) act: Act,
    /// The line without comment and surrounding blanks.
    pub(crate) text: String,
}

/// A parsed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// Dice are rolled; without faces, they come from the seed.
    Roll(Vec<i16>),
    /// This square or move is drawn by chance, with its column.
    Draw(usize, String),
    /// Moves and choices, one word each, with the column of each.
    Words(Vec<(usize, String)>),
    /// A pass.
    Pass,
    /// A choice with any text.
    Choose(usize, String),
    /// This number of events is taken back.
    Undo(usize),
    /// A question.
    Ask(Question),
}

/// A question about the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    /// The legal moves or choices.
    Moves,
    /// The position's text and what the game waits for.
    State,
    /// The board.
    Board,
    /// The turns so far.
    History,
    /// The result, or that there is none.
    Outcome,
    /// The odds of a move (or of the next roll, without one).
    Odds(usize, Option<String>),
    /// That an event is not legal, and why: its column, its text, and the parsed event.
    Refused(usize, String, Box<Act>),
    /// That the properties of all games hold.
    Check,
}

impl GameFile {
    /// Parses a text as the content of a file at `path`.
    ///
    /// # Errors
    /// The first problem, with its place.
    pub fn parse(path: &Path, text: &str) -> Result<GameFile, Box<Diagnostic>> {
        let PartialFile { file, mistakes, .. } = GameFile::parse_partially(path, text);
        mistakes.into_iter().next().map_or(Ok(file), |first| Err(Box::new(first)))
    }

    /// Parses what can be parsed of a text, and lists all problems.
    pub(crate) fn parse_partially(path: &Path, text: &str) -> PartialFile {
        let mut file = GameFile {
            path: path.to_path_buf(),
            text: text.trim_start_matches('\u{feff}').into(),
            title: None,
            variant: None,
            options: Vec::new(),
            options_at: None,
            position: None,
            seed: 0,
            lines: Vec::new(),
        };
        let text = Arc::clone(&file.text);
        let (mut seen, mut mistakes, mut unread) = (Vec::new(), Vec::new(), None);
        for (number, raw) in (1..).zip(text.lines()) {
            let code = without_comment(raw);
            let bare = code.trim();
            if bare.is_empty() {
                continue;
            }
            let column = column_of(code, code.len() - code.trim_start().len());
            let read = match header(bare) {
                Some((key, value)) => {
                    let at = column + bare.chars().count() - value.chars().count();
                    file.read_header(key, column, Header { value: value.into(), line: number, column: at }, &mut seen)
                }
                None => file.act(number, column, bare).map(|act| {
                    file.lines.push(Line { number, column, act, text: bare.into() });
                }),
            };
            if let Err(mistake) = read {
                mistakes.push(*mistake);
                unread = unread.or(header(bare).is_none().then_some(number));
            }
        }
        PartialFile { file, mistakes, unread }
    }

    /// The script that the file names.
    pub fn script(&self) -> ScriptReference {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        match &self.variant {
            None => ScriptReference::OnlyOneIn(folder.to_path_buf()),
            Some(Header { value, .. }) if value.ends_with(ENDING) || value.contains(['/', '\\']) => {
                ScriptReference::File(tidy(&folder.join(value)))
            }
            Some(header) => ScriptReference::Named(header.value.clone()),
        }
    }

    /// The same file, as if it ended before a line (counted from 1).
    pub(crate) fn before_line(&self, number: usize) -> GameFile {
        let mut file = self.clone();
        file.lines.retain(|line| line.number < number);
        file
    }

    /// An error of this file at a place.
    pub(crate) fn wrong(
        &self,
        line: usize,
        column: usize,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Box<Diagnostic> {
        let file = self.path.display().to_string();
        let mut diagnostic = Diagnostic::error(&file, &self.text, line, column, message).with_help(help);
        // An error marks a move as a whole.
        let rest = self.text.lines().nth(line.saturating_sub(1)).unwrap_or_default().chars();
        let word = rest.skip(column.saturating_sub(1)).take_while(|c| !c.is_whitespace()).count();
        diagnostic.length = word.max(1);
        Box::new(diagnostic)
    }

    fn unknown_header(&self, line: usize, column: usize, key: &str) -> Box<Diagnostic> {
        let help = match nearest(key, HEADERS) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("they are: {}", HEADERS.join(", ")),
        };
        self.wrong(line, column, format!("there is no header '{key}'"), Some(help))
    }

    /// Reads a header whose name is at a column.
    fn read_header(
        &mut self,
        key: &str,
        column: usize,
        header: Header,
        seen: &mut Vec<&'static str>,
    ) -> Result<(), Box<Diagnostic>> {
        let number = header.line;
        let Some(known) = HEADERS.into_iter().find(|known| *known == key) else {
            return Err(self.unknown_header(number, column, key));
        };
        if seen.contains(&known) {
            return Err(self.wrong(number, column, format!("'{key}' is given twice"), None));
        }
        if !self.lines.is_empty() {
            let help = Some("put headers before the first line of play".into());
            return Err(self.wrong(number, column, format!("'{key}' comes too late"), help));
        }
        seen.push(known);
        if header.value.is_empty() {
            return Err(self.wrong(number, column, format!("'{key}' has no value"), None));
        }
        self.set_header(key, header)
    }

    fn set_header(&mut self, key: &str, header: Header) -> Result<(), Box<Diagnostic>> {
        let (line, column) = (header.line, header.column);
        let value = header.value.as_str();
        match key {
            "title" => self.title = Some(value.into()),
            "variant" => self.variant = Some(header),
            "position" => self.position = Some(header),
            "seed" => {
                let bad = || self.wrong(line, column, format!("expected a whole number, found '{value}'"), None);
                self.seed = value.parse().map_err(|_| bad())?;
            }
            _ => {
                let (mut options, mut at) = (Vec::new(), 0);
                for part in value.split_whitespace() {
                    let place = column + value[..at].chars().count();
                    at += value[at..].find(part).unwrap_or(0);
                    let place = place.max(column + value[..at].chars().count());
                    let Some((name, chosen)) = part.split_once('=').filter(|(name, _)| !name.is_empty()) else {
                        let help = Some("write options as in 'doubles=any repetition=off'".into());
                        return Err(self.wrong(line, place, format!("expected name=value, found '{part}'"), help));
                    };
                    options.push((name.to_owned(), chosen.to_owned()));
                    at += part.len();
                }
                self.options = options;
                self.options_at = Some(header);
            }
        }
        Ok(())
    }

    fn act(&self, number: usize, column: usize, bare: &str) -> Result<Act, Box<Diagnostic>> {
        let (word, rest) = bare.split_once(char::is_whitespace).map_or((bare, ""), |(word, rest)| (word, rest.trim()));
        let at = column + bare.chars().count() - rest.chars().count();
        let alone = |act: Act| match rest.is_empty() {
            true => Ok(act),
            false => Err(self.wrong(number, at, format!("expected nothing after '{word}'"), None)),
        };
        let given = |what: &str| match rest.is_empty() {
            true => Err(self.wrong(number, column, format!("'{word}' needs {what} after it"), None)),
            false => Ok((at, rest.to_owned())),
        };
        match word {
            "roll" if rest.starts_with(char::is_alphabetic) => Ok(Act::Draw(at, rest.to_owned())),
            "roll" => crate::input::read_faces(rest)
                .map(Act::Roll)
                .map_err(|why| self.wrong(number, at, why, Some("write the faces, as in 'roll 2 3'".into()))),
            "move" | "play" => given("a move").map(|(at, rest)| Act::Words(words(at, &rest))),
            "pass" | "--" => alone(Act::Pass),
            "choose" => given("a choice").map(|(at, rest)| Act::Choose(at, rest)),
            "undo" if rest.is_empty() => Ok(Act::Undo(1)),
            "undo" => {
                let bad = || self.wrong(number, at, format!("expected a number of events, found '{rest}'"), None);
                rest.parse().map(Act::Undo).map_err(|_| bad())
            }
            "moves" => alone(Act::Ask(Question::Moves)),
            "state" => alone(Act::Ask(Question::State)),
            "board" => alone(Act::Ask(Question::Board)),
            "history" => alone(Act::Ask(Question::History)),
            "outcome" => alone(Act::Ask(Question::Outcome)),
            "check" => alone(Act::Ask(Question::Check)),
            "odds" => Ok(Act::Ask(Question::Odds(at, Some(rest.to_owned()).filter(|rest| !rest.is_empty())))),
            "refused" => {
                let (at, rest) = given("a roll, move, choice or 'pass'")?;
                let act = self.act(number, at, &rest)?;
                Ok(Act::Ask(Question::Refused(at, rest, Box::new(act))))
            }
            _ => Ok(Act::Words(words(column, bare))),
        }
    }
}

/// A path without `x/..` and leading `./`, as people would write it.
fn tidy(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(parts.last(), Some(Component::Normal(_))) => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.iter().collect()
}

/// The words of a text that begins at a column.
fn words(column: usize, text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (i, c) in text.chars().enumerate() {
        match (c.is_whitespace(), found.last_mut().filter(|_| open)) {
            (true, _) => open = false,
            (false, Some((_, word))) => word.push(c),
            (false, None) => {
                found.push((column + i, c.to_string()));
                open = true;
            }
        }
    }
    found
}

/// `key: value`, where the key is a lowercase word.
pub(crate) fn header(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let word = key.len() > 1 && key.chars().all(|c| c.is_ascii_lowercase());
    let apart = value.is_empty() || value.starts_with(char::is_whitespace);
    (word && apart).then(|| (key, value.trim()))
}

/// A comment starts at the beginning of a line or after a blank: `Qxf7# # mate` has one.
pub(crate) fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        if c == '#' && before.is_whitespace() {
            return &line[..at];
        }
        before = c;
    }
    line
}

fn column_of(line: &str, at: usize) -> usize {
    line[..at].chars().count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GameFile, String> {
        GameFile::parse(Path::new("a.game"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn headers_lines_and_comments() {
        let file = read(
            "# about\ntitle: A b\nvariant: chess # base\noptions: a=b c=d\nseed: 7\n\n  e4 e5 # \
             open\nroll 2,3\nQxf7#\nchoose no\n",
        )
        .expect("a file");
        assert_eq!(file.title.as_deref(), Some("A b"));
        assert_eq!(file.variant.as_ref().map(|v| (v.value.as_str(), v.line, v.column)), Some(("chess", 3, 10)));
        assert_eq!(file.options, [("a".into(), "b".into()), ("c".into(), "d".into())]);
        assert_eq!(file.seed, 7);
        let acts: Vec<&Act> = file.lines.iter().map(|line| &line.act).collect();
        let words =
            |list: &[(usize, &str)]| Act::Words(list.iter().map(|(at, word)| (*at, word.to_string())).collect());
        assert_eq!(acts[0], &words(&[(3, "e4"), (6, "e5")]));
        assert_eq!(acts[1], &Act::Roll(vec![2, 3]));
        assert_eq!(acts[2], &words(&[(1, "Qxf7#")]));
        assert_eq!(acts[3], &Act::Choose(8, "no".into()));
    }

    #[test]
    fn scripts_are_named_relative_to_the_folder_of_the_file() {
        let named = |path: &str, text: &str| GameFile::parse(Path::new(path), text).expect("a file").script();
        let file = |path: &str| ScriptReference::File(path.into());
        assert_eq!(named("games/tests/a.game", "variant: ../my.rhai"), file("games/my.rhai"));
        assert_eq!(named("a.game", "variant: ./my.rhai"), file("my.rhai"));
        assert_eq!(named("a.game", "variant: ../my.rhai"), file("../my.rhai"));
        assert_eq!(named("x/a.game", "variant: chess"), ScriptReference::Named("chess".into()));
        assert_eq!(named("x/a.game", "e4"), ScriptReference::OnlyOneIn("x".into()));
    }

    #[test]
    fn mistakes_are_left_out_of_what_editors_see() {
        let text = "titel: x\nseed: 7\ne4\nchoose\nNf3\nundo x\n";
        let PartialFile { file, mistakes, unread } = GameFile::parse_partially(Path::new("a.game"), text);
        assert_eq!((file.seed, file.lines.len(), unread), (7, 2, Some(4)));
        assert_eq!(mistakes.iter().map(|mistake| mistake.line).collect::<Vec<_>>(), [1, 4, 6]);
        assert_eq!(file.before_line(5).lines.len(), 1);
    }

    #[test]
    fn every_header_and_word_is_explained() {
        for word in HEADERS.into_iter().chain(WORDS) {
            assert!(about(word).is_some_and(|about| about.ends_with('.')), "{word}");
        }
        assert_eq!(about("e4"), None);
    }

    #[test]
    fn mistakes_have_a_place_and_advice() {
        for (text, expected) in [
            ("titel: x", "a.game:1:1: there is no header 'titel'; did you mean 'title'?"),
            ("seed: x", "a.game:1:7: expected a whole number, found 'x'"),
            ("seed: 1\nseed: 2", "a.game:2:1: 'seed' is given twice"),
            ("e4\ntitle: late", "a.game:2:1: 'title' comes too late; put headers before the first line of play"),
            (
                "options: a=b c",
                "a.game:1:14: expected name=value, found 'c'; write options as in 'doubles=any repetition=off'",
            ),
            (
                "roll 2 x",
                "a.game:1:6: expected faces of dice such as '2 3', found 'x'; write the faces, as in 'roll 2 3'",
            ),
            ("choose", "a.game:1:1: 'choose' needs a choice after it"),
            ("moves e4", "a.game:1:7: expected nothing after 'moves'"),
            ("undo many", "a.game:1:6: expected a number of events, found 'many'"),
        ] {
            assert_eq!(read(text).expect_err(text), expected);
        }
    }
}
