//! The contents of a report, as tables with a title and remarks: shared by the text and the page.

use super::{Figure, Report, Unit};
use crate::game::LISTED;
use crate::histogram::Histogram;
use crate::luck::Fortune;
use crate::proof::MOST_OUTCOMES;
use crate::statistics::{Estimate, Interval};
use crate::tally::{DRAWN, Named, Winners};

/// The warning that applies to all such figures.
pub(super) const WARNING: &str = "These figures do not measure fun, and they depend on who played.";

/// The warning about an evaluator that does not understand the game.
const POOR: &str = "Warning: the evaluation does not fit this game. The measured luck does not explain\nthe \
     results, so the share of luck and the luck-adjusted results mean little.";

/// A section of a report: a table and its remarks.
#[derive(Default)]
pub(super) struct Section {
    pub(super) title: String,
    /// The titles of the columns after the first; those of text columns end in a space.
    pub(super) columns: Vec<String>,
    /// Cells; the first names the row.
    pub(super) rows: Vec<Vec<String>>,
    /// Sentences below the table.
    pub(super) remarks: Vec<String>,
}

impl Section {
    fn new(title: &str, columns: &[&str]) -> Section {
        let columns = columns.iter().map(|&column| column.into()).collect();
        Section { title: title.into(), columns, ..Section::default() }
    }

    fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl Report<'_> {
    /// The first line of the report: the game, its options and players.
    pub(super) fn headline(&self) -> String {
        let (loaded, setting) = (self.experiment.loaded(), self.experiment.setting());
        let mut players = setting.players.clone();
        players.dedup();
        let players = if players.len() == 1 { format!("all {}", players[0]) } else { setting.players.join(", ") };
        let options: String = setting.options.iter().map(|(name, value)| format!(", {name}={value}")).collect();
        let (title, name, seed) = (&loaded.title, &loaded.name, setting.seed);
        format!("{title} ({name}){options}: {}, players: {players}, seed {seed}", self.games_text())
    }

    /// The games that were played, and whether that is less than requested.
    pub(super) fn games_text(&self) -> String {
        let (asked, last) = (self.asked.end - self.asked.start, self.asked.end - 1);
        let what = match self.asked.start {
            0 => counted(asked, "game"),
            first if first == last => format!("game {first}"),
            first => format!("games {first} to {last}"),
        };
        if self.is_complete() { what } else { format!("{} of {what} (stopped)", self.tally.games) }
    }

    /// The precision of the run.
    pub(super) fn resolution_text(&self) -> String {
        let games = self.tally.games;
        format!(
            "With {games} games, shares near 50% are accurate to within {:.1} percentage points,\nand \
             differences between two such runs to within {:.1}.\nAn event that never occurred may still occur in up to {}% of games.\nAll intervals are \
             95% confidence intervals.",
            self.resolution() * 100.0,
            self.resolution_between() * 100.0,
            rounded(Interval::wilson(0, games).high * 100.0),
        )
    }

    /// All tables, in order; empty ones are left out.
    pub(super) fn sections(&self) -> Vec<Section> {
        let figures = self.figures();
        let all = [
            self.results_section(&figures),
            self.points_section(),
            self.reasons_section(),
            self.lengths_section(),
            play(self, &figures),
            self.luck_section(),
            self.faces_section(),
            self.named_section(Named::Label, "Labels"),
            self.named_section(Named::Choice, "Choices"),
            self.named_section(Named::Move, "Special moves"),
            self.lines_section(),
            self.nevers_section(),
        ];
        all.into_iter().filter(|section| !section.rows.is_empty() || !section.remarks.is_empty()).collect()
    }

    fn results_section(&self, figures: &[Figure]) -> Section {
        let mut section = Section::new("Results", &["games", "share", "95 %", "remark "]);
        let counts = self.tally.results.won.iter().take(self.experiment.seats().len());
        let counts = counts.chain([&self.tally.results.drawn, &self.tally.results.unfinished]);
        let results = figures.iter().filter(|figure| figure.key.starts_with("results."));
        for (figure, count) in results.zip(counts) {
            section.row([figure.name.clone(), count.to_string(), value(figure), interval(figure)]);
        }
        if let Some(figure) = figures.iter().find(|figure| figure.key == "advantage")
            && let Some((low, high)) = figure.interval
        {
            let said = match () {
                () if low > 0.0 => "the first player wins more often",
                () if high < 0.0 => "the first player wins less often",
                () => "within noise",
            };
            let points = |share: f64| format!("{:+.1}", share * 100.0);
            let interval = format!("{} to {}", points(low), points(high));
            let value = points(figure.estimate.value) + " points";
            section.row([figure.name.clone(), String::new(), value, interval, said.into()]);
            let others = self.opponents().len();
            if others > 1 {
                let rate = format!("{:.1}%", 100.0 / (others + 1) as f64);
                section.remarks.push(format!(
                    "The advantage is the lead over the mean share of the {others} other players; without an \
                     advantage, every share is {rate} of the games with a winner."
                ));
            }
        }
        section
    }

    fn reasons_section(&self) -> Section {
        let sides = self.experiment.seats().len();
        let names: Vec<&str> = (0..sides).map(|side| self.experiment.side_name(side)).chain(["draw"]).collect();
        let mut section = Section::new("Reasons (by winner)", &names);
        let mut reasons: Vec<(u64, &String, &Winners)> =
            self.tally.results.reasons.iter().map(|(reason, counts)| (counts.iter().sum(), reason, counts)).collect();
        reasons.sort_by_key(|(count, reason, _)| (std::cmp::Reverse(*count), *reason));
        for (_, reason, counts) in reasons {
            let counts = counts[..sides].iter().chain([&counts[DRAWN]]).map(u64::to_string);
            section.row([reason.clone()].into_iter().chain(counts));
        }
        section
    }

    /// The points of each seat, if the rules award points: the winner alone is less informative then.
    fn points_section(&self) -> Section {
        let mut section = Section::new("Points per game", &["points", "error", "95 %"]);
        let results = &self.tally.results;
        if results.awarded == 0 {
            return section;
        }
        let sides = &self.experiment.loaded().set.variant.spec().sides;
        for (sums, side) in results.points.iter().zip(sides) {
            let Some(mean) = sums.mean() else { continue };
            let number = |halves: f64| format!("{:.2}", halves / 2.0);
            let (error, interval) = match mean.error.is_nan() {
                true => ("-".into(), "-".into()),
                false => (number(mean.error), format!("{} to {}", number(mean.low()), number(mean.high()))),
            };
            section.row([side.name.clone(), number(mean.value), error, interval]);
        }
        section
    }

    fn lengths_section(&self) -> Section {
        let columns = ["mean", "error", "sd", "5 %", "median", "its 95 %", "95 %", "max"];
        let mut section = Section::new("Game length", &columns);
        let tally = self.tally;
        for (name, histogram) in [("moves", &tally.plies), ("turns", &tally.turn_numbers), ("events", &tally.events)] {
            let Some(mean) = histogram.mean() else { continue };
            let at = |share| histogram.quantile(share).unwrap_or(0).to_string();
            let around = histogram.quantile_interval(0.5);
            section.row([
                name.into(),
                format!("{:.2}", mean.value),
                if mean.error.is_nan() { "-".into() } else { format!("{:.2}", mean.error) },
                format!("{:.1}", histogram.deviation().unwrap_or(0.0)),
                at(0.05),
                at(0.5),
                around.map_or("-".into(), |(low, high)| format!("{low}-{high}")),
                at(0.95),
                histogram.most().unwrap_or(0).to_string(),
            ]);
        }
        section
            .remarks
            .push("Use --json for the intervals of the 5% and 95% quantiles; sd and maximum have none.".into());
        section
    }

    fn luck_section(&self) -> Section {
        let fortune = &self.tally.fortune;
        if !self.experiment.setting().luck {
            return Section::default();
        }
        let mut section = Section::new("Luck and skill", &["value", "95 %", "remark "]);
        section
            .remarks
            .push("These figures depend on the players. Positions are evaluated at the end of the turn.".into());
        let missed = fortune.not_evaluated;
        for (games, why) in [
            (missed.unfinished, "unfinished".to_owned()),
            (missed.outcomes, format!("rolls with more than {MOST_OUTCOMES} outcomes")),
            (missed.nothing, "over before the first roll or decision".to_owned()),
        ] {
            if games > 0 {
                section.remarks.push(format!("Not evaluated: {} ({why}).", counted(games, "game")));
            }
        }
        if let (Some(plain), Some(adjusted)) = (fortune.plain(), fortune.adjusted()) {
            luck_rows(fortune, &plain, &adjusted, self.points_of_result(), &mut section);
        }
        if fortune.is_poor() {
            section.remarks.push(POOR.into());
        }
        section
    }

    fn faces_section(&self) -> Section {
        let mut section = Section::new("Faces", &["times", "share", "95 %"]);
        for (rolled, dice) in &self.tally.faces {
            for (die, faces) in dice {
                let all = faces.values().sum();
                for (face, &times) in faces {
                    let name = if dice.len() == 1 { rolled.clone() } else { format!("{rolled}, {die}") };
                    let figure = Figure::share(String::new(), String::new(), times, all);
                    section.row([
                        format!("{name}: {face}"),
                        times.to_string(),
                        precise(&figure),
                        precise_interval(&figure),
                    ]);
                }
            }
        }
        section
    }

    fn named_section(&self, group: Named, title: &str) -> Section {
        let mut section = Section::new(title, &["times", "games", "share", "95 %"]);
        for (name, found) in self.tally.named.get(&group).into_iter().flatten() {
            let figure = Figure::share(String::new(), name.clone(), found.games, self.tally.games);
            let (times, games) = (found.times.to_string(), found.games.to_string());
            section.row([figure.name.clone(), times, games, value(&figure), interval(&figure)]);
        }
        section
    }

    /// The lines of the script by how often they are run, the rarest first.
    fn lines_section(&self) -> Section {
        let mut section = Section::new("Lines of the script", &["games", "share", "95 %", "code "]);
        let source: Vec<&str> = self.experiment.loaded().source.text.lines().collect();
        let mut rows: Vec<(u64, usize, String)> = Vec::new();
        for (line, found) in self.lines_of_script() {
            rows.push((found.games, line, format!("line {line}")));
            let answers = found.answers.iter().map(|(answer, games)| (*games, line, format!("line {line}: {answer}")));
            rows.extend(answers.filter(|(games, ..)| *games < found.games));
        }
        rows.sort();
        for (games, line, name) in rows {
            let figure = Figure::share(String::new(), String::new(), games, self.tally.games);
            let code = source.get(line - 1).unwrap_or(&"").trim().to_owned();
            section.row([name, games.to_string(), value(&figure), interval(&figure), code]);
        }
        section
    }

    fn nevers_section(&self) -> Section {
        let title = format!("Never in {}", counted(self.tally.games, "game"));
        let mut section = Section::new(&title, &["what ", "code "]);
        for finding in &self.never {
            let (first, last) = finding.lines.clone().into_inner();
            let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
            section.row([lines, finding.what.clone(), finding.code.clone()]);
        }
        section
    }
}

fn play(report: &Report<'_>, figures: &[Figure]) -> Section {
    let mut section = Section::new("Play", &["value", "95 %", "remark "]);
    let turns = &report.tally.turns;
    let told = |figure: &&Figure| {
        let is_empty = match figure.key.as_str() {
            "turns.passed" | "turns.cut_short" => figure.estimate.value == 0.0,
            // With one move per turn, this is the same as lost turns.
            "turns.forced_passes" => turns.forced_passes.above == turns.lost.above,
            _ => false,
        };
        let is_elsewhere = figure.key.starts_with("results.") || figure.key.starts_with("length.");
        !is_elsewhere && figure.key != "advantage" && !is_empty
    };
    for figure in figures.iter().filter(told) {
        let remark = match figure.key.as_str() {
            "branching" => spread_of_branching(report),
            "used_dice" if figure.estimate.value > 1.0 => "a die may pay for several moves".into(),
            _ => String::new(),
        };
        section.row([figure.name.clone(), value(figure), interval(figure), remark]);
    }
    section
}

fn spread_of_branching(report: &Report<'_>) -> String {
    let (branching, listed): (&Histogram, u64) = (&report.tally.branching, report.tally.branching_by_game.games);
    let (often, most) = (branching.quantile(0.95).unwrap_or(0), branching.most().unwrap_or(0));
    let of = match listed == report.tally.games {
        true => String::new(),
        false => format!("; sampled from {listed} games (the first {LISTED}, then one in every {LISTED})"),
    };
    let around = match report.interval_of_common_branching() {
        Some((low, high)) => format!("{low}-{high}"),
        None => "too few games for an interval".into(),
    };
    format!("95% at most {often} ({around}), maximum {most}{of}")
}

fn luck_rows(fortune: &Fortune, plain: &Estimate, adjusted: &Estimate, scale: f64, section: &mut Section) {
    match fortune.share() {
        None => section.remarks.push("The share of luck is unknown, because all results are the same.".into()),
        Some(share) => {
            let known = match (fortune.killer_roll.count(), fortune.killer_decision.count()) {
                (0, _) => Some("no dice"),
                (_, 0) => Some("no decisions"),
                _ => None,
            };
            section.row(luck_row("luck in the results, in %", &share, 100.0, known));
        }
    }
    section.row(luck_row("first player's mean result", plain, scale, None));
    section.row(luck_row("luck-adjusted mean result", adjusted, scale, None));
    if let Some(worth) = fortune.worth() {
        let interval = fortune.worth_interval().map(|(low, high)| format!("{low:.2} to {high:.2}"));
        let interval = interval.unwrap_or_else(|| "-".into());
        section
            .row(["one luck-adjusted game equals", &format!("{worth:.2}"), &interval, "plain games"].map(String::from));
    }
    section.rows.extend(fortune.courses().into_iter().filter_map(|(name, scale, histogram)| {
        let mean = histogram.mean()?;
        let parts = Estimate { value: mean.value / scale, error: mean.error / scale };
        // Percentages are bounded; the number of lead changes is not.
        let unit = if scale > 1.0 { Unit::Share } else { Unit::Number };
        let figure = Figure::of("", name, unit, Some(parts), histogram.count())?;
        let (interval, remark) = match figure.interval {
            Some((low, high)) => (format!("{:.2} to {:.2}", low * scale, high * scale), ""),
            None => ("-".into(), if mean.error.is_nan() { ONE_GAME } else { ALIKE }),
        };
        Some(vec![name.into(), format!("{:.2}", mean.value), interval, remark.into()])
    }));
}

/// The reason why a figure has no interval.
const ONE_GAME: &str = "no interval: only one game";
const ALIKE: &str = "no interval: all values equal";

/// A figure of luck with its interval, or the reason why there is none.
fn luck_row(name: &str, found: &Estimate, scale: f64, known: Option<&str>) -> Vec<String> {
    let (interval, remark) = match known {
        Some(why) => (String::new(), why),
        None if found.error.is_nan() => ("-".into(), ONE_GAME),
        None if found.error == 0.0 => ("-".into(), ALIKE),
        None => (format!("{:.2} to {:.2}", found.low() * scale, found.high() * scale), ""),
    };
    vec![name.into(), format!("{:.2}", found.value * scale), interval, remark.into()]
}

/// The text of a figure.
fn value(figure: &Figure) -> String {
    match figure.unit {
        Unit::Share | Unit::Rate => format!("{:.1} %", figure.estimate.value * 100.0),
        Unit::Number => format!("{:.3}", figure.estimate.value),
    }
}

/// Its interval, or a dash if there is none.
fn interval(figure: &Figure) -> String {
    let Some((low, high)) = figure.interval else { return "-".into() };
    match figure.unit {
        Unit::Share | Unit::Rate => format!("{:.1}-{:.1} %", low * 100.0, high * 100.0),
        Unit::Number => format!("{low:.3}-{high:.3}"),
    }
}

fn precise(figure: &Figure) -> String {
    format!("{:.2} %", figure.estimate.value * 100.0)
}

fn precise_interval(figure: &Figure) -> String {
    figure.interval.map_or("-".into(), |(low, high)| format!("{:.2}-{:.2} %", low * 100.0, high * 100.0))
}

/// A count with its noun: `1 game`, `2 games`.
pub(super) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Rounded to two significant figures.
fn rounded(number: f64) -> String {
    let places = (1.0 - number.abs().log10().floor()).clamp(0.0, 6.0);
    format!("{number:.*}", places as usize)
}
