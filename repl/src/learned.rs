//! Files of learned players. Only typed input and command-line arguments name them: files never do.

use astragal_computer::learned::LearnedValues;
use astragal_dsl::Loaded;
use astragal_lab::learning::file;
use std::path::Path;
use std::sync::Arc;

/// The largest file that is read.
const MOST_BYTES: u64 = 256 << 20;

/// Reads what a file has learned, and checks that it is for these rules.
///
/// # Errors
/// A sentence about the file.
pub(crate) fn read(name: &Path, loaded: &Loaded) -> Result<Arc<LearnedValues>, String> {
    file::read(&bytes(name)?, loaded).map(|(_, values)| Arc::new(values)).map_err(|error| error.to_string())
}

/// The bytes of a file.
///
/// # Errors
/// A sentence about the file.
pub(crate) fn bytes(name: &Path) -> Result<Vec<u8>, String> {
    let size = std::fs::metadata(name).map_err(|error| error.to_string())?.len();
    if size > MOST_BYTES {
        return Err("the file is too large".into());
    }
    std::fs::read(name).map_err(|error| error.to_string())
}

/// The same by name; without a name, what comes with the variant.
///
/// # Errors
/// As [`read`]; or if nothing comes with the variant.
pub(crate) fn open(loaded: &Loaded, name: Option<&str>) -> Result<Arc<LearnedValues>, String> {
    name.map_or_else(|| file::shipped(loaded).map(Arc::new), |name| read(Path::new(name), loaded))
}
