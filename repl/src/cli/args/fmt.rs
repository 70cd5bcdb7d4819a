//! The arguments of `fmt`.

use clap::Args;
use std::path::PathBuf;

const FMT: &str = "\
Formatting keeps your line breaks, single blank lines, comments and aligned
columns. It sets the indentation (4 spaces per level) and the spaces around
operators, commas and brackets, and removes trailing spaces and extra blank
lines. It never changes the rules of the game.

If a bracket, string or comment is not closed, or a character is invalid, the
error is reported and the script stays as it is.

Exit codes: 0 done; 1 a script cannot be formatted, or --check found one to
format; 2 bad usage, or a file cannot be read or written.";

/// `fmt`.
#[derive(Args, Debug)]
#[command(after_help = FMT)]
pub(crate) struct Fmt {
    /// Scripts, folders, or - for standard input; default: all scripts in the current folder and its subfolders
    #[arg(value_name = "FILE|FOLDER|-")]
    pub(crate) paths: Vec<PathBuf>,
    /// List the scripts that would change, without changing them
    #[arg(long)]
    pub(crate) check: bool,
    /// Print the changes as a unified diff, without making them
    #[arg(long)]
    pub(crate) diff: bool,
}
