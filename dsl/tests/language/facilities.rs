//! What the language offers beyond chess, in trees, hashes and texts. Pushes, partners and hands are tested in
//! `plays/facilities.play`.

use crate::common::{choose, game, moves, play, roll, start, text};

const STONES: &str = r#"board(5, 3); sides(["First", "Second"]); piece("man", "M", "W"); royals("capturable");"#;

#[test]
fn dice_are_held_and_reckoned_with_unseen() {
    let script = "counter(\"pool\", 0, #{ each: true, places: 6 }); counter(\"sum\", 0);
        fn turn() {
            let dice = cast(\"3d6\");
            keep(dice, \"pool\", mover());
            set(\"sum\", max(dice.total - 2 * dice[0], 3));
            spend(\"pool\", mover(), highest(\"pool\", mover()));
            if number(\"sum\") >= 10 { award(opponent(), number(\"sum\")); draw(\"ten\"); }
        }";
    let loaded = game(&format!("{STONES} {script} setup(\"5/Mm3/5 w\");"));
    let mut state = start(&loaded);
    roll(&mut state, &[4, 4, 2]);
    assert_eq!(text(&state), "5/Mm3/5 b - - 0 1 pool=0,1,0,1,0,0/0,0,0,0,0,0 sum=3");
    roll(&mut state, &[1, 6, 6]);
    let over = state.over().expect("the end");
    // In half points.
    assert_eq!(over.points, Some([22, 0, 0, 0, 0, 0, 0, 0]));
    // The faces make no branches: two paths, whatever was rolled.
    assert!(loaded.set.rules.report()[0].nodes < 40);
}

/// A number that leaves its bounds is a mistake of a rule, which the error names.
#[test]
fn numbers_that_leave_their_bounds_name_the_rule() {
    for turn in [
        r#"add("stake", mover(), 768)"#,
        r#"set("stake", mover(), number("stake", mover()) * -2)"#,
        r#"add(squares_of(mover()), "health", 1)"#,
        r#"to_hand(mover(), "man", number("stake", mover()) * 2)"#,
    ] {
        let script = format!(
            r#"board(4, 1); piece("man", "M", "W"); setup("M2m w"); hands("nobody");
            counter("stake", 32000, #{{ each: true }}); piece_trait("health", 32767);
            fn turn() {{ play(any()); {turn}; }}"#
        );
        let mut state = start(&game(&script));
        let paid = state.moves()[0];
        assert_eq!(state.play(paid).expect_err(turn).rule.as_deref(), Some("turn"), "{turn}");
    }
}

/// Sixteen positions that differ only in castling rights are sixteen positions.
#[test]
fn rights_to_castle_tell_positions_apart() {
    let chess = astragal_dsl::load_named("chess", &[]).expect("chess");
    let hash = |rights: &str| {
        let text = format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
        astragal_dsl::notation::fen::parse(&chess.set.variant, &text).expect("a position").position.hash()
    };
    let written = |set: u8| -> String {
        let rights: String = "KQkq".chars().enumerate().filter(|(i, _)| set >> i & 1 != 0).map(|(_, c)| c).collect();
        if rights.is_empty() { "-".into() } else { rights }
    };
    let all: std::collections::BTreeSet<u64> = (0..16).map(|set| hash(&written(set))).collect();
    assert_eq!(all.len(), 16);
}

/// Hands and the traits of pieces tell positions apart, as the pieces on squares do.
#[test]
fn numbers_tell_positions_apart() {
    let loaded = game(
        r#"board(4, 4); sides(["First", "Second"]); piece("man", "M", "W"); hands("nobody"); counter("debt", 0);
        piece_trait("tired", 0); setup("m3/4/4/3M w");
        fn turn() {
            let mv = play(any());
            let what = choose(["nothing", "debt", "tired", "hand", "more"]);
            if what == "debt" { add("debt", 1); }
            if what == "more" { add("debt", 2); }
            if what == "tired" { set(mv.to, "tired", 1); }
            if what == "hand" { to_hand(mover(), "man", 1); }
        }"#,
    );
    let hash = |what: &str| {
        let mut state = start(&loaded);
        play(&mut state, "d1d2");
        choose(&mut state, what);
        state.position().hash()
    };
    let all: std::collections::BTreeSet<u64> = ["nothing", "debt", "tired", "hand", "more"].map(hash).into();
    assert_eq!(all.len(), 5);
}

#[test]
fn more_in_hand_than_can_be_held_is_pointed_at() {
    let loaded = game(r#"board(4, 4); piece("man", "M", "W"); hands("nobody"); setup("m3/4/4/3M w");"#);
    let read = |text: &str| astragal_dsl::notation::fen::parse(&loaded.set.variant, text);
    assert!(read("m3/4/4/3M[998MM2m] w").is_ok());
    let error = read("m3/4/4/3M[998M12M] w").expect_err("1010 pieces are too many");
    assert_eq!(
        (error.expected.as_str(), &error.input[error.span.clone()]),
        ("at most 999 pieces of a kind in hand", "12M")
    );
}

#[test]
fn only_moves_of_the_board_have_their_form() {
    let loaded = game(r#"board(4, 4); piece("man", "M", "W"); hands("nobody"); setup("m3/4/4/3M w");"#);
    let is_move = |text: &str| astragal_dsl::notation::is_move(&loaded.set.variant, text);
    for text in ["M@a1", "m@d4", "a1a2", "Ma2"] {
        assert!(is_move(text), "{text}");
    }
    for text in ["X@a1", "M@e5", "X@e5", "a1a9", "resign"] {
        assert!(!is_move(text), "{text}");
    }
}

/// `moves_of` gives the moves of the kinds, including their castling, whichever kinds castle.
#[test]
fn moves_of_a_kind_include_its_castling() {
    let script = |permit: &str| {
        format!(
            r#"piece("king", "K", "K"); piece("prince", "P", "N"); piece("rook", "R", "R");
            setup("4k3/8/8/8/8/8/8/R1P1K2R w KQ - 0 1");
            castling("K", "e1g1", "h1f1"); castling("Q", "c1b1", "a1c1");
            fn turn() {{ play({permit}) }}"#
        )
    };
    let of = |permit: &str| moves(&start(&game(&script(permit))));
    assert_eq!(of(r#"moves_of("prince")"#), ["c1a2", "c1b1", "c1b3", "c1d3", "c1e2"]);
    assert_eq!(of(r#"moves_of("king")"#), ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2", "e1g1"]);
    assert_eq!(of(r#"moves_of("rook")"#), of(r#"pieces("rook")"#));
    assert_eq!(of(r#"moves_of(["king", "prince"])"#), of(r#"pieces(["king", "prince"]) | castling()"#));
    assert_eq!(of(r#"moves_of(["king", "prince", "rook"])"#), of("any()"));
    assert_eq!(of(r#"any() - moves_of("king")"#), of(r#"moves_of(["prince", "rook"])"#));
    assert_eq!(of(r#"(any() - castling()) & pieces("king")"#), of(r#"pieces("king")"#));
    // Castling is neither outdone by a step nor does it outdo one.
    let king = of(r#"moves_of("king").longest()"#);
    assert!(king.contains(&"e1f1".into()) && king.contains(&"e1g1".into()), "{king:?}");
}

/// Which kind is written without its letter is declared separately.
#[test]
fn kinds_are_unlettered_by_declaration() {
    let loaded = game(
        r#"board(5, 5); piece("scout", "S", "K", #{ unlettered: true });
        piece("stone", "T", "W", #{ clock: true, unlettered: false }); piece("pawn", "P", "fW", #{ clock: true });
        setup("5/s1t1p/5/5/S1T1P w - - 0 1");"#,
    );
    let state = start(&loaded);
    let mut texts: Vec<String> =
        state.moves().iter().map(|paid| astragal_dsl::record::move_text(&state, *paid)).collect();
    texts.sort();
    assert_eq!(texts, ["Tb1", "Tc2", "Td1", "a2", "b1", "b2", "e2"]);
    for text in &texts {
        let found = astragal_dsl::game_text::find_move(&state, text, None).expect("a move");
        assert_eq!(astragal_dsl::record::move_text(&state, found), *text);
    }
}

/// The length of a list has no upper bound that could be exceeded: `check` does not complain about what may be an entry.
#[test]
fn a_count_without_bounds_is_no_wrong_entry() {
    let text = "title(\"A race\"); board(5, 1); piece(\"man\", \"M\", \"sW\"); counter(\"luck\", 0); setup(\"M3m w\");\n\
                fn turn() { let sixes = roll(\"4d6\").filter(|die| die == 6).len(); let list = [1, 2, 3, 4, 5];\n\
                set(\"luck\", list[sixes]); play(any()); }";
    let source = astragal_dsl::Source { name: "race".into(), path: None, text: text.into() };
    let found = astragal_dsl::check(&source);
    assert!(found.iter().all(|one| one.severity != astragal_dsl::Severity::Error), "{found:?}");
}
