//! What players promise: to decide the same each time, not to look at secrets, and to stay within their limits.

use astragal_computer::{Computer, Evaluation, Greedy, Limits, Player, PlayerError, Random, apply, legal_events};
use astragal_core::{Event, Position, State, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, Source, load, load_named, record};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn loaded(name: &str) -> Loaded {
    load_named(name, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn learn(loaded: &Loaded) -> Arc<Evaluation> {
    Arc::new(Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("rules that do not fail"))
}

fn position(loaded: &Loaded, text: &str) -> Position {
    fen::parse(&loaded.set.variant, text).unwrap_or_else(|error| panic!("{text}: {error}")).position
}

fn begin(loaded: &Loaded, text: &str, faces: &[i16]) -> State {
    let mut state = State::new(Arc::clone(&loaded.set), position(loaded, text)).expect("a game");
    if !faces.is_empty() {
        apply(&mut state, &Event::Roll(faces.to_vec())).expect("a roll");
    }
    state
}

/// The king is attacked and the roll lets the attacker move: there is nothing better than taking it.
#[test]
fn wins_are_taken() {
    let loaded = loaded("dice-chess");
    let state = begin(&loaded, "4k3/8/8/8/4Q3/8/8/4K3 w - - 0 1", &[5, 1]);
    for level in [1, 3] {
        let event = Computer::new(learn(&loaded), level, 1).decide(&state).expect("a decision");
        let Event::Move(paid) = event else { panic!("a move") };
        assert!(record::move_text(&state, paid).starts_with("Qxe8"));
    }
}

/// Games of more than four sides have more pieces than the tables of others.
#[test]
fn six_sides_can_be_played() {
    let loaded = loaded("aggravation");
    let mut state = State::new(Arc::clone(&loaded.set), loaded.start.clone()).expect("a game");
    let mut computers: Vec<Computer> = (0..6).map(|seed| Computer::new(learn(&loaded), 1, seed)).collect();
    let mut decisions = 0;
    while decisions < 12 {
        let event = match state.status() {
            Status::Chance => Event::Roll(vec![6]),
            Status::Over => panic!("nobody is home yet"),
            _ => {
                decisions += 1;
                computers[state.chooser().index()].decide(&state).expect("a decision")
            }
        };
        apply(&mut state, &event).expect("a legal event");
    }
}

/// With two dice for the rook, the king can be captured at once or by a detour, which would only be a risk.
#[test]
fn a_win_at_hand_is_not_put_off() {
    let loaded = loaded("dicechess-3");
    let evaluation = learn(&loaded);
    for (text, win) in [("k7/8/8/8/8/8/8/R6K w - -", "a1a8"), ("7k/8/8/8/8/8/8/1RK4R w - -", "h1h8")] {
        let state = begin(&loaded, text, &[4, 4, 2]);
        for level in [1, 2] {
            let event = Computer::new(Arc::clone(&evaluation), level, 1).decide(&state).expect("a decision");
            let Event::Move(paid) = event else { panic!("a move") };
            let squares = format!(
                "{}{}",
                state.ruleset().variant.board().name(paid.mv.from),
                state.ruleset().variant.board().name(paid.mv.to)
            );
            assert_eq!(squares, win, "{text}, level {level}");
        }
    }
}

#[test]
fn decisions_can_be_had_again() {
    for name in ["dice-chess", "dicechess-3", "babylonian", "einstein"] {
        let loaded = loaded(name);
        let play = || {
            let evaluation = learn(&loaded);
            let mut players = [Computer::new(Arc::clone(&evaluation), 2, 7), Computer::new(evaluation, 1, 9)];
            let mut state = State::new(Arc::clone(&loaded.set), loaded.start.clone()).expect("a game");
            let mut log = Vec::new();
            let mut random = astragal_core::Stream::new(3, 3);
            while log.len() < 24 && state.status() != Status::Over {
                if state.status() == Status::Chance {
                    let index = state.draw(&mut random);
                    state.roll(index).expect("a roll");
                    continue;
                }
                let event = players[state.chooser().index() % 2].decide(&state).expect("a decision");
                assert!(legal_events(&state).contains(&event), "{name}: {event:?} is permitted");
                apply(&mut state, &event).expect("an event");
                log.push(event);
            }
            log
        };
        assert_eq!(play(), play(), "{name}");
    }
}

#[test]
fn limits_are_kept() {
    let loaded = loaded("dice-chess");
    let evaluation = learn(&loaded);
    let state = begin(&loaded, "r3k2r/pppqpppp/2n2n2/8/8/2N2N2/PPPQPPPP/R3K2R w KQkq - 0 1", &[3, 3]);
    for nodes in [1, 10, 1000] {
        let mut computer = Computer::new(Arc::clone(&evaluation), 8, 1)
            .with_limits(Limits { nodes: Some(nodes), ..Limits::default() });
        let found = computer.search(&state, 1).expect("a result");
        assert!(!found.lines.is_empty() && found.nodes <= nodes + 300, "{nodes}: {}", found.nodes);
        assert_eq!(found.lines.len(), state.moves().len(), "every move is somewhere in the list");
    }
    let limits = Limits { time: Some(Duration::from_millis(150)), ..Limits::default() };
    let begun = Instant::now();
    let mut computer = Computer::new(Arc::clone(&evaluation), 8, 1).with_limits(limits);
    computer.search(&state, 1).expect("a result");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let limits = Limits { stop: Some(stop), ..Limits::default() };
    let found = Computer::new(evaluation, 8, 1).with_limits(limits).search(&state, 1).expect("a result");
    assert!(found.nodes < 5000, "stopped at once, after {}", found.nodes);
}

#[test]
fn the_greedy_player_takes_what_is_worth_most() {
    let loaded = loaded("dice-chess");
    let evaluation = learn(&loaded);
    let state = begin(&loaded, "4k3/8/8/q2p4/8/8/8/R2R2K1 w - - 0 1", &[4, 4]);
    for seed in 0..5 {
        let Event::Move(paid) = Greedy::new(Arc::clone(&evaluation), seed).decide(&state).expect("a decision") else {
            panic!("a move")
        };
        assert_eq!(record::move_text(&state, paid), "Rxa5");
    }
    let quiet = begin(&loaded, "4k3/8/8/8/8/8/8/R2RK3 w - - 0 1", &[4, 4]);
    let choose = |seed| Greedy::new(Arc::clone(&evaluation), seed).decide(&quiet).expect("a decision");
    assert!((1..20).any(|seed| choose(seed) != choose(0)), "without a victim it is chance");
    let mut random = Random::new(1);
    let first = random.decide(&quiet).expect("a decision");
    assert!((0..20).any(|_| random.decide(&quiet).expect("a decision") != first));
}

#[test]
fn what_is_secret_is_not_looked_at() {
    let script = "board(3, 3);\npiece(\"man\", \"M\", \"W\");\ncounter(\"card\", 3, #{ each: true, secret: true });\n\
                  setup(\"m2/3/2M w\");\nfn turn() { play(any()) }\n";
    let source = Source { name: "secret".into(), path: None, text: script.into() };
    let loaded = load(&source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let state = State::new(Arc::clone(&loaded.set), loaded.start.clone()).expect("a game");
    let refused = Computer::new(learn(&loaded), 1, 1).decide(&state);
    assert!(matches!(refused, Err(PlayerError::Secret(_))), "{refused:?}");
}

/// In races, the computer plays games to their end; a stone one step from the goal goes there.
#[test]
fn races_are_sampled() {
    let loaded = loaded("einstein");
    let evaluation = learn(&loaded);
    let state = begin(&loaded, "5/1A3/5/3a1/5 s", &[]);
    assert_eq!(state.status(), Status::Move, "a last stone needs no die");
    let found = Computer::new(evaluation, 1, 3).search(&state, 1).expect("a result");
    let Event::Move(paid) = &found.lines[0].events[0] else { panic!("a move") };
    assert_eq!(loaded.set.variant.board().name(paid.mv.to), "a5");
    assert!(found.turns.is_none() && found.lines[0].value > 0.99);
}
