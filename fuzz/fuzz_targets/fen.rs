//! Positions of every variant, with the turn so far. The first byte chooses the variant.

#![no_main]

use astragal_tests::properties::{choice_and_text, chosen_name, positions, shipped};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (choice, text) = choice_and_text(data);
    positions::position(&shipped(chosen_name(choice)), &text);
});
