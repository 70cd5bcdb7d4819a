//! The methods `methods` and `reference`: the methods of the server and the functions of scripts, for programs that
//! generate clients or help authors of scripts.

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

/// Lists all methods, with schemas of their parameters and results.
#[derive(Serialize, JsonSchema)]
pub(super) struct All {
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

pub(super) struct Methods;

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

/// The functions of the language.
#[derive(Serialize, JsonSchema)]
pub(super) struct Functions {
    /// All functions, each with its `name`, `signature` and `about`, in the order of [the reference](reference.md).
    functions: Vec<FunctionEntry>,
}

/// One signature of a function.
#[derive(Serialize, JsonSchema)]
struct FunctionEntry {
    /// The function's name.
    name: &'static str,
    /// Its parameters and result.
    signature: String,
    /// Its description.
    about: String,
}

pub(super) struct Reference;

impl Declared for Reference {
    const NAME: &'static str = "reference";
    const ABOUT: &'static str = "Lists the functions that scripts can call.";
    const EXAMPLE: &'static str = "{}";
    type Parameters = Nothing;
    type Answer = Functions;

    fn answer(_: &mut Store, _: Nothing) -> Result<Functions, RpcError> {
        let entry = |one: manual::Entry| FunctionEntry { name: one.name, signature: one.signature, about: one.about };
        Ok(Functions { functions: manual::entries().into_iter().map(entry).collect() })
    }
}
