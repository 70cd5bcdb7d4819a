//! Scripts made out of the shipped ones: loaded, checked, played.

#![no_main]

use astragal_tests::properties::{scripts, splice};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    scripts::script(&splice::script(data));
});
