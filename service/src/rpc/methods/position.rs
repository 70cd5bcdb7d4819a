//! The methods that examine a variant or position: `variants`, `rules`, `state`, `moves`, `why`.

use super::declared::{Declared, Nothing};
use crate::rpc::errors::{NOT_PERMITTED, notation_error, rule_error};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{MoveText, Options, PositionText, Roll, Text, VariantName, View};
use crate::rpc::request_game::RequestGame;
use crate::rpc::status::{Awaited, Standing};
use crate::rpc::store::Store;
use crate::{interrupt, leaflet};
use astragal_core::Status;
use astragal_dsl::explain::{self, ExplainError};
use astragal_dsl::{OptionDef, game_text, library, rulebook, view};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Not;

/// The maximum number of scripts of a folder that are listed.
const LISTED: usize = 100;

/// Lists the variants that can be played.
#[derive(Serialize, JsonSchema)]
pub(super) struct VariantList {
    /// The `name`, `title`, `about` and `options` of each variant, or the `error` of a script that does not load; the
    /// options are described under `rules`. Lists at most 100 scripts from the folder.
    variants: Vec<ListedVariant>,
}

/// A variant that can be played.
#[derive(Serialize, JsonSchema)]
struct ListedVariant {
    /// Its name.
    name: String,
    /// Its title.
    title: String,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// Its options.
    options: Vec<ListedOption>,
    /// The reason why it does not load.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// An option of a script.
#[derive(Serialize, JsonSchema)]
pub(super) struct ListedOption {
    /// Its name.
    name: String,
    /// Its possible values.
    values: Vec<String>,
    /// Its default value.
    default: String,
    /// Its name in words.
    label: String,
    /// The heading that it stands under; may be empty.
    group: String,
    /// Its purpose.
    why: String,
}

pub(super) fn listed(options: &[OptionDef]) -> Vec<ListedOption> {
    let one = |option: &OptionDef| ListedOption {
        name: option.name.clone(),
        values: option.values.clone(),
        default: option.default.clone(),
        label: option.label.clone(),
        group: option.group.clone(),
        why: option.why.clone(),
    };
    options.iter().map(one).collect()
}

/// The options of a script as data, for `options` of the methods `variants` and `rules`.
pub fn options_json(options: &[OptionDef]) -> Value {
    // Strings can always be written as JSON.
    serde_json::to_value(listed(options)).unwrap_or_default()
}

pub(super) struct Variants;

impl Declared for Variants {
    const NAME: &'static str = "variants";
    const ABOUT: &'static str = "Lists the variants that can be played.";
    const EXAMPLE: &'static str = "{}";
    type Parameters = Nothing;
    type Answer = VariantList;

    fn answer(store: &mut Store, _: Nothing) -> Result<VariantList, RpcError> {
        let names = library::names().into_iter().map(String::from);
        let names: Vec<String> = names.chain(store.variants.reach().listed(LISTED)).collect();
        let mut one = |name: &String| match store.variants.load(name, &[]) {
            Ok(loaded) => ListedVariant {
                name: name.clone(),
                title: loaded.title.clone(),
                about: Some(loaded.about.clone()),
                options: listed(&loaded.options),
                error: None,
            },
            Err(error) => ListedVariant {
                name: name.clone(),
                title: name.clone(),
                about: None,
                options: Vec::new(),
                error: Some(error.to_string()),
            },
        };
        // Scripts of strangers may take long to load.
        Ok(VariantList { variants: names.iter().take_while(|_| !interrupt::stop_requested()).map(&mut one).collect() })
    }
}

/// The parameters of `rules`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct RulesParameters {
    variant: VariantName,
    options: Option<Options>,
}

/// The rulebook of a script.
#[derive(Serialize, JsonSchema)]
pub(super) struct Rulebook {
    /// The variant's name.
    name: String,
    /// The title of the game.
    title: String,
    /// The whole rulebook as text.
    text: String,
    /// The parts of the rulebook without the picture of the board, each with its `heading` and `lines`. `position` is
    /// true for the part about the starting position.
    sections: Vec<RulebookSection>,
    /// The options of the variant, each with its `name`, `values`, `default`, and a description (`why`); also the `label`
    /// that the studio shows, and the heading (`group`) above it.
    options: Vec<ListedOption>,
}

/// A part of the rulebook.
#[derive(Serialize, JsonSchema)]
struct RulebookSection {
    /// Its heading. That of the first part is the title of the game.
    heading: String,
    /// Its sentences and list items, not wrapped; items are indented. Those of the first part are paragraphs of the
    /// introduction.
    lines: Vec<String>,
    /// True for the part about the starting position; otherwise missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<bool>,
}

pub(super) struct Rules;

impl Declared for Rules {
    const NAME: &'static str = "rules";
    const ABOUT: &'static str = "Returns the rulebook of a variant, with the given values of its options.";
    const EXAMPLE: &'static str = include_str!("examples/rules.json");
    type Parameters = RulesParameters;
    type Answer = Rulebook;

    fn answer(store: &mut Store, asked: RulesParameters) -> Result<Rulebook, RpcError> {
        let game = RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), None)?;
        let section = |section: rulebook::Section| RulebookSection {
            heading: section.heading,
            lines: section.lines,
            position: section.is_position.then_some(true),
        };
        Ok(Rulebook {
            name: game.loaded.name.clone(),
            title: game.loaded.title.clone(),
            text: leaflet(&game.loaded),
            sections: rulebook::sections(&game.loaded).into_iter().map(section).collect(),
            options: listed(&game.loaded.options),
        })
    }
}

/// The parameters of `state`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct StateParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    view: Option<View>,
}

pub(super) struct State;

impl Declared for State {
    const NAME: &'static str = "state";
    const ABOUT: &'static str = "Returns whether the game is over, and its result. It never rolls dice.";
    const EXAMPLE: &'static str = include_str!("examples/state.json");
    type Parameters = StateParameters;
    type Answer = Standing;

    fn answer(store: &mut Store, asked: StateParameters) -> Result<Standing, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        View::side(asked.view.as_ref(), game.sides())?;
        Ok(Standing::of(game.state()))
    }
}

/// The parameters of `moves`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct MovesParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    view: Option<View>,
}

/// The legal moves.
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct PermittedMoves {
    /// The moves in coordinates, sorted, with a die as prefix if it matters which die pays (`6:h1h5`). Empty if the
    /// side to move has no legal move, or if the game is over.
    moves: Vec<String>,
    /// True if the moves are hidden from the side of `view`.
    #[serde(skip_serializing_if = "Not::not")]
    hidden: bool,
    /// The choice that the player makes before a move or instead of one, in the form of `pending` in the answer to
    /// `play`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<Awaited>,
    /// True if the player can pass.
    #[serde(skip_serializing_if = "Not::not")]
    pass: bool,
}

pub(super) struct Moves;

impl Declared for Moves {
    const NAME: &'static str = "moves";
    const ABOUT: &'static str = "Lists the legal moves.";
    const EXAMPLE: &'static str = include_str!("examples/moves.json");
    type Parameters = MovesParameters;
    type Answer = PermittedMoves;

    fn answer(store: &mut Store, asked: MovesParameters) -> Result<PermittedMoves, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let game = game.rolled(asked.roll.as_ref())?;
        let viewer = View::side(asked.view.as_ref(), game.sides())?;
        let state = game.state();
        if game.has_passed() || state.status() == Status::Over {
            return Ok(PermittedMoves::default());
        }
        if !view::knows_options(state, viewer) {
            let pending = Awaited::of(state, viewer);
            return Ok(PermittedMoves { hidden: true, pending, ..PermittedMoves::default() });
        }
        let choice = !state.choices().is_empty();
        Ok(PermittedMoves {
            moves: game_text::options(state),
            hidden: false,
            pending: choice.then(|| Awaited::of(state, None)).flatten(),
            pass: state.can_pass(),
        })
    }
}

/// The parameters of `why`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct WhyParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// The move to examine, in coordinates or algebraic notation.
    r#move: Option<MoveText>,
    /// Without a `move`: the square of a piece, to explain why it can or cannot move.
    square: Option<Text>,
    view: Option<View>,
}

/// Why a move is legal or not.
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Reasons {
    /// True if the reasons are hidden from the side of `view`; only `pending` is returned then.
    #[serde(skip_serializing_if = "Not::not")]
    hidden: bool,
    /// The next decision, in the form of `pending` in the answer to `play`, if the reasons are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<Awaited>,
    /// The move in coordinates, or the square.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#move: Option<String>,
    /// Whether the move is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    permitted: Option<bool>,
    /// The reasons, as sentences, the most important first.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Vec<String>>,
    /// The place where the script requests the move, as `file:line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// The line of code at that place.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
}

pub(super) struct Why;

impl Declared for Why {
    const NAME: &'static str = "why";
    const ABOUT: &'static str = "Explains why a move is legal or not.";
    const EXAMPLE: &'static str = include_str!("examples/why.json");
    type Parameters = WhyParameters;
    type Answer = Reasons;

    fn answer(store: &mut Store, asked: WhyParameters) -> Result<Reasons, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let viewer = View::side(asked.view.as_ref(), game.sides())?;
        let game = game.with_roll(asked.roll.as_ref())?;
        if !view::knows_options(game.state(), viewer) {
            let pending = Awaited::of(game.state(), viewer);
            return Ok(Reasons { hidden: true, pending, ..Reasons::default() });
        }
        let (field, found) = match (&asked.r#move, &asked.square) {
            (Some(text), _) => ("move", explain::why(&game.loaded, &game.game, &text.0)),
            (None, Some(square)) => ("square", explain::why_piece(&game.loaded, &game.game, square)),
            (None, None) => return Err(RpcError::param("move", "a move, or a `square`", "nothing")),
        };
        let found = found.map_err(|error| match error {
            ExplainError::Notation(error) => notation_error(NOT_PERMITTED, field, &error),
            ExplainError::Rule(error) => rule_error(&game.loaded, &error),
            none @ (ExplainError::NoPiece(_) | ExplainError::NoSquare { .. }) => {
                RpcError::new(NOT_PERMITTED, none.to_string()).with("field", field)
            }
        })?;
        let (place, line) = found.place.unzip();
        Ok(Reasons {
            r#move: Some(found.mv),
            permitted: Some(found.permitted),
            why: Some(found.sentences),
            place,
            line,
            ..Reasons::default()
        })
    }
}
