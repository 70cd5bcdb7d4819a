//! Tables of solved states as files.

use astragal_dsl::Loaded;
use astragal_lab::solve::table::Table;
use std::path::Path;
use std::sync::Arc;

/// Reads a table, and checks that it is for these rules.
///
/// # Errors
/// A sentence with the name of the file.
pub(crate) fn read(file: &Path, loaded: &Loaded) -> Result<Arc<Table>, String> {
    let named = |why: String| format!("{}: {why}", file.display());
    let bytes = std::fs::read(file).map_err(|error| named(error.to_string()))?;
    let table = Table::read(bytes).map_err(|error| named(error.to_string()))?;
    table.check(loaded).map_err(|error| named(error.to_string()))?;
    Ok(Arc::new(table))
}
