//! `solve`: the exact values of a small game or an ending.
//!
//! Owns what is printed, and the files; the lab solves.

use super::args::Solve;
use super::chosen_game::{load, placed};
use super::failure::{Answer, Failure, input, of_rule};
use super::into_file::has_folder;
use super::plural::many;
use super::progress::Progress;
use super::simulate;
use super::stderr::tell;
use crate::{atomic_write, signals, tables};
use astragal_core::{Position, Side};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, game_text};
use astragal_lab::grouped;
use astragal_lab::solve::table::{self, Origin, Table};
use astragal_lab::solve::verify::verify;
use astragal_lab::solve::{self, Interval, Limits, Material, Solver, Step, Watch, horizon};
use astragal_service::interrupt::StopToken;
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// `astragal solve`.
pub(super) fn solve(args: &Solve, out: &mut impl Write) -> Answer {
    let loaded = load(&args.variant, &args.choice)?;
    let stop = StopToken::default();
    signals::listen_for_end(&stop);
    let limits = Limits {
        states: usize::try_from(args.states).unwrap_or(usize::MAX),
        memory: usize::try_from(args.memory).unwrap_or(usize::MAX).saturating_mul(1 << 20),
        threads: simulate::threads(args.threads),
    };
    let asked = Asked { args, loaded: &loaded, limits, stop: &stop };
    match (&args.verify, &args.table, args.turns) {
        (Some(file), ..) => asked.verify(file, out),
        (None, Some(file), _) => asked.look_up(file, out),
        (None, None, Some(turns)) => asked.within(turns, out),
        (None, None, None) => asked.bounds(out),
    }
}

/// The command and its script.
pub(super) struct Asked<'a> {
    pub(super) args: &'a Solve,
    pub(super) loaded: &'a Loaded,
    limits: Limits,
    stop: &'a StopToken,
}

impl Asked<'_> {
    /// The position to start from.
    pub(super) fn position(&self) -> Result<Position, Failure> {
        let Some(placed) = placed(self.loaded, &self.args.choice)? else { return Ok(self.loaded.start.clone()) };
        placed.whole(&self.loaded.set.variant).map_err(input)?;
        let in_turn = placed.dice.is_some() || placed.extra.iter().any(|(name, _)| name == "turn");
        match in_turn {
            true => Err(input("a turn in progress cannot be solved: give the position at the start of the turn")),
            false => Ok(placed.position),
        }
    }

    /// The value of a position within some turns.
    fn within(&self, turns: u32, out: &mut impl Write) -> Answer {
        let position = self.position()?;
        let watch = Watch { stop: &|| self.stop.is_requested(), progress: &|_| {} };
        let found = horizon::within(&self.loaded.set, &position, turns, &watch).map_err(of_rule(self.loaded))?;
        let Some(mut value) = found else { return Err(Failure::Stopped) };
        if position.side() != Side::FIRST {
            value.numerator = -value.numerator;
        }
        let number = value.numerator as f64 / value.denominator as f64;
        let text = match value.denominator {
            1 => value.numerator.to_string(),
            _ => format!("{}/{}", value.numerator, value.denominator),
        };
        let side = self.side(&position);
        match self.args.json {
            true => {
                let answer = json!({"version": 1, "turns": turns, "side": side, "value": text, "number": number});
                writeln!(out, "{answer}")?;
            }
            false => {
                writeln!(out, "{side} to roll: {text} = {number:.6} points within {}", many(turns as usize, "turn"))?;
                writeln!(out, "A win counts as 1, a loss as -1, and a draw or an unfinished game as 0.")?;
            }
        }
        Ok(true)
    }

    pub(super) fn side(&self, position: &Position) -> String {
        game_text::side_name(&self.loaded.set.variant, position.side()).to_string()
    }

    /// The bounds of all states that can be reached.
    fn bounds(&self, out: &mut impl Write) -> Answer {
        let failed = of_rule(self.loaded);
        let mut solver = Solver::new(self.loaded).map_err(&failed)?;
        let variant = &self.loaded.set.variant;
        let material = self.args.material.as_ref().map(|text| Material::parse(variant, text)).transpose();
        let material = material.map_err(&failed)?;
        let (from, start) = match &self.args.material {
            Some(text) => (Origin::Material(text.clone()), None),
            None => {
                let position = self.position()?;
                (Origin::Position(fen::write(variant, &position)), Some(position))
            }
        };
        if let Some(known) = self.args.into.as_ref().map(|file| self.begun(file, &from)).transpose()?.flatten() {
            solver.start_from(known);
        }
        if !self.resume(&mut solver, &from)? {
            match (&material, &start) {
                (Some(material), _) => solver.add_all(material, &self.limits).map_err(&failed)?,
                (None, Some(position)) => solver.add(position).map_err(&failed)?,
                (None, None) => {}
            }
        }
        let begun = solver.examined();
        let (start, progress) = (Instant::now(), Progress::new());
        let listed = Cell::new(Duration::ZERO);
        let Limits { states, memory, .. } = self.limits;
        if !self.args.json {
            tell(&format!("at most {} states and {} MB; Ctrl-C stops", grouped(states), grouped(memory >> 20)));
        }
        let show = |step: Step| {
            if matches!(step, Step::Explored { .. }) {
                listed.set(start.elapsed());
            }
            progress.show(|| said(step, start));
        };
        let watch = Watch { stop: &|| self.stop.is_requested(), progress: &show };
        let reached = solver.run(self.args.epsilon, &self.limits, &watch);
        progress.clear();
        let reached = reached.map_err(&failed)?;
        let times = Times { listing: listed.get(), turns: solver.examined() - begun, whole: start.elapsed() };
        let whole = Whole { asked: self, solver: &solver, reached, times, material: material.as_ref() };
        if !solver.has_bounds() {
            tell(&format!("stopped after {} states: no values are known yet", grouped(solver.states())));
            self.keep(&solver, reached, &from)?;
            return Err(Failure::Stopped);
        }
        match self.args.json {
            true => writeln!(out, "{}", whole.json()?)?,
            false => whole.print(out)?,
        }
        if let Some(file) = &self.args.into {
            out.flush()?;
            whole.write(file, from.clone())?;
        }
        self.keep(&solver, reached, &from)?;
        if reached == solve::Progress::Stopped {
            return Err(Failure::Stopped);
        }
        Ok(true)
    }

    /// The table to continue from, if the file to be written is one.
    fn begun(&self, file: &Path, from: &Origin) -> Result<Option<Arc<Table>>, Failure> {
        has_folder(file)?;
        if !file.exists() {
            return Ok(None);
        }
        let table = self.table(file)?;
        match &table.header().from {
            begun if begun == from => Ok(Some(table)),
            Origin::Position(other) | Origin::Material(other) => {
                let why = format!("--into {}: this table was made from '{other}'; choose another file", file.display());
                Err(input(why))
            }
        }
    }

    /// The file with the states of a search that was stopped.
    fn states_file(&self) -> Option<PathBuf> {
        let mut name = self.args.into.as_ref()?.clone().into_os_string();
        name.push(".states");
        Some(name.into())
    }

    /// Takes the states of a search that was stopped, if there are some.
    fn resume(&self, solver: &mut Solver, from: &Origin) -> Result<bool, Failure> {
        let Some(file) = self.states_file().filter(|file| file.exists()) else { return Ok(false) };
        let wrong = |why: String| input(format!("{}: {why}; delete it to start over", file.display()));
        let opened = File::open(&file).map_err(|error| wrong(error.to_string()))?;
        solver.resume(self.loaded, from, BufReader::new(opened)).map_err(|error| wrong(error.to_string()))?;
        tell(&format!("continuing with {} states from {}", grouped(solver.states()), file.display()));
        Ok(true)
    }

    /// Keeps the states of a search that can be continued, and deletes those of a finished one.
    fn keep(&self, solver: &Solver, reached: solve::Progress, from: &Origin) -> Result<(), Failure> {
        let Some(file) = self.states_file() else { return Ok(()) };
        match reached {
            solve::Progress::Solved | solve::Progress::Still => {
                if file.exists() {
                    fs::remove_file(&file)?;
                }
            }
            solve::Progress::Full | solve::Progress::Stopped => {
                atomic_write::replace_with(&file, |out| solver.save(self.loaded, from, out)).map_err(input)?;
                tell(&format!("saved the states to {}; to continue, run the same command again", file.display()));
            }
        }
        Ok(())
    }

    pub(super) fn table(&self, file: &Path) -> Result<Arc<Table>, Failure> {
        tables::read(file, self.loaded).map_err(input)
    }

    /// Checks a table.
    fn verify(&self, file: &Path, out: &mut impl Write) -> Answer {
        let table = self.table(file)?;
        let (start, progress) = (Instant::now(), Progress::new());
        let watch = Watch { stop: &|| self.stop.is_requested(), progress: &|step| progress.show(|| said(step, start)) };
        let found = verify(self.loaded, &table, &self.limits, &watch);
        progress.clear();
        let found = found.map_err(of_rule(self.loaded))?;
        let (states, of) = (grouped(found.states), grouped(found.of));
        match &found.wrong {
            Some((position, own, next)) => {
                let shown = |value: &Interval| format!("{:.7} to {:.7}", value.low, value.high);
                writeln!(out, "wrong: '{position}' has {}, but the next turn gives {}", shown(own), shown(next))?;
            }
            None => writeln!(out, "checked {states} of {of} states against the next turn: all agree")?,
        }
        match found.wrong {
            Some(_) => Ok(false),
            None if self.stop.is_requested() => Err(Failure::Stopped),
            None => Ok(found.states == found.of),
        }
    }
}

/// How long a solver has worked.
struct Times {
    /// Until all turns were listed.
    listing: Duration,
    /// The turns that were listed.
    turns: usize,
    whole: Duration,
}

impl Times {
    /// The turns listed per second.
    fn rate(&self) -> usize {
        (self.turns as f64 / self.listing.as_secs_f64().max(1e-9)) as usize
    }
}

/// A solved game or ending.
struct Whole<'a> {
    asked: &'a Asked<'a>,
    solver: &'a Solver,
    reached: solve::Progress,
    times: Times,
    material: Option<&'a Material>,
}

/// The values of the positions of one side to move, for that side.
#[derive(Default)]
struct Values {
    count: u64,
    sum: f64,
    worst: Option<(f64, String)>,
    best: Option<(f64, String)>,
}

impl Whole<'_> {
    fn write(&self, file: &Path, from: Origin) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        let header = table::write(self.solver, self.asked.loaded, from, &mut bytes)?;
        atomic_write::replace(file, &bytes).map_err(input)?;
        let (states, size) = (grouped(header.states), grouped(bytes.len() >> 10));
        tell(&format!("wrote {}: {states} states, {size} kB", file.display()));
        Ok(())
    }

    /// The value of a position for the side to move.
    fn value(&self, position: &Position) -> Option<Interval> {
        self.solver.value(position).map(|value| value.of(position.side()))
    }

    fn summary(&self, side: Side, material: &Material) -> Result<Values, Failure> {
        let variant = &self.asked.loaded.set.variant;
        let mut values = Values::default();
        let each = material.each(variant, &mut |position| {
            let Some(value) = self.value(position).filter(|_| position.side() == side) else { return Ok(()) };
            let middle = value.middle();
            values.count += 1;
            values.sum += middle;
            if values.worst.as_ref().is_none_or(|(worst, _)| middle < *worst) {
                values.worst = Some((middle, fen::write(variant, position)));
            }
            if values.best.as_ref().is_none_or(|(best, _)| middle > *best) {
                values.best = Some((middle, fen::write(variant, position)));
            }
            Ok(())
        });
        each.map_err(of_rule(self.asked.loaded))?;
        Ok(values)
    }

    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        let Asked { loaded, .. } = self.asked;
        let (bytes, turns) = self.solver.bytes();
        let states = self.solver.states();
        writeln!(
            out,
            "{}: {} states in {}, {} MB, including {} MB for the lists of turns",
            loaded.title,
            grouped(states),
            shown(self.times.whole),
            grouped(bytes >> 20),
            grouped(turns >> 20)
        )?;
        let Times { listing, whole, .. } = self.times;
        if whole.as_secs_f64() >= 1.0 {
            let (listed, rest) = (shown(listing), shown(whole.saturating_sub(listing)));
            writeln!(out, "listing turns: {listed}, {} a second; bounds: {rest}", grouped(self.times.rate()))?;
        }
        writeln!(out, "{}", self.outcome())?;
        if astragal_dsl::counts_history(loaded) {
            writeln!(out, "Values ignore earlier repetitions and quiet moves, which the rules may count.")?;
        }
        match self.material {
            None => {
                let position = self.asked.position()?;
                if let Some(value) = self.value(&position) {
                    let side = self.asked.side(&position);
                    writeln!(out, "{side} to roll: {:.7} to {:.7} points", value.low, value.high)?;
                }
            }
            Some(material) => {
                for side in [Side(0), Side(1)] {
                    let values = self.summary(side, material)?;
                    let name = game_text::side_name(&loaded.set.variant, side);
                    writeln!(out, "{name} to roll: {:.6} points on average", values.sum / values.count.max(1) as f64)?;
                    for (word, value) in [("worst", values.worst), ("best", values.best)] {
                        let Some((value, position)) = value else { continue };
                        writeln!(out, "  {word} {value:.6}: {position}")?;
                    }
                }
            }
        }
        match self.solver.awards_points() {
            true => writeln!(out, "Values are for the side to roll: its points minus those of the other side.")?,
            false => writeln!(out, "A win is 1, a draw 0, a loss -1, for the side to roll.")?,
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        let widest = self.solver.widest();
        match self.reached {
            solve::Progress::Solved if widest <= 0.0 => "solved: all values are exact".into(),
            solve::Progress::Solved => format!("solved: every value is accurate to within {} points", small(widest)),
            solve::Progress::Still => {
                format!("not solved: the bounds of a value remain {} points apart", small(widest))
            }
            solve::Progress::Full => {
                let (examined, states) = (grouped(self.solver.examined()), grouped(self.solver.states()));
                format!(
                    "not solved: only {examined} of {states} states are within the limits; the bounds are still valid"
                )
            }
            solve::Progress::Stopped => format!("stopped: values are uncertain by up to {} points", small(widest)),
        }
    }

    fn json(&self) -> Result<Value, Failure> {
        let word = match self.reached {
            solve::Progress::Solved => "solved",
            solve::Progress::Still => "still",
            solve::Progress::Full => "full",
            solve::Progress::Stopped => "stopped",
        };
        let mut answer = json!({
            "version": 1,
            "states": self.solver.states(),
            "examined": self.solver.examined(),
            "reached": word,
            "widest": self.solver.widest(),
            "seconds": self.times.whole.as_secs_f64(),
            "listing_seconds": self.times.listing.as_secs_f64(),
        });
        let interval = |value: Interval| json!([value.low, value.high]);
        match self.material {
            None => {
                let position = self.asked.position()?;
                answer["side"] = self.asked.side(&position).into();
                answer["value"] = self.value(&position).map_or(Value::Null, interval);
            }
            Some(material) => {
                for side in [Side(0), Side(1)] {
                    let values = self.summary(side, material)?;
                    let end =
                        |value: Option<(f64, String)>| value.map(|(value, at)| json!({"value": value, "position": at}));
                    answer["sides"][game_text::side_name(&self.asked.loaded.set.variant, side)] = json!({
                        "positions": values.count,
                        "mean": values.sum / values.count.max(1) as f64,
                        "worst": end(values.worst),
                        "best": end(values.best),
                    });
                }
            }
        }
        Ok(answer)
    }
}

/// A step of a solver's work, for the progress line.
fn said(step: Step, start: Instant) -> String {
    let time = shown(start.elapsed());
    match step {
        Step::Explored { states, listed } => {
            format!("{} states, {} examined, {time}", grouped(states), grouped(listed))
        }
        Step::Improved { states, of, widest } => {
            format!(
                "{} of {} states improved, {} points uncertain, {time}",
                grouped(states),
                grouped(of),
                small(widest)
            )
        }
        Step::Verified { states, of } => format!("{} of {} states checked, {time}", grouped(states), grouped(of)),
    }
}

/// A small difference, with two significant digits.
fn small(points: f64) -> String {
    match points {
        points if points <= 0.0 => "0".into(),
        points => format!("{points:.*}", (1 - points.log10().floor() as i32).clamp(1, 15) as usize),
    }
}

/// A time in words.
fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {} s", seconds as u64 / 60, seconds as u64 % 60)
    }
}
