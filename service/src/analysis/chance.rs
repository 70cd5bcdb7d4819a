//! A probability as it is reported: exact, within a bound, or estimated with a confidence interval.

use astragal_core::Ratio;
use astragal_core::odds::Certainty;
use astragal_lab::Interval;
use serde_json::{Map, Value};

/// A probability, exact or estimated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Chance {
    /// The exact probability.
    Exact(Ratio),
    /// The probability is at least `least` and at most `least + bound`.
    Within {
        /// The lower bound.
        least: f64,
        /// The width of the range above `least`.
        bound: f64,
    },
    /// An estimate from random trials.
    Sampled {
        /// How many trials had the event.
        hits: u64,
        /// The number of trials.
        trials: u64,
    },
}

impl Chance {
    /// A probability with the given certainty.
    pub fn of(ratio: Ratio, certainty: Certainty) -> Chance {
        match certainty {
            Certainty::Exact => Chance::Exact(ratio),
            Certainty::Within(bound) => Chance::Within { least: ratio.to_f64(), bound },
            Certainty::Drawn(trials) => {
                Chance::Sampled { hits: (ratio.to_f64() * trials as f64).round() as u64, trials }
            }
        }
    }

    /// The fraction, a decimal number with twelve digits, or the 95 % confidence interval.
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

    /// The probability or its estimate as a number.
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Chance::Exact(ratio) => ratio.to_f64(),
            Chance::Within { least, .. } => least,
            Chance::Sampled { hits, trials } => hits as f64 / trials.max(1) as f64,
        }
    }

    /// Whether the probability is exactly 0.
    pub(crate) fn is_none(self) -> bool {
        self == Chance::Exact(Ratio::ZERO)
    }

    /// The probability as JSON. If it is not exact, the map holds its bound, or its interval and number of samples.
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

/// The certainty of a sum or product of two probabilities.
pub(crate) fn worst(a: Certainty, b: Certainty) -> Certainty {
    match (a, b) {
        (Certainty::Drawn(a), Certainty::Drawn(b)) => Certainty::Drawn(a.min(b)),
        (Certainty::Drawn(trials), _) | (_, Certainty::Drawn(trials)) => Certainty::Drawn(trials),
        (Certainty::Within(a), Certainty::Within(b)) => Certainty::Within(a + b),
        (Certainty::Within(bound), _) | (_, Certainty::Within(bound)) => Certainty::Within(bound),
        (Certainty::Exact, Certainty::Exact) => Certainty::Exact,
    }
}

/// The line to print below probabilities that are not exact; empty for exact ones.
pub(crate) fn note(certainty: Certainty) -> String {
    match certainty {
        Certainty::Exact => String::new(),
        Certainty::Within(bound) => format!(
            "(each probability can be up to {bound:.1e} higher, because endless turns are cut off; roll_until() \
             gives exact results)\n"
        ),
        Certainty::Drawn(trials) => {
            format!(
                "(estimated from {trials} random turns, because there are too many rolls; 95% confidence intervals)\n"
            )
        }
    }
}
