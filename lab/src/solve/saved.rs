//! The states that a solver has found, as a file: so that a search that was stopped can continue.
//!
//! Owns the format: a line with its name, a line of JSON, the hashes, sides and turns of the states, the positions whose
//! turns are not listed yet as FEN, and a SHA-256 of everything before it. Only the same program can read it: to keep
//! values, write a [table](super::table).

use super::Solver;
use super::space::Space;
use super::table::{Origin, digest};
use astragal_dsl::Loaded;
use astragal_dsl::notation::fen;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{self, Read, Write};
use thiserror::Error;

/// The first line.
const MAGIC: &str = concat!("astragal states ", env!("CARGO_PKG_VERSION"), "\n");

/// The maximum number of bytes of the second line.
const MOST_HEADER: usize = 1 << 16;

/// Why saved states cannot be used.
#[derive(Debug, Error)]
pub enum SavedError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// It is not such a file, or is from another version.
    #[error("the file was not saved by this version of the solver")]
    Unknown,
    /// It was truncated, or a byte has changed.
    #[error("the file is damaged")]
    Damaged,
    /// It is for other rules, or has another origin.
    #[error("the file belongs to another solution{0}")]
    Other(String),
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    rules: String,
    from: Origin,
    states: usize,
    listed: usize,
    code: usize,
    range: (i32, i32),
}

/// Passes bytes on, and sums them.
struct Summed<T> {
    inner: T,
    sum: Sha256,
}

impl<T: Write> Write for Summed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Summed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.sum.update(&bytes[..read]);
        Ok(read)
    }
}

impl Solver {
    /// Writes the states that have been found so far, and their turns. `out` should be buffered.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn save(&self, loaded: &Loaded, from: &Origin, out: impl Write) -> io::Result<()> {
        let space = &self.space;
        let header = Header {
            rules: digest(loaded),
            from: from.clone(),
            states: space.len(),
            listed: space.listed(),
            code: space.code.len(),
            range: space.range,
        };
        let mut out = Summed { inner: out, sum: Sha256::new() };
        writeln!(out, "{MAGIC}{}", serde_json::to_string(&header)?)?;
        space.keys.iter().chain(&space.ends).try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        out.write_all(&space.sides)?;
        out.write_all(&space.code)?;
        for position in &space.frontier {
            writeln!(out, "{}", fen::write(&self.set.variant, position))?;
        }
        let Summed { mut inner, sum } = out;
        inner.write_all(&sum.finalize())?;
        inner.flush()
    }

    /// Continues from states that [`Solver::save`] has written, instead of those that were added. `saved` should be
    /// buffered.
    ///
    /// # Errors
    /// If they cannot be read, are damaged, or belong to other rules or another origin.
    pub fn resume(&mut self, loaded: &Loaded, from: &Origin, saved: impl Read) -> Result<(), SavedError> {
        let mut saved = Summed { inner: saved, sum: Sha256::new() };
        if line(&mut saved, MAGIC.len())? != MAGIC.as_bytes() {
            return Err(SavedError::Unknown);
        }
        let header: Header =
            serde_json::from_slice(&line(&mut saved, MOST_HEADER)?).map_err(|_| SavedError::Damaged)?;
        if header.rules != digest(loaded) || header.from != *from {
            let (Origin::Position(of) | Origin::Material(of)) = &header.from;
            return Err(SavedError::Other(format!(": that of '{of}'")));
        }
        let mut space = Space::new(std::sync::Arc::clone(&self.set));
        space.range = header.range;
        let open = header.states.checked_sub(header.listed).ok_or(SavedError::Damaged)?;
        for key in numbers(&mut saved, header.states)? {
            let number = space.keys.len() as u32;
            space.keys.push(key);
            space.numbers.insert(key, number);
        }
        space.ends = numbers(&mut saved, header.listed)?;
        space.sides = bytes(&mut saved, header.states)?;
        space.code = bytes(&mut saved, header.code)?;
        for at in 0..open {
            let text = line(&mut saved, MOST_HEADER)?;
            let text = String::from_utf8(text).map_err(|_| SavedError::Damaged)?;
            let placed = fen::parse(&self.set.variant, text.trim_end()).map_err(|_| SavedError::Damaged)?;
            // A position that its text does not describe completely cannot be continued.
            if placed.position.hash() != space.keys[header.listed + at] {
                return Err(SavedError::Damaged);
            }
            space.frontier.push_back(super::turn::fresh(&placed.position));
        }
        let Summed { mut inner, sum } = saved;
        let mut written = Vec::new();
        inner.read_to_end(&mut written)?;
        if written != sum.finalize().as_slice() {
            return Err(SavedError::Damaged);
        }
        self.space = space;
        self.values = None;
        Ok(())
    }
}

/// The bytes up to the next line feed, and that.
fn line(from: &mut impl Read, most: usize) -> Result<Vec<u8>, SavedError> {
    let (mut line, mut byte) = (Vec::new(), [0]);
    while line.len() < most && line.last() != Some(&b'\n') {
        from.read_exact(&mut byte).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => SavedError::Damaged,
            _ => SavedError::File(error),
        })?;
        line.push(byte[0]);
    }
    Ok(line)
}

fn bytes(from: &mut impl Read, count: usize) -> Result<Vec<u8>, SavedError> {
    // A damaged number must not reserve memory.
    let mut bytes = Vec::new();
    from.take(count as u64).read_to_end(&mut bytes)?;
    if bytes.len() == count { Ok(bytes) } else { Err(SavedError::Damaged) }
}

fn numbers(from: &mut impl Read, count: usize) -> Result<Vec<u64>, SavedError> {
    let bytes = bytes(from, count.checked_mul(8).ok_or(SavedError::Damaged)?)?;
    Ok(bytes
        .chunks_exact(8)
        .map(|number| number.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Limits, Watch};
    use astragal_dsl::load_named;

    /// The states so far survive the end of the program, and lead to the same table.
    #[test]
    fn a_stopped_search_goes_on() {
        let loaded = load_named("royal-game-of-ur", &[]).expect("a variant");
        let placed = fen::parse(&loaded.set.variant, "4*3/8/4*3[MMm] f").expect("a position");
        let from = Origin::Position("x".into());
        let watch = Watch { stop: &|| false, progress: &|_| {} };
        let limits = |states| Limits { states, memory: 1 << 30, threads: 1 };
        let mut whole = Solver::new(&loaded).expect("a solver");
        whole.add(&placed.position).expect("room");
        let mut part = Solver::new(&loaded).expect("a solver");
        part.add(&placed.position).expect("room");
        part.run(1e-6, &limits(200), &watch).expect("bounds");
        assert!(part.examined() < part.states());
        let mut saved = Vec::new();
        part.save(&loaded, &from, &mut saved).expect("memory");
        let mut next = Solver::new(&loaded).expect("a solver");
        next.resume(&loaded, &from, &saved[..]).expect("the states");
        assert_eq!((next.states(), next.examined()), (part.states(), part.examined()));
        for solver in [&mut whole, &mut next] {
            solver.run(1e-6, &limits(1_000_000), &watch).expect("bounds");
        }
        assert!(next.values().eq(whole.values()));
        let refused = |saved: &[u8], from: &Origin| {
            Solver::new(&loaded).expect("a solver").resume(&loaded, from, saved).expect_err("damaged").to_string()
        };
        for at in [0, 10, 100, saved.len() / 2, saved.len() - 1] {
            let mut damaged = saved.clone();
            damaged[at] ^= 1;
            refused(&damaged, &from);
            refused(&saved[..at], &from);
        }
        assert!(refused(&saved, &Origin::Material("x".into())).contains("another solution: that of 'x'"));
    }
}
