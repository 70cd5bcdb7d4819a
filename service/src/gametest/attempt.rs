//! Attempts of a line in a test, and their results: for lines that must be refused. A misspelled word must not count as a
//! refusal.
//!
//! A word is known if it has the form of a move, or if the script could offer it as a choice. Choices are texts of scripts,
//! so known choices consist of words in the script, numbers and squares.

use super::file::{Act, GameFile, Line};
use crate::input::{self, InputError, InputHandler};
use astragal_core::{Game, GameError, Status};
use astragal_dsl::notation::{is_move, nearest};
use astragal_dsl::{Loaded, game_text, library};

/// The result of an attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Attempt {
    /// The event was applied.
    Done,
    /// The rules do not permit it; with the reason.
    Refused(String),
    /// A rule fails.
    Fails(String),
    /// The line contains nothing that could be permitted or refused: the column, the reason, and help.
    Unfit(usize, String, Option<String>),
}

/// Applies `act`, which starts at column `at`, in `game`. Of several moves, all but the last must be legal. Do not continue
/// a game after a refusal.
pub(super) fn attempt(loaded: &Loaded, game: &mut Game, at: usize, text: &str, act: &Act) -> Attempt {
    match act {
        Act::Roll(faces) => roll(loaded, game, faces),
        Act::Pass => done(loaded, game, "pass"),
        Act::Choose(at, choice) => match known_choice(loaded, game, choice) {
            true => choose(loaded, game, choice),
            false => unknown_choice(loaded, *at, choice),
        },
        Act::Words(all) if is_one_choice(loaded, game, text, all) => choose(loaded, game, text),
        Act::Words(all) => in_turn(loaded, game, all),
        _ => match text.strip_prefix("roll ") {
            Some(square) => draw(loaded, game, at, square.trim()),
            None => {
                let help = "write a roll, moves, a choice or 'pass' after 'refused'".to_owned();
                Attempt::Unfit(at, format!("'refused' cannot test '{text}'"), Some(help))
            }
        },
    }
}

/// Attempts the last line of a file.
pub(crate) fn attempt_line(loaded: &Loaded, game: &mut Game, line: &Line) -> Attempt {
    attempt(loaded, game, line.column, &line.text, &line.act)
}

/// All lines of a file but the last, and the last.
pub(crate) fn split_last(file: &GameFile) -> Option<(GameFile, Line)> {
    let mut before = file.clone();
    let last = before.lines.pop()?;
    Some((before, last))
}

/// Whether several words are one choice, rather than moves and choices in sequence.
fn is_one_choice(loaded: &Loaded, game: &Game, text: &str, all: &[(usize, String)]) -> bool {
    let [(_, first), _, ..] = all else { return false };
    let moves = all.iter().all(|(_, word)| is_move(&loaded.set.variant, game_text::die_prefix(word).1));
    let found = |text: &str| game_text::find_choice(game.state(), text).is_ok();
    found(text) || !moves && !found(first) && known_choice(loaded, game, text)
}

fn in_turn(loaded: &Loaded, game: &mut Game, all: &[(usize, String)]) -> Attempt {
    for (number, (at, word)) in (1..).zip(all) {
        if !known(loaded, game, word) {
            let help = if game.status() == Status::Choice {
                unknown_choice_help(loaded, word)
            } else {
                Some("write a move such as 'e2e4', 'Nf3' or 'P@e4', or a choice as in the script".into())
            };
            return Attempt::Unfit(*at, format!("'{word}' is neither a move nor a choice of this script"), help);
        }
        match done(loaded, game, word) {
            Attempt::Refused(why) if number < all.len() => {
                let help = "'refused' tests the last move; all moves before it must be legal".to_owned();
                return Attempt::Unfit(
                    *at,
                    format!("the earlier move '{word}' is not legal: {}", why.trim_end()),
                    Some(help),
                );
            }
            Attempt::Done => {}
            other => return other,
        }
    }
    Attempt::Done
}

/// Applies a move (with or without its die), a choice or a pass.
fn done(loaded: &Loaded, game: &mut Game, word: &str) -> Attempt {
    match input::step(loaded, game, word) {
        Ok(()) => Attempt::Done,
        Err(InputError::Rule(why)) => Attempt::Fails(why),
        Err(InputError::Refused(why)) => Attempt::Refused(why.text),
    }
}

fn choose(loaded: &Loaded, game: &mut Game, text: &str) -> Attempt {
    match game_text::find_choice(game.state(), text).map(|index| game.choose(index)) {
        Ok(Ok(())) => Attempt::Done,
        Ok(Err(error)) => failed(loaded, game, &error),
        Err(error) => Attempt::Refused(error.brief()),
    }
}

fn roll(loaded: &Loaded, game: &mut Game, faces: &[i16]) -> Attempt {
    let before = game.entries().len();
    let rolled = match faces {
        [] => game.roll().map(|_| Vec::new()),
        _ => game_text::roll(game, faces),
    };
    match rolled {
        // If the dice were rolled again, the given roll does not count.
        Ok(again) if game.entries().len() == before => {
            Attempt::Refused(again.iter().map(|dice| game_text::again(dice)).collect::<Vec<_>>().join(" "))
        }
        Ok(_) => Attempt::Done,
        Err(error) => failed(loaded, game, &error),
    }
}

/// Applies the draw of a square or move by its name.
fn draw(loaded: &Loaded, game: &mut Game, at: usize, name: &str) -> Attempt {
    let variant = &loaded.set.variant;
    if variant.board().parse(name).is_none() && !is_move(variant, name) {
        return Attempt::Unfit(at, format!("'{name}' is neither a face nor a square or move of this board"), None);
    }
    match game_text::read_roll(game.state(), name) {
        Ok(faces) => roll(loaded, game, &faces),
        Err(_) => Attempt::Refused(format!("{name} cannot be drawn here")),
    }
}

fn failed(loaded: &Loaded, game: &Game, error: &GameError) -> Attempt {
    let why = InputHandler(Some(loaded)).refusal(game, error);
    if matches!(error, GameError::Rule(_)) { Attempt::Fails(why) } else { Attempt::Refused(why) }
}

/// Whether a word could be permitted or refused at all.
fn known(loaded: &Loaded, game: &Game, word: &str) -> bool {
    let (_, text) = game_text::die_prefix(word);
    game_text::is_pass(word) || is_move(&loaded.set.variant, text) || known_choice(loaded, game, word)
}

/// Whether the script could offer a choice with this text. It could if it offers it now, if the text is a number or a
/// square, or if each word of it is one or appears in a string of the script.
fn known_choice(loaded: &Loaded, game: &Game, text: &str) -> bool {
    if game_text::find_choice(game.state(), text).is_ok() {
        return true;
    }
    let literals = literals(loaded);
    let given = |word: &str| {
        let is_number = word.parse::<i64>().is_ok();
        is_number
            || loaded.set.variant.board().parse(word).is_some()
            // Words for dice to keep or roll again.
            || matches!(word, "keep" | "roll" | "all")
            || literals.iter().any(|literal| parts(literal).any(|part| part.eq_ignore_ascii_case(word)))
    };
    parts(text).count() > 0 && parts(text).all(given)
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty())
}

fn unknown_choice(loaded: &Loaded, at: usize, choice: &str) -> Attempt {
    let why = format!("this script has no choice '{choice}'");
    Attempt::Unfit(at, why, unknown_choice_help(loaded, choice))
}

fn unknown_choice_help(loaded: &Loaded, choice: &str) -> Option<String> {
    let literals = literals(loaded);
    nearest(choice, literals.iter().map(String::as_str)).map(|near| format!("did you mean '{near}'?"))
}

/// The string literals of a script and of those that it imports.
fn literals(loaded: &Loaded) -> Vec<String> {
    let mut texts = quoted(&loaded.source.text);
    let bases: Vec<_> = texts.iter().filter_map(|name| library::bundled(name)).collect();
    texts.extend(bases.iter().flat_map(|base| quoted(&base.text)));
    texts
}

fn quoted(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut letters = script.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '/' if letters.peek() == Some(&'/') => {
                letters.by_ref().find(|&c| c == '\n');
            }
            '"' | '`' => {
                let mut text = String::new();
                while let Some(inner) = letters.next().filter(|&inner| inner != c) {
                    text.push(if inner == '\\' { letters.next().unwrap_or(' ') } else { inner });
                }
                found.push(text);
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_of_a_script() {
        let script = "// \"no\"\nchoose([\"retreat\", `hold ${n}`]); let a = \"a \\\"b\\\"\"; 4 / 2";
        assert_eq!(quoted(script), ["retreat", "hold ${n}", "a \"b\""]);
    }
}
