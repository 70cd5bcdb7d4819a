//! Probabilities as tables for people: a fraction, a percentage and a description.

use super::chance::{self, Chance};
use super::prospects::{NextTurn, Prospect};
use super::{NextRoll, Outcome};
use astragal_core::odds::Certainty;
use astragal_core::{Event, Ratio, State, Status, Variant};
use astragal_dsl::game_text;

/// One row of a table, unaligned: the probability and its description.
pub(crate) type Row = (Ratio, String);

/// The probabilities of a roll: losing the turn, the script's labels, drawn squares, and kinds of piece that can move.
pub fn next_roll(variant: &Variant, roll: &NextRoll) -> String {
    format!("Next roll: {}\n{}", roll.dice, table(&roll_rows(variant, roll), roll.certainty))
}

/// The same as rows of a table.
pub(crate) fn roll_rows(variant: &Variant, roll: &NextRoll) -> Vec<Row> {
    let mut rows: Vec<Row> = roll.lost.map(|lost| (lost, "turn lost".into())).into_iter().collect();
    if roll.over != Ratio::ZERO {
        rows.push((roll.over, "game over".into()));
    }
    rows.extend(roll.labels.iter().map(|(label, chance)| (*chance, label.clone())));
    rows.extend(drawn(&roll.drawn));
    rows.extend(roll.ended.iter().map(|(changes, chance)| match changes.as_str() {
        "" => (*chance, "turn over".into()),
        changes => (*chance, format!("turn over: {changes}")),
    }));
    rows.extend(roll.choices.iter().map(|(texts, chance)| (*chance, format!("choice of {texts}"))));
    rows.extend(roll.kinds.iter().map(|(kind, chance)| (*chance, format!("{} can move", variant.kind(*kind).name))));
    rows
}

/// The squares that can be drawn. If there are many, those with equal probability share a line.
fn drawn(squares: &[(String, Ratio)]) -> Vec<Row> {
    if squares.len() <= ON_A_LINE {
        return squares.iter().map(|(name, chance)| (*chance, format!("{name} is drawn"))).collect();
    }
    let mut rows = Vec::new();
    for same in squares.chunk_by(|a, b| a.1 == b.1) {
        let names: Vec<&str> = same.iter().map(|square| square.0.as_str()).collect();
        rows.extend(names.chunks(ON_A_LINE).map(|line| (same[0].1, format!("each of {} is drawn", line.join(" ")))));
    }
    rows
}

/// The number of moves or squares on a line, where those with equal probability share lines.
const ON_A_LINE: usize = 8;

/// The probabilities of a roll, with the probability of each move and of winning at once.
pub fn roll_in_full(state: &State, roll: &NextRoll, strike: Option<Chance>) -> String {
    let variant = &state.ruleset().variant;
    let mut text = next_roll(variant, roll);
    if let Some(strike) = strike {
        text.push_str(&format!(
            "{}  {} {}\n",
            strike.text(),
            game_text::side_name(variant, state.mover()),
            goal(variant)
        ));
    }
    let mut chances: Vec<Ratio> = roll.moves.iter().map(|(_, chance)| *chance).collect();
    chances.sort_by(|a, b| b.cmp(a));
    chances.dedup();
    let mut rows: Vec<Row> = Vec::new();
    for chance in chances {
        let moves: Vec<&str> = roll.moves.iter().filter(|mv| mv.1 == chance).map(|mv| mv.0.as_str()).collect();
        rows.extend(moves.chunks(ON_A_LINE).map(|line| (chance, line.join(" "))));
    }
    // The note about estimates is already printed above.
    text + lines(&rows, roll.certainty).as_str()
}

/// The aim of a hostile side as a verb phrase: `can capture the king or win`, `can capture the king or prince, or win`.
pub(crate) fn goal(variant: &Variant) -> String {
    let royals: Vec<&str> = variant.kinds().iter().filter(|kind| kind.royal).map(|kind| kind.name.as_str()).collect();
    match royals.as_slice() {
        [] => "can win".into(),
        [one] => format!("can capture the {one} or win"),
        [most @ .., last] => format!("can capture the {} or {last}, or win", most.join(", ")),
    }
}

/// The possible results of the next turn, a line for each; empty if none are known.
pub fn next_turn(variant: &Variant, next: Option<&NextTurn>) -> String {
    let Some(next) = next else { return String::new() };
    let who = game_text::side_name(variant, next.side);
    let strike = next.strike.map_or_else(|| "unknown".into(), |chance| chance.text());
    let lost = next.lost().text();
    format!("Then {who} {} (if {who} tries to): {strike}\nThen {who} loses the turn: {lost}\n", goal(variant))
}

/// The possible results of each move, a line per move.
pub fn prospects(state: &State, all: &[Prospect]) -> String {
    let variant = &state.ruleset().variant;
    let dash = || "-".to_owned();
    let head = if state.status() == Status::Choice { "choice" } else { "move" };
    let mut rows = vec![[head.to_owned(), "danger".to_owned(), "next turn lost".to_owned(), String::new()]];
    // Decisions after which the turn may go on, and about which nothing else is known.
    let mut open = Vec::new();
    for prospect in all {
        let text = event(state, &prospect.event);
        let next = prospect.next.as_ref();
        let danger = next.map_or_else(dash, |next| next.strike.map_or_else(|| "unknown".into(), |c| c.text()));
        let lost = next.map_or_else(dash, |next| next.lost().text());
        let outcomes = match &prospect.outcomes[..] {
            [(effect, _)] if effect == "moved" => String::new(),
            all => {
                let told = |chance| Chance::of(chance, prospect.certainty).figure();
                all.iter().map(|(effect, chance)| format!("{effect} {}", told(*chance))).collect::<Vec<_>>().join(", ")
            }
        };
        match next.is_none() && outcomes.is_empty() {
            true => open.push(text),
            false => rows.push([text, danger, lost, outcomes]),
        }
    }
    let going_on = match open.len() {
        0 => String::new(),
        n if n <= ON_A_LINE => format!("(after {}, the turn may continue)\n", open.join(", ")),
        n => format!("(after {n} other {head}s, the turn may continue)\n"),
    };
    if rows.len() == 1 {
        return going_on;
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (a, b, c) = (width(0), width(1), width(2));
    let line = |row: &[String; 4]| format!("{:a$}  {:b$}  {:c$}  {}", row[0], row[1], row[2], row[3]);
    let mut text: String = rows.iter().map(|row| line(row).trim_end().to_owned() + "\n").collect();
    text.push_str(&format!(
        "(danger: the chance that the next player {};\n'-': the turn may continue)\n",
        goal(variant)
    ));
    text + going_on.as_str()
}

/// A note that the analysis was stopped with `left` decisions missing from a table; empty if none are missing.
pub fn stopped(state: &State, left: usize) -> String {
    match (left, state.status() == Status::Choice) {
        (0, _) => String::new(),
        (left, true) => format!("(stopped: {left} more choices were not examined)\n"),
        (left, false) => format!("(stopped: {left} more moves were not examined)\n"),
    }
}

/// A decision as it is typed, with the dice that pay for it.
pub fn event(state: &State, event: &Event) -> String {
    match event {
        Event::Move(paid) => game_text::paid_by(&state.price(*paid), &game_text::shown_move(state, *paid)),
        Event::Choice(index) => game_text::choices(state).get(*index).cloned().unwrap_or_default(),
        Event::Pass => "pass".into(),
        Event::Roll(faces) => game_text::rolled(state, faces),
    }
}

/// The outcomes of a move.
pub fn outcomes(outcomes: &[Outcome]) -> String {
    let width = outcomes.iter().map(|o| o.what().chars().count()).max().unwrap_or(0);
    let rows: Vec<Row> =
        outcomes.iter().map(|o| (o.probability, format!("{:width$}  {}", o.what(), o.position))).collect();
    let certainty = outcomes.first().map_or(Certainty::Exact, |outcome| outcome.certainty);
    table(&rows, certainty)
}

/// Rows with aligned fractions and percentages, and a note if they are estimates.
pub(crate) fn table(rows: &[Row], certainty: Certainty) -> String {
    lines(rows, certainty) + chance::note(certainty).as_str()
}

fn lines(rows: &[Row], certainty: Certainty) -> String {
    let told = |ratio| Chance::of(ratio, certainty);
    let width = rows.iter().map(|(ratio, _)| told(*ratio).figure().len()).max().unwrap_or(0);
    let mut out = String::new();
    for (ratio, text) in rows {
        let chance = told(*ratio);
        out.push_str(&format!("{:>width$}  {:>6.2} %  {text}\n", chance.figure(), chance.to_f64() * 100.0));
    }
    out
}
