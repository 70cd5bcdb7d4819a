//! Seeded games stay what they are: a seed and choices give the same game in every version and through every interface.
//!
//! `data/digests.txt` has a line for each script, including those of `data/wild`: its name, a number of games, the events
//! in them, and a digest of all positions as texts and of all faces. Whoever changes a rule on purpose writes the new line
//! there and says why.

use crate::common::{data, load, text};
use astragal_core::meter::BUDGET;
use astragal_dsl::library;
use astragal_repl::gametest::find;
use astragal_service::digest;
use std::fmt::Write;

/// The budget is at least so many times the work of any event in these games.
const ROOM: u64 = 20;

#[test]
fn seeded_games_of_every_script_are_as_they_were() {
    let kept = text("digests.txt");
    let kept: Vec<&str> = kept.lines().filter(|line| !line.starts_with('#')).collect();
    let mut wrong = String::new();
    let wild = find::below(&data("wild"), "rhai").expect("the scripts can be listed");
    let wild = wild
        .iter()
        .map(|path| (path.file_stem().expect("a name").to_string_lossy(), load(&path.display().to_string())));
    let scripts: Vec<_> = library::names().into_iter().map(|name| (name.into(), load(name))).chain(wild).collect();
    let mut most: Vec<(u64, &str)> = Vec::new();
    for (name, loaded) in &scripts {
        let digest = digest::of_games(loaded, 10).unwrap_or_else(|error| panic!("{name}: {error}"));
        let now = format!("{name} {digest}");
        most.push((loaded.set.rules.walker().meter().most(), name));
        if !kept.contains(&now.as_str()) {
            let _ = writeln!(wrong, "{now}");
        }
    }
    assert!(wrong.is_empty(), "other games than before; if that is meant, tests/data/digests.txt gets\n{wrong}");
    assert_eq!(kept.len(), scripts.len(), "a line for each script");
    // Only scripts that nobody would play come near the budget: docs/limits.md says so.
    most.sort_unstable_by(|a, b| b.cmp(a));
    println!("{:?}", &most[..5]);
    assert!(most[0].0 * ROOM <= BUDGET, "units of work for one event: {:?}", &most[..5]);
}
