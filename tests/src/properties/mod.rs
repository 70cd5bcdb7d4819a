//! Properties of every parser and of the script host.
//!
//! Each function takes text from a stranger and panics if something is wrong with us: what is read can be written and read
//! again as the same, what is refused is refused with a place in the text, and nothing takes longer than it may. Texts are
//! also built here where random bytes would not get far: [`splice`] makes scripts out of pieces of those that come with the
//! program.

pub mod changes;
pub mod editor;
pub mod moves;
pub mod notation;
pub mod positions;
pub mod program;
pub mod records;
pub mod scripts;
pub mod splice;
pub mod targets;

use astragal_core::{Game, State, Status, Stream};
use astragal_dsl::notation::NotationError;
use astragal_dsl::{Loaded, library, load};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The maximum processor time that anything may take: it should reveal a hang, not a slow machine.
pub const LONGEST: Duration = Duration::from_secs(10);

/// The first byte as a choice, and the rest as text.
pub fn choice_and_text(data: &[u8]) -> (u8, String) {
    match data.split_first() {
        Some((choice, rest)) => (*choice, String::from_utf8_lossy(rest).into_owned()),
        None => (0, String::new()),
    }
}

/// The letter that chooses a variant that comes with the program: its number, from `A`.
///
/// # Panics
/// If there is no such variant.
pub fn choice_of(name: &str) -> u8 {
    let index = library::names().iter().position(|n| *n == name);
    b'A' + index.unwrap_or_else(|| panic!("no variant is called {name}")) as u8
}

/// The name that a letter chooses.
pub fn chosen_name(choice: u8) -> &'static str {
    let names = library::names();
    names[usize::from(choice.wrapping_sub(b'A')) % names.len()]
}

/// A variant that comes with the program, with its default options; loaded once for each thread.
///
/// # Panics
/// If it does not load.
pub fn shipped(name: &str) -> Arc<Loaded> {
    thread_local! {
        static LOADED: RefCell<BTreeMap<String, Arc<Loaded>>> = const { RefCell::new(BTreeMap::new()) };
    }
    let known = LOADED.with_borrow(|all| all.get(name).cloned());
    known.unwrap_or_else(|| {
        let source = library::bundled(name).unwrap_or_else(|| panic!("no variant is called {name}"));
        let loaded = Arc::new(load(&source, &[]).unwrap_or_else(|error| panic!("{name}: {error}")));
        LOADED.with_borrow_mut(|all| all.insert(name.to_owned(), Arc::clone(&loaded)));
        loaded
    })
}

/// A new game of a variant.
///
/// # Panics
/// If it does not begin.
pub fn new_game(loaded: &Loaded, seed: u64) -> Game {
    Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed)
        .unwrap_or_else(|error| panic!("{}: {error}", loaded.name))
}

/// Lets one random event happen; returns false if nothing more can happen, or if a rule fails.
pub fn step(game: &mut Game, stream: &mut Stream) -> bool {
    let mut pick = |n: usize| stream.below(n as u64) as usize;
    match game.status() {
        Status::Over => false,
        Status::Chance => game.roll().is_ok(),
        Status::Move if game.state().moves().is_empty() => game.pass().is_ok(),
        Status::Move => {
            let paid = game.state().moves()[pick(game.state().moves().len())];
            game.play(paid).is_ok()
        }
        Status::Choice => {
            let choice = pick(game.state().choices().len());
            game.choose(choice).is_ok()
        }
    }
}

/// What a player sees of a state: enough to tell apart two states that go on differently.
pub fn seen(state: &State) -> impl PartialEq + std::fmt::Debug + use<> {
    let position = state.position();
    let over = state.over().map(|over| (over.winner, over.reason.clone()));
    let dice = state.dice().map(|dice| dice.to_string());
    let prices: Vec<_> = state.moves().iter().map(|paid| (paid.mv, state.price(*paid))).collect();
    (state.status(), position.hash(), position.side(), over, dice, prices, astragal_dsl::game_text::choices(state))
}

/// A refusal says where in `text` the mistake is, what was expected and what was found.
///
/// # Panics
/// If it does not.
pub fn points_into(error: &NotationError, text: &str) {
    assert_eq!(&*error.input, text, "the error is about this text");
    assert!(error.span.start <= error.span.end, "{error:?}");
    assert!(text.get(error.span.clone()).is_some(), "the place is no part of the text: {error:?}");
    assert!(!error.expected.is_empty() && !error.found.is_empty(), "{error:?}");
    let line = text.split('\n').nth(error.line() - 1);
    let width = line.unwrap_or_else(|| panic!("there is no such line: {error:?}")).chars().count();
    assert!((1..=width + 1).contains(&error.column()), "there is no such column: {error:?}");
    let (said, shown) = (error.to_string(), error.render());
    assert!(said.contains(error.notation) && shown.contains('^'), "{error:?}");
    assert!(said.len() < 4096 + 4 * text.len(), "the message is far longer than the text: {said}");
}

/// Runs `act`, and checks that it took no longer than it may.
///
/// # Panics
/// If it took longer.
pub fn in_time<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let (wall, processor) = (Instant::now(), processor_time());
    let result = act();
    // Others may keep the processor busy: wall-clock time alone says little.
    if wall.elapsed() > LONGEST {
        let spent = match (processor, processor_time()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => wall.elapsed(),
        };
        assert!(spent <= LONGEST, "{what} takes {spent:?}");
    }
    result
}

/// The processor time of this thread so far, if the system reports it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
