//! A table of solved states: a file that other programs can read, and the values in it.
//!
//! Owns the format, which `docs/notations.md` describes. Knows no rules: a state is the hash of its position.
//!
//! Invariants: the same states and bounds give the same bytes. The written bounds include the computed ones. Every byte of a
//! file is covered by a checksum.

use super::Solver;
use super::interval::Interval;
use crate::hex::hex;
use astragal_computer::{Evaluation, KnownValues};
use astragal_core::Position;
use astragal_core::rule::RuleError;
use astragal_dsl::{Loaded, library};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::sync::Arc;
use thiserror::Error;

/// The first line of a table.
const MAGIC: &str = "astragal table 1\n";

/// A checksum covers this many bytes.
const BLOCK: usize = 1 << 16;

/// The bytes of a checksum.
const SUM: usize = 8;

/// Values are written as multiples of this part of their range.
const UNITS: f64 = ((1 << 24) - 1) as f64;

/// The bytes of a value: three for the lower bound, and one for the width of the interval.
const VALUE: usize = 4;

/// From this many states on, two bytes of a key are its place in the index, not one.
const MANY: usize = 1 << 20;

/// The first lines of a table: its variant, its origin and its form.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The name of the variant.
    pub variant: String,
    /// Its options, as they were set.
    pub options: Vec<(String, String)>,
    /// The SHA-256 of the script, the scripts that it imports and the options.
    pub rules: String,
    /// The origin of the states: a position, or the letters of some pieces.
    pub from: Origin,
    /// The number of states.
    pub states: usize,
    /// The worst and the best result of a game for the first side, in half points.
    pub range: (i32, i32),
    /// The widest interval, in points.
    pub widest: f64,
    /// The hash of the starting position: another one numbers its squares and pieces differently.
    pub start: String,
    /// The bytes of keys that are in the index.
    pub index: usize,
    /// The bytes before the checksums.
    pub bytes: usize,
}

/// The origin of the states of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A position.
    Position(String),
    /// All placements of some pieces.
    Material(String),
}

/// Why a table cannot be used.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TableError {
    /// It is not a table, or is one of a later version.
    #[error("this is not a table of this version: it should begin with '{}'", MAGIC.trim_end())]
    Unknown,
    /// Its first lines cannot be read.
    #[error("the second line of the table is damaged: {0}")]
    Header(String),
    /// Its length differs from the one in its header.
    #[error("the table should have {expected} bytes, but has {found}: it is truncated, or data was added")]
    Length {
        /// The length by its header.
        expected: usize,
        /// Its length.
        found: usize,
    },
    /// A byte has changed.
    #[error("the table is damaged between byte {} and byte {}", block * BLOCK, (block + 1) * BLOCK)]
    Damaged {
        /// The number of the damaged part.
        block: usize,
    },
    /// It is for other rules.
    #[error("the table is for {0}")]
    Other(String),
    /// The file cannot be read.
    #[error("{0}")]
    File(String),
}

/// The SHA-256 of a script, the scripts that it imports and its options.
pub fn digest(loaded: &Loaded) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    add(&loaded.source.text);
    for name in &loaded.imports {
        add(name);
        if let Ok(source) = library::resolve(name) {
            add(&source.text);
        }
    }
    for option in &loaded.options {
        add(&option.name);
        add(&option.chosen);
    }
    hex(&hash.finalize())
}

/// In words, the rules that a file is for, if they are not those that are `loaded`.
pub(crate) fn other_rules(variant: &str, options: &[(String, String)], loaded: &Loaded) -> String {
    let options: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let set = if options.is_empty() { String::new() } else { format!(" with {}", options.join(", ")) };
    match variant == loaded.name {
        true => format!("another version of '{variant}', or other options{set}"),
        false => format!("'{variant}'{set}, not for '{}'", loaded.name),
    }
}

/// A table in memory. See the [module](self).
pub struct Table {
    header: Header,
    data: Box<dyn AsRef<[u8]> + Send + Sync>,
    /// Where the keys begin.
    keys: usize,
}

impl Table {
    /// Reads a table, and checks that it is whole.
    ///
    /// # Errors
    /// If it is not a table, or is damaged.
    pub fn read(data: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Table, TableError> {
        let bytes = data.as_ref();
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(TableError::Unknown)?;
        let broken = |why: String| TableError::Header(why);
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or_else(|| broken("it is incomplete".into()))?;
        let header: Header = serde_json::from_slice(&rest[..end]).map_err(|error| broken(error.to_string()))?;
        let start = MAGIC.len() + end + 1;
        let whole = header.size(start).ok_or_else(|| broken("its numbers contradict each other".into()))?;
        if bytes.len() != whole {
            return Err(TableError::Length { expected: whole, found: bytes.len() });
        }
        let (body, sums) = bytes.split_at(header.bytes);
        for (block, (part, sum)) in body.chunks(BLOCK).zip(sums.chunks(SUM)).enumerate() {
            if checksum(part) != *sum {
                return Err(TableError::Damaged { block });
            }
        }
        let keys = start + header.index_len();
        Ok(Table { header, data: Box::new(data), keys })
    }

    /// Maps the file of a table into memory, and checks that it is whole: [`Table::read`] without a copy.
    ///
    /// # Errors
    /// As for [`Table::read`], and if the file cannot be opened.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(file: &std::path::Path) -> Result<Table, TableError> {
        let opened = std::fs::File::open(file).map_err(|error| TableError::File(error.to_string()))?;
        // Mapping an empty file is an error, and an empty file is not a table.
        if opened.metadata().is_ok_and(|data| data.len() == 0) {
            return Err(TableError::Unknown);
        }
        // SAFETY: the bytes are only read, as numbers of any value. If another program changes or cuts the file in the
        // meantime, values are wrong or this process ends; 'solve' never writes into a table, it replaces the file.
        #[expect(unsafe_code, reason = "tables of gigabytes are used at once, and shared by processes")]
        let map = unsafe { memmap2::Mmap::map(&opened) };
        Table::read(map.map_err(|error| TableError::File(error.to_string()))?)
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        (*self.data).as_ref()
    }

    /// The first lines.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Checks that the table is for these rules.
    ///
    /// # Errors
    /// If it is for others.
    pub fn check(&self, loaded: &Loaded) -> Result<(), TableError> {
        match self.suits(&digest(loaded), &start_hash(loaded)) {
            true => Ok(()),
            false => Err(TableError::Other(other_rules(&self.header.variant, &self.header.options, loaded))),
        }
    }

    fn suits(&self, rules: &str, start: &str) -> bool {
        self.header.rules == rules && self.header.start == start
    }

    /// The value of the state that begins with `position`, for the first side; `None` if the table has no such state.
    pub fn value(&self, position: &Position) -> Option<Interval> {
        self.find(position.hash())
    }

    pub(super) fn find(&self, key: u64) -> Option<Interval> {
        let data = (*self.data).as_ref();
        let size = self.header.entry();
        let bucket = (key >> (64 - 8 * self.header.index)) as usize;
        let index = self.keys - self.header.index_len();
        let at = |bucket: usize| {
            let place = index + 4 * bucket;
            data[place..place + 4].iter().rev().fold(0, |value, &byte| value << 8 | usize::from(byte))
        };
        let (mut low, mut high) = (at(bucket), at(bucket + 1));
        let wanted = &key.to_be_bytes()[self.header.index..];
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = &data[self.keys + middle * size..][..size];
            let (own, value) = entry.split_at(size - VALUE);
            match own.cmp(wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(self.header.interval(value)),
            }
        }
        None
    }
}

impl KnownValues for Table {
    fn bounds(&self, position: &Position) -> Option<(f64, f64)> {
        self.value(position).map(|value| (value.low, value.high))
    }
}

impl Header {
    /// The bytes of the index.
    fn index_len(&self) -> usize {
        4 * ((1 << (8 * self.index)) + 1)
    }

    /// The bytes of a key and its value.
    fn entry(&self) -> usize {
        8 - self.index + VALUE
    }

    /// The bytes of the whole file, if everything fits together.
    fn size(&self, start: usize) -> Option<usize> {
        let fits = (1..=2).contains(&self.index) && self.range.0 < self.range.1;
        let body = self.states.checked_mul(self.entry())?.checked_add(start + self.index_len())?;
        (fits && body == self.bytes).then(|| body + body.div_ceil(BLOCK) * SUM)
    }

    /// The difference between two neighboring values, in points.
    pub fn step(&self) -> f64 {
        f64::from(self.range.1 - self.range.0) / UNITS / 2.0
    }

    fn interval(&self, value: &[u8]) -> Interval {
        let low = value[..3].iter().rev().fold(0u32, |value, &byte| value << 8 | u32::from(byte));
        let best = f64::from(self.range.1) / 2.0;
        let points = |units: u32| (f64::from(self.range.0) / 2.0 + f64::from(units) * self.step()).min(best);
        Interval { low: points(low), high: points(low.saturating_add(width(value[3]))) }
    }
}

/// The width of an interval, in units, by its code: exact to 15, then with four digits of a binary number.
fn width(code: u8) -> u32 {
    let (exponent, digits) = (u32::from(code >> 3), u32::from(code & 7));
    if code < 16 { u32::from(code) } else { (8 + digits) << (exponent - 1) }
}

/// The code of the narrowest width that is not less than `units`.
fn width_code(units: u32) -> u8 {
    (0..=255).find(|&code| width(code) >= units).unwrap_or(255)
}

/// Tables of one game: a state has the value of the first table that contains it.
#[derive(Clone, Default)]
pub struct Tables(Vec<Arc<Table>>);

impl Tables {
    /// These tables.
    pub fn new(tables: Vec<Arc<Table>>) -> Tables {
        Tables(tables)
    }

    /// Adds a table, which replaces one with the same origin.
    pub fn add(&mut self, table: Table) {
        let same =
            |other: &Arc<Table>| other.header.rules == table.header.rules && other.header.from == table.header.from;
        self.0.retain(|other| !same(other));
        self.0.push(Arc::new(table));
    }

    /// Keeps only the last tables, at most this many.
    pub fn keep_last(&mut self, most: usize) {
        self.0.drain(..self.0.len().saturating_sub(most));
    }

    /// The table that was added last.
    pub fn last(&self) -> Option<&Table> {
        self.0.last().map(|table| &**table)
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those for the rules of a variant; `None` if there are none.
    pub fn of(&self, loaded: &Loaded) -> Option<Arc<Tables>> {
        if self.is_empty() {
            return None;
        }
        let (rules, start) = (digest(loaded), start_hash(loaded));
        let own: Vec<_> = self.0.iter().filter(|table| table.suits(&rules, &start)).cloned().collect();
        (!own.is_empty()).then(|| Arc::new(Tables(own)))
    }

    /// An evaluation for computers that decides by the values of these tables where they suffice.
    ///
    /// # Errors
    /// If a rule fails in one of the random games.
    pub fn evaluation(&self, loaded: &Loaded) -> Result<Evaluation, RuleError> {
        let evaluation = Evaluation::learn(Arc::clone(&loaded.set), &loaded.start)?;
        Ok(match self.of(loaded) {
            Some(own) => evaluation.knowing(own),
            None => evaluation,
        })
    }
}

impl KnownValues for Tables {
    fn bounds(&self, position: &Position) -> Option<(f64, f64)> {
        self.0.iter().find_map(|table| table.bounds(position))
    }
}

/// The options that differ from their defaults.
pub(crate) fn set_options(loaded: &Loaded) -> Vec<(String, String)> {
    let changed = loaded.options.iter().filter(|option| option.chosen != option.default);
    changed.map(|option| (option.name.clone(), option.chosen.clone())).collect()
}

fn checksum(part: &[u8]) -> [u8; SUM] {
    let mut sum = [0; SUM];
    sum.copy_from_slice(&Sha256::digest(part)[..SUM]);
    sum
}

fn start_hash(loaded: &Loaded) -> String {
    format!("{:016x}", loaded.start.hash())
}

/// Passes bytes on, and appends their checksums.
struct Summed<'a, W> {
    out: &'a mut W,
    block: Vec<u8>,
    sums: Vec<u8>,
}

impl<W: Write> Summed<'_, W> {
    fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.out.write_all(&self.block)?;
            self.sums.extend(checksum(&self.block));
            self.block.clear();
        }
        Ok(())
    }
}

/// Writes the examined states of a solver as a table.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(solver: &Solver, loaded: &Loaded, from: Origin, out: &mut impl Write) -> io::Result<Header> {
    let mut states: Vec<(u64, Interval)> = solver.values().collect();
    states.sort_unstable_by_key(|(key, _)| *key);
    let index = if states.len() < MANY { 1 } else { 2 };
    let mut header = Header {
        variant: loaded.name.clone(),
        options: set_options(loaded),
        rules: digest(loaded),
        from,
        states: states.len(),
        range: solver.range(),
        widest: 0.0,
        start: start_hash(loaded),
        index,
        bytes: 0,
    };
    let mut entries = Vec::with_capacity(states.len() * header.entry());
    for (key, value) in &states {
        entries.extend_from_slice(&key.to_be_bytes()[index..]);
        let coded = header.code(*value);
        let kept = header.interval(&coded);
        header.widest = header.widest.max(kept.high - kept.low);
        entries.extend_from_slice(&coded);
    }
    // The header contains the length of the file, and so its own.
    let text = loop {
        let text = format!("{MAGIC}{}\n", serde_json::to_string(&header)?);
        let bytes = text.len() + header.index_len() + entries.len();
        if bytes == header.bytes {
            break text;
        }
        header.bytes = bytes;
    };
    let mut summed = Summed { out, block: Vec::with_capacity(BLOCK), sums: Vec::new() };
    summed.put(text.as_bytes())?;
    let mut at = 0;
    for bucket in 0..=1u64 << (8 * index) {
        while states.get(at).is_some_and(|(key, _)| key >> (64 - 8 * index) < bucket) {
            at += 1;
        }
        summed.put(&(at as u32).to_le_bytes())?;
    }
    summed.put(&entries)?;
    summed.flush()?;
    let sums = std::mem::take(&mut summed.sums);
    out.write_all(&sums)?;
    Ok(header)
}

impl Header {
    /// The bytes of a value; the interval that they stand for includes it.
    fn code(&self, value: Interval) -> [u8; VALUE] {
        let worst = f64::from(self.range.0) / 2.0;
        let units = |points: f64| (points - worst) / self.step();
        let low = units(value.low).floor().clamp(0.0, UNITS) as u32;
        let high = units(value.high).ceil().clamp(0.0, UNITS) as u32;
        let [a, b, c, _] = low.to_le_bytes();
        [a, b, c, width_code(high.saturating_sub(low))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_never_too_narrow() {
        for units in (0..5000).chain((1..=24).flat_map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) + 1])) {
            let kept = width(width_code(units));
            assert!(kept >= units && f64::from(kept) <= f64::from(units) * 1.13, "{units}: {kept}");
        }
    }
}
