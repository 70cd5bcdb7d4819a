//! Where the games of a session are saved, and whether that has failed.

use super::journal::Journal;
use std::path::PathBuf;

/// Where the games of a session are saved.
#[derive(Default)]
pub(super) struct Autosave {
    /// The folder; without one, games are not saved.
    pub folder: Option<PathBuf>,
    pub journal: Option<Journal>,
    /// Whether the last attempt to write it failed.
    pub(super) failed: bool,
    /// Whether an earlier game of the session could not be saved.
    pub(super) lost: bool,
}

impl Autosave {
    pub(super) fn new(folder: Option<PathBuf>) -> Autosave {
        Autosave { folder, ..Autosave::default() }
    }
}
