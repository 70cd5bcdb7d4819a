//! JSON-RPC 2.0 messages: requests, notifications, batches, responses and errors.
//!
//! It knows nothing of games or of the effects of methods.

use serde_json::{Map, Value, json};

/// An error answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RpcError {
    /// The number of the sort of error.
    pub(crate) code: i64,
    /// One line for people.
    pub(crate) message: String,
    /// Details for programs: an object or null.
    pub(crate) data: Value,
}

/// The text is not JSON.
pub(super) const PARSE: i64 = -32700;
/// The JSON is not a request.
pub(super) const INVALID_REQUEST: i64 = -32600;
/// There is no such method.
pub(super) const NO_METHOD: i64 = -32601;
/// The parameters do not fit the method.
pub(super) const INVALID_PARAMS: i64 = -32602;
/// A error of this program.
pub(super) const INTERNAL: i64 = -32603;

impl RpcError {
    /// An error without details.
    pub(super) fn new(code: i64, message: impl Into<String>) -> RpcError {
        RpcError { code, message: message.into(), data: Value::Null }
    }

    /// Adds one detail.
    #[must_use]
    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> RpcError {
        if !self.data.is_object() {
            self.data = Value::Object(Map::new());
        }
        self.data[key] = value.into();
        self
    }

    /// An error about a parameter.
    pub(super) fn param(field: &str, expected: &str, found: &str) -> RpcError {
        RpcError::new(INVALID_PARAMS, format!("parameter '{field}': expected {expected}, found {found}"))
            .with("field", field)
            .with("expected", expected)
            .with("found", found)
    }

    fn to_json(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if !self.data.is_null() {
            error["data"] = self.data.clone();
        }
        error
    }
}

/// A request, checked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    /// What to answer to; `None` for a notification, which gets no answer.
    pub(crate) id: Option<Value>,
    /// The method's name.
    pub(crate) method: String,
    /// The parameters by name.
    pub(crate) params: Map<String, Value>,
}

/// Checks one request.
///
/// # Errors
/// The answer, if the value is not a request or its parameters are not given by name.
pub(super) fn request(value: Value) -> Result<Request, Value> {
    let Value::Object(mut object) = value else {
        let error = RpcError::new(INVALID_REQUEST, format!("a request must be an object, not {}", describe(&value)));
        return Err(response(Value::Null, Err(error)));
    };
    let id = object.remove("id");
    let answer_to = match &id {
        None | Some(Value::Null | Value::String(_) | Value::Number(_)) => id.clone().unwrap_or_default(),
        Some(other) => {
            let found = describe(other);
            return Err(response(Value::Null, Err(invalid("id", "a string, a number or null", &found))));
        }
    };
    let refuse = |error| Err(response(answer_to.clone(), Err(error)));
    match object.get("jsonrpc") {
        Some(Value::String(version)) if version == "2.0" => {}
        other => return refuse(invalid("jsonrpc", "\"2.0\"", &other.map_or("nothing".into(), describe))),
    }
    let method = match object.remove("method") {
        Some(Value::String(method)) => method,
        other => return refuse(invalid("method", "a string", &other.as_ref().map_or("nothing".into(), describe))),
    };
    let params = match object.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(Value::Array(list)) if list.is_empty() => Map::new(),
        Some(other) => {
            let found = describe(&other);
            let message = format!("'params': expected an object of named parameters, found {found}");
            return refuse(RpcError::new(INVALID_PARAMS, message).with("field", "params").with("found", found));
        }
    };
    Ok(Request { id, method, params })
}

fn invalid(field: &str, expected: &str, found: &str) -> RpcError {
    RpcError::new(INVALID_REQUEST, format!("not a request: '{field}' must be {expected}, found {found}"))
        .with("field", field)
        .with("expected", expected)
        .with("found", found)
}

/// An answer.
pub(super) fn response(id: Value, result: Result<Value, RpcError>) -> Value {
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error.to_json()}),
    }
}

/// A JSON value in a few words.
pub(super) fn describe(value: &Value) -> String {
    const LONGEST: usize = 40;
    match value {
        Value::Null => "null".into(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => format!("the number {n}"),
        Value::String(s) if s.chars().count() > LONGEST => {
            format!("the text {:?}...", s.chars().take(LONGEST).collect::<String>())
        }
        Value::String(s) => format!("the text {s:?}"),
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "an object".into(),
    }
}
