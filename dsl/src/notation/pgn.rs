//! Records as PGN, as structure only: tags, moves as text, comments with their commands, variations.
//!
//! Other modules interpret the text of moves ([`san`](super::san), [`coord`](super::coord)). Dice are in comment commands,
//! `{[%roll 2,3]}`, so that programs without dice can still read the moves. A missing result at the end is no error: a
//! record may break off after any move.

use super::NotationError;
use logos::Logos;
use std::ops::Range;

const NAME: &str = "PGN";
/// The deepest nesting of variations. Deeper nesting could overflow the stack.
pub(crate) const DEEPEST: usize = 200;
/// The maximum number of tags, moves, comments and commands of one game, variations included. Longer games are rejected.
pub(crate) const MOST_ITEMS: usize = 200_000;
/// The word for declining to move.
const PASS: &str = "pass";
/// The widest line written.
const WIDTH: usize = 80;

/// A game of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// The tags in order, unescaped.
    pub tags: Vec<(String, String)>,
    /// The moves and everything between them.
    pub items: Vec<SpannedItem>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

impl PgnGame {
    /// The value of the first tag called `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Adds an item at the end; it has no place.
    pub fn push(&mut self, item: Item) {
        self.items.push(item.into());
    }
}

/// An item with its place in the text. Two entries are equal if their items are; their places do not matter.
#[derive(Clone, Debug)]
pub struct SpannedItem {
    /// The item.
    pub item: Item,
    /// Its byte range in the parsed text; empty for an item that was not parsed.
    pub span: Range<usize>,
    /// Its line, from 1; 0 for an item that was not parsed.
    pub line: usize,
}

impl PartialEq for SpannedItem {
    fn eq(&self, other: &SpannedItem) -> bool {
        self.item == other.item
    }
}

impl Eq for SpannedItem {}

impl From<Item> for SpannedItem {
    fn from(item: Item) -> SpannedItem {
        SpannedItem { item, span: 0..0, line: 0 }
    }
}

/// A part of the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// The number of a round: `12.`, or `12...` if `continued` is set.
    Number {
        /// The number.
        number: u32,
        /// Whether a side other than the first is to move.
        continued: bool,
    },
    /// A move, as written, without marks like `!?`.
    Move(String),
    /// A turn without a move, `--`.
    Pass,
    /// A turn that its player declined to use, `pass`.
    Declined,
    /// A comment, its blanks joined.
    Comment(String),
    /// A command in a comment, as `[%roll 2,3]`.
    Command {
        /// The name, `roll`.
        name: String,
        /// The text after the name, with its blanks joined.
        args: String,
    },
    /// A mark as `$6` or `?!`.
    Nag(u8),
    /// Alternative moves.
    Variation(Vec<SpannedItem>),
}

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
enum Token {
    #[regex(r#"\[[ \t]*[A-Za-z0-9_]+[ \t\r\n]*"([^"\\\r\n]|\\[^\r\n])*"[ \t\r\n]*\]"#)]
    Tag,
    #[token("[")]
    Bracket,
    #[regex(r"\{[^}]*\}")]
    Comment,
    #[token("{")]
    OpenComment,
    #[regex(r";[^\n]*", allow_greedy = true)]
    LineComment,
    #[regex(r"%[^\n]*", allow_greedy = true)]
    Escape,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[regex(r"[0-9]+[ ]?\.*")]
    Number,
    #[regex(r"\.+|…")]
    Dots,
    // The dice that pay may come before it: `6:Rh5`.
    #[regex(r"(((-?[0-9]+,)*-?[0-9]+:)?[A-Za-z+@][A-Za-z0-9+#=@:'-]*|0-0(-0)?[+#]*)(e\.p\.)?")]
    Move,
    #[token("e.p.", priority = 100)]
    EnPassant,
    #[token("--")]
    #[token("Z0", priority = 100)]
    Pass,
    #[regex(r"\$[0-9]+")]
    Nag,
    #[regex(r"[!?][!?]?")]
    Mark,
    #[token("1-0")]
    #[token("0-1")]
    #[token("1/2-1/2")]
    #[token("*")]
    Result,
}

/// Reads all games of a record.
///
/// ```
/// use astragal_dsl::notation::pgn::{self, Item};
/// let games = pgn::parse("[White \"A\"]\n\n1. {[%roll 2,3]} Nc3 *").unwrap();
/// assert_eq!(games[0].items[1].item, Item::Command { name: "roll".into(), args: "2,3".into() });
/// ```
///
/// # Errors
/// A [`NotationError`] with line and column. No games of an invalid record are returned.
pub fn parse(text: &str) -> Result<Vec<PgnGame>, NotationError> {
    games(text).collect()
}

/// The games of a record, each parsed on demand, so that at most one game of a long record is in memory. An error ends the
/// iteration.
pub(crate) fn games(text: &str) -> Games<'_> {
    let reader = Reader { text, read: None, game: None, open: Vec::new(), line: 1, counted: 0, held: 0 };
    Games { tokens: Token::lexer(text).spanned(), reader, over: false }
}

/// The games of a record. See [`games`].
pub(crate) struct Games<'a> {
    tokens: logos::SpannedIter<'a, Token>,
    reader: Reader<'a>,
    over: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<PgnGame, NotationError>;

    fn next(&mut self) -> Option<Result<PgnGame, NotationError>> {
        if self.over {
            return None;
        }
        let game = self.reader.next(&mut self.tokens).transpose();
        self.over = !matches!(game, Some(Ok(_)));
        game
    }
}

struct Reader<'a> {
    text: &'a str,
    /// A completed game.
    read: Option<PgnGame>,
    /// The game being read.
    game: Option<PgnGame>,
    /// The variations being read, outermost first, with the place of their brackets.
    open: Vec<(Vec<SpannedItem>, Range<usize>, usize)>,
    line: usize,
    counted: usize,
    /// The number of tags and items of the game being read, including its variations.
    held: usize,
}

impl Reader<'_> {
    /// The next game; `None` at the end.
    fn next(&mut self, tokens: &mut logos::SpannedIter<'_, Token>) -> Result<Option<PgnGame>, NotationError> {
        // Token by token, so that the first error is reported, not a later invalid character.
        for (token, span) in tokens.by_ref() {
            let token = token.map_err(|()| self.error(span.clone(), "a tag, a move, a comment or a result"))?;
            let line = self.line_at(span.start);
            self.token(token, span.clone(), line)?;
            if self.held > MOST_ITEMS {
                return Err(
                    self.error(span, format!("the end of the game: a game can have at most {MOST_ITEMS} parts"))
                );
            }
            if self.read.is_some() {
                return Ok(self.read.take());
            }
        }
        self.unclosed()?;
        self.finish("*");
        Ok(self.read.take())
    }

    fn error(&self, span: Range<usize>, expected: impl Into<String>) -> NotationError {
        NotationError::new(NAME, self.text, span, expected)
    }

    fn slice(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// The line of a place. Places must be requested in ascending order.
    fn line_at(&mut self, at: usize) -> usize {
        self.line += self.slice(&(self.counted..at)).matches('\n').count();
        self.counted = at;
        self.line
    }

    fn token(&mut self, token: Token, span: Range<usize>, line: usize) -> Result<(), NotationError> {
        match token {
            Token::Tag => self.tag(span)?,
            Token::Bracket => {
                let error = self.error(span, "a tag such as '[White \"Anna\"]'");
                return Err(error.help("write dice in a comment, as in '{[%roll 2,3]}'"));
            }
            Token::OpenComment => return Err(self.error(span, "a '}' that closes this comment")),
            Token::Comment => self.comment(span),
            Token::LineComment => {
                let text = joined(self.slice(&(span.start + 1..span.end)));
                self.add_comment(text, span, line);
            }
            Token::Escape if self.slice(&(0..span.start)).ends_with('\n') || span.start == 0 => {}
            Token::Escape => {
                return Err(
                    self.error(span.start..span.start + 1, "a move ('%' is allowed only at the start of a line)")
                );
            }
            Token::Open if self.open.len() >= DEEPEST => {
                return Err(self.error(span, format!("at most {DEEPEST} nested variations")));
            }
            Token::Open => self.open.push((Vec::new(), span, line)),
            Token::Close => match self.open.pop() {
                Some((items, start, line)) => self.add(Item::Variation(items), start.start..span.end, line),
                None => return Err(self.error(span, "'(' before ')'")),
            },
            Token::Number => self.number(span, line)?,
            Token::Move if self.slice(&span) == PASS => self.add(Item::Declined, span, line),
            Token::Move => self.add(Item::Move(self.slice(&span).to_owned()), span, line),
            Token::EnPassant | Token::Dots => {}
            Token::Pass => self.add(Item::Pass, span, line),
            Token::Nag => {
                let number = self.slice(&span)[1..].parse();
                let number = number.map_err(|_| self.error(span.clone(), "an annotation from $0 to $255"))?;
                self.add(Item::Nag(number), span, line);
            }
            Token::Mark => self.add(Item::Nag(mark(self.slice(&span))), span, line),
            Token::Result => {
                self.unclosed()?;
                let result = self.slice(&span).to_owned();
                self.game.get_or_insert_default();
                self.finish(&result);
            }
        }
        Ok(())
    }

    fn add(&mut self, item: Item, span: Range<usize>, line: usize) {
        self.held += 1;
        let entry = SpannedItem { item, span, line };
        match self.open.last_mut() {
            Some((items, ..)) => items.push(entry),
            None => self.game.get_or_insert_default().items.push(entry),
        }
    }

    fn unclosed(&self) -> Result<(), NotationError> {
        self.open
            .last()
            .map_or(Ok(()), |(_, span, _)| Err(self.error(span.clone(), "a ')' that closes this variation")))
    }

    fn finish(&mut self, result: &str) {
        if let Some(mut game) = self.game.take() {
            game.result = result.to_owned();
            self.read = Some(game);
            self.held = 0;
        }
    }

    fn tag(&mut self, span: Range<usize>) -> Result<(), NotationError> {
        self.unclosed()?;
        let text = self.slice(&span).trim_start_matches('[').trim_end_matches(']').trim();
        let (name, value) = text.split_once('"').unwrap_or((text, ""));
        let value = value.strip_suffix('"').unwrap_or(value);
        let tag = (name.trim().to_owned(), unescaped(value));
        // A tag after moves begins another game; the one before has broken off.
        if self.game.as_ref().is_some_and(|game| !game.items.is_empty()) {
            self.finish("*");
        }
        self.held += 1;
        self.game.get_or_insert_default().tags.push(tag);
        Ok(())
    }

    fn number(&mut self, span: Range<usize>, line: usize) -> Result<(), NotationError> {
        let text = self.slice(&span);
        let digits = text.trim_end_matches(['.', ' ']);
        let continued = text.ends_with("..");
        let number = digits.parse().map_err(|_| self.error(span.clone(), "a round number"))?;
        self.add(Item::Number { number, continued }, span, line);
        Ok(())
    }

    fn add_comment(&mut self, text: String, span: Range<usize>, line: usize) {
        if !text.is_empty() {
            self.add(Item::Comment(text), span, line);
        }
    }

    /// Splits a comment into commands and the text between them.
    fn comment(&mut self, span: Range<usize>) {
        let mut rest = span.start + 1..span.end - 1;
        let mut from = rest.start;
        while let Some(at) = self.slice(&(from..rest.end)).find("[%").map(|i| from + i) {
            if self.held > MOST_ITEMS {
                return;
            }
            let Some((item, length)) = command(self.slice(&(at..rest.end))) else {
                from = at + 2;
                continue;
            };
            // Comments can span several lines.
            let line = self.line_at(rest.start);
            self.add_comment(joined(self.slice(&(rest.start..at))), rest.start..at, line);
            let line = self.line_at(at);
            self.add(item, at..at + length, line);
            rest.start = at + length;
            from = rest.start;
        }
        let line = self.line_at(rest.start);
        self.add_comment(joined(self.slice(&rest)), rest, line);
    }
}

/// The command that `text` begins with, and its length.
fn command(text: &str) -> Option<(Item, usize)> {
    let inner = text.strip_prefix("[%")?;
    let end = inner.find(']')?;
    let (name, args) = inner[..end].split_once(char::is_whitespace).unwrap_or((&inner[..end], ""));
    let valid = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    valid.then(|| (Item::Command { name: name.into(), args: joined(args) }, end + 3))
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}

/// The PGN numbers of the marks after moves.
fn mark(text: &str) -> u8 {
    match text {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        _ => 6,
    }
}

/// Writes a game: tags, a blank line, and the moves, wrapped at 80 letters.
pub fn write(game: &PgnGame) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        text.push_str(&format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\"")));
    }
    if !game.tags.is_empty() {
        text.push('\n');
    }
    let mut writer = Writer { text, column: 0, glued: true };
    writer.items(&game.items);
    writer.word(if game.result.is_empty() { "*" } else { &game.result });
    writer.text.push('\n');
    writer.text
}

struct Writer {
    text: String,
    column: usize,
    /// Whether the next word follows without a blank.
    glued: bool,
}

impl Writer {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if !self.glued {
            let wraps = self.column + 1 + length > WIDTH;
            self.text.push(if wraps { '\n' } else { ' ' });
            self.column = if wraps { 0 } else { self.column + 1 };
        }
        self.text.push_str(word);
        self.column += length;
        self.glued = false;
    }

    fn words(&mut self, text: &str) {
        text.split(' ').for_each(|word| self.word(word));
    }

    fn items(&mut self, items: &[SpannedItem]) {
        let mut rest = items;
        while let [first, others @ ..] = rest {
            rest = others;
            match &first.item {
                Item::Number { number, continued } => {
                    self.word(&format!("{number}{}", if *continued { "..." } else { "." }))
                }
                Item::Move(text) => self.word(text),
                Item::Pass => self.word("--"),
                Item::Declined => self.word(PASS),
                Item::Nag(number) => self.word(&format!("${number}")),
                Item::Comment(text) => self.comment(&joined(text)),
                Item::Command { .. } => rest = self.commands(first, others),
                Item::Variation(items) => {
                    self.word("(");
                    self.glued = true;
                    self.items(items);
                    self.text.push(')');
                    self.column += 1;
                    self.glued = false;
                }
            }
        }
    }

    fn comment(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        // Between braces, these could not be distinguished from the end of the comment or from a command.
        if text.contains('}') || text.contains("[%") {
            self.word(";");
            self.text.push_str(&format!(" {text}\n"));
            (self.column, self.glued) = (0, true);
        } else {
            self.words(&format!("{{{text}}}"));
        }
    }

    /// Writes the commands at the beginning of `first` and `others` as one comment; returns the rest.
    fn commands<'a>(&mut self, first: &SpannedItem, others: &'a [SpannedItem]) -> &'a [SpannedItem] {
        let more = others.iter().take_while(|entry| matches!(entry.item, Item::Command { .. })).count();
        let texts: Vec<String> = std::iter::once(first).chain(&others[..more]).map(command_text).collect();
        self.words(&format!("{{{}}}", texts.join(" ")));
        &others[more..]
    }
}

fn command_text(entry: &SpannedItem) -> String {
    let Item::Command { name, args } = &entry.item else { return String::new() };
    let args = joined(&args.replace([']', '}'], ")"));
    let blank = if args.is_empty() { "" } else { " " };
    format!("[%{name}{blank}{args}]")
}

#[cfg(test)]
#[path = "pgn_tests.rs"]
mod tests;
