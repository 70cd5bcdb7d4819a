//! The commands `odds` (of the next roll, of a move, of all that can be decided) and `turns`.

use super::session::{CommandResult, Session};
use crate::rule_error::shown;
use astragal_core::{Side, Status};
use astragal_dsl::game_text;
use astragal_lab::opponent::parse_time;
use astragal_service::analysis::{self, AnalysisError, odds_text, prospects, sequence, turns};
use astragal_service::input::refusal;
use astragal_service::interrupt;
use std::time::Duration;

/// How long somebody waits at the prompt who has not said how long.
const PATIENCE: Duration = Duration::from_secs(20);

impl Session {
    /// The command `odds`.
    pub(super) fn odds(&self, rest: &str) -> CommandResult {
        self.open_only("odds")?;
        self.not_over("nothing is left to chance")?;
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
            ("roll", _) => Err("no roll is due: 'odds' shows the chances of what can be decided".into()),
            ("moves", Status::Chance) => Err(
                "which move? as 'odds 2,3 e4d5' with the roll before it; 'odds' alone shows the chances of the roll"
                    .into(),
            ),
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
        self.not_over("no turn is left")?;
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
                "stopped: there are too many turns to be counted in that time; 'turns --time 5m' gives it five minutes"
                    .into()
            }
            other => shown(&self.loaded, state, &other),
        })
    }

    fn failed(&self, error: &AnalysisError) -> String {
        match error {
            AnalysisError::Stopped if interrupt::is_estimating() => {
                "stopped before anything was found: 'odds .. --time 10s' gives it ten seconds".into()
            }
            other => shown(&self.loaded, self.game.state(), other),
        }
    }

    /// Refuses after the end of the game, and says how it ended.
    fn not_over(&self, so: &str) -> Result<(), String> {
        match game_text::result(self.game.state()) {
            Some(result) => Err(format!("the game is over, {so}: {result}")),
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
                Err(AnalysisError::Stopped) => said.push_str("(stopped: the next turn has not been looked at)\n"),
                found => {
                    let next = found.map_err(|error| self.failed(&error))?.next;
                    said.push_str(&odds_text::next_turn(&self.loaded.set.variant, next.as_ref()));
                }
            }
        }
        Ok(said)
    }
}

/// What is asked, and the time that it may take, which `--time` may say anywhere.
fn timed(text: &str) -> Result<(String, Option<Duration>), String> {
    let Some((before, after)) = text.split_once("--time") else { return Ok((text.to_owned(), None)) };
    let after = after.trim_start_matches([' ', '=']);
    let (time, after) = after.split_once(' ').unwrap_or((after, ""));
    let rest = [before.trim(), after.trim()].join(" ");
    let time = parse_time(time).map_err(|error| error.to_string())?;
    Ok((rest.trim().to_owned(), Some(time)))
}
