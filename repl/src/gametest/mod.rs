//! Tests of rule scripts on disk: finds, reads and writes game files, and compares their results with the accepted
//! snapshots. [`astragal_service::gametest`] owns the meaning of game files.

pub mod find;
pub mod scripts;
pub mod snapshot;
pub(crate) mod write;
