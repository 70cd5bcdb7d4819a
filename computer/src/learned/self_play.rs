//! Games of a learned evaluation against itself, and the lessons from them.
//!
//! Owns the course of one game and the lambda-returns of its turns. Weights do not change during a game.

use super::{Feature, LearnedValues, Lookahead, Room, levels, results};
use crate::events::step_randomly;
use astragal_core::rule::RuleError;
use astragal_core::{Reply, Side, State, Status, Stream};

/// How games against itself are played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Habits {
    /// How far results reach back: 0 teaches only from the next turn, 1 only from the result.
    pub lambda: f32,
    /// The chance of a random decision.
    pub explore: f32,
    /// The maximum number of random decisions that a game begins with.
    pub opening: u32,
    /// Longer games are cut, and count as drawn.
    pub turns: u32,
    /// The maximum number of events of a game. It also ends endless turns.
    pub events: u32,
}

/// A position at the start of a turn, and the outputs that the network should have for it.
#[derive(Clone, PartialEq, Debug)]
pub struct Lesson {
    /// The features of the position.
    pub features: Vec<Feature>,
    /// The outputs that it should have.
    pub targets: Vec<f32>,
}

/// A turn of a game.
struct Turn {
    features: Vec<Feature>,
    view: Side,
    /// The outputs of the network.
    outputs: Vec<f32>,
    /// Whether a decision was random. If so, the result of the turn is no evidence about it.
    strayed: bool,
}

/// Plays a game from `state` and returns the lessons of its turns, in order. Turns with random decisions give none.
///
/// # Errors
/// If a rule fails.
pub fn lessons(
    values: &LearnedValues,
    lookahead: &mut Lookahead,
    mut state: State,
    random: &mut Stream,
    habits: &Habits,
) -> Result<Vec<Lesson>, RuleError> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut room = Room::default();
    let (mut last, mut events) = (None, 0);
    let mut opening = if habits.opening > 0 { random.below(u64::from(habits.opening) + 1) } else { 0 };
    let first = state.turn();
    while state.status() != Status::Over && state.turn() - first < habits.turns && events < habits.events {
        events += 1;
        if last != Some(state.turn()) {
            last = Some(state.turn());
            turns.push(begin(values, &state, &mut room));
        }
        match state.status() {
            Status::Chance => state.roll(state.draw(random))?,
            _ if state.replies() == 1 => take(&mut state, 0)?,
            _ if opening > 0 || unit(random) < habits.explore => {
                opening = opening.saturating_sub(1);
                step_randomly(&mut state, random)?;
                turns.iter_mut().rev().take(1).for_each(|turn| turn.strayed = true);
            }
            _ => {
                let (replies, _) = lookahead.best(values, &state)?;
                for reply in replies {
                    apply(&mut state, reply)?;
                }
            }
        }
    }
    let result = match state.over() {
        Some(over) => results(&state.ruleset().variant, over),
        None => Default::default(),
    };
    let Some(view) = turns.last().map(|turn| turn.view) else { return Ok(Vec::new()) };
    let mut after = Vec::new();
    values.targets(&result, view, &mut after);
    Ok(returns(values, turns, (view, after.clone(), after), habits.lambda))
}

/// The lambda-returns of the turns. `after` is the view, value and return of the state after the last turn.
fn returns(values: &LearnedValues, turns: Vec<Turn>, after: (Side, Vec<f32>, Vec<f32>), lambda: f32) -> Vec<Lesson> {
    let (mut seen, mut value, mut gain) = after;
    let mut lessons = Vec::with_capacity(turns.len());
    for turn in turns.into_iter().rev() {
        if turn.view != seen {
            values.turn_over(&mut value);
            values.turn_over(&mut gain);
            seen = turn.view;
        }
        if turn.strayed {
            gain.clone_from(&turn.outputs);
        } else {
            gain.iter_mut().zip(&value).for_each(|(gain, value)| *gain = lambda * *gain + (1.0 - lambda) * value);
            lessons.push(Lesson { features: turn.features, targets: gain.clone() });
        }
        value = turn.outputs;
    }
    lessons.reverse();
    lessons
}

fn begin(values: &LearnedValues, state: &State, room: &mut Room) -> Turn {
    let position = state.position();
    values.features().list(&state.ruleset().variant, position, &mut room.features);
    values.network().run(&room.features, &mut room.activity);
    Turn {
        features: room.features.clone(),
        view: values.features().view(position),
        outputs: room.activity.outputs.clone(),
        strayed: false,
    }
}

/// A number from 0 to 1.
fn unit(random: &mut Stream) -> f32 {
    (random.next_u64() >> 40) as f32 / (1u64 << 24) as f32
}

fn take(state: &mut State, index: usize) -> Result<(), RuleError> {
    state.nth_reply(index).map_or(Ok(()), |reply| apply(state, reply))
}

/// Applies a reply.
pub(super) fn apply(state: &mut State, reply: Reply) -> Result<(), RuleError> {
    match reply {
        Reply::Move(paid) => state.play(paid),
        Reply::Choice(index) => state.choose(index),
        Reply::Pass => state.pass(),
        Reply::Roll(index) => state.roll(index),
    }
}

/// The levels of results that random games from `state` show. Games of more than `most` events do not count.
///
/// # Errors
/// If a rule fails.
pub fn levels_of_random_games(state: &State, games: u64, most: u32, seed: u64) -> Result<Vec<i32>, RuleError> {
    let variant = &state.ruleset().variant;
    let sides = variant.sides();
    let mut seen = Vec::new();
    for game in 0..games {
        let (mut state, mut random) = (state.clone(), Stream::new(seed ^ 0x6c65_7665_6c73, game));
        for _ in 0..most {
            if state.status() == Status::Over {
                break;
            }
            step_randomly(&mut state, &mut random)?;
        }
        if let Some(over) = state.over() {
            seen.extend(results(variant, over)[..sides].iter().map(|value| *value as i32));
        }
    }
    Ok(levels(&seen, sides))
}
