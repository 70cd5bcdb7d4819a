//! Files of learned evaluations, in the format `safetensors`.
//!
//! The format is the length of a header in eight bytes, the header in JSON, and the numbers. Writing it needs a few lines,
//! so there is no dependency for it; other programs read it with their libraries. Weights are 16-bit integers with one
//! scale for each tensor, which costs less than the differences between two games. In small files, those of the first layer are
//! 8-bit integers with one scale for each feature.
//!
//! Invariants: the same weights give the same bytes. A file is only read if its digest is right and it is for the same
//! rules.

use crate::hex::hex;
use crate::solve::table::{digest, other_rules, set_options};
use astragal_computer::learned::{LearnedValues, Network, Shape};
use astragal_dsl::Loaded;
use astragal_variants::TRAINED;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

/// The version of the features and of this file.
const VERSION: &str = "1";
/// The names of the tensors, in the order of [`Network::of`].
const NAMES: [&str; 4] = ["input.weight", "input.bias", "output.weight", "output.bias"];
/// The longest header.
const LONGEST: u64 = 1 << 20;
/// The largest file that is read.
const MOST_BYTES: u64 = 256 << 20;
/// The scales of the features in small files.
const FEATURE_SCALES: &str = "input.scale";
/// The greatest integers of weights with 16 and 8 bits.
const UNITS: f32 = 32_767.0;
const FEW_UNITS: f32 = 127.0;

/// The precision of the weights in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// 16 bits each, so that training can continue from the file.
    Full,
    /// 8 bits for the first layer, which has nearly all weights. For files that only play.
    Small,
}

/// Why a file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FileError {
    /// It is not a file of this kind.
    #[error("this is not a file that 'train' has written: {0}")]
    Unknown(String),
    /// Its bytes differ from those that were written.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// It is for other rules.
    #[error("the file is for {0}")]
    Other(String),
}

/// How much has been learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The games.
    pub games: u64,
    /// The positions in them.
    pub lessons: u64,
}

/// The tensors of a file, and their entries in its header.
#[derive(Default)]
struct Tensors {
    data: Vec<u8>,
    entries: Map<String, Value>,
}

impl Tensors {
    fn add(&mut self, name: &str, kind: &str, shape: &[u32], bytes: impl IntoIterator<Item = u8>) {
        let begin = self.data.len();
        self.data.extend(bytes);
        let entry = json!({"dtype": kind, "shape": shape, "data_offsets": [begin, self.data.len()]});
        self.entries.insert(name.into(), entry);
    }
}

/// The scale at which the greatest of these weights becomes this many units.
fn scale(weights: &[f32], units: f32) -> f32 {
    let greatest = weights.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
    if greatest > 0.0 { greatest / units } else { 1.0 }
}

/// The tensors of a network.
fn tensors(network: &Network, precision: Precision) -> Tensors {
    let Shape { inputs, hidden, outputs } = network.shape();
    let shapes = [vec![inputs, hidden], vec![hidden], vec![outputs, hidden], vec![outputs]];
    let (mut tensors, mut scales) = (Tensors::default(), Vec::new());
    for ((name, shape), weights) in NAMES.iter().zip(&shapes).zip(network.weights()) {
        let is_small = precision == Precision::Small && *name == NAMES[0];
        let rows = weights.chunks(if is_small { hidden as usize } else { weights.len().max(1) });
        let units = if is_small { FEW_UNITS } else { UNITS };
        let row_scales: Vec<f32> = rows.clone().map(|row| scale(row, units)).collect();
        let numbers =
            rows.zip(&row_scales).flat_map(|(row, scale)| row.iter().map(move |weight| (weight / scale).round()));
        if is_small {
            tensors.add(name, "I8", shape, numbers.flat_map(|number| (number as i8).to_le_bytes()));
            tensors.add(FEATURE_SCALES, "F32", &[inputs], row_scales.iter().flat_map(|scale| scale.to_le_bytes()));
            scales.push(1.0);
        } else {
            tensors.add(name, "I16", shape, numbers.flat_map(|number| (number as i16).to_le_bytes()));
            scales.extend(row_scales);
        }
    }
    tensors.add("scales", "F32", &[4], scales.iter().flat_map(|scale: &f32| scale.to_le_bytes()));
    tensors
}

/// The SHA-256 of the weights of a learned evaluation, in hexadecimal digits: it differs from that of any other weights.
pub fn weights_digest(values: &LearnedValues) -> String {
    hex(&Sha256::digest(&tensors(values.network(), Precision::Full).data))
}

/// The file of a learned evaluation.
pub fn write(values: &LearnedValues, loaded: &Loaded, header: Header, precision: Precision) -> Vec<u8> {
    let Shape { inputs, hidden, .. } = values.network().shape();
    let Tensors { data, mut entries } = tensors(values.network(), precision);
    let options: Map<String, Value> =
        set_options(loaded).into_iter().map(|(name, value)| (name, value.into())).collect();
    let mut metadata = Map::new();
    let mut note = |name: &str, text: String| metadata.insert(name.into(), Value::String(text));
    note("format", "astragal-learned".into());
    note("version", VERSION.into());
    note("variant", loaded.name.clone());
    note("options", Value::Object(options).to_string());
    note("rules", digest(loaded));
    note("features", inputs.to_string());
    note("hidden", hidden.to_string());
    note("levels", json!(values.levels()).to_string());
    note("symmetric", values.features().is_symmetric().to_string());
    note("games", header.games.to_string());
    note("lessons", header.lessons.to_string());
    note("data", hex(&Sha256::digest(&data)));
    let mut top = Map::new();
    top.insert("__metadata__".into(), Value::Object(metadata));
    top.append(&mut entries);
    let mut text = Value::Object(top).to_string();
    // The numbers begin at a multiple of eight bytes.
    while !text.len().is_multiple_of(8) {
        text.push(' ');
    }
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes.extend(data);
    bytes
}

/// Reads a file, and checks that it is whole and for these rules.
///
/// # Errors
/// If it is not.
pub fn read(bytes: &[u8], loaded: &Loaded) -> Result<(Header, LearnedValues), FileError> {
    let (top, data) = parts(bytes)?;
    suits(&top, loaded)?;
    whole(&top, data)?;
    let number = |name: &str| note(&top, name).parse::<u64>().ok();
    let damaged = |why: &str| FileError::Damaged(why.into());
    if number("features") != Some(super::symmetry::features(loaded).len().into()) {
        return Err(FileError::Unknown("it was trained with different features".into()));
    }
    let missing = || damaged("a number is missing from its header");
    let header =
        Header { games: number("games").ok_or_else(missing)?, lessons: number("lessons").ok_or_else(missing)? };
    let values = values(&top, data, loaded).ok_or_else(|| damaged("the shapes of its tensors do not match"))?;
    Ok((header, values))
}

/// The file of the trained player that comes with a variant; `None` if there is none.
pub fn shipped_bytes(variant: &str) -> Option<&'static [u8]> {
    TRAINED.iter().find(|(name, _)| *name == variant).map(|(_, bytes)| *bytes)
}

/// Whether a trained player comes with a variant.
pub fn is_shipped(variant: &str) -> bool {
    shipped_bytes(variant).is_some()
}

/// The learned evaluation that comes with a variant.
///
/// # Errors
/// A sentence, if none comes with it, or its rules have been changed.
pub fn shipped(loaded: &Loaded) -> Result<LearnedValues, String> {
    let Some(bytes) = shipped_bytes(&loaded.name) else {
        let name = &loaded.name;
        return Err(format!(
            "no trained player comes with '{name}': train one with 'astragal train {name} --into FILE'"
        ));
    };
    read(bytes, loaded).map(|(_, values)| values).map_err(|error| error.to_string())
}

/// The learned evaluation in the file of this name; without a name, the one that comes with the variant.
///
/// # Errors
/// A sentence, if the file cannot be read or used, or no player comes with the variant.
pub fn open(loaded: &Loaded, name: Option<&str>) -> Result<Arc<LearnedValues>, String> {
    let Some(name) = name else { return shipped(loaded).map(Arc::new) };
    read(&bytes(Path::new(name))?, loaded).map(|(_, values)| Arc::new(values)).map_err(|error| error.to_string())
}

/// The bytes of a file.
///
/// # Errors
/// A sentence, if it is too large or cannot be read.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MOST_BYTES {
        return Err("the file is too large".into());
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

/// The digest of the rules that a whole file is for.
///
/// # Errors
/// If it is not a file of this kind, or is damaged.
pub fn rules(bytes: &[u8]) -> Result<String, FileError> {
    let (top, data) = parts(bytes)?;
    whole(&top, data)?;
    Ok(note(&top, "rules").into())
}

/// The header and the numbers of a file.
fn parts(bytes: &[u8]) -> Result<(Value, &[u8]), FileError> {
    let unknown = |why: &str| FileError::Unknown(why.into());
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| unknown("it is shorter than 8 bytes"))?;
    let length = u64::from_le_bytes(*length);
    if length > LONGEST {
        return Err(unknown("its header is too long"));
    }
    if rest.len() < length as usize {
        return Err(FileError::Damaged("it ends in the middle of its header".into()));
    }
    let (text, data) = rest.split_at(length as usize);
    let top: Value = serde_json::from_slice(text).map_err(|_| unknown("its header is not JSON"))?;
    if note(&top, "format") != "astragal-learned" {
        return Err(unknown("its header names another format"));
    }
    if note(&top, "version") != VERSION {
        return Err(unknown("it has a different version"));
    }
    Ok((top, data))
}

/// A text of the header; empty if it is missing.
fn note<'a>(top: &'a Value, name: &str) -> &'a str {
    top["__metadata__"][name].as_str().unwrap_or_default()
}

/// Checks that the numbers are those that were written.
fn whole(top: &Value, data: &[u8]) -> Result<(), FileError> {
    match note(top, "data") == hex(&Sha256::digest(data)) {
        true => Ok(()),
        false => Err(FileError::Damaged(
            "its numbers do not match the digest in its header, so it was truncated or modified".into(),
        )),
    }
}

/// Checks that a file is for these rules.
fn suits(top: &Value, loaded: &Loaded) -> Result<(), FileError> {
    if note(top, "rules") == digest(loaded) {
        return Ok(());
    }
    let options: Map<String, Value> = serde_json::from_str(note(top, "options")).unwrap_or_default();
    let options: Vec<(String, String)> =
        options.into_iter().map(|(name, value)| (name, value.as_str().unwrap_or_default().to_owned())).collect();
    Err(FileError::Other(other_rules(note(top, "variant"), &options, loaded)))
}

/// The evaluation in a file whose digest is right.
fn values(top: &Value, data: &[u8], loaded: &Loaded) -> Option<LearnedValues> {
    let tensor = |name: &str, kind: &str| -> Option<&[u8]> {
        let entry = &top[name];
        let offset = |at: usize| usize::try_from(entry["data_offsets"][at].as_u64()?).ok();
        (entry["dtype"] == kind).then_some(data.get(offset(0)?..offset(1)?)).flatten()
    };
    let scales = |name: &str| tensor(name, "F32").map(|bytes| bytes.as_chunks::<4>().0);
    let mut parts: [Vec<f32>; 4] = Default::default();
    for ((part, name), scale) in parts.iter_mut().zip(NAMES).zip(scales("scales")?) {
        if let Some(small) = tensor(name, "I8") {
            let features = scales(FEATURE_SCALES)?;
            let rows = small.chunks(small.len().checked_div(features.len())?.max(1));
            for (row, scale) in rows.zip(features) {
                let scale = f32::from_le_bytes(*scale);
                part.extend(row.iter().map(|number| f32::from(*number as i8) * scale));
            }
            continue;
        }
        let (numbers, _) = tensor(name, "I16")?.as_chunks::<2>();
        let scale = f32::from_le_bytes(*scale);
        part.extend(numbers.iter().map(|number| f32::from(i16::from_le_bytes(*number)) * scale));
    }
    let size = |at: usize| u32::try_from(top[NAMES[0]]["shape"][at].as_u64()?).ok();
    let outputs = u32::try_from(parts[3].len()).ok()?;
    let network = Network::of(Shape { inputs: size(0)?, hidden: size(1)?, outputs }, parts)?;
    let levels: Vec<i32> = serde_json::from_str(note(top, "levels")).ok()?;
    let features = super::symmetry::features(loaded);
    let symmetric = note(top, "symmetric") == features.is_symmetric().to_string();
    let sides = loaded.set.variant.sides();
    LearnedValues::new(features, network, levels, sides).filter(|_| symmetric)
}
