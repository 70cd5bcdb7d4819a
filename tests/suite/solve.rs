//! Solved games and endings: their values compared with other programs for the same games, with the end of the game turn by
//! turn, and with figures that can be computed by hand; and the files that keep them.

use crate::common::{load, load_set, position};
use astragal_core::{Position, Reply, Side, State, Status};
use astragal_dsl::{Loaded, Source};
use astragal_lab::solve::table::{self, Origin, Table, TableError};
use astragal_lab::solve::verify::verify;
use astragal_lab::solve::{Limits, Material, Progress, SolveError, Solver, Watch, horizon};
use sha2::{Digest, Sha256};
use std::sync::Arc;

const WATCH: Watch<'static> = Watch { stop: &|| false, progress: &|_| {} };

fn limits(threads: usize) -> Limits {
    Limits { states: 1 << 24, memory: 1 << 32, threads }
}

/// A solver that has solved everything that can be reached from a position.
fn solved(loaded: &Loaded, start: &Position, threads: usize) -> Solver {
    let mut solver = Solver::new(loaded).expect("a game of two sides");
    solver.add(start).expect("room");
    assert_eq!(solver.run(1e-9, &limits(threads), &WATCH).expect("rules that do not fail"), Progress::Solved);
    solver
}

/// The value of a position for the first side.
fn value(loaded: &Loaded, fen: &str) -> f64 {
    let start = position(loaded, fen);
    let value = solved(loaded, &start, 1).value(&start).expect("a value");
    assert!(value.low <= value.high && value.high - value.low < 1e-8, "{fen}: {value:?}");
    (value.low + value.high) / 2.0
}

fn script(text: &str) -> Loaded {
    let source = Source { name: "own".into(), path: None, text: text.into() };
    astragal_dsl::load(&source, &[]).unwrap_or_else(|error| panic!("{error:?}"))
}

#[test]
fn adjacent_kings_are_worth_what_is_computed_by_hand() {
    // TRI-9: who throws a king (91 of 216) takes the other; who does not is in the same situation a turn later.
    let game = load("dicechess-3");
    let by_hand = 91.0 / 341.0;
    assert!((value(&game, "8/8/8/3kK3/8/8/8/8 w - - 0 1") - by_hand).abs() < 1e-8);
    assert!((value(&game, "8/8/8/3kK3/8/8/8/8 b - - 0 1") + by_hand).abs() < 1e-8);
}

/// Pig, to `goal` points: a player rolls a die as often as he likes, and its faces are added, but a 1 loses them.
fn pig(goal: i64) -> Loaded {
    script(&format!(
        r#"title("Pig"); board(1, 1); piece("man", "M", "W"); setup("1 w");
        counter("score", 0, #{{ each: true }}); counter("sum", 0);
        fn turn() {{
            let face = roll("1d6");
            if face == 1 {{ set("sum", 0); return; }}
            set("sum", get("sum") + face);
            let all = get("score", mover()) + get("sum");
            if all >= {goal} {{ set("score", mover(), {goal}); return; }}
            if choose(mover(), ["roll", "hold"]) == "roll" {{ return again(); }}
            set("score", mover(), all);
            set("sum", 0);
        }}
        fn outcome() {{ if get("score", mover()) >= {goal} {{ win(mover(), "goal"); }} }}"#
    ))
}

/// The chance that the player to roll wins at Pig, by value iteration written for this game alone.
fn pig_by_itself(goal: usize) -> f64 {
    let mut chance = vec![vec![vec![0.5f64; goal]; goal]; goal];
    loop {
        let mut change = 0.0f64;
        for own in (0..goal).rev() {
            for other in (0..goal).rev() {
                for sum in (0..goal - own).rev() {
                    let lost = 1.0 - chance[other][own][0];
                    let next = |face: usize| {
                        let sum = sum + face;
                        if own + sum >= goal {
                            1.0
                        } else {
                            chance[own][other][sum].max(1.0 - chance[other][own + sum][0])
                        }
                    };
                    let rolled = (lost + (2..=6).map(next).sum::<f64>()) / 6.0;
                    change = change.max((rolled - chance[own][other][sum]).abs());
                    chance[own][other][sum] = rolled;
                }
            }
        }
        if change < 1e-12 {
            return chance[0][0][0];
        }
    }
}

#[test]
fn pig_is_worth_what_a_program_for_pig_alone_finds() {
    for goal in [5, 12, 20] {
        let game = pig(goal);
        let found = value(&game, "1 w");
        let by_itself = 2.0 * pig_by_itself(goal as usize) - 1.0;
        assert!((found - by_itself).abs() < 1e-8, "{goal}: {found} instead of {by_itself}");
    }
}

#[test]
#[ignore = "minutes without optimization; run with --release -- --ignored"]
fn pig_to_100_is_the_published_game() {
    // T. Neller and C. Presser, "Optimal Play of the Dice Game Pig" (2004): the first player wins 53.06 %.
    let found = value(&pig(100), "1 w");
    assert!((found / 2.0 + 0.5 - 0.5306).abs() < 5e-5, "{found}");
}

/// The value for the first side if the game is decided within `turns` turns and drawn otherwise, event by event.
fn brute_force(state: &State, last: u32) -> f64 {
    if let Some(over) = state.over() {
        return over.winner.map_or(0.0, |winner| if winner == Side::FIRST { 1.0 } else { -1.0 });
    }
    if state.turn() >= last {
        return 0.0;
    }
    let after = |reply| brute_force(&state.after(reply).expect("a rule that does not fail"), last);
    if state.status() == Status::Chance {
        let dice = state.dice().expect("dice").clone();
        let of = |index| (dice.weight(index) as f64, after(Reply::Roll(index)));
        let all: Vec<(f64, f64)> = (0..dice.outcomes()).filter(|&index| state.can_roll(index)).map(of).collect();
        let total: f64 = all.iter().map(|one| one.0).sum();
        return all.iter().map(|(weight, value)| weight * value).sum::<f64>() / total;
    }
    let all = (0..state.replies()).filter_map(|index| state.nth_reply(index)).map(after);
    if state.chooser() == Side::FIRST { all.fold(-1.0, f64::max) } else { all.fold(1.0, f64::min) }
}

#[test]
fn a_few_turns_have_the_value_of_all_their_sequences() {
    for (name, fen, turns) in [
        // Dice pay for moves in any order: the sets of dice are walked.
        ("dicechess-3", "8/8/8/8/8/1k6/8/K1R5 w - - 0 1", 1),
        ("dicechess-3", "8/8/8/8/8/3k4/8/K7 w - - 0 1", 2),
        ("dicechess-3", "8/2P5/8/k7/8/8/8/K7 w - - 0 1", 1),
        // Contests, choices and a roll for every turn.
        ("dice-chess", "8/8/8/8/8/1k6/8/K1R5 w - - 0 1", 2),
        ("king-for-2", "8/8/8/8/8/1k6/8/K1K5 w - - 0 1", 2),
        ("babylonian", "8/8/8/8/8/1kp5/8/K1R5 w - - 0 1", 2),
        ("einstein", "3f1/5/1a3/5/5 s", 3),
    ] {
        let game = load(name);
        let start = position(&game, fen);
        let state = State::new(game.set.clone(), start.clone()).expect("a game");
        let exact = horizon::within(&game.set, &start, turns, &WATCH).expect("a value").expect("not stopped");
        let expected = brute_force(&state, state.turn() + turns);
        let found = exact.numerator as f64 / exact.denominator as f64;
        assert!((found - expected).abs() < 1e-12, "{name} '{fen}': {found} instead of {expected}");
    }
}

#[test]
fn endless_games_are_draws() {
    // Two men on squares of different colors never meet.
    let game = script(
        r#"title("Fro"); board(4, 4); piece("man", "M", "F"); setup("m3/4/4/M3 w");
        fn outcome() { if !has(opponent(), 1) { win(mover(), "taken"); } }"#,
    );
    let start = game.start.clone();
    let solver = solved(&game, &start, 1);
    let value = solver.value(&start).expect("a value");
    assert_eq!((value.low, value.high), (0.0, 0.0));
}

fn ending(threads: usize) -> (Loaded, Vec<u8>) {
    let game = load("dicechess-3");
    let mut solver = Solver::new(&game).expect("a game of two sides");
    let material = Material::parse(&game.set.variant, "KvK").expect("two kings");
    material.each(&game.set.variant, &mut |position| solver.add(position)).expect("room");
    assert_eq!(solver.run(1e-3, &limits(threads), &WATCH).expect("rules that do not fail"), Progress::Solved);
    let mut bytes = Vec::new();
    table::write(&solver, &game, Origin::Material("KvK".into()), &mut bytes).expect("bytes");
    (game, bytes)
}

#[test]
fn a_table_does_not_depend_on_threads_and_keeps_its_values() {
    let ((game, bytes), (_, other)) = (ending(1), ending(3));
    assert!(bytes == other, "one thread and three give different bytes");
    let table = Table::read(bytes).expect("a table");
    assert_eq!(table.header().states, 64 * 63 * 2);
    table.check(&game).expect("the same rules");
    let near = table.value(&position(&game, "8/8/8/3kK3/8/8/8/8 w - - 0 1")).expect("a value");
    assert!(near.low <= 91.0 / 341.0 && near.high >= 91.0 / 341.0 && near.high - near.low < 2e-3, "{near:?}");
    assert_eq!(table.value(&position(&game, "8/8/8/3kK3/8/8/8/R7 w - - 0 1")), None);
    let checked = verify(&game, &table, &limits(2), &WATCH).expect("a whole table");
    assert_eq!((checked.states, checked.of, checked.wrong), (8064, 8064, None));
    let others = load_set("dicechess-3", &[("same_piece".into(), "forbidden".into())]);
    let error = table.check(&others).expect_err("other options").to_string();
    assert_eq!(error, "the table is for another version of 'dicechess-3', or other options");
    let error = table.check(&load("dice-chess")).expect_err("other rules").to_string();
    assert_eq!(error, "the table is for 'dicechess-3', not for 'dice-chess'");
}

#[test]
fn damaged_tables_are_refused_with_their_place() {
    let (game, bytes) = ending(2);
    let read = |bytes: Vec<u8>| Table::read(bytes).err();
    assert_eq!(read(bytes[..50_000].to_vec()), Some(TableError::Length { expected: bytes.len(), found: 50_000 }));
    assert_eq!(read(b"astragal table 2\n".to_vec()), Some(TableError::Unknown));
    assert_eq!(read(Vec::new()), Some(TableError::Unknown));
    for (at, block) in [(70_000, 1), (1_000, 0)] {
        let mut flipped = bytes.clone();
        flipped[at] ^= 4;
        assert_eq!(read(flipped), Some(TableError::Damaged { block }));
    }
    // A wrong value with a right checksum is found by the rules.
    let table = Table::read(bytes.clone()).expect("a table");
    let end = table.header().bytes;
    let mut wrong = bytes;
    // The upper byte of the lower bound of the last state.
    wrong[end - 2] = wrong[end - 2].wrapping_add(40);
    let block = (end - 1) / 65_536;
    let sum = Sha256::digest(&wrong[block * 65_536..end]);
    let place = wrong.len() - 8;
    wrong[place..].copy_from_slice(&sum[..8]);
    let table = Table::read(wrong).expect("a table");
    let checked = verify(&game, &table, &limits(2), &WATCH).expect("a whole table");
    assert!(checked.wrong.is_some() && checked.off > 0.1, "{checked:?}");
}

#[test]
fn bounds_hold_where_the_limits_end_the_search() {
    let game = load("dice-chess");
    let start = position(&game, "8/8/8/3k4/8/8/8/K1R5 w - - 0 1");
    let mut few = Solver::new(&game).expect("a game of two sides");
    few.add(&start).expect("room");
    let narrow = Limits { states: 3_000, ..limits(1) };
    assert_eq!(few.run(1e-9, &narrow, &WATCH).expect("rules that do not fail"), Progress::Full);
    let part = few.value(&start).expect("bounds");
    assert!(-1.0 < part.low + 1.0 && part.low < part.high && few.examined() < few.states(), "{part:?}");
}

#[test]
fn what_cannot_be_solved_is_refused_with_a_reason() {
    let refused = |name: &str| Solver::new(&load(name)).err().map(|error| error.to_string());
    let sides = refused("chaturaji").expect("four sides");
    assert!(sides.starts_with("only games with two sides can be solved, but this one has 4"), "{sides}");
    assert!(refused("barrage-stratego").is_some_and(|why| why.contains("hides information")));
    let game = load("dicechess-3");
    for (text, part) in [("KR", "a 'v' between them"), ("KXvK", "no piece has the letter 'X'")] {
        let error = Material::parse(&game.set.variant, text).err();
        assert!(matches!(&error, Some(SolveError::Material(why)) if why.contains(part)), "{text}: {error:?}");
    }
    let bidding = load("bidding-chess");
    let mut solver = Solver::new(&bidding).expect("two sides");
    solver.add(&bidding.start).expect("room");
    let found = solver.run(1e-6, &limits(1), &WATCH);
    assert!(matches!(found, Err(SolveError::Secret)), "{found:?}");
}

#[test]
fn the_computer_plays_by_a_table() {
    use astragal_computer::{Computer, Evaluation};
    let (game, bytes) = ending(2);
    let table = Arc::new(Table::read(bytes).expect("a table"));
    let evaluation = Evaluation::learn(game.set.clone(), &game.start).expect("an evaluation").knowing(table);
    let mut state = State::new(game.set.clone(), position(&game, "8/8/8/3k4/8/4K3/8/8 w - - 0 1")).expect("a game");
    let dice = state.dice().expect("dice").clone();
    state.roll(dice.index_of(&[6, 1, 1]).expect("faces")).expect("a rule that does not fail");
    let found = Computer::new(Arc::new(evaluation), 1, 1).search(&state, 8).expect("lines");
    assert!(found.lines.len() > 4 && found.lines.iter().all(astragal_computer::Line::is_exact));
    // It does not go where the other king can take it.
    assert!(found.lines[0].value > -0.01, "{:?}", found.lines[0]);
    assert!(found.lines.last().is_some_and(|worst| worst.value < -0.2));
}

#[test]
fn players_who_can_wait_for_ever_get_what_they_can_expect_from_leaving() {
    // Each turn: walk, or gamble with a die of three faces. The other side has nothing to decide.
    let gamble = |wins: &str, who: &str| {
        script(&format!(
            r#"title("Gamble"); board(2, 1); piece("man", "M", "W"); piece("clerk", "C", "W"); setup("Mc w");
            counter("end", 0);
            fn turn() {{
                if {who} && choose(mover(), ["walk", "gamble"]) == "gamble" {{
                    set("end", if roll("1d3") in {wins} {{ 1 }} else {{ 2 }});
                }}
            }}
            fn outcome() {{
                if get("end") == 1 {{ return win(mover(), "luck"); }}
                if get("end") == 2 {{ win(opponent(), "bad luck"); }}
            }}"#
        ))
    };
    let first = r#"has(mover(), "man")"#;
    for (wins, who, expected) in [("1..=1", first, 0.0), ("2..=3", first, 1.0 / 3.0), ("1..=1", "true", 0.0)] {
        let game = gamble(wins, who);
        let found = value(&game, "Mc w");
        assert!((found - expected).abs() < 1e-8, "{wins} {who}: {found} instead of {expected}");
    }
}

#[test]
fn unexamined_states_of_games_with_points_have_no_bounds() {
    let game = load("backgammon");
    let mut solver = Solver::new(&game).expect("a game of two sides");
    solver.add(&game.start).expect("room");
    let few = Limits { states: 1_000, ..limits(1) };
    assert!(matches!(solver.run(1e-6, &few, &WATCH), Err(SolveError::Awards)));
}
