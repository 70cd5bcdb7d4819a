//! Selects whose secrets the prompt shows, and hides everything when another side is to act.
//!
//! In games without secrets, it has no effect. Hiding is for people who share a terminal: until the next player presses
//! Enter, none of their secrets are shown, and then the screen is cleared first.

use super::session::{CommandResult, Session};
use super::sides;
use super::whose_view::{Observation, Whose};
use astragal_core::Side;
use astragal_dsl::{game_text, view};
use astragal_service::report;

impl Session {
    /// The side whose view is shown; `None` if everything is shown.
    pub(super) fn viewer(&self) -> Option<Side> {
        match self.observation.whose {
            Whose::All => None,
            _ if !view::has_secrets(&self.game) => None,
            Whose::Side(side) => Some(side),
            // People who play against a computer must not see its secrets.
            Whose::Chooser => {
                let chooser = self.game.state().chooser();
                Some(self.person_from(chooser).unwrap_or(chooser))
            }
        }
    }

    /// Whether the legal moves and choices may be shown.
    pub(super) fn knows_options(&self) -> bool {
        !self.is_hidden() && view::knows_options(self.game.state(), self.viewer())
    }

    /// Whether the next player has not looked yet, and another person could see their secrets.
    pub(super) fn is_hidden(&self) -> bool {
        self.observation.hidden && self.people() > 1
    }

    /// Whether to clear the screen now; this resets the request.
    pub(super) fn is_cleared(&mut self) -> bool {
        std::mem::take(&mut self.observation.clear)
    }

    /// Whether people share a terminal.
    pub(super) fn is_shared(&self) -> bool {
        self.observation.shared
    }

    /// Resets the view for another game: that of the side to choose, hidden at first if it has secrets.
    pub(super) fn look_anew(&mut self) {
        self.observation = Observation::new(self.observation.shared);
        self.observation.hidden = self.observation.shared && self.viewer().is_some();
    }

    /// Updates the view after an event; `before` was the viewer before it. Hides everything if another side is to look now.
    /// Returns the viewer who may see the event.
    pub(super) fn pass_on(&mut self, before: Option<Side>) -> Option<Side> {
        let now = self.viewer();
        let other = before.is_some() && now.is_some() && before != now;
        self.observation.hidden = self.observation.shared && other;
        if self.observation.hidden { before } else { now }
    }

    /// The status of the game, as far as it may be shown.
    pub(super) fn standing(&self) -> String {
        match self.is_hidden() {
            true => format!("{} Press Enter to see the view of {}.\n", self.warning(), self.next()),
            false => report::status(&self.game, self.viewer()),
        }
    }

    fn next(&self) -> &str {
        game_text::side_name(&self.loaded.set.variant, self.game.state().chooser())
    }

    pub(super) fn warning(&self) -> String {
        format!("{} is next. Other players, please look away.", self.next())
    }

    /// Returns an error if the answer would reveal secrets.
    pub(super) fn open_only(&self, what: &str) -> Result<(), String> {
        match self.viewer() {
            None => Ok(()),
            Some(_) => Err(self.secret(what)),
        }
    }

    /// The answer to a request for secret information: the way to see it.
    pub(super) fn secret(&self, what: &str) -> String {
        match sides_of(self).find(|&side| self.is_kept_by_computer(side)) {
            Some(side) => {
                let name = game_text::side_name(&self.loaded.set.variant, side);
                format!(
                    "{what} would reveal secrets of {name}, which the computer plays; to play all sides \
                     yourself, type 'computer off'"
                )
            }
            None => format!("{what} would reveal secrets; to show everything, type 'view all'"),
        }
    }

    /// Whether the computer plays a side against people, in a game with secrets.
    fn is_kept_by_computer(&self, side: Side) -> bool {
        self.is_computers(side) && self.person_from(side).is_some() && view::has_secrets(&self.game)
    }

    /// The command `view`.
    pub(super) fn view(&mut self, rest: &str) -> CommandResult {
        let variant = &self.loaded.set.variant;
        let chooser = self.game.state().chooser();
        let one = |word: &str| sides::named(variant, chooser, word).first().copied();
        let whose = match (rest, one(rest)) {
            ("", _) => None,
            ("all", _) => Some(Whose::All),
            ("auto", _) => Some(Whose::Chooser),
            (_, Some(side)) => Some(Whose::Side(side)),
            _ => {
                let names = sides::names(variant);
                return Err(format!("expected {names}, all or auto, found '{rest}'"));
            }
        };
        let theirs = match whose {
            Some(Whose::All) => sides_of(self).find(|&side| self.is_kept_by_computer(side)),
            Some(Whose::Side(side)) => Some(side).filter(|&side| self.is_kept_by_computer(side)),
            _ => None,
        };
        if let Some(side) = theirs {
            let name = game_text::side_name(&self.loaded.set.variant, side);
            return Err(format!(
                "the computer plays {name}, so you cannot see its view (to play all sides yourself, type \
                 'computer off')"
            ));
        }
        if let Some(whose) = whose {
            self.observation.whose = whose;
            self.observation.hidden = false;
        }
        let shown = match self.viewer() {
            None => "Everything is shown.".into(),
            Some(side) => format!("The view of {} is shown.", game_text::side_name(&self.loaded.set.variant, side)),
        };
        Ok(format!("{shown}\n{}", self.standing()))
    }
}

fn sides_of(session: &Session) -> impl Iterator<Item = Side> + use<> {
    (0..session.loaded.set.variant.sides() as u8).map(Side)
}
