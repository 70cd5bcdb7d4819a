//! The commands of the prompt, each declared once: name, what follows it, what it is for, what it does; then its aliases, what
//! completes it and what else is special about it. Interpreter, help, completion and suggestions read these declarations.

use super::command::Topic::{Asking, Beginning, Files, Looking, Playing, Program};
use super::command::{Command, command, help, helped};
use super::session::Session;
use astragal_dsl::{OptionDef, game_text, library};
use astragal_service::{input, report};

/// All commands, in the order of the help.
pub(super) const COMMANDS: &[Command] = &[
    command(Playing, "roll", "[FACES]", "roll the dice, or let them show FACES", |session, call| session.roll(call.rest))
        .also(&["r"])
        .then_computers()
        .more("Without faces the dice come from the seed: taken back and rolled again, they show the same.\nExamples: roll, roll 2 3, r 2,3. Enter on an empty line rolls, too."),
    command(Playing, "moves", "", "list the moves that the dice permit", |session, _| Ok(session.moves()))
        .also(&["m"])
        .paged(),
    command(Playing, "move", "MOVE...", "make a move; the word 'move' may be left out", |session, call| session.move_or_computer(call.rest))
        .also(&["play"])
        .then_computers()
        .completed(moves)
        .more("In algebraic notation or coordinates: Nf3, g1f3, e8=Q, e7e8q, O-O, e1g1; P@e4 puts a piece from the hand on the board.\nWhere it matters which die pays, name it first: 6:h1h5. Several moves or choices of one turn may\nfollow one another: d3 Bf4 Kd2."),
    command(Playing, "pass", "", "do without a move, where the rules allow it", |session, _| session.pass())
        .also(&["--"])
        .then_computers(),
    command(Playing, "choose", "TEXT", "make a choice; the word 'choose' may be left out", |session, call| session.choose(call.rest))
        .also(&["c"])
        .then_computers()
        .completed(choices),
    command(Playing, "undo", "[N]", "take back your last decision, or N events (rolls count)", |session, call| session.undo(call.rest))
        .also(&["u", "back"])
        .more("What was rolled or played by itself after your own last decision is taken back with it.\nNothing is lost: 'redo' takes it up again, and what is played instead becomes another line."),
    command(Playing, "redo", "[N]", "take up again what was taken back", |session, call| session.redo(call.rest))
        .also(&["forward"]),
    command(Playing, "branches", "[N]", "list what was played on from here, or go there", |session, call| session.other_lines(call.rest))
        .also(&["lines"])
        .more("All lines of a game are kept, and written by 'save' as variations.")
        .paged(),
    command(Looking, "board", "", "draw the board", |session, _| Ok(session.board() + session.standing().as_str()))
        .also(&["b", "d"]),
    command(Looking, "flip", "", "turn the board round", |session, _| Ok(session.flip()))
        .also(&["f"]),
    command(Looking, "pieces", "[letters|pictures|explain]", "draw them so, or explain how they move", |session, call| session.pieces(call.rest))
        .paged()
        .completed(|_| owned(["letters", "pictures", "explain"]))
        .more("Pictures are what the variant has: chess figures, Chinese characters ('pieces chinese' will do, too).\n'pieces explain' is a legend: letters, names, how they move in words and on small boards; 'pieces explain\nknight' tells of one kind. What the rules of the script add, as dice do, stands in 'rules'."),
    command(Looking, "svg", "FILE", "draw the board into a picture (SVG)", |session, call| session.svg(call.rest, call.over))
        .also(&["svg!"])
        .of_file(),
    command(Looking, "history", "", "list the turns so far", |session, _| Ok(report::history(session.game(), session.viewer())))
        .also(&["h"])
        .paged(),
    command(Looking, "view", "[SIDE|all|auto]", "show what SIDE may know, or everything", |session, call| session.view(call.rest))
        .completed(sides)
        .heard(|rest| !rest.is_empty())
        .more("In games with secret dice, counters or traits only the side that is to choose sees its own; 'auto'\ngoes back to that. Elsewhere everybody sees everything."),
    command(Beginning, "new", "[VARIANT] [seed N] [K=V...]", "begin another game", |session, call| session.new_game(call.rest))
        .also(&["n"])
        .then_computers()
        .completed_or_file(variants)
        .more("Without a variant the same one is played again, with the options in force.\nExamples: new, new seed 42, new mygame.rhai, new mygame.rhai seed 42 speed=fast."),
    command(Beginning, "position", "FEN", "begin from a position ('start' is the usual one)", |session, call| session.position(call.rest))
        .also(&["pos"])
        .completed(|_| owned(["start"])),
    command(Beginning, "fen", "", "write the position as FEN", |session, _| Ok(session.fen()))
        .verbatim(),
    command(Beginning, "seed", "", "show the seed of the dice", |session, _| session.seed()),
    command(Files, "save", "FILE", "write the game to a file", |session, call| session.save(call.rest, call.over))
        .also(&["save!"])
        .of_file()
        .more("A file that this session did not write or load is only replaced by 'save! FILE'."),
    command(Files, "load", "FILE [N]", "read a game from a file and go on with it", |session, call| session.load(call.rest))
        .of_file()
        .more("Of several games in the file N is the number; without one they are listed.\nRecords of other programs, too: PGN with comments and variations, moves as SAN or in coordinates (ICCS)."),
    command(Files, "games", "", "list the games that were saved while they were played", |session, _| session.games())
        .paged(),
    command(Files, "resume", "[N]", "go on with a saved game: the last unfinished one, or number N", |session, call| session.resume(call.rest)),
    command(Files, "record", "FILE", "write the game as a test of its script", |session, call| session.record(call.rest, call.over))
        .also(&["record!"])
        .of_file()
        .more("FILE.game holds every roll, move and choice, snapshots/FILE.snap what they came to; 'astragal test' plays\nand compares them. A file that exists is only replaced by 'record! FILE'."),
    command(Beginning, "options", "", "list the variant's options and their values", |session, _| Ok(report::options(&session.loaded)))
        .also(&["o"])
        .paged(),
    command(Beginning, "set", "K=V", "set an option; this begins another game", |session, call| session.set(call.rest))
        .then_computers()
        .completed(option_values)
        .more("The game so far is kept, and 'resume N' goes on with it: what was played was played by other rules."),
    command(Asking, "why", "MOVE", "say why a move is permitted or not", |session, call| session.why(call.rest))
        .also(&["w"])
        .more("By the dice, the permit of the script (with its line), what stands in the way, check, or the dice that\nwould be wasted. Before a roll: how many rolls would permit it. Examples: why Nf3, why e1g1."),
    command(Asking, "ask", "EXPRESSION", "ask the position in the language of scripts", |session, call| session.ask(call.rest))
        .also(&["="])
        .of_expression()
        .more("What rules may ask (see 'astragal reference'), as they would at this moment; nothing is changed, rolled\nor chosen. 'rolled' holds the faces of this turn's last roll. With an open bracket Enter goes on in the\nnext line.\nExamples: ask squares_of(mover()).count(), ask can_move(mover()), ask attacked_by(opponent())."),
    command(Playing, "computer", "[SIDE] [LEVEL] [TIME|off]", "let the computer or a program play a side", |session, call| session.computer(call.rest))
        .also(&["ai"])
        .then_computers()
        .more("Levels are 1 to 8; a time as 2s limits each decision instead. Without a side it plays against you. Sides go by\nname, letter, order (second) or as me, other and both.\nCtrl-C stops its thinking: it does nothing then.\nAfter that, and after 'undo', Enter lets it go on. Saved games know what it plays.\nA program of yours plays as cmd:PROGRAM, to the end of the line; saved games do not name it.\nExamples: computer black 3, computer white 5s, computer black cmd:python3 bot.py, computer off. 'play computer black 3' does the same."),
    command(Playing, "auto", "[roll|moves] [on|off]", "let dice, or single moves, go by themselves", |session, call| session.auto(call.rest))
        .then_computers()
        .completed(|_| owned(["roll", "moves", "on", "off"]))
        .more("'auto roll on' rolls whenever a roll of yours is due; 'auto roll off' waits for Enter. At a terminal it is on\nwhere one person plays against computers ('auto roll usual' goes back to that).\n'auto moves on' also makes the moves and choices that have no alternative. After 'undo' nothing goes by\nitself until something is typed."),
    command(Playing, "hint", "[LEVEL] [TIME]", "ask the computer what to do", |session, call| session.hint(call.rest))
        .more("The best lines, as they can be typed, with values that the same look ahead has found. A further look that\nits limits have ended is told below, if it prefers another line."),
    command(Asking, "analyse", "[LEVEL]", "say where the game so far was won and lost", |session, call| session.analyse(call.rest))
        .also(&["analyze"])
        .more("The luck of each roll and the error of each decision, as winning chances: totals, the worst decisions with what\nwould have been better, and a line that shows how the chances went. Level 1 looks to the end of the turn, 2 (usual) to the end of the\nreply, 3 a turn further. 'astragal analyse FILE' does the same.")
        .paged(),
    command(Asking, "odds", "[MOVE|roll] [--time TIME]", "chances of a move, all decisions or the next roll", |session, call| session.odds(call.rest))
        .also(&["chances"])
        .completed(moves)
        .more("For a move: what it leads to, whether the next player could take the king or win, and whether his\nturn would be lost. Choices, moves, faces of dice and squares drawn may follow one another: odds d1a4 assist, odds 2,3 e4.\nWithout a move, all that can be decided in a table; before a roll, the chances of the roll, and with\n'odds roll' those of each move. What takes too long is drawn: 'about', with a 95 % interval.\nCtrl-C stops it, and so does the end of its time, 20 seconds or what you give it: odds e4d5 --time 2s. What has been\nfound by then is told.")
        .paged(),
    command(Asking, "turns", "[FACES] [--time TIME]", "count the complete turns, of this roll or of all rolls", |session, call| session.turns(call.rest))
        .more("A complete turn is a sequence of moves and choices until the turn ends; each outcome of a roll within it counts\nas one of its own. Before a roll: for every roll, or for the one that shows FACES. 'placements' are the\ndifferent boards at the end. It is given up after 20 seconds, or after the time that you give it.")
        .paged(),
    command(Asking, "perft", "N [turns]", "count the sequences of N moves, dice aside", |session, call| session.perft(call.rest))
        .more("With 'turns' the sequences of N complete turns by the rules: every outcome of every roll with every\nmove, choice and pass that is then permitted; a lost turn is one."),
    command(Asking, "rules", "", "show the rulebook of the script", |session, _| Ok(astragal_service::leaflet(&session.loaded)))
        .paged(),
    command(Beginning, "list", "", "list the variants", |session, _| Ok(session.list()))
        .also(&["variants", "ls"])
        .paged(),
    command(Program, "help", "[TOPIC|COMMAND|all]", "explain the commands", |_, call| help(Some(call.rest).filter(|rest| !rest.is_empty())))
        .also(&["?"])
        .completed(|_| helped())
        .paged()
        .heard(|_| true),
    command(Program, "quit", "", "end; so does Ctrl-D", |_, _| Ok(String::new()))
        .also(&["q", "exit"])
        .ends(),
];

fn owned<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(String::from).to_vec()
}

/// The moves that may be made now, if they may be known.
fn moves(session: &Session) -> Vec<String> {
    if session.knows_options() { input::moves(session.game()) } else { Vec::new() }
}

/// The choices that may be made now, if they may be known.
fn choices(session: &Session) -> Vec<String> {
    if session.knows_options() { game_text::choices(session.game().state()) } else { Vec::new() }
}

/// Whose view may be shown.
fn sides(session: &Session) -> Vec<String> {
    let sides = session.loaded.set.variant.spec().sides.iter().map(|side| side.name.clone());
    sides.chain(owned(["all", "auto"])).collect()
}

/// Options with their values, as `doubles=any`.
fn option_values(session: &Session) -> Vec<String> {
    let one = |option: &OptionDef| option.values.iter().map(|value| format!("{}={value}", option.name)).collect();
    session.loaded.options.iter().flat_map::<Vec<String>, _>(one).collect()
}

/// What another game may begin with.
fn variants(session: &Session) -> Vec<String> {
    let names = library::names().into_iter().map(String::from);
    names.chain(owned(["seed"])).chain(option_values(session)).collect()
}

/// What does at the prompt what `word` does in a file that tests a script, if the prompt has no such word.
pub(super) fn of_game_files(word: &str) -> Option<&'static str> {
    Some(match word {
        "state" => "'board' and 'fen' show the position, Enter what is waited for",
        "outcome" => "'history' ends with the result, and Enter shows what is waited for",
        "refused" => "'why MOVE' says why a move is not permitted",
        "check" => "'astragal test' checks what must hold for every game; 'ask in_check(mover())' asks for check",
        _ => return None,
    })
}
