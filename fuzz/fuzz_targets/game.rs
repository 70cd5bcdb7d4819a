//! `.game` files of variants that come with the program.

#![no_main]

use astragal_service::gametest::Loader;
use astragal_tests::properties::program;
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

fuzz_target!(|text: &str| {
    thread_local! {
        static LOADER: RefCell<Loader> = RefCell::default();
    }
    LOADER.with_borrow_mut(|loader| program::game_file(loader, text));
});
