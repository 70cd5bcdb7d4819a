use super::super::examples::{accepted, below, folder, marked};
use super::super::test_run::{Outcome, Test, run_tests};
use super::super::{permit_hints, starting_game};
use super::*;
use crate::gametest::file::GameFile;
use crate::gametest::loader::Loader;
use crate::gametest::play::transcript;
use astragal_dsl::Source;
use std::path::{Path, PathBuf};

const SCRIPT: &str = r#"
board(3, 3);
piece("man", "M", "W");
piece("rook", "R", "R");
setup("2m/r2/M1R w");

const MEN = ["man"];

fn turn() {
    switch roll("1d3") {
        1 => play(pieces(MEN)),
        2 => { play(any()) }
        _ => {
            let list = pieces("rook");
            if !can_move(mover()) { pass() } else { play(list) }
        }
    }
}

fn unused() {
    let x = 1;
    play(any() & pieces("man"))
}
"#;

fn source() -> Source {
    Source { name: "own".into(), path: None, text: SCRIPT.into() }
}

fn run(games: &[&str]) -> TestRun {
    let paths: Vec<PathBuf> = (1..=games.len()).map(|number| format!("{number}.game").into()).collect();
    let test = |(path, text)| Test { path, text, accepted: None };
    let tests: Vec<Test<'_>> = paths.iter().map(PathBuf::as_path).zip(games.iter().copied()).map(test).collect();
    run_tests(&source(), &tests).expect("nothing interrupts them")
}

/// The hints of a block, each with the text before it on its line.
fn shown(run: &TestRun) -> Vec<(String, String)> {
    let hints = block_hints(&Document::new(SCRIPT.into()), run);
    let before = |at: usize| SCRIPT[..at].rsplit('\n').next().unwrap_or_default().trim().to_string();
    hints.into_iter().map(|hint| (before(hint.offset), hint.text)).collect()
}

#[test]
fn blocks_show_how_many_tests_reached_them() {
    let run = run(&["roll 1\n", "roll 2\n", "roll 1\na1a2\nroll 3\n"]);
    assert!(run.results.iter().all(|result| result.outcome == Outcome::New), "{run:?}");
    let all = shown(&run);
    let expected = [
        ("fn turn() {", "3 of 3 tests"),
        ("1 =>", "2 of 3 tests"),
        ("2 => {", "1 of 3 tests"),
        ("_ => {", "1 of 3 tests"),
        ("if !can_move(mover()) {", "no test"),
        ("if !can_move(mover()) { pass() } else {", "1 of 3 tests"),
        ("fn unused() {", "no test"),
    ];
    let all: Vec<(&str, &str)> = all.iter().map(|(before, text)| (before.as_str(), text.as_str())).collect();
    assert_eq!(all, expected);
    let hints = block_hints(&Document::new(SCRIPT.into()), &run);
    assert_eq!(hints[1].tooltip, "Tests that reach this block:\n\n- 1.game\n- 3.game");
    assert_eq!(hints[4].tooltip, "No test reaches this block.");
}

#[test]
fn hints_need_tests_of_the_same_text() {
    assert!(shown(&run(&[])).is_empty());
    let run = run(&["roll 1\n"]);
    assert!(block_hints(&Document::new(format!("{SCRIPT} ")), &run).is_empty());
}

#[test]
fn a_run_has_the_results_of_all_tests() {
    let games = ["roll 1\n", "roll 7\n", "roll\n roll x y\n"];
    let first = run(&games);
    let outcomes: Vec<Outcome> = first.results.iter().map(|result| result.outcome).collect();
    assert_eq!(outcomes, [Outcome::New, Outcome::Failed, Outcome::Failed]);
    let path = Path::new("1.game");
    let script = source();
    let mut loader = Loader::new().finding(move |_| Ok(script.clone()));
    let file = GameFile::parse(path, games[0]).expect("a file");
    let output = transcript(&file, &mut loader).expect("a game");
    let again = |accepted: &str| {
        let test = Test { path, text: games[0], accepted: Some(accepted) };
        run_tests(&source(), &[test]).expect("nothing interrupts it")
    };
    assert_eq!(again(&output).passed(), 1);
    assert_eq!(again("other").results[0].outcome, Outcome::Differs);
}

#[test]
fn permits_show_how_many_moves_they_admit() {
    let loaded = astragal_dsl::load(&source(), &[]).expect("a script");
    let game = starting_game(&loaded).expect("a game");
    let hints = permit_hints(&Document::new(SCRIPT.into()), &loaded, &game, "the starting position");
    let before = |at: usize| SCRIPT[..at].rsplit('\n').next().unwrap_or_default().trim().to_string();
    let all: Vec<(String, String)> = hints.iter().map(|hint| (before(hint.offset), hint.text.clone())).collect();
    // The man steps to a2 (a capture), b1; the rook reaches b1, c2, and captures on c3.
    let expected = [
        ("1 => play(pieces(MEN)", "2 moves"),
        ("2 => { play(any()", "5 moves"),
        ("let list = pieces(\"rook\")", "3 moves"),
        ("play(any() & pieces(\"man\")", "2 moves"),
    ];
    let all: Vec<(&str, &str)> = all.iter().map(|(before, text)| (before.as_str(), text.as_str())).collect();
    assert_eq!(all, expected);
    assert_eq!(hints[0].tooltip, "In the starting position, this permit allows 2 moves.");
}

/// Permits that depend on dice can be evaluated if the dice of the turn are known.
#[test]
fn permits_know_the_roll_of_the_turn() {
    let text = "variant: king-for-2\noptions: moves=one_per_turn\nroll 5 6\n^";
    let (document, loaded, at) = marked(text);
    let script = Document::new(loaded.source.text.clone());
    let game = document.game_at(&loaded, at).expect("a game");
    let hints = permit_hints(&script, &loaded, &game, "line 4");
    let hint = hints.iter().find(|hint| script.text()[..hint.offset].ends_with("permit(dice[0]) | permit(dice[1])"));
    let hint = hint.unwrap_or_else(|| panic!("{hints:?}"));
    // As many as there are legal moves.
    assert_eq!(hint.text, format!("{} moves", game.state().moves().len()));
    let start = starting_game(&loaded).expect("a game");
    let hints = permit_hints(&script, &loaded, &start, "the starting position");
    assert!(!hints.iter().any(|hint| script.text()[..hint.offset].ends_with("permit(dice[1])")), "{hints:?}");
    // Written within the permit.
    let (document, loaded, at) = marked("variant: dice-xiangqi\noptions: dice=1\nroll 4\n^");
    let script = Document::new(loaded.source.text.clone());
    let game = document.game_at(&loaded, at).expect("a game");
    let hints = permit_hints(&script, &loaded, &game, "line 4");
    let is_there =
        |hint: &&Hint| script.text()[..hint.offset].ends_with("play(permit(pieces(PIECE[roll(\"1d6\") - 1]))");
    let hint = hints.iter().find(is_there).unwrap_or_else(|| panic!("{hints:?}"));
    assert_eq!(hint.text, format!("{} moves", game.state().moves().len()));
}

/// The tests of a bundled script reach its main rule.
#[test]
fn the_tests_of_a_bundled_script_are_counted() {
    let source = astragal_dsl::library::bundled("dice-chess").expect("a script");
    let games: Vec<(PathBuf, String, String)> = below(&folder("variants/tests/dice-chess"), "game")
        .into_iter()
        .map(|path| (path.clone(), std::fs::read_to_string(&path).expect("a game"), accepted(&path)))
        .collect();
    let tests: Vec<Test<'_>> =
        games.iter().map(|(path, text, accepted)| Test { path, text, accepted: Some(accepted) }).collect();
    let run = run_tests(&source, &tests).expect("nothing interrupts them");
    assert_eq!(run.passed(), tests.len(), "{run:?}");
    let script = Document::new(source.text.clone());
    let turn = script.function("turn").expect("the rule");
    let hints = block_hints(&script, &run);
    let hint = hints.iter().find(|hint| hint.offset == turn.body.start + 1).expect("a hint");
    assert_eq!(hint.text, format!("{0} of {0} tests", tests.len()));
    // At least every function that has code has a hint.
    assert!(hints.len() >= script.functions().len(), "{hints:?}");
}

/// Incomplete scripts have blocks, too.
#[test]
fn any_script_can_be_asked_about() {
    for (name, text) in astragal_variants::SCRIPTS {
        let source = Source { name: (*name).into(), path: None, text: (*text).into() };
        for part in [text.len(), text.len() / 2, text.len() / 3] {
            let Some(part) = text.get(..part) else { continue };
            let script = Document::new(part.into());
            let run = TestRun { script: part.into(), ..run_tests(&source, &[]).expect("nothing to interrupt") };
            assert!(block_hints(&script, &run).is_empty());
            assert!(blocks(&script).iter().all(|block| block.start <= block.end && part.get(block.clone()).is_some()));
        }
    }
}
