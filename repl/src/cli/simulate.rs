//! `simulate`: many games, and what they say of the variant.
//!
//! Owns the files that are written and the bar that shows how far it has come; the games are the lab's.

use super::args::Simulate;
use super::{Answer, Failure, input, theme};
use crate::{atomic_write, signals};
use astragal_dsl::{LoadError, library};
use astragal_lab::opponent::Opponent;
use astragal_lab::part::{self, Manifest, Part};
use astragal_lab::{Experiment, LabError, Report, Row, Setting, Tally, Watch, ladder, run};
use astragal_service::interrupt::StopToken;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::Range;
use std::path::Path;

/// `astragal simulate`.
pub(super) fn simulate(args: &Simulate, out: &mut impl Write) -> Answer {
    let setting = Setting {
        options: args.choice.set.clone(),
        position: args.choice.position.clone(),
        players: args.players.clone(),
        seed: args.seed,
        max_plies: args.max_plies,
        luck: args.luck || args.players.iter().any(|name| matches!(Opponent::parse(name), Ok(Opponent::Computer(_)))),
    };
    if let Some(level) = args.ladder {
        return write_ladder(args, &setting, level, out);
    }
    let experiment = experiment(&args.variant, setting)?;
    let games = args.games.clone().unwrap_or(0..args.number);
    if let Some(folder) = &args.part {
        return write_part(args, &experiment, &games, folder, out);
    }
    let mut files = Files::open(args, &experiment)?;
    let tally = played(&experiment, &games, threads(args.threads), Some(&mut files))?;
    files.finish()?;
    let report = Report::new(&experiment, &tally);
    if let Some(file) = &args.html {
        atomic_write::replace(file, report.html().as_bytes()).map_err(input)?;
    }
    match args.json {
        true => writeln!(out, "{}", report.json())?,
        false => write!(out, "{}", report.text())?,
    }
    if tally.games < games.end - games.start {
        out.flush()?;
        return Err(Failure::Stopped);
    }
    Ok(true)
}

/// A variant by name or path, with a setting.
pub(super) fn experiment(variant: &str, setting: Setting) -> Result<Experiment, Failure> {
    let source = library::resolve(variant).map_err(|error| failure(&error.into()))?;
    Experiment::new(&source, setting).map_err(|error| failure(&error))
}

/// What has failed, as it is told.
pub(super) fn failure(error: &LabError) -> Failure {
    let colored = || theme::color(super::args::Color::Auto, io::stderr().is_terminal());
    match error {
        LabError::Load(error) => input(LoadError::render(error, colored())),
        error => input(error),
    }
}

/// How many threads: as many as there are processors, unless somebody has said so.
pub(super) fn threads(asked: Option<u16>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(processors, usize::from)
}

/// Plays games, with a bar at a terminal; Ctrl-C and SIGTERM end it with what is done.
///
/// # Errors
/// If a game fails, a file cannot be written, or it was stopped before the first game was over.
fn played(
    experiment: &Experiment,
    games: &Range<u64>,
    threads: usize,
    files: Option<&mut Files>,
) -> Result<Tally, Failure> {
    let stop = StopToken::default();
    signals::listen_for_end(&stop);
    let bar = bar(games.end - games.start);
    let watch = Watch { stop: &|| stop.is_requested(), progress: &|more| bar.inc(more) };
    let mut write = files
        .filter(|files| files.is_wanted())
        .map(|files| move |rows: &[Row]| files.write(rows).map_err(|error| LabError::Write(error.to_string())));
    let rows = write.as_mut().map(|write| write as astragal_lab::Rows<'_>);
    let tally = run(experiment, games.clone(), threads, &watch, rows);
    bar.finish_and_clear();
    match tally {
        Ok(tally) if tally.games == 0 => Err(Failure::Stopped),
        Ok(tally) => Ok(tally),
        Err(error) => Err(failure(&error)),
    }
}

/// Plays each level against the one before; half of the games with changed seats.
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
    let steps = ladder::climb(&source, setting, &names, pairs, threads(args.threads), &watch);
    bar.finish_and_clear();
    let steps = steps.map_err(|error| if error.is_stop() { Failure::Stopped } else { failure(&error) })?;
    if !args.json {
        writeln!(
            out,
            "{:<12} {:<12} {:>7} {:>8}  {:<15} ahead with 95 % after",
            "", "against", "games", "score", "95 %"
        )?;
    }
    for step in &steps {
        let (score, low, high) = (step.score.value * 100.0, step.score.low() * 100.0, step.score.high() * 100.0);
        let games = step.ahead_after;
        if args.json {
            let text = json!({
                "version": 1, "player": step.better, "against": step.other, "games": step.games,
                "unfinished": step.unfinished, "score": step.score.value, "low": step.score.low(), "high": step.score.high(),
                "ahead_after": games,
            });
            writeln!(out, "{text}")?;
            continue;
        }
        let after = games.map_or("not shown to be better".into(), |games| format!("{games} games"));
        let interval = format!("{low:.1}-{high:.1} %");
        writeln!(
            out,
            "{:<12} {:<12} {:>7} {score:>6.1} %  {interval:<15} {after}",
            step.better, step.other, step.games
        )?;
    }
    Ok(true)
}

/// A bar on standard error, with rate and time left; nothing where no terminal is.
pub(super) fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Files with a line for each game.
struct Files {
    csv: Option<csv::Writer<File>>,
    jsonl: Option<BufWriter<File>>,
    /// The names of the sides.
    sides: Vec<String>,
}

impl Files {
    fn open(args: &Simulate, experiment: &Experiment) -> Result<Files, Failure> {
        let create = |path: &Path| File::create(path).map_err(|error| input(format!("{}: {error}", path.display())));
        let csv = args.csv.as_deref().map(create).transpose()?.map(csv::Writer::from_writer);
        let jsonl = args.jsonl.as_deref().map(create).transpose()?.map(BufWriter::new);
        let sides = (0..experiment.seats().len()).map(|seat| experiment.side_name(seat).to_owned()).collect();
        let mut files = Files { csv, jsonl, sides };
        if let Some(csv) = &mut files.csv {
            csv.write_record(COLUMNS).map_err(io::Error::from)?;
        }
        Ok(files)
    }

    fn is_wanted(&self) -> bool {
        self.csv.is_some() || self.jsonl.is_some()
    }

    fn write(&mut self, rows: &[Row]) -> io::Result<()> {
        for row in rows {
            let winner = row.winner.and_then(|side| self.sides.get(side.index())).map_or("", String::as_str);
            let reason = row.reason.as_deref().unwrap_or("");
            let numbers = row_numbers(row);
            if let Some(csv) = &mut self.csv {
                let mut record = vec![row.number.to_string(), winner.to_owned(), reason.to_owned()];
                record.extend(numbers.iter().map(u64::to_string));
                record.push(format!("{:016x}", row.digest));
                csv.write_record(&record)?;
            }
            if let Some(jsonl) = &mut self.jsonl {
                let mut object = json!({COLUMNS[0]: row.number});
                object[COLUMNS[1]] = row.winner.map(|_| winner).into();
                object[COLUMNS[2]] = row.reason.as_deref().into();
                for (name, number) in COLUMNS[3..].iter().zip(numbers) {
                    object[*name] = number.into();
                }
                object[COLUMNS[COLUMNS.len() - 1]] = format!("{:016x}", row.digest).into();
                writeln!(jsonl, "{object}")?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if let Some(csv) = &mut self.csv {
            csv.flush()?;
        }
        self.jsonl.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

/// What is told of each game.
const COLUMNS: [&str; 13] = [
    "game", "winner", "reason", "plies", "turns", "lost", "passed", "forced", "decided", "ended", "events", "captures",
    "digest",
];

/// The numbers between the reason and the digest.
fn row_numbers(row: &Row) -> [u64; 9] {
    use astragal_core::TurnEnd::{Decided, Ended, Forced, Lost, Passed};
    let of = |end| row.turns.of(end);
    let turns = [of(Lost), of(Passed), of(Forced), of(Decided), of(Ended)];
    let [lost, passed, forced, decided, ended] = turns;
    [row.plies, row.turns.all(), lost, passed, forced, decided, ended, row.events, row.captures]
}

/// Plays the games of a part, unless they are there already.
fn write_part(
    args: &Simulate,
    experiment: &Experiment,
    games: &Range<u64>,
    folder: &Path,
    out: &mut impl Write,
) -> Answer {
    let (manifest, tally) = part::file_names(games);
    let (manifest, tally) = (folder.join(manifest), folder.join(tally));
    let (count, name) = (games.end - games.start, manifest.display());
    if let Ok(text) = std::fs::read_to_string(&manifest) {
        let known = Manifest::read(&name.to_string(), &text).map_err(input)?;
        if !known.is_of(experiment, games) {
            return Err(input(format!("{name} is a part of another simulation")));
        }
        let text = std::fs::read_to_string(&tally).unwrap_or_default();
        if known.tally(&tally.display().to_string(), &text).is_ok() {
            writeln!(out, "{name}: {count} games are there already")?;
            return Ok(true);
        }
    }
    std::fs::create_dir_all(folder).map_err(|error| input(format!("{}: {error}", folder.display())))?;
    let played = played(experiment, games, threads(args.threads), None)?;
    if played.games < count {
        // Half a part is none.
        return Err(Failure::Stopped);
    }
    let part = Part::new(experiment, games, &played).map_err(|error| failure(&error))?;
    atomic_write::replace(&tally, part.tally.as_bytes()).map_err(input)?;
    atomic_write::replace(&manifest, part.manifest.as_bytes()).map_err(input)?;
    writeln!(out, "{name}: {count} games, digest {}", played.digest_text())?;
    Ok(true)
}
