//! Astragal's scripts and notations: from the text of a variant to rules that the engine can play.
//!
//! - [`library`] finds scripts, and [`load()`] turns them into variants.
//! - [`check()`] reports their problems, [`profile()`](profile::profile) the cost of their rules, and [`coverage`] which
//!   parts of them have run.
//! - [`debugger`] stops rules on their lines.
//! - [`notation`] reads and writes positions, moves, dice, movement and records.
//! - [`game_text`] describes in texts what a game waits for.
//! - [`symmetry`] swaps colors, and [`view`] shows what a side may know of a game.
//! - [`question`] answers questions written in the script language.
//! - [`record`] writes games and reads them again.
//! - [`disk`] and [`printable`] guard against untrusted files and texts.

#![warn(unreachable_pub)]

pub mod call_text;
mod cells;
mod check;
mod constants;
pub mod coverage;
pub mod coverage_report;
pub mod debugger;
mod diagnostic;
pub mod disk;
pub mod explain;
mod functions;
pub mod game_text;
mod host;
mod import;
mod information;
pub mod library;
mod load;
mod loader;
mod locked;
pub mod manual;
pub mod masked;
mod node_place;
pub mod notation;
mod optional_code;
pub mod printable;
pub mod profile;
pub mod question;
pub mod record;
pub mod rulebook;
pub mod symmetry;
pub mod syntax;
mod tree_growth;
pub mod turn_state_text;
mod variations;
pub mod view;
pub mod vocabulary;

pub use self::{
    check::{
        awards_points, blame, check, check_in_stages, check_under, counts_history, limit_threads, repaired, summary,
    },
    constants::Constant,
    diagnostic::{Code, Diagnostic, Fix, Layout, LoadError, Severity, render_all},
    host::convert::squares_from_text,
    host::declare::OptionDef,
    host::engine::stretch_time,
    library::Source,
    load::Loaded,
    loader::{load, load_debugging, load_named, load_noting, load_with},
    variations::{Steps, Variations},
};
