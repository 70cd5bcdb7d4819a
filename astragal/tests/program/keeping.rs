//! Nothing is lost: the real program is killed, its files are damaged, and the game goes on.

use crate::common::Folder;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

impl Folder {
    fn games(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.0.join("games")) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn game(&self, name: &str) -> PathBuf {
        self.0.join("games").join(name)
    }
}

fn astragal(state: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    command.arg("play").args(args).env("ASTRAGAL_STATE", state).env("TERM", "xterm").env("LANG", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program on lines until they end.
fn fed(state: &Path, args: &[&str], lines: &str) -> Output {
    let mut child = astragal(state, args).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("its input");
    // A program that has ended already is judged by what it said.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    child.wait_with_output().expect("it ends")
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&output.stdout), text(&output.stderr))
}

/// The program while it runs, answering line by line.
struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn start(state: &Path, args: &[&str]) -> Running {
        let mut child = astragal(state, args).spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        Running { child, lines }
    }

    /// Types a line, then asks for the position, and returns it.
    fn position_after(&mut self, line: &str) -> String {
        let input = self.child.stdin.as_mut().expect("its input");
        input.write_all(format!("{line}\nfen\nseed\n").as_bytes()).and_then(|()| input.flush()).expect("it reads");
        let mut last = String::new();
        loop {
            let line = self.lines.next().expect("it answers").expect("UTF-8");
            // The seed alone ends the answer.
            if line == "77" {
                return last;
            }
            last = line;
        }
    }

    fn kill(mut self) {
        // SIGKILL on Unix.
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

const PLAYED: [&str; 12] =
    ["roll 1 3 6", "d3", "Bf4", "undo", "Bg5 Kd2", "roll 3 4 5", "roll 2 2 1", "Nc3", "Nb5", "undo 2", "Nf3", "e4"];

#[test]
fn killed_after_any_event_it_goes_on_from_there() {
    for cut in 1..=PLAYED.len() {
        let folder = Folder::new(&format!("cut-{cut}"));
        let mut program = Running::start(&folder.0, &["dicechess-3", "--seed", "77"]);
        let mut position = String::new();
        for line in &PLAYED[..cut] {
            position = program.position_after(line);
        }
        program.kill();
        let (out, err) = said(&fed(&folder.0, &["--resume"], "fen\nhistory\nroll\n"));
        assert!(out.lines().any(|line| line == position), "after {cut} lines, '{position}':\n{out}{err}");
        assert_eq!(folder.games().len(), 1);
    }
}

#[test]
fn killed_at_any_instant_it_has_a_whole_beginning() {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(60);
    let endless = ["chess", "--seed", "77", "--set", "repetition=off", "--set", "move_limit=off"];
    for delay in [0, 1, 3, 10, 30, 100] {
        let folder = Folder::new(&format!("instant-{delay}"));
        let mut child = astragal(&folder.0, &endless).spawn().expect("it starts");
        let mut input = child.stdin.take().expect("its input");
        let text = moves.join("\n") + "\n";
        let writer = std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
        // Waits for the first move, so that there is a game, and then for nothing in particular.
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let mut told = String::new();
        while !told.contains(" plays ") {
            assert_ne!(output.read_line(&mut told).expect("UTF-8"), 0, "it has ended early: {told}");
        }
        std::thread::sleep(std::time::Duration::from_millis(delay));
        child.kill().expect("killed");
        let _ = output.read_to_string(&mut told);
        child.wait().expect("it ends");
        writer.join().expect("no panic");
        let resumed = fed(&folder.0, &["--resume"], "");
        let (out, err) = said(&resumed);
        assert!(resumed.status.success() && !out.contains("damaged"), "{out}{err}");
        let kept: Vec<&str> =
            out.lines().filter_map(|line| line.split_once(" plays ")).map(|(_, mv)| mv.trim_end_matches('.')).collect();
        assert_eq!(kept, moves[..kept.len()], "a beginning of what was played");
        let told = told.lines().filter(|line| line.contains(" plays ") && line.ends_with('.')).count();
        assert!(kept.len() >= told, "{told} moves were told, {} kept", kept.len());
    }
}

#[test]
fn damage_is_named_and_kept_aside() {
    let folder = Folder::new("damage");
    fed(&folder.0, &["chess", "--seed", "3"], "e4\ne5\nNf3\nNc6\nBb5\n");
    let file = folder.game("0001-chess.game");
    let whole = fs::read_to_string(&file).expect("the game");
    assert_eq!(whole.lines().count(), 3 + 5, "{whole}");
    for (number, damaged, line, left) in [
        (1, whole.replace("e7e5", "e7e6"), 5, 1),
        (2, whole.replace("g1f3", "g1\u{0}3"), 6, 2),
        (3, whole[..whole.len() - 4].to_owned(), 8, 4),
        (4, whole.lines().enumerate().filter(|(i, _)| *i != 5).map(|(_, line)| format!("{line}\n")).collect(), 6, 2),
        (5, whole.clone() + "rubbish\n", 9, 5),
    ] {
        let folder = Folder::new(&format!("damage-{number}"));
        let file = folder.game("0001-chess.game");
        fs::create_dir_all(folder.0.join("games")).expect("a folder");
        fs::write(&file, &damaged).expect("written");
        let (out, err) = said(&fed(&folder.0, &["--resume"], "history\n"));
        assert!(out.contains(&format!("0001-chess.game is damaged at line {line}: ")), "{number}: {out}{err}");
        assert!(out.contains("0001-chess.game.damaged"), "{out}");
        let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5"];
        let shown = |mv: &&&str| out.lines().any(|line| line.ends_with(&format!(" {mv}")));
        assert_eq!(moves.iter().filter(shown).count(), left, "{number}: {out}");
        assert_eq!(fs::read(folder.game("0001-chess.game.damaged")).expect("kept"), damaged.as_bytes());
        // The second time nothing is wrong any more.
        let (again, _) = said(&fed(&folder.0, &["--resume"], "history\n"));
        assert!(!again.contains("damaged") && again.contains("e4"), "{again}");
        assert_eq!(folder.games(), ["0001-chess.game", "0001-chess.game.damaged"]);
    }
    fs::write(&file, "nothing of the kind\n").expect("written");
    let output = fed(&folder.0, &["--resume"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).1.contains("damaged at line 1") && said(&output).1.contains("moved to"),
        "{}",
        said(&output).1
    );
    assert_eq!(folder.games(), ["0001-chess.game.damaged"]);
}

#[test]
fn two_prompts_never_share_a_file() {
    let folder = Folder::new("two");
    let mut one = Running::start(&folder.0, &["chess", "--seed", "77"]);
    let mut other = Running::start(&folder.0, &["chess", "--seed", "77"]);
    let position = one.position_after("e4");
    other.position_after("d4");
    assert_eq!(folder.games(), ["0001-chess.game", "0002-chess.game"]);
    let busy = fed(&folder.0, &["--resume=1"], "");
    assert_eq!(busy.status.code(), Some(2));
    assert!(said(&busy).1.contains("is being played at another prompt"), "{}", said(&busy).1);
    assert!(said(&fed(&folder.0, &["--resume"], "")).1.contains("is being played at another prompt"));
    one.kill();
    let (out, _) = said(&fed(&folder.0, &["--resume"], "fen\n"));
    assert!(out.contains(&position), "the one that is free: {out}");
    other.kill();
    assert!(said(&fed(&folder.0, &["--resume=2"], "fen\n")).0.contains("3P4"));
}

#[test]
fn a_game_that_is_over_is_not_the_one_to_go_on_with() {
    let folder = Folder::new("over");
    fed(&folder.0, &["chess", "--seed", "1"], "e4\n");
    fed(&folder.0, &["chess", "--seed", "2"], "f3\ne5\ng4\nQh4\n");
    let (out, err) = said(&fed(&folder.0, &["--resume"], "games\n"));
    assert!(out.contains("seed 1.") && out.contains("2. chess, 4 events: Black wins: checkmate"), "{out}{err}");
    let (out, _) = said(&fed(&folder.0, &["--resume=2"], "undo\n"));
    assert!(out.contains("Black to move"), "{out}");
    let none = Folder::new("none");
    let output = fed(&none.0, &["--resume"], "");
    assert!(output.status.code() == Some(2) && said(&output).1.contains("no saved game"), "{}", said(&output).1);
    fed(&none.0, &["chess"], "moves\nquit\n");
    assert!(none.games().is_empty(), "a game in which nothing happened is no game");
}

#[test]
fn positions_options_and_scripts_are_found_again() {
    let folder = Folder::new("begun");
    let script = folder.0.join("mine.rhai");
    let text = "import \"chess\" as chess;\ntitle(\"Mine\");\nchess::setup();\noption(\"far\", [1, 2], \"How far.\");\n\
                fn turn() { let die = roll(\"1d6\"); if choose([\"yes or no\", \"no\"]) == \"no\" { play(any()) } else { play(pieces(\"pawn\")) } }\n";
    fs::write(&script, text).expect("written");
    let path = script.display().to_string();
    let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 3 7";
    fed(
        &folder.0,
        &[&path, "--seed", "5", "--set", "far=2", "--position", fen],
        "roll 4\nchoose yes or no\ne4\nroll\n",
    );
    let (out, err) = said(&fed(&folder.0, &["--resume"], "history\n"));
    assert!(
        out.contains("Mine (mine, far=2), seed 5.") && out.contains("  7. White    [4] yes or no e4"),
        "{out}{err}"
    );
    // The script has changed: what its rules no longer allow is damage.
    fs::write(&script, text.replace("yes or no", "maybe")).expect("written");
    let (out, err) = said(&fed(&folder.0, &["--resume"], "history\n"));
    assert!(out.contains("damaged at line 7: 'choose yes or no'"), "{out}{err}");
    assert!(out.contains("7. White    [4]"), "{out}");
}

#[test]
fn all_lines_are_saved_and_loaded() {
    let folder = Folder::new("lines");
    let file = folder.0.join("game.pgn").display().to_string();
    let lines = format!("e4\ne5\nundo 2\nd4\nd5\nback 1\nbranches\nsave {file}\nforward\nbranches 9\n");
    let (out, err) = said(&fed(&folder.0, &["chess", "--seed", "1"], &lines));
    assert!(
        out.contains(
            "1. Black plays d5.\nTo continue with one of these, type 'branches N'; 'redo' follows \
         the last one played (2 lines in this game)."
        ),
        "{out}"
    );
    assert!(err.contains("line 10: no line continues from here"), "{err}");
    let text = fs::read_to_string(&file).expect("saved");
    assert!(text.ends_with("\n1. d4 (1. e4 e5) (1. d4 d5) *\n"), "{text}");
    let (out, err) = said(&fed(&folder.0, &["chess"], &format!("load {file}\nredo\nundo 2\nbranches 2\nredo\n")));
    let played: Vec<&str> = out.lines().filter(|line| line.contains(" plays ")).collect();
    // Loading tells the game; redo, the other line and its end follow.
    assert_eq!(played, ["White plays d4.", "Black plays d5.", "White plays e4.", "Black plays e5."], "{out}{err}");
}

#[test]
fn games_of_other_programs_can_be_loaded() {
    let folder = Folder::new("foreign");
    let file = folder.0.join("old.pgn");
    // In the character set of old files, too.
    fs::write(
        &file,
        b"[Event \"M\xfcnchen\"]\r\n[White \"?\"]\r\n[Result \"*\"]\r\n\r\n1.e4 e5 $1 2.Nf3 {! \
         \xdfo} (2.f4 exf4) 2...Nc6 *\r\n"
            .as_slice(),
    )
    .expect("written");
    let name = file.display().to_string();
    let (out, err) = said(&fed(&folder.0, &["xiangqi"], &format!("load {name}\nundo 2\nbranches 2\nsave {name}\n")));
    assert!(
        out.contains("Chess (chess") && out.contains("Black plays Nc6.") && out.contains("White plays f4."),
        "{out}{err}"
    );
    assert!(
        err.contains("exists; to replace it, type 'save! "),
        "what others wrote is not replaced without asking: {err}"
    );
}

#[test]
fn one_game_of_several_is_loaded() {
    let folder = Folder::new("several");
    let file = folder.0.join("games.pgn");
    // The second is no game of chess, which is no harm to the others.
    let text = "[White \"Ada\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 (1... c5) 2. Nf3 1-0\n\n\
                [White \"Cy\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e5 *\n\n\
                [Event \"?\"]\n[White \"Eve\"]\n[Black \"Flo\"]\n[Result \"1/2-1/2\"]\n\n1. d4 1/2-1/2\n";
    fs::write(&file, text).expect("written");
    let name = file.display().to_string();
    let lines = format!("load {name}\nload {name} 3\nhistory\nload {name} 1\nload {name} 2\nload {name} 4\nhistory\n");
    let (out, err) = said(&fed(&folder.0, &["xiangqi", "--seed", "1"], &lines));
    for told in [
        "   1. Ada - Bob, 1-0, 3 moves\n",
        "   2. Cy, *, 1 move\n",
        "   3. Eve - Flo, 1/2-1/2, 1 move\n",
        &format!("{name} has 3 games: choose one, as in 'load {name} 2'"),
        "line 5: ",
        &format!("{name}: there is no game 4; it has games 1 to 3"),
    ] {
        assert!(err.contains(told), "{told}: {err}");
    }
    let histories: Vec<&str> =
        out.lines().filter(|line| line.starts_with("  1. ") || line.starts_with("  2. ")).collect();
    let third = "  1. White    d4";
    assert_eq!(histories, [third, "  1. White    e4", "  1. Black    e5", "  2. White    Nf3"], "{out}");
    // A file whose name ends in a number is a file.
    let odd = folder.0.join("game 2");
    fs::write(&odd, "1. c4 *\n").expect("written");
    let (out, err) = said(&fed(&folder.0, &["chess"], &format!("load {}\n", odd.display())));
    assert!(out.contains("White plays c4."), "{out}{err}");
}

#[test]
fn the_game_left_behind_is_called_by_its_number() {
    let folder = Folder::new("left");
    let (out, err) = said(&fed(&folder.0, &["chess", "--seed", "3"], "e4\nset move_limit=off\nd4\nresume 1\nfen\n"));
    assert!(out.contains("The game so far is saved. To continue it, type 'resume 1'.\n"), "{out}{err}");
    assert!(out.contains("The game so far is saved. To continue it, type 'resume 2'.\n"), "{out}{err}");
    assert!(out.ends_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n"), "{out}");
}

#[test]
fn a_damaged_line_about_computers_is_damage() {
    let folder = Folder::new("seats");
    fed(&folder.0, &["chess", "--seed", "3", "--computer", "black=1"], "e4\n");
    let file = folder.game("0001-chess.game");
    let whole = fs::read_to_string(&file).expect("the game");
    let number = whole.lines().position(|line| line.ends_with(" computers second=1")).expect("the seats") + 1;
    fs::write(&file, whole.replace("second=1", "second=9")).expect("written");
    let (out, err) = said(&fed(&folder.0, &["--resume"], "computer\n"));
    assert!(out.contains(&format!("is damaged at line {number}: ")), "{out}{err}");
    assert!(out.contains("Black: you."), "{out}");
}

#[test]
fn the_number_of_a_game_may_stand_behind_a_blank() {
    let folder = Folder::new("blank");
    fed(&folder.0, &["chess", "--seed", "1"], "e4\n");
    fed(&folder.0, &["chess", "--seed", "2"], "d4\n");
    let (out, err) = said(&fed(&folder.0, &["--resume", "1"], "fen\n"));
    assert!(out.contains("seed 1.") && out.contains("4P3"), "{out}{err}");
    let (out, err) = said(&fed(&folder.0, &["--resume"], "fen\n"));
    assert!(out.contains("seed 2."), "{out}{err}");
    for args in [&["xiangqi", "--resume"][..], &["chess", "--resume=1"]] {
        let output = fed(&folder.0, args, "e5\n");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said(&output).1.contains("cannot be used with"), "{}", said(&output).1);
    }
    assert!(said(&fed(&folder.0, &["--resume", "chess"], "")).1.contains("there is no saved game 'chess'"));
    let games: Vec<String> = folder.games().iter().map(|name| fs::read_to_string(folder.game(name)).unwrap()).collect();
    assert!(games.iter().all(|game| game.lines().count() == 4), "nothing was played on: {games:?}");
}

#[cfg(unix)]
#[test]
fn what_is_no_saved_game_blocks_nobody() {
    let folder = Folder::new("pipe");
    fs::create_dir_all(folder.game("0003-folder.game")).unwrap();
    let pipe = folder.game("0001-a.game");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", folder.game("0002-b.game")).unwrap();
    let (out, err) = said(&fed(&folder.0, &["chess", "--seed", "1"], "e4\ngames\nresume 2\n"));
    assert!(out.contains("   4. chess, 1 event: this game") && !out.contains("   1. "), "{out}{err}");
    assert!(err.contains("there is no saved game '2'"), "{err}");
    assert!(said(&fed(&folder.0, &["--resume"], "fen\n")).0.contains("4P3"));
    let output = fed(&folder.0, &[&format!("--resume={}", pipe.display())], "");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output).1);
}

/// Runs the program as if the disk were full: nothing can be written to a file.
#[cfg(unix)]
fn on_a_full_disk(state: &Path, args: &str, lines: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_astragal");
    let mut command = Command::new("sh");
    command.args(["-c", &format!("trap '' XFSZ; ulimit -f 0; exec '{program}' play {args}")]);
    command.env("ASTRAGAL_STATE", state).env("TERM", "xterm").env("LANG", "C");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_changes_nothing() {
    let folder = Folder::new("full");
    let output = on_a_full_disk(&folder.0, "chess --seed 1", "e4\ne5\n");
    let (out, err) = said(&output);
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    let file = folder.game("0001-chess.game");
    assert!(out.contains(&format!("This game is not being saved: cannot write {}: ", file.display())), "{out}");
    assert_eq!(
        (out.matches("not being saved").count(), err.as_str()),
        (1, "At least one game of this session was not saved.\n"),
        "{out}"
    );
    assert!(folder.games().is_empty(), "no stub is left: {:?}", folder.games());
    // A game that is begun is not harmed.
    fed(&folder.0, &["chess", "--seed", "1"], "e4\ne5\n");
    let whole = fs::read(&file).unwrap();
    let output = on_a_full_disk(&folder.0, "--resume", "Nf3\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read(&file).unwrap(), whole);
    // One that is torn waits for room.
    fs::write(&file, &whole[..whole.len() - 3]).unwrap();
    let output = on_a_full_disk(&folder.0, "--resume", "");
    let (_, err) = said(&output);
    assert_eq!(output.status.code(), Some(2));
    let told =
        "is damaged at line 5: the file ends in the middle of this line; the file is unchanged, because its copy ";
    assert!(err.contains(told), "{err}");
    assert_eq!(fs::read(&file).unwrap(), whole[..whole.len() - 3]);
    assert_eq!(folder.games(), ["0001-chess.game"]);
}

/// The script that a saved game from elsewhere names is a stranger's choice: only a file whose name ends in '.rhai' is
/// read, and the program says so.
#[test]
fn a_game_of_a_stranger_names_scripts_only() {
    let folder = Folder::new("stranger");
    let script = folder.0.join("mine.txt");
    fs::write(&script, "import \"chess\" as chess; chess::setup(); fn turn() { play(any()) }\n").unwrap();
    fed(&folder.0, &[&script.display().to_string(), "--seed", "5"], "e4\n");
    assert!(said(&fed(&folder.0, &["--resume"], "fen\n")).0.contains("4P3"), "in its folder it is our own");
    let moved = folder.0.join("moved.game");
    fs::rename(folder.game("0001-mine.game"), &moved).unwrap();
    let output = fed(&folder.0, &["--resume", &moved.display().to_string()], "fen\n");
    assert!(said(&output).1.contains("the file name of a script must end in '.rhai'"), "{}", said(&output).1);
    fs::write(folder.0.join("mine.rhai"), fs::read(&script).unwrap()).unwrap();
    fed(&folder.0, &[&folder.0.join("mine.rhai").display().to_string(), "--seed", "5"], "e4\n");
    fs::rename(folder.game("0001-mine.game"), &moved).unwrap();
    let (out, err) = said(&fed(&folder.0, &["--resume", &moved.display().to_string()], "fen\n"));
    assert!(out.contains("moved.game names the script ") && out.contains("4P3"), "{out}{err}");
}

/// A record given instead of a script is recognized by its contents, whatever it is called, and can be continued.
#[test]
fn a_record_is_no_script() {
    let folder = Folder::new("record");
    let file = folder.0.join("of-yesterday.txt");
    let path = file.to_str().expect("a path");
    let saved = fed(&folder.0, &["chess", "--no-save"], &format!("e4\ne5\nsave {path}\n"));
    assert!(saved.status.success() && fs::read_to_string(&file).expect("the record").starts_with('['));
    let before = fs::read(&file).expect("the record");
    let commands: [&[&str]; 9] = [
        &["play", path],
        &["check", path],
        &["rules", path],
        &["board", path],
        &["odds", path],
        &["perft", path, "--depth", "1"],
        &["simulate", path, "-n", "1"],
        &["compare", path, "chess", "-n", "2"],
        &["match", "random", "random", path, "-n", "1"],
    ];
    for args in commands {
        let output =
            Command::new(env!("CARGO_BIN_EXE_astragal")).args(args).stdin(Stdio::null()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success(), "{args:?}");
        assert!(said.contains("it is a game record, not a script"), "{args:?}: {said}");
        for help in [format!("'astragal replay {path}'"), format!("'astragal play --resume {path}'")] {
            assert!(said.contains(&help), "{args:?}: {said}");
        }
    }
    let resumed = fed(&folder.0, &["--resume", path], "Nf3\nhistory\n");
    let said = String::from_utf8_lossy(&resumed.stdout);
    assert!(resumed.status.success() && said.contains("1. Black    e5\n  2. White    Nf3\n"), "{said}");
    assert_eq!(fs::read(&file).expect("the record"), before, "it is left as it was");
    // What is neither is left alone.
    let notes = folder.0.join("notes.txt");
    fs::write(&notes, "Buy milk.\n").expect("a file");
    let output = fed(&folder.0, &["--resume", notes.to_str().expect("a path")], "");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("notes.txt is neither a saved game nor a record"), "{said}");
    assert_eq!(fs::read(&notes).expect("it is still there"), b"Buy milk.\n");
    // A game that was saved while it was played is known, too.
    fed(&folder.0, &["chess"], "e4\n");
    let games = folder.games();
    let game = folder.game(games.first().expect("a saved game"));
    let output = fed(&folder.0, &[game.to_str().expect("a path")], "");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("it is a saved game, not a script: 'astragal play --resume"), "{said}");
}

/// The record of a game against the computer names it, and has the day on which the game was begun. A record that was read
/// keeps its own day, or none.
#[test]
fn records_tell_who_played_and_when() {
    let folder = Folder::new("players");
    let path = |name: &str| folder.0.join(name).to_str().expect("a path").to_owned();
    let (played, again) = (path("played.pgn"), path("again.pgn"));
    let before = day();
    let output = fed(&folder.0, &["chess", "--no-save", "--computer", "black 1"], &format!("e4\nsave {played}\n"));
    let after = day();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let record = fs::read_to_string(&played).expect("the record");
    assert!(record.contains("[White \"White\"]\n[Black \"computer:1\"]\n"), "{record}");
    assert!([before, after].iter().any(|day| record.contains(&format!("[Date \"{day}\"]\n"))), "{record}");
    fed(&folder.0, &["chess", "--no-save"], &format!("load {played}\nsave {again}\n"));
    let copy = fs::read_to_string(&again).expect("the record");
    assert!(copy.contains("[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"White\"]\n[Black \"Black\"]\n"), "{copy}");
}

/// Today, as the system's own `date` has it.
fn day() -> String {
    let output = Command::new("date").args(["-u", "+%Y.%m.%d"]).output().expect("the program `date`");
    String::from_utf8(output.stdout).expect("a date").trim().to_owned()
}
