//! Options as `name=value`, and command lines. The first byte chooses the variant.

#![no_main]

use astragal_tests::properties::{choice_and_text, chosen_name, program};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (choice, text) = choice_and_text(data);
    program::options(chosen_name(choice), &text);
});
