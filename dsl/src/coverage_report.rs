//! Reports the parts of a script that were not reached: lines, parts of lines, and answers.

use crate::coverage::{Coverage, LineColumn, Summary};
use crate::library::Source;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// The longest piece of a line that is quoted.
const QUOTED: usize = 60;

/// Code that has never run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its lines, from 1.
    pub lines: RangeInclusive<usize>,
    /// The gap, such as `never chosen: yes`.
    pub what: String,
    /// Its text, or that of its first line.
    pub code: String,
}

/// The code of a script that has never run and the answers that were never given, in script order. Outcomes of dice, and
/// code for options that were not chosen, are excluded.
pub fn findings(source: &Source, coverage: &Coverage) -> Vec<Finding> {
    let summary = coverage.summary_as_chosen(&source.name);
    let lines: Vec<&str> = source.text.lines().collect();
    let whole = ranges(&summary, &lines).into_iter().map(|(first, last)| Finding {
        lines: first..=last,
        what: "never run".into(),
        code: lines.get(first - 1).unwrap_or(&"").trim().to_owned(),
    });
    let at = |place: LineColumn, what: &str| Finding {
        lines: place.0..=place.0,
        what: what.to_owned(),
        code: quote(&lines, place),
    };
    let parts = summary.parts.iter().map(|part| at(part.place, "never run"));
    let branches = summary.branches.iter().map(|branch| at(branch.place, &branch.text));
    let mut findings: Vec<Finding> = whole.chain(parts).chain(branches).collect();
    findings.sort_by_key(|finding| *finding.lines.start());
    findings
}

/// The lines that have never run, and parts that have never run on other lines: the start of each, and its last line.
pub(crate) fn unreached(source: &Source, coverage: &Coverage) -> Vec<(LineColumn, usize)> {
    let summary = coverage.summary(&source.name);
    let lines: Vec<&str> = source.text.lines().collect();
    let column = |line: usize| lines.get(line - 1).map_or(1, |text| text.chars().take_while(|c| *c == ' ').count() + 1);
    let whole = ranges(&summary, &lines).into_iter().map(|(first, last)| ((first, column(first)), last));
    let mut all: Vec<_> = whole.chain(summary.parts.iter().map(|part| (part.place, part.place.0))).collect();
    all.sort();
    all
}

/// The report on one script.
pub fn report(source: &Source, coverage: &Coverage) -> String {
    let summary = coverage.summary(&source.name);
    let lines: Vec<&str> = source.text.lines().collect();
    let mut out = format!("{}: {}\n", source.file(), figures(&summary));
    for (first, last) in ranges(&summary, &lines) {
        let (head, width) = if first == last { ("line", 0) } else { ("lines", last.to_string().len()) };
        let range = if first == last { first.to_string() } else { format!("{first}-{last}") };
        let _ = writeln!(out, "  {head} {range}: not reached");
        for number in first..=last {
            let _ = writeln!(out, "    {number:>width$} | {}", lines.get(number - 1).unwrap_or(&""));
        }
    }
    for part in &summary.parts {
        let _ = writeln!(out, "  {}: not reached: {}", at(part.place), quote(&lines, part.place));
    }
    for branch in &summary.branches {
        let _ = writeln!(out, "  {}: {}: {}", at(branch.place), branch.text, quote(&lines, branch.place));
    }
    for (place, outcomes, seen) in summary.rolls.iter().filter(|(_, outcomes, seen)| *seen < *outcomes as usize) {
        let _ = writeln!(out, "  {}: {seen} of {outcomes} outcomes came up: {}", at(*place), quote(&lines, *place));
    }
    out
}

fn figures(summary: &Summary) -> String {
    let partly: BTreeSet<usize> = summary.parts.iter().map(|part| part.place.0).collect();
    let whole = summary.lines.len() - summary.unreached.len() - partly.len();
    let mut text =
        format!("{whole} of {} lines reached ({})", summary.lines.len(), percent(whole, summary.lines.len()));
    if !partly.is_empty() {
        text.push_str(&format!(", {} more partly reached", partly.len()));
    }
    if summary.answers > 0 {
        let given = summary.answers - summary.branches.len();
        text.push_str(&format!(", {given} of {} answers ({})", summary.answers, percent(given, summary.answers)));
    }
    text
}

/// A percentage that is 100 only if everything is reached.
fn percent(part: usize, whole: usize) -> String {
    let percent = if whole == 0 { 100.0 } else { (part as f64 * 1000.0 / whole as f64).floor() / 10.0 };
    format!("{percent:.1}%")
}

/// Ranges of lines that have not been reached. Lines without code do not interrupt a range.
fn ranges(summary: &Summary, lines: &[&str]) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &line in &summary.unreached {
        let between = |last: usize| last + 1..line;
        let idle =
            |n: usize| !summary.lines.contains(&n) && lines.get(n - 1).is_some_and(|text| !text.starts_with("fn"));
        match ranges.last_mut().filter(|(_, last)| between(*last).all(idle)) {
            Some((_, last)) => *last = line,
            None => ranges.push((line, line)),
        }
    }
    ranges
}

fn at((line, column): LineColumn) -> String {
    format!("line {line}, column {column}")
}

/// The expression that begins at a place, up to the end of its line.
fn quote(lines: &[&str], (line, column): LineColumn) -> String {
    let rest: Vec<char> = lines.get(line - 1).unwrap_or(&"").chars().skip(column - 1).collect();
    let (mut depth, mut text) = (0, false);
    let ends = |&(i, &c): &(usize, &char)| {
        match c {
            '"' => text = !text,
            _ if text => {}
            '(' | '[' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '{' if depth == 0 => return true,
            '{' => depth += 1,
            _ => {}
        }
        depth < 0 || depth == 0 && !text && (c == ';' || c == ',' || rest[i..].starts_with(&[' ', '|', '|', ' ']))
    };
    let end = rest.iter().enumerate().find(ends).map_or(rest.len(), |(i, _)| i);
    let quoted: String = rest[..end.min(QUOTED)].iter().collect();
    if end > QUOTED { quoted + "..." } else { quoted.trim_end().to_owned() }
}
