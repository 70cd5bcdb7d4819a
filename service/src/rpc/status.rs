//! How a game stands and what it waits for, as the protocol says it; also as one side may know it.

use astragal_core::{Die, Ratio, Side, State};
use astragal_dsl::{game_text, view};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Number, Value};
use std::ops::Not;

/// Dice with more faces together are named, but not their faces one by one.
const MAX_FACES: usize = 1000;

/// How a game stands.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Standing {
    /// Whether the game is over, before any roll.
    over: bool,
    /// The side that has won: `first` to `eighth`; null in a draw and while the game goes on.
    winner: Option<&'static str>,
    /// How it ended.
    reason: Option<String>,
    /// The points of each side, where the script gives some.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<Number>>,
    /// All sides that have won, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    winners: Vec<&'static str>,
}

impl Standing {
    /// How a game stands in `state`.
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
            points: points.map(|points| points[..state.ruleset().variant.sides()].iter().map(whole_or_half).collect()),
            winners,
        }
    }
}

/// Half points are the only fractions, and binary fractions can write them.
fn whole_or_half(halves: &i32) -> Number {
    let half = || Number::from_f64(f64::from(*halves) / 2.0);
    half().filter(|_| halves % 2 != 0).unwrap_or_else(|| (halves / 2).into())
}

/// What a game waits for.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Awaited {
    #[serde(flatten)]
    what: Kind,
    /// What is asked, in the script's words, where it has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    /// The squares of which one is drawn by this roll.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<String>,
    /// The moves of which one is drawn by this roll, in coordinates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<String>,
    /// There are options, but the side of `view` may not know them.
    #[serde(skip_serializing_if = "Not::not")]
    hidden: bool,
}

/// What is waited for, by its kind.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Kind {
    /// A roll.
    Roll {
        /// The dice as text, `2d6`.
        dice: String,
        /// Who rolls.
        player: &'static str,
        /// The faces of each die; not for dice with more than 1,000 faces together, nor, in an answer for one side, in a game
        /// with secrets.
        #[serde(skip_serializing_if = "Option::is_none")]
        faces: Option<Vec<Vec<i16>>>,
        /// The chances of each face, where there are `faces`.
        #[serde(skip_serializing_if = "Option::is_none")]
        chances: Option<Vec<Vec<String>>>,
        /// Some outcomes cannot come up, as with dice that are thrown again: the others keep their chances relative to each
        /// other.
        #[serde(skip_serializing_if = "Not::not")]
        conditional: bool,
    },
    /// A move.
    Move {
        /// Whose.
        player: &'static str,
        /// The permitted moves, sorted: in coordinates, with the die before them where it matters which pays (`6:h1h5`).
        #[serde(skip_serializing_if = "Option::is_none")]
        options: Option<Vec<String>>,
        /// What may be chosen instead of a move, where the script has something.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        choices: Vec<String>,
        /// There need be no move.
        #[serde(skip_serializing_if = "Not::not")]
        pass: bool,
        /// The move is named and not made: the rules say what becomes of it.
        #[serde(skip_serializing_if = "Not::not")]
        names: bool,
    },
    /// A choice.
    Choice {
        /// Whose.
        player: &'static str,
        /// The choices.
        #[serde(skip_serializing_if = "Option::is_none")]
        options: Option<Vec<String>>,
        /// Nothing need be chosen: the script asks for a move or a choice, and there is no move.
        #[serde(skip_serializing_if = "Not::not")]
        pass: bool,
    },
}

impl Awaited {
    /// What `state` waits for, as `viewer` may know it; nothing after the end.
    pub(super) fn of(state: &State, viewer: Option<Side>) -> Option<Awaited> {
        let (pending, hidden) = view::pending(state, viewer)?;
        let variant = &state.ruleset().variant;
        let drawn = if hidden { Vec::new() } else { game_text::drawn(state) };
        let (moves, squares) = if state.drawn_moves().is_empty() { (Vec::new(), drawn) } else { (drawn, Vec::new()) };
        // The chances of a draw tell what is in the pool.
        let secrets = viewer.is_some() && (variant.has_secrets() || state.secret().is_some());
        let options = |options: Vec<String>| Some(options).filter(|_| !hidden);
        let what = match pending {
            game_text::Pending::Roll { dice, .. } => {
                let all = state.dice().map(|dice| dice.dice.as_slice()).unwrap_or_default();
                let few = all.iter().map(|die| die.faces().len()).sum::<usize>() <= MAX_FACES;
                let listed = Some(all).filter(|_| few && !secrets);
                Kind::Roll {
                    dice,
                    player: game_text::ordinal(state.chooser()),
                    faces: listed.map(|all| all.iter().map(|die| die.faces().to_vec()).collect()),
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

/// The chance of each face of a die, as `1/6`.
fn chances(die: &Die) -> Vec<String> {
    let one = |weight: &u32| Ratio::new(u128::from(*weight), u128::from(die.total())).to_string();
    die.weights().iter().map(one).collect()
}

/// How the game stands, as data: what the method `state` answers.
pub fn state_json(state: &State) -> Value {
    data(&Standing::of(state))
}

/// What the game waits for, as data: `pending` of the answers. Null after the end.
pub fn pending_json(state: &State) -> Value {
    pending_view(state, None)
}

/// The same as `viewer` may know it.
pub(super) fn pending_view(state: &State, viewer: Option<Side>) -> Value {
    data(&Awaited::of(state, viewer))
}

/// Texts, numbers and lists of them can always be written as JSON.
fn data(what: &impl Serialize) -> Value {
    serde_json::to_value(what).unwrap_or_default()
}
