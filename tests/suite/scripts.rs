//! Small scripts that express the cores of published games, each using only what `docs/language.md` describes: what the
//! language must be able to say. They are played at random, with records and positions checked as for the games that come
//! with the program.

use crate::common::{data, load};
use crate::random_games::{check, ends};
use astragal_core::{Game, Status};
use std::path::PathBuf;
use std::sync::Arc;

/// The scripts, by name; those of another folder if `ASTRAGAL_SCRIPTS` names one.
fn scripts() -> Vec<PathBuf> {
    let folder = std::env::var_os("ASTRAGAL_SCRIPTS").map_or_else(|| data("scripts"), PathBuf::from);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "rhai")).collect();
    paths.sort();
    paths
}

#[test]
fn ten_games_of_each_script() {
    let scripts = scripts();
    assert!(!scripts.is_empty());
    for path in scripts {
        let loaded = Arc::new(load(&path.display().to_string()));
        let games: Vec<Game> = (0..10).map(|seed| check(&loaded, seed)).collect();
        let events: usize = games.iter().map(|game| game.entries().len()).sum();
        println!("{}: {events} events, {:?}", loaded.name, ends(&games));
        assert!(games.iter().any(|game| game.status() == Status::Over), "no game of {} ended", loaded.name);
    }
}
