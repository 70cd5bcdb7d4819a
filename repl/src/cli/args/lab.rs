//! The arguments of the lab's commands: `simulate`, `compare`, `analyse` and `merge`.

use super::choice::Choice;
use astragal_lab::analyse::{LEVELS, USUAL_LEVEL};
use astragal_service::variant_cache::DEFAULT_VARIANT;
use clap::{Args, ValueEnum, value_parser};
use std::path::PathBuf;

/// How to play games, for all commands that count them.
#[derive(Args, Debug)]
pub(crate) struct Played {
    /// The players, one for all sides or one per side: random, greedy, computer:LEVEL (1 to 8),
    /// learned for the trained player that comes with the game, or learned:FILE for one that
    /// 'train' has written
    #[arg(long, value_name = "PLAYER", value_delimiter = ',', default_value = "random")]
    pub(crate) players: Vec<String>,
    /// The seed for the dice and players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of threads; default: the number of processors
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Stop games after this many moves
    #[arg(long, value_name = "N", default_value_t = astragal_lab::MOST_PLIES, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) max_plies: u32,
}

const SIMULATE: &str = "\
Game number i depends only on the variant, its options, the players, the seed
and i. The report is the same for any number of threads. Ctrl-C stops, with a
report of the games so far.

To share the work among machines, run 'simulate VARIANT --games 0..50000
--part DIR' on each of them, with a different range. 'astragal merge DIR...'
combines the results into one report.

Examples:
  astragal simulate mygame.rhai -n 10000
  astragal simulate mygame.rhai --set tie=reroll --players computer:2 -n 200
  astragal simulate mygame.rhai -n 1000 --json
  astragal simulate mygame.rhai -n 1000 --csv - 2> report.txt > games.csv

Exit codes: 0 done; 2 bad usage or input; 130 stopped, with the results so far.";

/// `simulate`.
#[derive(Args, Debug)]
#[command(after_help = SIMULATE)]
pub(crate) struct Simulate {
    /// The game: a name from 'astragal list', or the path of a script
    #[arg(default_value = DEFAULT_VARIANT)]
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The number of games
    #[arg(short = 'n', long = "number", value_name = "GAMES", default_value_t = 1000, value_parser = value_parser!(u64).range(1..))]
    pub(crate) number: u64,
    /// Play only games A to B - 1, numbered from 0
    #[arg(long, value_name = "A..B", conflicts_with = "number", value_parser = games)]
    pub(crate) games: Option<std::ops::Range<u64>>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) played: Played,
    /// Use the exact values of a table that 'solve' has written (can be repeated)
    #[arg(long = "table", value_name = "FILE", conflicts_with_all = ["part", "ladder"])]
    pub(crate) tables: Vec<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Separate luck from skill; much slower (always on if a player is computer:LEVEL)
    #[arg(long)]
    pub(crate) luck: bool,
    /// For each line of the script, count the games that run it and how often each
    /// question in it, such as has(), gets each answer; much slower
    #[arg(long)]
    pub(crate) lines: bool,
    /// Play a ladder of matches instead: random, greedy, then computer:1 to computer:LEVEL,
    /// each against the one before
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["luck", "lines", "players", "games", "csv", "jsonl", "html", "part"], value_parser = value_parser!(u8).range(1..=8))]
    pub(crate) ladder: Option<u8>,
    /// Write one CSV line per game to FILE; with -, to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write one JSON object per game to FILE; with -, to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Option<PathBuf>,
    /// Write the report as an HTML page to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the results to DIR, for 'astragal merge'
    #[arg(long, value_name = "DIR", conflicts_with_all = ["csv", "jsonl", "json", "html"])]
    pub(crate) part: Option<PathBuf>,
}

const COMPARE: &str = "\
Compares two scripts, or two settings of one. Set an option twice to compare its
values, or use --each to try all values of an option ('--each all': of every
option). Game number i uses the same seed in all of them. The comparison stops
when its test decides between no difference and a difference of --detect in the
first player's score.

P-values are corrected for multiple comparisons (Holm, or --correction
benjamini-hochberg).

Examples:
  astragal compare mygame.rhai myothergame.rhai
  astragal compare mygame.rhai --set tie=standoff --set tie=reroll
  astragal compare mygame.rhai --each tie -n 2000

Exit codes: 0 done; 2 bad usage or input; 130 stopped, with the results so far.";

/// `compare`.
#[derive(Args, Debug)]
#[command(after_help = COMPARE)]
pub(crate) struct Compare {
    /// The game: a name from 'astragal list', or the path of a script
    pub(crate) variant: String,
    /// Another game to compare it with
    pub(crate) other: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// Try all values of this option, or of 'all' options (can be repeated)
    #[arg(long, value_name = "OPTION", conflicts_with = "other")]
    pub(crate) each: Vec<String>,
    /// Play at most this many games of each script or setting
    #[arg(short = 'n', long = "number", value_name = "GAMES", default_value_t = 10_000, value_parser = value_parser!(u64).range(2..))]
    pub(crate) number: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) played: Played,
    /// The difference to detect in the first player's score, in percentage points
    #[arg(long, value_name = "POINTS", default_value = "2", value_parser = points)]
    pub(crate) detect: f64,
    /// Play all games, even after the answer is clear
    #[arg(long)]
    pub(crate) all: bool,
    /// How to correct p-values
    #[arg(long, value_enum, default_value_t = Corrected::Holm)]
    pub(crate) correction: Corrected,
    /// Print one JSON object per comparison
    #[arg(long)]
    pub(crate) json: bool,
}

/// How p-values are corrected for multiple comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Corrected {
    /// Limits the chance of any false difference to 5%
    Holm,
    /// Limits the share of false differences to 5% on average
    BenjaminiHochberg,
}

/// Parses percentage points as a fraction.
fn points(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(points) if points > 0.0 && points <= 100.0 => Ok(points / 100.0),
        _ => Err("expected points above 0 and up to 100, such as 2 or 0.5".into()),
    }
}

/// `analyse`.
#[derive(Args, Debug)]
pub(crate) struct Analyse {
    /// The record, or - for standard input
    pub(crate) file: PathBuf,
    /// Use this variant or script instead of the one in the record
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
    /// Draw the first game's winning chances as a curve in FILE (SVG)
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// How far to look ahead: 1 to the end of the turn, 2 to the end of the reply, 3 to the end of the turn after it
    #[arg(long, value_name = "N", default_value_t = USUAL_LEVEL, value_parser = value_parser!(u8).range(i64::from(*LEVELS.start())..=i64::from(*LEVELS.end())))]
    pub(crate) level: u8,
    /// Use the exact values of a table that 'solve' has written (can be repeated)
    #[arg(long = "table", value_name = "FILE")]
    pub(crate) tables: Vec<PathBuf>,
    /// Evaluate positions with the player that 'train' has written to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) learned: Option<PathBuf>,
    /// Use ASCII only
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Print one JSON object per game
    #[arg(long)]
    pub(crate) json: bool,
}

/// `merge`.
#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// The folders with the parts
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the report as an HTML page to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// Parses a range of games such as `0..50000`.
fn games(text: &str) -> Result<std::ops::Range<u64>, String> {
    let range = text.split_once("..").and_then(|(from, to)| Some(from.trim().parse().ok()?..to.trim().parse().ok()?));
    match range {
        Some(range) if range.start < range.end => Ok(range),
        _ => Err("expected a range of games such as 0..50000, which excludes game 50000".into()),
    }
}
