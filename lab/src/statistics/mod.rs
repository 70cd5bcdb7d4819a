//! The significance of counts: intervals for shares, means and ratios, sequential tests, corrections for many comparisons.
//!
//! Everything here is a function of numbers. It knows no games or threads, and no random numbers except those it receives.
//! The formulas are checked against published values, never against their own earlier results.

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
