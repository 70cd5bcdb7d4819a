//! The jobs whose instructions are counted. Each warms up first, so that the count covers steady-state work, and then calls
//! [`measured`] once.

use astragal_bench::{play, random_state};
use astragal_computer::{Computer, Evaluation};
use astragal_core::perft::perft;
use astragal_core::{Reply, State, Status, odds, turns};
use astragal_dsl::{Loaded, library, load_named, notation::fen};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// A job.
pub struct Job {
    /// Its name, as in the baseline.
    pub name: String,
    /// Its code.
    pub run: Box<dyn Fn() + Sync>,
}

/// All jobs. The longest come first, since two run at a time; the loading of each script comes last.
pub fn all() -> Vec<Job> {
    let job = |name: &str, run: fn()| Job { name: name.into(), run: Box::new(run) };
    let mut jobs = vec![
        job("check babylonian", check),
        job("computer:4, six decisions of dice-chess", decisions),
        job("play babylonian, 40 games", || games("babylonian", 40)),
        job("play dice-chess, 100 games", || games("dice-chess", 100)),
        job("play dicechess-3, 60 games", || games("dicechess-3", 60)),
        job("play king-for-2, 60 games", || games("king-for-2", 60)),
        job("play dice-xiangqi, 60 games", || games("dice-xiangqi", 60)),
        job("play backgammon, 40 games", || games("backgammon", 40)),
        job("play royal-game-of-ur, 100 games", || games("royal-game-of-ur", 100)),
        job("play goose, 200 games", || games("goose", 200)),
        job("perft chess, start, depth 4", || positions(None, 4)),
        job("perft chess, Kiwipete, depth 3", || positions(Some(KIWIPETE), 3)),
        job("dicechess-3, the ends of all 56 rolls", ends),
        job("dicechess-3, the chance to take the king", king),
        job("babylonian, the odds of all moves in two positions", contests),
    ];
    let load = |name| Job { name: format!("load {name}"), run: Box::new(move || loads(name)) };
    jobs.extend(library::names().into_iter().map(load));
    jobs
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Runs the measured part of a job. Callgrind finds it by its name.
#[inline(never)]
pub fn measured(task: &mut dyn FnMut()) {
    task();
}

fn script(name: &str) -> Loaded {
    load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn games(name: &str, count: u64) {
    let game = script(name);
    play(&game.set, &game.start, 0..count);
    measured(&mut || {
        black_box(play(&game.set, &game.start, 0..count));
    });
}

fn positions(text: Option<&str>, depth: u32) {
    let chess = script("chess");
    let read = |text| fen::parse(&chess.set.variant, text).expect("a position of chess").position;
    let start = text.map_or(chess.start.clone(), read);
    measured(&mut || {
        black_box(perft(&chess.set.variant, &start, depth));
    });
}

fn ends() {
    let game = script("dicechess-3");
    let state = State::new(Arc::clone(&game.set), game.start.clone()).expect("a game begins");
    let mut all = || drop(black_box(turns::every_roll(&state).expect("turns are counted")));
    all();
    measured(&mut all);
}

fn king() {
    let game = script("dicechess-3");
    let state = State::new(Arc::clone(&game.set), game.start.clone()).expect("a game begins");
    let mut all = || {
        black_box(turns::winning_chance(&state).expect("a chance"));
    };
    all();
    measured(&mut all);
}

/// The outcomes of each move, contested captures included.
fn contests() {
    let game = script("babylonian");
    let states = (0..2).filter_map(|seed| random_state(&game.set, &game.start, seed, 20 + seed));
    let states: Vec<State> = states.filter(|state| state.status() == Status::Move).collect();
    let mut all = || {
        for state in &states {
            for &paid in state.moves() {
                let after = state.after(Reply::Move(paid)).expect("a legal move");
                black_box(odds::explore(&after, &|| false).expect("chances"));
            }
        }
    };
    all();
    measured(&mut all);
}

fn decisions() {
    let game = script("dice-chess");
    let evaluation = Evaluation::learn(Arc::clone(&game.set), &game.start).expect("rules that do not fail");
    let evaluation = Arc::new(evaluation);
    let state = |seed| random_state(&game.set, &game.start, seed, 8 + seed % 24);
    let states: Vec<State> = (0..6).filter_map(state).collect();
    measured(&mut || {
        for state in &states {
            let mut computer = Computer::new(Arc::clone(&evaluation), 4, 1);
            black_box(computer.search(state, 1).expect("a decision"));
        }
    });
}

fn loads(name: &str) {
    // Data that is created once for all scripts counts for none of them.
    script("chess");
    measured(&mut || drop(black_box(script(name))));
}

fn check() {
    let source = library::bundled("babylonian").expect("a shipped script");
    // Only this thread's instructions are counted.
    astragal_dsl::limit_threads(NonZeroUsize::MIN);
    measured(&mut || drop(black_box(astragal_dsl::check(&source))));
}

/// The bytes of the trees of all bundled scripts after 60 random games each.
pub fn trees() -> usize {
    let grown = |name: &str| {
        let game = script(name);
        play(&game.set, &game.start, 0..60);
        game.set.rules.report().iter().map(|tree| tree.bytes).sum::<usize>()
    };
    library::names().into_iter().map(grown).sum()
}
