use super::*;
use crate::library::bundled;
use crate::loader::load_watched;
use crate::{Source, load_noting};
use astragal_core::{Game, Mode, Status, Stream};

/// Plays some events of a random game of a variant, watched.
fn watched(name: &str, mode: Mode, events: usize) -> Summary {
    let coverage = Coverage::new();
    let source = bundled(name).expect("a variant that comes with the program");
    let loaded = load_watched(&source, &[], mode, Some(&coverage)).expect("it loads");
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 5).expect("a game begins");
    let mut stream = Stream::new(5, u64::MAX);
    for _ in 0..events {
        let mut below = |n: usize| stream.below(n as u64) as usize;
        let done = match game.status() {
            Status::Over => break,
            Status::Chance => game.roll().map(drop),
            Status::Move => game.play(game.state().moves()[below(game.state().moves().len())]),
            Status::Choice => game.choose(below(game.state().choices().len())),
        };
        done.expect("what is listed can be done");
    }
    coverage.summary(name)
}

/// Trees are grown by running the script, and each path that is walked has been run before.
#[test]
fn trees_hide_no_visit() {
    for (name, events) in [("dice-chess", 40), ("babylonian", 30), ("king-for-2", 16)] {
        let (trees, plain) = (watched(name, Mode::Trees, events), watched(name, Mode::Interpreted, events));
        assert!(!trees.unreached.is_empty() || !trees.parts.is_empty(), "{name}: options are never all reached");
        assert!(trees.lines.len() > trees.unreached.len() && trees.answers > trees.branches.len(), "{name}: {trees:?}");
        assert_eq!(trees, plain, "{name}");
    }
}

/// A move that may be declined has two answers; one in a random game of a piece with a free square is never declined.
#[test]
fn what_may_be_declined_is_counted_twice() {
    let summary = |turn: &str| {
        let coverage = Coverage::new();
        let text =
            format!("board(4, 4); piece(\"man\", \"M\", \"W\"); setup(\"m3/4/4/3M w\");\nfn turn() {{ {turn} }}\n");
        let source = Source { name: "t".into(), path: None, text };
        let loaded = load_noting(&source, &[], &coverage).expect("it loads");
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).expect("a game begins");
        for _ in 0..4 {
            game.play(game.state().moves()[0]).expect("what is listed can be done");
        }
        coverage.summary("t")
    };
    let forced = summary("play(any());");
    let optional = summary("play_or_pass(any());");
    assert_eq!((optional.answers - forced.answers, forced.branches.len(), optional.branches.len()), (2, 0, 1));
    assert_eq!(optional.branches[0].text, "always played, never declined");
}

#[test]
fn operators_are_shown_from_their_left_side() {
    let coverage = Coverage::new();
    let text = r#"import "chess" as chess;
chess::setup();

fn turn() {
    if clock() > 900 && clock() - 1 < 5 { play(any()) }
}
"#;
    let source = Source { name: "t".into(), path: None, text: text.into() };
    let loaded = load_noting(&source, &[], &coverage).expect("it loads");
    // Nobody ever moves: whatever comes of it, the rule has been run.
    let _ = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0);
    let summary = coverage.summary("t");
    assert_eq!(summary.lines, BTreeSet::from([1, 2, 5]));
    assert_eq!(summary.parts, [Part { place: (5, 25) }, Part { place: (5, 43) }]);
}

/// The function that is never called has code that can run and has not.
#[test]
fn places_are_listed_with_whether_they_ran() {
    let coverage = Coverage::new();
    let text = "board(4, 4); piece(\"man\", \"M\", \"W\"); setup(\"m3/4/4/3M w\");\n\
                fn turn() { play(any()) }\nfn unused() { play(any()) }\n";
    let source = Source { name: "t".into(), path: None, text: text.into() };
    let loaded = load_noting(&source, &[], &coverage).expect("it loads");
    Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).expect("a game begins");
    let places = coverage.places("t");
    let ran = |line: usize| places.iter().filter(|(place, _)| place.0 == line).all(|(_, ran)| *ran);
    assert!(ran(1) && ran(2) && !ran(3), "{places:?}");
    assert_eq!(places.get(&(2, 13)), Some(&true));
    assert_eq!(places.get(&(3, 15)), Some(&false));
    assert!(coverage.places("other").is_empty());
}

/// What two have marked, put together, is what one would have marked who has seen all.
#[test]
fn marks_add_up() {
    let play = |coverage: &Coverage, seeds: std::ops::Range<u64>| {
        let source = crate::library::resolve("babylonian").expect("it is there");
        let loaded = load_noting(&source, &[], coverage).expect("it loads");
        for seed in seeds {
            let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).expect("a game begins");
            for event in 0..60 {
                let pick = |n: usize| (seed as usize * 31 + event * 7) % n;
                let done = match game.status() {
                    Status::Over => break,
                    Status::Chance => game.roll().map(drop),
                    Status::Move => game.play(game.state().moves()[pick(game.state().moves().len())]),
                    Status::Choice => game.choose(pick(game.state().choices().len())),
                };
                done.expect("what is listed can be done");
            }
        }
    };
    let [all, first, second, again] = [(); 4].map(|()| Coverage::new());
    play(&all, 0..6);
    play(&first, 0..1);
    play(&second, 1..6);
    let together: BTreeSet<String> = first.marks().union(&second.marks()).cloned().collect();
    assert!(together == all.marks());
    assert!(first.marks() != all.marks(), "the second games show nothing new");
    play(&again, 0..0);
    again.absorb(together.iter().map(String::as_str).chain(["nonsense", "visited\tx\ty\tz", "choice\ta\t1\t1\t"]));
    assert!(again.marks() == all.marks());
    let without_rolls = |coverage: &Coverage| Summary { rolls: Vec::new(), ..coverage.summary("babylonian") };
    assert_eq!(without_rolls(&again), without_rolls(&all));
}

/// What waits for other values of options is left out: whole branches, cases, what follows a way out, and functions that are
/// called from nowhere else. What nobody has come to for other reasons stays, and so does what another value would run.
#[test]
fn code_of_options_that_were_not_chosen() {
    let text = r#"board(4, 4); piece("man", "M", "W"); setup("m3/4/4/3M w");
const FAST = option("fast", ["no", "yes"], "Whether men run.");
const SORT = option("sort", ["a", "b"], "What sort.");
const RUNS = FAST == "yes";
const OFF = false;
fn turn() {
    if FAST == "yes" {
        run();
    }
    if OFF { play(nothing()); }
    if SORT == "a" || has(mover(), "man") { return walk(); }
    play(any() - any());
}
fn walk() {
    let what = switch SORT {
        "a" => any(),
        "b" => any() |
            any()
    };
    if RUNS && round() > 0 {
        play_each([1], |die| any());
    } else { play(what); }
    if round() > 500 {
        draw("late");
    }
}
fn run() {
    play(any());
}
"#;
    let lines = |chosen: &[(&str, &str)]| {
        let coverage = Coverage::new();
        let source = Source { name: "t".into(), path: None, text: text.into() };
        let chosen: Vec<(String, String)> =
            chosen.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let loaded = load_noting(&source, &chosen, &coverage).expect("it loads");
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).expect("a game begins");
        for _ in 0..4 {
            game.play(game.state().moves()[0]).expect("what is listed can be done");
        }
        let of = |summary: Summary| -> Vec<usize> {
            let parts = summary.parts.iter().map(|part| part.place.0);
            summary.unreached.iter().copied().chain(parts).collect::<BTreeSet<usize>>().into_iter().collect()
        };
        (of(coverage.summary("t")), of(coverage.summary_as_chosen("t")))
    };
    let (all, left) = lines(&[]);
    assert_eq!(all, [8, 10, 11, 12, 17, 18, 20, 21, 24, 28]);
    assert_eq!(left, [10, 24]);
    // The other sort has to ask, and might not have left: line 12 is for the designer to think about.
    let (_, left) = lines(&[("sort", "b")]);
    assert_eq!(left, [10, 12, 24]);
}
