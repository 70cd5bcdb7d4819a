//! A cache of variants that are ready to play: found and loaded with their options.
//!
//! Only this module asks the script layer to load a script. Texts are compared at each request, so edited scripts are
//! loaded again.

use astragal_dsl::library::{self, Reach};
use astragal_dsl::{LoadError, Loaded, Source};
pub use astragal_variants::DEFAULT as DEFAULT_VARIANT;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Names and values of options, sorted by name.
pub type Options = Vec<(String, String)>;

/// The maximum number of cached variants; then the cache is emptied.
const MOST: usize = 64;

/// The maximum number of scripts that can be given as texts.
const MOST_GIVEN: usize = 64;

/// Loaded variants by name and options.
#[derive(Default)]
pub struct VariantCache {
    kept: HashMap<(String, Options), (String, Arc<Loaded>)>,
    /// Scripts given as texts, by name.
    given: BTreeMap<String, String>,
    reach: Reach,
}

impl VariantCache {
    /// An empty cache.
    pub fn new() -> VariantCache {
        VariantCache::default()
    }

    /// An empty cache, for scripts within reach.
    pub(crate) fn within(reach: Reach) -> VariantCache {
        VariantCache { reach, ..VariantCache::default() }
    }

    /// The scripts that the cache can open.
    pub(crate) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The variant called `name` (or at that path) with `options`, from the cache if possible.
    ///
    /// # Errors
    /// If there is no such variant, or its script or an option is wrong.
    pub fn load(&mut self, name: &str, options: &[(String, String)]) -> Result<Arc<Loaded>, LoadError> {
        let source = self.source(name)?;
        self.keep(name, source, options)
    }

    /// The script called `name` or at that path.
    ///
    /// # Errors
    /// If there is none within reach.
    pub(crate) fn source(&self, name: &str) -> Result<Source, LoadError> {
        match self.given(name) {
            Some(source) => Ok(source),
            None => self.reach.resolve(name),
        }
    }

    fn given(&self, name: &str) -> Option<Source> {
        let text = self.given.get(name)?.clone();
        Some(Source { name: name.trim_end_matches(library::ENDING).into(), path: None, text })
    }

    /// Stores a script's text under a name, which then no longer refers to a file. Returns false if there are too many
    /// already.
    pub(crate) fn give(&mut self, name: &str, text: &str) -> bool {
        if self.given.len() >= MOST_GIVEN && !self.given.contains_key(name) {
            return false;
        }
        self.given.insert(name.into(), text.into());
        true
    }

    /// Like [`VariantCache::load`], for a name from a file such as a record. The file may come from a stranger, so a path
    /// is opened only if it ends in `.rhai`.
    ///
    /// # Errors
    /// As [`VariantCache::load`].
    pub fn load_told(&mut self, name: &str, options: &[(String, String)]) -> Result<Arc<Loaded>, LoadError> {
        let source = match self.given(name) {
            Some(source) => source,
            None => self.reach.of_files().resolve(name)?,
        };
        self.keep(name, source, options)
    }

    fn keep(&mut self, name: &str, source: Source, options: &[(String, String)]) -> Result<Arc<Loaded>, LoadError> {
        let mut options = options.to_vec();
        options.sort();
        let key = (name.to_owned(), options);
        if let Some((text, loaded)) = self.kept.get(&key)
            && *text == source.text
        {
            return Ok(Arc::clone(loaded));
        }
        let loaded = Arc::new(load(&source, &key.1)?);
        if self.kept.len() >= MOST {
            self.kept.clear();
        }
        self.kept.insert(key, (source.text, Arc::clone(&loaded)));
        Ok(loaded)
    }

    /// Removes everything but the scripts given as texts.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
    }
}

fn load(source: &Source, options: &[(String, String)]) -> Result<Loaded, LoadError> {
    let loaded = astragal_dsl::load(source, options)?;
    loaded.set.rules.stop_when(crate::interrupt::stop_requested);
    Ok(loaded)
}

/// The options that differ from their defaults.
pub fn chosen(loaded: &Loaded) -> Options {
    let changed = loaded.options.iter().filter(|option| option.chosen != option.default);
    changed.map(|option| (option.name.clone(), option.chosen.clone())).collect()
}
