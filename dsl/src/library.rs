//! Bundled scripts, and scripts from files.
//!
//! The scripts of `variants/` are a separate crate that is compiled into the program, so they are available anywhere; a
//! path is read from disk.

use crate::diagnostic::LoadError;
use crate::disk;
use crate::notation::nearest;
use crate::printable::printable;
use astragal_variants::SCRIPTS;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A script's text and its origin.
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
    /// The script's name in messages.
    pub fn file(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => format!("{}.rhai", self.name),
        }
    }

    /// The text of the script's first comment, without its marks.
    pub fn about(&self) -> String {
        about(&self.text)
    }
}

/// The first block of `//!` or `//` comment, without the slashes.
fn about(text: &str) -> String {
    let comment =
        text.lines().map(str::trim).skip_while(|line| line.is_empty()).take_while(|line| line.starts_with("//"));
    let lines: Vec<&str> = comment.map(|line| line.trim_start_matches('/').trim_start_matches('!').trim()).collect();
    printable(lines.join("\n").trim()).into_owned()
}

/// The names of the bundled variants, sorted.
pub fn names() -> Vec<&'static str> {
    SCRIPTS.iter().map(|(name, _)| *name).collect()
}

/// The bundled scripts that other bundled scripts import.
pub(crate) fn bases() -> impl Iterator<Item = Source> {
    let imported = |name: &str| SCRIPTS.iter().any(|(_, text)| text.contains(&format!("import \"{name}\"")));
    SCRIPTS.iter().filter(move |(name, _)| imported(name)).filter_map(|(name, _)| bundled(name))
}

/// A bundled script.
pub fn bundled(name: &str) -> Option<Source> {
    let (name, text) = SCRIPTS.iter().find(|(n, _)| *n == name)?;
    Some(Source { name: (*name).into(), path: None, text: (*text).into() })
}

/// The largest script file that is read, in bytes.
pub const MAX_FILE: u64 = 64 * 1024;

/// The extension of script files.
pub const ENDING: &str = ".rhai";

/// The files that may be opened as scripts. Bundled scripts are always available.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// All files, for names given by the user.
    #[default]
    Anywhere,
    /// Files whose names end in `.rhai`, for names found in files. Other files are not opened, so no message reveals their
    /// contents.
    Scripts,
    /// Files whose names end in `.rhai` in this folder or below it, for untrusted names. Made by [`Reach::folder`].
    Folder(PathBuf),
    /// None.
    Bundled,
}

impl Reach {
    /// The scripts in a folder and below it.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn folder(path: &Path) -> io::Result<Reach> {
        let folder = path.canonicalize()?;
        match folder.is_dir() {
            true => Ok(Reach::Folder(folder)),
            false => Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder")),
        }
    }

    /// The same, restricted to names found in files.
    #[must_use]
    pub fn of_files(&self) -> Reach {
        match self {
            Reach::Anywhere => Reach::Scripts,
            other => other.clone(),
        }
    }

    /// Finds a script: a bundled one by name, or a file within reach by path.
    ///
    /// # Errors
    /// If there is no such script, or its file is out of reach or cannot be read. The error does not reveal whether a file
    /// out of reach exists.
    pub fn resolve(&self, name_or_path: &str) -> Result<Source, LoadError> {
        if let Some(source) = bundled(name_or_path) {
            return Ok(source);
        }
        let path = Path::new(name_or_path);
        let anywhere = *self == Reach::Anywhere;
        if !(looks_like_a_path(name_or_path) || anywhere && path.exists()) {
            let nearest = nearest(name_or_path, names()).map(String::from);
            return Err(LoadError::NotFound { name: name_or_path.into(), nearest });
        }
        let cannot = |message: String| LoadError::Io { path: name_or_path.into(), message };
        let opened = match self {
            Reach::Bundled => {
                return Err(cannot(
                    "script files can only be opened from the folder given to 'astragal serve --scripts DIR'".into(),
                ));
            }
            _ if !anywhere && !name_or_path.ends_with(ENDING) => {
                return Err(cannot(format!("the file name of a script must end in '{ENDING}'")));
            }
            Reach::Folder(folder) => within(folder, path).ok_or_else(|| {
                cannot("no such script in the scripts folder (write the path relative to that folder)".into())
            })?,
            Reach::Anywhere | Reach::Scripts => path.to_path_buf(),
        };
        let mut text = disk::read_text(&opened, MAX_FILE).map_err(|error| {
            cannot(match error.kind() {
                io::ErrorKind::NotFound => "there is no such file".into(),
                io::ErrorKind::IsADirectory => "it is a folder: write the path of a script in it".into(),
                io::ErrorKind::FileTooLarge => {
                    format!("the file is too large: a script can have at most {MAX_FILE} bytes")
                }
                _ => error.to_string(),
            })
        })?;
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        if let Some(why) = no_script(name_or_path, &text) {
            return Err(cannot(why));
        }
        let name = path.file_stem().map_or_else(|| name_or_path.into(), |stem| stem.to_string_lossy().into_owned());
        Ok(Source { name, path: Some(path.to_path_buf()), text })
    }

    /// The names of the scripts directly in the folder, sorted; at most `most`.
    pub fn listed(&self, most: usize) -> Vec<String> {
        let Reach::Folder(folder) = self else { return Vec::new() };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(ENDING)).collect();
        names.sort();
        names.truncate(most);
        names
    }
}

/// Whether a text holds records of games (PGN): it begins with a tag, as `[Variant "chess"]`, which no script does.
pub fn is_record(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['%', ';'])).unwrap_or_default();
    let tag = first.strip_prefix('[').and_then(|rest| rest.split_once(char::is_whitespace));
    tag.is_some_and(|(name, value)| {
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_name && value.trim_start().starts_with('"') && value.contains("\"]")
    })
}

/// Recognizes records and saved games, and explains why such a file is not a script and how to use it.
fn no_script(file: &str, text: &str) -> Option<String> {
    let go_on = format!("'astragal play --resume {file}' continues it");
    if is_record(text) {
        return Some(format!("it is a game record, not a script: 'astragal replay {file}' shows it, and {go_on}"));
    }
    // In an autosave, this marker follows the checksum of the first line.
    let saved = text.lines().next().and_then(|line| line.split_once(' ')).is_some_and(|(_, said)| said == SAVED_GAME);
    saved.then(|| format!("it is a saved game, not a script: {go_on}"))
}

/// The end of the first line of an autosave.
pub const SAVED_GAME: &str = "astragal-game 1";

/// The file `name` in a folder or below it; `None` for a file elsewhere, including through a link. The name is checked
/// before the file system is read, so names elsewhere reveal nothing about files.
fn within(folder: &Path, name: &Path) -> Option<PathBuf> {
    let inside = name.components().all(|part| matches!(part, Component::Normal(_)));
    let found = folder.join(Some(name).filter(|_| inside)?).canonicalize().ok()?;
    found.starts_with(folder).then_some(found)
}

fn looks_like_a_path(name: &str) -> bool {
    name.ends_with(ENDING) || name.contains(['/', '\\'])
}

/// Whether a text names a script: a bundled one, or a file whose name ends in `.rhai`. Does not access files.
pub fn is_name(text: &str) -> bool {
    bundled(text).is_some() || text.ends_with(ENDING)
}

/// Finds a script that the user names: a bundled one by name, or a file by path (anything with a slash or ending
/// in `.rhai`, or that is a file).
///
/// # Errors
/// If there is no such script or the file cannot be read.
pub fn resolve(name_or_path: &str) -> Result<Source, LoadError> {
    Reach::Anywhere.resolve(name_or_path)
}
