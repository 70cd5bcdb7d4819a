//! `astragal lsp`: a language server for game scripts, on standard input and output.
//!
//! It connects an editor to [`astragal_editor`] for scripts, and to [`astragal_service::editing`] for `.game` files.
//! This module handles only the protocol, the open documents, and the delay between an edit and a check. One thread
//! answers the requests in order, always from the latest version of the document. Checks and tests run on threads of
//! their own, one at a time. The diagnostics of an older version are not published; versions are compared by the
//! client's numbers, which begin again when a document is closed and reopened. Invariant: only the notification `exit`,
//! and the end of the input or a malformed message, end the server.

mod analyst;
mod capabilities;
mod convert;
mod open;
mod requests;
mod server;

use lsp_server::{Connection, Message, Notification};
use std::io;
use std::path::PathBuf;

/// Serves an editor until it exits or disconnects. Copies the bundled scripts that it opens to the folder `copies`.
/// Returns whether the client ended the session in order: with `shutdown` before `exit`.
///
/// # Errors
/// If standard input or output fails.
pub(crate) fn run(copies: Option<PathBuf>) -> io::Result<bool> {
    let (connection, threads) = Connection::stdio();
    let ended = serve(&connection, copies);
    // The threads end when the channels are closed and the input has ended or `exit` has been read.
    drop(connection);
    if ended {
        threads.join()?;
    }
    Ok(ended)
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
mod tests;
