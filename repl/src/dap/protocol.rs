//! The messages of the Debug Adapter Protocol: requests as they are read, responses and events as they are written.
//!
//! Owns the sequence numbers. It must never know games or scripts.

use super::framing;
use serde_json::{Value, json};
use std::io::{self, Write};

/// A request of the client.
#[derive(Clone, Debug)]
pub(super) struct Request {
    seq: i64,
    /// The command: `next`.
    pub(super) command: String,
    /// The arguments; null if there are none.
    pub(super) arguments: Value,
}

impl Request {
    /// The request in a message; `None` for anything else.
    pub(super) fn read(message: &Value) -> Option<Request> {
        if message["type"] != "request" {
            return None;
        }
        let command = message["command"].as_str()?.to_string();
        Some(Request { seq: message["seq"].as_i64()?, command, arguments: message["arguments"].clone() })
    }

    /// A whole number among the arguments.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.arguments[name].as_u64().and_then(|number| usize::try_from(number).ok())
    }
}

/// The result of a request: the body of the response, or a message for the user.
pub(super) type Answer = Result<Value, String>;

/// Writes responses and events. After the output has failed, it writes nothing more.
pub(super) struct Outbox<W: Write> {
    output: W,
    seq: i64,
    result: io::Result<()>,
}

impl<W: Write> Outbox<W> {
    pub(super) fn new(output: W) -> Outbox<W> {
        Outbox { output, seq: 0, result: Ok(()) }
    }

    /// Whether the client still receives messages.
    pub(super) fn is_open(&self) -> bool {
        self.result.is_ok()
    }

    /// Responds to a request.
    pub(super) fn respond(&mut self, request: &Request, answer: Answer) {
        let mut response = json!({
            "type": "response",
            "request_seq": request.seq,
            "success": answer.is_ok(),
            "command": request.command,
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => response["body"] = body,
            Err(message) => {
                // Braces in the message itself would name variables.
                let variables = json!({ "text": message });
                response["body"] =
                    json!({ "error": { "id": 1, "format": "{text}", "variables": variables, "showUser": true } });
                response["message"] = message.into();
            }
        }
        self.send(response);
    }

    /// Sends an event.
    pub(super) fn event(&mut self, name: &str, body: Value) {
        let event = match body {
            Value::Null => json!({ "type": "event", "event": name }),
            body => json!({ "type": "event", "event": name, "body": body }),
        };
        self.send(event);
    }

    fn send(&mut self, mut message: Value) {
        if self.is_open() {
            self.seq += 1;
            message["seq"] = self.seq.into();
            self.result = framing::write(&mut self.output, &message);
        }
    }
}
