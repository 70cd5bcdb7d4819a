//! What a page asks for: scripts as texts, what is wrong with them, how a game looks and what has happened in it.

use super::Service;
use serde_json::{Value, json};

fn call(server: &mut Service, method: &str, params: Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    serde_json::from_str(&server.handle(&request.to_string()).expect("an answer")).expect("JSON")
}

fn done(server: &mut Service, method: &str, params: Value) -> Value {
    let answer = call(server, method, params);
    assert!(answer["error"].is_null(), "{method}: {answer}");
    answer["result"].clone()
}

const RACE: &str =
    "title(\"A race\");\nboard(5, 1); piece(\"man\", \"M\", \"fW\"); setup(\"M3m w\"); fn turn() { play(any()); }";

#[test]
fn a_script_is_given_as_text_and_played() {
    let mut server = Service::new();
    let loaded = done(&mut server, "load", json!({"name": "race.rhai", "text": RACE}));
    assert_eq!((&loaded["title"], &loaded["sides"]), (&json!("A race"), &json!(["White", "Black"])));
    assert_eq!(done(&mut server, "source", json!({"variant": "race.rhai"}))["text"], RACE);
    assert_eq!(done(&mut server, "perft", json!({"variant": "race.rhai", "depth": 1}))["nodes"], 0);
    // The text that was given last counts at once.
    let wide = RACE.replace("fW", "sR");
    done(&mut server, "load", json!({"name": "race.rhai", "text": wide}));
    assert_eq!(done(&mut server, "perft", json!({"variant": "race.rhai", "depth": 1}))["nodes"], 4);
    // Records that name it are read with it, for nobody else has a script of that name.
    let refused = call(&mut Service::new(), "open", json!({"variant": "race.rhai"}));
    assert_eq!(refused["error"]["code"], -32000, "{refused}");
}

#[test]
fn scripts_that_are_none_are_refused() {
    let mut server = Service::new();
    for (name, text, field) in [("race", RACE, "name"), ("race.rhai", &"/".repeat(70_000) as &str, "text")] {
        let refused = call(&mut server, "load", json!({"name": name, "text": text}));
        assert_eq!(refused["error"]["data"]["field"], field, "{refused}");
    }
    let refused = call(&mut server, "load", json!({"name": "race.rhai", "text": "board(5, 1"}));
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("race.rhai")), "{refused}");
    for number in 0..64 {
        call(&mut server, "load", json!({"name": format!("{number}.rhai"), "text": RACE}));
    }
    let refused = call(&mut server, "load", json!({"name": "one-more.rhai", "text": RACE}));
    assert_eq!(refused["error"]["code"], -32007, "{refused}");
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_cure() {
    let mut server = Service::new();
    let text = "board(5, 1);\npiece(\"man\", \"M\", \"fW\");\nfn turn() { play(anny()); }";
    let found = done(&mut server, "check", json!({"text": text}))["diagnostics"].clone();
    let first = &found[0];
    assert_eq!((&first["severity"], &first["line"], &first["column"]), (&json!("error"), &json!(3), &json!(18)));
    assert!(first["help"].as_str().is_some_and(|help| help.contains("any")), "{first}");
    let span = (first["span"]["start"].as_u64().unwrap() as usize)..(first["span"]["end"].as_u64().unwrap() as usize);
    assert_eq!(&text[span], "anny");
    let shipped = done(&mut server, "check", json!({"variant": "dice-chess"}))["diagnostics"].clone();
    let shipped = shipped.as_array().expect("a list");
    assert!(shipped.iter().all(|one| one["severity"] == "note"), "nothing is wrong with it: {shipped:?}");
    assert_eq!(call(&mut server, "check", json!({}))["error"]["data"]["field"], "text");
}

#[test]
fn a_picture_says_where_its_squares_are() {
    let mut server = Service::new();
    let drawn = done(&mut server, "draw", json!({"variant": "chess"}));
    let squares = drawn["squares"].as_array().unwrap();
    assert_eq!((squares.len(), &squares[0]["label"]), (64, &json!("a8, Black rook")));
    let e2 = squares.iter().find(|square| square["name"] == "e2").unwrap();
    assert_eq!((&e2["label"], &e2["row"], &e2["column"]), (&json!("e2, White pawn"), &json!(6), &json!(4)));
    // Where the square is said to be the picture has a square.
    let rect = format!("<rect x=\"{}\" y=\"{}\" width=\"{}\"", e2["x"], e2["y"], e2["width"]);
    assert!(drawn["svg"].as_str().unwrap().contains(&rect), "{rect}");
    let turned = done(&mut server, "draw", json!({"variant": "chess", "flipped": true}));
    assert_eq!(turned["squares"][0]["name"], "h1");
    let script = RACE.replace("board(5, 1)", "board(5, 1, #{ cells: \"hex\" })");
    done(&mut server, "load", json!({"name": "hex.rhai", "text": script}));
    let hexagons = done(&mut server, "draw", json!({"variant": "hex.rhai"}));
    assert_eq!(hexagons["cells"], "hex");
}

#[test]
fn held_pieces_have_their_places_and_drops() {
    let mut server = Service::new();
    let position = "rbsgk/4p/5/P4/KGSBR[Pp] w - - 0 1";
    let drawn = done(&mut server, "draw", json!({"variant": "dice-shogi", "position": position}));
    let held = drawn["held"].as_array().unwrap();
    assert_eq!((held.len(), &held[0]["drop"]), (2, &json!("P@")), "{held:?}");
}

#[test]
fn what_has_happened_can_be_read_taken_back_and_opened_again() {
    let mut server = Service::new();
    let begun = done(&mut server, "open", json!({"variant": "dice-chess", "seed": 4}));
    let after = done(&mut server, "apply", json!({"session": 1, "events": [{"move": "b1c3"}]}));
    let course = done(&mut server, "history", json!({"session": 1}));
    assert_eq!(course["deciders"], json!([null, "first", null]));
    assert_eq!(course["turns"][0], json!({"round": 1, "side": "first", "text": "[6,2] Nc3"}));
    let back = done(&mut server, "undo", json!({"session": 1, "events": 1}));
    assert_eq!((&back["position"], &back["pending"]), (&begun["position"], &begun["pending"]));
    // With a seed the same dice come again.
    assert_eq!(
        done(&mut server, "apply", json!({"session": 1, "events": [{"move": "b1c3"}]}))["rolled"],
        after["rolled"]
    );
    let opened = done(&mut server, "open", json!({"variant": "dice-chess", "record": course["record"]}));
    assert_eq!((&opened["session"], &opened["pending"]), (&json!(2), &after["pending"]));
    let refused = call(&mut server, "open", json!({"variant": "dice-chess", "record": "1. {[%roll 6,2]} e9 *"}));
    assert_eq!(refused["error"]["data"]["field"], "record", "{refused}");
    // More than there are remain all.
    let all = done(&mut server, "undo", json!({"session": 1, "events": 99}));
    assert_eq!(all["position"], after["position"]);
}

/// What one side may not know is not in what is drawn and told for the other.
#[test]
fn a_record_of_secrets_is_for_nobody_in_the_game() {
    let script = "board(3, 1); piece(\"man\", \"M\", \"sR\"); counter(\"card\", 0, #{ each: true, secret: true }); \
                  setup(\"M1m w\"); fn turn() { play(any()); }";
    let mut server = Service::new();
    assert_eq!(done(&mut server, "load", json!({"name": "cards.rhai", "text": script}))["secrets"], true);
    done(&mut server, "open", json!({"variant": "cards.rhai"}));
    assert!(done(&mut server, "history", json!({"session": 1, "view": "first"}))["record"].is_null());
    assert!(done(&mut server, "history", json!({"session": 1}))["record"].is_string());
}
