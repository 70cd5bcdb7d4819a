//! The commands `odds` (of the next roll, of a move, of all legal decisions) and `turns`.

use super::session::{CommandResult, Session};
use crate::rule_error::shown;
use astragal_core::{Side, Status};
use astragal_dsl::game_text;
use astragal_lab::opponent::parse_time;
use astragal_service::analysis::{self, AnalysisError, odds_text, prospects, sequence, turns};
use astragal_service::input::refusal;
use astragal_service::interrupt;
use std::time::Duration;

/// The default time limit of `odds` and `turns` at the prompt.
const PATIENCE: Duration = Duration::from_secs(20);

impl Session {
    /// The command `odds`.
    pub(super) fn odds(&self, rest: &str) -> CommandResult {
        self.open_only("odds")?;
        self.not_over("there are no odds to show")?;
        let (rest, time) = timed(rest)?;
        interrupt::estimating(time.or(self.time).unwrap_or(PATIENCE), || self.odds_of(&rest))
    }

    fn odds_of(&self, rest: &str) -> CommandResult {
        match (rest, self.game.status()) {
            ("", Status::Chance) => {
                let roll = analysis::next_roll(self.game.state()).map_err(|error| self.failed(&error))?;
                Ok(odds_text::next_roll(&self.loaded.set.variant, &roll))
            }
            ("roll", Status::Chance) => self.odds_of_roll(),
            ("roll", _) => Err("no roll is due: 'odds' shows the chances of each decision".into()),
            ("moves", Status::Chance) => {
                Err("write the roll before the move, as in 'odds 2,3 e4d5'; 'odds' alone shows the chances of the roll"
                    .into())
            }
            ("" | "moves", _) => {
                let state = self.game.state();
                let (all, left) = prospects::begun(state).map_err(|error| self.failed(&error))?;
                if all.is_empty() && left > 0 {
                    return Err(self.failed(&AnalysisError::Stopped));
                }
                let table = odds_text::prospects(state, &all);
                Ok(format!("{table}{}", odds_text::stopped(state, left)))
            }
            (text, _) => self.odds_of_events(text),
        }
    }

    /// The command `turns`.
    pub(super) fn turns(&self, rest: &str) -> CommandResult {
        self.open_only("the turns")?;
        self.not_over("there are no turns to count")?;
        let (rest, time) = timed(rest)?;
        interrupt::with_deadline(time.unwrap_or(PATIENCE), || self.turns_of(&rest))
    }

    fn turns_of(&self, rest: &str) -> CommandResult {
        let (turn, mut game) = (self.game.state().turn(), self.game.clone());
        let faces = game_text::read_roll(game.state(), rest)?;
        if !faces.is_empty() {
            game_text::roll(&mut game, &faces).map_err(|error| refusal(&self.game, &error))?;
        }
        let state = game.state();
        if state.turn() != turn {
            return Ok(format!("{}\n", turns::text(&Default::default())));
        }
        match state.status() {
            Status::Chance => turns::of_rolls(state).map(|all| turns::table(state, &all)),
            _ => turns::of_decision(state).map(|found| format!("{}\n", turns::text(&found))),
        }
        .map_err(|error| match error {
            AnalysisError::Stopped => {
                "stopped: counting the turns took too long; to allow five minutes, type 'turns --time 5m'".into()
            }
            other => shown(&self.loaded, state, &other),
        })
    }

    fn failed(&self, error: &AnalysisError) -> String {
        match error {
            AnalysisError::Stopped if interrupt::is_estimating() => {
                "stopped before the first result; to allow ten seconds, type 'odds .. --time 10s'".into()
            }
            other => shown(&self.loaded, self.game.state(), other),
        }
    }

    /// Returns an error with the result if the game is over.
    fn not_over(&self, so: &str) -> Result<(), String> {
        match game_text::result(self.game.state()) {
            Some(result) => Err(format!("the game is over, so {so}: {result}")),
            None => Ok(()),
        }
    }

    fn odds_of_roll(&self) -> CommandResult {
        let state = self.game.state();
        let roll = analysis::next_roll(state).map_err(|error| self.failed(&error))?;
        let variant = &self.loaded.set.variant;
        let enemy = (0..variant.sides() as u8).map(Side).find(|side| !variant.allied(*side, state.mover()));
        let strike = match enemy {
            Some(enemy) => match prospects::strike(state, enemy, prospects::BUDGET) {
                Err(AnalysisError::Stopped) => None,
                found => found.map_err(|error| self.failed(&error))?,
            },
            None => None,
        };
        Ok(odds_text::roll_in_full(state, &roll, strike))
    }

    fn odds_of_events(&self, text: &str) -> CommandResult {
        let (before, mut game) = (self.game.state(), self.game.clone());
        let turn = sequence::follow(&mut game, text, None).map_err(|error| shown(&self.loaded, before, &error))?;
        let outcomes = analysis::outcomes(&self.loaded, game.state(), turn);
        let outcomes = outcomes.map_err(|error| self.failed(&error))?;
        let mut said = odds_text::outcomes(&outcomes);
        if turn == before.turn() {
            match prospects::after(before, game.state(), prospects::BUDGET) {
                Err(AnalysisError::Stopped) => said.push_str("(stopped: the next turn was not searched)\n"),
                found => {
                    let next = found.map_err(|error| self.failed(&error))?.next;
                    said.push_str(&odds_text::next_turn(&self.loaded.set.variant, next.as_ref()));
                }
            }
        }
        Ok(said)
    }
}

/// The request without `--time`, which may appear anywhere, and its value.
fn timed(text: &str) -> Result<(String, Option<Duration>), String> {
    let Some((before, after)) = text.split_once("--time") else { return Ok((text.to_owned(), None)) };
    let after = after.trim_start_matches([' ', '=']);
    let (time, after) = after.split_once(' ').unwrap_or((after, ""));
    let rest = [before.trim(), after.trim()].join(" ");
    let time = parse_time(time).map_err(|error| error.to_string())?;
    Ok((rest.trim().to_owned(), Some(time)))
}
