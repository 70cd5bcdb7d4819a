//! An open `.game` file: its text by lines, and the parts of it that can be parsed.
//!
//! It locates headers, lines and words. It can also play the game up to a line.

use crate::gametest::file::{self, GameFile, HEADERS, PartialFile};
use crate::gametest::loader::Loader;
use crate::gametest::play::Playthrough;
use crate::gametest::{GameTestError, ScriptReference};
use astragal_core::Game;
use astragal_dsl::{Diagnostic, Loaded};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A `.game` file that is being edited. It can contain any text.
#[derive(Clone, Debug)]
pub struct GameDocument {
    text: String,
    /// The number of bytes before the parsed text.
    skipped: usize,
    parsed: PartialFile,
    /// The byte range of each line, without its line ending. There is at least one line.
    lines: Vec<Range<usize>>,
}

/// The content of a line without its comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// No content.
    Blank,
    /// A header.
    Header {
        /// The bytes of its name.
        key: Range<usize>,
        /// The bytes of its value, without surrounding whitespace.
        value: Range<usize>,
    },
    /// A line of play: the bytes of its text, without surrounding whitespace.
    Play(Range<usize>),
}

impl GameDocument {
    /// Parses the text of a file. The path of its script is relative to `path`.
    pub fn new(path: &Path, text: &str) -> GameDocument {
        let parsed = GameFile::parse_partially(path, text);
        let skipped = text.len() - parsed.file.text.len();
        let (mut lines, mut start) = (Vec::new(), skipped);
        // As in the parser, only `\n` ends a line, and a `\r` before it belongs to the line ending.
        for line in parsed.file.text.split('\n') {
            lines.push(start..start + line.trim_end_matches('\r').len());
            start += line.len() + 1;
        }
        GameDocument { text: text.into(), skipped, parsed, lines }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The script that the file names.
    pub fn script(&self) -> ScriptReference {
        self.parsed.file.script()
    }

    /// The bytes of the value of `variant` if they contain or touch an offset, and the script that it names: the
    /// target of "go to definition".
    pub fn script_at(&self, offset: usize) -> Option<(Range<usize>, ScriptReference)> {
        let value = self.header("variant")?;
        let touched = value.start <= offset && offset <= value.end && !value.is_empty();
        (touched && self.parsed.file.variant.is_some()).then(|| (value, self.script()))
    }

    /// The options to load the script with.
    pub fn options(&self) -> &[(String, String)] {
        &self.parsed.file.options
    }

    /// The title of the test, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.parsed.file.title.as_deref()
    }

    /// The file as far as it can be parsed.
    pub(super) fn file(&self) -> &GameFile {
        &self.parsed.file
    }

    /// The mistakes in the file, in order.
    pub(super) fn mistakes(&self) -> &[Diagnostic] {
        &self.parsed.mistakes
    }

    /// The number of the first line of play that cannot be parsed.
    pub(super) fn unread(&self) -> Option<usize> {
        self.parsed.unread
    }

    /// The number of the line that contains an offset, from 1.
    pub(super) fn line_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.start <= offset).max(1)
    }

    /// The number of lines.
    pub(super) fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The byte range of a line, counted from 1. Numbers after the last line return the last line.
    pub(super) fn line(&self, number: usize) -> Range<usize> {
        let last = self.lines.len() - 1;
        self.lines[number.saturating_sub(1).min(last)].clone()
    }

    /// The content of a line, without its comment.
    pub(super) fn content(&self, number: usize) -> Content {
        self.content_of(self.line(number))
    }

    /// The content of a line, or of the beginning of a line.
    pub(super) fn content_of(&self, line: Range<usize>) -> Content {
        let code = file::without_comment(&self.text[line.clone()]);
        let bare = code.trim();
        if bare.is_empty() {
            return Content::Blank;
        }
        let start = line.start + code.len() - code.trim_start().len();
        let end = start + bare.len();
        match file::header(bare) {
            Some((key, value)) => Content::Header { key: start..start + key.len(), value: end - value.len()..end },
            None => Content::Play(start..end),
        }
    }

    /// The bytes of the value of a header.
    pub(super) fn header(&self, name: &str) -> Option<Range<usize>> {
        (1..=self.line_count()).find_map(|number| match self.content(number) {
            Content::Header { key, value } if self.text[key.clone()] == *name => Some(value),
            _ => None,
        })
    }

    /// The names of the headers in the file.
    pub(super) fn headers(&self) -> impl Iterator<Item = &'static str> {
        HEADERS.into_iter().filter(|name| self.header(name).is_some())
    }

    /// Whether headers may be written on a line: no line of play precedes it.
    pub(super) fn is_in_head(&self, number: usize) -> bool {
        (1..number).all(|before| !matches!(self.content(before), Content::Play(_)))
    }

    /// The bytes that a diagnostic of this file marks; the first line if it concerns the whole file.
    pub(super) fn span_of(&self, diagnostic: &Diagnostic) -> Range<usize> {
        diagnostic.span().map_or_else(|| self.line(1), |span| moved(span, self.skipped))
    }

    /// The game before the line that contains an offset. `None` if the game does not reach that line.
    pub fn game_at(&self, loaded: &Arc<Loaded>, offset: usize) -> Option<Game> {
        self.game_before(loaded, self.line_at(offset)).ok()
    }

    /// The game before a line, numbered from 1. Questions on earlier lines are skipped.
    ///
    /// # Errors
    /// If the game cannot begin, or an earlier line cannot be parsed or played.
    pub(super) fn game_before(&self, loaded: &Arc<Loaded>, number: usize) -> Result<Game, Stopped> {
        if let Some(unread) = self.unread().filter(|unread| *unread < number) {
            return Err(Stopped { line: Some(unread), why: self.mistake_on(unread) });
        }
        let stopped = |error: GameTestError| Stopped::of(&error);
        let file = self.file().before_line(number);
        let mut loader = Loader::of_loaded(Arc::clone(loaded));
        let mut play = Playthrough::begin(&file, &mut loader).map_err(stopped)?;
        while play.skip_question() || play.play_line().map_err(stopped)? {}
        Ok(play.game().clone())
    }

    fn mistake_on(&self, line: usize) -> String {
        let mistake = self.mistakes().iter().find(|mistake| mistake.line == line);
        mistake.map(|mistake| mistake.message.clone()).unwrap_or_default()
    }
}

/// The reason why a game does not reach a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stopped {
    /// The line at which it stops; `None` if it cannot begin because of the script.
    pub(super) line: Option<usize>,
    /// The reason.
    pub(super) why: String,
}

impl Stopped {
    /// The place and the reason of a game error.
    pub(super) fn of(error: &GameTestError) -> Stopped {
        match error {
            GameTestError::Here(diagnostic) => Stopped { line: Some(diagnostic.line), why: diagnostic.message.clone() },
            GameTestError::Rule { here, .. } => Stopped { line: Some(here.line), why: here.message.clone() },
            GameTestError::Script(error) => Stopped { line: None, why: error.to_string() },
        }
    }
}

/// A byte range, shifted by a number of bytes.
fn moved(span: Range<usize>, by: usize) -> Range<usize> {
    span.start + by..span.end + by
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> GameDocument {
        GameDocument::new(Path::new("tests/a.game"), text)
    }

    #[test]
    fn the_script_of_a_file_is_found_from_its_path() {
        let text = "\u{feff}title: x\r\nvariant: ../my.rhai # mine\r\n\r\ne4\r\n";
        let open = document(text);
        assert_eq!(open.script(), ScriptReference::File("my.rhai".into()));
        let (span, script) = open.script_at(text.find("my").expect("the name")).expect("the value");
        assert_eq!((&text[span], script), ("../my.rhai", open.script()));
        assert_eq!(open.script_at(text.find("e4").expect("a move")), None);
        assert_eq!(document("e4").script(), ScriptReference::OnlyOneIn("tests".into()));
        // Nothing is named yet.
        assert_eq!(document("variant:").script_at(8), None);
    }

    #[test]
    fn lines_and_diagnostics_have_their_bytes() {
        let text = "\u{feff}# é\r\n  titel: x\n\nNc3 # move\n";
        let open = document(text);
        assert_eq!(open.line_count(), 5);
        assert_eq!(open.line_at(text.len()), 5);
        let Content::Header { key, value } = open.content(2) else { panic!("no header") };
        assert_eq!((&text[key], &text[value]), ("titel", "x"));
        assert_eq!(open.content(3), Content::Blank);
        let Content::Play(play) = open.content(4) else { panic!("no line of play") };
        assert_eq!(&text[play], "Nc3");
        let [mistake] = open.mistakes() else { panic!("one mistake") };
        assert_eq!(text[open.span_of(mistake)].trim(), "titel:");
        assert!(open.is_in_head(4) && !open.is_in_head(5));
    }
}
