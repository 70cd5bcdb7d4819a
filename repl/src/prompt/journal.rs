//! The game on disk while it is played: an append-only file with a line for each event.
//!
//! Each line begins with a checksum over itself and all lines before it, so any missing, changed or incomplete line is
//! detected. Lines look like typed input: `roll 2,3`, `move g1f3`, `back 2`; `computers second=3` sets the players from
//! there on. A file belongs to one prompt: it is newly created or locked, and the lock ends with the process. The content
//! of a file is accepted only as far as the rules allow it.

use super::computer::seats::SeatAssignment;
use crate::atomic_write::{self, DurableFile};
use astragal_core::{Event, Game, State};
use astragal_dsl::notation::fen;
use astragal_dsl::{LoadError, Loaded, Variations, disk, game_text, library, turn_state_text};
use astragal_service::variant_cache::{VariantCache, chosen};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

const MAGIC: &str = library::SAVED_GAME;
const EXTENSION: &str = "game";
/// The largest file that is read, in bytes.
const MAX: u64 = 64 << 20;

/// A file that records a game while it is played.
pub(super) struct Journal {
    log: Log,
    path: PathBuf,
    /// The head of the file: how the game began.
    head: Vec<String>,
    /// The events that the file leads to.
    events: Vec<Event>,
    /// The sides that the computer plays, according to the file.
    seats: String,
    over: bool,
}

/// Lines with their checksums, written completely or not at all.
struct Log {
    pen: DurableFile,
    /// The length of the valid lines in bytes, and the checksum of the last one.
    length: u64,
    sum: u32,
    /// Whether a failed write may have left bytes after them.
    torn: bool,
}

impl Log {
    fn new(pen: DurableFile, length: u64, sum: u32) -> Log {
        Log { pen, length, sum, torn: false }
    }

    /// Writes lines; they are on disk when this returns. If it fails, none of them counts, and they can be written again.
    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        if self.torn {
            self.pen.cut(self.length)?;
            self.torn = false;
        }
        let (mut text, mut last) = (String::new(), self.sum);
        for line in lines {
            last = sum(last, line);
            text.push_str(&format!("{last:08x} {line}\n"));
        }
        // In one write: a killed process has written all of it or nothing.
        if let Err(error) = self.pen.write(text.as_bytes()) {
            // A partial line would make the following lines unreadable.
            self.torn = self.pen.cut(self.length).is_err();
            return Err(error);
        }
        (self.length, self.sum) = (self.length + text.len() as u64, last);
        Ok(())
    }
}

/// A resumed game.
pub(super) struct Resumed {
    /// The file, to be continued.
    pub journal: Journal,
    /// The variant.
    pub loaded: Arc<Loaded>,
    /// Its name or path.
    pub name: String,
    /// Whether the file is in the folder of saved games, and was therefore written by this program.
    pub own: bool,
    /// The game as it was left.
    pub game: Game,
    /// All variations of the game.
    pub variations: Variations,
    /// The players.
    pub seats: SeatAssignment,
    /// A report of damage to the file, and of its handling. Empty if it is intact.
    pub damage: String,
}

/// A saved game, in a list.
pub(super) struct Saved {
    /// Its number, which identifies it.
    pub number: u32,
    /// Its file.
    pub path: PathBuf,
    /// The variant with its options.
    pub title: String,
    /// The number of its events.
    pub events: usize,
    /// How it ended.
    pub over: Option<String>,
    modified: Option<std::time::SystemTime>,
}

/// The checksum of a line, given that of the line before it (FNV-1a).
fn sum(before: u32, line: &str) -> u32 {
    let step = |sum: u32, byte: &u8| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    line.as_bytes().iter().fold(before.wrapping_mul(31) ^ 0x811c_9dc5, step)
}

impl Journal {
    /// Creates a file in `folder` for `game`, with the events so far and the seats. If that fails, there is no file.
    ///
    /// # Errors
    /// A sentence that names what cannot be created or written.
    pub(super) fn begin(folder: &Path, loaded: &Loaded, game: &Game, seats: &str) -> Result<Journal, String> {
        fs::create_dir_all(folder)
            .map_err(|error| format!("cannot create the folder {}: {error}", folder.display()))?;
        let taken: Vec<u32> = names(folder).iter().filter_map(|path| number(path)).collect();
        let first = taken.iter().max().map_or(1, |last| last.saturating_add(1));
        let name: String = loaded.name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
        // Another prompt may choose the same number at the same time: each creates its file or tries the next number.
        for number in first..first.saturating_add(10_000) {
            let path = folder.join(format!("{number:04}-{name}.{EXTENSION}"));
            if names(folder).iter().any(|other| self::number(other) == Some(number)) {
                continue;
            }
            let pen = match DurableFile::create_new(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(format!("cannot create {}: {error}", path.display())),
                Ok(pen) => pen,
            };
            let begun = Journal::write_first(pen, path.clone(), loaded, game, seats);
            return begun.inspect_err(|_| drop(fs::remove_file(&path)));
        }
        Err(format!("there is no free number for a saved game in {}", folder.display()))
    }

    fn write_first(
        pen: DurableFile,
        path: PathBuf,
        loaded: &Loaded,
        game: &Game,
        seats: &str,
    ) -> Result<Journal, String> {
        lock(pen.file()).map_err(|error| format!("cannot lock {}: {error}", path.display()))?;
        let (events, known, head) = (Vec::new(), String::new(), head(loaded, game));
        let mut journal = Journal { log: Log::new(pen, 0, 0), path, head, events, seats: known, over: false };
        let lines: Vec<String> = std::iter::once(MAGIC.into()).chain(journal.head.clone()).collect();
        journal.append(&lines)?;
        journal.path.parent().into_iter().for_each(sync_folder);
        journal.note(game, seats)?;
        Ok(journal)
    }

    fn append(&mut self, lines: &[String]) -> Result<(), String> {
        self.log.append(lines).map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }

    /// Whether `game` began like the one in this file.
    pub(super) fn is_of(&self, loaded: &Loaded, game: &Game) -> bool {
        self.head == head(loaded, game)
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The sides that the computer plays, as last written.
    pub(super) fn seats(&self) -> &str {
        &self.seats
    }

    /// The number that identifies the game.
    pub(super) fn number(&self) -> Option<u32> {
        number(&self.path)
    }

    /// Writes the difference between the last written state and `game`, and `seats`; it is on disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written. Then the file is unchanged, and the next call includes the missing lines.
    pub(super) fn note(&mut self, game: &Game, seats: &str) -> Result<(), String> {
        let entries = game.entries();
        let same = self.events.iter().zip(entries).take_while(|(event, entry)| **event == entry.event).count();
        let over = game_text::result(game.state());
        let mut lines = Vec::new();
        if self.seats != seats {
            lines.push(format!("computers {seats}").trim_end().to_owned());
        }
        let nothing = same == self.events.len() && same == entries.len() && self.over == over.is_some();
        if nothing && lines.is_empty() {
            return Ok(());
        }
        if same < self.events.len() {
            lines.push(format!("back {}", self.events.len() - same));
        }
        let mut number = 0;
        replayed(game, |before, event| {
            number += 1;
            if number > same {
                lines.push(event_line(before, event));
            }
        });
        lines.extend(over.iter().map(|result| format!("over {result}")));
        self.append(&lines)?;
        self.events = entries.iter().map(|entry| entry.event.clone()).collect();
        self.over = over.is_some();
        seats.clone_into(&mut self.seats);
        Ok(())
    }
}

/// The lines that describe how a game began.
fn head(loaded: &Loaded, game: &Game) -> Vec<String> {
    let path = loaded.source.path.as_ref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()));
    let mut lines = vec![format!("variant {}", path.map_or(loaded.name.clone(), |path| path.display().to_string()))];
    lines.extend(chosen(loaded).iter().map(|(name, value)| format!("option {name}={value}")));
    lines.push(format!("seed {}", game.seed()));
    let dice = Some(game.start_dice()).filter(|dice| !dice.is_empty());
    if *game.start() != loaded.start || dice.is_some() {
        let dice = dice.map(|dice| game_text::dice_text(&loaded.faces, dice));
        lines.push(format!("start {}", fen::write_turn(&loaded.set.variant, game.start(), dice.as_deref())));
    }
    lines
}

fn event_line(before: &State, event: &Event) -> String {
    let text = turn_state_text::event(before, event);
    match event {
        Event::Roll(_) => format!("roll {text}"),
        Event::Move(_) => format!("move {text}"),
        Event::Pass => "pass".into(),
        Event::Choice(index) => {
            format!("choose {}", game_text::choices(before).get(*index).cloned().unwrap_or_default())
        }
    }
}

fn replayed(game: &Game, mut visit: impl FnMut(&State, &Event)) {
    let Ok(mut again) = turn_state_text::restarted(game) else { return };
    for entry in game.entries() {
        visit(again.state(), &entry.event);
        if again.apply(&entry.event).is_err() {
            return;
        }
    }
}

/// Locks a file; succeeds on systems without locks, where none is needed.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ErrorKind::ResourceBusy.into()),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Makes a new name in a folder durable; not all systems can do so or require it.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// The intact lines of a file with the bytes that they take, and a description of the damage after them.
fn intact(bytes: &[u8]) -> (Vec<(String, usize)>, Option<String>) {
    let (mut lines, mut last, mut end) = (Vec::new(), 0, 0);
    for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
        let line = piece.strip_suffix(b"\n").and_then(|line| str::from_utf8(line).ok()).and_then(|l| l.split_once(' '));
        let wrong = match line {
            None if !piece.ends_with(b"\n") => "the file ends in the middle of this line",
            Some((told, text)) if u32::from_str_radix(told, 16).ok() == Some(sum(last, text)) => {
                (last, end) = (sum(last, text), end + piece.len());
                lines.push((text.to_owned(), end));
                continue;
            }
            _ => "this line or one before it was changed",
        };
        return (lines, Some(wrong.into()));
    }
    (lines, None)
}

/// The saved games in a folder, the most recently played first.
pub(super) fn saved(folder: &Path) -> Vec<Saved> {
    let mut all: Vec<Saved> = names(folder).iter().filter_map(|path| listed(path)).collect();
    all.sort_by_key(|game| std::cmp::Reverse((game.modified, game.number)));
    all
}

/// The files in a folder that have names of saved games.
fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| number(path).is_some()).collect()
}

/// The list entry of a saved game; `None` if it is not a regular file.
fn listed(path: &Path) -> Option<Saved> {
    let number = number(path)?;
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let bytes = disk::read(path, MAX).unwrap_or_default();
    let (lines, _) = intact(&bytes);
    let values_of = |key: &str| lines.iter().filter_map(|(line, _)| line.strip_prefix(key)).collect::<Vec<_>>();
    let mut title = values_of("variant ").first().copied().unwrap_or("damaged").to_owned();
    values_of("option ").iter().for_each(|option| title.push_str(&format!(", {option}")));
    let events = lines.iter().fold(0_usize, |count, (line, _)| match line.strip_prefix("back ") {
        Some(back) => count.saturating_sub(back.parse().unwrap_or(0)),
        None => count + usize::from(is_event(line)),
    });
    let over = lines.last().and_then(|(line, _)| line.strip_prefix("over ")).map(String::from);
    Some(Saved { number, path: path.into(), title, events, over, modified: meta.modified().ok() })
}

fn number(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.strip_suffix(&format!(".{EXTENSION}"))?.split('-').next()?.parse().ok()
}

fn is_event(line: &str) -> bool {
    ["roll ", "move ", "pass", "choose "].iter().any(|key| line.starts_with(key))
}

/// Resumes a game: the one with this number, file name or path; without one, the most recently played game that is not
/// over. A game that another prompt plays is left alone.
///
/// # Errors
/// If there is no such game, it is being played, its head is damaged, or its variant cannot be loaded.
pub(super) fn resume(cache: &mut VariantCache, folder: &Path, which: Option<&str>) -> Result<Resumed, ResumeError> {
    let all = saved(folder);
    let none = || ResumeError::None { folder: folder.into() };
    let Some(which) = which else {
        let (open, over): (Vec<_>, Vec<_>) = all.iter().partition(|saved| saved.over.is_none());
        let mut busy = None;
        for saved in open.into_iter().chain(over) {
            match take_up(cache, &saved.path, true) {
                Err(error @ ResumeError::Busy { .. }) => busy = Some(error),
                other => return other,
            }
        }
        return Err(busy.unwrap_or_else(none));
    };
    let named = |saved: &&Saved| saved.path.file_name().is_some_and(|name| name == which);
    let numbered = |saved: &&Saved| which.parse() == Ok(saved.number);
    let chosen = all.iter().find(named).or_else(|| all.iter().find(numbered)).map(|saved| saved.path.clone());
    // Files in the folder were written by this program; other files may come from strangers.
    let own = chosen.is_some();
    let path = chosen.or_else(|| Some(PathBuf::from(which)).filter(|path| path.is_file()));
    let path = path.ok_or_else(|| match all.is_empty() {
        true => none(),
        false => ResumeError::NotFound { which: which.into() },
    })?;
    take_up(cache, &path, own)
}

/// Why a saved game cannot be resumed.
#[derive(Debug, Error)]
pub(super) enum ResumeError {
    /// No game is saved.
    #[error("there are no saved games in {}", folder.display())]
    None {
        /// The folder for saved games.
        folder: PathBuf,
    },
    /// There is no such game.
    #[error("there is no saved game '{which}'; at the prompt, 'games' lists the saved games")]
    NotFound {
        /// The requested game.
        which: String,
    },
    /// Another prompt plays it.
    #[error("{} is being played at another prompt", path.display())]
    Busy {
        /// Its file.
        path: PathBuf,
    },
    /// Its file cannot be read or used; with the reason.
    #[error("{0}")]
    Unusable(String),
}

impl From<ResumeError> for String {
    fn from(error: ResumeError) -> String {
        error.to_string()
    }
}

/// Resumes a game; the script that it names may be any file if the file is our own.
fn take_up(cache: &mut VariantCache, path: &Path, own: bool) -> Result<Resumed, ResumeError> {
    let cannot =
        |what: &str, error: io::Error| ResumeError::Unusable(format!("cannot {what} {}: {error}", path.display()));
    let file = disk::open(path, OpenOptions::new().read(true).write(true)).map_err(|error| cannot("open", error))?;
    lock(&file).map_err(|_| ResumeError::Busy { path: path.into() })?;
    let bytes = disk::read_from(&file, MAX).map_err(|error| cannot("read", error))?;
    let begins = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if !own && !begins.trim_ascii_end().ends_with(MAGIC.as_bytes()) {
        return Err(ResumeError::Unusable(format!("{} is neither a saved game nor a record", path.display())));
    }
    let (lines, mut wrong) = intact(&bytes);
    let place = |number: usize, why: &str| format!("{} is damaged at line {number}: {why}", path.display());
    let mut header = JournalHeader::new();
    let mut at = 0;
    while at < lines.len() && header.head(at, &lines[at].0) {
        at += 1;
    }
    if at == 0 || header.variant.is_empty() || header.seed.is_none() {
        let message = place(at + 1, wrong.as_deref().unwrap_or("the file does not name its variant"));
        let kept = set_aside(path, &bytes).map_err(|why| ResumeError::Unusable(format!("{message}; {why}")))?;
        fs::remove_file(path).map_err(|error| cannot("remove", error))?;
        return Err(ResumeError::Unusable(format!(
            "{message}; none of it can be used, so it was moved to {}",
            kept.display()
        )));
    }
    let load = |cache: &mut VariantCache| -> Result<Arc<Loaded>, LoadError> {
        match own {
            true => cache.load(&header.variant, &header.options),
            false => cache.load_told(&header.variant, &header.options),
        }
    };
    let loaded = load(cache).map_err(|error| ResumeError::Unusable(error.to_string()))?;
    let game = header.begin(&loaded).map_err(|why| ResumeError::Unusable(place(at, &why)))?;
    let mut track = Track { game, variations: Variations::new(), seats: SeatAssignment::default() };
    while let Some((line, _)) = lines.get(at) {
        if let Err(why) = track.line(line) {
            wrong = Some(why);
            break;
        }
        at += 1;
    }
    let end = lines[at - 1].1;
    let damage = match wrong {
        None => String::new(),
        Some(why) => {
            let message = place(at + 1, &why);
            let kept = set_aside(path, &bytes).map_err(|why| ResumeError::Unusable(format!("{message}; {why}")))?;
            format!(
                "{message}.\nThe game continues from the lines before that; a copy of the damaged file is kept as {}.\n",
                kept.display()
            )
        }
    };
    let pen = DurableFile::behind(file, end as u64).map_err(|error| cannot("remove the damaged end of", error))?;
    let Track { game, mut variations, seats } = track;
    variations.follow(game.entries());
    let last = lines[..at].iter().fold(0, |last, (line, _)| sum(last, line));
    let over = lines[at - 1].0.starts_with("over ");
    let events = game.entries().iter().map(|entry| entry.event.clone()).collect();
    let (log, head) = (Log::new(pen, end as u64, last), head(&loaded, &game));
    let journal = Journal { log, path: path.into(), head, events, seats: seats.text(), over };
    Ok(Resumed { journal, name: header.variant, own, loaded, game, variations, seats, damage })
}

/// Saves a copy of a damaged file under an unused name; leaves no copy if that fails.
fn set_aside(path: &Path, bytes: &[u8]) -> Result<PathBuf, String> {
    for number in 1..1000 {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".damaged".into() } else { format!(".damaged-{number}") });
        let copy = PathBuf::from(name);
        match atomic_write::create(&copy, bytes) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                let copy = copy.display();
                return Err(format!("the file is unchanged, because its copy {copy} cannot be written: {error}"));
            }
            Ok(()) => return Ok(copy),
        }
    }
    Err("the file is unchanged, because there are already 999 copies of it ('*.damaged*'): delete some".into())
}

/// The head of a file.
struct JournalHeader {
    variant: String,
    options: Vec<(String, String)>,
    seed: Option<u64>,
    start: Option<String>,
}

impl JournalHeader {
    fn new() -> JournalHeader {
        JournalHeader { variant: String::new(), options: Vec::new(), seed: None, start: None }
    }

    /// Parses a line of the head; returns false if it does not belong to the head.
    fn head(&mut self, number: usize, line: &str) -> bool {
        if number == 0 {
            return line == MAGIC;
        }
        match line.split_once(' ') {
            Some(("variant", name)) => self.variant = name.into(),
            Some(("option", pair)) => self.options.extend(pair.split_once('=').map(|(k, v)| (k.into(), v.into()))),
            Some(("seed", seed)) => self.seed = seed.parse().ok(),
            Some(("start", text)) => self.start = Some(text.into()),
            _ => return false,
        }
        true
    }

    fn begin(&self, loaded: &Loaded) -> Result<Game, String> {
        let seed = self.seed.unwrap_or_default();
        let Some(text) = &self.start else {
            return Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).map_err(|error| error.to_string());
        };
        let placed = fen::parse(&loaded.set.variant, text).map_err(|error| error.to_string())?;
        turn_state_text::begin(loaded, placed, seed)
    }
}

/// A game while it is read.
struct Track {
    game: Game,
    variations: Variations,
    seats: SeatAssignment,
}

impl Track {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (key, text) = line.split_once(' ').unwrap_or((line, ""));
        let part = match key {
            "over" => return Ok(()),
            "back" => return self.back(text),
            "computers" => {
                self.seats = SeatAssignment::parse(text)?;
                return Ok(());
            }
            "roll" | "move" => text.to_owned(),
            "pass" => "--".into(),
            "choose" => format!("!{text}"),
            _ => return Err(format!("'{key}' is not valid in a saved game")),
        };
        let event = turn_state_text::read(self.game.state(), &part).map_err(|why| format!("'{line}': {why}"))?;
        self.game.apply(&event).map_err(|error| format!("'{line}': {error}"))
    }

    fn back(&mut self, count: &str) -> Result<(), String> {
        let count: usize = count.parse().map_err(|_| format!("'{count}' is not a number of events"))?;
        self.variations.follow(self.game.entries());
        let kept = self.game.entries().len().checked_sub(count).ok_or("the game has fewer events than that")?;
        self.game = back_to(&self.game, kept)?;
        Ok(())
    }
}

/// The game after its first `kept` events.
///
/// # Errors
/// If a rule fails, which it did not the first time.
pub(super) fn back_to(game: &Game, kept: usize) -> Result<Game, String> {
    let mut again = turn_state_text::restarted(game).map_err(|error| error.to_string())?;
    for entry in &game.entries()[..kept] {
        again.apply(&entry.event).map_err(|error| error.to_string())?;
    }
    Ok(again)
}
