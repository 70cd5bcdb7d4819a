//! Games whose rule `movement` says what the pieces can do: Knight Relay Chess, a chess in which pieces move as what stands
//! behind them (as in Annan shogi), and pieces that move as a die shows.
//!
//! The positions and figures are from the published rules or from a program of its own kind: it has a dictionary of pieces,
//! lists what they reach from the rules in plain words, makes each move, and looks whether a reply would take the king.

mod common;

use astragal_core::{Game, State};
use astragal_dsl::notation::{coord, fen};
use astragal_dsl::{Loaded, Source, check, explain, load, record};
use common::{game, moves, play, roll, start, text};

/// As told by en.wikipedia.org and brainking.com (Mannis Charosh, 1972): pieces that a friendly knight guards, kings and
/// knights aside, move as knights too; knights neither capture nor are captured; pawns get to neither end of the board like
/// that, and do not capture en passant.
const RELAY: &str = r#"
    import "chess" as chess;
    const VICTIMS = ["pawn", "bishop", "rook", "queen", "king"];
    chess::army();
    piece("knight", #{ betza: "mN" });
    piece("pawn", #{ betza: "mfWcfFimfnD" });
    for kind in VICTIMS { piece(kind, #{ takes: VICTIMS }); }
    piece("relay", "X", "N", #{ takes: VICTIMS });
    setup("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    chess::castlings(true);

    fn movement() {
        let guarded = hops(squares_of(mover(), "knight"));
        any() | moves_like("relay", guarded & squares_of(mover(), ["bishop", "rook", "queen"]))
            | (moves_like("relay", guarded & squares_of(mover(), "pawn")) - to(rank(1) | rank(8)))
    }

    fn hops(from) {
        shifted(from, 1, 2) | shifted(from, 2, 1) | shifted(from, 2, -1) | shifted(from, 1, -2)
            | shifted(from, -1, -2) | shifted(from, -2, -1) | shifted(from, -2, 1) | shifted(from, -1, 2)
    }

    fn outcome() {
        if !between_turns() { return; }
        if mated(to_move()) { win(mover(), "checkmate"); }
        if stalemated(to_move()) { draw("stalemate"); }
    }
"#;

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

/// The number of sequences of so many moves.
fn sequences(state: &State, depth: u32) -> u64 {
    let all = state.moves().to_vec();
    if depth == 1 {
        return all.len() as u64;
    }
    let after = all.into_iter().map(|paid| {
        let mut next = state.clone();
        next.play(paid).expect("a move");
        sequences(&next, depth - 1)
    });
    after.sum()
}

fn over(state: &State) -> Option<String> {
    state.over().map(|over| over.reason.to_string())
}

#[test]
fn the_published_example_of_knight_relay_chess() {
    let loaded = game(RELAY);
    let mut state = at(&loaded, "3k4/1N6/4P3/p7/3N4/Q1n5/2n5/4K3 w");
    // The pawn that the knight on d4 guards goes like one, but not to the last rank: no check to the king on d8.
    let pawn: Vec<String> = moves(&state).into_iter().filter(|name| name.starts_with("e6")).collect();
    assert_eq!(pawn, ["e6c5", "e6c7", "e6e7", "e6f4", "e6g5", "e6g7"]);
    // The queen does not take the knight, nor the knight the pawn; the king is not in check from the knight on c2.
    assert_eq!(moves(&state).len(), 31);
    assert!(!moves(&state).iter().any(|name| ["a3c3", "b7a5"].contains(&name.as_str())));
    // Queen to d6 mates: the knight on b7 relays to it, so that it attacks c8 and e8.
    play(&mut state, "a3d6");
    assert_eq!(over(&state).as_deref(), Some("checkmate"));
}

#[test]
fn relayed_moves_check_and_mate() {
    let loaded = game(RELAY);
    // The diagram of vchess.club: a knight to f4 guards the queen on g6, and mates.
    let mut state = at(&loaded, "7k/8/6Q1/1n6/8/2r5/4N3/K7 w");
    assert_eq!(over(&state), None);
    play(&mut state, "e2f4");
    assert_eq!(over(&state).as_deref(), Some("checkmate"));
    // Before it Black, who could take the knight by a relayed move, may not: knights are not taken.
    assert_eq!(moves(&at(&loaded, "7k/8/6Q1/1n6/8/2r5/4N3/K7 b")).len(), 25);
}

#[test]
fn a_relayed_move_gets_out_of_mate() {
    let loaded = game(RELAY);
    // A mate on the back rank, were it not for the rook on g6: the knight on h4 guards it, so that it takes on f8.
    let state = at(&loaded, "5R1k/6pp/6r1/8/7n/8/8/K7 b");
    assert_eq!((over(&state), moves(&state)), (None, vec!["g6f8".to_string()]));
    let mated = at(&loaded, "5R1k/6pp/6r1/n7/8/8/8/K7 b");
    assert_eq!(over(&mated).as_deref(), Some("checkmate"));
    // Beside kings that can hardly move: what is not stalemate for a relayed move alone.
    let stalemate = at(&loaded, "8/8/8/8/8/5k2/5p2/5K2 w");
    assert_eq!(over(&stalemate).as_deref(), Some("stalemate"));
}

#[test]
fn knight_relay_chess_has_as_many_moves_as_by_brute_force() {
    let loaded = game(RELAY);
    assert_eq!([1, 2, 3].map(|depth| sequences(&start(&loaded), depth)), [28, 784, 24_044]);
    let example = at(&loaded, "3k4/1N6/4P3/p7/3N4/Q1n5/2n5/4K3 w");
    assert_eq!([1, 2, 3].map(|depth| sequences(&example, depth)), [31, 394, 12_344]);
    let crowded = at(&loaded, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w");
    assert_eq!([1, 2].map(|depth| sequences(&crowded, depth)), [61, 2304]);
    // The last one at most before mate: whose king stands in check, and what he may do.
    for (position, legal) in [
        ("2q5/Q3R3/5Pr1/6k1/3n4/1B2q3/8/3K1q2 w", ""),
        ("8/5p2/2R4p/1kQQ4/6B1/K3nq2/8/8 b", ""),
        ("8/7k/1K6/8/4Q3/2R4R/6Qq/1Q6 b", ""),
        ("2k5/8/8/2rN4/1r2n3/2r5/N3K3/3r3q w", "e2f2"),
        ("3k4/2N1n3/b5K1/3q1p2/8/7q/1B4q1/8 w", ""),
        ("6n1/3b4/2R5/3QK2Q/8/R7/8/6kQ b", "g1f2"),
        ("1K3b1B/2N3n1/7p/8/1BP5/3k4/4Q3/5Q2 b", "d3d4"),
        ("1N6/2Q5/1Q2k3/2p5/4PN2/2R5/4K3/8 b", ""),
        ("8/q5bn/3Q4/8/2qKn3/8/3N1B2/k7 w", "d4c4"),
        ("1R6/6np/3K4/8/2r5/8/2R5/5kQ1 b", "f1g1"),
        ("qr6/K2r3q/8/5Q2/Pk6/7r/8/8 w", ""),
        ("8/Q7/8/8/k6R/3K3p/Q7/B7 b", "a4b5"),
        ("7K/2Q2B2/4P1kQ/8/2b5/5qn1/3B4/8 b", "g6f5"),
        ("K7/q7/8/1b2r3/4k2n/8/3QB3/7n w", "a8a7"),
    ] {
        mated_but_for(&loaded, position, legal);
    }
}

/// Whether a position is mate, or the one move is all that gets out of check.
fn mated_but_for(loaded: &Loaded, position: &str, legal: &str) {
    let state = at(loaded, position);
    match legal {
        "" => assert_eq!(over(&state).as_deref(), Some("checkmate"), "{position}"),
        legal => assert_eq!((over(&state), moves(&state).join(" ")), (None, legal.to_string()), "{position}"),
    }
}

#[test]
fn pieces_that_move_as_what_stands_behind_them() {
    let loaded = game(BACKED);
    assert_eq!([1, 2].map(|depth| sequences(&start(&loaded), depth)), [49, 2276]);
    let crowded = at(&loaded, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w");
    assert_eq!([1, 2].map(|depth| sequences(&crowded, depth)), [30, 1129]);
    // A rook before its king moves as a king: it attacks nobody on the other side of the board, by its own movement.
    let state = at(&loaded, "k7/8/8/8/R7/K7/8/8 b");
    assert_eq!(moves(&state), ["a8a7", "a8b7", "a8b8"]);
    // A knight before a rook moves as a rook.
    assert_eq!(moves(&at(&loaded, "k7/8/8/8/K7/8/N7/R7 w")).len(), 20);
    for (position, legal) in [
        ("8/2b5/5qN1/3n4/k4K2/3b4/2p5/1R2rq2 w", "f4g4"),
        ("8/P7/N7/8/kQ6/2p1b3/B7/K7 b", ""),
        ("2R5/3B3Q/5K2/3BQ3/b1Q5/4B3/3k4/4n3 b", "d2d1"),
        ("R7/2Pq4/8/8/4bN2/Rr4R1/5K2/k5R1 b", "a1b2"),
        ("1q5R/N2rN3/1P6/8/4p3/5k2/7b/5rK1 w", "g1f1"),
        ("8/6Q1/4kQb1/8/1b6/8/8/2K5 b", "e6d5"),
        ("8/8/1Q1N3Q/N7/6P1/8/2K5/7k b", "h1g2"),
        ("4Q3/k1Q5/6q1/2NK4/q7/8/1n3B2/8 b", ""),
        ("1Rk1q3/Q7/8/6p1/6n1/8/1KQ5/2RN4 b", ""),
        ("3r4/3nPp2/5B2/2N5/4B2q/1k6/4K3/4Q3 b", "b3a3"),
        ("8/8/7R/2P5/8/4K2k/4N3/4n3 b", ""),
        ("3bk3/r1p3r1/8/K7/4P1p1/3n4/4p3/7b w", "a5b5"),
        ("3K4/4Q3/6Q1/7k/5Qp1/4Q3/2B4N/6n1 b", ""),
        ("8/6q1/2N2nK1/8/4N3/8/8/1k4q1 w", "g6f5"),
    ] {
        mated_but_for(&loaded, position, legal);
    }
}

#[test]
fn castling_goes_by_what_movement_says_is_attacked() {
    let loaded = game(RELAY);
    let castles = |position: &str| moves(&at(&loaded, position)).contains(&"e1g1".to_string());
    // The rook on d2 attacks f1 only if the knight on b3 relays to it.
    assert!(!castles("4k3/8/8/8/8/1n6/3r4/4K2R w K - 0 1"));
    assert!(castles("4k3/8/8/8/8/n7/3r4/4K2R w K - 0 1"));
    // Here a rook attacks f1 by its own movement, but stands before its king, as which it moves (Black's forward is down).
    let backed = game(&BACKED.replace("fn movement", "chess::castlings(true);\n    fn movement"));
    let castles = |position: &str| moves(&at(&backed, position)).contains(&"e1g1".to_string());
    assert!(castles("5k2/5r2/8/8/8/8/8/4K2R w K - 0 1"));
    assert!(!castles("6k1/5r2/8/8/8/8/8/4K2R w K - 0 1"));
}

#[test]
fn why_tells_who_attacks_by_the_rule() {
    let loaded = game(RELAY);
    let why = |position: &str, mv: &str| {
        let position = fen::parse(&loaded.set.variant, position).unwrap().position;
        let play = Game::new(loaded.set.clone(), position, 1).unwrap();
        explain::why(&loaded, &play, mv).unwrap().text()
    };
    let position = "4k3/8/8/8/8/1n6/3r4/4K2R w K - 0 1";
    assert!(why(position, "e1f1").contains("the king would be attacked on f1 by the rook on d2, as `movement` has it"));
    assert!(why(position, "e1g1").contains("f1 is attacked by the rook on d2, as `movement` has it"));
    let checked = why("5R1k/6pp/6r1/8/7n/8/8/K7 b - - 0 1", "h7h6");
    assert!(checked.contains("the king on h8 is in check from the rook on f8, as `movement` has it"), "{checked}");
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

#[test]
fn a_die_says_how_all_pieces_move() {
    // The die that was rolled last stays on the table: by it both sides move, and check is given.
    let loaded = game(
        r#"
        import "chess" as chess;
        const FACES = ["pawn", "knight", "bishop", "rook", "queen", "king"];
        counter("die", 1);
        chess::army();
        setup("3k4/8/8/8/8/8/8/N2K4 w - - 0 1 die=1");

        fn movement() { moves_like(FACES[get("die") - 1], squares_of(mover())) }

        fn turn() {
            set("die", roll("1d6"));
            play(movement())
        }

        fn outcome() { if between_turns() && mated(to_move()) { win(mover(), "checkmate"); } }
        "#,
    );
    let mut state = start(&loaded);
    roll(&mut state, &[2]);
    // Both move as knights: the king to b2, c3, e3 and f2, the knight from the corner to b3 and c2.
    assert_eq!(moves(&state), ["a1b3", "a1c2", "d1b2", "d1c3", "d1e3", "d1f2"]);
    let mut state = start(&loaded);
    roll(&mut state, &[4]);
    // As rooks: the kings look at each other on the file, and the one to move takes the other or leaves it.
    assert_eq!(moves(&state), ["d1b1", "d1c1", "d1d8", "d1e1", "d1f1", "d1g1", "d1h1"]);
    // The king on d8 attacks d1 as a rook and as a queen.
    let checked = |die: u8| {
        let position = format!("3k4/8/8/8/8/8/8/N2K4 w - - 0 1 die={die}");
        in_check(&loaded, &position)
    };
    assert_eq!([1, 2, 3, 4, 5, 6].map(checked), [false, false, false, true, true, false]);
    assert!(text(&state).contains("die=4"));
}

/// Whether the side to move is in check.
fn in_check(loaded: &Loaded, position: &str) -> bool {
    let script = loaded
        .source
        .text
        .replace("fn outcome()", "fn outcome() { if in_check(to_move()) { draw(\"check\"); } }\nfn other()");
    over(&at(&game(&script), position)).as_deref() == Some("check")
}

/// A pawn that moves like another piece may have to be told by its rank, as 4b2: in a record that would be the second move of
/// the fourth turn.
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

#[test]
fn movement_only_looks_and_gives_a_permit() {
    let refused = |rule: &str| {
        let text = format!(
            "import \"chess\" as chess; chess::setup(); chess::draw_options(); counter(\"n\", 0); fn outcome() {{ if between_turns() {{ chess::mate_or_draw(); }} }} {rule}"
        );
        let source = Source { name: "game".into(), path: None, text };
        let played = load(&source, &[]).ok().map(|loaded| State::new(loaded.set.clone(), loaded.start).map(|_| ()));
        let said: Vec<String> = check(&source).iter().map(|found| found.message.clone()).collect();
        (
            played.map_or("is not loaded".into(), |result| {
                result.map_or_else(|e| e.to_string(), |()| "is played".into())
            }),
            said.join("\n"),
        )
    };
    for (rule, played, said) in [
        (
            "fn movement() { if roll(\"1d6\") == 1 { any() } else { nothing() } }",
            "only looks: rolling dice",
            "cannot roll dice",
        ),
        ("fn movement() { play(any()); any() }", "only looks: a decision", "cannot let anybody move"),
        ("fn movement() { choose([1, 2]); any() }", "only looks: a decision", "cannot let anybody"),
        ("fn movement() { set(\"n\", 1); any() }", "only looks: a change", "only looks: a change"),
        ("fn movement() { let a = any(); }", "a permit, not nothing", "a permit, not nothing"),
        ("fn movement() { \"any\" }", "a permit, not a text", "a permit, not a text"),
        ("fn movement() { any().where(|mv| !in_check(opponent())) }", "cannot depend on them", "cannot depend on them"),
        (
            "fn movement() { if in_check(mover()) { any() } else { nothing() } }",
            "cannot depend on them",
            "cannot depend on them",
        ),
    ] {
        let (found, told) = refused(rule);
        assert!(found.contains(played), "{rule}: {found}");
        assert!(told.contains(said), "{rule}: {told}");
    }
    assert!(refused("fn movment() { any() } fn turn() { play(any()) }").1.contains("there is no rule `movement`"));
    assert!(refused("fn movement(side) { any() }").1.contains("takes no parameters"));
}
