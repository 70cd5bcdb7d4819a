//! `train`: a player that learns from games against itself.
//!
//! Owns the clock, what is printed, and the file; the lab plays and learns.

use super::args::Train;
use super::chosen_game::{begin, load, placed};
use super::failure::{Answer, Failure, input, of_rule};
use super::into_file::has_folder;
use super::plural::many;
use super::progress::Progress;
use super::simulate;
use super::stderr::tell;
use crate::{atomic_write, signals};
use astragal_computer::learned::{LearnedPlayer, LearnedValues};
use astragal_computer::{Evaluation, MatchScore, Player, PlayerError};
use astragal_core::Game;
use astragal_dsl::{Loaded, turn_state_text};
use astragal_lab::Interval;
use astragal_lab::learning::curve::{self, Earlier, Probe};
use astragal_lab::learning::file::{self, Precision};
use astragal_lab::learning::{Setting, Trainer};
use astragal_lab::opponent::Opponent;
use astragal_service::interrupt::StopToken;
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The default time.
const USUAL: Duration = Duration::from_secs(600);
/// The first strength is measured after this time, and each further one after twice the time.
const FIRST_PROBE: Duration = Duration::from_secs(30);
/// Progress is measured against what was learned this long ago.
const EARLIER: Duration = Duration::from_secs(600);
/// The longest time between two measurements, and between two writes of the file.
const MOST_BETWEEN: Duration = Duration::from_secs(300);

/// A match that shows the progress ends after this time, with the games played so far.
const MOST_FOR_A_MATCH: Duration = Duration::from_secs(60);

/// `astragal train`.
pub(super) fn train(args: &Train, out: &mut impl Write) -> Answer {
    let loaded = load(&args.variant, &args.choice)?;
    let stop = StopToken::default();
    signals::listen_for_end(&stop);
    let asked = stop.clone();
    loaded.set.rules.stop_when(move || asked.is_requested());
    let setting = Setting {
        hidden: args.hidden,
        lambda: args.lambda,
        rate: args.rate,
        explore: args.explore,
        opening: args.opening,
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
    for file in [Some(&args.into), args.log.as_ref(), args.curve.as_ref()].into_iter().flatten() {
        has_folder(file)?;
    }
    let time = args.time.or(if args.games.is_none() { Some(USUAL) } else { None });
    let opponent = Opponent::parse_with(&args.against, &|name| file::open(&loaded, name)).map_err(input)?;
    let (from, begun) = (trainer.games(), Instant::now());
    let (evaluation, earlier, probes) = (OnceCell::new(), VecDeque::new(), logged(args)?);
    Course { args, loaded: &loaded, trainer, opponent, evaluation, earlier, probes, stop, time, begun, from }.run(out)
}

/// A training.
struct Course<'a> {
    args: &'a Train,
    loaded: &'a Arc<Loaded>,
    trainer: Trainer,
    /// The opponent that shows the progress, and what it needs to play.
    opponent: Opponent,
    evaluation: OnceCell<Arc<Evaluation>>,
    /// Copies of the evaluation from earlier times.
    earlier: VecDeque<(Duration, Arc<LearnedValues>)>,
    /// The points of the curve.
    probes: Vec<Probe>,
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
        tell(&format!("{}: {features}, {hidden}; Ctrl-C stops and keeps what has been learned", self.loaded.title));
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

    /// The number of games, and the games per minute.
    fn so_far(&self) -> String {
        let games = self.trainer.games();
        let minutes = (self.begun.elapsed().as_secs_f64() / 60.0).max(1e-3);
        let pace = (games - self.from) as f64 / minutes;
        let error = self.trainer.error().sqrt();
        format!("{}, {pace:.0} a minute, error {error:.3}", many(games as usize, "game"))
    }

    /// Shows the strength against the opponent, and against what was learned ten minutes ago.
    fn probe(&mut self) -> Result<(), Failure> {
        if self.args.probe == 0 {
            return Ok(());
        }
        let Some(score) = self.against_opponent()? else { return Ok(()) };
        let now = self.begun.elapsed();
        // The last values that are old enough, or else the oldest.
        while self.earlier.get(1).is_some_and(|(time, _)| now - *time >= EARLIER) {
            self.earlier.pop_front();
        }
        let mut line = format!("{}; against {}: {}", self.so_far(), self.opponent, worded(&score));
        let mut probe = Probe {
            games: self.trainer.games(),
            seconds: now.as_secs_f64(),
            error: self.trainer.error().sqrt().into(),
            against: self.opponent.to_string(),
            score: (&score).into(),
            itself: None,
        };
        if let Some((time, values)) = self.earlier.front().cloned() {
            let old = |_| Ok::<Box<dyn Player>, _>(Box::new(LearnedPlayer::new(Arc::clone(&values), "earlier".into())));
            let Some(score) = self.against(&old)? else { return Ok(()) };
            let ago = (now - time).as_secs_f64();
            let ago_text = if ago < 90.0 { format!("{ago:.0} s") } else { format!("{:.0} min", ago / 60.0) };
            line += &format!("; against itself {ago_text} earlier: {}", worded(&score));
            probe.itself = Some(Earlier { seconds_ago: ago, score: (&score).into() });
        }
        tell(&line);
        self.earlier.push_back((now, Arc::clone(self.trainer.values())));
        if let Some(log) = &self.args.log {
            let named = |error: std::io::Error| input(format!("{}: {error}", log.display()));
            let mut file = File::options().create(true).append(true).open(log).map_err(named)?;
            let line = serde_json::to_string(&probe).map_err(input)?;
            writeln!(file, "{line}").map_err(named)?;
        }
        self.probes.push(probe);
        if let Some(picture) = &self.args.curve {
            atomic_write::replace(picture, curve::svg(&self.loaded.title, &self.probes).as_bytes()).map_err(input)?;
        }
        Ok(())
    }

    fn against_opponent(&self) -> Result<Option<MatchScore>, Failure> {
        let learn = || Evaluation::learn(Arc::clone(&self.loaded.set), &self.loaded.start).map(Arc::new);
        if self.evaluation.get().is_none() {
            match learn() {
                Err(error) if error.is_stop() => return Ok(None),
                learned => drop(self.evaluation.set(learned.map_err(of_rule(self.loaded))?)),
            }
        }
        let ready = || self.evaluation.get().cloned().ok_or(PlayerError::Nothing);
        self.against(&|seed| self.opponent.sit_down(ready, seed, None))
    }

    /// A match against a player. `None` if it was stopped.
    fn against(
        &self,
        other: &dyn Fn(u64) -> Result<Box<dyn Player>, PlayerError>,
    ) -> Result<Option<MatchScore>, Failure> {
        let placed = placed(self.loaded, &self.args.choice)?;
        let begin = |seed: u64| match &placed {
            None => Game::new(Arc::clone(&self.loaded.set), self.loaded.start.clone(), seed).map_err(PlayerError::from),
            Some(placed) => turn_state_text::begin(self.loaded, placed.clone(), seed).map_err(|_| PlayerError::Nothing),
        };
        let since = Instant::now();
        let stop = || self.stop.is_requested() || since.elapsed() >= MOST_FOR_A_MATCH;
        match self.trainer.against(other, &begin, self.args.probe, &stop) {
            Err(PlayerError::Rule(rule)) if rule.is_stop() => Ok(None),
            score => Ok(Some(score.map_err(of_rule(self.loaded))?).filter(|_| !self.stop.is_requested())),
        }
    }

    fn write(&self) -> Result<(), Failure> {
        let precision = if self.args.small { Precision::Small } else { Precision::Full };
        atomic_write::replace(&self.args.into, &self.trainer.write(self.loaded, precision)).map_err(input)
    }
}

/// The progress before this training, for the curve.
fn logged(args: &Train) -> Result<Vec<Probe>, Failure> {
    match &args.log {
        Some(log) if args.resume && args.curve.is_some() && log.exists() => {
            let named = |why: String| input(format!("{}: {why}", log.display()));
            let lines = std::fs::read_to_string(log).map_err(|error| named(error.to_string()))?;
            curve::read(&lines).map_err(named)
        }
        _ => Ok(Vec::new()),
    }
}

/// A score in words.
fn worded(score: &MatchScore) -> String {
    let games = score.games();
    let interval = Interval::wilson(score.wins, games);
    let points =
        score.points().map_or(String::new(), |points| format!(", {:+.2} points a game", points / games as f64));
    format!("{} of {} won ({interval}){points}", score.wins, many(games as usize, "game"))
}
