//! A value that is only compared with a constant is asked as one question, and the game is the same as if the whole value
//! had been asked.

use crate::common::{game, play, start, text};
use astragal_dsl::Loaded;

const BOARD: &str = r#"board(8, 8); piece("king", "K", "K", #{ royal: true }); piece("rook", "R", "R");
    piece("pawn", "P", "fmWfcF"); setup("k6r/pppp4/8/8/8/8/PPPP4/K6R w"); counter("score", 3);"#;

/// Each comparison, and the same with its value in a variable, where the whole value is asked. All squares of the board are
/// tried, so that every answer occurs.
const COMPARED: [(&str, &str); 16] = [
    ("s.rank == 7", "let v = s.rank; v == 7"),
    ("s.rank != 7", "let v = s.rank; v != 7"),
    ("7 == s.rank", "let v = s.rank; 7 == v"),
    ("s.file < 3", "let v = s.file; v < 3"),
    ("s.file <= 3", "let v = s.file; v <= 3"),
    ("s.file > 3", "let v = s.file; v > 3"),
    ("3 > s.file", "let v = s.file; 3 > v"),
    ("3 <= s.file", "let v = s.file; 3 <= v"),
    ("s.rank_for(opponent()) >= 6", "let v = s.rank_for(opponent()); v >= 6"),
    ("s.kind == \"rook\"", "let v = s.kind; v == \"rook\""),
    ("s.kind != \"rook\"", "let v = s.kind; v != \"rook\""),
    ("s.kind == ()", "let v = s.kind; v == ()"),
    ("s.kind != ()", "let v = s.kind; v != ()"),
    ("distance(s, \"a1\") == -1", "let v = distance(s, \"a1\"); v == -1"),
    ("distance(s, \"d4\") >= 2", "let v = distance(s, \"d4\"); v >= 2"),
    ("(around(s) & squares_of(mover())).count() == 2", "let v = (around(s) & squares_of(mover())).count(); v == 2"),
];

#[test]
fn comparing_at_once_says_the_same_as_comparing_later() {
    for (at_once, later) in COMPARED {
        let script = |test: &str| {
            format!(
                "{BOARD} fn turn() {{ let n = squares(\"a1-h8\").where(|s| {{ {test} }}); set(\"score\", number(n)); play(any()) }}"
            )
        };
        let score = |test: &str| {
            let mut state = start(&game(&script(test)));
            play(&mut state, "a1b1");
            text(&state)
        };
        assert_eq!(score(at_once), score(later), "{at_once}");
    }
}

/// The nodes of the largest tree of tests that a turn grows.
fn nodes(loaded: &Loaded) -> usize {
    let report = loaded.set.rules.report();
    report.iter().filter(|rule| rule.rule != "turn").map(|rule| rule.nodes).max().unwrap_or(0)
}

#[test]
fn one_question_has_two_answers() {
    let grown = |test: &str| {
        let loaded = game(&format!("{BOARD} fn turn() {{ play(any().where(|m| {{ {test} }})) }}"));
        start(&loaded);
        nodes(&loaded)
    };
    // A question and its two results.
    assert_eq!(grown("m.to.rank_for(mover()) == 1"), 3);
    assert_eq!(grown("m.kind == \"pawn\""), 3);
    assert_eq!(grown("m.distance > 3"), 3);
    // Each rank that moves end on is a branch.
    assert!(grown("let to = m.to.rank_for(mover()); to == 1") > 3);
}

#[test]
fn what_is_used_again_is_told_in_full() {
    let script = format!(
        "{BOARD} fn turn() {{ let mv = play(any()); let rank = mv.to.rank; if rank == 1 {{ add(\"score\", rank); }} else
        {{ add(\"score\", 10 * rank); }} }}"
    );
    let mut state = start(&game(&script));
    play(&mut state, "a2a3");
    assert!(text(&state).ends_with("score=33"), "{}", text(&state));
    play(&mut state, "h8h7");
    play(&mut state, "a1b1");
    assert!(text(&state).ends_with("score=104"), "{}", text(&state));
}
