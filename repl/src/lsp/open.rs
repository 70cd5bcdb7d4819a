//! An open document: a script or a `.game` file.

use super::convert::{self, Page};
use super::stages::Stages;
use astragal_dsl::{Diagnostic, Loaded, Source};
use astragal_editor::lines::{Lines, Units};
use astragal_editor::script::Script;
use astragal_service::editing::{GameDocument, GameProblem, Hint, TestRun};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The delay between an edit and the check of the document.
const PAUSE: Duration = Duration::from_millis(20);

/// The content of an open document.
pub(super) enum Content {
    Script(Box<Script>),
    Game(Box<OpenGame>),
}

/// A `.game` file. Without a path, its script is relative to the working directory of the server.
fn game_document(uri: &Uri, text: &str) -> GameDocument {
    let path = convert::path(uri).unwrap_or_else(|| PathBuf::from("untitled.game"));
    GameDocument::new(&path, text)
}

/// An open `.game` file.
pub(super) struct OpenGame {
    pub(super) document: GameDocument,
    lines: Lines,
    /// The last version of its variant that could be loaded.
    pub(super) loaded: Option<Arc<Loaded>>,
}

/// The problems of a document.
pub(super) enum Problems {
    OfScript(Vec<Diagnostic>),
    OfGame(Vec<GameProblem>),
}

/// An open document.
pub(super) struct Open {
    pub(super) uri: Uri,
    /// The client's version number, which begins again when a document is reopened.
    pub(super) version: i32,
    /// A number that no other text of any document has.
    pub(super) serial: u64,
    pub(super) content: Content,
    /// The time at which a check is due; `None` if the check is running or done.
    pub(super) due: Option<Instant>,
    /// The serial number of the last text that was checked, and its problems.
    pub(super) checked: Option<(u64, Problems)>,
    /// The findings of a script by stage.
    pub(super) stages: Stages,
    /// Whether the tests of this version have yet to run.
    pub(super) tests_due: bool,
    /// The serial number of the last text that was tested, its test results and its inlay hints.
    pub(super) tested: Option<(u64, Option<TestRun>, Vec<Hint>)>,
}

impl Open {
    /// Opens a document. Its first check is due at once.
    pub(super) fn new(uri: Uri, language: &str, version: i32, serial: u64, text: String) -> Open {
        let is_game = language == "astragal-game" || uri.as_str().ends_with(".game");
        let content = if is_game {
            Content::Game(Box::new(OpenGame {
                document: game_document(&uri, &text),
                lines: Lines::of(&text),
                loaded: None,
            }))
        } else {
            let path = convert::path(&uri);
            let name = path.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
            let source = Source { name: name.unwrap_or_else(|| "script".into()), path, text };
            Content::Script(Box::new(Script::new(source)))
        };
        let due = Some(Instant::now());
        let (checked, stages, tested) = (None, Stages::default(), None);
        Open { uri, version, serial, content, due, checked, stages, tests_due: false, tested }
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        match &self.content {
            Content::Script(script) => script.text(),
            Content::Game(game) => game.document.text(),
        }
    }

    /// The text, its lines, and the units in which the client counts columns.
    pub(super) fn page(&self, units: Units) -> Page<'_> {
        match &self.content {
            Content::Script(script) => Page { text: script.text(), lines: script.document().lines(), units },
            Content::Game(game) => Page { text: game.document.text(), lines: &game.lines, units },
        }
    }

    /// The script, if the document is one.
    pub(super) fn script(&self) -> Option<&Script> {
        match &self.content {
            Content::Script(script) => Some(script),
            Content::Game(_) => None,
        }
    }

    /// Applies content changes in order.
    pub(super) fn change(
        &mut self,
        (version, serial): (i32, u64),
        changes: Vec<TextDocumentContentChangeEvent>,
        units: Units,
    ) {
        let mut text = self.text().to_string();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let lines = Lines::of(&text);
                    let page = Page { text: &text, lines: &lines, units };
                    let start = page.offset(range.start);
                    let end = page.offset(range.end).max(start);
                    text.replace_range(start..end, &change.text);
                }
            }
        }
        (self.version, self.serial) = (version, serial);
        self.due = Some(Instant::now() + PAUSE);
        self.tests_due = false;
        match &mut self.content {
            Content::Script(script) => script.edit(text),
            Content::Game(game) => {
                game.document = game_document(&self.uri, &text);
                game.lines = Lines::of(&text);
            }
        }
    }

    /// Schedules a check of the same text, because files that it depends on may have changed.
    pub(super) fn recheck(&mut self) {
        self.due = self.due.or_else(|| Some(Instant::now() + PAUSE));
    }

    /// The problems of the current text; `None` if it has not been checked yet.
    pub(super) fn problems(&self) -> Option<&Problems> {
        self.checked.as_ref().filter(|(serial, _)| *serial == self.serial).map(|(_, found)| found)
    }

    /// The test results and inlay hints of the current text; `None` if it has not been tested yet.
    pub(super) fn tests(&self) -> Option<(Option<&TestRun>, &[Hint])> {
        let (_, run, hints) = self.tested.as_ref().filter(|(serial, ..)| *serial == self.serial)?;
        Some((run.as_ref(), hints))
    }
}
