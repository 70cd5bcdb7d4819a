//! What `check --profile` counts, and that it blames the right question.

use astragal_dsl::Source;
use astragal_dsl::profile::{Cause, Profile, ProfileLimits, profile};
use std::time::Duration;

/// Enough to judge, and without a time limit: counts must not depend on the machine.
const EFFORT: ProfileLimits = ProfileLimits { games: 12, longest: 120, cap: 20_000, time: Duration::from_secs(3600) };

fn source(name: &str, text: &str) -> Source {
    Source { name: name.into(), path: None, text: text.into() }
}

/// The report without times, a line for each rule.
fn table(profile: &Profile) -> String {
    let mut text = format!("{} games, {} moves and choices\n", profile.games, profile.plies);
    for rule in &profile.rules {
        text += &format!(
            "{}: {} calls, {} runs, {} nodes{}\n",
            rule.rule,
            rule.calls,
            rule.runs,
            rule.nodes,
            if rule.capped { ", capped" } else { "" }
        );
        if let Some(growth) = &rule.growth {
            let place = growth
                .place
                .as_ref()
                .map(|at| format!("{}:{}:{}", at.file.as_deref().unwrap_or_default(), at.line, at.column));
            text += &format!("  grows at {}: {:?}\n", place.unwrap_or_default(), growth.cause);
        }
    }
    text
}

/// Asks about one line after another: each answer is small, but there are very many runs of them.
const LINES: &str = r#"import "chess" as chess;
chess::setup();
fn turn() { play(any()) }
fn outcome() {
    let men = squares_of(mover());
    let full = 0;
    for n in 1..=8 {
        if (file(n) & men).count() >= 2 { full += 1; }
        if (rank(n) & men).count() >= 2 { full += 1; }
    }
    if full == 0 { draw("thinned out"); }
}
"#;

/// Looks at one man after another.
const LOOP: &str = r#"import "chess" as chess;
chess::setup();
fn turn() { play(any()) }
fn outcome() {
    let heavy = 0;
    for square in squares_of(mover()) {
        if square.kind in ["queen", "rook"] { heavy += 1; }
    }
    if heavy == 0 { win(opponent(), "nothing heavy left"); }
}
"#;

#[test]
fn a_profile_counts_and_blames() {
    let shown =
        |name: &str, text: &str| table(&profile(&source(name, text), &EFFORT, &|_, _| true).expect("a profile"));
    let both = format!("{}\n{}", shown("lines", LINES), shown("loop", LOOP));
    insta::assert_snapshot!(both);
}

/// Dice that are passed on to `play_each` branch by their order, unless a key sorts them.
#[test]
fn faces_in_the_order_of_their_fall_are_blamed() {
    let race = |roll: &str| {
        let text = format!(
            "board(8, 2); sides([\"White\", \"Black\"]); piece(\"man\", \"M\", \"W\"); royals(\"capturable\");
             track(\"way\", \"a1-h1 h2-a2\", #{{ closed: true, same_for_all: true }}); setup(\"m7/M7 w\");
             fn turn() {{ play_each(roll({roll}), |die| along(\"way\", die)); }}
             fn outcome() {{ if clock_reached(60) {{ draw(\"long\"); }} }}"
        );
        let found = profile(&source("race", &text), &ProfileLimits { cap: 600, ..EFFORT }, &|_, _| true);
        found.expect("a profile").rules.into_iter().find(|rule| rule.rule == "turn").expect("the turn is profiled")
    };
    let (plain, sorted) = (race("\"3d6\""), race("\"3d6\", |d| { d.sort(); d }"));
    assert!(matches!(plain.growth.expect("216 ways").cause, Cause::Outcomes(ways) if ways > 56));
    assert!(sorted.nodes < plain.nodes && !sorted.capped, "{} {}", sorted.nodes, plain.nodes);
}

/// The shipped games soon stop asking new questions.
#[test]
fn shipped_rules_stop_growing() {
    for name in ["dice-chess", "king-for-2", "dice-xiangqi", "babylonian"] {
        let source = astragal_dsl::library::resolve(name).expect("a variant");
        let found =
            profile(&source, &ProfileLimits { games: 40, longest: 400, ..EFFORT }, &|_, _| true).expect("a profile");
        let growing: Vec<_> = found.rules.iter().filter(|rule| rule.growth.is_some() || rule.capped).collect();
        assert!(growing.is_empty(), "{name}: {growing:?}");
        let turn = found.rules.iter().find(|rule| rule.rule == "turn").expect("the turn is profiled");
        assert!(turn.calls >= found.games && found.rules.iter().all(|rule| rule.time > Duration::ZERO));
    }
}

/// A rule beyond its cap is interpreted each time, and the game is the same.
#[test]
fn a_cap_changes_nothing_but_the_time() {
    let effort = |cap: usize| ProfileLimits { games: 3, longest: 60, cap, ..EFFORT };
    let run = |cap: usize| profile(&source("lines", LINES), &effort(cap), &|_, _| true);
    let (free, capped) = (run(20_000).expect("a profile"), run(20).expect("a profile"));
    assert_eq!((free.games, free.plies), (capped.games, capped.plies));
    let outcome = |profile: &Profile| profile.rules.iter().find(|rule| rule.rule == "outcome").expect("judged").clone();
    assert_eq!(outcome(&free).calls, outcome(&capped).calls);
    assert!(outcome(&capped).capped && !outcome(&free).capped);
    assert!(outcome(&capped).runs > outcome(&free).runs);
    let growth = outcome(&capped).growth.expect("a capped tree is blamed on some question");
    assert!(growth.place.is_some());
    assert!(matches!(growth.cause, Cause::Answers(_) | Cause::Again(_)));
}

/// A permit that is asked anew, and asks about one square after another: its questions are to blame, not the two dice
/// before it.
#[test]
fn what_is_asked_behind_a_few_dice_is_blamed() {
    let text = r#"board(12, 2, #{ heaps: true });
sides(["White", "Black"], #{ forward: ["up", "up"] });
piece("man", "M", "mW");
hands("owner");
track("way", ["a1-l1 l2-a2", "a2-l2 l1-a1"]);
setup("12/12[15M15m] w");
fn permit(die) {
    let all = enter("way", die, #{ landing: "hit" });
    for square in squares_of(mover()) {
        if height(square, mover()) > 1 { all |= along("way", die, #{ landing: "hit" }) & from(square); }
    }
    all
}
fn turn() { play_each(roll("2d6"), |die| permit(die), #{ spend: "most", anew: true }); }
fn outcome() { if clock_reached(60) { draw("long"); } }
"#;
    let limits = ProfileLimits { cap: 9_000, games: 4, longest: 400, ..EFFORT };
    let found = profile(&source("heaps", text), &limits, &|_, _| true).expect("a profile");
    let turn = found.rules.into_iter().find(|rule| rule.rule == "turn").expect("the turn is profiled");
    let growth = turn.growth.expect("its tree is full");
    assert!(turn.capped && matches!(growth.cause, Cause::Again(_)), "{growth:?}");
    assert!(growth.place.is_some_and(|place| (9..=10).contains(&place.line)));
}

/// A rule so slow that only few games are played is blamed, too.
#[test]
fn one_slow_game_is_enough() {
    for games in [2, 12] {
        let found = profile(&source("lines", LINES), &ProfileLimits { games: 60, ..EFFORT }, &|game, _| game < games);
        let found = found.expect("a profile");
        let outcome = found.rules.into_iter().find(|rule| rule.rule == "outcome").expect("judged");
        assert!(outcome.runs * 2 > outcome.calls && !outcome.capped, "{} of {}", outcome.runs, outcome.calls);
        let growth = outcome.growth.expect("it is interpreted most of the time");
        assert!(growth.place.is_some_and(|at| (8..=9).contains(&at.line)));
    }
}
