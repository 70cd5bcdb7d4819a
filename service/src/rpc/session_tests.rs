//! Open games: what is kept between requests, and what is not.

use super::Service;
use super::store::MAX_SESSIONS;
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

/// FIDE 9.2: the third time that a position stands with the same player to move. `play` from a position cannot know that
/// the first two have been.
#[test]
fn repetitions_count_over_requests() {
    let mut server = Service::new();
    let mut game = done(&mut server, "open", json!({"variant": "chess"}));
    for turn in 0..8 {
        assert_eq!(game["state"]["over"], false, "turn {turn}");
        let mv = ["g1f3", "g8f6", "f3g1", "f6g8"][turn % 4];
        game = done(&mut server, "apply", json!({"session": 1, "events": [{"move": mv}]}));
    }
    let draw = json!({"over": true, "winner": null, "reason": "repetition", "result": "Draw: repetition."});
    assert_eq!(game["state"], draw);
    assert!(game["pending"].is_null());
}

#[test]
fn events_happen_all_or_not_at_all() {
    let mut server = Service::new();
    done(&mut server, "open", json!({"variant": "chess"}));
    let events = json!([{"move": "e2e4"}, {"move": "e7e5"}, {"move": "e4e5"}]);
    let answer = call(&mut server, "apply", json!({"session": 1, "events": events}));
    assert_eq!((&answer["error"]["code"], &answer["error"]["data"]["event"]), (&json!(-32005), &json!(2)), "{answer}");
    let game = done(&mut server, "apply", json!({"session": 1}));
    assert!(game["position"].as_str().is_some_and(|fen| fen.ends_with("w KQkq - 0 1")), "{game}");
    let record = done(&mut server, "close", json!({"session": 1}));
    assert!(!record["record"].as_str().expect("a text").contains("e4"), "{record}");
}

/// The dice of a seed are those of the program's games: the stream of the seed and the number of the event.
#[test]
fn a_seed_gives_the_dice_that_it_gives_elsewhere() {
    let mut server = Service::new();
    let mut game = done(&mut server, "open", json!({"variant": "dice-chess", "seed": 11}));
    let loaded = crate::variant_cache::VariantCache::new().load("dice-chess", &[]).expect("a variant");
    let mut other = astragal_core::Game::new(loaded.set.clone(), loaded.start.clone(), 11).expect("a game");
    for _ in 0..60 {
        let mut rolled = Vec::new();
        while other.status() == astragal_core::Status::Chance {
            rolled.push(other.roll().expect("a roll"));
        }
        assert_eq!(game["rolled"].as_array().map_or(0, Vec::len), rolled.len(), "{game}");
        assert_eq!(game.get("rolled").cloned().unwrap_or(json!([])), json!(rolled));
        let Some(mv) = game["pending"]["options"].get(0).cloned() else { break };
        let paid = astragal_dsl::game_text::find_move(other.state(), mv.as_str().expect("a move"), None);
        other.play(paid.expect("a move")).expect("it is permitted");
        game = done(&mut server, "apply", json!({"session": 1, "events": [{"move": mv}]}));
    }
    assert!(other.entries().len() > 60, "the game continues for a while");
}

/// What other methods are to be asked about an open game, `apply` without events tells.
#[test]
fn an_open_game_can_be_looked_at_elsewhere() {
    let mut server = Service::new();
    for (number, variant) in ["dice-chess", "dicechess-3"].into_iter().enumerate() {
        let session = number + 1;
        let open = done(&mut server, "open", json!({"variant": variant, "seed": 3}));
        assert!(open.get("resume").is_none(), "{open}");
        let mv = open["pending"]["options"][0].clone();
        let game = done(&mut server, "apply", json!({"session": session, "events": [{"move": mv}]}));
        let there = done(&mut server, "apply", json!({"session": session}));
        assert_eq!((&there["pending"], &there["position"]), (&game["pending"], &game["position"]));
        let position = there.get("resume").unwrap_or(&there["position"]);
        let moves = done(&mut server, "moves", json!({"variant": variant, "position": position}));
        assert_eq!(moves["moves"], game["pending"]["options"], "{variant}");
    }
}

/// Without a seed whoever asks throws the dice; with one nobody else may.
#[test]
fn dice_come_from_one_hand() {
    let mut server = Service::new();
    let open = done(&mut server, "open", json!({"variant": "dice-chess"}));
    assert_eq!((&open["pending"]["kind"], open.get("rolled")), (&json!("roll"), None));
    let game = done(&mut server, "apply", json!({"session": 1, "events": [{"roll": [2, 3]}, {"move": "b1c3"}]}));
    assert_eq!(game["pending"]["player"], "second");
    done(&mut server, "open", json!({"variant": "dice-chess", "seed": 4}));
    let answer = call(&mut server, "apply", json!({"session": 2, "events": [{"roll": [2, 3]}]}));
    assert_eq!(answer["error"]["code"], -32006, "{answer}");
}

#[test]
fn closed_games_are_gone_and_numbers_are_given_once() {
    let mut server = Service::new();
    for number in [1, 2] {
        let game = done(&mut server, "open", json!({"variant": "einstein", "seed": 1}));
        assert_eq!(game["session"], number);
    }
    let record = done(&mut server, "close", json!({"session": 1}));
    assert!(record["record"].as_str().is_some_and(|text| text.contains("[Variant \"einstein\"]")), "{record}");
    for (method, params) in [
        ("close", json!({"session": 1})),
        ("apply", json!({"session": 1, "events": []})),
        ("chance_outcomes", json!({"session": 1})),
        ("apply", json!({"session": 99})),
    ] {
        let answer = call(&mut server, method, params);
        assert_eq!((&answer["error"]["code"], &answer["error"]["data"]["field"]), (&json!(-32008), &json!("session")));
    }
    assert_eq!(done(&mut server, "open", json!({"variant": "einstein", "seed": 1}))["session"], 3);
}

#[test]
fn only_so_many_games_are_open() {
    let mut server = Service::new();
    for _ in 0..MAX_SESSIONS {
        done(&mut server, "open", json!({"variant": "einstein"}));
    }
    let answer = call(&mut server, "open", json!({"variant": "einstein"}));
    assert_eq!((&answer["error"]["code"], &answer["error"]["data"]["limit"]), (&json!(-32007), &json!(MAX_SESSIONS)));
    done(&mut server, "close", json!({"session": 1}));
    done(&mut server, "open", json!({"variant": "einstein"}));
}

/// All that the dice can show, and nothing else: the probabilities are fractions that add up to 1.
#[test]
fn outcomes_of_chance_add_up_to_one() {
    let mut server = Service::new();
    for (variant, count, first) in
        [("dice-chess", 36, "1/36"), ("dicechess-3", 216, "1/216"), ("king-for-2", 36, "1/36")]
    {
        let found = done(&mut server, "chance_outcomes", json!({"variant": variant}));
        let outcomes = found["outcomes"].as_array().expect("a list");
        assert_eq!((outcomes.len(), &outcomes[0]["probability"]), (count, &json!(first)), "{variant}");
        let sum: f64 = outcomes
            .iter()
            .map(|outcome| {
                let (part, whole) =
                    outcome["probability"].as_str().expect("a text").split_once('/').expect("a fraction");
                part.parse::<f64>().expect("a number") / whole.parse::<f64>().expect("a number")
            })
            .sum();
        assert!((sum - 1.0).abs() < 1e-9, "{variant}: {sum}");
        let rolled = done(&mut server, "play", json!({"variant": variant, "events": [{"roll": outcomes[0]["roll"]}]}));
        assert!(rolled["position"].is_string(), "{variant}");
    }
    // With one bishop's number among six men that cannot move at the start, only rolls count that let something move.
    let options = json!({"no_move": "reroll"});
    let found = done(&mut server, "chance_outcomes", json!({"variant": "dice-chess", "options": options}));
    let outcomes = found["outcomes"].as_array().expect("a list");
    // A pawn or a knight, or doubles: 36 less the 4 * 4 rolls without 1 and 2, but for their 4 doubles.
    assert_eq!((outcomes.len(), &outcomes[0]["probability"]), (24, &json!("1/24")));
    let waiting = done(&mut server, "open", json!({"variant": "dice-chess", "seed": 4}));
    assert_eq!(waiting["pending"]["kind"], "move");
    let answer = call(&mut server, "chance_outcomes", json!({"session": waiting["session"]}));
    assert_eq!(answer["error"]["code"], -32006, "{answer}");
    let answer = call(&mut server, "chance_outcomes", json!({}));
    assert_eq!(answer["error"]["data"]["field"], "variant", "{answer}");
}

/// A position as one side sees it is opened with a seed, and looks the same to that side; without one it is refused.
#[test]
fn what_one_side_sees_is_opened_with_a_seed() {
    let mut server = Service::new();
    let seen = "4k3/8/8/8/8/8/7q/4K2R w - - 0 1 dice=0,0,0,1,0,0/?2";
    let open = |server: &mut Service, seed: u64| {
        let params = json!({"variant": "secret-dice", "position": seen, "seed": seed, "view": "first"});
        done(server, "open", params)
    };
    let game = open(&mut server, 5);
    assert_eq!(game["position"], seen, "{game}");
    assert_eq!(open(&mut server, 5)["pending"], game["pending"]);
    let whole = |server: &mut Service, seed: u64| {
        let params = json!({"variant": "secret-dice", "position": seen, "seed": seed});
        done(server, "open", params)["position"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(whole(&mut server, 5), whole(&mut server, 5));
    let worlds: std::collections::BTreeSet<String> = (0..20).map(|seed| whole(&mut server, seed)).collect();
    assert!(worlds.len() > 3 && worlds.iter().all(|text| !text.contains('?')), "{worlds:?}");
    for params in [
        json!({"variant": "secret-dice", "position": seen}),
        json!({"variant": "secret-dice", "position": seen.replace("?2", "?40000"), "seed": 1}),
        json!({"variant": "ghosts", "position": "6/2g3/1g4/3G2/2G3/6 w - - 0 20 nature=?", "seed": 1}),
    ] {
        let answer = call(&mut server, "open", params);
        assert_eq!(answer["error"]["data"]["field"], "position", "{answer}");
    }
}

/// Dice that one side rolls in secret are no matter of the other's.
#[test]
fn what_is_rolled_in_secret_is_not_told() {
    let mut server = Service::new();
    let find = |server: &mut Service, view: &str| {
        (0..40).find(|seed| {
            let params = json!({"variant": "secret-dice", "seed": seed, "view": view});
            let game = done(server, "open", params);
            let rolled = game.get("rolled").and_then(Value::as_array).cloned().unwrap_or_default();
            rolled.iter().any(Value::is_null)
        })
    };
    let hidden = [find(&mut server, "first"), find(&mut server, "second")];
    assert!(hidden.iter().any(Option::is_some), "somebody's dice are hidden from somebody");
    let Some(seed) = hidden.into_iter().flatten().next() else { return };
    let open = done(&mut server, "open", json!({"variant": "secret-dice", "seed": seed}));
    assert!(open["rolled"].as_array().is_some_and(|rolled| rolled.iter().all(Value::is_array)), "{open}");
}
