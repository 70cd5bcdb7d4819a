//! The method `walk`: how the rules of a script run in a position, question by question.

use super::declared::Declared;
use crate::rpc::errors::{game_error, load_error, rule_error};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Options, PositionText, Roll, VariantName};
use crate::rpc::request_game::RequestGame;
use crate::rpc::store::Store;
use astragal_core::Game;
use astragal_dsl::coverage::{self, Coverage, LineColumn};
use astragal_dsl::{Source, call_text, library, load_noting};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of `walk`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct WalkParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
}

/// A trace of the rules.
#[derive(Serialize, JsonSchema)]
pub(super) struct Walk {
    /// The runs of rules since the turn began, in order, each with the name of its `rule` and its `steps`.
    runs: Vec<RuleRun>,
}

/// A run of a rule.
#[derive(Serialize, JsonSchema)]
struct RuleRun {
    /// The rule: `turn`, `capture`, `outcome`, `prepare`, or the name of a function that tests moves.
    rule: String,
    /// Its questions, rolls and decisions.
    steps: Vec<WalkedStep>,
    /// The step that waits for an answer, without a result; missing if the rule has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits: Option<WalkedStep>,
}

/// A step of a rule.
#[derive(Serialize, JsonSchema)]
struct WalkedStep {
    /// The script: `dice-chess.rhai`.
    file: String,
    /// The line, from 1.
    line: usize,
    /// The column, from 1.
    column: usize,
    /// The text of the line.
    code: String,
    /// The expression in that line: `has(opponent(), "king")`.
    question: String,
    /// The function that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    /// Its result: `yes`, `[2, 3]`.
    answer: String,
}

pub(super) struct WalkRules;

impl Declared for WalkRules {
    const NAME: &'static str = "walk";
    const ABOUT: &'static str = "Traces the rules since the turn began: every question, roll and decision, with its \
         line in the script and its result.";
    const EXAMPLE: &'static str = include_str!("examples/walk.json");
    type Parameters = WalkParameters;
    type Answer = Walk;

    fn answer(store: &mut Store, asked: WalkParameters) -> Result<Walk, RpcError> {
        let name = &asked.variant.0;
        let source = store.variants.source(name).map_err(|error| load_error(name, &error))?;
        let options = asked.options.as_ref().map(Options::pairs).unwrap_or_default();
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let game = game.with_roll(asked.roll.as_ref())?;
        let watch = Coverage::walking();
        let noting = load_noting(&source, &options, &watch).map_err(|error| load_error(name, &error))?;
        noting.set.rules.stop_when(crate::interrupt::stop_requested);
        let (start, dice, entries) = game.game.turn_so_far();
        let set = Arc::clone(&noting.set);
        let again = match dice {
            [] => Game::new(set, start.clone(), 0).map_err(|error| rule_error(&noting, &error)),
            dice => Game::in_turn(set, start.clone(), dice, 0)
                .map_err(|error| game_error(&game.loaded, game.state(), &error)),
        };
        let mut again = again?;
        for entry in entries {
            let applied = again.apply(&entry.event);
            applied.map_err(|error| game_error(&game.loaded, game.state(), &error))?;
        }
        let runs = watch.runs().iter().map(|run| told(&source, run)).collect();
        Ok(Walk { runs })
    }
}

fn told(source: &Source, run: &coverage::RuleRun) -> RuleRun {
    let step = |script: &str, place: LineColumn, answer: &str| {
        let base = library::bundled(script).filter(|_| script != source.name);
        let script = base.as_ref().unwrap_or(source);
        let code = script.text.lines().nth(place.0.saturating_sub(1)).unwrap_or_default().trim();
        WalkedStep {
            file: script.file(),
            line: place.0,
            column: place.1,
            question: call_text::call_at(&script.text, place).unwrap_or_else(|| code.into()),
            code: code.into(),
            function: call_text::function_at(&script.text, place),
            answer: answer.into(),
        }
    };
    RuleRun {
        rule: run.rule.clone(),
        steps: run.steps.iter().map(|one| step(&one.script, one.place, &one.answer)).collect(),
        waits: run.waits.as_ref().map(|(script, place)| step(script, *place, "")),
    }
}
