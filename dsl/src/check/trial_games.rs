//! Plays random trial games under each setting of the options, to find errors that occur only when rules run and lines that
//! never run.
//!
//! The amount of play is measured in events, so that a script gets the same report on every machine; time limits are a last
//! resort. Each setting has a record of its own, so the report does not depend on the threads of [`super::parallel`] either.
//! [`super::verdicts`] evaluates the results.

use super::report::Report;
use super::shown::{PATIENCE, Shown};
use super::{parallel, recursion};
use crate::Loaded;
use crate::coverage::Coverage;
use crate::diagnostic::{Code, Diagnostic, LoadError};
use crate::host::declare::OptionDef;
use crate::host::endless;
use crate::host::engine::{Clock, Limits};
use crate::host::locate::place_of_function;
use crate::host::pointing::one_of;
use crate::host::script;
use crate::host::tokens::tokens;
use crate::library::{self, Source};
use crate::load::Compiled;
use crate::notation::fen;
use crate::printable::in_a_line;
use crate::tree_growth;
use astragal_core::rule::{Cause, SourceLocation};
use astragal_core::rules::TreeReport;
use astragal_core::{Game, GameError, Mode, MoveWithDice, Position, RuleError, State, Status, Stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The stage of trial games.
#[derive(Default)]
pub(super) struct TrialStage<'s> {
    /// Receives the findings so far, before the first game.
    pub(super) begins: Option<&'s mut dyn FnMut(Vec<Diagnostic>)>,
    /// Ends the games if it is set.
    pub(super) stop: Arc<AtomicBool>,
}

/// Time limit of each step of a check. A check has several steps, and its total time must stay short.
pub(super) const TIME: Duration = Duration::from_millis(600);

/// The limits of each step of a check.
pub(super) fn limits() -> Limits {
    Limits { time: TIME, ..Limits::default() }
}

/// After this many rolls in a row on which no side could act, the game counts as stuck.
pub(super) const STUCK: usize = 400;

/// The amount of play under one setting.
#[derive(Clone, Copy)]
struct Amount {
    games: u64,
    /// Maximum number of events in one game, once a side has moved.
    longest: usize,
    /// Maximum number of events in all games.
    events: usize,
    time: Duration,
    /// Whether players prefer captures half of the time, which ends games with many pieces sooner.
    eager: bool,
}

/// For the script as given: whole games.
const MUCH: Amount =
    Amount { games: 24, longest: 1_200, events: 4_000, time: Duration::from_millis(900), eager: false };

/// For each other value of an option: the first turns of all sides, and some whole games.
const LITTLE: Amount = Amount { games: 4, longest: 160, events: 240, time: Duration::from_millis(200), eager: false };

/// Time limit for all other option values together.
const TIME_OF_VALUES: Duration = Duration::from_millis(1_200);

/// A rule with this many answers after few events will exceed its tree in a real game.
const MANY_NODES: usize = astragal_core::rules::TREE_CAP / 8;
const FEW: usize = 200;

/// Options with the values they are set to.
pub(super) type Setting = Vec<(String, String)>;

/// Trial games that may be played.
#[derive(Clone)]
pub(super) struct Permission {
    pub(super) limits: Limits,
    /// The variants of the settings so far.
    pub(super) compiled: Arc<Compiled>,
    /// Ends them if it is set. Their results are then incomplete.
    pub(super) stop: Arc<AtomicBool>,
}

impl Permission {
    /// Permission for games with the limits of a check.
    pub(super) fn new(stop: Arc<AtomicBool>) -> Permission {
        Permission { limits: limits(), compiled: Arc::default(), stop }
    }

    /// Whether the games must end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The result of trial games under one setting.
pub(super) struct Tried {
    pub(super) setting: Setting,
    pub(super) loaded: Loaded,
    pub(super) shown: Shown,
}

/// The result of all trial games.
pub(super) struct Trials {
    /// The settings: first the given one, then those that differ from it in one option.
    pub(super) tried: Vec<Tried>,
    /// The code that ran in any of them.
    pub(super) coverage: Coverage,
    /// Whether all planned games were played.
    pub(super) whole: bool,
    pub(super) permission: Permission,
}

/// The games under one setting.
struct Games {
    shown: Shown,
    /// Whether all planned games were played.
    whole: bool,
    /// The error of a rule that failed.
    failure: Option<Diagnostic>,
}

/// The outcome of one setting.
enum Outcome {
    Played(Box<(Loaded, Games, Coverage)>),
    /// The script cannot be loaded with it.
    Refused(Vec<Diagnostic>),
    /// The time for all settings is used up.
    Skipped,
}

/// Plays with the options as given, then with each other value of each other option, and reports errors. Returns `None` if
/// the script cannot be loaded.
pub(super) fn play(source: &Source, given: &Setting, permission: &Permission, report: &mut Report) -> Option<Trials> {
    let coverage = Coverage::new();
    let loaded = load(source, given, permission, &coverage).ok()?;
    let settings = others(&loaded.options, given);
    let spent = AtomicU64::new(0);
    let first = || under(&loaded, MUCH, given, permission);
    let (games, outcomes) = parallel::alongside(first, &settings, |setting| other(source, setting, permission, &spent));
    let Games { shown, mut whole, failure } = games;
    failure.into_iter().for_each(|failure| report.push(failure));
    let mut tried = vec![Tried { setting: given.clone(), loaded, shown }];
    for (setting, outcome) in settings.into_iter().zip(outcomes) {
        match outcome {
            Outcome::Played(played) => {
                let (loaded, games, visited) = *played;
                coverage.add(visited);
                whole &= games.whole;
                games.failure.into_iter().for_each(|failure| report.push(failure));
                tried.push(Tried { setting, loaded, shown: games.shown });
            }
            Outcome::Refused(wrong) => wrong.into_iter().for_each(|diagnostic| report.push(diagnostic)),
            Outcome::Skipped => whole = false,
        }
    }
    Some(Trials { tried, coverage, whole, permission: permission.clone() })
}

/// Loads the script with a setting, and plays a few games. Adds the time to `spent`, in nanoseconds, and does nothing if
/// the time for all settings is used up.
fn other(source: &Source, setting: &Setting, permission: &Permission, spent: &AtomicU64) -> Outcome {
    if permission.is_stopped() || u128::from(spent.load(Ordering::Relaxed)) > TIME_OF_VALUES.as_nanos() {
        return Outcome::Skipped;
    }
    let (clock, coverage) = (Clock::start(), Coverage::new());
    let outcome = match load(source, setting, permission, &coverage) {
        Ok(loaded) => {
            let games = under(&loaded, LITTLE, setting, permission);
            Outcome::Played(Box::new((loaded, games, coverage)))
        }
        Err(LoadError::Script(mut wrong)) => {
            wrong.iter_mut().for_each(|diagnostic| diagnostic.notes.extend(note(setting)));
            Outcome::Refused(wrong)
        }
        Err(_) => Outcome::Refused(Vec::new()),
    };
    spent.fetch_add(u64::try_from(clock.spent().as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    outcome
}

/// Plays again with players who prefer captures. Reports no errors, and returns `None` if the script cannot be loaded.
pub(super) fn play_again(
    source: &Source,
    setting: &Setting,
    permission: &Permission,
    coverage: &Coverage,
) -> Option<Shown> {
    let loaded = load(source, setting, permission, coverage).ok()?;
    Some(under(&loaded, Amount { eager: true, ..MUCH }, setting, permission).shown)
}

/// The settings that differ from the given one in one option.
fn others(options: &[OptionDef], given: &Setting) -> Vec<Setting> {
    let free = options.iter().filter(|option| !given.iter().any(|(name, _)| *name == option.name));
    let values = free.flat_map(|option| {
        let other = option.values.iter().filter(|value| **value != option.default);
        other.map(|value| (option.name.clone(), value.clone()))
    });
    values.map(|one| given.iter().cloned().chain([one]).collect()).collect()
}

/// The note that names a finding's setting; `None` for the defaults.
pub(super) fn note(setting: &[(String, String)]) -> Option<String> {
    let all: Vec<String> = setting.iter().map(|(name, value)| format!("--set {name}={value}")).collect();
    (!all.is_empty()).then(|| format!("with {}", all.join(" ")))
}

/// Loads a script for play with coverage.
pub(super) fn load(
    source: &Source,
    given: &[(String, String)],
    permission: &Permission,
    coverage: &Coverage,
) -> Result<Loaded, LoadError> {
    let opened = script::open_to_try(source, given, coverage, permission.limits.clone());
    opened.and_then(|script| crate::load::finish_with(script, Mode::Trees, Some(&permission.compiled)))
}

/// Plays under one setting.
fn under(loaded: &Loaded, amount: Amount, setting: &[(String, String)], permission: &Permission) -> Games {
    let stop = Arc::clone(&permission.stop);
    loaded.set.rules.stop_when(move || stop.load(Ordering::Relaxed));
    let clock = Clock::start();
    let mut games = Games { shown: Shown::default(), whole: true, failure: None };
    for seed in 0..amount.games {
        let played = match Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed) {
            Ok(game) => one(game, &loaded.source, seed, amount, clock, &mut games.shown),
            Err(error) => Err((None, error)),
        };
        if let Err((state, error)) = played {
            games.failure = Some(complaint(loaded, state.as_deref(), &error, setting));
            games.shown.failed = true;
            break;
        }
        if clock.is_past(amount.time) || permission.is_stopped() {
            games.whole = false;
            break;
        }
        if games.shown.events >= amount.events {
            break;
        }
    }
    games
}

/// Plays one game. If a rule fails, returns the state and the error.
fn one(
    mut game: Game,
    source: &Source,
    seed: u64,
    amount: Amount,
    clock: Clock,
    shown: &mut Shown,
) -> Result<(), (Option<Box<State>>, RuleError)> {
    let (mut moved, mut idle) = (false, 0);
    let start = game.state().position().clone();
    shown.offers.begin(game.state());
    let longest = amount.longest.min(amount.events.saturating_sub(shown.events).max(1));
    for ply in 0..PATIENCE {
        if moved && ply >= longest || clock.is_past(amount.time) {
            shown.cut += usize::from(ply >= amount.longest);
            return Ok(());
        }
        let stood = game.state().position().occupied();
        let mut stream = Stream::new(seed ^ 0x7269_616c, ply as u64);
        let mut pick = |n: usize| (stream.next_u64() % n.max(1) as u64) as usize;
        let result = match game.status() {
            Status::Over => {
                shown.over(game.state(), ply);
                return Ok(());
            }
            Status::Chance => {
                shown.rolled = true;
                idle += 1;
                if moved && idle >= STUCK {
                    shown
                        .stuck
                        .get_or_insert_with(|| fen::write(&game.state().ruleset().variant, game.state().position()));
                    return Ok(());
                }
                game.roll().map(|_| ())
            }
            Status::Move => {
                let moves = game.state().moves();
                shown.asked(game.state().mover(), !moves.is_empty());
                if !moves.is_empty() {
                    shown.offers.note(game.state());
                }
                moved |= !moves.is_empty();
                idle = if moves.is_empty() { idle } else { 0 };
                match moves.is_empty() {
                    true => game.pass(),
                    false => {
                        let eager = amount.eager && pick(2) == 0;
                        let taking = if eager { taking(game.state()) } else { Vec::new() };
                        let index = match taking.as_slice() {
                            [] => pick(moves.len() + game.state().choices().len()),
                            some => some[pick(some.len())],
                        };
                        match index.checked_sub(moves.len()) {
                            None => game.play(moves[index]),
                            Some(choice) => game.choose(choice),
                        }
                    }
                }
            }
            Status::Choice => {
                shown.asked(game.state().chooser(), true);
                (moved, idle) = (true, 0);
                let choice = pick(game.state().choices().len());
                game.choose(choice)
            }
        };
        // A change of the board by the rules is progress, too.
        idle = if game.state().position().occupied() == stood { idle } else { 0 };
        shown.events += 1;
        if shown.events == FEW {
            let trees = game.state().ruleset().rules.report();
            let rules = &game.state().ruleset().rules;
            let blamed = |tree: TreeReport| (tree.rule, tree_growth::blame(rules, tree.id, source));
            shown.growing = trees.into_iter().filter(|tree| tree.nodes > MANY_NODES).map(blamed).collect();
        }
        match result {
            Ok(()) => shown.look(&start, game.state()),
            Err(GameError::Rule(error)) => return Err((Some(Box::new(game.state().clone())), error)),
            Err(_) => return Ok(()),
        }
    }
    Ok(())
}

/// The indices of the offered moves that capture.
fn taking(state: &State) -> Vec<usize> {
    let captures = |paid: &MoveWithDice| !state.position().captured_by(paid.mv).0.is_none();
    state.moves().iter().enumerate().filter(|(_, paid)| captures(paid)).map(|(i, _)| i).collect()
}

fn complaint(loaded: &Loaded, state: Option<&State>, error: &RuleError, setting: &[(String, String)]) -> Diagnostic {
    let mut diagnostic = blame(loaded, Some(state.map_or(&loaded.start, State::position)), error);
    diagnostic.message = match diagnostic.message.strip_prefix("in rule ").and_then(|said| said.split_once(": ")) {
        Some((rule, said)) => format!("rule {rule} failed in a trial game: {said}"),
        None => format!("in a trial game: {}", diagnostic.message),
    };
    diagnostic.notes.extend(note(setting));
    diagnostic
}

/// Converts a rule error during play to a diagnostic of the script: the place, the calls that led there, and, if known, the
/// position.
pub fn blame(loaded: &Loaded, position: Option<&Position>, error: &RuleError) -> Diagnostic {
    let rule = error.rule.as_deref().unwrap_or_default();
    let (mut line, mut column) = error.place.unwrap_or_else(|| place_of_function(&loaded.source.text, rule));
    let own = loaded.source.file();
    let file = error.file.clone().unwrap_or_else(|| own.clone());
    let base = file.strip_suffix(".rhai").and_then(library::bundled).filter(|_| file != own);
    let text: Arc<str> = base.map_or_else(|| loaded.source.text.as_str().into(), |base| base.text.as_str().into());
    // The engine returns one text: the message, `; ` and the advice.
    let (message, help) = match error.message.split_once("; ") {
        Some((message, help)) => (message, Some(help.to_string())),
        None => (error.message.as_str(), one_of(&error.message)),
    };
    let (mut message, mut help, mut code) = (message.to_string(), help, Code::Play);
    // If an endless loop surrounds the place, the loop causes the exceeded limit.
    let too_much = matches!(error.cause, Cause::Work(_) | Cause::Held) && error.place.is_some();
    if let Some(endless) = endless::around(&text, &[(line, column)]).filter(|_| too_much) {
        (line, column, code) = (endless.at.0, endless.at.1, Code::Endless);
        (message, help) = (format!("{} ({message})", endless.message), Some(endless.help));
    }
    if message.contains("nested too deeply")
        && let Some((at, circle, cure)) = recursion::possible(&text)
    {
        (line, column, code, message, help) = (at.0, at.1, Code::Endless, circle, Some(cure.into()));
    }
    // The interpreter reports the number, not the operator.
    if let Some(at) = dividing(&text, (line, column)).filter(|_| message.contains("divided by 0")) {
        (line, column) = at;
    }
    if !rule.is_empty() {
        message = format!("in rule `{rule}`: {message}");
    }
    // For an error in a base, show the author's own call first.
    let is_own = |place: &SourceLocation| {
        place
            .file
            .as_deref()
            .is_none_or(|script| *script == own || format!("{script}.rhai") == own || *script == loaded.source.name)
    };
    let call = error.calls.iter().find(|(_, place)| file != own && is_own(place));
    let mut diagnostic = match call {
        Some((name, place)) => {
            let own_text: Arc<str> = loaded.source.text.as_str().into();
            let message = format!("{message} (in `{name}` of {file})");
            let mut diagnostic = Diagnostic::error(&own, &own_text, place.line, place.column, message);
            let stopped = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            diagnostic.notes.push(format!("this happens in {file}, line {line}: {}", in_a_line(stopped.trim())));
            diagnostic
        }
        None => Diagnostic::error(&file, &text, line, column, message),
    };
    diagnostic = called_from(error, &loaded.source, diagnostic.with_help(help).of(code));
    diagnostic
        .notes
        .extend(position.map(|position| format!("in the position {}", fen::write(&loaded.set.variant, position))));
    diagnostic
}

/// The last division operator before a place on its line.
fn dividing(text: &str, place: (usize, usize)) -> Option<(usize, usize)> {
    let all = tokens(text);
    let signs = all.iter().filter(|token| matches!(token.text, "/" | "%" | "/=" | "%="));
    signs.map(|token| token.at).rfind(|at| at.0 == place.0 && *at <= place)
}

/// Adds the calls that led to a failed rule, innermost first.
fn called_from(error: &RuleError, source: &Source, mut diagnostic: Diagnostic) -> Diagnostic {
    // A script in a folder has a short name, but its file is a path.
    let shown = match diagnostic.file == source.file() {
        true => source.name.clone(),
        false => diagnostic.file.clone(),
    };
    for (name, place) in &error.calls {
        let words = match name.starts_with("anon$") {
            true => "the anonymous function is called here".to_string(),
            false => format!("`{name}` is called here"),
        };
        match &place.file {
            Some(script) if format!("{script}.rhai") != shown && *script != shown => {
                diagnostic.notes.push(format!("{}, in {script}, line {}", words.replace(" here", ""), place.line));
            }
            _ if (place.line, place.column) != (diagnostic.line, diagnostic.column) => {
                diagnostic = diagnostic.also_at((place.line, place.column), words);
            }
            _ => {}
        }
    }
    diagnostic
}
