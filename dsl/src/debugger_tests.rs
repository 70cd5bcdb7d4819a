use super::*;
use crate::library::bundled;
use crate::locked::locked;
use crate::{Loaded, Source, load, load_debugging};
use astragal_core::{Event, Game, Status, Stream};
use std::sync::{Arc, Mutex};

const RACE: &str = "board(3, 3); piece(\"man\", \"M\", \"W\"); setup(\"m2/3/2M w\");
fn half(n) {
    let h = n / 2;
    h
}
fn turn() {
    let dice = roll(\"1d6\");
    let h = half(dice);
    let list = [1, \"two\", #{ three: h }];
    play(any().where(|mv|
        mv.to.is_empty));
    let last = list;
}
fn outcome() {
    if count(opponent()) == 0 { win(mover(), \"all taken\"); }
}
";

/// Records every stop, and continues in the same way each time.
struct Recorder {
    how: Mutex<Vec<Resume>>,
    breaks: Vec<usize>,
    stops: Mutex<Vec<Stop>>,
}

impl Recorder {
    /// Continues in these ways in turn, and then in the last way.
    fn new(how: &[Resume], breaks: &[usize]) -> Arc<Recorder> {
        let how = Mutex::new(how.iter().rev().copied().collect());
        Arc::new(Recorder { how, breaks: breaks.to_vec(), stops: Mutex::default() })
    }

    fn lines(&self) -> Vec<usize> {
        locked(&self.stops).iter().map(|stop| stop.frames[0].place.0).collect()
    }
}

impl Debugger for Recorder {
    fn begins(&self, _: &str, _: Option<&Sight>) {}

    fn breaks_at(&self, _: &str, line: usize) -> bool {
        self.breaks.contains(&line)
    }

    fn pauses(&self) -> bool {
        false
    }

    fn stopped(&self, stop: Stop) -> Resume {
        locked(&self.stops).push(stop);
        let mut how = locked(&self.how);
        if how.len() > 1 { how.pop().unwrap_or(Resume::GoOn) } else { how[0] }
    }
}

fn race() -> Source {
    Source { name: "race".into(), path: None, text: RACE.into() }
}

/// Begins a game of the race; with `first`, stops as if a step ended at its first statement.
fn begin(recorder: &Arc<Recorder>, first: Resume) -> (Loaded, Stepper, Game) {
    let debugger: Arc<dyn Debugger> = Arc::clone(recorder) as _;
    let stepper = Stepper::new(debugger);
    let loaded = load_debugging(&race(), &[], &stepper).expect("it loads");
    stepper.resume(first);
    let game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).expect("a game begins");
    (loaded, stepper, game)
}

/// The events of a random game, and its final position.
fn played(loaded: &Loaded, events: usize) -> (Vec<Event>, u64) {
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
    (game.entries().iter().map(|entry| entry.event.clone()).collect(), game.state().position().hash())
}

#[test]
fn a_debugger_changes_no_game() {
    for (name, events) in [
        ("dice-chess", 40),
        ("babylonian", 30),
        ("king-for-2", 16),
        ("backgammon", 30),
        ("senet", 30),
        ("risk", 30),
        ("dice-xiangqi", 20),
        ("barrage-stratego", 20),
    ] {
        let source = bundled(name).expect("a bundled variant");
        let recorder = Recorder::new(&[Resume::StepIn], &[]);
        let stepper = Stepper::new(Arc::clone(&recorder) as Arc<dyn Debugger>);
        let debugged = load_debugging(&source, &[], &stepper).expect("it loads");
        stepper.resume(Resume::StepIn);
        let plain = load(&source, &[]).expect("it loads");
        assert_eq!(played(&debugged, events), played(&plain, events), "{name}");
        assert!(locked(&recorder.stops).len() > events, "{name} has stopped");
    }
}

#[test]
fn each_line_stops_once_a_turn() {
    let recorder = Recorder::new(&[Resume::StepIn], &[]);
    let (_, _, mut game) = begin(&recorder, Resume::StepIn);
    assert_eq!(recorder.lines(), [15, 7], "first the outcome, then the turn up to the roll");
    game.roll().expect("it rolls");
    assert_eq!(recorder.lines()[2..6], [8, 3, 4, 9]);
    let tests = &recorder.lines()[6..];
    assert_eq!(tests.first(), Some(&10));
    assert!(tests.len() > 2 && tests[1..].iter().all(|line| *line == 11), "one test for each move: {tests:?}");
    let before = recorder.lines().len();
    game.play(game.state().moves()[0]).expect("a move");
    assert_eq!(recorder.lines()[before..], [12, 15, 7]);
}

#[test]
fn a_step_over_skips_calls_and_tests() {
    let recorder = Recorder::new(&[Resume::StepOver], &[]);
    let (_, _, mut game) = begin(&recorder, Resume::StepIn);
    game.roll().expect("it rolls");
    game.play(game.state().moves()[0]).expect("a move");
    assert_eq!(recorder.lines(), [15, 7, 8, 9, 10, 12, 15, 7]);
}

#[test]
fn a_step_out_ends_after_the_call() {
    let recorder = Recorder::new(&[Resume::StepOut], &[3, 11]);
    let (_, _, mut game) = begin(&recorder, Resume::GoOn);
    game.roll().expect("it rolls");
    assert_eq!(recorder.lines()[..2], [3, 9]);
    let (frames, cause) = {
        let stops = locked(&recorder.stops);
        (stops[0].frames.clone(), stops[0].cause)
    };
    let called: Vec<(&str, usize)> = frames.iter().map(|f| (f.function.as_str(), f.place.0)).collect();
    assert_eq!((called, cause), (vec![("half", 3), ("turn", 8)], Cause::Breakpoint));
    let names = |frame: &Frame| frame.variables.iter().map(|v| format!("{}={}", v.name, v.text)).collect::<Vec<_>>();
    assert_eq!((names(&frames[0]).len(), names(&frames[1]).len()), (1, 1), "{frames:?}");
    assert_eq!(names(&frames[0])[0].replace("n=", "dice="), names(&frames[1])[0]);
    let from_tests: Vec<usize> = recorder.lines().into_iter().filter(|line| *line == 12).collect();
    assert!(from_tests.is_empty(), "the turn goes on when a move has been chosen");
    game.play(game.state().moves()[0]).expect("a move");
    assert!(recorder.lines().contains(&12));
}

#[test]
fn variables_are_shown_in_the_language() {
    let recorder = Recorder::new(&[Resume::GoOn], &[10, 11, 12]);
    let (loaded, stepper, mut game) = begin(&recorder, Resume::GoOn);
    game.roll().expect("it rolls");
    let walker = loaded.set.rules.walker();
    let waiting = stepper.waiting(&game.state().view(&walker));
    assert_eq!((waiting[0].function.as_str(), waiting[0].place.0), ("turn", 10));
    game.play(game.state().moves()[0]).expect("a move");
    let stops = locked(&recorder.stops);
    let shown = |stop: &Stop, name: &str| {
        let variable = stop.frames[0].variables.iter().find(|variable| variable.name == name);
        variable.map(|variable| (variable.text.clone(), variable.parts.len()))
    };
    let list = shown(&stops[0], "list").expect("a variable");
    assert!(list.0.starts_with("[1, \"two\", #{ three: ") && list.0.ends_with(" }]") && list.1 == 3, "{list:?}");
    let tested = shown(&stops[1], "mv").expect("a variable");
    assert_eq!(tested.0.len(), 4, "a move in coordinates: {tested:?}");
    assert_eq!(stops[1].frames[0].function, "closure");
    let moved = stops.last().and_then(|stop| stop.sight.clone()).expect("it is seen").position;
    assert_ne!(moved.hash(), loaded.start.hash(), "the move has been made");
}

#[test]
fn lines_have_code_only_in_functions() {
    let stepper = Stepper::new(Recorder::new(&[Resume::GoOn], &[]));
    load_debugging(&race(), &[], &stepper).expect("it loads");
    assert_eq!(stepper.lines("race").into_iter().collect::<Vec<_>>(), [3, 4, 7, 8, 9, 10, 11, 12, 15]);
    assert!(stepper.lines("chess").is_empty());
    let source = bundled("dice-chess").expect("a bundled variant");
    load_debugging(&source, &[], &stepper).expect("it loads");
    assert!(!stepper.lines("chess").is_empty(), "an imported script has lines");
}

#[test]
fn a_debugger_ends_a_run() {
    let recorder = Recorder::new(&[Resume::End], &[9]);
    let (_, _, mut game) = begin(&recorder, Resume::GoOn);
    let error = game.roll().expect_err("it ends");
    assert!(matches!(&error, astragal_core::GameError::Rule(rule) if rule.is_stop()), "{error}");
}

#[test]
fn a_rule_that_fails_has_calls() {
    let recorder = Recorder::new(&[Resume::GoOn], &[]);
    let text = RACE.replace("let h = n / 2;", "let h = n / 0;");
    let source = Source { text, ..race() };
    let stepper = Stepper::new(Arc::clone(&recorder) as Arc<dyn Debugger>);
    let loaded = load_debugging(&source, &[], &stepper).expect("it loads");
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).expect("a game begins");
    game.roll().expect_err("it fails");
    let called: Vec<(String, usize)> = stepper.failed().into_iter().map(|f| (f.function, f.place.0)).collect();
    assert_eq!(called, [("half".into(), 3), ("turn".into(), 8)]);
}

#[test]
fn only_the_newest_variable_of_a_name_is_shown() {
    let recorder = Recorder::new(&[Resume::GoOn], &[13]);
    let text = RACE.replace("let last = list;", "let last = 1; let last = 2;\n    let end = last;");
    let stepper = Stepper::new(Arc::clone(&recorder) as Arc<dyn Debugger>);
    let loaded = load_debugging(&Source { text, ..race() }, &[], &stepper).expect("it loads");
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).expect("a game begins");
    game.roll().expect("it rolls");
    game.play(game.state().moves()[0]).expect("a move");
    let stops = locked(&recorder.stops);
    let shown: Vec<(&str, &str)> =
        stops[0].frames[0].variables.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect();
    assert_eq!(shown[0], ("last", "2"));
    assert_eq!(shown.iter().map(|one| one.0).collect::<Vec<_>>(), ["last", "list", "h", "dice"]);
}
