//! The command line: one definition for the parser, the help, the completions and the manual.

mod choice;
mod dap;
mod fmt;
mod lab;
mod matches;
mod serve;
mod solve;
mod train;

pub(crate) use choice::Choice;
use choice::pair;
pub(crate) use dap::Dap;
pub(crate) use fmt::Fmt;
pub(crate) use lab::{Analyse, Compare, Corrected, Merge, Simulate};
use matches::longest;
pub(crate) use matches::{LONGEST, Match};
pub(crate) use serve::{Lsp, OpenStudio, Serve};
pub(crate) use solve::Solve;
pub(crate) use train::Train;

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use std::path::PathBuf;
use std::time::Duration;

use astragal_lab::opponent::parse_time;
use astragal_service::fair_dice::{Commitment, Part};
use astragal_service::variant_cache::DEFAULT_VARIANT;

/// A rules sandbox for board games with pieces and dice.
///
/// Without a command, it starts a game.
#[derive(Parser, Debug)]
#[command(name = "astragal", version, about, long_about = None, after_help = AFTER, arg_required_else_help = false, max_term_width = 80)]
pub struct Cli {
    /// Use colors in the output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
    /// Print the manual page or shell completions, and exit
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) generate: Option<Generate>,
    /// Write the manual pages of the program and its commands to DIR
    #[arg(long, value_name = "DIR", requires = "generate")]
    pub(crate) into: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) how: How,
    /// The command; default: play
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const AFTER: &str = "\
Examples:
  astragal                             play Dice Chess
  astragal play mygame.rhai --seed 7   play a script, with repeatable dice
  astragal odds                        show the chances of the first roll
  astragal check mygame.rhai           find mistakes in a script
  astragal test                        run the tests in this folder
  astragal replay game.pgn             verify a record

VARIANT is a name from 'astragal list' or the path of a script.

Exit codes: 0 done; 1 a check, record or command failed; 2 bad usage or input;
130 stopped, with the results so far.";

/// When to use colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    /// At a terminal, unless NO_COLOR is set or TERM is dumb
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What `--generate` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[allow(missing_docs)]
pub(crate) enum Generate {
    Man,
    CompleteBash,
    CompleteZsh,
    CompleteFish,
}

/// How to draw boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Board {
    /// Symbols, where the variant has them
    Unicode,
    /// Letters, as in FEN
    Letters,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Play at the prompt, or run commands from a pipe
    Play(Play),
    /// List the variants
    List(List),
    /// Create a variant of your own from another script
    New(New),
    /// Check scripts and report problems
    Check(Check),
    /// Format scripts
    Fmt(Fmt),
    /// Print the reference of script functions, or the definition file for editors
    Reference(Reference),
    /// Run the tests of scripts and compare with accepted results
    Test(Test),
    /// Accept or reject changed test results, one by one
    Review(Review),
    /// Print the rulebook of a script
    Rules(Rules),
    /// Verify a record event by event
    Replay(Replay),
    /// Verify that the rolls of a record come from its seed, and the seed from its parts
    Verify(Verify),
    /// Make a seed that no player can choose
    FairDice(FairDice),
    /// Draw a position as text or as a picture
    Board(BoardArgs),
    /// Show exact chances of a move or of the next roll
    Odds(Odds),
    /// Count or list the complete turns of a roll, or of all rolls
    Turns(Turns),
    /// Count move sequences without dice, or turns by the rules
    Perft(Perft),
    /// Play a match between two players and report the score with its confidence interval
    Match(Match),
    /// Play many games and report results, length, decisions, and rules that never applied
    Simulate(Simulate),
    /// Compare two scripts, or two values of an option, and test whether the results differ
    Compare(Compare),
    /// Analyze a game: the luck of every roll and the cost of every decision
    #[command(alias = "analyze")]
    Analyse(Analyse),
    /// Merge the parts of a simulation
    Merge(Merge),
    /// Solve a small game or an ending: the exact value of every position
    Solve(Solve),
    /// Train a player: it learns from games against itself
    Train(Train),
    /// Answer JSON-RPC 2.0 requests on standard input and output
    Serve(Serve),
    /// Open the studio in a browser, to play, write and test scripts
    Studio(OpenStudio),
    /// Run a language server for editors on standard input and output
    Lsp(Lsp),
    /// Run a debug adapter for editors on standard input and output
    Dap(Dap),
}

/// `play`.
#[derive(Args, Debug)]
pub(crate) struct Play {
    /// The game: a name from 'astragal list', or the path of a script
    #[arg(default_value = DEFAULT_VARIANT)]
    pub(crate) variant: String,
    /// Continue the last unfinished game, or a saved game by number or file, or a record
    #[arg(long, value_name = "GAME", num_args = 0..=1, conflicts_with_all = ["variant", "seed", "position", "set"])]
    pub(crate) resume: Option<Option<String>>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) how: How,
}

/// How to play.
#[derive(Args, Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct How {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The seed for the dice
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) drawn: Drawn,
    /// The folder for saved games; default: ASTRAGAL_STATE, or the user's state folder
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
    /// Do not save the game
    #[arg(long)]
    pub(crate) no_save: bool,
    /// Let the computer play a side: 3 for level 3 (of 8) as your opponent, black=3 for Black,
    /// 'black=cmd:python3 bot.py' for a program, black=learned for the trained player that comes
    /// with the game, or black=learned:FILE for one that 'train' has written (can be repeated)
    #[arg(long, value_name = "[SIDE=]LEVEL")]
    pub(crate) computer: Vec<String>,
    /// Use the exact values of a table that 'solve' has written (can be repeated)
    #[arg(long = "table", value_name = "FILE")]
    pub(crate) tables: Vec<PathBuf>,
    /// Limit the computer's decisions, and 'odds', to this time, such as 2s or 300ms
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
}

/// How positions are drawn.
#[derive(Args, Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Drawn {
    /// How to draw boards; default: symbols on UTF-8 terminals, otherwise letters
    #[arg(long, value_enum)]
    pub(crate) board: Option<Board>,
    /// Use ASCII only: letters for pieces, plain lines
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// `board`.
#[derive(Args, Debug)]
pub(crate) struct BoardArgs {
    /// The game: a name from 'astragal list', or the path of a script
    #[arg(default_value = DEFAULT_VARIANT)]
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) drawn: Drawn,
    /// Draw the board from the other side
    #[arg(long)]
    pub(crate) flip: bool,
    /// Write an SVG picture to FILE, or to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) svg: Option<PathBuf>,
}

/// `list`.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Also list the options of each variant
    #[arg(long)]
    pub(crate) options: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

/// `new`.
#[derive(Args, Debug)]
pub(crate) struct New {
    /// The name of the new variant; writes NAME.rhai
    pub(crate) name: String,
    /// The variant to copy
    #[arg(long, value_name = "VARIANT", default_value = DEFAULT_VARIANT)]
    pub(crate) from: String,
}

/// `check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Scripts, or names of built-in games
    #[arg(required_unless_present = "explain", value_name = "SCRIPT")]
    pub(crate) scripts: Vec<String>,
    /// Explain a code that messages show in brackets, such as syntax, with a wrong and a
    /// corrected script
    #[arg(long, value_name = "WORD", conflicts_with_all = ["scripts", "fix", "profile", "json"])]
    pub(crate) explain: Option<String>,
    /// Change the files to fix problems that have only one possible fix
    #[arg(long)]
    pub(crate) fix: bool,
    /// Set an option, and check with each value of the others (can be repeated)
    #[arg(long = "set", value_name = "K=V", value_parser = pair, conflicts_with_all = ["explain", "profile"])]
    pub(crate) set: Vec<(String, String)>,
    /// Play random games and report the cost of each rule
    #[arg(long)]
    pub(crate) profile: bool,
    /// Stop games after this many events, including rolls
    #[arg(long, value_name = "N", default_value_t = LONGEST, requires = "profile", value_parser = longest)]
    pub(crate) longest: usize,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

/// `reference`.
#[derive(Args, Debug)]
pub(crate) struct Reference {
    /// A function, such as 'pushes'; default: all functions
    #[arg(value_name = "FUNCTION", conflicts_with = "definitions")]
    pub(crate) function: Option<String>,
    /// Print definitions for Rhai's language server
    #[arg(long)]
    pub(crate) definitions: bool,
}

const TEST: &str = "\
A test is a file NAME.game near its script. Its accepted result is stored in
snapshots/NAME.snap. Lines of a test ('#' begins a comment):

  title: Two and three    headers: title, variant, options, position, seed
  variant: my-game.rhai
  options: doubles=any

  roll 2 3                rolls dice; 'roll' alone takes them from the seed
  moves                   prints: moves, state, board, history, outcome,
                          odds [MOVE]
  Nc3                     makes a move; 6:h1h5 names the die that pays
  refused Qh5             fails if this is legal: a move, 'choose TEXT',
                          'roll 2 3', 'pass'
  choose accept           chooses; also: pass, undo [N]
  check                   fails unless the game has the properties below

A result that differs is written to snapshots/NAME.snap.new, for 'astragal
review' or 'cargo insta review'.

'--random N' plays N random games and checks their properties: no rule fails,
positions and records can be read back, undo works, chances sum to one, cached
rules agree with the script, and symmetric() holds. If a game fails, the
shortest game that still fails is saved as a .game file. If no game ends, the
run fails.

Exit codes: 0 passed; 1 failed, changed or new; 2 bad usage or input;
130 stopped, with the results so far.";

/// `test`.
#[derive(Args, Debug)]
#[command(after_help = TEST)]
pub(crate) struct Test {
    /// .game files, folders or scripts; default: all tests in the current folder and its subfolders
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Accept all changed and new results, and remove snapshots whose .game file is gone
    #[arg(long, conflicts_with = "random")]
    pub(crate) accept: bool,
    /// Report lines that no test reaches
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Play N random games of each script instead
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) random: Option<u64>,
    /// The seed for random games
    #[arg(long, value_name = "N", default_value_t = 1, requires = "random")]
    pub(crate) seed: u64,
    /// Stop games after this many events, including rolls
    #[arg(long, value_name = "N", default_value_t = LONGEST, requires = "random", value_parser = longest)]
    pub(crate) longest: usize,
    /// Set an option for random games (can be repeated)
    #[arg(long = "set", value_name = "K=V", value_parser = pair, requires = "random")]
    pub(crate) set: Vec<(String, String)>,
}

/// `review`.
#[derive(Args, Debug)]
pub(crate) struct Review {
    /// .game files, folders or scripts; default: all tests in the current folder and its subfolders
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// `rules`.
#[derive(Args, Debug)]
pub(crate) struct Rules {
    /// A script, or the name of a built-in game
    pub(crate) script: String,
    /// Set an option of the variant (can be repeated)
    #[arg(long = "set", value_name = "K=V", value_parser = pair)]
    pub(crate) set: Vec<(String, String)>,
    /// Show where rules come from: rule numbers, script lines, names and positions
    #[arg(long)]
    pub(crate) sources: bool,
}

/// `replay`.
#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// The record, or - for standard input
    pub(crate) file: PathBuf,
    /// Use this variant or script instead of the one in the record
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
    /// Print one JSON object per game
    #[arg(long)]
    pub(crate) json: bool,
}

/// `verify`.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// The record, or - for standard input
    pub(crate) file: PathBuf,
    /// Use this variant or script instead of the one in the record
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
    /// A player's part of the seed, in turn order (can be repeated)
    #[arg(long = "part", value_name = "HEX", value_parser = part)]
    pub(crate) parts: Vec<Part>,
    /// A player's commitment, in the same order (can be repeated)
    #[arg(long = "commitment", value_name = "HEX", value_parser = commitment, requires = "parts")]
    pub(crate) commitments: Vec<Commitment>,
}

fn part(text: &str) -> Result<Part, String> {
    Part::parse(text).map_err(|error| error.to_string())
}

fn commitment(text: &str) -> Result<Commitment, String> {
    Commitment::parse(text).map_err(|error| error.to_string())
}

/// `fair-dice`.
#[derive(Args, Debug)]
pub(crate) struct FairDice {
    #[command(subcommand)]
    pub(crate) command: FairDiceCommand,
}

/// The commands of `fair-dice`.
#[derive(Subcommand, Debug)]
pub(crate) enum FairDiceCommand {
    /// Make your secret part of a seed, and print it with a commitment to send to the others
    Commit,
    /// Print the seed that is made from these parts, and their commitments
    Seed {
        /// The parts, in turn order
        #[arg(required = true, num_args = 2.., value_name = "PART", value_parser = part)]
        parts: Vec<Part>,
    },
}

/// `odds`.
#[derive(Args, Debug)]
pub(crate) struct Odds {
    /// The game: a name from 'astragal list', or the path of a script
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The roll of this turn, such as 2,3, or the square drawn at random, such as e4
    #[arg(long, value_name = "FACES", allow_hyphen_values = true)]
    pub(crate) roll: Option<String>,
    /// One or more moves, choices, faces of dice or randomly drawn squares, in order, such
    /// as "d1a4 assist"
    #[arg(long = "move", value_name = "MOVE", allow_hyphen_values = true)]
    pub(crate) mv: Option<String>,
    /// The die that pays for the move
    #[arg(long, value_name = "FACES", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) die: Vec<i16>,
    /// Stop after this time, such as 2s; after half of it, estimate the odds that are not yet exact
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
    /// Use the exact values of a table that 'solve' has written (can be repeated)
    #[arg(long = "table", value_name = "FILE")]
    pub(crate) tables: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const TURNS: &str = "\
A complete turn is a sequence of moves and choices until the turn ends. If dice
are rolled within it, each outcome counts separately. Without --roll, every roll
is counted, one per line. 'placements' is the number of distinct final boards.
'perft --turns' counts several turns, with their rolls.

--list prints the turns themselves, one per line, each with the position it
leads to.";

/// `turns`.
#[derive(Args, Debug)]
#[command(after_help = TURNS)]
pub(crate) struct Turns {
    /// The game: a name from 'astragal list', or the path of a script
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The roll of this turn, such as 2,3, or the square drawn at random, such as e4
    #[arg(long, value_name = "FACES", allow_hyphen_values = true)]
    pub(crate) roll: Option<String>,
    /// List the turns instead of counting them
    #[arg(long)]
    pub(crate) list: bool,
    /// List at most this many turns
    #[arg(long, value_name = "N", default_value_t = 100, requires = "list")]
    pub(crate) limit: usize,
    /// List only the first turn that leads to each position
    #[arg(long, requires = "list")]
    pub(crate) distinct: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const PERFT: &str = "\
Without --turns, the sides move alternately and turn() is ignored: this tests
how pieces move. With --turns, the rules apply: every roll is counted with every
permitted move, choice and pass. Rolls that differ only in order (1,2 and 2,1)
count separately; a lost turn counts as one sequence.";

/// `perft`.
#[derive(Args, Debug)]
#[command(after_help = PERFT)]
pub(crate) struct Perft {
    /// The game: a name from 'astragal list', or the path of a script
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The number of moves or turns
    #[arg(long, value_name = "N")]
    pub(crate) depth: u32,
    /// Count complete turns by the rules, for every outcome of every roll
    #[arg(long)]
    pub(crate) turns: bool,
    /// Print the count of each first move or roll
    #[arg(long)]
    pub(crate) divide: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
