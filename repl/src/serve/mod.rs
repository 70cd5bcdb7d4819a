//! `astragal serve`: JSON-RPC 2.0, one message a line, for bots, editors and other languages.
//!
//! Requests are complete in themselves. Whatever comes in, something sensible goes out and the server
//! stays up: faults of the program itself are caught and answered, too. No request takes much longer than the
//! time limit.

mod hint;
mod methods;
mod params;
mod play;
mod rpc;
mod table;

pub use methods::options_json;
pub use table::{pending_json, state_json};

use crate::interrupt;
use crate::shelf::Shelf;
use astragal_dsl::notation::nearest;
use params::Params;
use rpc::{Fault, Request};
use serde_json::Value;
use std::io::{self, BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The longest line that is read.
pub const MAX_LINE: usize = 16 << 20;

/// The longest that a request may take, unless the server is told otherwise.
pub const TIME: Duration = Duration::from_secs(60);

/// Answers requests; keeps nothing between them but loaded variants.
pub struct Server {
    shelf: Shelf,
    time: Duration,
}

impl Default for Server {
    fn default() -> Server {
        Server { shelf: Shelf::new(), time: TIME }
    }
}

impl Server {
    /// A server that has loaded nothing yet and gives each request [`TIME`].
    pub fn new() -> Server {
        Server::default()
    }

    /// The same with another time for each request: what counts and lists is then answered with an error, and
    /// `hint` with the best that was found.
    pub fn with_time(mut self, time: Duration) -> Server {
        self.time = time;
        self
    }

    /// The answer to one line, without a line break; `None` if it asks for none.
    ///
    /// ```
    /// let mut server = astragal::serve::Server::new();
    /// let answer = server.handle(r#"{"jsonrpc":"2.0","id":1,"method":"nonsense"}"#).unwrap();
    /// assert!(answer.contains("-32601"));
    /// ```
    pub fn handle(&mut self, line: &str) -> Option<String> {
        if line.trim().is_empty() {
            return None;
        }
        if line.len() > MAX_LINE {
            return Some(too_long());
        }
        let answer = match serde_json::from_str::<Value>(line) {
            Err(error) => {
                let fault = Fault::new(rpc::PARSE, format!("not JSON: {error}"));
                let fault = fault.with("line", error.line()).with("column", error.column());
                Some(rpc::response(Value::Null, Err(fault)))
            }
            Ok(Value::Array(batch)) => self.batch(batch),
            Ok(value) => self.one(value),
        };
        answer.map(|answer| answer.to_string())
    }

    fn batch(&mut self, batch: Vec<Value>) -> Option<Value> {
        if batch.is_empty() {
            return Some(rpc::response(Value::Null, Err(Fault::new(rpc::INVALID_REQUEST, "an empty batch"))));
        }
        let answers: Vec<Value> = batch.into_iter().filter_map(|value| self.one(value)).collect();
        (!answers.is_empty()).then_some(Value::Array(answers))
    }

    fn one(&mut self, value: Value) -> Option<Value> {
        let request = match rpc::request(value) {
            Ok(request) => request,
            Err(answer) => return Some(answer),
        };
        let answered = interrupt::within(self.time, || catch_unwind(AssertUnwindSafe(|| self.call(&request))));
        let result = answered.unwrap_or_else(|_| {
            // What was being worked on may be half done: start afresh.
            self.shelf.clear();
            Err(table::internal())
        });
        request.id.map(|id| rpc::response(id, result))
    }

    fn call(&mut self, request: &Request) -> Result<Value, Fault> {
        let shelf = &mut self.shelf;
        let params = || Params::new(&request.params);
        match request.method.as_str() {
            "variants" => methods::variants(shelf),
            "state" => methods::state(shelf, &params()?),
            "moves" => methods::moves(shelf, &params()?),
            "rules" => methods::rules(shelf, &params()?),
            "why" => methods::why(shelf, &params()?),
            "turns" => methods::turns(shelf, &params()?),
            "odds" => methods::odds(shelf, &params()?),
            "hint" => hint::hint(shelf, &params()?),
            "perft" => methods::perft(shelf, &params()?),
            "play" => play::play(shelf, &params()?),
            other => Err(no_method(other)),
        }
    }
}

fn no_method(name: &str) -> Fault {
    let near = nearest(name, methods::NAMES);
    let help = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
    let shown: String = name.chars().take(40).collect();
    let fault = Fault::new(rpc::NO_METHOD, format!("there is no method '{shown}'{help}"));
    let fault = fault.with("methods", methods::NAMES.to_vec());
    match near {
        Some(near) => fault.with("nearest", near),
        None => fault,
    }
}

fn too_long() -> String {
    let fault = Fault::new(rpc::INVALID_REQUEST, format!("a line has at most {MAX_LINE} bytes"));
    rpc::response(Value::Null, Err(fault.with("limit", MAX_LINE))).to_string()
}

/// One line of input.
enum Line {
    End,
    TooLong,
    Bytes(Vec<u8>),
}

/// Lets a server answer line by line until the input ends.
///
/// # Errors
/// If reading or writing fails.
pub fn run(mut server: Server, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    loop {
        let answer = match read_line(&mut input)? {
            Line::End => return Ok(()),
            Line::TooLong => Some(too_long()),
            Line::Bytes(bytes) => match std::str::from_utf8(&bytes) {
                Ok(line) => server.handle(line),
                Err(error) => {
                    let fault = Fault::new(rpc::PARSE, format!("not UTF-8: {error}"));
                    let fault = fault.with("column", error.valid_up_to() + 1);
                    Some(rpc::response(Value::Null, Err(fault)).to_string())
                }
            },
        };
        if let Some(answer) = answer {
            output.write_all(answer.as_bytes())?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
    }
}

/// Reads a line without ever holding more than the limit.
fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if bytes.len() <= MAX_LINE || bytes.last() == Some(&b'\n') {
        return Ok(Line::Bytes(bytes));
    }
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(Line::TooLong);
        }
        match buffer.iter().position(|b| *b == b'\n') {
            Some(end) => {
                input.consume(end + 1);
                return Ok(Line::TooLong);
            }
            None => {
                let length = buffer.len();
                input.consume(length);
            }
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod view_tests;
