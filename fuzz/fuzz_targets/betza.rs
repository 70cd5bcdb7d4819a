//! Movement in Betza notation.

#![no_main]

use astragal_tests::properties::notation;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    notation::movement(text);
});
