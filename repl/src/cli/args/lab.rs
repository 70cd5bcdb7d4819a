//! The arguments of the lab's commands: `simulate`, `compare`, `analyse` and `merge`.

use super::{Choice, DEFAULT_VARIANT};
use astragal_lab::analyse::{LEVELS, USUAL_LEVEL};
use clap::{Args, ValueEnum, value_parser};
use std::path::PathBuf;

/// How games are played, whoever counts them.
#[derive(Args, Debug)]
pub(crate) struct Played {
    /// The players: one for all seats or one for each of them, as random, greedy or computer:LEVEL (1 to 8)
    #[arg(long, value_name = "PLAYER", value_delimiter = ',', default_value = "random")]
    pub(crate) players: Vec<String>,
    /// The seed of dice and players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games played at the same time; as many as there are processors without it
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// A game of more moves is broken off
    #[arg(long, value_name = "N", default_value_t = astragal_lab::MOST_PLIES, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) max_plies: u32,
}

const SIMULATE: &str = "\
Game number i depends on the variant, its options, the players, the seed and i alone: the report is the same to the byte
whatever the number of threads. Ctrl-C ends it with the report of what is done.

Many machines: 'simulate VARIANT --games 0..50000 --part DIR' plays some of the games and writes them into DIR; played
again, it finds them there. 'astragal merge DIR...' makes the report of one run of all.

Examples:
  astragal simulate mygame.rhai -n 10000
  astragal simulate mygame.rhai --set tie=reroll --players computer:2,random -n 200
  astragal simulate mygame.rhai -n 1000 --json
  astragal simulate mygame.rhai -n 1000 --csv - 2> report.txt | gzip > games.csv.gz

Exit codes: 0 done, 2 bad usage or input, 130 stopped, with the report of the games that were over by then.";

/// `simulate`.
#[derive(Args, Debug)]
#[command(after_help = SIMULATE)]
pub(crate) struct Simulate {
    /// The variant
    #[arg(default_value = DEFAULT_VARIANT)]
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The number of games
    #[arg(short = 'n', long = "number", value_name = "GAMES", default_value_t = 1000, value_parser = value_parser!(u64).range(1..))]
    pub(crate) number: u64,
    /// Games from this one to the one before that one, numbered from 0
    #[arg(long, value_name = "A..B", conflicts_with = "number", value_parser = games)]
    pub(crate) games: Option<std::ops::Range<u64>>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) played: Played,
    /// The report as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Tell luck from skill, as is always done where a computer plays: takes many times as long
    #[arg(long)]
    pub(crate) luck: bool,
    /// Count in how many games each line of the script is run, and how its questions are answered: takes many times as long
    #[arg(long)]
    pub(crate) lines: bool,
    /// Instead, play random, greedy, computer:1 and so on to this level, each against the one before
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["luck", "lines", "players", "games", "csv", "jsonl", "html", "part"], value_parser = value_parser!(u8).range(1..=8))]
    pub(crate) ladder: Option<u8>,
    /// A line for each game into FILE, as comma-separated values; - for standard output, the report goes to standard error
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// A JSON object for each game into FILE; - for standard output, as with --csv
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Option<PathBuf>,
    /// The report as a page with pictures into FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write what the games come to into DIR, for 'astragal merge'
    #[arg(long, value_name = "DIR", conflicts_with_all = ["csv", "jsonl", "json", "html"])]
    pub(crate) part: Option<PathBuf>,
}

const COMPARE: &str = "\
Two scripts, or one of them with other options. An option that is set twice makes two settings; --each tries all values of
an option, one after another, against the values in force ('--each all': every option). Game number i has the same seed in
all of them, so the same dice as long as the same is rolled. It ends as soon as it is clear whether the first player's score
differs by as much as --detect, or not.

Many figures are looked at, and some differ by chance: p-values are corrected for that (Holm, or --correction
benjamini-hochberg), and only what is left counts as a difference.

Examples:
  astragal compare mygame.rhai myothergame.rhai
  astragal compare mygame.rhai --set tie=standoff --set tie=reroll
  astragal compare mygame.rhai --each tie -n 2000

Exit codes: 0 done, 2 bad usage or input, 130 stopped, with what was found by then.";

/// `compare`.
#[derive(Args, Debug)]
#[command(after_help = COMPARE)]
pub(crate) struct Compare {
    /// The variant
    pub(crate) variant: String,
    /// Another one
    pub(crate) other: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// Try all values of this option (may be repeated; 'all': of every option)
    #[arg(long, value_name = "OPTION", conflicts_with = "other")]
    pub(crate) each: Vec<String>,
    /// The most games of each
    #[arg(short = 'n', long = "number", value_name = "GAMES", default_value_t = 10_000, value_parser = value_parser!(u64).range(2..))]
    pub(crate) number: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) played: Played,
    /// The difference of the first player's scores that is worth knowing, in points of a hundred
    #[arg(long, value_name = "POINTS", default_value = "2", value_parser = points)]
    pub(crate) detect: f64,
    /// Play all games, however clear the answer is
    #[arg(long)]
    pub(crate) all: bool,
    /// How p-values are corrected
    #[arg(long, value_enum, default_value_t = Corrected::Holm)]
    pub(crate) correction: Corrected,
    /// JSON Lines: a line for each comparison, a JSON object of its own
    #[arg(long)]
    pub(crate) json: bool,
}

/// How p-values are corrected for how many figures are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Corrected {
    /// Of all that is called a difference, likely nothing is none
    Holm,
    /// Of all that is called a difference, at most 5 % on average is none
    BenjaminiHochberg,
}

/// Points of a hundred, as a share.
fn points(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(points) if points > 0.0 && points <= 100.0 => Ok(points / 100.0),
        _ => Err("expected points from 0 to 100, as 2 or 0.5".into()),
    }
}

/// `analyse`.
#[derive(Args, Debug)]
pub(crate) struct Analyse {
    /// The record; - for standard input
    pub(crate) file: PathBuf,
    /// Look at it by this variant or script, whatever the record names
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
    /// Draw the curve of the first game's winning chance into FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// How many turns are looked ahead: 1 for the turn alone, 2 for the reply, 3 for the turn after that
    #[arg(long, value_name = "N", default_value_t = USUAL_LEVEL, value_parser = value_parser!(u8).range(i64::from(*LEVELS.start())..=i64::from(*LEVELS.end())))]
    pub(crate) level: u8,
    /// Nothing but ASCII
    #[arg(long)]
    pub(crate) ascii: bool,
    /// A JSON object for each game
    #[arg(long)]
    pub(crate) json: bool,
}

/// `merge`.
#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// The folders with the parts
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
    /// The report as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The report as a page with pictures into FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// Games as `0..50000`.
fn games(text: &str) -> Result<std::ops::Range<u64>, String> {
    let range = text.split_once("..").and_then(|(from, to)| Some(from.trim().parse().ok()?..to.trim().parse().ok()?));
    match range {
        Some(range) if range.start < range.end => Ok(range),
        _ => Err("expected games as 0..50000, the last one not included".into()),
    }
}
