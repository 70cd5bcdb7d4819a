//! The tokens of scripts, for tools that read scripts while people write them.

pub use crate::host::tokens::{Sort, Token, tokens};
