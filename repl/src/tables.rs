//! Tables of solved states as files.

use astragal_dsl::Loaded;
use astragal_lab::solve::table::{Table, Tables};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens a table.
///
/// # Errors
/// A sentence with the name of the file.
pub(crate) fn open(file: &Path) -> Result<Table, String> {
    Table::open(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Opens a table, and checks that it is for these rules.
///
/// # Errors
/// As for [`open`], and if it is for other rules.
pub(crate) fn read(file: &Path, loaded: &Loaded) -> Result<Arc<Table>, String> {
    let table = open(file)?;
    table.check(loaded).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Arc::new(table))
}

/// Opens tables for the same rules.
///
/// # Errors
/// As for [`read`].
pub(crate) fn read_all(files: &[PathBuf], loaded: &Loaded) -> Result<Tables, String> {
    files.iter().map(|file| read(file, loaded)).collect::<Result<_, _>>().map(Tables::new)
}
