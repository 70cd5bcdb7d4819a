//! Corrects the p-values of many comparisons at once.

use serde::{Deserialize, Serialize};

/// A method to correct p-values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// S. Holm (1979): in 95 of 100 such tables there is no false difference.
    #[default]
    Holm,
    /// Y. Benjamini and Y. Hochberg (1995): on average at most 5 % of the reported differences are false.
    BenjaminiHochberg,
}

impl Correction {
    /// The adjusted p-values, in the same order.
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
        let (count, mut adjusted) = (p.len() as f64, vec![0.0; p.len()]);
        match self {
            Correction::Holm => {
                let mut most = 0.0_f64;
                for (rank, &at) in order.iter().enumerate() {
                    most = most.max(p[at] * (count - rank as f64)).min(1.0);
                    adjusted[at] = most;
                }
            }
            Correction::BenjaminiHochberg => {
                let mut least = 1.0_f64;
                for (rank, &at) in order.iter().enumerate().rev() {
                    least = least.min(p[at] * count / (rank as f64 + 1.0));
                    adjusted[at] = least;
                }
            }
        }
        adjusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Benjamini and Hochberg (1995), section 3.2: their method finds differences in the first four of 15 p-values at 5 %,
    /// Holm's and Bonferroni's in the first three.
    #[test]
    fn the_example_of_benjamini_and_hochberg() {
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0,
        ];
        let found = |by: Correction| by.adjust(&p).iter().filter(|&&p| p <= 0.05).count();
        assert_eq!(found(Correction::BenjaminiHochberg), 4);
        assert_eq!(found(Correction::Holm), 3);
    }

    /// The results of R's p.adjust for these values.
    #[test]
    fn as_r_adjusts() {
        let p = [0.01, 0.04, 0.03, 0.005];
        let near = |found: Vec<f64>, wanted: [f64; 4]| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(Correction::Holm.adjust(&p), [0.03, 0.06, 0.06, 0.02]));
        assert!(near(Correction::BenjaminiHochberg.adjust(&p), [0.02, 0.04, 0.04, 0.02]));
        assert!(Correction::Holm.adjust(&[]).is_empty());
    }
}
