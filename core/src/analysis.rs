//! What follows from a state without anybody playing on: exact chances ([`odds`]), complete turns ([`turns`]),
//! counts of moves ([`perft`]), the fractions that they are said in ([`ratio`]), and the memory that they take ([`room`]).
//!
//! Uses [`play`](crate::play) from outside, as any caller could; nothing below knows of it.

pub mod odds;
pub mod perft;
pub(crate) mod ratio;
pub mod room;
pub mod turns;
