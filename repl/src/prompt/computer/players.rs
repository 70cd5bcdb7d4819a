//! The computers and programs that play in a session: they are started when they are first needed, and decide.

use super::seats::{Loading, SeatAssignment, SeatedPlayer};
use crate::players::{ProgramCommand, ProgramPlayer};
use crate::rule_error::shown;
use crate::signals::Thinking;
use astragal_computer::{Computer, Evaluation, Limits, Player};
use astragal_core::dice::mix;
use astragal_core::{Event, Game, MAX_SIDES, Status};
use astragal_dsl::Loaded;
use astragal_lab::learning::file;
use astragal_lab::opponent::{Opponent, USUAL_LEVEL};
use astragal_lab::solve::table::Tables;
use std::sync::Arc;
use std::time::Duration;

/// The computers in use, and what they were created for.
#[derive(Default)]
pub(in crate::prompt) struct Players {
    by_side: [Option<Computer>; MAX_SIDES],
    /// The running programs, with the command and variant that they were started for.
    programs: [Option<(ProgramCommand, Arc<Loaded>, ProgramPlayer)>; MAX_SIDES],
    evaluation: Option<(Arc<Loaded>, Arc<Evaluation>)>,
    /// Tables of solved states, of this variant or another.
    pub(in crate::prompt) tables: Tables,
}

impl Players {
    /// The evaluation of a variant's states, computed when it is first needed.
    pub(super) fn evaluation(&mut self, loaded: &Arc<Loaded>, game: &Game) -> Result<Arc<Evaluation>, String> {
        if let Some((of, evaluation)) = &self.evaluation
            && Arc::ptr_eq(of, loaded)
        {
            return Ok(Arc::clone(evaluation));
        }
        let evaluation = Arc::new(self.tables.evaluation(loaded).map_err(|error| shown(loaded, game.state(), &error))?);
        // An incomplete evaluation is not kept; the next request computes it again.
        self.evaluation = evaluation.is_complete().then(|| (Arc::clone(loaded), Arc::clone(&evaluation)));
        self.forget();
        Ok(evaluation)
    }

    /// Discards the computers and their search results.
    pub(super) fn forget(&mut self) {
        self.by_side = Default::default();
    }

    /// Discards all players: programs end.
    pub(super) fn dismiss(&mut self) {
        self.forget();
        self.programs = Default::default();
    }

    /// Rolls or decides for the computer or program that is to act.
    pub(super) fn act(
        &mut self,
        seats: &SeatAssignment,
        loaded: &Arc<Loaded>,
        game: &mut Game,
        thinking: &Thinking,
    ) -> Result<(), String> {
        match game.status() {
            Status::Chance => go_on(loaded, game, &Event::Roll(Vec::new())),
            _ => {
                let event = self.decide(seats, loaded, game, thinking)?;
                go_on(loaded, game, &event)
            }
        }
    }

    /// Decides for the computer that is to act.
    fn decide(
        &mut self,
        seats: &SeatAssignment,
        loaded: &Arc<Loaded>,
        game: &Game,
        thinking: &Thinking,
    ) -> Result<Event, String> {
        let side = game.state().chooser().index();
        if let Some(SeatedPlayer::Program(command)) = &seats.seats[side] {
            return self.ask_program(command, seats.time, loaded, game, thinking);
        }
        if let Some(SeatedPlayer::Learned(opponent, loading)) = &seats.seats[side] {
            return self.ask_learned(opponent, loading, seats.time, loaded, game);
        }
        let evaluation = self.evaluation(loaded, game)?;
        let level = seats.level(side).unwrap_or(USUAL_LEVEL);
        let computer =
            self.by_side[side].take().unwrap_or_else(|| made(evaluation, level, seats.time, game.seed()).optimistic());
        let limits = Limits { stop: thinking.flag(), ..computer.limits().clone() };
        let mut computer = computer.with_limits(limits);
        let decided = computer.decide_in(game).map_err(|error| shown(loaded, game.state(), &error));
        self.by_side[side] = Some(computer);
        decided
    }

    /// Lets a learned player decide for the side that is to act. If the variant has been loaded again, so is its file.
    fn ask_learned(
        &mut self,
        opponent: &Opponent,
        loading: &Loading,
        time: Option<Duration>,
        loaded: &Arc<Loaded>,
        game: &Game,
    ) -> Result<Event, String> {
        let evaluation = self.evaluation(loaded, game)?;
        let anew = match Arc::ptr_eq(&loading.0, loaded) {
            true => None,
            false => Some(learned(&opponent.to_string(), loaded)?),
        };
        let sit_down = anew.as_ref().unwrap_or(opponent).sit_down(|| Ok::<_, String>(evaluation), game.seed(), time);
        sit_down?.decide_in(game).map_err(|error| shown(loaded, game.state(), &error))
    }

    /// Asks a program to decide for the side that is to act.
    fn ask_program(
        &mut self,
        command: &ProgramCommand,
        time: Option<Duration>,
        loaded: &Arc<Loaded>,
        game: &Game,
        thinking: &Thinking,
    ) -> Result<Event, String> {
        let side = game.state().chooser();
        let running = self.programs[side.index()].take();
        let running = running.filter(|(of, variant, _)| of == command && Arc::ptr_eq(variant, loaded));
        let mut program = running.map(|(.., program)| program).unwrap_or_else(|| {
            // The program cannot derive the dice of the game from its seed.
            let seed = mix(game.seed() ^ mix(u64::from(side.0) + 1)) >> 32;
            ProgramPlayer::new(command, loaded, (side, seed), time, None)
        });
        let decided = program.decide(game, &|| thinking.is_over());
        self.programs[side.index()] = Some((command.clone(), Arc::clone(loaded), program));
        decided.map_err(|fault| format!("{command}: {fault}.\nPress Enter to ask the program again"))
    }
}

/// Applies an event; a roll without faces uses the dice of the game's seed.
pub(super) fn go_on(loaded: &Loaded, game: &mut Game, event: &Event) -> Result<(), String> {
    let done = match event {
        Event::Roll(faces) if faces.is_empty() => game.roll().map(drop),
        event => game.apply(event),
    };
    done.map_err(|error| shown(loaded, game.state(), &error))
}

/// A learned player by name.
pub(super) fn learned(text: &str, loaded: &Loaded) -> Result<Opponent, String> {
    let open = |name: Option<&str>| file::open(loaded, name);
    Opponent::parse_with(text, &open).map_err(|error| error.to_string())
}

pub(super) fn made(evaluation: Arc<Evaluation>, level: u8, time: Option<Duration>, seed: u64) -> Computer {
    let computer = Computer::new(evaluation, level, seed);
    match time {
        Some(time) => computer.with_limits(Limits { time: Some(time), ..Limits::default() }),
        None => computer,
    }
}
