//! The reasons why requests fail.

use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::request;

/// The reason why a request fails.
pub(super) struct Refusal {
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

impl Refusal {
    /// The request is valid but cannot be fulfilled, for a reason that the user should see.
    pub(super) fn failed(message: impl ToString) -> Refusal {
        Refusal { code: ErrorCode::RequestFailed, message: message.to_string() }
    }

    pub(super) fn not_open() -> Refusal {
        Refusal { code: ErrorCode::InvalidParams, message: "this document is not open".into() }
    }

    /// The response to a request.
    pub(super) fn response(self, id: RequestId) -> Response {
        Response::new_err(id, self.code as i32, self.message)
    }
}

/// Parses the parameters of a request.
pub(super) fn parameters<R: request::Request>(method: &str, params: serde_json::Value) -> Result<R::Params, Refusal> {
    serde_json::from_value(params)
        .map_err(|error| Refusal { code: ErrorCode::InvalidParams, message: format!("{method}: {error}") })
}
