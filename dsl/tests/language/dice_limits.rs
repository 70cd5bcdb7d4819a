//! Dice at the limits: weights that cannot be counted, outcomes that hardly ever occur, and chances that cannot be written
//! as exact fractions.

use astragal_core::odds::Certainty;
use astragal_core::{Game, Ratio, State, Status, odds};
use astragal_dsl::{LoadError, Loaded, Source, library, load};
use std::sync::Arc;

const BOARD: &str =
    r#"board(5, 5); piece("man", "M", "W"); royals("capturable"); setup("mmmmm/mmmmm/5/MMMMM/MMMMM w");"#;

fn game(rules: &str) -> Loaded {
    let source = Source { name: "game".into(), path: None, text: format!("{BOARD}\n{rules}") };
    load(&source, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn start(rules: &str) -> Result<State, String> {
    let loaded = game(rules);
    State::new(Arc::clone(&loaded.set), loaded.start.clone()).map_err(|error| error.to_string())
}

#[test]
fn weights_that_cannot_be_counted_are_refused() {
    // Together 2 000 000 to the power of 4: more than 64 bits hold.
    let error = start(r#"fn turn() { roll("4d{1:1000000,2:1000000}"); play(any()) }"#).err().expect("refused");
    assert!(error.contains("is too large") && error.contains("rule `turn`"), "{error}");
    // 8 to the power of 18 is countable: 54 bits.
    assert!(start(r#"fn turn() { roll("18d{1:7,2}"); play(any()) }"#).is_ok());
}

#[test]
fn dice_for_each_man_are_counted_too() {
    // Twenty pieces: 20 to the power of 20 outcomes are more than 64 bits hold, 6 to the power of 20 are not.
    let rule = |dice: &str| {
        format!(r#"fn turn() {{ let d = roll_each(squares_of_all("man"), #{{ man: "{dice}" }}); play(any()) }}"#)
    };
    let error = start(&rule("d20")).err().expect("refused");
    assert!(error.contains("20 dice") && error.contains("too many outcomes to count"), "{error}");
    let loaded = game(&rule("d6"));
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 3).expect("a game");
    let faces = game.roll().expect("a roll");
    assert_eq!(faces.len(), 20);
    // All faces come from the dice, not from a number that has run over.
    assert!((1..=6).all(|face| faces.contains(&face)), "{faces:?}");
}

#[test]
fn outcomes_that_hardly_ever_come_are_drawn_at_once() {
    // Of 10^12 rolls one counts as 2,2 and three as 2,3.
    let rule =
        r#"fn turn() { roll_until("d{1:1000000,2:1}+d{1:1000000,2:1,3:3}", |d| d[0] == 2 && d[1] > 1); play(any()) }"#;
    let loaded = game(rule);
    let rolls = 400;
    let mut twos = 0;
    for seed in 0..rolls {
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).expect("a game");
        let faces = game.roll().expect("a roll");
        assert!(faces == [2, 2] || faces == [2, 3], "{faces:?}");
        twos += u64::from(faces == [2, 2]);
        let mut again = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).expect("a game");
        assert_eq!(again.roll().expect("a roll"), faces, "the same seed rolls the same");
    }
    // A quarter is 100, the standard deviation below 9.
    assert!((65..=135).contains(&twos), "{twos} of {rolls}");
    let mut state = State::new(Arc::clone(&loaded.set), loaded.start.clone()).expect("a game");
    let chances: Vec<Ratio> =
        odds::next_roll(&state).expect("chances").into_iter().map(|(chance, ..)| chance).collect();
    assert_eq!(chances, [Ratio::new(1, 4), Ratio::new(3, 4)]);
    assert_eq!(state.status(), Status::Chance);
    assert!(state.roll(4).is_ok());
}

#[test]
fn chances_are_never_approximated() {
    let many = |rolls: usize| {
        format!(
            r#"fn turn() {{ let all = []; for i in 0..{rolls} {{ all.push(roll("d{{1:999983,2:1}}")); }} play(any()) }}"#
        )
    };
    // 999984^6 has 120 bits; all outcomes lead to the same decision.
    let sum = odds::outcomes(&start(&many(6)).expect("a game")).expect("chances");
    assert_eq!(sum.iter().fold(Ratio::ZERO, |sum, outcome| sum + outcome.probability), Ratio::ONE);
    let error = odds::outcomes(&start(&many(7)).expect("a game")).err().expect("cannot be written as exact fractions");
    assert!(error.to_string().contains("cannot be written as exact fractions"), "{error}");
    // Who takes what is nearly exact is told how near it is.
    let found = odds::explore(&start(&many(7)).expect("a game"), &|| false).expect("rules").expect("chances");
    let Certainty::Within(bound) = found.certainty else { panic!("{:?}", found.certainty) };
    let sum: f64 = found.outcomes.iter().map(|outcome| outcome.probability.to_f64()).sum();
    assert!(bound < 1e-15 && (1.0 - sum).abs() < 1e-12, "{sum} within {bound}");
}

#[test]
fn fractions_near_the_limit_are_compared() {
    let (a, b) = (Ratio::new(1, u128::MAX / 3), Ratio::new(2, u128::MAX / 3));
    assert!(a < b);
    assert!(b > a);
    assert!(Ratio::new(1, 3) < Ratio::new(1, 2));
}

#[test]
#[cfg(unix)]
fn only_files_are_scripts() {
    for path in ["/dev/zero", "/dev/tty", "/", "/dev/null"] {
        let found = library::resolve(path);
        assert!(matches!(found, Err(LoadError::Io { .. })), "{path}: {found:?}");
    }
}

#[test]
fn what_can_be_cast_is_said_where_it_is_refused() {
    let cast = |dice: &str| format!("fn turn() {{ let d = cast(\"{dice}\"); play(any()) }}");
    for dice in ["23d6", "13d20", "32d3"] {
        assert!(start(&cast(dice)).is_ok(), "{dice}");
    }
    for dice in ["24d6", "14d20"] {
        let error = start(&cast(dice)).err().expect("refused");
        assert!(error.contains("2^60") && error.contains("23d6 or 13d20") && error.contains("32 dice"), "{error}");
    }
    let roll = |dice: &str| start(&format!("fn turn() {{ roll(\"{dice}\"); play(any()) }}")).err().expect("refused");
    assert!(roll("8d6").contains("use `cast()`") && roll("8d6").contains("2^60"), "{}", roll("8d6"));
    assert!(!roll("32d6").contains("cast()"), "what cannot be cast, either: {}", roll("32d6"));
}
