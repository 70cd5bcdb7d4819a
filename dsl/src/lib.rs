//! What surrounds the engine: the notations of games, and the host of rule scripts.

pub mod notation;
