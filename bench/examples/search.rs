//! Decisions of the computer in positions of random games, for profilers: `search NAME [DECISIONS] [LEVEL]`.

use astragal_bench::random_state;
use astragal_computer::{Computer, Evaluation};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "dice-chess".into());
    let mut number = |default: u64| args.next().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (decisions, level) = (number(20), number(4));
    let loaded = match astragal_dsl::load_named(&name, &[]) {
        Ok(loaded) => loaded,
        Err(error) => return println!("{}", error.render(false)),
    };
    let evaluation =
        Arc::new(Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("rules that do not fail"));
    let states: Vec<_> =
        (0..decisions).filter_map(|seed| random_state(&loaded.set, &loaded.start, seed, 8 + seed % 24)).collect();
    let (start, mut nodes, mut digest) = (Instant::now(), 0, 0u64);
    for state in &states {
        let mut computer = Computer::new(Arc::clone(&evaluation), level as u8, 1);
        let found = computer.search(state, 1).expect("a decision");
        nodes += found.nodes;
        for line in &found.lines {
            digest = digest.rotate_left(5) ^ line.value.to_bits();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name}: {} decisions, {nodes} nodes, {:.0} nodes/s, digest {digest:016x}",
        states.len(),
        nodes as f64 / seconds
    );
}
