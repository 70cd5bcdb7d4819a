//! Trained players through the service: trained here, or from the file of one.

use super::Service;
use serde_json::{Value, json};
use std::time::Duration;

fn answer(server: &mut Service, method: &str, params: &Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    serde_json::from_str(&server.handle(&request.to_string()).expect("an answer")).expect("JSON")
}

fn done(server: &mut Service, method: &str, params: &Value) -> Value {
    let answer = answer(server, method, params);
    assert!(answer["error"].is_null(), "{method}: {answer}");
    answer["result"].clone()
}

fn refused(server: &mut Service, method: &str, params: &Value) -> (String, Value) {
    let answer = answer(server, method, params);
    (answer["error"]["message"].as_str().expect("an error").to_owned(), answer["error"]["data"]["field"].clone())
}

fn ur(more: Value) -> Value {
    let mut params = json!({"variant": "royal-game-of-ur"});
    params.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    params
}

/// A server that has trained a player in 40 games.
fn trained() -> Service {
    let mut server = Service::new();
    done(&mut server, "train", &ur(json!({"games": 40})));
    server
}

const RECORD: &str = "[Variant \"royal-game-of-ur\"]\n\n1. {[%roll 1,1,0,0]} M@c1 {[%roll 1,0,0,0]} m@d3 *";

#[test]
fn a_player_is_trained_and_then_suggests_and_plays() {
    let mut server = Service::new();
    let none = json!({"player": null, "why": null});
    assert_eq!(done(&mut server, "trained", &ur(json!({}))), none);
    let first = done(&mut server, "train", &ur(json!({"games": 20, "probe": 10})));
    assert_eq!((&first["games"], &first["greedy"]["games"]), (&json!(20), &json!(10)));
    assert!(first["greedy"]["low"].as_f64() < first["greedy"]["high"].as_f64(), "{first}");
    let more = done(&mut server, "train", &ur(json!({"games": 30})));
    assert_eq!((&more["games"], &more["greedy"]), (&json!(50), &json!(null)), "the training continues");
    let known = done(&mut server, "trained", &ur(json!({})));
    assert_eq!((&known["player"]["games"], &known["player"]["positions"]), (&json!(50), &more["positions"]));
    for (player, turns) in [("learned", 1), ("learned:2", 2)] {
        // A man moves, or another one enters.
        let asked = json!({"position": "4*3/M7/4*3[Mmm] f", "roll": [1, 1, 0, 0], "player": player});
        let hint = done(&mut server, "hint", &ur(asked));
        assert_eq!((&hint["turns"], &hint["exact"]), (&json!(turns), &json!(false)));
        assert!(hint["lines"][0]["events"][0]["move"].is_string(), "{hint}");
    }
    let report = ur(json!({"games": 4, "players": ["learned", "random"]}));
    assert_eq!(done(&mut server, "simulate", &report)["report"]["games"], 4);
    let anew = done(&mut server, "train", &ur(json!({"games": 10, "anew": true})));
    assert_eq!(anew["games"], 10);
}

#[test]
fn an_analysis_can_use_what_was_learned() {
    let mut server = trained();
    let mut judged = |learned: bool| {
        let asked = json!({"record": RECORD, "turns": 1, "learned": learned});
        done(&mut server, "analyse", &asked)["analysis"]["curve"].clone()
    };
    assert_ne!(judged(true), judged(false));
}

#[test]
fn the_file_of_a_player_serves_another_service_and_goes_on_there() {
    let mut server = trained();
    let file = server.last_player().expect("a file").to_vec();
    let mut other = Service::new();
    other.add_player(file.clone()).expect("a whole file");
    assert_eq!(other.last_player(), Some(&file[..]));
    let hint = ur(json!({"roll": [1, 1, 0, 0], "player": "learned"}));
    assert_eq!(done(&mut other, "hint", &hint), done(&mut server, "hint", &hint));
    assert_eq!(done(&mut other, "train", &ur(json!({"games": 4})))["games"], 44);
}

#[test]
fn a_training_keeps_what_it_has_learned_when_its_time_is_over() {
    let mut server = Service::new();
    done(&mut server, "train", &ur(json!({"games": 4})));
    let mut server = server.with_time(Duration::from_millis(400));
    let before = std::time::Instant::now();
    let first = done(&mut server, "train", &ur(json!({})));
    assert!(before.elapsed() < Duration::from_secs(10));
    let second = done(&mut server, "train", &ur(json!({"seconds": 0})));
    assert_eq!(second["games"], first["games"], "no round begins without time");
    assert!(first["games"].as_u64() > Some(4), "{first}");
}

#[test]
fn a_missing_player_says_what_to_do_and_other_rules_say_why() {
    let mut server = Service::new();
    let hint = ur(json!({"roll": [1, 1, 0, 0], "player": "learned"}));
    let (why, field) = refused(&mut server, "hint", &hint);
    assert!(why.contains("add its file with 'serve --learned FILE', or use 'train'") && field == "player", "{why}");
    let (why, field) = refused(&mut server, "simulate", &ur(json!({"players": ["learned"]})));
    assert!(why.contains("there is no trained player for these rules;") && field == "players", "{why}");
    let (why, field) = refused(&mut server, "analyse", &json!({"record": RECORD, "learned": true}));
    assert!(why.contains("there is no trained player") && field == "learned", "{why}");
    let mut server = trained();
    let chess = json!({"variant": "brainking", "roll": [1], "player": "learned"});
    let (why, _) = refused(&mut server, "hint", &chess);
    assert!(why.contains("the file is for 'royal-game-of-ur', not for 'brainking'"), "{why}");
    let other = done(&mut server, "trained", &json!({"variant": "brainking"}));
    assert_eq!(other["why"], "the file is for 'royal-game-of-ur', not for 'brainking'");
    for (player, part) in [
        ("learned:x.learned", "cannot name files"),
        ("learned:0", "expected 1 to 9 turns ahead"),
        ("greedy", "learned:2"),
        ("lerned", "expected a player"),
    ] {
        let (why, _) = refused(&mut server, "hint", &ur(json!({"roll": [1, 1, 0, 0], "player": player})));
        assert!(why.contains(part), "{player}: {why}");
    }
}

#[test]
fn damaged_files_are_refused_and_games_with_secrets_are_not_trained() {
    let mut server = trained();
    let file = server.last_player().expect("a file").to_vec();
    let refused_file = |bytes: &[u8]| Service::new().add_player(bytes.to_vec()).expect_err("no file").to_string();
    assert!(refused_file(b"not a file").contains("not a file that 'train' has written"));
    assert!(refused_file(&file[..file.len() - 8]).contains("it was truncated or modified"));
    let (why, _) = refused(&mut server, "train", &json!({"variant": "ghosts"}));
    assert!(why.contains("hides information"), "{why}");
}
