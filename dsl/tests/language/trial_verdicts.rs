//! What `check` concludes from all trial games together: kings that are captured although the script does not notice, and
//! games in which nobody makes progress.

use astragal_dsl::{Code, Diagnostic, Severity, Source, check};

fn found(text: &str) -> Vec<Diagnostic> {
    check(&Source { name: "game".into(), path: None, text: text.into() })
}

/// Kings may stay attacked when a turn is lost, because the dice say which pieces may move.
const DICE: &str = r#"import "chess" as chess;
    chess::setup();
    chess::draw_options();
    const PIECE = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    fn turn() { play(pieces(PIECE[roll("1d6") - 1])) }
    "#;

#[test]
fn a_king_that_is_taken_while_the_game_goes_on_is_told() {
    let all = found(&format!("{DICE} fn outcome() {{ if round() > 80 {{ draw(\"long\"); }} }}"));
    let one = all.iter().find(|one| one.code == Some(Code::NoEnd)).expect("a warning");
    assert_eq!(one.severity, Severity::Warning);
    assert!(
        one.message.contains("'s king") && one.message.ends_with("was captured and the game went on"),
        "{}",
        one.message
    );
    assert!(one.help.as_ref().is_some_and(|help| help.contains("win(mover(), \"king captured\")")));
    assert_eq!((one.line, one.column), (6, 9), "at the head of `outcome`");
}

/// Without a king, no move leaves the king attacked, and a position without a legal move looks like stalemate.
#[test]
fn a_king_that_is_taken_and_taken_for_stalemate_is_told() {
    let two = DICE.replace("pieces(PIECE[roll(\"1d6\") - 1])", "moves_of(roll(\"2d6\").map(|die| PIECE[die - 1]))");
    let all = found(&format!("{two} fn outcome() {{ if between_turns() {{ chess::mate_or_draw(); }} }}"));
    let one = all.iter().find(|one| one.code == Some(Code::NoEnd)).expect("a warning");
    assert!(one.message.contains("was captured and the game "), "{}", one.message);
}

#[test]
fn games_that_know_of_it_are_left_alone() {
    let won = "fn outcome() { if !has(opponent(), \"king\") { return win(mover(), \"king captured\"); }
        if between_turns() { chess::mate_or_draw(); } }";
    for (royals, outcome) in [
        ("", won),
        ("royals(\"protected\", \"never\");", "fn outcome() { if between_turns() { chess::mate_or_draw(); } }"),
    ] {
        let all = found(&format!("{DICE} {royals} {outcome}"));
        assert!(
            all.iter().all(|one| one.code != Some(Code::NoEnd) || one.severity == Severity::Note),
            "{royals}: {all:#?}"
        );
    }
}

/// Six stations, dice of 2 and 4, and home only by an exact roll: from the fifth station, there is none.
#[test]
fn games_in_which_nobody_gets_on_are_told_with_the_position() {
    let race = |dice: &str| {
        format!(
            "board(6, 2); piece(\"man\", \"M\", \"\"); track(\"way\", [\"a1-f1\", \"a2-f2\"]);
             setup(\"m5/M5 w\"); fn turn() {{ play(along(\"way\", roll(\"{dice}\"))) }}
             fn outcome() {{ if !(squares_of(mover()) & on_track(\"way\", 6, 6)).is_empty {{ win(mover(), \"home\"); }} }}"
        )
    };
    let all = found(&race("1d{2,4}"));
    let one = all.iter().find(|one| one.code == Some(Code::NoEnd)).expect("a note");
    assert!(one.message.contains("no side could act"), "{}", one.message);
    assert!(one.help.as_ref().is_some_and(|help| help.contains("m5/M5") || help.contains("/4M1 ")), "{:?}", one.help);
    assert!(found(&race("1d{1,4}")).iter().all(|one| one.code != Some(Code::NoEnd)));
}

#[test]
fn what_speaks_of_squares_stands_behind_the_board() {
    for early in ["region(\"camp\", \"a1-b1\");", "track(\"way\", \"a1-d1\");"] {
        let all = found(&format!("{early} board(4, 1); piece(\"man\", \"M\", \"W\"); setup(\"M2m w\");"));
        let name = early.split('(').next().unwrap();
        assert!(
            all[0].message.starts_with(name) && all[0].message.contains("needs the squares of the board"),
            "{}",
            all[0].message
        );
        assert!(all[0].help.as_ref().is_some_and(|help| help.contains("`board()` first")));
    }
}

/// Dice subtract more than is left, so the end at exactly 0 is missed; that is reported at the comparison.
#[test]
fn a_counter_that_is_passed_over_is_told() {
    let script = |spend: &str, end: &str| {
        format!(
            "board(3, 1);\npiece(\"man\", \"M\", \"W\");\nsetup(\"M1m w\");\ncounter(\"left\", 5);\n\
             fn turn() {{ let n = roll(\"1d3\"); {spend} play(any()); }}\n\
             fn outcome() {{\n    if {end} {{ draw(\"spent\"); }}\n    if clock_reached(30) {{ draw(\"long\"); }}\n}}\n"
        )
    };
    let below = |text: &str| found(text).into_iter().filter(|one| one.code == Some(Code::Counters)).collect::<Vec<_>>();
    let all = below(&script("add(\"left\", -n);", "get(\"left\") == 0"));
    let [one] = all.as_slice() else { panic!("{all:#?}") };
    assert_eq!((one.severity, one.line, one.column), (Severity::Warning, 7, 8));
    assert!(one.help.as_ref().is_some_and(|help| help.starts_with("write `<= 0`")));
    for (spend, end) in [
        ("add(\"left\", -n);", "get(\"left\") <= 0"),
        ("add(\"left\", -n);", "get(\"left\") == 7"),
        ("if get(\"left\") < n { set(\"left\", 0); } else { add(\"left\", -n); }", "get(\"left\") == 0"),
    ] {
        assert!(below(&script(spend, end)).is_empty(), "{spend} {end}");
    }
}

/// Men that step about and capture each other: random games are long, but games of players who capture are not.
#[test]
fn a_game_that_is_only_long_is_no_more_than_noted() {
    let long = |rest: &str| {
        found(&format!(
            "board(8, 8); piece(\"man\", \"M\", \"K\"); setup(\"mmmmmmmm/mmmmmmmm/8/8/8/8/MMMMMMMM/MMMMMMMM w\");
             fn turn() {{ play(any()) }} fn outcome() {{ {rest} }}"
        ))
    };
    let ends = long("if count(opponent()) < 4 { win(mover(), \"most taken\"); }");
    assert!(ends.iter().all(|one| one.severity == Severity::Note), "{ends:#?}");
    let never = long("if count(opponent()) > 16 { win(mover(), \"never\"); }");
    let one = never.iter().find(|one| one.code == Some(Code::NoEnd)).expect("a warning");
    assert_eq!(one.severity, Severity::Warning);
    assert!(one.message.ends_with("`count(opponent())` was never more than 16)"), "{}", one.message);
}

#[test]
fn scores_that_rightly_grow_are_not_taken_for_the_tries_of_a_turn() {
    let game = |counter: &str, turn: &str| {
        found(&format!(
            "board(4, 2); piece(\"man\", \"M\", \"W\"); {counter} setup(\"m3/M3 w\"); royals(\"capturable\");
             fn turn() {{ play(any() - captures()); {turn} }}"
        ))
    };
    let counted = |all: &[Diagnostic]| all.iter().any(|one| one.code == Some(Code::Counters));
    let own = game(
        "counter(\"score\", 0, #{ each: true });",
        "add(\"score\", mover(), 1); if get(\"score\", mover()) >= 9 { return win(mover(), \"nine\"); }
         if roll(\"1d6\") == 6 { again(); }",
    );
    assert!(!counted(&own), "{own:#?}");
    let shared = "counter(\"total\", 0);";
    let first = "add(\"total\", 1); if get(\"total\") >= 21 { return win(opponent(), \"twenty-one\"); }";
    let race = game(shared, first);
    assert!(!counted(&race), "{race:#?}");
    let tries = game(shared, &format!("{first} if roll(\"1d6\") == 6 {{ again(); }}"));
    assert!(counted(&tries), "{tries:#?}");
}

#[test]
fn a_choice_with_one_answer_needs_no_use() {
    let asked = |options: &str| {
        let all = found(&format!(
            "board(4, 2); piece(\"man\", \"M\", \"W\"); setup(\"m3/M3 w\");
             fn turn() {{ choose({options}); play(any()) }} fn outcome() {{ if round() > 9 {{ draw(\"long\"); }} }}"
        ));
        all.iter().any(|one| one.code == Some(Code::LostValue))
    };
    assert!(!asked("[\"pass\"]"));
    assert!(asked("[\"pass\", \"stay\"]"));
}

#[test]
fn a_side_without_a_piece_is_told_at_the_set_up() {
    let all = found(
        "board(4, 2); piece(\"man\", \"M\", \"W\"); setup(\"4/MMM1 w\");
         fn turn() { if distance(squares_of(mover()), \"a1\") > 9 { return; } play(any()) }
         fn outcome() { if round() > 9 { draw(\"long\"); } }",
    );
    assert!(all[0].message.starts_with("Black has no pieces in the starting position"), "{all:#?}");
    assert_eq!((all[0].line, all[0].column), (1, 44));
}

/// Three sides with one man each, the third of which is eliminated before it has had a turn.
#[test]
fn a_side_that_is_eliminated_before_its_first_turn_is_told_so() {
    let all = found(
        r#"board(4, 3); sides(["White", "Black", "Red"], #{ letters: "wbr", forward: ["up", "up", "up"] });
        piece("man", "M", "W"); setup("M2m/4/2M'1 w");
        fn turn() { if round() == 1 && mover() == side("White") { eliminate(side("Red")); } play(any()) }
        fn outcome() { if round() > 30 { draw("long"); } }"#,
    );
    let one = all.iter().find(|one| one.code == Some(Code::NobodyMoves)).unwrap_or_else(|| panic!("{all:#?}"));
    assert!(
        one.message.starts_with("Red never made a move or a choice") && one.message.contains("before its first turn"),
        "{one:?}"
    );
    assert!(one.help.as_ref().is_some_and(|help| help.contains("eliminate")), "{:?}", one.help);
    assert_eq!((one.line, one.column), (3, 67), "at the call of `eliminate`");
}

/// Black's moves are drawn and made by the rules: nobody asks Black, and it moves all the same.
#[test]
fn a_side_whose_moves_are_drawn_is_not_said_to_stand_still() {
    let drawn = "let mv = draw_move(any()); if mv != () { make(mv); }";
    for turn in [format!("if mover() == side(\"White\") {{ play(any()); }} else {{ {drawn} }}"), drawn.to_string()] {
        let text = format!(
            "board(4, 3); piece(\"man\", \"M\", \"W\"); setup(\"2m1/4/M3 w\"); fn turn() {{ {turn} }}
            fn outcome() {{ if round() > 2000 {{ draw(\"long\"); }} }}"
        );
        let all = found(&text);
        let still = [Code::NobodyMoves, Code::NeverPlays];
        assert!(all.iter().all(|one| !one.code.is_some_and(|code| still.contains(&code))), "{all:#?}");
        assert!(all.iter().all(|one| !one.message.contains("no side could act")), "{all:#?}");
    }
}

/// One thread more or fewer changes nothing: not the findings, not their order.
#[test]
fn findings_do_not_depend_on_the_number_of_threads() {
    let wrong = r#"const MODE = option("mode", ["plain", "odd", "long", "none"], "How it ends.");
        board(3, 3); piece("man", "M", "K"); setup("m2/3/2M w");
        fn turn() { if MODE == "odd" { let all = [1]; all[round() + 6]; } play(any()); }
        fn outcome() {
            if count(to_move()) == 0 { win(mover(), "all taken"); }
            if MODE == "none" { draw("at once"); }
            if MODE == "long" && round() > 100000 { draw("too long"); }
        }"#;
    let mut texts = vec![wrong.to_string()];
    texts.extend(
        ["king-for-2", "backgammon"].map(|name| astragal_dsl::library::bundled(name).expect("it is bundled").text),
    );
    let with = |threads: usize| -> Vec<Vec<Diagnostic>> {
        astragal_dsl::limit_threads(std::num::NonZeroUsize::new(threads).expect("a number"));
        texts.iter().map(|text| found(text)).collect()
    };
    let (one, several) = (with(1), with(4));
    assert!(one[0].iter().any(|error| error.notes.iter().any(|note| note.contains("--set mode=odd"))), "{:?}", one[0]);
    assert_eq!(one, several);
}
