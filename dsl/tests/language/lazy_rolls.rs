//! Rolls of which a rule learns no more than the script uses: games and chances are the same as with all faces. Which rolls
//! are told apart is tested in `plays/lazy_rolls.play`.

use crate::common::{game, moves, play, start, text};
use astragal_core::dice::Stream;
use astragal_core::{Ratio, Reply, State, Status, odds};
use astragal_dsl::coverage::Coverage;
use astragal_dsl::{Loaded, Source, load_noting};
use std::collections::BTreeMap;

const STONES: &str = r#"board(8, 3); sides(["First", "Second"]); piece("man", "M", "R"); royals("capturable");
    counter("sum", 0); setup("8/M6m/8 w");"#;

/// What is put before a use of `dice` so that the faces themselves are used.
const ALL_FACES: &str = "for face in dice { if face > 99 { draw(\"never\"); } }";

fn stones(rules: &str) -> Loaded {
    game(&format!("{STONES} {rules}"))
}

/// Two games: rules that use `dice` as `body` does, and the same rules, which also use all faces.
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

/// The chances of all results of a turn's rolls.
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

/// The game goes on after every outcome, not only after the first of those that are alike.
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

/// While coverage is recorded, a rule learns all faces.
#[test]
fn under_coverage_all_faces_are_told() {
    let text = format!("{STONES} fn turn() {{ set(\"sum\", roll(\"2d6\").total); play(any()) }}");
    let source = Source { name: "game".into(), path: None, text };
    let loaded = load_noting(&source, &[], &Coverage::new()).expect("a game");
    assert_eq!(start(&loaded).outcomes_apart().len(), 36);
}
