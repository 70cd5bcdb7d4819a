//! The commands of the prompt: one table that feeds the interpreter, the help and the completion.

use astragal_dsl::notation::nearest;

/// What a command does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// Begins another game.
    New,
    /// Rolls the dice.
    Roll,
    /// Lists the permitted moves.
    Moves,
    /// Makes a move.
    Move,
    /// Does without a move.
    Pass,
    /// Makes a choice.
    Choose,
    /// Takes events back.
    Undo,
    /// Takes up again what was taken back.
    Redo,
    /// Lists other lines.
    Branches,
    /// Lists the saved games.
    Games,
    /// Goes on with a saved game.
    Resume,
    /// Draws the board.
    Board,
    /// Turns the board.
    Flip,
    /// Says how pieces are drawn.
    Pieces,
    /// Writes a picture.
    Svg,
    /// Lists the turns so far.
    History,
    /// Says whose secrets are shown.
    View,
    /// Writes the position.
    Fen,
    /// Begins from a position.
    Position,
    /// Shows the seed.
    Seed,
    /// Writes a record.
    Save,
    /// Reads a record.
    Load,
    /// Writes the game as a test.
    Record,
    /// Lists the variant's options.
    Options,
    /// Sets an option.
    Set,
    /// Says why a move is or is not permitted.
    Why,
    /// Asks the position in the language of scripts.
    Ask,
    /// Shows exact chances.
    Odds,
    /// Counts complete turns.
    Turns,
    /// Counts sequences of moves.
    Perft,
    /// Says which sides the computer plays.
    Computer,
    /// Asks the computer for advice.
    Hint,
    /// Shows the script's description.
    Rules,
    /// Lists the variants.
    List,
    /// Explains commands.
    Help,
    /// Ends.
    Quit,
}

/// A command of the prompt.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// What it does.
    pub verb: Verb,
    /// Its name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What follows the name.
    pub usage: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// More, shown by `help NAME`.
    pub more: &'static str,
}

const fn command(
    verb: Verb,
    name: &'static str,
    aliases: &'static [&'static str],
    usage: &'static str,
    about: &'static str,
    more: &'static str,
) -> Command {
    Command { verb, name, aliases, usage, about, more }
}

/// All commands, in the order of the help.
#[rustfmt::skip]
pub const COMMANDS: &[Command] = &[
    command(Verb::Roll, "roll", &["r"], "[FACES]", "roll the dice, or let them show FACES",
        "Without faces the dice come from the seed: taken back and rolled again, they show the same.\nExamples: roll, roll 2 3, r 2,3. Enter on an empty line rolls, too."),
    command(Verb::Moves, "moves", &["m"], "", "list the moves that the dice permit", ""),
    command(Verb::Move, "move", &["play"], "MOVE...", "make a move; the word 'move' may be left out",
        "In algebraic notation or coordinates: Nf3, g1f3, e8=Q, e7e8q, O-O, e1g1, P@e4.\nWhere it matters which die pays, name it first: 6:h1h5. Several moves or choices of one turn may\nfollow one another: d3 Bf4 Kd2."),
    command(Verb::Pass, "pass", &["--"], "", "do without a move, where the rules allow it", ""),
    command(Verb::Choose, "choose", &["c"], "TEXT", "make a choice; the word 'choose' may be left out", ""),
    command(Verb::Undo, "undo", &["u", "back"], "[N]", "take back the last event, or the last N (rolls count)",
        "After the computer's moves 'undo' alone goes back to your own last decision.\nNothing is lost: 'redo' takes it up again, and what is played instead becomes another line."),
    command(Verb::Redo, "redo", &["forward"], "[N]", "take up again what was taken back", ""),
    command(Verb::Branches, "branches", &["lines"], "[N]", "list what was played on from here, or go there",
        "All lines of a game are kept, and written by 'save' as variations."),
    command(Verb::Board, "board", &["b", "d"], "", "draw the board", ""),
    command(Verb::Flip, "flip", &["f"], "", "turn the board round", ""),
    command(Verb::Pieces, "pieces", &[], "[letters|pictures]", "draw pieces as letters or as pictures",
        "Pictures are what the variant has: chess figures, Chinese characters ('pieces chinese' will do, too)."),
    command(Verb::Svg, "svg", &["svg!"], "FILE", "draw the board into a picture (SVG)", ""),
    command(Verb::History, "history", &["h"], "", "list the turns so far", ""),
    command(Verb::View, "view", &[], "[SIDE|all|auto]", "show what SIDE may know, or everything",
        "In games with secret dice, counters or traits only the side that is to choose sees its own; 'auto'\ngoes back to that. Elsewhere everybody sees everything."),
    command(Verb::New, "new", &["n"], "[VARIANT] [seed N] [K=V...]", "begin another game",
        "Without a variant the same one is played again, with the options in force.\nExamples: new, new seed 42, new mygame.rhai, new mygame.rhai seed 42 speed=fast."),
    command(Verb::Position, "position", &["pos"], "FEN", "begin from a position ('start' is the usual one)", ""),
    command(Verb::Fen, "fen", &[], "", "write the position as FEN", ""),
    command(Verb::Seed, "seed", &[], "", "show the seed of the dice", ""),
    command(Verb::Save, "save", &["save!"], "FILE", "write the game to a file",
        "A file that this session did not write or load is only replaced by 'save! FILE'."),
    command(Verb::Load, "load", &[], "FILE [N]", "read a game from a file and go on with it",
        "Of several games in the file N is the number; without one they are listed.\nRecords of other programs, too: PGN with comments and variations, moves as SAN or in coordinates (ICCS)."),
    command(Verb::Games, "games", &[], "", "list the games that were saved while they were played", ""),
    command(Verb::Resume, "resume", &[], "[N]", "go on with a saved game: the last unfinished one, or number N", ""),
    command(Verb::Record, "record", &["record!"], "FILE", "write the game as a test of its script",
        "FILE.game holds every roll, move and choice, snapshots/FILE.snap what they came to; 'astragal test' plays\nand compares them. A file that exists is only replaced by 'record! FILE'."),
    command(Verb::Options, "options", &["o"], "", "list the variant's options and their values", ""),
    command(Verb::Set, "set", &[], "K=V", "set an option; this begins another game",
        "The game so far is kept, and 'resume N' goes on with it: what was played was played by other rules."),
    command(Verb::Why, "why", &["w"], "MOVE", "say why a move is permitted or not",
        "By the dice, the permit of the script (with its line), what stands in the way, check, or the dice that\nwould be wasted. Before a roll: how many rolls would permit it. Examples: why Nf3, why e1g1."),
    command(Verb::Ask, "ask", &["="], "EXPRESSION", "ask the position in the language of scripts",
        "What rules may ask (see 'astragal reference'), as they would at this moment; nothing is changed, rolled\nor chosen. 'rolled' holds the faces of this turn's last roll. With an open bracket Enter goes on in the\nnext line.\nExamples: ask pieces(\"pawn\").count, ask can_move(mover()), ask attacked(opponent())."),
    command(Verb::Computer, "computer", &["ai"], "[SIDE] [LEVEL] [TIME|off]", "let the computer play a side",
        "Levels are 1 to 8; a time as 2s limits each decision instead. Without a side it plays against you.\nCtrl-C stops its thinking: it does nothing then.\nAfter that, and after 'undo', Enter lets it go on. Saved games know what it plays.\nExamples: computer black 3, computer white 5s, computer off. 'play computer black 3' does the same."),
    command(Verb::Hint, "hint", &[], "[LEVEL] [TIME]", "ask the computer what to do",
        "The best lines, as they can be typed, with values that the same look ahead has found. A further look that\nits limits have ended is told below, if it prefers another line."),
    command(Verb::Odds, "odds", &["chances"], "[MOVE|roll] [--time TIME]", "chances of a move, all decisions or the next roll",
        "For a move: what it leads to, whether the next player could take the king or win, and whether his\nturn would be lost. Choices, moves, faces of dice and squares drawn may follow one another: odds d1a4 assist, odds 2,3 e4.\nWithout a move, all that can be decided in a table; before a roll, the chances of the roll, and with\n'odds roll' those of each move. What takes too long is drawn: 'about', with a 95 % interval.\nCtrl-C stops it, and so does the end of its time: odds e4d5 --time 2s. What has been found by then is told."),
    command(Verb::Turns, "turns", &[], "[FACES]", "count the complete turns, of this roll or of all rolls",
        "A complete turn is a sequence of moves and choices until the turn ends; each outcome of a roll within it counts\nas one of its own. Before a roll: for every roll, or for the one that shows FACES. 'placements' are the\ndifferent boards at the end."),
    command(Verb::Perft, "perft", &[], "N [turns]", "count the sequences of N moves, dice aside",
        "With 'turns' the sequences of N complete turns by the rules: every outcome of every roll with every\nmove, choice and pass that is then permitted; a lost turn is one."),
    command(Verb::Rules, "rules", &[], "", "show the rulebook of the script", ""),
    command(Verb::List, "list", &["variants", "ls"], "", "list the variants", ""),
    command(Verb::Help, "help", &["?"], "[COMMAND]", "explain the commands, or one of them", ""),
    command(Verb::Quit, "quit", &["q", "exit"], "", "end; so does Ctrl-D", ""),
];

/// The commands after which a computer that is to act does so.
pub const CONTINUING: [Verb; 7] =
    [Verb::Roll, Verb::Move, Verb::Pass, Verb::Choose, Verb::New, Verb::Set, Verb::Computer];

/// The command called `word`, by name or alias.
pub fn find(word: &str) -> Option<&'static Command> {
    let lower = word.to_lowercase();
    // One capital letter is rather a piece than a command.
    let word = if word.chars().count() > 1 { lower.as_str() } else { word };
    COMMANDS.iter().find(|command| command.name == word || command.aliases.contains(&word))
}

/// The command that `word` was probably meant to be.
pub fn near(word: &str) -> Option<&'static str> {
    nearest(word, COMMANDS.iter().map(|command| command.name))
}

/// What does at the prompt what `word` does in a file that tests a script, if the prompt has no such word.
pub fn of_game_files(word: &str) -> Option<&'static str> {
    Some(match word {
        "state" => "'board' and 'fen' show the position, Enter what is waited for",
        "outcome" => "'history' ends with the result, and Enter shows what is waited for",
        "refused" => "'why MOVE' says why a move is not permitted",
        "check" => "'astragal test' checks what must hold for every game; 'ask in_check(mover())' asks for check",
        _ => return None,
    })
}

/// The help on all commands, or on one.
///
/// # Errors
/// If there is no such command.
pub fn help(word: Option<&str>) -> Result<String, String> {
    let Some(word) = word else { return Ok(overview()) };
    let Some(command) = find(word) else {
        let near = near(word).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        return Err(format!("there is no command '{word}'{near}"));
    };
    let mut text = format!("{}\n    {}\n", usage(command), command.about);
    for line in command.more.lines() {
        text.push_str(&format!("    {line}\n"));
    }
    if !command.aliases.is_empty() {
        text.push_str(&format!("    also: {}\n", command.aliases.join(", ")));
    }
    Ok(text)
}

fn usage(command: &Command) -> String {
    format!("{} {}", command.name, command.usage).trim_end().to_owned()
}

fn overview() -> String {
    let width = COMMANDS.iter().map(|command| usage(command).len()).max().unwrap_or(0);
    let mut text = String::new();
    for command in COMMANDS {
        let aliases = command.aliases.first().map(|alias| format!(" ({alias})")).unwrap_or_default();
        text.push_str(&format!("{:width$}  {}{aliases}\n", usage(command), command.about));
    }
    text.push_str("A move or a choice is made by typing it. Enter rolls when a roll is due.\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = COMMANDS.iter().flat_map(|c| c.aliases.iter().chain([&c.name])).copied().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn words_are_found() {
        assert_eq!(find("ROLL").map(|c| c.verb), Some(Verb::Roll));
        assert_eq!(find("b").map(|c| c.verb), Some(Verb::Board));
        assert!(find("B").is_none());
        for word in astragal_service::gametest::file::WORDS {
            assert!(find(word).is_some() || of_game_files(word).is_some(), "{word}");
        }
        assert_eq!(near("rol"), Some("roll"));
        assert!(help(Some("undoo")).unwrap_err().contains("'undo'"));
        assert!(help(Some("move")).unwrap().contains("6:h1h5"));
        assert!(help(None).unwrap().lines().all(|line| line.len() < 100));
    }
}
