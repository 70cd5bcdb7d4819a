//! What follows from a state without anybody playing on: exact chances ([`odds`]), complete turns ([`turns`]),
//! counts of moves ([`perft`]), and the fractions that they are said in ([`ratio`]).
//!
//! Uses [`play`](crate::play) from outside, as any caller could; nothing below knows of it.

pub mod odds;
pub mod perft;
pub(crate) mod ratio;
pub mod turns;
