//! A script's file as a session has last seen it, to notice edits.

use astragal_dsl::{Loaded, library};
use std::path::PathBuf;
use std::time::SystemTime;

/// A script's file as last seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    path: Option<PathBuf>,
    changed: Option<(SystemTime, u64)>,
    text: String,
}

impl Watch {
    /// The file of a script; `None` for bundled scripts.
    pub(super) fn of(loaded: &Loaded) -> Watch {
        let path = loaded.source.path.clone();
        Watch { changed: path.as_ref().and_then(stamp), path, text: loaded.source.text.clone() }
    }

    /// Whether the file differs from its last seen version; its modification time is checked first. A file that cannot be
    /// read or is empty (an editor may be writing it) does not count as changed.
    pub(super) fn has_changed(&mut self) -> bool {
        let Some(path) = &self.path else { return false };
        let Some(now) = stamp(path) else { return false };
        // Two writes within the clock's resolution have the same time, so recent files are always read.
        let recent = now.0.elapsed().is_ok_and(|age| age.as_secs() < 3);
        if self.changed == Some(now) && !recent {
            return false;
        }
        let Ok(source) = library::resolve(&path.to_string_lossy()) else { return false };
        // Editors may empty a file before they write it.
        if source.text.trim().is_empty() {
            return false;
        }
        self.changed = Some(now);
        let differs = source.text != self.text;
        self.text = source.text;
        differs
    }
}

fn stamp(path: &PathBuf) -> Option<(SystemTime, u64)> {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}
