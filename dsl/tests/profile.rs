//! What `check --profile` blames where a rule is slow.

use astragal_dsl::Source;
use astragal_dsl::profile::{Cause, ProfileLimits, profile};
use std::time::Duration;

/// Enough to tell, and no limit of time: counts must not depend on the machine.
const EFFORT: ProfileLimits = ProfileLimits { games: 12, longest: 120, cap: 20_000, time: Duration::from_secs(3600) };

fn source(name: &str, text: &str) -> Source {
    Source { name: name.into(), path: None, text: text.into() }
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

/// A permit that is asked anew, and asks about one square after another: what it asks is to blame, not the two dice before it.
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

/// A rule so slow that few games are played is blamed as well.
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
