//! Messages to a player that is a program, and the meaning of its responses: the protocol of `astragal serve`, from the
//! other end.
//!
//! Knows no process and no time: the caller sends these messages to the program. A program receives only what its side may
//! know. `docs/serve.md` describes the protocol for authors of such programs.

use super::methods::{AdvisedEvent, apply};
use super::request_game::RequestGame;
use super::status::{Awaited, Standing};
use astragal_core::{Event, Game, Side};
use astragal_dsl::{Loaded, game_text, turn_state_text, view};
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// The start of a game, as the parameters of `begin`.
#[derive(Serialize)]
struct Beginning {
    variant: String,
    options: Map<String, Value>,
    position: String,
    side: &'static str,
    seed: u64,
    time: f64,
}

/// A decision, as the parameters of `decide`.
#[derive(Serialize)]
struct Question {
    happened: Vec<Option<AdvisedEvent>>,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<String>,
    pending: Option<Awaited>,
}

/// A program's seat in a game, with the events already sent to it.
pub struct ProgramSeat {
    loaded: Arc<Loaded>,
    side: Side,
    seed: u64,
    time: Duration,
    /// The game as far as it is known.
    known: Option<Game>,
}

impl ProgramSeat {
    /// A seat in a game that the program does not know yet. The program's random decisions should follow from `seed`; it
    /// has `time` for each decision.
    pub fn new(loaded: Arc<Loaded>, side: Side, seed: u64, time: Duration) -> ProgramSeat {
        ProgramSeat { loaded, side, seed, time, known: None }
    }

    /// The parameters of `begin`, if the game is new to the program: its first game, or one that does not continue the
    /// known game, for example after an undo. They describe the start of the game; [`ProgramSeat::decide`] sends the events
    /// since then.
    pub fn begin(&mut self, game: &Game) -> Option<Value> {
        if self.known.as_ref().is_some_and(|known| goes_on(known, game)) {
            return None;
        }
        let loaded = &self.loaded;
        let start = turn_state_text::restarted(game).unwrap_or_else(|_| game.clone());
        let path = loaded.source.path.as_ref().map(|path| path.display().to_string());
        let chosen = loaded.options.iter().filter(|option| option.chosen != option.default);
        let beginning = Beginning {
            variant: path.unwrap_or_else(|| loaded.name.clone()),
            options: chosen.map(|option| (option.name.clone(), option.chosen.clone().into())).collect(),
            position: self.position(&start),
            side: game_text::ordinal(self.side),
            seed: self.seed,
            time: self.time.as_secs_f64(),
        };
        let told = serde_json::to_value(beginning).ok();
        self.known = Some(start);
        told
    }

    /// The program has ended; its successor knows nothing of the game.
    pub fn forget(&mut self) {
        self.known = None;
    }

    /// The parameters of `decide`: the events since the last message, and the decision.
    pub fn decide(&mut self, game: &Game) -> Value {
        let viewer = Some(self.side);
        let mut happened = Vec::new();
        let mut known = self.known.take().unwrap_or_else(|| game.clone());
        for entry in game.entries().iter().skip(known.entries().len()) {
            let state = known.state();
            let is_hidden = matches!(entry.event, Event::Roll(_) | Event::Choice(_)) && !view::sees(state, viewer);
            happened.push((!is_hidden).then(|| AdvisedEvent::of(state, &entry.event)));
            if known.apply(&entry.event).is_err() {
                break;
            }
        }
        self.known = Some(game.clone());
        let position = self.position(game);
        // The turn so far would reveal secrets of other sides.
        let whole = (!view::has_secrets(game)).then(|| turn_state_text::position(&self.loaded, game));
        let resume = whole.filter(|whole| *whole != game_text::position(&self.loaded, game.state()));
        let question = Question { happened, position, resume, pending: Awaited::of(game.state(), viewer) };
        // Strings, numbers and lists of them can always be written as JSON.
        serde_json::to_value(question).unwrap_or_default()
    }

    /// The event that an answer to `decide` means.
    ///
    /// # Errors
    /// A sentence with the reason, if the answer is not an event or not legal.
    pub fn event(&self, game: &Game, answer: &Value) -> Result<Event, String> {
        let mut trial = RequestGame::of(Arc::clone(&self.loaded), game.clone());
        apply(&mut trial, answer).map_err(|error| match error.data["why"][0].as_str() {
            Some(why) => format!("{}: {why}", error.message),
            None => error.message.clone(),
        })?;
        let made = trial.game.entries().get(game.entries().len());
        made.map(|entry| entry.event.clone()).ok_or_else(|| "it caused no event".into())
    }

    /// The parameters of `end`, if the program knows the game: its state when the program has no more decisions.
    pub fn end(&mut self, game: &Game) -> Option<Value> {
        self.known.take()?;
        Some(serde_json::json!({ "state": serde_json::to_value(Standing::of(game.state())).unwrap_or_default() }))
    }

    /// The position as the program's side may know it.
    fn position(&self, game: &Game) -> String {
        view::position(&self.loaded, game, Some(self.side))
    }
}

/// Whether `game` continues `known`.
fn goes_on(known: &Game, game: &Game) -> bool {
    let (before, now) = (known.entries(), game.entries());
    known.start() == game.start()
        && known.start_dice() == game.start_dice()
        && known.seed() == game.seed()
        && before.len() <= now.len()
        && before.iter().zip(now).all(|(a, b)| a.event == b.event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_dsl::load_named;
    use serde_json::json;

    fn seat(variant: &str, seed: u64) -> (ProgramSeat, Game) {
        let loaded = Arc::new(load_named(variant, &[]).expect("a variant"));
        let game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).expect("a game");
        (ProgramSeat::new(loaded, Side(0), 7, Duration::from_secs(2)), game)
    }

    #[test]
    fn a_program_is_told_what_happened_since_it_was_asked() {
        let (mut seat, mut game) = seat("dice-chess", 4);
        let begin = seat.begin(&game).expect("a new game");
        assert_eq!(
            (&begin["variant"], &begin["side"], &begin["time"]),
            (&json!("dice-chess"), &json!("first"), &json!(2.0))
        );
        assert_eq!(begin["options"], json!({}));
        game.roll().expect("dice");
        assert!(seat.begin(&game).is_none(), "the game continues");
        let question = seat.decide(&game);
        assert_eq!(question["happened"], json!([{"roll": [6, 2]}]));
        assert_eq!(question["pending"]["options"], json!(["b1a3", "b1c3", "g1f3", "g1h3"]));
        let event = seat.event(&game, &json!({"move": "Nc3"})).expect("a move");
        game.apply(&event).expect("permitted");
        game.roll().expect("dice");
        assert_eq!(seat.decide(&game)["happened"], json!([{"move": "b1c3"}, {"roll": [2, 6]}]));
        game.undo().expect("back");
        game.undo().expect("back");
        assert!(seat.begin(&game).is_some(), "another game than the one that it knows");
    }

    #[test]
    fn answers_that_are_none_say_why() {
        let (seat, mut game) = seat("dice-chess", 4);
        game.roll().expect("dice");
        let why = |answer: Value| seat.event(&game, &answer).expect_err("no answer");
        assert!(why(json!({"move": "e2e4"})).contains("permits only moves of"), "{}", why(json!({"move": "e2e4"})));
        assert!(why(json!("b1c3")).contains("expected an event such as"), "{}", why(json!("b1c3")));
        assert!(why(json!({"roll": [1, 1]})).contains("waiting for a move"), "{}", why(json!({"roll": [1, 1]})));
        assert!(why(json!({"muve": "b1c3"})).contains("did you mean 'move'"), "{}", why(json!({"muve": "b1c3"})));
    }

    /// Where counters are secret a program gets the view of its side.
    #[test]
    fn secrets_of_others_are_kept() {
        let named = astragal_dsl::library::names().into_iter().find(|name| {
            let loaded = load_named(name, &[]).expect("a variant");
            loaded.set.variant.has_secrets()
        });
        let (mut seat, mut game) = seat(named.expect("a variant with secrets"), 4);
        while game.status() == astragal_core::Status::Chance {
            game.roll().expect("dice");
        }
        let begin = seat.begin(&game).expect("a new game");
        assert!(begin["position"].as_str().is_some_and(|text| text.contains('?')), "{begin}");
        assert!(seat.decide(&game)["resume"].is_null());
    }
}
