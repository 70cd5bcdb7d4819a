//! A loaded variant: what games are played by, shared by all of them.

use crate::{Error, Game};
use astragal_computer::Evaluation;
use astragal_core::Game as Played;
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, Source, library, masked};
use std::sync::{Arc, OnceLock};

/// A variant of a game, loaded with certain options. Copies share everything; any thread may use any of them.
#[derive(Clone)]
pub struct Variant {
    shared: Arc<Shared>,
}

struct Shared {
    loaded: Loaded,
    /// What opponents know of it, once one of them has asked.
    evaluation: OnceLock<Arc<Evaluation>>,
}

/// An option of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// The values that it can have.
    pub values: Vec<String>,
    /// The value that it has.
    pub chosen: String,
    /// What it decides, in a line.
    pub about: String,
}

impl Variant {
    /// The names of the variants that come with Astragal, sorted.
    pub fn names() -> Vec<&'static str> {
        library::names()
    }

    /// Loads a variant by name or path; the options given have these values, all others their defaults.
    ///
    /// # Errors
    /// As [`load`](crate::load()), and if there is no such option or value.
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

    /// Loads a script from a string. `name` is what messages call it; scripts that it imports come with Astragal.
    ///
    /// # Errors
    /// If the script is wrong.
    pub fn from_script(name: &str, script: &str) -> Result<Variant, Error> {
        Variant::of(&Source { name: name.into(), path: None, text: script.into() }, &[])
    }

    fn of(source: &Source, options: &[(&str, &str)]) -> Result<Variant, Error> {
        let options: Vec<(String, String)> =
            options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Ok(Variant::from_loaded(astragal_dsl::load(source, &options)?))
    }

    pub(crate) fn from_loaded(loaded: Loaded) -> Variant {
        Variant { shared: Arc::new(Shared { loaded, evaluation: OnceLock::new() }) }
    }

    pub(crate) fn loaded(&self) -> &Loaded {
        &self.shared.loaded
    }

    /// What opponents know of the variant; learnt when it is first asked for.
    pub(crate) fn evaluation(&self) -> Result<Arc<Evaluation>, Error> {
        if let Some(evaluation) = self.shared.evaluation.get() {
            return Ok(Arc::clone(evaluation));
        }
        let loaded = self.loaded();
        let evaluation = Arc::new(Evaluation::learn(Arc::clone(&loaded.set), &loaded.start)?);
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

    /// What the script says of itself in its first comment.
    pub fn about(&self) -> &str {
        &self.loaded().about
    }

    /// The script.
    pub fn script(&self) -> &str {
        &self.loaded().source.text
    }

    /// The rulebook: how the game is played with these options, in words.
    pub fn rules(&self) -> String {
        astragal_service::leaflet(self.loaded())
    }

    /// The names of the sides, in the order of their turns.
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

    /// A game from the beginning, whose dice come from `seed`.
    ///
    /// # Errors
    /// If a rule of the script fails.
    pub fn game(&self, seed: u64) -> Result<Game, Error> {
        let game = Played::new(Arc::clone(&self.loaded().set), self.loaded().start.clone(), seed)?;
        Ok(Game::new(self.clone(), game))
    }

    /// A game from a position, as [`Game::position`] writes it: FEN, with unused dice as a seventh field. If the text is what
    /// one side sees, what it keeps back (`?`) is drawn with the seed.
    ///
    /// # Errors
    /// If the text is no position of this variant, or a rule fails.
    pub fn game_from(&self, position: &str, seed: u64) -> Result<Game, Error> {
        let placed = fen::parse(&self.loaded().set.variant, position)?;
        let game = masked::begin(self.loaded(), placed, seed).map_err(Error::Start)?;
        Ok(Game::new(self.clone(), game))
    }
}

impl std::fmt::Debug for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Variant").field(&self.loaded().name).finish()
    }
}
