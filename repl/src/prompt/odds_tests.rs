//! Chances and turns as they are asked for at the prompt, in scripts that roll, draw and ask within a turn.

use super::tests::{ok, refused};
use super::{Session, Setup};

/// A session with a script of its own; `rules` follow the board.
fn session(name: &str, rules: &str) -> Session {
    let folder = std::env::temp_dir().join(format!("astragal-odds-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("own.rhai");
    let board = "board(4, 4); piece(\"man\", \"M\", \"K\"); piece(\"queen\", \"Q\", \"Q\"); piece(\"rook\", \
         \"R\", \"R\");\nsetup(\"m1m1/4/M3/2M1 w\");\n";
    std::fs::write(&path, format!("title(\"Own\");\n{board}{rules}")).unwrap();
    let setup = Setup { variant: path.display().to_string(), seed: Some(1), ..Setup::default() };
    let session = Session::new(&setup).unwrap().0;
    std::fs::remove_dir_all(&folder).unwrap();
    session
}

#[test]
fn draws_name_their_squares_and_lose_no_turn() {
    let mut session = session("draws", "fn turn() { play(any()); remove(draw_from(squares_of(opponent()))); }");
    let odds = ok(&mut session, "odds a2b2");
    assert!(odds.contains("1/2   50.00 %  moved, a4 drawn  2m1/4/1M2/2M1 b"), "{odds}");
    assert!(odds.contains("1/2   50.00 %  moved, c4 drawn  m3/4/1M2/2M1 b"), "{odds}");
    ok(&mut session, "a2b2");
    let odds = ok(&mut session, "odds");
    assert!(odds.ends_with("\n1/2   50.00 %  a4 is drawn\n1/2   50.00 %  c4 is drawn\n"), "{odds}");
    assert!(!odds.contains("lost"), "{odds}");
}

#[test]
fn squares_that_are_drawn_can_be_named() {
    let mut session = session("named", "fn turn() { play(any()); remove(draw_from(squares_of(opponent()))); }");
    for line in ["odds a2b2 c4", "odds a2b2 roll c4", "odds a2b2 2"] {
        let odds = ok(&mut session, line);
        assert!(odds.starts_with("1  100.00 %  moved  m3/4/1M2/2M1 b - - 0 1\n"), "{line}: {odds}");
    }
    let why = refused(&mut session, "odds a2b2 b4");
    assert!(why.contains("one of the possible squares (a4, c4), found 'b4'"), "{why}");
}

#[test]
fn rolls_within_a_turn_say_what_they_change() {
    let rules =
        "fn turn() { let mv = play(any()); become(mv.to, if roll(\"1d4\") == 1 { \"queen\" } else { \"rook\" }); }";
    let mut session = session("promotion", rules);
    ok(&mut session, "a2b2");
    let odds = ok(&mut session, "odds");
    assert_eq!(odds, "Next roll: 1d4\n1/4   25.00 %  turn over: queen on b2\n3/4   75.00 %  turn over: rook on b2\n");
}

#[test]
fn labels_of_the_next_roll_are_told() {
    let rules = "fn turn() { if roll(\"1d6\") == 6 { label(\"storm\"); return; } play(any()); }";
    let mut session = session("labels", rules);
    let odds = ok(&mut session, "odds");
    assert!(odds.contains("1/6   16.67 %  storm\n") && odds.contains("5/6   83.33 %  man can move\n"), "{odds}");
    // The same may happen to the next one, with no move in between.
    for roll in ["roll 6", "roll 6"] {
        let said = ok(&mut session, roll);
        assert!(said.contains("Outcome: storm.\n"), "{said}");
        assert_eq!(ok(&mut session, "odds"), odds);
    }
}

#[test]
fn choices_are_part_of_what_can_be_asked() {
    let rules = "fn turn() {\n    let often = choose(mover(), [\"once\", \"go on twice\"]);\n    play(any());\n    \
        if often == \"go on twice\" { play(any()); }\n    if roll(\"1d6\") == 1 { label(\"storm\"); }\n}";
    let mut session = session("choices", rules);
    let odds = ok(&mut session, "odds");
    // No table of lines in which nothing stands.
    assert!(odds.starts_with("(after ") && odds.ends_with(" the turn may continue)\n"), "{odds}");
    assert!(odds.contains("go on twice") && odds.contains("once"), "{odds}");
    let odds = ok(&mut session, "odds go on twice a2b2 b2b3");
    assert!(odds.contains("1/6   16.67 %  storm  m1m1/1M2/4/2M1 b"), "{odds}");
    let odds = ok(&mut session, "odds once a2b2");
    assert!(odds.contains("5/6   83.33 %  moved  m1m1/4/1M2/2M1 b"), "{odds}");
    assert!(refused(&mut session, "odds once once").contains("found"), "a choice is no move");
    assert!(refused(&mut session, "odds once a2b2 b2b3").contains("waiting for a roll of 1d6"));
    // A roll may stand in between, and what is asked then is the turn after it.
    let odds = ok(&mut session, "odds once a2b2 1 once a4a3");
    assert!(odds.contains("5/6   83.33 %  moved"), "{odds}");
    assert!(ok(&mut session, "go on twice a2b2 b2b3").contains("to roll 1d6"), "the same can be played");
}

#[test]
fn after_the_end_it_is_said_how_it_ended() {
    let rules =
        "fn turn() { play(any()); }\nfn outcome() { if between_turns() && round() > 1 { win(to_move(), \"time\"); } }";
    let mut session = session("over", rules);
    ok(&mut session, "a2b2");
    ok(&mut session, "a4a3");
    for line in ["odds", "odds a3a4", "turns"] {
        let why = refused(&mut session, line);
        assert!(why.contains("the game is over") && why.contains("White wins: time"), "{line}: {why}");
    }
}

#[test]
fn after_the_end_nothing_is_waited_for() {
    let mut session = session("ended", "fn turn() { play(any()); win(mover(), \"moved\"); }");
    ok(&mut session, "a2b2");
    assert_eq!(refused(&mut session, "roll"), "the game is over\n");
    assert_eq!(refused(&mut session, "b2b3"), "the game is over\n");
    assert_eq!(refused(&mut session, "hint"), "the game is over: there is no decision to make\n");
}

/// A choice that fails is no command misspelt.
#[test]
fn an_answer_that_fails_is_not_taken_for_a_command() {
    let rules = "counter(\"debt\", 0);\nfn turn() { play(any()); if choose([\"neg\", \"stop\"]) == \"neg\" { add(\"debt\", -40000); } }";
    let mut session = session("neg", rules);
    ok(&mut session, "a2b2");
    let why = refused(&mut session, "neg");
    assert!(why.contains("in rule `turn`") && !why.contains("did you mean"), "{why}");
    assert!(refused(&mut session, "nex").contains("did you mean"));
}

/// Both men move as kings, to five squares each.
#[test]
fn turns_are_counted_as_the_rules_play_them() {
    let rules = "fn turn() { let n = roll(\"1d2\"); play(any()); if n == 2 { play(any().or_else(nothing())); } }";
    let mut session = session("turns", rules);
    assert_eq!(ok(&mut session, "turns 1"), "10 turns: 10 placements, none wins\n");
    let all = ok(&mut session, "turns");
    assert!(all.starts_with("1/2   50.00 %  1  10 turns: 10 placements, none wins\n1/2   50.00 %  2  "), "{all}");
    let two: u32 = all.lines().nth(1).unwrap().split_whitespace().nth(4).unwrap().parse().unwrap();
    assert_eq!(ok(&mut session, "perft 1 turns"), format!("{}\n", 10 + two));
    ok(&mut session, "roll 2");
    assert!(ok(&mut session, "turns").starts_with(&format!("{two} turns: ")));
}

/// There are 462 ways for six dice to fall, and as many lists of what can be kept of them.
#[test]
fn choices_of_dice_to_keep_are_one_line() {
    let mut session = session("keeping", "fn turn() { if reroll(cast(\"6d6\"), 1).total > 6 { play(any()); } }");
    let odds = ok(&mut session, "odds");
    assert_eq!(odds, "Next roll: 6d6\n0    0.00 %  turn lost\n1  100.00 %  choice of the dice to keep\n");
}

/// A hundred thousand rolls, looked at one by one, take many times as long.
#[test]
fn odds_take_no_longer_than_they_may() {
    let rules = "fn turn() { let d = roll(\"5d10\"); play(any().where(|m| m.distance + d[0] < 10)); }";
    let mut session = session("time", rules);
    let begun = std::time::Instant::now();
    let odds = ok(&mut session, "odds --time 300ms");
    assert!(odds.contains("(estimated from "), "{odds}");
    session.time = Some(std::time::Duration::from_millis(300));
    assert!(ok(&mut session, "odds").contains("(estimated from "));
    assert!(begun.elapsed() < std::time::Duration::from_secs(8), "{:?}", begun.elapsed());
    assert!(refused(&mut session, "odds --time soon").contains("expected a time"));
}

#[test]
fn turns_that_can_be_drawn_out_have_odds_as_far_as_they_can_be_told() {
    let rules = "fn turn() {\n    while true {\n        if roll(\"1d6\") == 1 { label(\"bust\"); return; }\n        \
        if choose(mover(), [\"dare\", \"stop\"]) == \"stop\" { return; }\n    }\n}";
    let mut session = session("luck", rules);
    ok(&mut session, "roll 4");
    let odds = ok(&mut session, "odds dare");
    assert!(odds.contains("1/6   16.67 %  bust") && odds.contains("5/6   83.33 %  moved"), "{odds}");
    // What one run of a rule may hold ends the search, and is no fault of the turn that is asked about.
    let odds = ok(&mut session, "odds stop");
    assert!(odds.contains("Then Black can win (if Black tries to): unknown\n"), "{odds}");
    assert!(ok(&mut session, "odds").contains("stop    unknown"));
    assert!(refused(&mut session, "turns --time 1ms").contains("'turns --time 5m'"));
    let why = ok(&mut session, "why dare");
    assert!(why.starts_with("dare is legal: White must choose") && why.contains("own.rhai:7: if choose("), "{why}");
    let why = ok(&mut session, "why double");
    assert!(why.starts_with("double is not legal: White may choose dare or stop.\n"), "{why}");
}
