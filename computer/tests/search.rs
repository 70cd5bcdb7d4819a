//! The search against the plainest possible one, and its promises: the same values with and without
//! shortcuts, the same decisions each time, no look at what is secret, no pass of its limits.

use astragal_computer::search::{DISCOUNT, apply, events};
use astragal_computer::{Computer, Greedy, Knowledge, Limits, Player, PlayerError, Random, Search, Stage};
use astragal_core::{Event, Position, Side, State, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, Source, load, load_named, record};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn loaded(name: &str) -> Loaded {
    load_named(name, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn known(loaded: &Loaded) -> Arc<Knowledge> {
    Arc::new(Knowledge::learn(Arc::clone(&loaded.set), &loaded.start).expect("rules that do not fail"))
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

/// Expectiminimax as in a textbook: every outcome, every decision, no window, no table, no merging; what is
/// not decided is judged `sure` of the way nearer to a won game.
fn plain(known: &Knowledge, state: &State, me: Side, turns: u32, sure: f64) -> f64 {
    if state.over().is_some() {
        return known.judge(state, me);
    }
    let go_on = |next: &State| {
        if next.over().is_none() && next.turn() != state.turn() {
            let judged = || known.judge(next, me) * (1.0 - sure) + sure;
            return DISCOUNT * if turns == 1 { judged() } else { plain(known, next, me, turns - 1, sure) };
        }
        plain(known, next, me, turns, sure)
    };
    if state.status() == Status::Chance {
        let dice = state.dice().unwrap().clone();
        let possible: Vec<u64> = (0..dice.outcomes()).filter(|&index| state.can_roll(index)).collect();
        let total: u64 = possible.iter().map(|&index| dice.weight(index)).sum();
        let one = |&index: &u64| {
            let mut next = state.clone();
            next.roll(index).unwrap();
            dice.weight(index) as f64 / total as f64 * go_on(&next)
        };
        return possible.iter().map(one).sum();
    }
    let values = events(state).into_iter().map(|event| {
        let mut next = state.clone();
        apply(&mut next, &event).unwrap();
        go_on(&next)
    });
    let friend = state.ruleset().variant.allied(me, state.chooser());
    values.reduce(|a, b| if friend { a.max(b) } else { a.min(b) }).unwrap()
}

/// Small positions of every sort of dice: before and after the choice, several moves a turn, none at all.
const SMALL: [(&str, &str, &[i16], u32); 9] = [
    ("dice-chess", "7k/8/8/8/8/8/4P3/K2R4 w - - 0 1", &[1, 4], 2),
    ("dice-chess", "7k/5p2/8/8/8/8/4P3/K7 w - - 0 1", &[], 2),
    ("dice-xiangqi", "3k5/9/9/9/4p4/9/9/9/9/4K4 w", &[2], 3),
    ("dice-xiangqi", "3ak4/9/9/9/9/9/4R4/9/9/4K4 w", &[], 2),
    ("king-for-2", "k7/8/8/8/8/8/8/K1K5 w - -", &[1, 1], 2),
    ("dicechess-3", "k7/8/8/8/8/8/7P/7K w - -", &[1, 6, 2], 2),
    ("babylonian", "4k3/8/8/8/8/8/8/K3R3 w - -", &[], 2),
    ("babylonian", "4k3/8/8/8/8/8/4R3/K2B4 w - -", &[], 1),
    ("chess", "7k/8/5K2/8/8/8/8/R7 w - -", &[], 3),
];

#[test]
fn values_are_those_of_the_plain_search() {
    for (name, text, faces, turns) in SMALL {
        let loaded = loaded(name);
        let known = known(&loaded);
        let state = begin(&loaded, text, faces);
        for me in [Side::FIRST, Side::SECOND] {
            let ways = [(false, false), (true, false), (false, true), (true, true)];
            for ((prunes, remembers), sure) in ways.into_iter().flat_map(|way| [(way, 0.0), (way, 0.8)]) {
                let expected = plain(&known, &state, me, turns, sure);
                let search = Search::new(Arc::clone(&known), me).with_confidence(sure);
                let mut search = search.with_shortcuts(prunes, remembers);
                // Twice: what is remembered and what has been learnt of the dice changes nothing.
                for round in 0..2 {
                    search.start(&Limits::default());
                    let value = search.value(&state, Stage::full(turns)).expect("no limit");
                    let what = format!("{name} {text} {me:?} {prunes} {remembers} {sure} {round}");
                    assert!((value - expected).abs() < 1e-9, "{what}: {value}, plainly {expected}");
                }
            }
        }
    }
}

#[test]
fn shortcuts_save_work() {
    let loaded = loaded("dice-chess");
    let known = known(&loaded);
    let state = begin(&loaded, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &[1, 6]);
    let nodes = |prunes, remembers| {
        let mut search = Search::new(Arc::clone(&known), Side::FIRST).with_shortcuts(prunes, remembers);
        search.start(&Limits::default());
        search.value(&state, Stage::full(3)).expect("no limit");
        search.nodes()
    };
    let (none, cut, table, both) = (nodes(false, false), nodes(true, false), nodes(false, true), nodes(true, true));
    assert!(cut < none && table < none && both < cut && both < table, "{none} {cut} {table} {both}");
}

/// The king is attacked and the roll lets the attacker move: there is nothing better than taking it.
#[test]
fn wins_are_taken() {
    let loaded = loaded("dice-chess");
    let state = begin(&loaded, "4k3/8/8/8/4Q3/8/8/4K3 w - - 0 1", &[5, 1]);
    for level in [1, 3] {
        let event = Computer::new(known(&loaded), level, 1).decide(&state).expect("a decision");
        let Event::Move(paid) = event else { panic!("a move") };
        assert!(record::move_text(&state, paid).starts_with("Qxe8"));
    }
}

#[test]
fn decisions_can_be_had_again() {
    for name in ["dice-chess", "dicechess-3", "babylonian", "einstein"] {
        let loaded = loaded(name);
        let play = || {
            let known = known(&loaded);
            let mut players = [Computer::new(Arc::clone(&known), 2, 7), Computer::new(known, 1, 9)];
            let mut state = State::new(Arc::clone(&loaded.set), loaded.start.clone()).expect("a game");
            let mut log = Vec::new();
            let mut random = astragal_core::Stream::new(3, 3);
            while log.len() < 24 && state.status() != Status::Over {
                if state.status() == Status::Chance {
                    let index = astragal_computer::player::draw(&state, &mut random);
                    state.roll(index).expect("a roll");
                    continue;
                }
                let event = players[state.chooser().index() % 2].decide(&state).expect("a decision");
                assert!(events(&state).contains(&event), "{name}: {event:?} is permitted");
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
    let known = known(&loaded);
    let state = begin(&loaded, "r3k2r/pppqpppp/2n2n2/8/8/2N2N2/PPPQPPPP/R3K2R w KQkq - 0 1", &[3, 3]);
    for nodes in [1, 10, 1000] {
        let mut computer = Computer::new(Arc::clone(&known), 8, 1).with_limits(Limits::nodes(nodes));
        let thought = computer.think(&state).expect("a thought");
        assert!(!thought.lines.is_empty() && thought.nodes <= nodes + 300, "{nodes}: {}", thought.nodes);
        assert_eq!(thought.lines.len(), state.moves().len(), "every move is somewhere in the list");
    }
    let begun = Instant::now();
    let mut computer = Computer::new(Arc::clone(&known), 8, 1).with_time(Duration::from_millis(150));
    computer.think(&state).expect("a thought");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let limits = Limits { stop: Some(stop), ..Limits::default() };
    let thought = Computer::new(known, 8, 1).with_limits(limits).think(&state).expect("a thought");
    assert!(thought.nodes < 5000, "stopped at once, after {}", thought.nodes);
}

#[test]
fn the_greedy_player_takes_what_is_worth_most() {
    let loaded = loaded("dice-chess");
    let known = known(&loaded);
    let state = begin(&loaded, "4k3/8/8/q2p4/8/8/8/R2R2K1 w - - 0 1", &[4, 4]);
    for seed in 0..5 {
        let Event::Move(paid) = Greedy::new(Arc::clone(&known), seed).decide(&state).expect("a decision") else {
            panic!("a move")
        };
        assert_eq!(record::move_text(&state, paid), "Rxa5");
    }
    let quiet = begin(&loaded, "4k3/8/8/8/8/8/8/R2RK3 w - - 0 1", &[4, 4]);
    let choose = |seed| Greedy::new(Arc::clone(&known), seed).decide(&quiet).expect("a decision");
    assert!((1..20).any(|seed| choose(seed) != choose(0)), "without prey it is chance");
    let mut random = Random::new(1);
    let first = random.decide(&quiet).expect("a decision");
    assert!((0..20).any(|_| random.decide(&quiet).expect("a decision") != first));
}

/// Values come from what pieces can do: the order of chess, of xiangqi, and of nothing but one kind.
#[test]
fn pieces_are_worth_what_they_can_do() {
    let value = |loaded: &Loaded, known: &Knowledge, name: &str| {
        known.value(loaded.set.variant.kind_named(name).unwrap_or_else(|| panic!("no {name}")))
    };
    let order = |name: &str, kinds: &[&str]| {
        let loaded = loaded(name);
        let known = known(&loaded);
        let values: Vec<f64> = kinds.iter().map(|kind| value(&loaded, &known, kind)).collect();
        assert!(values.is_sorted() && values[0] > 0.0, "{name}: {kinds:?} {values:?}");
    };
    order("dice-chess", &["pawn", "knight", "rook", "queen", "king"]);
    order("dice-xiangqi", &["elephant", "horse", "chariot", "general"]);
    order("king-for-2", &["knight", "rook", "queen", "king"]);
}

#[test]
fn what_is_secret_is_not_looked_at() {
    let script = "board(3, 3);\npiece(\"man\", \"M\", \"W\");\ncounter(\"card\", 3, #{ each: true, secret: true });\n\
                  setup(\"m2/3/2M w\");\nfn turn() { play(any()) }\n";
    let source = Source { name: "secret".into(), path: None, text: script.into() };
    let loaded = load(&source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let state = State::new(Arc::clone(&loaded.set), loaded.start.clone()).expect("a game");
    let refused = Computer::new(known(&loaded), 1, 1).decide(&state);
    assert!(matches!(refused, Err(PlayerError::Secret(_))), "{refused:?}");
}

/// Where games are races, games are played to their end; a stone one step from the goal goes there.
#[test]
fn races_are_sampled() {
    let loaded = loaded("einstein");
    let known = known(&loaded);
    assert!(!known.is_telling());
    let state = begin(&loaded, "5/1A3/5/3a1/5 s", &[]);
    assert_eq!(state.status(), Status::Move, "a last stone needs no die");
    let thought = Computer::new(known, 1, 3).think(&state).expect("a thought");
    let Event::Move(paid) = &thought.lines[0].events[0] else { panic!("a move") };
    assert_eq!(loaded.set.variant.board().name(paid.mv.to), "a5");
    assert!(thought.turns.is_none() && thought.lines[0].value > 0.99);
}
