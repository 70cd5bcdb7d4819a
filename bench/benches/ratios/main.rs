//! Speed as ratios: `cargo bench -p astragal-bench`. All on one thread; each figure is the median of
//! several rounds, and in each round baseline and ours take turns. Speeds are by processor time where
//! the system tells it, times in milliseconds are wall time.

mod by_hand;

use astragal_bench::{PLY_CAP, play};
use astragal_core::perft::{bulk_perft, perft};
use astragal_core::{Position, State, turns};
use astragal_dsl::{Loaded, library, load_named, notation::fen};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Instant;

/// How often everything is timed.
const ROUNDS: usize = 5;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const ONE_DIE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../variants/gallery/brainking.rhai");

/// What Ludii plays of such a game a second where cozy-chess plays so many random legal plies a second.
const LUDII: (f64, f64) = (766.0, 4.9e6);

/// The times of several tasks, by name: work done a second, one figure a round.
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
        let mut rounds = self.0[name].clone();
        rounds.sort_by(f64::total_cmp);
        rounds[rounds.len() / 2]
    }

    /// A line of the table: ours against a baseline.
    fn row(&self, name: &str, baseline: &str, aim: &str) {
        let (ours, theirs) = (self.median(name), self.median(baseline));
        println!("{name:34} {ours:13.0}   {baseline:30} {theirs:13.0}   {:7.2}   {aim}", ours / theirs);
    }
}

/// The processor time that this thread has used, where the system tells: other programs disturb it less.
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

fn main() {
    let games = [
        ("Dice Chess plies/s", "dice-chess", 400),
        ("dicechess-3 plies/s", "dicechess-3", 100),
        ("king-for-2 plies/s", "king-for-2", 400),
        ("dice-xiangqi plies/s", "dice-xiangqi", 300),
        ("babylonian plies/s", "babylonian", 60),
        ("one-die king capture plies/s", ONE_DIE, 300),
    ];
    let games = games.map(|(title, name, count)| (title, script(name), count));
    let (chess, xiangqi) = (script("chess"), script("xiangqi"));
    let kiwipete = position(&chess, KIWIPETE);
    let (cozy_start, cozy_kiwipete) = (cozy_chess::Board::default(), KIWIPETE.parse().expect("a position"));
    for (_, game, count) in &games {
        play(&game.set, &game.start, 0..*count);
    }
    let mut speeds = Speeds::default();
    for round in 0..ROUNDS as u64 {
        let from = round * 1000;
        speeds.time("Dice Chess by hand (cozy) plies/s", || by_hand::dice_chess(from..from + 400, PLY_CAP).1);
        for (title, game, count) in &games {
            speeds.time(title, || play(&game.set, &game.start, from..from + count).plies);
        }
        let (_, one_die, count) = &games[games.len() - 1];
        speeds.time("one-die king capture games/s", || play(&one_die.set, &one_die.start, from..from + count).games);
        speeds.time("random chess (cozy) plies/s", || by_hand::random_chess(from..from + 1000, PLY_CAP));
        speeds.time("cozy perft start 5 leaf n/s", || by_hand::perft(&cozy_start, 5));
        speeds.time("chess perft start 5 leaf n/s", || perft(&chess.set.variant, &chess.start, 5));
        speeds.time("chess perft start 5 bulk n/s", || bulk_perft(&chess.set.variant, &chess.start, 5));
        speeds.time("cozy perft Kiwipete 4 leaf n/s", || by_hand::perft(&cozy_kiwipete, 4));
        speeds.time("chess perft Kiwipete 4 leaf n/s", || perft(&chess.set.variant, &kiwipete, 4));
        speeds.time("xiangqi perft 4 leaf n/s", || perft(&xiangqi.set.variant, &xiangqi.start, 4));
    }
    let clock = if processor_seconds().is_some() { "processor time" } else { "wall time" };
    println!("medians of {ROUNDS} rounds, {clock}, one thread; n/s: positions a second");
    println!("{:34} {:>13}   {:30} {:>13}   {:>7}   aim", "what", "ours", "baseline", "", "ratio");
    speeds.row("Dice Chess plies/s", "Dice Chess by hand (cozy) plies/s", "1");
    for (title, ..) in &games[1..] {
        speeds.row(title, "Dice Chess plies/s", "0.33");
    }
    let ludii = LUDII.0 * speeds.median("random chess (cozy) plies/s") / LUDII.1;
    let one_die = speeds.median("one-die king capture games/s");
    let ratio = one_die / ludii;
    println!("{:34} {one_die:13.0}   {:30} {ludii:13.0}   {ratio:7.2}   20", "one-die games/s", "Ludii, through cozy");
    speeds.row("chess perft start 5 leaf n/s", "cozy perft start 5 leaf n/s", "0.8");
    speeds.row("chess perft start 5 bulk n/s", "cozy perft start 5 leaf n/s", "-");
    speeds.row("chess perft Kiwipete 4 leaf n/s", "cozy perft Kiwipete 4 leaf n/s", "0.8");
    speeds.row("xiangqi perft 4 leaf n/s", "cozy perft start 5 leaf n/s", "0.45");
    by_length(&games[0].1);
    turns_of_three(&games[1].1);
    loads();
    trees(&games);
}

/// Whether the two Dice Chesses are the same game: their games are equally long.
fn by_length(game: &Loaded) {
    let ours = play(&game.set, &game.start, 0..2000);
    let (count, plies) = by_hand::dice_chess(0..2000, PLY_CAP);
    let mean = |plies: u64, games: u64| plies as f64 / games as f64;
    println!("\nDice Chess, plies a game: {:.1}, by hand {:.1}", mean(ours.plies, ours.games), mean(plies, count));
}

/// All complete turns of all rolls of three dice, order aside, from two positions.
fn turns_of_three(game: &Loaded) {
    for (title, start) in [("start", game.start.clone()), ("Kiwipete", position(game, KIWIPETE))] {
        let state = State::new(Rc::clone(&game.set), start).expect("a game begins");
        let mut times = Vec::new();
        let mut sums = (0, 0, 0);
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            sums = (0, 0, 0);
            for index in 0..216u64 {
                let (a, b, c) = (index / 36, index / 6 % 6, index % 6);
                if a <= b && b <= c {
                    let mut rolled = state.clone();
                    rolled.roll(index).expect("the dice show this");
                    let turns = turns::count(&rolled).expect("turns are counted");
                    sums = (sums.0 + 1, sums.1 + turns.placements, sums.2 + turns.count);
                }
            }
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        println!(
            "three dice, {title}: {} rolls, {} final positions, {} turns in {:.2} ms",
            sums.0,
            sums.1,
            sums.2,
            times[times.len() / 2]
        );
    }
}

/// Loading every shipped script, and starting the program if it has been built.
fn loads() {
    let median = |task: &mut dyn FnMut()| {
        let mut times: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                task();
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    for name in library::names() {
        println!("loading {name}: {:.1} ms (aim 10)", median(&mut || drop(black_box(script(name)))));
    }
    let here = std::env::current_exe().unwrap_or_default();
    let program = here.parent().and_then(Path::parent).map(|dir| dir.join("astragal")).unwrap_or_default();
    if program.exists() {
        let mut run = || {
            let _ = Command::new(&program).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        };
        println!("program start to the end of empty input: {:.1} ms (aim 30)", median(&mut run));
    } else {
        println!("program start: not measured, build the program in release mode first");
    }
}

/// Sizes of trees, interpreter runs after warm-up, size of a position.
fn trees(games: &[(&str, Loaded, u64)]) {
    for (title, game, _) in games {
        let rules = &game.set.rules;
        let before = rules.runs();
        // Games that have not been played before, or their paths would be known.
        let (mut plies, mut seed) = (0, 1_000_000);
        while plies < 100_000 {
            plies += play(&game.set, &game.start, seed..seed + 50).plies;
            seed += 50;
        }
        let nodes: usize = rules.report().iter().map(|tree| tree.nodes).sum();
        println!(
            "{}: {nodes} nodes in its trees, {before} interpreter runs in warm-up and rounds, {} in {plies} plies after",
            title.trim_end_matches(" plies/s"),
            rules.runs() - before
        );
    }
    println!("a position: {} bytes (aim under 512)", size_of::<Position>());
}
