//! Plays the game that is debugged, on a thread of its own: rolls from the seed, and answers from the client or the
//! seed.
//!
//! Rules stop while an event is applied (see [`link`](super::link)); between events the game stops at questions. It
//! must never know messages of the protocol. Invariant: with the same answers, the game is the same as without a
//! debugger.

use super::launch::Launch;
use super::link::{Command, Link, fact};
use super::report::{Halt, Report};
use astragal_core::{Event, Game, GameError, RuleError, Status, Stream};
use astragal_dsl::debugger::{Frame, Resume, Stepper, Variable};
use astragal_dsl::notation::fen::Placed;
use astragal_dsl::{Loaded, blame, game_text, turn_state_text};
use astragal_service::drawing::board::Theme;
use astragal_service::drawing::{self, Extent};
use astragal_service::gametest::property::random_event;
use astragal_service::input;
use std::sync::Arc;

/// The maximum number of choices that are printed at a question.
const MOST_PRINTED: usize = 60;

/// A game to debug.
pub(super) struct Job {
    pub(super) loaded: Arc<Loaded>,
    pub(super) launch: Launch,
    pub(super) placed: Option<Placed>,
    pub(super) stepper: Stepper,
    pub(super) link: Arc<Link>,
}

/// Why a game ends before it is over.
enum Stopped {
    /// The client has ended it.
    Ended,
    /// A rule failed.
    Failed(RuleError),
    /// The arguments of `launch` do not fit the game.
    Refused(String),
}

impl From<RuleError> for Stopped {
    fn from(error: RuleError) -> Stopped {
        if error.is_stop() { Stopped::Ended } else { Stopped::Failed(error) }
    }
}

impl From<GameError> for Stopped {
    fn from(error: GameError) -> Stopped {
        match error {
            GameError::Rule(error) => error.into(),
            other => Stopped::Refused(other.to_string()),
        }
    }
}

impl Job {
    /// Plays the game, and reports how it ends.
    pub(super) fn run(self) {
        let mut game = None;
        let result = self.begin(&mut game).and_then(|()| match &mut game {
            Some(game) => self.play(game),
            None => Ok(()),
        });
        self.stepper.set_quiet(true);
        match &result {
            Ok(()) | Err(Stopped::Ended) => {}
            Err(Stopped::Refused(message)) => self.link.print("stderr", message),
            Err(Stopped::Failed(error)) => self.fail(game.as_ref(), error),
        }
        self.link.report(Report::Ended(matches!(result, Ok(()) | Err(Stopped::Ended))));
    }

    /// Begins the game and plays the given moves. Only the consequences of the last one stop.
    fn begin(&self, begun: &mut Option<Game>) -> Result<(), Stopped> {
        let (launch, mid_turn) = (&self.launch, self.placed.as_ref().is_some_and(is_mid_turn));
        self.stepper.set_quiet(mid_turn || !launch.moves.is_empty());
        if launch.stop_on_entry {
            self.stepper.resume(Resume::StepIn);
        }
        let game = match &self.placed {
            Some(placed) if mid_turn => {
                turn_state_text::begin(&self.loaded, placed.clone(), launch.seed).map_err(Stopped::Refused)?
            }
            placed => {
                let start = placed.as_ref().map_or(&self.loaded.start, |placed| &placed.position);
                Game::new(Arc::clone(&self.loaded.set), start.clone(), launch.seed)?
            }
        };
        let game = begun.insert(game);
        if let Some((last, before)) = launch.moves.split_last() {
            before.iter().try_for_each(|text| self.replay(game, text))?;
            let event = self.read(game, last)?;
            self.catch_up(game);
            if let Event::Roll(faces) = &event {
                self.link.facts().rolls.push(game_text::shown_roll(game.state(), faces));
            }
            self.stepper.set_quiet(false);
            self.apply(game, event)?;
        } else if mid_turn {
            self.catch_up(game);
            self.stepper.set_quiet(false);
        }
        Ok(())
    }

    /// Notes the turn and its rolls, after a time in which nothing was noted.
    fn catch_up(&self, game: &Game) {
        let mut facts = self.link.facts();
        facts.turn = game.state().turn() + 1;
        let rolls = game.turn_so_far().2.iter().filter_map(|entry| match &entry.event {
            Event::Roll(faces) => Some(game_text::faces(faces)),
            _ => None,
        });
        facts.rolls = rolls.collect();
    }

    fn replay(&self, game: &mut Game, text: &str) -> Result<(), Stopped> {
        let event = self.read(game, text)?;
        Ok(game.apply(&event)?)
    }

    /// Reads one of the given moves. Unless it is a roll, dice that come before it are rolled from the seed.
    fn read(&self, game: &mut Game, text: &str) -> Result<Event, Stopped> {
        let wrong = |why: String| Stopped::Refused(format!("'moves': '{text}': {why}"));
        if let Some(faces) = text.trim().strip_prefix("roll ") {
            return game_text::read_roll(game.state(), faces).map(Event::Roll).map_err(wrong);
        }
        while game.status() == Status::Chance {
            game.roll()?;
        }
        game_text::find_answer(game.state(), text, None).map_err(|error| wrong(error.brief()))
    }

    /// Plays to the end of the game.
    fn play(&self, game: &mut Game) -> Result<(), Stopped> {
        // A separate stream from that of the game's dice.
        let mut random = Stream::new(self.launch.seed, u64::MAX);
        loop {
            let event = match game.status() {
                Status::Over => break,
                Status::Chance => self.roll(game)?,
                Status::Move | Status::Choice => self.decide(game, &mut random)?,
            };
            self.apply(game, event)?;
        }
        let state = game.state();
        self.link.print_board(state.position(), &self.board(game));
        self.link.print("stdout", &format!("Game over: {}", game_text::result(state).unwrap_or_default()));
        Ok(())
    }

    /// The roll that is due, from the seed: the same as that of [`Game::roll`].
    fn roll(&self, game: &Game) -> Result<Event, Stopped> {
        let state = game.state();
        let Some(dice) = state.dice() else { return Err(Stopped::Refused("no roll is due".into())) };
        let faces = dice.outcome(state.draw(&mut Stream::new(game.seed(), game.entries().len() as u64)));
        let text = game_text::shown_roll(state, &faces);
        let is_draw = !game_text::drawn(state).is_empty();
        self.link
            .print("stdout", &if is_draw { format!("Drawn: {text}.") } else { format!("Roll of {dice}: {text}.") });
        self.link.facts().rolls.push(text);
        Ok(Event::Roll(faces))
    }

    /// The answer to the question that is due, from the client or at random.
    fn decide(&self, game: &Game, random: &mut Stream) -> Result<Event, Stopped> {
        let state = game.state();
        let side = game_text::side_name(&self.loaded.set.variant, state.chooser());
        let asked = if self.launch.stop_on_questions { self.ask(game, side)? } else { None };
        let none = || Stopped::Refused("the game waits for an answer, but no answer is possible".into());
        let event = asked.or_else(|| random_event(state, random)).ok_or_else(none)?;
        self.link.print("stdout", &format!("{side}: {}", input::event(state, &event)));
        Ok(event)
    }

    /// Stops at a question. Returns the client's answer; `None` to choose one at random.
    fn ask(&self, game: &Game, side: &str) -> Result<Option<Event>, Stopped> {
        let halt = self.question(game, side);
        self.link.print_board(game.state().position(), &halt.board);
        let more = if halt.choices.len() > MOST_PRINTED { ", ..." } else { "" };
        let printed: Vec<&str> = halt.choices.iter().take(MOST_PRINTED).map(String::as_str).collect();
        self.link.print("console", &format!("{}: {}{more}", halt.text, printed.join(", ")));
        self.link.report(Report::Halted(Box::new(halt)));
        loop {
            match self.link.wait() {
                Command::Resume(Resume::End) => return Err(Stopped::Ended),
                Command::Resume(how) => {
                    self.stepper.resume(how);
                    return Ok(None);
                }
                Command::Answer(text) => match game_text::find_answer(game.state(), &text, None) {
                    Ok(event) => {
                        let text = input::event(game.state(), &event);
                        self.link.report(Report::Answered(Ok(text)));
                        return Ok(Some(event));
                    }
                    Err(error) => self.link.report(Report::Answered(Err(error.brief()))),
                },
            }
        }
    }

    /// The question that the game waits for.
    fn question(&self, game: &Game, side: &str) -> Halt {
        let state = game.state();
        let mut choices = input::moves(game);
        choices.extend(game_text::choices(state));
        choices.extend(state.can_pass().then(|| "pass".to_string()));
        let text = match (game_text::question(state), state.status()) {
            (Some(words), _) => format!("{side}: {words}"),
            (None, Status::Move) => format!("{side} to move"),
            (None, _) => format!("{side} to choose"),
        };
        let parts = choices.iter().enumerate().map(|(index, choice)| fact(&format!("[{index}]"), choice)).collect();
        // A script without the rule `turn` begins turns without notice.
        self.link.facts().turn = state.turn() + 1;
        let mut facts = self.link.game(&self.loaded, state.position(), "");
        facts.push(fact("question", &text));
        let count = format!("{} choices", choices.len());
        facts.push(Variable { name: "choices".into(), text: count, kind: "an array", parts });
        let rules = self.loaded.set.rules.walker();
        let frames = self.stepper.waiting(&state.view(&rules));
        Halt { reason: "question", text, frames, game: facts, board: self.board(game), choices }
    }

    /// Applies an event, and prints what follows from it.
    fn apply(&self, game: &mut Game, event: Event) -> Result<(), Stopped> {
        game.apply(&event)?;
        let Some(entry) = game.entries().last() else { return Ok(()) };
        // The beginning of the next turn has been printed.
        let notes: Vec<_> =
            entry.notes.iter().filter(|note| note.ended().is_none() || note.is_lost()).cloned().collect();
        let label = game.state().new_label().map(String::from);
        let notes = game_text::notes(&self.loaded.set.variant, &notes).into_iter().map(|event| event.text);
        for text in label.into_iter().chain(notes) {
            self.link.print("stdout", &text);
        }
        Ok(())
    }

    fn board(&self, game: &Game) -> String {
        drawing::with_sidebar(&self.loaded, game, Theme::default(), Extent::Whole)
    }

    /// Reports a rule that failed, and stops where it did.
    fn fail(&self, game: Option<&Game>, error: &RuleError) {
        let position = game.map(|game| game.state().position());
        self.link.print("stderr", &blame(&self.loaded, position, error).render(false));
        if !self.launch.is_debugging {
            return;
        }
        let mut frames = self.stepper.failed();
        if let (true, Some(place)) = (frames.is_empty(), error.place) {
            let function = error.rule.clone().unwrap_or_default();
            frames.push(Frame { function, script: self.loaded.name.clone(), place, variables: Vec::new() });
        }
        let position = position.unwrap_or(&self.loaded.start);
        let game = self.link.game(&self.loaded, position, error.rule.as_deref().unwrap_or_default());
        let text = error.message.clone();
        self.link.report(Report::Halted(Box::new(Halt { reason: "exception", text, frames, game, ..Halt::default() })));
        while let Command::Answer(_) = self.link.wait() {
            self.link.report(Report::Answered(Err("the game cannot continue: a rule failed".into())));
        }
    }
}

/// Whether a position is in the middle of a turn.
fn is_mid_turn(placed: &Placed) -> bool {
    placed.dice.is_some() || placed.extra.iter().any(|(name, _)| name == "turn")
}
