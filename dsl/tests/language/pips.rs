//! The pip count of backgammon. How men are counted is tested in `plays/pips.play`.

use astragal_dsl::{library, load, question};

/// "Each player begins with a pip count of 167" (backgammon glossaries; 24 + 24, five on 13, three on 8, five on 6). The
/// last station of the script's way is where men rest, so each man has as many stations to go as his point says.
#[test]
fn backgammon_begins_with_167_each() {
    let source = library::resolve("backgammon").expect("it comes with the program");
    let loaded = load(&source, &[]).expect("a script");
    let game = astragal_core::Game::new(loaded.set.clone(), loaded.start.clone(), 1).expect("a game");
    for side in ["White", "Black"] {
        let asked = question::ask(&loaded, &game, &format!("pips(\"way\", side(\"{side}\")).value"));
        assert_eq!(asked.expect("an answer").trim(), "167", "{side}");
    }
}
