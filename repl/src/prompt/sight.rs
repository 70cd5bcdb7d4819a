//! Whose secrets the prompt shows, and the curtain that falls when the turn passes to another side.
//!
//! Without secrets in the game nothing here has any effect. The curtain is for people at one terminal:
//! until the next player says so, nothing of his is shown, and then the screen is cleared first.

use super::command::{Call, Command};
use super::session::{Said, Session};
use astragal_core::Side;
use astragal_dsl::{view, words};
use astragal_service::report;

/// Whose view is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whose {
    /// That of the side that is to choose.
    Chooser,
    /// That of one side.
    Side(Side),
    /// The whole truth.
    All,
}

/// What a session shows of secrets.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    whose: Whose,
    shared: bool,
    curtain: bool,
    /// Whether the screen is to be cleared before the next answer.
    clear: bool,
}

impl Sight {
    /// The view of whoever is to choose; with a curtain if people share a terminal.
    pub fn new(shared: bool) -> Sight {
        Sight { whose: Whose::Chooser, shared, curtain: false, clear: false }
    }
}

impl Session {
    /// Whose view is shown; `None` where everything is.
    pub(super) fn viewer(&self) -> Option<Side> {
        match self.sight.whose {
            Whose::All => None,
            _ if !view::has_secrets(&self.game) => None,
            Whose::Side(side) => Some(side),
            // What a computer's side knows is no business of the people who play against it.
            Whose::Chooser => {
                let chooser = self.game.state().chooser();
                Some(self.person_from(chooser).unwrap_or(chooser))
            }
        }
    }

    /// Whether what can be answered now may be shown.
    pub(super) fn knows_options(&self) -> bool {
        !self.is_curtained() && view::knows_options(self.game.state(), self.viewer())
    }

    /// Whether the next player has not looked yet.
    pub(super) fn is_curtained(&self) -> bool {
        self.sight.curtain
    }

    /// Whether the screen is to be cleared now; it is asked once.
    pub(super) fn is_cleared(&mut self) -> bool {
        std::mem::take(&mut self.sight.clear)
    }

    /// Whether people sit at a terminal.
    pub(super) fn is_shared(&self) -> bool {
        self.sight.shared
    }

    /// Another game: the view of whoever is to choose, behind the curtain if it has secrets.
    pub(super) fn look_anew(&mut self) {
        self.sight = Sight::new(self.sight.shared);
        self.sight.curtain = self.sight.shared && self.viewer().is_some();
    }

    /// After an event, which `before` looked at: lets the curtain fall if another side is to look now.
    /// Returns who may see what happened.
    pub(super) fn pass_on(&mut self, before: Option<Side>) -> Option<Side> {
        let now = self.viewer();
        let other = before.is_some() && now.is_some() && before != now;
        self.sight.curtain = self.sight.shared && other;
        if self.sight.curtain { before } else { now }
    }

    /// What is waited for, as far as it may be shown.
    pub(super) fn standing(&self) -> String {
        match self.is_curtained() {
            true => format!("{} Press Enter to see what {} may know.\n", self.warning(), self.next()),
            false => report::status(&self.game, self.viewer()),
        }
    }

    fn next(&self) -> &str {
        words::side_name(&self.loaded.set.variant, self.game.state().chooser())
    }

    fn warning(&self) -> String {
        format!("{} is next: others look away.", self.next())
    }

    /// A line while the curtain is down: Enter raises it, little else is heard.
    pub(super) fn behind_curtain(&mut self, command: Option<&Command>, line: &str, call: Call<'_>) -> Said {
        match command.filter(|command| (command.heard)(call.rest)) {
            _ if line.is_empty() => {
                (self.sight.curtain, self.sight.clear) = (false, true);
                Ok(format!("{}{}", self.board(), self.standing()))
            }
            Some(command) => (command.body)(self, call),
            None => Err(format!("{} Then press Enter.", self.warning())),
        }
    }

    /// Refuses what would tell secrets.
    pub(super) fn open_only(&self, what: &str) -> Result<(), String> {
        match self.viewer() {
            None => Ok(()),
            Some(_) => Err(format!("{what} would tell what is secret; 'view all' shows everything")),
        }
    }

    /// The command `view`.
    pub(super) fn view(&mut self, rest: &str) -> Said {
        let sides = &self.loaded.set.variant.spec().sides;
        let named = |i: usize| {
            let (side, letter) = (Side(i as u8), sides[i].letter.to_string());
            [words::ordinal(side), &sides[i].name, &letter].iter().any(|name| name.eq_ignore_ascii_case(rest))
        };
        let whose = match (rest, (0..sides.len()).find(|&i| named(i))) {
            ("", _) => None,
            (_, Some(i)) => Some(Whose::Side(Side(i as u8))),
            ("all", _) => Some(Whose::All),
            ("auto", _) => Some(Whose::Chooser),
            _ => {
                let names: Vec<&str> = sides.iter().map(|side| side.name.as_str()).collect();
                return Err(format!("whose view? expected {}, all or auto, found '{rest}'", names.join(", ")));
            }
        };
        let theirs = match whose {
            Some(Whose::All) => sides_of(self).find(|&side| self.is_computers(side)),
            Some(Whose::Side(side)) => Some(side).filter(|&side| self.is_computers(side)),
            _ => None,
        };
        if let Some(side) = theirs.filter(|&side| self.person_from(side).is_some() && view::has_secrets(&self.game)) {
            let name = words::side_name(&self.loaded.set.variant, side);
            return Err(format!("the computer plays {name}: what it knows is not shown ('computer off' ends that)"));
        }
        if let Some(whose) = whose {
            self.sight.whose = whose;
            self.sight.curtain = false;
        }
        let shown = match self.viewer() {
            None => "Everything is shown.".into(),
            Some(side) => format!("What {} may know is shown.", words::side_name(&self.loaded.set.variant, side)),
        };
        Ok(format!("{shown}\n{}", self.standing()))
    }
}

fn sides_of(session: &Session) -> impl Iterator<Item = Side> + use<> {
    (0..session.loaded.set.variant.sides() as u8).map(Side)
}
