//! The arguments of `match`.

use super::choice::Choice;
use astragal_service::variant_cache::DEFAULT_VARIANT;
use clap::Args;
use std::path::PathBuf;

/// The default limit on the events of a game, rolls included.
pub(crate) const LONGEST: usize = 2000;

const MATCH: &str = "\
The trained player that comes with a game is called learned, and a player that
'train' has written is called learned:FILE. learned:2 and learned:FILE:2 look
two turns ahead.

To let a program play, write 'cmd:' and its command. The program reads JSON
requests from standard input and answers on standard output: see
docs/players.md. A program that makes an illegal move, answers too late, or
exits loses the game.

If programs are deterministic, the seed, players and openings determine every
game. --records FILE saves games as they end. After an interruption, the same
command with --resume plays the remaining games.

Examples:
  astragal match computer:4 greedy dice-chess -n 100
  astragal match learned:bg.learned computer:3 backgammon
  astragal match 'cmd:python3 bot.py' random dice-chess --time 2s
  astragal match computer:3 computer:2 mygame.rhai --records games.pgn
  astragal match computer:3 computer:2 mygame.rhai --records games.pgn --resume

Exit codes: 0 done; 2 bad usage or input; 130 stopped, with the results so far.";

/// `match`.
#[derive(Args, Debug)]
#[command(after_help = MATCH)]
pub(crate) struct Match {
    /// The first player: random, greedy, computer:LEVEL (1 to 8), learned,
    /// learned:FILE, or 'cmd:python3 bot.py'
    pub(crate) first: String,
    /// The second player
    pub(crate) second: String,
    /// The game: a name from 'astragal list', or the path of a script
    #[arg(default_value = DEFAULT_VARIANT)]
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// Use the exact values of a table that 'solve' has written (can be repeated)
    #[arg(long = "table", value_name = "FILE")]
    pub(crate) tables: Vec<PathBuf>,
    /// The number of games; each pair of games has the same dice, with sides exchanged
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub(crate) games: u64,
    /// The seed for the dice and players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of threads; default: the number of processors
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Stop games after this many events, including rolls
    #[arg(long, value_name = "N", default_value_t = LONGEST)]
    pub(crate) longest: usize,
    /// The time limit per decision, such as 2s; default: 60s for programs, none for
    /// computers (their level limits the search)
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
    /// Start from the positions in FILE, one per line, or from the final positions of the
    /// games in a record; each is played twice, with sides exchanged
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) openings: Option<PathBuf>,
    /// Write the games to FILE (PGN)
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,
    /// Continue the match in the file of --records
    #[arg(long, requires = "records")]
    pub(crate) resume: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses the limit on the events of a game.
pub(super) fn longest(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("expected at least one event".into()),
        Ok(events) => Ok(events),
        Err(_) => Err("expected a number of events".into()),
    }
}
