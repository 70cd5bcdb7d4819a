//! What functions make of the outcomes of dice, kept for all runs: it is the same each time.
//!
//! Only what depends on nothing but the faces is kept here; who keeps it has seen to that.

use astragal_core::rule::Place;
use rhai::Dynamic;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The keys that a function makes of the outcomes of dice.
#[derive(Clone)]
pub(crate) struct KeyTable {
    /// Each key once, in the order of the outcomes.
    pub keys: Arc<[Dynamic]>,
    /// The number of the key of each outcome.
    pub of: Arc<Vec<u32>>,
}

/// Tables by dice, function and place of the roll.
pub(crate) type KeyTables = BTreeMap<(String, String, Place), KeyTable>;

/// The same for rolls of which a rule is told no more than it uses, by dice and place; none where it uses all.
pub(crate) type LazyTables = BTreeMap<(String, Place), Option<KeyTable>>;
