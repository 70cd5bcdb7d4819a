//! The command line: one definition that feeds the parser, the help, the completions and the manual.

mod lab;

pub(crate) use lab::{Analyse, Compare, Corrected, Merge, Simulate};

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use std::path::PathBuf;
use std::time::Duration;

use astragal_lab::opponent::parse_time;
use astragal_service::fair_dice::{Commitment, Part};
use astragal_service::variant_cache::DEFAULT_VARIANT;

/// A rules sandbox for board games of pieces and dice.
///
/// Without a command it plays.
#[derive(Parser, Debug)]
#[command(name = "astragal", version, about, long_about = None, after_help = AFTER, arg_required_else_help = false)]
pub struct Cli {
    /// Colours in the output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
    /// Write the manual page or completions for a shell, and stop
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) generate: Option<Generate>,
    /// Write the manual page of the program, and one of each command, into files in DIR
    #[arg(long, value_name = "DIR", requires = "generate")]
    pub(crate) into: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) how: How,
    /// What to do; `play` without it
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const AFTER: &str = "\
Examples:
  astragal                                 play the usual game
  astragal play mygame.rhai --seed 7       play a script, with dice that can be had again
  astragal odds                            the chances of the first roll
  astragal check mygame.rhai               what is wrong with a script
  astragal test                            play the tests of the scripts here
  astragal replay game.pgn                 verify a record

Exit codes: 0 done, 1 the answer is no (check failed, record refused, line refused), 2 bad usage or input,
130 stopped (what was found by then is told).
VARIANT is a name from 'astragal list' or a path to a script.";

/// When to use colours.
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

/// How boards are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Board {
    /// Pictures where the variant has them
    Unicode,
    /// The letters of position texts
    Letters,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Play at the prompt (or from a pipe, a command a line)
    Play(Play),
    /// List the variants, a line each
    List(List),
    /// Start a variant of your own from another one's script
    New(New),
    /// Say all that is wrong with scripts
    Check(Check),
    /// Print the reference of the script functions, or the definition file for editors
    Reference(Reference),
    /// Play the .game files of scripts and compare with what was accepted before
    Test(Test),
    /// Accept or reject what 'test' found changed, one by one
    Review(Review),
    /// Print the rulebook of a script
    Rules(Rules),
    /// Verify a record, event by event
    Replay(Replay),
    /// Compare the rolls of a record with its seed, and the seed with the parts that its players gave
    Verify(Verify),
    /// Draw a seed that no player could choose
    FairDice(FairDice),
    /// Draw a position, as text or as a picture
    Board(BoardArgs),
    /// Exact chances of a move or of the next roll
    Odds(Odds),
    /// Count the complete turns of a roll, or of all rolls
    Turns(Turns),
    /// Count sequences of moves, dice aside, or of turns by the rules
    Perft(Perft),
    /// Let players play each other and say what the results prove
    Match(Match),
    /// Play many games and say what kind of game it is: results, length, decisions, what never happens
    Simulate(Simulate),
    /// Say what another script or option changes, and whether that is more than noise
    Compare(Compare),
    /// Say where a game was won and lost: the luck of each roll, the error of each decision
    Analyse(Analyse),
    /// Put the parts of a simulation together
    Merge(Merge),
    /// Answer JSON-RPC 2.0 requests, one a line, on standard input and output
    Serve(Serve),
    /// Open the studio in a browser: play, write and try scripts of a folder
    Studio(OpenStudio),
}

/// `serve`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// The longest that a request may take
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub(crate) time: Duration,
    /// Also open scripts in this folder and below it, named as 'my-game.rhai'; without it none but those that come
    /// with the program
    #[arg(long, value_name = "DIR")]
    pub(crate) scripts: Option<PathBuf>,
}

/// `studio`.
#[derive(Args, Debug)]
pub(crate) struct OpenStudio {
    /// A script, or the folder whose scripts the page may read and write; only those that lie directly in it
    #[arg(value_name = "SCRIPT|FOLDER", default_value = ".")]
    pub(crate) what: PathBuf,
    /// The port on this machine; 0 takes any that is free
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the address, and start no browser
    #[arg(long)]
    pub(crate) no_browser: bool,
}

/// A variant with its options.
#[derive(Args, Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Choice {
    /// Set an option of the variant (may be repeated)
    #[arg(long = "set", value_name = "K=V", value_parser = pair)]
    pub(crate) set: Vec<(String, String)>,
    /// Begin from this position
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
}

/// `play`.
#[derive(Args, Debug)]
pub(crate) struct Play {
    /// What to play
    #[arg(default_value = DEFAULT_VARIANT)]
    pub(crate) variant: String,
    /// Go on with a saved game: the last unfinished one, or the one with this number or file; or with the game of a record
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
    /// The seed of the dice
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) drawn: Drawn,
    /// Where games are saved while they are played; else ASTRAGAL_STATE, else the user's state directory
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
    /// Do not save the game while it is played
    #[arg(long)]
    pub(crate) no_save: bool,
    /// Let the computer play a side, at a level from 1 to 8, as black=3 (may be repeated), or a program, as
    /// 'black=cmd:python3 bot.py'; 3 alone: the other side
    #[arg(long, value_name = "[SIDE=]LEVEL")]
    pub(crate) computer: Vec<String>,
    /// The computer's time for each decision, as 2s or 300ms, instead of its level's; 'odds' takes no longer, either
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
}

/// How positions are drawn.
#[derive(Args, Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Drawn {
    /// How boards are drawn; pictures at UTF-8 terminals, else letters
    #[arg(long, value_enum)]
    pub(crate) board: Option<Board>,
    /// Nothing but ASCII: letters for pieces, plain lines
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// `board`.
#[derive(Args, Debug)]
pub(crate) struct BoardArgs {
    /// The variant
    #[arg(default_value = DEFAULT_VARIANT)]
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) drawn: Drawn,
    /// Draw it from the other side
    #[arg(long)]
    pub(crate) flip: bool,
    /// Draw a picture into FILE, or to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) svg: Option<PathBuf>,
}

/// `list`.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Also the options of each, as --set takes them
    #[arg(long)]
    pub(crate) options: bool,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// `new`.
#[derive(Args, Debug)]
pub(crate) struct New {
    /// The new variant's name: the script becomes NAME.rhai
    pub(crate) name: String,
    /// The variant to begin with
    #[arg(long, value_name = "VARIANT", default_value = DEFAULT_VARIANT)]
    pub(crate) from: String,
}

/// `check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Scripts or variants
    #[arg(required_unless_present = "explain", value_name = "SCRIPT")]
    pub(crate) scripts: Vec<String>,
    /// Say what a word in brackets behind 'error' means, with a wrong and a right script
    #[arg(long, value_name = "WORD", conflicts_with_all = ["scripts", "fix", "profile", "json"])]
    pub(crate) explain: Option<String>,
    /// Put right in the files what cannot be meant otherwise: signs that are missing, words of other languages
    #[arg(long)]
    pub(crate) fix: bool,
    /// Look at the script with an option set, and at each other value of the others beside it (may be repeated)
    #[arg(long = "set", value_name = "K=V", value_parser = pair, conflicts_with_all = ["explain", "profile"])]
    pub(crate) set: Vec<(String, String)>,
    /// Play random games and tell what each rule costs
    #[arg(long)]
    pub(crate) profile: bool,
    /// A game of more events (rolls count) is cut and has no result
    #[arg(long, value_name = "N", default_value_t = LONGEST, requires = "profile", value_parser = longest)]
    pub(crate) longest: usize,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// `reference`.
#[derive(Args, Debug)]
pub(crate) struct Reference {
    /// A function of the scripts, as 'pushes'; all of them without it
    #[arg(value_name = "FUNCTION", conflicts_with = "definitions")]
    pub(crate) function: Option<String>,
    /// Print the definitions that Rhai's language server reads
    #[arg(long)]
    pub(crate) definitions: bool,
}

const TEST: &str = "\
A test is a file NAME.game beside a script or in a folder near it; what it came to when it was accepted is kept in
snapshots/NAME.snap. Lines of a test, '#' begins a comment:

  title: Two and three            headers first: title, variant (a path or a name), options, position, seed
  variant: my-game.rhai
  options: doubles=any

  roll 2 3                        dice; 'roll' alone takes them from the seed
  moves                           questions: moves, state, board, history, outcome, odds [MOVE], check
  Nc3                             moves as at the prompt; 6:h1h5 names the die that pays
  refused Qh5                     what must not be permitted: moves, 'choose TEXT', 'roll 2 3', 'pass'
  choose accept                   choices; pass; undo [N]

Whatever differs waits as snapshots/NAME.snap.new for 'astragal review' (or 'cargo insta review').
'check' lets a test fail unless all holds that must hold for every game; '--random N' checks the same of N random
games: no rule fails, positions and records read back, taking back leads back, chances sum to one, trees do
what the script does, and, if the script says symmetric(), colours can be exchanged. A failing game is made
short and saved as a .game file. Games that do not end are told; if none ends, that is a failure. Ctrl-C stops
and tells what was found.

Exit codes: 0 all passed, 1 something failed, differs or is new, 2 bad usage or input, 130 stopped.";

/// `test`.
#[derive(Args, Debug)]
#[command(after_help = TEST)]
pub(crate) struct Test {
    /// .game files, folders, or scripts whose games are meant; all below this folder without it
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Accept whatever differs or is new, and remove snapshots whose game is gone
    #[arg(long, conflicts_with = "random")]
    pub(crate) accept: bool,
    /// Tell what of the scripts no test has reached
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Play N random games of each script instead
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) random: Option<u64>,
    /// The first seed of random games
    #[arg(long, value_name = "N", default_value_t = 1, requires = "random")]
    pub(crate) seed: u64,
    /// A game of more events (rolls count) is cut and has no result
    #[arg(long, value_name = "N", default_value_t = LONGEST, requires = "random", value_parser = longest)]
    pub(crate) longest: usize,
    /// For random games, set an option of the variant (may be repeated)
    #[arg(long = "set", value_name = "K=V", value_parser = pair, requires = "random")]
    pub(crate) set: Vec<(String, String)>,
}

/// `review`.
#[derive(Args, Debug)]
pub(crate) struct Review {
    /// .game files, folders or scripts; all below this folder without it
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// `rules`.
#[derive(Args, Debug)]
pub(crate) struct Rules {
    /// A script or variant
    pub(crate) script: String,
    /// Set an option of the variant (may be repeated)
    #[arg(long = "set", value_name = "K=V", value_parser = pair)]
    pub(crate) set: Vec<(String, String)>,
    /// Say where everything stands: the numbers of the rules, the lines of the script, names and positions as
    /// scripts write them
    #[arg(long)]
    pub(crate) sources: bool,
}

/// `replay`.
#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// The record; - for standard input
    pub(crate) file: PathBuf,
    /// Play it by this variant or script, whatever the record names
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
    /// A JSON object for each game
    #[arg(long)]
    pub(crate) json: bool,
}

/// `verify`.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// The record; - for standard input
    pub(crate) file: PathBuf,
    /// Play it by this variant or script, whatever the record names
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
    /// A player's part of the seed, one for each in the order of turns
    #[arg(long = "part", value_name = "HEX", value_parser = part)]
    pub(crate) parts: Vec<Part>,
    /// A player's commitment, in the same order
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

/// What is wanted of `fair-dice`.
#[derive(Subcommand, Debug)]
pub(crate) enum FairDiceCommand {
    /// Draw a part, to be kept secret, and print it with its commitment, to be sent
    Commit,
    /// Print the seed that these parts make, and their commitments
    Seed {
        /// The parts, in the order of turns
        #[arg(required = true, num_args = 2.., value_name = "PART", value_parser = part)]
        parts: Vec<Part>,
    },
}

/// `odds`.
#[derive(Args, Debug)]
pub(crate) struct Odds {
    /// The variant
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The roll of this turn, as 2,3; where a square is drawn, its name
    #[arg(long, value_name = "FACES", allow_hyphen_values = true)]
    pub(crate) roll: Option<String>,
    /// What is done: moves, choices, faces of dice and names of squares drawn one after another, as "d1a4 assist"
    #[arg(long = "move", value_name = "MOVE", allow_hyphen_values = true)]
    pub(crate) mv: Option<String>,
    /// The die that pays for the move
    #[arg(long, value_name = "FACES", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) die: Vec<i16>,
    /// The longest that it may take, as 2s or 300ms: what is not exact by the half of it is estimated
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// The longest game that is played by players who do not think of its end: events, rolls among them.
pub(crate) const LONGEST: usize = 2000;

const MATCH: &str = "\
A program plays as 'cmd:' and its command. It is asked in lines of JSON on its standard input and answers on its standard
output; docs/serve.md says how. A program that answers with a move that is not permitted, or with nonsense, or too late, or
ends, loses the game, and the match goes on.

Games follow from the seed, the players and the openings alone, as long as programs decide alike each time. --records FILE
writes each game as it ends, in order; after Ctrl-C, or whatever else, the same command with --resume reads the games that are
in FILE and plays the others.

Examples:
  astragal match computer:4 greedy dice-chess -n 100
  astragal match 'cmd:python3 bot.py' random dice-chess --time 2s
  astragal match computer:3 computer:2 mygame.rhai -n 200 --openings starts.txt --records games.pgn
  astragal match computer:3 computer:2 mygame.rhai -n 200 --openings starts.txt --records games.pgn --resume

Exit codes: 0 done, 2 bad usage or input, 130 stopped, with the result of the games that were over by then.";

/// `match`.
#[derive(Args, Debug)]
#[command(after_help = MATCH)]
pub(crate) struct Match {
    /// The first player: random, greedy, computer:LEVEL (1 to 8), or a program as 'cmd:python3 bot.py'
    pub(crate) first: String,
    /// The second player
    pub(crate) second: String,
    /// What they play
    #[arg(default_value = DEFAULT_VARIANT)]
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The number of games; sides change after each, and two games have the same dice
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub(crate) games: u64,
    /// The seed of dice and players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games played at the same time; as many as there are processors without it
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// A game of more events (rolls count) is cut and has no result
    #[arg(long, value_name = "N", default_value_t = LONGEST)]
    pub(crate) longest: usize,
    /// The time for each decision, as 2s or 300ms: of a computer instead of its level's, of a program instead of 60s
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
    /// Begin from the positions in FILE, one a line ('#' begins a comment), or from where the games of a record end; two
    /// games with changed sides begin from each
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) openings: Option<PathBuf>,
    /// Write the record of each game (PGN) into FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,
    /// Go on with the match whose games are in the file of --records
    #[arg(long, requires = "records")]
    pub(crate) resume: bool,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const TURNS: &str = "\
A complete turn is a sequence of moves and choices until the turn or the game ends; each outcome of a roll within it
counts as a sequence of its own. Without --roll every roll is counted, a line each. 'placements' are the different boards
at the end. 'perft --turns' counts the same over several turns, with the rolls that they begin with.

--list prints the turns themselves, one a line: what is done, then the position that it leads to.";

/// `turns`.
#[derive(Args, Debug)]
#[command(after_help = TURNS)]
pub(crate) struct Turns {
    /// The variant
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The roll of this turn, as 2,3; where a square is drawn, its name
    #[arg(long, value_name = "FACES", allow_hyphen_values = true)]
    pub(crate) roll: Option<String>,
    /// List the turns instead of counting them
    #[arg(long)]
    pub(crate) list: bool,
    /// The most turns that are listed
    #[arg(long, value_name = "N", default_value_t = 100, requires = "list")]
    pub(crate) limit: usize,
    /// Of the turns that lead to the same position, list only the first
    #[arg(long, requires = "list")]
    pub(crate) distinct: bool,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const PERFT: &str = "\
Without --turns sides move in turn, one move each, whatever turn() says: that checks how pieces move. With --turns
the rules are obeyed. Each outcome of the dice is counted, in order (1,2 and 2,1 are two), with every move, choice and
pass that is then permitted; a turn in which nothing can be done is one sequence. Divided by the number of outcomes, the
count of one turn is the mean number of turns of a roll.";

/// `perft`.
#[derive(Args, Debug)]
#[command(after_help = PERFT)]
pub(crate) struct Perft {
    /// The variant
    pub(crate) variant: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub(crate) choice: Choice,
    /// The number of moves, or of turns
    #[arg(long, value_name = "N")]
    pub(crate) depth: u32,
    /// Count complete turns by the rules: every outcome of every roll, with all that may be done with it
    #[arg(long)]
    pub(crate) turns: bool,
    /// Count for each first move or roll
    #[arg(long)]
    pub(crate) divide: bool,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// A number of events that a game may have.
fn longest(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("a game has at least one event".into()),
        Ok(events) => Ok(events),
        Err(_) => Err("expected a number of events".into()),
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.trim().into())),
        _ => Err("expected name=value".into()),
    }
}
