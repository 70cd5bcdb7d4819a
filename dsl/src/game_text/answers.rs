//! Answers to what a game waits for, read and written: moves in coordinates or algebraic notation, choices, rolls.

use super::awaited::{awaited, waits_for};
use super::options::{choices, distinct, drawn, faces, option_name, variant};
use super::payment::{die_prefix, has_to_be_named, paid_by, same_dice, with_die};
use crate::notation::{NotationError, coord, nearest, san, stations};
use astragal_core::{Event, Game, GameError, Move, Paid, State, Status};
use thiserror::Error;

/// Why a text is no answer to what the game waits for.
#[derive(Clone, Debug, Error)]
pub enum AnswerError {
    /// It is no move, or none that is permitted.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Several dice could pay, and the turn goes on differently.
    #[error("'{text}' can be paid by {}: write {}", list(.dice), spellings(.dice, .text))]
    Die {
        /// The move.
        text: String,
        /// What each way of paying costs.
        dice: Vec<Vec<i16>>,
    },
    /// The die named does not pay for this move.
    #[error("{} does not pay for '{text}', but {} does", faces(.die), list(.dice))]
    Price {
        /// The move.
        text: String,
        /// The die named.
        die: Vec<i16>,
        /// What would pay.
        dice: Vec<Vec<i16>>,
    },
    /// The text names a die, and another one was named beside it.
    #[error("'{text}' names its die, and beside it stands {}: name one", faces(.die))]
    Two {
        /// The move with its die.
        text: String,
        /// The other die.
        die: Vec<i16>,
    },
    /// There is no such choice.
    #[error("there is no choice '{text}'{}; they are {}", meant(.near), .options.join(", "))]
    Choice {
        /// The text.
        text: String,
        /// What could be chosen.
        options: Vec<String>,
        /// What was perhaps meant.
        near: Option<String>,
    },
    /// It is a move, and something to be chosen instead of one.
    #[error("'{text}' is a move and a choice: write '{coordinates}' for the move, 'choose {text}' for the choice")]
    Both {
        /// The text.
        text: String,
        /// The move in coordinates.
        coordinates: String,
    },
    /// It names none of the squares or moves that can be drawn.
    #[error("the game waits for {waits}: {why}")]
    Draw {
        /// What it waits for.
        waits: String,
        /// What was expected, and what was found.
        why: String,
    },
    /// The game waits for something else.
    #[error("{}", waits_for(waits.as_deref(), offered))]
    NotNow {
        /// What it waits for; `None` if it is over.
        waits: Option<String>,
        /// What was offered.
        offered: &'static str,
    },
}

impl AnswerError {
    /// The error without the notation and column, for texts of one word that are in sight.
    pub fn brief(&self) -> String {
        match self {
            AnswerError::Notation(error) => {
                let help = error.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
                format!("expected {}, found {}{help}", error.expected, error.found)
            }
            other => other.to_string(),
        }
    }
}

fn list(dice: &[Vec<i16>]) -> String {
    dice.iter().map(|d| faces(d)).collect::<Vec<_>>().join(" or by ")
}

fn spellings(dice: &[Vec<i16>], text: &str) -> String {
    dice.iter().map(|dice| format!("'{}'", paid_by(dice, text))).collect::<Vec<_>>().join(" or ")
}

fn meant(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("; did you mean '{near}'?")).unwrap_or_default()
}

/// A move in algebraic notation, or in coordinates where that would not be understood.
pub fn move_text(before: &State, paid: Paid) -> String {
    let moves = distinct(before);
    let (variant, position) = (&before.ruleset().variant, before.position());
    let text = san::write(variant, position, paid.mv, &moves);
    // A square beside the moves, to be pointed at, may be called as a pawn's move is.
    let chosen = !before.choices().is_empty() && find_choice(before, &text).is_ok();
    match find_move(before, &text, Some(&before.price(paid))) {
        Ok(found) if found == paid && !chosen => text,
        _ => coord::name(variant, position, paid.mv, &moves),
    }
}

/// A move in a record: as [`move_text`], but with both squares where that begins with a digit, as `2d4` does where two pieces
/// without a letter stand on one file: it would be read as the second move, d4.
pub(crate) fn record_text(before: &State, paid: Paid) -> String {
    let text = move_text(before, paid);
    match text.starts_with(|first: char| first.is_ascii_digit()) {
        true => coord::name(variant(before), before.position(), paid.mv, &distinct(before)),
        false => text,
    }
}

/// A move for people: by stations where the script has moves written so, else as [`move_text`].
pub fn shown_move(before: &State, paid: Paid) -> String {
    let text = stations::write(variant(before), before.position(), paid.mv, &distinct(before));
    match text.as_ref().map(|text| find_move(before, text, Some(&before.price(paid)))) {
        Some(Ok(found)) if found == paid => text.unwrap_or_default(),
        _ => move_text(before, paid),
    }
}

/// A move as people type it: as [`shown_move`], with the dice before it where it matters which pay.
pub fn typed_move(before: &State, paid: Paid) -> String {
    with_die(before, paid, &shown_move(before, paid))
}

/// A permitted move in any of its spellings.
fn spelt(state: &State, moves: &[Move], text: &str) -> Result<Move, NotationError> {
    let (variant, position) = (variant(state), state.position());
    if let Some(mv) = stations::find(variant, position, moves, text) {
        return Ok(mv);
    }
    if let Some(mv) = coord::found(variant, position, moves, text) {
        return Ok(mv);
    }
    san::find(variant, position, moves, text).or_else(|error| match like_coordinates(text) {
        true => coord::find(variant, position, moves, text),
        false => Err(error),
    })
}

/// The permitted move that `text` means, in coordinates, algebraic notation or by stations, and what pays for it: the dice
/// named before the move, as in `6:h1h5`, or else `die`.
///
/// # Errors
/// If no move is waited for, the text means none of the permitted moves, or it is open which dice pay.
pub fn find_move(state: &State, text: &str, die: Option<&[i16]>) -> Result<Paid, AnswerError> {
    if state.status() != Status::Move {
        return Err(AnswerError::NotNow { waits: awaited(state), offered: "a move" });
    }
    let (named, bare) = die_prefix(text);
    if let (Some(named), Some(die)) = (&named, die)
        && !same_dice(named, die)
    {
        return Err(AnswerError::Two { text: text.trim().into(), die: die.to_vec() });
    }
    let mv = spelt(state, &distinct(state), bare)?;
    let ways: Vec<Paid> = state.moves().iter().copied().filter(|paid| paid.mv == mv).collect();
    pay(state, &ways, bare, named.as_deref().or(die))
}

/// Whether a text looks like `e2e4` rather than `Nf3`.
fn like_coordinates(text: &str) -> bool {
    let mut letters = text.chars();
    let (first, second) = (letters.next(), letters.next());
    let third = letters.next();
    first.is_some_and(|c| c.is_ascii_lowercase())
        && second.is_some_and(|c| c.is_ascii_digit())
        && third.is_some_and(|c| c.is_ascii_alphanumeric())
}

/// Which of several ways of paying is meant.
fn pay(state: &State, ways: &[Paid], text: &str, die: Option<&[i16]>) -> Result<Paid, AnswerError> {
    let dice = || ways.iter().map(|&paid| state.price(paid)).collect::<Vec<_>>();
    let fits = |paid: &Paid| match die {
        None => Some(*paid),
        Some(_) if paid.dice == 0 => Some(*paid),
        Some(die) => state.paid_with(*paid, die),
    };
    let fitting: Vec<Paid> = ways.iter().filter_map(fits).collect();
    match (fitting[..].first(), die) {
        (None, Some(die)) => Err(AnswerError::Price { text: text.into(), die: die.to_vec(), dice: dice() }),
        (Some(&paid), _) if !has_to_be_named(state, &fitting) => Ok(paid),
        _ => Err(AnswerError::Die { text: text.into(), dice: dice() }),
    }
}

/// The way of paying that leaves the most open: with the dice that pay for the fewest moves, so that a
/// joker is kept; among equals the first. For callers that do not ask back.
///
/// # Errors
/// As [`find_move`], except that it is never open who pays.
pub fn find_move_anyhow(state: &State, text: &str, die: Option<&[i16]>) -> Result<Paid, AnswerError> {
    match find_move(state, text, die) {
        Err(error @ AnswerError::Die { .. }) => {
            let mv = spelt(state, &distinct(state), die_prefix(text).1)?;
            let rivals = |paid: &&Paid| state.moves().iter().filter(|other| other.dice == paid.dice).count();
            state.moves().iter().filter(|paid| paid.mv == mv).min_by_key(rivals).copied().ok_or(error)
        }
        found => found,
    }
}

/// The number of the choice that `text` means.
///
/// # Errors
/// If no choice is waited for, or there is none like this.
pub fn find_choice(state: &State, text: &str) -> Result<usize, AnswerError> {
    if state.choices().is_empty() {
        return Err(AnswerError::NotNow { waits: awaited(state), offered: "a choice" });
    }
    let options = choices(state);
    let text = text.trim();
    let exact = options.iter().position(|option| option == text);
    let found = exact.or_else(|| options.iter().position(|option| option.eq_ignore_ascii_case(text)));
    found.ok_or_else(|| {
        let near = nearest(text, options.iter().map(String::as_str)).map(String::from);
        AnswerError::Choice { text: text.into(), options, near }
    })
}

/// A choice in a record: `]` and `}` would end the command or the comment that it stands in, and are written as HTML does.
pub(crate) fn recorded_choice(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(']', "&#93;").replace('}', "&#125;")
}

/// The number of the choice that a record means: as it is called, as [`recorded_choice`] writes it, or as records of earlier
/// versions did, which wrote `)` for both signs.
///
/// # Errors
/// As of [`find_choice`].
pub(crate) fn find_recorded_choice(state: &State, text: &str) -> Result<usize, AnswerError> {
    let options = choices(state);
    let written = |form: &dyn Fn(&str) -> String| options.iter().position(|option| form(option) == text);
    let found = options.iter().position(|option| option == text).or_else(|| written(&recorded_choice));
    let formerly = |option: &str| recorded_choice(&option.replace([']', '}'], ")"));
    found.or_else(|| written(&formerly)).map_or_else(|| find_choice(state, text), Ok)
}

/// The event that `text` means at a decision: a move (with the dice that pay for it), a choice, or to do without a move.
/// `choose` before it says that it is a choice.
///
/// # Errors
/// If nobody is to decide, or the text means nothing that may be done, or both a move and a choice.
pub fn find_answer(state: &State, text: &str, die: Option<&[i16]>) -> Result<Event, AnswerError> {
    if let Some(choice) = text.trim().strip_prefix("choose ").filter(|_| !state.choices().is_empty()) {
        return find_choice(state, choice).map(Event::Choice);
    }
    if state.can_pass() && is_pass(text) {
        return Ok(Event::Pass);
    }
    if state.status() == Status::Choice {
        return find_choice(state, text).map(Event::Choice);
    }
    let (choice, found) = (find_choice(state, text), find_move(state, text, die));
    match (choice, found) {
        (Ok(_), Ok(paid)) => Err(AnswerError::Both { text: text.trim().into(), coordinates: option_name(state, paid) }),
        (Ok(index), Err(_)) => Ok(Event::Choice(index)),
        (Err(_), found) => found.map(Event::Move),
    }
}

/// Whether a text says that no move is made.
pub fn is_pass(text: &str) -> bool {
    matches!(text.trim(), "pass" | "--")
}

/// Lets the dice of one or more rolls show `faces`, in rolling order. Dice that the rules have rolled
/// again do not change the game; they are returned.
///
/// # Errors
/// If no roll is waited for, the dice cannot show the faces, there are too many, or a rule fails. The
/// game is then as it was.
pub fn roll(game: &mut Game, faces: &[i16]) -> Result<Vec<Vec<i16>>, GameError> {
    let mut trial = game.clone();
    let (mut rest, mut again) = (faces, Vec::new());
    loop {
        let dice = trial.state().dice().map_or(0, |dice| dice.dice.len());
        // Dice without number are an error, which the game words.
        let (now, later) = rest.split_at(if dice == 0 { rest.len() } else { dice.min(rest.len()) });
        match trial.set_roll(now) {
            Err(GameError::Rerolled(faces)) => again.push(faces),
            other => other?,
        }
        rest = later;
        if rest.is_empty() {
            *game = trial;
            return Ok(again);
        }
        if trial.status() != Status::Chance {
            let dice = game.state().dice().map(|dice| dice.to_string()).unwrap_or_default();
            return Err(GameError::Roll { dice, offered: faces.to_vec() });
        }
    }
}

/// What came up in `before`: the square or move where one is drawn by chance, else the faces.
pub fn rolled(before: &State, rolled: &[i16]) -> String {
    let number = match rolled {
        [number] => usize::try_from(number - 1).ok(),
        _ => None,
    };
    number.and_then(|index| drawn(before).into_iter().nth(index)).unwrap_or_else(|| faces(rolled))
}

/// The same for people: with the names that the script has for the faces.
pub fn shown_roll(before: &State, faces: &[i16]) -> String {
    let text = rolled(before, faces);
    let names: Option<Vec<&str>> = faces.iter().map(|face| variant(before).spec().look.face(*face)).collect();
    match names.filter(|names| !names.is_empty() && drawn(before).is_empty()) {
        Some(names) => format!("{text} ({})", names.join(", ")),
        None => text,
    }
}

/// The faces of a text such as `2 3`; where a square or a move is drawn by chance, its name is read too, as the number
/// that it has among those it is drawn from.
///
/// # Errors
/// A sentence that says what was expected.
pub fn read_roll(state: &State, text: &str) -> Result<Vec<i16>, String> {
    let drawn = drawn(state);
    let what = if state.drawn_moves().is_empty() { "squares" } else { "moves" };
    let one = |part: &str| -> Result<i16, String> {
        if let Ok(face) = part.parse() {
            return Ok(face);
        }
        let named = |(_, name): &&(i16, String)| name.eq_ignore_ascii_case(part);
        if let Some((face, _)) = variant(state).spec().look.faces.iter().find(named) {
            return Ok(*face);
        }
        if drawn.is_empty() {
            return Err(format!("expected faces of dice as '2 3', found '{part}'"));
        }
        let exactly = drawn.iter().position(|name| name == part);
        let index = exactly.or_else(|| drawn.iter().position(|name| name.eq_ignore_ascii_case(part)));
        index
            .and_then(|index| i16::try_from(index + 1).ok())
            .ok_or_else(|| format!("expected one of the {what} drawn from ({}), found '{part}'", drawn.join(", ")))
    };
    text.split([' ', ',', '\t']).filter(|part| !part.is_empty()).map(one).collect()
}
