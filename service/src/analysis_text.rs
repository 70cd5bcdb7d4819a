//! An analyzed game as text and picture: the totals, the worst decisions, and the curve of the winning chances.

use astragal_lab::analyse::{Analysis, Finding, Judged};
use astragal_lab::evaluator::MOST_OUTCOMES;
use serde_json::{Value, json};
use std::fmt::Write;

/// How many of the worst decisions and of the luckiest rolls are listed.
const MOST: usize = 8;

/// The maximum number of columns of a text curve.
const COLUMNS: usize = 72;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const PLAIN: [char; 8] = ['_', '.', ',', '-', '=', '+', '*', '#'];

/// The analysis as text; `ascii` restricts it to ASCII characters.
pub fn text(analysis: &Analysis, ascii: bool) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_all(analysis, ascii, &mut out);
    out
}

fn write_all(analysis: &Analysis, ascii: bool, out: &mut String) -> std::fmt::Result {
    let unit = if analysis.in_points { "points" } else { "percentage points of winning chance" };
    let first = analysis.sides.first().map_or("", String::as_str);
    if let Some(result) = &analysis.result {
        writeln!(out, "{result}")?;
    }
    let what = if analysis.in_points { "value" } else { "winning chance" };
    writeln!(out, "{first}'s {what} from start to end:\n  {}", curve_text(analysis, ascii))?;
    writeln!(out, "\nIn {unit}:")?;
    writeln!(out, "{:<12} {:>6} {:>8} {:>10} {:>8} {:>11}", "", "rolls", "luck", "decisions", "errors", "avg. error")?;
    for (name, total) in analysis.sides.iter().zip(&analysis.totals) {
        let each = total.error / total.decisions.max(1) as f64;
        writeln!(
            out,
            "{name:<12} {:>6} {:>8} {:>10} {:>8} {:>11}",
            total.rolls,
            signed(analysis, total.luck),
            total.decisions,
            number(analysis, total.error),
            number(analysis, each)
        )?;
    }
    let (luckier, lead) = analysis.luckier();
    if analysis.totals.iter().any(|total| total.rolls > 0) {
        let name = analysis.sides.get(luckier).map_or("", String::as_str);
        let others = if analysis.sides.len() > 2 && luckier == 1 { "The others were" } else { name };
        let verb = if others == name { " was" } else { "" };
        writeln!(out, "{others}{verb} luckier, by {}.", number(analysis, lead))?;
    }
    if analysis.not_evaluated > 0 {
        let (rolls, have) = if analysis.not_evaluated == 1 { ("roll", "has") } else { ("rolls", "have") };
        writeln!(
            out,
            "{} {rolls} {have} more than {MOST_OUTCOMES} outcomes, too many to evaluate their luck.",
            analysis.not_evaluated
        )?;
    }
    write_list(analysis, "Worst decisions", &analysis.worst(MOST), out)?;
    write_list(analysis, "Rolls with the largest effect", &analysis.luckiest(MOST), out)?;
    writeln!(out, "\n~ marks estimates; all other values are exact.")
}

fn write_list(analysis: &Analysis, title: &str, events: &[&Judged], out: &mut String) -> std::fmt::Result {
    if events.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    for judged in events {
        let side = analysis.sides.get(judged.side.index()).map_or("", String::as_str);
        let mark = if judged.is_exact { ' ' } else { '~' };
        let what = match &judged.finding {
            Finding::Luck(luck) => signed(analysis, *luck),
            Finding::Decision { error, better: Some(better) } => {
                format!("-{}, better {better}", number(analysis, *error))
            }
            Finding::Decision { error, better: None } => format!("-{}", number(analysis, *error)),
        };
        writeln!(out, "  {:>3}. {side} {}: {mark}{what}", judged.round, judged.text)?;
    }
    Ok(())
}

/// A value for display: a probability in percent, or points.
fn number(analysis: &Analysis, number: f64) -> String {
    if analysis.in_points { format!("{:.2}", number / 2.0) } else { format!("{:.1}", number * 100.0) }
}

fn signed(analysis: &Analysis, value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "+" };
    format!("{sign}{}", number(analysis, value.abs()))
}

/// The curve scaled to 0..1: probabilities as they are, points between the least and the greatest.
fn heights(analysis: &Analysis) -> Vec<f64> {
    if !analysis.in_points {
        return analysis.curve.clone();
    }
    let most = analysis.curve.iter().fold(1e-9_f64, |most, value| most.max(value.abs()));
    analysis.curve.iter().map(|value| (value / most + 1.0) / 2.0).collect()
}

/// The curve as a line of block characters. If there are more events than columns, each column shows the mean of several
/// events.
fn curve_text(analysis: &Analysis, ascii: bool) -> String {
    let heights = heights(analysis);
    let columns = heights.len().min(COLUMNS);
    let blocks = if ascii { PLAIN } else { BLOCKS };
    let column = |at: usize| {
        let part = &heights[at * heights.len() / columns..(at + 1) * heights.len() / columns];
        let mean = part.iter().sum::<f64>() / part.len().max(1) as f64;
        blocks[((mean * 8.0) as usize).min(7)]
    };
    (0..columns).map(column).collect()
}

/// The curve as an SVG picture: the first side's winning chances at each event, with a title and a description for screen
/// readers.
pub fn svg(analysis: &Analysis) -> String {
    const SIZE: (f64, f64) = (720.0, 240.0);
    let heights = heights(analysis);
    let last = heights.len().saturating_sub(1).max(1) as f64;
    let place = |(at, height): (usize, &f64)| {
        format!("{:.1},{:.1}", 40.0 + at as f64 / last * (SIZE.0 - 60.0), 20.0 + (1.0 - height) * (SIZE.1 - 60.0))
    };
    let points: Vec<String> = heights.iter().enumerate().map(place).collect();
    let first = escaped(analysis.sides.first().map_or("", String::as_str));
    let what = if analysis.in_points { "value" } else { "winning chance" };
    let (top, middle, bottom) = if analysis.in_points { ("most", "0", "least") } else { ("100%", "50%", "0%") };
    let result = escaped(analysis.result.as_deref().unwrap_or("The game is not over."));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<title>{first}'s {what}</title>\n<desc>{first}'s {what} \
         at each of {2} events. {result}</desc>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n<g \
         stroke=\"#bbb\"><path d=\"M40 20H{3}M40 {4}H{3}M40 {5}H{3}\"/></g>\n<g fill=\"#333\" \
         text-anchor=\"end\"><text x=\"36\" y=\"24\">{top}</text><text x=\"36\" y=\"{6}\">{middle}</text><text \
         x=\"36\" y=\"{7}\">{bottom}</text></g>\n<polyline fill=\"none\" stroke=\"#1558b0\" stroke-width=\"2\" \
         points=\"{8}\"/>\n<text x=\"40\" y=\"{9}\" fill=\"#333\">{first}'s {what}, event by event. \
         {result}</text>\n</svg>\n",
        SIZE.0,
        SIZE.1,
        heights.len().saturating_sub(1),
        SIZE.0 - 20.0,
        20.0 + (SIZE.1 - 60.0) / 2.0,
        SIZE.1 - 40.0,
        24.0 + (SIZE.1 - 60.0) / 2.0,
        SIZE.1 - 36.0,
        points.join(" "),
        SIZE.1 - 14.0,
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The analysis as JSON.
pub fn json(analysis: &Analysis) -> Value {
    let side = |index: usize| analysis.sides.get(index).cloned();
    let event = |judged: &Judged| {
        let mut value = json!({
            "event": judged.number, "round": judged.round, "side": side(judged.side.index()), "text": judged.text,
            "before": judged.before, "after": judged.after, "exact": judged.is_exact,
        });
        match &judged.finding {
            Finding::Luck(luck) => value["luck"] = (*luck).into(),
            Finding::Decision { error, better } => {
                value["error"] = (*error).into();
                value["better"] = better.clone().into();
            }
        }
        value
    };
    let total = |(name, total): (&String, &astragal_lab::analyse::Total)| {
        json!({
            "side": name, "rolls": total.rolls, "luck": total.luck, "decisions": total.decisions, "error": total.error,
        })
    };
    json!({
        "version": 1,
        "result": analysis.result,
        "unit": if analysis.in_points { "half points" } else { "winning chance" },
        "totals": analysis.sides.iter().zip(&analysis.totals).map(total).collect::<Vec<_>>(),
        "luckier": side(analysis.luckier().0),
        "not_evaluated": analysis.not_evaluated,
        "curve": analysis.curve,
        "events": analysis.events.iter().map(event).collect::<Vec<_>>(),
    })
}
