//! The trained players that the server has: files that were given, that `train` has made, or that come with variants.
//!
//! Owns which file belongs to which rules. Every method finds its player here. Knows neither where files come from nor how
//! players decide.

use crate::interrupt;
use astragal_computer::learned::LearnedValues;
use astragal_dsl::Loaded;
use astragal_lab::learning::file::{self, FileError, Header};
use astragal_lab::solve::table::digest;
use astragal_variants::TRAINED;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// The maximum number of files that are kept. A further one replaces the oldest.
const MOST: usize = 16;

/// A file of a trained player.
struct TrainedFile {
    /// The digest of its rules.
    rules: String,
    bytes: Cow<'static, [u8]>,
    /// Its content, read when it is first needed.
    read: OnceLock<(Header, Arc<LearnedValues>)>,
}

/// The files, at most one for the same rules.
#[derive(Default)]
pub(super) struct TrainedPlayers {
    /// Those that were given or made, the newest last.
    given: Vec<TrainedFile>,
    /// Those that come with variants, once they are needed. Training does not continue from them.
    shipped: OnceLock<Vec<TrainedFile>>,
}

impl TrainedFile {
    fn new(bytes: Cow<'static, [u8]>) -> Result<TrainedFile, FileError> {
        Ok(TrainedFile { rules: file::rules(&bytes)?, bytes, read: OnceLock::new() })
    }
}

impl TrainedPlayers {
    /// Adds a file, which replaces one for the same rules.
    ///
    /// # Errors
    /// If it is not the file of a trained player, or is damaged.
    pub(super) fn add(&mut self, bytes: Vec<u8>) -> Result<(), FileError> {
        let new = TrainedFile::new(bytes.into())?;
        self.given.retain(|other| other.rules != new.rules);
        self.given.drain(..(self.given.len() + 1).saturating_sub(MOST));
        self.given.push(new);
        Ok(())
    }

    /// The bytes of the file that was added last.
    pub(super) fn last(&self) -> Option<&[u8]> {
        self.given.last().map(|file| &*file.bytes)
    }

    /// The file for these rules that was given or made; `None` if there is none.
    pub(super) fn file(&self, loaded: &Loaded) -> Option<&[u8]> {
        let rules = digest(loaded);
        self.given.iter().find(|file| file.rules == rules).map(|file| &*file.bytes)
    }

    /// The file for these rules, which may come with the variant.
    fn find(&self, loaded: &Loaded) -> Option<&TrainedFile> {
        let all = || TRAINED.iter().filter_map(|(_, bytes)| TrainedFile::new((*bytes).into()).ok()).collect();
        let rules = digest(loaded);
        self.given.iter().chain(self.shipped.get_or_init(all)).find(|file| file.rules == rules)
    }

    /// The learned evaluation for these rules, and from how many games; `None` if there is none.
    ///
    /// # Errors
    /// If its file does not fit the rules after all.
    pub(super) fn of(&self, loaded: &Loaded) -> Result<Option<(Header, Arc<LearnedValues>)>, FileError> {
        let Some(found) = self.find(loaded) else { return Ok(None) };
        if let Some((header, values)) = found.read.get() {
            return Ok(Some((*header, Arc::clone(values))));
        }
        // The rules play random games here. They must not be cut short, since the result is kept.
        let (header, values) = interrupt::uninterrupted(|| file::read(&found.bytes, loaded))?;
        let (header, values) = found.read.get_or_init(|| (header, Arc::new(values)));
        Ok(Some((*header, Arc::clone(values))))
    }

    /// The same for a request that names the player.
    ///
    /// # Errors
    /// A sentence with advice, if there is none.
    pub(super) fn named(&self, loaded: &Loaded) -> Result<Arc<LearnedValues>, String> {
        let found = self.of(loaded).map_err(|error| error.to_string())?;
        found.map(|(_, values)| values).ok_or_else(|| {
            let why = self.why(loaded).map_or(String::new(), |why| format!(": {why}"));
            format!("there is no trained player for these rules{why}; add its file with 'serve --learned FILE', or use 'train'")
        })
    }

    /// The same for the name of a player, in which requests cannot name files.
    ///
    /// # Errors
    /// As [`TrainedPlayers::named`], and if a file is named.
    pub(super) fn open(&self, loaded: &Loaded, file: Option<&str>) -> Result<Arc<LearnedValues>, String> {
        match file {
            None => self.named(loaded),
            Some(_) => {
                Err("requests cannot name files; write 'learned', and add the file with 'serve --learned FILE'".into())
            }
        }
    }

    /// Why the file that was added last is not for these rules; `None` if it is, or there is no file.
    pub(super) fn why(&self, loaded: &Loaded) -> Option<String> {
        let last = self.given.last().filter(|last| last.rules != digest(loaded))?;
        interrupt::uninterrupted(|| file::read(&last.bytes, loaded)).err().map(|error| error.to_string())
    }
}
