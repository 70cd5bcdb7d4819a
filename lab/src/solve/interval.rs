//! Bounds of a value.

use astragal_core::Side;

/// The value of a state for the first side, in points: the true value is neither less than `low` nor more than `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// Its middle; that of a mirrored draw is not a negative zero.
    pub fn middle(self) -> f64 {
        (self.low + self.high) / 2.0 + 0.0
    }

    /// The same for a side.
    pub fn of(self, side: Side) -> Interval {
        if side == Side::FIRST { self } else { Interval { low: -self.high, high: -self.low } }
    }
}
