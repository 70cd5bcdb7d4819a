//! The window of a decision node: the bounds between which the values of its events still matter.

/// The state of a decision node while its events are searched one after another.
pub(crate) struct Window {
    /// Values at or below this do not matter.
    pub(crate) alpha: f64,
    /// Values at or above this do not matter.
    pub(crate) beta: f64,
    /// The best value so far; initially worse than any.
    pub(crate) best: f64,
    /// Whether the highest value is the best.
    pub(crate) maximizes: bool,
    /// Whether to narrow the bounds at all.
    pub(crate) prunes: bool,
}

impl Window {
    /// Accounts for an event's value; true if the other events no longer matter (a cutoff).
    pub(crate) fn take(&mut self, value: f64) -> bool {
        self.best = if self.maximizes { self.best.max(value) } else { self.best.min(value) };
        if !self.prunes {
            return false;
        }
        if self.maximizes {
            self.alpha = self.alpha.max(value);
        } else {
            self.beta = self.beta.min(value);
        }
        self.alpha >= self.beta
    }
}
