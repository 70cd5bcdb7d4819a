//! What every door to the engine needs: a terminal, a browser, Python, an editor.
//!
//! JSON-RPC methods as a function from request to answer, analysis, drawings, and tests of scripts. It knows no terminal, no
//! standard input, no signal and no thread, and builds for `wasm32-unknown-unknown`; it contains no rule of any game.

#![warn(unreachable_pub)]

pub mod analysis;
pub mod analysis_text;
pub mod diagnostics;
pub mod digest;
pub mod drawing;
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
