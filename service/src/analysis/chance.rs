//! A chance as it is told: exact, within a bound, or estimated with its interval.

use astragal_core::Ratio;
use astragal_core::odds::Certainty;
use astragal_lab::Interval;
use serde_json::{Map, Value};

/// A chance, exact or estimated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Chance {
    /// The chance itself.
    Exact(Ratio),
    /// A chance that is at least so great, and greater by no more than `bound`.
    Within {
        /// The least that it can be.
        least: f64,
        /// How much greater it may be.
        bound: f64,
    },
    /// So many hits among so many tries.
    Sampled {
        /// How often it happened.
        hits: u64,
        /// How often it could have.
        trials: u64,
    },
}

impl Chance {
    /// A chance that is to be trusted so far.
    pub fn of(ratio: Ratio, certainty: Certainty) -> Chance {
        match certainty {
            Certainty::Exact => Chance::Exact(ratio),
            Certainty::Within(bound) => Chance::Within { least: ratio.to_f64(), bound },
            Certainty::Drawn(trials) => {
                Chance::Sampled { hits: (ratio.to_f64() * trials as f64).round() as u64, trials }
            }
        }
    }

    /// The fraction, twelve digits, or the interval that holds the chance in 95 of 100 cases.
    pub fn figure(self) -> String {
        match self {
            Chance::Exact(ratio) => ratio.to_string(),
            Chance::Within { least, .. } => format!("{least:.12}"),
            Chance::Sampled { hits, trials } => Interval::wilson(hits, trials).to_string(),
        }
    }

    /// The fraction or estimate, with its percentage.
    pub(crate) fn text(&self) -> String {
        match self {
            Chance::Sampled { .. } => format!("about {}", self.figure()),
            Chance::Exact(_) | Chance::Within { .. } => format!("{}  {:.2} %", self.figure(), self.to_f64() * 100.0),
        }
    }

    /// The chance or its estimate as a number.
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Chance::Exact(ratio) => ratio.to_f64(),
            Chance::Within { least, .. } => least,
            Chance::Sampled { hits, trials } => hits as f64 / trials.max(1) as f64,
        }
    }

    /// Whether it is no chance at all.
    pub(crate) fn is_none(self) -> bool {
        self == Chance::Exact(Ratio::ZERO)
    }

    /// The chance as data, and what else is to be said of it under names of its own, if it is not exact.
    pub fn json(self) -> (Value, Map<String, Value>) {
        let mut more = Map::new();
        let text = match self {
            Chance::Exact(_) => self.figure(),
            Chance::Within { bound, .. } => {
                more.insert("bound".into(), bound.into());
                self.figure()
            }
            Chance::Sampled { hits, trials } => {
                let interval = Interval::wilson(hits, trials);
                more.insert("low".into(), interval.low.into());
                more.insert("high".into(), interval.high.into());
                more.insert("samples".into(), trials.into());
                Ratio::new(hits.into(), trials.max(1).into()).to_string()
            }
        };
        (text.into(), more)
    }
}

/// How far the sum or product of chances is to be trusted.
pub(crate) fn worst(a: Certainty, b: Certainty) -> Certainty {
    match (a, b) {
        (Certainty::Drawn(a), Certainty::Drawn(b)) => Certainty::Drawn(a.min(b)),
        (Certainty::Drawn(trials), _) | (_, Certainty::Drawn(trials)) => Certainty::Drawn(trials),
        (Certainty::Within(a), Certainty::Within(b)) => Certainty::Within(a + b),
        (Certainty::Within(bound), _) | (_, Certainty::Within(bound)) => Certainty::Within(bound),
        (Certainty::Exact, Certainty::Exact) => Certainty::Exact,
    }
}

/// What is to be said below chances that are not exact, as a line; nothing below others.
pub(crate) fn note(certainty: Certainty) -> String {
    match certainty {
        Certainty::Exact => String::new(),
        Certainty::Within(bound) => format!(
            "(each chance may be greater by up to {bound:.1e}: turns that go on and on are not followed for ever; \
             roll_until() is exact)\n"
        ),
        Certainty::Drawn(trials) => format!(
            "(estimated: too many rolls to look at each, {trials} turns drawn by chance; intervals hold in 95 of \
             100 cases)\n"
        ),
    }
}
