//! The same script by trees and by plain interpretation: nothing differs at any step.

use crate::common::{DICE_VARIANTS, Random, apply, load_set, random_event};
use astragal_core::{Mode, Ruleset, State, Stream};
use astragal_dsl::coverage::Coverage;
use astragal_dsl::{Loaded, Source, game_text, library};
use astragal_service::gametest::property::difference;
use std::collections::BTreeSet;
use std::sync::Arc;

type Options = Vec<(String, String)>;

fn interpreted(name: &str, options: &Options) -> Loaded {
    let source = library::bundled(name).expect("a variant that comes with the program");
    astragal_dsl::load_with(&source, options, Mode::Interpreted).unwrap_or_else(|e| panic!("{name} {options:?}: {e}"))
}

/// The same with trees that stop growing very early.
fn stunted(name: &str, options: &Options, nodes: usize) -> Loaded {
    let mut loaded = load_set(name, options);
    let Ok(Ruleset { variant, rules }) = Arc::try_unwrap(loaded.set) else { panic!("the rules are in use") };
    loaded.set = Arc::new(Ruleset { variant, rules: rules.with_cap(nodes) });
    loaded
}

/// The same with an observer, for whom no step may be skipped.
fn watched(name: &str) -> Loaded {
    let mut loaded = load_set(name, &Options::new());
    let Ok(Ruleset { variant, mut rules }) = Arc::try_unwrap(loaded.set) else { panic!("the rules are in use") };
    rules.watch(|_, _| ());
    loaded.set = Arc::new(Ruleset { variant, rules });
    loaded
}

/// Plays the same random games on both for so many events, and returns the labels and endings seen.
fn side_by_side(a: &Loaded, b: &Loaded, events: usize, seed: u64) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut random = Random::new(seed);
    let mut left = events;
    while left > 0 {
        let begin = |loaded: &Loaded| State::new(loaded.set.clone(), loaded.start.clone()).expect("a game");
        let (mut one, mut two) = (begin(a), begin(b));
        // Games are cut off now and then, so that openings and endings are both seen.
        for ply in 0..40 + random.below(1500) {
            let options: Vec<String> = a.options.iter().map(|o| format!("{}={}", o.name, o.chosen)).collect();
            let what = || format!("{} {options:?}, event {ply}: {}", a.name, game_text::position(a, &one));
            assert_eq!(difference(&one, &two), None, "{}", what());
            assert_eq!(one.clone().take_notes(), two.clone().take_notes(), "{}", what());
            let Some(event) = random_event(&one, &mut random).filter(|_| left > 0) else { break };
            one.take_notes();
            two.take_notes();
            apply(&mut one, &event);
            apply(&mut two, &event);
            seen.extend(one.label().map(String::from));
            left -= 1;
        }
        seen.extend(one.over().map(|over| over.reason.clone()));
    }
    seen
}

/// The default options, and every other value of every option on its own.
fn settings(name: &str) -> Vec<Options> {
    let loaded = load_set(name, &Vec::new());
    let others = loaded.options.iter().flat_map(|option| {
        let values = option.values.iter().filter(|value| **value != option.default);
        values.map(|value| vec![(option.name.clone(), value.clone())])
    });
    others.collect()
}

fn seed(name: &str, options: &Options) -> u64 {
    let text = format!("{name} {options:?}");
    text.bytes().fold(7, |key, byte| Stream::new(key, u64::from(byte)).next_u64())
}

fn by_default(name: &str, events: usize) -> BTreeSet<String> {
    let options = Vec::new();
    side_by_side(&load_set(name, &options), &interpreted(name, &options), events, seed(name, &options))
}

fn by_options(name: &str, events: usize) {
    let settings = settings(name);
    assert!(!settings.is_empty(), "{name} has no options");
    for options in settings {
        side_by_side(&load_set(name, &options), &interpreted(name, &options), events, seed(name, &options));
    }
}

fn by_cap(name: &str, events: usize) {
    for nodes in [1, 4, 40] {
        let (options, small) = (Vec::new(), stunted(name, &Vec::new(), nodes));
        side_by_side(&load_set(name, &options), &small, events, seed(name, &options) + nodes as u64);
        let capped = small.set.rules.report().iter().any(|tree| tree.capped);
        assert!(capped || nodes > 4, "{name}: no tree reached {nodes} nodes");
    }
}

const BASES: [&str; 2] = ["chess", "xiangqi"];

#[test]
fn default_options() {
    for name in BASES.into_iter().chain(DICE_VARIANTS) {
        let seen = by_default(name, 4000);
        println!("{name}: {seen:?}");
        assert!(!seen.is_empty(), "{name}: no game ended");
    }
}

#[test]
fn every_other_option() {
    for name in BASES.into_iter().chain(DICE_VARIANTS) {
        by_options(name, 150);
    }
}

#[test]
fn watched_rules() {
    for name in DICE_VARIANTS.into_iter().chain(["brainking", "royal-game-of-ur", "backgammon"]) {
        side_by_side(&load_set(name, &Options::new()), &watched(name), 400, seed(name, &Options::new()));
    }
}

/// While coverage is recorded, a rule learns all faces that it rolls; otherwise, only what it uses.
#[test]
fn rules_that_use_little_of_their_dice() {
    let bundled = |name: &str| library::bundled(name).expect("a variant that comes with the program");
    let wild =
        |name: &str| Source { name: name.into(), path: None, text: crate::common::text(&format!("wild/{name}.rhai")) };
    let names = ["royal-game-of-ur", "goose", "pair-less"];
    for source in names.map(bundled).into_iter().chain(["H23"].map(wild)) {
        let told_all = astragal_dsl::load_noting(&source, &[], &Coverage::new()).expect("a game");
        let told_little = astragal_dsl::load(&source, &[]).expect("a game");
        side_by_side(&told_little, &told_all, 3000, seed(&source.name, &Options::new()));
    }
}

#[test]
fn capped_trees() {
    for name in BASES.into_iter().chain(DICE_VARIANTS) {
        by_cap(name, 300);
    }
}

/// Whatever else comes with the program.
#[test]
fn the_gallery() {
    let known: Vec<&str> = BASES.into_iter().chain(DICE_VARIANTS).collect();
    for name in library::names().into_iter().filter(|name| !known.contains(name)) {
        by_default(name, 500);
    }
}
