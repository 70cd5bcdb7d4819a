//! Any text as a script: loaded, checked, played.

#![no_main]

use astragal_tests::properties::scripts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    scripts::script(&String::from_utf8_lossy(data));
});
