//! The lab: what it says about games is compared with figures of others, and does not depend on who has played them.

use crate::common::text;
use astragal_core::TurnEnd;
use astragal_dsl::{Source, library};
use astragal_lab::part::{Manifest, MergeError, Part, merge};
use astragal_lab::tally::{Named, Occurrence};
use astragal_lab::{Experiment, Report, Row, Setting, Tally, Watch, run};
use std::collections::BTreeMap;

fn script(name: &str) -> Source {
    Source { name: name.into(), path: None, text: text(&format!("lab/{name}.rhai")) }
}

fn bundled(name: &str) -> Source {
    library::resolve(name).expect("it comes with the program")
}

fn experiment(source: &Source, setting: Setting) -> Experiment {
    Experiment::new(source, setting).unwrap_or_else(|error| panic!("{}: {error}", source.name))
}

fn with_players(seed: u64, players: &[&str]) -> Setting {
    Setting { players: players.iter().map(|&name| name.into()).collect(), ..Setting::random(seed) }
}

fn tally(experiment: &Experiment, games: std::ops::Range<u64>, threads: usize) -> Tally {
    run(experiment, games, threads, &Watch::NONE, None).expect("the games are played")
}

/// Both forms of the report.
fn reports(experiment: &Experiment, tally: &Tally) -> (String, String) {
    let report = Report::new(experiment, 0..tally.games, tally);
    (report.text(), report.json().to_string())
}

/// Any number of threads gives the same bytes, with random players and with those that evaluate positions.
#[test]
fn threads_make_no_difference() {
    let cases: [(&str, &[&str], u64); 5] = [
        ("dice-chess", &["random"], 200),
        ("babylonian", &["random"], 150),
        ("backgammon", &["random"], 70),
        ("dice-chess", &["greedy", "random"], 24),
        ("dice-chess", &["computer:1", "greedy"], 6),
    ];
    for (name, players, games) in cases {
        let setting = || Setting { max_plies: 300, ..with_players(3, players) };
        let alone = experiment(&bundled(name), setting());
        let expected = reports(&alone, &tally(&alone, 0..games, 1));
        for threads in [2, 5] {
            let together = experiment(&bundled(name), setting());
            assert_eq!(reports(&together, &tally(&together, 0..games, threads)), expected, "{name} {players:?}");
        }
    }
}

/// Rows come in the order of the games whatever the threads do, and they add up to the tally.
#[test]
fn rows_come_in_order() {
    let experiment = experiment(&bundled("dice-chess"), Setting::random(4));
    let mut rows: Vec<Row> = Vec::new();
    let mut take = |more: &[Row]| {
        rows.extend_from_slice(more);
        Ok(())
    };
    let tally = run(&experiment, 10..310, 4, &Watch::NONE, Some(&mut take)).expect("games");
    assert!(rows.iter().map(|row| row.number).eq(10..310));
    assert_eq!(rows.iter().map(|row| row.plies).sum::<u64>() as u128, tally.plies.sum());
    let lost: u64 = rows.iter().map(|row| row.turns.of(TurnEnd::Lost)).sum();
    assert_eq!(lost, tally.turns.lost.above);
}

/// One part, seven parts, and seven in another order with one played twice: one report, to the byte.
#[test]
fn parts_make_one_whole() {
    const GAMES: u64 = 210;
    let source = bundled("dice-chess");
    let fresh =
        || experiment(&source, Setting { options: vec![("doubles".into(), "same_type".into())], ..Setting::random(9) });
    let whole = fresh();
    let expected = reports(&whole, &tally(&whole, 0..GAMES, 2));
    let part = |games: std::ops::Range<u64>| {
        // Another process has another experiment.
        let experiment = fresh();
        let part = Part::new(&experiment, &games, &tally(&experiment, games.clone(), 1)).expect("a part");
        let manifest = Manifest::read("here", &part.manifest).expect("a manifest");
        assert!(manifest.is_of(&experiment, &games) && !manifest.is_of(&experiment, &(0..1)));
        let tally = manifest.tally("here", &part.tally).expect("a tally");
        (format!("part {games:?}"), manifest, tally)
    };
    let report = |parts| {
        let (experiment, games, tally) = merge(parts).expect("they fit together");
        assert_eq!(games, 0..GAMES);
        reports(&experiment, &tally)
    };
    let seven = || (0..7).map(|k| part(k * 30..(k + 1) * 30)).collect::<Vec<_>>();
    assert_eq!(report(vec![part(0..GAMES)]), expected);
    assert_eq!(report(seven()), expected);
    let mut shuffled = seven();
    shuffled.reverse();
    shuffled.swap(1, 4);
    // One was killed and is played again.
    let again = shuffled.remove(2);
    shuffled.push(part(again.1.games.0..again.1.games.1));
    assert_eq!(report(shuffled), expected);

    let mut gap = seven();
    gap.remove(3);
    assert_eq!(merge(gap).map(drop).unwrap_err(), MergeError::Gap(90..120));
    let mut twice = seven();
    twice.push(part(100..130));
    assert!(matches!(merge(twice).map(drop).unwrap_err(), MergeError::Overlap { range, .. } if range == (100..120)));
    let mut mixed = seven();
    let other = experiment(&source, Setting::random(9));
    let games = 180..210;
    let foreign = Part::new(&other, &games, &tally(&other, games.clone(), 1)).expect("a part");
    let manifest = Manifest::read("there", &foreign.manifest).expect("a manifest");
    mixed[6] = ("there".into(), manifest.clone(), manifest.tally("there", &foreign.tally).expect("a tally"));
    assert!(matches!(merge(mixed).map(drop).unwrap_err(), MergeError::Mixed { what: "different options", .. }));
    assert_eq!(merge(Vec::new()).map(drop).unwrap_err(), MergeError::Nothing);
    assert!(matches!(manifest.tally("there", "{}\n").unwrap_err(), MergeError::Damaged { .. }));
}

fn near(what: &str, found: (f64, f64), theirs: (f64, f64)) {
    let error = found.1.hypot(theirs.1);
    let off = (found.0 - theirs.0) / error;
    assert!(off.abs() < 3.0, "{what}: {} against {} (error {error}): {off:.1} standard errors", found.0, theirs.0);
    println!("{what}: {:.4} against {:.4}, {off:+.2} standard errors", found.0, theirs.0);
}

/// Ludii 1.3.13's own statistics of 58,637 random games of one-die Dice Chess. There a lost turn is a move, and so is the
/// choice of a promotion.
fn compare_with_ludii(games: u64) {
    const THEIRS: f64 = 58_637.0;
    let experiment = experiment(&script("one-die-ludii"), Setting { max_plies: 2_500, ..Setting::random(1) });
    let mut moves: (f64, f64) = (0.0, 0.0);
    let mut sum = |rows: &[Row]| {
        for row in rows {
            // A roll a turn; all else is a move to Ludii, as are turns lost.
            let length = (row.events - row.turns.all() + row.turns.of(TurnEnd::Lost)) as f64;
            moves = (moves.0 + length, moves.1 + length * length);
        }
        Ok(())
    };
    let tally = run(&experiment, 0..games, 2, &Watch::NONE, Some(&mut sum)).expect("the games are played");
    let n = games as f64;
    let mean = moves.0 / n;
    let deviation = (moves.1 / n - mean * mean).sqrt();
    near("mean length", (mean, deviation / n.sqrt()), (147.70, 0.51));
    // The error of a deviation: a tail this long has a kurtosis of about 9.
    near("deviation of length", (deviation, deviation * (2.0 / n).sqrt()), (124.7, 124.7 * (2.0 / THEIRS).sqrt()));
    let choices: u64 = tally.named[&Named::Choice].values().map(|found: &Occurrence| found.times).sum();
    let lost = tally.turns.lost.above as f64;
    let share = |p: f64, n: f64| (p, (p * (1.0 - p) / n).sqrt());
    // Lost turns of one game depend on each other: the error is that of the ratio over games.
    let lost_error = tally.turns.lost.ratio().expect("turns").error;
    near("lost turns", (lost / moves.0, lost_error), (0.2218, lost_error * (n / THEIRS).sqrt()));
    near("first player", share(tally.results.won[0] as f64 / n, n), share(0.5005, THEIRS));
    let decisions = tally.plies.sum() as f64;
    let branching = tally.branching_by_game.ratio().expect("decisions");
    let all = decisions + lost + choices as f64;
    let lists = (branching.value * decisions + lost + 5.0 * choices as f64) / all;
    near("list of moves", (lists, branching.error * decisions / all), (5.663, 0.01));
    // 6 of 58,637 there: more than 20 in as many would be a different game.
    assert!((tally.results.unfinished as f64) * THEIRS / n < 20.0, "{} unfinished", tally.results.unfinished);
}

#[test]
fn one_die_dice_chess_is_as_ludii_plays_it() {
    compare_with_ludii(6_000);
}

/// `cargo test --release -p astragal-tests --test suite lab:: -- --ignored`
#[test]
#[ignore = "a minute without optimisation"]
fn one_die_dice_chess_is_as_ludii_plays_it_60_000_times() {
    compare_with_ludii(60_000);
}

/// The first turn of three-dice DiceChess: a move is possible unless neither pawn nor knight comes up. Two types at least
/// once among three dice: 70.37 % (1 - (2/3)^3).
#[test]
fn the_first_roll_of_three_dice() {
    let setting = Setting { max_plies: 1, ..Setting::random(2) };
    let experiment = experiment(&bundled("dicechess-3"), setting);
    let mut lost_first = 0_u64;
    let mut count = |rows: &[Row]| {
        lost_first += rows.iter().filter(|row| row.turns.of(TurnEnd::Lost) > 0).count() as u64;
        Ok(())
    };
    run(&experiment, 0..20_000, 2, &Watch::NONE, Some(&mut count)).expect("the games are played");
    let share = 1.0 - lost_first as f64 / 20_000.0;
    near("first roll", (share, (0.7037_f64 * 0.2963 / 20_000.0).sqrt()), (0.7037, 0.0));
}

/// Faces come as often as the dice say, also without any condition: a chi-square of 5 degrees is below 20.5 in 999 of 1,000
/// cases.
#[test]
fn faces_are_those_of_the_dice() {
    let experiment = experiment(&bundled("dice-chess"), Setting::random(11));
    let tally = tally(&experiment, 0..400, 2);
    let faces: &BTreeMap<i16, u64> = &tally.faces["2d6"]["d6"];
    let (all, six) = (faces.values().sum::<u64>() as f64, faces.len());
    assert_eq!(six, 6);
    let expected = all / 6.0;
    let chi: f64 = faces.values().map(|&times| (times as f64 - expected).powi(2) / expected).sum();
    assert!(chi < 20.5, "{faces:?}: {chi}");
}

/// A second program, written from the rules of Puluc, counted in 20,000 random games how often prisoners are dragged, how
/// often a man alone reaches an enemy, and how often one enters.
#[test]
fn moves_of_heaps_are_told_apart() {
    let experiment = experiment(&bundled("puluc"), Setting::random(1));
    let tally = tally(&experiment, 0..2_000, 2);
    let theirs = [
        ("move of several pieces", 14.317, 0.032),
        ("move onto other pieces", 6.823, 0.014),
        ("drop of a man", 19.906, 0.034),
    ];
    for (name, mean, error) in theirs {
        let found: &Occurrence = &tally.named[&Named::Move][name];
        near(name, (found.times as f64 / 2_000.0, error * 10.0_f64.sqrt()), (mean, error));
    }
}

/// What a script can do but no game has done is reported, and nothing else is.
#[test]
fn what_never_happens_is_told() {
    let text = r#"import "chess" as chess;
chess::setup();
royals("capturable");
fn turn() {
    let mv = play(any());
    if mv != () && mv.is_castling {
        if count(mover(), "queen") > 9 { label("nine queens"); }
        label("castled");
    }
    if choose(["on", "off"]) == "on" { label("on"); }
}
fn outcome() { if !has(opponent(), "king") { win(mover(), "king captured"); } }
"#;
    let source = Source { name: "rare".into(), path: None, text: text.into() };
    let experiment = experiment(&source, Setting { max_plies: 400, ..Setting::random(1) });
    let tally = tally(&experiment, 0..300, 2);
    let report = Report::new(&experiment, 0..300, &tally);
    let never: Vec<&str> = report.never().iter().map(|finding| finding.code.as_str()).collect();
    assert!(never.iter().any(|code| code.contains("nine queens")), "{never:?}");
    assert!(!never.iter().any(|code| code.contains("\"castled\"")), "{never:?}");
    let labels = &tally.named[&Named::Label];
    assert!(labels["castled"].times >= labels["castled"].games && labels["castled"].games > 0);
    let moves = &tally.named[&Named::Move];
    let castlings: u64 =
        moves.iter().filter(|(name, _)| name.starts_with("castling")).map(|(_, found)| found.times).sum();
    assert_eq!(castlings, labels["castled"].times);
    let chosen: u64 = tally.named[&Named::Choice].values().map(|found| found.times).sum();
    assert!(chosen > 0 && tally.named[&Named::Choice].len() == 2);
}

/// A game of pure chance is all luck, and chess is none: exactly, whatever the evaluation thinks of positions.
#[test]
fn luck_is_everything_or_nothing() {
    let chance = experiment(&script("three-rolls"), Setting { luck: true, ..Setting::random(5) });
    let fortune = tally(&chance, 0..60, 2).fortune;
    let share = fortune.share().expect("results differ");
    assert_eq!((share.value, share.error, fortune.games()), (1.0, 0.0, 60));

    let setting = Setting { luck: true, max_plies: 400, ..with_players(6, &["greedy", "random"]) };
    let chess = experiment(&bundled("chess"), setting);
    let fortune = tally(&chess, 0..16, 2).fortune;
    let share = fortune.share().expect("results differ");
    assert_eq!((share.value, share.error), (0.0, 0.0));
    assert_eq!(fortune.adjusted(), fortune.plain());
}

/// Luck sums to nothing on average, and the results without it vary less.
#[test]
fn luck_is_unbiased() {
    let setting = Setting { luck: true, max_plies: 300, ..with_players(8, &["greedy"]) };
    let experiment = experiment(&bundled("dice-chess"), setting);
    let fortune = tally(&experiment, 0..80, 2).fortune;
    let (plain, adjusted) = (fortune.plain().expect("games"), fortune.adjusted().expect("games"));
    let error = plain.error.hypot(adjusted.error);
    assert!((plain.value - adjusted.value).abs() < 3.0 * error, "{plain:?} {adjusted:?}");
    assert!(fortune.worth().expect("results differ") > 1.2, "{plain:?} {adjusted:?}");
    // The worth is a ratio of variances: a bootstrap over groups of games says how far it is to be trusted.
    let (low, high) = fortune.worth_interval().expect("80 games are in all groups");
    assert!(
        (low..=high).contains(&fortune.worth().expect("a number")) && low > 0.0 && high - low > 0.1,
        "{low} {high}"
    );
    let share = fortune.share().expect("results differ").value;
    assert!((0.0..=1.0).contains(&share), "{share}");
}
