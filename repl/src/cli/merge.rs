//! `merge`: the parts of a simulation put together.

use super::args::Merge;
use super::{Answer, Failure, input};
use crate::atomic_write;
use astragal_lab::part::{self, Manifest, MergeError};
use astragal_lab::{Report, Tally};
use std::io::Write;
use std::path::{Path, PathBuf};

/// `astragal merge`.
pub(super) fn merge(args: &Merge, out: &mut impl Write) -> Answer {
    let mut parts = Vec::new();
    for path in manifests(&args.folders)? {
        parts.push(read(&path).map_err(input)?);
    }
    let (experiment, games, tally) = part::merge(parts).map_err(input)?;
    let report = Report::new(&experiment, games, &tally);
    if let Some(file) = &args.html {
        atomic_write::replace(file, report.html().as_bytes()).map_err(input)?;
    }
    match args.json {
        true => writeln!(out, "{}", report.json())?,
        false => write!(out, "{}", report.text())?,
    }
    Ok(true)
}

/// The manifests in some folders.
fn manifests(folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for folder in folders {
        let failed = |error: std::io::Error| input(format!("{}: {error}", folder.display()));
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_name().to_str().is_some_and(part::is_manifest) {
                found.push(entry.path());
            }
        }
    }
    Ok(found)
}

/// A part: the name of its manifest, the manifest, the tally.
fn read(path: &Path) -> Result<(String, Manifest, Tally), MergeError> {
    let text = |path: &Path| {
        let unreadable = |error: std::io::Error| MergeError::Unreadable {
            file: path.display().to_string(),
            reason: error.to_string(),
        };
        std::fs::read_to_string(path).map_err(unreadable)
    };
    let name = path.display().to_string();
    let manifest = Manifest::read(&name, &text(path)?)?;
    let beside = path.with_file_name(manifest.tally_name());
    let tally = manifest.tally(&beside.display().to_string(), &text(&beside)?)?;
    Ok((name, manifest, tally))
}
