//! Moves as texts. The first bytes choose the variant, how far to play, and the seed.

#![no_main]

use astragal_tests::properties::{choice_and_text, chosen_name, moves};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (choice, rest) = data.split_first().map_or((0, data), |(first, rest)| (*first, rest));
    let (plies, rest) = rest.split_first().map_or((0, rest), |(first, rest)| (*first, rest));
    let (seed, text) = choice_and_text(rest);
    if let Some(state) = moves::somewhere(chosen_name(choice), plies, seed) {
        moves::texts(&state, &text);
    }
});
