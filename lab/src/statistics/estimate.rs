//! Means and ratios of sums with their standard errors, from integers that add up exactly.

use super::Z;
use serde::{Deserialize, Serialize};

/// A number with its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error; NaN if it is undefined, as after one game.
    pub error: f64,
}

impl Estimate {
    /// The lower end of the 95 % interval.
    pub fn low(&self) -> f64 {
        self.value - Z * self.error
    }

    /// The upper end of the 95 % interval.
    pub fn high(&self) -> f64 {
        self.value + Z * self.error
    }

    /// The estimate multiplied by a factor.
    pub fn times(&self, factor: f64) -> Estimate {
        Estimate { value: self.value * factor, error: self.error * factor.abs() }
    }

    /// The difference to another, independent estimate.
    pub fn less(&self, other: &Estimate) -> Estimate {
        Estimate { value: self.value - other.value, error: self.error.hypot(other.error) }
    }
}

/// Sums of pairs of counts, one pair for each game, for the ratio of their totals: lost turns to turns, for example.
///
/// Events within a game are not independent: the error follows from the differences between games (the ratio estimator of
/// Cochran, Sampling Techniques, chapter 6), not from the number of turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RatioSums {
    /// The number of games.
    pub games: u64,
    /// The sum of the numerators.
    pub above: u64,
    /// The sum of the denominators.
    pub below: u64,
    above_squared: u128,
    below_squared: u128,
    product: u128,
}

impl RatioSums {
    /// Adds the counts of one game.
    #[inline]
    pub fn add(&mut self, above: u64, below: u64) {
        self.games += 1;
        self.above += above;
        self.below += below;
        self.above_squared += u128::from(above) * u128::from(above);
        self.below_squared += u128::from(below) * u128::from(below);
        self.product += u128::from(above) * u128::from(below);
    }

    /// Adds the counts of other games.
    pub fn merge(&mut self, other: &RatioSums) {
        self.games += other.games;
        self.above += other.above;
        self.below += other.below;
        self.above_squared += other.above_squared;
        self.below_squared += other.below_squared;
        self.product += other.product;
    }

    /// The ratio; `None` if the denominator is zero.
    pub fn ratio(&self) -> Option<Estimate> {
        if self.below == 0 {
            return None;
        }
        let (games, ratio) = (self.games as f64, self.above as f64 / self.below as f64);
        let squares =
            self.above_squared as f64 - 2.0 * ratio * self.product as f64 + ratio * ratio * self.below_squared as f64;
        let mean = self.below as f64 / games;
        let error = (squares.max(0.0) / (games * (games - 1.0))).sqrt() / mean;
        Some(Estimate { value: ratio, error: if self.games > 1 { error } else { f64::NAN } })
    }
}

/// The sum of one signed number per game, and of its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SignedSums {
    /// The number of games.
    pub games: u64,
    /// The sum.
    pub sum: i64,
    squares: u128,
}

impl SignedSums {
    /// Adds the number of one game.
    pub fn add(&mut self, value: i64) {
        self.games += 1;
        self.sum = self.sum.saturating_add(value);
        self.squares = self.squares.saturating_add(u128::from(value.unsigned_abs()).pow(2));
    }

    /// Adds the numbers of other games.
    pub fn merge(&mut self, other: &SignedSums) {
        self.games += other.games;
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// The mean; `None` if there are no games.
    pub fn mean(&self) -> Option<Estimate> {
        mean(self.games, self.sum as f64, self.squares as f64)
    }
}

/// The mean of a sample and its standard error, from the number, the sum and the sum of squares.
pub fn mean(count: u64, sum: f64, squares: f64) -> Option<Estimate> {
    let n = count as f64;
    let value = (count > 0).then(|| sum / n)?;
    let variance = (squares / n - value * value).max(0.0) * n / (n - 1.0);
    Some(Estimate { value, error: if count > 1 { (variance / n).sqrt() } else { f64::NAN } })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand: ratio 12/20; residuals 0.2, -0.4, 0.2, so the error is sqrt(0.24 / 6) / (20 / 3).
    #[test]
    fn a_ratio_worked_by_hand() {
        let mut sums = RatioSums::default();
        for (above, below) in [(2, 3), (5, 9), (5, 8)] {
            sums.add(above, below);
        }
        let found = sums.ratio().unwrap();
        assert!((found.value - 0.6).abs() < 1e-12);
        assert!((found.error - (0.24_f64 / 6.0).sqrt() / (20.0 / 3.0)).abs() < 1e-12, "{}", found.error);
        let mut halves = [RatioSums::default(); 2];
        halves[0].add(2, 3);
        halves[1].add(5, 9);
        halves[1].add(5, 8);
        let [mut first, second] = halves;
        first.merge(&second);
        assert_eq!(first, sums);
        assert_eq!(RatioSums::default().ratio(), None);
    }

    /// Of 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sample variance 32/7.
    #[test]
    fn a_mean_worked_by_hand() {
        let found = mean(8, 40.0, 232.0).unwrap();
        assert!((found.value - 5.0).abs() < 1e-12 && (found.error - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert!(mean(1, 3.0, 9.0).unwrap().error.is_nan());
    }
}
