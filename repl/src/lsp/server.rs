//! The main loop: handles messages in order, keeps the open documents, and publishes diagnostics.

use super::actions::{self, Answer, Repair, Repaired};
use super::analyst::{self, Check, Checked, CheckedText, Found, Tested, Tests, Worker};
use super::capabilities;
use super::client::Client;
use super::convert;
use super::documents::Documents;
use super::open::{Content, Open, Problems};
use super::requests;
use crossbeam_channel::RecvTimeoutError;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::notification::Notification as _;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time that the loop waits if nothing is due.
const LONG: Duration = Duration::from_secs(3_600);

/// The response to requests before `initialize`.
pub(super) fn not_initialized(id: RequestId) -> Response {
    Response::new_err(id, ErrorCode::ServerNotInitialized as i32, "the first request must be 'initialize'".into())
}

/// A server whose client has sent `initialize`.
pub(super) struct Server<'a> {
    connection: &'a Connection,
    documents: Documents,
    checks: Worker<Check, Checked>,
    /// Stops the check that is running.
    stop: Arc<AtomicBool>,
    tests: Worker<Tests, Tested>,
    repairs: Worker<Box<Repair>, Repaired>,
    /// The repairs that have not begun yet, in the order of their requests.
    repairs_due: VecDeque<Box<Repair>>,
    /// The serial number of the last text of a document.
    serial: u64,
    /// Messages that have arrived and are not handled yet.
    waiting: VecDeque<Message>,
    /// Whether the client has sent `shutdown`.
    ends: bool,
    /// The number of requests that the server has sent.
    asked: u32,
}

impl<'a> Server<'a> {
    /// Responds to `initialize`. Returns `None` if the client has disconnected or a thread cannot be started.
    pub(super) fn new(
        connection: &'a Connection,
        id: RequestId,
        params: serde_json::Value,
        copies: Option<PathBuf>,
    ) -> Option<Server<'a>> {
        let client = Client::of(&params);
        let info = lsp::ServerInfo { name: "astragal".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
        let result = lsp::InitializeResult { capabilities: capabilities::server(&client), server_info: Some(info) };
        connection.sender.send(Response::new_ok(id, result).into()).ok()?;
        let checks = Worker::new("checks", analyst::check).ok()?;
        let tests = Worker::new("tests", analyst::test).ok()?;
        let repairs = Worker::new("repairs", actions::repair).ok()?;
        Some(Server {
            connection,
            documents: Documents { client, open: BTreeMap::new(), copies },
            checks,
            stop: Arc::default(),
            tests,
            repairs,
            repairs_due: VecDeque::new(),
            serial: 0,
            waiting: VecDeque::new(),
            ends: false,
            asked: 0,
        })
    }

    /// Runs until the client exits or disconnects; true if it requested `shutdown` first.
    pub(super) fn run(mut self) -> bool {
        loop {
            if !self.gather() {
                return false;
            }
            match self.waiting.pop_front() {
                Some(Message::Notification(message)) if message.method == "exit" => return self.ends,
                Some(Message::Notification(message)) => self.notice(message),
                Some(Message::Request(request)) => {
                    let id = request.id.clone();
                    match guarded(&id, || self.answer(request)) {
                        Answer::Now(response) => self.send(response.into()),
                        Answer::Later(job) => {
                            self.repairs_due.push_back(job);
                            self.begin_repair();
                        }
                    }
                }
                // The responses to the requests of the server contain nothing.
                Some(Message::Response(_)) => {}
                None => {
                    self.check_what_is_due();
                    self.test_what_is_due();
                }
            }
        }
    }

    fn send(&self, message: Message) {
        // If the client has disconnected, the input ends soon.
        let _ = self.connection.sender.send(message);
    }

    /// Takes all messages that have arrived. If there are none, waits for a message, a result, or the next due check.
    /// Returns false if the client has disconnected.
    fn gather(&mut self) -> bool {
        loop {
            match self.connection.receiver.try_recv() {
                Ok(message) => self.take(message),
                Err(crossbeam_channel::TryRecvError::Empty) => break,
                Err(crossbeam_channel::TryRecvError::Disconnected) => return !self.waiting.is_empty(),
            }
        }
        if !self.waiting.is_empty() {
            return true;
        }
        let mut select = crossbeam_channel::Select::new();
        select.recv(&self.connection.receiver);
        select.recv(&self.checks.done);
        select.recv(&self.tests.done);
        select.recv(&self.repairs.done);
        let ready = match self.next_due() {
            Some(due) if self.checks.is_free() => select.ready_deadline(due),
            _ => select.ready_timeout(LONG),
        };
        match ready {
            Ok(0) => match self.connection.receiver.recv_timeout(Duration::ZERO) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return false,
            },
            Ok(1) => {
                if let Some(checked) = self.checks.take() {
                    self.finish(checked);
                }
            }
            Ok(2) => {
                if let Some(tested) = self.tests.take() {
                    self.keep(tested);
                }
            }
            Ok(_) => {
                if let Some(repaired) = self.repairs.take() {
                    let response = actions::finish(&self.documents, repaired);
                    self.send(response.into());
                    self.begin_repair();
                }
            }
            Err(_) => {}
        }
        true
    }

    /// Adds a message to the queue. A cancellation skips the queue, and answers the request unless it has begun.
    fn take(&mut self, message: Message) {
        if let Message::Notification(notification) = &message
            && notification.method == lsp::notification::Cancel::METHOD
        {
            if let Some(id) = id_of(&notification.params) {
                self.cancel(&id);
            }
            return;
        }
        self.waiting.push_back(message);
    }

    fn cancel(&mut self, id: &RequestId) {
        let is_it = |message: &Message| matches!(message, Message::Request(request) if request.id == *id);
        let waits = self.waiting.iter().position(is_it).and_then(|at| self.waiting.remove(at)).is_some();
        let due = self.repairs_due.iter().position(|job| job.id == *id);
        if waits || due.and_then(|at| self.repairs_due.remove(at)).is_some() {
            let code = ErrorCode::RequestCanceled as i32;
            self.send(Response::new_err(id.clone(), code, "canceled".into()).into());
        }
    }

    /// Begins the next repair, if none is running.
    fn begin_repair(&mut self) {
        if self.repairs.is_free()
            && let Some(job) = self.repairs_due.pop_front()
        {
            self.repairs.begin(job);
        }
    }

    fn answer(&mut self, request: Request) -> Answer {
        if self.ends {
            let message = "the server is shutting down: only 'exit' is allowed".into();
            return Answer::Now(Response::new_err(request.id, ErrorCode::InvalidRequest as i32, message));
        }
        match request.method.as_str() {
            "shutdown" => {
                self.ends = true;
                Answer::Now(Response::new_ok(request.id, ()))
            }
            "initialize" => {
                let message = "the server is already initialized".into();
                Answer::Now(Response::new_err(request.id, ErrorCode::InvalidRequest as i32, message))
            }
            _ => requests::answer(&self.documents, request),
        }
    }

    fn notice(&mut self, message: Notification) {
        match message.method.as_str() {
            lsp::notification::Initialized::METHOD if self.documents.client.watches_files => self.watch_files(),
            lsp::notification::DidOpenTextDocument::METHOD => {
                let Some(params) = read::<lsp::notification::DidOpenTextDocument>(message) else { return };
                let lsp::TextDocumentItem { uri, language_id, version, text } = params.text_document;
                let open = Open::new(uri.clone(), &language_id, version, self.next_serial(), text);
                self.documents.open.insert(uri.as_str().to_string(), open);
            }
            lsp::notification::DidChangeTextDocument::METHOD => {
                let Some(params) = read::<lsp::notification::DidChangeTextDocument>(message) else { return };
                let (document, units, serial) = (params.text_document, self.documents.client.units, self.next_serial());
                if let Some(open) = self.documents.open.get_mut(document.uri.as_str()) {
                    open.change((document.version, serial), params.content_changes, units);
                    // The current text comes first, even before the check of another document.
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
            lsp::notification::DidCloseTextDocument::METHOD => {
                let Some(params) = read::<lsp::notification::DidCloseTextDocument>(message) else { return };
                let uri = params.text_document.uri;
                if let Some(closed) = self.documents.open.remove(uri.as_str()) {
                    self.stop.store(true, Ordering::Relaxed);
                    self.publish(uri, Vec::new(), None);
                    if closed.script().is_some() {
                        // From now on, the script on disk counts, without unsaved changes.
                        self.check_games();
                    }
                }
            }
            // The results depend on files: scripts, tests and accepted output.
            lsp::notification::DidSaveTextDocument::METHOD | lsp::notification::DidChangeWatchedFiles::METHOD => {
                self.documents.open.values_mut().for_each(Open::recheck);
            }
            // All others are ignored, including those of optional parts of the protocol.
            _ => {}
        }
    }

    fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    /// Asks the client to report changes of files that results depend on.
    fn watch_files(&mut self) {
        let watchers = serde_json::json!([{ "globPattern": "**/*.{rhai,game,snap}" }]);
        let registration = serde_json::json!({
            "id": "files",
            "method": lsp::notification::DidChangeWatchedFiles::METHOD,
            "registerOptions": { "watchers": watchers },
        });
        self.request("client/registerCapability", serde_json::json!({ "registrations": [registration] }));
    }

    /// The time at which the next check is due.
    fn next_due(&self) -> Option<Instant> {
        self.documents.open.values().filter_map(|open| open.due).min()
    }

    /// Starts the check that has been due the longest, if there is one.
    fn check_what_is_due(&mut self) {
        if !self.checks.is_free() {
            return;
        }
        let now = Instant::now();
        let due = self.documents.open.iter().filter(|(_, open)| open.due.is_some_and(|due| due <= now));
        let Some(uri) = due.min_by_key(|(_, open)| open.due).map(|(uri, _)| uri.clone()) else { return };
        let scripts = self.documents.open.values().filter_map(|open| {
            let script = open.script()?;
            let path = script.source().path.as_ref()?.canonicalize().ok()?;
            Some((path, script.text().to_string()))
        });
        let scripts = scripts.collect();
        let Some(open) = self.documents.open.get_mut(&uri) else { return };
        open.due = None;
        let text = match &open.content {
            Content::Script(script) => CheckedText::Script(script.source().clone()),
            Content::Game(game) => {
                let document = Box::new(game.document.clone());
                CheckedText::Game { document, path: convert::path(&open.uri), open: scripts }
            }
        };
        let stop = Arc::default();
        self.stop = Arc::clone(&stop);
        self.checks.begin(Check { uri, serial: open.serial, text, stop });
    }

    /// Starts the tests of a script that has just been checked, if there is one.
    fn test_what_is_due(&mut self) {
        if !self.tests.is_free() {
            return;
        }
        let Some((uri, open)) = self.documents.open.iter_mut().find(|(_, open)| open.tests_due) else { return };
        open.tests_due = false;
        let Content::Script(script) = &open.content else { return };
        let Some(loaded) = script.shared_loaded() else { return };
        let source = script.source().clone();
        self.tests.begin(Tests { uri: uri.clone(), serial: open.serial, source, loaded });
    }

    /// Publishes the result of a check, unless the document has changed since. Always keeps the loaded variant.
    fn finish(&mut self, checked: Checked) {
        let Some(open) = self.documents.open.get_mut(&checked.uri) else { return };
        let (serial, is_current) = (checked.serial, open.serial == checked.serial);
        let is_whole = matches!(checked.found, Found::Script(_));
        let problems = match (checked.found, &mut open.content) {
            (Found::Text(analysis) | Found::Script(analysis), Content::Script(script)) => {
                open.tests_due = is_whole && is_current && analysis.loaded.is_some();
                if let Some(loaded) = analysis.loaded {
                    script.set_loaded(loaded);
                }
                let mut found = analysis.diagnostics;
                match is_whole {
                    _ if !is_current => {}
                    true => open.stages.end(serial, script.source(), &found),
                    false => found = open.stages.begin(serial, script.source(), found),
                }
                Problems::OfScript(found)
            }
            (Found::Game(loaded, problems), Content::Game(game)) => {
                if loaded.is_some() {
                    game.loaded = loaded;
                }
                Problems::OfGame(problems)
            }
            (Found::Stopped, _) => {
                return if is_current {
                    open.recheck()
                };
            }
            _ => return,
        };
        if !is_current {
            return;
        }
        let (uri, version, page) = (open.uri.clone(), open.version, open.page(self.documents.client.units));
        let shown: Vec<lsp::Diagnostic> = match (&problems, open.script()) {
            (Problems::OfScript(all), Some(script)) => {
                all.iter().map(|one| convert::diagnostic(&self.documents.client, &uri, script, one)).collect()
            }
            (Problems::OfScript(_), None) => Vec::new(),
            (Problems::OfGame(all), _) => all.iter().map(|one| convert::game_diagnostic(page, one)).collect(),
        };
        open.checked = Some((serial, problems));
        self.publish(uri, shown, Some(version));
        if is_whole {
            self.check_games();
        }
    }

    /// Schedules a check of all open `.game` files, since their scripts may have changed.
    fn check_games(&mut self) {
        self.documents.open.values_mut().filter(|open| open.script().is_none()).for_each(Open::recheck);
    }

    /// Keeps test results, and asks the client to refresh code lenses and inlay hints.
    fn keep(&mut self, tested: Tested) {
        let Some(open) = self.documents.open.get_mut(&tested.uri).filter(|open| open.serial == tested.serial) else {
            return;
        };
        open.tested = Some((tested.serial, tested.run, tested.hints));
        if self.documents.client.refreshes_lenses {
            self.request("workspace/codeLens/refresh", serde_json::Value::Null);
        }
        if self.documents.client.refreshes_hints {
            self.request("workspace/inlayHint/refresh", serde_json::Value::Null);
        }
    }

    /// Sends a request to the client.
    fn request(&mut self, method: &str, params: serde_json::Value) {
        self.asked += 1;
        let id = RequestId::from(format!("server-{}", self.asked));
        self.send(Request { id, method: method.into(), params }.into());
    }

    fn publish(&self, uri: lsp::Uri, diagnostics: Vec<lsp::Diagnostic>, version: Option<i32>) {
        let params = lsp::PublishDiagnosticsParams { uri, diagnostics, version };
        let method = lsp::notification::PublishDiagnostics::METHOD.to_string();
        self.send(Notification::new(method, params).into());
    }
}

/// Answers a request. A panic becomes an error response.
fn guarded(id: &RequestId, answer: impl FnOnce() -> Answer) -> Answer {
    let failure = || Response::new_err(id.clone(), ErrorCode::InternalError as i32, analyst::FAILURE.into());
    analyst::caught(answer).unwrap_or_else(|| Answer::Now(failure()))
}

/// The parameters of a notification; `None` if they are invalid. A notification cannot be answered with an error.
fn read<N: lsp::notification::Notification>(message: Notification) -> Option<N::Params> {
    serde_json::from_value(message.params).ok()
}

/// The ID of the request that a cancellation names.
fn id_of(params: &serde_json::Value) -> Option<RequestId> {
    match params.get("id")? {
        serde_json::Value::String(text) => Some(text.clone().into()),
        other => other.as_i64().and_then(|number| i32::try_from(number).ok()).map(RequestId::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_response() {
        let answer = guarded(&RequestId::from(7), || panic!("expected by this test"));
        let Answer::Now(response) = answer else { panic!("no response") };
        let error = response.response_result.expect_err("an error");
        assert_eq!((response.id, error.code), (RequestId::from(7), -32603));
    }
}
