//! All that is wrong with a script: what can be told from its text, from loading it, and from a few
//! plies of random play.
//!
//! [`survey`] lists what stands in the script; [`names`], [`literals`], [`options`] and [`rules`] judge
//! it, [`declared`] what its declarations have come to; [`trial`] plays. What exists is always asked of the
//! interpreter and of the loaded variant, what functions take and do of their rows ([`crate::functions`]), never of a
//! list kept here. A check complains only where the script cannot be right.

mod declared;
mod faces;
mod literals;
mod names;
mod options;
mod permits;
mod rules;
mod summary;
mod survey;
pub(crate) mod syntax;
mod trial;
mod unknown;

pub use summary::summary;
pub(crate) use summary::{dice_of, endings_of, only_tracks};
pub use trial::blame;

use crate::diagnostic::{Diagnostic, LoadError, Severity};
use crate::host::blame::{diagnose, place_of_function};
use crate::host::engine::{Clock, Guard, Limits, sandbox};
use crate::host::script::{self, Script};
use crate::library::Source;
use astragal_core::Mode;
use rhai::{AST, EvalAltResult};
use std::sync::Arc;
use std::time::Duration;
use survey::{Place, Survey};

/// More than this helps nobody.
const MOST: usize = 20;

/// A rule that has so many answers after a few trial games will outgrow its tree in a real one.
const MANY_NODES: usize = astragal_core::rules::TREE_CAP / 8;

/// The time of each step of a check: it takes several, and nobody waits long for it.
const TIME: Duration = Duration::from_millis(600);

fn limits() -> Limits {
    Limits { time: TIME, ..Limits::default() }
}

/// What has been found so far.
struct Report {
    file: String,
    text: Arc<str>,
    found: Vec<Diagnostic>,
}

impl Report {
    /// One diagnostic for each place, an error before a warning.
    fn push(&mut self, diagnostic: Diagnostic) {
        let place = |d: &Diagnostic| (d.file.clone(), d.line, d.column);
        let known = self.found.iter_mut().find(|d| diagnostic.line > 0 && place(d) == place(&diagnostic));
        match known {
            None => self.found.push(diagnostic),
            Some(known) if diagnostic.severity < known.severity => *known = diagnostic,
            Some(_) => {}
        }
    }

    fn error(&mut self, at: Place, message: String, help: Option<String>) {
        self.push(Diagnostic::error(&self.file, &self.text, at.0, at.1, message).with_help(help));
    }

    fn error_of_length(&mut self, at: Place, length: usize, message: String, help: Option<String>) {
        let mut diagnostic = Diagnostic::error(&self.file, &self.text, at.0, at.1, message).with_help(help);
        diagnostic.length = length;
        self.push(diagnostic);
    }

    fn warning(&mut self, at: Place, message: String, help: Option<String>) {
        let mut diagnostic = Diagnostic::error(&self.file, &self.text, at.0, at.1, message).with_help(help);
        diagnostic.severity = Severity::Warning;
        self.push(diagnostic);
    }

    fn note(&mut self, at: Place, message: String, help: Option<String>) {
        let mut diagnostic = Diagnostic::error(&self.file, &self.text, at.0, at.1, message).with_help(help);
        diagnostic.severity = Severity::Note;
        self.push(diagnostic);
    }

    fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.severity == Severity::Error)
    }

    /// All that was found, in the order of the text; what concerns the whole script comes last.
    fn sorted(mut self) -> Vec<Diagnostic> {
        let own = self.file.clone();
        self.found.sort_by_key(|d| (d.file != own, d.line == 0, d.line, d.column));
        self.found.truncate(MOST);
        self.found
    }
}

/// Reads a script without looking at names.
fn parse(text: &str) -> Result<AST, Box<EvalAltResult>> {
    let mut engine = sandbox(&Limits::default(), &Guard::default());
    engine.set_strict_variables(false);
    engine.compile(text).map_err(|e| Box::new(EvalAltResult::from(e)))
}

/// Everything wrong with a script that can be told without playing it in earnest, in the order of its
/// text; empty if nothing is.
pub fn check(source: &Source) -> Vec<Diagnostic> {
    let mut report = Report { file: source.file(), text: source.text.as_str().into(), found: Vec::new() };
    if let Err(error) = script::refuse_size(source) {
        return of_load(source, error);
    }
    let ast = match parse(&source.text) {
        Ok(ast) => ast,
        Err(error) => return vec![diagnose(&error, source, &Guard::default())],
    };
    let survey = Survey::of(&ast);
    let known = names::Known::of(&script::vocabulary());
    names::check(&survey, &known, &mut report);
    let misnamed = rules::misnamed(&survey, |name| place_of_function(&source.text, name), &mut report);
    rules::endless(&survey, &mut report);
    permits::outcome(&survey, &mut report);
    let clock = Clock::start();
    let opened = script::open_within(source, &[], limits());
    let slow = clock.spent() > TIME / 2;
    match opened.and_then(|script| loaded(script, &survey, &known, &mut report)) {
        Ok(()) => {}
        Err(error) => {
            for mut diagnostic in of_load(source, error) {
                declared::too_late(&survey, &mut diagnostic);
                // A warning about the line does not say that it cannot be run.
                let says_it = |d: &Diagnostic| d.severity == Severity::Error && d.line == diagnostic.line;
                let known = report.found.iter().any(|d| says_it(d) && d.file == diagnostic.file);
                if !known && (diagnostic.line > 0 || !report.has_errors()) {
                    report.push(diagnostic);
                }
            }
            return report.sorted();
        }
    }
    if !report.has_errors() && !slow {
        played(source, &survey, misnamed, &mut report);
    }
    report.sorted()
}

/// What can be said of a script whose top level has run.
fn loaded(script: Script, survey: &Survey, known: &names::Known, report: &mut Report) -> Result<(), LoadError> {
    // The script is loaded for its declaration; the checks then go on with it.
    let (script, declared) = crate::load::declare(script)?;
    let rules = survey.reached(&rules::RULES, false);
    let reached = survey.reached(&rules::RULES, true);
    literals::check(survey, known, &script, &reached, &rules, report);
    rules::unused(survey, report);
    options::check(survey, &declared.options, report);
    options::same(survey, &declared.options, &report.text.clone(), report);
    permits::royals(survey, &declared.variant, report);
    permits::castling(survey, &declared.variant, report);
    declared::twice(&script, report);
    declared::hands(survey, &declared.variant, report);
    declared::bounds(survey, report);
    declared::regions(survey, &declared.variant, &declared.start, report);
    faces::check(survey, &declared.faces, report);
    Ok(())
}

/// What trial games show.
fn played(source: &Source, survey: &Survey, misnamed: bool, report: &mut Report) {
    let opened = script::open_within(source, &[], limits());
    let Ok(loaded) = opened.and_then(|script| crate::load::finish(script, Mode::Trees)) else { return };
    let shown = trial::play(&loaded, report);
    permits::never(&loaded, report);
    permits::sideless(&loaded, report);
    unknown::secrets(&loaded, report);
    unknown::never_filled(survey, &loaded, report);
    if misnamed || report.has_errors() {
        return;
    }
    for tree in loaded.set.rules.report().iter().filter(|tree| tree.nodes > MANY_NODES) {
        let at = place_of_function(&source.text, &tree.rule);
        let help = "ask about sets, as count(...) does, rather than about one square after another".to_string();
        let message = format!("the rule `{}` asks so much that it cannot be remembered: it will be slow", tree.rule);
        report.warning(at, message, Some(help));
    }
    if !shown.ended && rules::cannot_end(survey) {
        let help = "write `fn outcome() { ... }` with win() or draw() in it".to_string();
        report.warning((0, 0), "the game cannot end: no rule wins or draws".to_string(), Some(help));
    }
    if !shown.played && rules::never_plays(survey) {
        let at = place_of_function(&source.text, "turn");
        report.warning(at, "this rule never lets anybody move".to_string(), Some("end it with `play(...)`".into()));
    } else if shown.stuck {
        permits::stuck(&loaded, survey, report);
    }
}

fn of_load(source: &Source, error: LoadError) -> Vec<Diagnostic> {
    match error {
        LoadError::Script(all) => all,
        other => {
            let text: Arc<str> = source.text.as_str().into();
            vec![Diagnostic::error(&source.file(), &text, 0, 0, other.to_string())]
        }
    }
}
