//! The status of a game and what it waits for, in the terms of the protocol; also as one side may know it.

use astragal_core::{Die, Ratio, Side, State};
use astragal_dsl::{game_text, view};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Number, Value};
use std::ops::Not;

/// The maximum number of faces, over all dice, that are listed one by one.
const MAX_FACES: usize = 1000;

/// The state of a game.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Standing {
    /// Whether the game is over in this position.
    over: bool,
    /// The winner, `first` to `eighth`; null in a draw and during the game.
    winner: Option<&'static str>,
    /// The reason for the result, such as `checkmate`; null during the game.
    reason: Option<String>,
    /// The points of each side, if the script awards points.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<Number>>,
    /// The result in a sentence: `White wins: checkmate.`
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// All winners, if there are several, `first` to `eighth`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    winners: Vec<&'static str>,
}

impl Standing {
    /// The state of a game in `state`.
    pub(super) fn of(state: &State) -> Standing {
        let over = state.over();
        let points = over.and_then(|over| over.points);
        let mut winners: Vec<&str> = game_text::winners(state).into_iter().map(game_text::ordinal).collect();
        if winners.len() < 2 {
            winners.clear();
        }
        Standing {
            over: over.is_some(),
            winner: over.and_then(|over| over.winner).map(game_text::ordinal),
            reason: over.map(|over| over.reason.to_string()),
            result: game_text::result(state),
            points: points.map(|points| points[..state.ruleset().variant.sides()].iter().map(whole_or_half).collect()),
            winners,
        }
    }
}

/// Half points are the only fractions, and binary fractions represent them exactly.
fn whole_or_half(halves: &i32) -> Number {
    let half = || Number::from_f64(f64::from(*halves) / 2.0);
    half().filter(|_| halves % 2 != 0).unwrap_or_else(|| (halves / 2).into())
}

/// The decision or roll that a game waits for.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Awaited {
    #[serde(flatten)]
    what: Kind,
    /// The script's question, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    /// The squares that this roll draws from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<String>,
    /// The moves that this roll draws from, in coordinates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<String>,
    /// True if the options are hidden from the side of `view`.
    #[serde(skip_serializing_if = "Not::not")]
    hidden: bool,
}

/// The kinds of `pending`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Kind {
    /// A roll.
    Roll {
        /// The dice as text, such as `2d6`.
        dice: String,
        /// The side that rolls.
        player: &'static str,
        /// For a draw, the number of squares or moves that it draws from.
        #[serde(skip_serializing_if = "Option::is_none")]
        draws_from: Option<usize>,
        /// The faces of each die; missing for dice with more than 1,000 faces in total and, in a `view`, in a game with
        /// secrets, if the dice are not numbered from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        faces: Option<Vec<Vec<i16>>>,
        /// The probability of each face, if there are `faces`.
        #[serde(skip_serializing_if = "Option::is_none")]
        chances: Option<Vec<Vec<String>>>,
        /// True if some outcomes are rerolled; the others keep their relative probabilities.
        #[serde(skip_serializing_if = "Not::not")]
        conditional: bool,
    },
    /// A move.
    Move {
        /// The side that decides.
        player: &'static str,
        /// The legal moves in coordinates, sorted, with a die as prefix if it matters which die pays (`6:h1h5`).
        #[serde(skip_serializing_if = "Option::is_none")]
        options: Option<Vec<String>>,
        /// The choices that can replace a move, if the script offers any.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        choices: Vec<String>,
        /// True if the player can pass.
        #[serde(skip_serializing_if = "Not::not")]
        pass: bool,
        /// True if the move is only named; the rules decide what happens to it.
        #[serde(skip_serializing_if = "Not::not")]
        names: bool,
    },
    /// A choice.
    Choice {
        /// The side that decides.
        player: &'static str,
        /// The choices.
        #[serde(skip_serializing_if = "Option::is_none")]
        options: Option<Vec<String>>,
        /// True if the player can decline: the script offers a move or a choice, and there is no move.
        #[serde(skip_serializing_if = "Not::not")]
        pass: bool,
    },
}

impl Awaited {
    /// What `state` waits for, as `viewer` sees it; `None` after the end.
    pub(super) fn of(state: &State, viewer: Option<Side>) -> Option<Awaited> {
        let (pending, hidden) = view::pending(state, viewer)?;
        let variant = &state.ruleset().variant;
        let drawn = if hidden { Vec::new() } else { game_text::drawn(state) };
        let (moves, squares) = if state.drawn_moves().is_empty() { (Vec::new(), drawn) } else { (drawn, Vec::new()) };
        // The probabilities of a draw would reveal the content of the pool.
        let secrets = viewer.is_some() && (variant.has_secrets() || state.secret().is_some());
        let options = |options: Vec<String>| Some(options).filter(|_| !hidden);
        let what = match pending {
            game_text::Pending::Roll { dice, .. } => {
                let all = state.dice().map(|dice| dice.dice.as_slice()).unwrap_or_default();
                let few = all.iter().map(|die| die.faces().len()).sum::<usize>() <= MAX_FACES;
                let listed = Some(all).filter(|_| few && !secrets);
                // Their text describes them completely.
                let told = Some(all).filter(|all| few && !secrets || all.iter().all(is_plain));
                let pool = game_text::drawn(state).len();
                Kind::Roll {
                    dice,
                    player: game_text::ordinal(state.chooser()),
                    draws_from: Some(pool).filter(|&pool| pool > 0),
                    faces: told.map(|all| all.iter().map(|die| die.faces().to_vec()).collect()),
                    chances: listed.map(|all| all.iter().map(chances).collect()),
                    conditional: !state.can_roll_all(),
                }
            }
            game_text::Pending::Move { player, options: moves, choices, pass } => {
                let names = state.names_move();
                Kind::Move { player: game_text::ordinal(player), options: options(moves), choices, pass, names }
            }
            game_text::Pending::Choice { player, options: choices, pass } => {
                Kind::Choice { player: game_text::ordinal(player), options: options(choices), pass }
            }
        };
        let question = if hidden { None } else { game_text::question(state) };
        Some(Awaited { what, question, squares, moves, hidden })
    }
}

/// Whether a die has the faces from 1 up, all equally likely.
fn is_plain(die: &Die) -> bool {
    die.faces().iter().zip(1..).all(|(&face, number)| face == number) && die.weights().iter().all(|&weight| weight == 1)
}

/// The probability of each face of a die, as `1/6`.
fn chances(die: &Die) -> Vec<String> {
    let one = |weight: &u32| Ratio::new(u128::from(*weight), u128::from(die.total())).to_string();
    die.weights().iter().map(one).collect()
}

/// The state of the game as data: the result of the method `state`.
pub fn state_json(state: &State) -> Value {
    data(&Standing::of(state))
}

/// The decision or roll that the game waits for, as data: `pending` in answers. Null after the end.
pub fn pending_json(state: &State) -> Value {
    pending_view(state, None)
}

/// The same, as `viewer` sees it.
pub(super) fn pending_view(state: &State, viewer: Option<Side>) -> Value {
    data(&Awaited::of(state, viewer))
}

/// Strings, numbers and lists of them can always be written as JSON.
fn data(what: &impl Serialize) -> Value {
    serde_json::to_value(what).unwrap_or_default()
}
