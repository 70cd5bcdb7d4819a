//! A script that is edited while it is played.

use super::tests::ok;
use super::{Session, Setup};
use std::path::{Path, PathBuf};

/// A folder of its own for each test.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> TestFolder {
        let folder = std::env::temp_dir().join(format!("astragal-reload-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        TestFolder(folder)
    }

    fn script(&self) -> PathBuf {
        self.0.join("own.rhai")
    }

    fn write(&self, text: &str) {
        std::fs::write(self.script(), text).unwrap();
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const RULES: &str = "// Own.\nimport \"chess\" as chess;\ntitle(\"Own\");\nchess::setup();\n\
    fn turn() {\n    let die = roll(\"1d6\");\n    play(if die <= 3 { pieces(\"pawn\") } else { pieces(\"knight\") })\n}\n\
    fn outcome() { if between_turns() && !can_move(to_move()) { draw(\"nobody can move\"); } }\n";

fn session(script: &Path) -> Session {
    let setup = Setup { variant: script.display().to_string(), seed: Some(1), ..Setup::default() };
    Session::new(&setup).unwrap().0
}

#[test]
fn an_edit_is_taken_over_and_the_game_goes_on() {
    let desk = TestFolder::new("takes");
    desk.write(RULES);
    let mut session = session(&desk.script());
    ok(&mut session, "roll 1");
    ok(&mut session, "e4");
    desk.write(&RULES.replace("1d6", "1d8"));
    let text = ok(&mut session, "fen");
    assert!(text.contains("own.rhai has changed (line 6):\n  dice: 1d8\n"), "{text}");
    assert!(text.contains("The game so far (2 events) fits the new rules.\nBlack to roll 1d8.\n"), "{text}");
    assert!(text.ends_with("b KQkq e3 0 1\n"), "{text}");
    // Said once, and in force.
    assert!(!ok(&mut session, "fen").contains("changed"));
    assert!(ok(&mut session, "roll 8").contains("Roll of 1d8: 8."));
}

#[test]
fn a_game_that_no_longer_fits_is_cut_where_it_differs() {
    let desk = TestFolder::new("cuts");
    desk.write(RULES);
    let mut session = session(&desk.script());
    for line in ["roll 1", "e4", "roll 5", "Nc6"] {
        ok(&mut session, line);
    }
    // A 5 is a bishop's now: after 1.e4 Black's bishops are shut in, and the turn is lost.
    desk.write(&RULES.replace("pieces(\"knight\")", "pieces(\"bishop\")"));
    let text = ok(&mut session, "");
    assert!(text.contains("Event 4 no longer fits (Black plays Nc6): "), "{text}");
    assert!(text.contains("White must roll first") && text.contains("waiting for a roll of 1d6"), "{text}");
    assert!(text.contains("The game continues from there, after 3 events."), "{text}");
    // A 1 that moves knights: the first move is refused, and what is permitted is listed.
    desk.write(&RULES.replace("pieces(\"pawn\")", "pieces(\"knight\")"));
    let text = ok(&mut session, "board");
    assert!(
        text.contains("Event 2 no longer fits (White plays e4): the roll 1 permits only moves of a knight"),
        "{text}"
    );
    assert!(text.contains("legal instead: b1a3 b1c3 g1f3 g1h3"), "{text}");
    assert_eq!(session.game().entries().len(), 1);
}

#[test]
fn a_broken_edit_keeps_the_old_rules() {
    let desk = TestFolder::new("keeps");
    desk.write(RULES);
    let mut session = session(&desk.script());
    ok(&mut session, "roll 1");
    desk.write(&RULES.replace("\"pawn\"", "\"pwan\"").replace("title(", "titel("));
    let text = ok(&mut session, "moves");
    assert!(text.contains("cannot be used. The old rules still apply.\nerror[") && text.contains('^'), "{text}");
    assert!(text.contains("titel"), "{text}");
    assert!(text.contains("e4"), "{text}");
    assert!(!ok(&mut session, "moves").contains("error"), "an error is told once");
    assert!(ok(&mut session, "e4").contains("White plays e4."));
    // Taken back: nothing is new.
    desk.write(RULES);
    let text = ok(&mut session, "");
    assert!(text.contains("matches the current rules again.") && !text.contains("has changed"), "{text}");
    // Mended: the new rules apply.
    desk.write(&RULES.replace("\"Own\"", "\"My own\""));
    assert!(ok(&mut session, "").contains("has changed (line 3)."));
}

#[test]
fn a_set_up_that_fits_no_more_keeps_the_old_rules() {
    let desk = TestFolder::new("setup");
    desk.write(RULES);
    let mut session = session(&desk.script());
    ok(&mut session, "position 4k3/8/8/8/8/8/8/4K2R w K -");
    desk.write(&RULES.replace(
        "chess::setup();",
        "board(4, 4); piece(\"pawn\", \"P\", \"fW\"); piece(\"knight\", \"N\", \"N\"); setup(\"p3/4/4/P3 w\");",
    ));
    let text = ok(&mut session, "fen");
    assert!(text.contains("position does not fit") && text.contains("The old rules still apply."), "{text}");
    assert!(text.contains("4k3/8/8/8/8/8/8/4K2R w K"), "{text}");
}
