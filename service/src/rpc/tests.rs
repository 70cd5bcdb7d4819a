//! The server from within: every malformed request is answered, and the next good one as well.

use super::{MAX_BATCH, MAX_VALUES, Service};
use astragal_dsl::library::Reach;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::{Duration, Instant};

const GOOD: &str = r#"{"jsonrpc":"2.0","id":7,"method":"moves","params":{"variant":"dice-chess","roll":[2,3]}}"#;

fn ask(server: &mut Service, line: &str) -> Value {
    serde_json::from_str(&server.handle(line).expect("an answer")).expect("JSON")
}

fn call(method: &str, params: Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    ask(&mut Service::new(), &request.to_string())
}

fn assert_up(server: &mut Service) {
    let answer = ask(server, GOOD);
    assert_eq!(answer["result"]["moves"], json!(["b1a3", "b1c3", "g1f3", "g1h3"]), "{answer}");
}

/// A line and the code that it is answered with.
const MALFORMED: [(&str, i64); 52] = [
    ("{", -32700),
    ("}", -32700),
    ("[", -32700),
    ("\"", -32700),
    ("nul", -32700),
    ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"moves\"", -32700),
    ("{'jsonrpc':'2.0'}", -32700),
    ("{\"a\":1,}", -32700),
    ("\u{0}", -32700),
    ("\u{feff}{}", -32700),
    ("1e999", -32700),
    ("{} {}", -32700),
    ("null", -32600),
    ("1", -32600),
    ("-0.5", -32600),
    ("\"moves\"", -32600),
    ("true", -32600),
    ("[]", -32600),
    ("{}", -32600),
    (r#"{"id":1,"method":"moves"}"#, -32600),
    (r#"{"jsonrpc":2.0,"id":1,"method":"moves"}"#, -32600),
    (r#"{"jsonrpc":"1.0","id":1,"method":"moves"}"#, -32600),
    (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
    (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
    (r#"{"jsonrpc":"2.0","id":1,"method":null}"#, -32600),
    (r#"{"jsonrpc":"2.0","id":{},"method":"moves"}"#, -32600),
    (r#"{"jsonrpc":"2.0","id":[1],"method":"moves"}"#, -32600),
    (r#"{"jsonrpc":"2.0","id":true,"method":"moves"}"#, -32600),
    (r#"{"jsonrpc":"2.0","id":1,"method":""}"#, -32601),
    (r#"{"jsonrpc":"2.0","id":1,"method":"Moves"}"#, -32601),
    (r#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#, -32601),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":3}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":["dice-chess"]}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves"}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":3}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"varaint":"dice-chess"}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"no-such-game"}}"#, -32000),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess","roll":7}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess","roll":[1,"2"]}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess","roll":[1,99999]}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess","roll":[1,7]}}"#, -32004),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess","roll":[1]}}"#, -32004),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess"}}"#, -32004),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess","options":[1]}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess","options":{"a":[]}}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess","position":8}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"state","params":{"variant":"dice-chess","position":"8/8 w"}}"#, -32003),
    (r#"{"jsonrpc":"2.0","id":1,"method":"perft","params":{"variant":"dice-chess","depth":-1}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"perft","params":{"variant":"dice-chess","depth":30}}"#, -32007),
    (r#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"variant":"dice-chess","events":[3]}}"#, -32602),
    (r#"{"jsonrpc":"2.0","id":1,"method":"odds","params":{"variant":"dice-chess","roll":[2,3]}}"#, -32602),
];

#[test]
fn malformed_requests_are_answered_and_the_server_goes_on() {
    let mut server = Service::new();
    for (line, code) in MALFORMED {
        let answer = ask(&mut server, line);
        assert_eq!(answer["error"]["code"], code, "{line} -> {answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|m| m.len() > 8), "{answer}");
        assert_eq!(answer["jsonrpc"], "2.0");
    }
    assert_up(&mut server);
}

#[test]
fn deep_and_odd_lines_are_answered() {
    let mut server = Service::new();
    for line in ["[".repeat(100_000), "{\"a\":".repeat(100_000), "[[[[[]]]]]".into(), "9".repeat(10_000)] {
        assert!(ask(&mut server, &line).to_string().contains("\"code\":-32"));
    }
    assert_eq!(server.handle(""), None);
    assert_eq!(server.handle("  \r"), None);
    assert_up(&mut server);
}

#[test]
fn notifications_and_batches() {
    let mut server = Service::new();
    assert_eq!(server.handle(r#"{"jsonrpc":"2.0","method":"variants"}"#), None);
    assert_eq!(server.handle(r#"[{"jsonrpc":"2.0","method":"nonsense"}]"#), None);
    let batch =
        format!(r#"[{GOOD},{{"jsonrpc":"2.0","method":"state"}},5,{{"jsonrpc":"2.0","id":"a","method":"movs"}}]"#);
    let answers = ask(&mut server, &batch);
    assert_eq!(answers.as_array().map(Vec::len), Some(3));
    assert_eq!((&answers[0]["id"], &answers[2]["id"]), (&json!(7), &json!("a")));
    assert_eq!(answers[1]["error"]["code"], -32600);
    assert_eq!(answers[2]["error"]["data"]["nearest"], "moves");
    let null = ask(&mut server, r#"{"jsonrpc":"2.0","id":null,"method":"nonsense"}"#);
    assert_eq!((&null["id"], &null["error"]["code"]), (&Value::Null, &json!(-32601)));
}

#[test]
fn moves_follow_the_roll() {
    let moves = |roll: Value| call("moves", json!({"variant": "dice-chess", "roll": roll}))["result"].clone();
    assert_eq!(moves(json!([3, 4])), json!({"moves": []}));
    assert_eq!(moves(json!([4, 4]))["moves"].as_array().map(Vec::len), Some(20));
    let over = json!({"variant": "dice-chess", "position": "7k/5Q2/6K1/8/8/8/8/8 b - -", "roll": [1, 1]});
    assert_eq!(call("moves", over)["result"], json!({"moves": []}));
    let dice =
        json!({"variant": "dice-chess", "position": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NB"});
    assert_eq!(call("moves", dice)["result"], moves(json!([2, 3])));
}

#[test]
fn the_end_is_told_before_any_roll() {
    let state =
        |position: &str| call("state", json!({"variant": "dice-chess", "position": position}))["result"].clone();
    assert_eq!(state("start"), json!({"over": false, "winner": null, "reason": null}));
    let mate = state("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -");
    assert_eq!((&mate["over"], &mate["winner"]), (&json!(true), &json!("second")));
    let stalemate = state("7k/5Q2/6K1/8/8/8/8/8 b - -");
    assert_eq!((&stalemate["over"], &stalemate["winner"]), (&json!(true), &Value::Null));
}

#[test]
fn perft_counts_without_dice() {
    let nodes = |depth| call("perft", json!({"variant": "dice-chess", "depth": depth}))["result"]["nodes"].clone();
    assert_eq!((nodes(0), nodes(1), nodes(3)), (json!(1), json!(20), json!(8902)));
}

#[test]
fn a_move_without_dice_is_certain() {
    let odds = call("odds", json!({"variant": "dice-chess", "roll": [1, 2], "move": "e2e4"}));
    let outcomes = odds["result"]["outcomes"].as_array().unwrap().clone();
    assert_eq!(outcomes.len(), 1);
    assert_eq!((&outcomes[0]["probability"], &outcomes[0]["effect"]), (&json!("1"), &json!("moved")));
    assert!(outcomes[0]["position"].as_str().unwrap().starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"));
}

#[test]
fn play_applies_events_in_order() {
    let events = json!([{"roll": [3, 4]}, {"roll": [2, 1]}, {"move": "e7e5"}, {"roll": [6, 6]}]);
    let answer = call("play", json!({"variant": "dice-chess", "events": events}));
    let result = &answer["result"];
    assert_eq!(result["pending"]["kind"], "move");
    assert_eq!(result["pending"]["player"], "first");
    assert_eq!(result["pending"]["options"].as_array().map(Vec::len), Some(20));
    assert_eq!(result["log"].as_array().map(Vec::len), Some(1), "{answer}");
    let start = call("play", json!({"variant": "dice-chess"}));
    let (faces, chances) = (json!([1, 2, 3, 4, 5, 6]), json!(["1/6", "1/6", "1/6", "1/6", "1/6", "1/6"]));
    let (faces, chances) = (json!([faces, faces]), json!([chances, chances]));
    let pending = json!({"kind": "roll", "dice": "2d6", "player": "first", "faces": faces, "chances": chances});
    assert_eq!(start["result"]["pending"], pending);
}

#[test]
fn play_says_which_event_is_wrong() {
    let cases = [
        (json!([{"roll": [2, 3]}, {"move": "e2e4"}]), 1, -32005),
        (json!([{"move": "e2e4"}]), 0, -32006),
        (json!([{"roll": [2, 3]}, {"roll": [2, 3]}]), 1, -32006),
        (json!([{"roll": [2, 9]}]), 0, -32004),
        (json!([{"roll": []}]), 0, -32602),
        (json!([{"roll": [2, 3]}, {"choice": "stay"}]), 1, -32006),
        (json!([{"roll": [2, 3]}, {"choice": "pass"}]), 1, -32006),
        (json!([{"roll": [2, 3], "move": "b1c3"}]), 0, -32602),
        (json!([{}]), 0, -32602),
        (json!([{"roll": [2, 3]}, {"move": "b1c3", "die": "x"}]), 1, -32602),
    ];
    for (events, index, code) in cases {
        let answer = call("play", json!({"variant": "dice-chess", "events": events}));
        let error = &answer["error"];
        assert_eq!((&error["data"]["event"], &error["code"]), (&json!(index), &json!(code)), "{answer}");
        assert!(error["data"]["reason"].is_string() && error["data"]["pending"].is_object(), "{answer}");
    }
}

#[test]
fn every_variant_is_listed() {
    let answer = ask(&mut Service::new(), r#"{"jsonrpc":"2.0","id":1,"method":"variants"}"#);
    let variants = answer["result"]["variants"].as_array().unwrap();
    assert!(variants.iter().any(|v| v["name"] == crate::variant_cache::DEFAULT_VARIANT));
    assert!(variants.iter().all(|v| v["title"].is_string() && v["options"].is_array()));
}

#[test]
fn dice_that_are_rolled_again_change_nothing() {
    let options = json!({"no_move": "reroll"});
    let events = json!([{"roll": [3, 4]}, {"roll": [2, 3]}]);
    let answer = call("play", json!({"variant": "dice-chess", "options": options, "events": events}));
    assert_eq!(answer["result"]["log"], json!(["The roll 3,4 is rerolled."]), "{answer}");
    assert_eq!(answer["result"]["pending"]["options"], json!(["b1a3", "b1c3", "g1f3", "g1h3"]));
    let moves = call("moves", json!({"variant": "dice-chess", "options": options, "roll": [3, 4, 2, 3]}));
    assert_eq!(moves["result"]["moves"], answer["result"]["pending"]["options"]);
}

#[test]
fn contests_choices_and_dice_that_pay() {
    let position = "4k3/8/8/8/8/8/4R3/K2B4 w - -";
    let odds =
        |mv: &str| call("odds", json!({"variant": "babylonian", "position": position, "move": mv}))["result"].clone();
    let chances = |result: &Value| -> Vec<String> {
        let outcomes = result["outcomes"].as_array().unwrap();
        outcomes
            .iter()
            .map(|o| format!("{} {}", o["effect"].as_str().unwrap(), o["probability"].as_str().unwrap()))
            .collect()
    };
    let mut assist = chances(&odds("d1a4 assist"));
    assist.sort();
    assert_eq!(assist, ["lose 3/5", "tie 1/20", "win 7/20"]);
    assert_eq!(chances(&odds("d1a4")), ["moved 1"]);
    assert_eq!(odds("d1a4")["outcomes"][0]["decision"]["kind"], "choice");
    let play = |events: Value| call("play", json!({"variant": "babylonian", "position": position, "events": events}));
    let events = json!([{"move": "d1a4"}, {"choice": "assist"}, {"roll": [2, 1, 10]}]);
    let pending = play(events)["result"]["pending"].clone();
    let question = "Where does your king go?";
    let expected = json!({"kind": "choice", "player": "second", "options": ["stay", "e2", "a4"], "question": question});
    assert_eq!(pending, expected);
    let position = "k7/8/8/8/8/8/8/K6R w - -";
    let play = |events: Value| call("play", json!({"variant": "king-for-2", "position": position, "events": events}));
    let paid = play(json!([{"roll": [4, 6]}, {"move": "h1h5", "die": 4}]));
    assert_eq!(paid["result"]["pending"]["options"], json!(["a1a2", "a1b1", "a1b2"]));
    let open = play(json!([{"roll": [4, 6]}, {"move": "h1h5"}]));
    let which = "event 1: 'h1h5' can be paid for by 4 or by 6: write '4:h1h5' or '6:h1h5'";
    assert_eq!(open["error"]["message"], which, "no die is taken in silence");
    assert_eq!(play(json!([{"roll": [4, 6]}, {"move": "4:h1h5"}]))["result"], paid["result"]);
    let joker = play(json!([{"roll": [4, 6]}, {"move": "h1h5", "die": 6}]));
    assert!(joker["result"]["position"].as_str().unwrap().contains(" b "), "the 4 finds no other rook");
}

/// The queen may take the king: one move, with its events as `play` takes them.
#[test]
fn a_hint_is_an_event_to_play() {
    let position = "4k3/8/8/8/4Q3/8/8/4K3 w - - 0 1";
    let answer = call("hint", json!({"variant": "dice-chess", "position": position, "roll": [5, 1], "level": 1}));
    let best = &answer["result"]["lines"][0];
    assert_eq!((&best["events"], &best["value"]), (&json!([{"move": "e4e8"}]), &json!(1.0)), "{answer}");
    let events = json!([{"roll": [5, 1]}, best["events"][0]]);
    let played = call("play", json!({"variant": "dice-chess", "position": position, "events": events}));
    assert_eq!(played["result"]["state"]["winner"], "first", "{played}");
    for (params, code) in [
        (json!({"variant": "dice-chess"}), -32004),
        (json!({"variant": "dice-chess", "roll": [3, 4]}), -32006),
        (json!({"variant": "dice-chess", "roll": [2, 3], "level": 9}), -32602),
        (json!({"variant": "dice-chess", "roll": [2, 3], "level": 0}), -32602),
        (json!({"variant": "dice-chess", "roll": [2, 3], "nodes": -1}), -32602),
    ] {
        assert_eq!(call("hint", params.clone())["error"]["code"], code, "{params}");
    }
}

/// Requests that would take minutes, and what they are answered.
#[test]
fn no_request_takes_longer_than_it_may() {
    let folder = std::env::temp_dir().join(format!("astragal-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let script = folder.join("many-dice.rhai");
    let text = r#"board(4, 4); piece("man", "M", "W"); setup("mmmm/4/4/MMMM w");
        fn turn() { play(any()); let dice = cast("8d8"); set("luck", dice.total); }
        counter("luck", 0); fn outcome() { if get("luck") > 63 { win(mover(), "luck"); } }"#;
    std::fs::write(&script, text).unwrap();
    let rolls = folder.join("many-rolls.rhai");
    let text = text.replace(
        "let dice = cast(\"8d8\"); set(\"luck\", dice.total);",
        "let all = []; for i in 0..12 { all.push(roll(\"1d20\")); }",
    );
    std::fs::write(&rolls, text).unwrap();
    let mut server = Service::new().with_scripts(Reach::folder(&folder).unwrap()).with_time(Duration::from_millis(300));
    let mut call = |method: &str, params: Value| {
        let begun = Instant::now();
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = ask(&mut server, &request.to_string());
        let spent = begun.elapsed();
        assert!(spent < Duration::from_secs(10), "{method} takes {spent:?}");
        assert_up(&mut server);
        answer
    };
    let late = "the request took longer than its time limit";
    // 3,195,901,860 sequences: minutes.
    let perft = call("perft", json!({"variant": "chess", "depth": 7}));
    assert_eq!((&perft["error"]["code"], &perft["error"]["message"]), (&json!(-32007), &json!(late)));
    // Of sixteen million outcomes no more than the sum is asked: each from 8 to 64, the last of which wins.
    let odds = call("odds", json!({"variant": "many-dice.rhai", "move": "a1a2"}));
    let outcomes = odds["result"]["outcomes"].as_array().unwrap_or_else(|| panic!("{odds}"));
    let all = (outcomes.len(), &outcomes[0]["probability"], &outcomes[56]["effect"]);
    assert_eq!(all, (57, &json!("1/16777216"), &json!("win")), "{odds}");
    assert!(outcomes.iter().all(|outcome| outcome.get("samples").is_none()), "{odds}");
    // Twenty to the power of twelve outcomes, which the script sees.
    let odds = call("odds", json!({"variant": "many-rolls.rhai", "move": "a1a2"}));
    assert_eq!((&odds["error"]["code"], &odds["error"]["message"]), (&json!(-32007), &json!(late)), "{odds}");
    // The computer says what it has found so far.
    let hint = call("hint", json!({"variant": "dicechess-3", "roll": [2, 3, 4], "level": 8, "nodes": 50_000_000}));
    assert!(hint["result"]["lines"].as_array().is_some_and(|lines| !lines.is_empty()), "{hint}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn too_much_is_refused_before_anything_is_made_of_it() {
    let mut server = Service::new();
    let events = |count: usize| {
        let events = vec!["{}"; count].join(",");
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"play","params":{{"variant":"chess","events":[{events}]}}}}"#)
    };
    for (line, code, part) in [
        (format!("[{}0]", "0,".repeat(8_300_000)), -32600, "a batch can have at most 100 requests"),
        (format!("[{}0]", "0,".repeat(MAX_BATCH)), -32600, "a batch can have at most 100 requests"),
        (format!("[[{}0]]", "0,".repeat(MAX_VALUES)), -32600, "a line can hold at most 100000 values"),
        (events(5_000_000), -32600, "a line can hold at most 100000 values"),
        (events(10_001), -32602, "a list of at most 10000 items"),
    ] {
        let begun = Instant::now();
        let answer = ask(&mut server, &line);
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(part), "{answer}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{part}: {:?}", begun.elapsed());
        assert_up(&mut server);
    }
    // Commas and brackets in texts are no values.
    let text = ",[{".repeat(MAX_VALUES);
    let answer = ask(&mut server, &format!(r#"[[[]],"\"{text}",{GOOD}]"#));
    assert_eq!(answer.as_array().map(Vec::len), Some(3), "{answer}");
    assert_eq!(ask(&mut server, &format!("[{}0]", "0,".repeat(MAX_BATCH - 1))).as_array().map(Vec::len), Some(100));
}

/// Keeps what was written up to each flush.
#[derive(Default)]
struct Pieces(Vec<String>, Vec<u8>);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.push(String::from_utf8(std::mem::take(&mut self.1)).unwrap());
        Ok(())
    }
}

#[test]
fn a_batch_is_answered_one_by_one_in_its_time() {
    let slow = r#"{"jsonrpc":"2.0","id":8,"method":"perft","params":{"variant":"chess","depth":7}}"#;
    let batch = format!("[{GOOD},{},{GOOD},{{\"jsonrpc\":\"2.0\",\"method\":\"variants\"}}]", [slow; 20].join(","));
    let mut server = Service::new().with_time(Duration::from_secs(1));
    let (mut out, begun) = (Pieces::default(), Instant::now());
    server.answer(&batch, &mut out).unwrap();
    // One request that is late, not twenty.
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    assert!(out.0[0].starts_with("[{") && out.0[0].contains("b1a3"), "{:?}", out.0);
    assert!(out.0[1].starts_with(",{") && out.0[1].contains("-32007"), "{:?}", out.0);
    assert_eq!(out.0.len(), 23, "{:?}", out.0);
    let all: Value = serde_json::from_str(&out.0.concat()).unwrap();
    assert_eq!((all[21]["id"].as_u64(), &all[21]["error"]["code"]), (Some(7), &json!(-32007)), "the time is over");
    assert_up(&mut server);
}

#[test]
fn parameters_that_a_method_does_not_have_are_refused() {
    for (method, params, known) in [
        (
            "moves",
            json!({"variant": "dice-chess", "roll": [2, 3], "depth": 3}),
            "variant, options, position, roll, view",
        ),
        ("state", json!({"variant": "dice-chess", "roll": [2, 3]}), "variant, options, position, view"),
        ("perft", json!({"variant": "chess", "depth": 1, "view": "first"}), "variant, options, position, depth"),
        ("variants", json!({"variant": "chess"}), "variants has no parameter 'variant'; it takes no parameters"),
        ("play", json!({"variant": "chess", "event": []  , "moves": [1]}), "roll, events, view"),
        (
            "play",
            json!({"variant": "chess", "events": [{"move": "e2e4", "dice": 3}]}),
            "did you mean 'die'? its parameters are roll, move, die, choice",
        ),
    ] {
        let answer = call(method, params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(known), "{answer}");
    }
    // What is empty is not given.
    let nothing = json!({"variant": "chess", "roll": [], "depth": null, "events": []});
    assert_eq!(call("state", nothing)["result"]["over"], false);
}

#[test]
fn play_begins_with_the_roll_that_is_given() {
    let given = json!({"variant": "dice-chess", "roll": [2, 3], "events": [{"move": "b1c3"}]});
    let listed = json!({"variant": "dice-chess", "events": [{"roll": [2, 3]}, {"move": "b1c3"}]});
    assert_eq!(call("play", given)["result"], call("play", listed)["result"]);
    let answer = call("play", json!({"variant": "dice-chess", "roll": [2, 3]}));
    assert_eq!(answer["result"]["pending"]["options"], json!(["b1a3", "b1c3", "g1f3", "g1h3"]), "{answer}");
    assert_eq!(call("play", json!({"variant": "dice-chess", "roll": [2, 7]}))["error"]["code"], -32004);
}

/// Weighted dice, dice of which some outcomes are thrown again, and dice with more faces than are listed.
#[test]
fn a_roll_waited_for_has_its_chances() {
    let folder = Reach::folder(&std::env::temp_dir()).unwrap();
    let pending = |rule: &str| -> Value {
        let name = format!("astragal-pending-{}.rhai", std::process::id());
        let text = format!("board(4, 4); piece(\"man\", \"M\", \"W\"); setup(\"mmmm/4/4/MMMM b\");\n{rule}");
        std::fs::write(std::env::temp_dir().join(&name), text).unwrap();
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "play", "params": {"variant": name}});
        let answer = ask(&mut Service::new().with_scripts(folder.clone()), &request.to_string());
        std::fs::remove_file(std::env::temp_dir().join(&name)).unwrap();
        assert_eq!(answer["result"]["pending"]["player"], "second", "{answer}");
        answer["result"]["pending"].clone()
    };
    let weighted = pending("fn turn() { roll(\"1d2+d{1:3,6:1}\"); play(any()) }");
    assert_eq!(
        (&weighted["faces"], &weighted["chances"]),
        (&json!([[1, 2], [1, 6]]), &json!([["1/2", "1/2"], ["3/4", "1/4"]]))
    );
    assert_eq!(weighted.get("conditional"), None);
    let some = pending("fn turn() { roll_until(\"1d6\", |die| die > 2); play(any()) }");
    assert_eq!((&some["conditional"], &some["chances"][0][0]), (&json!(true), &json!("1/6")), "{some}");
}

#[test]
fn no_file_is_opened_but_scripts_of_the_folder() {
    let folder = std::env::temp_dir().join(format!("astragal-scripts-{}", std::process::id()));
    let inside = folder.join("scripts");
    std::fs::create_dir_all(inside.join("more")).unwrap();
    let script = "title(\"Inside\"); board(2, 2); piece(\"man\", \"M\", \"W\"); setup(\"m1/1M w\");";
    for name in ["outside.rhai", "secret.txt", "scripts/mine.rhai", "scripts/more/deep.rhai", "scripts/notes.txt"] {
        std::fs::write(folder.join(name), script.replace("title", "/* password */ title")).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("outside.rhai"), inside.join("link.rhai")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&folder, inside.join("up")).unwrap();
    let state = |server: &mut Service, name: &str| {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "state", "params": {"variant": name}});
        ask(server, &request.to_string())
    };
    let path = |name: &str| folder.join(name).display().to_string();
    let mut closed = Service::new();
    for (there, not) in [
        (path("secret.txt"), path("nothing.txt")),
        (path("scripts/mine.rhai"), path("scripts/nothing.rhai")),
        ("/etc/passwd".into(), "/etc/passwt".into()),
    ] {
        let (said, other) = (state(&mut closed, &there), state(&mut closed, &not));
        assert_eq!(said["error"]["code"], -32000, "{said}");
        let same = said["error"].to_string().replace(&there, "") == other["error"].to_string().replace(&not, "");
        assert!(same, "what is there is not told: {said} {other}");
    }
    let mut open = Service::new().with_scripts(Reach::folder(&inside).unwrap());
    for name in ["mine.rhai", "more/deep.rhai"] {
        assert_eq!(state(&mut open, name)["result"]["over"], false, "{name}");
    }
    let all = ask(&mut open, r#"{"jsonrpc":"2.0","id":1,"method":"variants"}"#);
    assert!(
        all["result"]["variants"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["name"] == "mine.rhai" && one["title"] == "Inside")
    );
    for name in [
        "../outside.rhai",
        "more/../../outside.rhai",
        "link.rhai",
        "up/outside.rhai",
        "notes.txt",
        "more",
        "nothing.rhai",
        "./../scripts/mine.rhai",
        &path("scripts/mine.rhai"),
        &path("outside.rhai"),
        "/etc/passwd",
        "mine.rhai/",
        "",
    ] {
        let answer = state(&mut open, name);
        assert!([-32000, -32602].contains(&answer["error"]["code"].as_i64().unwrap()), "{name}: {answer}");
        assert!(!answer.to_string().contains("password"), "{name}: {answer}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn answers_hold_nothing_that_steers_a_terminal() {
    let name = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{7f}";
    let request = json!({"jsonrpc": "2.0", "id": name, "method": "state", "params": {"variant": name}});
    let answer = Service::new().handle(&request.to_string()).unwrap();
    assert!(!answer.contains(astragal_dsl::printable::steers), "{answer}");
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap()["id"], name, "it means the same");
}
