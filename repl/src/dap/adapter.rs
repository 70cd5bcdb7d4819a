//! The main loop: answers requests in order, starts and ends the game, and turns its reports into events.
//!
//! Owns the state of the session. Requests that only look at a stopped game are answered in [`super::inspect`].

use super::input::Input;
use super::launch::Launch;
use super::link::{Command, Link, Signals};
use super::player::Job;
use super::protocol::{Answer, Outbox, Request};
use super::report::{Halt, Report};
use astragal_dsl::debugger::{Debugger, Resume, Stepper, Variable};
use astragal_dsl::{Loaded, library, load_debugging};
use serde_json::{Value, json};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, JoinHandle};

/// The stack of the thread that plays: scripts can recurse deeper than the default stack allows.
const STACK: usize = 256 << 20;

/// The number of the only thread that clients see.
const THREAD: i64 = 1;

/// A session with one client.
pub(super) struct Adapter<W: Write> {
    out: Outbox<W>,
    inputs: SyncSender<Input>,
    /// The game, once it has been launched.
    pub(super) session: Option<Session>,
    /// Where the game has stopped; `None` while it runs.
    pub(super) halt: Option<Halt>,
    /// The lists of variables that the client may request, by number from 1.
    pub(super) lists: Vec<Vec<Variable>>,
    /// The request whose answer the game has not accepted yet.
    answering: Option<Request>,
    is_initialized: bool,
    is_configured: bool,
    /// Whether the end of the game has been reported to the client.
    has_ended: bool,
    /// The client's number for the first line, minus 1.
    pub(super) line_base: i64,
    /// The client's number for the first column, minus 1.
    pub(super) column_base: i64,
}

/// A launched game.
pub(super) struct Session {
    pub(super) loaded: Arc<Loaded>,
    pub(super) stepper: Stepper,
    pub(super) signals: Arc<Signals>,
    /// Whether breakpoints stop the game.
    pub(super) is_debugging: bool,
    commands: Sender<Command>,
    /// The game, until it starts.
    job: Option<Job>,
    thread: Option<JoinHandle<()>>,
}

impl<W: Write> Adapter<W> {
    /// A session without a game. The threads of the game send to `inputs`.
    pub(super) fn new(output: W, inputs: SyncSender<Input>) -> Adapter<W> {
        Adapter {
            out: Outbox::new(output),
            inputs,
            session: None,
            halt: None,
            lists: Vec::new(),
            answering: None,
            is_initialized: false,
            is_configured: false,
            has_ended: false,
            line_base: 0,
            column_base: 0,
        }
    }

    /// Serves the client until it disconnects; true if it has sent `disconnect`.
    pub(super) fn serve(mut self, inputs: Receiver<Input>) -> bool {
        let mut is_done = false;
        while let Ok(input) = inputs.recv() {
            match input {
                Input::Closed => break,
                Input::Report(report) => self.tell(report),
                Input::Message(message) => {
                    if let Some(request) = Request::read(&message) {
                        is_done = request.command == "disconnect";
                        self.take(&request);
                    }
                }
            }
            if is_done || !self.out.is_open() {
                break;
            }
        }
        // The game may wait until a report is taken.
        drop(inputs);
        self.end();
        is_done
    }

    /// Ends the game, if there is one.
    fn end(&mut self) {
        let Some(session) = self.session.take() else { return };
        session.signals.end.store(true, Ordering::SeqCst);
        drop(session.commands);
        drop(session.job);
        if let Some(thread) = session.thread {
            let _ = thread.join();
        }
    }

    /// Answers a request, and does what has to follow the response.
    fn take(&mut self, request: &Request) {
        if !self.is_initialized && !matches!(request.command.as_str(), "initialize" | "disconnect") {
            return self.out.respond(request, Err("the first request must be 'initialize'".into()));
        }
        match request.command.as_str() {
            "launch" => self.launch(request),
            "configurationDone" => {
                self.out.respond(request, Ok(Value::Null));
                self.is_configured = true;
                self.start();
            }
            "continue" => self.resume(request, Resume::GoOn),
            "next" => self.resume(request, Resume::StepOver),
            "stepIn" => self.resume(request, Resume::StepIn),
            "stepOut" => self.resume(request, Resume::StepOut),
            "terminate" => {
                self.out.respond(request, Ok(Value::Null));
                self.terminate();
            }
            "evaluate" => self.evaluate(request),
            "disconnect" => {
                self.refuse_answer("the session has ended");
                self.out.respond(request, Ok(Value::Null));
            }
            _ => {
                let answer = self.answer(request);
                self.out.respond(request, answer);
            }
        }
    }

    /// The response to a request that has no further consequence.
    fn answer(&mut self, request: &Request) -> Answer {
        match request.command.as_str() {
            "initialize" => self.initialize(request),
            "setBreakpoints" => Ok(self.set_breakpoints(request)),
            "setExceptionBreakpoints" => Ok(json!({ "breakpoints": [] })),
            "threads" => Ok(json!({ "threads": [{ "id": THREAD, "name": "Rules" }] })),
            "stackTrace" => self.stack_trace(request),
            "scopes" => self.scopes(request),
            "variables" => self.variables(request),
            "source" => self.source(request),
            "completions" => Ok(self.completions(request)),
            "pause" => self.pause(),
            other => Err(format!("the request '{other}' is not supported")),
        }
    }

    fn initialize(&mut self, request: &Request) -> Answer {
        if std::mem::replace(&mut self.is_initialized, true) {
            return Err("the adapter is already initialized".into());
        }
        let base = |name: &str| if request.arguments[name] == false { -1 } else { 0 };
        (self.line_base, self.column_base) = (base("linesStartAt1"), base("columnsStartAt1"));
        Ok(json!({
            "supportsConfigurationDoneRequest": true,
            "supportsEvaluateForHovers": true,
            "supportsTerminateRequest": true,
            "supportsCompletionsRequest": true,
            "exceptionBreakpointFilters": [],
        }))
    }

    /// Loads the script. The client sends its breakpoints after the event `initialized`.
    fn launch(&mut self, request: &Request) {
        if self.session.is_some() {
            return self.out.respond(request, Err("a game has already been launched".into()));
        }
        if self.has_ended {
            return self.out.respond(request, Err("the session has been terminated".into()));
        }
        match load(&request.arguments, &self.inputs) {
            Err(message) => self.out.respond(request, Err(message)),
            Ok(session) => {
                self.session = Some(session);
                self.out.respond(request, Ok(Value::Null));
                self.out.event("initialized", Value::Null);
                self.start();
            }
        }
    }

    /// Starts the game, once it has been launched and the client has sent its breakpoints.
    fn start(&mut self) {
        let Some(session) = self.session.as_mut().filter(|_| self.is_configured) else { return };
        let Some(job) = session.job.take() else { return };
        let link = Arc::clone(&job.link);
        let play = move || {
            // The panic message has been printed.
            if catch_unwind(AssertUnwindSafe(|| job.run())).is_err() {
                link.report(Report::Ended(false));
            }
        };
        match thread::Builder::new().name("game".into()).stack_size(STACK).spawn(play) {
            Ok(thread) => session.thread = Some(thread),
            Err(error) => {
                self.out.event("output", json!({ "category": "stderr", "output": format!("{error}\n") }));
                self.ended(false);
            }
        }
    }

    /// Lets a stopped game continue.
    fn resume(&mut self, request: &Request, how: Resume) {
        let (Some(session), true) = (&self.session, self.halt.is_some() && self.answering.is_none()) else {
            return self.out.respond(request, Err("the game has not stopped".into()));
        };
        self.halt = None;
        self.lists.clear();
        let body = if how == Resume::GoOn { json!({ "allThreadsContinued": true }) } else { Value::Null };
        self.out.respond(request, Ok(body));
        let _ = session.commands.send(Command::Resume(how));
    }

    fn pause(&mut self) -> Answer {
        let session = self.session.as_ref().ok_or("no game has been launched")?;
        if self.halt.is_none() {
            session.signals.pause.store(true, Ordering::SeqCst);
        }
        Ok(Value::Null)
    }

    /// Ends the game at the client's request.
    fn terminate(&mut self) {
        let Some(session) = &mut self.session else { return self.ended(true) };
        session.signals.end.store(true, Ordering::SeqCst);
        if session.thread.is_none() {
            session.job = None;
            return self.ended(true);
        }
        let _ = session.commands.send(Command::Resume(Resume::End));
    }

    /// Prints a value or the board, or passes an answer on to the game.
    fn evaluate(&mut self, request: &Request) {
        let text = request.arguments["expression"].as_str().unwrap_or_default().trim().to_string();
        // Clients without a console, such as Helix, name no context.
        let is_console = request.arguments["context"].as_str().is_none_or(|context| context == "repl");
        let question = self.halt.as_ref().filter(|halt| halt.reason == "question");
        let asks = is_console && question.is_some() && self.answering.is_none();
        // A choice can have the name of a variable.
        if asks && question.is_some_and(|halt| halt.choices.contains(&text)) {
            return self.give(request, text);
        }
        let found = self.look_up(request, &text, is_console);
        if asks && found.is_err() {
            return self.give(request, text);
        }
        self.out.respond(request, found);
    }

    /// Passes an answer on to the game. The response follows when the game has accepted or refused the answer.
    fn give(&mut self, request: &Request, text: String) {
        if let Some(session) = &self.session {
            let _ = session.commands.send(Command::Answer(text));
        }
        self.answering = Some(request.clone());
    }

    /// Turns a report of the game into events.
    fn tell(&mut self, report: Report) {
        match report {
            Report::Output(category, text) => {
                self.out.event("output", json!({ "category": category, "output": text }));
            }
            Report::Halted(halt) => {
                let description = match halt.reason {
                    "question" => "Waiting for an answer",
                    "exception" => "A rule failed",
                    _ => "Stopped",
                };
                let body = json!({
                    "reason": halt.reason, "description": description, "text": halt.text,
                    "threadId": THREAD, "allThreadsStopped": true,
                });
                if let Some(session) = &self.session {
                    // A pause that the game did not reach would stop it later.
                    session.signals.pause.store(false, Ordering::SeqCst);
                }
                self.lists.clear();
                self.halt = Some(*halt);
                self.out.event("stopped", body);
            }
            Report::Answered(result) => {
                let Some(request) = self.answering.take() else { return };
                let is_given = result.is_ok();
                let body = |text: String| json!({ "result": format!("Answer: {text}"), "variablesReference": 0 });
                self.out.respond(&request, result.map(body));
                if is_given {
                    self.halt = None;
                    self.lists.clear();
                    self.out.event("continued", json!({ "threadId": THREAD, "allThreadsContinued": true }));
                }
            }
            Report::Ended(is_good) => self.ended(is_good),
        }
    }

    /// Responds to the request whose answer the game has not accepted, if there is one.
    fn refuse_answer(&mut self, why: &str) {
        if let Some(request) = self.answering.take() {
            self.out.respond(&request, Err(why.into()));
        }
    }

    /// Reports the end of the game to the client, once.
    fn ended(&mut self, is_good: bool) {
        self.halt = None;
        self.refuse_answer("the game has ended");
        if std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        self.out.event("terminated", Value::Null);
        self.out.event("exited", json!({ "exitCode": i32::from(!is_good) }));
    }
}

/// Loads the script of a `launch` request.
fn load(arguments: &Value, inputs: &SyncSender<Input>) -> Result<Session, String> {
    let launch = Launch::read(arguments)?;
    let is_debugging = launch.is_debugging;
    let source = library::resolve(&launch.program).map_err(|error| error.render(false))?;
    let signals = Arc::new(Signals::default());
    let (commands, receiver) = mpsc::channel();
    let link = Arc::new(Link::new(Arc::clone(&signals), inputs.clone(), receiver, launch.stop_on_entry));
    let stepper = Stepper::new(Arc::clone(&link) as Arc<dyn Debugger>);
    let loaded = load_debugging(&source, &launch.options, &stepper).map_err(|error| error.render(false))?;
    let loaded = Arc::new(loaded);
    link.knows(&loaded);
    let placed = launch.placed(&loaded)?;
    let ends = Arc::clone(&signals);
    loaded.set.rules.stop_when(move || ends.end.load(Ordering::SeqCst));
    let job = Job { loaded: Arc::clone(&loaded), launch, placed, stepper: stepper.clone(), link };
    Ok(Session { loaded, stepper, signals, is_debugging, commands, job: Some(job), thread: None })
}
