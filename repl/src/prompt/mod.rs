//! `astragal play`: the prompt, for people at a terminal and for pipes.
//!
//! Both run the same [`Session`]; only reading lines differs.

pub mod board;
pub mod commands;
mod computer;
mod editor;
pub mod files;
mod interrupt;
pub mod journal;
mod numbers;
mod odds;
pub mod panel;
mod past;
mod points;
mod reload;
pub mod report;
pub mod session;
mod show;
mod sight;
pub mod svg;
pub(crate) mod typed;

pub use computer::line_text;
pub use session::{Reply, Session, Setup};

use editor::Words;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

/// The most lines of history that are kept.
const HISTORY: usize = 1000;

/// Plays at a terminal until the player ends it; typed lines are kept in `history`.
///
/// # Errors
/// If the terminal cannot be read or written.
pub fn interactive(
    mut session: Session,
    greeting: &str,
    history: Option<PathBuf>,
    out: &mut impl Write,
) -> io::Result<()> {
    let color = if session.look().color { ColorMode::Enabled } else { ColorMode::Disabled };
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .color_mode(color)
        .max_history_size(HISTORY)
        .map_err(io::Error::other)?
        .auto_add_history(true)
        .build();
    let mut editor: Editor<Words, DefaultHistory> = Editor::with_config(config).map_err(io::Error::other)?;
    let mut words = Words::default();
    words.refresh(&session);
    editor.set_helper(Some(words));
    // What cannot be kept is no reason to fail, and no history yet is no error.
    if let Some(path) = &history {
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = editor.load_history(path);
    }
    write!(out, "{greeting}")?;
    out.flush()?;
    crate::interrupt::listen();
    let mut empty = false;
    loop {
        // While a line is typed Ctrl-C is a key; from its end on it is meant for the command.
        crate::interrupt::forget();
        match editor.readline(&session.prompt()) {
            Ok(line) => {
                empty = false;
                if let Some(path) = &history {
                    // Line by line: the program may be killed at any moment.
                    let _ = editor.append_history(path);
                }
                let reply = session.execute(&line);
                write!(out, "{}", reply.text)?;
                out.flush()?;
                if reply.done {
                    return Ok(());
                }
                if let Some(words) = editor.helper_mut() {
                    words.refresh(&session);
                }
            }
            Err(ReadlineError::Interrupted) => {
                if empty {
                    writeln!(out, "'quit' or Ctrl-D ends.")?;
                    out.flush()?;
                }
                empty = !empty;
            }
            Err(ReadlineError::Eof) => return Ok(()),
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                writeln!(out, "What was typed is not UTF-8: it was not understood.")?;
                out.flush()?;
            }
            Err(ReadlineError::Io(error)) => return Err(error),
            Err(error) => return Err(io::Error::other(error)),
        }
    }
}

/// Plays from a pipe or file: no prompt; results go to `out`, refusals to `err`. Says whether every
/// line was accepted.
///
/// # Errors
/// If reading or writing fails.
pub fn piped(
    mut session: Session,
    greeting: &str,
    input: impl BufRead,
    out: &mut impl Write,
    err: &mut impl Write,
) -> io::Result<bool> {
    let mut accepted = true;
    write!(out, "{greeting}")?;
    for (number, line) in input.split(b'\n').enumerate() {
        let line = line?;
        let reply = session.execute(&String::from_utf8_lossy(&line));
        if reply.error {
            accepted = false;
            write!(err, "line {}: {}", number + 1, reply.text)?;
        } else {
            write!(out, "{}", reply.text)?;
        }
        // Whoever wrote the line may be waiting for the answer.
        out.flush()?;
        if reply.done {
            break;
        }
    }
    out.flush()?;
    Ok(accepted)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod reload_tests;

#[cfg(test)]
mod sight_tests;

#[cfg(test)]
mod computer_tests;
