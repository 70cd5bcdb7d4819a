//! The value of a finished game, and the limit of all values of games that are not over.

use astragal_core::{Over, Side, Variant};

/// The greatest value of a game that is not over.
pub(crate) const CEILING: f64 = 0.97;

/// The value of a finished game: see [`StaticEvaluation::result`](crate::static_evaluation::StaticEvaluation::result).
pub(crate) fn result(variant: &Variant, over: &Over, me: Side) -> f64 {
    let allied = |side: Side| variant.allied(me, side);
    if let Some(points) = over.points {
        let sides = || (0..variant.sides() as u8).map(Side);
        let best = |own: bool| sides().filter(|side| allied(*side) == own).map(|side| points[side.index()]).max();
        return f64::from(best(true).unwrap_or(0)) - f64::from(best(false).unwrap_or(0));
    }
    match over.winner {
        None => 0.0,
        Some(side) if allied(side) => 1.0,
        Some(_) => -1.0,
    }
}
