//! Parts of a simulation, played by whatever processes on whatever machines, and put together again.
//!
//! A part is two texts: the tally of its games, and a manifest that says of which experiment they are, which games, and what
//! the tally's SHA-256 is. Whoever keeps them writes the manifest last: without it there is no part. Merged parts are the
//! tally of one run, to the byte; what does not fit together is refused.

use crate::experiment::{Experiment, LabError, Setting, hex};
use crate::tally::Tally;
use astragal_dsl::Source;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ops::Range;
use thiserror::Error;

/// The version of the files' form.
const VERSION: u32 = 5;

/// Why parts do not make a whole.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MergeError {
    /// There is none.
    #[error("there are no parts here: 'simulate --games A..B --part DIR' writes them")]
    Nothing,
    /// A manifest or a tally cannot be read.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The tally is not the one that the manifest speaks of.
    #[error("{file}: its SHA-256 is {found}, the manifest says {expected}; run this part again")]
    Damaged {
        /// The file.
        file: String,
        /// That of the file.
        found: String,
        /// That in the manifest.
        expected: String,
    },
    /// Two parts are of different experiments.
    #[error("{file} does not belong to {other}: {what}")]
    Mixed {
        /// The manifest of one.
        file: String,
        /// The manifest of the other.
        other: String,
        /// What differs.
        what: &'static str,
    },
    /// A part that is to be played is there already, of another experiment.
    #[error("{0} is a part of another simulation")]
    Other(String),
    /// Games are missing.
    #[error("games {}..{} are missing", .0.start, .0.end)]
    Gap(Range<u64>),
    /// Games were played twice.
    #[error("games {}..{} are there twice: in {first} and in {second}", range.start, range.end)]
    Overlap {
        /// The games.
        range: Range<u64>,
        /// The manifest of one part.
        first: String,
        /// The manifest of the other.
        second: String,
    },
    /// The whole cannot be reported on.
    #[error("{0}")]
    Lab(String),
}

/// What a part is of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// The version of the engine that has played.
    engine: String,
    /// The name of the variant.
    pub variant: String,
    /// The SHA-256 of its script.
    script_sha256: String,
    setting: Setting,
    /// The first game, and the one behind the last.
    pub games: (u64, u64),
    /// The SHA-256 of the tally.
    tally_sha256: String,
    /// The script itself, so that a whole can be reported on anywhere.
    script: String,
}

/// A part, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The text of the manifest.
    pub manifest: String,
    /// The text of the tally.
    pub tally: String,
}

/// The names of the files of the part with these games: the manifest's and the tally's.
pub fn file_names(games: &Range<u64>) -> (String, String) {
    let name = format!("games-{}-{}", games.start, games.end);
    (format!("{name}.manifest.json"), format!("{name}.tally.json"))
}

/// Whether a file of this name is a manifest.
pub fn is_manifest(name: &str) -> bool {
    name.starts_with("games-") && name.ends_with(".manifest.json")
}

impl Part {
    /// The part of an experiment with these games and what they came to.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn new(experiment: &Experiment, games: &Range<u64>, tally: &Tally) -> Result<Part, LabError> {
        let text = |value: serde_json::Result<String>| value.map_err(|error| LabError::Write(error.to_string()));
        let tally = text(serde_json::to_string(tally))? + "\n";
        let manifest = Manifest { tally_sha256: digest(&tally), ..Manifest::of(experiment, games) };
        Ok(Part { manifest: text(serde_json::to_string_pretty(&manifest))? + "\n", tally })
    }

    /// Reads it; the names are those of its texts in errors.
    ///
    /// # Errors
    /// If it is none, or of another version, or the tally is not the one that the manifest speaks of.
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
            games: (games.start, games.end),
            tally_sha256: String::new(),
            script: experiment.loaded().source.text.clone(),
        }
    }

    /// Reads a manifest; `file` is its name in errors.
    ///
    /// # Errors
    /// If it is none, or of another version.
    pub fn read(file: &str, text: &str) -> Result<Manifest, MergeError> {
        let unreadable = |reason: String| MergeError::Unreadable { file: file.into(), reason };
        let manifest: Manifest =
            serde_json::from_str(text).map_err(|error| unreadable(format!("not a manifest: {error}")))?;
        if manifest.version != VERSION {
            return Err(unreadable(format!("version {} of the form, expected {VERSION}", manifest.version)));
        }
        if manifest.games.0 >= manifest.games.1 {
            return Err(unreadable("a part has at least one game".into()));
        }
        if digest(&manifest.script) != manifest.script_sha256 {
            return Err(unreadable("its script is not the one whose SHA-256 it names".into()));
        }
        Ok(manifest)
    }

    /// The name of the tally's file beside it.
    pub fn tally_name(&self) -> String {
        file_names(&self.range()).1
    }

    /// The games of the part.
    pub fn range(&self) -> Range<u64> {
        self.games.0..self.games.1
    }

    /// Whether this part is the one with these games of the experiment.
    pub fn is_of(&self, experiment: &Experiment, games: &Range<u64>) -> bool {
        self.differs(&Manifest::of(experiment, games)).is_none() && self.range() == *games
    }

    /// Reads the tally; `file` is its name in errors.
    ///
    /// # Errors
    /// If it is not the one that the manifest speaks of.
    pub fn tally(&self, file: &str, text: &str) -> Result<Tally, MergeError> {
        let found = digest(text);
        if found != self.tally_sha256 {
            return Err(MergeError::Damaged { file: file.into(), found, expected: self.tally_sha256.clone() });
        }
        let unreadable = |reason: String| MergeError::Unreadable { file: file.into(), reason };
        let tally: Tally = serde_json::from_str(text).map_err(|error| unreadable(format!("not a tally: {error}")))?;
        if tally.games != self.games.1 - self.games.0 {
            return Err(unreadable(format!("it has {} games", tally.games)));
        }
        Ok(tally)
    }

    /// What makes it part of another experiment.
    fn differs(&self, other: &Manifest) -> Option<&'static str> {
        let differences = [
            (self.engine != other.engine, "other versions of the engine"),
            (self.script_sha256 != other.script_sha256, "other scripts"),
            (self.setting.options != other.setting.options, "other options"),
            (self.setting.position != other.setting.position, "other positions to begin with"),
            (self.setting.players != other.setting.players, "other players"),
            (self.setting.seed != other.setting.seed, "other seeds"),
            (self.setting.luck != other.setting.luck, "luck told in one and not in the other"),
            (self.setting.lines != other.setting.lines, "lines counted in one and not in the other"),
            (self.setting.max_plies != other.setting.max_plies, "other limits of length"),
            (self.variant != other.variant, "other names of the variant"),
        ];
        differences.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
    }
}

/// Puts parts together, each with the name of its manifest: the experiment, its games, and what they came to.
///
/// # Errors
/// If they are of different experiments, or games are missing or there twice.
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
    let experiment =
        Experiment::new(&source, head.setting.clone()).map_err(|error| MergeError::Lab(error.to_string()))?;
    let games = head.games.0..parts.last().map_or(head.games.1, |(_, last, _)| last.games.1);
    let mut whole = Tally::default();
    parts.iter().for_each(|(_, _, tally)| whole.merge(tally));
    Ok((experiment, games, whole))
}

fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}
