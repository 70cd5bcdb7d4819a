//! Is this a good game? Simulation, comparison and analysis of variants, with honest intervals.
//!
//! An [`Experiment`] defines the games; [`run()`] plays them and sums them in a [`Tally`], which a [`Report`] presents.
//! [`statistics`] computes the significance of figures. Nothing here knows a terminal, only [`part_folder`] knows files,
//! and no variant is named here.
//!
//! Invariants: game `i` depends only on the experiment and on `i`. Tallies are integers and add up exactly, so that any
//! number of threads, processes and machines produce the same report to the byte.

#![warn(unreachable_pub)]

pub mod analyse;
pub mod compare;
pub mod evaluator;
mod experiment;
mod game;
mod hex;
pub mod histogram;
pub mod ladder;
pub mod learning;
pub mod lines;
pub mod luck;
mod met_dice;
mod names;
pub mod opponent;
pub mod part;
pub mod part_folder;
mod proof;
mod report;
mod row;
mod run;
pub mod solve;
pub mod statistics;
pub mod tally;

pub use experiment::{Experiment, LabError, MOST_PLIES, Open, Setting};
pub use game::LISTED;
pub use histogram::Histogram;
pub use names::grouped;
pub use report::{Report, Unit};
pub use row::Row;
pub use run::{Rows, Watch, run};
pub use statistics::Interval;
pub use tally::Tally;
