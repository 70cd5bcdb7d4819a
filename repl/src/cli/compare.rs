//! `compare`: compares two scripts, or one script with different options.
//!
//! Owns the pairs of settings to compare, and the tables; the lab finds the differences.

use super::args::{Compare, Corrected};
use super::failure::{Answer, Failure, input};
use super::simulate::{bar, counted, experiment, failed, threads};
use super::stderr::tell;
use crate::rule_error::OfRule;
use crate::signals;
use astragal_lab::compare::{Comparison, Difference, Plan, Score, compare as compared, correct};
use astragal_lab::statistics::comparisons::Correction;
use astragal_lab::{Experiment, LabError, Setting, Unit, Watch};
use astragal_service::interrupt::StopToken;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Names and values of options.
type Options = Vec<(String, String)>;

/// A setting that is compared with the first one.
struct Alternative {
    /// Its difference from the first setting, as `tie=reroll`, or the name of the other script.
    name: String,
    experiment: Experiment,
}

/// `astragal compare`.
pub(super) fn compare(args: &Compare, out: &mut impl Write) -> Answer {
    let (base, alternatives) = settings(args)?;
    let stop = StopToken::default();
    signals::listen_for_end(&stop);
    for experiment in alternatives.iter().map(|alternative| &alternative.experiment).chain([&base]) {
        let asked = stop.clone();
        experiment.stop_when(move || asked.is_requested());
    }
    let plan =
        Plan { games: args.number, threads: threads(args.played.threads), detect: args.detect, stops_early: !args.all };
    let bar = bar(args.number.saturating_mul(2 * alternatives.len() as u64));
    let watch = Watch { stop: &|| stop.is_requested(), progress: &|more| bar.inc(more) };
    let mut found: Vec<(&str, Comparison)> = Vec::new();
    for alternative in &alternatives {
        match compared(&base, &alternative.experiment, &plan, &watch) {
            Ok((comparison, _)) => found.push((&alternative.name, comparison)),
            Err(_) if stop.is_requested() => break,
            Err(error) => {
                bar.finish_and_clear();
                return Err(failed(of_error(&base, &alternative.experiment, &error), error));
            }
        }
    }
    bar.finish_and_clear();
    let correction = match args.correction {
        Corrected::Holm => Correction::Holm,
        Corrected::BenjaminiHochberg => Correction::BenjaminiHochberg,
    };
    correct(&mut found.iter_mut().map(|(_, comparison)| comparison).collect::<Vec<_>>(), correction);
    match args.json {
        true => {
            found.iter().try_for_each(|(name, comparison)| writeln!(out, "{}", as_json(&base, name, comparison)))?
        }
        false => write_text(args, &base, &found, out)?,
    }
    if stop.is_requested() {
        out.flush()?;
        let (done, of) = (found.len(), alternatives.len());
        tell(&format!("stopped after starting {done} of {of} comparisons; the last one may be incomplete"));
        return Err(Failure::Stopped);
    }
    Ok(true)
}

/// The experiment whose script caused an error; the alternative if both use that script, or it is unknown.
fn of_error<'e>(base: &'e Experiment, other: &'e Experiment, error: &LabError) -> &'e Experiment {
    let file = error.rule().and_then(|rule| rule.file.clone());
    let own = |experiment: &Experiment| file.as_ref().is_some_and(|file| *file == experiment.loaded().source.file());
    if own(base) && !own(other) { base } else { other }
}

/// The base setting and its alternatives.
fn settings(args: &Compare) -> Result<(Experiment, Vec<Alternative>), Failure> {
    let (common, twice) = split(&args.choice.set);
    let setting = |options: Options| Setting {
        options,
        position: args.choice.position.clone(),
        players: args.played.players.clone(),
        seed: args.played.seed,
        max_plies: args.played.max_plies,
        luck: false,
        lines: false,
    };
    if let Some(other) = &args.other {
        if !twice.is_empty() {
            return Err(input("an option is set twice: set each option once when you compare two scripts"));
        }
        let base = experiment(&args.variant, setting(common.clone()))?;
        let experiment = experiment(other, setting(common))?;
        return Ok((base, vec![Alternative { name: other.clone(), experiment }]));
    }
    let first = twice.iter().map(|(name, values)| (name.clone(), values[0].clone()));
    let usual: Options = common.iter().cloned().chain(first).collect();
    let base = experiment(&args.variant, setting(usual.clone()))?;
    let mut alternatives = Vec::new();
    let mut add = |name: &str, value: &str| -> Result<(), Failure> {
        let mut options: Options = usual.iter().filter(|(known, _)| known != name).cloned().collect();
        options.push((name.into(), value.into()));
        let experiment = experiment(&args.variant, setting(options))?;
        alternatives.push(Alternative { name: format!("{name}={value}"), experiment });
        Ok(())
    };
    for (name, values) in &twice {
        values[1..].iter().try_for_each(|value| add(name, value))?;
    }
    let known = &base.loaded().options;
    for each in &args.each {
        let wanted: Vec<_> = known.iter().filter(|option| option.name == *each || each == "all").collect();
        if wanted.is_empty() {
            let names: Vec<&str> = known.iter().map(|option| option.name.as_str()).collect();
            return Err(input(format!("there is no option '{each}'; the options are: {}", names.join(", "))));
        }
        for option in wanted {
            option
                .values
                .iter()
                .filter(|value| **value != option.chosen)
                .try_for_each(|value| add(&option.name, value))?;
        }
    }
    if alternatives.is_empty() {
        return Err(input(
            "there is nothing to compare: name another script, set an option twice (--set tie=a --set tie=b), \
             or try all values of one (--each tie)",
        ));
    }
    Ok((base, alternatives))
}

/// Options that are set once, and those that are set several times, with all their values.
fn split(set: &Options) -> (Options, Vec<(String, Vec<String>)>) {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for (name, value) in set {
        match all.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value.clone()),
            None => all.push((name.clone(), vec![value.clone()])),
        }
    }
    let (twice, once): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, values)| values.len() > 1);
    (once.into_iter().filter_map(|(name, mut values)| Some((name, values.pop()?))).collect(), twice)
}

/// The figures in the table of several settings.
const COLUMNS: [(&str, &str); 6] = [
    ("score", "score"),
    ("draw", "drawn"),
    ("plies", "moves"),
    ("lost", "lost"),
    ("forced", "forced"),
    ("decided", "decided"),
];

fn write_text(args: &Compare, base: &Experiment, found: &[(&str, Comparison)], out: &mut impl Write) -> io::Result<()> {
    let (loaded, setting) = (base.loaded(), base.setting());
    let options: String = setting.options.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let players = &setting.players.join(", ");
    writeln!(out, "{} ({}){options}; players {players}, seed {}", loaded.title, loaded.name, setting.seed)?;
    if found.len() > 1 {
        write_table(found, out)?;
    }
    let is_shown = |comparison: &Comparison| found.len() == 1 || comparison.differences.iter().any(Difference::is_real);
    for (name, comparison) in found.iter().filter(|(_, comparison)| is_shown(comparison)) {
        write_one(args, name, comparison, found.len() == 1, out)?;
    }
    for verdict in [Score::Same, Score::Higher, Score::Lower, Score::Open] {
        let alike = found.iter().filter(|(_, comparison)| comparison.verdict == verdict && !is_shown(comparison));
        let names: Vec<&str> = alike.map(|(name, _)| *name).collect();
        if !names.is_empty() {
            let conclusion = verdict_text(verdict, args.detect);
            writeln!(out, "\nNo figure differs by more than noise, and {conclusion}:\n{}.", names.join(", "))?;
        }
    }
    let looked_at: usize = found.iter().map(|(_, comparison)| looked_at(comparison)).sum();
    writeln!(
        out,
        "\n{} compared; * marks differences beyond noise, corrected for multiple tests.\nThe figures depend on \
         these players and do not show which version is better.",
        if looked_at == 1 { "1 figure".into() } else { format!("{looked_at} figures") }
    )
}

/// The number of figures of a comparison that are not 0 in both.
fn looked_at(comparison: &Comparison) -> usize {
    comparison.differences.iter().filter(|d| !d.is_nothing()).count()
}

/// A line for each alternative: its figures, with a mark where they differ from those of the first setting.
fn write_table(found: &[(&str, Comparison)], out: &mut impl Write) -> io::Result<()> {
    let width = found.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(12);
    write!(out, "\n{:<width$} {:>7}", "", "games")?;
    COLUMNS.iter().try_for_each(|(_, title)| write!(out, " {title:>9} "))?;
    writeln!(out)?;
    let of = |comparison: &Comparison, key| comparison.differences.iter().find(|d| d.key == key).cloned();
    if let Some((_, longest)) = found.iter().max_by_key(|(_, comparison)| comparison.games) {
        write!(out, "{:<width$} {:>7}", "unchanged", longest.games)?;
        for (key, _) in COLUMNS {
            let text = of(longest, key).map_or("-".into(), |d: Difference| value(d.unit, d.first));
            write!(out, " {text:>9} ")?;
        }
        writeln!(out)?;
    }
    for (name, comparison) in found {
        write!(out, "{name:<width$} {:>7}", comparison.games)?;
        for (key, _) in COLUMNS {
            let found = of(comparison, key);
            let mark = if found.as_ref().is_some_and(Difference::is_real) { '*' } else { ' ' };
            write!(out, " {:>9}{mark}", found.map_or("-".into(), |d| value(d.unit, d.second)))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The result of the sequential test, as a clause.
fn verdict_text(verdict: Score, detect: f64) -> String {
    let points = detect * 100.0;
    match verdict {
        Score::Higher => "the first player scores more".to_owned(),
        Score::Lower => "the first player scores less".to_owned(),
        Score::Same => format!("the first player's score differs by less than {points} points"),
        Score::Open => format!("it is not clear yet whether the first player's score differs by {points} points"),
    }
}

/// Writes the results for one alternative: `all` figures, or those that differ.
fn write_one(args: &Compare, name: &str, comparison: &Comparison, all: bool, out: &mut impl Write) -> io::Result<()> {
    let conclusion = verdict_text(comparison.verdict, args.detect);
    writeln!(out, "\n{name}, {} of each: {conclusion}.", counted(comparison.games, "game"))?;
    let shown = |d: &&Difference| !d.is_nothing() && (all || d.is_real());
    let shown: Vec<&Difference> = comparison.differences.iter().filter(shown).collect();
    if shown.is_empty() {
        return writeln!(out, "No figure differs by more than noise.");
    }
    writeln!(
        out,
        "{:<24} {:>10} {:>10} {:>11}  {:<21} {:>7}",
        "", "first", "second", "difference", "95 % interval", "p"
    )?;
    for d in shown {
        let scale = if d.unit == Unit::Number { 1.0 } else { 100.0 };
        let places = if d.unit == Unit::Number && d.first.abs() < 1.0 { 4 } else { 2 };
        writeln!(
            out,
            "{:<24} {:>10} {:>10} {:>+11.places$}  {:<21} {:>7}{}",
            d.name,
            value(d.unit, d.first),
            value(d.unit, d.second),
            d.difference.value * scale,
            d.interval.map_or("-".into(), |(low, high)| {
                format!("{:+.places$} to {:+.places$}", low * scale, high * scale)
            }),
            p_value(d.adjusted),
            if d.is_real() { " *" } else { "" }
        )?;
    }
    let Some(saved) = comparison.saved else { return Ok(()) };
    let change = if saved < 0.0 { "larger" } else { "smaller" };
    writeln!(
        out,
        "Using the same dice for both made the variance of the difference {:.0}% {change}.",
        saved.abs() * 100.0
    )
}

fn p_value(p: f64) -> String {
    if p < 0.0001 { "<0.0001".into() } else { format!("{p:.4}") }
}

fn value(unit: Unit, number: f64) -> String {
    match unit {
        Unit::Share | Unit::Rate => format!("{:.1} %", number * 100.0),
        Unit::Number if number.abs() < 1.0 => format!("{number:.4}"),
        Unit::Number => format!("{number:.2}"),
    }
}

fn as_json(base: &Experiment, name: &str, comparison: &Comparison) -> Value {
    let verdict = match comparison.verdict {
        Score::Higher => "higher",
        Score::Lower => "lower",
        Score::Same => "same",
        Score::Open => "open",
    };
    let figures: Vec<Value> = comparison
        .differences
        .iter()
        .map(|d| {
            json!({
                "figure": d.key, "first": d.first, "second": d.second, "difference": d.difference.value,
                "low": d.interval.map(|(low, _)| low), "high": d.interval.map(|(_, high)| high), "p": d.p, "adjusted": d.adjusted,
                "differs": d.is_real(),
            })
        })
        .collect();
    json!({
        "version": 1, "variant": base.loaded().name, "against": name, "games": comparison.games, "score": verdict,
        "figures": figures, "variance_saved": comparison.saved,
    })
}
