//! `check`: reports problems of scripts as text or JSON, fixes them, and explains them.

use super::args::Check;
use super::cost;
use super::failure::{Answer, Failure, input};
use super::plural::many;
use super::theme::layout;
use crate::atomic_write;
use astragal_dsl::{Code, LoadError, Severity, Source, library, render_all, repaired, summary};
use astragal_service::diagnostics::DiagnosticData;
use astragal_service::interrupt::StopToken;
use std::io::Write;

/// `astragal check`.
pub(super) fn check(args: &Check, color: bool, out: &mut impl Write) -> Answer {
    if let Some(word) = &args.explain {
        return explain(word, out);
    }
    let (mut good, stop) = (true, StopToken::default());
    for name in &args.scripts {
        let mut source = library::resolve(name).map_err(input)?;
        if args.fix {
            repair(name, &mut source, args.json, out)?;
        }
        if let (false, Err(error @ LoadError::Option(_))) =
            (args.set.is_empty(), astragal_dsl::load(&source, &args.set))
        {
            return Err(input(format!("{name}: {error}")));
        }
        let found = astragal_dsl::check_under(&source, &args.set);
        let errors = found.iter().filter(|d| d.severity == Severity::Error).count();
        good &= errors == 0;
        if args.json {
            for diagnostic in &found {
                let data = serde_json::to_string(&DiagnosticData::of(diagnostic)).map_err(input)?;
                writeln!(out, "{data}")?;
            }
            if args.profile && errors == 0 {
                let profile = cost::of(&source, args.longest, &stop)?;
                cost::write_json(name, &profile, out)?;
                good &= !cost::none_ended(&profile);
                stop_if_asked(&stop, out)?;
            }
            continue;
        }
        write!(out, "{}", render_all(&found, layout(color)))?;
        let warnings = found.iter().filter(|d| d.severity == Severity::Warning).count();
        match (errors, warnings) {
            (0, 0) => writeln!(out, "{name}: no problems found")?,
            (errors, warnings) => writeln!(out, "{name}: {}, {}", many(errors, "error"), many(warnings, "warning"))?,
        }
        if let (0, Ok(loaded)) = (errors, astragal_dsl::load(&source, &args.set)) {
            write!(out, "{}", indented(&summary(&loaded)))?;
        }
        if args.profile && errors == 0 {
            let profile = cost::of(&source, args.longest, &stop)?;
            cost::write(&profile, out)?;
            good &= !cost::none_ended(&profile);
            stop_if_asked(&stop, out)?;
        }
    }
    Ok(good)
}

/// Fails if a stop is requested, after flushing the output so far.
fn stop_if_asked(stop: &StopToken, out: &mut impl Write) -> Result<(), Failure> {
    if !stop.is_requested() {
        return Ok(());
    }
    out.flush()?;
    Err(Failure::Stopped)
}

/// The script's fixed properties and its defaults, indented.
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// `astragal check --explain`.
fn explain(word: &str, out: &mut impl Write) -> Answer {
    let Some(code) = Code::named(word) else {
        let all: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        return Err(input(format!("no message has the code '{word}'; the codes are: {}", all.join(", "))));
    };
    let mut script = false;
    for line in code.article().lines() {
        match (line.starts_with("```"), script) {
            (true, _) => script = !script,
            (false, true) => writeln!(out, "    {line}")?,
            (false, false) => writeln!(out, "{}", line.trim_start_matches("# "))?,
        }
    }
    Ok(true)
}

/// Applies the fixes that are certainly correct to a file, and reports them.
fn repair(name: &str, source: &mut Source, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let Some(path) = source.path.clone() else {
        return Err(input(format!("{name} is built in and cannot be changed: --fix only works on script files")));
    };
    let (text, done) = repaired(source);
    if done.is_empty() {
        return Ok(());
    }
    atomic_write::replace(&path, text.as_bytes()).map_err(input)?;
    source.text = text;
    for one in done.iter().filter(|_| !json) {
        writeln!(out, "{name}:{}:{}: fixed: {}", one.line, one.column, one.message)?;
    }
    Ok(())
}
