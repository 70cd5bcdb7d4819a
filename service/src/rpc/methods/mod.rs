//! The methods of the server. Each is declared once: its name, its purpose, its parameters, its result, an example, and the
//! function that answers it. Parameter parsing, schemas and parts of `docs/serve.md` are derived from these declarations.

mod chance_outcomes;
mod count;
mod declared;
mod draw;
mod editing;
mod hint;
mod history;
mod lab;
mod odds;
mod pieces;
mod play;
mod position;
mod prospects;
mod reference;
mod script;
mod session;
mod solve;
mod testing;
mod train;
mod walk;

pub(super) use hint::AdvisedEvent;
pub(super) use play::apply;
pub use position::options_json;

use super::message::{INTERNAL, RpcError};
use super::progress::Tell;
use super::read::read;
use crate::rpc::store::Store;
use declared::{Declared, Nothing};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Map, Value};

/// The function that reads the parameters and answers a request.
type Call = fn(&mut Store, &Map<String, Value>, Tell<'_>) -> Result<Value, RpcError>;

/// A method that can be called.
#[derive(Clone, Copy)]
pub(super) struct Method {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its description, in a sentence.
    pub(crate) about: &'static str,
    /// Parameters of an example, as JSON.
    pub(crate) example: &'static str,
    parameters: fn() -> Schema,
    result: fn() -> Schema,
    call: Call,
}

/// All methods, in alphabetical order.
pub(super) const METHODS: [Method; 42] = [
    method::<lab::Analyse>(),
    method::<session::Apply>(),
    method::<prospects::AllCaptures>(),
    method::<chance_outcomes::ChanceOutcomes>(),
    method::<script::Check>(),
    method::<session::Close>(),
    method::<editing::Complete>(),
    method::<editing::Define>(),
    method::<count::Digest>(),
    method::<draw::Draw>(),
    method::<editing::Format>(),
    method::<testing::WriteGameFile>(),
    method::<hint::Hint>(),
    method::<history::History>(),
    method::<editing::Hover>(),
    method::<script::Load>(),
    method::<Methods>(),
    method::<position::Moves>(),
    method::<odds::Odds>(),
    method::<session::Open>(),
    method::<count::Perft>(),
    method::<pieces::PieceLegend>(),
    method::<play::Play>(),
    method::<prospects::AllProspects>(),
    method::<testing::RandomGames>(),
    method::<reference::Reference>(),
    method::<editing::Rename>(),
    method::<position::Rules>(),
    method::<editing::Signatures>(),
    method::<lab::Simulate>(),
    method::<solve::Solve>(),
    method::<script::ScriptSource>(),
    method::<position::State>(),
    method::<testing::Test>(),
    method::<train::Train>(),
    method::<train::TrainedPlayer>(),
    method::<count::Turns>(),
    method::<history::Undo>(),
    method::<solve::Value>(),
    method::<position::Variants>(),
    method::<walk::WalkRules>(),
    method::<position::Why>(),
];

/// Lists all methods, with schemas of their parameters and results.
#[derive(Serialize, JsonSchema)]
struct All {
    /// All methods, each with `name`, `about`, the [JSON Schema](https://json-schema.org) of `params` and `result`, and an
    /// `example` of its parameters.
    methods: Vec<One>,
}

/// A method.
#[derive(Serialize, JsonSchema)]
struct One {
    /// Its name.
    name: &'static str,
    /// Its description, in a sentence.
    about: &'static str,
    /// The schema of its parameters.
    params: Schema,
    /// The schema of its result.
    result: Schema,
    /// Example parameters.
    example: Value,
}

struct Methods;

impl Declared for Methods {
    const NAME: &'static str = "methods";
    const ABOUT: &'static str = "Lists all methods, with schemas of their parameters and results.";
    const EXAMPLE: &'static str = "{}";
    type Parameters = Nothing;
    type Answer = All;

    fn answer(_: &mut Store, _: Nothing) -> Result<All, RpcError> {
        let one = |method: &Method| One {
            name: method.name,
            about: method.about,
            params: method.parameters(),
            result: method.result(),
            example: serde_json::from_str(method.example).unwrap_or_default(),
        };
        Ok(All { methods: METHODS.iter().map(one).collect() })
    }
}

const fn method<D: Declared>() -> Method {
    Method {
        name: D::NAME,
        about: D::ABOUT,
        example: D::EXAMPLE.trim_ascii_end(),
        parameters: || schema::<D::Parameters>(SchemaSettings::for_deserialize),
        result: || schema::<D::Answer>(SchemaSettings::for_serialize),
        call: call::<D>,
    }
}

/// The schema of a type; without the feature `schemas`, the one that everything fits.
fn schema<T: JsonSchema>(contract: fn(SchemaSettings) -> SchemaSettings) -> Schema {
    match cfg!(feature = "schemas") {
        true => contract(SchemaSettings::draft2020_12()).into_generator().into_root_schema_for::<T>(),
        false => Schema::default(),
    }
}

fn call<D: Declared>(store: &mut Store, parameters: &Map<String, Value>, tell: Tell<'_>) -> Result<Value, RpcError> {
    let answer = D::answer_telling(store, read(D::NAME, parameters)?, tell)?;
    serde_json::to_value(answer).map_err(|error| RpcError::new(INTERNAL, error.to_string()))
}

impl Method {
    /// Answers a request; `tell` receives progress.
    ///
    /// # Errors
    /// If a parameter is wrong, or the answer cannot be computed.
    pub(super) fn call(
        &self,
        store: &mut Store,
        parameters: &Map<String, Value>,
        tell: Tell<'_>,
    ) -> Result<Value, RpcError> {
        (self.call)(store, parameters, tell)
    }

    /// The schema of its parameters.
    pub(super) fn parameters(&self) -> Schema {
        (self.parameters)()
    }

    /// The schema of its result.
    pub(super) fn result(&self) -> Schema {
        (self.result)()
    }
}
