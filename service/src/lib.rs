//! The functions that all interfaces to the engine share: terminal, browser, Python and editor.
//!
//! It contains JSON-RPC methods as a function from request to response, analysis, drawings, tests of scripts, and editor
//! support for those tests. It knows no terminal, standard input, signal or thread, and builds for
//! `wasm32-unknown-unknown`. It contains no rules of any game.

#![warn(unreachable_pub)]

pub mod analysis;
pub mod analysis_text;
pub mod diagnostics;
pub mod digest;
pub mod drawing;
pub mod editing;
pub mod encoding;
pub mod fair_dice;
pub mod gametest;
pub mod input;
pub mod interrupt;
mod leaflet;
pub mod report;
pub mod rpc;
pub mod variant_cache;

pub use leaflet::leaflet;
