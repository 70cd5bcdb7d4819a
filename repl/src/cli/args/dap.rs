//! The arguments of `dap`.

use clap::Args;

const DAP: &str = "\
Your editor starts this command and controls it through the Debug Adapter
Protocol (see docs/debug.md). The game stops on the lines of your rules, and at
each decision of a player. You see the variables, the board and the rolls.

Arguments of a launch configuration:
  program          the path of a script, or the name of a built-in game
  seed             the seed of rolls and random answers; default: 0
  options          the options of the script, such as {\"doubles\": \"same_type\"}
  position         the position to start from
  moves            answers to give before the first stop, such as
                   [\"e4\", \"pass\"]; \"roll 2 5\" sets a roll
  stopOnEntry      stop at the first line; default: false
  stopOnQuestions  stop at each decision of a player; default: true

In the debug console, enter the name of a variable, 'board', 'choices', or an
answer. If you continue without an answer, it is chosen at random.

Exit codes: 0 the editor disconnected; 1 the input ended without a request to
disconnect, or could not be read.";

/// `dap`.
#[derive(Args, Debug)]
#[command(after_help = DAP)]
pub(crate) struct Dap {}
