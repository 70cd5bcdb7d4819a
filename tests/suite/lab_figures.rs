//! What the lab proves and what it does not: intervals, p-values, exactness, digests. All are compared with arithmetic by
//! hand.

use crate::common::text;
use astragal_core::Event;
use astragal_dsl::{Source, library, load, record};
use astragal_lab::analyse::{Analysis, Finding, USUAL_LEVEL, analyse};
use astragal_lab::compare::{Comparison, Plan, Score, compare, correct};
use astragal_lab::ladder::climb;
use astragal_lab::statistics::comparisons::Correction;
use astragal_lab::tally::Named;
use astragal_lab::{Experiment, Interval, Report, Setting, Tally, Watch, run};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A game of one man on each side with these rules.
fn script(rules: &str) -> Source {
    let head = "board(1, 2);\nsides([\"White\", \"Black\"]);\npiece(\"man\", \"M\");\nsetup(\"m/M w - - 0 1\");\n";
    Source { name: "small".into(), path: None, text: format!("{head}{rules}") }
}

fn experiment(source: &Source, setting: Setting) -> Experiment {
    Experiment::new(source, setting).unwrap_or_else(|error| panic!("{}: {error}", source.text))
}

fn tally(experiment: &Experiment, games: u64) -> Tally {
    run(experiment, 0..games, 2, &Watch::NONE, None).expect("the games are played")
}

/// Somebody always wins after a turn.
fn always(side: &str) -> Source {
    script(&format!(
        "fn turn() {{ roll(\"1d2\"); }}\nfn outcome() {{ if round() > 1 {{ win(side(\"{side}\"), \"always\"); }} }}"
    ))
}

fn compared(first: &Source, second: &Source, games: u64) -> Comparison {
    let [first, second] = [first, second].map(|source| experiment(source, Setting::random(1)));
    let plan = Plan { games, threads: 1, detect: 0.02, stops_early: true };
    compare(&first, &second, &plan, &Watch::NONE).expect("the games are played").0
}

/// Each pair differs by the same amount, so the error is 0: of the 2^N ways to swap the two in each pair, two show a
/// difference as large.
#[test]
fn what_always_differs_is_tested_by_signs() {
    for (games, p) in [(2, 0.5), (6, 0.031_25), (20, 2.0_f64.powi(-19))] {
        let comparison = compared(&always("White"), &always("Black"), games);
        let score = &comparison.differences[0];
        assert_eq!((score.key, score.difference.value, score.difference.error), ("score", -1.0, 0.0));
        assert!((score.p - p).abs() < 1e-12, "{games}: {}", score.p);
        // Wilson's upper end for no success: z^2 / (N + z^2). What was never seen may be as far off as +1.
        let unseen = 3.841_458_820_694_124 / (games as f64 + 3.841_458_820_694_124);
        let (low, high) = score.interval.expect("shares have bounds");
        assert!((low + 1.0).abs() < 1e-12 && (high - (2.0 * unseen - 1.0)).abs() < 1e-9, "{low} {high}");
        assert_eq!(comparison.saved, None);
    }
    // One pair in which anything differs proves nothing, whatever the error.
    let comparison = compared(&always("White"), &always("White"), 30);
    assert!(comparison.differences.iter().all(|d| d.p == 1.0 && !d.is_real()));
}

/// Every turn is lost, in games of 8 rounds and of 12: the games differ, but the share of lost turns does not. Finding no
/// difference is likely by chance, however many games there are.
#[test]
fn no_difference_is_no_evidence() {
    let rules = |most: u32| {
        let turn = "fn turn() { roll(\"1d6\"); play(any()); }";
        script(&format!("{turn}\nfn outcome() {{ if round() > {most} {{ draw(\"long\"); }} }}"))
    };
    let comparison = compared(&rules(8), &rules(12), 256);
    let figure = |key: &str| comparison.differences.iter().find(|d| d.key == key).expect("the figure");
    let lost = figure("lost");
    assert_eq!((lost.first, lost.second, lost.difference.value, lost.p), (1.0, 1.0, 0.0, 1.0));
    assert!(!lost.is_real() && lost.interval.is_some());
    let turns = figure("turns");
    assert_eq!((turns.first, turns.second), (16.0, 24.0));
    assert!(turns.is_real());
}

/// Two settings that are the same are found to be the same: N^2 0.02^2 / 4 exceeds ln(0.975 / 0.05) from 173 pairs on, so
/// after the second block of 128.
#[test]
fn the_same_is_found_to_be_the_same() {
    let comparison = compared(&always("White"), &always("White"), 10_000);
    assert_eq!((comparison.verdict, comparison.games), (Score::Same, 256));
    let comparison = compared(&always("White"), &always("Black"), 10_000);
    assert_eq!((comparison.verdict, comparison.games), (Score::Lower, 128));
}

/// A figure that is 0 in both stays in the table, but is not counted among the figures that were looked at.
#[test]
fn corrections_count_what_was_looked_at() {
    let mut comparison = compared(&always("White"), &always("Black"), 6);
    let looked_at = comparison.differences.iter().filter(|d| !d.is_nothing()).count();
    let lost = comparison.differences.iter().find(|d| d.key == "lost").expect("it is in the table");
    assert!(lost.is_nothing() && looked_at < comparison.differences.len());
    correct(&mut [&mut comparison], Correction::Holm);
    let least = comparison.differences.iter().map(|d| d.adjusted).fold(1.0, f64::min);
    assert!((least - 0.031_25 * looked_at as f64).abs() < 1e-12, "{least}");
}

/// Rolls, choices, and results that leave no trace on the board are in the digest.
#[test]
fn a_digest_stands_for_all_that_has_happened() {
    let ending = |reason: &str| format!("fn outcome() {{ if round() > 3 {{ draw(\"{reason}\"); }} }}");
    let digest = |turn: &str, reason: &str, seed: u64| {
        let source = script(&format!("fn turn() {{ {turn} }}\n{}", ending(reason)));
        tally(&experiment(&source, Setting::random(seed)), 20).digest
    };
    let choice = "choose([\"left\", \"right\"]);";
    assert_eq!(digest(choice, "over", 1), digest(choice, "over", 1));
    let all = [
        digest("roll(\"1d6\");", "over", 1),
        digest("roll(\"1d6\");", "late", 1),
        digest("roll(\"1d8\");", "over", 1),
        digest("roll(\"1d6\");", "over", 2),
        digest(choice, "over", 1),
        digest(choice, "over", 2),
    ];
    for (index, digest) in all.iter().enumerate() {
        assert!(!all[..index].contains(digest), "{index}: {all:x?}");
    }
}

/// Figures lie in their intervals, and every interval has a width, even after a few games and where all games are alike.
#[test]
fn intervals_hold_their_figures_and_have_a_width() {
    let cases = [
        (always("White"), 5),
        (always("White"), 1),
        (library::resolve("dice-chess").unwrap(), 2),
        (library::resolve("backgammon").unwrap(), 30),
        (library::resolve("babylonian").unwrap(), 8),
    ];
    for (source, games) in cases {
        let experiment = experiment(&source, Setting { max_plies: 300, ..Setting::random(3) });
        let tally = tally(&experiment, games);
        for figure in Report::new(&experiment, 0..games, &tally).figures() {
            let Some((low, high)) = figure.interval else { continue };
            let value = figure.estimate.value;
            assert!(low <= value && value <= high && low < high, "{}: {figure:?}", source.name);
        }
    }
    // Of 5 games all won: twice Wilson's interval less one; of turns none was lost: a game is a trial.
    let experiment = experiment(&always("White"), Setting::random(1));
    let (all, none) = (Interval::wilson(5, 5), Interval::wilson(0, 5));
    let tally = tally(&experiment, 5);
    let report = Report::new(&experiment, 0..5, &tally);
    let figures = report.figures();
    let interval = |key: &str| figures.iter().find(|f| f.key == key).and_then(|f| f.interval).expect("an interval");
    assert!((interval("advantage").0 - (2.0 * all.low - 1.0)).abs() < 1e-9 && interval("advantage").1 == 1.0);
    assert_eq!(interval("turns.lost"), (none.low, none.high));
}

/// Where three sides win equally often, none is ahead, although the other two together win twice as often.
#[test]
fn an_advantage_is_over_each_of_the_others() {
    let text = r#"sides(["A", "B", "C"], #{ forward: ["up", "down", "right"] }); board(3, 3); piece("man", "M", "W");
        setup("3/3/M2 w");
        fn turn() { let sides = ["A", "B", "C"]; win(sides[roll("1d3") - 1], "drawn by lot"); }"#;
    let source = Source { name: "lots".into(), path: None, text: text.into() };
    let experiment = experiment(&source, Setting::random(1));
    let tally = tally(&experiment, 600);
    let (won, games) = (tally.results.won, tally.games);
    assert_eq!((won[..3].iter().sum::<u64>(), games), (600, 600));
    let figure = Report::new(&experiment, 0..600, &tally).advantage().expect("an advantage");
    let share = won[0] as f64 / 600.0;
    assert!((figure.estimate.value - (share - (1.0 - share) / 2.0)).abs() < 1e-12, "{figure:?}");
    let (low, high) = figure.interval.expect("an interval");
    let wilson = Interval::wilson(won[0], 600);
    assert!((low - (1.5 * wilson.low - 0.5)).abs() < 1e-9 && (high - (1.5 * wilson.high - 0.5)).abs() < 1e-9);
    assert!(low < 0.0 && high > 0.0, "600 fair lots: {figure:?}");
}

/// Dice that pay for more than one move: more than all dice may be used, and the interval says so.
#[test]
fn more_than_all_dice_may_be_used() {
    let experiment = experiment(&library::resolve("backgammon").unwrap(), Setting::random(1));
    let tally = tally(&experiment, 40);
    let figures = Report::new(&experiment, 0..40, &tally).figures();
    let used = figures.iter().find(|figure| figure.key == "used_dice").expect("dice pay for moves");
    let (low, high) = used.interval.expect("it varies");
    assert!(used.estimate.value > 1.0 && low < used.estimate.value && high > used.estimate.value, "{used:?}");
}

/// A ladder of one pair has intervals between 0 and 1, and what was played before it was stopped is kept.
#[test]
fn a_short_ladder() {
    let source = library::resolve("king-for-2").unwrap();
    let setting = Setting { max_plies: 200, ..Setting::random(2) };
    let players = ["random", "greedy", "random"];
    for step in climb(&source, &setting, &players, 1, 1, &Watch::NONE).expect("games") {
        assert_eq!(step.games, 2);
        assert!(0.0 <= step.interval.low && step.interval.low < step.interval.high && step.interval.high <= 1.0);
        assert!((step.interval.low..=step.interval.high).contains(&step.score));
    }
    let played = AtomicU64::new(0);
    let stop = || played.load(Ordering::Relaxed) >= 12;
    let progress = |more| {
        played.fetch_add(more, Ordering::Relaxed);
    };
    let watch = Watch { stop: &stop, progress: &progress };
    let steps = climb(&source, &setting, &players, 6, 1, &watch).expect("the first step");
    assert_eq!(steps.iter().map(|step| step.games).collect::<Vec<_>>(), [12]);
}

fn analysed(source: &Source, rolls: &[i16]) -> Analysis {
    let loaded = load(source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let evaluation = astragal_computer::Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("games");
    let mut game = astragal_core::Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).expect("a game");
    for &face in rolls {
        game.apply(&Event::Roll(vec![face])).expect("a roll");
    }
    analyse(&loaded, &Arc::new(evaluation), &game, USUAL_LEVEL, &|_, _| {}).expect("an analysis")
}

/// A coin decides: every outcome ends the game, so the luck is known exactly. Where one outcome of a hundred does not end
/// it, nothing is exact, however close to certain it may be.
#[test]
fn only_what_surely_ends_is_exact() {
    let coin = "fn turn() { if roll(\"1d2\") == 1 { win(side(\"White\"), \"heads\"); } else { win(side(\"Black\"), \"tails\"); } }";
    let analysis = analysed(&script(coin), &[1]);
    let event = &analysis.events[0];
    assert!(event.is_exact && event.finding == Finding::Luck(0.5), "{event:?}");
    assert_eq!((event.before, event.after), (0.5, 1.0));
    // The first roll changes nothing; after it White wins with 99 of 100, at 100 the game goes on for ever.
    let nearly = "fn turn() { roll(\"1d2\"); if roll(\"1d100\") < 100 { win(side(\"White\"), \"near\"); } }";
    let analysis = analysed(&script(nearly), &[1, 50]);
    let (first, second) = (&analysis.events[0], &analysis.events[1]);
    assert!(first.after > 0.97 && !first.is_exact, "{first:?}");
    assert!(second.after == 1.0 && !second.is_exact, "{second:?}");
    // With all of them it is known, two rolls ahead.
    let surely =
        "fn turn() { roll(\"1d2\"); if roll(\"1d100\") < 100 { win(side(\"White\"), \"near\"); } draw(\"no\"); }";
    let analysis = analysed(&script(surely), &[1, 50]);
    let (first, second) = (&analysis.events[0], &analysis.events[1]);
    assert!(first.is_exact && first.finding == Finding::Luck(0.0), "{first:?}");
    assert!(second.is_exact && (second.before - 0.995).abs() < 1e-12, "{second:?}");
}

/// A decision is exact if the best one and the one that was made are: here, the other square wins, and this one loses after
/// the reply.
#[test]
fn a_decision_is_exact_where_its_ends_are_seen() {
    let pgn =
        "[Variant \"dice-chess\"]\n[SetUp \"1\"]\n[FEN \"7k/8/6K1/8/8/8/8/Q7 w - - 0 1\"]\n\n1. {[%roll 5,1]} Qa2 *";
    let (loaded, game) = record::read(pgn, astragal_dsl::load_named).expect("a record");
    let evaluation = astragal_computer::Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("games");
    let analysis = analyse(&loaded, &Arc::new(evaluation), &game, USUAL_LEVEL, &|_, _| {}).expect("an analysis");
    let blunder = analysis.events.last().expect("a decision");
    assert!(
        matches!(blunder.finding, Finding::Decision { error, .. } if error == 0.5) && blunder.is_exact,
        "{blunder:?}"
    );
}

/// Games that are over before anything happens, that are cut short, or that have rolls with too many outcomes are
/// distinguished.
#[test]
fn what_luck_is_not_evaluated_of() {
    let missed = |rules: &str| {
        let setting = Setting { luck: true, max_plies: 3, ..Setting::random(1) };
        let experiment = experiment(&script(rules), setting);
        let tally = tally(&experiment, 4);
        let report = Report::new(&experiment, 0..4, &tally).text();
        let missed = tally.fortune.not_evaluated;
        (report, [missed.unfinished, missed.outcomes, missed.nothing])
    };
    let (report, found) = missed("fn turn() {} fn outcome() { draw(\"at once\"); }");
    assert_eq!(found, [0, 0, 4]);
    assert!(report.contains("4 games (over before the first roll or decision)"), "{report}");
    assert_eq!(missed("fn turn() { roll(\"1d6\"); }").1, [4, 0, 0]);
    let (report, found) = missed("fn turn() { roll(\"5d6\"); } fn outcome() { if round() > 1 { draw(\"late\"); } }");
    assert_eq!(found, [0, 4, 0]);
    assert!(report.contains("more than 1296 outcomes"), "{report}");
}

/// Whoever has lost all his men has won, but the evaluation counts men: what it says about luck comes with a warning.
#[test]
fn a_judge_who_does_not_understand_is_told_of() {
    let text = text("lab/giveaway.rhai");
    let source = Source { name: "giveaway".into(), path: None, text };
    let setting = Setting { luck: true, players: vec!["random".into()], ..Setting::random(4) };
    let experiment = experiment(&source, setting);
    let tally = tally(&experiment, 200);
    let (share, worth) =
        (tally.fortune.share().expect("results differ").value, tally.fortune.worth().expect("a number"));
    assert!(share < 0.0 || worth < 1.0, "{share} {worth}");
    let report = Report::new(&experiment, 0..200, &tally);
    assert!(report.text().contains("Warning: the evaluation does not fit this game"), "{}", report.text());
    assert_eq!(report.json()["luck"]["judge_is_poor"], true);
}

/// Different dice are counted separately: a chi-square of 5 degrees is below 20.5 in 999 of 1,000 cases, one of 7 below
/// 24.3.
#[test]
fn unlike_dice_are_counted_apart() {
    let source = script("fn turn() { roll(\"1d6+1d8\"); }\nfn outcome() { if round() > 20 { draw(\"late\"); } }");
    let experiment = experiment(&source, Setting::random(7));
    let tally = tally(&experiment, 200);
    let dice = tally.faces.values().next().expect("dice were rolled");
    for (die, most) in [("d6", 20.5), ("d8", 24.3)] {
        let faces = &dice[die];
        let expected = faces.values().sum::<u64>() as f64 / faces.len() as f64;
        let chi: f64 = faces.values().map(|&times| (times as f64 - expected).powi(2) / expected).sum();
        assert!(chi < most && faces.len().to_string() == die[1..], "{die}: {chi}, {faces:?}");
    }
    let json = Report::new(&experiment, 0..200, &tally).json();
    let six = json["dice"].as_object().and_then(|dice| dice.values().next()).map(|dice| dice["d6"]["6"].clone());
    let six = six.expect("the six");
    assert!(six["low"].as_f64() < six["share"].as_f64() && six["share"].as_f64() < six["high"].as_f64(), "{six}");
}

/// The public chances of three dice: both of two types 13.89 %, a given double 7.41 %, a given triple 0.46 %; at least one of
/// k types 42.13, 70.37, 87.50, 96.30 and 99.54 %.
#[test]
fn what_three_dice_show() {
    let source = Source { name: "three-dice".into(), path: None, text: text("lab/three-dice.rhai") };
    let experiment = experiment(&source, Setting { max_plies: 1, ..Setting::random(11) });
    let games = 40_000;
    let labels = tally(&experiment, games).named.remove(&Named::Label).expect("labels");
    for (name, percent) in [
        ("both of two", 13.89),
        ("a given double", 7.41),
        ("a given triple", 0.46),
        ("one of 1", 42.13),
        ("one of 2", 70.37),
        ("one of 3", 87.50),
        ("one of 4", 96.30),
        ("one of 5", 99.54),
    ] {
        let (found, expected) = (labels[name].games as f64 / games as f64, percent / 100.0);
        let error = (expected * (1.0 - expected) / games as f64).sqrt();
        assert!((found - expected).abs() < 3.5 * error, "{name}: {found} against {expected}");
    }
}

/// In how many games each line is run, by hand: every game rolls the die, one of four faces leads to the choice, and half
/// of the choices are the first. A line that is never reached is listed with 0.
#[test]
fn lines_are_counted_by_game() {
    let rules = "fn turn() {
    let face = roll(\"1d4\");
    if face == 4 {
        let way = choose([\"left\", \"right\"]);
        if way == \"left\" { add(\"lefts\", 1); }
    }
    if face > 4 {
        label(\"never\");
    }
}
fn outcome() { if round() > 1 { draw(\"over\"); } }";
    let source = script(&format!("counter(\"lefts\", 0, #{{}});\n{rules}"));
    let line = |text: &str| source.text.lines().position(|line| line.contains(text)).expect("it is there") + 1;
    let setting = || Setting { lines: true, ..Setting::random(3) };
    let games = 400;
    let experiment = experiment(&source, setting());
    let tally = tally(&experiment, games);
    let chosen = &tally.lines[&line("choose(")];
    assert_eq!(tally.lines[&line("roll(")].games, games);
    // Two turns a game: 1 - (3/4)^2 of the games choose, 1 - (7/8)^2 of all choose the first.
    for (found, share) in [(chosen.games, 7.0 / 16.0), (chosen.answers["left"], 15.0 / 64.0)] {
        let error = (share * (1.0 - share) / games as f64).sqrt();
        assert!((found as f64 / games as f64 - share).abs() < 4.0 * error, "{found} of {games}");
    }
    let json = Report::new(&experiment, 0..games, &tally).json();
    assert_eq!(json["lines"][line("never").to_string()]["count"], 0);
    assert!(!tally.lines.contains_key(&line("counter(")), "what loading runs is of no game");
    let text = Report::new(&experiment, 0..games, &tally).text();
    assert!(text.contains(&format!("line {}: left", line("choose("))), "{text}");
    // Whoever has played which game.
    let again = Experiment::new(&source, setting()).expect("an experiment");
    let mut parts = run(&again, 100..games, 3, &Watch::NONE, None).expect("games");
    parts.merge(&run(&again, 0..100, 1, &Watch::NONE, None).expect("games"));
    assert_eq!(parts.lines, tally.lines);
}
