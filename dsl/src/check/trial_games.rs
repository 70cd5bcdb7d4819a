//! Trial games: a few plies of random play, to find the errors that only show when rules run.

use super::report::Report;
use crate::Loaded;
use crate::diagnostic::Diagnostic;
use crate::host::engine::Clock;
use crate::host::locate::place_of_function;
use crate::library;
use crate::notation::fen;
use astragal_core::{Game, GameError, Position, RuleError, State, Status, Stream};
use std::sync::Arc;
use std::time::Duration;

/// How much is played.
const PLIES: usize = 200;
const GAMES: u64 = 4;

/// How long a game goes on in which nobody has moved yet: rare dice may be needed.
const PATIENCE: usize = 2_000;
const TIME: Duration = Duration::from_millis(300);

/// What trial games have shown.
#[derive(Default)]
pub(super) struct Shown {
    /// Whether a game ended.
    pub ended: bool,
    /// Whether anybody was ever asked for a move or a choice.
    pub played: bool,
    /// Whether nobody ever had a move or a choice, and bad luck with the dice is hardly the reason.
    pub stuck: bool,
    moved: bool,
    rolled: bool,
    plies: usize,
}

/// Plays trial games; an error ends them and is reported.
pub(super) fn play(loaded: &Loaded, report: &mut Report) -> Shown {
    let mut shown = Shown::default();
    if games(loaded, &mut shown, report) {
        let enough = if shown.rolled { shown.plies >= PATIENCE } else { true };
        shown.stuck = !shown.moved && enough && !(shown.ended && shown.rolled);
    }
    shown
}

/// Plays the games; false after an error.
fn games(loaded: &Loaded, shown: &mut Shown, report: &mut Report) -> bool {
    let clock = Clock::start();
    for seed in 0..GAMES {
        let game = match Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed) {
            Ok(game) => game,
            Err(error) => {
                complain(loaded, None, &error, report);
                return false;
            }
        };
        if !one(loaded, game, seed, clock, shown, report) {
            return false;
        }
        if clock.spent() > TIME {
            break;
        }
    }
    true
}

/// Plays one game; false after an error.
fn one(loaded: &Loaded, mut game: Game, seed: u64, clock: Clock, shown: &mut Shown, report: &mut Report) -> bool {
    for ply in 0..PATIENCE {
        if shown.moved && ply >= PLIES / GAMES as usize {
            break;
        }
        shown.plies += 1;
        let mut stream = Stream::new(seed ^ 0x7269_616c, ply as u64);
        let mut pick = |n: usize| (stream.next_u64() % n.max(1) as u64) as usize;
        let result = match game.status() {
            Status::Over => {
                shown.ended = true;
                return true;
            }
            Status::Chance => {
                shown.rolled = true;
                game.roll().map(|_| ())
            }
            Status::Move => {
                shown.played = true;
                let moves = game.state().moves();
                if moves.is_empty() {
                    game.pass()
                } else {
                    shown.moved = true;
                    let paid = moves[pick(moves.len())];
                    game.play(paid)
                }
            }
            Status::Choice => {
                (shown.played, shown.moved) = (true, true);
                let choice = pick(game.state().choices().len());
                game.choose(choice)
            }
        };
        match result {
            Ok(()) => {}
            Err(GameError::Rule(error)) => {
                complain(loaded, Some(game.state()), &error, report);
                return false;
            }
            Err(_) => return true,
        }
        if clock.spent() > TIME {
            return true;
        }
    }
    true
}

fn complain(loaded: &Loaded, state: Option<&State>, error: &RuleError, report: &mut Report) {
    let mut diagnostic = blame(loaded, state.map_or(&loaded.start, State::position), error);
    diagnostic.message = format!("while playing a trial game: {}", diagnostic.message);
    report.push(diagnostic);
}

/// An error of a rule during play as a diagnostic of the script, with the position in which it happened.
pub fn blame(loaded: &Loaded, position: &Position, error: &RuleError) -> Diagnostic {
    let help = format!("in the position {}", fen::write(&loaded.set.variant, position));
    let rule = error.rule.as_deref().unwrap_or_default();
    let (line, column) = error.place.unwrap_or_else(|| place_of_function(&loaded.source.text, rule));
    let own = loaded.source.file();
    let file = error.file.clone().unwrap_or_else(|| own.clone());
    let base = file.strip_suffix(".rhai").and_then(library::bundled).filter(|_| file != own);
    let text: Arc<str> = base.map_or_else(|| loaded.source.text.as_str().into(), |base| base.text.as_str().into());
    Diagnostic::error(&file, &text, line, column, error.to_string()).with_help(Some(help))
}
