//! `test` and `review`: tests scripts by games, without a compiler.

use super::args::{LONGEST, Review, Test};
use super::failure::{Answer, Failure, input};
use super::plural::many;
use super::progress::Progress;
use super::theme::layout;
use crate::atomic_write;
use crate::gametest::snapshot::{self, Snapshot};
use crate::gametest::{find, scripts, write};
use crate::signals;
use astragal_dsl::library::Reach;
use astragal_dsl::{Source, coverage_report};
use astragal_service::gametest::diff;
use astragal_service::gametest::property::{Property, Subject};
use astragal_service::gametest::{GameFile, Loader, play, random};
use astragal_service::interrupt::{self, StopToken};
use astragal_service::variant_cache::{Options, chosen};
use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};

/// The number of files with each result.
#[derive(Default)]
struct Tally {
    passed: usize,
    accepted: usize,
    differ: usize,
    new: usize,
    failed: usize,
}

/// `astragal test`.
pub(super) fn test(args: &Test, color: bool, out: &mut impl Write) -> Answer {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths.clone() };
    if let Some(games) = args.random {
        return at_random(args, &paths, games, color, out);
    }
    let games = games_of(&paths)?;
    if games.is_empty() {
        return Err(input("no .game files found; 'astragal help test' explains how to write one"));
    }
    let mut tally = Tally::default();
    let mut loader = if args.coverage { scripts::loader().watching() } else { scripts::loader() };
    for path in &games {
        one(path, args.accept, color, &mut loader, &mut tally, out)?;
    }
    let folders: Vec<PathBuf> = paths.iter().filter(|path| path.is_dir()).cloned().collect();
    let orphans = find::orphans(&games, &folders);
    for orphan in &orphans {
        let state = if args.accept { "removed" } else { "orphan" };
        if args.accept {
            snapshot::remove(orphan)?;
        }
        writeln!(out, "{state}  {}: its .game file no longer exists", orphan.display())?;
    }
    for (source, coverage) in loader.coverage() {
        write!(out, "{}", coverage_report::report(source, coverage))?;
    }
    let orphans = if args.accept { 0 } else { orphans.len() };
    writeln!(out, "{}", summary(&tally, orphans))?;
    Ok(tally.differ + tally.new + tally.failed == 0)
}

fn games_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut games = Vec::new();
    for path in paths {
        games.extend(find::games(path).map_err(input)?);
    }
    games.sort();
    games.dedup();
    Ok(games)
}

/// The parsed file, and the text of its game.
fn played(path: &Path, loader: &mut Loader) -> Result<(GameFile, String), play::GameTestError> {
    let file = scripts::read(path).map_err(play::GameTestError::Here)?;
    let text = play::transcript(&file, loader)?;
    Ok((file, text))
}

/// Runs one file and prints the result.
fn one(
    path: &Path,
    accept: bool,
    color: bool,
    loader: &mut Loader,
    tally: &mut Tally,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let name = path.display();
    let (file, text) = match played(path, loader) {
        Ok(played) => played,
        Err(error) => {
            tally.failed += 1;
            writeln!(out, "{}  {name}", paint(color, "31", "error"))?;
            write!(out, "{}", error.render(layout(color)))?;
            return Ok(());
        }
    };
    let accepted = snapshot::path_of(path);
    let pending = snapshot::pending(&accepted);
    let found = Snapshot::new(path, file.title.as_deref().unwrap_or_default(), &text);
    let known = Snapshot::read(&accepted)?;
    if known.as_ref().is_some_and(|known| known.contents == found.contents) {
        snapshot::remove(&pending)?;
        tally.passed += 1;
        writeln!(out, "{}     {name}", paint(color, "32", "ok"))?;
        return Ok(());
    }
    if accept {
        found.save(&accepted)?;
        snapshot::remove(&pending)?;
        tally.accepted += 1;
        writeln!(out, "{}  {name}", paint(color, "33", "accepted"))?;
        return Ok(());
    }
    found.save(&pending)?;
    let (word, count) = match known {
        Some(_) => ("differs", &mut tally.differ),
        None => ("new", &mut tally.new),
    };
    *count += 1;
    let old = known.map(|known| known.contents).unwrap_or_default();
    writeln!(out, "{}  {name}", paint(color, "31", &format!("{word:5}")))?;
    write!(out, "{}", diff::unified(&old, &found.contents, color))?;
    Ok(())
}

fn summary(tally: &Tally, orphans: usize) -> String {
    let mut parts = vec![format!("{} passed", tally.passed)];
    let mut add = |count: usize, what: &str| {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    };
    add(tally.accepted, "accepted");
    add(tally.differ, if tally.differ == 1 { "differs" } else { "differ" });
    add(tally.new, "new");
    add(tally.failed, "failed");
    add(orphans, if orphans == 1 { "orphan" } else { "orphans" });
    let advice = match tally.differ + tally.new + orphans {
        0 => "",
        _ => "; to review, use 'astragal review'; to accept all, 'astragal test --accept'",
    };
    format!("{}{advice}.", parts.join(", "))
}

fn paint(color: bool, code: &str, text: &str) -> String {
    if color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
}

/// `astragal test --random N`.
fn at_random(args: &Test, paths: &[PathBuf], games: u64, color: bool, out: &mut impl Write) -> Answer {
    let stop = StopToken::default();
    signals::listen_for_end(&stop);
    stop.during(|| until_stopped(args, paths, games, color, &stop, out))
}

/// Plays random games of each script until all are played or `stop` is requested.
fn until_stopped(
    args: &Test,
    paths: &[PathBuf],
    games: u64,
    color: bool,
    stop: &StopToken,
    out: &mut impl Write,
) -> Answer {
    let effort = random::Effort { games, seed: args.seed, longest: args.longest };
    let progress = Progress::new();
    let mut loader = if args.coverage { scripts::loader().watching() } else { scripts::loader() };
    let mut good = true;
    for (source, options) in subjects(args, paths)? {
        if stop.is_requested() {
            break;
        }
        let loaded = loader.load(&source, &options).map_err(|error| input(error.render(layout(color))))?;
        let plain = loader.interpreted(&loaded).map_err(|error| input(error.render(layout(color))))?;
        let subject = Subject { loaded, plain: Some(plain) };
        let name = subject.loaded.source.file();
        let go_on = |played: u64, events: usize| {
            progress.show(|| format!("{name}: game {} of {games}, {events} events", played + 1));
            !stop.is_requested()
        };
        let report = random::play_many(&subject, effort, &go_on);
        progress.clear();
        match report {
            Ok(report) => good &= tell(&subject, &report, effort, color, out)?,
            Err(violation) => {
                good = false;
                writeln!(out, "{}  {name}: no game can begin:", paint(color, "31", "error"))?;
                write!(out, "{}", violation.render(&subject.loaded, layout(color)))?;
            }
        }
        out.flush()?;
    }
    for (source, coverage) in loader.coverage() {
        write!(out, "{}", coverage_report::report(source, coverage))?;
    }
    if stop.is_requested() {
        writeln!(out, "Stopped.")?;
        out.flush()?;
        return Err(Failure::Stopped);
    }
    Ok(good)
}

/// Prints the results of random games of one script.
fn tell(
    subject: &Subject,
    report: &random::Report,
    effort: random::Effort,
    color: bool,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let name = subject.loaded.source.file();
    let (events, seed): (usize, u64) = (report.lengths.iter().sum(), effort.seed);
    let games = report.games();
    let wrong = report.failure.is_some() || report.none_ended();
    let word = if wrong { paint(color, "31", "error") } else { paint(color, "32", "ok") + "   " };
    let (played, length) = (many(games, "game"), many(events, "event"));
    writeln!(out, "{word}  {name}: {played} from seed {seed}, {length}")?;
    write!(out, "{}", report.text())?;
    write!(out, "{}", cut_games(subject, report, effort.longest))?;
    let Some(failure) = &report.failure else {
        let claimed = subject.loaded.symmetry.is_some();
        let held = Property::ALL.iter().filter(|property| claimed || **property != Property::Symmetry);
        let held: Vec<&str> = held.map(|property| property.name()).collect();
        if games > 0 {
            writeln!(out, "  all properties held: {}", held.join(", "))?;
        }
        return Ok(!wrong);
    };
    write!(out, "  game {}: {}", failure.seed, failure.short.violation.render(&subject.loaded, layout(color)))?;
    // A file counts as a reproduction only if it fails again when played as a test.
    for failing in [&failure.short, &failure.found] {
        let path = write::failing_path(subject, failing, failure.seed);
        let script = write::script_seen_from(&path, &subject.loaded);
        let text = random::failing_text(&script, subject, failing, failure.seed);
        if interrupt::uninterrupted(|| random::reproduces(&path, &text, failing, scripts::loader())) {
            atomic_write::replace(&path, text.as_bytes()).map_err(input)?;
            let (before, events) = (failure.found.length(), failing.length());
            writeln!(
                out,
                "  shrunk from {} to {events}; to replay the result, use 'astragal test {}'",
                many(before, "event"),
                path.display()
            )?;
            return Ok(false);
        }
    }
    let again = again(subject, failure.seed, effort.longest);
    writeln!(
        out,
        "  its {} events do not fail when replayed from a file; to reproduce the failure, use '{again}'",
        failure.found.length()
    )?;
    Ok(false)
}

/// How many unfinished games are listed.
const CUT_SHOWN: usize = 3;

/// The unfinished games, each with its position and the command to play it again.
fn cut_games(subject: &Subject, report: &random::Report, longest: usize) -> String {
    let mut text = String::new();
    for cut in report.cut.iter().take(CUT_SHOWN) {
        text.push_str(&format!("  game {} did not end: {}\n", cut.seed, cut.position));
        text.push_str(&format!("    to replay it, use '{}'\n", again(subject, cut.seed, longest)));
    }
    let more = report.cut.len().saturating_sub(CUT_SHOWN);
    if more > 0 {
        text.push_str(&format!("  and {more} more did not end; use --longest to allow more events per game\n"));
    }
    if report.none_ended() {
        text.push_str("  no game ended: end long games in 'outcome', or allow more events with --longest\n");
    }
    text
}

/// The command that plays one random game again.
fn again(subject: &Subject, seed: u64, longest: usize) -> String {
    let loaded = &subject.loaded;
    let name = loaded.source.path.as_ref().map_or(loaded.name.clone(), |path| path.display().to_string());
    let set: String = chosen(loaded).iter().map(|(name, value)| format!(" --set {name}={value}")).collect();
    let longest = if longest == LONGEST { String::new() } else { format!(" --longest {longest}") };
    format!("astragal test {name} --random 1 --seed {seed}{set}{longest}")
}

/// The scripts that paths refer to, with options: scripts as they are, games with their options, bundled variants by name.
fn subjects(args: &Test, paths: &[PathBuf]) -> Result<Vec<(Source, Options)>, Failure> {
    let mut found: BTreeMap<String, (Source, Options)> = BTreeMap::new();
    let mut add = |reach: Reach, name: &str, options: &[(String, String)]| -> Result<(), Failure> {
        let source = reach.resolve(name).map_err(|error| input(error.render(layout(false))))?;
        let mut options = options.to_vec();
        options.retain(|(name, _)| args.set.iter().all(|(set, _)| set != name));
        options.extend(args.set.iter().cloned());
        found.entry(format!("{} {options:?}", source.file())).or_insert((source, options));
        Ok(())
    };
    for path in paths {
        if path.is_dir() {
            for script in find::below(path, "rhai")? {
                add(Reach::Anywhere, &script.display().to_string(), &[])?;
            }
        } else if find::is_game(path) {
            let file = scripts::read(path).map_err(|error| input(error.render(layout(false))))?;
            let name = scripts::script_of(&file).map_err(|error| input(error.render(layout(false))))?;
            add(Reach::Scripts, &name, &file.options)?;
        } else {
            add(Reach::Anywhere, &path.display().to_string(), &[])?;
        }
    }
    if found.is_empty() {
        return Err(input("no scripts found; name a script or a built-in variant"));
    }
    Ok(found.into_values().collect())
}

/// `astragal review`.
pub(super) fn review(args: &Review, color: bool, answers: &mut impl BufRead, out: &mut impl Write) -> Answer {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths.clone() };
    let games = games_of(&paths)?;
    let waiting: Vec<&PathBuf> =
        games.iter().filter(|game| snapshot::pending(&snapshot::path_of(game)).exists()).collect();
    let (mut accepted, mut rejected, mut skipped) = (0, 0, 0);
    for (number, game) in (1..).zip(&waiting) {
        let path = snapshot::path_of(game);
        let pending = snapshot::pending(&path);
        let Some(found) = Snapshot::read(&pending)? else { continue };
        let known = Snapshot::read(&path)?.map(|known| known.contents).unwrap_or_default();
        writeln!(out, "{} ({number} of {}) {}", game.display(), waiting.len(), found.expression)?;
        write!(out, "{}", diff::unified(&known, &found.contents, color))?;
        match decide(answers, out)? {
            Some(true) => {
                std::fs::rename(&pending, &path)?;
                accepted += 1;
            }
            Some(false) => {
                snapshot::remove(&pending)?;
                rejected += 1;
            }
            None => skipped += 1,
        }
    }
    let failing = tell_of_failing(&games, color, out)?;
    match waiting.len() {
        0 if failing == 0 => writeln!(out, "There is nothing to review.")?,
        0 => {}
        _ => writeln!(out, "{accepted} accepted, {rejected} rejected, {skipped} skipped.")?,
    }
    if failing > 0 {
        let (tests, have) = if failing == 1 { ("test", "it has") } else { ("tests", "they have") };
        writeln!(
            out,
            "{failing} {tests} could not be played to the end, so {have} nothing to accept: change the rules or the \
             test."
        )?;
    }
    Ok(skipped + failing == 0)
}

/// Shows the tests whose games the rules do not allow, as after a change of the rules: they have no new text to review.
/// Returns their number.
fn tell_of_failing(games: &[PathBuf], color: bool, out: &mut impl Write) -> Result<usize, Failure> {
    let (mut loader, mut failing) = (scripts::loader(), 0);
    for game in games {
        // A file that cannot be read is not a problem of the rules: `test` reports it.
        let Ok(file) = scripts::read(game) else { continue };
        if let Err(error) = play::transcript(&file, &mut loader) {
            failing += 1;
            writeln!(out, "{}  {}", paint(color, "31", "error"), game.display())?;
            write!(out, "{}", error.render(color))?;
        }
    }
    Ok(failing)
}

/// The longest answer, in bytes; the rest of a longer line counts as another answer.
const LONGEST_ANSWER: u64 = 1000;

/// Asks until there is an answer: to accept, to reject, or neither. The end of input is neither.
fn decide(answers: &mut impl BufRead, out: &mut impl Write) -> Result<Option<bool>, Failure> {
    loop {
        write!(out, "a accept, r reject, s skip > ")?;
        out.flush()?;
        let mut line = String::new();
        if answers.by_ref().take(LONGEST_ANSWER).read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        match line.trim().to_lowercase().as_str() {
            "a" | "accept" => return Ok(Some(true)),
            "r" | "reject" => return Ok(Some(false)),
            "s" | "skip" | "" => return Ok(None),
            other => writeln!(out, "expected a, r or s, found '{other}'")?,
        }
    }
}
