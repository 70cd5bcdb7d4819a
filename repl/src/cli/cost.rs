//! The cost of a script's rules, for `check --profile`: a table, and advice about growing rule trees.

use super::failure::{Failure, input};
use super::plural::many;
use super::progress::Progress;
use astragal_core::rule::SourceLocation;
use astragal_dsl::Source;
use astragal_dsl::profile::{Cause, Profile, ProfileLimits, RuleProfile, TreeGrowth, profile_until};
use astragal_service::interrupt::StopToken;
use serde_json::json;
use std::io::{self, Write};
use std::time::Duration;

/// Plays the games, with at most `longest` events each. Ctrl-C and SIGTERM request `stop`, which ends the games.
pub(super) fn of(source: &Source, longest: usize, stop: &StopToken) -> Result<Profile, Failure> {
    crate::signals::listen_for_end(stop);
    let (progress, effort, name) =
        (Progress::new(), ProfileLimits { longest, ..ProfileLimits::default() }, source.file());
    let go_on = |played: u64, events: usize| {
        progress.show(|| format!("{name}: game {} of {}, {events} events", played + 1, effort.games));
        !stop.is_requested()
    };
    let asked = stop.clone();
    let profile = profile_until(source, &effort, &go_on, move || asked.is_requested());
    progress.clear();
    crate::signals::release();
    profile.map_err(input)
}

/// Whether games were played and none of them ended.
pub(super) fn none_ended(profile: &Profile) -> bool {
    !profile.stopped && profile.ended == 0
}

/// Writes a table with a line for each rule, and below it the causes of tree growth.
pub(super) fn write(profile: &Profile, out: &mut impl Write) -> io::Result<()> {
    let (games, plies) = (many(profile.games as usize, "random game"), profile.plies);
    writeln!(out, "{games}, {plies} moves and choices; times exclude rules called by the rule:")?;
    writeln!(out, "{:>9} {:>11} {:>7} {:>9} {:>12}  rule", "calls", "interpreted", "nodes", "bytes", "time/call")?;
    for rule in &profile.rules {
        let (calls, runs, nodes, bytes) = (rule.calls, rule.runs, rule.nodes, rule.bytes);
        let time = duration(rule.time, rule.calls);
        writeln!(out, "{calls:>9} {runs:>11} {nodes:>7} {bytes:>9} {time:>12}  {}", title(rule))?;
    }
    let bytes: usize = profile.rules.iter().map(|rule| rule.bytes).sum();
    writeln!(out, "Total size of all trees: {}.", memory(bytes))?;
    let (work, most) = (profile.work, astragal_core::meter::BUDGET);
    writeln!(out, "Most work for one event: {work} of {most} units allowed (see limit 1 in docs/limits.md).")?;
    if let Some((number, position)) = &profile.cut {
        writeln!(out, "Game {number} did not end: {position}")?;
    }
    if none_ended(profile) {
        writeln!(out, "error: no game ended: end long games in 'outcome', or allow more events with --longest")?;
    } else if profile.cut.is_some() {
        writeln!(out, "  {} of {games} ended; use --longest to allow more events per game", profile.ended)?;
    }
    for rule in &profile.rules {
        if let Some(growth) = &rule.growth {
            write!(out, "{}", advice(rule, growth))?;
        }
    }
    Ok(())
}

/// Writes a JSON object for each rule.
pub(super) fn write_json(name: &str, profile: &Profile, out: &mut impl Write) -> io::Result<()> {
    for rule in &profile.rules {
        let growth = rule.growth.as_ref().map(|growth| {
            let (cause, count) = match growth.cause {
                Cause::Answers(count) => ("answers", count),
                Cause::Outcomes(count) => ("outcomes", count),
                Cause::Again(percent) => ("again", percent),
            };
            let at = growth.place.as_ref().map(|at| json!({"file": at.file, "line": at.line, "column": at.column}));
            json!({"cause": cause, "count": count, "at": at})
        });
        let about = json!({
            "version": 1, "script": name, "rule": title(rule), "games": profile.games, "plies": profile.plies,
            "ended": profile.ended,
            "calls": rule.calls, "interpreted": rule.runs, "nodes": rule.nodes, "bytes": rule.bytes,
            "capped": rule.capped, "nanoseconds": rule.time.as_nanos() as u64, "growth": growth,
        });
        writeln!(out, "{about}")?;
    }
    Ok(())
}

/// The rule's name. Tests have no distinctive names, so their place is added.
fn title(rule: &RuleProfile) -> String {
    match (&rule.place, rule.rule.as_str()) {
        (_, "turn" | "capture" | "outcome") | (None, _) => rule.rule.clone(),
        (Some(at), name) => format!("{name} ({})", place(at)),
    }
}

fn place(at: &SourceLocation) -> String {
    format!("{}:{}:{}", at.file.as_deref().unwrap_or_default(), at.line, at.column)
}

fn advice(rule: &RuleProfile, growth: &TreeGrowth) -> String {
    let place = growth.place.as_ref().map_or("somewhere".into(), place);
    let state = match rule.capped {
        true => "reached its size limit and is rebuilt again and again, which is correct but slow",
        false => "keeps growing",
    };
    let (what, help) = growth.cause.words(&place);
    format!("The tree of {} {state}: {what}.\n  help: {help}\n", title(rule))
}

fn memory(bytes: usize) -> String {
    match bytes as f64 / 1024.0 {
        kib if kib < 1024.0 => format!("{kib:.1} KiB"),
        kib => format!("{:.1} MiB", kib / 1024.0),
    }
}

fn duration(total: Duration, calls: u64) -> String {
    let nanoseconds = total.as_nanos() as f64 / calls.max(1) as f64;
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} us", n / 1e3),
        n => format!("{:.1} ms", n / 1e6),
    }
}
