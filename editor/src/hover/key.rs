//! A key of a map.

use super::{function, name};
use crate::script::Script;

/// Describes a key of a map: an option of a call, or a name.
pub(super) fn about(script: &Script, token: usize) -> Option<String> {
    match script.uses().iter().find(|one| one.token == token) {
        Some(used) => name::about(script, used),
        None => function::option(script, token),
    }
}
