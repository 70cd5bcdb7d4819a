//! Memory, and how often the interpreter runs after warm-up.

use super::script;
use astragal_bench::play;
use astragal_core::Position;
use astragal_dsl::{Loaded, library};

/// Sizes of trees, interpreter runs after warm-up, size of a position.
pub fn trees(games: &[(&str, Loaded, u64)]) {
    for (title, game, _) in games {
        let rules = &game.set.rules;
        // Enough games to take every path: three dice have 216 rolls.
        let mut seed = 0;
        for plies in [100_000, 100_000] {
            let (before, mut played) = (rules.runs(), 0);
            while played < plies {
                // New games: the paths of earlier ones would already be known.
                played += play(&game.set, &game.start, 1_000_000 + seed..1_000_050 + seed).plies;
                seed += 50;
            }
            let nodes: usize = rules.report().iter().map(|tree| tree.nodes).sum();
            let title = title.trim_end_matches(" plies/s");
            println!("{title}: {} interpreter runs in {played} plies, {nodes} nodes then", rules.runs() - before);
        }
    }
    let mut bytes = 0;
    for name in library::names() {
        let game = script(name);
        play(&game.set, &game.start, 0..60);
        bytes += game.set.rules.report().iter().map(|tree| tree.bytes).sum::<usize>();
    }
    println!("rule trees of all shipped variants after 60 games each: {:.2} MiB (aim 4)", bytes as f64 / 1048576.0);
    println!("a position: {} bytes (aim under 512)", size_of::<Position>());
}
