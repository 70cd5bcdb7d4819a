//! Intervals for proportions: bounds of the true chance, given the number of successes in a number of trials.

use super::{Estimate, Z};
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
    /// The interval for `hits` successes in `trials`; from 0 to 1 if there are no trials.
    pub fn wilson(hits: u64, trials: u64) -> Interval {
        if trials == 0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        Interval::of_share(hits as f64 / trials as f64, trials as f64)
    }

    /// The interval for a share of dependent events, such as the turns of games: that of as many independent trials as have
    /// the same error (the effective sample size of L. Kish, 1965; with Wilson's interval, as compared by C. Franco and
    /// others, 2019). If the error is 0 or not known, a game counts as one trial.
    pub fn of_games(share: &Estimate, games: u64) -> Interval {
        let (p, variance) = (share.value.clamp(0.0, 1.0), share.error * share.error);
        match variance > 0.0 && p > 0.0 && p < 1.0 {
            true => Interval::of_share(p, p * (1.0 - p) / variance),
            false if games == 0 => Interval { low: 0.0, high: 1.0 },
            false => Interval::of_share(p, games as f64),
        }
    }

    /// The interval for the lead: the share of the first of three results (won, lost or neither) minus the average share of
    /// each of the `others`, who split the second result. The two Wilson intervals are combined according to their
    /// correlation (R. G. Newcombe, Statistics in Medicine 17, 1998, paired differences; for a part of the second G. Y. Zou
    /// and A. Donner, Statistics in Medicine 27, 2008). With one other and no third result, it is twice Wilson's interval
    /// minus one.
    pub fn of_lead(won: u64, lost: u64, others: usize, games: u64) -> (f64, f64) {
        let (n, first, second) = (games.max(1) as f64, Interval::wilson(won, games), Interval::wilson(lost, games));
        let (p, q) = (won as f64 / n, lost as f64 / n);
        let product = (1.0 - p) * (1.0 - q);
        // In the limit of a single result, each share determines the other.
        let correlation = if product > 0.0 { -(p * q / product).sqrt() } else { -1.0 };
        let side = |a: f64, b: f64| (a * a - 2.0 * correlation * a * b + b * b).max(0.0).sqrt();
        let each = 1.0 / others.max(1) as f64;
        let lead = p - q * each;
        let low = lead - side(p - first.low, (second.high - q) * each);
        let high = lead + side(first.high - p, (q - second.low) * each);
        (low.max(-1.0), high.min(1.0))
    }

    fn of_share(p: f64, n: f64) -> Interval {
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
    use super::{Estimate, Interval, Z};

    /// A lead over each of several others, who share the rest equally: without third results, there is no lead exactly
    /// where Wilson's interval of the share ends at an equal share.
    #[test]
    fn a_lead_over_several_is_over_each_of_them() {
        for (won, games, others) in [(40, 120, 2), (31, 90, 2), (100, 600, 5), (0, 20, 3), (20, 20, 3)] {
            let (share, part) = (Interval::wilson(won, games), 1.0 / f64::from(others));
            let lead = |share: f64| share - (1.0 - share) * part;
            let (low, high) = Interval::of_lead(won, games - won, others as usize, games);
            assert!((low - lead(share.low)).abs() < 1e-12 && (high - lead(share.high)).abs() < 1e-12, "{won} {games}");
            assert!(lead(1.0 / f64::from(others + 1)).abs() < 1e-12);
        }
    }

    /// The ends solve (p - x)^2 = z^2 x (1 - x) / n, the definition of the interval.
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

    /// Half-widths at one half from tables of opinion polls, and the upper end after no success in a thousand.
    #[test]
    fn published_values() {
        for (trials, half) in [(100, 0.098), (400, 0.049), (1_000, 0.031), (10_000, 0.009_8), (100_000, 0.003_1)] {
            let interval = Interval::wilson(trials / 2, trials);
            let found = (interval.high - interval.low) / 2.0;
            // Tables use Wald's simpler interval, which is a little wider for small samples.
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

    /// An error equal to that of independent trials gives their interval, whatever the number of games. Without an error, a
    /// game is a trial.
    #[test]
    fn shares_over_games() {
        let p: f64 = 81.0 / 263.0;
        let interval = Interval::of_games(&Estimate { value: p, error: (p * (1.0 - p) / 263.0).sqrt() }, 7);
        assert!((interval.low - 0.2553).abs() < 5e-5 && (interval.high - 0.3662).abs() < 5e-5, "{interval:?}");
        for error in [0.0, f64::NAN] {
            assert_eq!(Interval::of_games(&Estimate { value: 0.0, error }, 20), Interval::wilson(0, 20));
            assert_eq!(Interval::of_games(&Estimate { value: 0.5, error }, 20), Interval::wilson(10, 20));
        }
    }

    /// Without draws it is Wilson's interval on another scale. Computed by hand for 20 draws: Wilson's upper end for 0 of
    /// 20 is 0.1611 (Newcombe's table), on both sides.
    #[test]
    fn leads() {
        for (won, games) in [(20, 20), (13, 20), (0, 9)] {
            let (low, high) = Interval::of_lead(won, games - won, 1, games);
            let wilson = Interval::wilson(won, games);
            assert!((low - (2.0 * wilson.low - 1.0)).abs() < 1e-9 && (high - (2.0 * wilson.high - 1.0)).abs() < 1e-9);
        }
        let (low, high) = Interval::of_lead(0, 0, 1, 20);
        assert!((low + 0.1611).abs() < 5e-5 && (high - 0.1611).abs() < 5e-5, "{low} {high}");
    }

    #[test]
    fn certainty_needs_trials() {
        assert_eq!(Interval::wilson(0, 0), Interval { low: 0.0, high: 1.0 });
        let all = Interval::wilson(20, 20);
        assert!(all.high == 1.0 && all.low > 0.8 && all.low < 0.85, "{all}");
        assert!(Interval::wilson(0, 20).low.abs() < 1e-12);
    }
}
