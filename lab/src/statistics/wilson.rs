//! Intervals for proportions: what so many successes in so many trials say about the true chance.

use super::Z;
use std::fmt;

/// An interval that contains the true chance in 95 of 100 cases (E. B. Wilson, 1927).
///
/// ```
/// use astragal_lab::Interval;
/// let interval = Interval::wilson(75, 100);
/// assert!((interval.low - 0.657).abs() < 0.001 && (interval.high - 0.825).abs() < 0.001);
/// assert_eq!(interval.to_string(), "65.7-82.5 %");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end, at least 0.
    pub low: f64,
    /// The upper end, at most 1.
    pub high: f64,
}

impl Interval {
    /// The interval for `hits` successes in `trials`; everything is possible after no trial.
    pub fn wilson(hits: u64, trials: u64) -> Interval {
        if trials == 0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let (n, p) = (trials as f64, hits as f64 / trials as f64);
        let z2 = Z * Z;
        let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}-{:.1} %", self.low * 100.0, self.high * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Interval, Z};

    /// The ends solve (p - x)^2 = z^2 x (1 - x) / n, which is how the interval is defined.
    #[test]
    fn the_ends_solve_the_equation() {
        for (hits, trials) in [(1, 10), (5, 10), (95, 100), (3, 7), (400, 1000)] {
            let (p, n) = (hits as f64 / trials as f64, trials as f64);
            let interval = Interval::wilson(hits, trials);
            for x in [interval.low, interval.high] {
                let off = (p - x).powi(2) - Z * Z * x * (1.0 - x) / n;
                assert!(off.abs() < 1e-12, "{hits}/{trials}: {x}");
            }
            assert!(interval.low < p && p < interval.high);
        }
    }

    /// Half-widths at one half as tables of opinion polls have them, and the upper end after no success in a thousand.
    #[test]
    fn published_values() {
        for (trials, half) in [(100, 0.098), (400, 0.049), (1_000, 0.031), (10_000, 0.009_8), (100_000, 0.003_1)] {
            let interval = Interval::wilson(trials / 2, trials);
            let found = (interval.high - interval.low) / 2.0;
            // Tables have the simpler interval of Wald, which is a little wider for small samples.
            assert!((found / half - 1.0).abs() < 0.02, "{trials}: {found}");
        }
        assert!((Interval::wilson(0, 1_000).high - 0.003_827).abs() < 1e-6);
        // Newcombe (1998), Statistics in Medicine 17, table I, method 3.
        for (hits, trials, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let interval = Interval::wilson(hits, trials);
            assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5, "{hits}/{trials}");
        }
    }

    #[test]
    fn certainty_needs_trials() {
        assert_eq!(Interval::wilson(0, 0), Interval { low: 0.0, high: 1.0 });
        let all = Interval::wilson(20, 20);
        assert!(all.high == 1.0 && all.low > 0.8 && all.low < 0.85, "{all}");
        assert!(Interval::wilson(0, 20).low.abs() < 1e-12);
    }
}
