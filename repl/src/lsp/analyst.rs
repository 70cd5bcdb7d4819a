//! Slow work that must not delay responses: checks and test runs. Each kind has a thread of its own. A panic in a job
//! becomes a result, so the thread goes on with the next job.

use crate::gametest::find;
use crate::gametest::scripts::{MAX_FILE, scripts_in};
use crate::gametest::snapshot::{self, Snapshot};
use astragal_core::Game;
use astragal_dsl::library::Reach;
use astragal_dsl::{Diagnostic, Loaded, Severity, Source, disk};
use astragal_editor::script::{Analysis, analyze};
use astragal_service::editing::{self, GameDocument, GameFix, GameProblem, Hint, Outcome, Test, TestRun};
use astragal_service::gametest::ScriptReference;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

/// The stack size of a thread, in bytes. Scripts can recurse deeper than the default stack allows.
const STACK: usize = 256 << 20;

/// The message after a panic.
pub(super) const FAILURE: &str = "internal error: please report it, with this document";

/// Runs `work`; `None` if it panics. The panic message has been printed.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// A result of a job.
pub(super) enum Progress<D> {
    /// A result before the last one.
    Part(D),
    /// The last result.
    Last(D),
}

/// A thread that runs one job at a time.
pub(super) struct Worker<J, D> {
    jobs: Sender<J>,
    /// The results, in the order of the jobs.
    pub(super) done: Receiver<Progress<D>>,
    is_busy: bool,
}

impl<J: Send + 'static, D: Send + 'static> Worker<J, D> {
    /// Starts the thread. It ends when the worker is dropped and its last job is done. `work` must not panic. It returns
    /// the last result of a job; it can send others before.
    pub(super) fn new(name: &str, work: fn(J, &dyn Fn(D)) -> D) -> io::Result<Worker<J, D>> {
        let (jobs, next) = bounded::<J>(1);
        let (results, done) = unbounded();
        let run = move || {
            for job in next {
                // If the receiver is gone, the next send fails, too.
                let part = |result| drop(results.send(Progress::Part(result)));
                if results.send(Progress::Last(work(job, &part))).is_err() {
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

    /// Takes a result, if there is one. After the last one, the worker is free.
    pub(super) fn take(&mut self) -> Option<D> {
        match self.done.try_recv().ok()? {
            Progress::Part(result) => Some(result),
            Progress::Last(result) => {
                self.is_busy = false;
                Some(result)
            }
        }
    }
}

/// A text of a document to check.
pub(super) struct Check {
    pub(super) uri: String,
    pub(super) serial: u64,
    pub(super) text: CheckedText,
    /// Ends the check of a script if it is set.
    pub(super) stop: Arc<AtomicBool>,
}

/// The document to check.
pub(super) enum CheckedText {
    /// A script.
    Script(Source),
    /// A `.game` file, its path if it has one, and the contents of open scripts by path, including unsaved changes.
    Game { document: Box<GameDocument>, path: Option<PathBuf>, open: BTreeMap<PathBuf, String> },
}

/// The result of a check.
pub(super) struct Checked {
    pub(super) uri: String,
    pub(super) serial: u64,
    pub(super) found: Found,
}

/// The findings of a check.
pub(super) enum Found {
    /// The findings of a script's text. Trial games follow.
    Text(Analysis),
    /// The complete analysis of a script.
    Script(Analysis),
    /// The check of a script was stopped.
    Stopped,
    /// The variant that a `.game` file tests, if it can be loaded, and the problems of the file.
    Game(Option<Arc<Loaded>>, Vec<GameProblem>),
}

/// Checks a document. The findings of a script's text are sent at once. After a panic, the internal error is the only
/// problem of the document.
pub(super) fn check(job: Check, send: &dyn Fn(Checked)) -> Checked {
    let Check { uri, serial, text, stop } = job;
    let mut first = |analysis| send(Checked { uri: uri.clone(), serial, found: Found::Text(analysis) });
    let found = match &text {
        CheckedText::Script(source) => match caught(|| analyze(source, &stop, &mut first)) {
            Some(analysis) => analysis.map_or(Found::Stopped, Found::Script),
            None => Found::Script(failed(source)),
        },
        CheckedText::Game { document, path, open } => caught(|| check_game(document, path.as_deref(), open))
            .unwrap_or_else(|| Found::Game(None, vec![failed_game()])),
    };
    Checked { uri, serial, found }
}

/// The analysis of a script whose check panicked.
fn failed(source: &Source) -> Analysis {
    let text: Arc<str> = source.text.as_str().into();
    Analysis { diagnostics: vec![Diagnostic::error(&source.file(), &text, 0, 0, FAILURE)], loaded: None }
}

/// The problem of a `.game` file whose check panicked.
fn failed_game() -> GameProblem {
    GameProblem { span: 0..0, severity: Severity::Error, message: FAILURE.into(), help: None, fixes: Vec::new() }
}

fn check_game(document: &GameDocument, path: Option<&Path>, open: &BTreeMap<PathBuf, String>) -> Found {
    // An unsaved file is not in a folder, so no script is next to it.
    let beside = |folder: &Path| if path.is_some() { scripts_in(&folder_or_here(folder)) } else { Vec::new() };
    let name = match document.script() {
        ScriptReference::Named(name) => name,
        ScriptReference::File(path) => path.display().to_string(),
        ScriptReference::OnlyOneIn(folder) => match beside(&folder).as_slice() {
            [one] => one.display().to_string(),
            several => {
                let name = |path: &PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
                let names: Vec<String> = several.iter().filter_map(name).collect();
                return Found::Game(None, vec![editing::no_script_problem(document, &names)]);
            }
        },
    };
    let source = Reach::Scripts.resolve(&name).map(|source| in_editor(source, open));
    match source.and_then(|source| astragal_dsl::load(&source, document.options())) {
        Err(error) => Found::Game(None, vec![editing::script_problem(document, &error)]),
        Ok(loaded) => {
            let (loaded, accepted) = (Arc::new(loaded), path.and_then(accepted));
            let mut problems = editing::problems(document, &loaded, accepted.as_deref());
            if path.is_none() {
                // The output of an unsaved file cannot be accepted.
                let accepts = |one: &GameProblem| one.fixes.iter().any(|fix| matches!(fix, GameFix::Accept));
                problems.retain(|one| !accepts(one));
            }
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

/// A text of a script to test.
pub(super) struct Tests {
    pub(super) uri: String,
    pub(super) serial: u64,
    pub(super) source: Source,
    /// The variant loaded from the script.
    pub(super) loaded: Arc<Loaded>,
}

/// The test results of a script, and the inlay hints from them and from its starting position.
pub(super) struct Tested {
    pub(super) uri: String,
    pub(super) serial: u64,
    /// `None` if the script has no file, its folder cannot be read, or a test panicked.
    pub(super) run: Option<TestRun>,
    /// The number of tests that reach each block, and the number of moves that each permit admits.
    pub(super) hints: Vec<Hint>,
}

/// Runs the tests of a script.
pub(super) fn test(job: Tests, _: &dyn Fn(Tested)) -> Tested {
    let Tests { uri, serial, source, loaded } = job;
    let (run, hints) = caught(|| results(&source, &loaded)).unwrap_or_default();
    Tested { uri, serial, run, hints }
}

fn results(source: &Source, loaded: &Loaded) -> (Option<TestRun>, Vec<Hint>) {
    let document = astragal_editor::document::Document::new(source.text.clone());
    let run = source.path.as_deref().and_then(|path| run_tests(path, source));
    let mut hints = run.as_ref().map(|run| editing::block_hints(&document, run)).unwrap_or_default();
    if let Some(game) = editing::starting_game(loaded) {
        hints.extend(permit_hints(&document, loaded, &game));
    }
    hints.sort_by_key(|hint| hint.offset);
    (run, hints)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_result() {
        assert_eq!(caught(|| 7), Some(7));
        let panicked: Option<()> = caught(|| panic!("expected by this test"));
        assert_eq!(panicked, None);
        let source = Source { name: "own".into(), path: None, text: "board(3, 3);".into() };
        let analysis = failed(&source);
        assert_eq!(analysis.diagnostics[0].message, FAILURE);
        assert_eq!(analysis.diagnostics[0].span(), None);
    }
}
