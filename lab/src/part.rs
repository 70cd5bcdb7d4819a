//! Parts of a simulation: played by any processes on any machines, and merged afterwards.
//!
//! A part is two texts: the tally of its games, and a manifest with the experiment, the range of games, and the SHA-256 of
//! the tally. Write the manifest last: a part without a manifest does not exist. Merged parts equal the tally of a single
//! run, to the byte; parts that do not fit together are rejected.

use crate::experiment::{Experiment, LabError, Setting};
use crate::hex::hex;
use crate::learning::file::weights_digest;
use crate::opponent::Opponent;
use crate::tally::Tally;
use astragal_dsl::Source;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ops::Range;
use thiserror::Error;

/// The version of the file format.
const VERSION: u32 = 5;

/// The reason why parts cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MergeError {
    /// There are no parts.
    #[error("this folder has no parts: 'simulate --games A..B --part DIR' writes them")]
    Nothing,
    /// A manifest or a tally cannot be read.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// The reason.
        reason: String,
    },
    /// The tally does not match the manifest.
    #[error("{file}: its SHA-256 is {found}, but the manifest has {expected}; run this part again")]
    Damaged {
        /// The file.
        file: String,
        /// The digest of the file.
        found: String,
        /// The digest in the manifest.
        expected: String,
    },
    /// Two parts are of different experiments.
    #[error("{file} cannot be merged with {other}: {what}")]
    Mixed {
        /// The manifest of one part.
        file: String,
        /// The manifest of the other part.
        other: String,
        /// The difference.
        what: &'static str,
    },
    /// A part to be played already exists, for another experiment.
    #[error("{0} belongs to a different simulation")]
    Other(String),
    /// Games are missing.
    #[error("games {}..{} are missing", .0.start, .0.end)]
    Gap(Range<u64>),
    /// Games were played twice.
    #[error("games {}..{} occur twice, in {first} and in {second}", range.start, range.end)]
    Overlap {
        /// The games.
        range: Range<u64>,
        /// The manifest of one part.
        first: String,
        /// The manifest of the other.
        second: String,
    },
    /// The merged parts cannot be reported on.
    #[error("{0}")]
    Lab(String),
}

/// The description of a part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// The version of the engine that played.
    engine: String,
    /// The name of the variant.
    pub variant: String,
    /// The SHA-256 of its script.
    script_sha256: String,
    setting: Setting,
    /// The SHA-256 of the weights of each trained player: its name alone does not identify it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    weights: BTreeMap<String, String>,
    /// The first game, and the one after the last.
    pub games: (u64, u64),
    /// The SHA-256 of the tally.
    tally_sha256: String,
    /// The script, so that merged parts can be reported on anywhere.
    script: String,
}

/// A part, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The text of the manifest.
    pub manifest: String,
    /// The text of the tally.
    pub tally: String,
}

/// The file names of the part with these games: of the manifest and the tally.
pub fn file_names(games: &Range<u64>) -> (String, String) {
    let name = format!("games-{}-{}", games.start, games.end);
    (format!("{name}.manifest.json"), format!("{name}.tally.json"))
}

/// Whether a file of this name is a manifest.
pub fn is_manifest(name: &str) -> bool {
    name.starts_with("games-") && name.ends_with(".manifest.json")
}

impl Part {
    /// The part of an experiment with these games and their tally.
    ///
    /// # Errors
    /// If it cannot be serialized.
    pub fn new(experiment: &Experiment, games: &Range<u64>, tally: &Tally) -> Result<Part, LabError> {
        let text = |value: serde_json::Result<String>| value.map_err(|error| LabError::Write(error.to_string()));
        let tally = text(serde_json::to_string(tally))? + "\n";
        let manifest = Manifest { tally_sha256: digest(&tally), ..Manifest::of(experiment, games) };
        Ok(Part { manifest: text(serde_json::to_string_pretty(&manifest))? + "\n", tally })
    }

    /// Reads a part; `manifest` and `tally` are the names of its texts for error messages.
    ///
    /// # Errors
    /// If it is not a part, or of another version, or the tally does not match the manifest.
    pub fn read(&self, manifest: &str, tally: &str) -> Result<(Manifest, Tally), MergeError> {
        let read = Manifest::read(manifest, &self.manifest)?;
        let tally = read.tally(tally, &self.tally)?;
        Ok((read, tally))
    }
}

impl Manifest {
    /// The manifest of these games of an experiment, without the tally's digest.
    fn of(experiment: &Experiment, games: &Range<u64>) -> Manifest {
        Manifest {
            version: VERSION,
            engine: env!("CARGO_PKG_VERSION").into(),
            variant: experiment.loaded().name.clone(),
            script_sha256: experiment.script_digest(),
            setting: experiment.setting().clone(),
            weights: experiment.seats().iter().filter_map(weights).collect(),
            games: (games.start, games.end),
            tally_sha256: String::new(),
            script: experiment.loaded().source.text.clone(),
        }
    }

    /// Reads a manifest; `file` is its name in errors.
    ///
    /// # Errors
    /// If it is not a manifest, or of another version.
    pub fn read(file: &str, text: &str) -> Result<Manifest, MergeError> {
        let unreadable = |reason: String| MergeError::Unreadable { file: file.into(), reason };
        let manifest: Manifest =
            serde_json::from_str(text).map_err(|error| unreadable(format!("not a manifest: {error}")))?;
        if manifest.version != VERSION {
            return Err(unreadable(format!("format version {}, expected {VERSION}", manifest.version)));
        }
        if manifest.games.0 >= manifest.games.1 {
            return Err(unreadable("the part contains no games".into()));
        }
        if digest(&manifest.script) != manifest.script_sha256 {
            return Err(unreadable("its script does not match its SHA-256".into()));
        }
        Ok(manifest)
    }

    /// The file name of its tally.
    pub fn tally_name(&self) -> String {
        file_names(&self.range()).1
    }

    /// The games of the part.
    pub fn range(&self) -> Range<u64> {
        self.games.0..self.games.1
    }

    /// Whether this is the part with these games of the experiment.
    pub fn is_of(&self, experiment: &Experiment, games: &Range<u64>) -> bool {
        self.differs(&Manifest::of(experiment, games)).is_none() && self.range() == *games
    }

    /// Reads the tally; `file` is its name in errors.
    ///
    /// # Errors
    /// If it does not match the manifest.
    pub fn tally(&self, file: &str, text: &str) -> Result<Tally, MergeError> {
        let found = digest(text);
        if found != self.tally_sha256 {
            return Err(MergeError::Damaged { file: file.into(), found, expected: self.tally_sha256.clone() });
        }
        let unreadable = |reason: String| MergeError::Unreadable { file: file.into(), reason };
        let tally: Tally = serde_json::from_str(text).map_err(|error| unreadable(format!("not a tally: {error}")))?;
        if tally.games != self.games.1 - self.games.0 {
            return Err(unreadable(format!("it has {} games, but its manifest lists a different number", tally.games)));
        }
        Ok(tally)
    }

    /// The difference that makes it part of another experiment, if any.
    fn differs(&self, other: &Manifest) -> Option<&'static str> {
        let differences = [
            (self.engine != other.engine, "different engine versions"),
            (self.script_sha256 != other.script_sha256, "different scripts"),
            (self.setting.options != other.setting.options, "different options"),
            (self.setting.position != other.setting.position, "different starting positions"),
            (self.setting.players != other.setting.players, "different players"),
            (self.weights != other.weights, "different weights of trained players"),
            (self.setting.seed != other.setting.seed, "different seeds"),
            (self.setting.luck != other.setting.luck, "luck was measured in only one of them"),
            (self.setting.lines != other.setting.lines, "lines were counted in only one of them"),
            (self.setting.max_plies != other.setting.max_plies, "different length limits"),
            (self.variant != other.variant, "different variant names"),
        ];
        differences.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
    }
}

/// Merges parts, each with the name of its manifest, into the experiment, its games, and their tally.
///
/// # Errors
/// If they are of different experiments, or games are missing or duplicated.
pub fn merge(mut parts: Vec<(String, Manifest, Tally)>) -> Result<(Experiment, Range<u64>, Tally), MergeError> {
    parts.sort_by_key(|(_, manifest, _)| manifest.games);
    let Some((first, head, _)) = parts.first() else { return Err(MergeError::Nothing) };
    for pair in parts.windows(2) {
        let [(before, one, _), (file, next, _)] = pair else { continue };
        if let Some(what) = next.differs(head) {
            return Err(MergeError::Mixed { file: file.clone(), other: first.clone(), what });
        }
        if next.games.0 > one.games.1 {
            return Err(MergeError::Gap(one.games.1..next.games.0));
        }
        if next.games.0 < one.games.1 {
            let range = next.games.0..one.games.1.min(next.games.1);
            return Err(MergeError::Overlap { range, first: before.clone(), second: file.clone() });
        }
    }
    let source = Source { name: head.variant.clone(), path: None, text: head.script.clone() };
    let experiment = Experiment::played_elsewhere(&source, head.setting.clone())
        .map_err(|error| MergeError::Lab(error.to_string()))?;
    let games = head.games.0..parts.last().map_or(head.games.1, |(_, last, _)| last.games.1);
    let mut whole = Tally::default();
    parts.iter().for_each(|(_, _, tally)| whole.merge(tally));
    Ok((experiment, games, whole))
}

/// The name of a trained player and the digest of its weights.
fn weights(player: &Opponent) -> Option<(String, String)> {
    let Opponent::Learned(learned) = player else { return None };
    Some((player.to_string(), weights_digest(learned.values())))
}

fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}
