//! The curve of a training: its strength after each number of games and of minutes, as lines of JSON and as a picture.

use crate::Interval;
use crate::names::grouped;
use crate::report::escaped;
use astragal_computer::MatchScore;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The strength of a player at one moment of its training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Probe {
    /// The games learned from.
    pub games: u64,
    /// The seconds since the training began or was resumed.
    pub seconds: f64,
    /// The mean error of the outputs.
    pub error: f64,
    /// The opponent by name.
    pub against: String,
    /// The match against it.
    pub score: Score,
    /// The match against an earlier state of the same player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub itself: Option<Earlier>,
}

/// The result of a match for the trained player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Score {
    /// The games played. Those that were cut for their length are neither won, drawn nor lost.
    pub games: u64,
    /// The games won.
    pub wins: u64,
    /// The games drawn.
    pub draws: u64,
    /// The games lost.
    pub losses: u64,
    /// The sum of points, in games that award points.
    pub points: Option<f64>,
}

/// A match against an earlier state of the same player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Earlier {
    /// How much earlier, in seconds.
    pub seconds_ago: f64,
    /// The match.
    pub score: Score,
}

impl From<&MatchScore> for Score {
    fn from(score: &MatchScore) -> Score {
        let MatchScore { wins, draws, losses, .. } = *score;
        Score { games: score.games(), wins, draws, losses, points: score.points() }
    }
}

impl Score {
    /// The score as a share of the games, and its interval. A game that is neither won nor lost counts half.
    fn share(&self) -> (f64, Interval) {
        let halves = (self.games + self.wins).saturating_sub(self.losses);
        (halves as f64 / (2 * self.games.max(1)) as f64, Interval::wilson(halves / 2, self.games))
    }
}

/// Reads the lines that a training has written.
///
/// # Errors
/// If a line is not such a line; the message contains its number.
pub fn read(lines: &str) -> Result<Vec<Probe>, String> {
    let wrong = |(at, error): (usize, serde_json::Error)| format!("line {}: {error}", at + 1);
    let lines = lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| serde_json::from_str(line).map_err(|error| wrong((at, error)))).collect()
}

/// The width of a panel between its axes, and its height.
const PANEL: (f64, f64) = (300.0, 180.0);
/// The left ends of the panels.
const LEFT: [f64; 2] = [48.0, 384.0];
/// The upper end of the panels.
const TOP: f64 = 40.0;
const STYLE: &str = "<style>.ground{fill:#fff}.line{stroke:#bbb}.text{fill:#333}.band{fill:#1558b0;fill-opacity:.15}\
    .curve{fill:none;stroke:#1558b0;stroke-width:2}.dot{fill:#1558b0}@media(prefers-color-scheme:dark){.ground{fill:#1b1b1b}\
    .line{stroke:#555}.text{fill:#ddd}.band{fill:#7fb2f0}.curve{stroke:#7fb2f0}.dot{fill:#7fb2f0}}</style>";

/// A picture of the strength against the last opponent: by games on the left, by minutes on the right, both on logarithmic
/// scales. The band around the curve is the 95% interval of each match. The seconds of resumed trainings are added.
pub fn svg(title: &str, probes: &[Probe]) -> String {
    let against = probes.last().map_or("", |probe| probe.against.as_str());
    let (mut before, mut last) = (0.0, 0.0);
    let mut points = Vec::new();
    for probe in probes {
        if probe.seconds < last {
            before += last;
        }
        last = probe.seconds;
        if probe.against == against && probe.score.games > 0 {
            points.push((probe.games as f64, (before + last) / 60.0, probe.score.share()));
        }
    }
    let about = match points.last() {
        None => "No strength has been measured yet.".into(),
        Some((games, minutes, (share, _))) => {
            let (share, games) = (share * 100.0, grouped(*games as usize));
            format!("{share:.0}% against {against} after {games} games and {minutes:.0} minutes.")
        }
    };
    let (title, about) = (escaped(title), escaped(&about));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 280\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<title>{title}: score in training</title>\n<desc>{about}</desc>\n{STYLE}\n\
         <rect class=\"ground\" width=\"720\" height=\"280\"/>\n\
         <text class=\"text\" x=\"{}\" y=\"22\" font-size=\"13\">{title}: {about}</text>\n",
        LEFT[0],
    );
    let games: Vec<_> = points.iter().map(|(games, _, share)| (*games, *share)).collect();
    let minutes: Vec<_> = points.iter().map(|(_, minutes, share)| (*minutes, *share)).collect();
    panel(&mut out, LEFT[0], "games", &games);
    panel(&mut out, LEFT[1], "minutes", &minutes);
    out + "</svg>\n"
}

/// Draws a panel with its axes.
fn panel(out: &mut String, left: f64, unit: &str, points: &[(f64, (f64, Interval))]) {
    let height = |share: f64| TOP + (1.0 - share) * PANEL.1;
    let (bottom, right) = (TOP + PANEL.1, left + PANEL.0);
    // Writing to a string cannot fail.
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = height(share);
        let _ = writeln!(
            out,
            "<path class=\"line\" d=\"M{left} {y}H{right}\"/><text class=\"text\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.0}%</text>",
            left - 6.0,
            y + 4.0,
            share * 100.0
        );
    }
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let (low, high) = (first.0.max(1e-2).log10(), last.0.max(1e-2).log10());
    let across = |value: f64| left + (value.max(1e-2).log10() - low) / (high - low).max(1e-9) * PANEL.0;
    for (value, label) in ticks(low, high) {
        let x = across(value);
        let _ = writeln!(
            out,
            "<path class=\"line\" d=\"M{x:.1} {bottom}v5\"/><text class=\"text\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        );
    }
    let place = |value: f64, share: f64| format!("{:.1},{:.1}", across(value), height(share));
    let upper = points.iter().map(|(value, (_, interval))| place(*value, interval.high));
    let lower = points.iter().rev().map(|(value, (_, interval))| place(*value, interval.low));
    let band: Vec<String> = upper.chain(lower).collect();
    let curve: Vec<String> = points.iter().map(|(value, (share, _))| place(*value, *share)).collect();
    let _ = writeln!(out, "<polygon class=\"band\" points=\"{}\"/>", band.join(" "));
    let _ = writeln!(out, "<polyline class=\"curve\" points=\"{}\"/>", curve.join(" "));
    for (value, (share, _)) in points {
        let _ =
            writeln!(out, "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>", across(*value), height(*share));
    }
    let middle = left + PANEL.0 / 2.0;
    let _ = writeln!(
        out,
        "<text class=\"text\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{unit}</text>",
        bottom + 38.0
    );
}

/// Round numbers between two powers of ten, at most eight, with their labels.
fn ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let all = |steps: &[f64]| -> Vec<f64> {
        let powers = low.floor() as i32..=high.ceil() as i32;
        let values = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
        values.filter(|value| (low - 1e-9..=high + 1e-9).contains(&value.log10())).collect()
    };
    let fine = all(&[1.0, 2.0, 5.0]);
    let chosen = if fine.len() > 8 { all(&[1.0]) } else { fine };
    let label = |value: f64| match value {
        value if value >= 1e6 => format!("{} million", value / 1e6),
        value if value >= 1.0 => grouped(value.round() as usize),
        value => format!("{}", (value * 100.0).round() / 100.0),
    };
    chosen.into_iter().map(|value| (value, label(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(games: u64, seconds: f64, wins: u64) -> Probe {
        let score = Score { games: 100, wins, draws: 0, losses: 100 - wins, points: None };
        Probe { games, seconds, error: 0.1, against: "greedy".into(), score, itself: None }
    }

    #[test]
    fn a_curve_has_a_point_for_each_probe_and_adds_resumed_trainings() {
        let probes = [probe(100, 30.0, 40), probe(1_000, 300.0, 70), probe(5_000, 300.0, 90), probe(9_000, 60.0, 95)];
        let lines: String = probes.iter().map(|one| serde_json::to_string(one).expect("JSON") + "\n").collect();
        assert_eq!(read(&lines), Ok(probes.to_vec()));
        let svg = svg("A <game>", &probes);
        assert_eq!(svg.matches("<circle").count(), 8, "{svg}");
        assert!(svg.contains("A &lt;game&gt;: 95% against greedy after 9,000 games and 6 minutes."), "{svg}");
        assert!(svg.contains(">1,000<") && svg.contains(">5<"), "{svg}");
    }

    /// `ASTRAGAL_WRITE=1` draws the curves of `docs/training` anew.
    #[test]
    fn curves_of_the_documentation_are_those_of_their_trainings() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let mut count = 0;
        for entry in std::fs::read_dir(docs.join("training")).expect("the folder of trainings") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
            let source = astragal_dsl::library::resolve(&name).expect("a game");
            let title = astragal_dsl::load(&source, &[]).expect("its rules").title.clone();
            let probes = read(&std::fs::read_to_string(&path).expect("a file")).expect("a training");
            let (picture, made) = (docs.join(format!("pictures/training/{name}.svg")), svg(&title, &probes));
            if std::env::var_os("ASTRAGAL_WRITE").is_some() {
                std::fs::write(&picture, &made).expect("a picture");
            }
            let found = std::fs::read_to_string(&picture).unwrap_or_default();
            assert!(found == made, "{name}.svg is stale: run the tests once with ASTRAGAL_WRITE=1, and look at it");
            count += 1;
        }
        assert!(count > 0);
    }

    #[test]
    fn without_probes_there_is_an_empty_curve_and_wrong_lines_are_named() {
        assert!(svg("A game", &[]).contains("No strength has been measured yet."));
        assert!(read("\n{}").is_err_and(|why| why.starts_with("line 2: missing field `games`")));
        assert!(!svg("A game", &[probe(1, 0.0, 1)]).contains("NaN"));
    }
}
