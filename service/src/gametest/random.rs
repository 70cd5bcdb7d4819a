//! Random games of a script: each is checked for the properties of all games, and counted.

use super::attempt::{self, Attempt};
use super::file::GameFile;
use super::loader::Loader;
use super::property::{self, Property, Subject, Violation, random_event};
use super::shrink::{self, FailingGame};
use super::{play, text};
use astragal_core::{Game, Status, Stream};
use astragal_dsl::{game_text, turn_state_text};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The probabilities of a roll are summed at this many first rolls of a game, then at every tenth.
const SUMMED: usize = 4;

/// How much is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The number of games.
    pub games: u64,
    /// The seed of the first game; each further game has the next.
    pub seed: u64,
    /// The maximum number of events of a game, rolls included; longer games are cut.
    pub longest: usize,
}

/// The results of random games.
#[derive(Clone, Default)]
pub struct Report {
    /// The number of events of each finished or cut game.
    pub lengths: Vec<usize>,
    /// How the games ended, with the number of games for each ending.
    pub(crate) ends: BTreeMap<String, usize>,
    /// The games that were cut.
    pub cut: Vec<Cut>,
    /// The first failure.
    pub failure: Option<Failure>,
    /// Whether the run stopped before all games were played.
    pub(crate) stopped: bool,
}

/// A game that did not end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Its seed.
    pub seed: u64,
    /// The position in which it was cut.
    pub position: String,
}

/// A game that violates a property.
#[derive(Clone)]
pub struct Failure {
    /// The game as found.
    pub found: FailingGame,
    /// The shortened game.
    pub short: FailingGame,
    /// Its seed.
    pub seed: u64,
}

/// Continues a game with random events to its end, for at most `longest` events in all, and checks its properties. Calls
/// `go_on` with the number of events before each, and returns `None` if it returns false.
///
/// # Errors
/// The violated property, with the game up to there.
pub fn examine(
    subject: &Subject,
    game: Game,
    seed: u64,
    longest: usize,
    go_on: &dyn Fn(usize) -> bool,
) -> Result<Option<Game>, Box<FailingGame>> {
    match played(subject, game, seed, longest, go_on) {
        // A rule that was interrupted has not failed.
        Err(failing) if !go_on(failing.length()) => Ok(None),
        other => other,
    }
}

fn played(
    subject: &Subject,
    mut game: Game,
    seed: u64,
    longest: usize,
    go_on: &dyn Fn(usize) -> bool,
) -> Result<Option<Game>, Box<FailingGame>> {
    // A separate stream from that of the game's dice.
    let mut random = Stream::new(seed, u64::MAX);
    let mut rolls = 0;
    now(subject, &game, &mut rolls)?;
    while game.entries().len() < longest {
        if !go_on(game.entries().len()) {
            return Ok(None);
        }
        let Some(event) = random_event(game.state(), &mut random) else { break };
        if let Err(error) = game.apply(&event) {
            let violation = Violation::rule(&game, &error);
            return Err(Box::new(FailingGame { game, event: Some(event), violation }));
        }
        now(subject, &game, &mut rolls)?;
    }
    match property::check_whole(subject, &game) {
        Ok(()) => Ok(Some(game)),
        Err(violation) => Err(Box::new(FailingGame { game, event: None, violation })),
    }
}

fn now(subject: &Subject, game: &Game, rolls: &mut usize) -> Result<(), Box<FailingGame>> {
    let mut properties = vec![Property::Text];
    if game.status() == Status::Chance {
        *rolls += 1;
        if *rolls <= SUMMED || rolls.is_multiple_of(10) {
            properties.push(Property::Chances);
        }
    }
    let violation = properties.into_iter().find_map(|property| property::check(property, subject, game).err());
    match violation {
        None => Ok(()),
        Some(violation) => Err(Box::new(FailingGame { game: game.clone(), event: violation.event.clone(), violation })),
    }
}

/// Plays games until one fails or `go_on` returns false. `go_on` is called before each event with the number of games
/// played and the number of events in the current game. A failing game is shortened.
///
/// # Errors
/// If a rule fails before the first event.
pub fn play_many(subject: &Subject, effort: Effort, go_on: &dyn Fn(u64, usize) -> bool) -> Result<Report, Violation> {
    let (mut report, start) = (Report::default(), shrink::fresh(subject)?);
    for played in 0..effort.games {
        let seed = effort.seed.wrapping_add(played);
        match examine(subject, start.clone(), seed, effort.longest, &|events| go_on(played, events)) {
            Ok(Some(game)) => {
                report.lengths.push(game.entries().len());
                let result = game_text::result(game.state());
                if result.is_none() {
                    report.cut.push(Cut { seed, position: turn_state_text::position(&subject.loaded, &game) });
                }
                let end = result.unwrap_or_else(|| format!("stopped after {} events: no result", effort.longest));
                *report.ends.entry(end).or_default() += 1;
            }
            Ok(None) => {
                report.stopped = true;
                break;
            }
            Err(failing) => {
                let short = shrink::shrink(subject, (*failing).clone(), &|| go_on(played, failing.length()));
                report.failure = Some(Failure { found: *failing, short, seed });
                break;
            }
        }
    }
    Ok(report)
}

impl Report {
    /// Whether games were played and none of them ended.
    pub fn none_ended(&self) -> bool {
        self.failure.is_none() && !self.lengths.is_empty() && self.cut.len() == self.lengths.len()
    }

    /// The number of games that ended or were cut.
    pub fn games(&self) -> usize {
        self.lengths.len()
    }

    /// The figures as text.
    pub fn text(&self) -> String {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let mut out = String::new();
        if let (Some(least), Some(most)) = (lengths.first(), lengths.last()) {
            let median = lengths[lengths.len() / 2];
            let _ = writeln!(out, "  events per game: {least} to {most}, median {median}");
        }
        let mut ends: Vec<(&String, &usize)> = self.ends.iter().collect();
        ends.sort_by_key(|(end, count)| (std::cmp::Reverse(**count), *end));
        for (end, count) in ends {
            let percent = *count as f64 * 100.0 / self.games().max(1) as f64;
            let _ = writeln!(out, "  {count:>6}  {percent:>5.1} %  {end}");
        }
        out
    }
}

/// A failing game as the text of a game file that names its script `script`. The test fails until the cause is fixed.
pub fn failing_text(script: &str, subject: &Subject, failing: &FailingGame, seed: u64) -> String {
    let comments =
        [format!("Random game {seed}, shrunk to the shortest game that still fails:"), failing.violation.to_string()];
    let mut more: Vec<String> = Vec::new();
    if let Some(event) = &failing.event {
        more.push(text::event(failing.game.state(), event));
    }
    if failing.violation.property != Property::Rules {
        more.push("check".into());
    }
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let title = format!("{} of {}", failing.violation.property.name(), subject.loaded.title);
    text::game_text(script, &subject.loaded, &failing.game, &title, &comments, &more)
}

/// Whether a game file with this text at `path`, played as a test, fails in the same way in its last line. `loader` should
/// be new, so that it reads the current scripts.
pub fn reproduces(path: &Path, text: &str, failing: &FailingGame, mut loader: Loader) -> bool {
    let file = GameFile::parse(path, text).ok();
    let Some((before, last)) = file.as_ref().and_then(attempt::split_last) else { return false };
    let Ok((loaded, mut game)) = play::played(&before, &mut loader) else { return false };
    let plain = loader.interpreted(&loaded).ok();
    let subject = Subject { loaded, plain };
    let wanted = &failing.violation;
    let found = match &failing.event {
        Some(event) => {
            let moment = game.clone();
            let failed = attempt::attempt_line(&subject.loaded, &mut game, &last);
            // The line must produce exactly this event.
            let error = moment.clone().apply(event).err();
            error.filter(|_| matches!(failed, Attempt::Fails(_))).map(|error| Violation::rule(&moment, &error))
        }
        None => property::check_game(&subject, &game).err(),
    };
    found.is_some_and(|found| found.property == wanted.property && found.mark == wanted.mark)
}
