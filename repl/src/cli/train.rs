//! `train`: a player that learns from games against itself.
//!
//! Owns the clock, what is printed, and the file; the lab plays and learns.

use super::args::Train;
use super::check::many;
use super::failure::of_rule;
use super::progress::Progress;
use super::{Answer, Failure, begin, has_folder, input, placed, simulate, tell};
use crate::{atomic_write, signals};
use astragal_computer::{Evaluation, PlayerError};
use astragal_core::Game;
use astragal_dsl::{Loaded, turn_state_text};
use astragal_lab::Interval;
use astragal_lab::learning::file::Precision;
use astragal_lab::learning::{Setting, Trainer};
use astragal_service::interrupt::StopToken;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The default time.
const USUAL: Duration = Duration::from_secs(600);
/// The first strength is measured after this time, and each further one after twice the time.
const FIRST_PROBE: Duration = Duration::from_secs(30);
/// The longest time between two measurements, and between two writings of the file.
const MOST_BETWEEN: Duration = Duration::from_secs(300);

/// `astragal train`.
pub(super) fn train(args: &Train, out: &mut impl Write) -> Answer {
    let loaded = super::load(&args.variant, &args.choice)?;
    let stop = StopToken::default();
    signals::listen_for_end(&stop);
    let asked = stop.clone();
    loaded.set.rules.stop_when(move || asked.is_requested());
    let setting = Setting {
        hidden: args.hidden,
        lambda: args.lambda,
        rate: args.rate,
        explore: args.explore,
        seed: args.seed,
        turns: args.turns,
        threads: simulate::threads(args.threads),
        ..Setting::default()
    };
    let start = begin(&loaded, &args.choice)?.state().clone();
    let failed = of_rule(&loaded);
    let trainer = match (args.resume, args.into.exists()) {
        (true, _) => {
            let named = |why: String| input(format!("{}: {why}", args.into.display()));
            let bytes = std::fs::read(&args.into).map_err(|error| named(error.to_string()))?;
            Trainer::resume(&loaded, start, setting, &bytes).map_err(|error| named(error.to_string()))?
        }
        (false, true) => {
            let file = args.into.display();
            return Err(input(format!("{file} exists: add --resume to continue it, or choose another file")));
        }
        (false, false) => Trainer::new(&loaded, start, setting).map_err(failed)?,
    };
    has_folder(&args.into)?;
    let time = args.time.or(if args.games.is_none() { Some(USUAL) } else { None });
    let mut course = Course { args, loaded: &loaded, trainer, stop, time, begun: Instant::now(), from: 0 };
    course.from = course.trainer.games();
    course.run(out)
}

/// A training.
struct Course<'a> {
    args: &'a Train,
    loaded: &'a Arc<Loaded>,
    trainer: Trainer,
    stop: StopToken,
    time: Option<Duration>,
    begun: Instant,
    /// The games before this training.
    from: u64,
}

impl Course<'_> {
    fn run(&mut self, out: &mut impl Write) -> Answer {
        let shape = self.trainer.values().network().shape();
        let (features, hidden) = (many(shape.inputs as usize, "feature"), many(shape.hidden as usize, "hidden unit"));
        tell(&format!("{}: {features}, {hidden}; Ctrl-C stops and keeps what is learned", self.loaded.title));
        let (progress, mut probed, mut wait) = (Progress::new(), Instant::now(), FIRST_PROBE);
        while !self.is_done() {
            let most = self.args.games.map_or(u64::MAX, |games| games - self.trainer.games());
            let stop = self.stop.clone();
            let time = (self.time, self.begun);
            // Without a time limit, no clock decides which games are learned from.
            let over = move || stop.is_requested() || time.0.is_some_and(|most| time.1.elapsed() >= most);
            match self.trainer.round(most, &over) {
                Err(error) if error.is_stop() => break,
                Err(error) => return Err(of_rule(self.loaded)(error)),
                Ok(false) => break,
                Ok(true) => {}
            }
            progress.show(|| self.so_far());
            if probed.elapsed() >= wait {
                progress.clear();
                self.probe()?;
                self.write()?;
                (probed, wait) = (Instant::now(), (2 * wait).min(MOST_BETWEEN));
            }
        }
        progress.clear();
        let stopped = self.stop.is_requested();
        self.write()?;
        if !stopped {
            self.probe()?;
        }
        writeln!(out, "{}: {}", self.args.into.display(), self.so_far())?;
        if stopped { Err(Failure::Stopped) } else { Ok(true) }
    }

    fn is_done(&self) -> bool {
        self.stop.is_requested()
            || self.time.is_some_and(|time| self.begun.elapsed() >= time)
            || self.args.games.is_some_and(|games| self.trainer.games() >= games)
    }

    /// The games, and how many there are in a minute.
    fn so_far(&self) -> String {
        let games = self.trainer.games();
        let minutes = (self.begun.elapsed().as_secs_f64() / 60.0).max(1e-3);
        let pace = (games - self.from) as f64 / minutes;
        let error = self.trainer.error().sqrt();
        format!("{}, {pace:.0} a minute, error {error:.3}", many(games as usize, "game"))
    }

    /// Shows the strength against `greedy`.
    fn probe(&self) -> Result<(), Failure> {
        if self.args.probe == 0 {
            return Ok(());
        }
        let failed = of_rule(self.loaded);
        let stopped = |error: &PlayerError| matches!(error, PlayerError::Rule(rule) if rule.is_stop());
        let evaluation = match Evaluation::learn(Arc::clone(&self.loaded.set), &self.loaded.start) {
            Err(error) if error.is_stop() => return Ok(()),
            evaluation => Arc::new(evaluation.map_err(&failed)?),
        };
        let placed = placed(self.loaded, &self.args.choice)?;
        let begin = |seed: u64| match &placed {
            None => Game::new(Arc::clone(&self.loaded.set), self.loaded.start.clone(), seed).map_err(PlayerError::from),
            Some(placed) => turn_state_text::begin(self.loaded, placed.clone(), seed).map_err(|_| PlayerError::Nothing),
        };
        let score = self.trainer.against_greedy(&evaluation, &begin, self.args.probe, &|| self.stop.is_requested());
        let score = match score {
            Err(error) if stopped(&error) => return Ok(()),
            score => score.map_err(of_rule(self.loaded))?,
        };
        let Some(score) = score else { return Ok(()) };
        let games = score.games();
        let interval = Interval::wilson(score.wins, games);
        let (won, played) = (score.wins, many(games as usize, "game"));
        let points =
            score.points().map_or(String::new(), |points| format!(", {:+.2} points a game", points / games as f64));
        tell(&format!("{}; against greedy: {won} of {played} won ({interval}){points}", self.so_far()));
        Ok(())
    }

    fn write(&self) -> Result<(), Failure> {
        let precision = if self.args.small { Precision::Small } else { Precision::Full };
        atomic_write::replace(&self.args.into, &self.trainer.write(self.loaded, precision)).map_err(input)
    }
}
