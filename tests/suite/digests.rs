//! Seeded games stay what they are: a seed and choices give the same game in every version and through every door.
//!
//! `data/digests.txt` holds a line for each script, those of `data/wild` too: its name, a number of games, the events in them and a digest of all
//! positions as texts and all faces. Whoever changes a rule on purpose writes the new line there and says why.

use crate::common::{data, load, text};
use astragal_core::meter::BUDGET;
use astragal_core::{Game, Status, Stream};
use astragal_dsl::{Loaded, library, turn_state_text};
use astragal_repl::gametest::find;
use astragal_service::gametest::property::random_event;
use std::fmt::Write;
use std::sync::Arc;

/// A game that has more events is broken off.
const LONGEST: usize = 400;

/// How many times the work of any event in these games fits into the budget.
const ROOM: u64 = 20;

/// FNV-1a with 64 bits (Fowler, Noll, Vo): simple enough to be written again in any language.
struct Digest(u64);

impl Digest {
    const START: Digest = Digest(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, text: &str) {
        for &byte in text.as_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Plays seeded games: dice from the game's seed, decisions from a stream of their own.
fn line(name: &str, loaded: &Loaded, games: u64) -> String {
    let (mut digest, mut events) = (Digest::START, 0);
    for seed in 0..games {
        let start = loaded.start.clone();
        let mut game = Game::new(Arc::clone(&loaded.set), start, seed).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut decisions = Stream::new(seed, u64::MAX);
        for _ in 0..LONGEST {
            let done = match game.status() {
                Status::Over => break,
                Status::Chance => game.roll().map(|faces| digest.add(&format!("{faces:?}"))),
                Status::Move | Status::Choice => {
                    let event = random_event(game.state(), &mut decisions).expect("something is offered");
                    game.apply(&event)
                }
            };
            done.unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
            digest.add(&turn_state_text::position(loaded, &game));
        }
        events += game.entries().len();
    }
    format!("{name} {games} {events} {:016x}", digest.0)
}

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
        let now = line(name, loaded, 10);
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
