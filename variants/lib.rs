//! The scripts that come with the program, as texts, and the players that have been trained for some of them. Nothing here knows
//! what is in them.

include!(concat!(env!("OUT_DIR"), "/scripts.rs"));

/// The name of the variant that is played when none is named.
pub const DEFAULT: &str = include_str!("default.txt").trim_ascii();

/// What other programs call variants and their men; the file says how it is read.
pub const OTHER_NAMES: &str = include_str!("other-names.txt");
