//! `simulate`: statistics of many games of a variant.
//!
//! Owns the files that are written and the progress bar; the lab plays the games.

use super::args::Simulate;
use super::chosen_game::options;
use super::failure::{Answer, Failure, input, layout};
use super::stderr::tell;
use crate::rule_error::OfRule;
use crate::{atomic_write, signals, tables};
use astragal_dsl::{LoadError, blame, library};
use astragal_lab::learning::file;
use astragal_lab::opponent::Opponent;
use astragal_lab::part::Part;
use astragal_lab::{Experiment, LabError, Report, Row, Setting, Tally, Watch, ladder, part_folder, run};
use astragal_service::interrupt::StopToken;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// `astragal simulate`.
pub(super) fn simulate(args: &Simulate, out: &mut impl Write) -> Answer {
    let setting = Setting {
        options: options(&args.choice)?,
        position: args.choice.position.clone(),
        players: args.played.players.clone(),
        seed: args.played.seed,
        max_plies: args.played.max_plies,
        lines: args.lines,
        luck: args.luck,
    }
    .with_luck_of_computers();
    if let Some(level) = args.ladder {
        return write_ladder(args, &setting, level, out);
    }
    let mut experiment = experiment(&args.variant, setting)?;
    if !args.tables.is_empty() {
        let tables = tables::read_all(&args.tables, experiment.loaded()).map_err(input)?;
        experiment = experiment.knowing(Arc::new(tables));
    }
    let games = args.games.clone().unwrap_or(0..args.number);
    if let Some(folder) = &args.part {
        return write_part(args, &experiment, &games, folder, out);
    }
    let mut files = Files::open(args, &experiment)?;
    let tally = played(&experiment, &games, threads(args.played.threads), Some(&mut files))?;
    files.finish().map_err(input)?;
    let report = Report::new(&experiment, games.clone(), &tally);
    if let Some(file) = &args.html {
        atomic_write::replace(file, report.html().as_bytes()).map_err(input)?;
    }
    match args.json {
        // The rows use standard output alone.
        _ if files.are_printed() => tell(report.text().trim_end()),
        true => writeln!(out, "{}", report.json())?,
        false => write!(out, "{}", report.text())?,
    }
    if !report.is_complete() {
        out.flush()?;
        let total = counted(games.end - games.start, "game");
        tell(&format!("stopped after {} of {total}: the report covers only the games played", tally.games));
        return Err(Failure::Stopped);
    }
    Ok(true)
}

/// A number of items: `1 game`, `2 games`.
pub(super) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A variant by name or path, with a setting.
pub(super) fn experiment(variant: &str, setting: Setting) -> Result<Experiment, Failure> {
    let source = library::resolve(variant).map_err(|error| failure(&error.into()))?;
    Experiment::opening(&source, setting, || false, &file::open).map_err(|error| failure(&error))
}

/// An error of the lab as a failure of the command.
pub(super) fn failure(error: &LabError) -> Failure {
    match error {
        LabError::Load(error) => input(LoadError::render(error, layout())),
        error => input(error),
    }
}

/// An error in the games of an experiment, with the game and the place in the script.
pub(super) fn failed(experiment: &Experiment, error: LabError) -> Failure {
    let Some(rule) = error.rule().filter(|rule| !rule.is_stop()) else { return failure(&error) };
    let mut shown = blame(experiment.loaded(), None, rule);
    if let LabError::Game { number, .. } = &error {
        shown.notes.push(format!("in game {number}, with seed {}", experiment.setting().seed));
    }
    let options = experiment.setting().options.iter();
    shown.notes.extend(options.map(|(name, value)| format!("with --set {name}={value}")));
    input(shown.render(layout()))
}

/// The number of threads: as given, or the number of processors.
pub(super) fn threads(asked: Option<u16>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(processors, usize::from)
}

/// Plays games, with a progress bar at a terminal. Ctrl-C and SIGTERM end the run with the finished games.
///
/// # Errors
/// If a game fails, a file cannot be written, or the run is stopped before the first game ends.
fn played(
    experiment: &Experiment,
    games: &Range<u64>,
    threads: usize,
    files: Option<&mut Files>,
) -> Result<Tally, Failure> {
    let stop = StopToken::default();
    signals::listen_for_end(&stop);
    let asked = stop.clone();
    experiment.stop_when(move || asked.is_requested());
    let bar = bar(games.end - games.start);
    let watch = Watch { stop: &|| stop.is_requested(), progress: &|more| bar.inc(more) };
    let mut write = files
        .filter(|files| files.is_wanted())
        .map(|files| move |rows: &[Row]| files.write(rows).map_err(LabError::Write));
    let rows = write.as_mut().map(|write| write as astragal_lab::Rows<'_>);
    let tally = run(experiment, games.clone(), threads, &watch, rows);
    bar.finish_and_clear();
    match tally {
        Ok(tally) if tally.games == 0 => Err(Failure::Stopped),
        Ok(tally) => Ok(tally),
        Err(error) => Err(failed(experiment, error)),
    }
}

/// Plays each level against the one below, in half of the games with exchanged seats.
fn write_ladder(args: &Simulate, setting: &Setting, level: u8, out: &mut impl Write) -> Answer {
    let source = library::resolve(&args.variant).map_err(|error| failure(&error.into()))?;
    let computers = (1..=level).map(|level| Opponent::Computer(level).to_string());
    let players: Vec<String> = ["random".into(), "greedy".into()].into_iter().chain(computers).collect();
    let names: Vec<&str> = players.iter().map(String::as_str).collect();
    let stop = StopToken::default();
    signals::listen_for_end(&stop);
    let pairs = args.number.div_ceil(2);
    let bar = bar(2 * pairs * (names.len() - 1) as u64);
    let watch = Watch { stop: &|| stop.is_requested(), progress: &|more| bar.inc(more) };
    let begin = |setting| {
        let asked = stop.clone();
        Experiment::until(&source, setting, move || asked.is_requested())
    };
    let steps = ladder::climb_with(&begin, setting, &names, pairs, threads(args.played.threads), &watch);
    bar.finish_and_clear();
    let steps = steps.map_err(|error| if error.is_stop() { Failure::Stopped } else { failure(&error) })?;
    if !args.json {
        writeln!(out, "{:<12} {:<12} {:>7} {:>8}  {:<15}better (95 %) after", "", "against", "games", "score", "95 %")?;
    }
    for step in &steps {
        let (score, interval, games) = (step.score, step.interval, step.ahead_after);
        if args.json {
            let text = json!({
                "version": 1, "player": step.better, "against": step.other, "games": step.games,
                "unfinished": step.unfinished, "score": score, "low": interval.low, "high": interval.high,
                "ahead_after": games,
            });
            writeln!(out, "{text}")?;
            continue;
        }
        let after = games.map_or("not shown to be better".into(), |games| counted(games, "game"));
        let (score, interval) = (score * 100.0, interval.to_string());
        writeln!(
            out,
            "{:<12} {:<12} {:>7} {score:>6.1} %  {interval:<15} {after}",
            step.better, step.other, step.games
        )?;
    }
    if stop.is_requested() {
        out.flush()?;
        let (done, of) = (steps.iter().filter(|step| step.games == 2 * pairs).count(), names.len() - 1);
        tell(&format!("stopped after {done} of {of} steps: the other steps have too few games or none"));
        return Err(Failure::Stopped);
    }
    Ok(true)
}

/// A progress bar on standard error, with rate and time left; hidden without a terminal.
pub(super) fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {rate}, {eta} left");
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // There is no reader to report an error to.
        let _ = match state.per_sec() {
            slow if slow < 10.0 => write!(out, "{slow:.1}/s"),
            fast => write!(out, "{fast:.0}/s"),
        };
    };
    let style = style.map(|style| style.with_key("rate", rate));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A target for rows, and its name in error messages.
struct Target {
    name: String,
    to: BufWriter<Box<dyn Write + Send>>,
}

impl Target {
    /// A file, or standard output for `-`.
    fn open(path: &Path) -> Result<Target, Failure> {
        let is_standard = path.as_os_str() == "-";
        let name = if is_standard { "standard output".into() } else { path.display().to_string() };
        let to: Box<dyn Write + Send> = match is_standard {
            true => Box::new(io::stdout()),
            false => Box::new(File::create(path).map_err(|error| input(format!("{name}: {error}")))?),
        };
        Ok(Target { name, to: BufWriter::new(to) })
    }

    fn write(&mut self, text: &[u8]) -> Result<(), String> {
        self.to.write_all(text).map_err(|error| format!("{}: {error}", self.name))
    }

    fn finish(&mut self) -> Result<(), String> {
        self.to.flush().map_err(|error| format!("{}: {error}", self.name))
    }
}

/// Files with a line for each game.
struct Files {
    csv: Option<Target>,
    jsonl: Option<Target>,
    are_printed: bool,
    /// The names of the sides.
    sides: Vec<String>,
}

impl Files {
    fn open(args: &Simulate, experiment: &Experiment) -> Result<Files, Failure> {
        let printed = [&args.csv, &args.jsonl].into_iter().flatten().filter(|path| path.as_os_str() == "-").count();
        if printed > 1 || printed > 0 && args.json {
            return Err(input("only one of --csv -, --jsonl - and --json can use standard output"));
        }
        let csv = args.csv.as_deref().map(Target::open).transpose()?;
        let jsonl = args.jsonl.as_deref().map(Target::open).transpose()?;
        let sides = (0..experiment.seats().len()).map(|seat| experiment.side_name(seat).to_owned()).collect();
        let mut files = Files { csv, jsonl, are_printed: printed > 0, sides };
        if let Some(csv) = &mut files.csv {
            csv.write(&record(Row::COLUMNS)).map_err(input)?;
        }
        Ok(files)
    }

    fn is_wanted(&self) -> bool {
        self.csv.is_some() || self.jsonl.is_some()
    }

    /// Whether rows go to standard output.
    fn are_printed(&self) -> bool {
        self.are_printed
    }

    fn write(&mut self, rows: &[Row]) -> Result<(), String> {
        for row in rows {
            let winner = row.winner.and_then(|side| self.sides.get(side.index())).map_or("", String::as_str);
            let reason = row.reason.as_deref().unwrap_or("");
            let numbers = row.numbers();
            if let Some(csv) = &mut self.csv {
                let mut cells = vec![row.number.to_string(), winner.to_owned(), reason.to_owned()];
                cells.extend(numbers.iter().map(u64::to_string));
                let faces = row.first_roll.iter().flatten().map(i16::to_string).collect::<Vec<_>>();
                cells.extend([faces.join(" "), row.digest_text()]);
                cells.extend(row.more_numbers().iter().map(u64::to_string));
                cells.extend([json!(row.labels).to_string(), json!(row.counters).to_string()]);
                csv.write(&record(cells))?;
            }
            if let Some(jsonl) = &mut self.jsonl {
                let mut cells =
                    vec![json!(row.number), json!(row.winner.map(|_| winner)), json!(row.reason.as_deref())];
                cells.extend(numbers.map(|number| json!(number)));
                cells.extend([json!(row.first_roll), json!(row.digest_text())]);
                cells.extend(row.more_numbers().map(|number| json!(number)));
                cells.extend([json!(row.labels), json!(row.counters)]);
                let names = Row::COLUMNS.iter().map(ToString::to_string);
                let object = Value::Object(names.zip(cells).collect());
                jsonl.write(format!("{object}\n").as_bytes())?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), String> {
        self.csv.iter_mut().chain(&mut self.jsonl).try_for_each(Target::finish)
    }
}

/// A line of comma-separated values.
fn record(cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
    let mut line = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = line.write_record(cells);
    line.into_inner().unwrap_or_default()
}

/// Plays the games of a part, unless the part already exists.
fn write_part(
    args: &Simulate,
    experiment: &Experiment,
    games: &Range<u64>,
    folder: &Path,
    out: &mut impl Write,
) -> Answer {
    let (count, (manifest, _)) = (games.end - games.start, part_folder::paths(folder, games));
    let name = manifest.display();
    if part_folder::find(folder, experiment, games).map_err(input)?.is_some() {
        writeln!(out, "{name}: {} already played", counted(count, "game"))?;
        return Ok(true);
    }
    std::fs::create_dir_all(folder).map_err(|error| input(format!("{}: {error}", folder.display())))?;
    let played = played(experiment, games, threads(args.played.threads), None)?;
    if played.games < count {
        tell(&format!(
            "stopped after {} of {}: incomplete parts are not written",
            played.games,
            counted(count, "game")
        ));
        return Err(Failure::Stopped);
    }
    let part = Part::new(experiment, games, &played).map_err(|error| failure(&error))?;
    part_folder::write(folder, games, &part, atomic_write::replace).map_err(input)?;
    writeln!(out, "{name}: {}, digest {}", counted(count, "game"), played.digest_text())?;
    Ok(true)
}
