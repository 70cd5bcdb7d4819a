//! The properties of `astragal_tests::properties` on random texts, and on everything that fuzzing has
//! found wrong (`data/findings.jsonl`). The fuzz targets in `fuzz/` check the same for longer.

use crate::common::{json_lines, text};
use astragal_core::{Game, Status};
use astragal_dsl::{game_text, library, record, turn_state_text};
use astragal_service::gametest::Loader;
use astragal_service::rpc::Service;
use astragal_tests::properties::{
    changes, moves, new_game, notation, positions, program, records, scripts, shipped, splice,
};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

/// A change: what, where, how much, and which word.
type Change = (u8, prop::sample::Index, u8, prop::sample::Index);

/// A text of the pool, changed here and there with words of the dictionary.
fn changed(pool: Vec<String>, target: &str) -> impl Strategy<Value = String> + use<> {
    let words = changes::dictionary(target);
    let changes = prop::collection::vec(any::<Change>(), 0..5);
    (any::<prop::sample::Index>(), changes).prop_map(move |(which, changes)| {
        let mut letters: Vec<char> = which.get(&pool).chars().collect();
        for change in changes {
            apply(&mut letters, &change, &words);
        }
        letters.into_iter().collect()
    })
}

fn apply(letters: &mut Vec<char>, (what, place, length, word): &Change, words: &[String]) {
    let word: &String = word.get(words);
    changes::apply(letters, *what, place.index(letters.len() + 1), *length, word);
}

/// Games of every variant after some events.
fn games() -> Vec<(&'static str, Game)> {
    let mut games = Vec::new();
    for name in library::names() {
        let mut game = new_game(&shipped(name), 5);
        let mut stream = astragal_core::Stream::new(5, 5);
        for _ in 0..7 {
            astragal_tests::properties::step(&mut game, &mut stream);
        }
        games.push((name, game));
    }
    games
}

fn cases(count: u32) -> ProptestConfig {
    // What is found is kept in the data file, by hand.
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

fn check<T: std::fmt::Debug>(count: u32, strategy: impl Strategy<Value = T>, property: impl Fn(&T)) {
    // The same cases every time, so that the gate stands still; `fuzz/` looks for others.
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(cases(count), random);
    let result = runner.run(&strategy, |value| {
        property(&value);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn movement_and_dice() {
    let pool = strings(&["mfWcefFimfnD", "fhNlhNhrN", "(1,4)nD3", "cpRmR0", "jAjD", "WWFFNN"]);
    check(300, changed(pool, "betza"), |text| notation::movement(text));
    let pool = strings(&["2d6", "d{1:3,6:1}+2d20", "d[-1,2]", "1d4+1d20"]);
    check(500, changed(pool, "dice"), |text| notation::dice(text));
    check(300, "\\PC{0,8}(\n\\PC{0,8}){0,4}", |text| notation::near(text));
}

#[test]
fn records_and_their_text() {
    let texts = ["games/babylonian.pgn", "games/chess.pgn", "games/dice-chess.pgn"].map(text);
    let sample = "1. e4 (1. d4 {[%roll 2,3] why} d5 (1... Nf6 $1)) e5!? ; and so on\n2. -- 0-0 *".to_owned();
    let pool: Vec<String> = texts.iter().cloned().chain([sample]).collect();
    check(400, changed(pool, "pgn"), |text| notation::pgn(text));
    let played = games().into_iter().map(|(name, game)| record::write(&shipped(name), &game, &[]));
    let pool: Vec<String> = played.chain(texts).collect();
    check(150, changed(pool, "record"), |text| records::replay(text));
}

#[test]
fn positions_of_all_variants() {
    for (name, game) in games() {
        let loaded = shipped(name);
        let pool =
            vec![turn_state_text::position(&loaded, &game), turn_state_text::position(&loaded, &new_game(&loaded, 1))];
        check(24, changed(pool, "fen"), |text| positions::position(&loaded, text));
    }
}

#[test]
fn moves_of_all_variants() {
    for (name, game) in games() {
        let state = game.state();
        if state.status() != Status::Move {
            continue;
        }
        let all = game_text::distinct(state);
        state.moves().iter().for_each(|paid| moves::permitted(state, &all, *paid));
        let algebraic = state.moves().iter().map(|paid| record::move_text(state, *paid));
        let pool: Vec<String> = game_text::moves(state).into_iter().chain(algebraic).collect();
        assert!(!pool.is_empty(), "{name}: a move is waited for");
        check(40, changed(pool, "moves"), |text| moves::texts(state, text));
    }
}

#[test]
fn requests_lines_and_options() {
    let situations = ["situations/dice-chess.jsonl", "situations/king-for-2.jsonl", "situations/gallery-marad.jsonl"];
    let request = |s: &Value| {
        serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": s["method"], "params": s["params"]}).to_string()
    };
    let pool: Vec<String> = situations.iter().flat_map(|path| json_lines(path)).map(|s| request(&s)).collect();
    let server = std::cell::RefCell::new(Service::new());
    let loader = std::cell::RefCell::new(Loader::new());
    check(300, changed(pool, "serve"), |text| program::requests(&mut server.borrow_mut(), text));
    for (name, game) in games().into_iter().step_by(3) {
        let fen = turn_state_text::position(&shipped(name), &game);
        let lines =
            format!("roll\nmoves\nhistory\nundo 1\nview first\nposition {fen}\nroll 1 1\ne4\nset a=b\nnew seed 3");
        check(12, changed(vec![lines], "prompt"), |text| program::session(name, text));
        let sample =
            format!("title: A game\nvariant: {name} # base\nseed: 3\nroll\nmoves\nundo 1\nstate\noutcome\nrefused e4");
        check(12, changed(vec![sample], "game"), |text| program::game_file(&mut loader.borrow_mut(), text));
        let options = shipped(name).options.clone();
        let pairs = options.iter().flat_map(|o| o.values.iter().map(|v| format!("{}={v}", o.name)));
        let pool: Vec<String> = pairs.chain(["name=value --seed 7".to_owned()]).collect();
        check(20, changed(pool, "options"), |text| program::options(name, text));
    }
}

#[test]
fn scripts_of_strangers() {
    let pool: Vec<String> = library::names().into_iter().filter_map(library::bundled).map(|s| s.text).collect();
    check(40, changed(pool, "script"), |text| scripts::script(text));
    check(60, prop::collection::vec(any::<u8>(), 1..32), |data| scripts::script(&splice::script(data)));
    let frames = (any::<u8>(), changed(strings(&["mfWcF", "2d6", "a1 c3-e5", "8/8/8/8/8/8/8/8 w"]), "frame"));
    check(60, frames, |(choice, text)| scripts::script(&splice::frame(*choice, text)));
}

#[test]
fn findings_stay_fixed() {
    let (mut server, mut loader) = (Service::new(), Loader::new());
    for finding in json_lines("findings.jsonl") {
        let field = |name: &str| finding[name].as_str().unwrap_or_else(|| panic!("no {name}: {finding}"));
        println!("{}: {}", field("target"), field("note"));
        match field("target") {
            "betza" => notation::movement(field("text")),
            "dice" => notation::dice(field("text")),
            "pgn" => notation::pgn(field("text")),
            "record" => records::replay(field("text")),
            "fen" => positions::position(&shipped(field("variant")), field("text")),
            "serve" => program::requests(&mut server, field("text")),
            "prompt" => program::session(field("variant"), field("text")),
            "game" => program::game_file(&mut loader, field("text")),
            "options" => program::options(field("variant"), field("text")),
            "script" => scripts::script(field("text")),
            other => panic!("no target is called {other}"),
        }
    }
}
