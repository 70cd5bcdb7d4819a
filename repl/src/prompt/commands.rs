//! The commands of the prompt, each declared once: name, arguments, purpose and implementation; then its aliases,
//! completion and other properties. Lookup, suggestions and help derive from this list.

pub use super::declaration::Command;
use super::declaration::Topic::{Analysis, Files, Playing, Program, Starting, Viewing};
use super::declaration::{Topic, command};
use super::session::{CommandResult, Session};
use super::wrap::wrapped;
use astragal_dsl::notation::nearest;
use astragal_dsl::{OptionDef, game_text, library};
use astragal_service::{input, report};

/// All commands, in the order of the help.
pub(super) const COMMANDS: &[Command] = &[
    command(Playing, "roll", "[FACES]", "roll the dice, or set their faces", |session, call| session.roll(call.rest))
        .also(&["r"])
        .then_computers()
        .more(
            "Without faces, the dice come from the seed. After an undo, they show the same faces \
             again.\nExamples: roll, roll 2 3, r 2,3. Enter on an empty line rolls too.",
        ),
    command(Playing, "moves", "", "list the legal moves", |session, _| Ok(session.moves())).also(&["m"]).paged(),
    command(Playing, "move", "MOVE...", "make a move; the word 'move' is optional", |session, call| {
        session.move_or_computer(call.rest)
    })
    .also(&["play"])
    .then_computers()
    .completed(moves)
    .more(
        "Use algebraic notation or coordinates: Nf3, g1f3, e8=Q, e7e8q, O-O, e1g1. P@e4 drops a \
             piece.\nIf it matters which die the move uses, name the die first: 6:h1h5. You can enter several moves or \
             choices of one turn: d3 Bf4 Kd2.",
    ),
    command(Playing, "pass", "", "pass, if the rules allow it", |session, _| session.pass())
        .also(&["--"])
        .then_computers(),
    command(Playing, "choose", "TEXT", "make a choice; the word 'choose' is optional", |session, call| {
        session.choose(call.rest)
    })
    .also(&["c"])
    .then_computers()
    .completed(choices),
    command(Playing, "undo", "[N]", "take back your last decision, or N events (rolls count)", |session, call| {
        session.undo(call.rest)
    })
    .also(&["u", "back"])
    .more(
        "Automatic rolls and moves after your last decision are taken back too.\nNothing is lost: 'redo' \
             replays them, and if you play something else, both lines are kept.",
    ),
    command(Playing, "redo", "[N]", "replay the last event you took back, or N events", |session, call| {
        session.redo(call.rest)
    })
    .also(&["forward"]),
    command(Playing, "branches", "[N]", "list the lines that continue from here, or go to line N", |session, call| {
        session.other_lines(call.rest)
    })
    .also(&["lines"])
    .more("All lines of a game are kept, and 'save' writes them as variations.")
    .paged(),
    command(Viewing, "board", "", "draw the board", |session, _| Ok(session.board() + session.standing().as_str()))
        .also(&["b", "d"]),
    command(Viewing, "flip", "", "turn the board around", |session, _| Ok(session.flip())).also(&["f"]),
    command(
        Viewing,
        "pieces",
        "[letters|pictures|explain]",
        "set how pieces are drawn, or explain how they move",
        |session, call| session.pieces(call.rest),
    )
    .paged()
    .completed(|_| owned(["letters", "pictures", "explain"]))
    .more(
        "The variant decides whether pictures are chess symbols or Chinese characters ('pieces chinese' is the \
             same as 'pieces pictures').\n'pieces explain' lists letters, names and movement, with small boards; \
             'pieces explain knight' explains one kind. For the effects of dice and other rules, see 'rules'.",
    ),
    command(Viewing, "svg", "FILE", "save a picture of the board as SVG", |session, call| {
        session.svg(call.rest, call.over)
    })
    .also(&["svg!"])
    .of_file(),
    command(Viewing, "history", "", "list the turns so far", |session, _| {
        Ok(report::history(session.game(), session.viewer()))
    })
    .also(&["h"])
    .paged(),
    command(Viewing, "view", "[SIDE|all|auto]", "show the game as SIDE sees it, or everything", |session, call| {
        session.view(call.rest)
    })
    .completed(sides)
    .heard(|rest| !rest.is_empty())
    .more("In games with secrets, the prompt shows the view of the side that decides next; 'auto' returns to that."),
    command(Starting, "new", "[VARIANT] [seed N] [K=V...]", "start a new game", |session, call| {
        session.new_game(call.rest)
    })
    .also(&["n"])
    .then_computers()
    .completed_or_file(variants)
    .more(
        "Without VARIANT, the new game uses the current variant and options.\nExamples: new, new seed 42, \
             new mygame.rhai, new mygame.rhai seed 42 speed=fast.",
    ),
    command(Starting, "position", "FEN", "start from a position ('start' for the starting position)", |session, call| {
        session.position(call.rest)
    })
    .also(&["pos"])
    .completed(|_| owned(["start"])),
    command(Starting, "fen", "", "print the position as FEN", |session, _| Ok(session.fen())).verbatim(),
    command(Starting, "seed", "", "show the seed of the dice", |session, _| session.seed()),
    command(Files, "save", "FILE", "save the game to a file", |session, call| session.save(call.rest, call.over))
        .also(&["save!"])
        .of_file()
        .more("Use 'save! FILE' to replace a file that this session did not write or load."),
    command(Files, "load", "FILE [N]", "load a game from a file and continue it", |session, call| {
        session.load(call.rest)
    })
    .of_file()
    .more(
        "If the file has several games, N selects one; without N, they are listed.\nRecords from other \
             programs work too: PGN with comments and variations, moves in SAN or coordinates (ICCS).",
    ),
    command(Files, "games", "", "list the saved games", |session, _| session.games()).paged(),
    command(Files, "resume", "[N]", "continue a saved game: the last unfinished one, or number N", |session, call| {
        session.resume(call.rest)
    }),
    command(Files, "record", "FILE", "save the game as a test of its script", |session, call| {
        session.record(call.rest, call.over)
    })
    .also(&["record!"])
    .of_file()
    .more(
        "FILE.game contains every roll, move and choice, and snapshots/FILE.snap contains their results; \
             'astragal test' compares them. Use 'record! FILE' to replace a file.",
    ),
    command(Starting, "options", "", "list the variant's options and their values", |session, _| {
        Ok(report::options(&session.loaded))
    })
    .also(&["o"])
    .paged(),
    command(Starting, "set", "K=V", "set an option and start a new game", |session, call| session.set(call.rest))
        .then_computers()
        .completed(option_values)
        .more("The game so far is saved; 'resume N' continues it, with its own options."),
    command(Analysis, "why", "MOVE", "explain why a move is legal or not", |session, call| session.why(call.rest))
        .also(&["w"])
        .more(
            "The reason can be the dice, a line of the script, a piece in the way, check, or wasted dice. \
             Before a roll, 'why' shows how many rolls would permit the move. Examples: why Nf3, why e1g1.",
        ),
    command(Analysis, "ask", "EXPRESSION", "ask a question in the script language", |session, call| {
        session.ask(call.rest)
    })
    .also(&["="])
    .of_expression()
    .more(
        "Use any question that rules can ask (see 'astragal reference'). Nothing is changed, rolled or \
             chosen. 'rolled' holds the faces of this turn's last roll. After an open bracket, Enter continues \
             on the next line.\nExamples: ask squares_of(mover()).count(), ask can_move(mover()), ask \
             attacked_by(opponent()).",
    ),
    command(
        Playing,
        "computer",
        "[SIDE] [LEVEL] [TIME|off]",
        "let the computer or a program play a side",
        |session, call| session.computer(call.rest),
    )
    .also(&["ai"])
    .then_computers()
    .more(
        "Levels range from 1 to 8; a time such as 2s limits each decision instead. Without SIDE, the computer \
             plays your opponent. Write a side as its name, its letter, its place in the turn order (second), \
             me, other or both.\nCtrl-C stops the search. After that, and after 'undo', press Enter to let the \
             computer continue.\nTo use your own program, write cmd:PROGRAM; for the trained player that \
             comes with the game, write learned, and for one that 'train' has written, learned:FILE. Saved games \
             store levels, but neither programs nor trained players.\nExamples: computer black 3, computer white \
             5s, computer black cmd:python3 bot.py, computer off.\nTo start a game this way, run 'astragal play --computer black=3'.",
    ),
    command(Playing, "auto", "[roll|moves] [on|off]", "roll dice or play forced moves automatically", |session, call| {
        session.auto(call.rest)
    })
    .then_computers()
    .completed(|_| owned(["roll", "moves", "on", "off"]))
    .more(
        "'auto roll on' rolls your dice automatically; 'auto roll off' waits for Enter. By default, your dice \
             are rolled automatically if one person plays against computers at a terminal ('auto roll usual' \
             restores the default).\n'auto moves on' also makes moves and choices that have no alternative. After \
             'undo', nothing is automatic until you type something.",
    ),
    command(Playing, "hint", "[LEVEL] [TIME]", "ask the computer for the best lines", |session, call| {
        session.hint(call.rest)
    })
    .more(
        "Shows the best lines with their values. If an unfinished deeper search prefers a different line, \
             that line is shown below.",
    ),
    command(Analysis, "analyse", "[LEVEL]", "analyze the game so far", |session, call| session.analyse(call.rest))
        .also(&["analyze"])
        .more(
            "Shows the luck of each roll and the cost of each decision in winning chances, the worst \
             decisions with better alternatives, and how the winning chance changed during the game. Level 1 \
             searches to the end of the turn, 2 (default) to the end of the reply, 3 to the end of the turn after it. \
             'astragal analyse FILE' does the same.",
        )
        .paged(),
    command(
        Analysis,
        "odds",
        "[MOVE|roll] [--time TIME]",
        "show the chances of a move, all decisions or the next roll",
        |session, call| session.odds(call.rest),
    )
    .also(&["chances"])
    .completed(moves)
    .more(
        "For a move: its results, whether the next player could capture the king or win, and whether that \
             player's turn would be lost. You can enter several moves, choices, faces and drawn squares: odds \
             d1a4 assist, odds 2,3 e4.\nWithout a move: a table of all decisions or, before a roll, the chances \
             of the roll; 'odds roll' adds the chance that each move is legal. Chances that take too long to \
             compute are estimated, marked 'about', and shown with a 95% confidence interval.\n'odds' stops after 20 \
             seconds, after TIME (odds e4d5 --time 2s) or at Ctrl-C, and shows the results so far.",
    )
    .paged(),
    command(
        Analysis,
        "turns",
        "[FACES] [--time TIME]",
        "count the complete turns of this roll or of all rolls",
        |session, call| session.turns(call.rest),
    )
    .more(
        "A complete turn is a sequence of moves and choices until the turn ends. If dice are rolled \
             within it, each outcome counts separately. Before a roll, 'turns' counts the turns of every roll; FACES \
             limits it to a single roll. 'placements' is the number of distinct final boards. The count stops after 20 \
             seconds, or after TIME.",
    )
    .paged(),
    command(Analysis, "perft", "N [turns]", "count the sequences of N moves, ignoring dice", |session, call| {
        session.perft(call.rest)
    })
    .more(
        "'perft N turns' counts sequences of N complete turns by the rules: every outcome of every roll, \
             with every legal move, choice and pass. A lost turn counts as one turn.",
    ),
    command(Analysis, "rules", "", "print the rulebook of the script", |session, _| {
        Ok(astragal_service::leaflet(&session.loaded))
    })
    .paged(),
    command(Starting, "list", "", "list the variants", |session, _| Ok(session.list()))
        .also(&["variants", "ls"])
        .paged(),
    command(Program, "help", "[TOPIC|COMMAND|all]", "explain the commands", |_, call| {
        help(Some(call.rest).filter(|rest| !rest.is_empty()))
    })
    .also(&["?"])
    .completed(|_| helped())
    .paged()
    .heard(|_| true),
    command(Program, "quit", "", "leave the prompt (also Ctrl-D)", |_, _| Ok(String::new()))
        .also(&["q", "exit"])
        .ends(),
];

fn owned<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(String::from).to_vec()
}

/// The legal moves, if the viewer may know them.
fn moves(session: &Session) -> Vec<String> {
    if session.knows_options() { input::moves(session.game()) } else { Vec::new() }
}

/// The legal choices, if the viewer may know them.
fn choices(session: &Session) -> Vec<String> {
    if session.knows_options() { game_text::choices(session.game().state()) } else { Vec::new() }
}

/// The arguments of `view`: the sides whose view can be shown.
fn sides(session: &Session) -> Vec<String> {
    let sides = session.loaded.set.variant.spec().sides.iter().map(|side| side.name.clone());
    sides.chain(owned(["all", "auto"])).collect()
}

/// Options with their values, as `doubles=any`.
fn option_values(session: &Session) -> Vec<String> {
    let one = |option: &OptionDef| option.values.iter().map(|value| format!("{}={value}", option.name)).collect();
    session.loaded.options.iter().flat_map::<Vec<String>, _>(one).collect()
}

/// The arguments of `new`: variants, `seed`, and options with their values.
fn variants(session: &Session) -> Vec<String> {
    let names = library::names().into_iter().map(String::from);
    names.chain(owned(["seed"])).chain(option_values(session)).collect()
}

/// The prompt command for `word`, a word of game files that the prompt does not know.
pub(super) fn of_game_files(word: &str) -> Option<&'static str> {
    Some(match word {
        "state" => "'board' and 'fen' show the position, and Enter shows the next decision",
        "outcome" => "'history' shows the result at the end, and Enter shows the next decision",
        "refused" => "'why MOVE' explains why a move is not legal",
        "check" => {
            "'astragal test' checks the properties of every game; 'ask in_check(mover())' shows whether the \
             mover is in check"
        }
        _ => return None,
    })
}

/// The command called `word`, by name or alias.
pub fn find(word: &str) -> Option<&'static Command> {
    let lower = word.to_lowercase();
    // A single capital letter is more likely a piece than a command.
    let word = if word.chars().count() > 1 { lower.as_str() } else { word };
    COMMANDS.iter().find(|command| command.name == word || command.aliases.contains(&word))
}

/// The command with the name most similar to `word`.
pub(super) fn near(word: &str) -> Option<&'static str> {
    nearest(word, COMMANDS.iter().map(|command| command.name))
}

/// The names of all commands.
pub(super) fn names() -> Vec<String> {
    COMMANDS.iter().map(|command| command.name.to_owned()).collect()
}

/// The arguments of `help`: topics, `all`, commands.
fn helped() -> Vec<String> {
    let topics = Topic::ALL.into_iter().map(|topic| topic.words().0.to_owned());
    topics.chain(["all".to_owned()]).chain(names()).collect()
}

/// The width of explanations: that of the usual terminal.
const WIDTH: usize = 80;

/// The help: an overview, or the help on a topic, on all commands or on one.
///
/// # Errors
/// If there is no such command or topic.
fn help(word: Option<&str>) -> CommandResult {
    let Some(word) = word else { return Ok(overview()) };
    if word == "all" {
        return Ok(Topic::ALL.into_iter().map(|topic| heading(topic) + table(topic).as_str()).collect());
    }
    if let Some(topic) = Topic::named(word) {
        return Ok(table(topic) + "'help COMMAND' explains a command in detail.\n");
    }
    let Some(command) = find(word) else {
        let known = helped();
        let near = nearest(word, known.iter().map(String::as_str));
        let near = near.map_or("'help all' lists all commands".into(), |near| format!("did you mean '{near}'?"));
        return Err(format!("there is no command '{word}'; {near}"));
    };
    let mut text = format!("{}\n    {}\n", command.synopsis(), command.about);
    // One paragraph: its line breaks would look ragged on a narrower screen.
    let more = command.more.lines().collect::<Vec<_>>().join(" ");
    if !more.is_empty() {
        text.push_str(&wrapped(&format!("    {more}\n"), WIDTH));
    }
    if !command.aliases.is_empty() {
        text.push_str(&format!("    also: {}\n", command.aliases.join(", ")));
    }
    Ok(text)
}

/// The commands of a topic.
fn of_topic(topic: Topic) -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().filter(move |command| command.topic == topic)
}

fn heading(topic: Topic) -> String {
    let (name, about) = topic.words();
    format!("{}{}: {about}\n", name[..1].to_uppercase(), &name[1..])
}

/// The commands of a topic, one per line.
fn table(topic: Topic) -> String {
    let width = of_topic(topic).map(|command| command.synopsis().len()).max().unwrap_or(0);
    let mut text = String::new();
    for command in of_topic(topic) {
        let aliases = match command.aliases.first() {
            Some(alias) if alias.ends_with('!') => format!(" ({alias} overwrites)"),
            Some(alias) => format!(" ({alias})"),
            None => String::new(),
        };
        text.push_str(&format!("  {:width$}  {}{aliases}\n", command.synopsis(), command.about));
    }
    text
}

/// An overview that fits on one screen: how to play, and where to find more.
fn overview() -> String {
    let mut text = String::from(
        "Type a move (Nf3, g1f3, e8=Q) or a choice. In dice games, press Enter to roll.\n'moves' lists legal \
         moves, 'undo' takes back your last decision, 'quit' leaves.\n\n",
    );
    for topic in Topic::ALL {
        let names: Vec<&str> = of_topic(topic).map(|command| command.name).collect();
        text.push_str(&format!("{}  {}\n", heading(topic), names.join(" ")));
    }
    text.push_str("\nFor details, type 'help TOPIC' or 'help COMMAND'; for everything, 'help all'.\n");
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
        assert_eq!(find("ROLL").map(|c| c.name), Some("roll"));
        assert_eq!(find("b").map(|c| c.name), Some("board"));
        assert!(find("B").is_none());
        for word in astragal_service::gametest::file::WORDS {
            assert!(find(word).is_some() || of_game_files(word).is_some(), "{word}");
        }
        assert_eq!(near("rol"), Some("roll"));
        assert!(help(Some("undoo")).unwrap_err().contains("'undo'"));
        assert!(help(Some("move")).unwrap().contains("6:h1h5"));
        assert!(help(Some("drop")).unwrap_err().contains("'help all' lists all commands"));
        for command in COMMANDS {
            let text = help(Some(command.name)).unwrap();
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        }
    }

    #[test]
    fn the_help_fits_on_a_screen_and_leads_to_all_of_it() {
        let short = help(None).unwrap();
        assert!(short.lines().count() < 24 && short.lines().all(|line| line.len() <= 80), "{short}");
        let all = help(Some("all")).unwrap();
        for command in COMMANDS {
            assert!(short.split_whitespace().any(|word| word == command.name), "{}", command.name);
            assert!(all.contains(command.about), "{}", command.name);
        }
        for topic in Topic::ALL {
            let text = help(Some(topic.words().0)).unwrap();
            assert!(text.lines().count() < 24 && text.contains("'help COMMAND'"), "{text}");
            assert!(find(topic.words().0).is_none(), "a topic is no command: {}", topic.words().0);
        }
        assert!(help(Some("viewin")).unwrap_err().contains("'viewing'"));
    }
}
