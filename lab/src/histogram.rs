//! Histograms of numbers: they add up exactly, and provide mean, deviation and quantiles.

use crate::statistics::{Estimate, Z, estimate};
use serde::{Deserialize, Serialize};

/// Counts of small numbers. Memory is proportional to the largest number.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub struct Histogram {
    /// By number; the last is not 0.
    counts: Vec<u64>,
}

impl From<Vec<(u64, u64)>> for Histogram {
    fn from(pairs: Vec<(u64, u64)>) -> Histogram {
        let mut histogram = Histogram::default();
        pairs.into_iter().for_each(|(number, times)| histogram.add_times(number, times));
        histogram
    }
}

impl From<Histogram> for Vec<(u64, u64)> {
    fn from(histogram: Histogram) -> Vec<(u64, u64)> {
        histogram.pairs().collect()
    }
}

impl Histogram {
    /// Counts a number. Numbers beyond a million count as a million.
    #[inline]
    pub fn add(&mut self, number: u64) {
        self.add_times(number, 1);
    }

    fn add_times(&mut self, number: u64, times: u64) {
        if times == 0 {
            return;
        }
        let index = number.min(1_000_000) as usize;
        if self.counts.len() <= index {
            self.counts.resize(index + 1, 0);
        }
        self.counts[index] += times;
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        other.pairs().for_each(|(number, times)| self.add_times(number, times));
    }

    /// The counted numbers in order, each with its count.
    pub fn pairs(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counts.iter().enumerate().filter(|(_, times)| **times > 0).map(|(number, &times)| (number as u64, times))
    }

    /// The values in ranges of equal width, for a picture: at most `ranges` of them, with a width of 1, 2 or 5 times a power
    /// of ten. Returns the width, and the least number of each range with its count; ranges between two others may be empty.
    ///
    /// # Panics
    /// If `ranges` is 0.
    pub fn ranges(&self, ranges: u64) -> (u64, Vec<(u64, u64)>) {
        assert!(ranges > 0, "at least one range is needed");
        let (Some(most), Some((least, _))) = (self.most(), self.pairs().next()) else { return (1, Vec::new()) };
        let widths = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
        let width = widths.take(18).find(|width| most / width - least / width < ranges).unwrap_or(1_000_000);
        let mut counts: Vec<(u64, u64)> = (least / width..=most / width).map(|range| (range * width, 0)).collect();
        for (number, times) in self.pairs() {
            counts[(number / width - least / width) as usize].1 += times;
        }
        (width, counts)
    }

    /// The number of values counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The sum of all values.
    pub fn sum(&self) -> u128 {
        self.pairs().map(|(number, times)| u128::from(number) * u128::from(times)).sum()
    }

    fn squares(&self) -> u128 {
        self.pairs().map(|(number, times)| u128::from(number) * u128::from(number) * u128::from(times)).sum()
    }

    /// The mean; `None` if nothing was counted.
    pub fn mean(&self) -> Option<Estimate> {
        estimate::mean(self.count(), self.sum() as f64, self.squares() as f64)
    }

    /// The standard deviation of the numbers; `None` if nothing was counted.
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        Some(if mean.error.is_nan() { 0.0 } else { mean.error * (self.count() as f64).sqrt() })
    }

    /// The least number that is not exceeded by this share of all values; `None` if nothing was counted.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        self.at_rank((share * self.count() as f64).ceil().max(1.0))
    }

    /// The 95 % interval of a quantile, for any distribution: the numbers at two ranks (M. J. Campbell and M. J. Gardner,
    /// British Medical Journal 296, 1988). `None` if there are too few values.
    pub fn quantile_interval(&self, share: f64) -> Option<(u64, u64)> {
        self.quantile_interval_of(share, self.count() as f64)
    }

    /// The same for dependent values, such as those of one game, that are worth this many `independent` ones.
    pub fn quantile_interval_of(&self, share: f64, independent: f64) -> Option<(u64, u64)> {
        let (n, half) = (independent, Z * (independent * share * (1.0 - share)).sqrt());
        let (low, high) = ((n * share - half).round(), (n * share + half + 1.0).round());
        if low < 1.0 || high > n {
            return None;
        }
        let all = self.count() as f64 / n;
        Some((self.at_rank(low * all)?, self.at_rank(high * all)?))
    }

    /// The number at a rank, from 1.
    fn at_rank(&self, rank: f64) -> Option<u64> {
        let mut passed = 0;
        self.pairs()
            .find(|(_, times)| {
                passed += times;
                passed as f64 >= rank
            })
            .map(|(number, _)| number)
    }

    /// The greatest number; `None` if nothing was counted.
    pub fn most(&self) -> Option<u64> {
        self.counts.len().checked_sub(1).map(|most| most as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_round_widths() {
        let of = |numbers: &[u64], most| {
            let mut histogram = Histogram::default();
            numbers.iter().for_each(|&number| histogram.add(number));
            histogram.ranges(most)
        };
        assert_eq!(of(&[], 3), (1, vec![]));
        assert_eq!(of(&[7, 9, 9], 3), (1, vec![(7, 1), (8, 0), (9, 2)]));
        assert_eq!(of(&[7, 9, 10], 3), (2, vec![(6, 1), (8, 1), (10, 1)]));
        // Eleven ranges of five would not fit.
        assert_eq!(of(&[3, 44, 45, 52], 10), (10, vec![(0, 1), (10, 0), (20, 0), (30, 0), (40, 2), (50, 1)]));
        assert_eq!(of(&[300_000, 900_000], 1), (1_000_000, vec![(0, 2)]));
    }

    /// The ranks from tables of the interval of a median, as in Conover's Practical Nonparametric Statistics: for 10 values
    /// the second and the ninth, and so on; fewer than 6 values have none.
    #[test]
    fn ranks_around_the_median() {
        for (count, ranks) in [
            (5, None),
            (6, Some((1, 6))),
            (10, Some((2, 9))),
            (20, Some((6, 15))),
            (50, Some((18, 33))),
            (100, Some((40, 61))),
        ] {
            let mut histogram = Histogram::default();
            (1..=count).for_each(|number| histogram.add(number));
            assert_eq!(histogram.quantile_interval(0.5), ranks, "{count}");
        }
    }

    /// Each value four times, and only worth as much as once: the ranks are those of the single values.
    #[test]
    fn ranks_of_numbers_that_belong_together() {
        let mut histogram = Histogram::default();
        (1..=20).for_each(|number| (0..4).for_each(|_| histogram.add(number)));
        assert_eq!(histogram.quantile_interval_of(0.5, 20.0), Some((6, 15)));
        assert_eq!(histogram.quantile_interval(0.5), Some((8, 13)));
        assert_eq!(histogram.quantile_interval_of(0.5, 5.0), None);
    }

    #[test]
    fn figures_of_a_few_numbers() {
        let mut histogram = Histogram::default();
        assert_eq!((histogram.mean(), histogram.quantile(0.5), histogram.most()), (None, None, None));
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|number| histogram.add(number));
        assert_eq!((histogram.count(), histogram.sum(), histogram.most()), (8, 40, Some(9)));
        assert_eq!([0.05, 0.5, 0.95].map(|share| histogram.quantile(share)), [Some(2), Some(4), Some(9)]);
        assert!((histogram.deviation().unwrap() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        let text = serde_json::to_string(&histogram).unwrap();
        assert_eq!(text, "[[2,1],[4,3],[5,2],[7,1],[9,1]]");
        let mut read: Histogram = serde_json::from_str(&text).unwrap();
        assert_eq!(read, histogram);
        read.merge(&histogram);
        assert_eq!((read.count(), read.sum()), (16, 80));
    }
}
