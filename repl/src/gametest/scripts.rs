//! Game files on disk, and the scripts that they test.

use astragal_dsl::library::Reach;
use astragal_dsl::{Diagnostic, disk};
use astragal_service::gametest::{GameFile, GameTestError, Loader, ScriptReference};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The largest game file that is read, in bytes.
pub(crate) const MAX_FILE: u64 = 1 << 20;

/// Reads a game file.
///
/// # Errors
/// The first problem with its place; without a place if the file cannot be read.
pub fn read(path: &Path) -> Result<GameFile, Box<Diagnostic>> {
    let name = path.display().to_string();
    let bad = |why: String| Box::new(Diagnostic::error(&name, &"".into(), 0, 0, why));
    let text = disk::read_text(path, MAX_FILE).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => bad(format!("the file is larger than {MAX_FILE} bytes")),
        _ => bad(format!("cannot read the file: {error}")),
    })?;
    GameFile::parse(path, &text)
}

/// A loader that finds scripts as game files name them: next to the file, or among the bundled variants.
pub fn loader() -> Loader {
    Loader::new().finding(|file| {
        let name = script_of(file)?;
        Reach::Scripts.resolve(&name).map_err(|error| GameTestError::of_script(file, error))
    })
}

/// The name or path of the script that a file tests.
///
/// # Errors
/// If the file names no script, and there is not exactly one script next to it.
pub(crate) fn script_of(file: &GameFile) -> Result<String, GameTestError> {
    let folder = match file.script() {
        ScriptReference::Named(name) => return Ok(name),
        ScriptReference::File(path) => return Ok(path.display().to_string()),
        ScriptReference::OnlyOneIn(_) => folder_of(&file.path),
    };
    let beside = scripts_in(&folder);
    match beside.as_slice() {
        [one] => Ok(one.display().to_string()),
        several => {
            let name = |path: &PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
            Err(GameTestError::no_script(file, &several.iter().filter_map(name).collect::<Vec<_>>()))
        }
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| ".".into())
}

/// The scripts in a folder, sorted.
pub(crate) fn scripts_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut scripts: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "rhai")).collect();
    scripts.sort();
    scripts.into_iter().map(|path| path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)).collect()
}
