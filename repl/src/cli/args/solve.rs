//! The arguments of `solve`.

use super::choice::Choice;
use clap::{Args, value_parser};
use std::path::PathBuf;

const SOLVE: &str = "\
Finds every state that can be reached from a position (--position), or from all
placements of some pieces (--material), and computes a lower and an upper bound
for the value of each state. The bounds are valid from the start, and each pass
tightens them until they differ by at most --epsilon. An endless game counts as
a draw. Values ignore repetitions and quiet moves before a state.

--into writes all values to a table. Other commands, such as 'odds' and 'play',
read it with --table FILE.

Examples:
  astragal solve dicechess-3 --material KRvK --into krvk.table
  astragal solve dice-chess --position '4k3/8/8/8/8/8/8/R3K3 w - - 0 1'
  astragal solve dicechess-3 --table krvk.table --map d5 \\
    --position '8/8/8/3k4/8/8/8/K1R5 b'
  astragal solve dicechess-3 --verify krvk.table

Exit codes: 0 done; 1 a table is wrong; 2 bad usage or input;
130 stopped, with the bounds so far.";

/// `solve`.
#[derive(Args, Debug)]
#[command(after_help = SOLVE)]
pub(crate) struct Solve {
    /// The game: a name from 'astragal list', or the path of a script
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// Solve all placements of these pieces, such as KRvK
    #[arg(long, value_name = "PIECES", conflicts_with = "position")]
    pub(crate) material: Option<String>,
    /// Compute the value as an exact fraction; a game that is unfinished after N turns
    /// counts as a draw
    #[arg(long, value_name = "N", conflicts_with_all = ["material", "into", "epsilon"])]
    pub(crate) turns: Option<u32>,
    /// Write the values to FILE; if FILE is already a table, continue from its values
    #[arg(long, value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
    /// Look up the position in a table instead of solving it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["material", "turns", "into", "epsilon"])]
    pub(crate) table: Option<PathBuf>,
    /// With --table: move the piece on SQUARE to every other square and show each value
    #[arg(long, value_name = "SQUARE", requires = "table")]
    pub(crate) map: Option<String>,
    /// With --map: draw the values as a colored board in FILE (SVG)
    #[arg(long, value_name = "FILE", requires = "map")]
    pub(crate) svg: Option<PathBuf>,
    /// Check that every value in a table follows from the values after the next turn
    #[arg(long, value_name = "FILE", conflicts_with_all = ["material", "position", "turns", "into", "epsilon", "table"])]
    pub(crate) verify: Option<PathBuf>,
    /// Stop when the bounds of every state differ by at most E points
    #[arg(long, value_name = "E", default_value_t = 1e-6, value_parser = epsilon)]
    pub(crate) epsilon: f64,
    /// Stop the search after finding this many states
    #[arg(long, value_name = "N", default_value_t = 50_000_000, value_parser = value_parser!(u64).range(1..=2_000_000_000))]
    pub(crate) states: u64,
    /// Stop the search when its states use this many megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub(crate) memory: u64,
    /// The number of threads; default: the number of processors
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses the distance of two bounds.
fn epsilon(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(epsilon) if epsilon > 0.0 && epsilon < 1.0 => Ok(epsilon),
        _ => Err("expected a number between 0 and 1, such as 1e-6".into()),
    }
}
