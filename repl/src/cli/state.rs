//! The location of persistent data: saved games and the input history.

use std::path::PathBuf;

/// The state directory: the requested one, otherwise `ASTRAGAL_STATE`, otherwise that of the platform. `None` if the
/// environment names none.
pub(super) fn folder(asked: Option<&PathBuf>) -> Option<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = asked.cloned().or_else(|| var("ASTRAGAL_STATE")) {
        return Some(folder);
    }
    // The XDG convention requires that a relative path is ignored.
    let base = var("XDG_STATE_HOME").filter(|path| path.is_absolute()).or_else(|| match () {
        () if cfg!(windows) => var("LOCALAPPDATA"),
        () if cfg!(target_os = "macos") => var("HOME").map(|home| home.join("Library/Application Support")),
        () => var("HOME").map(|home| home.join(".local/state")),
    })?;
    Some(base.join("astragal"))
}
