//! Trial games: a few plies of random play, to find the errors that only show when rules run.

use super::report::Report;
use crate::Loaded;
use crate::diagnostic::{Code, Diagnostic, LoadError};
use crate::host::declare::OptionDef;
use crate::host::engine::{Clock, Limits};
use crate::host::locate::place_of_function;
use crate::host::script;
use crate::library::{self, Source};
use crate::notation::fen;
use astragal_core::{Game, GameError, Mode, Position, RuleError, State, Status, Stream};
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
    /// Whether a game was over before anybody rolled, moved or chose.
    pub at_once: bool,
    /// Whether nobody ever had a move or a choice, and bad luck with the dice is hardly the reason.
    pub stuck: bool,
    moved: bool,
    rolled: bool,
    plies: usize,
}

/// How many plies are played with each other value of an option, and how long with all of them.
const PLIES_OF_VALUE: usize = 24;
const TIME_OF_VALUES: Duration = Duration::from_millis(900);

/// Plays a game with each value of each option that is not the default, until one shows an error.
pub(super) fn under_options(source: &Source, options: &[OptionDef], limits: &Limits, report: &mut Report) {
    let clock = Clock::start();
    for option in options {
        for value in option.values.iter().filter(|value| **value != option.default) {
            if clock.spent() > TIME_OF_VALUES || report.has_errors() {
                return;
            }
            let given = [(option.name.clone(), value.clone())];
            let opened = script::open_within(source, &given, limits.clone());
            let loaded = match opened.and_then(|script| crate::load::finish(script, Mode::Trees)) {
                Ok(loaded) => loaded,
                Err(LoadError::Script(all)) => {
                    for mut diagnostic in all {
                        diagnostic.notes.push(format!("with --set {}={value}", option.name));
                        report.push(diagnostic);
                    }
                    return;
                }
                Err(_) => continue,
            };
            let mut shown = Shown::default();
            let Ok(game) = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1) else { continue };
            one_of(&loaded, game, 1, (clock, TIME_OF_VALUES), PLIES_OF_VALUE, &mut shown, report);
        }
    }
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
fn one(loaded: &Loaded, game: Game, seed: u64, clock: Clock, shown: &mut Shown, report: &mut Report) -> bool {
    one_of(loaded, game, seed, (clock, TIME), PLIES / GAMES as usize, shown, report)
}

/// Plays so many plies of a game in some time; false after an error.
fn one_of(
    loaded: &Loaded,
    mut game: Game,
    seed: u64,
    (clock, time): (Clock, Duration),
    plies: usize,
    shown: &mut Shown,
    report: &mut Report,
) -> bool {
    for ply in 0..PATIENCE {
        if shown.moved && ply >= plies {
            break;
        }
        shown.plies += 1;
        let mut stream = Stream::new(seed ^ 0x7269_616c, ply as u64);
        let mut pick = |n: usize| (stream.next_u64() % n.max(1) as u64) as usize;
        let result = match game.status() {
            Status::Over => {
                shown.ended = true;
                shown.at_once |= ply == 0 && game.state().turn() <= 1;
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
        if clock.spent() > time {
            return true;
        }
    }
    true
}

fn complain(loaded: &Loaded, state: Option<&State>, error: &RuleError, report: &mut Report) {
    let mut diagnostic = blame(loaded, Some(state.map_or(&loaded.start, State::position)), error);
    diagnostic.message = format!("while playing a trial game: {}", diagnostic.message);
    let changed = loaded.options.iter().filter(|option| option.chosen != option.default);
    diagnostic.notes.extend(changed.map(|option| format!("with --set {}={}", option.name, option.chosen)));
    report.push(diagnostic);
}

/// An error of a rule during play as a diagnostic of the script, with the position in which it happened if that is known.
pub fn blame(loaded: &Loaded, position: Option<&Position>, error: &RuleError) -> Diagnostic {
    let rule = error.rule.as_deref().unwrap_or_default();
    let (line, column) = error.place.unwrap_or_else(|| place_of_function(&loaded.source.text, rule));
    let own = loaded.source.file();
    let file = error.file.clone().unwrap_or_else(|| own.clone());
    let base = file.strip_suffix(".rhai").and_then(library::bundled).filter(|_| file != own);
    let text: Arc<str> = base.map_or_else(|| loaded.source.text.as_str().into(), |base| base.text.as_str().into());
    // The engine hands on one text: what to do stands behind what is wrong.
    let (message, help) = match error.message.split_once("; ") {
        Some((message, help)) => (message, Some(help.to_string())),
        None => (error.message.as_str(), None),
    };
    let message = match rule {
        "" => message.to_string(),
        rule => format!("in rule `{rule}`: {message}"),
    };
    let mut diagnostic = Diagnostic::error(&file, &text, line, column, message).with_help(help).of(Code::Play);
    diagnostic
        .notes
        .extend(position.map(|position| format!("in the position {}", fen::write(&loaded.set.variant, position))));
    diagnostic
}
