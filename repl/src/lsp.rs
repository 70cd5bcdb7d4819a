//! `astragal lsp`: a language server for game scripts, on standard input and output.
//!
//! It connects an editor to [`astragal_editor`] for scripts, and to [`astragal_service::editing`] for `.game` files.
//! This module handles only the protocol, the open documents, and the delay between an edit and a check. One thread
//! answers the requests in order, always from the latest version of the document. Checks, tests and repairs run on
//! threads of their own, one job per thread; the diagnostics of an older version are never published. The diagnostics of a
//! script are published in two [`stages`], and an edit stops the second one. Invariant: only
//! the notification `exit`, the end of the input, and input that is not a message end the server.

mod actions;
mod analyst;
mod capabilities;
mod changed_lines;
mod client;
mod convert;
mod documents;
mod open;
mod refusal;
mod requests;
mod server;
mod stages;

use crossbeam_channel::Receiver;
use lsp_server::{Connection, Message, Notification};
use std::io;
use std::path::PathBuf;
use std::thread;

/// Serves an editor until it exits or disconnects. Copies the bundled scripts that it opens to the folder `copies`.
/// Returns whether the client ended the session in order: with `shutdown` before `exit`.
///
/// # Errors
/// If a thread cannot be started. If the session ended in order, also if standard input or output failed.
pub(crate) fn run(copies: Option<PathBuf>) -> io::Result<bool> {
    let (Connection { sender, receiver }, threads) = Connection::stdio();
    let connection = Connection { sender, receiver: buffered(receiver)? };
    let ended = serve(&connection, copies);
    // The threads end when the channels are closed and the input has ended or `exit` has been read.
    drop(connection);
    if ended {
        threads.join()?;
    }
    Ok(ended)
}

/// A channel that takes messages as soon as they arrive. The channel of standard input holds none, so a cancellation
/// would wait behind the request that it cancels.
fn buffered(messages: Receiver<Message>) -> io::Result<Receiver<Message>> {
    let (sender, receiver) = crossbeam_channel::unbounded();
    let forward = move || {
        for message in messages {
            if sender.send(message).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("messages".into()).spawn(forward)?;
    Ok(receiver)
}

/// Serves one connection. Returns true if the client sent `shutdown` before `exit`.
fn serve(connection: &Connection, copies: Option<PathBuf>) -> bool {
    let (id, params) = loop {
        match connection.receiver.recv() {
            Ok(Message::Request(request)) if request.method == "initialize" => break (request.id, request.params),
            Ok(Message::Request(request)) => {
                let _ = connection.sender.send(server::not_initialized(request.id).into());
            }
            Ok(Message::Notification(Notification { method, .. })) if method == "exit" => return false,
            Ok(_) => {}
            Err(_) => return false,
        }
    };
    match server::Server::new(connection, id, params, copies) {
        Some(server) => server.run(),
        None => false,
    }
}

#[cfg(test)]
mod fixes_tests;
#[cfg(test)]
mod requests_tests;
#[cfg(test)]
mod tests;
