//! Scripts that come with the program, and scripts from files.
//!
//! The scripts of `variants/` are compiled into the program by the build script, so that it runs from
//! anywhere; a path is read from disk.

use crate::diagnostic::LoadError;
use crate::notation::nearest;
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// A script's text and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file's stem: the variant's name.
    pub name: String,
    /// The file, if it was read from disk.
    pub path: Option<PathBuf>,
    /// The text.
    pub text: String,
}

impl Source {
    /// What to call the script in messages.
    pub fn file(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => format!("{}.rhai", self.name),
        }
    }
}

/// The names of the variants that come with the program, sorted.
pub fn names() -> Vec<&'static str> {
    BUNDLED.iter().map(|(name, _)| *name).collect()
}

/// A script that comes with the program.
pub fn bundled(name: &str) -> Option<Source> {
    let (name, text) = BUNDLED.iter().find(|(n, _)| *n == name)?;
    Some(Source { name: (*name).into(), path: None, text: (*text).into() })
}

/// The largest script file that is read, in bytes.
const MAX_FILE: u64 = 64 * 1024;

/// Finds a script: a bundled one by name, or a file by path (anything with a slash or ending in
/// `.rhai`).
///
/// # Errors
/// If there is no such script or the file cannot be read.
pub fn resolve(name_or_path: &str) -> Result<Source, LoadError> {
    if let Some(source) = bundled(name_or_path) {
        return Ok(source);
    }
    let path = Path::new(name_or_path);
    let is_path = name_or_path.ends_with(".rhai") || name_or_path.contains('/') || path.is_file();
    if !is_path {
        let nearest = nearest(name_or_path, names()).map(String::from);
        return Err(LoadError::NotFound { name: name_or_path.into(), nearest });
    }
    let io = |message: String| LoadError::Io { path: name_or_path.into(), message };
    let data = std::fs::metadata(path).map_err(|e| io(e.to_string()))?;
    if !data.is_file() {
        // A device or a pipe may never end, and the server is told names by strangers.
        return Err(io("it is not a file".into()));
    }
    if data.len() > MAX_FILE {
        return Err(io(format!("a script has at most {MAX_FILE} bytes, this has {}", data.len())));
    }
    let mut text = std::fs::read_to_string(path).map_err(|e| io(e.to_string()))?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    let name = path.file_stem().map_or_else(|| name_or_path.into(), |stem| stem.to_string_lossy().into_owned());
    Ok(Source { name, path: Some(path.to_path_buf()), text })
}
