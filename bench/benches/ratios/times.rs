//! Tasks timed by wall clock: turns of three dice, two threads, loading, program start.

use super::{KIWIPETE, ROUNDS, median, position, script};
use astragal_bench::play;
use astragal_core::{State, turns};
use astragal_dsl::{Loaded, library};
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

/// The median time of a task in milliseconds.
fn milliseconds(rounds: usize, mut task: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        task();
        start.elapsed().as_secs_f64() * 1e3
    };
    median((0..rounds).map(time).collect())
}

/// All complete turns of all rolls of three dice, and the probability of capturing the king, from two positions.
pub fn turns_of_three(game: &Loaded) {
    for (title, start, aim) in [("start", game.start.clone(), 1.0), ("Kiwipete", position(game, KIWIPETE), 10.0)] {
        let state = State::new(Arc::clone(&game.set), start).expect("a game begins");
        let all = || turns::every_roll(&state).expect("turns are counted").expect("plain turns");
        let rolls = all();
        let finals: usize = rolls.iter().map(|(_, turns)| turns.placements).sum();
        let count: u64 = rolls.iter().map(|(_, turns)| turns.count).sum();
        let time = milliseconds(21, || drop(black_box(all())));
        println!(
            "three dice, {title}: {} rolls, {finals} final positions in {time:.2} ms (aim {aim}); {count} \
             turns, {:.1} million a second (aim 10)",
            rolls.len(),
            count as f64 / time / 1e3
        );
        let chance = || turns::winning_chance(&state).expect("a chance").expect("plain turns");
        let time = milliseconds(21, || {
            black_box(chance());
        });
        println!("three dice, {title}: exact chance to take the king, {}, in {time:.2} ms (aim 0.5)", chance());
    }
}

/// Two threads that share one loaded variant, against one.
pub fn two_threads() {
    let game = script("dice-chess");
    let work = |threads: u64| {
        let begun = Instant::now();
        let games = |thread: u64| {
            let (set, start) = (Arc::clone(&game.set), game.start.clone());
            std::thread::spawn(move || play(&set, &start, thread * 1500..(thread + 1) * 1500).plies)
        };
        let workers: Vec<_> = (0..threads).map(games).collect();
        let plies: u64 = workers.into_iter().map(|worker| worker.join().expect("a thread")).sum();
        plies as f64 / begun.elapsed().as_secs_f64()
    };
    work(2);
    let ratios = (0..ROUNDS).map(|_| work(2) / work(1)).collect();
    println!(
        "Dice Chess on two threads that share the variant against one, wall time: {:.2} (aim 1.95)",
        median(ratios)
    );
}

/// Loads every bundled script, and starts the program if it has been built.
pub fn loads() {
    let mut times: Vec<(f64, String)> = (library::names().into_iter())
        .map(|name| (milliseconds(ROUNDS, || drop(black_box(script(name)))), name.to_string()))
        .collect();
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let slowest: Vec<String> = times.iter().take(3).map(|(time, name)| format!("{name} {time:.1} ms")).collect();
    println!("loading scripts, the slowest of {}: {} (aim 10)", times.len(), slowest.join(", "));
    let here = std::env::current_exe().unwrap_or_default();
    let program = here.parent().and_then(Path::parent).map(|dir| dir.join("astragal")).unwrap_or_default();
    if !program.exists() {
        return println!("program start: not measured, build the program in release mode first");
    }
    let time = milliseconds(4 * ROUNDS, || {
        let mut command = Command::new(&program);
        let started = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let Ok(mut child) = started else { return };
        let _ = child.stdin.take().map(|mut input| input.write_all(b"quit\n"));
        let _ = child.wait();
    });
    println!("program start, first prompt and end: {time:.1} ms (aim 30)");
}
