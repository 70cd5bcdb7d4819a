//! What counts prove: intervals for shares, means and ratios, sequential tests, corrections for many comparisons.
//!
//! Everything here is a function of numbers: it knows no game, no thread and no random number but those that it is given.
//! The formulas are checked against published values, never against what they gave before.

pub mod bootstrap;
pub mod comparisons;
pub mod estimate;
pub mod normal;
pub mod sequential;
mod wilson;

pub use estimate::{Estimate, RatioSums, SignedSums};
pub use wilson::Interval;

/// The quantile of the normal distribution that leaves 2.5 % on each side.
pub const Z: f64 = 1.959_963_984_540_054;
