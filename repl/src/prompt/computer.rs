//! The computer at the prompt: the sides it plays, its moves, and hints; external programs in its place; and players
//! that have learned.
//!
//! It knows only what the players know. [`astragal_computer`] or a program decides; the session applies the decision and
//! reports it like any other event. Only typed input and command-line arguments name programs and files of learned players,
//! never a saved game.

pub(super) mod players;
pub(super) mod seats;

use self::players::{go_on, learned, made};
use self::seats::{Loading, SeatedPlayer};
use super::session::{CommandResult, Reply, Session};
use super::sides;
use super::{automatic, commands};
use crate::players::{PREFIX, ProgramCommand};
use crate::rule_error::shown;
use crate::signals::Thinking;
use astragal_computer::{Limits, Line, SearchResult};
use astragal_core::{Event, MAX_SIDES, Side, State, Status};
use astragal_dsl::game_text;
use astragal_lab::analyse::{LEVELS, USUAL_LEVEL as USUAL_ANALYSIS, analyse};
use astragal_lab::opponent::{Opponent, USUAL_LEVEL, parse_level, parse_time};
use astragal_service::{analysis_text, input, interrupt};
use std::sync::Arc;
use std::time::Duration;

/// How many lines a hint shows.
const SHOWN: usize = 5;

/// A parsed request about the computer.
struct ComputerRequest {
    /// The named sides; empty if none was named.
    sides: Vec<Side>,
    level: Option<u8>,
    program: Option<ProgramCommand>,
    learned: Option<(Opponent, Loading)>,
    time: Option<Duration>,
    off: bool,
}

impl ComputerRequest {
    /// The new player of a side that `present` plays now.
    fn player(&self, present: Option<&SeatedPlayer>) -> SeatedPlayer {
        if let Some((opponent, loading)) = &self.learned {
            return SeatedPlayer::Learned(opponent.clone(), loading.clone());
        }
        match (&self.program, self.level, present) {
            (Some(program), ..) => SeatedPlayer::Program(program.clone()),
            (None, Some(level), _) => SeatedPlayer::Level(level),
            (None, None, Some(present)) => present.clone(),
            (None, None, None) => SeatedPlayer::Level(USUAL_LEVEL),
        }
    }
}

impl Session {
    /// Seats computers from command-line arguments: `black=3` or `black`, with a time limit for each decision.
    ///
    /// # Errors
    /// If a side, level or time is invalid.
    pub(super) fn seat(&mut self, computers: &[String], time: Option<Duration>) -> Result<(), String> {
        for text in computers {
            let (side, level) = match text.split_once('=') {
                Some(parts) if !text.starts_with(PREFIX) => parts,
                _ => (text.as_str(), ""),
            };
            let mut wish = match side.is_empty() {
                true => return Err(format!("expected a side and a level such as black=3, found '{text}'")),
                // A word that could be a level is one, unless a level follows.
                false if level.is_empty() => self.wish(side)?,
                false => ComputerRequest { sides: self.sides_called(side)?, ..self.wish(level)? },
            };
            if wish.sides.is_empty() {
                wish.sides.push(self.other_side());
            }
            for side in std::mem::take(&mut wish.sides) {
                self.seats.seats[side.index()] = Some(wish.player(None));
            }
        }
        // A saved game keeps its own time, unless the arguments set seats or a time.
        if time.is_some() || !computers.is_empty() {
            self.seats.time = time;
        }
        Ok(())
    }

    /// Whether the computer or a program plays `side`.
    pub(super) fn is_computers(&self, side: Side) -> bool {
        self.seats.has(side)
    }

    /// The first side from `side` on that a person plays, if any does.
    pub(super) fn person_from(&self, side: Side) -> Option<Side> {
        let sides = self.loaded.set.variant.sides();
        let in_order = (0..sides).map(|i| Side(((side.index() + i) % sides) as u8));
        in_order.into_iter().find(|&side| !self.seats.has(side))
    }

    /// The number of sides that people play.
    pub(super) fn people(&self) -> usize {
        (0..self.loaded.set.variant.sides()).filter(|&side| !self.seats.has(Side(side as u8))).count()
    }

    /// The command `computer`.
    pub(super) fn computer(&mut self, rest: &str) -> CommandResult {
        if rest.is_empty() {
            return Ok(self.who_plays());
        }
        let mut wish = self.wish(rest)?;
        self.players.dismiss();
        if wish.time.is_some() || wish.level.is_some() || wish.program.is_some() || wish.learned.is_some() {
            self.seats.time = wish.time;
        }
        let chosen: Vec<Side> = match (wish.sides.is_empty(), wish.off) {
            (false, _) => std::mem::take(&mut wish.sides),
            (true, true) => (0..MAX_SIDES as u8).map(Side).collect(),
            // The person who types plays the side to act.
            (true, false) => vec![self.other_side()],
        };
        for side in chosen {
            let seat = &mut self.seats.seats[side.index()];
            *seat = (!wish.off).then(|| wish.player(seat.as_ref()));
        }
        Ok(self.who_plays())
    }

    fn who_plays(&self) -> String {
        let sides = self.loaded.set.variant.spec().sides.iter().enumerate();
        sides.map(|(i, side)| self.seat_text(i).unwrap_or_else(|| format!("{}: you.\n", side.name))).collect()
    }

    /// The sides that the computer plays, one per line.
    pub(super) fn computers_text(&self) -> String {
        (0..self.loaded.set.variant.sides()).filter_map(|side| self.seat_text(side)).collect()
    }

    /// The player of a side, if it is not a person.
    fn seat_text(&self, side: usize) -> Option<String> {
        let time = self.seats.time.map(|time| format!(", {} s per decision", time.as_secs_f64())).unwrap_or_default();
        let name = game_text::side_name(&self.loaded.set.variant, Side(side as u8));
        self.seats.seats[side].as_ref().map(|player| match player {
            SeatedPlayer::Level(level) => format!("{name}: computer, level {level}{time}.\n"),
            SeatedPlayer::Program(command) => format!("{name}: {command}{time}.\n"),
            SeatedPlayer::Learned(opponent, _) => format!("{name}: {opponent}{time}.\n"),
        })
    }

    /// The player of a side, if it is not a person, in the notation of `match`.
    pub(super) fn player_name(&self, side: usize) -> Option<String> {
        self.seats.seats[side].as_ref().map(|player| match player {
            SeatedPlayer::Level(level) => Opponent::Computer(*level).to_string(),
            SeatedPlayer::Program(command) => command.to_string(),
            SeatedPlayer::Learned(opponent, _) => opponent.to_string(),
        })
    }

    /// Parses `black 3`, `2s`, `white off`, `black 2s cmd:python3 bot.py`.
    fn wish(&self, text: &str) -> Result<ComputerRequest, String> {
        let mut wish =
            ComputerRequest { sides: Vec::new(), level: None, program: None, learned: None, time: None, off: false };
        let at = text.find(PREFIX).filter(|at| *at == 0 || text[..*at].ends_with(char::is_whitespace));
        let (text, command) = at.map_or((text, None), |at| (&text[..at], Some(&text[at + PREFIX.len()..])));
        wish.program = command.map(ProgramCommand::parse).transpose()?;
        let chooser = self.game.state().chooser();
        for word in text.split_whitespace() {
            if Opponent::is_learned(word) {
                let loading = Loading(Arc::clone(&self.loaded));
                wish.learned = Some((learned(word, &self.loaded)?, loading));
                continue;
            }
            let named = sides::named(&self.loaded.set.variant, chooser, word);
            if !named.is_empty() {
                wish.sides.extend(named);
            } else if word == "off" {
                wish.off = true;
            } else if word.bytes().all(|b| b.is_ascii_digit()) {
                wish.level = Some(parse_level(word).map_err(|error| error.to_string())?);
            } else if word.starts_with(|c: char| c.is_ascii_digit()) {
                wish.time = Some(parse_time(word).map_err(|error| error.to_string())?);
            } else if word != "time" && word != "level" {
                let variant = &self.loaded.set.variant;
                return Err(format!(
                    "expected a side ({}), a level, a time such as 2s, cmd:PROGRAM, learned:FILE or 'off'; found '{word}'{}",
                    sides::names(variant),
                    sides::near(variant, word)
                ));
            }
        }
        Ok(wish)
    }

    /// The sides that a word names, where only sides are allowed.
    fn sides_called(&self, word: &str) -> Result<Vec<Side>, String> {
        let variant = &self.loaded.set.variant;
        let numbered = word.parse::<usize>().ok().filter(|n| (1..=variant.sides()).contains(n));
        let found = match numbered {
            Some(n) => vec![Side((n - 1) as u8)],
            None => sides::named(variant, self.game.state().chooser(), word),
        };
        match found.is_empty() {
            true => Err(format!(
                "expected a side ({}), found '{word}'{}",
                sides::names(variant),
                sides::near(variant, word)
            )),
            false => Ok(found),
        }
    }

    /// The side after the one to act: the person who types plays that one.
    fn other_side(&self) -> Side {
        let next = (self.game.state().chooser().index() + 1) % self.loaded.set.variant.sides();
        Side(next as u8)
    }

    /// Whether the game continues without a key press: a computer is to act, or a person has no decision to make.
    pub(super) fn acts_by_itself(&self) -> bool {
        self.awaits_computer() || self.goes_on_with(&self.game).is_some()
    }

    /// Whether the computer is to act.
    pub(super) fn awaits_computer(&self) -> bool {
        self.game.status() != Status::Over && self.seats.has(self.game.state().chooser())
    }

    /// Applies the decisions of computers and automatic events until a person is to decide; if no person plays, for one
    /// round.
    pub(super) fn computers_act(&mut self) -> CommandResult {
        if !self.acts_by_itself() {
            return Ok(String::new());
        }
        let sides = self.loaded.set.variant.sides();
        let last = if self.people() == 0 { self.game.state().turn() + sides as u32 } else { u32::MAX };
        let thinking = Thinking::begin(self.is_shared(), &self.stop);
        let (mut players, mut game, mut idle) = (std::mem::take(&mut self.players), self.game.clone(), 0);
        let mut stopped = false;
        let done = loop {
            let state = game.state();
            if game.status() == Status::Over || state.turn() >= last || idle == automatic::LONGEST {
                break Ok(());
            }
            let acted = match self.goes_on_with(&game) {
                _ if self.seats.has(state.chooser()) => {
                    idle = 0;
                    players.act(&self.seats, &self.loaded, &mut game, &thinking)
                }
                Some(event) => {
                    idle += 1;
                    go_on(&self.loaded, &mut game, &event)
                }
                None => break Ok(()),
            };
            if let Err(why) = acted {
                break Err(why);
            }
            if thinking.is_over() {
                // A result of an interrupted search is not used: the game stays unchanged.
                stopped = true;
                break Err(String::new());
            }
        };
        let said = done.and_then(|()| {
            self.act(|present| {
                *present = game;
                Ok(())
            })
        });
        // Rules that were interrupted by Ctrl-C are not faulty.
        stopped |= said.is_err() && thinking.is_over();
        if stopped {
            players.forget();
        }
        self.players = players;
        match said {
            Err(_) if stopped => Err(self.stopped()),
            Err(why) => Err(format!("{why}; to play all sides yourself, type 'computer off'")),
            said => said,
        }
    }

    fn stopped(&self) -> String {
        let name = game_text::side_name(&self.loaded.set.variant, self.game.state().chooser());
        format!(
            "Stopped: the computer made no move for {name}.\nPress Enter to let it continue. To play all sides \
             yourself, type 'computer off'."
        )
    }

    /// From now on, a line is answered before the computer acts: call [`Session::computers_reply`] after each line.
    pub(crate) fn tell_apart(&mut self) {
        (self.apart, self.due) = (true, true);
    }

    /// The computer's events after the last line, if they are due and reported separately.
    pub(crate) fn computers_reply(&mut self) -> Option<Reply> {
        if !std::mem::take(&mut self.due) {
            return None;
        }
        let text = self.and_computers(Ok(String::new())).unwrap_or_else(|why| why + "\n");
        let aside = std::mem::take(&mut self.aside);
        Some(Reply { text: aside + text.as_str(), ..Reply::default() })
    }

    /// Appends the computer's events to the answer of a command, if there are any.
    pub(super) fn and_computers(&mut self, said: CommandResult) -> CommandResult {
        let mut text = said?;
        if self.acts_by_itself() && !self.is_hidden() {
            match self.stop.clone().during(|| self.computers_act()) {
                Ok(more) => text.push_str(&more),
                Err(why) => text.push_str(&format!("{why}\n")),
            }
        }
        Ok(text)
    }

    /// The command `hint`.
    pub(super) fn hint(&mut self, rest: &str) -> CommandResult {
        let wish = self.wish(rest)?;
        let state = self.game.state();
        if !matches!(state.status(), Status::Move | Status::Choice) {
            let why = game_text::awaited(state).map_or("is over".into(), |awaited| format!("is waiting for {awaited}"));
            return Err(format!("the game {why}: there is no decision to make"));
        }
        let level = wish.level.unwrap_or(USUAL_LEVEL);
        let thinking = Thinking::begin(self.is_shared(), &self.stop);
        let evaluation = self.players.evaluation(&self.loaded, &self.game)?;
        let seed = self.game.seed();
        let computer = match &wish.learned {
            Some((Opponent::Learned(learned), _)) => learned.computer(&evaluation, seed, wish.time),
            _ => made(evaluation, level, wish.time, seed),
        };
        let limits = Limits { stop: thinking.flag(), ..computer.limits().clone() };
        let result = computer.with_limits(limits).search_in(&self.game, SHOWN);
        let result = result.map_err(|error| shown(&self.loaded, self.game.state(), &error))?;
        let text = interrupt::uninterrupted(|| advice(self.game.state(), &result));
        Ok(if thinking.is_over() { format!("Stopped. The result so far:\n{text}") } else { text })
    }
}

impl Session {
    /// The luck and the errors of the game so far, at the given level.
    pub(super) fn analyse(&mut self, level: &str) -> CommandResult {
        let wrong = || format!("expected a level from {} to {}, found '{level}'", LEVELS.start(), LEVELS.end());
        let level = match level {
            "" => USUAL_ANALYSIS,
            text => text.parse().ok().filter(|level| LEVELS.contains(level)).ok_or_else(wrong)?,
        };
        if self.game.entries().is_empty() {
            return Err("the game has no events yet: there is nothing to analyze".into());
        }
        let thinking = Thinking::begin(self.is_shared(), &self.stop);
        let evaluation = self.players.evaluation(&self.loaded, &self.game)?;
        let analysis = analyse(&self.loaded, &evaluation, &self.game, level, &|_, _| {});
        match analysis {
            Err(error) if error.is_stop() && thinking.is_over() => Err("stopped".into()),
            Err(error) => Err(shown(&self.loaded, self.game.state(), &error)),
            Ok(analysis) => Ok(analysis_text::text(&analysis, !self.theme.boxes)),
        }
    }
}

/// The best lines with their values.
fn advice(state: &State, result: &SearchResult) -> String {
    let of = |line: &Line| match line.playouts() {
        Some(1) => "  1 game".into(),
        Some(n) => format!("  {n} games"),
        None => String::new(),
    };
    let lines: Vec<(String, f64, String)> =
        result.compared().take(SHOWN).map(|line| (line_text(state, &line.events), line.value, of(line))).collect();
    let width = lines.iter().map(|(text, ..)| text.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (line, value, of) in lines {
        text.push_str(&format!("{line:width$}  {value:+.3}{of}\n"));
    }
    let is_exact = result.lines.first().is_some_and(Line::is_exact);
    let how = match result.turns {
        _ if is_exact => "exact, from the table".into(),
        Some(0) => "without search".into(),
        Some(1) => "searching this turn".into(),
        Some(turns) => format!("searching {turns} turns ahead"),
        None => "from trial games, most-visited lines first".into(),
    };
    let searched = match result.nodes {
        _ if is_exact => String::new(),
        1 => ", 1 position".into(),
        nodes => format!(", {nodes} positions"),
    };
    text.push_str(&format!("(+1 is a win, -1 a loss; {how}{searched})\n"));
    if let Some((line, turns)) = &result.deeper {
        let found = line_text(state, &line.events);
        text.push_str(&format!(
            "(unfinished search {turns} turns ahead; best line so far: {found}  {:+.3})\n",
            line.value
        ));
    }
    text
}

/// Moves and choices one after another, as they are typed.
pub(crate) fn line_text(state: &State, events: &[Event]) -> String {
    let mut after = state.clone();
    let mut texts = Vec::new();
    for event in events {
        texts.push(input::event(&after, event));
        if astragal_computer::apply(&mut after, event).is_err() {
            break;
        }
    }
    let text = texts.join(" ");
    let word = text.split(' ').next().unwrap_or_default();
    // A text that begins like a command needs `move` before it, unless it is exactly a choice.
    match commands::find(word) {
        Some(_) if !game_text::choices(state).contains(&text) && text != "pass" => format!("move {text}"),
        _ => text,
    }
}
