//! Speed as ratios: `cargo bench -p astragal-bench`. Everything runs on one thread unless stated otherwise. Each figure is
//! the median of several rounds; in each round, the baseline and our code alternate. Speeds are based on processor time if
//! the system reports it; times in milliseconds are wall time.

mod by_hand;
mod by_hand_on_core;
mod by_hand_too;
mod native;
mod races_by_hand;
mod sizes;
mod times;

use astragal_bench::{PLY_CAP, play};
use astragal_core::perft::{bulk_perft, perft};
use astragal_core::{Position, Rules, Ruleset, Spec, Variant};
use astragal_dsl::{Loaded, load_named, notation::fen};
use native::{Game, Native};
use races_by_hand::{Backgammon, Race, Ur, follows};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// How often everything is timed.
const ROUNDS: usize = 5;

/// The number of games in the comparison of game lengths.
const LENGTHS: u64 = 10_000;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const ONE_DIE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../variants/gallery/brainking.rhai");

/// Ludii's games of this kind per second, on a machine where cozy-chess plays this many random legal plies per second.
const LUDII: (f64, f64) = (766.0, 4.9e6);

/// The speeds of several tasks, by name: work per second, one figure per round.
#[derive(Default)]
struct Speeds(BTreeMap<&'static str, Vec<f64>>);

impl Speeds {
    fn time(&mut self, name: &'static str, task: impl FnOnce() -> u64) {
        let (wall, before) = (Instant::now(), processor_seconds());
        let work = black_box(task());
        let seconds = before.zip(processor_seconds()).map_or(wall.elapsed().as_secs_f64(), |(from, to)| to - from);
        self.0.entry(name).or_default().push(work as f64 / seconds);
    }

    fn median(&self, name: &str) -> f64 {
        median(self.0[name].clone())
    }

    /// Prints a line of the table: our speed against a baseline.
    fn row(&self, name: &str, baseline: &str, aim: f64) {
        let (ours, theirs) = (self.median(name), self.median(baseline));
        row(name, ours, baseline, theirs, aim);
    }
}

fn row(name: &str, ours: f64, baseline: &str, theirs: f64, aim: f64) {
    let ratio = ours / theirs;
    let mark = if ratio >= aim { "" } else { "  under" };
    println!("{name:34} {ours:12.0}  {baseline:34} {theirs:12.0}  {ratio:7.2}  {aim:5.2}{mark}");
}

/// A thread's clock advances in steps of several milliseconds, so short tasks run several times.
fn often(task: impl Fn() -> u64) -> u64 {
    (0..4).map(|_| task()).sum()
}

fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

/// The processor time of this thread, if the system reports it: other programs affect it less than wall time.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

fn script(name: &str) -> Loaded {
    load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn position(loaded: &Loaded, text: &str) -> Position {
    fen::parse(&loaded.set.variant, text).expect("a position of this variant").position
}

/// The ruleset of a game with rules written in Rust.
fn native(game: Game, loaded: &Loaded) -> Arc<Ruleset> {
    let variant = loaded.set.variant.clone();
    let rules = Rules::new(Box::new(Native::new(game, &variant)));
    Arc::new(Ruleset { variant, rules })
}

/// Chess with everything that a position can have besides the board, though no rule uses it.
fn laden(chess: &Loaded) -> Variant {
    let spec = chess.set.variant.spec().clone();
    let counter = astragal_core::variant::CounterDef {
        name: "idle".into(),
        per_side: true,
        initial: 0,
        size: 6,
        secret: false,
        counted: false,
    };
    let mark = astragal_core::variant::TraitDef {
        name: "mark".into(),
        initial: vec![0],
        secret: false,
        counted: false,
        shown: false,
        names: Vec::new(),
    };
    Variant::new(Spec { counters: vec![counter], traits: vec![mark], hands: true, ..spec }).expect("a variant")
}

/// Races: a script against the same game written by hand, in steps per second; then a check that they are the same game.
fn race<R: Race>(title: &'static str, by_hand: &'static str, games: u64) {
    let game = script(R::SCRIPT);
    play(&game.set, &game.start, 0..games);
    let mut speeds = Speeds::default();
    for round in 0..ROUNDS as u64 {
        let from = round * 100_000;
        speeds.time(by_hand, || races_by_hand::play::<R>(from..from + 10 * games));
        speeds.time(title, || play(&game.set, &game.start, from..from + games).plies);
    }
    speeds.row(title, by_hand, 0.25);
    let same = (0..1000).filter(|&seed| follows::<R>(&game, seed)).count();
    println!("{}: at every decision of {same} of 1000 games both permit the same", R::SCRIPT);
}

fn races() {
    race::<Backgammon>("backgammon steps/s", "backgammon by hand steps/s", 200);
    race::<Ur>("royal-game-of-ur steps/s", "royal-game-of-ur by hand steps/s", 2000);
}

fn main() {
    // `cargo bench -p astragal-bench --bench ratios -- races`
    if std::env::args().any(|argument| argument == "races") {
        return races();
    }
    let games = [
        ("Dice Chess plies/s", "dice-chess", 2000),
        ("dicechess-3 plies/s", "dicechess-3", 800),
        ("king-for-2 plies/s", "king-for-2", 2000),
        ("dice-xiangqi plies/s", "dice-xiangqi", 1500),
        ("babylonian plies/s", "babylonian", 800),
        ("one-die king capture plies/s", ONE_DIE, 2000),
    ];
    let games = games.map(|(title, name, count)| (title, script(name), count));
    let written = [
        ("Dice Chess, rules in Rust", &games[0], native(Game::DiceChess, &games[0].1)),
        ("dicechess-3, rules in Rust", &games[1], native(Game::ThreeDice, &games[1].1)),
        ("king-for-2, rules in Rust", &games[2], native(Game::KingForTwo, &games[2].1)),
    ];
    let (chess, xiangqi) = (script("chess"), script("xiangqi"));
    let kiwipete = position(&chess, KIWIPETE);
    let laden = laden(&chess);
    let laden_start = fen::parse(&laden, &fen::write(&chess.set.variant, &chess.start)).expect("the array").position;
    let (cozy_start, cozy_kiwipete) = (cozy_chess::Board::default(), KIWIPETE.parse().expect("a position"));
    for (_, game, count) in &games {
        play(&game.set, &game.start, 0..*count);
    }
    let mut speeds = Speeds::default();
    for round in 0..ROUNDS as u64 {
        let from = round * 10_000;
        speeds.time("by hand on cozy-chess plies/s", || by_hand::dice_chess(from..from + 4000, PLY_CAP).1);
        let by_hand = by_hand_on_core::DiceChess::new(&games[0].1.set.variant);
        speeds.time("by hand on core plies/s", || by_hand.play(&games[0].1.start, from..from + 4000, PLY_CAP).plies);
        speeds.time("by hand on shakmaty plies/s", || by_hand_too::dice_chess(from..from + 2000, PLY_CAP).1);
        for (title, game, count) in &games {
            speeds.time(title, || play(&game.set, &game.start, from..from + count).plies);
        }
        for (title, (_, game, count), set) in &written {
            speeds.time(title, || play(set, &game.start, from..from + count).plies);
        }
        let (_, one_die, count) = &games[games.len() - 1];
        speeds.time("one-die king capture games/s", || play(&one_die.set, &one_die.start, from..from + count).games);
        speeds.time("random chess (cozy) plies/s", || by_hand::random_chess(from..from + 4000, PLY_CAP));
        speeds.time("cozy-chess start 5 leaf", || often(|| by_hand::perft(&cozy_start, 5)));
        speeds.time("shakmaty start 5 leaf", || often(|| by_hand_too::perft(&shakmaty::Chess::default(), 5)));
        speeds.time("chess start 5 leaf", || often(|| perft(&chess.set.variant, &chess.start, 5)));
        speeds.time("chess start 5 bulk", || often(|| bulk_perft(&chess.set.variant, &chess.start, 5)));
        speeds.time("chess, all facilities, start 4 leaf", || often(|| perft(&laden, &laden_start, 4)));
        speeds.time("cozy-chess Kiwipete 4 leaf", || often(|| by_hand::perft(&cozy_kiwipete, 4)));
        speeds.time("chess Kiwipete 4 leaf", || often(|| perft(&chess.set.variant, &kiwipete, 4)));
        speeds.time("xiangqi start 4 leaf", || often(|| perft(&xiangqi.set.variant, &xiangqi.start, 4)));
    }
    let clock = if processor_seconds().is_some() { "processor time" } else { "wall time" };
    println!("medians of {ROUNDS} rounds, {clock}, one thread; perft in positions a second");
    println!("{:34} {:>12}  {:34} {:>12}  {:>7}  {:>5}", "what", "ours", "baseline", "", "ratio", "aim");
    speeds.row("Dice Chess plies/s", "by hand on cozy-chess plies/s", 1.0);
    speeds.row("Dice Chess plies/s", "by hand on shakmaty plies/s", 1.5);
    speeds.row("Dice Chess plies/s", "by hand on core plies/s", 0.95);
    speeds.row("by hand on core plies/s", "by hand on cozy-chess plies/s", 0.0);
    for (title, ..) in &games[1..5] {
        speeds.row(title, "Dice Chess plies/s", 0.33);
    }
    let ludii = LUDII.0 * speeds.median("random chess (cozy) plies/s") / LUDII.1;
    row("one-die games/s", speeds.median("one-die king capture games/s"), "Ludii, through cozy-chess", ludii, 20.0);
    speeds.row("chess start 5 leaf", "cozy-chess start 5 leaf", 0.8);
    speeds.row("chess Kiwipete 4 leaf", "cozy-chess Kiwipete 4 leaf", 0.8);
    speeds.row("xiangqi start 4 leaf", "cozy-chess start 5 leaf", 0.45);
    for (title, (script, ..), _) in &written {
        speeds.row(script, title, 0.9);
    }
    println!("for comparison, without an aim:");
    speeds.row("chess start 5 bulk", "chess start 5 leaf", 0.0);
    speeds.row("chess, all facilities, start 4 leaf", "chess start 5 leaf", 0.0);
    speeds.row("chess start 5 leaf", "shakmaty start 5 leaf", 0.0);
    races();
    by_length(&games[0].1);
    same_games(&games[0].1);
    times::turns_of_three(&games[1].1);
    times::two_threads();
    times::loads();
    sizes::trees(&games);
}

/// Checks that both implementations of Dice Chess are the same game: the mean game lengths agree within the statistical
/// error.
fn by_length(game: &Loaded) {
    let lengths = |of: &dyn Fn(u64) -> u64| -> Vec<f64> { (0..LENGTHS).map(|seed| of(seed) as f64).collect() };
    let ours = lengths(&|seed| play(&game.set, &game.start, seed..seed + 1).plies);
    let by_hand = lengths(&|seed| by_hand::dice_chess(seed..seed + 1, PLY_CAP).1);
    let ((ours, error), (by_hand, too)) = (mean(&ours), mean(&by_hand));
    println!("\nDice Chess, plies a game: {ours:.1} ± {error:.1}, by hand {by_hand:.1} ± {too:.1} (standard errors)");
}

/// Checks that the game written by hand on our own board is the script's game, move by move.
fn same_games(game: &Loaded) {
    let by_hand = by_hand_on_core::DiceChess::new(&game.set.variant);
    let alike = |seed: &u64| {
        by_hand.play(&game.start, *seed..seed + 1, PLY_CAP) == play(&game.set, &game.start, *seed..seed + 1)
    };
    let same = (0..1000).filter(alike).count();
    println!("Dice Chess by hand on core: {same} of 1000 games are the script's, move by move");
}

/// The mean of some numbers and its standard error.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}
