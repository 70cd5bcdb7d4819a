//! Answers for one side: nothing in them tells what it may not know.

use super::Service;
use astragal_dsl::library::Reach;
use serde_json::{Value, json};

const CARDS: &str = include_str!("../../../tests/data/scripts/secret-cards.rhai");

const STAKES: &str = include_str!("../../../tests/data/scripts/stakes.rhai");

/// Asks the method for each set of parameters, of a game in a file of its own.
fn asked(name: &str, requests: &[(&str, Value)]) -> Vec<Value> {
    asked_of(CARDS, name, requests)
}

/// The same of another script.
fn asked_of(script: &str, name: &str, requests: &[(&str, Value)]) -> Vec<Value> {
    let path = std::env::temp_dir().join(format!("astragal-{name}-{}.rhai", std::process::id()));
    std::fs::write(&path, script).expect("a file");
    let mut server = Service::new().with_scripts(Reach::folder(&std::env::temp_dir()).expect("a folder"));
    let answers = requests.iter().map(|(method, params)| {
        let mut params = params.clone();
        params["variant"] = path.file_name().and_then(|name| name.to_str()).into();
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        serde_json::from_str(&server.handle(&request.to_string()).expect("an answer")).expect("JSON")
    });
    let answers = answers.collect();
    std::fs::remove_file(&path).expect("removed");
    answers
}

#[test]
fn each_side_sees_its_own() {
    let events = json!([{"roll": [4]}]);
    let answers = asked(
        "own",
        &[
            ("play", json!({"events": events, "view": "first"})),
            ("play", json!({"events": events, "view": "second"})),
            ("play", json!({"events": events})),
            ("play", json!({"events": [{"roll": [5]}], "view": "second"})),
            ("moves", json!({"roll": [4], "view": "second"})),
            ("moves", json!({"roll": [4], "view": "first"})),
            ("state", json!({"view": "second"})),
        ],
    );
    let own = &answers[0]["result"];
    assert_eq!(own["position"], "m2/3/2M w - - 0 1 card=4/?", "{own}");
    assert_eq!(own["pending"], json!({"kind": "choice", "player": "first", "options": ["claim", "wait"]}));
    assert!(own.get("resume").is_none() && own.get("log").is_none());
    let other = &answers[1]["result"];
    assert_eq!(other["position"], "m2/3/2M w - - 0 1 card=?/0", "{other}");
    assert_eq!(other["pending"], json!({"kind": "choice", "player": "first", "hidden": true}));
    assert_eq!(other["log"], json!(["First rolls in secret."]));
    assert!(!answers[1].to_string().contains('4') && other.get("resume").is_none());
    let full = &answers[2]["result"];
    let position = full["position"].as_str().expect("a text");
    assert!(position.starts_with("m2/3/2M w - - 0 1 card=4/0 turn=") && position.ends_with(";4"), "{full}");
    assert_eq!(full["resume"], full["position"]);
    assert_eq!(answers[3], answers[1], "the face makes no difference");
    assert_eq!(answers[4]["result"], json!({"moves": [], "hidden": true, "pending": other["pending"]}));
    assert_eq!(answers[5]["result"]["pending"], own["pending"]);
    assert_eq!(answers[6]["result"]["over"], false);
    let resumed = asked("resumed", &[("play", json!({"position": full["resume"], "view": "second"}))]);
    assert_eq!(resumed[0]["result"]["position"], other["position"]);
    assert_eq!(resumed[0]["result"]["pending"], other["pending"]);
}

#[test]
fn refusals_tell_nothing() {
    let wrong = json!([{"roll": [4]}, {"choice": "fold"}]);
    let answers = asked(
        "refusals",
        &[
            ("play", json!({"events": wrong, "view": "second"})),
            ("play", json!({"events": wrong, "view": "first"})),
            ("play", json!({"view": "third"})),
            ("odds", json!({"view": "first", "roll": [4], "move": "claim"})),
            ("perft", json!({"view": "first", "depth": 1})),
            ("turns", json!({"view": "first", "roll": [4]})),
        ],
    );
    assert!(!answers[0].to_string().contains("claim"), "{}", answers[0]);
    assert_eq!(answers[0]["error"]["data"]["pending"]["hidden"], true);
    assert!(answers[1].to_string().contains("claim"));
    assert!(answers[2].to_string().contains("first, second"), "{}", answers[2]);
    for answer in &answers[2..] {
        assert_eq!(answer["error"]["data"]["field"], "view", "{answer}");
    }
}

/// What may be chosen instead of a move stands beside the moves, and is answered as any other choice.
#[test]
fn a_move_or_a_choice_is_one_decision() {
    let double = json!([{"choice": "double"}]);
    let answers = asked_of(
        STAKES,
        "stakes",
        &[
            ("play", json!({})),
            ("play", json!({"events": double})),
            ("play", json!({"events": [{"choice": "double"}, {"choice": "accept"}]})),
            ("play", json!({"events": [{"move": "e1d2"}, {"choice": "resign"}]})),
            ("moves", json!({})),
            ("turns", json!({})),
            ("odds", json!({"move": "double"})),
            ("play", json!({"events": [{"choice": "dubble"}]})),
            ("why", json!({"move": "e1e3"})),
        ],
    );
    let pending = json!({"kind": "move", "player": "first", "options": ["e1d1", "e1d2", "e1e2"], "choices": ["double", "resign"]});
    assert_eq!(answers[0]["result"]["pending"], pending);
    assert_eq!(
        answers[1]["result"]["pending"],
        json!({"kind": "choice", "player": "second", "options": ["accept", "drop"]})
    );
    assert_eq!(
        answers[2]["result"]["pending"],
        json!({"kind": "move", "player": "first", "options": pending["options"]})
    );
    assert_eq!(answers[3]["result"]["state"]["winner"], "first");
    assert_eq!((&answers[4]["result"]["moves"], &answers[4]["result"]["pending"]), (&pending["options"], &pending));
    // Three moves, to resign, to be dropped, and three moves once the stake is accepted.
    assert_eq!(answers[5]["result"]["count"], 8);
    assert_eq!(answers[6]["result"]["outcomes"][0]["probability"], "1");
    assert!(answers[7]["error"]["message"].as_str().unwrap().contains("did you mean 'double'?"), "{}", answers[7]);
    assert_eq!(answers[8]["result"]["permitted"], false);
}
