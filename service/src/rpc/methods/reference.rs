//! The method `reference`: the functions of scripts, for programs that help authors of scripts.

use super::declared::{Declared, Nothing};
use crate::rpc::message::RpcError;
use crate::rpc::store::Store;
use astragal_dsl::manual;
use schemars::JsonSchema;
use serde::Serialize;

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
