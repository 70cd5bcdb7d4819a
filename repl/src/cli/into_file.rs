//! The file that `--into` names.

use super::failure::{Failure, input};
use std::path::Path;

/// Reports a missing folder of `--into FILE` before the work, not after it.
pub(super) fn has_folder(file: &Path) -> Result<(), Failure> {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => Err(input(format!("--into {}: there is no folder '{}'", file.display(), folder.display()))),
        None => Ok(()),
    }
}
