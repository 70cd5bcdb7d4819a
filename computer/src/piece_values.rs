//! The values of pieces by kind and square, derived from their moves on the board.
//!
//! Knows declarations and mobility, but no state of a game.

use crate::mobility::{Mobility, NO_PROMOTION, kinds};
use astragal_core::{Kind, Piece, Position, Side, Square, Variant};

/// The weight of a square's surplus mobility.
const SQUARE_SHARE: f64 = 0.3;
/// The value of promotion with the next move, as a fraction of the gain; and the factor for each further move before it.
const PROMOTION: (f64, f64) = (0.45, 0.62);
/// Units per move: sums of units are exact in any order.
pub(crate) const UNITS: f64 = 65_536.0;
/// The value of all royals of a side together, as a fraction of its other pieces.
const ROYALS: f64 = 0.7;

/// The values of a variant's pieces, in moves.
#[derive(Clone)]
pub(crate) struct PieceValues {
    by_kind: Vec<f64>,
    /// By piece and square, in units.
    by_square: Vec<i64>,
    squares: usize,
}

impl PieceValues {
    /// Measures the pieces of a variant; royals are worth a share of the pieces of `start`.
    pub(crate) fn new(variant: &Variant, start: &Position) -> PieceValues {
        let mobility: Vec<Mobility> =
            (0..variant.sides() as u8).map(|side| Mobility::measure(variant, Side(side))).collect();
        let by_kind = kind_values(variant, start, &mobility);
        let by_square = square_values(variant, &mobility, &by_kind);
        PieceValues { by_kind, by_square, squares: variant.board().len() }
    }

    /// The value of a kind; of royals by the effect of their loss.
    pub(crate) fn of_kind(&self, kind: Kind) -> f64 {
        self.by_kind.get(kind.index()).copied().unwrap_or(0.0)
    }

    /// The value of a piece on its square, in [`UNITS`].
    pub(crate) fn on(&self, piece: Piece, square: Square) -> i64 {
        self.by_square[piece.index() * self.squares + square.index()]
    }
}

/// The value of each kind: its mean number of moves; for royals, their share of the total.
fn kind_values(variant: &Variant, start: &Position, mobility: &[Mobility]) -> Vec<f64> {
    let mean = |kind: Kind| mobility.iter().map(|side| side.mean(kind)).sum::<f64>() / mobility.len() as f64;
    let royal = |kind: Kind| variant.royals().contains(kind);
    let mut values: Vec<f64> = kinds(variant).map(mean).collect();
    let (mut plain, mut royals) = (0.0, 0);
    for square in start.occupied() {
        let kind = start.at(square).kind();
        if royal(kind) {
            royals += 1;
        } else {
            plain += values[kind.index()];
        }
    }
    // All royals together are worth a share of all other pieces, regardless of their owners.
    let each = (ROYALS * plain / f64::from(royals.max(1))).max(values.iter().copied().fold(1.0, f64::max));
    kinds(variant).filter(|kind| royal(*kind)).for_each(|kind| values[kind.index()] = each);
    values
}

/// The value of each piece on each square, in units.
fn square_values(variant: &Variant, mobility: &[Mobility], values: &[f64]) -> Vec<i64> {
    let squares = variant.board().len();
    let mut found = vec![0; Piece::indices(variant.sides(), variant.kinds().len()) * squares];
    for (i, mobility) in mobility.iter().enumerate() {
        for kind in kinds(variant) {
            let piece = Piece::new(Side(i as u8), kind);
            let gain = promotion_gain(variant, kind, values);
            for square in variant.board().squares() {
                let surplus = SQUARE_SHARE * (mobility.local(kind, square) - mobility.mean(kind));
                let distance = mobility.promotion_distance(kind, square);
                let promotion = match distance {
                    NO_PROMOTION.. => 0.0,
                    _ => PROMOTION.0 * PROMOTION.1.powi(i32::from(distance) - 1) * gain,
                };
                // A royal that is hard to hunt is not a better royal.
                let surplus = if variant.royals().contains(kind) { surplus * 0.5 } else { surplus };
                let worth = values[kind.index()] + surplus + promotion;
                found[piece.index() * squares + square.index()] = (worth * UNITS).round() as i64;
            }
        }
    }
    found
}

/// The greatest gain of a kind by promotion.
fn promotion_gain(variant: &Variant, kind: Kind, values: &[f64]) -> f64 {
    let Some(promotion) = &variant.kind(kind).promotion else { return 0.0 };
    let to = kinds(variant).filter(|to| promotion.to.contains(*to) && !variant.royals().contains(*to));
    to.map(|to| values[to.index()] - values[kind.index()]).fold(0.0, f64::max)
}
