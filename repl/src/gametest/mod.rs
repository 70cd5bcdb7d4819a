//! Tests of rule scripts on disk: game files are found, read and written, and what they come to is compared with the
//! snapshot accepted before. What a game file means is the affair of [`astragal_service::gametest`].

pub mod find;
pub mod scripts;
pub mod snapshot;
pub(crate) mod write;
