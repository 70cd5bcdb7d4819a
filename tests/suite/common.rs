//! What several modules need: data files, variants, seeded chance, the way a game goes on.

use astragal_core::{Event, State, Stream};
use astragal_dsl::Loaded;
use astragal_service::gametest::property;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The five variants with dice.
pub const DICE_VARIANTS: [&str; 5] = ["dice-chess", "dicechess-3", "king-for-2", "dice-xiangqi", "babylonian"];

/// A file below `tests/data`.
pub fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(path)
}

/// The text of a file below `tests/data`.
pub fn text(path: &str) -> String {
    fs::read_to_string(data(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A JSON file below `tests/data`.
pub fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A file with one JSON value in each line.
pub fn json_lines(path: &str) -> Vec<Value> {
    let text = text(path);
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(i, line)| serde_json::from_str(line).unwrap_or_else(|e| panic!("{path}:{}: {e}", i + 1))).collect()
}

/// A variant with its default options.
pub fn load(name: &str) -> Loaded {
    load_set(name, &[])
}

/// A variant with some options set.
pub fn load_set(name: &str, options: &[(String, String)]) -> Loaded {
    astragal_dsl::load_named(name, options).unwrap_or_else(|error| panic!("{name} {options:?}: {error}"))
}

/// A position of a variant.
pub fn position(loaded: &Loaded, fen: &str) -> astragal_core::Position {
    let placed = astragal_dsl::notation::fen::parse(&loaded.set.variant, fen);
    placed.unwrap_or_else(|error| panic!("{} {fen}: {error}", loaded.name)).position
}

/// Chance with a seed.
pub struct Random(Stream);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Stream::new(seed, 0))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u64) as usize
    }

    /// One of the elements.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Something that can happen now, by chance; `None` when the game is over.
pub fn random_event(state: &State, random: &mut Random) -> Option<Event> {
    property::random_event(state, &mut random.0)
}

/// Lets an event happen.
pub fn apply(state: &mut State, event: &Event) {
    property::apply(state, event).unwrap_or_else(|error| panic!("{event:?}: {error}"));
}
