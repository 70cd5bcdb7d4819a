//! Texts where scripts hold notations. The first byte chooses the place.

#![no_main]

use astragal_tests::properties::{choice_and_text, scripts, splice};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (choice, text) = choice_and_text(data);
    scripts::script(&splice::frame(choice, &text));
});
