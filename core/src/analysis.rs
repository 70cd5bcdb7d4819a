//! Facts that follow from a state without playing on: exact chances ([`odds`]), complete turns ([`turns`]) and counts of
//! moves ([`perft`]). [`ratio`] holds the fractions that chances are expressed in, and [`memory_limit`] the memory limit of
//! an analysis.
//!
//! Uses only the public interface of [`play`](crate::play); no module outside this one depends on it.

pub mod memory_limit;
pub mod odds;
pub mod perft;
pub(crate) mod ratio;
pub mod turns;
