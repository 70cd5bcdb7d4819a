//! `check` goes on after declarations that fail or cannot be read: it reports all other mistakes in the same run, but
//! nothing that merely follows from the first.

use astragal_dsl::{Code, Diagnostic, Severity, Source, check};
use std::collections::BTreeSet;

const GAME: &str = r#"title("Several");
board(8, 8);
sides(["North", "South"]);
piece("king", "K", "K", #{ royal: true });
piece("knight", "N", "N");
piece("pawn", "P", "mfWcfF", #{ promotes: "knight" });
royals("capturable");
region("court", "d4-e5", #{ same_for_all: true });
counter("score", 0, #{ each: true });
look(#{ squares: #{ tan: "d4-e5" } });
setup("knnnnnnn/pppppppp/8/8/8/8/PPPPPPPP/KNNNNNNN w - - 0 1");
const LONG = option("long", [40, 80], "How many rounds a long game has.");

fn turn() {
    let die = roll("1d6");
    let mv = play(if die == 6 { any() } else { pieces("pawn") | pieces("knight") });
    if mv != () && mv.to in region("court") { add("score", mover(), 1); }
}

fn outcome() {
    if !has(opponent(), "king") { win(mover(), "king captured"); }
    if get("score", mover()) >= 20 { win(mover(), "enough points"); }
    if round() > LONG { draw("long"); }
}
"#;

/// Three mistakes in the rules, each in a line of its own.
const RULES: [(&str, &str); 3] = [
    ("pieces(\"knight\") });", "pieces(\"knigth\") });"),
    ("region(\"court\") {", "region(\"cuort\") {"),
    ("get(\"score\", mover()) >=", "get(\"scores\", mover()) >="),
];

fn script(changes: &[(&str, &str)]) -> Source {
    let mut text = GAME.to_string();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replacen(old, new, 1);
    }
    Source { name: "several".into(), path: None, text }
}

/// What is reported, apart from notes.
fn said(source: &Source) -> Vec<Diagnostic> {
    check(source).into_iter().filter(|one| one.severity != Severity::Note).collect()
}

/// The line, from 1, that contains a text.
fn line(source: &Source, text: &str) -> usize {
    let at = source.text.find(text).unwrap_or_else(|| panic!("{text}"));
    source.text[..at].matches('\n').count() + 1
}

/// Checks that the lines of these changes are reported, and no others.
fn all_are_told(changes: &[(&str, &str)]) {
    let source = script(changes);
    let wanted: BTreeSet<usize> = changes.iter().map(|(_, new)| line(&source, new)).collect();
    let all = said(&source);
    let lines: BTreeSet<usize> = all.iter().map(|one| one.line).collect();
    let shown: String = all.iter().map(|one| one.render(false)).collect();
    assert!(lines == wanted && all.len() == wanted.len(), "{changes:?}: wanted {wanted:?}\n{shown}");
}

#[test]
fn the_script_without_mistakes_is_clean() {
    assert!(said(&script(&[])).is_empty(), "{:?}", said(&script(&[])));
    all_are_told(&RULES);
}

/// Declarations that fail when the top level runs.
const FAILED: [(&str, &str); 12] = [
    ("\"N\", \"N\"", "\"N\", \"N?x\""),
    ("royal: true", "royl: true"),
    ("promotes: \"knight\"", "promotes: \"rook\""),
    ("piece(\"pawn\", \"P\", \"mfWcfF\"", "piece(\"pawn\", \"P\", \"mfWcf(\""),
    ("royals(\"capturable\")", "royals(\"capturabel\")"),
    ("\"d4-e5\", #{ same", "\"d4-e9\", #{ same"),
    ("#{ each: true }", "#{ eech: true }"),
    ("counter(\"score\", 0", "counter(\"score\", \"0\""),
    ("/PPPPPPPP/KNNNNNNN w", "/PPPPPPP/KNNNNNNN w"),
    ("setup(\"knnn", "setup(\"kqnn"),
    ("tan: \"d4-e5\"", "tan: \"d4-e9\""),
    ("option(\"long\", [40, 80]", "option(\"long\", [40, 40]"),
];

#[test]
fn rules_are_looked_at_behind_a_declaration_that_fails() {
    for failed in FAILED {
        all_are_told(&[&[failed], &RULES[..]].concat());
    }
}

#[test]
fn several_declarations_that_fail_are_all_told() {
    for pair in [[0, 5], [1, 6], [3, 7], [2, 8], [4, 9], [0, 11], [6, 8]] {
        all_are_told(&[&pair.map(|i| FAILED[i])[..], &RULES[..]].concat());
    }
    all_are_told(&[&[FAILED[0], FAILED[3], FAILED[5], FAILED[7], FAILED[8]], &RULES[..]].concat());
}

/// What follows from a failed declaration is not a mistake of its own.
#[test]
fn what_only_follows_is_not_told() {
    for failed in FAILED {
        all_are_told(&[failed]);
    }
}

/// Declarations that cannot be read.
const UNREADABLE: [(&str, &str); 8] = [
    ("#{ royal: true }", "{ royal: true }"),
    ("#{ promotes: \"knight\" }", "{promotes: \"knight\" }"),
    ("#{ same_for_all: true }", "{ same_for_all: true }"),
    ("#{ each: true }", "{ each: true }"),
    ("look(#{ squares: #{ tan", "look({ squares: #{ tan"),
    ("#{ tan: \"d4-e5\" }", "{ tan: \"d4-e5\" }"),
    ("piece(\"knight\", \"N\", \"N\");", "piece(\"knight\", \"N\", \"N\";"),
    ("royals(\"capturable\");", "royals \"capturable\";"),
];

#[test]
fn rules_are_looked_at_behind_a_declaration_that_cannot_be_read() {
    for unreadable in UNREADABLE {
        all_are_told(&[unreadable]);
        all_are_told(&[&[unreadable], &RULES[..]].concat());
    }
    all_are_told(&[&[UNREADABLE[0], UNREADABLE[3], FAILED[8]], &RULES[..]].concat());
}

/// Without a board, nothing can be said about what stands on it: `check` says that, and reports everything else.
#[test]
fn what_cannot_be_looked_at_is_said() {
    for board in ["board(8, 80)", "board(8, 8", "board(8, 8, #{ hols: \"a1\" })"] {
        let source = script(&[("board(8, 8)", board), ("roll(\"1d6\")", "rol(\"1d6\")"), RULES[0]]);
        let all = said(&source);
        let lines: Vec<usize> = all.iter().map(|one| one.line).collect();
        assert_eq!(lines, [2, line(&source, "rol(\"")], "{all:#?}");
        assert!(all[0].notes.iter().any(|note| note.contains("once this is corrected")), "{all:#?}");
    }
    let whole = script(&[FAILED[0]]);
    assert!(said(&whole).iter().all(|one| one.notes.is_empty() && one.code != Some(Code::NotPlayed)));
}
