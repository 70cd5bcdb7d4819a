//! Games at a terminal: against the computer, with input pasted and typed ahead, and with three or four players at one
//! table.
use crate::common::{Folder, Terminal};

#[test]
fn ctrl_c_ends_the_thinking_of_the_computer() {
    let folder = Folder::new("thinking");
    // More time than the test has: only Ctrl-C brings the prompt back.
    let args = ["play", "chess", "--seed", "1", "--computer", "black=8", "--time", "900s"];
    let mut terminal = Terminal::start(&args, folder.path(), &[]);
    terminal.see("Black: computer, level 8, 900 s per decision.");
    terminal.at_prompt("White > ");
    terminal.keys("e4\r");
    // What White played is seen before Black thinks, and stands.
    terminal.see("Black to move");
    terminal.keys("\x03");
    let screen = terminal.see("Stopped: the computer made no move for Black.");
    assert!(screen.contains("White plays e4."), "{screen}");
    terminal.at_prompt("Black > ");
    let position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    terminal.keys("fen\r");
    terminal.see(position);
    terminal.at_prompt("Black > ");
    // Enter lets it go on: it thinks, and is stopped once more.
    terminal.keys("\r");
    terminal.working();
    terminal.keys("\x03");
    terminal.until("two stops", |screen| screen.contents().matches("Stopped: ").count() == 2);
    terminal.at_prompt("Black > ");
    terminal.keys("computer off\r");
    terminal.see("Black: you.");
    terminal.at_prompt("Black > ");
    terminal.keys("e5\r");
    terminal.at_prompt("White > ");
    terminal.keys("history\r");
    terminal.see("  1. Black    e5");
    terminal.at_prompt("White > ");
    terminal.keys("\x04");
    assert!(terminal.ended().success());
}

#[test]
fn against_the_computer_only_decisions_are_typed() {
    let folder = Folder::new("auto-roll");
    let mut terminal = Terminal::start(&["play", "dice-chess", "--seed", "6", "--computer", "1"], folder.path(), &[]);
    // The first roll has fallen, and the last line says what to type.
    let screen = terminal.at_prompt("White > ");
    assert!(screen.contains("Roll of 2d6: 1,6."), "{screen}");
    assert!(
        screen.ends_with("Type a move, such as a3; 'moves' lists them; 'help' explains the rest.\nWhite >"),
        "{screen}"
    );
    terminal.keys("d4\r");
    terminal.see("Black to roll 2d6.");
    terminal.see("White to move: Q");
    terminal.at_prompt("White > ");
    terminal.keys("undo\r");
    terminal.see("events taken back.");
    terminal.at_prompt("White > ");
    terminal.keys("auto roll off\r");
    terminal.see("Your dice are rolled when you press Enter.");
    terminal.at_prompt("White > ");
    terminal.keys("\x04");
    assert!(terminal.ended().success());
}

#[test]
fn long_texts_stop_at_each_page() {
    let folder = Folder::new("pages");
    let mut terminal = Terminal::start(&["play", "dice-chess", "--seed", "6"], folder.path(), &[]);
    terminal.at_prompt("White rolls > ");
    terminal.keys("help\r");
    let screen = terminal.see("for everything, 'help all'");
    assert!(screen.contains("Type a move (Nf3"), "on one screen:\n{screen}");
    terminal.at_prompt("White rolls > ");
    terminal.keys("help all\r");
    terminal.see("-- more: Enter continues, q quits --");
    terminal.keys("\r");
    terminal.see("Analysis: rules, reasons and odds");
    terminal.see("-- more: Enter continues, q quits --");
    terminal.keys("q\r");
    terminal.at_prompt("White rolls > ");
    terminal.keys("help all\r");
    terminal.at_prompt("-- more: Enter continues, q quits -- ");
    terminal.keys("\x03");
    terminal.at_prompt("White rolls > ");
    terminal.keys("quit\r");
    assert!(terminal.ended().success());
}

#[test]
fn ctrl_c_ends_the_thinking_about_a_hint() {
    let folder = Folder::new("hint");
    let mut terminal = Terminal::start(&["play", "dicechess-3", "--seed", "1"], folder.path(), &[]);
    terminal.at_prompt("White rolls > ");
    terminal.keys("roll 1 2 4\r");
    terminal.at_prompt("White > ");
    terminal.keys("hint 8 900s\r");
    terminal.working();
    terminal.keys("\x03");
    terminal.see("Stopped. The result so far:");
    // It stands behind the lines, of which there are more or fewer.
    terminal.see("(+1 is a win");
    terminal.at_prompt("White > ");
    // Nothing was played: the turn has all its dice.
    terminal.keys("board\r");
    terminal.see("White to move, dice left 1,2,4");
    terminal.at_prompt("White > ");
    terminal.keys("Nc3\r");
    terminal.see("White plays Nc3.");
    terminal.at_prompt("White > ");
    terminal.kill();
}

#[test]
fn the_computer_is_still_there_after_resume() {
    let folder = Folder::new("resumed-computer");
    let mut terminal = Terminal::start(&["play", "chess", "--seed", "1", "--computer", "black=1"], folder.path(), &[]);
    terminal.see("Black: computer, level 1.");
    terminal.at_prompt("White > ");
    terminal.keys("e4\r");
    terminal.see("Black plays ");
    terminal.at_prompt("White > ");
    terminal.kill();
    let mut terminal = Terminal::start(&["play", "--resume"], folder.path(), &[]);
    terminal.see("Black: computer, level 1.");
    terminal.at_prompt("White > ");
    // It answers as before the break.
    terminal.keys("a3\r");
    terminal.at_prompt("White > ");
    terminal.keys("history\r");
    terminal.see("  2. Black    ");
    terminal.at_prompt("White > ");
    terminal.keys("computer black 2 3s\r");
    terminal.see("Black: computer, level 2, 3 s per decision.");
    terminal.at_prompt("White > ");
    terminal.kill();
    let mut terminal = Terminal::start(&["play", "--resume"], folder.path(), &[]);
    terminal.see("Black: computer, level 2, 3 s per decision.");
    terminal.at_prompt("White > ");
    terminal.keys("computer off\r");
    terminal.see("Black: you.");
    terminal.at_prompt("White > ");
    terminal.kill();
    let terminal = Terminal::start(&["play", "--resume"], folder.path(), &[]);
    let screen = terminal.at_prompt("White > ");
    assert!(!screen.contains("computer"), "{screen}");
    terminal.kill();
    // What the command line says goes before what was kept.
    let mut terminal = Terminal::start(&["play", "--resume", "--computer", "white=1"], folder.path(), &[]);
    terminal.at_prompt("Black > ");
    terminal.keys("computer\r");
    terminal.see("White: computer, level 1.\nBlack: you.");
    terminal.kill();
}

#[test]
fn what_is_pasted_or_typed_ahead_is_played_line_by_line() {
    let folder = Folder::new("pasted");
    let mut terminal = Terminal::start(&["play", "chess", "--seed", "1"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    // At a terminal that marks nothing as pasted, or by quick fingers.
    terminal.keys("e4\re5\rNf3\r");
    terminal.at_prompt("Black > ");
    // As terminals paste.
    terminal.keys("\x1b[200~Nc6\rBb5\ra6\r\x1b[201~");
    terminal.see("a6");
    terminal.keys("\r");
    terminal.at_prompt("White > ");
    // While a command works.
    terminal.keys("perft 5\r");
    terminal.working();
    terminal.keys("Ba4\rNf6\rO-O\r");
    terminal.at_prompt("Black > ");
    terminal.keys("history\r");
    let screen = terminal.see("  5. White    O-O");
    for (number, side, played) in [(1, "White", "e4"), (1, "Black", "e5"), (2, "White", "Nf3"), (2, "Black", "Nc6")] {
        assert!(screen.contains(&format!("{number:>3}. {side:<8} {played}")), "{played}:\n{screen}");
    }
    terminal.at_prompt("Black > ");
    // What follows a mistake was meant for another position.
    terminal.keys("\x1b[200~b5\rBb9\rd6\rc3\r\x1b[201~\r");
    terminal.see("2 more pasted lines were ignored.");
    terminal.at_prompt("White > ");
    terminal.keys("Bb3\r");
    terminal.at_prompt("Black > ");
    terminal.kill();
}

#[test]
fn questions_to_the_script_may_take_several_lines() {
    let folder = Folder::new("asked");
    let mut terminal = Terminal::start(&["play", "chess", "--seed", "1"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys("ask squares_of(\r");
    terminal.keys("mover(), \"knight\"\r)\r");
    terminal.see("2 squares: b1 g1");
    terminal.at_prompt("White > ");
    terminal.keys("ask moover()\r");
    terminal.see("moover");
    terminal.at_prompt("White > ");
    // Two Enters get out of a bracket that was not meant.
    terminal.keys("ask (\r\r");
    terminal.see("question");
    terminal.at_prompt("White > ");
    terminal.kill();
}

#[test]
fn long_answers_are_broken_between_words() {
    let folder = Folder::new("broken");
    let mut terminal = Terminal::start(&["play", "chess", "--seed", "1"], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.resize(24, 40);
    terminal.keys("help roll\r");
    let screen = terminal.until("the end of the help", |screen| {
        let (row, _) = screen.cursor_position();
        row > 2 && screen.contents().contains("also: r")
    });
    // As the help has it, in lines of at most forty columns.
    assert!(screen.contains("    Without faces, the dice come from\n    the seed. "), "{screen}");
    terminal.kill();
}

#[test]
fn four_players_are_named_in_turn() {
    let folder = Folder::new("four");
    let mut terminal = Terminal::start(&["play", "four-handed-chess", "--seed", "1"], folder.path(), &[]);
    // 5: king or pawn, 3: horse. Each side's pawn goes forward as it sees the board.
    for (side, moves) in [("Red", "a2a3 b1c3"), ("Green", "b5c5 a7c6"), ("Yellow", "e7e6 g8f6"), ("Black", "g4f4 h2f3")]
    {
        terminal.at_prompt(&format!("{side} rolls > "));
        terminal.keys("roll 5 3\r");
        terminal.at_prompt(&format!("{side} > "));
        let (pawn, horse) = moves.split_once(' ').expect("two moves");
        terminal.keys(format!("{pawn}\r"));
        terminal.see(&format!("{side} to move"));
        terminal.at_prompt(&format!("{side} > "));
        terminal.keys(format!("{horse}\r"));
    }
    terminal.at_prompt("Red rolls > ");
    terminal.keys("history\r");
    let screen = terminal.see("1. Black");
    for side in ["Red", "Green", "Yellow", "Black"] {
        assert!(screen.contains(&format!("  1. {side:<8} [5,3] ")), "{side}:\n{screen}");
    }
    terminal.at_prompt("Red rolls > ");
    terminal.keys("undo\r");
    terminal.at_prompt("Black > ");
    terminal.kill();
}

/// Three at a table; whoever loses his man is out.
const THREE: &str = r#"
title("Three"); board(3, 4); sides(["Ann", "Ben", "Cid"], #{ letters: "abc" }); royals("capturable");
piece("man", "M", "W");
setup("M'2/1m1/3/2M a");
fn turn() {
    roll("1d6");
    let mv = play(any());
    if mv != () && mv.is_capture { eliminate(mv.captured_side); }
}
"#;

#[test]
fn of_three_players_one_drops_out() {
    let folder = Folder::new("three");
    let script = folder.path().join("three.rhai");
    std::fs::write(&script, THREE).expect("a script");
    let path = script.display().to_string();
    let mut terminal = Terminal::start(&["play", &path, "--seed", "1"], folder.path(), &[]);
    for (side, mv) in [("Ann", "c1c2"), ("Ben", "b3b4"), ("Cid", "a4b4"), ("Ann", "c2c3"), ("Cid", "b4b3")] {
        terminal.at_prompt(&format!("{side} rolls > "));
        terminal.keys("\r");
        terminal.at_prompt(&format!("{side} > "));
        terminal.keys(format!("{mv}\r"));
    }
    terminal.at_prompt("Ann rolls > ");
    terminal.kill();
}
