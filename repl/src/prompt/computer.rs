//! The computer at the prompt: which sides it plays, its moves, and hints.
//!
//! It knows no more than the players: [`astragal_computer`] decides, the session lets it happen and
//! tells it like any other event.

use super::interrupt::Thinking;
use super::session::{Said, Session};
use crate::opponents::{USUAL_LEVEL, parse_level, parse_time};
use astragal_computer::{Computer, Knowledge, Limits, Player, Thought};
use astragal_core::{Event, Game, Side, State, Status, Variant};
use astragal_dsl::notation::nearest;
use astragal_dsl::{Loaded, record, words};
use std::rc::Rc;
use std::time::Duration;

/// So many lines are shown by a hint.
const SHOWN: usize = 5;

/// Who plays the sides, and what is known of the variant.
#[derive(Default)]
pub struct Seats {
    /// The level of the computer, for each side that it plays.
    levels: [Option<u8>; 4],
    time: Option<Duration>,
    /// The computers that have been asked already, and what they were made for.
    players: [Option<Computer>; 4],
    known: Option<(Rc<Loaded>, Rc<Knowledge>)>,
}

/// What a line asks of the computer.
struct Wish {
    side: Option<Side>,
    level: Option<u8>,
    time: Option<Duration>,
    off: bool,
}

impl Seats {
    /// Whether the computer plays `side`.
    fn has(&self, side: Side) -> bool {
        self.levels[side.index()].is_some()
    }

    fn any(&self, sides: usize) -> bool {
        self.levels[..sides].iter().any(Option::is_some)
    }

    /// What is known of a variant; worked out when it is first needed.
    fn known(&mut self, loaded: &Rc<Loaded>) -> Result<Rc<Knowledge>, String> {
        if let Some((of, known)) = &self.known
            && Rc::ptr_eq(of, loaded)
        {
            return Ok(Rc::clone(known));
        }
        let known = Knowledge::learn(Rc::clone(&loaded.set), &loaded.start).map_err(|error| error.to_string())?;
        let known = Rc::new(known);
        self.known = Some((Rc::clone(loaded), Rc::clone(&known)));
        self.players = Default::default();
        Ok(known)
    }

    /// Decides for the computer that plays the side in question.
    fn decide(&mut self, loaded: &Rc<Loaded>, game: &Game, thinking: &Thinking) -> Result<Event, String> {
        let known = self.known(loaded)?;
        let side = game.state().chooser().index();
        let level = self.levels[side].unwrap_or(USUAL_LEVEL);
        let computer = self.players[side].take().unwrap_or_else(|| made(known, level, self.time, game.seed()));
        let limits = Limits { stop: thinking.flag(), ..computer.limits().clone() };
        let mut computer = computer.with_limits(limits);
        let decided = computer.decide(game.state()).map_err(|error| error.to_string());
        self.players[side] = Some(computer);
        decided
    }
}

fn made(known: Rc<Knowledge>, level: u8, time: Option<Duration>, seed: u64) -> Computer {
    let computer = Computer::new(known, level, seed);
    match time {
        Some(time) => computer.with_time(time),
        None => computer,
    }
}

impl Session {
    /// Seats computers as the command line says: `black=3` or `black`, with a time for each decision.
    ///
    /// # Errors
    /// If a side, level or time is none.
    pub(super) fn seat(&mut self, computers: &[String], time: Option<Duration>) -> Result<(), String> {
        for text in computers {
            let words = text.replacen('=', " ", 1);
            let wish = self.wish(&words)?;
            let side = wish.side.ok_or_else(|| format!("expected a side and a level as black=3, found '{text}'"))?;
            self.seats.levels[side.index()] = Some(wish.level.unwrap_or(USUAL_LEVEL));
        }
        self.seats.time = time;
        Ok(())
    }

    /// The command `computer`.
    pub(super) fn computer(&mut self, rest: &str) -> Said {
        if rest.is_empty() {
            return Ok(self.who_plays());
        }
        let wish = self.wish(rest)?;
        let sides = self.loaded.set.variant.sides();
        self.seats.players = Default::default();
        if wish.time.is_some() || wish.level.is_some() {
            self.seats.time = wish.time;
        }
        let chosen: Vec<Side> = match (wish.side, wish.off) {
            (Some(side), _) => vec![side],
            (None, true) => (0..4).map(Side).collect(),
            // Whoever is typing is to act.
            (None, false) => {
                let next = (self.game.state().chooser().index() + 1) % sides;
                vec![Side(next as u8)]
            }
        };
        for side in chosen {
            let level = wish.level.or(self.seats.levels[side.index()]).unwrap_or(USUAL_LEVEL);
            self.seats.levels[side.index()] = (!wish.off).then_some(level);
        }
        Ok(self.who_plays())
    }

    fn who_plays(&self) -> String {
        let variant = &self.loaded.set.variant;
        let time = self.seats.time.map(|time| format!(", {} s a decision", time.as_secs_f64())).unwrap_or_default();
        let mut text = String::new();
        for (i, side) in variant.spec().sides.iter().enumerate() {
            match self.seats.levels[i] {
                Some(level) => text.push_str(&format!("{}: computer, level {level}{time}.\n", side.name)),
                None => text.push_str(&format!("{}: you.\n", side.name)),
            }
        }
        text
    }

    /// Reads `black 3`, `2s`, `white off`.
    fn wish(&self, text: &str) -> Result<Wish, String> {
        let mut wish = Wish { side: None, level: None, time: None, off: false };
        for word in text.split_whitespace() {
            if let Some(side) = side_named(&self.loaded.set.variant, word) {
                wish.side = Some(side);
            } else if word == "off" {
                wish.off = true;
            } else if word.bytes().all(|b| b.is_ascii_digit()) {
                wish.level = Some(parse_level(word)?);
            } else if word.starts_with(|c: char| c.is_ascii_digit()) {
                wish.time = Some(parse_time(word)?);
            } else if word != "time" && word != "level" {
                let sides = self.loaded.set.variant.spec().sides.iter().map(|side| side.name.as_str());
                let near = nearest(word, sides.clone()).map(|name| format!("; did you mean '{name}'?"));
                let names = sides.collect::<Vec<_>>().join(", ");
                return Err(format!(
                    "expected a side ({names}), a level, a time as 2s or 'off', found '{word}'{}",
                    near.unwrap_or_default()
                ));
            }
        }
        Ok(wish)
    }

    /// Whether the computer is to act.
    pub(super) fn awaits_computer(&self) -> bool {
        self.game.status() != Status::Over && self.seats.has(self.game.state().chooser())
    }

    /// Lets the computers act until a person is to; where none plays, for one round.
    pub(super) fn computers_act(&mut self) -> Said {
        if !self.awaits_computer() {
            return Ok(String::new());
        }
        let sides = self.loaded.set.variant.sides();
        let alone = (0..sides).all(|side| self.seats.levels[side].is_some());
        let last = if alone { self.game.state().turn() + sides as u32 } else { u32::MAX };
        let thinking = Thinking::begin(self.is_shared());
        let (mut seats, loaded) = (std::mem::take(&mut self.seats), Rc::clone(&self.loaded));
        let said = self.act(|game| {
            while game.status() != Status::Over && seats.has(game.state().chooser()) && game.state().turn() < last {
                if game.status() == Status::Chance {
                    game.roll().map_err(|error| error.to_string())?;
                } else {
                    let event = seats.decide(&loaded, game, &thinking)?;
                    game.apply(&event).map_err(|error| error.to_string())?;
                }
                if thinking.is_over() && alone {
                    break;
                }
            }
            Ok(())
        });
        self.seats = seats;
        said.map_err(|why| format!("{why}; 'computer off' lets you play all sides"))
    }

    /// The same after another command: nothing, if no computer plays.
    pub(super) fn and_computers(&mut self, said: Said) -> Said {
        let mut text = said?;
        if self.seats.any(self.loaded.set.variant.sides()) && !self.is_curtained() {
            match self.computers_act() {
                Ok(more) => text.push_str(&more),
                Err(why) => text.push_str(&format!("{why}\n")),
            }
        }
        Ok(text)
    }

    /// The command `hint`.
    pub(super) fn hint(&mut self, rest: &str) -> Said {
        let wish = self.wish(rest)?;
        let state = self.game.state();
        if !matches!(state.status(), Status::Move | Status::Choice) {
            return Err(format!("the game waits for {}: there is nothing to decide", words::waits(state)));
        }
        let level = wish.level.unwrap_or(USUAL_LEVEL);
        let known = self.seats.known(&self.loaded)?;
        let thinking = Thinking::begin(self.is_shared());
        let computer = made(known, level, wish.time, self.game.seed());
        let limits = Limits { stop: thinking.flag(), ..computer.limits().clone() };
        let thought = computer.with_limits(limits).think(self.game.state());
        thought.map(|thought| advice(self.game.state(), &thought)).map_err(|error| error.to_string())
    }
}

/// The side called `text`: by name, letter or number.
fn side_named(variant: &Variant, text: &str) -> Option<Side> {
    let sides = variant.spec().sides.iter().enumerate();
    let named = |(i, def): (usize, &astragal_core::SideDef)| {
        let side = Side(i as u8);
        let names = [words::ordinal(side), &def.name, &def.letter.to_string()];
        names.iter().any(|name| name.eq_ignore_ascii_case(text)).then_some(side)
    };
    sides.filter_map(named).next()
}

/// The best lines with what they are worth.
fn advice(state: &State, thought: &Thought) -> String {
    let lines: Vec<(String, f64)> =
        thought.lines.iter().take(SHOWN).map(|line| (line_text(state, &line.events), line.value)).collect();
    let width = lines.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (line, value) in lines {
        text.push_str(&format!("{line:width$}  {value:+.3}\n"));
    }
    let how = match thought.turns {
        Some(0) => "at first sight".into(),
        Some(1) => "looking at this turn".into(),
        Some(turns) => format!("looking {turns} turns ahead"),
        None => "playing games to their end".into(),
    };
    text.push_str(&format!("(+1 is a win, -1 a loss; {how}, {} positions)\n", thought.nodes));
    text
}

/// Moves and choices one after another, as they are typed.
pub fn line_text(state: &State, events: &[Event]) -> String {
    let mut state = state.clone();
    let mut texts = Vec::new();
    for event in events {
        texts.push(match event {
            Event::Move(paid) => record::move_text(&state, *paid),
            Event::Choice(index) => words::choices(&state).get(*index).cloned().unwrap_or_default(),
            Event::Pass => "pass".into(),
            Event::Roll(faces) => words::faces(faces),
        });
        if astragal_computer::search::apply(&mut state, event).is_err() {
            break;
        }
    }
    texts.join(" ")
}
