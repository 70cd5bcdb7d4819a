//! The arguments that choose a variant's options and position.

use clap::Args;

/// A variant with its options.
#[derive(Args, Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Choice {
    /// Set an option of the variant (can be repeated)
    #[arg(long = "set", value_name = "K=V", value_parser = pair)]
    pub(crate) set: Vec<(String, String)>,
    /// Use this position instead of the starting position
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
}

/// An option and its value, as in `doubles=any`.
pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.trim().into())),
        _ => Err("expected name=value".into()),
    }
}
