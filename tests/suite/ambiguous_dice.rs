//! A move that different dice can pay for: the die is named before it, in the same way everywhere.

use super::common::{asked, script_file};
use astragal_core::{Event, Game, Side};
use astragal_dsl::{Source, game_text, record};
use astragal_repl::prompt::{Session, Setup};
use astragal_service::rpc::ProgramSeat;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Men that run from a1 to d1 and stop there; each of two dice moves one. With 1 and 4, a man on c1 reaches d1 by either
/// die, and one on a1 reaches b1 by the 1 and d1 by the 4.
const RACE: &str = r#"board(4, 1, #{ heaps: true }); sides(["A", "B"], #{ letters: "ab", forward: ["up", "up"] });
piece("man", "M", "mW"); track("way", ["a1-d1", "d1-a1"]); setup("MMMm a");
fn turn() { play_each(roll("2d6"), |die| along("way", die, #{ end: "stop" })); }
fn outcome() { if clock_reached(40) { draw("long"); } }"#;

const TWO: &str = "M1M1 a";
const OPTIONS: [&str; 4] = ["1:c1d1", "4:c1d1", "a1b1", "a1d1"];
const WHICH: &str = "'c1d1' can be paid for by 1 or by 4: write '1:c1d1' or '4:c1d1'";

/// A game of the race after the roll 1, 4.
fn rolled() -> (Arc<astragal_dsl::Loaded>, Game) {
    let source = Source { name: "race".into(), path: None, text: RACE.into() };
    let loaded = Arc::new(astragal_dsl::load(&source, &[]).expect("a script"));
    let placed = astragal_dsl::notation::fen::parse(&loaded.set.variant, TWO).expect("a position");
    let mut game = astragal_dsl::turn_state_text::begin(&loaded, placed, 1).expect("a game");
    game.set_roll(&[1, 4]).expect("a roll");
    (loaded, game)
}

#[test]
fn the_server_lists_the_die_where_it_matters() {
    let answers = asked(
        RACE,
        "die-listed",
        &[
            ("moves", json!({"position": TWO, "roll": [1, 4]})),
            ("play", json!({"position": TWO, "roll": [1, 4]})),
            // One man alone: whichever die brings it home, the other has nothing to do.
            ("moves", json!({"position": "2M1 a", "roll": [1, 4]})),
            ("open", json!({"position": TWO})),
            ("apply", json!({"session": 1, "events": [{"roll": [1, 4]}]})),
        ],
    );
    assert_eq!(answers[0]["result"]["moves"], json!(OPTIONS));
    assert_eq!(answers[1]["result"]["pending"]["options"], json!(OPTIONS));
    assert_eq!(answers[2]["result"]["moves"], json!(["c1d1"]));
    assert_eq!(answers[4]["result"]["pending"]["options"], json!(OPTIONS));
}

#[test]
fn the_server_pays_with_the_die_that_is_named_and_asks_for_one() {
    let play = |event| ("play", json!({"position": TWO, "roll": [1, 4], "events": [event]}));
    let answers = asked(
        RACE,
        "die-named",
        &[
            play(json!({"move": "c1d1"})),
            play(json!({"move": "1:c1d1"})),
            play(json!({"move": "c1d1", "die": 1})),
            play(json!({"move": "4:c1d1"})),
            play(json!({"move": "4:c1d1", "die": [4]})),
            play(json!({"move": "4:c1d1", "die": 1})),
            play(json!({"move": "3:c1d1"})),
            play(json!({"move": "1:a1b1"})),
            ("open", json!({"position": TWO})),
            ("apply", json!({"session": 1, "events": [{"roll": [1, 4]}, {"move": "c1d1"}]})),
            ("odds", json!({"position": TWO, "roll": [1, 4], "move": "c1d1"})),
            ("odds", json!({"position": TWO, "roll": [1, 4], "move": "4:c1d1"})),
            ("why", json!({"position": TWO, "roll": [1, 4], "move": "4:c1d1"})),
        ],
    );
    let message = |number: usize| answers[number]["error"]["message"].as_str().unwrap_or_default();
    assert_eq!(message(0), format!("event 0: {WHICH}"));
    let data = &answers[0]["error"]["data"];
    assert_eq!((&data["field"], &data["dice"]), (&json!("die"), &json!([[1], [4]])));
    let left = |number: usize| answers[number]["result"]["pending"]["options"].clone();
    // With the 4 left the man on a1 comes to d1, with the 1 to b1.
    assert_eq!((left(1), left(2)), (json!(["a1d1"]), json!(["a1d1"])));
    assert_eq!((left(3), left(4)), (json!(["a1b1"]), json!(["a1b1"])));
    assert_eq!(message(5), "event 0: '4:c1d1' already names its die, but 1 is also given: remove one of them");
    assert_eq!(message(6), "event 0: 3 does not pay for 'c1d1': it can be paid for by 1 or by 4");
    assert_eq!(left(7), json!(["b1d1", "c1d1"]), "a die may be named where only one pays");
    assert_eq!(message(9), format!("event 1: {WHICH}"));
    assert_eq!(message(10), WHICH);
    assert_eq!(answers[11]["result"]["outcomes"][0]["probability"], "1", "{}", answers[11]);
    assert_eq!(answers[12]["result"]["permitted"], true, "{}", answers[12]);
}

/// The advice is one of the options, and can be played as it is written.
#[test]
fn advice_names_the_die() {
    let advised = asked(
        RACE,
        "die-hint",
        &[
            ("hint", json!({"position": TWO, "roll": [1, 4], "level": 1})),
            ("moves", json!({"position": TWO, "roll": [1, 4]})),
        ],
    );
    let lines = advised[0]["result"]["lines"].as_array().expect("lines");
    let listed = advised[1]["result"]["moves"].as_array().expect("moves");
    assert!(!lines.is_empty());
    let mut named = 0;
    for line in lines {
        let event = &line["events"][0];
        assert!(listed.contains(&event["move"]), "{event}");
        named += usize::from(event["move"].as_str().is_some_and(|text| text.contains(':')));
        let played =
            asked(RACE, "die-advice", &[("play", json!({"position": TWO, "roll": [1, 4], "events": [event]}))]);
        assert!(played[0].get("error").is_none(), "{}", played[0]);
    }
    assert!(named > 0, "{lines:?}");
}

#[test]
fn a_program_that_plays_is_told_and_tells_the_die() {
    let (loaded, mut game) = rolled();
    let mut seat = ProgramSeat::new(loaded, Side(0), 1, Duration::from_secs(1));
    assert!(seat.begin(&game).is_some());
    assert_eq!(seat.decide(&game)["pending"]["options"], json!(OPTIONS));
    assert_eq!(seat.event(&game, &json!({"move": "c1d1"})).unwrap_err(), WHICH);
    let event = seat.event(&game, &json!({"move": "4:c1d1"})).expect("a move");
    game.apply(&event).expect("permitted");
    assert_eq!(game.state().unused(), Some(vec![1]));
    assert_eq!(seat.decide(&game)["happened"], json!([{"move": "4:c1d1", "die": [4]}]));
}

#[test]
fn the_prompt_asks_in_the_same_words() {
    let script = script_file(RACE, "die-prompt");
    let setup = Setup { variant: script.path(), seed: Some(1), position: Some(TWO.into()), ..Setup::default() };
    let (mut session, _) = Session::new(&setup).expect("a session");
    session.execute("roll 1 4");
    let listed = session.execute("moves").text;
    assert_eq!(listed.split_whitespace().filter(|word| word.contains(':')).count(), 2, "{listed}");
    let asked = session.execute("c1d1");
    assert!(asked.error && asked.text.contains(WHICH), "{}", asked.text);
    let paid = session.execute("4:c1d1");
    assert!(!paid.error, "{}", paid.text);
    assert_eq!(session.game().state().unused(), Some(vec![1]));
}

/// Records name the die in a command, and may be typed with it before the move.
#[test]
fn a_record_may_have_the_die_before_the_move() {
    let (loaded, game) = rolled();
    let begun = record::write(&loaded, &game, &[]);
    let read = |mv: &str| {
        let text = begun.trim_end().strip_suffix('*').expect("it goes on").to_owned() + mv + " *";
        record::read(&text, |_, _| Ok((*loaded).clone())).map(|(_, game)| game.state().unused())
    };
    for mv in ["4:c1d1", "{[%die 4]} c1d1", "4:c1-d1", "{[%die 4]} 4:c1d1"] {
        assert_eq!(read(mv).expect("a record"), Some(vec![1]), "{mv}");
    }
    assert!(read("c1d1").unwrap_err().to_string().contains(WHICH));
    assert!(read("{[%die 1]} 4:c1d1").unwrap_err().to_string().contains("remove one of them"));
}

/// Every move that is listed is found again, paid as it was listed, in coordinates and as people type it; records keep the die.
#[test]
fn what_is_written_is_read_again() {
    let (loaded, game) = rolled();
    let state = game.state();
    for &paid in state.moves() {
        for text in [game_text::option_name(state, paid), game_text::typed_move(state, paid)] {
            assert_eq!(game_text::find_move(state, &text, None).expect("a move"), paid, "{text}");
        }
        let mut played = game.clone();
        played.play(paid).expect("permitted");
        let text = record::write(&loaded, &played, &[]);
        let again = record::read(&text, |_, _| Ok((*loaded).clone())).expect("a record").1;
        assert_eq!(again.state().unused(), played.state().unused(), "{text}");
    }
    let names: Vec<String> = state.moves().iter().map(|&paid| game_text::option_name(state, paid)).collect();
    let mut different = names.clone();
    different.sort();
    different.dedup();
    assert_eq!(different, OPTIONS, "as many texts as moves: {names:?}");
    assert!(matches!(game_text::find_answer(state, "1:c1d1", None), Ok(Event::Move(_))));
}
