//! Writes the seeds of all fuzz targets into `fuzz/corpus/`: the texts of the repository, and short games of every variant.
//! See `fuzz/README.md`.

use astragal_core::{Game, Status, Stream};
use astragal_dsl::notation::{betza, dice};
use astragal_dsl::{Loaded, game_text, library, record, turn_state_text};
use astragal_tests::properties::{choice_of, new_game, shipped, step};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// The maximum length of a text: longer ones slow the fuzzer down.
const LONGEST: usize = 6000;

/// The seeds of one target.
struct Seeds {
    folder: PathBuf,
    known: BTreeSet<Vec<u8>>,
}

impl Seeds {
    fn of(target: &str) -> Seeds {
        let folder = Path::new(ROOT).join("fuzz/corpus").join(target);
        fs::create_dir_all(&folder).expect("a folder for the seeds");
        Seeds { folder, known: BTreeSet::new() }
    }

    fn add(&mut self, seed: impl AsRef<[u8]>) {
        let seed = seed.as_ref();
        if seed.len() <= LONGEST && self.known.insert(seed.to_vec()) {
            fs::write(self.folder.join(format!("seed-{:04}", self.known.len())), seed).expect("a seed is written");
        }
    }

    /// Adds a text with its choice before it.
    fn choice(&mut self, choice: u8, text: &str) {
        self.add([&[choice], text.as_bytes()].concat());
    }
}

/// The texts of all files below a folder of the repository with this ending, by name.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let folder = Path::new(ROOT).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == ending));
    paths.sort();
    paths.iter().map(|path| String::from_utf8_lossy(&fs::read(path).expect("a text")).into_owned()).collect()
}

/// Games of a variant at several moments.
fn moments(loaded: &Loaded, mut visit: impl FnMut(&Game, usize)) {
    for seed in 0..3 {
        let (mut game, mut stream) = (new_game(loaded, seed), Stream::new(seed, 9));
        for moment in 0..24 {
            visit(&game, moment);
            if game.status() == Status::Over || !step(&mut game, &mut stream) {
                break;
            }
        }
    }
}

/// The texts in quotes in the shipped scripts.
fn quoted() -> Vec<String> {
    let scripts = library::names().into_iter().filter_map(library::bundled);
    scripts.flat_map(|s| s.text.split('"').skip(1).step_by(2).map(String::from).collect::<Vec<_>>()).collect()
}

fn notations() {
    let (mut movement, mut rolls) = (Seeds::of("betza"), Seeds::of("dice"));
    for text in quoted() {
        if betza::parse(&text).is_ok() {
            movement.add(&text);
        }
        if dice::parse(&text).is_ok() {
            rolls.add(&text);
        }
    }
    let others = ["mfWcefFimfnD", "jAjD", "pRgQ", "fhNlhNhrN", "(1,4)nD3", "vsR0", "nA", "WWFFNN"];
    others.iter().for_each(|text| movement.add(text));
    ["2d{1:3,6:1}+d20", "d[-1,2]", "32d1000", "1d4+1d20"].iter().for_each(|text| rolls.add(text));
}

fn games() {
    let (mut positions, mut moves) = (Seeds::of("fen"), Seeds::of("moves"));
    let (mut structure, mut records) = (Seeds::of("pgn"), Seeds::of("record"));
    for text in files("tests/data/games", "pgn") {
        structure.add(&text);
        records.add(&text);
    }
    structure.add("1. e4 (1. d4 {[%roll 2,3] why} d5 (1... Nf6 $1)) e5!? ; and so on\n2. -- 0-0 *");
    for name in library::names() {
        let (loaded, choice) = (shipped(name), choice_of(name));
        moments(&loaded, |game, moment| {
            if moment % 5 < 2 {
                positions.choice(choice, &turn_state_text::position(&loaded, game));
            }
            if moment == 11 {
                records.add(record::write(&loaded, game, &[]));
            }
            if game.status() == Status::Move && moment % 4 == 1 {
                let state = game.state();
                let algebraic = state.moves().iter().take(6).map(|paid| record::move_text(state, *paid));
                let texts: Vec<String> = game_text::moves(state).into_iter().take(6).chain(algebraic).collect();
                moves.add([&[choice, moment as u8, 0], texts.join("\n").as_bytes()].concat());
            }
        });
    }
}

fn program() {
    let (mut requests, mut lines, mut options) = (Seeds::of("serve"), Seeds::of("prompt"), Seeds::of("options"));
    for text in files("tests/data/situations", "jsonl") {
        for line in text.lines().step_by(9) {
            let situation: serde_json::Value = serde_json::from_str(line).expect("a situation");
            let (method, params) = (&situation["method"], &situation["params"]);
            let request = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
            requests.add(request.to_string());
        }
    }
    let mut games = Seeds::of("game");
    for name in ["babylonian", "dice-chess", "dice-xiangqi", "dicechess-3", "king-for-2"] {
        for text in files(&format!("variants/tests/{name}"), "game") {
            // The variant is named, not looked for.
            games.add(text.replace(&format!("../../{name}.rhai"), name));
        }
    }
    requests.add(r#"[{"jsonrpc":"2.0","id":1,"method":"variants"},{"jsonrpc":"2.0","method":"state"}]"#);
    requests.add(r#"{"jsonrpc":"2.0","id":2,"method":"perft","params":{"variant":"chess","depth":2}}"#);
    for name in library::names() {
        let (loaded, choice) = (shipped(name), choice_of(name));
        lines.choice(choice, "roll\nmoves\nodds\nhistory\nundo 1\nfen\nflip\nview first\noptions");
        lines.choice(choice, "help roll\nroll 1 1\nperft 2\nundo\nseed\nrules\nnew seed 3\nboard");
        let fen = turn_state_text::position(&loaded, &new_game(&loaded, 1));
        lines.choice(choice, &format!("position {fen}\nroll\nmove e4\nchoose decline\npass\nposition start"));
        let mut pairs = Vec::new();
        for option in &loaded.options {
            for value in &option.values {
                pairs.push(format!("{}={value}", option.name));
                options.choice(choice, pairs.last().expect("just pushed"));
                lines.choice(choice, &format!("set {}\nnew {}", pairs[pairs.len() - 1], pairs.join(" ")));
            }
        }
        options.choice(choice, &pairs.join(" "));
    }
    options.choice(b'A', "odds dice-chess --position start --move e4 --set a=b --json");
}

fn scripts() {
    let (mut script, mut splice, mut frame) = (Seeds::of("script"), Seeds::of("splice"), Seeds::of("frame"));
    for folder in ["variants", "variants/gallery", "dsl/tests/hostile", "dsl/tests/broken"] {
        files(folder, "rhai").iter().for_each(|text| script.add(text));
    }
    for seed in 0..120_u64 {
        let mut stream = Stream::new(seed, 3);
        let length = 1 + 6 * (seed as usize % 5);
        let bytes: Vec<u8> = (0..length).map(|_| stream.below(256) as u8).collect();
        splice.add(bytes);
    }
    for choice in 0..12 {
        for text in ["R", "2d6", "a1 c3-e5", "8/8/8/8/8/8/8/8 w - - 0 1", "e1g1", "name"] {
            frame.choice(choice, text);
        }
    }
}

fn main() {
    notations();
    games();
    program();
    scripts();
}
