//! `astragal dap`: a debug adapter for game scripts, on standard input and output.
//!
//! It connects an editor to [`astragal_dsl::debugger`] by the Debug Adapter Protocol. One thread reads messages, one
//! answers them ([`adapter`]), and one plays the game and stops in its rules ([`player`]). The last two exchange
//! commands and reports only, because the engine holds the lock of its rules while a rule has stopped. It must never
//! know rules of games. Invariants: nothing that a client sends runs code of its own, every request gets one response,
//! and the adapter ends with its client.

mod adapter;
mod framing;
mod input;
mod inspect;
mod launch;
mod link;
mod player;
mod protocol;
mod report;

use input::Input;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, SyncSender};
use std::thread;

/// The number of inputs that may wait. A game that prints more has to wait for its client.
const AHEAD: usize = 256;

/// Serves a client until it disconnects. Returns whether it has ended the session in order, with the request
/// `disconnect`.
///
/// # Errors
/// If a thread cannot be started.
pub(crate) fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<bool> {
    let (sender, inputs) = mpsc::sync_channel(AHEAD);
    let reader = sender.clone();
    // The thread is not joined: it may still wait for a message after the last response.
    thread::Builder::new().name("messages".into()).spawn(move || read(input, &reader))?;
    Ok(adapter::Adapter::new(output, sender).serve(inputs))
}

/// Passes on the messages of a client.
fn read(mut input: impl BufRead, sender: &SyncSender<Input>) {
    while let Ok(Some(message)) = framing::read(&mut input) {
        if sender.send(Input::Message(message)).is_err() {
            return;
        }
    }
    let _ = sender.send(Input::Closed);
}

#[cfg(test)]
mod tests;
