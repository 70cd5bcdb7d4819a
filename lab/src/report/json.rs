//! The report as one JSON object. Field names are a contract: new ones may be added, these keep their meaning.

use super::{Report, SEATS};
use crate::histogram::Histogram;
use crate::statistics::{Estimate, Interval, RatioSums};
use crate::tally::{Named, Occurrence};
use serde_json::{Map, Value, json};

/// The version of the object's form.
const VERSION: u32 = 1;

impl Report<'_> {
    /// The report as JSON.
    pub fn json(&self) -> Value {
        let (tally, setting) = (self.tally, self.experiment.setting());
        let options: Map<String, Value> =
            setting.options.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        let turns = &tally.turns;
        json!({
            "version": VERSION,
            "variant": self.experiment.loaded().name,
            "options": options,
            "position": setting.position,
            "players": setting.players,
            "seed": setting.seed,
            "max_plies": setting.max_plies,
            "games": tally.games,
            "resolution": self.resolution(),
            "results": self.results(),
            "advantage": self.advantage().map(estimate),
            "reasons": self.reasons(),
            "length": {
                "plies": length(&tally.plies),
                "turns": length(&tally.turn_numbers),
                "events": length(&tally.events),
            },
            "turns": {
                "count": turns.all.above,
                "lost": turns.lost.above,
                "passed": turns.passed.above,
                "forced": turns.forced.above,
                "decided": turns.decided.above,
                "ended": turns.ended.above,
                "shares": {
                    "lost": ratio(&turns.lost),
                    "passed": ratio(&turns.passed),
                    "forced": ratio(&turns.forced),
                    "decided": ratio(&turns.decided),
                    "ended": ratio(&turns.ended),
                },
            },
            "branching": {
                "mean": tally.branching.mean().map(|mean| mean.value),
                "se": tally.branching_by_game.ratio().and_then(|ratio| finite(ratio.error)),
                "median": tally.branching.quantile(0.5),
                "p95": tally.branching.quantile(0.95),
                "max": tally.branching.most(),
                "decisions": tally.branching.count(),
                "games": tally.branching_by_game.games,
            },
            "captures": ratio(&tally.captures),
            "contests": ratio(&tally.contests),
            "rolls": { "wasted": ratio(&tally.wasted_rolls), "dice_used": ratio(&tally.used_dice) },
            "luck": self.luck(),
            "faces": tally.faces,
            "labels": self.named(Named::Label),
            "choices": self.named(Named::Choice),
            "special_moves": self.named(Named::Move),
            "never": self.never.iter().map(|finding| json!({
                "line": finding.lines.start(), "last_line": finding.lines.end(), "what": finding.what, "code": finding.code,
            })).collect::<Vec<_>>(),
            "squares": self.squares(),
            "script": self.experiment.script_digest(),
            "digest": tally.digest_text(),
        })
    }

    fn luck(&self) -> Value {
        let fortune = &self.tally.fortune;
        if !self.experiment.setting().luck {
            return Value::Null;
        }
        json!({
            "games": fortune.games(),
            "unjudged": fortune.unjudged,
            "share": fortune.share().map(estimate),
            "result": fortune.plain().map(estimate),
            "adjusted": fortune.adjusted().map(estimate),
            "worth": fortune.worth(),
            "lead_changes": length(&fortune.lead_changes),
            "winner_behind": length(&fortune.behind),
            "winner_least_chance": length(&fortune.depth),
            "open_until": length(&fortune.open_until),
            "killer_decision": length(&fortune.killer_decision),
            "killer_roll": length(&fortune.killer_roll),
            "fan": fortune.fan,
        })
    }

    fn results(&self) -> Value {
        let (results, games) = (&self.tally.results, self.tally.games);
        let seats = SEATS.iter().zip(results.won).take(self.experiment.seats().len());
        let others = [(&"draw", results.drawn), (&"unfinished", results.unfinished)];
        let all = seats.chain(others).map(|(key, count)| ((*key).to_owned(), share(count, games)));
        Value::Object(all.collect())
    }

    fn reasons(&self) -> Value {
        let count = |counts: &[u64; 5]| -> u64 {
            let variant = &self.experiment.loaded().set.variant;
            // Partners have won the same games.
            let teams = variant.spec().teams.is_some();
            counts[..4].iter().sum::<u64>() / if teams { 2 } else { 1 } + counts[4]
        };
        let reasons = self.tally.results.reasons.iter();
        Value::Object(reasons.map(|(reason, counts)| (reason.clone(), count(counts).into())).collect())
    }

    fn named(&self, group: Named) -> Value {
        let one = |(name, found): (&String, &Occurrence)| {
            let Interval { low, high } = Interval::wilson(found.games, self.tally.games);
            (name.clone(), json!({"times": found.times, "games": found.games, "low": low, "high": high}))
        };
        Value::Object(self.tally.named.get(&group).into_iter().flatten().map(one).collect())
    }

    fn squares(&self) -> Value {
        let board = self.experiment.loaded().set.variant.board();
        let square = |square: astragal_core::Square| {
            let (arrivals, taken) = (self.tally.arrivals.get(square.index()), self.tally.taken.get(square.index()));
            (board.name(square), json!([arrivals.unwrap_or(&0), taken.unwrap_or(&0)]))
        };
        Value::Object(board.squares().into_iter().map(square).collect())
    }
}

/// A number, or nothing where it is none.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

fn share(count: u64, of: u64) -> Value {
    let Interval { low, high } = Interval::wilson(count, of);
    json!({"count": count, "share": count as f64 / of.max(1) as f64, "low": low, "high": high})
}

fn estimate(estimate: Estimate) -> Value {
    json!({"value": estimate.value, "low": finite(estimate.low()), "high": finite(estimate.high())})
}

fn ratio(sums: &RatioSums) -> Value {
    let Some(found) = sums.ratio() else { return Value::Null };
    let mut value = estimate(found);
    value["count"] = sums.above.into();
    value["of"] = sums.below.into();
    value
}

fn length(histogram: &Histogram) -> Value {
    let mean = histogram.mean();
    json!({
        "mean": mean.map(|mean| mean.value),
        "se": mean.and_then(|mean| finite(mean.error)),
        "sd": histogram.deviation(),
        "median": histogram.quantile(0.5),
        "p05": histogram.quantile(0.05),
        "p95": histogram.quantile(0.95),
        "max": histogram.most(),
    })
}
