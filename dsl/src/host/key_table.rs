//! Results of key functions for the outcomes of dice, kept across runs because they are the same each time.
//!
//! Only results that depend on the faces alone may be stored here; the caller ensures this.

use astragal_core::rule::SourceLocation;
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
pub(crate) type KeyTables = BTreeMap<(String, String, SourceLocation), KeyTable>;

/// The same for rolls where a rule sees only the differences that it uses, by dice and place; `None` if it uses all.
pub(crate) type LazyTables = BTreeMap<(String, SourceLocation), Option<KeyTable>>;
