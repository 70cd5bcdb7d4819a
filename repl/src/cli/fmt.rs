//! `fmt`: formats scripts in place, or from standard input to standard output.

use super::args::Fmt;
use super::failure::{Answer, Failure, input, layout};
use super::plural::many;
use super::stderr::tell;
use crate::atomic_write;
use crate::gametest::find;
use astragal_dsl::library::{self, ENDING, MAX_FILE};
use astragal_dsl::{Code, Diagnostic, Source, disk};
use astragal_editor::format;
use astragal_editor::lines::{Lines, Units};
use astragal_service::gametest::diff;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The name of standard input in messages.
const STDIN: &str = "standard input";

/// The suffix of definition files for editors, which are not scripts.
const DEFINITIONS: &str = ".d.rhai";

/// `astragal fmt`. `raw` is standard output for formatted text, which is sanitized only on a terminal.
pub(super) fn fmt(
    args: &Fmt,
    color: bool,
    stdin: &mut impl Read,
    out: &mut impl Write,
    raw: &mut impl Write,
) -> Answer {
    if args.paths == [Path::new("-")] {
        return from_stdin(args, color, stdin, out, raw);
    }
    // All scripts are read before the first one changes.
    let sources = sources(&args.paths)?;
    let (mut changed, mut failed) = (0, 0);
    for (path, source) in &sources {
        let name = source.file();
        let text = match formatted(source) {
            Ok(text) => text,
            Err(problem) => {
                failed += 1;
                report(&problem, out)?;
                continue;
            }
        };
        if text == source.text {
            continue;
        }
        changed += 1;
        match (args.diff, args.check) {
            (true, _) => write_diff(&name, &source.text, &text, color, out)?,
            (false, true) => writeln!(out, "{name}: would change")?,
            (false, false) => {
                atomic_write::replace(path, text.as_bytes()).map_err(input)?;
                writeln!(out, "{name}: formatted")?;
            }
        }
    }
    if !args.diff {
        let word = if args.check { "would change" } else { "formatted" };
        let broken = if failed > 0 { format!(", {}", many(failed, "error")) } else { String::new() };
        let same = sources.len() - changed - failed;
        writeln!(out, "{}: {changed} {word}, {same} unchanged{broken}", many(sources.len(), "script"))?;
    }
    Ok(failed == 0 && !(args.check && changed > 0))
}

/// Formats standard input. If it cannot be formatted, nothing is written to standard output.
fn from_stdin(args: &Fmt, color: bool, stdin: &mut impl Read, out: &mut impl Write, raw: &mut impl Write) -> Answer {
    let cannot = |why: String| input(format!("{STDIN}: {why}"));
    let bytes = disk::read_from(stdin, MAX_FILE).map_err(|error| cannot(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| cannot("it is not UTF-8 text".into()))?;
    let text = text.trim_start_matches('\u{feff}').to_owned();
    let source = Source { name: STDIN.into(), path: Some(STDIN.into()), text };
    let text = match formatted(&source) {
        Ok(text) => text,
        Err(problem) => {
            report(&problem, out)?;
            return Ok(false);
        }
    };
    let is_same = text == source.text;
    match (args.diff, args.check) {
        (true, _) if !is_same => write_diff(STDIN, &source.text, &text, color, out)?,
        (false, true) if !is_same => writeln!(out, "{STDIN}: would change")?,
        (false, false) => {
            raw.write_all(text.as_bytes())?;
            raw.flush()?;
        }
        _ => {}
    }
    Ok(is_same || !args.check)
}

/// The scripts that the paths name, each with the path of its file after following all links.
fn sources(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Source)>, Failure> {
    let here = [PathBuf::from(".")];
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for path in if paths.is_empty() { &here } else { paths } {
        let name = path.display().to_string();
        if name == "-" {
            return Err(input("'-' means standard input: use it without files and folders"));
        }
        let files = if path.is_dir() {
            let found = find::below(path, ENDING.trim_start_matches('.'));
            let mut found = found.map_err(|error| input(format!("{name}: {error}")))?;
            found.retain(|file| is_script(&file.display().to_string()));
            found
        } else if !path.exists() && library::bundled(&name).is_some() {
            return Err(input(format!("{name} is built in and cannot be changed: 'fmt' formats files and folders")));
        } else {
            vec![path.clone()]
        };
        if files.is_empty() {
            return Err(input(format!("{name}: there are no scripts (*{ENDING}) in this folder")));
        }
        for file in files {
            let name = file.display().to_string();
            if !is_script(&name) {
                return Err(input(format!("{name}: not a script: 'fmt' formats *{ENDING}, except *{DEFINITIONS}")));
            }
            let source = library::resolve(&name).map_err(input)?;
            let target = file.canonicalize().map_err(|error| input(format!("{name}: {error}")))?;
            if seen.insert(target.clone()) {
                found.push((target, source));
            }
        }
    }
    Ok(found)
}

/// Whether a file has the name of a script.
fn is_script(name: &str) -> bool {
    name.ends_with(ENDING) && !name.ends_with(DEFINITIONS)
}

/// The formatted text of a script.
fn formatted(source: &Source) -> Result<String, Box<Diagnostic>> {
    let script = source.text.as_str().into();
    let problem =
        |line, column, message: String| Box::new(Diagnostic::error(&source.file(), &script, line, column, message));
    let text = format::format(&source.text).map_err(|error| {
        let place = Lines::of(&source.text).place(&source.text, error.offset, Units::Utf32);
        let at = (place.line as usize + 1, place.column as usize + 1);
        let mut found = problem(at.0, at.1, error.message);
        *found = found.with_help(error.help);
        found.code = Some(Code::Syntax);
        found
    })?;
    match text.len() as u64 > MAX_FILE {
        true => Err(problem(0, 0, format!("after formatting, the script would exceed the limit of {MAX_FILE} bytes"))),
        false => Ok(text),
    }
}

/// Flushes standard output, and then prints the reason why a script cannot be formatted to standard error.
fn report(problem: &Diagnostic, out: &mut impl Write) -> Result<(), Failure> {
    out.flush()?;
    tell(problem.render(layout()).trim_end());
    Ok(())
}

fn write_diff(name: &str, old: &str, new: &str, color: bool, out: &mut impl Write) -> Result<(), Failure> {
    let bold = |line: String| if color { format!("\x1b[1m{line}\x1b[0m") } else { line };
    writeln!(out, "{}\n{}", bold(format!("--- {name}")), bold(format!("+++ {name} (formatted)")))?;
    Ok(write!(out, "{}", diff::exact(old, new, color))?)
}
