//! Rules `movement` in records, and those that change nothing. What they say about the pieces is tested in
//! `plays/movement.play`.

use crate::common::{game, moves, sequences, start};
use astragal_core::{Game, State};
use astragal_dsl::notation::{coord, fen};
use astragal_dsl::{Loaded, record};

/// A piece right in front of a friendly one moves as that one, and not as itself.
const BACKED: &str = r#"
    import "chess" as chess;
    chess::army();
    piece("pawn", #{ betza: "mfWcfF", promotes: "queen" });
    setup("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");

    fn movement() {
        let lent = nothing();
        for kind in ["pawn", "knight", "bishop", "rook", "queen", "king"] {
            lent = lent | moves_like(kind, shifted(squares_of(mover(), kind), 0, 1));
        }
        any() - from(shifted(squares_of(mover()), 0, 1)) | lent
    }

    fn outcome() {
        if !between_turns() { return; }
        if mated(to_move()) { win(mover(), "checkmate"); }
        if stalemated(to_move()) { draw("stalemate"); }
    }
"#;

/// The game from a position; with only board and side given, nobody has moved and nobody castles.
fn at(loaded: &Loaded, position: &str) -> State {
    let whole = if position.split(' ').count() == 2 { format!("{position} - - 0 1") } else { position.into() };
    State::new(loaded.set.clone(), fen::parse(&loaded.set.variant, &whole).expect(position).position).expect(position)
}

#[test]
fn own_kinds_promote_and_the_same_move_is_listed_once() {
    let loaded = game(
        r#"
        piece("pawn", "P", "mfW", #{ promotes: ["rook", "wazir"] });
        piece("rook", "R", "R"); piece("wazir", "W", "W"); piece("king", "K", "K", #{ royal: true });
        setup("k7/4P3/8/8/8/8/8/K7 w - - 0 1");
        fn turn() { play(moves_like(["rook", "wazir", "king"], squares_of(mover(), "pawn"))) }
        "#,
    );
    let state = start(&loaded);
    let to_last: Vec<String> = moves(&state)
        .into_iter()
        .filter(|name| name[2..].starts_with(['d', 'e', 'f']) && name.as_bytes()[3] == b'8')
        .collect();
    assert_eq!(to_last, ["e7d8r", "e7d8w", "e7e8r", "e7e8w", "e7f8r", "e7f8w"]);
    // The rook's 14 and the king's 4 aslant, of which three and two of the last rank count twice: e8, d8, f8.
    assert_eq!(moves(&state).len(), 14 + 4 + 3);
}

/// A pawn that moves like another piece may have to be identified by its rank, as in 4b2, which a record would read as the
/// second move of the fourth turn.
#[test]
fn records_tell_pawns_apart_by_their_squares() {
    let loaded = game(BACKED);
    let start = at(&loaded, "4k3/8/8/8/P7/N7/P7/R3K3 w").position().clone();
    for wanted in ["a4b2", "a2b2"] {
        let mut played = Game::new(loaded.set.clone(), start.clone(), 1).expect("a game");
        let paid = played
            .state()
            .moves()
            .iter()
            .copied()
            .find(|paid| coord::write(&loaded.set.variant, played.state().position(), paid.mv) == wanted);
        played.play(paid.expect("a move")).expect("a legal move");
        let written = record::write(&loaded, &played, &[]);
        assert!(written.contains(wanted), "{written}");
        let (_, again) = record::read(&written, |_, _| Ok(loaded.clone())).expect("a record");
        assert_eq!(again.state().position().hash(), played.state().position().hash(), "{written}");
    }
}

#[test]
fn a_movement_that_is_any_move_changes_nothing() {
    let plain = r#"import "chess" as chess; chess::setup(); chess::draw_options();
        fn outcome() { if between_turns() { chess::mate_or_draw(); } }"#;
    let ruled = format!("{plain} fn movement() {{ any() }}");
    let (plain, ruled) = (game(plain), game(&ruled));
    let positions = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    ];
    for position in positions {
        let (one, other) = (at(&plain, position), at(&ruled, position));
        assert_eq!(moves(&one), moves(&other), "{position}");
        assert_eq!(sequences(&one, 2), sequences(&other, 2), "{position}");
    }
}
