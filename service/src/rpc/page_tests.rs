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

/// Users of names of faces: the marked corners of Ur, the kinds that the dice of Dice Chess show.
#[test]
fn a_known_script_is_told_of_with_the_names_of_its_faces() {
    let mut server = Service::new();
    let ur = done(&mut server, "load", json!({"name": "royal-game-of-ur"}));
    assert_eq!(ur["faces"], json!([{"face": 0, "name": "plain"}, {"face": 1, "name": "marked"}]));
    let dice = done(&mut server, "load", json!({"name": "dice-chess"}));
    assert_eq!((&dice["title"], &dice["faces"][1]), (&json!("Dice Chess"), &json!({"face": 2, "name": "knight"})));
    let unknown = call(&mut server, "load", json!({"name": "no-such-game"}));
    assert_eq!(unknown["error"]["code"], -32000, "{unknown}");
}

/// A picture of a set-up marks nothing, that of an open game what may move.
#[test]
fn what_may_move_is_marked_where_something_is_played() {
    const MOVABLE: &str = "#cfdfb0";
    let mut server = Service::new();
    let svg = |picture: Value| picture["svg"].as_str().expect("a picture").to_owned();
    assert!(!svg(done(&mut server, "draw", json!({"variant": "chess"}))).contains(MOVABLE));
    let session = done(&mut server, "open", json!({"variant": "chess"}))["session"].clone();
    assert!(svg(done(&mut server, "draw", json!({"session": session}))).contains(MOVABLE));
    assert!(svg(done(&mut server, "draw", json!({"variant": "dice-chess", "roll": [2, 2]}))).contains(MOVABLE));
}

/// Backgammon as its players write it, read and told everywhere; records keep squares.
#[test]
fn moves_are_written_by_stations() {
    let mut server = Service::new();
    let session = done(&mut server, "open", json!({"variant": "backgammon"}))["session"].clone();
    let events = json!([{"roll": [3]}, {"roll": [1]}, {"move": "8/5"}, {"move": "6/5"}, {"roll": [6, 6]}]);
    done(&mut server, "apply", json!({"session": session, "events": events}));
    let told = done(&mut server, "history", json!({"session": session}));
    assert_eq!(told["turns"][0]["text"], "[3] [1] 8/5 6/5", "{told}");
    assert!(told["record"].as_str().is_some_and(|record| !record.contains("8/5")), "{told}");
    // White has one man on his 5 point: Black hits it there, from the bar's side of the board.
    let hit = "M3m1m4M**/M3m1m4M2/M3m1m7/M5m7/M5m7/14/14/14/14/14/14/m5M7/m5M7/m3M1M7/m3M1M4m2/m3M1M3Mm2[] b";
    let params = json!({"variant": "backgammon", "position": hit, "roll": [2, 1]});
    let moves = done(&mut server, "prospects", params)["decisions"].clone();
    assert!(moves.as_array().unwrap().iter().any(|one| one["text"] == "1:24/23*"), "{moves}");
    let why =
        done(&mut server, "why", json!({"variant": "backgammon", "position": hit, "roll": [2, 1], "move": "24/20"}));
    assert_eq!(why["permitted"], false, "{why}");
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
    assert_eq!((squares.len(), &squares[0]["label"]), (64, &json!("a8, black rook")));
    let e2 = squares.iter().find(|square| square["name"] == "e2").unwrap();
    assert_eq!((&e2["label"], &e2["row"], &e2["column"]), (&json!("e2, white pawn"), &json!(6), &json!(4)));
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
    assert_eq!(
        course["turns"][0],
        json!({
            "round": 1, "side": "first", "text": "[6,2] Nc3", "parts": [{"roll": ["6", "2"]}, {"move": "Nc3"}], "events": 2
        })
    );
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

/// Pages need no words of the messages to know what happened.
#[test]
fn events_are_data() {
    let mut server = Service::new();
    let lost = json!({"variant": "dice-chess", "events": [{"roll": [3, 5]}]});
    let lost = done(&mut server, "play", lost);
    assert_eq!(
        (&lost["log"], &lost["log_kinds"]),
        (&json!(["White has no move: the turn is lost."]), &json!(["lost"]))
    );
    let mate = "8/8/8/8/8/1kq5/8/K7 b - - 0 1";
    let over = json!({"variant": "chess", "position": mate, "events": [{"move": "c3b2"}]});
    assert_eq!(done(&mut server, "play", over)["state"]["result"], "Black wins: checkmate.");
    let script = "board(3, 1); piece(\"man\", \"M\", \"sR\"); setup(\"M1m w\"); \
                  fn turn() { play(any()); choose([\"stay\", \"go\"], #{ secret: true }); } \
                  fn capture(attacker, defender) { label(\"a duel\"); if roll(\"1d6\") > 3 { take(); } }";
    done(&mut server, "load", json!({"name": "duel.rhai", "text": script}));
    done(&mut server, "open", json!({"variant": "duel.rhai"}));
    let events = json!([{"move": "Ma1b1"}, {"choice": "go"}, {"move": "c1b1"}, {"roll": [2]}, {"choice": "stay"}]);
    let seen = done(&mut server, "apply", json!({"session": 1, "events": events, "view": "second"}));
    let kinds: Vec<&str> = seen["log_kinds"].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap()).collect();
    assert_eq!(seen["log"].as_array().unwrap().len(), kinds.len());
    assert!(["secret", "label", "failed"].iter().all(|kind| kinds.contains(kind)), "{seen}");
    let turns = done(&mut server, "history", json!({"session": 1, "view": "second"}))["turns"].clone();
    assert_eq!(turns[0]["parts"], json!([{"move": "Mb1"}, "hidden"]));
    assert_eq!(turns[1]["parts"], json!([{"move": "Mxb1"}, {"roll": ["2"]}, {"choice": "stay"}]));
}

/// A piece that was promoted is not lost, and a piece that was taken is.
#[test]
fn lost_pieces_are_counted_by_kind() {
    let mut server = Service::new();
    done(&mut server, "open", json!({"variant": "chess", "position": "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1"}));
    assert!(done(&mut server, "draw", json!({"session": 1})).get("lost").is_none());
    done(&mut server, "apply", json!({"session": 1, "events": [{"move": "b7a8q"}]}));
    let rook = json!([{"side": "second", "count": 1, "pieces": [{"kind": "rook", "letter": "r", "count": 1}]}]);
    assert_eq!(done(&mut server, "draw", json!({"session": 1}))["lost"], rook);
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
    let own = done(&mut server, "draw", json!({"session": 1, "view": "first"}));
    assert_eq!(own["secrets"], json!([{"name": "card", "values": [{"value": 0}]}]));
    assert!(done(&mut server, "draw", json!({"session": 1})).get("secrets").is_none());
    assert!(done(&mut server, "history", json!({"session": 1}))["record"].is_string());
}

/// A player sees the secrets of their own pieces on the board, with the names of the values.
#[test]
fn own_secrets_are_drawn_for_their_side() {
    let script = "board(3, 1); piece(\"man\", \"M\", \"sR\"); setup(\"M1m w - - 0 1 rank=a1:9\"); \
                  piece_trait(\"rank\", 2, #{ secret: true, names: #{ \"9\": \"general\" } }); fn turn() { play(any()); }";
    let mut server = Service::new();
    done(&mut server, "load", json!({"name": "ranks.rhai", "text": script}));
    done(&mut server, "open", json!({"variant": "ranks.rhai"}));
    let mut drawn = |view: &str| done(&mut server, "draw", json!({"session": 1, "view": view}));
    let (first, second) = (drawn("first"), drawn("second"));
    assert_eq!(first["secrets"][0]["values"], json!([{"square": "a1", "value": 9, "text": "general"}]));
    assert_eq!(second["secrets"][0]["values"], json!([{"square": "c1", "value": 2}]));
    let labels = |drawn: &Value| [&drawn["squares"][0]["label"], &drawn["squares"][2]["label"]].map(Value::clone);
    assert_eq!(labels(&first), ["a1, white man, rank general", "c1, black man"]);
    assert_eq!(labels(&second), ["a1, white man", "c1, black man, rank 2"]);
    let shows = |drawn: &Value, text: &str| drawn["svg"].as_str().is_some_and(|svg| svg.contains(text));
    assert!(shows(&first, ">general</text>") && !shows(&first, ">2</text>"));
    assert!(!shows(&second, "general") && shows(&second, ">2</text>"));
    let all = done(&mut server, "draw", json!({"session": 1}));
    assert!(!shows(&all, "general") && !shows(&all, ">2</text>"));
}

/// Dice of a seed that fall when somebody presses a button are those that fall by themselves.
#[test]
fn dice_fall_when_they_are_asked_for() {
    let mut server = Service::new();
    let by_itself = done(&mut server, "open", json!({"variant": "dice-chess", "seed": 6}));
    let waiting = done(&mut server, "open", json!({"variant": "dice-chess", "seed": 6, "wait": true}));
    assert_eq!((&waiting["pending"]["kind"], waiting.get("rolled")), (&json!("roll"), None));
    let session = waiting["session"].clone();
    let rolled = done(&mut server, "apply", json!({"session": session, "events": [{"roll": []}]}));
    assert_eq!((&rolled["rolled"], &rolled["pending"]["kind"]), (&json!([[1, 6]]), &json!("move")));
    assert_eq!(by_itself["rolled"], rolled["rolled"]);
    // Nothing is waited for; and where nobody gave a seed nobody rolls.
    let refused = call(&mut server, "apply", json!({"session": session, "events": [{"roll": []}]}));
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("at least one face")), "{refused}");
    let bare = done(&mut server, "open", json!({"variant": "dice-chess"}))["session"].clone();
    let refused = call(&mut server, "apply", json!({"session": bare, "events": [{"roll": []}]}));
    assert!(refused["error"].is_object(), "{refused}");
}

#[test]
fn pieces_are_shown_with_their_moves() {
    let mut server = Service::new();
    let chess = done(&mut server, "pieces", json!({"variant": "chess"}));
    let names: Vec<&str> = chess["pieces"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["pawn", "knight", "bishop", "rook", "queen", "king"]);
    let knight = &chess["pieces"][1];
    assert_eq!(
        (knight["quiet"].as_array().unwrap().len(), &knight["quiet"], &knight["letter"]),
        (8, &knight["captures"], &json!("N"))
    );
    assert!(knight["images"][1].as_str().unwrap().starts_with("<svg xmlns="));
    // A pawn takes aslant, and only where an enemy stands.
    let pawn = |enemies: Value| {
        let params = json!({"variant": "chess", "name": "pawn", "from": "d4", "enemies": enemies});
        done(&mut Service::new(), "pieces", params)["pieces"][0].clone()
    };
    let alone = pawn(json!([]));
    assert_eq!((&alone["quiet"], &alone["captures"]), (&json!(["d5"]), &json!([])));
    let met = pawn(json!(["d5", "e5", "f6"]));
    assert_eq!((&met["quiet"], &met["captures"]), (&json!([]), &json!(["e5"])));
    let cannon = done(&mut server, "pieces", json!({"variant": "xiangqi", "name": "cannon"}));
    assert_eq!(
        (&cannon["pieces"][0]["captures"], cannon["pieces"][0]["over"].as_array().unwrap().is_empty()),
        (&json!([]), false)
    );
    for wrong in [json!({"variant": "chess", "name": "gnu"}), json!({"variant": "chess", "name": "pawn", "from": "z9"})]
    {
        assert!(call(&mut server, "pieces", wrong)["error"]["data"]["field"].is_string());
    }
}

#[test]
fn a_piece_that_cannot_move_is_explained() {
    let mut server = Service::new();
    let mut why = |square: &str, roll: Value| {
        let params = json!({"variant": "dice-chess", "square": square, "roll": roll});
        done(&mut server, "why", params)
    };
    let rook = why("a1", json!([2, 3]));
    assert_eq!(
        (&rook["permitted"], &rook["why"][0]),
        (&json!(false), &json!("the rook on a1 cannot move now: every path is blocked or leaves the board"))
    );
    let pawn = why("e2", json!([2, 3]));
    assert_eq!(pawn["why"][0], "the roll 2 (knight), 3 (bishop) permits only moves of a knight or bishop");
    assert!(pawn["place"].as_str().unwrap().starts_with("dice-chess.rhai:"), "{pawn}");
    assert_eq!(why("b1", json!([2, 3]))["permitted"], true);
    assert_eq!(why("e4", json!([2, 3]))["why"][0], "e4 is empty");
    assert_eq!(why("a8", json!([2, 3]))["why"][0], "the rook belongs to Black, but it is White's turn");
    let refused = call(&mut server, "why", json!({"variant": "dice-chess", "square": "z9"}));
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("z9")), "{refused}");
}

/// A pawn alone on e4 can take on d5 with a pawn's number: on at least one of two dice, 11 of 36,
/// or with any other of the five doubles, after which everything may move.
#[test]
fn what_may_be_taken_and_what_may_happen() {
    let mut server = Service::new();
    let position = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    let found = done(&mut server, "captures", json!({"variant": "dice-chess", "position": position}));
    assert_eq!(
        (&found["side"], &found["squares"]),
        (&json!("first"), &json!([{"square": "d5", "probability": "4/9"}]))
    );
    let params = json!({"variant": "dice-chess", "position": position, "roll": [1, 1], "move": "exd5"});
    let after = done(&mut server, "captures", params);
    assert_eq!((&after["side"], &after["squares"]), (&json!("second"), &json!([])));
    let roll = done(&mut server, "prospects", json!({"variant": "dice-chess"}));
    assert_eq!(roll["roll"]["dice"], "2d6");
    assert_eq!(roll["roll"]["chances"][0], json!({"probability": "1/3", "text": "turn lost"})); // The README has it.
    let moves = done(&mut server, "prospects", json!({"variant": "dice-chess", "position": position, "roll": [1, 6]}));
    let first = moves["decisions"].as_array().unwrap().iter().find(|one| one["text"] == "exd5").unwrap().clone();
    assert_eq!((&first["outcomes"][0]["text"], &first["danger"]["probability"]), (&json!("moved"), &json!("0")));
    let over =
        call(&mut server, "prospects", json!({"variant": "chess", "position": "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"}));
    assert_eq!(over["error"]["code"], -32006, "{over}");
}

#[test]
fn games_are_tests_of_a_script() {
    let mut server = Service::new();
    let session = done(&mut server, "open", json!({"variant": "dice-chess"}))["session"].clone();
    done(&mut server, "apply", json!({"session": session, "events": [{"roll": [2, 3]}, {"move": "b1c3"}]}));
    let file = done(&mut server, "game_file", json!({"session": session, "title": "One\nmove"}))["text"].clone();
    assert_eq!(file, "title: One move\nvariant: dice-chess.rhai\n\nroll 2 3\nNc3\n");
    let tested =
        done(&mut server, "test", json!({"variant": "dice-chess", "games": [file, "roll 2 3\ne4\n", "jump\n"]}));
    let games = tested["games"].as_array().unwrap();
    let transcript = games[0]["transcript"].as_str().unwrap();
    assert!(transcript.starts_with("> roll 2 3\nRoll of 2d6: 2,3.\n"), "{transcript}");
    assert!(games[0]["diff"].as_str().unwrap().starts_with("@@ -0,0 +1"), "{tested}");
    let refused = games[1]["error"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(refused.contains("permits only moves of a knight or bishop"), "{refused}");
    assert!(games[2]["error"].as_str().is_some_and(|text| text.contains("game-3.game:1")), "{tested}");
    assert!(tested["coverage"].as_array().unwrap().iter().any(|one| one["first"].as_u64() > Some(0)));
    let accepted = json!({"variant": "dice-chess", "games": [file], "accepted": [transcript]});
    assert_eq!(done(&mut server, "test", accepted)["games"][0]["diff"], "");
    let random = done(&mut server, "random_games", json!({"variant": "king-for-2", "games": 3}));
    assert_eq!((&random["games"], &random["complete"], random.get("failure")), (&json!(3), &json!(true), None));
    let broken = "board(5, 1); piece(\"man\", \"M\", \"fW\"); counter(\"turns\", 32766); setup(\"M3m w\");\n\
                  fn turn() { roll(\"1d6\"); add(\"turns\", 1); play(any()); }";
    done(&mut server, "load", json!({"name": "broken.rhai", "text": broken}));
    let failing = done(&mut server, "random_games", json!({"variant": "broken.rhai", "games": 3}));
    assert!(failing["failure"].as_str().is_some_and(|text| text.contains("turns")), "{failing}");
    assert!(failing["game"].as_str().is_some_and(|text| text.contains("variant: broken.rhai")), "{failing}");
}

/// The board stays where it is: what sides hold has its room before they hold anything, and dice lie elsewhere.
#[test]
fn a_steady_picture_keeps_its_size() {
    let mut server = Service::new();
    let mut drawn = |asked: Value| {
        let picture = done(&mut server, "draw", asked);
        (picture["width"].clone(), picture["dice"].clone(), picture["svg"].as_str().unwrap().contains("Dice left"))
    };
    let held = "rbsgk/4p/5/P4/KGSBR[Pp] w - - 0 1";
    let empty = drawn(json!({"variant": "dice-shogi", "steady": true}));
    assert_eq!(drawn(json!({"variant": "dice-shogi", "position": held, "steady": true})).0, empty.0);
    assert_ne!(drawn(json!({"variant": "dice-shogi"})).0, empty.0);
    let rolled = drawn(json!({"variant": "backgammon", "roll": [3, 1], "steady": true}));
    assert_eq!(rolled, (drawn(json!({"variant": "backgammon", "steady": true})).0, json!([3, 1]), false));
    assert!(drawn(json!({"variant": "backgammon", "roll": [3, 1]})).2);
}

/// In Ghosts both sides choose in one turn: each choice stands under whoever has made it.
#[test]
fn what_others_decide_in_a_turn_stands_apart() {
    let mut server = Service::new();
    done(&mut server, "open", json!({"variant": "ghosts"}));
    let choices = ["b1", "c1", "d1", "e1", "b6", "c6"].map(|square| json!({"choice": square}));
    done(&mut server, "apply", json!({"session": 1, "events": choices}));
    let turns = &done(&mut server, "history", json!({"session": 1}))["turns"];
    let line = |side: &str, text: &str, events: u8| {
        let parts: Vec<Value> = text.split(' ').map(|choice| json!({"choice": choice})).collect();
        json!({"round": 1, "side": side, "text": text, "parts": parts, "events": events})
    };
    assert_eq!(*turns, json!([line("first", "b1 c1 d1 e1", 4), line("second", "b6 c6", 6)]));
}

/// The rule of Dice Chess, as it is walked: both dice, whether they are equal, and what each allows.
#[test]
fn the_walk_of_a_rule_is_told_step_by_step() {
    let mut server = Service::new();
    let walk = done(&mut server, "walk", json!({"variant": "dice-chess", "roll": [2, 3]}));
    let runs = walk["runs"].as_array().unwrap();
    let turn = runs.iter().find(|run| run["rule"] == "turn").unwrap_or_else(|| panic!("{walk}"));
    let first = &turn["steps"][0];
    assert_eq!((&first["file"], &first["answer"]), (&json!("dice-chess.rhai"), &json!("[2, 3]")));
    assert!(first["code"].as_str().is_some_and(|code| code.contains("roll(")), "{first}");
    assert_eq!((&first["question"], &first["function"]), (&json!("roll(\"2d6\")"), &json!("roll_dice")));
    assert_eq!(turn["waits"]["question"], "play(permit(dice))");
    let text = "board(5, 1); piece(\"man\", \"M\", \"sW\"); setup(\"M3m w\");\n\
                fn turn() {\n  let a = roll(\"1d6\");\n  if squares_of(mover()).is_empty { return; }\n  play(any());\n}";
    done(&mut server, "load", json!({"name": "steps.rhai", "text": text}));
    let walk = done(&mut server, "walk", json!({"variant": "steps.rhai", "roll": [4]}));
    let steps: Vec<(u64, &str)> = walk["runs"][0]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["line"].as_u64().unwrap(), step["answer"].as_str().unwrap()))
        .collect();
    assert_eq!(steps, [(3, "4"), (4, "no")]);
}
