//! JSON-RPC 2.0 without a transport: a function from message to response, for bots, editors and other languages.
//!
//! Requests are self-contained, except for those about a game that an earlier request opened. Every input gets a proper
//! response and the server keeps running: it also catches panics and reports them as errors. No request or batch takes much
//! longer than the time limit. The number of values in a line is limited before it is parsed. Responses to a batch are
//! written one by one. `docs/serve.md` describes the protocol for authors of clients.

mod cancellation;
mod edited;
mod errors;
mod message;
mod methods;
mod output;
mod parameters;
mod player;
mod progress;
mod read;
mod request_game;
mod status;
mod store;
mod trained;

pub use cancellation::Canceller;
pub use methods::options_json;
pub use player::ProgramSeat;
pub use status::{pending_json, state_json};

use crate::interrupt;
use crate::variant_cache::VariantCache;
use astragal_dsl::library::Reach;
use astragal_dsl::notation::nearest;
use astragal_lab::learning::file::FileError;
use astragal_lab::solve::table::{Table, TableError};
use message::{Request, RpcError};
use output::{text, write_line};
use progress::Tell;
use serde_json::Value;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use store::Store;

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 16 << 20;

/// The maximum number of values (texts, numbers, lists, objects and so on) in a line, over all requests of a batch.
pub(crate) const MAX_VALUES: usize = 100_000;

/// The maximum number of requests of a batch.
pub(crate) const MAX_BATCH: usize = 100;

/// The default time limit of a request.
pub(crate) const TIME: Duration = Duration::from_secs(60);

/// Answers requests. Between them, it keeps loaded variants, open games, tables and trained players.
pub struct Service {
    store: Store,
    time: Duration,
    canceller: Canceller,
}

impl Default for Service {
    fn default() -> Service {
        Service { store: Store::of(VariantCache::within(Reach::Bundled)), time: TIME, canceller: Canceller::default() }
    }
}

impl Service {
    /// A server that has loaded nothing yet and gives each request [`TIME`].
    pub fn new() -> Service {
        Service::default()
    }

    /// The same with another time limit for each request. At the limit, methods that count or list return an error, and
    /// `hint` returns the best result found so far.
    pub fn with_time(mut self, time: Duration) -> Service {
        self.time = time;
        self
    }

    /// The same, but it opens the scripts within `reach`. By default, a server only opens bundled scripts.
    pub fn with_scripts(mut self, reach: Reach) -> Service {
        self.store = Store::of(VariantCache::within(reach));
        self
    }

    /// Adds a table of solved states, from the bytes of its file. Requests about games with its rules use it.
    ///
    /// # Errors
    /// If it is not a table, or is damaged.
    pub fn add_table(&mut self, data: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<(), TableError> {
        self.keep_table(Table::read(data)?);
        Ok(())
    }

    /// The file of the table that was added or solved last.
    pub fn last_table(&self) -> Option<&[u8]> {
        self.store.tables.last().map(Table::bytes)
    }

    /// Adds a table of solved states; as [`Service::add_table`].
    pub fn keep_table(&mut self, table: Table) {
        self.store.tables.add(table);
    }

    /// Adds a trained player, from the bytes of its file. Requests about games with its rules can name it as `learned`.
    ///
    /// # Errors
    /// If it is not the file of a trained player, or is damaged.
    pub fn add_player(&mut self, bytes: Vec<u8>) -> Result<(), FileError> {
        self.store.trained.add(bytes)
    }

    /// The file of the trained player that was added or trained last.
    pub fn last_player(&self) -> Option<&[u8]> {
        self.store.trained.last()
    }

    /// Cancels requests while others are answered: a reader passes each line to it on arrival.
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    /// The answer to one line, without a line break; `None` if it asks for none.
    ///
    /// ```
    /// let mut server = astragal_service::rpc::Service::new();
    /// let answer = server.handle(r#"{"jsonrpc":"2.0","id":1,"method":"nonsense"}"#).unwrap();
    /// assert!(answer.contains("-32601"));
    /// ```
    pub fn handle(&mut self, line: &str) -> Option<String> {
        let mut answer = Vec::new();
        // Writing to memory cannot fail, and the result is used only at the end.
        let _ = self.answer_line(line, &mut answer, false);
        let text = String::from_utf8(answer).ok()?;
        text.strip_suffix('\n').map(String::from)
    }

    /// Writes the answer to one line, if it asks for one; those to a batch as each is made.
    ///
    /// # Errors
    /// If writing fails.
    pub(crate) fn answer(&mut self, line: &str, out: &mut (impl Write + Send)) -> io::Result<()> {
        self.answer_line(line, out, true)
    }

    /// The same. Progress is written before the answer, if `told` is set and the request asks for it.
    fn answer_line(&mut self, line: &str, out: &mut (impl Write + Send), told: bool) -> io::Result<()> {
        self.canceller.begin_line();
        if line.trim().is_empty() {
            return Ok(());
        }
        if let Some(reply) = refused(line) {
            return write_line(&reply, out);
        }
        let reply = match serde_json::from_str::<Value>(line) {
            Err(why) => {
                let error = RpcError::new(message::PARSE, format!("not JSON: {why}"));
                let error = error.with("line", why.line()).with("column", why.column());
                Some(message::response(Value::Null, Err(error)))
            }
            Ok(Value::Array(batch)) => return self.batch(batch, out),
            Ok(value) => self.one(value, told.then_some(out)),
        };
        match reply {
            None => Ok(()),
            Some(reply) => write_line(&reply, out),
        }
    }

    /// Writes the answer to one line that may not be UTF-8; as [`Service::answer`].
    ///
    /// # Errors
    /// If writing fails.
    pub fn answer_bytes(&mut self, line: &[u8], out: &mut (impl Write + Send)) -> io::Result<()> {
        match std::str::from_utf8(line) {
            Ok(line) => self.answer(line, out),
            Err(why) => {
                self.canceller.begin_line();
                let error = RpcError::new(message::PARSE, format!("not UTF-8: {why}"));
                let error = error.with("column", why.valid_up_to() + 1);
                write_line(&message::response(Value::Null, Err(error)), out)
            }
        }
    }

    /// Writes the answer to a line of more than [`MAX_LINE`] bytes, whose rest can be dropped.
    ///
    /// # Errors
    /// If writing fails.
    pub fn refuse_long_line(&self, out: &mut impl Write) -> io::Result<()> {
        self.canceller.begin_line();
        write_line(&too_long(), out)
    }

    fn batch(&mut self, batch: Vec<Value>, out: &mut impl Write) -> io::Result<()> {
        if batch.is_empty() {
            let error = RpcError::new(message::INVALID_REQUEST, "the batch is empty");
            return write_line(&message::response(Value::Null, Err(error)), out);
        }
        interrupt::with_deadline(self.time, || {
            let mut separator = "[";
            for value in batch {
                let Some(answer) = self.one(value, None) else { continue };
                write!(out, "{separator}{}", text(&answer))?;
                out.flush()?;
                separator = ",";
            }
            if separator == "," {
                out.write_all(b"]\n")?;
            }
            out.flush()
        })
    }

    /// Answers a request, and writes its progress to `out`.
    fn one(&mut self, value: Value, out: Option<&mut (dyn Write + Send)>) -> Option<Value> {
        let request = match message::request(value) {
            Ok(request) => request,
            Err(answer) => return Some(answer),
        };
        if interrupt::stop_requested() {
            // The batch has used up its time.
            return request.id.map(|id| message::response(id, Err(errors::out_of_time())));
        }
        let (canceller, time) = (self.canceller.clone(), self.time);
        let nobody = &mut io::sink();
        let mut tell = progress::teller(request.id.as_ref().unwrap_or(&Value::Null), out.unwrap_or(nobody));
        let answer = || {
            let call = || catch_unwind(AssertUnwindSafe(|| self.call(&request, &mut tell)));
            interrupt::with_deadline(time, call).unwrap_or_else(|_| {
                // A panic may have left data incomplete: start with empty caches.
                self.store.clear();
                Err(errors::internal())
            })
        };
        let result = canceller.answer(request.id.as_ref(), answer, errors::cancelled);
        drop(tell);
        request.id.map(|id| message::response(id, result))
    }

    fn call(&mut self, request: &Request, tell: Tell<'_>) -> Result<Value, RpcError> {
        let Some(method) = methods::METHODS.iter().find(|method| method.name == request.method) else {
            return Err(no_method(&request.method));
        };
        method.call(&mut self.store, &request.params, tell)
    }
}

fn no_method(name: &str) -> RpcError {
    let names = methods::METHODS.map(|method| method.name);
    let near = nearest(name, names);
    let help = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
    let shown: String = name.chars().take(40).collect();
    let error = RpcError::new(message::NO_METHOD, format!("there is no method '{shown}'{help}"));
    let error = error.with("methods", names.to_vec());
    match near {
        Some(near) => error.with("nearest", near),
        None => error,
    }
}

/// The answer to a line that may exceed the limits; such a line is not parsed. Its commas and brackets give an upper bound
/// for its number of values.
fn refused(line: &str) -> Option<Value> {
    let (mut values, mut members, mut depth) = (1, 1, 0_usize);
    let (mut quoted, mut escaped) = (false, false);
    for byte in line.bytes() {
        match (quoted, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => quoted = !quoted,
            (true, _) => {}
            (false, b'[' | b'{') => (values, depth) = (values + 1, depth + 1),
            (false, b']' | b'}') => depth = depth.saturating_sub(1),
            (false, b',') => (values, members) = (values + 1, members + usize::from(depth == 1)),
            _ => {}
        }
    }
    let batch = line.trim_start().starts_with('[');
    let (what, limit) = match () {
        () if line.len() > MAX_LINE => return Some(too_long()),
        () if batch && members > MAX_BATCH => ("a batch can have at most {} requests", MAX_BATCH),
        () if values > MAX_VALUES => ("a line can hold at most {} values", MAX_VALUES),
        () => return None,
    };
    Some(too_much(what, limit))
}

fn too_long() -> Value {
    too_much("a line can have at most {} bytes", MAX_LINE)
}

fn too_much(what: &str, limit: usize) -> Value {
    let error = RpcError::new(message::INVALID_REQUEST, what.replace("{}", &limit.to_string()));
    message::response(Value::Null, Err(error.with("limit", limit)))
}

#[cfg(test)]
mod reference;

#[cfg(test)]
mod data_tests;
#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod session_tests;
#[cfg(test)]
mod solve_tests;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod trained_tests;

#[cfg(test)]
mod view_tests;
