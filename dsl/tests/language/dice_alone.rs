//! Warnings about games of nothing but dice, and about captures that do not follow a track.

use astragal_dsl::{Severity, Source, check};

/// The warnings of a script, with their advice.
fn warnings(text: &str) -> Vec<String> {
    let found = check(&Source { name: "small".into(), path: None, text: text.into() });
    let loud = found.iter().filter(|one| one.severity != Severity::Note);
    loud.map(|one| format!("{}; {}", one.message, one.help.as_deref().unwrap_or_default())).collect()
}

/// A game in which both sides roll until one has 50 points.
fn race_of_points(piece: &str) -> String {
    format!(
        "title(\"Fifty\");\nboard(2, 1);\n{piece}\nsetup(\"Tt w\");\ncounter(\"score\", 0, #{{ each: true }});\n\
         fn turn() {{ let dice = roll(\"2d6\"); add(\"score\", mover(), dice.total); }}\n\
         fn outcome() {{ if number(\"score\", mover()) >= 50 {{ win(mover(), \"fifty\"); }} }}\n"
    )
}

#[test]
fn a_game_that_only_rolls_and_counts_needs_no_decision() {
    assert_eq!(warnings(&race_of_points("piece(\"token\", \"T\");")), Vec::<String>::new());
    // A piece that could move is probably meant to move.
    let moving = warnings(&race_of_points("piece(\"token\", \"T\", \"K\");"));
    assert!(moving.iter().any(|one| one.contains("never asks a player for a decision")), "{moving:?}");
}

#[test]
fn captures_before_a_track_are_not_those_along_the_track() {
    let game = |turn: &str| {
        format!(
            "title(\"Way\");\nboard(8, 2);\npiece(\"man\", \"M\");\n\
             track(\"way\", [\"a1-h1 h2-a2\", \"h2-a2 a1-h1\"], #{{ closed: true }});\nsetup(\"m6m/M6M w\");\n\
             fn turn() {{ {turn} }}\n\
             fn outcome() {{ if !has(opponent(), \"man\") {{ win(mover(), \"all captured\"); }} \
             if round() > 99 {{ draw(\"long\"); }} }}\n"
        )
    };
    let found = warnings(&game("play(captures().or_else(along(\"way\", roll(\"1d6\"))));"));
    assert!(found.iter().any(|one| one.contains("`captures` selects from the movement of the pieces")), "{found:?}");
    assert!(found.iter().any(|one| one.contains("(captures(..) & moves).or_else(moves)")), "{found:?}");
    let right = "let moves = along(\"way\", roll(\"1d6\")); play((captures() & moves).or_else(moves));";
    assert_eq!(warnings(&game(right)), Vec::<String>::new());
}
