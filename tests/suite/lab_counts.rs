//! What the lab counts in turns: choices beside moves, dice that pay for nothing, choices where no move is legal. All
//! figures are worked out by hand.

use astragal_core::TurnEnd;
use astragal_dsl::Source;
use astragal_lab::statistics::RatioSums;
use astragal_lab::tally::Tally;
use astragal_lab::{Experiment, Report, Row, Setting, Watch, run};
use serde_json::{Value, json};

const GAMES: u64 = 64;

/// Games for one side with these rules, which begin with the board; the tally, and the row of each game.
fn played(rules: &str) -> (Tally, Vec<Row>, Value) {
    let (board, rules) = rules.trim().split_once(';').expect("the board comes first");
    let head =
        "sides([\"White\"], #{ forward: [\"right\"] });\npiece(\"man\", \"M\", \"mfR\"); piece(\"stone\", \"S\");\n";
    let source = Source { name: "small".into(), path: None, text: format!("{board};\n{head}{rules}") };
    let experiment = Experiment::new(&source, Setting::random(1)).unwrap_or_else(|error| panic!("{error}"));
    let mut rows: Vec<Row> = Vec::new();
    let mut take = |more: &[Row]| {
        rows.extend_from_slice(more);
        Ok(())
    };
    let tally = run(&experiment, 0..GAMES, 2, &Watch::NONE, Some(&mut take)).expect("the games are played");
    let report = Report::new(&experiment, 0..GAMES, &tally).json();
    (tally, rows, report)
}

fn in_all(sums: &RatioSums) -> u64 {
    sums.above
}

/// One move and two squares: three things to choose from, and whatever is chosen is a ply.
#[test]
fn choices_beside_moves_are_counted_with_them() {
    let (tally, rows, report) = played(
        r#"board(3, 1); setup("M2 w");
        fn turn() {
            let done = play(steps(1, 1), #{ or: empty_squares() });
            if type_of(done) == "Square" { place(done, mover(), "stone"); }
            draw("done");
        }"#,
    );
    // The man on a1 steps to b1, or a stone is put on b1 or c1.
    assert_eq!(report["branching"]["mean"], json!(3.0));
    assert_eq!((tally.branching.quantile(0.05), tally.branching.most()), (Some(3), Some(3)));
    assert_eq!((report["length"]["plies"]["mean"].clone(), in_all(&tally.turns.decided)), (json!(1.0), GAMES));
    let stones: u64 = rows.iter().map(|row| row.instead).sum();
    assert!(rows.iter().all(|row| row.plies == 1 && row.instead <= 1));
    // Two of three: 43 of 64, give or take four standard deviations of 3.8.
    assert!((28..=58).contains(&stones), "{stones}");
    // A ply that is no move is not in the figures of moves.
    assert_eq!(in_all(&tally.captures), 0);
    assert_eq!(tally.captures.below, GAMES - stones);
}

/// Without a permitted move, the choices beside it are all that there is; a move that is named but not made is no ply.
#[test]
fn choices_are_plies_where_a_move_is_asked_for() {
    let turn = |ask: &str| format!("board(3, 1); setup(\"MS1 w\"); fn turn() {{ {ask}; draw(\"done\"); }}");
    let (tally, rows, report) = played(&turn("play(steps(1, 1), #{ or: empty_squares() })"));
    assert_eq!((report["branching"]["mean"].clone(), in_all(&tally.turns.forced)), (json!(1.0), GAMES));
    assert!(rows.iter().all(|row| (row.plies, row.instead) == (1, 1)));
    let (tally, rows, _) = played(&turn("choose(empty_squares())"));
    assert_eq!(tally.branching.count(), 0);
    assert!(rows.iter().all(|row| (row.plies, row.instead) == (0, 0)));
}

/// The first of two dice brings the man to d1, and the second leads off the board; in the next turn neither can be used.
#[test]
fn dice_that_pay_for_nothing_leave_a_trace() {
    let (tally, rows, report) = played(
        r#"board(5, 1); setup("M4 w");
        fn turn() { roll("1d2"); play_each([3, 3], |die| steps(die, die)); if round() == 2 { draw("done"); } }"#,
    );
    let turns = &tally.turns;
    assert_eq!([&turns.all, &turns.forced, &turns.lost, &turns.cut_short].map(in_all), [2, 1, 1, 1].map(|n| n * GAMES));
    // One die of the first turn, both of the second.
    assert_eq!(in_all(&turns.forced_passes), 3 * GAMES);
    assert_eq!((&report["turns"]["cut_short"], &report["turns"]["forced_passes"]), (&json!(GAMES), &json!(3 * GAMES)));
    assert!(rows.iter().all(|row| row.more_numbers() == [0, 1, 3]));
    // Where dice are used in order, one that is passed over pays for nothing either.
    let (tally, ..) = played(
        r#"board(5, 1); setup("M4 w");
        fn turn() { play_each([7, 3], |die| steps(die, die), #{ in_order: true }); draw("done"); }"#,
    );
    assert_eq!((in_all(&tally.turns.cut_short), in_all(&tally.turns.forced_passes)), (GAMES, GAMES));
    // Dice that are all used, and dice that a player leaves, are no forced passes.
    let (tally, ..) = played(
        r#"board(9, 1); setup("M8 w");
        fn turn() { play_each([3, 3], |die| steps(die, die), #{ spend: "any" }); draw("done"); }"#,
    );
    assert_eq!((in_all(&tally.turns.cut_short), in_all(&tally.turns.forced_passes)), (0, 0));
    assert!(in_all(&tally.turns.passed) > 0 && in_all(&tally.turns.decided) > 0);
}

/// One die after another, each asked on its own: a die without a move is a forced pass.
#[test]
fn questions_without_a_move_are_forced_passes() {
    let (tally, ..) = played(
        r#"board(5, 1); setup("M4 w");
        fn turn() { for die in [3, 3] { play(steps(die, die)); } draw("done"); }"#,
    );
    let turns = &tally.turns;
    assert_eq!([&turns.forced, &turns.forced_passes, &turns.cut_short].map(in_all), [GAMES, GAMES, 0]);
}

/// A choice made because there is no move decides how the turn counts; a choice made before does not.
#[test]
fn a_pass_that_was_chosen_loses_no_turn() {
    let ends = |rules: &str| {
        let (_, rows, _) =
            played(&format!("board(3, 1); setup(\"MS1 w\"); fn turn() {{ roll(\"1d2\"); {rules} draw(\"done\"); }}"));
        [TurnEnd::Lost, TurnEnd::Forced, TurnEnd::Decided]
            .map(|end| rows.iter().map(|row| row.turns.of(end)).sum::<u64>())
    };
    assert_eq!(ends("play(steps(1, 1));"), [GAMES, 0, 0]);
    assert_eq!(ends("if play(steps(1, 1)) == () { choose([\"pass\"]); }"), [0, GAMES, 0]);
    assert_eq!(ends("if play(steps(1, 1)) == () { choose([\"pay\", \"wait\"]); }"), [0, 0, GAMES]);
    assert_eq!(ends("choose([\"left\", \"right\"]); play(steps(1, 1));"), [GAMES, 0, 0]);
}

/// Each row has the labels and counters of its own game, secret ones too.
#[test]
fn rows_have_labels_and_counters() {
    let (_, rows, _) = played(
        r#"board(3, 1); setup("M2 w");
        counter("score", 5); counter("held", 0, #{ each: true, secret: true }); counter("pool", 1, #{ places: 3 });
        fn turn() {
            if choose(["up", "down"]) == "up" { add("score", 2); label("raised"); } else { add("score", -9); label("lowered"); }
            set("held", round());
            if round() == 3 { draw("done"); }
        }"#,
    );
    let mut seen = Vec::new();
    for row in &rows {
        let of = |label: &str| row.labels.get(label).copied().unwrap_or(0) as i64;
        assert_eq!(of("raised") + of("lowered"), 3);
        let score = 5 + 2 * of("raised") - 9 * of("lowered");
        assert_eq!(Value::Object(row.counters.clone()), json!({"score": score, "held": [3], "pool": [1, 1, 1]}));
        seen.push(score);
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [-22, -11, 0, 11]);
}
