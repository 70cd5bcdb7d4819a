//! The arguments of `train`.

use super::choice::Choice;
use clap::{Args, value_parser};
use std::path::PathBuf;
use std::time::Duration;

const TRAIN: &str = "\
The computer plays against itself and learns to evaluate positions. FILE then
works as a player: 'learned:FILE', or 'learned:FILE:2' to look two turns ahead.

The same seed and number of games give the same file, with any number of
threads. Ctrl-C ends the training and keeps what has been learned so far.

Examples:
  astragal train backgammon --time 10m --into bg.learned
  astragal train backgammon --time 1h --into bg.learned --resume
  astragal match learned:bg.learned greedy backgammon -n 200
  astragal play backgammon --computer second=learned:bg.learned

Exit codes: 0 done; 2 bad usage or input; 130 stopped, with FILE written.";

/// `train`.
#[derive(Args, Debug)]
#[command(after_help = TRAIN)]
pub(crate) struct Train {
    /// The game: a name from 'astragal list', or the path of a script
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// Write the trained player to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) into: PathBuf,
    /// Continue training the player in FILE
    #[arg(long)]
    pub(crate) resume: bool,
    /// Stop after this time, such as 90s, 10m or 1h; default without --games: 10m
    #[arg(long, value_name = "TIME", value_parser = length)]
    pub(crate) time: Option<Duration>,
    /// Stop after this many games, including those that FILE was already trained on
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u64>,
    /// The number of threads; default: the number of processors
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// The seed for the games and the initial weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of hidden units of the network
    #[arg(long, value_name = "N", default_value_t = 80, conflicts_with = "resume", value_parser = value_parser!(u32).range(1..=4096))]
    pub(crate) hidden: u32,
    /// How far results reach back in a game, from 0 (one turn) to 1 (the whole game)
    #[arg(long, value_name = "L", default_value_t = 0.7)]
    pub(crate) lambda: f32,
    /// The initial learning rate
    #[arg(long, value_name = "R", default_value_t = 2.0)]
    pub(crate) rate: f32,
    /// The chance of a random decision, so that games differ
    #[arg(long, value_name = "P", default_value_t = 0.02)]
    pub(crate) explore: f32,
    /// Begin each game with up to N random decisions, so that games without early dice differ
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) opening: u32,
    /// Count a game as a draw after this many turns
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u32).range(1..=100_000))]
    pub(crate) turns: u32,
    /// Write a file half the size, with 8 bits per weight; not suitable for further training
    #[arg(long)]
    pub(crate) small: bool,
    /// At intervals, play this many games to measure the progress; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) probe: u64,
    /// The opponent in the games of --probe: random, greedy, computer:LEVEL, learned or learned:FILE
    #[arg(long, value_name = "PLAYER", default_value = "greedy")]
    pub(crate) against: String,
    /// Append the progress to FILE, one line of JSON per measurement
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Draw the progress to FILE as an SVG picture; with --resume, also use --log to include the
    /// earlier progress
    #[arg(long, value_name = "FILE")]
    pub(crate) curve: Option<PathBuf>,
}

/// Parses a time such as `90s`, `10m` or `1h`; a bare number means seconds.
fn length(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected a time such as 90s, 10m or 1h, found '{text}'");
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let scale = match unit {
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let seconds = number.trim().parse::<f64>().map_err(|_| wrong())? * scale;
    if seconds > 0.0 && seconds <= 1e7 { Ok(Duration::from_secs_f64(seconds)) } else { Err(wrong()) }
}
