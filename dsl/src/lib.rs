//! Astragal's scripts and notations: from the text of a variant to something the engine can play.
//!
//! [`library`] finds scripts, [`load()`] makes variants of them, [`check()`] says what is wrong with
//! them, [`profile()`](profile::profile) what their rules cost, [`notation`] reads and writes positions,
//! moves, dice, movement and records, [`words`] says in texts what a game waits for, [`coverage`] what of a
//! script has been run, [`symmetry`] exchanges colours, [`view`] what one side may know of it, [`question`]
//! answers what people ask in the language of scripts, [`record`] writes games down and reads them again.
//! [`disk`] and [`printable`] guard against files and texts of strangers.

pub mod branches;
pub mod check;
pub mod constants;
pub mod coverage;
pub mod diagnostic;
pub mod disk;
pub mod explain;
mod functions;
mod host;
mod import;
mod information;
pub mod library;
pub mod load;
mod loader;
mod locked;
pub mod manual;
pub mod midturn;
pub mod notation;
pub mod printable;
pub mod profile;
pub mod question;
pub mod record;
pub mod rulebook;
pub mod symmetry;
pub mod view;
pub mod words;

pub use branches::Branches;
pub use check::{blame, check, summary};
pub use diagnostic::{Diagnostic, LoadError, Severity};
pub use host::declare::OptionDef;
pub use library::Source;
pub use load::Loaded;
pub use loader::{load, load_named, load_noting, load_with};
