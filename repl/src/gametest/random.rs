//! Random games of a script: each examined for what must hold, and counted.

use super::property::{self, Broken, Property, Subject, random_event};
use super::shrink::{self, Failing};
use super::write;
use astragal_core::{Event, Game, Status, Stream};
use astragal_dsl::words;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A game with more moves and choices is given up.
pub const LONGEST: usize = 2000;

/// The chances of a roll are summed at so many first rolls of a game, then at every tenth.
const SUMMED: usize = 4;

/// What random games have shown.
#[derive(Clone, Default)]
pub struct Report {
    /// How many events each finished or given-up game had.
    pub lengths: Vec<usize>,
    /// How the games ended, and how many did so.
    pub ends: BTreeMap<String, usize>,
    /// The first failure, made short, with the number of events that it had at first and its seed.
    pub failure: Option<(Failing, usize, u64)>,
    /// Whether they were stopped before all were played.
    pub stopped: bool,
}

/// Goes on with a game by chance and examines it.
///
/// # Errors
/// What does not hold, in the game up to there.
pub fn examine(subject: &Subject, mut game: Game, seed: u64) -> Result<Game, Box<Failing>> {
    // Another stream than that of the game's own dice.
    let mut random = Stream::new(seed, u64::MAX);
    let (mut moves, mut rolls) = (0, 0);
    now(subject, &game, &mut rolls)?;
    while moves < LONGEST {
        let Some(event) = random_event(game.state(), &mut random) else { break };
        moves += usize::from(!matches!(event, Event::Roll(_)));
        if let Err(error) = game.apply(&event) {
            let broken = Broken::rule(&game, &error);
            return Err(Box::new(Failing { game, event: Some(event), broken }));
        }
        now(subject, &game, &mut rolls)?;
    }
    match property::check_whole(subject, &game) {
        Ok(()) => Ok(game),
        Err(broken) => Err(Box::new(Failing { game, event: None, broken })),
    }
}

fn now(subject: &Subject, game: &Game, rolls: &mut usize) -> Result<(), Box<Failing>> {
    let mut properties = vec![Property::Text];
    if game.status() == Status::Chance {
        *rolls += 1;
        if *rolls <= SUMMED || rolls.is_multiple_of(10) {
            properties.push(Property::Chances);
        }
    }
    let broken = properties.into_iter().find_map(|property| property::check(property, subject, game).err());
    match broken {
        None => Ok(()),
        Some(broken) => Err(Box::new(Failing { game: game.clone(), event: broken.event.clone(), broken })),
    }
}

/// Plays `games` games with seeds from `seed` on, until one fails or `go_on`, which is told how many
/// have been played, says no. A failing game is made short.
///
/// # Errors
/// If a rule fails before the first event.
pub fn play_many(subject: &Subject, games: u64, seed: u64, go_on: &dyn Fn(u64) -> bool) -> Result<Report, Broken> {
    let (mut report, start) = (Report::default(), shrink::fresh(subject)?);
    for played in 0..games {
        if !go_on(played) {
            report.stopped = true;
            break;
        }
        let seed = seed.wrapping_add(played);
        match examine(subject, start.clone(), seed) {
            Ok(game) => {
                report.lengths.push(game.entries().len());
                let end = words::result(game.state()).unwrap_or_else(|| format!("unfinished after {LONGEST} moves"));
                *report.ends.entry(end).or_default() += 1;
            }
            Err(failing) => {
                let events = failing.game.entries().len() + usize::from(failing.event.is_some());
                let short = shrink::shrink(subject, *failing, &|| go_on(played));
                report.failure = Some((short, events, seed));
                break;
            }
        }
    }
    Ok(report)
}

impl Report {
    /// How many games were played to an end or given up.
    pub fn games(&self) -> usize {
        self.lengths.len()
    }

    /// The figures, for people.
    pub fn text(&self) -> String {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let mut out = String::new();
        if let (Some(least), Some(most)) = (lengths.first(), lengths.last()) {
            let median = lengths[lengths.len() / 2];
            let _ = writeln!(out, "  events of a game: {least} to {most}, median {median}");
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

/// A failing game as the text of a game file at `path`, which fails until the cause is gone.
pub fn failing_text(path: &Path, subject: &Subject, failing: &Failing, seed: u64) -> String {
    let comments = [format!("Random game {seed} made short: this should not happen."), failing.broken.to_string()];
    let mut more: Vec<String> = Vec::new();
    if let Some(event) = &failing.event {
        more.push(write::event(failing.game.state(), event));
    }
    if failing.broken.property != Property::Rules {
        more.push("check".into());
    }
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let title = format!("{} of {}", failing.broken.property.name(), subject.loaded.title);
    write::game_text(path, &subject.loaded, &failing.game, &title, &comments, &more)
}

/// Where a failing game is saved: beside its script, or here for those that come with the program.
/// Never a file that exists.
pub fn failing_path(subject: &Subject, failing: &Failing, seed: u64) -> PathBuf {
    let folder = subject.loaded.source.path.as_deref().map(super::loader::folder_of).unwrap_or_default();
    let stem = format!("{}-{}-{seed}", subject.loaded.name, failing.broken.property.name());
    let named = |suffix: String| folder.join(format!("{stem}{suffix}.game"));
    let mut path = named(String::new());
    for number in 2.. {
        if !path.exists() {
            break;
        }
        path = named(format!("-{number}"));
    }
    path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)
}
