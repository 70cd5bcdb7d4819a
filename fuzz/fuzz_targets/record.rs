//! Records, replayed by the rules.

#![no_main]

use astragal_tests::properties::records;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    records::replay(text);
});
