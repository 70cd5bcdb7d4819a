//! The declaration of a method: its name, its purpose, its parameters, its result, an example, and the function that
//! answers it.

use crate::rpc::message::RpcError;
use crate::rpc::progress::Tell;
use crate::rpc::store::Store;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The declaration of a method.
pub(super) trait Declared {
    /// Its name.
    const NAME: &'static str;
    /// Its description, in a sentence or two.
    const ABOUT: &'static str;
    /// Parameters of an example, as JSON.
    const EXAMPLE: &'static str;
    /// Its parameters.
    type Parameters: DeserializeOwned + JsonSchema;
    /// Its result.
    type Answer: Serialize + JsonSchema;

    /// Answers a request.
    ///
    /// # Errors
    /// If a parameter is invalid, or the answer cannot be computed.
    fn answer(store: &mut Store, parameters: Self::Parameters) -> Result<Self::Answer, RpcError>;

    /// Like [`Declared::answer`]; long methods report their progress through `tell` on request.
    ///
    /// # Errors
    /// As [`Declared::answer`].
    fn answer_telling(
        store: &mut Store,
        parameters: Self::Parameters,
        _tell: Tell<'_>,
    ) -> Result<Self::Answer, RpcError> {
        Self::answer(store, parameters)
    }
}

/// No parameters.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Nothing {}
