//! One turn of a game, narrated event by event: the dice, the options, and the player's action.
//!
//! Owns the choice of the turn and its text; the dice are always the same. It knows nothing of the rest of the rulebook.

use crate::notation::describe;
use crate::{Loaded, game_text};
use astragal_core::{Event, Game, Piece, Side, Status, Stream, dice};
use std::sync::Arc;

/// The seeds of the games that are searched for an example turn.
const GAMES: std::ops::RangeInclusive<u64> = 2..=25;
/// At most this many events are tried in all games together, because a rulebook should print at once.
const EVENTS: usize = 300;
/// The maximum work of the engine in one game, in units of the meter: the limit of ten events.
const WORK: u64 = 50_000_000;
/// At most this many events of a turn are narrated.
const MOST_EVENTS: usize = 7;
/// At most this many moves or choices are named individually.
const NAMED: usize = 8;

/// A narrated turn.
struct NarratedTurn {
    lines: Vec<String>,
    rolls: bool,
    /// Whether it contains a move or a choice.
    acts: bool,
    number: u32,
    side: Side,
}

/// An example turn, in sentences; empty if none was found, or a rule fails.
pub(super) fn turn(loaded: &Loaded) -> Vec<String> {
    let mut best: Option<NarratedTurn> = None;
    let mut events = EVENTS;
    for seed in GAMES {
        let Some(told) = first_of_game(loaded, seed, &mut events) else { continue };
        // Prefer turns with dice, then early turns.
        let worth = |told: &NarratedTurn| (told.rolls, std::cmp::Reverse(told.number));
        if best.as_ref().is_none_or(|best| worth(&told) > worth(best)) {
            best = Some(told);
        }
        if best.as_ref().is_some_and(|best| best.rolls && best.number == 0) {
            break;
        }
    }
    let Some(told) = best else { return Vec::new() };
    let side = game_text::side_name(&loaded.set.variant, told.side);
    let when = match told.number {
        0 => format!("The first turn of a game, played by {side}."),
        number => format!("A later turn of {side} (turns played before it: {number})."),
    };
    std::iter::once(when).chain(told.lines).collect()
}

/// The first suitable turn of a game: one with a move, preferably after a roll. `events` is the number of events that may
/// still be tried; it is set to 0 after a rule fails.
fn first_of_game(loaded: &Loaded, seed: u64, events: &mut usize) -> Option<NarratedTurn> {
    let work = || loaded.set.rules.walker().meter().total();
    let before = work();
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).ok()?;
    let mut random = Stream::new(dice::mix(seed), 0);
    let mut told: Option<NarratedTurn> = None;
    let mut without_roll: Option<NarratedTurn> = None;
    while *events > 0 {
        *events -= 1;
        let (number, side) = (game.state().turn(), game.state().mover());
        if told.as_ref().is_some_and(|told| told.number != number) || game.status() == Status::Over {
            let done = told.take().filter(|told| told.acts).map(shortened);
            match done {
                Some(done) if done.rolls => return Some(done),
                done => without_roll = without_roll.or(done),
            }
        }
        if game.status() == Status::Over {
            break;
        }
        let lines =
            told.get_or_insert_with(|| NarratedTurn { lines: Vec::new(), rolls: false, acts: false, number, side });
        lines.rolls |= game.status() == Status::Chance;
        lines.acts |= matches!(game.status(), Status::Move | Status::Choice);
        match step(&mut game, &mut random).filter(|_| work() - before <= WORK) {
            Some(line) => lines.lines.push(line),
            None => *events = 0,
        }
    }
    without_roll
}

/// Whether pieces are captured by a move to their square, judged by random games. A failing rule ends a game without a
/// result.
pub(super) fn takes_by_moving(loaded: &Loaded) -> bool {
    GAMES.take(3).any(|seed| captures_in_game(loaded, seed))
}

fn captures_in_game(loaded: &Loaded, seed: u64) -> bool {
    let work = || loaded.set.rules.walker().meter().total();
    let before = work();
    let Ok(mut game) = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed) else { return false };
    let mut random = Stream::new(dice::mix(seed), 0);
    for _ in 0..EVENTS {
        let earlier = game.state().clone();
        if step(&mut game, &mut random).is_none() || work() - before > WORK {
            return false;
        }
        let Some(Event::Move(paid)) = game.entries().last().map(|entry| &entry.event) else { continue };
        let [was, is] = [earlier.position(), game.state().position()];
        let (there, arrived, mover) = (was.at(paid.mv.to), is.at(paid.mv.to), earlier.mover());
        let is_enemy = there != Piece::NONE && there.side() != mover;
        // A piece that was pushed is still on the board.
        let is_gone = is.occupied().len() < was.occupied().len();
        if is_enemy && is_gone && arrived != Piece::NONE && arrived.side() == mover {
            return true;
        }
    }
    false
}

/// Shortens a turn with too many events.
fn shortened(mut told: NarratedTurn) -> NarratedTurn {
    if told.lines.len() > MOST_EVENTS {
        let left = told.lines.len() - MOST_EVENTS;
        told.lines.truncate(MOST_EVENTS);
        told.lines.push(format!("The turn continues (further rolls, moves and choices: {left})."));
    }
    told
}

/// Plays one random event, and returns it as a sentence.
fn step(game: &mut Game, random: &mut Stream) -> Option<String> {
    let before = game.state().clone();
    let variant = &before.ruleset().variant;
    let who = game_text::side_name(variant, before.chooser()).to_owned();
    let hidden = before.secret().is_some();
    let said = match before.status() {
        Status::Chance => {
            let rolled = game.roll().ok()?;
            match hidden {
                true => format!("{who} rolls, and only {who} sees the result."),
                false => format!("{who} rolls {}.", game_text::rolled(&before, &rolled).replace(',', " ")),
            }
        }
        Status::Move => {
            let (moves, choices) = (before.moves(), game_text::choices(&before));
            let index = random.below((moves.len() + choices.len()) as u64) as usize;
            let instead = match choices.as_slice() {
                [] => String::new(),
                all if all.len() <= NAMED => format!(" or choose {}", describe::alternatives(all)),
                all => format!(" or choose one of {} options", all.len()),
            };
            let Some(&paid) = moves.get(index) else {
                let chosen = index - moves.len();
                game.choose(chosen).ok()?;
                return Some(told(game, format!("{who} can move{instead}, and chooses {}.", choices[chosen])));
            };
            game.apply(&Event::Move(paid)).ok()?;
            let text = game_text::move_name(&before, paid.mv);
            match game_text::moves(&before).as_slice() {
                _ if !instead.is_empty() => format!("{who} can move{instead}, and plays {text}."),
                [_] => format!("{who} has only one legal move, {text}, and plays it."),
                all if all.len() <= NAMED => {
                    format!("{who} can play {}, and plays {text}.", describe::alternatives(all))
                }
                all => format!("{who} can play one of {} moves, such as {}, and plays {text}.", all.len(), all[0]),
            }
        }
        Status::Choice => {
            let choices = game_text::choices(&before);
            let index = random.below(choices.len() as u64) as usize;
            game.choose(index).ok()?;
            match choices.as_slice() {
                _ if hidden => format!("{who} chooses in secret."),
                [only] => format!("{who} has only one option, {only}."),
                all if all.len() <= NAMED => {
                    format!("{who} can choose {}, and chooses {}.", describe::alternatives(all), all[index])
                }
                all => format!("{who} can choose one of {} options, and chooses {}.", all.len(), all[index]),
            }
        }
        Status::Over => return None,
    };
    Some(told(game, said))
}

/// An action, with its consequences.
fn told(game: &Game, said: String) -> String {
    let follows = game_text::follow_ups(game);
    let result = game_text::result(game.state());
    let sentences = std::iter::once(said).chain(follows.into_iter().map(|event| sentence(&event.text))).chain(result);
    sentences.collect::<Vec<_>>().join(" ")
}

/// A text as a sentence.
fn sentence(text: &str) -> String {
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{end}", super::narration::capital(text))
}
