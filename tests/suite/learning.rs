//! Learned players: training that repeats exactly, files, exact values, and strength.

use crate::common::{load, position};
use astragal_computer::learned::{Habits, LearnedValues, Lookahead, Room, lessons};
use astragal_computer::{Evaluation, Greedy, Player};
use astragal_core::{Game, Position, Reply, Side, State, Status, Stream};
use astragal_dsl::{Loaded, Source};
use astragal_lab::learning::file::{self, FileError, Precision};
use astragal_lab::learning::{LearnError, Setting, Trainer};
use astragal_lab::solve::{Limits, Progress, Solver, Watch};
use std::sync::Arc;

/// Two men each in the Royal Game of Ur.
const TWO_MEN: &str = "4*3/8/4*3[MMmm] f";

fn begin(loaded: &Loaded, start: &Position) -> State {
    State::new(Arc::clone(&loaded.set), start.clone()).expect("a game")
}

/// A trainer that has learned from this many games.
fn trained(loaded: &Loaded, start: &Position, setting: Setting, games: u64) -> Trainer {
    let mut trainer = Trainer::new(loaded, begin(loaded, start), setting).expect("a game that can be learned");
    train(&mut trainer, games);
    trainer
}

fn train(trainer: &mut Trainer, games: u64) {
    while trainer.games() < games {
        let most = games - trainer.games();
        assert!(trainer.round(most, &|| false).expect("rules that do not fail"));
    }
}

#[test]
fn threads_do_not_change_what_is_learned() {
    let game = load("royal-game-of-ur");
    let start = position(&game, TWO_MEN);
    let with = |threads, seed| {
        let trainer = trained(&game, &start, Setting { threads, seed, ..Setting::default() }, 50);
        assert!(trainer.lessons() > 500, "{}", trainer.lessons());
        trainer.write(&game, Precision::Full)
    };
    let one = with(1, 7);
    assert!(one == with(1, 7), "the same seed gives the same file");
    assert!(one == with(3, 7), "on any number of threads");
    assert!(one != with(1, 8), "another seed gives another file");
}

#[test]
fn a_training_goes_on_from_its_file() {
    let game = load("einstein");
    let setting = Setting { hidden: 24, ..Setting::default() };
    let first = trained(&game, &game.start, setting, 60);
    let bytes = first.write(&game, Precision::Full);
    let mut second = Trainer::resume(&game, begin(&game, &game.start), setting, &bytes).expect("its own file");
    assert_eq!((second.games(), second.lessons()), (60, first.lessons()));
    assert_eq!(second.write(&game, Precision::Full), bytes, "reading and writing changes nothing");
    let value = |values: &LearnedValues| values.values(&game.set.variant, &game.start, &mut Room::default())[0];
    assert!((value(first.values()) - value(second.values())).abs() < 1e-3);
    train(&mut second, 90);
    assert_eq!(second.games(), 90);
    assert!(second.lessons() > first.lessons());
}

#[test]
fn files_for_other_rules_and_damaged_files_are_refused() {
    let game = load("einstein");
    let bytes =
        trained(&game, &game.start, Setting { hidden: 8, ..Setting::default() }, 4).write(&game, Precision::Full);
    let refused = |bytes: &[u8], loaded: &Loaded| file::read(bytes, loaded).map(|_| ()).expect_err("refused");
    assert!(file::read(&bytes, &game).is_ok());
    let other = refused(&bytes, &load("royal-game-of-ur")).to_string();
    assert_eq!(other, "the file is for 'einstein', not for 'royal-game-of-ur'");
    for cut in [0, 7, 8, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(matches!(refused(&bytes[..cut], &game), FileError::Unknown(_) | FileError::Damaged(_)), "{cut}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(refused(&longer, &game), FileError::Damaged(_)));
    for at in (0..bytes.len()).step_by(bytes.len() / 50) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        // A changed character of a note may go unnoticed, but never a changed number.
        if at > bytes.len() / 2 {
            assert!(matches!(refused(&damaged, &game), FileError::Damaged(_)), "{at}");
        } else {
            let _ = file::read(&damaged, &game);
        }
    }
}

#[test]
fn hidden_games_are_refused() {
    let game = load("ghosts");
    let why = Trainer::new(&game, begin(&game, &game.start), Setting::default()).err().expect("refused");
    assert!(matches!(why, LearnError::Secret), "{why}");
}

/// Calls `visit` with the states of random games.
fn each_state(loaded: &Loaded, start: &Position, games: u64, visit: &mut dyn FnMut(&State)) {
    for game in 0..games {
        let (mut state, mut random) = (begin(loaded, start), Stream::new(3, game));
        while state.status() != Status::Over {
            visit(&state);
            match state.status() {
                Status::Chance => state.roll(state.draw(&mut random)).expect("a roll"),
                _ => {
                    let pick = random.below(state.replies() as u64) as usize;
                    match state.nth_reply(pick) {
                        Some(Reply::Move(paid)) => state.play(paid).expect("a move"),
                        Some(Reply::Choice(index)) => state.choose(index).expect("a choice"),
                        _ => state.pass().expect("a pass"),
                    }
                }
            }
        }
    }
}

fn solved(game: &Loaded, start: &Position) -> Solver {
    let mut solver = Solver::new(game).expect("a game of two sides");
    solver.add(start).expect("room");
    let watch = Watch { stop: &|| false, progress: &|_| {} };
    let limits = Limits { states: 1 << 22, memory: 1 << 30, threads: 1 };
    assert_eq!(solver.run(1e-4, &limits, &watch).expect("rules that do not fail"), Progress::Solved);
    solver
}

/// The mean difference of learned values from exact ones, in positions of random games. A win is 1.
fn mean_error(game: &Loaded, start: &Position, solver: &Solver, values: &LearnedValues) -> f64 {
    let (mut room, mut sum, mut count) = (Room::default(), 0.0, 0);
    each_position(game, start, 40, &mut |position| {
        let exact = solver.value(position).expect("a reachable state").middle();
        let learned = values.values(&game.set.variant, position, &mut room);
        assert!((learned[0] + learned[1]).abs() < 1e-6);
        (sum, count) = (sum + (f64::from(learned[Side::FIRST.index()]) / 2.0 - exact).abs(), count + 1);
    });
    sum / f64::from(count)
}

/// The exact value of a state for the first side: also in the middle of a turn.
fn exact(state: &State, turn: u32, solver: &Solver) -> f64 {
    if let Some(over) = state.over() {
        return over.winner.map_or(0.0, |winner| if winner == Side::FIRST { 1.0 } else { -1.0 });
    }
    if state.turn() != turn {
        return solver.value(state.position()).expect("a reachable state").middle();
    }
    let after = |reply| exact(&state.after(reply).expect("a rule that does not fail"), turn, solver);
    if state.status() == Status::Chance {
        let weights = state.outcomes_apart();
        let all = weights.iter().map(|(_, weight)| weight).sum::<u64>() as f64;
        return weights.iter().map(|&(index, weight)| weight as f64 / all * after(Reply::Roll(index))).sum();
    }
    let values = (0..state.replies()).filter_map(|index| state.nth_reply(index)).map(after);
    if state.chooser() == Side::FIRST {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.fold(f64::INFINITY, f64::min)
    }
}

/// The share of decisions in random games for which the player finds a best reply, and how much it loses on average.
fn best_moves(game: &Loaded, start: &Position, solver: &Solver, values: &LearnedValues) -> (f64, f64) {
    let (mut best, mut cost, mut count) = (0, 0.0, 0);
    let mut lookahead = Lookahead::new(4_000);
    each_state(game, start, 40, &mut |state| {
        if state.status() != Status::Chance && state.replies() > 1 {
            let (replies, _) = lookahead.best(values, state).expect("rules that do not fail");
            let chosen = state.after(replies[0]).expect("rules that do not fail");
            let lost = (exact(state, state.turn(), solver) - exact(&chosen, state.turn(), solver)).abs();
            (best, cost, count) = (best + u32::from(lost < 1e-3), cost + lost, count + 1);
        }
    });
    (f64::from(best) / f64::from(count), cost / f64::from(count))
}

/// Calls `visit` with the positions at the start of turns in random games.
fn each_position(loaded: &Loaded, start: &Position, games: u64, visit: &mut dyn FnMut(&Position)) {
    let mut turn = None;
    each_state(loaded, start, games, &mut |state| {
        // Each game begins with turn 0.
        if turn.replace(state.turn()) != Some(state.turn()) {
            visit(state.position());
        }
    });
}

#[test]
fn learned_values_come_close_to_exact_ones() {
    let game = load("royal-game-of-ur");
    let start = position(&game, TWO_MEN);
    let solver = solved(&game, &start);
    let trainer = trained(&game, &start, Setting::default(), 8_000);
    let mean = mean_error(&game, &start, &solver, trainer.values());
    assert!(mean < 0.08, "the mean error is {mean}");
}

/// The figures of docs/training.md.
#[test]
#[ignore = "minutes: run with --release -- --ignored --nocapture"]
fn more_games_bring_learned_players_closer_to_exact_values() {
    for (name, fen) in [("royal-game-of-ur", TWO_MEN), ("einstein", "ab3/5/5/5/3BA s")] {
        let game = load(name);
        let start = position(&game, fen);
        let solver = solved(&game, &start);
        let mut trainer = trained(&game, &start, Setting::default(), 500);
        let mut errors = Vec::new();
        for games in [500, 2_000, 10_000, 40_000] {
            train(&mut trainer, games);
            let error = mean_error(&game, &start, &solver, trainer.values());
            let (best, cost) = best_moves(&game, &start, &solver, trainer.values());
            println!("{name}, {games} games: mean error {error:.3}, best moves {:.1} %, cost {cost:.4}", 100.0 * best);
            errors.push(error);
        }
        assert!(errors[3] < 0.6 * errors[0], "{name}: {errors:?}");
    }
}

/// A d12 beats a d20 in 66 of 240 cases, and equals it in 12 (BAB-2, BAB-3): more outcomes than a decision examines.
#[test]
fn bab_3_a_contest_with_a_king_counts_with_its_chances() {
    let game = load("babylonian");
    let start = position(&game, "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1");
    let trainer = Trainer::new(&game, begin(&game, &start), Setting::default()).expect("a game that can be learned");
    let mut state = begin(&game, &start);
    state.list_moves().expect("moves");
    let values = trainer.values();
    let rest = values.values(&game.set.variant, &start, &mut Room::default())[0];
    assert!(rest.abs() < 0.2, "an untrained network knows of no advantage: {rest}");
    let (replies, found) = Lookahead::new(400).best(values, &state).expect("rules that do not fail");
    let Some(Reply::Move(paid)) = replies.first() else { panic!("a move: {replies:?}") };
    assert!(!start.at(paid.mv.to).is_none(), "it captures: {paid:?}");
    // In half points: a won game is worth two.
    let chance = 66.0 / 240.0;
    assert!((found[0] - (2.0 * chance + (1.0 - chance) * rest)).abs() < 0.2, "{}", found[0]);
}

#[test]
fn games_without_early_dice_differ_by_random_openings() {
    let game = load("babylonian");
    let start = begin(&game, &game.start);
    let trainer = Trainer::new(&game, start.clone(), Setting::default()).expect("a game that can be learned");
    let first = |opening: u32, number: u64| {
        let habits = Habits { lambda: 0.7, explore: 0.0, opening, turns: 12, events: 100 };
        let (mut lookahead, mut random) = (Lookahead::new(400), Stream::new(1, number));
        let found = lessons(trainer.values(), &mut lookahead, start.clone(), &mut random, &habits);
        found.expect("rules that do not fail").swap_remove(0).features
    };
    let distinct = |opening| {
        (0..20).map(|number| first(opening, number)).fold(Vec::new(), |mut all, one| {
            if !all.contains(&one) {
                all.push(one);
            }
            all
        })
    };
    assert_eq!(distinct(0).len(), 1, "nothing is rolled before the first capture");
    assert!(distinct(8).len() > 10, "{}", distinct(8).len());
}

/// Two rooks that can walk to and fro, with this rule for the result.
fn wandering(outcome: &str) -> Loaded {
    let text = format!(
        "title(\"Wandering\");\nboard(4, 4);\npiece(\"rook\", \"R\", \"R\");\nsetup(\"r3/4/4/3R w\");\n\
         fn turn() {{ play(any()); }}\nfn outcome() {{ {outcome} }}\n"
    );
    astragal_dsl::load(&Source { name: "wandering".into(), path: None, text }, &[]).expect("a script")
}

/// The learned values of White at the start of each turn of a walk to and fro, by a network that has learned nothing.
fn values_on_a_walk(game: &Loaded) -> Vec<f32> {
    let mut state = begin(game, &game.start);
    let trainer = Trainer::new(game, state.clone(), Setting::default()).expect("a game that can be learned");
    let value = |state: &State| trainer.values().values_in_game(state, &mut Room::default())[0];
    let mut found = vec![value(&state)];
    for (from, to) in [("d1", "c1"), ("a4", "b4"), ("c1", "d1"), ("b4", "a4")] {
        state.list_moves().expect("moves");
        let board = game.set.variant.board();
        let squares = (board.parse(from), board.parse(to));
        let reply = (0..state.replies())
            .filter_map(|index| state.nth_reply(index))
            .find(|reply| matches!(reply, Reply::Move(paid) if squares == (Some(paid.mv.from), Some(paid.mv.to))));
        state = state.after(reply.expect("a move")).expect("rules that do not fail");
        found.push(value(&state));
    }
    found
}

#[test]
fn a_position_that_recurs_counts_as_drawn_where_rules_count_repetitions() {
    let counted = values_on_a_walk(&wandering("if repeated(3) { draw(\"repetition\"); }"));
    assert!(counted[..4].iter().all(|value| *value != 0.0), "positions that are new: {counted:?}");
    assert_eq!(counted[4], 0.0);
    let free = values_on_a_walk(&wandering("if clock_reached(40) { draw(\"long\"); }"));
    assert!(free[0] != 0.0 && free[4] == free[0], "{free:?}");
}

#[test]
fn a_learned_player_beats_the_greedy_one() {
    let game = load("einstein");
    let trainer = trained(&game, &game.start, Setting { hidden: 40, ..Setting::default() }, 1_500);
    let evaluation = Arc::new(Evaluation::learn(Arc::clone(&game.set), &game.start).expect("an evaluation"));
    let begin = |seed| Ok(Game::new(Arc::clone(&game.set), game.start.clone(), seed)?);
    let greedy = |seed| Ok::<Box<dyn Player>, _>(Box::new(Greedy::new(Arc::clone(&evaluation), seed)));
    let score = trainer.against(&greedy, &begin, 200, &|| false).expect("a match");
    println!("{score:?}");
    assert!(score.games() == 200 && score.wins > 130, "{} of 200 games won", score.wins);
}

#[test]
fn small_files_hold_nearly_the_same_values() {
    let game = load("einstein");
    let trainer = trained(&game, &game.start, Setting { hidden: 24, ..Setting::default() }, 200);
    let (full, small) = (trainer.write(&game, Precision::Full), trainer.write(&game, Precision::Small));
    assert!(small.len() * 10 < full.len() * 7, "{} {}", small.len(), full.len());
    let (header, values) = file::read(&small, &game).expect("its own file");
    assert_eq!(header.games, 200);
    let (mut room, mut worst) = (Room::default(), 0.0f32);
    each_position(&game, &game.start, 20, &mut |position| {
        let [exact, rounded] =
            [trainer.values(), &values].map(|values| values.values(&game.set.variant, position, &mut room)[0]);
        worst = worst.max((exact - rounded).abs());
    });
    assert!(worst > 0.0 && worst < 0.05, "{worst}");
}

#[test]
fn trained_players_come_with_games_whose_rules_have_not_changed() {
    assert!(astragal_variants::TRAINED.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < 500_000);
    for (name, _) in astragal_variants::TRAINED {
        assert!(file::is_shipped(name));
        if let Err(why) = file::shipped(&load(name)) {
            panic!("{name}: {why}. Train it again: the commands are in docs/training.md");
        }
    }
    assert!(!file::is_shipped("chess"));
    let why = file::shipped(&load("chess")).expect_err("none comes with it");
    assert_eq!(why, "no trained player comes with 'chess': train one with 'astragal train chess --into FILE'");
}
