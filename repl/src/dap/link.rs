//! The link between the thread that plays the game and the one that answers the client: commands in one direction,
//! reports in the other.
//!
//! It is the [`Debugger`] of the rules: called on the thread that plays, it reports where a rule has stopped, and waits
//! for a command. It must never know messages of the protocol. It reads no rules, since the engine may hold their lock.

use super::input::Input;
use super::report::{Halt, Report};
use astragal_core::Position;
use astragal_dsl::debugger::{Cause, Debugger, Resume, Sight, Stop, Variable};
use astragal_dsl::notation::fen::Placed;
use astragal_dsl::{Loaded, game_text};
use astragal_service::drawing;
use astragal_service::drawing::board::Theme;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// A command for the game.
pub(super) enum Command {
    /// Continue. At a question, the answer is chosen at random.
    Resume(Resume),
    /// Answer the question with this text, and continue as before.
    Answer(String),
}

/// The requests that both threads see at once.
#[derive(Default)]
pub(super) struct Signals {
    /// The lines with breakpoints, by script.
    pub(super) breakpoints: Mutex<BTreeMap<String, BTreeSet<usize>>>,
    /// Whether the next statement stops.
    pub(super) pause: AtomicBool,
    /// Whether the game is to end.
    pub(super) end: AtomicBool,
}

/// The facts of the current turn.
#[derive(Default)]
pub(super) struct TurnFacts {
    /// The number of the turn, from 1.
    pub(super) turn: u32,
    /// The rolls so far.
    pub(super) rolls: Vec<String>,
    /// The position that was drawn last.
    drawn: Option<u64>,
}

/// See the [module](self).
pub(super) struct Link {
    signals: Arc<Signals>,
    reports: SyncSender<Input>,
    commands: Mutex<Receiver<Command>>,
    /// The variant, which owns the link.
    loaded: OnceLock<Weak<Loaded>>,
    facts: Mutex<TurnFacts>,
    /// Whether the first stop is still to come, at the entry.
    enters: AtomicBool,
}

/// Locks data that stays valid after a panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Signals {
    /// Sets the breakpoints of a script.
    pub(super) fn set_breakpoints(&self, script: &str, lines: BTreeSet<usize>) {
        locked(&self.breakpoints).insert(script.into(), lines);
    }
}

impl Link {
    pub(super) fn new(
        signals: Arc<Signals>,
        reports: SyncSender<Input>,
        commands: Receiver<Command>,
        enters: bool,
    ) -> Link {
        let (loaded, facts) = (OnceLock::new(), Mutex::default());
        Link { signals, reports, commands: Mutex::new(commands), loaded, facts, enters: AtomicBool::new(enters) }
    }

    /// Remembers the variant.
    pub(super) fn knows(&self, loaded: &Arc<Loaded>) {
        let _ = self.loaded.set(Arc::downgrade(loaded));
    }

    /// Sends a report. After the client has gone, no one needs it.
    pub(super) fn report(&self, report: Report) {
        let _ = self.reports.send(Input::Report(report));
    }

    /// Sends a line for the console.
    pub(super) fn print(&self, category: &'static str, text: &str) {
        self.report(Report::Output(category, format!("{}\n", text.trim_end())));
    }

    /// The next command; the end, if the client has gone.
    pub(super) fn wait(&self) -> Command {
        locked(&self.commands).recv().unwrap_or(Command::Resume(Resume::End))
    }

    /// See [`TurnFacts`].
    pub(super) fn facts(&self) -> MutexGuard<'_, TurnFacts> {
        locked(&self.facts)
    }

    /// Prints a drawn board, unless the position was drawn last.
    pub(super) fn print_board(&self, position: &Position, board: &str) {
        if self.facts().drawn.replace(position.hash()) != Some(position.hash()) {
            self.print("stdout", board);
        }
    }

    /// The state of the game, for the client to inspect.
    pub(super) fn game(&self, loaded: &Loaded, position: &Position, rule: &str) -> Vec<Variable> {
        let variant = &loaded.set.variant;
        let facts = self.facts();
        let mut game = vec![
            fact("side to move", game_text::side_name(variant, position.side())),
            fact("turn", &facts.turn.to_string()),
            fact("rolls", &facts.rolls.join("; ")),
        ];
        if !rule.is_empty() {
            game.push(fact("rule", rule));
        }
        game.push(fact("position", &game_text::plain_position(variant, position)));
        game
    }
}

/// A fact about the game.
pub(super) fn fact(name: &str, text: &str) -> Variable {
    Variable { name: name.into(), text: text.into(), kind: "a string", parts: Vec::new() }
}

/// A position drawn as text.
fn draw(loaded: &Loaded, position: &Position) -> String {
    let placed = Placed { position: position.clone(), dice: None, extra: Vec::new(), masked: Vec::new() };
    drawing::masked(loaded, &placed, Theme::default())
}

impl Debugger for Link {
    fn begins(&self, rule: &str, sight: Option<&Sight>) {
        if rule != "turn" {
            return;
        }
        let turn = {
            let mut facts = self.facts();
            facts.turn += 1;
            facts.rolls.clear();
            facts.turn
        };
        let (Some(loaded), Some(sight)) = (self.loaded.get().and_then(Weak::upgrade), sight) else { return };
        let side = game_text::side_name(&loaded.set.variant, sight.position.side());
        self.print("console", &format!("Turn {turn}: {side}."));
        self.print_board(&sight.position, &draw(&loaded, &sight.position));
    }

    fn breaks_at(&self, script: &str, line: usize) -> bool {
        locked(&self.signals.breakpoints).get(script).is_some_and(|lines| lines.contains(&line))
    }

    fn pauses(&self) -> bool {
        self.signals.pause.swap(false, Ordering::SeqCst)
    }

    fn stopped(&self, stop: Stop) -> Resume {
        let is_entry = self.enters.swap(false, Ordering::SeqCst);
        let reason = match stop.cause {
            Cause::Breakpoint => "breakpoint",
            Cause::Step if is_entry => "entry",
            Cause::Step => "step",
            Cause::Pause => "pause",
        };
        let mut halt = Halt { reason, text: format!("in the rule '{}'", stop.rule), ..Halt::default() };
        if let (Some(loaded), Some(sight)) = (self.loaded.get().and_then(Weak::upgrade), &stop.sight) {
            halt.game = self.game(&loaded, &sight.position, &stop.rule);
            halt.board = draw(&loaded, &sight.position);
        }
        halt.frames = stop.frames;
        self.report(Report::Halted(Box::new(halt)));
        loop {
            match self.wait() {
                Command::Resume(how) => return how,
                Command::Answer(_) => {
                    self.report(Report::Answered(Err("the game is not waiting for an answer".into())));
                }
            }
        }
    }
}
