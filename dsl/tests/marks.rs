//! Marks on squares, squares to be remembered, and squares in all the ways in which they can be given.

mod common;

use astragal_core::{Square, State};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, Source, load};
use common::{game, moves, play, start, text};

const QUEENS: &str = r#"title("Queens"); board(4, 4); sides(["White", "Black"]); piece("queen", "Q", "Q");
    royals("capturable"); setup("3q/4/4/Q3 w");"#;

/// Each move burns the square that it leaves, for good: nobody goes there or stands there again.
fn burning() -> Loaded {
    game(&format!(
        "{QUEENS} marks(\"burnt\"); fn turn() {{
            let mv = play((any() - captures()) & to(empty_squares() - marked(\"burnt\")));
            if mv == () {{ return win(opponent(), \"no square left\"); }}
            mark(mv.from, \"burnt\");
        }}"
    ))
}

#[test]
fn marks_stay_on_their_squares_and_are_part_of_the_position() {
    let mut state = start(&burning());
    play(&mut state, "a1a2");
    assert!(text(&state).ends_with(" burnt=a1"), "{}", text(&state));
    play(&mut state, "d4d3");
    assert!(text(&state).ends_with(" burnt=a1,d4"), "{}", text(&state));
    assert!(!moves(&state).contains(&"a2a1".into()), "the square is burnt");
    assert!(moves(&state).contains(&"a2a4".into()));
    // The same placement with other marks is another position.
    let loaded = burning();
    let read = |text: &str| fen::parse(&loaded.set.variant, text).expect("a position").position;
    let (one, other) = (read("4/3q/Q3/4 w - - 2 2 burnt=a1,d4"), read("4/3q/Q3/4 w - - 2 2 burnt=a1"));
    assert_eq!(one.hash(), state.position().hash());
    assert_ne!(one.hash(), other.hash());
    let marked = one.marked(&loaded.set.variant, 0, astragal_core::Side(1));
    assert_eq!(marked.into_iter().collect::<Vec<_>>(), [Square(0), Square(15)]);
}

/// A square is remembered for one turn: nobody may take back where was taken last.
#[test]
fn one_square_is_remembered() {
    let loaded = game(&format!(
        "{QUEENS} setup(\"1q1q/4/4/QQ2 w\"); marks(\"ko\"); fn turn() {{
            let mv = play(any() - (captures() & to(marked(\"ko\"))));
            unmark(\"ko\");
            if mv.is_capture {{ mark(mv, \"ko\"); }}
        }}"
    ));
    let mut state = start(&loaded);
    play(&mut state, "b1b4");
    assert!(text(&state).ends_with(" ko=b4"), "{}", text(&state));
    assert!(!moves(&state).contains(&"d4b4".into()));
    assert!(moves(&state).contains(&"d4a1".into()), "another capture is allowed: {:?}", moves(&state));
    play(&mut state, "d4d3");
    assert!(!text(&state).contains("ko="), "{}", text(&state));
}

#[test]
fn each_side_has_its_own() {
    let loaded = game(&format!(
        "{QUEENS} marks(\"claimed\", #{{ each: true }}); fn turn() {{
            let mv = play(any());
            mark(mv, \"claimed\");
            unmark(mv, \"claimed\", opponent());
        }}
        fn outcome() {{ if marked(\"claimed\", mover()).count() > 2 {{ win(mover(), \"three squares\"); }} }}"
    ));
    let mut state = start(&loaded);
    for name in ["a1a2", "d4c4", "a2a3", "c4a2"] {
        play(&mut state, name);
    }
    assert!(text(&state).ends_with(" claimed=a3/a2,c4"), "{}", text(&state));
    play(&mut state, "a3b3");
    play(&mut state, "a2b2");
    assert_eq!(state.over().map(|over| over.reason.as_str()), Some("three squares"));
}

#[test]
fn positions_with_wrong_marks_are_refused() {
    let loaded = burning();
    let error = |text: &str| fen::parse(&loaded.set.variant, text).expect_err(text).to_string();
    assert!(error("4/3q/Q3/4 w - - 2 2 burnt=a1/b1").contains("squares, separated by ','"));
    assert!(error("4/3q/Q3/4 w - - 2 2 burnt=z9").contains("a square"));
    assert!(error("4/3q/Q3/4 w - - 2 2 burned=a1").contains("burnt"));
}

/// What a script with this rule says when it is loaded, or when its game begins.
fn fails(rules: &str) -> String {
    let source = Source { name: "game".into(), path: None, text: format!("{QUEENS} {rules}") };
    match load(&source, &[]) {
        Err(error) => error.render(false),
        Ok(loaded) => State::new(loaded.set.clone(), loaded.start.clone()).err().expect("an error").to_string(),
    }
}

#[test]
fn mistakes_are_named() {
    assert!(fails("fn turn() { mark(\"a1\", \"burnt\"); }").contains("no marks called \"burnt\""));
    assert!(fails("marks(\"burnt\"); fn turn() { mark(\"a1\", \"brunt\"); }").contains("did you mean \"burnt\"?"));
    assert!(fails("marks(\"burnt\"); fn turn() { mark(\"a1\", \"burnt\", mover()); }").contains("belong to no side"));
    assert!(fails("counter(\"burnt\", 0); marks(\"burnt\");").contains("already a counter called \"burnt\""));
    assert!(fails("marks(\"burnt\"); marks(\"burnt\");").contains("already a sort of mark"));
}

/// Squares may be written as they are in declarations, and a set of one square is a square.
#[test]
fn squares_in_all_their_spellings() {
    let first = |permit: &str| moves(&start(&game(&format!("{QUEENS} fn turn() {{ play({permit}) }}"))));
    assert_eq!(first("to(\"a2 a3-b4\")"), ["a1a2", "a1a3", "a1a4"]);
    assert_eq!(first("any() & from(\"a1-d1\")").len(), first("any()").len());
    let near = "to(\"a2\").where(|m| distance(squares_of(mover()), m.to) == 1)";
    assert_eq!(first(near), ["a1a2"]);
    assert!(
        fails("fn turn() { relocate(squares(\"a1 d4\"), \"b1\"); play(any()) }")
            .contains("one square is wanted here, and this set has 2")
    );
}
