//! The fuzz targets by name, for those who run without `cargo fuzz`. The files of `fuzz/fuzz_targets` correspond to them
//! one by one.

use super::{choice_and_text, chosen_name, moves, notation, positions, program, records, scripts, shipped, splice};
use astragal_service::gametest::Loader;
use astragal_service::rpc::Service;
use std::cell::RefCell;

/// All targets.
pub const NAMES: [&str; 13] = [
    "betza", "dice", "fen", "frame", "game", "moves", "options", "pgn", "prompt", "record", "script", "serve", "splice",
];

/// Checks what must hold for an input of a target.
///
/// # Panics
/// If it does not hold, or there is no such target.
pub fn run(target: &str, data: &[u8]) {
    thread_local! {
        static SERVER: RefCell<Service> = RefCell::new(Service::new());
        static LOADER: RefCell<Loader> = RefCell::default();
    }
    let text = String::from_utf8_lossy(data);
    let (choice, chosen) = choice_and_text(data);
    match target {
        "betza" => notation::movement(&text),
        "dice" => notation::dice(&text),
        "pgn" => notation::pgn(&text),
        "record" => records::replay(&text),
        "serve" => SERVER.with_borrow_mut(|server| program::requests(server, &text)),
        "game" => LOADER.with_borrow_mut(|loader| program::game_file(loader, &text)),
        "script" => scripts::script(&text),
        "splice" => scripts::script(&splice::script(data)),
        "frame" => scripts::script(&splice::frame(choice, &chosen)),
        "fen" => positions::position(&shipped(chosen_name(choice)), &chosen),
        "prompt" => program::session(chosen_name(choice), &chosen),
        "options" => program::options(chosen_name(choice), &chosen),
        "moves" => {
            let (plies, rest) = data.get(1..).and_then(|rest| rest.split_first()).unwrap_or((&0, &[]));
            let (seed, text) = choice_and_text(rest);
            if let Some(state) = moves::somewhere(chosen_name(choice), *plies, seed) {
                moves::texts(&state, &text);
            }
        }
        _ => panic!("there is no target '{target}'; they are {}", NAMES.join(", ")),
    }
}
