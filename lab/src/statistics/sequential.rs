//! A test that stops as soon as the answer is clear: the generalized sequential probability ratio test (GSPRT).

use serde::{Deserialize, Serialize};

/// Tests whether the mean of some scores is `low` or `high`, by the normal approximation of the likelihood ratio
/// (M. Van den Bergh, "A practical introduction to the GSPRT"): N (high - low) (2 m - low - high) / (2 v). Scores, or
/// differences of scores, lie between -1 and 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sequential {
    /// The mean under the first hypothesis.
    pub low: f64,
    /// The mean under the second one.
    pub high: f64,
    /// The chance to accept the second hypothesis if the first is true.
    pub alpha: f64,
    /// The chance to accept the first hypothesis if the second is true.
    pub beta: f64,
}

/// The verdict so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Neither.
    Open,
    /// The mean is the lower one.
    Low,
    /// The mean is the higher one.
    High,
}

/// The number of scores required before the variance is trusted.
const FEWEST: u64 = 20;

impl Sequential {
    /// The bounds of the logarithm of the likelihood ratio (A. Wald, 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio after `count` scores with this mean and variance.
    pub fn ratio(&self, count: u64, mean: f64, variance: f64) -> f64 {
        // Assumes that both extremes had been seen once more (Laplace's rule): equal scores show little about their
        // variance, but not nothing. If scores differ from 0 with chance `high`, the test wrongly accepts 0 after no
        // difference in N with chance (1 - high)^N; here N is 2 sqrt(ln((1 - alpha) / beta)) / high, so for a beta of 0.05
        // that chance is below 0.04.
        let variance = variance.max(2.0 / count.max(1) as f64);
        count as f64 * (self.high - self.low) * (2.0 * mean - self.low - self.high) / (2.0 * variance)
    }

    /// The verdict after `count` scores with this mean and variance.
    pub fn verdict(&self, count: u64, mean: f64, variance: f64) -> Verdict {
        let (low, high) = self.bounds();
        match self.ratio(count, mean, variance) {
            _ if count < FEWEST => Verdict::Open,
            ratio if ratio >= high => Verdict::High,
            ratio if ratio <= low => Verdict::Low,
            _ => Verdict::Open,
        }
    }

    /// The average number of scores required if the mean is the higher one (Wald's approximation).
    pub fn expected(&self, variance: f64) -> f64 {
        let (low, high) = self.bounds();
        let drift = (self.high - self.low).powi(2) / (2.0 * variance);
        ((1.0 - self.beta) * high + self.beta * low) / drift
    }
}

/// The expected score of a player who is `elo` Elo points better.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Stream;

    fn against(elo: f64) -> Sequential {
        Sequential { low: 0.5, high: expected_score(elo), alpha: 0.05, beta: 0.05 }
    }

    /// Public tables for tests of 0 against an Elo difference, without draws, at 5 % and 5 %: 25,600 games for 5 Elo, 6,400
    /// for 10, 1,600 for 20, 260 for 50.
    #[test]
    fn published_numbers_of_games() {
        for (elo, games) in [(5.0, 25_600.0), (10.0, 6_400.0), (20.0, 1_600.0), (50.0, 260.0)] {
            let expected = against(elo).expected(0.25);
            assert!((expected / games - 1.0).abs() < 0.03, "{elo}: {expected}");
        }
        let (low, high) = against(5.0).bounds();
        assert!((high - 19.0_f64.ln()).abs() < 1e-12 && (low + high).abs() < 1e-12);
    }

    /// Equal scores end the test. By hand: N^2 0.02^2 / 4 exceeds ln(0.975 / 0.05) = 2.9704 from N = 173 on, and 0.98^173 =
    /// 0.0304 is less than the requested 5 %.
    #[test]
    fn scores_without_variance() {
        let test = Sequential { low: 0.0, high: 0.02, alpha: 0.025, beta: 0.05 };
        assert_eq!((test.verdict(172, 0.0, 0.0), test.verdict(173, 0.0, 0.0)), (Verdict::Open, Verdict::Low));
        assert!(0.98_f64.powi(173) < 0.05);
        assert_eq!((test.verdict(19, 1.0, 0.0), test.verdict(20, 1.0, 0.0)), (Verdict::Open, Verdict::High));
    }

    /// Simulated: errors are as rare as requested, and the number of games is about the expected one.
    #[test]
    fn played_out() {
        let test = against(50.0);
        for (truth, wrong) in [(test.low, Verdict::High), (test.high, Verdict::Low)] {
            let (mut errors, mut games) = (0, 0_u64);
            for trial in 0..400 {
                let mut random = Stream::new(trial, 5);
                let (mut wins, mut played) = (0_u64, 0_u64);
                let verdict = loop {
                    played += 1;
                    wins += u64::from(random.below(1 << 32) < (truth * (1_u64 << 32) as f64) as u64);
                    let mean = wins as f64 / played as f64;
                    match test.verdict(played, mean, mean * (1.0 - mean)) {
                        Verdict::Open => {}
                        verdict => break verdict,
                    }
                };
                errors += u64::from(verdict == wrong);
                games += played;
            }
            // At most 20 of 400 are expected; 35 would be more than three deviations above.
            assert!(errors < 35, "{errors} errors");
            let mean = games as f64 / 400.0;
            assert!((200.0..340.0).contains(&mean), "{mean} games");
        }
    }
}
