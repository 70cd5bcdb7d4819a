//! Chances of whole turns: rolls after which a rule continues in the same way are combined, and no others.

use crate::common::{game, play, start};
use astragal_core::odds::Certainty;
use astragal_core::{Ratio, State, Status, odds};
use std::cell::Cell;
use std::collections::BTreeMap;

const STONES: &str = r#"board(5, 3); sides(["First", "Second"]); piece("man", "M", "W"); royals("capturable");
    setup("5/M3m/5 w");"#;

/// The chance of each word that a turn may end in, looked at roll by roll.
fn one_by_one(state: &State) -> BTreeMap<String, Ratio> {
    let mut all = BTreeMap::new();
    if state.status() != Status::Chance {
        all.insert(state.label().unwrap_or_default().to_owned(), Ratio::ONE);
        return all;
    }
    odds::each_roll(state, |chance, _, next| {
        for (word, part) in one_by_one(&next) {
            let sum = all.entry(word).or_insert(Ratio::ZERO);
            *sum += part.checked_mul(chance).expect("a fraction");
        }
        Ok::<(), astragal_core::RuleError>(())
    })
    .expect("rolls");
    all
}

/// The same chances as computed by `odds`.
fn together(state: &State) -> (BTreeMap<String, Ratio>, Certainty) {
    let found = odds::explore(state, &|| false).expect("rules").expect("not stopped");
    let mut all = BTreeMap::new();
    for outcome in &found.outcomes {
        let sum = all.entry(outcome.state.label().unwrap_or_default().to_owned()).or_insert(Ratio::ZERO);
        *sum += outcome.probability;
    }
    (all, found.certainty)
}

/// Runs in the same state are combined, but never those that go on differently.
#[test]
fn chances_are_those_of_all_rolls_one_by_one() {
    for rule in [
        "let t = 0; for i in 0..3 { t += roll(\"1d4\"); } label(`${t}`);",
        // The loop's variable, and its bound, say nothing once they have been changed.
        "let t = 0; for i in 0..3 { t += roll(\"1d2\"); i = 5; } label(`${t}`);",
        "let t = 0; let n = 4; for i in 0..n { n -= roll(\"1d2\"); n = 1; t += 1; } label(`${t} ${n}`);",
        "let t = 0; let n = 3; for i in 1..=n { t += i * roll(\"1d3\"); } label(`${t}`);",
        "let t = 0; for d in [2, 2, 1] { t += d * roll(\"1d3\"); } label(`${t}`);",
        "let t = roll(\"1d4\"); t = t + roll(\"1d4\"); t = t * 2 + roll(\"1d4\"); label(`${t}`);",
        "let t = roll(\"1d4\") * roll(\"1d3\") - roll(\"1d2\"); label(`${t}`);",
        "let t = 9; if roll(\"1d4\") > 2 && roll(\"1d3\") > 1 || roll(\"1d2\") == 1 { t = roll(\"1d2\"); } \
         label(`${t}`);",
        "let t = 0; switch roll(\"1d4\") { 1 => { t = roll(\"1d4\"); }, 2 => { t = 1; } } t += roll(\"1d2\"); \
         label(`${t}`);",
        "let t = roll(\"2d3\")[0] + roll(\"2d3\")[1]; label(`${t}`);",
        "let t = 0; let a = cast(\"2d3\"); let b = cast(\"1d4\"); roll(\"1d2\");
         if a.total > 4 { t += 1; } if b.total > a.highest { t += 2; } label(`${t}`);",
        "let t = 0; let add = || { t += 1; }; for i in 0..2 { if roll(\"1d3\") > 1 { add.call(); } } label(`${t}`);",
    ] {
        let state = start(&game(&format!("{STONES} fn turn() {{ {rule} play(any()); }}")));
        let (found, certainty) = together(&state);
        assert_eq!((found, certainty), (one_by_one(&state), Certainty::Exact), "{rule}");
    }
}

#[test]
fn sums_of_many_rolls_are_exact() {
    // The ways to throw each sum with ten dice of twenty faces.
    let mut ways = vec![1_u128];
    for _ in 0..10 {
        let longer = |sum: usize| (1..=20).filter(|face| *face <= sum).filter_map(|face| ways.get(sum - face)).sum();
        ways = (0..ways.len() + 20).map(longer).collect();
    }
    let high = Ratio::new(ways[131..].iter().sum(), 20_u128.pow(10));
    for rule in [
        "let t = 0; for i in 0..10 { t += roll(\"1d20\"); }".to_owned(),
        format!("let t = roll(\"1d20\");{}", " t += roll(\"1d20\");".repeat(9)),
    ] {
        let script = format!("{STONES} fn turn() {{ {rule} if t > 130 {{ label(\"high\"); }} play(any()); }}");
        let (found, certainty) = together(&start(&game(&script)));
        assert_eq!((found.get("high"), certainty), (Some(&high), Certainty::Exact), "{rule}");
    }
}

#[test]
fn loops_that_count_their_passes_are_followed_until_they_hardly_go_on() {
    let script = "board(4, 4); piece(\"man\", \"M\", \"W\"); setup(\"4/1m2/1M2/4 w\");
        fn capture(attacker, defender) { let lost = 0; while ROLL < 6 { lost += 1; }
            take(); if lost > 3 { label(\"many\"); } }";
    for roll in ["roll(\"1d6\")", "cast(\"1d6\").total"] {
        let mut state = start(&game(&script.replace("ROLL", roll)));
        play(&mut state, "b2b3");
        let (found, certainty) = together(&state);
        let Certainty::Within(bound) = certainty else { panic!("{roll}: {certainty:?}") };
        let (many, expected) = (found["many"].to_f64(), (5.0_f64 / 6.0).powi(4));
        assert!(bound < 1e-12 && (many - expected).abs() < 1e-12, "{roll}: {many}, {bound}");
    }
}

#[test]
fn in_a_limited_time_turns_are_drawn() {
    let script =
        format!("{STONES} fn turn() {{ for d in roll(\"3d10\") {{ if d == 1 {{ label(\"one\"); }} }} play(any()); }}");
    let state = start(&game(&script));
    let asked = Cell::new(0);
    let after = |count: u32| {
        asked.set(0);
        let asked = &asked;
        move || {
            asked.set(asked.get() + 1);
            asked.get() > count
        }
    };
    let exact = odds::explore_in_time(&state, &|| false, &|| false).expect("rules").expect("found");
    assert_eq!(exact.certainty, Certainty::Exact);
    // Hurried after a hundred rolls: drawn in full.
    let drawn = odds::explore_in_time(&state, &after(100), &|| false).expect("rules").expect("found");
    assert_eq!(drawn.certainty, Certainty::Drawn(odds::DRAWN));
    // Hurried from the beginning and stopped after fifty rolls: what has been drawn by then.
    let some = odds::explore_in_time(&state, &|| true, &after(50)).expect("rules").expect("found");
    assert!(matches!(some.certainty, Certainty::Drawn(30..=50)), "{:?}", some.certainty);
    assert!(odds::explore_in_time(&state, &|| true, &|| true).expect("rules").is_none());
}
