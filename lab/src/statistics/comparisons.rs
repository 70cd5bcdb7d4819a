//! Many comparisons at once: what is left of their p-values.

use serde::{Deserialize, Serialize};

/// How p-values are corrected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// Of S. Holm (1979): in 95 of 100 such tables nothing is taken for a difference that is none.
    #[default]
    Holm,
    /// Of Y. Benjamini and Y. Hochberg (1995): of what is taken for a difference, at most 5 % on average is none.
    BenjaminiHochberg,
}

impl Correction {
    /// The p-values as they are to be judged, in the same order.
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

    /// Benjamini and Hochberg (1995), section 3.2: of 15 p-values their method takes the first four for differences at 5 %,
    /// Holm's and Bonferroni's the first three.
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

    /// What R's p.adjust gives for these.
    #[test]
    fn as_r_adjusts() {
        let p = [0.01, 0.04, 0.03, 0.005];
        let near = |found: Vec<f64>, wanted: [f64; 4]| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(Correction::Holm.adjust(&p), [0.03, 0.06, 0.06, 0.02]));
        assert!(near(Correction::BenjaminiHochberg.adjust(&p), [0.02, 0.04, 0.04, 0.02]));
        assert!(Correction::Holm.adjust(&[]).is_empty());
    }
}
