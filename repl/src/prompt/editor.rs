//! The line editor of the prompt: completion, hints and colors for legal input.

use super::commands::{self, COMMANDS};
use super::declaration::Command;
use super::pasted;
use super::session::Session;
use astragal_core::{Game, Status};
use astragal_dsl::printable::in_a_line;
use astragal_dsl::{Loaded, game_text};
use astragal_service::{analysis, interrupt};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, ConditionalEventHandler, Context, Event, EventContext, Helper, KeyCode, KeyEvent, Modifiers, RepeatCount,
    Result,
};
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

/// Odds are hinted only if the dice of a capture or contest have at most this many outcomes.
const CHEAP: u64 = 2000;
/// Hints that take longer are not shown while the user types.
const QUICKLY: Duration = Duration::from_millis(100);
/// The maximum number of outcomes in hinted odds.
const FEW: usize = 4;

/// The longest line with a hint, and the longest word with a color.
const LONGEST: usize = 200;
/// The longest line that can be typed. The editor redraws the whole line at each key; pasted text may be longer.
const TYPED: usize = 1000;

/// Rejects further characters when a line has the greatest length for typing.
pub(super) struct LineLimit;

impl ConditionalEventHandler for LineLimit {
    fn handle(&self, event: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let command = Modifiers::CTRL | Modifiers::ALT;
        let letter = matches!(event.get(0), Some(KeyEvent(KeyCode::Char(_), with)) if !with.intersects(command));
        (letter && context.line().len() >= TYPED).then_some(Cmd::Noop)
    }
}

/// The input that is possible now; refreshed after each line.
#[derive(Default)]
pub(super) struct PromptHelper {
    first: Vec<String>,
    /// The possible arguments of each command, in the order of the commands.
    arguments: Vec<Vec<String>>,
    color: bool,
    files: FilenameCompleter,
    /// The game, if the player may know the legal moves.
    game: Option<(Arc<Loaded>, Game)>,
    /// The move with the last requested odds, and the odds.
    odds: RefCell<(String, Option<String>)>,
}

/// Gray text after the cursor; the user can accept its beginning.
pub(super) struct Suggestion {
    text: String,
    taken: usize,
}

impl Hint for Suggestion {
    fn display(&self) -> &str {
        &self.text
    }

    fn completion(&self) -> Option<&str> {
        Some(&self.text[..self.taken]).filter(|text| !text.is_empty())
    }
}

impl PromptHelper {
    /// Updates the helper from the session.
    pub(super) fn refresh(&mut self, session: &Session) {
        // The editor writes directly to the terminal.
        let shown = |words: Vec<String>| words.iter().map(|word| in_a_line(word).into_owned()).collect();
        self.first = shown(session.vocabulary());
        self.arguments = COMMANDS.iter().map(|command| shown(command.completions(session))).collect();
        self.color = session.theme().color;
        self.game = session.open_game();
        self.odds.take();
    }

    /// The start of the word at the cursor, and its completions.
    fn candidates(&self, line: &str, pos: usize) -> (usize, Vec<String>) {
        let before = line.get(..pos).unwrap_or(line);
        let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let (word, head) = (&before[start..], before[..start].trim());
        let pool = match head.split_whitespace().next() {
            None => &self.first,
            Some(first) => match commands::find(first) {
                Some(command) => match self.after(command) {
                    Some(words) => words,
                    None => return (start, Vec::new()),
                },
                None => &self.first,
            },
        };
        let fits =
            |option: &&String| option.get(..word.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(word));
        let mut found: Vec<String> = pool.iter().filter(fits).cloned().collect();
        // Nf3 and nf3 are different moves; matches with the same case come first.
        found.sort_by_key(|option| !option.starts_with(word));
        if found.first().is_some_and(|option| option.starts_with(word)) {
            found.retain(|option| option.starts_with(word));
        }
        (start, found)
    }

    /// The possible arguments of a command.
    fn after(&self, command: &Command) -> Option<&Vec<String>> {
        self.arguments.get(COMMANDS.iter().position(|other| other.name == command.name)?)
    }

    /// Whether a word is the name of a file.
    fn is_file(line: &str, pos: usize) -> bool {
        let before = line.get(..pos).unwrap_or(line);
        let Some((first, rest)) = before.trim_start().split_once(' ') else { return false };
        let word = rest.rsplit(' ').next().unwrap_or_default();
        commands::find(first).is_some_and(|command| command.takes_file(word))
    }

    /// Whether `word` is a legal move, choice or pass.
    fn is_permitted(&self, word: &str) -> bool {
        let Some((_, game)) = &self.game else { return self.first.iter().any(|known| known == word) };
        let state = game.state();
        match state.status() {
            Status::Move | Status::Choice if game_text::find_choice(state, word).is_ok() => true,
            Status::Move | Status::Choice => {
                let found = game_text::find_answer(state, word, None);
                matches!(found, Ok(_) | Err(game_text::AnswerError::Die { .. }))
            }
            Status::Chance | Status::Over => false,
        }
    }

    /// The outcomes of a complete move, if they depend on dice and are quick to compute.
    fn chances(&self, word: &str) -> Option<String> {
        let (loaded, game) = self.game.as_ref().filter(|(_, game)| game.status() == Status::Move)?;
        let mut known = self.odds.borrow_mut();
        if known.0 != word {
            *known = (word.to_owned(), chances(loaded, game, word));
        }
        known.1.clone()
    }
}

fn chances(loaded: &Loaded, game: &Game, word: &str) -> Option<String> {
    let (turn, mut game) = (game.state().turn(), game.clone());
    analysis::sequence::follow(&mut game, word, None).ok()?;
    let asks = game.state().turn() == turn && game.status() == Status::Chance;
    game.state().dice().filter(|dice| asks && dice.outcomes() <= CHEAP)?;
    let found = interrupt::with_deadline(QUICKLY, || analysis::outcomes(loaded, game.state(), turn));
    let mut outcomes = found.ok()?;
    outcomes.sort_by(|a, b| b.probability.to_f64().total_cmp(&a.probability.to_f64()));
    let one = |outcome: &analysis::Outcome| {
        format!("{:.0}% {}", outcome.probability.to_f64() * 100.0, in_a_line(&outcome.effect))
    };
    let more = if outcomes.len() > FEW { ", ..." } else { "" };
    let texts: Vec<String> = outcomes.iter().take(FEW).map(one).collect();
    (outcomes.len() > 1).then(|| format!("  {}{more}", texts.join(", ")))
}

impl Completer for PromptHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, context: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        if PromptHelper::is_file(line, pos) {
            return self.files.complete(line, pos, context);
        }
        let (start, found) = self.candidates(line, pos);
        Ok((start, found.into_iter().map(|word| Pair { display: word.clone(), replacement: word }).collect()))
    }
}

impl Hinter for PromptHelper {
    type Hint = Suggestion;

    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<Suggestion> {
        if line.len() >= TYPED {
            return Some(Suggestion { text: "  (paste a longer line)".into(), taken: 0 });
        }
        if line.trim().is_empty() || pos < line.len() || line.len() > LONGEST || PromptHelper::is_file(line, pos) {
            return None;
        }
        let (start, found) = self.candidates(line, pos);
        let typed = &line[start..];
        let word = found.iter().find(|word| !typed.is_empty() && word.starts_with(typed));
        let rest = word.and_then(|word| word.get(typed.len()..)).unwrap_or_default();
        let alone = start == 0 || matches!(line[..start].trim(), "odds" | "move");
        let odds = word.filter(|_| alone && rest.len() < 3).and_then(|word| self.chances(word)).unwrap_or_default();
        let text = format!("{rest}{odds}");
        (!text.is_empty()).then_some(Suggestion { text, taken: rest.len() })
    }
}

impl Highlighter for PromptHelper {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let body = line.trim_start();
        let length = body.find(char::is_whitespace).unwrap_or(body.len());
        let (word, rest) = body.split_at(length);
        if !self.color || word.is_empty() || word.starts_with('#') {
            return Cow::Borrowed(line);
        }
        let code = match () {
            () if word.len() > LONGEST => "31",
            () if self.is_permitted(word) => "32",
            () if commands::find(word).is_some() => "36",
            // An incomplete word is neither right nor wrong.
            () if rest.is_empty() && !self.candidates(word, word.len()).1.is_empty() => return Cow::Borrowed(line),
            () => "31",
        };
        let blanks = &line[..line.len() - body.len()];
        Cow::Owned(format!("{blanks}\x1b[{code}m{word}\x1b[0m{rest}"))
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.color
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.color { Cow::Owned(format!("\x1b[1m{prompt}\x1b[0m")) } else { Cow::Borrowed(prompt) }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.color { Cow::Owned(format!("\x1b[2m{hint}\x1b[0m")) } else { Cow::Borrowed(hint) }
    }
}

impl Validator for PromptHelper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        // The last command of pasted text may be incomplete.
        let unfinished = pasted::commands(context.input()).last().is_some_and(|line| pasted::goes_on(line));
        let forced = context.input().ends_with('\n');
        Ok(if unfinished && !forced { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Helper for PromptHelper {}

#[cfg(test)]
#[path = "editor_tests.rs"]
mod tests;
