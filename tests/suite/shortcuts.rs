//! The quick ways give the same answers as the slow ones: drawn moves, and the turns of all rolls at once.

use crate::common::{Random, apply, json, load, load_set, position, random_event};
use astragal_core::odds::next_roll;
use astragal_core::turns::{Turns, count, every_roll, winning_chance};
use astragal_core::{Event, Ratio, State, Status, Stream};
use astragal_dsl::{Loaded, library};

fn begin(loaded: &Loaded, fen: &str) -> State {
    State::new(loaded.set.clone(), position(loaded, fen)).expect("a game")
}

/// What each roll amounts to, one by one: by its faces in ascending order.
fn one_by_one(state: &State) -> Vec<(Vec<i16>, Turns, u64)> {
    let mut all: Vec<(Vec<i16>, Turns, u64)> = Vec::new();
    let dice = state.dice().expect("dice").clone();
    for (_, mut faces, next) in next_roll(state).expect("rolls") {
        let weight = dice.weight(dice.index_of(&faces).expect("faces of these dice"));
        faces.sort_unstable();
        match all.iter_mut().find(|known| known.0 == faces) {
            Some(known) => known.2 += weight,
            None if next.turn() > state.turn() => all.push((faces, Turns::default(), weight)),
            None => all.push((faces, count(&next).expect("turns"), weight)),
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn compare(loaded: &Loaded, fen: &str) {
    let state = begin(loaded, fen);
    let slow = one_by_one(&state);
    let mut quick = every_roll(&state).expect("no rule fails").expect("plain turns");
    quick.iter_mut().for_each(|(faces, _)| faces.sort_unstable());
    quick.sort_by(|a, b| a.0.cmp(&b.0));
    let both: Vec<(Vec<i16>, Turns)> = slow.iter().map(|(faces, turns, _)| (faces.clone(), turns.clone())).collect();
    assert_eq!(quick, both, "{fen}");
    let total: u64 = slow.iter().map(|roll| roll.2).sum();
    let winning: u64 = slow.iter().filter(|roll| roll.1.winning > 0).map(|roll| roll.2).sum();
    let chance = winning_chance(&state).expect("no rule fails").expect("plain turns");
    assert_eq!(chance, Ratio::new(winning.into(), total.into()), "{fen}");
}

#[test]
fn all_rolls_at_once_are_the_rolls_one_by_one() {
    let game = load("dicechess-3");
    for fen in [
        // Castling with two dice, captures of rooks that may castle, en passant, promotions with capture.
        "r3k2r/p2p4/8/1pP5/8/8/P6P/R3K2R w KQkq b6",
        "1n2k3/P1P5/8/8/3pP3/8/8/R3K2R b KQ e3",
        // Nothing but kings: most dice are lost. Both kings within reach of each other.
        "8/8/8/3kK3/8/8/8/8 w - -",
        // The king can be taken with one die, with two, by promotion.
        "3k4/2P1P3/8/8/8/5n2/3R4/4K3 w - -",
        // A roll that cannot be used in full unless the game ends first.
        "k7/8/8/8/8/8/p7/KB6 w - -",
    ] {
        compare(&game, fen);
    }
    compare(&load_set("dicechess-3", &[("castle_dice".into(), "4_or_6".into())]), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -");
}

/// The counts of an independent program.
#[test]
fn all_rolls_at_once_count_as_another_program_does() {
    let data = json("tri-counts.json");
    let state = begin(&load("dicechess-3"), data["position"].as_str().expect("a position"));
    let quick = every_roll(&state).expect("no rule fails").expect("plain turns");
    assert_eq!(quick.len(), 56);
    for (mut faces, turns) in quick {
        faces.sort_unstable();
        let name: String = faces.iter().map(i16::to_string).collect();
        let row = data["rolls"][&name].as_array().expect("a row for each roll");
        let expected: Vec<u64> = row[..3].iter().filter_map(|value| value.as_u64()).collect();
        assert_eq!(vec![u64::from(turns.max_dice), turns.count, turns.placements as u64], expected, "{name}");
    }
}

/// More complicated turns are left to the slow way.
#[test]
fn what_is_not_plain_is_not_hurried() {
    for (name, options) in [
        ("dicechess-3", vec![("same_piece", "forbidden")]),
        ("dicechess-3", vec![("dice_order", "as_rolled")]),
        ("dicechess-3", vec![("obligation", "each_step")]),
        ("dicechess-3", vec![("move_limit", "100")]),
        ("king-for-2", vec![]),
        ("dice-chess", vec![]),
        ("babylonian", vec![]),
    ] {
        let options: Vec<(String, String)> = options.into_iter().map(|(k, v)| (k.into(), v.into())).collect();
        let loaded = load_set(name, &options);
        let state = State::new(loaded.set.clone(), loaded.start.clone()).expect("a game");
        assert_eq!(every_roll(&state), Ok(None), "{name} {options:?}");
        assert_eq!(winning_chance(&state), Ok(None), "{name} {options:?}");
    }
}

/// In every game, a drawn move is one of those listed, and if there are few moves, each is drawn sometimes.
#[test]
fn drawn_moves_are_listed_moves() {
    for name in library::names() {
        let loaded = load(name);
        let mut random = Random::new(14);
        for seed in 0..3 {
            let mut state = State::new(loaded.set.clone(), loaded.start.clone()).expect("a game");
            for ply in 0..60 {
                let Some(event) = random_event(&state, &mut random) else { break };
                draw_and_compare(name, &state, &event, seed * 1000 + ply);
                apply(&mut state, &event);
            }
        }
    }
}

/// Lets an event happen in many copies of a game with drawn moves, and once with listed moves.
fn draw_and_compare(name: &str, state: &State, event: &Event, seed: u64) {
    let mut listed = state.clone();
    apply(&mut listed, event);
    let mut missing = listed.moves().to_vec();
    let draws = if missing.len() <= 6 { 60 } else { 5 };
    for draw in 0..draws {
        let mut drawn = state.clone();
        drawn.draw_moves(Stream::new(seed, draw));
        apply(&mut drawn, event);
        // Where nothing is permitted, both go on to the same place.
        assert_eq!((drawn.status(), drawn.turn()), (listed.status(), listed.turn()), "{name} {event:?}");
        if listed.status() == Status::Move {
            let [only] = drawn.moves() else { panic!("{name}: {} moves drawn", drawn.moves().len()) };
            assert!(listed.moves().contains(only), "{name}: {only:?} was drawn after {event:?}");
            missing.retain(|mv| mv != only);
        }
    }
    assert!(draws < 60 || missing.is_empty(), "{name}: {missing:?} are never drawn after {event:?}");
}

/// In every game, the same turns are forced or decided whether moves are drawn or listed, and a list asked for after a draw
/// is the list that would have been there without it.
#[test]
fn drawn_moves_know_whether_they_were_alone() {
    let mut forced = 0;
    for name in library::names() {
        let loaded = load(name);
        for seed in 0..4 {
            let mut listed = State::new(loaded.set.clone(), loaded.start.clone()).expect("a game");
            let mut drawn = listed.clone();
            drawn.draw_moves_and_compare(Stream::new(seed, 77));
            let mut random = Random::new(seed);
            for _ in 0..150 {
                assert_eq!((drawn.status(), drawn.notes()), (listed.status(), listed.notes()), "{name}");
                let event = match drawn.status() {
                    Status::Over => break,
                    Status::Move => astragal_core::Event::Move(drawn.moves()[0]),
                    _ => random_event(&listed, &mut random).expect("an event"),
                };
                let mut again = drawn.clone();
                again.list_moves().expect("the rules go on");
                assert_eq!((again.moves(), again.can_pass()), (listed.moves(), listed.can_pass()), "{name}");
                apply(&mut listed, &event);
                apply(&mut drawn, &event);
            }
            let ended = listed.notes().iter().filter_map(|note| note.ended());
            forced += ended.filter(|turn| turn.end() == astragal_core::TurnEnd::Forced).count();
        }
    }
    assert!(forced > 100, "{forced} forced turns tell nothing");
}

/// Draws are fair: of two legal moves among illegal ones, each is drawn about 2000 times in 4000 draws (six standard
/// deviations are 190).
#[test]
fn drawn_moves_are_fair() {
    let loaded = load("chess");
    let fen = "7k/8/8/8/8/p7/P6p/7K w - -";
    let mut seen = std::collections::BTreeMap::new();
    let state = begin(&loaded, fen);
    // The king in the corner: h2 and g2; g1 is guarded by the pawn. Nothing else moves.
    assert_eq!(state.moves().len(), 2);
    for seed in 0..4000 {
        let mut stream = Stream::new(seed, 5);
        let rules = state.walker();
        let permit = astragal_core::Permit::Any;
        let drawn = permit.draw(&state.view(&rules), &mut stream, &mut Vec::new()).expect("no rule fails");
        *seen.entry(drawn.expect("a move").to).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 2);
    assert!(seen.values().all(|&times| (1810..=2190).contains(&times)), "{seen:?}");
}
