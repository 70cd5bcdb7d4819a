//! Games as records: PGN with the dice and choices in comment commands.
//!
//! A record holds the variant, its options and every event of the game. Reading it replays the game event by event and
//! rejects illegal events with their place. A running game can be written and read at any moment. See [`pgn`] for the
//! notation.
//!
//! Commands: `[%roll 2,3]` for dice, `[%choose text]` for choices other than moves, `[%die 6]` before a move that several
//! dice could pay for. `--` is a lost turn without any event, and may be left out; `pass` is the event that a player
//! declined to move. Records of earlier versions use `--` for both, and also after declined turns and turns that ended
//! automatically; they keep their meaning. Alternatives that were tried are variations.

use crate::diagnostic::LoadError;
use crate::import;
use crate::load::Loaded;
use crate::notation::pgn::{self, Item, SpannedItem};
use crate::notation::{NotationError, fen};
use crate::printable::in_a_line;
use crate::variations::Variations;
use crate::{game_text, turn_state_text, view};

pub use crate::game_text::move_text;
use astragal_core::{EndedTurn, Event, Game, GameError, MAX_SIDES, Note, Side, State, Status, TurnEnd};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// An event of a record that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("event {number} (line {line}, column {column}), '{text}': {reason}{}", listed(.reason, .permitted))]
pub struct Refused {
    /// Its number among the events, from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// The reason.
    pub reason: String,
    /// The moves or choices that would have been permitted.
    pub permitted: Vec<String>,
}

/// The permitted moves or choices, unless the reason already lists them.
fn listed(reason: &str, options: &[String]) -> String {
    const MOST: usize = 12;
    if options.is_empty() || reason.contains("; legal here: ") {
        return String::new();
    }
    let more = if options.len() > MOST { format!(" and {} more", options.len() - MOST) } else { String::new() };
    format!("; legal: {}{more}", options[..options.len().min(MOST)].join(" "))
}

/// The reason why a record cannot be read.
#[derive(Clone, Debug, Error)]
pub enum RecordError {
    /// It is not PGN.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// It contains no game.
    #[error("this record contains no game")]
    Empty,
    /// It does not name the variant.
    #[error("the record does not name its variant: add a tag such as [Variant \"chess\"]")]
    NoVariant,
    /// A tag has an impossible value.
    #[error("line {line}: the tag [{tag} \"{value}\"]: {reason}")]
    Tag {
        /// The tag's name.
        tag: String,
        /// Its value.
        value: String,
        /// Its line, from 1.
        line: usize,
        /// The problem.
        reason: String,
    },
    /// The variant cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// An event is not legal.
    #[error(transparent)]
    Refused(Box<Refused>),
    /// A rule failed before the first event.
    #[error("{0}")]
    Rule(String),
    /// The result differs from that of the game.
    #[error("the recorded result is {given}, but the game ended {actual} ({reason})")]
    Result {
        /// The result in the record.
        given: String,
        /// The result by the rules.
        actual: String,
        /// The reason why the game ended.
        reason: String,
    },
}

/// A game that was read.
#[derive(Clone)]
pub struct Record {
    /// Its variant.
    pub loaded: Loaded,
    /// The game, at the end of its main line.
    pub game: Game,
    /// The main line and its variations.
    pub variations: Variations,
    /// Its tags in order.
    pub tags: Vec<(String, String)>,
    /// Whether it names the variant with our own tags rather than those of another program.
    pub ours: bool,
}

impl Record {
    /// The value of the first tag called `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A turn, as text for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The number of the round.
    pub number: u32,
    /// The side whose turn it is.
    pub side: Side,
    /// Its events in order.
    pub parts: Vec<TurnPart>,
    /// The number of events of the game at its end.
    pub events: usize,
}

/// An event of a turn, as far as the viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnPart {
    /// The faces of a roll, or the square or the move that was drawn.
    Roll(Vec<String>),
    /// A roll or a choice that the viewer does not see.
    Hidden,
    /// A move.
    Move(String),
    /// A choice.
    Choice(String),
    /// A pass.
    Pass,
    /// The turn is lost: no move was permitted.
    Lost,
}

impl fmt::Display for TurnPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnPart::Roll(faces) => write!(f, "[{}]", faces.join(",")),
            TurnPart::Hidden => f.write_str("[?]"),
            TurnPart::Move(text) | TurnPart::Choice(text) => f.write_str(text),
            TurnPart::Pass => f.write_str("pass"),
            TurnPart::Lost => f.write_str("--"),
        }
    }
}

/// The tags that name the players of all sides, in the order of play.
pub const PLAYER_TAGS: [&str; MAX_SIDES] = ["White", "Black", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];

/// Writes a game, finished or not. `tags` replace tags of the same name and are added otherwise. A `Result` among them is
/// also written at the end, for games that were resigned.
pub fn write(loaded: &Loaded, game: &Game, tags: &[(String, String)]) -> String {
    write_variations(loaded, game, &Variations::of(game), tags)
}

/// The same with variations: `variations`, with `game` as its current line, also holds everything else that was tried.
pub fn write_variations(loaded: &Loaded, game: &Game, variations: &Variations, tags: &[(String, String)]) -> String {
    let mut record = pgn::PgnGame { result: result(game.state()).into(), ..pgn::PgnGame::default() };
    let mut add = |name: &str, value: &str| {
        let given = tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
        record.tags.push((name.into(), given.unwrap_or(value).into()));
    };
    for name in ["Event", "Site", "Date", "Round"] {
        add(name, if name == "Date" { "????.??.??" } else { "?" });
    }
    for (name, side) in PLAYER_TAGS.iter().zip(0..loaded.set.variant.sides() as u8) {
        add(name, game_text::side_name(&loaded.set.variant, Side(side)));
    }
    add("Result", result(game.state()));
    // A script from a file is found again by its path.
    let path = loaded.source.path.as_ref().map(|path| path.display().to_string());
    add("Variant", path.as_deref().unwrap_or(&loaded.name));
    let options: Vec<_> = loaded.options.iter().filter(|option| option.chosen != option.default).collect();
    if !options.is_empty() {
        let texts: Vec<String> = options.iter().map(|o| format!("{}={}", o.name, o.chosen)).collect();
        add("Options", &texts.join(" "));
    }
    add("Seed", &game.seed().to_string());
    let dice = Some(game.start_dice()).filter(|dice| !dice.is_empty());
    if *game.start() != loaded.start || dice.is_some() {
        let dice = dice.map(|dice| game_text::dice_text(&loaded.faces, dice));
        add("SetUp", "1");
        add("FEN", &fen::write_turn(&loaded.set.variant, game.start(), dice.as_deref()));
    }
    if let Some(over) = game.state().over() {
        add("Termination", &over.reason);
    }
    let known: Vec<String> = record.tags.iter().map(|(name, _)| name.clone()).collect();
    record.tags.extend(tags.iter().filter(|(name, _)| !known.contains(name)).cloned());
    record.result = record.tag("Result").map_or(record.result.clone(), String::from);
    record.items = write::items(game, variations);
    pgn::write(&record)
}

/// The result as PGN writes it. PGN has no result for a winner after the second side, unless the first or second is its
/// partner.
pub fn result(state: &State) -> &'static str {
    let Some(over) = state.over() else { return "*" };
    match (over.winner, game_text::winners(state).first()) {
        (None, _) => "1/2-1/2",
        (_, Some(Side(0))) => "1-0",
        (_, Some(Side(1))) => "0-1",
        _ => "*",
    }
}

/// The turns of a game, each on one line.
pub fn turns(game: &Game) -> Vec<Turn> {
    turns_for(game, None)
}

/// The same as `viewer` may know them; `None` knows everything.
pub fn turns_for(game: &Game, viewer: Option<Side>) -> Vec<Turn> {
    told(game, viewer, State::mover)
}

/// The same, but decisions of other sides during a turn are separate, each under the side that decided.
pub fn decisions_for(game: &Game, viewer: Option<Side>) -> Vec<Turn> {
    told(game, viewer, State::chooser)
}

/// The turns as `viewer` may know them. `whose` returns the side under which an event is listed.
fn told(game: &Game, viewer: Option<Side>, whose: impl Fn(&State) -> Side) -> Vec<Turn> {
    let mut turns: Vec<Turn> = ended(game.opening()).filter(is_lost).map(|ended| Turn::lost(ended, 0)).collect();
    let (mut turn, mut events) = (None, 0);
    walk(game, |before, event, notes| {
        let here = Some((before.turn(), whose(before)));
        events += 1;
        if turn != here {
            turn = here;
            let number = u32::from(before.position().number());
            turns.push(Turn { number, side: whose(before), parts: Vec::new(), events });
        }
        let part = match event {
            Event::Roll(_) | Event::Choice(_) if !view::sees(before, viewer) => TurnPart::Hidden,
            Event::Roll(faces) => TurnPart::Roll(game_text::rolled_faces(before, faces)),
            Event::Move(paid) => TurnPart::Move(view::move_text(before, *paid, viewer)),
            Event::Pass => TurnPart::Pass,
            Event::Choice(index) => {
                TurnPart::Choice(game_text::choices(before).get(*index).cloned().unwrap_or_default())
            }
        };
        if let Some(line) = turns.last_mut() {
            line.parts.push(part);
            line.events = events;
        }
        // The first ended turn is the event's own; nothing happened in the turns after it.
        for (i, ended) in ended(notes).enumerate().filter(|(_, ended)| is_lost(ended)) {
            match turns.last_mut() {
                Some(line) if i == 0 => line.parts.push(TurnPart::Lost),
                _ => turns.push(Turn::lost(ended, events)),
            }
        }
    });
    turns
}

impl Turn {
    /// A turn without events, because no move was permitted.
    fn lost(turn: EndedTurn, events: usize) -> Turn {
        Turn { number: turn.number.into(), side: turn.side, parts: vec![TurnPart::Lost], events }
    }

    /// Its events on one line, as `[2,3] Nc3`.
    pub fn text(&self) -> String {
        self.parts.iter().map(TurnPart::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// The turns that ended.
fn ended(notes: &[Note]) -> impl Iterator<Item = EndedTurn> {
    notes.iter().filter_map(Note::ended).copied()
}

fn is_lost(turn: &EndedTurn) -> bool {
    turn.end() == TurnEnd::Lost
}

/// Whether earlier versions counted the turn as lost: there was no move or choice, for any reason.
fn was_taken_for_lost(turn: &EndedTurn) -> bool {
    turn.answers.asked && !turn.answers.moved && !turn.answers.chose
}

/// The number of `--` to write for turns lost before `after`. If `--` could be read as a pass of the next player, as in
/// earlier versions, marks that those versions did not write are left out.
fn lost_turns(notes: &[Note], after: &State) -> usize {
    ended(notes).filter(|turn| is_lost(turn) && (was_taken_for_lost(turn) || !after.can_pass())).count()
}

/// The maximum number of `--` that a record may have for turns that ended before `after`.
fn marks(notes: &[Note], after: &State) -> usize {
    ended(notes).filter(|turn| was_taken_for_lost(turn) || is_lost(turn) && !after.can_pass()).count()
}

/// Replays a game. Visits the state before each event, and the automatic events after it.
fn walk(game: &Game, mut visit: impl FnMut(&State, &Event, &[Note])) {
    let Ok(mut again) = turn_state_text::restarted(game) else { return };
    for entry in game.entries() {
        let before = again.state().clone();
        if again.apply(&entry.event).is_err() {
            return;
        }
        visit(&before, &entry.event, &entry.notes);
    }
}

/// Reads the first game of a record and replays it; `load` finds the variant by name and options.
///
/// # Errors
/// A [`RecordError`] with the place of the error and its reason.
pub fn read(
    text: &str,
    load: impl FnMut(&str, &[(String, String)]) -> Result<Loaded, LoadError>,
) -> Result<(Loaded, Game), RecordError> {
    let record = read_each(text, load).next().unwrap_or(Err(RecordError::Empty))?;
    Ok((record.loaded, record.game))
}

/// Reads all games of a record.
///
/// # Errors
/// As [`read`]. No games of a record with an error are returned.
pub fn read_all(
    text: &str,
    load: impl FnMut(&str, &[(String, String)]) -> Result<Loaded, LoadError>,
) -> Result<Vec<(Loaded, Game)>, RecordError> {
    read_each(text, load).map(|record| record.map(|record| (record.loaded, record.game))).collect()
}

/// The games of a record with their variations, each parsed and replayed on demand, so that at most one game of a long
/// record is in memory. A record without a game is an error. An error ends the iteration.
pub fn read_each(
    text: &str,
    mut load: impl FnMut(&str, &[(String, String)]) -> Result<Loaded, LoadError>,
) -> impl Iterator<Item = Result<Record, RecordError>> {
    let (mut games, mut number) = (pgn::games(text), 0);
    std::iter::from_fn(move || {
        let game = match games.next() {
            None if number == 0 => Err(RecordError::Empty),
            None => return None,
            Some(game) => game.map_err(RecordError::from).and_then(|game| replay(text, &game, &mut load)),
        };
        number += 1;
        if game.is_err() {
            // Nothing is left to read.
            games = pgn::games("");
        }
        Some(game)
    })
}

fn replay(
    text: &str,
    record: &pgn::PgnGame,
    load: &mut impl FnMut(&str, &[(String, String)]) -> Result<Loaded, LoadError>,
) -> Result<Record, RecordError> {
    let origin = import::origin(record).ok_or(RecordError::NoVariant)?;
    let mut chosen = origin.options.clone();
    chosen.extend(options(text, record)?);
    let loaded = load(&origin.variant, &chosen)?;
    let seed = record.tag("Seed").map_or(Ok(0), |seed| {
        let reason = || "expected a whole number from 0 to 18446744073709551615".into();
        seed.parse().map_err(|_| bad_tag(text, "Seed", seed, reason()))
    })?;
    let game = match record.tag("FEN") {
        None => Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed)
            .map_err(|error| RecordError::Rule(error.to_string()))?,
        Some(fen) => {
            let ours = origin.position(&loaded.set.variant, fen);
            begin(&loaded, &ours, seed).map_err(|reason| bad_tag(text, "FEN", fen, reason))?
        }
    };
    let mut variations = Variations::new();
    let mut replay = Replay {
        text,
        origin: &origin,
        lost: marks(game.opening(), game.state()),
        game,
        die: None,
        number: 0,
        past: None,
    };
    if record.items.iter().any(|entry| matches!(entry.item, Item::Variation(_))) {
        replay.past = Some(VecDeque::new());
    }
    replay.line(&record.items, &mut variations)?;
    let game = replay.game;
    check_result(&game, &record.result)?;
    variations.follow(game.entries());
    let ours = record.tag("Variant") == Some(&origin.variant);
    Ok(Record { ours, tags: record.tags.clone(), loaded, game, variations })
}

fn begin(loaded: &Loaded, fen: &str, seed: u64) -> Result<Game, String> {
    let placed = fen::parse(&loaded.set.variant, fen).map_err(|error| error.to_string())?;
    turn_state_text::begin(loaded, placed, seed)
}

/// The options of a record: `tie=reroll doubles=any`.
fn options(text: &str, record: &pgn::PgnGame) -> Result<Vec<(String, String)>, RecordError> {
    let value = record.tag("Options").unwrap_or_default();
    let one = |word: &str| match word.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(bad_tag(text, "Options", value, format!("expected name=value, found '{}'", shortened(word)))),
    };
    value.split_whitespace().map(one).collect()
}

fn bad_tag(text: &str, tag: &str, value: &str, reason: String) -> RecordError {
    let opening = format!("[{tag}");
    let at = text.lines().position(|line| line.trim_start().starts_with(&opening));
    RecordError::Tag { tag: tag.into(), value: shortened(value), line: at.map_or(1, |line| line + 1), reason }
}

/// A text of a record for messages: on one line, truncated if it is long.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 100;
    let begin: String = text.chars().take(LONGEST).collect();
    let more = if begin.len() < text.len() { "..." } else { "" };
    format!("{}{more}", in_a_line(&begin))
}

/// A decided game must have the result given by the rules; an undecided game can be a resignation.
fn check_result(game: &Game, given: &str) -> Result<(), RecordError> {
    let actual = result(game.state());
    match game.state().over() {
        Some(over) if given != actual && given != "*" => {
            Err(RecordError::Result { given: given.into(), actual: actual.into(), reason: over.reason.clone() })
        }
        _ => Ok(()),
    }
}

struct Replay<'a> {
    text: &'a str,
    origin: &'a import::Origin,
    game: Game,
    /// The number of lost turns whose `--` has not been read yet.
    lost: usize,
    /// The dice that pay for the next move, if the record gives them.
    die: Option<Vec<i16>>,
    number: usize,
    /// The game before each of the last events, if there are variations.
    past: Option<VecDeque<Game>>,
}

/// The first event of a variation.
#[derive(Clone, Copy)]
enum Kind {
    Roll,
    Move,
    Choice,
}

impl Kind {
    /// Whether such an event can come next.
    fn may_come(self, state: &State) -> bool {
        match self {
            Kind::Roll => state.status() == Status::Chance,
            Kind::Move => state.status() == Status::Move || state.can_pass(),
            Kind::Choice => !state.choices().is_empty(),
        }
    }
}

/// A variation may begin at most this many events back, which is more than any turn needs.
const PAST: usize = 32;

impl Replay<'_> {
    fn line(&mut self, items: &[SpannedItem], variations: &mut Variations) -> Result<(), RecordError> {
        for entry in items {
            match &entry.item {
                Item::Variation(items) => self.variation(entry, items, variations)?,
                _ => self.entry(entry)?,
            }
        }
        Ok(())
    }

    /// Reads a variation. It replaces the last event of the same kind as its first event.
    fn variation(
        &mut self,
        entry: &SpannedItem,
        items: &[SpannedItem],
        variations: &mut Variations,
    ) -> Result<(), RecordError> {
        let kind = items.iter().find_map(|entry| match &entry.item {
            Item::Move(_) | Item::Pass | Item::Declined => Some(Kind::Move),
            Item::Command { name, .. } if name == "roll" => Some(Kind::Roll),
            Item::Command { name, .. } if name == "choose" => Some(Kind::Choice),
            _ => None,
        });
        let Some(kind) = kind else { return Ok(()) };
        let past = self.past.iter().flatten();
        let start = if past.clone().next().is_none() { Some(&self.game) } else { None };
        let Some(before) = past.rev().chain(start).find(|game| kind.may_come(game.state())) else {
            return Err(self.refused(entry, "there is no earlier event that this variation could replace".into()));
        };
        // The game's own line comes before alternatives.
        variations.follow(self.game.entries());
        let (text, origin, number) = (self.text, self.origin, before.entries().len());
        let past = Some(VecDeque::new());
        let mut other = Replay { text, origin, game: before.clone(), lost: 0, die: None, number, past };
        other.line(items, variations)?;
        variations.follow(other.game.entries());
        Ok(())
    }

    fn entry(&mut self, entry: &SpannedItem) -> Result<(), RecordError> {
        let done = match &entry.item {
            Item::Number { .. } | Item::Comment(_) | Item::Nag(_) | Item::Variation(_) => return Ok(()),
            Item::Command { name, args } if name == "die" => {
                let read = read_faces(args);
                read.map(|faces| self.die = Some(faces))
            }
            Item::Command { name, args } if name == "roll" => self.event(|game| {
                let faces = match game_text::drawn(game.state()).is_empty() {
                    true => read_faces(args)?,
                    false => game_text::read_roll(game.state(), args)?,
                };
                game_text::roll(game, &faces).map(drop).map_err(|error| said(game.state(), &error))
            }),
            Item::Command { name, args } if name == "choose" => self.event(|game| {
                let index = game_text::find_recorded_choice(game.state(), args).map_err(|error| error.brief())?;
                game.choose(index).map_err(|error| said(game.state(), &error))
            }),
            Item::Command { .. } => return Ok(()),
            Item::Move(text) => {
                let (die, origin) = (self.die.take(), self.origin);
                self.event(|game| {
                    let paid = origin.find(game.state(), text, die.as_deref()).map_err(|error| error.brief())?;
                    game.play(paid).map_err(|error| said(game.state(), &error))
                })
            }
            Item::Pass if self.lost > 0 => {
                self.lost -= 1;
                return Ok(());
            }
            Item::Pass => self.event(|game| match game.state().can_pass() {
                true => game.pass().map_err(|error| said(game.state(), &error)),
                false => Err(format!(
                    "passing is not legal here: the game is waiting for \
                        {}",
                    game_text::waits(game.state())
                )),
            }),
            Item::Declined => self.event(|game| game.pass().map_err(|error| said(game.state(), &error))),
        };
        done.map_err(|reason| self.refused(entry, reason))
    }

    fn event(&mut self, act: impl FnOnce(&mut Game) -> Result<(), String>) -> Result<(), String> {
        self.number += 1;
        let before = self.game.entries().len();
        if let Some(past) = &mut self.past {
            past.push_back(self.game.clone());
            if past.len() > PAST {
                past.pop_front();
            }
        }
        act(&mut self.game)?;
        let new = &self.game.entries()[before..];
        self.lost = new.iter().map(|entry| marks(&entry.notes, self.game.state())).sum();
        Ok(())
    }

    fn refused(&self, entry: &SpannedItem, reason: String) -> RecordError {
        let text = shortened(self.text.get(entry.span.clone()).unwrap_or_default());
        let before = self.text.get(..entry.span.start).unwrap_or_default();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let mut permitted = game_text::options(self.game.state());
        permitted.extend(game_text::choices(self.game.state()));
        RecordError::Refused(Box::new(Refused {
            number: self.number.max(1),
            text,
            line: entry.line,
            column,
            reason,
            permitted,
        }))
    }
}

fn read_faces(text: &str) -> Result<Vec<i16>, String> {
    let face = |part: &str| {
        part.trim().parse().map_err(|_| format!("expected faces such as '2,3', found '{}'", shortened(text)))
    };
    text.split(',').map(face).collect()
}

/// The message for an event that the game rejected.
fn said(state: &State, error: &GameError) -> String {
    match error {
        GameError::NotNow { offered, .. } => game_text::not_now(state, offered),
        _ => error.to_string(),
    }
}

#[path = "record_list.rs"]
mod list;
#[path = "record_write.rs"]
mod write;

pub use list::{Contents, Heading, contents, read_one};

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
