//! What a script keeps in a variable stays what it was when the script asked for it, whatever happens afterwards.
//!
//! Each value of one table is asked, then each change of another is made, and then the value is looked at; the same is done
//! with the value written down as a text before the change. Nothing may differ: in turns, captures, suppositions, judgments
//! and tests of moves, by trees and by interpretation.

use crate::common::{choices, choose, game, moves, play, start, text};
use astragal_core::{Mode, Status};
use astragal_dsl::{Loaded, Source, load_with};
use std::collections::BTreeSet;

const BASE: &str = r#"board(5, 5); sides(["White", "Black", "Red"]); hands();
    piece("man", "M", "WF"); piece("guard", "G", "W"); piece("king", "K", "K", #{ royal: true });
    royals("capturable", "free");
    counter("x", 1, #{ each: true }); counter("y", 2); counter("pool", 0, #{ each: true, places: 3 });
    piece_trait("mark", 5);
    setup("K'2k1/1G'3/1m2m/1MMG1/K4 w - - 0 1 x=1/2/3 pool=1,0,2/0,1,1/2,2,0");"#;

/// What is asked: how it is written, and how it is seen; for permits, also how it is written with what is known later.
const VALUES: [(&str, &str, &str); 39] = [
    ("mover()", "side", ""),
    ("opponent()", "side", ""),
    ("to_move()", "side", ""),
    ("ahead(2)", "side", ""),
    ("side(\"Red\")", "side", ""),
    ("defender.side", "side", ""),
    ("attacker.side", "side", ""),
    ("piece_at(\"b3\").side", "side", ""),
    ("royal(opponent()).side", "side", ""),
    ("attacker", "square", ""),
    ("defender", "square", ""),
    ("mv.from", "square", ""),
    ("mv.to", "square", ""),
    ("mv.victim", "square", ""),
    ("royal(mover())", "square", ""),
    ("step(\"b2\", 0, 1)", "square", ""),
    ("piece_at(\"b3\")", "piece", ""),
    ("piece_at(attacker)", "piece", ""),
    ("piece_at(mv.to)", "piece", ""),
    ("defender.kind", "text", ""),
    ("mv.captured", "text", ""),
    ("squares_of(opponent())", "set", ""),
    ("squares_of(opponent()) | attacker", "set", ""),
    ("squares(defender)", "set", ""),
    ("attackers(\"b3\", mover())", "set", ""),
    ("number(\"x\")", "number", ""),
    ("number(\"x\", opponent())", "number", ""),
    ("number(\"x\", to_move())", "number", ""),
    ("number(\"x\", defender.side)", "number", ""),
    ("max(number(\"y\") * 2 + number(\"x\"), 1)", "number", ""),
    ("number(defender, \"mark\")", "number", ""),
    ("number(piece_at(\"b3\"), \"mark\") - 1", "number", ""),
    ("held(\"pool\")", "number", ""),
    ("held(\"pool\", opponent())", "number", ""),
    ("number_at(\"pool\", 3)", "number", ""),
    ("number(squares_of(opponent()))", "number", ""),
    ("any().of(opponent())", "permit", "any().of(side(name(opponent())))"),
    ("any().of(defender.side)", "permit", "any().of(side(name(defender.side)))"),
    (
        "payable(\"pool\", defender.side, [\"man\", \"guard\", \"king\"]).of(to_move())",
        "permit",
        "payable(\"pool\", side(name(defender.side)), [\"man\", \"guard\", \"king\"]).of(side(name(to_move())))",
    ),
];

/// Values that stay the same even if they are asked anew after any change: named sides, and places.
const FIXED: [usize; 11] = [0, 3, 4, 9, 10, 11, 12, 13, 15, 20, 23];

const CHANGES: [&str; 29] = [
    "remove(\"b3\")",
    "remove(squares(\"b2-b3 c3\"))",
    "place(\"b3\", side(\"Red\"), \"king\")",
    "relocate(\"b2\", \"b3\")",
    "relocate(\"b3\", \"e5\")",
    "swap(\"b2\", \"b3\")",
    "swap(\"a1\", \"c1\")",
    "push(\"b2\", 0, 1)",
    "convert(\"b3\", side(\"Red\"))",
    "convert_all(side(\"Black\"), side(\"Red\"))",
    "become(squares(\"b2-b4 c3\"), \"king\")",
    "set(squares(\"b2-b4 c3\"), \"mark\", 8)",
    "add(square(\"b3\"), \"mark\", 2)",
    "set(\"x\", 7)",
    "add(\"x\", side(\"Black\"), 4)",
    "add(\"y\", 3)",
    "keep(cast(\"2d3\"), \"pool\")",
    "spend(\"pool\", 3)",
    "discard(\"pool\", side(\"Black\"))",
    "to_hand(mover(), \"man\", 1)",
    "restart()",
    "eliminate(side(\"Black\"))",
    "hand_over(side(\"Red\"))",
    "{ eliminate(side(\"Black\")); relocate(\"b3\", \"e5\"); readmit(side(\"Black\")); place(\"b3\", \
     side(\"Red\"), \"man\"); }",
    "{ label(\"a\"); again(); next(side(\"Red\")); award(mover(), 2); }",
    // With dice, choices and moves: not under suppositions.
    "{ if roll(\"1d2\") == 1 { convert(\"b3\", side(\"Red\")); } choose([\"go on\"]); remove(\"b3\"); }",
    "draw_from(\"pool\")",
    "play(any())",
    "{ set(\"y\", 50); play(captures()); }",
];

const BEFORE_DICE: usize = 25;

/// How a value is turned into a text.
const SEE: &str = r#"
    fn see(kind, v) {
        switch kind {
            "side" => "" + name(v),
            "square" => "" + v.name,
            "piece" => "" + v.kind + " " + name(v.side) + " " + v.get("mark"),
            "set" => { let all = ""; for s in v { all += s.name; } all }
            "number" => "" + v.value,
            "permit" => "" + v.count(),
            _ => "" + v
        }
    }
    fn see_all(kinds, values) {
        let all = "=";
        for i in 0..kinds.len { all += see(kinds[i], values[i]) + "|"; }
        all
    }
"#;

/// When the meaning of a value is written down.
#[derive(Clone, Copy, PartialEq, Debug)]
enum When {
    /// After the change, for a value that was asked before it.
    Late,
    /// Before the change.
    Early,
    /// After the change, for a value that is asked only then, to see that the change matters.
    Again,
}

/// Functions that ask the values; `kinds` say how each is seen later.
fn asking(when: When, rows: &[(&str, &str, &str)]) -> String {
    let value = |(late, kind, early): &(&str, &str, &str)| match (when, *kind) {
        (When::Early, "permit") => (*early).to_string(),
        (When::Early, kind) => format!("see(\"{kind}\", {late})"),
        _ => (*late).to_string(),
    };
    let kind = |(_, kind, _): &(&str, &str, &str)| match (when, *kind) {
        (When::Early, "permit") | (When::Late | When::Again, _) => format!("\"{kind}\""),
        (When::Early, _) => "\"text\"".to_string(),
    };
    let list = |texts: Vec<String>| texts.join(", ");
    // A function holds one expression of limited depth for each value.
    let values: String = rows.iter().map(|row| format!("all.push({});\n", value(row))).collect();
    format!(
        "fn kinds() {{ [{}] }}\nfn values(attacker, defender, mv) {{ let all = [];\n{values} all }}\n",
        list(rows.iter().map(kind).collect())
    )
}

/// A function that makes the change that is called `which`.
fn changing(changes: &[&str]) -> String {
    let arms: String =
        changes.iter().enumerate().map(|(i, change)| format!("\"change {i}\" => {{ {change}; }}\n")).collect();
    format!("fn change(which) {{ switch which {{ {arms} }} }}\n")
}

fn choosing(changes: &[&str]) -> String {
    let names: Vec<String> = (0..changes.len()).map(|i| format!("\"change {i}\"")).collect();
    format!("choose([{}])", names.join(", "))
}

/// Where in the rules the value is asked and the change is made.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    Turn,
    Capture,
    Suppose,
    OutOfSuppose,
    Outcome,
}

fn rules(place: Place, when: When, changes: &[&str]) -> String {
    let which = choosing(changes);
    let step = match when {
        When::Again => "change(which); let v = values(attacker, defender, mv);",
        _ => "let v = values(attacker, defender, mv); change(which);",
    };
    let show = "choose([see_all(kinds(), v)]);";
    let by_capture = "add(\"x\", 3); add(\"x\", side(\"Red\"), 4); eliminate(side(\"Black\")); discard(\"pool\");";
    let first = "let mv = play(from(\"b2\") & to(\"b3\")); let attacker = mv.from; let defender = square(\"b3\");";
    match place {
        Place::Turn => format!(
            "fn turn() {{ {first} let which = {which}; {step} {show} }}
             fn capture(a, d) {{ take(); if get(\"y\") == 50 {{ {by_capture} }} }}"
        ),
        Place::Capture => format!(
            "fn turn() {{ play(from(\"b2\") & to(\"b3\")); }}
             fn capture(attacker, defender, mv) {{
                if get(\"y\") == 99 {{ take(); return; }}
                let which = {which}; {step} {show} set(\"y\", 99); }}"
        ),
        Place::Suppose => {
            let seen = match when {
                When::Again => "suppose(|| change(which), || see_all(kinds(), values(attacker, defender, mv)))",
                _ => "{ let v = values(attacker, defender, mv); suppose(|| change(which), || see_all(kinds(), v)) }",
            };
            format!("fn turn() {{ {first} let which = {which}; let seen = {seen}; choose([seen]); }}")
        }
        // The value is asked under the supposition and seen outside.
        Place::OutOfSuppose => {
            let seen = match when {
                When::Again => "see_all(kinds(), values(attacker, defender, mv))",
                _ => "{ let v = suppose(|| change(which), || values(attacker, defender, mv)); see_all(kinds(), v) }",
            };
            format!("fn turn() {{ {first} let which = {which}; let seen = {seen}; choose([seen]); }}")
        }
        Place::Outcome => {
            let seen = match when {
                When::Again => "suppose(|| change(which), || see_all(kinds(), values(a, d, ())))",
                _ => "{ let v = values(a, d, ()); suppose(|| change(which), || see_all(kinds(), v)) }",
            };
            let given = "let which = \"change 0\"; let a = square(\"b2\"); let d = square(\"b3\");";
            format!(
                "fn turn() {{ play(from(\"b2\") & to(\"b3\")); {which}; }}
                 fn outcome() {{ if !between_turns() {{ return; }} {given} let seen = {seen}; draw(seen); }}"
            )
        }
    }
}

fn load(script: &str, mode: Mode) -> Loaded {
    let source = Source { name: "values".into(), path: None, text: script.into() };
    load_with(&source, &[], mode).unwrap_or_else(|error| panic!("{}\n{script}", error.render(false)))
}

/// Plays on, making the change of this number where it is asked for, until a text that says what was seen.
fn seen(loaded: &Loaded, change: usize) -> String {
    let mut state = start(loaded);
    for _ in 0..40 {
        match state.status() {
            Status::Chance => state.roll(0).expect("a roll"),
            Status::Move => {
                let name = moves(&state).remove(0);
                play(&mut state, &name);
            }
            Status::Choice => {
                let all = choices(&state);
                match all.iter().find(|text| text.starts_with('=')) {
                    Some(seen) => return seen.clone(),
                    None if all.contains(&format!("change {change}")) => {
                        choose(&mut state, &format!("change {change}"));
                    }
                    None => choose(&mut state, &all[0]),
                }
            }
            Status::Over => return state.over().map(|over| over.reason.clone()).unwrap_or_default(),
        }
    }
    panic!("nothing was seen")
}

/// The rows whose text differs.
fn differing(a: &str, b: &str) -> Vec<usize> {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split('|').collect(), b.split('|').collect());
    assert_eq!(a.len(), b.len());
    (0..a.len()).filter(|&i| a[i] != b[i]).collect()
}

/// Compares late with early for all changes. Returns the rows to which some change matters.
fn hold_against(place: Place, rows: &[(&str, &str, &str)], changes: &[&str]) -> BTreeSet<usize> {
    let script =
        |when| format!("{BASE}\n{SEE}\n{}\n{}\n{}", asking(when, rows), changing(changes), rules(place, when, changes));
    let (late, early) = (load(&script(When::Late), Mode::Trees), load(&script(When::Early), Mode::Trees));
    let (plain, again) = (load(&script(When::Late), Mode::Interpreted), load(&script(When::Again), Mode::Trees));
    let mut mattered = BTreeSet::new();
    for (index, change) in changes.iter().enumerate() {
        let (grown, expected) = (seen(&late, index), seen(&early, index));
        let wrong = differing(&grown, &expected);
        let wrong: Vec<_> = wrong.into_iter().map(|row| rows[row].0).collect();
        assert!(wrong.is_empty(), "{place:?}, {change}: {wrong:?}\nlate  {grown}\nearly {expected}");
        assert_eq!(seen(&late, index), grown, "{place:?}, {change}: walked");
        // Each step of an interpreted rule is a run from its start.
        if index % 3 == 0 {
            assert_eq!(seen(&plain, index), grown, "{place:?}, {change}: interpreted");
        }
        mattered.extend(differing(&seen(&again, index), &expected));
    }
    mattered
}

#[test]
fn a_side_asked_before_a_capture_stays() {
    let script = r#"board(4, 4); sides(["First", "Second"]); piece("man", "M", "W"); royals("capturable");
        setup("4/1m2/1M2/4 w");
        fn turn() { play(any()) }
        fn capture(attacker, defender) { let loser = defender.side; take(); place("a1", loser, "man"); }"#;
    let mut state = start(&game(script));
    play(&mut state, "b2b3");
    assert!(text(&state).starts_with("4/1M2/4/m3 b"), "{}", text(&state));
}

/// What a script's rules can change is found in its text, however it is called there.
#[test]
fn a_side_asked_before_sides_leave_stays() {
    for leaves in ["eliminate(foe)", "foe.eliminate()", "leave(foe)", "Fn(\"elim\" + \"inate\").call(foe)"] {
        let script = format!(
            "board(5, 5); sides([\"White\", \"Black\", \"Red\"]); piece(\"man\", \"M\", \"W\"); royals(\"capturable\");
            setup(\"m4/5/5/5/M3M' w\");
            fn leave(who) {{ for side in [who] {{ eliminate(side); }} }}
            fn turn() {{ let foe = opponent(); {leaves}; choose([name(foe) + \" \" + name(opponent())]); play(any()); }}"
        );
        assert_eq!(choices(&start(&game(&script))), ["Black Red"], "{leaves}");
    }
}

/// A constant is only a name: each rule that reads it asks anew, and what it has read stays.
#[test]
fn constants_are_asked_when_they_are_read() {
    let script = r#"board(3, 3); sides(["White", "Black"]); piece("man", "M", "W"); royals("capturable");
        counter("x", 1); setup("m2/3/2M w");
        const X = number("x"); const BOTH = [X, X + 1]; const THERE = piece_at("c1");
        fn turn() {
            let before = BOTH[1]; let there = THERE;
            add("x", 4); remove("c1");
            choose(["" + before.value + BOTH[1].value + X.value + there.kind + THERE.kind]);
            play(any());
        }"#;
    assert_eq!(choices(&start(&game(script))), ["265man"]);
}

#[test]
fn values_in_a_turn() {
    let mattered = hold_against(Place::Turn, &VALUES, &CHANGES);
    // A value that nothing has changed would have tested nothing.
    let tested: BTreeSet<usize> = (0..VALUES.len()).filter(|row| !FIXED.contains(row)).collect();
    let missed: Vec<_> = tested.difference(&mattered).map(|&row| VALUES[row].0).collect();
    assert!(missed.is_empty(), "no change matters to {missed:?}");
}

#[test]
fn values_in_a_capture() {
    let changes: Vec<&str> = CHANGES[..BEFORE_DICE + 2]
        .iter()
        .copied()
        .chain(["take()", "repel(\"b2\")", "{ remove(\"b3\"); take(); }", "{ take(); restart(); }"])
        .collect();
    hold_against(Place::Capture, &VALUES, &changes);
}

#[test]
fn values_under_a_supposition_and_out_of_it() {
    // What a permit admits is looked up when it is asked: outside, that is another position.
    let asked: Vec<_> = VALUES.iter().copied().filter(|row| row.1 != "permit").collect();
    let changes: Vec<&str> = CHANGES[..BEFORE_DICE].iter().copied().filter(|change| !change.contains("cast")).collect();
    hold_against(Place::Suppose, &VALUES, &changes);
    hold_against(Place::OutOfSuppose, &asked, &changes);
}

#[test]
fn values_in_a_judgement() {
    let asked: Vec<_> = VALUES.iter().copied().filter(|row| !row.0.contains("mv")).collect();
    let changes: Vec<&str> = CHANGES[..BEFORE_DICE].iter().copied().filter(|change| !change.contains("cast")).collect();
    for change in changes {
        hold_against(Place::Outcome, &asked, &[change]);
    }
}

/// What tests of moves captured stays what it was when the permit was made, although the tests run later and elsewhere.
#[test]
fn values_in_tests_of_moves() {
    let tested = |row: &usize| VALUES[*row].1 != "permit" && !FIXED.contains(row);
    let asked: Vec<_> = (0..VALUES.len()).filter(tested).map(|row| VALUES[row]).collect();
    for (test, rows) in asked.chunks(6).flat_map(|rows| [("where", rows), ("after", rows)]) {
        let rules = format!(
            "fn turn() {{
                let mv = play(from(\"b2\") & to(\"b3\")); let attacker = mv.from; let defender = square(\"b3\");
                let which = {};
                let v = values(attacker, defender, mv); let expected = see_all(kinds(), v);
                let seen_as = kinds(); let all = pieces([\"guard\", \"king\"]).of(side(\"Red\"));
                let same = all.{test}(|m| see_all(seen_as, v) == expected);
                change(which);
                choose([\"=\" + same.count() + \" of \" + all.count()]);
            }}",
            choosing(&CHANGES)
        );
        let script = format!("{BASE}\n{SEE}\n{}\n{}\n{rules}", asking(When::Late, rows), changing(&CHANGES));
        let (grown, plain) = (load(&script, Mode::Trees), load(&script, Mode::Interpreted));
        for (index, change) in CHANGES.iter().enumerate() {
            let found = seen(&grown, index);
            let (same, all) = found[1..].split_once(" of ").expect("two numbers");
            assert_eq!(same, all, "{test}, {change}: {:?}", rows.iter().map(|row| row.0).collect::<Vec<_>>());
            assert_ne!(all, "0", "{change}");
            assert_eq!(seen(&grown, index), found, "{test}, {change}: walked");
            if index % 4 == 0 {
                assert_eq!(seen(&plain, index), found, "{test}, {change}: interpreted");
            }
        }
    }
}
