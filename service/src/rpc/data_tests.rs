//! What programs would otherwise have to read out of sentences: each answer has it as data, too.

use super::Service;
use serde_json::{Value, json};

fn call(server: &mut Service, method: &str, params: Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    serde_json::from_str(&server.handle(&request.to_string()).expect("an answer")).expect("JSON")
}

fn done(method: &str, params: Value) -> Value {
    let answer = call(&mut Service::new(), method, params);
    assert!(answer["error"].is_null(), "{method}: {answer}");
    answer["result"].clone()
}

/// A race with these rules.
fn race(rules: &str) -> Value {
    let text = format!(
        "board(5, 1); counter(\"chips\", 20, #{{ each: true }}); piece(\"man\", \"M\", \"fW\");\nsetup(\"M3m w\");\n{rules}"
    );
    json!({"name": "race.rhai", "text": text})
}

#[test]
fn a_script_hides_what_it_declares_chooses_or_rolls_in_secret() {
    let hides = |asked: Value| {
        let loaded = done("load", asked);
        (loaded["hides"].clone(), loaded["secrets"].clone())
    };
    for (name, secrets) in
        [("bidding-chess", false), ("ghosts", true), ("barrage-stratego", true), ("secret-dice", true)]
    {
        assert_eq!(hides(json!({"name": name})), (json!(true), json!(secrets)), "{name}");
    }
    for name in ["chess", "dice-chess", "backgammon"] {
        assert_eq!(hides(json!({"name": name})), (json!(false), json!(false)), "{name}");
    }
    let imported = "fn turn() { auction::bid(side(\"White\")); play(any()); }";
    let mut asked = race(imported);
    asked["text"] = json!(format!("import \"bidding-chess\" as auction; {}", asked["text"].as_str().unwrap()));
    assert_eq!(hides(asked).0, true);
    let hidden = [
        "#{ secret: true }",
        "#{ secret: mover() }",
        "#{ \"secret\": !false }",
        "#{ secret: false || true }",
        "#{} + #{ sorted: true, secret: 1 == 1 }",
    ];
    for options in hidden {
        let rules = format!("fn turn() {{ roll(\"1d6\", {options}); play(any()); }}");
        assert_eq!(hides(race(&rules)).0, true, "{options}");
    }
    let assigned =
        |how: &str| race(&format!("fn turn() {{ let o = #{{}}; {how} = true; roll(\"1d6\", o); play(any()); }}"));
    assert_eq!((hides(assigned("o.secret")).0, hides(assigned("o[\"secret\"]")).0), (json!(true), json!(true)));
    let open = [
        "roll(\"1d6\", #{ secret: false });",
        "// roll(\"1d6\", #{ secret: true });\n",
        "/* secret: true */",
        "let secret = true; if secret { roll(\"1d6\"); }",
        "print(\"secret: true\");",
    ];
    for code in open {
        assert_eq!(hides(race(&format!("fn turn() {{ {code} play(any()); }}"))).0, false, "{code}");
    }
}

#[test]
fn royal_kinds_are_named() {
    assert_eq!(done("load", json!({"name": "chess"}))["royals"], json!(["king"]));
    assert_eq!(done("load", json!({"name": "backgammon"}))["royals"], json!([]));
}

/// The pieces of a heap, from the top down; and an apostrophe for the third side.
#[test]
fn squares_list_the_letters_of_their_pieces() {
    let pieces = |asked: Value, name: &str| {
        let drawn = done("draw", asked);
        let found = drawn["squares"].as_array().unwrap().iter().find(|square| square["name"] == name).cloned();
        found.unwrap_or_else(|| panic!("{drawn}"))["pieces"].clone()
    };
    assert_eq!(pieces(json!({"variant": "chess"}), "e1"), json!(["K"]));
    assert_eq!(pieces(json!({"variant": "chess"}), "e8"), json!(["k"]));
    assert_eq!(pieces(json!({"variant": "chess"}), "e4"), json!([]));
    let text = "board(3, 1, #{ heaps: true }); sides([\"A\", \"B\", \"C\"]); piece(\"man\", \"M\", \"fW\");\n\
                setup(\"M'1m w - - 0 1 under=a1:Mm\"); fn turn() { play(any()); }";
    let mut server = Service::new();
    let loaded = call(&mut server, "load", json!({"name": "heaps.rhai", "text": text}));
    assert!(loaded["error"].is_null(), "{loaded}");
    let drawn = call(&mut server, "draw", json!({"variant": "heaps.rhai"}))["result"].clone();
    let square = &drawn["squares"][0];
    assert_eq!((&square["pieces"], &square["label"]), (&json!(["M'", "m", "M"]), &json!("a1, c man, on b man, a man")));
}

#[test]
fn pieces_that_can_move_are_not_marked_in_a_still_picture() {
    let mut server = Service::new();
    let session = call(&mut server, "open", json!({"variant": "chess"}))["result"]["session"].clone();
    let mut svg = |still: bool| {
        let asked = json!({"session": session, "still": still});
        call(&mut server, "draw", asked)["result"]["svg"].as_str().expect("a picture").to_owned()
    };
    assert_ne!(svg(true), svg(false));
    let rolled = json!({"variant": "dice-chess", "roll": [2, 2], "steady": true, "still": true});
    assert_eq!(done("draw", rolled)["svg"], done("draw", json!({"variant": "dice-chess", "steady": true}))["svg"]);
}

#[test]
fn a_movement_is_described_without_the_name_of_the_piece() {
    let knight = done("pieces", json!({"variant": "chess", "name": "knight"}))["pieces"][0].clone();
    assert_eq!(
        (&knight["about"], &knight["movement"]),
        (&json!("knight (N): knight's leaps."), &json!("knight's leaps."))
    );
}

#[test]
fn errors_of_scripts_have_their_message_apart_from_its_place_and_help() {
    let wrong = json!({"name": "wrong.rhai", "text": "board(5, 1);\npiece(\"man\", \"M\", \"f?\");"});
    let error = call(&mut Service::new(), "load", wrong)["error"].clone();
    let (message, reason) = (error["message"].as_str().unwrap(), error["data"]["reason"].as_str().unwrap());
    assert!(reason.starts_with("movement: expected ") && reason.ends_with("found '?'"), "{error}");
    let help = error["data"]["help"].as_str().map_or(String::new(), |help| format!("; {help}"));
    assert_eq!(message, format!("wrong.rhai:2:{}: {reason}{help}", error["data"]["column"]));
    // A rule that fails while a game is played.
    let mut server = Service::new();
    let played = race("fn turn() {\n  add(\"chips\", mover(), 32760);\n  play(any());\n}");
    let session = call(&mut server, "load", played)["error"].clone();
    assert!(session.is_null(), "{session}");
    let error = call(&mut server, "open", json!({"variant": "race.rhai"}))["error"].clone();
    let reason = error["data"]["reason"].as_str().unwrap_or_default();
    assert!(reason.starts_with("in rule `turn`: "), "{error}");
    assert!(!reason.contains("race.rhai") && !reason.contains("; "), "{error}");
}

#[test]
fn the_rulebook_has_its_parts_as_data() {
    for name in ["chess", "dice-chess", "backgammon"] {
        let rules = done("rules", json!({"variant": name}));
        let sections = rules["sections"].as_array().unwrap();
        let heading = |section: &Value| section["heading"].as_str().unwrap().to_owned();
        let lines = |section: &Value| -> Vec<String> {
            section["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(sections[0]["heading"], rules["title"]);
        let positions: Vec<String> =
            sections.iter().filter(|one| one.get("position") == Some(&json!(true))).map(heading).collect();
        assert_eq!(positions, ["Starting position"], "{name}");
        // The text has the same, in lines that end at another place.
        let filled = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = filled(rules["text"].as_str().unwrap());
        for line in sections.iter().flat_map(|one| [vec![heading(one)], lines(one)].concat()) {
            assert!(!line.is_empty() && text.contains(&filled(&line)), "{name}: {line}");
        }
    }
    let chess = done("rules", json!({"variant": "chess"}))["sections"][0].clone();
    assert_eq!(chess["lines"][0], "Orthodox chess, without dice: checkmate the enemy king.", "{chess}");
}
