//! The scripts that game files name. Each is loaded once, and optionally records coverage.

use super::error::GameTestError;
use super::file::GameFile;
use astragal_core::Mode;
use astragal_dsl::coverage::Coverage;
use astragal_dsl::library::Reach;
use astragal_dsl::{LoadError, Loaded, Source, load_noting};
use std::collections::BTreeMap;
use std::sync::Arc;

type Options = Vec<(String, String)>;

/// Finds the script of a game file.
type Find = Box<dyn Fn(&GameFile) -> Result<Source, GameTestError>>;

/// Loads scripts. See the [module](self).
pub struct Loader {
    find: Find,
    kept: BTreeMap<(String, Options), Arc<Loaded>>,
    plain: BTreeMap<(String, Options), Arc<Loaded>>,
    /// A variant that the caller has loaded.
    given: Option<Arc<Loaded>>,
    watched: Option<BTreeMap<String, (Source, Coverage)>>,
}

impl Default for Loader {
    fn default() -> Loader {
        Loader::new()
    }
}

impl Loader {
    /// A loader that knows the bundled variants and records no coverage.
    pub fn new() -> Loader {
        Loader { find: Box::new(bundled), kept: BTreeMap::new(), plain: BTreeMap::new(), given: None, watched: None }
    }

    /// A loader whose game files all test one script, which is loaded already. It is loaded again only for files with
    /// other options.
    pub fn of_loaded(loaded: Arc<Loaded>) -> Loader {
        let source = loaded.source.clone();
        Loader { given: Some(loaded), ..Loader::new().finding(move |_| Ok(source.clone())) }
    }

    /// The same, with another way to find the scripts of game files.
    #[must_use]
    pub fn finding(self, find: impl Fn(&GameFile) -> Result<Source, GameTestError> + 'static) -> Loader {
        Loader { find: Box::new(find), ..self }
    }

    /// The same, recording which parts of the scripts run.
    #[must_use]
    pub fn watching(self) -> Loader {
        Loader { watched: Some(BTreeMap::new()), ..self }
    }

    /// The scripts loaded so far with their coverage, by file, if this loader records it.
    pub fn coverage(&self) -> impl Iterator<Item = &(Source, Coverage)> {
        self.watched.iter().flat_map(BTreeMap::values)
    }

    /// The variant of a game file.
    ///
    /// # Errors
    /// If no script is named or found, or the script or an option is wrong.
    pub(crate) fn of_file(&mut self, file: &GameFile) -> Result<Arc<Loaded>, GameTestError> {
        let source = (self.find)(file)?;
        self.load(&source, &file.options).map_err(|error| match (&error, &file.options_at) {
            (LoadError::Option(message), Some(at)) => {
                GameTestError::Here(file.wrong(at.line, at.column, message.clone(), None))
            }
            _ => GameTestError::Script(error),
        })
    }

    /// A variant with options.
    ///
    /// # Errors
    /// If the script or an option is wrong.
    pub fn load(&mut self, source: &Source, options: &[(String, String)]) -> Result<Arc<Loaded>, LoadError> {
        if let Some(given) = self.given.as_ref().filter(|given| given.source == *source && has(given, options)) {
            return Ok(Arc::clone(given));
        }
        let key = key(source, options);
        if let Some(loaded) = self.kept.get(&key) {
            return Ok(Arc::clone(loaded));
        }
        let loaded = match &mut self.watched {
            None => astragal_dsl::load(source, options)?,
            Some(watched) => {
                let entry = watched.entry(source.file()).or_insert_with(|| (source.clone(), Coverage::new()));
                load_noting(source, options, &entry.1)?
            }
        };
        loaded.set.rules.stop_when(crate::interrupt::stop_requested);
        let loaded = Arc::new(loaded);
        self.kept.insert(key, Arc::clone(&loaded));
        Ok(loaded)
    }

    /// The same variant without cached rule trees, to compare with.
    ///
    /// # Errors
    /// If the script or an option is wrong.
    pub fn interpreted(&mut self, loaded: &Loaded) -> Result<Arc<Loaded>, LoadError> {
        let options = crate::variant_cache::chosen(loaded);
        let key = key(&loaded.source, &options);
        if let Some(loaded) = self.plain.get(&key) {
            return Ok(Arc::clone(loaded));
        }
        let plain = Arc::new(astragal_dsl::load_with(&loaded.source, &options, Mode::Interpreted)?);
        plain.set.rules.stop_when(crate::interrupt::stop_requested);
        self.plain.insert(key, Arc::clone(&plain));
        Ok(plain)
    }
}

fn key(source: &Source, options: &[(String, String)]) -> (String, Options) {
    let mut options = options.to_vec();
    options.sort();
    (source.file(), options)
}

/// Whether a variant was loaded with these options, and has its defaults for all others.
fn has(loaded: &Loaded, options: &[(String, String)]) -> bool {
    let known = |name: &String| loaded.options.iter().any(|option| option.name == *name);
    options.iter().all(|(name, _)| known(name))
        && loaded.options.iter().all(|option| {
            let mut given = options.iter().filter(|(name, _)| *name == option.name).peekable();
            let is_default = given.peek().is_none() && option.chosen == option.default;
            is_default || given.peek().is_some() && given.all(|(_, value)| *value == option.chosen)
        })
}

/// The script of a file that names a bundled variant.
fn bundled(file: &GameFile) -> Result<Source, GameTestError> {
    let Some(header) = &file.variant else { return Err(GameTestError::no_script(file, &[])) };
    Reach::Bundled.resolve(&header.value).map_err(|error| GameTestError::of_script(file, error))
}
