//! Explains in sentences why a move is or is not permitted.
//!
//! The engine finds the reason ([`astragal_core::State::why`]). This module turns a text into a wish, and a reason into
//! words that name pieces, squares, dice and the line of the script.

mod moment;
mod reasons;

use crate::notation::describe::alternatives;
use crate::notation::{NotationError, coord, san, stations};
use crate::{Loaded, game_text};
use astragal_core::movegen::generate;
use astragal_core::{
    Board, Filter, Game, KindMask, Move, Obstacle, Reason, RuleError, Safety, Square, State, Why, Wish,
};
use moment::quoted;
use reasons::Describer;
use thiserror::Error;

/// More candidates than this are not explained one by one.
const MOST: usize = 3;

/// At most this many choices are listed.
const LISTED: usize = 12;

/// At most this many moves of a piece are explained.
const EXPLAINED: usize = 40;

/// The answer to `why`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The move, as the answer names it.
    pub mv: String,
    /// Whether it is permitted now.
    pub permitted: bool,
    /// Why or why not: sentences, the most important first.
    pub sentences: Vec<String>,
    /// Where the script requests the move, as `file:line:column`, and the text of that line.
    pub place: Option<(String, String)>,
}

impl Explanation {
    /// All in a few lines.
    pub fn text(&self) -> String {
        let verdict = if self.permitted { "is legal" } else { "is not legal" };
        let mut text = format!("{} {verdict}: {}.", self.mv, self.sentences.join("; "));
        if let Some((place, line)) = &self.place {
            text.push_str(&format!("\n  {place}: {line}"));
        }
        text
    }
}

/// The reason why no explanation is possible.
#[derive(Clone, Debug, Error)]
pub enum ExplainError {
    /// The text is no move.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A rule failed.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// No piece fits the text.
    #[error("{0}")]
    NoPiece(String),
    /// The text names a square that is not on the board.
    #[error("there is no square {square}: {}", place(*.hole, .first, .last))]
    NoSquare {
        /// The square's name.
        square: String,
        /// Whether it is a hole within the board's rectangle.
        hole: bool,
        /// The first corner of that rectangle.
        first: String,
        /// The last.
        last: String,
    },
}

fn place(hole: bool, first: &str, last: &str) -> String {
    if hole { "the board has a hole there".into() } else { format!("the board has squares {first} to {last}") }
}

/// Explains why the move that `text` names (in coordinates or algebraic notation) is or is not permitted now.
///
/// # Errors
/// If the text names no move, or a rule fails.
pub fn why(loaded: &Loaded, game: &Game, text: &str) -> Result<Explanation, ExplainError> {
    let state = game.state();
    let choices = game_text::choices(state);
    if let Some(choice) = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text.trim())) {
        return Ok(why_choice(loaded, state, choice, &choices));
    }
    // The payment does not matter here.
    let (_, bare) = game_text::die_prefix(text);
    let wishes = match wishes(state, bare) {
        Err(ExplainError::Notation(_)) if !choices.is_empty() => return Ok(why_choice(loaded, state, text, &choices)),
        wishes => wishes?,
    };
    let mut found: Vec<(Wish, Why)> = Vec::new();
    for wish in wishes {
        found.push((wish, state.why(wish)?));
    }
    // Permitted moves come first, then moves that at least the board allows.
    found.sort_by_key(|(_, why)| distance(why));
    let best = found.first().map_or(0, |(_, why)| distance(why));
    found.retain(|(_, why)| distance(why) == best);
    found.truncate(MOST);
    let describer = Describer { loaded, game };
    let mut sentences: Vec<String> = Vec::new();
    let mut notes: Vec<(String, String)> = Vec::new();
    for (wish, why) in &found {
        let (said, note) = describer.speak(*wish, why);
        sentences.extend(said.into_iter().filter(|s| !sentences.contains(s)).collect::<Vec<_>>());
        notes.extend(note);
    }
    let why = found.first().map(|(_, why)| why);
    let permitted = why.is_some_and(|why| !why.ways.is_empty());
    let asked = why.filter(|why| why.mv.is_some()).and_then(|why| why.place.as_ref());
    let place = notes.into_iter().next().or_else(|| asked.map(|place| quoted(loaded, place)));
    Ok(Explanation { mv: text.trim().into(), permitted, sentences, place })
}

/// Explains whether a text can be chosen now, with `choices` on offer.
fn why_choice(loaded: &Loaded, state: &State, text: &str, choices: &[String]) -> Explanation {
    let who = game_text::side_name(&state.ruleset().variant, state.chooser());
    let permitted = choices.iter().any(|choice| choice == text);
    let sentence = match (permitted, state.moves().is_empty()) {
        (true, true) => format!("{who} must choose, and this is one of the choices"),
        (true, false) => format!("{who} may choose it instead of a move"),
        (false, _) if choices.len() > LISTED => {
            format!("{who} may choose one of {} options, such as {}", choices.len(), choices[0])
        }
        (false, _) => format!("{who} may choose {}", alternatives(choices)),
    };
    let place = state.place().map(|place| quoted(loaded, &place));
    Explanation { mv: text.trim().into(), permitted, sentences: vec![sentence], place }
}

/// Explains why the piece on a square can or cannot be moved now. The reasons are those of most moves that the board allows
/// the piece.
///
/// # Errors
/// If the board has no such square, or a rule fails.
pub fn why_piece(loaded: &Loaded, game: &Game, name: &str) -> Result<Explanation, ExplainError> {
    let state = game.state();
    let (variant, position) = (&state.ruleset().variant, state.position());
    let Some(square) = variant.board().parse(name) else {
        let no_square = || NotationError::new("square", name, 0..name.len(), "a square such as 'e4'").into();
        return Err(missing_square(variant.board(), name).unwrap_or_else(no_square));
    };
    let piece = position.at(square);
    let said =
        |sentence: String| Explanation { mv: name.into(), permitted: false, sentences: vec![sentence], place: None };
    if piece.is_none() {
        return Ok(said(format!("{name} is empty")));
    }
    let (kind, owner) = (&variant.kind(piece.kind()).name, game_text::side_name(variant, piece.side()));
    let filter = Filter { kinds: KindMask::ALL, castling: 0, drops: KindMask::NONE, into: KindMask::NONE };
    let mut moves: Vec<Move> = Vec::new();
    generate(variant, position, state.chooser(), Safety::Pseudo, filter, &mut moves);
    moves.retain(|mv| mv.from == square);
    if state.over().is_none() && piece.side() != state.chooser() {
        return Ok(said(format!(
            "the {kind} belongs to {owner}, but it is {}'s turn",
            game_text::side_name(variant, state.chooser())
        )));
    }
    let permitted = state.moves().iter().any(|paid| paid.mv.from == square && paid.mv.dropped().is_none());
    if moves.is_empty() && !permitted {
        let rest = if variant.spec().tracks.is_empty() { ": every path is blocked or leaves the board" } else { "" };
        return Ok(said(format!("the {kind} on {name} cannot move now{rest}")));
    }
    let mut found: Vec<(Explanation, usize)> = Vec::new();
    for mv in moves.iter().take(EXPLAINED) {
        let one = why(loaded, game, &coord::write(variant, position, *mv))?;
        if one.permitted {
            continue;
        }
        match found.iter_mut().find(|(known, _)| known.sentences == one.sentences) {
            Some((_, count)) => *count += 1,
            None => found.push((one, 1)),
        }
    }
    // The sort is stable: among equally frequent reasons, the first found stays first.
    found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut sentences: Vec<String> = Vec::new();
    for (one, _) in found.iter().take(MOST) {
        sentences.extend(one.sentences.iter().filter(|s| !sentences.contains(s)).cloned().collect::<Vec<_>>());
    }
    let place = found.into_iter().find_map(|(one, _)| one.place);
    Ok(Explanation { mv: name.into(), permitted, sentences, place })
}

/// How far a wish is from being permitted. If a text matches several pieces, the one with the smallest distance is
/// explained.
fn distance(why: &Why) -> u8 {
    match why.reasons.last() {
        None => 0,
        Some(Reason::Board(Obstacle::Exposed(_) | Obstacle::Promotes(_) | Obstacle::Castling(_))) => 2,
        Some(Reason::Board(Obstacle::Between(_) | Obstacle::Own(_) | Obstacle::Jumps(_) | Obstacle::Takes(_))) => 3,
        Some(Reason::Board(_)) => 4,
        Some(_) => 1,
    }
}

/// The possible meanings of a move text.
fn wishes(state: &State, text: &str) -> Result<Vec<Wish>, ExplainError> {
    let (variant, position) = (&state.ruleset().variant, state.position());
    let word = text.trim();
    if let Some(mv) = stations::find(variant, position, &game_text::distinct(state), word) {
        let (to, promotion) = (mv.to, mv.promotion());
        return Ok(vec![
            mv.dropped().map_or(Wish::Step { from: mv.from, to, promotion }, |kind| Wish::Drop { kind, to }),
        ]);
    }
    let by_stations = stations::wishes(variant, position, word);
    if !by_stations.is_empty() {
        return Ok(by_stations);
    }
    if let Some(wish) = coord::wish(variant, position, word) {
        return Ok(vec![wish]);
    }
    match san::wishes(variant, position, word) {
        Some(Ok(wishes)) => Ok(wishes),
        Some(Err(kind)) => {
            let side = game_text::side_name(variant, position.side());
            Err(ExplainError::NoPiece(format!("{side} has no {kind}")))
        }
        None => Err(missing_square(variant.board(), word).unwrap_or_else(|| {
            NotationError::new("move", text, 0..text.len(), "a move such as 'e2e4', 'Nf3' or 'O-O'").into()
        })),
    }
}

/// The first square that a text names and that is not on the board.
fn missing_square(board: &Board, word: &str) -> Option<ExplainError> {
    let letters = word.char_indices().filter(|(_, c)| c.is_ascii_lowercase());
    let names = letters.filter_map(|(at, _)| {
        let digits = word[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        (1..=2).contains(&digits).then(|| &word[at..at + 1 + digits])
    });
    let mut missing = names.filter(|name| board.parse(name).is_none());
    let square = missing.next()?.to_owned();
    let name = |index: usize| board.name(Square(index as u8));
    let hole = (0..board.len()).any(|index| name(index) == square);
    Some(ExplainError::NoSquare { square, hole, first: name(0), last: name(board.len() - 1) })
}
