//! The method `play`: events applied to a position, in order.

use super::declared::Declared;
use crate::rpc::errors::{game_error, word_error};
use crate::rpc::message::{INVALID_PARAMS, RpcError, describe};
use crate::rpc::parameters::{Die, List, MoveText, Options, PositionText, Roll, Text, VariantName, View};
use crate::rpc::read::read;
use crate::rpc::request_game::RequestGame;
use crate::rpc::status::{Awaited, Standing, pending_json, pending_view};
use crate::rpc::store::Store;
use astragal_core::Side;
use astragal_core::{Event, HistoryEntry};
use astragal_dsl::game_text::{AutomaticEvent, AutomaticKind};
use astragal_dsl::{explain, game_text, turn_state_text, view};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The parameters of `play`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct PlayParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// The events to apply, in order.
    events: Option<List<AnyEvent>>,
    view: Option<View>,
}

/// A raw event. It is parsed only when its turn comes, so that an error can report the state of the game at that point.
#[derive(Deserialize)]
pub(super) struct AnyEvent(Value);

impl AnyEvent {
    /// Whether it is `{"roll":[]}`, a roll left to the server.
    pub(super) fn asks_to_roll(&self) -> bool {
        let roll = self.0.as_object().filter(|map| map.len() == 1).and_then(|map| map.get("roll"));
        roll.and_then(Value::as_array).is_some_and(Vec::is_empty)
    }
}

impl JsonSchema for AnyEvent {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        GivenEvent::json_schema(generator)
    }
}

/// A `roll`, a `move` (with the paying die if several could pay, as a prefix or as `die`), or a `choice`.
#[derive(Deserialize, JsonSchema)]
struct GivenEvent {
    /// The faces of the dice, such as `[2,3]`; for a draw, the square or move, such as `["e4"]` or `["e2e4"]`. In a
    /// game opened with a `seed`, `[]` lets the server roll.
    roll: Option<Roll>,
    r#move: Option<MoveText>,
    die: Option<Die>,
    /// The text of one of the offered choices.
    choice: Option<Text>,
}

/// The result of the events.
#[derive(Serialize, JsonSchema)]
pub(super) struct Played {
    /// The position; pass it to a later request to continue. In the middle of a turn, it can end with a field `turn=`,
    /// which holds the rest of the state beyond the board, the counters and the unused dice.
    position: String,
    /// The state of the game, as returned by the method `state`.
    state: Standing,
    /// The decision or roll that the game waits for; null if the game is over.
    pending: Option<Awaited>,
    /// If the board, the counters and the unused dice do not describe the current turn completely: a position that does.
    /// It leads to the same state as `position`, usually with the same text.
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<String>,
    /// Texts about events that happened automatically, such as a lost turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    log: Vec<String>,
    /// The kind of each line of `log`: `label` for a message of the script, `failed` (a capture), `made` (a move that was
    /// decided earlier), `lost` or `ended` (a turn), `rerolled`, `secret`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    log_kinds: Vec<LogKind>,
}

/// The kinds of automatic events.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum LogKind {
    /// A message of the script, in its own words.
    Label,
    /// A capture did not succeed.
    Failed,
    /// A move was made that had been decided earlier.
    Made,
    /// A side lost its turn, because it had no move.
    Lost,
    /// A turn ended early.
    Ended,
    /// Dice were rerolled.
    Rerolled,
    /// A roll or a choice that the side of `view` does not see.
    Secret,
}

/// An automatic event: its kind and its text.
pub(super) type LogLine = (LogKind, String);

/// Automatic events as lines of the log.
pub(super) fn log_lines(events: Vec<AutomaticEvent>) -> impl Iterator<Item = LogLine> {
    let kind = |kind| match kind {
        AutomaticKind::Label => LogKind::Label,
        AutomaticKind::Failed => LogKind::Failed,
        AutomaticKind::Made => LogKind::Made,
        AutomaticKind::Lost => LogKind::Lost,
        AutomaticKind::Ended => LogKind::Ended,
    };
    events.into_iter().map(move |event| (kind(event.kind), event.text))
}

pub(super) struct Play;

impl Declared for Play {
    const NAME: &'static str = "play";
    const ABOUT: &'static str = "Applies events in order, after the `roll` if there is one, and returns the result.";
    const EXAMPLE: &'static str = include_str!("examples/play.json");
    type Parameters = PlayParameters;
    type Answer = Played;

    fn answer(store: &mut Store, asked: PlayParameters) -> Result<Played, RpcError> {
        let mut game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let viewer = View::side(asked.view.as_ref(), game.sides())?;
        let mut log: Vec<LogLine> =
            log_lines(game_text::notes(&game.loaded.set.variant, game.game.opening())).collect();
        let given = game.faces(asked.roll.as_ref())?;
        if (given.is_some() || game.dice.is_some()) && game.state().over().is_none() {
            let seen = view::sees(game.state(), viewer);
            let again = match given {
                Some(faces) => game.given_roll(&faces)?,
                None => game.use_dice().map(|()| Vec::new())?,
            };
            log.extend(rolled_again(&again, seen));
            log.extend(log_lines(game_text::follow_ups(&game.game)));
        }
        for (index, event) in List::items(asked.events.as_ref()).iter().enumerate() {
            apply_one(&mut game, index, event, viewer, &mut log)?;
        }
        Ok(played(&game, viewer, log, true))
    }
}

/// Applies an event and adds automatic events to `log`; errors name its `index` in the request.
///
/// # Errors
/// If the event is not possible.
pub(super) fn apply_one(
    game: &mut RequestGame,
    index: usize,
    event: &AnyEvent,
    viewer: Option<Side>,
    log: &mut Vec<LogLine>,
) -> Result<(), RpcError> {
    let entries = game.game.entries().len();
    let seen = view::sees(game.state(), viewer);
    let again = apply(game, &event.0).map_err(|error| refused(game, index, error, viewer))?;
    log.extend(rolled_again(&again, seen));
    log.extend(game.game.entries()[entries..].iter().filter_map(|entry| in_secret(game, entry, viewer)));
    if game.game.entries().len() > entries {
        log.extend(log_lines(game_text::follow_ups(&game.game)));
    }
    Ok(())
}

/// The state of a game for `viewer`; with `whole`, also the text that continues its turn elsewhere, which takes as long as
/// the rest.
pub(super) fn played(game: &RequestGame, viewer: Option<Side>, log: Vec<LogLine>, whole: bool) -> Played {
    let state = game.state();
    let position = match viewer {
        None => turn_state_text::told(&game.loaded, &game.game),
        viewer => view::position(&game.loaded, &game.game, viewer),
    };
    // This text describes a partial turn completely, even where board and counters do not; a client can resume from it.
    let whole = (whole && viewer.is_none()).then(|| turn_state_text::position(&game.loaded, &game.game));
    let resume = whole.filter(|whole| *whole != game_text::position(&game.loaded, state));
    let (log_kinds, log) = log.into_iter().unzip();
    Played { position, state: Standing::of(state), pending: Awaited::of(state, viewer), resume, log, log_kinds }
}

fn rolled_again(again: &[Vec<i16>], seen: bool) -> impl Iterator<Item = LogLine> {
    let text = move |dice: &Vec<i16>| if seen { game_text::again(dice) } else { "Dice are rolled again.".into() };
    again.iter().map(move |dice| (LogKind::Rerolled, text(dice)))
}

/// The line for a roll or choice that the viewer cannot see.
pub(super) fn in_secret(game: &RequestGame, entry: &HistoryEntry, viewer: Option<Side>) -> Option<LogLine> {
    let side = entry.secret.filter(|side| viewer.is_some_and(|viewer| viewer != *side))?;
    let what = if matches!(entry.event, Event::Choice(_)) { "chooses" } else { "rolls" };
    Some((LogKind::Secret, format!("{} {what} in secret.", game_text::side_name(&game.loaded.set.variant, side))))
}

fn refused(game: &RequestGame, index: usize, error: RpcError, viewer: Option<Side>) -> RpcError {
    if !view::knows_options(game.state(), viewer) {
        // The reason would reveal the legal moves.
        let error = RpcError::new(error.code, format!("event {index}: this is not legal now"));
        return error.with("event", index).with("pending", pending_view(game.state(), viewer));
    }
    let reason = error.message.clone();
    let error = RpcError { message: format!("event {index}: {reason}"), ..error };
    error.with("event", index).with("reason", reason).with("pending", pending_json(game.state()))
}

const EXPECTED: &str = "an event such as {\"roll\":[2,3]}, {\"move\":\"e2e4\"} or {\"choice\":\"text\"}";

fn no_event(found: String) -> RpcError {
    RpcError::new(INVALID_PARAMS, format!("expected {EXPECTED}, found {found}"))
        .with("field", "events")
        .with("expected", EXPECTED)
        .with("found", found)
}

/// Applies an event; returns dice that must be rerolled.
///
/// # Errors
/// If it is not an event, or is not possible.
pub(in crate::rpc) fn apply(game: &mut RequestGame, event: &Value) -> Result<Vec<Vec<i16>>, RpcError> {
    let Value::Object(map) = event else { return Err(no_event(describe(event))) };
    match read("an event", map)? {
        GivenEvent { roll: Some(roll), r#move: None, die: None, choice: None } => {
            let faces = game.faces(Some(&roll))?;
            let found = map.get("roll").map_or_else(|| "nothing".into(), describe);
            let faces = faces.ok_or_else(|| RpcError::param("roll", "at least one face", &found))?;
            // At a real table, dice that allow no move are rolled again where the rules require it.
            game.roll(&faces)
        }
        GivenEvent { roll: None, r#move: Some(text), die, choice: None } => {
            make_move(game, &text.0, Die::faces(die.as_ref())).map(|()| Vec::new())
        }
        GivenEvent { roll: None, r#move: None, die: None, choice: Some(text) } => {
            choose(game, &text).map(|()| Vec::new())
        }
        _ => Err(no_event(members(map))),
    }
}

fn members(map: &Map<String, Value>) -> String {
    match map.is_empty() {
        true => "an empty object".into(),
        false => format!("an object with {}", map.keys().map(String::as_str).collect::<Vec<_>>().join(", ")),
    }
}

fn make_move(game: &mut RequestGame, text: &str, die: Option<&[i16]>) -> Result<(), RpcError> {
    if game_text::is_pass(text) {
        return pass(game);
    }
    let paid = game_text::find_move(game.state(), text, die);
    let paid = paid.map_err(|error| {
        let answer = word_error(game.state(), "move", &error);
        match explain::why(&game.loaded, &game.game, text) {
            Ok(found) if !found.permitted => answer.with("why", found.sentences),
            _ => answer,
        }
    })?;
    let before = game.state().clone();
    game.game.play(paid).map_err(|error| game_error(&game.loaded, &before, &error))
}

fn choose(game: &mut RequestGame, text: &str) -> Result<(), RpcError> {
    let listed = game_text::choices(game.state()).iter().any(|option| option == text);
    if game_text::is_pass(text) && !listed {
        return pass(game);
    }
    let index = game_text::find_choice(game.state(), text);
    let index = index.map_err(|error| word_error(game.state(), "choice", &error))?;
    let before = game.state().clone();
    game.game.choose(index).map_err(|error| game_error(&game.loaded, &before, &error))
}

fn pass(game: &mut RequestGame) -> Result<(), RpcError> {
    let before = game.state().clone();
    game.game.pass().map_err(|error| game_error(&game.loaded, &before, &error))
}
