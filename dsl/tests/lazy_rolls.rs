//! Rolls of which a rule is told no more than the script uses, without a word of its author: `roll("2d6").total`.

mod common;

use astragal_core::dice::Stream;
use astragal_core::{Ratio, Reply, State, Status, odds};
use astragal_dsl::coverage::Coverage;
use astragal_dsl::{Loaded, Source, load_noting};
use common::{game, moves, play, start, text};
use std::collections::BTreeMap;

const STONES: &str = r#"board(8, 3); sides(["First", "Second"]); piece("man", "M", "R"); royals("capturable");
    counter("sum", 0); setup("8/M6m/8 w");"#;

/// What is put before a use of `dice` so that the faces themselves are used.
const ALL_FACES: &str = "for face in dice { if face > 99 { draw(\"never\"); } }";

fn stones(rules: &str) -> Loaded {
    game(&format!("{STONES} {rules}"))
}

/// How many outcomes of the first roll the rules can tell apart, and how many there are.
fn apart(rules: &str) -> (usize, u64) {
    let state = start(&stones(rules));
    (state.outcomes_apart().len(), state.dice().expect("dice").outcomes())
}

#[test]
fn outcomes_that_are_used_alike_are_one() {
    let turn = |body: &str| format!("fn turn() {{ {body} play(any()) }}");
    for (body, expected) in [
        ("set(\"sum\", roll(\"2d6\").total);", 11),
        ("let dice = roll(\"2d6\"); set(\"sum\", dice.total);", 11),
        ("let dice = roll(\"2d6\"); set(\"sum\", (dice[0] - dice[1]).abs());", 6),
        ("let dice = roll(\"4d{0,1}\"); set(\"sum\", dice[0] + dice[1] + dice[2] + dice[3]);", 5),
        ("let dice = roll(\"3d6\"); if dice.alike == 3 { again(); }", 2),
        ("let dice = roll(\"2d6\"); if 4 in dice || dice.lowest == 6 { again(); }", 2),
        ("let dice = roll(\"2d6\"); if !(dice[0] == dice[1]) { again(); }", 2),
        ("let die = roll(\"1d6\"); if die > 3 { again(); }", 2),
        ("set(\"sum\", [1, 2, 3, 4, 4, 4][roll(\"1d6\") - 1]);", 4),
        ("set(\"sum\", min(roll(\"1d20\") / 5, 3));", 4),
        ("set(\"sum\", max(-roll(\"1d6\") + 3, 0) % 2);", 2),
        ("switch roll(\"3d6\").row { 3 => again(), _ => () }", 3),
        ("let dice = roll(\"2d6\"); label(`${dice.highest}`);", 6),
        // The middle one and the number of sixes: 1 to 6, 8 and 9.
        ("let dice = roll(\"3d6\"); set(\"sum\", dice.ranked(2) + dice.count_of(6));", 8),
        // Which face is asked about is not known beforehand, but no order matters: 126 ways to take four of six faces.
        ("let dice = roll(\"4d6\"); for face in 1..=6 { if dice.count_of(face) == 1 { again(); } }", 126),
        // The first, and whether it is the higher: 2 to 6 if it is, else 1 to 6.
        ("let dice = roll(\"2d6\"); if dice[0] > dice[1] { set(\"sum\", dice[0]); }", 5 + 6),
        // Both are told in each way of a loop.
        ("for i in 0..2 { let dice = roll(\"2d6\"); add(\"sum\", dice.total); }", 11),
    ] {
        assert_eq!(apart(&turn(body)).0, expected, "{body}");
    }
}

#[test]
fn faces_are_followed_into_functions() {
    for (rules, expected) in [
        (
            "fn turn() { let dice = roll(\"2d6\"); near_by(dice); } fn near_by(dice) { set(\"sum\", dice.total); play(any()) }",
            11,
        ),
        ("fn turn() { near_by(3, roll(\"2d6\")); } fn near_by(n, d) { set(\"sum\", d.lowest + n); play(any()) }", 6),
        (
            "fn turn() { let dice = roll(\"2d6\"); if dice[0] == dice[1] { again(); } far(dice) }
            fn far(d) { near(d) } fn near(dice) { set(\"sum\", dice.total); play(any()) }",
            // Doubles have six sums, others nine.
            6 + 9,
        ),
    ] {
        assert_eq!(apart(rules).0, expected, "{rules}");
    }
}

/// Whatever might ask for more than is seen keeps the faces as they are.
#[test]
fn faces_that_may_be_used_otherwise_are_told_in_full() {
    let total = "set(\"sum\", dice.total);";
    for body in [
        "for face in dice { add(\"sum\", face); }",
        "dice += dice;",
        "dice[0] = 9; set(\"sum\", dice.highest);",
        "dice.sort(); set(\"sum\", dice[0]);",
        "dice = [1, 1];",
        "let dice = [dice.total];",
        "{ let dice = [3]; }",
        "for dice in 0..2 { }",
        "let later = || dice.total; set(\"sum\", later.call());",
        "let pair = [dice, 1]; set(\"sum\", pair[0].highest);",
        "label(`${dice}`);",
        "let sum = loop { break dice; }; set(\"sum\", sum[0]);",
        "play_each(dice, |die| if die > 3 { any() } else { nothing() });",
        "play_each([any(), nothing()]);",
        "play_each([3, 4], |die| any());",
        "play_each([any(), nothing()], #{ spend: \"any\" });",
        "near_by!();",
        "near_by(dice);",
        "set(\"sum\", dice.map(|die| die + 1)[0]);",
        "set(\"sum\", dice.count_of(dice[0]) + dice.count_of(get(\"sum\"))); if dice[0] < dice[1] * 7 { last(dice) }",
    ] {
        let rules = format!(
            "fn turn() {{ let dice = roll(\"2d6\"); {total} {body} play(any()) }}
            fn near_by() {{ set(\"sum\", 1); }} fn near_by(faces) {{ for face in faces {{ add(\"sum\", face); }} }}
            fn last(faces) {{ faces[1] = 3; }}"
        );
        assert_eq!(apart(&rules), (36, 36), "{body}");
    }
    let own = "fn turn() { let n = min(roll(\"2d6\").total, 3); set(\"sum\", n); play(any()) } fn min(a, b) { a - b }";
    assert_eq!(apart(own).0, 36, "a function of the script's own of that name");
    let wrong = "fn turn() { let dice = roll(\"2d6\"); if dice.total > 12 { dice[2] / 0; } play(any()) }";
    assert_eq!(apart(wrong).0, 36, "what would fail is left to the script");
}

/// Games by chance, from rules in which `dice` is used as said, and from the same that use all faces.
fn pair(body: &str) -> [Loaded; 2] {
    ["", ALL_FACES].map(|first| {
        stones(&format!(
            "fn turn() {{ let dice = roll(\"3d6\"); {first} {body} play(any()) }}
            fn outcome() {{ if get(\"sum\") > 60 {{ draw(\"enough\"); }} }}"
        ))
    })
}

const BODIES: [&str; 4] = [
    "set(\"sum\", get(\"sum\") + dice.total);",
    "if dice.alike == 2 { label(\"a pair\"); again(); } add(\"sum\", dice[0] - dice[2]);",
    "if dice.total > 14 { win(mover(), \"high\"); } else if dice.highest < 3 { again(); }",
    "let more = roll(\"2d6\"); if more.total == dice.ranked(2) { add(\"sum\", 20); }",
];

#[test]
fn the_same_seed_draws_the_same_faces_and_plays_the_same_game() {
    for body in BODIES {
        let [lazy, full] = pair(body);
        for seed in 0..8 {
            assert_eq!(random_game(&lazy, seed), random_game(&full, seed), "{body}, seed {seed}");
        }
    }
}

/// All faces, moves, labels and positions of a random game of some events.
fn random_game(loaded: &Loaded, seed: u64) -> Vec<String> {
    let (mut state, mut stream) = (start(loaded), Stream::new(seed, 0));
    let mut told = Vec::new();
    while state.over().is_none() && told.len() < 80 {
        if state.status() == Status::Chance {
            let index = state.draw(&mut stream);
            told.push(format!("{:?}", state.dice().expect("dice").outcome(index)));
            state.roll(index).expect("a roll");
        } else {
            let all = moves(&state);
            let chosen = all[stream.below(all.len() as u64) as usize].clone();
            play(&mut state, &chosen);
            told.push(chosen);
        }
        told.push(format!("{} {:?} {:?}", text(&state), state.label(), state.over()));
    }
    told
}

#[test]
fn chances_are_the_same() {
    for body in BODIES {
        let [lazy, full] = pair(body);
        assert_eq!(outcomes(&start(&lazy)), outcomes(&start(&full)), "{body}");
    }
}

/// The chances of all that a turn's rolls come to.
fn outcomes(state: &State) -> BTreeMap<String, Ratio> {
    let mut chances = BTreeMap::new();
    for outcome in odds::outcomes(state).expect("exact chances") {
        let state = &outcome.state;
        let known = chances.entry(format!("{} {:?} {:?}", text(state), state.label(), state.over()));
        *known.or_insert(Ratio::ZERO) += outcome.probability;
    }
    chances
}

/// Four throws of four dice: 1296^4 ways, but 21 sums each.
#[test]
fn chances_of_sums_are_exact_where_those_of_faces_would_be_too_many() {
    let sums = "let sum = 0; for i in 0..4 { let dice = roll(\"4d6\"); sum += dice.total; }";
    let loaded = stones(&format!("fn turn() {{ {sums} if sum > 95 {{ win(mover(), \"high\"); }} play(any()) }}"));
    let state = start(&loaded);
    let found = odds::outcomes(&state).expect("chances");
    let high = found.iter().filter(|outcome| outcome.state.over().is_some());
    let chance = high.map(|outcome| outcome.probability).fold(Ratio::ZERO, |all, one| all + one);
    // All sixteen dice show a six.
    assert_eq!(chance, Ratio::new(1, 6_i128.pow(16) as u128));
}

/// Every outcome leads on, not only the first of those that are alike.
#[test]
fn every_face_may_come_up() {
    let loaded = stones("fn turn() { let dice = roll(\"2d6\"); set(\"sum\", dice.total); play(any()) }");
    let state = start(&loaded);
    for index in 0..36 {
        let faces = state.dice().expect("dice").outcome(index);
        let next = state.after(Reply::Roll(index)).expect("a roll");
        assert!(text(&next).contains(&format!("sum={}", faces[0] + faces[1])), "{faces:?}");
    }
}

/// Who wants to see what has been visited sees all faces.
#[test]
fn under_coverage_all_faces_are_told() {
    let text = format!("{STONES} fn turn() {{ set(\"sum\", roll(\"2d6\").total); play(any()) }}");
    let source = Source { name: "game".into(), path: None, text };
    let loaded = load_noting(&source, &[], &Coverage::new()).expect("a game");
    assert_eq!(start(&loaded).outcomes_apart().len(), 36);
}
