//! Accepted texts on disk, in the format of the `insta` snapshot library: YAML front matter, then the text. A changed text
//! waits next to it as `.snap.new`, where `cargo insta review` finds it, too.

use crate::atomic_write;
use astragal_dsl::disk;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The folder of snapshots, next to the game files.
pub(crate) const FOLDER: &str = "snapshots";

/// The largest snapshot that is read, in bytes.
const MOST: u64 = 16 << 20;

/// A snapshot: the source of its text, and the text without final line breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// The file that the text was made from.
    pub source: String,
    /// A short description.
    pub expression: String,
    /// The text.
    pub contents: String,
}

/// The path of the accepted text of a game file.
pub fn path_of(game: &Path) -> PathBuf {
    let stem = game.file_stem().map(|stem| stem.to_os_string()).unwrap_or_default();
    let mut name = stem;
    name.push(".snap");
    super::scripts::folder_of(game).join(FOLDER).join(name)
}

/// The path of a text that waits for review.
pub fn pending(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".new");
    name.into()
}

impl Snapshot {
    /// A snapshot of a text.
    pub fn new(source: &Path, expression: &str, contents: &str) -> Snapshot {
        let source = source.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Snapshot { source, expression: expression.into(), contents: contents.trim_end().into() }
    }

    /// The text of the file.
    pub fn write(&self) -> String {
        let (source, expression) = (quoted(&self.source), quoted(&self.expression));
        format!("---\nsource: {source}\nexpression: {expression}\n---\n{}\n", self.contents)
    }

    /// Parses the text of a file; unknown keys are skipped.
    ///
    /// # Errors
    /// If it is not in this format.
    pub fn parse(text: &str) -> Result<Snapshot, String> {
        let text = text.replace("\r\n", "\n");
        let expected = "expected '---', lines such as 'source: my.game', '---' and the recorded result";
        let rest = text.strip_prefix("---\n").ok_or(expected)?;
        let (head, contents) = match rest.strip_prefix("---\n") {
            Some(contents) => ("", contents),
            None => rest.split_once("\n---\n").ok_or(expected)?,
        };
        let value = |key: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
            line.map(|value| unquoted(value.trim())).unwrap_or_default()
        };
        let (source, expression) = (value("source"), value("expression"));
        Ok(Snapshot { source, expression, contents: contents.trim_end().into() })
    }

    /// Reads a file; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read or is not in this format.
    pub fn read(path: &Path) -> io::Result<Option<Snapshot>> {
        let named = |why: String| io::Error::new(ErrorKind::InvalidData, format!("{}: {why}", path.display()));
        match disk::read_text(path, MOST) {
            Ok(text) => Snapshot::parse(&text).map(Some).map_err(named),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(named(error.to_string())),
        }
    }

    /// Writes the file, and creates its folder if necessary.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        atomic_write::replace(path, self.write().as_bytes()).map_err(io::Error::other)
    }
}

/// Removes a file that may not exist. Returns whether it existed.
///
/// # Errors
/// If it exists and cannot be removed.
pub fn remove(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// A text as a YAML string.
fn quoted(text: &str) -> String {
    let escaped = text.chars().flat_map(|c| match c {
        '"' | '\\' => vec!['\\', c],
        c if c.is_control() => vec![' '],
        c => vec![c],
    });
    format!("\"{}\"", escaped.collect::<String>())
}

fn unquoted(text: &str) -> String {
    let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return text.into() };
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_reads_back() {
        let snapshot = Snapshot::new(Path::new("a/b.game"), "say \"x\": \\ yes", "> e4\n---\nend\n\n");
        assert_eq!(Snapshot::parse(&snapshot.write()), Ok(snapshot.clone()));
        assert_eq!(snapshot.source, "b.game");
        assert_eq!(path_of(Path::new("a/b.game")), Path::new("a/snapshots/b.snap"));
        assert_eq!(pending(Path::new("a/b.snap")), Path::new("a/b.snap.new"));
        assert!(Snapshot::parse("text").is_err());
    }
}
