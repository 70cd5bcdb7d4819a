//! Slow work that must not delay responses: checks and test runs. Each kind has a thread of its own.

use crate::gametest::find;
use crate::gametest::scripts::{MAX_FILE, scripts_in};
use crate::gametest::snapshot::{self, Snapshot};
use astragal_core::Game;
use astragal_dsl::library::Reach;
use astragal_dsl::{Loaded, Source, disk};
use astragal_editor::script::{Analysis, analyze};
use astragal_service::editing::{self, GameDocument, GameProblem, Hint, Outcome, Test, TestRun};
use astragal_service::gametest::ScriptReference;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// The stack size of a thread, in bytes. Scripts can recurse deeper than the default stack allows.
const STACK: usize = 256 << 20;

/// A thread that runs one job at a time.
pub(super) struct Worker<J, D> {
    jobs: Sender<J>,
    /// The results, in the order of the jobs.
    pub(super) done: Receiver<D>,
    is_busy: bool,
}

impl<J: Send + 'static, D: Send + 'static> Worker<J, D> {
    /// Starts the thread. It ends when the worker is dropped and its last job is done.
    pub(super) fn new(name: &str, work: fn(J) -> D) -> io::Result<Worker<J, D>> {
        let (jobs, next) = bounded::<J>(1);
        let (results, done) = bounded(1);
        let run = move || {
            for job in next {
                if results.send(work(job)).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name(name.into()).stack_size(STACK).spawn(run)?;
        Ok(Worker { jobs, done, is_busy: false })
    }

    /// Whether no job is running.
    pub(super) fn is_free(&self) -> bool {
        !self.is_busy
    }

    /// Starts a job. The worker must be free.
    pub(super) fn begin(&mut self, job: J) {
        self.is_busy = true;
        let _ = self.jobs.send(job);
    }

    /// Takes the result, if the job is done.
    pub(super) fn take(&mut self) -> Option<D> {
        let done = self.done.try_recv().ok()?;
        self.is_busy = false;
        Some(done)
    }
}

/// A version of a document to check.
pub(super) struct Check {
    pub(super) uri: String,
    pub(super) version: i32,
    pub(super) text: CheckedText,
}

/// The document to check.
pub(super) enum CheckedText {
    /// A script.
    Script(Source),
    /// A `.game` file, and the contents of open scripts by path, including unsaved changes.
    Game { path: PathBuf, text: String, open: BTreeMap<PathBuf, String> },
}

/// The result of a check.
pub(super) struct Checked {
    pub(super) uri: String,
    pub(super) version: i32,
    pub(super) found: Found,
}

/// The findings of a check.
pub(super) enum Found {
    /// The analysis of a script.
    Script(Analysis),
    /// The variant that a `.game` file tests, if it can be loaded, and the problems of the file.
    Game(Option<Arc<Loaded>>, Vec<GameProblem>),
}

/// Checks a document.
pub(super) fn check(job: Check) -> Checked {
    let found = match &job.text {
        CheckedText::Script(source) => Found::Script(analyze(source)),
        CheckedText::Game { path, text, open } => check_game(path, text, open),
    };
    Checked { uri: job.uri, version: job.version, found }
}

fn check_game(path: &Path, text: &str, open: &BTreeMap<PathBuf, String>) -> Found {
    let document = GameDocument::new(path, text);
    let name = match document.script() {
        ScriptReference::Named(name) => name,
        ScriptReference::File(path) => path.display().to_string(),
        ScriptReference::OnlyOneIn(folder) => match scripts_in(&folder_or_here(&folder)).as_slice() {
            [one] => one.display().to_string(),
            several => {
                let name = |path: &PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
                let names: Vec<String> = several.iter().filter_map(name).collect();
                return Found::Game(None, vec![editing::no_script_problem(&document, &names)]);
            }
        },
    };
    let source = Reach::Scripts.resolve(&name).map(|source| in_editor(source, open));
    match source.and_then(|source| astragal_dsl::load(&source, document.options())) {
        Err(error) => Found::Game(None, vec![editing::script_problem(&document, &error)]),
        Ok(loaded) => {
            let (loaded, accepted) = (Arc::new(loaded), accepted(path));
            let problems = editing::problems(&document, &loaded, accepted.as_deref());
            Found::Game(Some(loaded), problems)
        }
    }
}

/// A script with its contents from the editor, including unsaved changes.
fn in_editor(mut source: Source, open: &BTreeMap<PathBuf, String>) -> Source {
    let path = source.path.as_ref().and_then(|path| path.canonicalize().ok());
    if let Some(text) = path.and_then(|path| open.get(&path)) {
        source.text.clone_from(text);
    }
    source
}

fn folder_or_here(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() { ".".into() } else { folder.to_path_buf() }
}

/// The accepted output of a `.game` file, if there is any.
fn accepted(path: &Path) -> Option<String> {
    Snapshot::read(&snapshot::path_of(path)).ok().flatten().map(|snapshot| snapshot.contents)
}

/// A version of a script to test.
pub(super) struct Tests {
    pub(super) uri: String,
    pub(super) version: i32,
    pub(super) source: Source,
    /// The variant loaded from the script.
    pub(super) loaded: Arc<Loaded>,
}

/// The test results of a script, and the inlay hints from them and from its starting position.
pub(super) struct Tested {
    pub(super) uri: String,
    pub(super) version: i32,
    /// `None` if the script has no file, its folder cannot be read, or the run was interrupted.
    pub(super) run: Option<TestRun>,
    /// The number of tests that reach each block, and the number of moves that each permit admits.
    pub(super) hints: Vec<Hint>,
}

/// Runs the tests of a script.
pub(super) fn test(job: Tests) -> Tested {
    let Tests { uri, version, source, loaded } = job;
    let document = astragal_editor::document::Document::new(source.text.clone());
    let run = source.path.as_deref().and_then(|path| run_tests(path, &source));
    let mut hints = run.as_ref().map(|run| editing::block_hints(&document, run)).unwrap_or_default();
    if let Some(game) = editing::starting_game(&loaded) {
        hints.extend(permit_hints(&document, &loaded, &game));
    }
    hints.sort_by_key(|hint| hint.offset);
    Tested { uri, version, run, hints }
}

fn permit_hints(document: &astragal_editor::document::Document, loaded: &Loaded, game: &Game) -> Vec<Hint> {
    editing::permit_hints(document, loaded, game, "the starting position")
}

fn run_tests(path: &Path, source: &Source) -> Option<TestRun> {
    let games = find::games(path).ok()?;
    let read = |game: &PathBuf| Some((game.clone(), disk::read_text(game, MAX_FILE).ok()?, accepted(game)));
    let texts: Vec<(PathBuf, String, Option<String>)> = games.iter().filter_map(read).collect();
    let tests: Vec<Test<'_>> =
        texts.iter().map(|(path, text, accepted)| Test { path, text, accepted: accepted.as_deref() }).collect();
    editing::run_tests(source, &tests)
}

/// The outcome of one test in a test run.
pub(super) fn outcome_of<'r>(run: &'r TestRun, game: &Path) -> Option<&'r Outcome> {
    run.results.iter().find(|result| Path::new(&result.name) == game).map(|result| &result.outcome)
}
