//! Intervals for proportions: what so many successes in so many trials say about the true chance.

use std::fmt;

/// The quantile of the normal distribution that leaves 2.5 % on each side.
const Z: f64 = 1.959_963_984_540_054;

/// An interval that contains the true chance in 95 of 100 cases (E. B. Wilson, 1927).
///
/// ```
/// use astragal_computer::Interval;
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
    use super::Interval;

    /// The ends solve (p - x)^2 = z^2 x (1 - x) / n, which is how the interval is defined.
    #[test]
    fn the_ends_solve_the_equation() {
        for (hits, trials) in [(1, 10), (5, 10), (95, 100), (3, 7), (400, 1000)] {
            let (p, n) = (hits as f64 / trials as f64, trials as f64);
            let interval = Interval::wilson(hits, trials);
            for x in [interval.low, interval.high] {
                let off = (p - x).powi(2) - super::Z * super::Z * x * (1.0 - x) / n;
                assert!(off.abs() < 1e-12, "{hits}/{trials}: {x}");
            }
            assert!(interval.low < p && p < interval.high);
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
