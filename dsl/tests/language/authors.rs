//! What authors of games have come across: what `check` says about their scripts, where, and with which cure; and what it
//! must not say.

use astragal_dsl::{Diagnostic, Severity, Source, check};

const KINGS: &str = "piece(\"king\", \"K\", \"K\");\nsetup(\"k7/8/8/8/8/8/8/K7 w\");\nfn outcome() { if clock() \
     > 20 { draw(\"long\"); } }\n";

fn found(text: &str) -> Vec<Diagnostic> {
    check(&Source { name: "game".into(), path: None, text: text.into() })
}

/// Everything that is more than a note, in words.
fn complaints(text: &str) -> Vec<String> {
    let all = found(text).into_iter().filter(|one| one.severity != Severity::Note);
    all.map(|one| format!("{}; {}", one.message, one.help.unwrap_or_default())).collect()
}

/// The only complaint is at `at` (the first occurrence of that text), says `words` and advises `cure`.
fn told(text: &str, at: &str, words: &str, cure: &str) {
    let all = found(text);
    let one =
        all.iter().find(|one| one.severity != Severity::Note).unwrap_or_else(|| panic!("nothing is told: {text}"));
    let before = &text[..text.find(at).expect("the place")];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    assert_eq!((one.line, one.column), (line, column), "{}", one.render(false));
    assert!(one.message.contains(words), "{}", one.render(false));
    assert!(one.help.as_deref().unwrap_or_default().contains(cure), "{}", one.render(false));
}

fn with_turn(turn: &str) -> String {
    format!("{KINGS}fn turn() {{ {turn} }}\n")
}

#[test]
fn a_side_of_which_nobody_wants_anything_is_told() {
    let three = |setup: &str, turn: &str| {
        format!(
            "board(5, 5);\nsides([\"Red\", \"Green\", \"Blue\"], #{{ forward: [\"up\", \"down\", \"right\"] }});\n\
             piece(\"man\", \"M\", \"W\");\nsetup(\"{setup}\");\n\
             fn turn() {{ {turn} }}\nfn outcome() {{ if clock() > 20 {{ draw(\"long\"); }} }}\n"
        )
    };
    let all_play = "roll(\"1d2\"); play(any());";
    told(&three("mm3/5/5/5/MM3 w", all_play), "\"Blue\"", "no pieces on the board or in hand", "out=c");
    let skipped = "play(any()); if opponent() == side(\"Blue\") { next(side(\"Red\")); }";
    told(&three("mm3/5/M'4/5/MM3 w", skipped), "\"Blue\"", "never made a move or a choice", "next(..)");
    for (setup, turn) in [
        ("mm3/5/M'4/5/MM3 w", all_play),
        // A side of walls, which never has a turn.
        ("mm3/5/M'4/5/MM3 w - - 0 1 out=c", all_play),
        // A side without pieces that chooses nevertheless.
        ("mm3/5/5/5/MM3 w", "if mover() == side(\"Blue\") { choose([\"a\", \"b\"]); } else { play(any()); }"),
    ] {
        let script = three(setup, turn);
        assert_eq!(complaints(&script), [""; 0], "{script}");
    }
}

#[test]
fn what_needs_too_much_room_is_told_where_it_goes_over() {
    let pool = |name: &str, places: u32| format!("counter(\"{name}\", 0, #{{ each: true, places: {places} }});\n");
    // Two sides: 64 and 64 are more than 96.
    let script = format!("{}{}{KINGS}", pool("dice", 32), pool("cards", 32));
    told(
        &script,
        "\"cards\"",
        "need 128 cells, but a position has only 96",
        "\"dice\" 64 (32 places for each of 2 sides)",
    );
    told(&script, "\"cards\"", "need 128 cells", "fewer `places`");
    // A mark of 64 squares takes 4, for each of two sides.
    let marks: String = (0..5).map(|n| format!("marks(\"m{n}\", #{{ each: true }});\n")).collect();
    let script = format!("{}{marks}{KINGS}", pool("dice", 32));
    told(&script, "\"m4\"", "need 104 cells", "\"m0\" 8 (one for every 16 of the 64 squares for each of 2 sides)");
}

#[test]
fn a_count_of_squares_may_be_a_rank_or_a_number_of_a_list() {
    for turn in [
        "let n = squares_of(mover()).count(); play(to(rank(n + 1)) | any());",
        "let n = squares_of(mover()).count(); play(to(file(n + 1)) | any());",
        "let names = [\"king\", \"king\", \"king\"]; play(pieces(names[squares_of(mover()).count()]));",
    ] {
        assert_eq!(complaints(&with_turn(turn)), [""; 0], "{turn}");
    }
    // What can never be one is told as before, and so is what dice come to for certain.
    told(&with_turn("let n = squares_of(mover()).count(); play(to(rank(n + 9)));"), "n + 9", "ranks 1 to 8", "1 to 8");
    told(&with_turn("let n = roll(\"1d20\"); play(to(rank(n)));"), "n)", "ranks 1 to 8", "1 to 8");
}

#[test]
fn what_is_called_on_an_entry_of_a_list_is_no_lost_value() {
    let lists = |call: &str| {
        with_turn(&format!(
            "let lists = [[], []]; let n = 1; {call} play(any() - pieces([\"king\"] + lists[n]) | any());"
        ))
    };
    for call in ["lists[n].push(\"king\");", "lists[0].push(\"king\");", "lists[n - 1].clear();"] {
        assert_eq!(complaints(&lists(call)), [""; 0], "{call}");
    }
    told(&lists("lists[n];"), "lists[n];", "`lists[n]` has no effect", "return lists[n];");
}

#[test]
fn heaps_that_go_whole_are_told_with_what_takes_some() {
    for squares in ["\"a1\"", "squares(\"a1\")"] {
        let script = format!(
            "board(8, 8, #{{ heaps: true }});\npiece(\"man\", \"M\", \"W\");\nsetup(\"mm6/8/8/8/8/8/8/MM6 w\");\n\
             fn turn() {{ play(any()); remove_heaps({squares}, 2); }}\n"
        );
        told(&script, "2); }", "takes 1 argument, not 2", "`relocate(from, to, n)` to move n pieces");
    }
}

#[test]
fn a_set_of_one_square_is_asked_through_its_piece() {
    let turn = "let s = squares_of(mover()); if s.file == 3 { label(\"c\"); } play(any());";
    told(&with_turn(turn), "file", "not of a set of squares", "`piece_at(s).file`");
    let cured = turn.replace("s.file", "piece_at(s).file");
    assert_eq!(complaints(&with_turn(&cured)), [""; 0]);
}

#[test]
fn what_changes_or_rolls_where_a_rule_may_only_look_is_told_at_its_line() {
    let head = "piece(\"king\", \"K\", \"K\");\nsetup(\"k7/8/8/8/8/8/8/K7 w\");\ncounter(\"n\", 0);\n";
    let outcome = |what: &str| {
        format!(
            "{head}fn bump() {{\n    add(\"n\", 1);\n}}\nfn outcome() {{\n    if clock() > 20 {{ draw(\"x\"); \
             }}\n    {what}\n}}\n"
        )
    };
    told(&outcome("if get(\"n\") == 0 { set(\"n\", 2); bump(); }"), "set(", "can only read the game", "suppose(");
    told(&outcome("if get(\"n\") == 0 { bump(); }"), "add(", "can only read the game", "`turn`");
    let asks = "if suppose(|| add(\"n\", 1), || get(\"n\") == 9) { draw(\"y\"); }";
    let used = format!("{}fn turn() {{ bump(); play(any()); }}\n", outcome(asks));
    assert_eq!(complaints(&used), [""; 0]);
}
