//! The report as one JSON object. Field names are a contract: new ones may be added, and existing ones keep their meaning.

use super::{Figure, Report, SEATS, Unit};
use crate::histogram::Histogram;
use crate::lines::LineGames;
use crate::statistics::{Estimate, Interval, RatioSums};
use crate::tally::{DRAWN, Named, Occurrence, Winners};
use astragal_core::Side;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The maximum number of ranges of a histogram.
const RANGES: u64 = 40;

/// The version of the object's format.
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
            "range": [self.asked.start, self.asked.end],
            "complete": self.is_complete(),
            "resolution": self.resolution(),
            "results": self.results(),
            "advantage": self.advantage().map(|figure| bounded(figure.estimate.value, figure.interval)),
            "points": self.points(),
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
                "cut_short": turns.cut_short.above,
                "forced_passes": turns.forced_passes.above,
                "shares": {
                    "lost": ratio(&turns.lost, Unit::Share),
                    "passed": ratio(&turns.passed, Unit::Share),
                    "forced": ratio(&turns.forced, Unit::Share),
                    "decided": ratio(&turns.decided, Unit::Share),
                    "ended": ratio(&turns.ended, Unit::Share),
                    "cut_short": ratio(&turns.cut_short, Unit::Share),
                },
            },
            "branching": {
                "mean": tally.branching.mean().map(|mean| mean.value),
                "se": tally.branching_by_game.ratio().and_then(|ratio| finite(ratio.error)),
                "median": tally.branching.quantile(0.5),
                "p95": tally.branching.quantile(0.95),
                "p95_low": self.interval_of_common_branching().map(|(low, _)| low),
                "p95_high": self.interval_of_common_branching().map(|(_, high)| high),
                "max": tally.branching.most(),
                "decisions": tally.branching.count(),
                "games": tally.branching_by_game.games,
            },
            "captures": ratio(&tally.captures, Unit::Number),
            "contests": ratio(&tally.contests, Unit::Share),
            "rolls": { "wasted": ratio(&tally.wasted_rolls, Unit::Share), "dice_used": ratio(&tally.used_dice, Unit::Rate) },
            "luck": self.luck(),
            "faces": self.faces(),
            "dice": self.dice(),
            "labels": self.named(Named::Label),
            "choices": self.named(Named::Choice),
            "special_moves": self.named(Named::Move),
            "never": self.never.iter().map(|finding| json!({
                "line": finding.lines.start(), "last_line": finding.lines.end(), "what": finding.what, "code": finding.code,
            })).collect::<Vec<_>>(),
            "lines": self.lines(),
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
            "not_evaluated": {
                "games": fortune.not_evaluated.games(),
                "unfinished": fortune.not_evaluated.unfinished,
                "too_many_outcomes": fortune.not_evaluated.outcomes,
                "over_at_once": fortune.not_evaluated.nothing,
            },
            "judge_is_poor": fortune.is_poor(),
            "share": fortune.share().map(estimate),
            "result": fortune.plain().map(|result| estimate(result.times(self.points_of_result()))),
            "adjusted": fortune.adjusted().map(|result| estimate(result.times(self.points_of_result()))),
            "worth": fortune.worth(),
            "worth_low": fortune.worth_interval().map(|(low, _)| low),
            "worth_high": fortune.worth_interval().map(|(_, high)| high),
            "lead_changes": length(&fortune.lead_changes),
            "winner_behind": length(&fortune.behind),
            "winner_least_chance": length(&fortune.depth),
            "open_until": length(&fortune.open_until),
            "killer_decision": length(&fortune.killer_decision),
            "killer_roll": length(&fortune.killer_roll),
            "fan": fortune.fan,
            "luck_and_skill": fortune.scatter,
        })
    }

    fn results(&self) -> Value {
        let (results, games) = (&self.tally.results, self.tally.games);
        let seats = SEATS.iter().zip(results.won).take(self.experiment.seats().len());
        let others = [(&"draw", results.drawn), (&"unfinished", results.unfinished)];
        let all = seats.chain(others).map(|(key, count)| ((*key).to_owned(), share(count, games)));
        Value::Object(all.collect())
    }

    /// Points per game of each seat; null if the rules never award points.
    fn points(&self) -> Value {
        let results = &self.tally.results;
        if results.awarded == 0 {
            return Value::Null;
        }
        let seats = SEATS.iter().zip(&results.points).take(self.experiment.seats().len());
        let all = seats.filter_map(|(key, sums)| {
            let mean = sums.mean()?;
            let [value, se, low, high] =
                [mean.value, mean.error, mean.low(), mean.high()].map(|halves| finite(halves / 2.0));
            Some(((*key).to_owned(), json!({"mean": value, "se": se, "low": low, "high": high})))
        });
        Value::Object(all.collect())
    }

    fn reasons(&self) -> Value {
        let variant = &self.experiment.loaded().set.variant;
        let sides = || (0..variant.sides() as u8).map(Side);
        // Partners have won the same games.
        let leads = |side: &Side| !sides().take(side.index()).any(|other| variant.allied(other, *side));
        let count = |counts: &Winners| -> u64 {
            sides().filter(leads).map(|side| counts[side.index()]).sum::<u64>() + counts[DRAWN]
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

    /// By roll: how often each face came up, over all its dice.
    fn faces(&self) -> Value {
        let pooled = |dice: &BTreeMap<String, BTreeMap<i16, u64>>| {
            let mut all: BTreeMap<i16, u64> = BTreeMap::new();
            dice.values().flatten().for_each(|(face, times)| *all.entry(*face).or_default() += times);
            json!(all)
        };
        let faces = self.tally.faces.iter().map(|(rolled, dice)| (rolled.clone(), pooled(dice)));
        Value::Object(faces.collect())
    }

    /// By roll and die: how often each face came up, and its share.
    fn dice(&self) -> Value {
        let die = |faces: &BTreeMap<i16, u64>| {
            let all = faces.values().sum();
            Value::Object(faces.iter().map(|(face, &times)| (face.to_string(), share(times, all))).collect())
        };
        let rolled = |dice: &BTreeMap<String, BTreeMap<i16, u64>>| {
            Value::Object(dice.iter().map(|(name, faces)| (name.clone(), die(faces))).collect())
        };
        Value::Object(self.tally.faces.iter().map(|(text, dice)| (text.clone(), rolled(dice))).collect())
    }

    /// By line of the script: in how many games it ran, and with which answers to its questions; includes all lines that
    /// could run.
    fn lines(&self) -> Value {
        if !self.experiment.setting().lines {
            return Value::Null;
        }
        let line = |(number, found): (usize, LineGames)| {
            let answers = found.answers.iter().map(|(answer, &games)| (answer.clone(), share(games, self.tally.games)));
            let mut value = share(found.games, self.tally.games);
            value["answers"] = Value::Object(answers.collect());
            (number.to_string(), value)
        };
        Value::Object(self.lines_of_script().into_iter().map(line).collect())
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

/// A finite number, or null.
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

fn bounded(value: f64, interval: Option<(f64, f64)>) -> Value {
    json!({"value": value, "low": interval.map(|(low, _)| low), "high": interval.map(|(_, high)| high)})
}

fn ratio(sums: &RatioSums, unit: Unit) -> Value {
    let Some(figure) = Figure::of("", "", unit, sums.ratio(), sums.games) else { return Value::Null };
    let mut value = bounded(figure.estimate.value, figure.interval);
    value["count"] = sums.above.into();
    value["of"] = sums.below.into();
    value
}

fn length(histogram: &Histogram) -> Value {
    let (width, ranges) = histogram.ranges(RANGES);
    let mean = histogram.mean();
    let [around_p05, around, around_p95] = [0.05, 0.5, 0.95].map(|share| histogram.quantile_interval(share));
    json!({
        "mean": mean.map(|mean| mean.value),
        "se": mean.and_then(|mean| finite(mean.error)),
        "sd": histogram.deviation(),
        "median": histogram.quantile(0.5),
        "median_low": around.map(|(low, _)| low),
        "median_high": around.map(|(_, high)| high),
        "p05": histogram.quantile(0.05),
        "p95": histogram.quantile(0.95),
        "p05_low": around_p05.map(|(low, _)| low),
        "p05_high": around_p05.map(|(_, high)| high),
        "p95_low": around_p95.map(|(low, _)| low),
        "p95_high": around_p95.map(|(_, high)| high),
        "max": histogram.most(),
        "histogram": { "width": width, "ranges": ranges },
    })
}
