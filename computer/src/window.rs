//! The bounds between which the values of a decision still matter.

/// What is known of a decision while its possibilities are looked at one after another.
pub(crate) struct Window {
    /// Values that are not above this do not matter.
    pub low: f64,
    /// Values that are not below this do not matter.
    pub high: f64,
    /// The best value so far; before the first, worse than any.
    pub best: f64,
    /// Whether the highest value is the best.
    pub maximum: bool,
    /// Whether the bounds are narrowed at all.
    pub prunes: bool,
}

impl Window {
    /// Takes the value of a possibility in; true if what is left cannot matter any more.
    pub fn take(&mut self, value: f64) -> bool {
        self.best = if self.maximum { self.best.max(value) } else { self.best.min(value) };
        if !self.prunes {
            return false;
        }
        if self.maximum {
            self.low = self.low.max(value);
        } else {
            self.high = self.high.min(value);
        }
        self.low >= self.high
    }
}
