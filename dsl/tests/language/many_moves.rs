//! Tens of thousands of moves: writing and reading one looks at each of the others once, and does not compare all pairs.

use astragal_core::State;
use astragal_dsl::{Source, game_text, load};
use std::sync::Arc;
use std::time::{Duration, Instant};

const FULL: &str = r#"
board(16, 16);
piece("queen", "Q", "Q");
setup("QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq/QqQqQqQqQqQqQqQq w");
fn turn() { let all = squares("a1-p16"); play(way(all, all)); }
"#;

/// Of 16,384 moves, 30 are written and read. When each of them looked at all pairs, one took seconds.
#[test]
fn a_move_among_very_many_is_soon_written_and_read() {
    let source = Source { name: "full".into(), path: None, text: FULL.into() };
    let loaded = load(&source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let state = State::new(Arc::clone(&loaded.set), loaded.start.clone()).expect("the rules run");
    assert_eq!(state.moves().len(), 128 * 128);
    let begun = Instant::now();
    for paid in state.moves().iter().step_by(546) {
        let text = game_text::shown_move(&state, *paid);
        assert_eq!(game_text::find_move(&state, &text, None).expect("it is legal"), *paid, "{text}");
    }
    let nonsense = game_text::find_move(&state, "nonsense", None).expect_err("no move").to_string();
    assert!(nonsense.contains("did you mean") || nonsense.contains("legal here"), "{nonsense}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}
