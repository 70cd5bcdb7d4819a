//! Positions drawn for people: as lines of text and as vector pictures.

pub mod board;
mod numbers;
pub mod panel;
mod points;
pub mod svg;
