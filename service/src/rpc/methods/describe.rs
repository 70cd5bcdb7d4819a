//! The method `methods`: what can be asked, for programs that write clients or check requests.

use super::{Declared, METHODS, Method};
use crate::rpc::message::RpcError;
use crate::rpc::store::Store;
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
