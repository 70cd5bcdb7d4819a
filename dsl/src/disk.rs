//! Reads files from untrusted sources: opens only regular files, and never reads more than a limit.
//!
//! A device or pipe may never end, or may block the process that opens it. The size that a file reports may be out of date
//! when it is read. So a file is checked after it is opened, and its bytes are counted while they are read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file with `how` (which should not create one), without ever waiting for it.
///
/// # Errors
/// If it cannot be opened, or is a folder, a device, a pipe or a socket, or leads to one.
pub fn open(path: &Path, how: &OpenOptions) -> io::Result<File> {
    // Opening some devices has side effects, so check the path before opening.
    regular(&fs::metadata(path)?)?;
    #[cfg_attr(not(unix), expect(unused_mut, reason = "the options change only on Unix"))]
    let mut how = how.clone();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Another file may have this name by now.
        how.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    let file = how.open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Checks that a file is regular.
///
/// # Errors
/// If it is a folder, a device, a pipe or a socket.
pub fn regular(found: &fs::Metadata) -> io::Result<()> {
    match () {
        () if found.is_file() => Ok(()),
        () if found.is_dir() => Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder, not a file")),
        () => Err(io::Error::new(ErrorKind::InvalidInput, "it is a device, pipe or socket, not a regular file")),
    }
}

/// The bytes of a regular file that has at most `most` of them.
///
/// # Errors
/// As [`open`]; if it cannot be read, or has more.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_from(open(path, OpenOptions::new().read(true))?, most)
}

/// Reads the rest of `source`, if it is at most `most` bytes.
///
/// # Errors
/// If it cannot be read, or is more.
pub fn read_from(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// The text of a regular file of at most `most` bytes.
///
/// # Errors
/// As [`read`], and if it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = good.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&good[start..]).chars().count() + 1;
        let byte = error.as_bytes()[good.len()];
        let what =
            format!("line {line}, column {column} is not UTF-8: found the byte 0x{byte:02X}; save the file as UTF-8");
        io::Error::new(ErrorKind::InvalidData, what)
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn only_regular_files_are_read_and_none_is_waited_for() {
        let folder = std::env::temp_dir().join(format!("astragal-disk-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (pipe, link, file) = (folder.join("pipe"), folder.join("link"), folder.join("file"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
        fs::write(&file, "a\nb\u{e9}").expect("written");
        let begun = Instant::now();
        for path in [pipe.as_path(), &link, Path::new("/dev/zero"), &folder] {
            let error = read(path, 10).expect_err("no regular file");
            assert!(error.to_string().starts_with("it is "), "{error}");
        }
        assert!(begun.elapsed() < Duration::from_secs(5));
        assert_eq!(read(&file, 5).expect("as many as may be"), "a\nb\u{e9}".as_bytes());
        assert_eq!(read(&file, 4).expect_err("one more").to_string(), "it has more than 4 bytes");
        fs::write(&file, b"a\nb\xff").expect("written");
        let said = "line 2, column 2 is not UTF-8: found the byte 0xFF; save the file as UTF-8";
        assert_eq!(read_text(&file, 9).expect_err("no text").to_string(), said);
        fs::remove_dir_all(folder).expect("removed");
    }
}
