//! Positions drawn for people: as lines of text and as vector pictures.

pub mod board;
mod intersections;
mod numbers;
pub mod sidebar;
pub mod svg;
