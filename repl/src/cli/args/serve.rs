//! The arguments of the commands that serve other programs: `serve`, `studio` and `lsp`.

use astragal_lab::opponent::parse_time;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// `lsp`.
#[derive(Args, Debug)]
pub(crate) struct Lsp {
    /// Use standard input and output (always the case; some editors pass this flag)
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}

/// `serve`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// Stop a request after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub(crate) time: Duration,
    /// Let requests open scripts, such as 'my-game.rhai', in this folder and its subfolders
    #[arg(long, value_name = "DIR")]
    pub(crate) scripts: Option<PathBuf>,
    /// Use the exact values of a table that 'solve' has written (can be repeated)
    #[arg(long = "table", value_name = "FILE")]
    pub(crate) tables: Vec<PathBuf>,
    /// Offer the player that 'train' has written to FILE (can be repeated)
    #[arg(long = "learned", value_name = "FILE")]
    pub(crate) players: Vec<PathBuf>,
}

/// `studio`.
#[derive(Args, Debug)]
pub(crate) struct OpenStudio {
    /// A folder, or a script in it; the studio reads and writes only the scripts in the folder and their tests, not
    /// those in subfolders
    #[arg(value_name = "SCRIPT|FOLDER", default_value = ".")]
    pub(crate) what: PathBuf,
    /// The port; 0 takes any free port [default: 7243, or any free port if that is taken]
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Print the URL without starting a browser
    #[arg(long)]
    pub(crate) no_browser: bool,
}
