//! The prompt as people use it: the real program at a terminal, keys pressed, the screen read.
use crate::common::{Folder, Terminal};

#[test]
fn a_game_of_chess_fits_the_screen() {
    let folder = Folder::new("chess-screen");
    let mut terminal = Terminal::start(&["play", "chess", "--seed", "1"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    assert!(terminal.colored());
    for (keys, prompt) in [("e4\r", "Black > "), ("d5\r", "White > "), ("exd5\r", "Black > ")] {
        terminal.keys(keys);
        terminal.at_prompt(prompt);
    }
    insta::assert_snapshot!("chess", terminal.see("Black lost"));
    terminal.keys("flip\r");
    terminal.see("h  g  f");
    insta::assert_snapshot!("chess_flipped", terminal.at_prompt("Black > "));
    terminal.keys("quit\r");
    assert!(terminal.ended().success());
}

#[test]
fn xiangqi_has_its_river_and_palaces() {
    let folder = Folder::new("xiangqi-screen");
    let mut terminal = Terminal::start(&["play", "xiangqi", "--seed", "1"], folder.path(), &[]);
    terminal.at_prompt("Red > ");
    terminal.keys("Che2\r");
    terminal.at_prompt("Black > ");
    insta::assert_snapshot!("xiangqi", terminal.see("帥"));
}

#[test]
fn dumb_terminals_and_those_without_colour_are_respected() {
    let folder = Folder::new("plain-screens");
    for (name, args, env) in [
        ("no_color", &["play", "chess", "--seed", "1"][..], ("NO_COLOR", "1")),
        ("dumb", &["play", "xiangqi", "--seed", "1"], ("TERM", "dumb")),
        ("ascii", &["play", "xiangqi", "--seed", "1", "--ascii", "--color", "never"], ("LANG", "C.UTF-8")),
        ("latin", &["play", "dice-chess", "--seed", "1", "--color", "never"], ("LANG", "C")),
    ] {
        let terminal = Terminal::start(args, folder.path(), &[env]);
        let screen = terminal.until("a prompt", |screen| screen.contents().trim_end().ends_with('>'));
        assert!(!terminal.colored(), "{name}");
        assert!(name == "no_color" || screen.is_ascii(), "{name}:\n{screen}");
        insta::assert_snapshot!(format!("plain_{name}"), screen);
        terminal.kill();
    }
}

#[test]
fn tab_completes_and_enter_rolls() {
    let folder = Folder::new("completion");
    let mut terminal = Terminal::start(&["play", "dice-chess", "--seed", "6"], folder.path(), &[]);
    terminal.at_prompt("White rolls > ");
    terminal.keys("\r");
    // Pawn and king came up, and the king is shut in: a pawn it is.
    let screen = terminal.see("White to move: 16 moves.");
    assert!(screen.contains("pawn") && screen.contains("king"), "{screen}");
    terminal.at_prompt("White > ");
    terminal.keys("hist\t");
    terminal.at_prompt("White > history");
    terminal.keys("\x15new dice-x\t");
    terminal.at_prompt("White > new dice-xiangqi");
    terminal.keys("\x15d");
    // The rest of the first move stands there in grey.
    terminal.see("White > d3");
    terminal.keys("2d\t");
    terminal.typed("White > d2d");
    terminal.keys("\t");
    let listed = terminal.see("d2d4");
    assert!(listed.contains("d2d3"), "{listed}");
    terminal.keys("4\r");
    terminal.see("White plays d4.");
    terminal.at_prompt("Black rolls > ");
    terminal.keys("rol 2 3\r");
    terminal.see("did you mean 'roll'?");
    terminal.keys("save ./ga\t");
    terminal.at_prompt("Black rolls > save ./games/");
    terminal.keys("\x15\x04");
    assert!(terminal.ended().success());
}

#[test]
fn lines_are_remembered_over_sessions() {
    let folder = Folder::new("history");
    let mut terminal = Terminal::start(&["play", "chess"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys("help undo\r");
    terminal.see("redo");
    terminal.keys("e4\r");
    terminal.at_prompt("Black > ");
    // Not by the usual way out: what was typed is there all the same.
    terminal.kill();
    let mut terminal = Terminal::start(&["play", "chess"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys("\x1b[A");
    terminal.at_prompt("White > e4");
    terminal.keys("\x1b[A");
    terminal.at_prompt("White > help undo");
    terminal.keys("\x15\x12hel");
    terminal.see("help undo");
    terminal.keys("\x07");
    terminal.kill();
}

#[test]
fn ctrl_c_stops_what_takes_long_and_nothing_else() {
    let folder = Folder::new("ctrl-c");
    let mut terminal = Terminal::start(&["play", "chess"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys("e4");
    terminal.see("White > e4");
    terminal.keys("\x03");
    terminal.at_prompt("White > ");
    terminal.keys("\x03");
    terminal.see("To leave, type 'quit' or press Ctrl-D.");
    terminal.at_prompt("White > ");
    terminal.keys("perft 7\r");
    terminal.working();
    terminal.keys("\x03");
    terminal.see("stopped");
    terminal.at_prompt("White > ");
    terminal.keys("e4\r");
    terminal.at_prompt("Black > ");
    terminal.keys("\x04");
    assert!(terminal.ended().success());
}

#[test]
fn a_terminal_may_change_its_size() {
    let folder = Folder::new("resize");
    let mut terminal = Terminal::start(&["play", "chess", "--no-save"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.resize(30, 40);
    terminal.keys("# a remark that is longer than the forty columns that are left");
    terminal.see("left");
    terminal.keys("\r");
    terminal.at_prompt("White > ");
    terminal.resize(24, 80);
    terminal.keys("moves\r");
    terminal.see("Na3 Nc3 Nf3 Nh3");
    terminal.keys("quit\r");
    assert!(terminal.ended().success());
    assert!(!folder.path().join("games").exists(), "nothing was to be saved");
}

#[test]
fn whatever_is_typed_the_prompt_comes_back() {
    let folder = Folder::new("anything");
    let mut terminal = Terminal::start(&["play", "chess"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys(b"\xff");
    terminal.see("This line is not UTF-8");
    terminal.at_prompt("White > ");
    terminal.keys("board\r");
    terminal.see("White > board");
    terminal.at_prompt("White > ");
    terminal.keys(format!("\x1b[200~{}\x1b[201~\r", "x".repeat(10_500)));
    terminal.see("a line can have at most 10000 bytes");
    terminal.at_prompt("White > ");
    terminal.keys("y".repeat(300) + "\r");
    terminal.see("'yyyyyyyyyyyyyyyyyyyy...' is neither a command nor a move");
    terminal.at_prompt("White > ");
    terminal.keys("💥 e4\r");
    terminal.see("expected");
    terminal.keys("e4\r");
    terminal.at_prompt("Black > ");
    terminal.keys("\x04");
    assert!(terminal.ended().success());
}

#[test]
fn a_choice_of_the_other_player_is_handed_over() {
    let folder = Folder::new("hand-over");
    let position = "4k3/8/8/8/8/8/4R3/K2B4 w - -";
    let mut terminal = Terminal::start(&["play", "babylonian", "--position", position], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys("Ba4 assist\r");
    terminal.see("White to roll 1d6+1d8");
    // Real dice: both of White's, then Black's.
    terminal.keys("roll 2 1 10\r");
    terminal.see("Black must respond now.");
    terminal.at_prompt("Black > ");
    terminal.keys("st\t\r");
    terminal.see("Black chooses stay.");
    // Then it is Black's turn.
    terminal.see("Black to move");
    terminal.at_prompt("Black > ");
    terminal.kill();
}

#[test]
fn a_conversion_is_handed_over() {
    let folder = Folder::new("conversion");
    let position = "4k3/8/8/8/8/8/4R3/K2B4 w - -";
    let mut terminal = Terminal::start(&["play", "babylonian", "--position", position], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys("Ba4 assist\r");
    terminal.see("White to roll 1d6+1d8");
    // Two and eight against ten are equal; the bishop rolled lowest, and the king may win it over.
    terminal.keys("roll 2 8 10\r");
    let screen = terminal.see("Black chooses: leave, a4.");
    assert!(screen.contains("Black must respond now."), "{screen}");
    terminal.at_prompt("Black > ");
    terminal.keys("a4\r");
    terminal.see("Black to move");
    terminal.at_prompt("Black > ");
    terminal.keys("fen\r");
    terminal.see("4k3/8/8/8/b7/8/4R3/K7 b - -");
    terminal.kill();
}

#[test]
fn a_killed_game_goes_on() {
    let folder = Folder::new("killed");
    let mut terminal = Terminal::start(&["play", "dicechess-3", "--seed", "12"], folder.path(), &[]);
    terminal.at_prompt("White rolls > ");
    terminal.keys("roll 1 3 6\r");
    terminal.at_prompt("White > ");
    terminal.keys("d3\r");
    terminal.see("dice left 3,6");
    terminal.at_prompt("White > ");
    terminal.kill();
    let mut terminal = Terminal::start(&["play", "--resume"], folder.path(), &[]);
    terminal.see("White to move, dice left 3,6");
    terminal.keys("undo 2\r");
    terminal.at_prompt("White rolls > ");
    terminal.kill();
    let mut terminal = Terminal::start(&["play", "--resume"], folder.path(), &[]);
    terminal.at_prompt("White rolls > ");
    terminal.keys("redo 2\r");
    terminal.see("White to move, dice left 3,6");
    terminal.keys("games\r");
    terminal.see("dicechess-3, 2 events: this game");
}

#[test]
fn a_game_that_cannot_be_saved_is_told_at_every_prompt() {
    let folder = Folder::new("unsaved");
    std::fs::write(folder.path().join("games"), "no folder").expect("a file");
    let mut terminal = Terminal::start(&["play", "chess", "--seed", "1"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys("e4\r");
    terminal.see("This game is not being saved: cannot create the folder");
    terminal.at_prompt("(not saved) Black > ");
    terminal.keys("e5\r");
    terminal.at_prompt("(not saved) White > ");
    // As soon as it can be saved it is.
    std::fs::remove_file(folder.path().join("games")).expect("removed");
    terminal.keys("Nf3\r");
    terminal.see("This game is being saved again.");
    terminal.at_prompt("Black > ");
    terminal.keys("quit\r");
    assert_eq!(terminal.ended().exit_code(), 0);
    let game = folder.path().join("games/0001-chess.game");
    assert_eq!(std::fs::read_to_string(game).expect("the game").lines().count(), 6);
    let mut terminal = Terminal::start(&["play", "chess", "--state", "/dev/null/x"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys("e4\rquit\r");
    assert_eq!(terminal.ended().exit_code(), 1);
}

#[test]
fn a_typed_line_has_an_end() {
    let folder = Folder::new("typed");
    let mut terminal = Terminal::start(&["play", "chess", "--no-save"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    let before = terminal.bytes();
    terminal.keys("a".repeat(3000));
    terminal.see("(paste a longer line");
    terminal.keys("\r");
    terminal.see("is neither a command nor a move");
    let drawn = terminal.bytes() - before;
    assert!(drawn < 1_500_000, "{drawn} bytes");
}
