//! `astragal play`: the prompt, for people at a terminal and for pipes.
//!
//! Both run the same [`Session`]; only reading lines differs.

pub mod board;
pub mod commands;
mod computer;
mod editor;
pub mod files;
mod interrupt;
mod numbers;
mod odds;
mod reload;
pub mod report;
pub mod session;
mod sight;

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

/// Plays at a terminal until the player ends it.
///
/// # Errors
/// If the terminal cannot be read or written.
pub fn interactive(mut session: Session, greeting: &str, out: &mut impl Write) -> io::Result<()> {
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
    let history = history_file();
    if let Some(path) = &history {
        // No history yet is no error.
        let _ = editor.load_history(path);
    }
    write!(out, "{greeting}")?;
    out.flush()?;
    loop {
        match editor.readline(&session.prompt()) {
            Ok(line) => {
                let reply = session.execute(&line);
                write!(out, "{}", reply.text)?;
                out.flush()?;
                if reply.done {
                    break;
                }
                if let Some(words) = editor.helper_mut() {
                    words.refresh(&session);
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(ReadlineError::Io(error)) => return Err(error),
            Err(error) => return Err(io::Error::other(error)),
        }
    }
    if let Some(path) = &history {
        // A history that cannot be kept is no reason to fail.
        let _ = editor.save_history(path);
    }
    Ok(())
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
            out.flush()?;
            write!(err, "line {}: {}", number + 1, reply.text)?;
        } else {
            write!(out, "{}", reply.text)?;
        }
        if reply.done {
            break;
        }
    }
    out.flush()?;
    Ok(accepted)
}

/// Where the history of typed lines is kept: the state directory.
fn history_file() -> Option<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = var("XDG_STATE_HOME").or_else(|| var("HOME").map(|home| home.join(".local/state")))?;
    let folder = base.join("astragal");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod reload_tests;

#[cfg(test)]
mod sight_tests;

#[cfg(test)]
mod computer_tests;
