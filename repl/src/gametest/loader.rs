//! The scripts that game files name, loaded once each, and watched if coverage is wanted.

use super::file::GameFile;
use super::play::Trouble;
use astragal_core::Mode;
use astragal_dsl::coverage::{self, Coverage};
use astragal_dsl::library::Reach;
use astragal_dsl::{LoadError, Loaded, Source};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

type Options = Vec<(String, String)>;

/// Loads scripts. See the [module](self).
#[derive(Default)]
pub struct Loader {
    kept: BTreeMap<(String, Options), Rc<Loaded>>,
    plain: BTreeMap<(String, Options), Rc<Loaded>>,
    watched: Option<BTreeMap<String, (Source, Coverage)>>,
}

impl Loader {
    /// A loader that watches nothing.
    pub fn new() -> Loader {
        Loader::default()
    }

    /// A loader that notes what of the scripts is run.
    pub fn watching() -> Loader {
        Loader { watched: Some(BTreeMap::new()), ..Loader::default() }
    }

    /// The scripts loaded so far with what has been run of them, by file, if this loader watches.
    pub fn coverage(&self) -> impl Iterator<Item = &(Source, Coverage)> {
        self.watched.iter().flat_map(BTreeMap::values)
    }

    /// The variant that a file is about.
    ///
    /// # Errors
    /// If no script is named or found, or the script or an option is wrong.
    pub fn of_file(&mut self, file: &GameFile) -> Result<Rc<Loaded>, Trouble> {
        let name = script_of(file)?;
        let source = Reach::Scripts.resolve(&name).map_err(|error| blame_header(file, error))?;
        self.load(&source, &file.options).map_err(|error| match (&error, &file.options_at) {
            (LoadError::Option(message), Some(at)) => {
                Trouble::Here(file.wrong(at.line, at.column, message.clone(), None))
            }
            _ => Trouble::Script(error),
        })
    }

    /// A variant with options.
    ///
    /// # Errors
    /// If the script or an option is wrong.
    pub fn load(&mut self, source: &Source, options: &[(String, String)]) -> Result<Rc<Loaded>, LoadError> {
        let key = key(source, options);
        if let Some(loaded) = self.kept.get(&key) {
            return Ok(Rc::clone(loaded));
        }
        let loaded = match &mut self.watched {
            None => astragal_dsl::load(source, options)?,
            Some(watched) => {
                let entry = watched.entry(source.file()).or_insert_with(|| (source.clone(), Coverage::new()));
                coverage::load(source, options, &entry.1)?
            }
        };
        loaded.set.rules.stop_when(crate::interrupt::asked);
        let loaded = Rc::new(loaded);
        self.kept.insert(key, Rc::clone(&loaded));
        Ok(loaded)
    }

    /// The same variant, its rules run anew every time, to compare with.
    ///
    /// # Errors
    /// If the script or an option is wrong.
    pub fn interpreted(&mut self, loaded: &Loaded) -> Result<Rc<Loaded>, LoadError> {
        let options = crate::shelf::chosen(loaded);
        let key = key(&loaded.source, &options);
        if let Some(loaded) = self.plain.get(&key) {
            return Ok(Rc::clone(loaded));
        }
        let plain = Rc::new(astragal_dsl::load_with(&loaded.source, &options, Mode::Interpreted)?);
        plain.set.rules.stop_when(crate::interrupt::asked);
        self.plain.insert(key, Rc::clone(&plain));
        Ok(plain)
    }
}

fn key(source: &Source, options: &[(String, String)]) -> (String, Options) {
    let mut options = options.to_vec();
    options.sort();
    (source.file(), options)
}

/// The name or path of the script that a file is about.
///
/// # Errors
/// If the file does not name one and there is none, or are several, beside it.
pub fn script_of(file: &GameFile) -> Result<String, Trouble> {
    let folder = folder_of(&file.path);
    if let Some(header) = &file.variant {
        let path = header.value.ends_with(".rhai") || header.value.contains(['/', '\\']);
        return Ok(if path { tidy(&folder.join(&header.value)) } else { header.value.clone() });
    }
    let beside = scripts_in(&folder);
    match beside.as_slice() {
        [one] => Ok(one.display().to_string()),
        several => {
            let message = "the file does not say what is played: it needs a line as 'variant: my-game.rhai'";
            let names: Vec<String> =
                several.iter().filter_map(|p| Some(p.file_name()?.to_string_lossy().into_owned())).collect();
            let help = (!names.is_empty()).then(|| format!("beside it are: {}", names.join(", ")));
            Err(Trouble::Here(file.wrong(1, 1, message, help)))
        }
    }
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| ".".into())
}

/// The scripts in a folder, sorted.
pub fn scripts_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut scripts: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "rhai")).collect();
    scripts.sort();
    scripts.into_iter().map(|path| path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)).collect()
}

/// A path without `x/..` and leading `./`, as people would write it.
fn tidy(path: &Path) -> String {
    use std::path::Component;
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(parts.last(), Some(Component::Normal(_))) => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.iter().collect::<PathBuf>().display().to_string()
}

fn blame_header(file: &GameFile, error: LoadError) -> Trouble {
    match &file.variant {
        Some(at) if !matches!(error, LoadError::Script(_)) => {
            Trouble::Here(file.wrong(at.line, at.column, error.to_string(), None))
        }
        _ => Trouble::Script(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_files_folder() {
        let named = |path: &str, variant: &str| {
            let text = format!("variant: {variant}\n");
            script_of(&GameFile::parse(Path::new(path), &text).expect("a file")).expect("a script")
        };
        assert_eq!(named("games/tests/a.game", "../my.rhai"), "games/my.rhai");
        assert_eq!(named("a.game", "my.rhai"), "my.rhai");
        assert_eq!(named("a.game", "../my.rhai"), "../my.rhai");
        assert_eq!(named("x/a.game", "chess"), "chess");
    }
}
