//! Random games of one script, for profilers: `playouts NAME [GAMES]`.

use astragal_bench::play;
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "dice-chess".into());
    let games: u64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(200);
    let loaded = match astragal_dsl::load_named(&name, &[]) {
        Ok(loaded) => loaded,
        Err(error) => return println!("{}", error.render(false)),
    };
    let warm = play(&loaded.set, &loaded.start, 0..games.min(100));
    let runs = loaded.set.rules.runs();
    let start = Instant::now();
    let played = play(&loaded.set, &loaded.start, 0..games);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name}: {:.0} plies/s, {:.0} games/s, {} plies, {} interpreter runs, digest {:016x} (warm-up {:016x})",
        played.plies as f64 / seconds,
        played.games as f64 / seconds,
        played.plies,
        loaded.set.rules.runs() - runs,
        played.digest,
        warm.digest
    );
}
