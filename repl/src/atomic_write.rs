//! Files that the program writes: whole or not at all, with errors that say which step failed.
//!
//! Everything that is kept goes through a [`DurableFile`]; the tests take it away at every byte in turn.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that is written.
pub(crate) struct DurableFile(File);

impl DurableFile {
    /// A new file; there must be none of this name.
    ///
    /// # Errors
    /// If there is one, or it cannot be made.
    pub(crate) fn create_new(path: &Path) -> io::Result<DurableFile> {
        faults::spend(1)?;
        OpenOptions::new().write(true).create_new(true).open(path).map(DurableFile)
    }

    /// A file that is open already, to go on behind its first `length` bytes.
    ///
    /// # Errors
    /// If it cannot be cut to that length.
    pub(crate) fn behind(file: File, length: u64) -> io::Result<DurableFile> {
        let mut pen = DurableFile(file);
        pen.cut(length)?;
        Ok(pen)
    }

    /// The file.
    pub(crate) fn file(&self) -> &File {
        &self.0
    }

    /// Writes behind what is there; when this returns it is on disk.
    ///
    /// # Errors
    /// If it cannot be written; then some of it may be there.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (now, rest) = bytes.split_at(faults::most(bytes.len()));
        self.0.write_all(now)?;
        faults::spend(bytes.len())?;
        self.0.write_all(rest)?;
        faults::spend(1)?;
        self.0.sync_data()
    }

    /// Removes all behind the first `length` bytes.
    ///
    /// # Errors
    /// If that is impossible.
    pub(crate) fn cut(&mut self, length: u64) -> io::Result<()> {
        if self.0.metadata()?.len() != length {
            self.0.set_len(length)?;
        }
        self.0.seek(SeekFrom::Start(length)).map(drop)
    }
}

/// Writes a new file. If it fails, there is none.
///
/// # Errors
/// If there is one of this name, or it cannot be written.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut pen = DurableFile::create_new(path)?;
    pen.write(bytes).inspect_err(|_| drop(fs::remove_file(path)))
}

/// Writes a file in the place of another one, if there is one: first a new one beside it, so that a failure leaves
/// the old one as it is.
///
/// # Errors
/// A sentence that says which step failed.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let cannot = |step: &str, error: io::Error| format!("cannot write {}: {step} has failed: {error}", path.display());
    if path.is_dir() {
        return Err(format!("cannot write {}: it is a folder", path.display()));
    }
    let part = part_of(path);
    let _ = fs::remove_file(&part);
    let mut pen = DurableFile::create_new(&part).map_err(|error| cannot("making a new file beside it", error))?;
    let written = pen.write(bytes).map_err(|error| cannot("writing a new file beside it", error));
    let put = |()| {
        let put = faults::spend(1).and_then(|()| fs::rename(&part, path));
        put.map_err(|error| cannot("putting the new file in its place", error))
    };
    written.and_then(put).inspect_err(|_| drop(fs::remove_file(&part)))
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().map(|name| name.to_os_string()).unwrap_or_default();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Without tests nothing fails on purpose.
#[cfg(not(test))]
mod faults {
    pub(super) fn spend(_: usize) -> std::io::Result<()> {
        Ok(())
    }

    pub(super) fn most(bytes: usize) -> usize {
        bytes
    }
}

/// A disk that is full after so many bytes: each byte, and each file that is made, synchronised or renamed, takes one.
#[cfg(test)]
pub(crate) mod faults {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
    }

    /// Does something with a disk that has room for so much, in this thread. Says whether it became full.
    pub(crate) fn with_room<T>(room: usize, work: impl FnOnce() -> T) -> (T, bool) {
        LEFT.set(Some(room));
        let done = work();
        (done, LEFT.replace(None) == Some(0))
    }

    pub(super) fn spend(amount: usize) -> io::Result<()> {
        let Some(left) = LEFT.get() else { return Ok(()) };
        LEFT.set(Some(left.saturating_sub(amount)));
        if amount > left { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    pub(super) fn most(bytes: usize) -> usize {
        LEFT.get().map_or(bytes, |left| left.min(bytes))
    }
}
