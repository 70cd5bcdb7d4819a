//! What the language offers beyond chess: pushes, partners, hands, pools of dice, unseen numbers, points.
//!
//! Each test is a small game of its own; the games of the gallery use the same facilities.

mod common;

use astragal_core::{Choice, Status};
use common::{game, moves, play, roll, start, text};

const STONES: &str = r#"board(5, 3); sides(["First", "Second"]); piece("man", "M", "W"); royals("capturable");"#;

#[test]
fn pushes_move_whole_lines_until_the_edge() {
    let loaded = game(&format!("{STONES} setup(\"5/M1mm1/5 w\"); fn turn() {{ play(pushes(2)) }}"));
    let mut state = start(&loaded);
    // Right: one step, then the line goes along. Up and down: the edge stops it after one.
    assert_eq!(moves(&state), ["a2a1", "a2a2", "a2a3", "a2c2"]);
    play(&mut state, "a2c2");
    assert_eq!(text(&state), "5/2Mmm/5 b - - 1 1");
    assert!(!moves(&state).contains(&"d2f2".into()));
}

#[test]
fn pushes_over_the_edge_capture() {
    let script = "fn turn() { play(pushes(2, #{ over_edge: true })) }
        fn outcome() { if !has(opponent(), 1) { win(mover(), \"nobody left\") } }";
    let loaded = game(&format!("{STONES} setup(\"5/2Mmm/5 w\"); {script}"));
    let mut state = start(&loaded);
    play(&mut state, "c2e2");
    assert_eq!(state.over().and_then(|over| over.winner).map(|side| side.0), Some(0));
}

#[test]
fn moved_men_are_known() {
    let script = "counter(\"score\", 0, #{ each: true });
        fn turn() { let mv = play(pushes(2)); for s in mv.moved { add(\"score\", s.side, 1); } }";
    let loaded = game(&format!("{STONES} {script} setup(\"5/M1mm1/5 w\");"));
    let mut state = start(&loaded);
    play(&mut state, "a2c2");
    assert_eq!(text(&state), "5/2Mmm/5 b - - 1 1 score=1/2");
}

#[test]
fn partners_spare_each_other() {
    let script = r#"board(4, 4); sides(["A", "B", "C", "D"], #{ teams: [1, 2, 1, 2] });
        piece("rook", "R", "R"); setup("R2R'/4/4/r2r' w"); fn turn() { play(captures()) }"#;
    let state = start(&game(script));
    assert_eq!(moves(&state), ["a4a1"]);
}

#[test]
fn captives_may_return_to_their_owner() {
    let script = "hands(\"owner\"); fn turn() { play(any()) }";
    let loaded = game(&format!("{STONES} {script} setup(\"5/Mm3/5 w\");"));
    let mut state = start(&loaded);
    play(&mut state, "a2b2");
    assert!(text(&state).starts_with("5/1M3/5[m] b"), "{}", text(&state));
    assert!(moves(&state).contains(&"M@a1".into()));
}

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

#[test]
fn sides_go_out_and_come_back() {
    let script = r#"board(4, 4); sides(["A", "B", "C"], #{ letters: "abc" }); piece("man", "M", "W");
        setup("M3/4/4/m2M' a");
        fn turn() {
            if choose(["out", "back"]) == "out" { eliminate(ahead(1)); } else { readmit(side("B")); }
        }"#;
    let loaded = game(script);
    let mut state = start(&loaded);
    assert_eq!(state.choices()[0], Choice::Text("out".into()));
    state.choose(0).expect("a choice");
    assert_eq!(text(&state), "M3/4/4/m2M' c - - 0 1 out=b");
    state.choose(1).expect("a choice");
    assert_eq!(text(&state), "M3/4/4/m2M' a - - 0 2");
    assert_eq!(state.status(), Status::Choice);
}

#[test]
fn tests_that_captured_different_sides_are_different() {
    let script = r#"fn moves_to(other) { any().where(|mv| count(other) == 1) }
        fn turn() { play(moves_to(opponent())) }
        fn outcome() { if !moves_to(mover()).exists() { draw("none") } }"#;
    let loaded = game(&format!("{STONES} {script} setup(\"5/M1mm1/5 b\");"));
    let state = start(&loaded);
    // `opponent()` in the turn and `mover()` between turns both mean the first side, which has one piece.
    assert!(state.over().is_none());
    assert_eq!(state.moves().len(), 6);
}

/// A number that leaves its bounds is a mistake of the rules, said with its name and its bounds.
#[test]
fn numbers_that_leave_their_bounds_are_errors() {
    let script = |turn: &str| {
        format!(
            r#"board(4, 1); piece("man", "M", "W"); setup("M2m w"); hands("nobody");
            counter("stake", 32000, #{{ each: true }}); piece_trait("health", 32767);
            fn turn() {{
                play(any());
                {turn}
            }}"#
        )
    };
    for (turn, said) in [
        (r#"add("stake", mover(), 768);"#, "the counter \"stake\" would become 32768"),
        (r#"set("stake", mover(), number("stake", mover()) * -2);"#, "the counter \"stake\" would become -64000"),
        (r#"add(squares_of(mover()), "health", 1);"#, "the trait \"health\" would become 32768"),
        (r#"to_hand(mover(), "man", number("stake", mover()) * 2);"#, "the hand of man would become 64000"),
    ] {
        let mut state = start(&game(&script(turn)));
        let paid = state.moves()[0];
        let error = state.play(paid).expect_err(turn);
        let text = error.to_string();
        assert!(text.contains(said) && text.contains("-32768 to 32767"), "{turn}: {text}");
        assert_eq!(error.rule.as_deref(), Some("turn"), "{turn}");
    }
    // Supposed numbers are no exception; what stays within bounds is as it was.
    let mut state = start(&game(&script(
        r#"if suppose(|| add("stake", mover(), 9000), || get("stake", mover()) > 0) { label("rich"); }"#,
    )));
    let paid = state.moves()[0];
    assert!(state.play(paid).expect_err("supposed").to_string().contains("would become 41000"));
    let mut state = start(&game(&script(r#"add("stake", mover(), 767); to_hand(mover(), "man", -5);"#)));
    play(&mut state, "a1b1");
    assert_eq!(text(&state), "1M1m[] b - - 1 1 stake=32767/32000");
}

/// Where no kind captures en passant, squares that are passed are of no account.
#[test]
fn nothing_is_noted_of_passing_where_nothing_captures_en_passant() {
    let script = |pawn: &str| {
        format!(
            r#"piece("pawn", "P", "{pawn}", #{{ clock: true }}); piece("king", "K", "K");
            setup("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1");"#
        )
    };
    for (pawn, square, spoken) in [("mfWcfFimfnD", "-", false), ("mfWcefFimfnD", "a3", true)] {
        let loaded = game(&script(pawn));
        let mut state = start(&loaded);
        play(&mut state, "a2a4");
        assert_eq!(text(&state), format!("4k3/p7/8/8/P7/8/8/4K3 b - {square} 0 1"), "{pawn}");
        let rules = astragal_dsl::rulebook::text(&loaded).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(rules.contains("it may then be taken en passant"), spoken, "{pawn}: {rules}");
        // Positions that name the square are read all the same.
        let variant = &loaded.set.variant;
        let read = astragal_dsl::notation::fen::parse(variant, "4k3/p7/8/8/P7/8/8/4K3 b - a3 0 1").expect("a position");
        assert_eq!(read.position.hash(), state.position().hash(), "{pawn}");
    }
}

/// Sixteen positions that differ only in what may still castle are sixteen positions.
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

/// What is held and what pieces bear tells positions apart as what stands on squares does.
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
        common::choose(&mut state, what);
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
    assert_eq!((error.expected.as_str(), &error.input[error.span.clone()]), ("at most 999 of a kind in hand", "12M"));
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

/// `moves_of` is the moves of the kinds with castling by them, whichever kinds castle.
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

/// Which kind is written without its letter is a matter of its own.
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

/// Sides go by name where pieces are counted.
#[test]
fn sides_are_counted_by_name() {
    let outcome = |question: &str| {
        let script = format!(
            r#"{STONES} setup("5/M1MmM/5 w");
            fn outcome() {{ if {question} {{ draw("so it is") }} }}"#
        );
        start(&game(&script)).over().is_some()
    };
    for (question, holds) in [
        (r#"count("First") == 3"#, true),
        (r#"count("Second", "man") == 1"#, true),
        (r#"count("man") == 4"#, true),
        (r#"has("First", "man", 3)"#, true),
        (r#"has("Second", "man", 2)"#, false),
        (r#"captured("Second", "man") == 0"#, true),
    ] {
        assert_eq!(outcome(question), holds, "{question}");
    }
}

/// The length of a list has no end that could be too far: what may be an entry is not complained of.
#[test]
fn a_count_without_bounds_is_no_wrong_entry() {
    let text = "title(\"A race\"); board(5, 1); piece(\"man\", \"M\", \"sW\"); counter(\"luck\", 0); setup(\"M3m w\");\n\
                fn turn() { let sixes = roll(\"4d6\").filter(|die| die == 6).len(); let list = [1, 2, 3, 4, 5];\n\
                set(\"luck\", list[sixes]); play(any()); }";
    let source = astragal_dsl::Source { name: "race".into(), path: None, text: text.into() };
    let found = astragal_dsl::check(&source);
    assert!(found.iter().all(|one| one.severity != astragal_dsl::Severity::Error), "{found:?}");
}
