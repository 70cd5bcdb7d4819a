//! Choices in records: whatever a script calls them, what is written is read as the same choice.

use crate::common::{choices, game};
use astragal_core::Game;
use astragal_dsl::record;

/// Signs that end a command, a comment or a line; signs that begin one; and blanks at which a line may be broken.
const CALLED: [&str; 10] =
    ["[1] = 100", "{a}", "a;b", "x (y)", "(1) = 100", "two  blanks", "100 %", "&#93;", "[%roll 3]", "[%choose {b}]"];

#[test]
fn what_is_chosen_is_read_again_whatever_it_is_called() {
    let list = CALLED.map(|text| format!("{text:?}")).join(", ");
    let loaded =
        game(&format!("board(2, 1); piece(\"man\", \"M\", \"W\"); setup(\"M1 w\"); fn turn() {{ choose([{list}]); }}"));
    for (index, called) in CALLED.iter().enumerate() {
        let mut played = Game::new(loaded.set.clone(), loaded.start.clone(), 1).expect("a game");
        played.choose(index).expect("a choice");
        let written = record::write(&loaded, &played, &[]);
        let (_, again) = record::read(&written, |_, _| Ok(loaded.clone())).unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(again.entries()[0].event, played.entries()[0].event, "{called}: {written}");
    }
}

/// Earlier versions wrote `)` for `]` and `}`: such records are read as intended.
#[test]
fn records_of_earlier_versions_are_read() {
    let loaded = game(
        "board(2, 1); piece(\"man\", \"M\", \"W\"); setup(\"M1 w\");
         fn turn() { choose([\"[1] = 100\", \"{a}\", \"stop\"]); }",
    );
    for (text, index) in [("[1) = 100", 0), ("{a)", 1), ("stop", 2)] {
        let mut played = Game::new(loaded.set.clone(), loaded.start.clone(), 1).expect("a game");
        assert_eq!(choices(played.state()).len(), 3);
        played.choose(2).expect("a choice");
        let former = record::write(&loaded, &played, &[]).replace("%choose stop", &format!("%choose {text}"));
        let (_, again) = record::read(&former, |_, _| Ok(loaded.clone())).unwrap_or_else(|e| panic!("{e}\n{former}"));
        assert_eq!(played.undo(), Ok(true));
        played.choose(index).expect("a choice");
        assert_eq!(again.entries()[0].event, played.entries()[0].event, "{former}");
    }
}
