//! What may be sent from one thread to another.

use astragal_core::{Game, Ruleset, State, Variant};

#[test]
fn rules_are_shared_and_games_are_sent() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<Variant>();
    shared::<Ruleset>();
    sent::<State>();
    sent::<Game>();
}
