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

/// A random event among those that can happen now; `None` when the game is over.
pub fn random_event(state: &State, random: &mut Random) -> Option<Event> {
    property::random_event(state, &mut random.0)
}

/// Lets an event happen.
pub fn apply(state: &mut State, event: &Event) {
    property::apply(state, event).unwrap_or_else(|error| panic!("{event:?}: {error}"));
}

/// A script in a file of its own, removed at the end.
pub struct ScriptFile(PathBuf);

impl ScriptFile {
    /// The path of the file.
    pub fn path(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for ScriptFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Writes a script to a file of this name.
pub fn script_file(script: &str, name: &str) -> ScriptFile {
    let path = std::env::temp_dir().join(format!("astragal-{name}-{}.rhai", std::process::id()));
    fs::write(&path, script).expect("a file");
    ScriptFile(path)
}

/// The answers of a server to these requests, one after another, about a game of `script`, which is in a file of this name.
pub fn asked(script: &str, name: &str, requests: &[(&str, Value)]) -> Vec<Value> {
    let file = script_file(script, name);
    let reach = astragal_dsl::library::Reach::folder(&std::env::temp_dir()).expect("a folder");
    let mut server = astragal_service::rpc::Service::new().with_scripts(reach);
    let answer = |(method, params): &(&str, Value)| {
        let mut params = params.clone();
        params["variant"] = file.0.file_name().and_then(|name| name.to_str()).into();
        if params.get("session").is_some() {
            params.as_object_mut().map(|params| params.remove("variant"));
        }
        let request = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = server.handle(&request.to_string()).expect("an answer");
        serde_json::from_str(&answer).expect("JSON")
    };
    requests.iter().map(answer).collect()
}
