//! A program that plays: started, queried line by line over its standard input and output, and ended.
//!
//! Owns the process, its time limits, and the handling of its faults; the messages are in [`ProgramSeat`]. A program runs
//! in its own process group, so that Ctrl-C at the terminal reaches only `astragal`. To end a program, its input is closed;
//! if it keeps running, it is killed.

use super::ProgramCommand;
use astragal_core::{Event, Game, Side};
use astragal_dsl::Loaded;
use astragal_dsl::printable::in_a_line;
use astragal_service::rpc::ProgramSeat;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The default time limit for a decision.
pub(crate) const USUAL_TIME: Duration = Duration::from_secs(60);

/// The time limit until a program is ready: some load much data before they can play.
const START: Duration = Duration::from_secs(60);

/// The additional time for transmission in both directions.
const GRACE: Duration = Duration::from_millis(200);

/// How long a program may take to end on its own.
const FAREWELL: Duration = Duration::from_secs(1);

/// The interval between checks for a stop request.
const LOOK: Duration = Duration::from_millis(20);

/// The longest line of a program, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// How many of the last bytes on the program's standard error are kept.
const LAST_WORDS: usize = 4096;

/// Why a program has not decided.
#[derive(Clone, Debug, Error)]
pub(crate) enum Fault {
    /// It cannot be started.
    #[error("it cannot be started: {0}")]
    Start(String),
    /// It has ended.
    #[error("it ended ({status}){}", words(.last_words))]
    Ended {
        /// Its exit status.
        status: String,
        /// The last line on its standard error.
        last_words: String,
    },
    /// It has not responded in time.
    #[error("it did not answer '{method}' within {} s", .limit.as_secs_f64())]
    Time {
        /// The method of the request.
        method: &'static str,
        /// The time limit.
        limit: Duration,
    },
    /// Its output is not a valid response.
    #[error("expected an answer such as {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":..}} on one line, found {found}")]
    Garbage {
        /// The output.
        found: String,
    },
    /// It has responded with an error.
    #[error("it answered '{method}' with the error: {message}")]
    Refused {
        /// The method of the request.
        method: &'static str,
        /// The error message.
        message: String,
    },
    /// Its decision is not legal.
    #[error("it answered {answer}: {reason}")]
    Illegal {
        /// The response.
        answer: String,
        /// Why the decision is not legal.
        reason: String,
    },
    /// A stop was requested, which is not a fault of the program.
    #[error("stopped")]
    Stopped,
}

fn words(last: &str) -> String {
    if last.is_empty() { String::new() } else { format!("; its last output: {last}") }
}

/// The output of a program.
enum Line {
    Text(Vec<u8>),
    TooLong,
    End,
}

/// A running program.
pub(crate) struct PlayerProcess {
    child: Child,
    /// The lines to write; `None` when the program should end.
    sender: Option<Sender<String>>,
    lines: Receiver<Line>,
    last_words: Arc<Mutex<Vec<u8>>>,
    /// Closed when its standard error has been read completely into `last_words`.
    errors_read: Receiver<()>,
    /// The number of the last request.
    asked: u64,
}

impl PlayerProcess {
    /// Starts a program.
    ///
    /// # Errors
    /// If it does not exist or cannot run.
    pub(crate) fn start(command: &ProgramCommand) -> Result<PlayerProcess, Fault> {
        let mut process = Command::new(&command.program);
        process.args(&command.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let failed = |error: std::io::Error| Fault::Start(format!("{}: {error}", in_a_line(&command.program)));
        let mut child = process.spawn().map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else { return Err(Fault::Start("no pipes".into())) };
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let lines = read_lines(output);
        let sender = write_lines(input);
        let errors_read = keep_last(errors, Arc::clone(&last_words));
        Ok(PlayerProcess { child, sender: Some(sender), lines, last_words, errors_read, asked: 0 })
    }

    /// Sends a request and waits for the response.
    ///
    /// # Errors
    /// A [`Fault`], if no valid response arrives in time or `stop` returns true.
    fn ask(
        &mut self,
        method: &'static str,
        params: Value,
        limit: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Result<Value, Fault> {
        self.asked += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        let until = Instant::now() + limit + GRACE;
        loop {
            if stop() {
                self.send(&json!({"jsonrpc": "2.0", "method": "cancel", "params": {"id": self.asked}}));
                return Err(Fault::Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::Time { method, limit });
            }
            match self.lines.recv_timeout(left.min(LOOK)) {
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) | Ok(Line::End) => return Err(self.ended()),
                Ok(Line::TooLong) => return Err(Fault::Garbage { found: "a line of more than 1 MiB".into() }),
                Ok(Line::Text(line)) => {
                    if let Some(answer) = self.answer(method, &line)? {
                        return Ok(answer);
                    }
                }
            }
        }
    }

    /// The result in a line, if it responds to the last request; `None` if it is about something else.
    fn answer(&self, method: &'static str, line: &[u8]) -> Result<Option<Value>, Fault> {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let garbage = || Fault::Garbage { found: format!("'{}'", shortened(text)) };
        let mut answer: Value = serde_json::from_str(text).map_err(|_| garbage())?;
        if answer.get("method").is_some() {
            // A notification: programs may send messages without a request.
            return Ok(None);
        }
        match answer["id"].as_u64() {
            Some(id) if id == self.asked => {}
            // A late response to an earlier request.
            Some(id) if id < self.asked => return Ok(None),
            _ => return Err(garbage()),
        }
        if let Some(error) = answer.get("error") {
            let message = error["message"].as_str().map_or_else(|| error.to_string(), String::from);
            return Err(Fault::Refused { method, message: shortened(&message) });
        }
        answer.get_mut("result").map(Value::take).map(Some).ok_or_else(garbage)
    }

    /// Sends a message. If that fails, the program has ended, and reading its output reports it.
    fn send(&self, message: &Value) {
        if let Some(sender) = &self.sender {
            let _ = sender.send(message.to_string());
        }
    }

    /// The fault for a program that has ended.
    fn ended(&mut self) -> Fault {
        let status = self.wait(FAREWELL).map_or_else(|| "it closed its output".into(), |status| status.to_string());
        // The thread that reads standard error may lag behind, and child processes may keep the pipe open forever.
        let _ = self.errors_read.recv_timeout(FAREWELL);
        let kept = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let last_words = shortened(text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim());
        Fault::Ended { status, last_words }
    }

    /// Waits for the program to end, up to `longest`.
    fn wait(&mut self, longest: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + longest;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for PlayerProcess {
    fn drop(&mut self) {
        self.sender = None;
        if self.wait(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// A text on one line and not too long.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 120;
    let begin: String = text.chars().take(LONGEST).collect();
    let more = if begin.len() < text.len() { "..." } else { "" };
    format!("{}{more}", in_a_line(&begin))
}

/// Writes lines on a separate thread, so that a program that reads nothing does not block us.
fn write_lines(mut input: ChildStdin) -> Sender<String> {
    let (sender, lines) = channel::<String>();
    thread::spawn(move || {
        for line in lines {
            if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// Reads lines of limited length on a separate thread.
fn read_lines(output: ChildStdout) -> Receiver<Line> {
    let (sender, lines) = sync_channel(64);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut bytes = Vec::new();
            let read = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
            let line = match read {
                Ok(0) | Err(_) => Line::End,
                Ok(n) if n as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') => Line::TooLong,
                Ok(_) => Line::Text(bytes),
            };
            let is_last = !matches!(line, Line::Text(_));
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
    });
    lines
}

/// Reads the standard error of a program, so that it never blocks, and keeps the last bytes. The returned channel closes
/// when everything has been read.
fn keep_last(mut errors: ChildStderr, kept: Arc<Mutex<Vec<u8>>>) -> Receiver<()> {
    let (end, read_all) = channel();
    thread::spawn(move || {
        let _end: Sender<()> = end;
        let mut bytes = [0; 1024];
        while let Ok(read @ 1..) = errors.read(&mut bytes) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend_from_slice(&bytes[..read]);
            let over = kept.len().saturating_sub(LAST_WORDS);
            kept.drain(..over);
        }
    });
    read_all
}

/// A program at a seat. It is started at its first request, and again after a fault.
pub(crate) struct ProgramPlayer {
    command: ProgramCommand,
    seat: ProgramSeat,
    time: Duration,
    process: Option<PlayerProcess>,
}

impl ProgramPlayer {
    /// A program that plays `side`, with `time` for each decision; `process` is a running process of it.
    pub(crate) fn new(
        command: &ProgramCommand,
        loaded: &Arc<Loaded>,
        (side, seed): (Side, u64),
        time: Option<Duration>,
        process: Option<PlayerProcess>,
    ) -> ProgramPlayer {
        let time = time.unwrap_or(USUAL_TIME);
        let seat = ProgramSeat::new(Arc::clone(loaded), side, seed, time);
        ProgramPlayer { command: command.clone(), seat, time, process }
    }

    /// Sends the game to the program, unless the program already knows it.
    ///
    /// # Errors
    /// The program's fault, or [`Fault::Stopped`]; the program is then ended.
    pub(crate) fn begin(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Result<(), Fault> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => {
                self.seat.forget();
                PlayerProcess::start(&self.command)?
            }
        };
        if let Some(params) = self.seat.begin(game)
            && let Err(fault) = process.ask("begin", params, START, stop)
        {
            self.seat.forget();
            return Err(fault);
        }
        self.process = Some(process);
        Ok(())
    }

    /// The program's decision in `game`.
    ///
    /// # Errors
    /// The program's fault; the program is then ended, unless only the decision was stopped.
    pub(crate) fn decide(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Result<Event, Fault> {
        self.begin(game, stop)?;
        let question = self.seat.decide(game);
        let Some(process) = &mut self.process else { return Err(Fault::Stopped) };
        let decided = process.ask("decide", question, self.time, stop).and_then(|answer| {
            let illegal = |reason| Fault::Illegal { answer: shortened(&answer.to_string()), reason };
            self.seat.event(game, &answer).map_err(illegal)
        });
        if decided.as_ref().is_err_and(|fault| !matches!(fault, Fault::Stopped)) {
            self.process = None;
        }
        decided
    }

    /// Notifies the program that its game is over, and returns its process for another one.
    pub(crate) fn leave(&mut self, game: &Game) -> Option<PlayerProcess> {
        let process = self.process.take()?;
        if let Some(params) = self.seat.end(game) {
            process.send(&json!({"jsonrpc": "2.0", "method": "end", "params": params}));
        }
        Some(process)
    }
}
