//! Exact values through the service: solved here, or from the file of a table.

use super::Service;
use serde_json::{Value, json};

/// Two bare kings next to each other; each 6 of three dice moves a king, and capturing the king wins.
const ADJACENT: &str = "8/8/8/8/8/8/8/Kk6 w - - 0 1";

/// Their value by hand: p / (2 - p) with p = 91/216.
const VALUE: f64 = 91.0 / 341.0;

fn answer(server: &mut Service, method: &str, params: Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    serde_json::from_str(&server.handle(&request.to_string()).expect("an answer")).expect("JSON")
}

fn done(server: &mut Service, method: &str, params: Value) -> Value {
    let answer = answer(server, method, params);
    assert!(answer["error"].is_null(), "{method}: {answer}");
    answer["result"].clone()
}

fn kings(more: Value) -> Value {
    let mut params = json!({"variant": "dicechess-3", "position": ADJACENT});
    params.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    params
}

fn is_near(found: &Value, wanted: f64) -> bool {
    found.as_f64().is_some_and(|found| (found - wanted).abs() < 2e-6)
}

#[test]
fn what_was_solved_serves_later_requests() {
    let mut server = Service::new();
    let before = done(&mut server, "value", kings(json!({})));
    assert_eq!(before, json!({"tables": 0, "value": null}));
    let hint = kings(json!({"position": "8/8/8/8/8/2k5/8/K7 w - - 0 1", "roll": [6, 1, 1], "level": 1}));
    assert_eq!(done(&mut server, "hint", hint.clone())["exact"], false);
    let solved = done(&mut server, "solve", kings(json!({"material": "KvK"})));
    assert_eq!((&solved["states"], &solved["reached"]), (&json!(8064), &json!("solved")));
    assert!(is_near(&solved["value"]["bounds"][0], VALUE) && is_near(&solved["value"]["bounds"][1], VALUE));
    let found = done(&mut server, "value", kings(json!({"square": "b1"})));
    assert_eq!((&found["tables"], &found["value"]["side"]), (&json!(1), &json!("first")));
    assert!(is_near(&found["value"]["bounds"][0], VALUE), "{found}");
    let squares = found["squares"].as_array().expect("squares");
    assert_eq!(squares.len(), 63);
    let b1 = squares.iter().find(|one| one["square"] == "b1").expect("its own square");
    assert_eq!((&b1["text"], is_near(&b1["value"], VALUE)), (&json!("+27"), true));
    // Moving next to the other king is worst: it captures with the chance of one 6 in three dice, or is captured.
    let hint = done(&mut server, "hint", hint);
    assert_eq!((&hint["exact"], hint["lines"].as_array().map(Vec::len)), (&json!(true), Some(3)));
    assert_eq!(hint["lines"][2]["events"][0]["move"], "a1b2");
    assert!(is_near(&hint["lines"][2]["value"], -VALUE));
    let odds = done(&mut server, "odds", kings(json!({"roll": [6, 1, 1], "move": "a1a2"})));
    assert!(is_near(&odds["outcomes"][0]["value"][0], VALUE), "the other side has the same chance: {odds}");
    let report =
        json!({"variant": "dicechess-3", "position": ADJACENT, "games": 20, "players": ["computer:1"], "luck": true});
    assert_eq!(done(&mut server, "simulate", report)["report"]["games"], 20);
}

#[test]
fn what_cannot_be_solved_says_why() {
    let mut server = Service::new();
    let mut refused = |params: Value| {
        let answer = answer(&mut server, "solve", params);
        (answer["error"]["message"].as_str().expect("an error").to_owned(), answer["error"]["data"]["field"].clone())
    };
    let (why, field) = refused(json!({"variant": "dicechess-3", "material": "KXvK"}));
    assert!(why.contains("no piece has the letter 'X'") && field == "material", "{why}");
    let (why, _) = refused(json!({"variant": "dicechess-3", "material": "KQRvKQR"}));
    // 64 squares for each of six pieces, and two sides to move.
    assert!(why.contains("137438953472 placements, and the limit is 500000 states"), "{why}");
    assert!(refused(json!({"variant": "ghosts"})).0.contains("hides information"));
    let full = done(
        &mut server,
        "solve",
        json!({"variant": "dicechess-3", "position": "k7/8/8/8/8/8/8/K6R w - - 0 1", "states": 3000}),
    );
    assert_eq!(full["reached"], "full");
    let [low, high] = [0, 1].map(|at| full["value"]["bounds"][at].as_f64().expect("a bound"));
    assert!(low < high, "the bounds hold, and are wide");
}

/// A request whose time is up goes on in the next one.
#[test]
fn a_long_solution_goes_on_with_the_next_request() {
    let mut server = Service::new().with_time(std::time::Duration::from_millis(80));
    let ask = json!({"variant": "royal-game-of-ur", "position": "4*3/8/4*3[MMmm] f"});
    let mut answers = 0;
    let solved = loop {
        let solved = done(&mut server, "solve", ask.clone());
        answers += 1;
        assert!(answers < 2_000, "it never ends");
        if solved["reached"] != "stopped" {
            break solved;
        }
    };
    assert_eq!(solved["reached"], "solved");
    let mut whole = Service::new();
    let at_once = done(&mut whole, "solve", ask);
    assert!(answers > 1, "the time sufficed at once: this test shows nothing");
    assert_eq!(at_once["states"], solved["states"]);
    // Sweeps that were stopped leave other bounds, as close as requested.
    let low = solved["value"]["bounds"][0].as_f64().expect("a bound");
    assert!((at_once["value"]["bounds"][0].as_f64().expect("a bound") - low).abs() < 1e-6);
    let table = server.last_table().expect("a table").to_vec();
    whole.add_table(table).expect("a whole table");
}

#[test]
fn squares_without_a_piece_have_no_map() {
    let answer = answer(&mut Service::new(), "value", kings(json!({"square": "h8"})));
    assert_eq!((&answer["error"]["code"], &answer["error"]["data"]["field"]), (&json!(-32602), &json!("square")));
}

#[test]
fn damaged_tables_are_refused() {
    let mut server = Service::new();
    let refused = server.add_table(&b"not a table"[..]).expect_err("no table");
    assert!(refused.to_string().contains("this is not a table"), "{refused}");
}
