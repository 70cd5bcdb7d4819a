//! A loaded variant, shared by all of its games.

use crate::Error;
use astragal_computer::Evaluation;
use astragal_dsl::{Loaded, Source, library};
use astragal_lab::solve::table::{Table, Tables};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A variant, loaded with certain options. Clones share all data, and are `Send + Sync`.
#[derive(Clone)]
pub struct Variant {
    shared: Arc<Shared>,
}

struct Shared {
    loaded: Loaded,
    tables: Tables,
    /// The data of opponents, computed on first use.
    evaluation: OnceLock<Arc<Evaluation>>,
}

/// An option of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its possible values.
    pub values: Vec<String>,
    /// Its current value.
    pub chosen: String,
    /// Its meaning, in a line.
    pub about: String,
}

impl Variant {
    /// The names of the built-in variants, sorted.
    pub fn names() -> Vec<&'static str> {
        library::names()
    }

    /// Loads a variant by name or path with these options; all others have their defaults.
    ///
    /// # Errors
    /// As for [`load`](crate::load()), and if there is no such option or value.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let free = astragal::Variant::load("dice-chess", &[("self_check", "allowed")])?;
    /// assert!(free.options().iter().any(|option| option.name == "self_check" && option.chosen == "allowed"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn load(name_or_path: &str, options: &[(&str, &str)]) -> Result<Variant, Error> {
        Variant::of(&library::resolve(name_or_path)?, options)
    }

    /// Loads a script from a string. Messages use `name` for it; it can import built-in scripts.
    ///
    /// # Errors
    /// If the script has errors.
    pub fn from_script(name: &str, script: &str) -> Result<Variant, Error> {
        Variant::of(&Source { name: name.into(), path: None, text: script.into() }, &[])
    }

    fn of(source: &Source, options: &[(&str, &str)]) -> Result<Variant, Error> {
        let options: Vec<(String, String)> =
            options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Ok(Variant::from_loaded(astragal_dsl::load(source, &options)?))
    }

    pub(crate) fn from_loaded(loaded: Loaded) -> Variant {
        Variant { shared: Arc::new(Shared { loaded, tables: Tables::default(), evaluation: OnceLock::new() }) }
    }

    pub(crate) fn loaded(&self) -> &Loaded {
        &self.shared.loaded
    }

    /// The same variant with the exact values of tables, which [`astragal solve`](crate) has written:
    /// [`Game::value`](crate::Game::value) returns them, and opponents use them.
    ///
    /// # Errors
    /// If a file is not a table, is damaged, or is for other rules.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), astragal::Error> {
    /// let variant = astragal::load("dicechess-3")?.with_tables(&["krvk.table"])?;
    /// let game = variant.game_from("8/8/8/8/8/8/8/R3Kk2 b - - 0 1", 1)?;
    /// println!("{:?}", game.value()?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_tables(&self, files: &[impl AsRef<Path>]) -> Result<Variant, Error> {
        let mut tables = self.shared.tables.clone();
        for file in files.iter().map(AsRef::as_ref) {
            let table = Table::open(file).and_then(|table| table.check(self.loaded()).map(|()| table));
            tables.add(table.map_err(|why| Error::Table { file: file.to_owned(), why })?);
        }
        let shared = Shared { loaded: self.loaded().clone(), tables, evaluation: OnceLock::new() };
        Ok(Variant { shared: Arc::new(shared) })
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.shared.tables
    }

    /// The data of opponents; computed on first use.
    pub(crate) fn evaluation(&self) -> Result<Arc<Evaluation>, Error> {
        if let Some(evaluation) = self.shared.evaluation.get() {
            return Ok(Arc::clone(evaluation));
        }
        let evaluation = Arc::new(self.shared.tables.evaluation(self.loaded())?);
        // Two threads may learn at once: they learn the same.
        Ok(Arc::clone(self.shared.evaluation.get_or_init(|| evaluation)))
    }

    /// The script's name.
    pub fn name(&self) -> &str {
        &self.loaded().name
    }

    /// The title of the game.
    pub fn title(&self) -> &str {
        &self.loaded().title
    }

    /// The description in the script's first comment.
    pub fn about(&self) -> &str {
        &self.loaded().about
    }

    /// The script.
    pub fn script(&self) -> &str {
        &self.loaded().source.text
    }

    /// The rulebook of the game with these options, as text.
    pub fn rules(&self) -> String {
        astragal_service::leaflet(self.loaded())
    }

    /// The names of the sides, in turn order.
    pub fn sides(&self) -> Vec<&str> {
        self.loaded().set.variant.spec().sides.iter().map(|side| side.name.as_str()).collect()
    }

    /// The options, with their values.
    pub fn options(&self) -> Vec<Setting> {
        let setting = |option: &astragal_dsl::OptionDef| Setting {
            name: option.name.clone(),
            values: option.values.clone(),
            chosen: option.chosen.clone(),
            about: option.why.clone(),
        };
        self.loaded().options.iter().map(setting).collect()
    }
}

impl std::fmt::Debug for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Variant").field(&self.loaded().name).finish()
    }
}
