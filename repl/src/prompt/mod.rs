//! `astragal play`: the prompt, for people at a terminal and for pipes.
//!
//! Both run the same [`Session`]; only the reading of lines differs.

mod ask;
mod automatic;
mod automatic_settings;
mod autosave;
pub mod commands;
mod computer;
mod declaration;
mod editor;
pub(crate) mod files;
mod interpreter;
mod journal;
mod observation;
mod odds;
mod pages;
mod pasted;
mod records;
mod reload;
mod save_folder;
mod session;
mod show;
mod sides;
mod undo;
mod watch;
mod whose_view;
pub(crate) mod wrap;

pub use session::{Reply, Session, Setup};

use crate::screen::Screen;
use editor::{LineLimit, PromptHelper};
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor, Event, EventHandler};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

/// The maximum number of lines of history that are kept.
const HISTORY: usize = 1000;

/// The line editor of the prompt.
type LineEditor = Editor<PromptHelper, DefaultHistory>;

/// Plays at a terminal until the player quits; typed lines are kept in `history`. Returns whether all games are saved that
/// should be.
///
/// # Errors
/// If the terminal cannot be read or written.
pub(crate) fn interactive(
    mut session: Session,
    greeting: &str,
    history: Option<PathBuf>,
    out: &mut impl Screen,
) -> io::Result<bool> {
    let history = history.filter(|path| is_plain(path));
    let color = if session.theme().color { ColorMode::Enabled } else { ColorMode::Disabled };
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .color_mode(color)
        .max_history_size(HISTORY)
        .map_err(io::Error::other)?
        .auto_add_history(true)
        .build();
    let mut editor: LineEditor = Editor::with_config(config).map_err(io::Error::other)?;
    let mut words = PromptHelper::default();
    words.refresh(&session);
    editor.set_helper(Some(words));
    editor.bind_sequence(Event::Any, EventHandler::Conditional(Box::new(LineLimit)));
    // A history that cannot be kept is not an error, nor is a missing one.
    if let Some(path) = &history {
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = editor.load_history(path);
    }
    write!(out, "{greeting}")?;
    out.flush()?;
    crate::signals::listen(&session.stop);
    // Players see the result of their command before the computer starts thinking.
    session.tell_apart();
    if let Some(reply) = session.computers_reply() {
        show(&reply, &mut editor, out)?;
    }
    write!(out, "{}", session.first_words())?;
    out.flush()?;
    let mut empty = false;
    loop {
        // While a line is typed, Ctrl-C is a key; after that, it interrupts the command.
        session.stop.clear();
        match editor.readline(&session.prompt()) {
            Ok(text) => {
                empty = false;
                if let Some(path) = &history {
                    // Saved line by line, because the program may be killed at any time.
                    let _ = editor.append_history(path);
                }
                // The window may have been resized.
                session.columns = editor.dimensions().map(|(columns, _)| usize::from(columns));
                if carry_out(&mut session, &text, &mut editor, out)? {
                    return ended(&session, out);
                }
                if let Some(words) = editor.helper_mut() {
                    words.refresh(&session);
                }
            }
            Err(ReadlineError::Interrupted) => {
                if empty {
                    writeln!(out, "To leave, type 'quit' or press Ctrl-D.")?;
                    out.flush()?;
                }
                empty = !empty;
            }
            Err(ReadlineError::Eof) => return ended(&session, out),
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                writeln!(out, "This line is not UTF-8 and was ignored.")?;
                out.flush()?;
            }
            Err(ReadlineError::Io(error)) => return Err(error),
            Err(error) => return Err(io::Error::other(error)),
        }
    }
}

/// Whether the history file can be read and written without blocking: it is a regular file or does not exist yet.
fn is_plain(path: &Path) -> bool {
    std::fs::metadata(path).map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |found| found.is_file())
}

/// Whether all games are saved; prints a warning if not.
fn ended(session: &Session, out: &mut impl Write) -> io::Result<bool> {
    if !session.all_saved() {
        writeln!(out, "At least one game of this session was not saved.")?;
        out.flush()?;
    }
    Ok(session.all_saved())
}

/// Carries out typed input: one command, or several pasted ones. Commands after a refused or stopped one are left out.
/// Returns whether the session ends.
fn carry_out(session: &mut Session, text: &str, editor: &mut LineEditor, out: &mut impl Screen) -> io::Result<bool> {
    let all = pasted::commands(text);
    for (i, line) in all.iter().enumerate() {
        if i > 0 {
            writeln!(out, "{}{line}", session.prompt())?;
        }
        let reply = session.execute(line);
        show(&reply, editor, out)?;
        if reply.done {
            return Ok(true);
        }
        if let Some(reply) = session.computers_reply() {
            show(&reply, editor, out)?;
        }
        let left = all.len() - i - 1;
        if left > 0 && (reply.error || session.stop.is_requested()) {
            let lines = if left == 1 { "line was" } else { "lines were" };
            writeln!(out, "{left} more pasted {lines} ignored.")?;
            out.flush()?;
            break;
        }
    }
    Ok(false)
}

/// Shows an answer on the screen of an editor: long lines are wrapped, and long texts stop at the end of each page.
fn show(reply: &Reply, editor: &mut LineEditor, out: &mut impl Screen) -> io::Result<()> {
    if reply.clear {
        out.clear()?;
    }
    let Some((columns, rows)) = editor.dimensions().filter(|_| !reply.verbatim) else {
        write!(out, "{}", reply.text)?;
        return out.flush();
    };
    let text = wrap::wrapped(&reply.text, usize::from(columns));
    if reply.paged {
        // Answers at the end of a page are not commands and do not belong in the history.
        editor.set_auto_add_history(false);
        let shown = pages::write(&text, usize::from(rows), |question| page_key(editor, question), out);
        editor.set_auto_add_history(true);
        return shown;
    }
    write!(out, "{text}")?;
    out.flush()
}

/// The answer at the end of a page; `None` for Ctrl-C and Ctrl-D.
fn page_key(editor: &mut LineEditor, question: &str) -> io::Result<Option<String>> {
    match editor.readline(question) {
        Ok(text) => Ok(Some(text)),
        Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(None),
        Err(ReadlineError::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Plays from a pipe or file, without a prompt: results go to `out`, refusals to `err`. Returns whether every line was
/// accepted and all games are saved that should be.
///
/// # Errors
/// If reading or writing fails.
pub(crate) fn piped(
    mut session: Session,
    greeting: &str,
    input: impl BufRead,
    out: &mut impl Write,
    err: &mut impl Write,
) -> io::Result<bool> {
    let mut accepted = true;
    write!(out, "{greeting}")?;
    // The writer of the first line may be waiting for this output.
    out.flush()?;
    let mut open = String::new();
    let mut input = (1..).zip(pasted::bounded(input, interpreter::MAX_LINE)).peekable();
    while let Some((number, line)) = input.next() {
        open.push_str(&String::from_utf8_lossy(&line?));
        // Do not wait for a later line unless it belongs to this command.
        if pasted::goes_on(&open) && input.peek().is_some() {
            open.push('\n');
            continue;
        }
        let reply = session.execute(&std::mem::take(&mut open));
        if reply.error {
            accepted = false;
            write!(err, "line {number}: {}", reply.text)?;
        } else {
            write!(out, "{}", reply.text)?;
        }
        // The writer of the line may be waiting for the answer.
        out.flush()?;
        if reply.done {
            break;
        }
    }
    out.flush()?;
    if !session.all_saved() {
        writeln!(err, "At least one game of this session was not saved.")?;
    }
    Ok(accepted && session.all_saved())
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod fault_tests;

#[cfg(test)]
mod reload_tests;

#[cfg(test)]
mod observation_tests;

#[cfg(test)]
mod computer_tests;

#[cfg(test)]
mod odds_tests;
