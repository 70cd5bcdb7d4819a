//! The methods `methods` and `reference`: what can be asked, and what scripts can say, for programs that write clients or help
//! people to write scripts.

use super::{Declared, METHODS, Method};
use crate::rpc::message::RpcError;
use crate::rpc::store::Store;
use astragal_dsl::manual;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// No parameters.
#[derive(Deserialize, JsonSchema)]
pub(in crate::rpc) struct Nothing {}

/// What can be asked.
#[derive(Serialize, JsonSchema)]
pub(super) struct All {
    /// All methods: `name`, `about`, the [JSON Schema](https://json-schema.org) of `params` and `result`, and an `example` of
    /// parameters.
    methods: Vec<One>,
}

/// A method.
#[derive(Serialize, JsonSchema)]
struct One {
    /// Its name.
    name: &'static str,
    /// What it answers.
    about: &'static str,
    /// The schema of its parameters.
    params: Schema,
    /// The schema of its result.
    result: Schema,
    /// Parameters that it could be asked with.
    example: Value,
}

pub(super) struct Methods;

impl Declared for Methods {
    const NAME: &'static str = "methods";
    const ABOUT: &'static str = "What can be asked.";
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

/// The functions of the language.
#[derive(Serialize, JsonSchema)]
pub(super) struct Functions {
    /// All ways in which a function is called, in the order of [the reference](reference.md).
    functions: Vec<FunctionEntry>,
}

/// A way in which a function is called.
#[derive(Serialize, JsonSchema)]
struct FunctionEntry {
    /// The function's name.
    name: &'static str,
    /// What it takes and gives.
    signature: String,
    /// What it does.
    about: String,
}

pub(super) struct Reference;

impl Declared for Reference {
    const NAME: &'static str = "reference";
    const ABOUT: &'static str = "The functions that scripts may call, for editors.";
    const EXAMPLE: &'static str = "{}";
    type Parameters = Nothing;
    type Answer = Functions;

    fn answer(_: &mut Store, _: Nothing) -> Result<Functions, RpcError> {
        let entry = |one: manual::Entry| FunctionEntry { name: one.name, signature: one.signature, about: one.about };
        Ok(Functions { functions: manual::entries().into_iter().map(entry).collect() })
    }
}
