//! Completion of a line of play: legal moves, choices, rolls and the words of the format, for the game before the line.
//!
//! Events on the same line before the cursor are played first. If they cannot be played, no moves are listed.

use super::completion_item::{GameCompletion, GameCompletionKind as Kind};
use crate::analysis::sequence;
use crate::gametest::file::{self, WORDS};
use crate::input;
use astragal_core::{Game, Move, MoveWithDice, Square, State, Status};
use astragal_dsl::{Loaded, game_text};
use std::collections::BTreeSet;
use std::ops::Range;

/// The maximum number of outcomes for which whole rolls are listed.
const MOST_ROLLS: u64 = 36;

/// The maximum number of events that a completion item for `undo` takes back.
const MOST_UNDONE: usize = 9;

/// A line of play up to the word at the cursor.
pub(super) struct LinePrefix<'a> {
    /// The text of the file.
    pub(super) text: &'a str,
    /// The byte at which the line starts.
    pub(super) start: usize,
    /// The bytes of the word at the cursor.
    pub(super) word: Range<usize>,
    /// The offset of the cursor.
    pub(super) cursor: usize,
}

impl<'a> LinePrefix<'a> {
    /// The text before the word at the cursor, without surrounding whitespace, and the byte at which it starts.
    fn before(&self) -> (usize, &'a str) {
        let text = &self.text[self.start..self.word.start];
        let blanks = text.len() - text.trim_start().len();
        (self.start + blanks, text.trim())
    }

    /// The line from an offset on.
    fn from(&self, start: usize) -> LinePrefix<'a> {
        LinePrefix { text: self.text, start, word: self.word.clone(), cursor: self.cursor }
    }

    /// The part of the word that is before the cursor.
    fn typed(&self) -> &'a str {
        &self.text[self.word.start..self.cursor]
    }
}

/// The completion items for a line. `game` is the game before it, if it is known.
pub(super) fn of_play(line: &LinePrefix<'_>, loaded: Option<&Loaded>, game: Option<&Game>) -> Vec<GameCompletion> {
    let (start, before) = line.before();
    let known = loaded.zip(game).map(|(loaded, game)| Proposals { loaded, game: game.clone(), found: Vec::new() });
    let (first, rest) = before.split_once(char::is_whitespace).unwrap_or((before, ""));
    let rest = line.from(start + before.len() - rest.len());
    if before.is_empty() {
        let mut found = known.map(|known| known.at_start(line)).unwrap_or_default();
        found.extend(words(line, game));
        return found;
    }
    let Some(known) = known else { return Vec::new() };
    match first {
        "roll" => known.faces(&line.from(start + first.len())),
        "choose" => known.choices_of(&rest),
        "undo" => known.undone(line),
        "odds" => known.of_sequence(&rest),
        "refused" => known.refused(&rest),
        "move" | "play" => known.events(&rest),
        other if WORDS.contains(&other) => Vec::new(),
        _ => known.events(&line.from(start)),
    }
}

/// The words that the line can begin with.
fn words(line: &LinePrefix<'_>, game: Option<&Game>) -> Vec<GameCompletion> {
    let fits = |word: &&str| {
        let Some(game) = game else { return true };
        match *word {
            "roll" => game.status() == Status::Chance,
            "move" => game.status() == Status::Move,
            "pass" => game.state().can_pass(),
            "choose" => !game.state().choices().is_empty(),
            "undo" => !game.entries().is_empty(),
            _ => true,
        }
    };
    let proposal = |word: &str| GameCompletion {
        label: word.into(),
        detail: String::new(),
        about: file::about(word).unwrap_or_default().into(),
        replaces: line.word.clone(),
        inserts: if matches!(word, "move" | "choose" | "refused") { format!("{word} ") } else { word.into() },
        kind: Kind::Word,
    };
    WORDS.into_iter().filter(fits).map(proposal).collect()
}

/// Collects completion items for a game.
struct Proposals<'a> {
    loaded: &'a Loaded,
    game: Game,
    found: Vec<GameCompletion>,
}

impl Proposals<'_> {
    fn add(&mut self, kind: Kind, replaces: Range<usize>, label: String, detail: String) {
        let inserts = label.clone();
        self.found.push(GameCompletion { label, detail, about: String::new(), replaces, inserts, kind });
    }

    /// Events at the start of a line.
    fn at_start(mut self, line: &LinePrefix<'_>) -> Vec<GameCompletion> {
        match self.game.status() {
            Status::Chance => self.rolls(line, "roll "),
            _ => self.answers(line, true),
        }
        self.found
    }

    /// Events after others on the same line, each one word, or the rest of a choice of several words.
    fn events(mut self, line: &LinePrefix<'_>) -> Vec<GameCompletion> {
        self.rest_of_choice(line);
        let (_, before) = line.before();
        let mut game = self.game.clone();
        let done = before.split_whitespace().all(|word| input::step(self.loaded, &mut game, word).is_ok());
        if done {
            self.game = game;
            self.answers(line, before.is_empty());
        }
        self.found
    }

    /// Events after others in a sequence, in which faces are written without `roll`.
    fn of_sequence(mut self, line: &LinePrefix<'_>) -> Vec<GameCompletion> {
        let (_, before) = line.before();
        if sequence::follow(&mut self.game, before, None).is_ok() {
            match self.game.status() {
                Status::Chance => self.rolls(line, ""),
                _ => self.answers(line, true),
            }
        }
        self.found
    }

    /// Moves and choices. After other events on a line, a choice must be one word.
    fn answers(&mut self, line: &LinePrefix<'_>, is_first: bool) {
        let state = self.game.state().clone();
        let mut known = BTreeSet::new();
        if game_text::die_prefix(line.typed()).0.is_some() {
            return self.moves_with_dice(line);
        }
        if state.moves().len() <= input::MANY {
            let mut typed: Vec<(String, MoveWithDice)> =
                state.moves().iter().map(|&paid| (game_text::typed_move(&state, paid), paid)).collect();
            typed.sort();
            for (text, paid) in typed {
                if known.insert(text.clone()) {
                    self.add(Kind::Move, line.word.clone(), text, described(&state, paid));
                }
            }
        }
        for (text, detail) in in_coordinates(&state) {
            if known.insert(text.clone()) {
                self.add(Kind::Move, line.word.clone(), text, detail);
            }
        }
        for choice in game_text::choices(&state).into_iter().filter(|text| is_first || !text.contains(' ')) {
            self.add(Kind::Choice, line.word.clone(), choice, "choice".into());
        }
        if state.can_pass() && !is_first {
            self.add(Kind::Word, line.word.clone(), "pass".into(), String::new());
        }
    }

    /// Moves with the dice that pay for them, in coordinates.
    fn moves_with_dice(&mut self, line: &LinePrefix<'_>) {
        let state = self.game.state().clone();
        for &paid in state.moves() {
            let text = game_text::paid_by(&state.price(paid), &game_text::move_name(&state, paid.mv));
            self.add(Kind::Move, line.word.clone(), text, described(&state, paid));
        }
    }

    /// Choices after the word `choose`.
    fn choices_of(mut self, line: &LinePrefix<'_>) -> Vec<GameCompletion> {
        if line.before().1.is_empty() {
            for choice in game_text::choices(self.game.state()) {
                self.add(Kind::Choice, line.word.clone(), choice, "choice".into());
            }
        } else {
            self.rest_of_choice(line);
        }
        self.found
    }

    /// Choices of several words that begin with the words before the cursor.
    fn rest_of_choice(&mut self, line: &LinePrefix<'_>) {
        let (start, before) = line.before();
        let begins = |choice: &String| {
            let head = choice.get(..before.len()).filter(|head| head.eq_ignore_ascii_case(before));
            head.is_some() && !before.is_empty() && choice[before.len()..].starts_with(' ')
        };
        for choice in game_text::choices(self.game.state()).into_iter().filter(begins) {
            self.add(Kind::Choice, start..line.word.end, choice, "choice".into());
        }
    }

    /// Whole rolls, with a word before the faces.
    fn rolls(&mut self, line: &LinePrefix<'_>, word: &str) {
        let state = self.game.state().clone();
        for name in game_text::drawn(&state) {
            self.add(Kind::Roll, line.word.clone(), format!("{word}{name}"), "draw".into());
        }
        let Some(dice) = state.dice().filter(|_| game_text::drawn(&state).is_empty()) else { return };
        if !dice.is_countable() || dice.outcomes() > MOST_ROLLS {
            return;
        }
        for faces in (0..dice.outcomes()).filter(|index| state.can_roll(*index)).map(|index| dice.outcome(index)) {
            let text: Vec<String> = faces.iter().map(i16::to_string).collect();
            let names = self.named(&faces).unwrap_or_else(|| dice.to_string());
            self.add(Kind::Roll, line.word.clone(), format!("{word}{}", text.join(" ")), names);
        }
    }

    /// The names of the faces, if all of them have names.
    fn named(&self, faces: &[i16]) -> Option<String> {
        let named = self.loaded.named_faces();
        let name = |face: &i16| named.iter().find(|(known, _)| known == face).map(|(_, name)| name.as_str());
        faces.iter().map(name).collect::<Option<Vec<_>>>().map(|names| names.join(", "))
    }

    /// The faces of the next die after the word `roll`, or the squares or moves that can be drawn.
    fn faces(mut self, line: &LinePrefix<'_>) -> Vec<GameCompletion> {
        if self.game.status() != Status::Chance {
            return Vec::new();
        }
        let typed = &line.text[line.start..line.cursor];
        let last = typed.rfind([' ', ',', '\t']).map_or(line.word.start, |at| line.start + at + 1);
        let replaces = last..line.word.end;
        let mut shown = Vec::new();
        for part in line.text[line.start..last].split([' ', ',', '\t']).filter(|part| !part.is_empty()) {
            match game_text::read_roll(self.game.state(), part) {
                Ok(faces) => shown.extend(faces),
                Err(_) => return Vec::new(),
            }
        }
        // One line can contain the faces of several rolls.
        while let Some(count) = self.game.state().dice().map(|dice| dice.dice.len()).filter(|n| *n <= shown.len()) {
            let rest = shown.split_off(count);
            if count == 0 || game_text::roll(&mut self.game, &shown).is_err() {
                return Vec::new();
            }
            shown = rest;
        }
        let state = self.game.state().clone();
        let drawn = game_text::drawn(&state);
        for name in &drawn {
            self.add(Kind::Roll, replaces.clone(), name.clone(), "draw".into());
        }
        let Some(dice) = state.dice().filter(|_| drawn.is_empty()) else { return self.found };
        let faces: BTreeSet<i16> =
            dice.dice.get(shown.len()).map_or(BTreeSet::new(), |die| die.faces().iter().copied().collect());
        for face in faces {
            let which = format!("die {} of {}", shown.len() + 1, dice.dice.len());
            let detail = self.named(&[face]).map_or(which.clone(), |name| format!("{name}, {which}"));
            self.add(Kind::Roll, replaces.clone(), face.to_string(), detail);
        }
        self.found
    }

    fn undone(mut self, line: &LinePrefix<'_>) -> Vec<GameCompletion> {
        for count in 1..=self.game.entries().len().min(MOST_UNDONE) {
            let detail =
                if count == 1 { "takes back the last event".into() } else { format!("takes back {count} events") };
            self.add(Kind::Value, line.word.clone(), count.to_string(), detail);
        }
        self.found
    }

    /// Illegal moves, by their squares: the squares of the player's pieces, and after one of them, those that the piece
    /// cannot move to.
    fn refused(mut self, line: &LinePrefix<'_>) -> Vec<GameCompletion> {
        let before = line.before().1;
        let (word, _) = before.split_once(char::is_whitespace).unwrap_or((before, ""));
        if WORDS.contains(&word) {
            return Vec::new();
        }
        // All moves but the last must be legal.
        for word in before.split_whitespace() {
            if input::step(self.loaded, &mut self.game, word).is_err() {
                return Vec::new();
            }
        }
        let state = self.game.state().clone();
        let board = self.loaded.set.variant.board();
        let own = state.position().of(state.chooser());
        let from = own.into_iter().filter(|square| line.typed().starts_with(&board.name(*square)));
        match from.max_by_key(|square| board.name(*square).len()) {
            None => {
                for square in own {
                    self.add(Kind::Square, line.word.clone(), board.name(square), piece_on(&state, square));
                }
            }
            Some(from) => {
                let legal: Vec<(Square, Square)> =
                    state.moves().iter().map(|paid| (paid.mv.from, paid.mv.to)).collect();
                let targets = board.squares().into_iter().filter(|to| *to != from && !legal.contains(&(from, *to)));
                for to in targets {
                    let detail = format!("{}, not legal", piece_on(&state, from));
                    let label = format!("{}{}", board.name(from), board.name(to));
                    self.add(Kind::Square, line.word.clone(), label, detail);
                }
            }
        }
        if before.is_empty() {
            let others = ["roll", "choose", "pass"].into_iter().filter(|word| *word != "pass" || !state.can_pass());
            others.for_each(|word| self.add(Kind::Word, line.word.clone(), word.into(), String::new()));
        }
        self.found
    }
}

/// The legal moves in coordinates, with descriptions.
fn in_coordinates(state: &State) -> Vec<(String, String)> {
    if state.moves().len() > input::MANY {
        return game_text::options(state).into_iter().map(|text| (text, String::new())).collect();
    }
    let named = |paid: &MoveWithDice| (game_text::option_name(state, *paid), described(state, *paid));
    let mut all: Vec<(String, String)> = state.moves().iter().map(named).collect();
    all.sort();
    all
}

/// A move in words: the piece, its squares, and its effects.
fn described(state: &State, paid: MoveWithDice) -> String {
    let variant = &state.ruleset().variant;
    let mv: Move = paid.mv;
    let to = variant.board().name(mv.to);
    let mut text = match mv.dropped() {
        Some(kind) => format!("{} from hand to {to}", variant.kind(kind).name),
        None => format!("{} {} to {to}", piece_on(state, mv.from), variant.board().name(mv.from)),
    };
    let (captured, _) = state.position().captured_by(mv);
    if !captured.is_none() {
        text.push_str(&format!(", captures {}", variant.kind(captured.kind()).name));
    }
    if let Some(kind) = mv.promotion() {
        text.push_str(&format!(", becomes {}", variant.kind(kind).name));
    }
    let dice = state.price(paid);
    if !dice.is_empty() {
        text.push_str(&format!(", uses {}", game_text::faces(&dice)));
    }
    text
}

/// The name of the piece on a square; empty if there is none.
fn piece_on(state: &State, square: Square) -> String {
    let piece = state.position().at(square);
    if piece.is_none() { String::new() } else { state.ruleset().variant.kind(piece.kind()).name.clone() }
}
