//! The command `odds`: of the next roll, of a move, of all moves.

use super::session::{Said, Session};
use super::typed::die_prefix;
use crate::analysis::{self, odds_text, prospects};
use astragal_core::{Side, Status};

impl Session {
    /// The command `odds`.
    pub(super) fn odds(&self, rest: &str) -> Said {
        self.open_only("odds")?;
        match (rest, self.game.status()) {
            ("", Status::Chance) => {
                let roll = analysis::next_roll(self.game.state()).map_err(|error| error.to_string())?;
                Ok(odds_text::next_roll(&self.loaded.set.variant, &roll))
            }
            ("roll", Status::Chance) => self.odds_of_roll(),
            ("roll", _) => Err("no roll is due: 'odds' shows the chances of the moves".into()),
            ("" | "moves", Status::Move) => {
                let all = prospects::of_moves(self.game.state()).map_err(|error| error.to_string())?;
                Ok(odds_text::prospects(self.game.state(), &all))
            }
            ("" | "moves", _) => {
                Err("which move? as 'odds e4d5'; before a roll, 'odds' alone shows the chances of the roll".into())
            }
            (text, _) => self.odds_of_move(text),
        }
    }

    fn odds_of_roll(&self) -> Said {
        let state = self.game.state();
        let roll = analysis::next_roll(state).map_err(|error| error.to_string())?;
        let variant = &self.loaded.set.variant;
        let enemy = (0..variant.sides() as u8).map(Side).find(|side| !variant.allied(*side, state.mover()));
        let strike = match enemy {
            Some(enemy) => prospects::strike(state, enemy, prospects::BUDGET).map_err(|error| error.to_string())?,
            None => None,
        };
        Ok(odds_text::roll_in_full(state, &roll, strike))
    }

    fn odds_of_move(&self, text: &str) -> Said {
        let (before, mut game) = (self.game.state(), self.game.clone());
        let (die, text) = die_prefix(text);
        analysis::after_words(&mut game, text, &[], die.as_deref()).map_err(|error| error.to_string())?;
        let outcomes = analysis::outcomes(&self.loaded, game.state(), before.turn());
        let outcomes = outcomes.map_err(|error| error.to_string())?;
        let prospect = prospects::after(before, game.state(), prospects::BUDGET).map_err(|error| error.to_string())?;
        let next = odds_text::next_turn(&self.loaded.set.variant, prospect.next.as_ref());
        Ok(odds_text::outcomes(&outcomes) + next.as_str())
    }
}
