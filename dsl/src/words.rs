//! A game in words: what it waits for, what may be answered, and what happened, as short texts that
//! people and programs type and read.
//!
//! Shared by records, the server, the prompt and the commands; it knows nothing of JSON or terminals.

use crate::notation::fen::Placed;
use crate::notation::{NotationError, coord, fen, nearest, san};
use crate::printable::in_a_line;
use crate::{Loaded, information, midturn};
use astragal_core::{Choice, Game, GameError, Move, Note, Paid, Position, Side, State, Status, TurnEnd, Variant};
use std::sync::Arc;
use thiserror::Error;

/// Why a text is no answer to what the game waits for.
#[derive(Clone, Debug, Error)]
pub enum WordError {
    /// It is no move, or none that is permitted.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Several dice could pay, and the turn goes on differently.
    #[error("'{text}' can be paid by {}: say which die", list(.dice))]
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
    /// It names none of the squares that can be drawn.
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

impl WordError {
    /// The error without the notation and column, for texts of one word that are in sight.
    pub fn brief(&self) -> String {
        match self {
            WordError::Notation(error) => {
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

fn meant(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("; did you mean '{near}'?")).unwrap_or_default()
}

/// Faces as `2,3`.
pub fn faces(faces: &[i16]) -> String {
    faces.iter().map(i16::to_string).collect::<Vec<_>>().join(",")
}

/// What a game waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pending {
    /// Dice.
    Roll {
        /// As `2d6`.
        dice: String,
        /// How many they are.
        count: usize,
    },
    /// A move.
    Move {
        /// Whose.
        player: Side,
        /// The permitted moves in coordinates, sorted.
        options: Vec<String>,
        /// Whether the player may do without.
        pass: bool,
    },
    /// Another choice.
    Choice {
        /// Whose.
        player: Side,
        /// The texts and squares to choose from.
        options: Vec<String>,
    },
}

/// What the game waits for; `None` when it is over.
pub fn pending(state: &State) -> Option<Pending> {
    match state.status() {
        Status::Over => None,
        Status::Chance => {
            let (dice, count) = state.dice().map_or((String::new(), 0), |d| (d.to_string(), d.dice.len()));
            Some(Pending::Roll { dice, count })
        }
        Status::Move => Some(Pending::Move { player: state.chooser(), options: moves(state), pass: state.can_pass() }),
        Status::Choice => Some(Pending::Choice { player: state.chooser(), options: choices(state) }),
    }
}

/// What the game waits for, in a few words.
pub fn waits(state: &State) -> String {
    awaited(state).unwrap_or_else(|| "nothing: it is over".into())
}

/// The same; `None` if the game is over.
pub fn awaited(state: &State) -> Option<String> {
    match state.status() {
        Status::Over => None,
        Status::Chance => Some(state.dice().map_or("a roll".into(), |dice| format!("a roll of {dice}"))),
        Status::Move => Some("a move".into()),
        Status::Choice => Some(format!("a choice ({})", choices(state).join(", "))),
    }
}

/// Why something else than what the game waits for cannot be.
pub fn not_now(state: &State, offered: &str) -> String {
    waits_for(awaited(state).as_deref(), offered)
}

fn waits_for(awaited: Option<&str>, offered: &str) -> String {
    match awaited {
        Some(awaited) => format!("the game waits for {awaited}, not for {offered}"),
        None => "the game is over".into(),
    }
}

fn variant(state: &State) -> &Variant {
    &state.ruleset().variant
}

/// The permitted moves in coordinates, sorted, each once.
pub fn moves(state: &State) -> Vec<String> {
    let all = distinct(state);
    // Moves are sorted by origin and target first: only neighbours can be written alike.
    let alike = all.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to));
    let name = |mv: &Move, among: &[Move]| coord::name(variant(state), state.position(), *mv, among);
    let mut texts: Vec<String> = alike.flat_map(|among| among.iter().map(move |mv| name(mv, among))).collect();
    texts.sort();
    texts
}

/// A permitted move in coordinates, told from all others.
pub fn move_name(state: &State, mv: Move) -> String {
    let among: Vec<Move> =
        state.moves().iter().map(|paid| paid.mv).filter(|other| (other.from, other.to) == (mv.from, mv.to)).collect();
    coord::name(variant(state), state.position(), mv, &among)
}

/// A move in algebraic notation, or in coordinates where that would not be understood.
pub fn move_text(before: &State, paid: Paid) -> String {
    let moves = distinct(before);
    let (variant, position) = (&before.ruleset().variant, before.position());
    let text = san::write(variant, position, paid.mv, &moves);
    match find_move(before, &text, Some(&before.price(paid))) {
        Ok(found) if found == paid => text,
        _ => coord::name(variant, position, paid.mv, &moves),
    }
}

/// The choices as texts, in the rules' order.
pub fn choices(state: &State) -> Vec<String> {
    state.choices().iter().map(|choice| choice_text(variant(state), choice)).collect()
}

/// A choice as a text: the script's own, or the square's name.
pub fn choice_text(variant: &Variant, choice: &Choice) -> String {
    match choice {
        Choice::Text(text) => in_a_line(text).into_owned(),
        Choice::Square(square) => variant.board().name(*square),
    }
}

/// The distinct moves that are permitted, however paid.
pub fn distinct(state: &State) -> Vec<Move> {
    let mut moves: Vec<Move> = state.moves().iter().map(|paid| paid.mv).collect();
    moves.sort();
    moves.dedup();
    moves
}

/// The permitted move that `text` means, in coordinates or algebraic notation, and what pays for it.
///
/// # Errors
/// If no move is waited for, the text means none of the permitted moves, or it is open who pays.
pub fn find_move(state: &State, text: &str, die: Option<&[i16]>) -> Result<Paid, WordError> {
    if state.status() != Status::Move {
        return Err(WordError::NotNow { waits: awaited(state), offered: "a move" });
    }
    let moves = distinct(state);
    let (variant, position) = (variant(state), state.position());
    let mv = match coord::find(variant, position, &moves, text) {
        Ok(mv) => mv,
        Err(error) => match san::find(variant, position, &moves, text) {
            Ok(mv) => mv,
            Err(other) => return Err(if like_coordinates(text) { error } else { other }.into()),
        },
    };
    let ways: Vec<Paid> = state.moves().iter().copied().filter(|paid| paid.mv == mv).collect();
    pay(state, &ways, text, die)
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
fn pay(state: &State, ways: &[Paid], text: &str, die: Option<&[i16]>) -> Result<Paid, WordError> {
    let dice = || ways.iter().map(|&paid| state.price(paid)).collect::<Vec<_>>();
    let fits = |paid: &Paid| match die {
        None => Some(*paid),
        Some(_) if paid.dice == 0 => Some(*paid),
        Some(die) => state.paid_with(*paid, die),
    };
    let fitting: Vec<Paid> = ways.iter().filter_map(fits).collect();
    match (fitting[..].first(), die) {
        (None, Some(die)) => Err(WordError::Price { text: text.into(), die: die.to_vec(), dice: dice() }),
        (Some(&paid), _) if fitting.len() == 1 || !matters(state, &fitting) => Ok(paid),
        _ => Err(WordError::Die { text: text.into(), dice: dice() }),
    }
}

/// The way of paying that leaves the most open: with the dice that pay for the fewest moves, so that a
/// joker is kept; among equals the first. For callers that do not ask back.
///
/// # Errors
/// As [`find_move`], except that it is never open who pays.
pub fn find_move_anyhow(state: &State, text: &str, die: Option<&[i16]>) -> Result<Paid, WordError> {
    match find_move(state, text, die) {
        Err(error @ WordError::Die { .. }) => {
            let mv = coord::find(variant(state), state.position(), &distinct(state), text)
                .or_else(|_| san::find(variant(state), state.position(), &distinct(state), text))?;
            let rivals = |paid: &&Paid| state.moves().iter().filter(|other| other.dice == paid.dice).count();
            state.moves().iter().filter(|paid| paid.mv == mv).min_by_key(rivals).copied().ok_or(error)
        }
        found => found,
    }
}

/// Whether it makes a difference which dice pay: not if the turn ends anyway.
fn matters(state: &State, ways: &[Paid]) -> bool {
    let goes_on = |&paid: &Paid| {
        let mut next = state.clone();
        next.play(paid).is_err() || next.over().is_none() && next.turn() == state.turn()
    };
    ways.iter().any(goes_on)
}

/// The number of the choice that `text` means.
///
/// # Errors
/// If no choice is waited for, or there is none like this.
pub fn find_choice(state: &State, text: &str) -> Result<usize, WordError> {
    if state.status() != Status::Choice {
        return Err(WordError::NotNow { waits: awaited(state), offered: "a choice" });
    }
    let options = choices(state);
    let text = text.trim();
    let exact = options.iter().position(|option| option == text);
    let found = exact.or_else(|| options.iter().position(|option| option.eq_ignore_ascii_case(text)));
    found.ok_or_else(|| {
        let near = nearest(text, options.iter().map(String::as_str)).map(String::from);
        WordError::Choice { text: text.into(), options, near }
    })
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

/// A game from a position that was read, in the middle of a turn if there are unused dice.
///
/// # Errors
/// A sentence that says why there is no such game.
pub fn begin(loaded: &Loaded, placed: Placed, seed: u64) -> Result<Game, String> {
    placed.whole(&loaded.set.variant)?;
    if let Some((_, value)) = placed.extra.iter().find(|(name, _)| name == midturn::FIELD) {
        let game = midturn::resume(loaded, value, seed)?;
        let (said, reached) = (placed.position.hash(), game.state().position().hash());
        return if said == reached { Ok(game) } else { Err("the turn so far does not lead to this position".into()) };
    }
    let set = Arc::clone(&loaded.set);
    match placed.dice {
        None => Game::new(set, placed.position, seed).map_err(|error| error.to_string()),
        Some(dice) => {
            let unused = read_dice(&loaded.faces, &dice)?;
            Game::in_turn(set, placed.position, &unused, seed).map_err(|error| error.to_string())
        }
    }
}

/// The game as it was before its first event.
///
/// # Errors
/// If a rule fails (which it did not the first time).
pub fn restarted(game: &Game) -> Result<Game, GameError> {
    let set = Arc::clone(game.state().ruleset());
    match game.start_dice() {
        [] => Ok(Game::new(set, game.start().clone(), game.seed())?),
        dice => Game::in_turn(set, game.start().clone(), dice, game.seed()),
    }
}

/// What came up in `before`: the square where one is drawn by chance, else the faces.
pub fn rolled(before: &State, rolled: &[i16]) -> String {
    let square = match rolled {
        [number] => usize::try_from(number - 1).ok().and_then(|index| before.drawn_from().get(index)),
        _ => None,
    };
    square.map_or_else(|| faces(rolled), |square| variant(before).board().name(*square))
}

/// The faces of a text such as `2 3`; where a square is drawn by chance, its name is read too, as the number that it
/// has among those it is drawn from.
///
/// # Errors
/// A sentence that says what was expected.
pub fn read_roll(state: &State, text: &str) -> Result<Vec<i16>, String> {
    let squares = state.drawn_from();
    let board = variant(state).board();
    let one = |part: &str| -> Result<i16, String> {
        if let Ok(face) = part.parse() {
            return Ok(face);
        }
        if squares.is_empty() {
            return Err(format!("expected faces of dice as '2 3', found '{part}'"));
        }
        let index = board.parse(part).and_then(|square| squares.iter().position(|other| *other == square));
        index.and_then(|index| i16::try_from(index + 1).ok()).ok_or_else(|| {
            let names: Vec<String> = squares.iter().map(|square| board.name(*square)).collect();
            format!("expected one of the squares drawn from ({}), found '{part}'", names.join(", "))
        })
    };
    text.split([' ', ',', '\t']).filter(|part| !part.is_empty()).map(one).collect()
}

/// Dice that were rolled again, in a sentence.
pub fn again(dice: &[i16]) -> String {
    format!("{} is rolled again.", faces(dice))
}

/// A side as the protocol names it.
pub fn ordinal(side: Side) -> &'static str {
    ["first", "second", "third", "fourth"][side.index()]
}

/// A side's name, as "White".
pub fn side_name(variant: &Variant, side: Side) -> &str {
    variant.spec().sides.get(side.index()).map_or("?", |s| s.name.as_str())
}

/// Who has won: a side, with its partners where there are teams; nobody in a draw or while it goes on.
pub fn winners(state: &State) -> Vec<Side> {
    let Some(winner) = state.over().and_then(|over| over.winner) else { return Vec::new() };
    let sides = (0..variant(state).sides()).map(|side| Side(side as u8));
    sides.filter(|&side| side == winner || variant(state).allied(side, winner)).collect()
}

/// A number of half points as people write it: `3` for 6, `2½` for 5.
pub fn halved(halves: i32) -> String {
    let (sign, halves) = (if halves < 0 { "-" } else { "" }, halves.unsigned_abs());
    match (halves / 2, halves % 2) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, _) => format!("{sign}½"),
        (whole, _) => format!("{sign}{whole}½"),
    }
}

/// How the game ended, in one line; `None` while it goes on.
pub fn result(state: &State) -> Option<String> {
    let over = state.over()?;
    let names: Vec<&str> = winners(state).into_iter().map(|side| side_name(variant(state), side)).collect();
    let who = match names.as_slice() {
        [] => "Draw".into(),
        [one] => format!("{one} wins"),
        partners => format!("{} win", partners.join(" and ")),
    };
    let points = over.points.map_or(String::new(), |points| {
        let points = &points[..variant(state).sides()];
        format!(" ({})", points.iter().map(|&halves| halved(halves)).collect::<Vec<_>>().join(":"))
    });
    Some(if over.reason.is_empty() { format!("{who}{points}.") } else { format!("{who}: {}{points}.", over.reason) })
}

/// What happened by itself, in one sentence; `None` for what goes without saying.
pub fn note(variant: &Variant, note: &Note) -> Option<String> {
    match note {
        Note::Failed(made) => {
            let board = variant.board();
            Some(format!("The capture {}x{} did not succeed.", board.name(made.mv.from), board.name(made.mv.to)))
        }
        Note::Ended(turn) => {
            let side = side_name(variant, turn.side);
            match turn.end() {
                TurnEnd::Lost => Some(format!("{side} has no move: the turn is lost.")),
                TurnEnd::Ended if turn.answers.asked => Some(format!("{side}'s turn ends.")),
                _ => None,
            }
        }
    }
}

/// The position of a game as text, with the unused dice of a turn that is under way.
pub fn position(loaded: &Loaded, state: &State) -> String {
    position_for(loaded, state, None)
}

/// The same as `viewer` may know it; `None` knows everything.
pub(crate) fn position_for(loaded: &Loaded, state: &State, viewer: Option<Side>) -> String {
    let dice = state.unused().filter(|unused| !unused.is_empty() && state.over().is_none());
    let dice = dice.map(|unused| match information::knows_turn(state, viewer) {
        true => dice_text(&loaded.faces, &unused),
        false => vec!["?"; unused.len()].join(","),
    });
    let mut position = state.position().clone();
    if state.over().is_some() {
        // The mover's own double steps in a turn that the end has cut short: nobody can answer them.
        let side = position.side();
        let theirs: Vec<_> =
            position.en_passant().iter().filter(|r| position.at(r.victim).side() != side).copied().collect();
        position.retain_en_passant(variant(state), |right| theirs.contains(&right));
    }
    fen::write_view(variant(state), &position, dice.as_deref(), viewer)
}

/// Dice as a field of a position: a letter for each face where the variant has letters, else numbers.
pub fn dice_text(letters: &[String], dice: &[i16]) -> String {
    let letter = |face: &i16| usize::try_from(i32::from(*face) - 1).ok().and_then(|i| letters.get(i)).cloned();
    let texts: Option<Vec<String>> = dice.iter().map(letter).collect();
    texts.filter(|texts| texts.iter().all(|t| !t.is_empty())).map_or_else(|| faces(dice), |texts| texts.concat())
}

/// Reads what [`dice_text`] writes.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read_dice(letters: &[String], text: &str) -> Result<Vec<i16>, String> {
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        let number = |part: &str| part.parse().map_err(|_| format!("'{part}' is not the face of a die"));
        return text.split(',').map(number).collect();
    }
    let mut dice = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let starts = |letter: &&String| {
            !letter.is_empty() && rest.get(..letter.len()).is_some_and(|r| r.eq_ignore_ascii_case(letter))
        };
        let found = letters.iter().filter(starts).max_by_key(|letter| letter.len());
        let Some(letter) = found else {
            let known = if letters.is_empty() { "this game has none".into() } else { letters.join(", ") };
            return Err(format!("'{rest}' begins with no letter of a die (they are: {known})"));
        };
        let face = letters.iter().position(|l| l == letter).unwrap_or(0) + 1;
        dice.push(i16::try_from(face).map_err(|_| "too many faces".to_string())?);
        rest = &rest[letter.len()..];
    }
    Ok(dice)
}

/// A position's text without dice.
pub fn plain_position(variant: &Variant, position: &Position) -> String {
    fen::write(variant, position)
}

/// What the last event of a game led to, beyond what its answer was: notes and the rules' own words.
pub fn follow_ups(game: &Game, label_before: Option<&str>) -> Vec<String> {
    let Some(entry) = game.entries().last() else { return Vec::new() };
    let variant = variant(game.state());
    let label = game.state().label().filter(|label| label_before != Some(label)).map(String::from);
    label.into_iter().chain(notes(variant, &entry.notes)).collect()
}

/// What happened by itself, a sentence each. Where nobody can move, turn after turn is lost: each side's is told
/// once.
pub fn notes(variant: &Variant, notes: &[Note]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for text in notes.iter().filter_map(|n| note(variant, n)) {
        if !told.contains(&text) {
            told.push(text);
        }
    }
    told
}
