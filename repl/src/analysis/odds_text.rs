//! Chances as tables for people: a fraction, a percentage, and what they are of.

use super::{NextRoll, Outcome};
use astragal_core::{Ratio, Variant};

/// One line of a table, unaligned.
type Row = (Ratio, String);

/// The chances of a roll: losing the turn, and each kind of piece being able to move.
pub fn next_roll(variant: &Variant, roll: &NextRoll) -> String {
    let mut rows: Vec<Row> = vec![(roll.lost, "turn lost".into())];
    if roll.over != Ratio::ZERO {
        rows.push((roll.over, "game over".into()));
    }
    rows.extend(roll.kinds.iter().map(|(kind, chance)| (*chance, format!("{} can move", variant.kind(*kind).name))));
    format!("Next roll: {}\n{}", roll.dice, table(&rows))
}

/// What a move leads to.
pub fn outcomes(outcomes: &[Outcome]) -> String {
    let width = outcomes.iter().map(|o| o.effect.chars().count()).max().unwrap_or(0);
    let rows: Vec<Row> =
        outcomes.iter().map(|o| (o.probability, format!("{:width$}  {}", o.effect, o.position))).collect();
    table(&rows)
}

/// Rows with aligned fractions and percentages.
pub fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|(chance, _)| chance.to_string().len()).max().unwrap_or(0);
    let mut out = String::new();
    for (chance, text) in rows {
        out.push_str(&format!("{:>width$}  {:>6.2} %  {text}\n", chance.to_string(), chance.to_f64() * 100.0));
    }
    out
}
