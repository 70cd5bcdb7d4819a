//! Reads and writes answers to what a game waits for: moves in coordinates or algebraic notation, choices, rolls.

use super::awaited::{awaited, waits_for};
use super::options::{choices, distinct, drawn, option_name, variant};
use super::payment::{die_prefix, faces, has_to_be_named, paid_by, same_dice, with_die};
use crate::notation::{NotationError, coord, describe::alternatives, nearest, san, stations};
use astragal_core::{Event, Game, GameError, Move, MoveWithDice, State, Status};
use thiserror::Error;

/// The reason why a text is not an answer to what the game waits for.
#[derive(Clone, Debug, Error)]
pub enum AnswerError {
    /// It is no move, or none that is permitted.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Several dice could pay, and the turn would continue differently.
    #[error("'{text}' can be paid for by {}: write {}", list(.dice), spellings(.dice, .text))]
    Die {
        /// The move.
        text: String,
        /// The dice of each payment.
        dice: Vec<Vec<i16>>,
    },
    /// The die named does not pay for this move.
    #[error("{} does not pay for '{text}': it can be paid for by {}", faces(.die), list(.dice))]
    Price {
        /// The move.
        text: String,
        /// The die named.
        die: Vec<i16>,
        /// The dice that would pay.
        dice: Vec<Vec<i16>>,
    },
    /// The text names a die, and another die was given as well.
    #[error("'{text}' already names its die, but {} is also given: remove one of them", faces(.die))]
    Two {
        /// The move with its die.
        text: String,
        /// The other die.
        die: Vec<i16>,
    },
    /// There is no such choice.
    #[error("there is no choice '{text}'{}; the choices are {}", meant(.near), .options.join(", "))]
    Choice {
        /// The text.
        text: String,
        /// The available choices.
        options: Vec<String>,
        /// The closest possible answer.
        near: Option<String>,
    },
    /// It is both a move and an alternative to a move.
    #[error(
        "'{text}' is both a move and a choice: write '{coordinates}' for the move or 'choose {text}' for the choice"
    )]
    Both {
        /// The text.
        text: String,
        /// The move in coordinates.
        coordinates: String,
    },
    /// It names none of the squares or moves that can be drawn.
    #[error("the game is waiting for {waits}: {why}")]
    Draw {
        /// The pending question.
        waits: String,
        /// The expected and the actual text.
        why: String,
    },
    /// The game waits for something else.
    #[error("{}", waits_for(waits.as_deref(), offered))]
    NotNow {
        /// The pending question; `None` if the game is over.
        waits: Option<String>,
        /// The kind of answer that was given.
        offered: &'static str,
    },
}

impl AnswerError {
    /// The error without the notation and column, for texts of one word that are in sight.
    pub fn brief(&self) -> String {
        match self {
            AnswerError::Notation(error) => {
                let help = error.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
                format!("{}{help}", error.difference())
            }
            other => other.to_string(),
        }
    }
}

/// Payments after the word `by`: `2 or by 5`, `2, by 5, or by 2,5`.
fn list(dice: &[Vec<i16>]) -> String {
    match dice.iter().map(|d| faces(d)).collect::<Vec<_>>().as_slice() {
        [first, middle @ .., last] if !middle.is_empty() => {
            format!("{first}, by {}, or by {last}", middle.join(", by "))
        }
        few => few.join(" or by "),
    }
}

fn spellings(dice: &[Vec<i16>], text: &str) -> String {
    alternatives(&dice.iter().map(|dice| format!("'{}'", paid_by(dice, text))).collect::<Vec<_>>())
}

fn meant(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("; did you mean '{near}'?")).unwrap_or_default()
}

/// A move in algebraic notation, or in coordinates if that would not be understood.
pub fn move_text(before: &State, paid: MoveWithDice) -> String {
    let moves = distinct(before);
    let (variant, position) = (&before.ruleset().variant, before.position());
    let text = san::write(variant, position, paid.mv, &moves);
    // A square among the choices can have the same text as a pawn's move.
    let chosen = !before.choices().is_empty() && find_choice(before, &text).is_ok();
    match find_move(before, &text, Some(&before.price(paid))) {
        Ok(found) if found == paid && !chosen => text,
        _ => coord::name(variant, position, paid.mv, &moves),
    }
}

/// A move in a record: as [`move_text`], but with both squares if that begins with a digit. With two pieces without letters
/// on one file, `2d4` would be read as the second move, d4.
pub(crate) fn record_text(before: &State, paid: MoveWithDice) -> String {
    let text = move_text(before, paid);
    match text.starts_with(|first: char| first.is_ascii_digit()) {
        true => coord::name(variant(before), before.position(), paid.mv, &distinct(before)),
        false => text,
    }
}

/// A move for people: by stations if the script uses them, else as [`move_text`].
pub fn shown_move(before: &State, paid: MoveWithDice) -> String {
    let text = stations::write(variant(before), before.position(), paid.mv, &distinct(before));
    match text.as_ref().map(|text| find_move(before, text, Some(&before.price(paid)))) {
        Some(Ok(found)) if found == paid => text.unwrap_or_default(),
        _ => move_text(before, paid),
    }
}

/// A move as people type it: as [`shown_move`], preceded by the dice if the payment matters.
pub fn typed_move(before: &State, paid: MoveWithDice) -> String {
    with_die(before, paid, &shown_move(before, paid))
}

/// Finds a permitted move by any of its spellings.
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

/// The permitted move that `text` stands for, in coordinates, algebraic notation or by stations, and its payment: the dice
/// named before the move, as in `6:h1h5`, or else `die`.
///
/// # Errors
/// If no move is pending, the text matches no permitted move, or the payment is ambiguous.
pub fn find_move(state: &State, text: &str, die: Option<&[i16]>) -> Result<MoveWithDice, AnswerError> {
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
    let ways: Vec<MoveWithDice> = state.moves().iter().copied().filter(|paid| paid.mv == mv).collect();
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

/// Selects the payment that matches the text.
fn pay(state: &State, ways: &[MoveWithDice], text: &str, die: Option<&[i16]>) -> Result<MoveWithDice, AnswerError> {
    let dice = || ways.iter().map(|&paid| state.price(paid)).collect::<Vec<_>>();
    let fits = |paid: &MoveWithDice| match die {
        None => Some(*paid),
        Some(_) if paid.dice == 0 => Some(*paid),
        Some(die) => state.paid_with(*paid, die),
    };
    let fitting: Vec<MoveWithDice> = ways.iter().filter_map(fits).collect();
    match (fitting[..].first(), die) {
        (None, Some(die)) => Err(AnswerError::Price { text: text.into(), die: die.to_vec(), dice: dice() }),
        (Some(&paid), _) if !has_to_be_named(state, &fitting) => Ok(paid),
        _ => Err(AnswerError::Die { text: text.into(), dice: dice() }),
    }
}

/// Finds a move and chooses its payment automatically: the dice that pay for the fewest moves, so that a joker is kept, and
/// the first of equal payments. For callers that cannot ask back.
///
/// # Errors
/// As [`find_move`], except that the payment is never ambiguous.
pub fn find_move_anyhow(state: &State, text: &str, die: Option<&[i16]>) -> Result<MoveWithDice, AnswerError> {
    match find_move(state, text, die) {
        Err(error @ AnswerError::Die { .. }) => {
            let mv = spelt(state, &distinct(state), die_prefix(text).1)?;
            let rivals = |paid: &&MoveWithDice| state.moves().iter().filter(|other| other.dice == paid.dice).count();
            state.moves().iter().filter(|paid| paid.mv == mv).min_by_key(rivals).copied().ok_or(error)
        }
        found => found,
    }
}

/// The number of the choice that `text` stands for.
///
/// # Errors
/// If no choice is pending, or none matches.
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

/// A choice in a record. Within a command or comment, `]` and `}` would end it, so they are written as HTML entities.
pub(crate) fn recorded_choice(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(']', "&#93;").replace('}', "&#125;")
}

/// The number of the choice that a record names: by its text, as [`recorded_choice`] writes it, or as earlier versions
/// wrote it, with `)` for both characters.
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

/// The event that `text` stands for at a decision: a move (with the dice that pay for it), a choice, or a pass. The prefix
/// `choose` marks a choice.
///
/// # Errors
/// If no decision is pending, or the text matches no option, or both a move and a choice.
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

/// Whether a text stands for making no move.
pub fn is_pass(text: &str) -> bool {
    matches!(text.trim(), "pass" | "--")
}

/// Sets the dice of one or more rolls to `faces`, in rolling order. If the rules reroll dice, those faces do not change the
/// game; they are returned.
///
/// # Errors
/// If no roll is pending, the dice cannot show the faces, there are too many faces, or a rule fails. The game does not
/// change then.
pub fn roll(game: &mut Game, faces: &[i16]) -> Result<Vec<Vec<i16>>, GameError> {
    let mut trial = game.clone();
    let (mut rest, mut again) = (faces, Vec::new());
    loop {
        let dice = trial.state().dice().map_or(0, |dice| dice.dice.len());
        // If no dice are pending, pass all faces on: the game reports the error.
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

/// The result of a roll in `before`: the square or move if one is drawn by chance, else the faces.
pub fn rolled(before: &State, rolled: &[i16]) -> String {
    rolled_faces(before, rolled).join(",")
}

/// The same as a list of faces.
pub(crate) fn rolled_faces(before: &State, rolled: &[i16]) -> Vec<String> {
    let number = match rolled {
        [number] => usize::try_from(number - 1).ok(),
        _ => None,
    };
    match number.and_then(|index| drawn(before).into_iter().nth(index)) {
        Some(one) => vec![one],
        None => rolled.iter().map(i16::to_string).collect(),
    }
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

/// Parses faces from a text such as `2 3`. If a square or a move is drawn by chance, its name is accepted too and gives its
/// number in the list it is drawn from.
///
/// # Errors
/// A sentence about what was expected.
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
            return Err(format!("expected faces of dice such as '2 3', found '{part}'"));
        }
        let exactly = drawn.iter().position(|name| name == part);
        let index = exactly.or_else(|| drawn.iter().position(|name| name.eq_ignore_ascii_case(part)));
        index
            .and_then(|index| i16::try_from(index + 1).ok())
            .ok_or_else(|| format!("expected one of the possible {what} ({}), found '{part}'", drawn.join(", ")))
    };
    text.split([' ', ',', '\t']).filter(|part| !part.is_empty()).map(one).collect()
}
