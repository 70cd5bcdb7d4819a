//! Marks on squares as part of the position. How they are used and misused is tested in `plays/marks.play`.

use crate::common::{game, moves, play, start, text};
use astragal_core::Square;
use astragal_dsl::Loaded;
use astragal_dsl::notation::fen;

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

#[test]
fn positions_with_wrong_marks_are_refused() {
    let loaded = burning();
    let error = |text: &str| fen::parse(&loaded.set.variant, text).expect_err(text).to_string();
    assert!(error("4/3q/Q3/4 w - - 2 2 burnt=a1/b1").contains("squares, separated by ','"));
    assert!(error("4/3q/Q3/4 w - - 2 2 burnt=z9").contains("a square"));
    assert!(error("4/3q/Q3/4 w - - 2 2 burned=a1").contains("burnt"));
}
