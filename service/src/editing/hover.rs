//! Hover texts in `.game` files: the game at a line of play, and the meaning of headers and words.

use super::document::{Content, GameDocument, Stopped};
use crate::drawing::board::{self, Theme};
use crate::gametest::file::{self, Act, GameFile, Line, Question, WORDS};
use crate::gametest::loader::Loader;
use crate::gametest::play::Playthrough;
use crate::report;
use astragal_core::{Game, Position};
use astragal_dsl::printable::printable;
use astragal_dsl::{Loaded, OptionDef};
use astragal_editor::markdown::{block, without_pictures};
use std::ops::Range;
use std::sync::Arc;

/// A hover text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameHover {
    /// The byte range that it describes.
    pub span: Range<usize>,
    /// The text in Markdown.
    pub markdown: String,
}

/// The hover text at an offset; `None` on blank lines and comments. On a line of play, it shows the board, the dice and
/// the side to move before the line, or after it if the line is the last. On a header, it shows the meaning. `loaded`
/// is the variant of the file. Without it, only the meanings of headers and words are shown.
pub fn hover(document: &GameDocument, loaded: Option<&Arc<Loaded>>, offset: usize) -> Option<GameHover> {
    let hover = described(document, loaded, offset)?;
    Some(GameHover { markdown: printable(&hover.markdown).into_owned(), ..hover })
}

fn described(document: &GameDocument, loaded: Option<&Arc<Loaded>>, offset: usize) -> Option<GameHover> {
    let number = document.line_at(offset);
    let contains = |span: &Range<usize>| span.start <= offset && offset <= span.end;
    match document.content(number) {
        Content::Blank => None,
        Content::Header { key, value } => {
            let span = key.start..value.end.max(key.end);
            let markdown = header(document, loaded, &document.text()[key], value, offset)?;
            contains(&span).then_some(GameHover { span, markdown })
        }
        Content::Play(span) => {
            let word = document.text()[span.clone()].split_whitespace().next().unwrap_or_default();
            let is_on_word = offset <= span.start + word.len() && WORDS.contains(&word);
            let about = file::about(word).filter(|_| is_on_word).map(|about| format!("`{word}`: {about}"));
            let shown = loaded.map(|loaded| at_line(document, loaded, number));
            let markdown = about.into_iter().chain(shown).collect::<Vec<_>>().join("\n\n");
            (contains(&span) && !markdown.is_empty()).then_some(GameHover { span, markdown })
        }
    }
}

/// The meaning of a header, and details about its value.
fn header(
    document: &GameDocument,
    loaded: Option<&Arc<Loaded>>,
    key: &str,
    value: Range<usize>,
    offset: usize,
) -> Option<String> {
    let mut parts = vec![format!("`{key}`: {}", file::about(key)?)];
    if let Some(loaded) = loaded {
        match key {
            "variant" => parts.push(about(loaded)),
            "options" => parts.push(options(document, loaded, value, offset)),
            "position" => match document.game_before(loaded, 1) {
                Ok(game) => parts.push(shown(&game, loaded)),
                Err(stopped) => parts.push(stopped_at(&stopped)),
            },
            _ => {}
        }
    }
    Some(parts.join("\n\n"))
}

/// The title of the script and the comment that describes it.
fn about(loaded: &Loaded) -> String {
    let text = format!("**{}**\n\n{}", loaded.title, loaded.about);
    without_pictures(text.trim_end())
}

/// The option at an offset, or all options of the script.
fn options(document: &GameDocument, loaded: &Loaded, value: Range<usize>, offset: usize) -> String {
    let text = &document.text()[value.clone()];
    let at = offset.saturating_sub(value.start).min(text.len());
    let start = text.get(..at).and_then(|before| before.rfind(char::is_whitespace)).map_or(0, |blank| blank + 1);
    let word = text.get(start..).unwrap_or_default().split_whitespace().next().unwrap_or_default();
    let name = word.split('=').next().unwrap_or_default();
    let named = loaded.options.iter().find(|option| option.name == name && offset >= value.start);
    let line = |option: &OptionDef| {
        let values: Vec<String> = option.values.iter().map(|value| format!("`{value}`")).collect();
        let why = if option.why.is_empty() { String::new() } else { format!(" {}", without_pictures(&option.why)) };
        format!("- `{}`: {} (default `{}`).{why}", option.name, values.join(", "), option.default)
    };
    match (named, loaded.options.as_slice()) {
        (Some(option), _) => line(option),
        (None, []) => "This script has no options.".into(),
        (None, all) => all.iter().map(line).collect::<Vec<_>>().join("\n"),
    }
}

/// The game before a line, or after it if it is the last.
fn at_line(document: &GameDocument, loaded: &Arc<Loaded>, number: usize) -> String {
    let game = match document.game_before(loaded, number) {
        Ok(game) => game,
        Err(stopped) => return stopped_at(&stopped),
    };
    let file = document.file();
    let is_last = file.lines.last().is_some_and(|line| line.number == number) && document.unread() != Some(number);
    let line = file.lines.iter().find(|line| line.number == number);
    match line {
        Some(line) if is_last => match document.game_before(loaded, number + 1) {
            Ok(after) => format!("After this line:\n\n{}{}", shown(&after, loaded), answer(file, loaded, line)),
            Err(stopped) => format!("Before this line:\n\n{}\n\n{}", shown(&game, loaded), stopped_at(&stopped)),
        },
        Some(line) => format!("Before this line:\n\n{}{}", shown(&game, loaded), answer(file, loaded, line)),
        None => format!("Before this line:\n\n{}", shown(&game, loaded)),
    }
}

/// The board, and the decision or roll that the game waits for.
fn shown(game: &Game, loaded: &Loaded) -> String {
    format!("{}\n\n{}", board(loaded, game.state().position()), report::status(game, None).trim_end())
}

fn board(loaded: &Loaded, position: &Position) -> String {
    let drawn = board::draw(&loaded.set.variant, position, Theme::default());
    block("text", &drawn)
}

/// The output of a question, unless it takes long to compute.
fn answer(file: &GameFile, loaded: &Arc<Loaded>, line: &Line) -> String {
    let shows_more = |question: &Question| {
        matches!(question, Question::Moves | Question::State | Question::History | Question::Outcome)
            || matches!(question, Question::Refused(..))
    };
    if !matches!(&line.act, Act::Ask(question) if shows_more(question)) {
        return String::new();
    }
    let until = file.before_line(line.number + 1);
    let mut loader = Loader::of_loaded(Arc::clone(loaded));
    let Ok(mut play) = Playthrough::begin(&until, &mut loader) else { return String::new() };
    while play.lines_left() > 1 {
        if !play.skip_question() && play.play_line().is_err() {
            return String::new();
        }
    }
    let before = play.text().len();
    match play.play_line() {
        Ok(_) => {
            let text = play.text().get(before..).unwrap_or_default();
            let (_, output) = text.split_once('\n').unwrap_or_default();
            let output = block("text", output);
            if output.is_empty() { output } else { format!("\n\nOutput:\n\n{output}") }
        }
        Err(error) => format!("\n\n{}", stopped_at(&Stopped::of(&error))),
    }
}

fn stopped_at(stopped: &Stopped) -> String {
    match stopped.line {
        Some(line) => format!("The game stops at line {line}: {}.", stopped.why.trim_end_matches('.')),
        None => format!("The game cannot begin: {}.", stopped.why.trim_end_matches('.')),
    }
}

#[cfg(test)]
#[path = "hover_tests.rs"]
mod tests;
