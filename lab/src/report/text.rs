//! The report as text for a screen.

use super::{Figure, Report, Unit};
use crate::game::LISTED;
use crate::histogram::Histogram;
use crate::statistics::{Estimate, Interval};
use crate::tally::Named;
use std::fmt::Write;

/// No more findings of a kind are listed.
const MOST: usize = 12;

/// What must be said of all such figures.
const WARNING: &str = "\
Such figures sort out bad games; they do not measure fun. They belong to these players: others play other games.
";

impl Report<'_> {
    /// The report for people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Memory can always be written.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        self.write_header(out)?;
        let figures = self.figures();
        self.write_results(&figures, out)?;
        self.write_lengths(out)?;
        self.write_turns(&figures, out)?;
        self.write_luck(out)?;
        self.write_happenings(out)?;
        self.write_never(out)?;
        writeln!(out, "\n{WARNING}Digest of all games: {}.", self.tally.digest_text())
    }

    fn write_header(&self, out: &mut String) -> std::fmt::Result {
        let (loaded, setting, games) = (self.experiment.loaded(), self.experiment.setting(), self.tally.games);
        let mut players = setting.players.clone();
        players.dedup();
        let players = if players.len() == 1 { format!("all {}", players[0]) } else { setting.players.join(", ") };
        let options: String = setting.options.iter().map(|(name, value)| format!(", {name}={value}")).collect();
        let (noun, seed) = (if games == 1 { "game" } else { "games" }, setting.seed);
        writeln!(out, "{} ({}){options}: {games} {noun}, players: {players}, seed {seed}", loaded.title, loaded.name)?;
        if let Some(position) = &setting.position {
            writeln!(out, "from {position}")?;
        }
        let rare = Interval::wilson(0, games).high * 100.0;
        writeln!(
            out,
            "Seen at n = {games}: shares near one half to {:.1} points, between two such runs {:.1} points; what never\n\
             happened may still happen in {} % of games. Intervals are 95 %.",
            self.resolution() * 100.0,
            self.resolution_between() * 100.0,
            rounded(rare),
        )
    }

    fn write_results(&self, figures: &[Figure], out: &mut String) -> std::fmt::Result {
        writeln!(out, "\nResults")?;
        let results = figures.iter().filter(|figure| figure.key.starts_with("results."));
        let counts = self.tally.results.won.iter().take(self.experiment.seats().len());
        let counts = counts.chain([&self.tally.results.drawn, &self.tally.results.unfinished]);
        for (figure, count) in results.zip(counts) {
            writeln!(out, "{:<30} {count:>10} {}", figure.name, shown(figure))?;
        }
        if let Some(figure) = figures.iter().find(|figure| figure.key == "advantage") {
            let (low, high) = (figure.interval.0 * 100.0, figure.interval.1 * 100.0);
            let said = match () {
                () if low > 0.0 => "the first player wins more often",
                () if high < 0.0 => "the first player wins less often",
                () => "no more than noise",
            };
            let value = figure.estimate.value * 100.0;
            writeln!(out, "{:<30} {value:>+10.1} points ({low:+.1} to {high:+.1}): {said}", figure.name)?;
        }
        let mut reasons: Vec<(u64, &String, &[u64; 5])> =
            self.tally.results.reasons.iter().map(|(reason, counts)| (counts.iter().sum(), reason, counts)).collect();
        reasons.sort_by_key(|(count, reason, _)| (std::cmp::Reverse(*count), *reason));
        for (_, reason, counts) in reasons {
            let sides = (0..self.experiment.seats().len()).filter(|&side| counts[side] > 0);
            let mut parts: Vec<String> =
                sides.map(|side| format!("{} {}", self.experiment.side_name(side), counts[side])).collect();
            if counts[4] > 0 {
                parts.push(format!("nobody {}", counts[4]));
            }
            writeln!(out, "  {reason}: {}", parts.join(", "))?;
        }
        Ok(())
    }

    fn write_lengths(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "\n{:<12} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
            "Length", "mean", "error", "sd", "5 %", "median", "95 %", "most"
        )?;
        let tally = self.tally;
        for (name, histogram) in [("moves", &tally.plies), ("turns", &tally.turn_numbers), ("events", &tally.events)] {
            let Some(mean) = histogram.mean() else { continue };
            let sd = histogram.deviation().unwrap_or(0.0);
            let at = |share| histogram.quantile(share).unwrap_or(0);
            let error = if mean.error.is_nan() { "-".into() } else { format!("{:.2}", mean.error) };
            writeln!(
                out,
                "{name:<12} {:>10.2} {error:>8} {sd:>8.1} {:>8} {:>8} {:>8} {:>8}",
                mean.value,
                at(0.05),
                at(0.5),
                at(0.95),
                histogram.most().unwrap_or(0)
            )?;
        }
        Ok(())
    }

    fn write_turns(&self, figures: &[Figure], out: &mut String) -> std::fmt::Result {
        writeln!(out, "\nPlay")?;
        let skipped = |figure: &&Figure| {
            let empty = figure.key == "turns.passed" && figure.estimate.value == 0.0;
            !figure.key.starts_with("results.")
                && !figure.key.starts_with("length.")
                && figure.key != "advantage"
                && !empty
        };
        for figure in figures.iter().filter(skipped) {
            write!(out, "{:<30} {}", figure.name, shown(figure))?;
            match figure.key.as_str() {
                "branching" => writeln!(out, "{}", self.spread_of_branching())?,
                _ => writeln!(out)?,
            }
        }
        Ok(())
    }

    fn write_luck(&self, out: &mut String) -> std::fmt::Result {
        let fortune = &self.tally.fortune;
        if !self.experiment.setting().luck {
            return Ok(());
        }
        writeln!(out, "\nLuck and skill (of these players, by a judge that looks to the end of the turn)")?;
        if fortune.unjudged > 0 {
            writeln!(
                out,
                "{:<30} {:>10} games: broken off, or too many outcomes of dice",
                "not judged", fortune.unjudged
            )?;
        }
        let (Some(plain), Some(adjusted)) = (fortune.plain(), fortune.adjusted()) else { return Ok(()) };
        let line = |out: &mut String, name: &str, found: &Estimate, scale: f64| {
            let (value, low, high) = (found.value * scale, found.low() * scale, found.high() * scale);
            match found.error.is_nan() {
                true => writeln!(out, "{name:<30} {value:>8.2}"),
                false => writeln!(out, "{name:<30} {value:>8.2}  ({low:.2} to {high:.2})"),
            }
        };
        match fortune.share() {
            Some(share) => line(out, "luck in the results, in %", &share, 100.0)?,
            None => writeln!(out, "{:<30} all results are the same", "luck in the results")?,
        }
        line(out, "first player's mean result", &plain, 1.0)?;
        line(out, "the same without the luck", &adjusted, 1.0)?;
        if let Some(worth) = fortune.worth() {
            writeln!(out, "{:<30} {worth:>8.2} plain games", "a game without luck is worth")?;
        }
        let courses = [
            ("changes of the lead", &fortune.lead_changes, 1.0),
            ("winner behind, % of the game", &fortune.behind, 1.0),
            ("winner's least chance, %", &fortune.depth, 1.0),
            ("open until, % of the game", &fortune.open_until, 1.0),
            ("greatest decision, points", &fortune.killer_decision, 1.0),
            ("greatest roll, points", &fortune.killer_roll, 1.0),
        ];
        for (name, histogram, scale) in courses {
            if let Some(mean) = histogram.mean() {
                line(out, name, &mean, scale)?;
            }
        }
        Ok(())
    }

    fn spread_of_branching(&self) -> String {
        let (branching, listed): (&Histogram, u64) = (&self.tally.branching, self.tally.branching_by_game.games);
        let at = |share| branching.quantile(share).unwrap_or(0);
        let most = branching.most().unwrap_or(0);
        let of = match listed == self.tally.games {
            true => String::new(),
            false => format!("; of {listed} games, the first and every {LISTED}th"),
        };
        format!("; 95 % at most {}, most {most}{of}", at(0.95))
    }

    fn write_happenings(&self, out: &mut String) -> std::fmt::Result {
        for (dice, faces) in &self.tally.faces {
            let all: u64 = faces.values().sum();
            write!(out, "{}faces of {dice}:", if Some(dice) == self.tally.faces.keys().next() { "\n" } else { "" })?;
            for (face, times) in faces {
                write!(out, " {face} {:.2} %", *times as f64 * 100.0 / all.max(1) as f64)?;
            }
            writeln!(out)?;
        }
        for (group, title) in
            [(Named::Label, "What happened"), (Named::Choice, "Choices"), (Named::Move, "Special moves")]
        {
            let Some(names) = self.tally.named.get(&group) else { continue };
            writeln!(out, "\n{title:<30} {:>10} in games", "times")?;
            for (name, found) in names {
                let figure = Figure::share(String::new(), name.clone(), found.games, self.tally.games);
                writeln!(out, "{:<30} {:>10} {}", figure.name, found.times, shown(&figure))?;
            }
        }
        Ok(())
    }

    fn write_never(&self, out: &mut String) -> std::fmt::Result {
        if self.never.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nNever in {} games", self.tally.games)?;
        for finding in self.never.iter().take(MOST) {
            let (first, last) = finding.lines.clone().into_inner();
            let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
            writeln!(out, "  {lines}: {}: {}", finding.what, finding.code)?;
        }
        match self.never.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => writeln!(out, "  and {more} more: see --json"),
        }
    }
}

/// A figure with its interval.
fn shown(figure: &Figure) -> String {
    let (low, high) = figure.interval;
    let unknown = low.is_nan() || high.is_nan();
    match figure.unit {
        Unit::Share if unknown => format!("{:>6.1} %", figure.estimate.value * 100.0),
        Unit::Share => {
            format!("{:>6.1} %  ({:.1}-{:.1} %)", figure.estimate.value * 100.0, low * 100.0, high * 100.0)
        }
        Unit::Number if unknown => format!("{:>8.3}", figure.estimate.value),
        Unit::Number => format!("{:>8.3}  ({low:.3}-{high:.3})", figure.estimate.value),
    }
}

/// With two figures that count.
fn rounded(number: f64) -> String {
    let places = (1.0 - number.abs().log10().floor()).clamp(0.0, 6.0);
    format!("{number:.*}", places as usize)
}
