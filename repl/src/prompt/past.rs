//! What was: taking back, taking up again, other lines, and the game on disk.
//!
//! Whatever changes the game, the tree of lines and the journal follow it: they look at the game after
//! each change and work out what was done.

use super::files;
use super::journal::{self, Journal};
use super::reload::Watch;
use super::session::{Said, Session};
use astragal_core::{Event, Status};
use astragal_dsl::{Branches, view, words};
use astragal_service::report;
use std::path::PathBuf;

/// Where the games of a session are kept.
#[derive(Default)]
pub(super) struct Keeper {
    /// The folder; without one nothing is kept.
    pub folder: Option<PathBuf>,
    pub journal: Option<Journal>,
    /// Whether the last attempt to write it has failed.
    failed: bool,
    /// Whether a game was left behind that could not be written.
    lost: bool,
}

impl Keeper {
    pub fn new(folder: Option<PathBuf>) -> Keeper {
        Keeper { folder, ..Keeper::default() }
    }
}

impl Session {
    /// All lines that were played in this game.
    pub fn branches(&self) -> &Branches {
        &self.branches
    }

    /// Another game begins, with lines that are known already.
    pub(super) fn begin_lines(&mut self, branches: Branches) {
        self.branches = branches;
        self.keeper.lost |= self.keeper.failed;
        (self.keeper.journal, self.keeper.failed) = (None, false);
        self.keep();
    }

    /// What becomes of the running game when another one begins; nothing, if there is nothing to lose.
    pub(super) fn left_behind(&self) -> String {
        if self.game.entries().is_empty() || self.game.status() == Status::Over {
            return String::new();
        }
        let events = self.game.entries().len();
        match self.keeper.journal.as_ref().filter(|_| self.is_saved()).and_then(Journal::number) {
            Some(number) => format!("The game so far is kept: 'resume {number}' goes on with it.\n"),
            None if events == 1 => "The game so far (1 event) is not saved, and gone.\n".into(),
            None => format!("The game so far ({events} events) is not saved, and gone.\n"),
        }
    }

    /// Lets lines and journal follow the game. That a journal cannot be written is told when it begins; it is tried
    /// again after each event, and what is missing is written when it can be.
    pub(super) fn keep(&mut self) {
        let seats = self.seats.text();
        let known = self.keeper.journal.as_ref().is_some_and(|journal| journal.seats() == seats);
        let unchanged = self.branches.follow(self.game.entries()) == Default::default();
        if unchanged && known && !self.keeper.failed {
            return;
        }
        let Some(folder) = self.keeper.folder.clone() else { return };
        let of_this = self.keeper.journal.as_ref().is_some_and(|journal| journal.is_of(&self.loaded, &self.game));
        let written = match &mut self.keeper.journal {
            Some(journal) if of_this => journal.note(&self.game, &seats),
            // A game in which nothing has happened is not worth a file.
            _ if self.game.entries().is_empty() => Ok(()),
            open => Journal::begin(&folder, &self.loaded, &self.game, &seats).map(|journal| *open = Some(journal)),
        };
        let failed = std::mem::replace(&mut self.keeper.failed, written.is_err());
        match written {
            Err(why) if !failed => self.aside.push_str(&format!("This game is not saved: {why}.\n")),
            Ok(()) if failed && !self.game.entries().is_empty() => self.aside.push_str("This game is saved again.\n"),
            _ => {}
        }
    }

    /// Whether the game is on disk as far as it has come, or is not to be.
    pub fn is_saved(&self) -> bool {
        !self.keeper.failed
    }

    /// Whether all games of the session are on disk, or are not to be.
    pub fn all_saved(&self) -> bool {
        self.is_saved() && !self.keeper.lost
    }

    /// `undo`.
    pub(super) fn undo(&mut self, rest: &str) -> Said {
        let played = self.game.entries().len();
        if played == 0 {
            return Err("there is nothing to take back".into());
        }
        let count = if rest.is_empty() { self.last_step() } else { count(rest, "take back")? };
        let count = count.min(played);
        let game = journal::back_to(&self.game, played - count)?;
        let before = self.viewer();
        self.game = game;
        self.pass_on(before);
        self.keep();
        let events = if count == 1 { "event" } else { "events" };
        let board = self.board();
        Ok(format!("{count} {events} taken back.\n{board}{}", self.standing()))
    }

    /// The events that a plain `undo` takes back: the last one; if it was the computer's, all since a person has
    /// decided something (or at least rolled).
    fn last_step(&self) -> usize {
        let entries = self.game.entries();
        let Ok(mut again) = words::restarted(&self.game) else { return 1 };
        let (mut decided, mut rolled, mut computers) = (None, None, false);
        for (i, entry) in entries.iter().enumerate() {
            let state = again.state();
            computers = self.is_computers(state.chooser());
            match state.status() {
                _ if computers => {}
                Status::Chance => rolled = Some(i),
                _ => decided = Some(i),
            }
            if again.apply(&entry.event).is_err() {
                return 1;
            }
        }
        match decided.or(rolled) {
            Some(own) if computers => entries.len() - own,
            _ => 1,
        }
    }

    /// `redo`.
    pub(super) fn redo(&mut self, rest: &str) -> Said {
        let count = count(rest, "take up again")?;
        let ahead: Vec<Event> = self.branches.ahead().into_iter().take(count).cloned().collect();
        if ahead.is_empty() {
            return Err("there is nothing to take up again: nothing was taken back here".into());
        }
        self.again(&ahead)
    }

    /// `branches`.
    pub(super) fn other_lines(&mut self, rest: &str) -> Said {
        let known: Vec<Event> = self.branches.continuations().into_iter().cloned().collect();
        if !rest.is_empty() {
            let chosen = rest.parse::<usize>().ok().and_then(|n| known.get(n.checked_sub(1)?));
            let Some(event) = chosen.cloned() else {
                return Err(match known.len() {
                    0 => "nothing was ever played on from here".into(),
                    n => format!("expected the number of a line, 1 to {n}, found '{rest}'"),
                });
            };
            return self.again(&[event]);
        }
        let mut text = String::new();
        for (i, event) in known.iter().enumerate() {
            let said = view::event_text(self.game.state(), event, self.viewer());
            text.push_str(&format!("{:>3}. {said}\n", i + 1));
        }
        let lines = self.branches.lines();
        let lines = if lines == 1 { "1 line in this game".into() } else { format!("{lines} lines in this game") };
        match known.len() {
            0 => Ok(format!("Nothing was played on from here; {lines}.\n")),
            _ => Ok(format!(
                "{text}Played on from here; {lines}. 'branches N' goes there, 'redo' where you were last.\n"
            )),
        }
    }

    fn again(&mut self, events: &[Event]) -> Said {
        self.act(|game| events.iter().try_for_each(|event| game.apply(event).map_err(|error| error.to_string())))
    }

    /// `games`.
    pub(super) fn games(&self) -> Said {
        let folder = self.keeper.folder.as_ref().ok_or("games are not saved in this session")?;
        let all = journal::saved(folder);
        if all.is_empty() {
            return Ok(format!("There is no saved game in {}.\n", folder.display()));
        }
        let mut text = String::new();
        let present = self.keeper.journal.as_ref().map(Journal::path);
        for saved in all.iter().take(20) {
            let events = if saved.events == 1 { "1 event".into() } else { format!("{} events", saved.events) };
            let state = match &saved.over {
                _ if present == Some(saved.path.as_path()) => "this game",
                Some(result) => result,
                None => "unfinished",
            };
            text.push_str(&format!(
                "{:>4}. {}, {events}: {}\n",
                saved.number,
                saved.title,
                state.trim_end_matches('.')
            ));
        }
        if all.len() > 20 {
            text.push_str(&format!("and {} more in {}\n", all.len() - 20, folder.display()));
        }
        Ok(text + "'resume N' goes on with one of them.\n")
    }

    /// `resume`.
    pub(super) fn resume(&mut self, rest: &str) -> Said {
        let folder = self.keeper.folder.clone().ok_or("games are not saved in this session")?;
        let which = Some(rest).filter(|rest| !rest.is_empty());
        let resumed = journal::resume(&mut self.shelf, &folder, which)?;
        let left = self.left_behind();
        let damage = self.take_over(resumed);
        Ok(format!("{left}{damage}{}{}", self.title(), self.whole()))
    }

    /// Goes on with a saved game; returns what is to be told about its file.
    pub(super) fn take_over(&mut self, resumed: journal::Resumed) -> String {
        let foreign = if resumed.own { String::new() } else { files::told(resumed.journal.path(), &resumed.name) };
        (self.loaded, self.name, self.game) = (resumed.loaded, resumed.name, resumed.game);
        self.branches = resumed.branches;
        self.keeper.lost |= self.keeper.failed;
        (self.keeper.journal, self.keeper.failed) = (Some(resumed.journal), false);
        self.seats = resumed.seats;
        self.watch = Watch::of(&self.loaded);
        self.look_anew();
        foreign + resumed.damage.as_str()
    }
}

fn count(rest: &str, what: &str) -> Result<usize, String> {
    if rest.is_empty() {
        return Ok(1);
    }
    rest.parse().map_err(|_| format!("how many events to {what}? expected a number, found '{rest}'"))
}

impl Session {
    /// The board as it stands, with what belongs beside it.
    pub(super) fn board(&self) -> String {
        report::board(&self.loaded, &self.game, self.look, self.knows_options())
    }
}
