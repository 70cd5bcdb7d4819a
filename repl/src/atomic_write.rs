//! Atomic file writes: a file is written completely or not at all, and errors name the step that failed.
//!
//! All persistent data goes through a [`DurableFile`]; the tests make the disk full after every possible number of bytes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file opened for writing.
pub(crate) struct DurableFile(File);

impl DurableFile {
    /// Creates a file; it must not exist.
    ///
    /// # Errors
    /// If it exists or cannot be created.
    pub(crate) fn create_new(path: &Path) -> io::Result<DurableFile> {
        faults::spend(1)?;
        OpenOptions::new().write(true).create_new(true).open(path).map(DurableFile)
    }

    /// An open file, to be continued after its first `length` bytes.
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

    /// Appends bytes; they are on disk when this returns.
    ///
    /// # Errors
    /// If they cannot be written; then some of them may be in the file.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.append(bytes)?;
        self.sync()
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (now, rest) = bytes.split_at(faults::most(bytes.len()));
        self.0.write_all(now)?;
        faults::spend(bytes.len())?;
        self.0.write_all(rest)
    }

    fn sync(&mut self) -> io::Result<()> {
        faults::spend(1)?;
        self.0.sync_data()
    }

    /// Removes everything after the first `length` bytes.
    ///
    /// # Errors
    /// If the file cannot be cut.
    pub(crate) fn cut(&mut self, length: u64) -> io::Result<()> {
        if self.0.metadata()?.len() != length {
            self.0.set_len(length)?;
        }
        self.0.seek(SeekFrom::Start(length)).map(drop)
    }
}

/// Appends without waiting for the disk.
impl Write for DurableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.append(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a new file. If that fails, the file does not exist.
///
/// # Errors
/// If the file exists or cannot be written.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut pen = DurableFile::create_new(path)?;
    pen.write(bytes).inspect_err(|_| drop(fs::remove_file(path)))
}

/// Writes a file and replaces an existing one. It first writes a new file next to it, so a failure leaves the old file
/// intact.
///
/// # Errors
/// A sentence that names the step that failed.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    replace_with(path, |pen| pen.write_all(bytes))
}

/// As [`replace`], for a file that `write` writes bit by bit.
///
/// # Errors
/// As for [`replace`].
pub(crate) fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<DurableFile>) -> io::Result<()>,
) -> Result<(), String> {
    let cannot = |step: &str, error: io::Error| format!("cannot write {}: {step} failed: {error}", path.display());
    if path.is_dir() {
        return Err(format!("cannot write {}: it is a folder", path.display()));
    }
    let part = part_of(path);
    let _ = fs::remove_file(&part);
    let pen = DurableFile::create_new(&part).map_err(|error| cannot("creating a new file next to it", error))?;
    let mut pen = BufWriter::new(pen);
    let written = write(&mut pen).and_then(|()| pen.flush()).and_then(|()| pen.get_mut().sync());
    let written = written.map_err(|error| cannot("writing a new file next to it", error));
    let put = |()| {
        let put = faults::spend(1).and_then(|()| fs::rename(&part, path));
        put.map_err(|error| cannot("replacing it with the new file", error))
    };
    written.and_then(put).inspect_err(|_| drop(fs::remove_file(&part)))
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().map(|name| name.to_os_string()).unwrap_or_default();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Outside of tests, no faults are injected.
#[cfg(not(test))]
mod faults {
    pub(super) fn spend(_: usize) -> std::io::Result<()> {
        Ok(())
    }

    pub(super) fn most(bytes: usize) -> usize {
        bytes
    }
}

/// A disk that becomes full after a number of bytes. Each byte takes one, and so does each file that is created,
/// synchronized or renamed.
#[cfg(test)]
pub(crate) mod faults {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
    }

    /// Runs `work` on this thread with room for `room` bytes on the disk. Also returns whether the disk became full.
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
