//! Positions in the middle of a turn: they contain everything that a game needs to continue from them, or are refused.

use super::common::asked;
use serde_json::{Value, json};

/// The counter is reset at the head of each turn, and counts the moves in it: three of them end the turn.
const RESET: &str = r#"board(8, 1); piece("man", "M", "mW"); setup("MM5m w"); counter("made", 0);
fn turn() { set("made", 0); while number("made") < 3 { play(any()); add("made", 1); choose(["on", "off"]); } }"#;

/// The head of each turn counts the turns.
const TURNS: &str = r#"board(8, 1); piece("man", "M", "mW"); setup("M6m w"); counter("turns", 0);
fn turn() { add("turns", 1); play(any()); }"#;

fn play(position: &Value, events: Value) -> (&'static str, Value) {
    ("play", json!({"position": position, "events": events}))
}

/// The script's own counter, in a position's text.
fn counted(answer: &Value, name: &str) -> Option<String> {
    let text = answer["result"]["position"].as_str()?;
    text.split(' ').find_map(|field| field.strip_prefix(name)?.strip_prefix('=').map(String::from))
}

#[test]
fn a_position_amid_a_turn_is_gone_on_from_where_it_stands() {
    let start = json!("start");
    let first = json!([{"move": "b1c1"}]);
    let answers = asked(
        RESET,
        "amid",
        &[play(&start, first), ("open", json!({})), ("apply", json!({"session": 1, "events": [{"move": "b1c1"}]}))],
    );
    let played = &answers[0]["result"];
    assert_eq!(counted(&answers[0], "made").as_deref(), Some("1"), "{played}");
    assert_eq!(played["pending"]["kind"], "choice");
    // The choice is still to be made, and two moves after it.
    let rest = json!([{"choice": "on"}, {"move": "c1d1"}, {"choice": "on"}, {"move": "d1e1"}, {"choice": "on"}]);
    for text in [&played["position"], &played["resume"], &answers[2]["result"]["position"]] {
        let on = asked(
            RESET,
            "amid-on",
            &[play(text, json!([])), play(text, rest.clone()), ("state", json!({"position": text}))],
        );
        assert_eq!(on[0]["result"]["pending"], played["pending"], "{text}");
        assert_eq!(on[1]["result"]["pending"]["player"], "second", "{text}: {}", on[1]);
        assert_eq!(on[2]["result"]["over"], false);
    }
}

/// Positions before the first decision of a turn whose head changes something each time: continuing from them does not
/// change it a second time.
#[test]
fn the_head_of_a_turn_is_not_run_twice() {
    let answers = asked(TURNS, "head", &[play(&json!("start"), json!([{"move": "a1b1"}]))]);
    let on = asked(TURNS, "head-on", &[play(&answers[0]["result"]["position"], json!([{"move": "h1g1"}]))]);
    let whole = asked(TURNS, "head-whole", &[play(&json!("start"), json!([{"move": "a1b1"}, {"move": "h1g1"}]))]);
    assert_eq!(on[0]["result"], whole[0]["result"]);
}

/// The text of a position that contains everything stays as it was.
#[test]
fn positions_that_tell_all_have_no_further_field() {
    let request = |params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "play", "params": params}).to_string();
    let mut server = astragal_service::rpc::Service::new();
    let mut ask =
        |params| -> Value { serde_json::from_str(&server.handle(&request(params)).expect("an answer")).expect("JSON") };
    let chess = ask(json!({"variant": "chess", "events": [{"move": "e2e4"}]}));
    assert_eq!(chess["result"]["position"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    let dice =
        ask(json!({"variant": "dicechess-3", "roll": [1, 1, 2], "events": [{"move": "e2e4"}, {"move": "d2d4"}]}));
    let position = dice["result"]["position"].as_str().expect("a text");
    assert!(!position.contains('='), "the die that is left is a field without a name: {position}");
    let again = ask(json!({"variant": "dicechess-3", "position": position}));
    assert_eq!(again["result"]["pending"], dice["result"]["pending"]);
}

/// The results of a move after which somebody has to decide before the turn goes on, and whose positions do not contain
/// that: such a text is marked, and is refused with what helps.
#[test]
fn a_position_that_does_not_tell_the_turn_is_refused() {
    let answers = asked(RESET, "untold", &[("odds", json!({"move": "b1c1"}))]);
    let position = &answers[0]["result"]["outcomes"][0]["position"];
    let text = position.as_str().expect("a text");
    assert!(text.ends_with(" turn=?"), "{text}");
    let refused = asked(
        RESET,
        "untold-on",
        &[("moves", json!({"position": position})), ("open", json!({"position": position, "seed": 1}))],
    );
    for answer in &refused {
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(answer["error"]["code"], -32003, "{answer}");
        assert!(message.contains("hides its progress") && message.contains("'resume'"), "{message}");
    }
}

/// A client that keeps the roll itself may send it together with a position that already contains it.
#[test]
fn a_roll_that_the_position_has_already_may_be_named_again() {
    let mut server = astragal_service::rpc::Service::new();
    let mut ask = |method: &str, params: Value| -> Value {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        serde_json::from_str(&server.handle(&request).expect("an answer")).expect("JSON")
    };
    let rolled = ask("play", json!({"variant": "dice-chess", "roll": [2, 3]}));
    let position = &rolled["result"]["position"];
    let moves = ask("moves", json!({"variant": "dice-chess", "position": position, "roll": [2, 3]}));
    assert_eq!(moves["result"]["moves"], json!(["b1a3", "b1c3", "g1f3", "g1h3"]));
    let other = ask("moves", json!({"variant": "dice-chess", "position": position, "roll": [1, 3]}));
    assert_eq!(other["error"]["code"], -32006, "{other}");
}
