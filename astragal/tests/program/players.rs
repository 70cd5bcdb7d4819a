//! Programs that play: the player of `docs/protocol` in matches, what happens to programs that misbehave, records of
//! matches, and matches that are continued.
//!
//! They are written in Python, which the gate installs (`CI=true`). Where Python is not installed, they are not tried.

use crate::common::{Folder, Terminal};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "the gate installs python3");
    found
}

fn player() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol/player.py");
    format!("cmd:python3 '{}'", path.display())
}

/// A program that answers `begin`, and then does `what` with each question.
fn script(folder: &Folder, name: &str, what: &str) -> String {
    let text = format!(
        "import json, sys, time\ndef answer(request, result):\n    print(json.dumps({{'jsonrpc': '2.0', 'id': \
         request['id'], 'result': result}}), flush=True)\nfor line in sys.stdin:\n    request = \
         json.loads(line)\n    if request['method'] == 'begin':\n        answer(request, {{}})\n    elif \
         request['method'] == 'decide':\n        {what}\n"
    );
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    format!("cmd:python3 '{}'", path.display())
}

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_astragal")).args(args).output().expect("it runs")
}

fn json(args: &[&str]) -> Value {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// In variants with contests, plans, choices, other boards, and four sides.
#[test]
fn the_player_in_python_plays_matches() {
    if !has_python() {
        return;
    }
    for variant in ["dice-chess", "dicechess-3", "babylonian", "einstein", "backgammon", "dice-xiangqi", "chaturaji"] {
        let args = ["match", &player(), "random", variant, "-n", "2", "--seed", "3", "--json", "--threads", "2"];
        let found = json(&args);
        assert_eq!(
            (found["games"].as_u64(), found["forfeits"].as_array().map(Vec::len)),
            (Some(2), Some(0)),
            "{found}"
        );
    }
}

#[test]
fn a_match_is_the_same_whatever_the_number_of_threads() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("threads");
    let text = |threads: &str| {
        let file = folder.path().join(format!("{threads}.pgn"));
        let file = file.to_str().expect("UTF-8");
        json(&[
            "match",
            &player(),
            "greedy",
            "dice-chess",
            "-n",
            "6",
            "--threads",
            threads,
            "--records",
            file,
            "--json",
        ]);
        std::fs::read_to_string(file).expect("records")
    };
    let alone = text("1");
    assert_eq!(alone, text("3"));
    assert_eq!(alone.matches("[Round ").count(), 6);
    let replayed = json_lines(&["replay", folder.path().join("1.pgn").to_str().expect("UTF-8"), "--json"]);
    assert_eq!(replayed.len(), 6);
}

fn json_lines(args: &[&str]) -> Vec<Value> {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A match that was stopped after some games, or while writing one, ends as if it had not been stopped.
#[test]
fn a_match_is_gone_on_with() {
    let folder = Folder::new("resume");
    let file = folder.path().join("games.pgn");
    let openings = folder.path().join("starts.txt");
    let starts = "# two of them\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n\n4k3/4p3/8/8/8/8/4P3/4KQ2 w - - 0 1\n";
    std::fs::write(&openings, starts).expect("written");
    let (path, starts) = (file.to_str().expect("UTF-8"), openings.to_str().expect("UTF-8"));
    let args = |more: &[&'static str]| {
        let fixed = ["match", "greedy", "random", "dice-chess", "-n", "8", "--seed", "5", "--longest", "60", "--json"];
        let files = ["--records", path, "--openings", starts];
        fixed.into_iter().chain(files).chain(more.iter().copied()).map(String::from).collect::<Vec<_>>()
    };
    let play = |more: &[&'static str]| {
        let args = args(more);
        let mut found = json(&args.iter().map(String::as_str).collect::<Vec<_>>());
        found["ms_per_decision"] = Value::Null;
        found
    };
    let whole = play(&[]);
    let text = std::fs::read_to_string(&file).expect("records");
    let starts: Vec<&str> = text.lines().filter(|line| line.starts_with("[FEN")).collect();
    assert_eq!(starts.len(), 8);
    assert!(starts[0] == starts[1] && starts[1] != starts[2] && starts[2] == starts[3] && starts[0] == starts[4]);
    let places: Vec<usize> = text.match_indices("[Event").map(|(at, _)| at).collect();
    for cut in [0, places[1], places[5], places[5] + 9, text.len() - 30, text.len()] {
        std::fs::write(&file, &text[..cut]).expect("written");
        assert_eq!(play(&["--resume"]), whole, "cut at {cut}");
        assert_eq!(std::fs::read_to_string(&file).expect("records"), text, "cut at {cut}");
    }
    let refused = |args: &[&str], part: &str| {
        let output = run(args);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(part), "{errors}");
        assert_eq!(std::fs::read_to_string(&file).expect("records"), text, "the file is as it was");
    };
    refused(&["match", "greedy", "random", "--records", path], "exists: to continue its match, use --resume");
    refused(
        &["match", "greedy", "random", "--records", path, "--resume"],
        "game 1: it belongs to a different match: Event is",
    );
    let start = ["match", "greedy", "random", "--seed", "5", "--longest", "60", "--records", path, "--resume"];
    refused(&start, "FEN is");
    let begins = openings.to_str().expect("UTF-8");
    let same = ["match", "greedy", "random", "--seed", "5", "--openings", begins, "--records", path, "--resume"];
    refused(&[&same[..], &["--longest", "61"]].concat(), "Longest is 60, not 61");
    refused(&[&same[..], &["--longest", "60", "--time", "1s"]].concat(), "TimeControl is nothing, not 1/1");
    refused(&["match", "greedy", "random", "--openings", path, "xiangqi"], "error");
}

/// A record tells the limits of its game, and whether it has reached one.
#[test]
fn records_tell_their_limits() {
    let folder = Folder::new("limits");
    let record = |name: &str, args: &[&str]| {
        let file = folder.path().join(name);
        let file = file.to_str().expect("UTF-8");
        let output = run(&[&["match"], args, &["chess", "-n", "1", "--longest", "4", "--records", file]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(run(&["replay", file]).status.success());
        std::fs::read_to_string(file).expect("a record")
    };
    let level = record("level.pgn", &["random", "greedy"]);
    assert!(level.contains("[Longest \"4\"]\n") && !level.contains("TimeControl"), "{level}");
    assert!(level.contains("[Result \"*\"]\n") && level.contains("[Termination \"unterminated\"]\n"), "{level}");
    let short = record("short.pgn", &["computer:1", "random", "--time", "20ms"]);
    assert!(short.contains("[TimeControl \"1/0.02\"]\n"), "{short}");
    if has_python() {
        let first = "answer(request, {'move': request['params']['pending']['options'][0]})";
        let bot = script(&folder, "first.py", first);
        let usual = record("usual.pgn", &[&bot, "random"]);
        assert!(usual.contains("[TimeControl \"1/60\"]\n"), "{usual}");
    }
}

/// The ends of recorded games are openings, too.
#[test]
fn records_are_openings() {
    let folder = Folder::new("openings");
    let record = folder.path().join("short.pgn");
    std::fs::write(&record, "[Variant \"chess\"]\n\n1. e4 e5 2. Nf3 *\n\n[Variant \"chess\"]\n\n1. d4 *\n")
        .expect("written");
    let games = folder.path().join("games.pgn");
    let (record, games) = (record.to_str().expect("UTF-8"), games.to_str().expect("UTF-8"));
    let args =
        ["match", "random", "random", "chess", "-n", "4", "--longest", "4", "--openings", record, "--records", games];
    assert!(run(&args).status.success());
    let text = std::fs::read_to_string(games).expect("records");
    assert_eq!(text.matches("[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq").count(), 2, "{text}");
    assert_eq!(text.matches("[FEN \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq").count(), 2, "{text}");
}

/// A program that misbehaves loses the game; the match goes on, and says why.
#[test]
fn programs_that_do_wrong_lose() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("wrong");
    for (name, what, reason) in [
        ("illegal.py", "answer(request, {'move': 'a1a8'})", "it answered {\"move\":\"a1a8\"}: "),
        ("shape.py", "answer(request, 'e2e4')", "expected an event such as"),
        ("garbage.py", "print('I think...', flush=True)", "found 'I think...'"),
        ("unasked.py", "answer({'id': 99}, {})", "expected an answer such as"),
        ("crash.py", "raise ValueError('out of ideas')", "its last output: ValueError: out of ideas"),
        ("silent.py", "time.sleep(60)", "did not answer 'decide' within 0.3 s"),
        ("long.py", "sys.stdout.write('x' * (2 << 20)); sys.stdout.flush()", "more than 1 MiB"),
        (
            "error.py",
            "print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'error': {'code': 1, 'message': 'no \
             idea'}}), flush=True)",
            "answered 'decide' with the error: no idea",
        ),
    ] {
        let bot = script(&folder, name, what);
        let found = json(&["match", "random", &bot, "chess", "-n", "2", "--time", "300ms", "--json"]);
        assert_eq!((found["wins"].as_u64(), found["losses"].as_u64()), (Some(2), Some(0)), "{name}: {found}");
        for game in 0..2 {
            let told = found["forfeits"][game]["reason"].as_str().unwrap_or_default();
            assert!(told.contains(reason), "{name}: {found}");
            assert_eq!(found["forfeits"][game]["player"], bot.as_str());
        }
    }
}

/// Late answers do not count for the next question, and other messages of a program are not taken for answers.
#[test]
fn notifications_are_no_answers() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("talk");
    let talk = "print(json.dumps({'jsonrpc': '2.0', 'method': 'progress', 'params': {}}), flush=True); \
                answer(request, {'move': request['params']['pending']['options'][0]})";
    let bot = script(&folder, "talk.py", talk);
    let file = folder.path().join("games.pgn");
    let file = file.to_str().expect("UTF-8");
    let args = ["match", &bot, "random", "chess", "-n", "2", "--longest", "20", "--records", file, "--json"];
    let found = json(&args);
    assert_eq!(found["forfeits"].as_array().map(Vec::len), Some(0), "{found}");
}

/// A forfeited game is recorded with its result, can be replayed, and counts again.
#[test]
fn forfeited_games_are_recorded() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("forfeit");
    let bot = script(&folder, "wrong.py", "answer(request, {'move': 'a1a8'})");
    let file = folder.path().join("games.pgn");
    let file = file.to_str().expect("UTF-8");
    let args = ["match", "random", &bot, "chess", "-n", "2", "--records", file];
    let text = String::from_utf8(run(&args).stdout).expect("UTF-8");
    assert!(text.contains("2 forfeited by cmd:python3") && text.contains("  game 1: cmd:python3"), "{text}");
    let records = std::fs::read_to_string(file).expect("records");
    assert!(records.contains("[Result \"1-0\"]") && records.contains("[Result \"0-1\"]"), "{records}");
    assert!(records.contains("[Termination \"forfeit by second: it answered"), "{records}");
    assert!(run(&["replay", file]).status.success());
    let again = json(&[&args[..], &["--resume", "--json"]].concat());
    assert_eq!((again["wins"].as_u64(), again["forfeits"].as_array().map(Vec::len)), (Some(2), Some(2)), "{again}");
}

/// Programs that cannot even start are reported before the first game.
#[test]
fn programs_that_cannot_begin() {
    let refused = |bot: &str, part: &str| {
        let output = run(&["match", bot, "random", "chess", "-n", "2"]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(part), "{errors}");
    };
    refused("cmd:", "the name of the program is missing");
    refused("cmd:no-such-program-anywhere", "no-such-program-anywhere: it cannot be started:");
    if has_python() {
        refused("cmd:python3 no-such-bot.py", "it ended (exit status: 2); its last output: ");
    }
}

/// Ctrl-C ends a match with the games played so far, whatever a program is thinking about; the match can be continued.
#[cfg(unix)]
#[test]
fn a_match_is_stopped() {
    use std::io::Read;
    use std::process::Stdio;
    if !has_python() {
        return;
    }
    let folder = Folder::new("stop");
    // The first game is short; in the second one the program thinks for ever.
    let think = "time.sleep(60) if request['params']['pending']['player'] == 'second' else \
                 answer(request, {'move': request['params']['pending']['options'][0]})";
    let bot = script(&folder, "slow.py", think);
    let file = folder.path().join("games.pgn");
    let args = ["match", &bot, "random", "chess", "-n", "4", "--threads", "1", "--longest", "6", "--records"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(args)
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    while !std::fs::read_to_string(&file).is_ok_and(|text| text.contains("[Round \"1\"]") && text.ends_with("\n\n")) {
        assert!(child.try_wait().expect("a process").is_none(), "it is still playing");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(interrupted.success());
    let status = child.wait().expect("it ends");
    let (mut text, mut errors) = (String::new(), String::new());
    child.stdout.take().expect("piped").read_to_string(&mut text).expect("UTF-8");
    child.stderr.take().expect("piped").read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(status.code(), Some(130), "{text}{errors}");
    assert!(text.contains("1 game, seed 1") && errors.contains("stopped after 1 of 4 games"), "{text}{errors}");
}

/// What `docs/players.md` shows is what a program hears.
#[test]
fn the_conversation_of_the_guide() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("talk-guide");
    let log = folder.path().join("heard.txt");
    let text = format!(
        "import json, sys\nlog = open({:?}, 'a')\nfor line in sys.stdin:\n    log.write('-> ' + line)\n    \
         log.flush()\n    request = json.loads(line)\n    if 'id' in request:\n        result = {{}} if \
         request['method'] == 'begin' else {{'move': request['params']['pending']['options'][0]}}\n        \
         answer = json.dumps({{'jsonrpc': '2.0', 'id': request['id'], 'result': result}}, separators=(',', \
         ':'))\n        log.write('<- ' + answer + '\\n')\n        print(answer, flush=True)\n",
        log.display().to_string()
    );
    let bot = folder.path().join("bot.py");
    std::fs::write(&bot, text).expect("written");
    let bot = format!("cmd:python3 '{}'", bot.display());
    json(&[
        "match",
        &bot,
        "random",
        "dice-chess",
        "-n",
        "1",
        "--seed",
        "1",
        "--longest",
        "8",
        "--time",
        "2s",
        "--json",
    ]);
    let heard = std::fs::read_to_string(&log).expect("a log");
    // The first three lines are the trial before the match, in which no decisions.
    let mut heard: Vec<&str> = heard.lines().skip(3).collect();
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/players.md");
    let guide = std::fs::read_to_string(guide).expect("the guide");
    let shown: Vec<&str> = guide.lines().filter(|line| line.starts_with("-> ") || line.starts_with("<- ")).collect();
    assert_eq!(shown.len(), heard.len());
    for (shown, heard) in shown.iter().zip(&mut heard) {
        // Numbers of requests go on from the trial.
        let heard = (1..9)
            .fold(heard.to_string(), |text, id| text.replace(&format!("\"id\":{}", id + 1), &format!("\"id\":{id}")));
        let mut rest = heard.as_str();
        for part in shown.split("...") {
            let at = rest.find(part).unwrap_or_else(|| panic!("shown:\n{shown}\nheard:\n{heard}"));
            rest = &rest[at + part.len()..];
        }
        assert!(rest.is_empty(), "{shown}\n{heard}");
    }
}

/// What the prompt says to some lines.
fn prompt(args: &[&str], lines: &str) -> String {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(["play", "--no-save", "--seed", "1"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    child.stdin.take().expect("piped").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat()
}

#[test]
fn programs_play_at_the_prompt() {
    if !has_python() {
        return;
    }
    let seated = format!("black={}", player());
    let text = prompt(&["chess", "--computer", &seated], "computer\ne4\nundo\ne4\nd4\n");
    assert!(text.contains("White: you.\nBlack: cmd:python3 '"), "{text}");
    assert_eq!(text.matches("Black plays ").count(), 3, "{text}");
    let typed = format!("computer white 2s {}\ncomputer\nd5\ncomputer off\n", player());
    let text = prompt(&["chess"], &typed);
    assert!(text.contains("White plays ") && text.contains("player.py', 2 s per decision.\nBlack: you."), "{text}");
    assert!(text.ends_with("White: you.\nBlack: you.\n"), "{text}");
    let folder = Folder::new("prompt");
    let wrong = script(&folder, "wrong.py", "answer(request, {'move': 'a8a1'})");
    let text = prompt(&["chess", "--computer", &format!("black={wrong}")], "e4\n\ncomputer off\ne5\n");
    assert_eq!(text.matches("wrong.py': it answered {\"move\":\"a8a1\"}: ").count(), 2, "{text}");
    assert!(
        text.contains("Press Enter to ask the program again; to play all sides yourself, type 'computer off'"),
        "{text}"
    );
    assert!(text.contains("Black plays e5."), "{text}");
}

/// Ctrl-C withdraws the question; it does not end the program, which can be asked again.
#[cfg(unix)]
#[test]
fn ctrl_c_is_not_for_the_program() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("ctrl-c");
    // Slow once: what it then says is late, and no answer to the question that comes after it.
    let asked = folder.path().join("asked");
    let slow = format!(
        "late = request['id'] == 2; open({:?}, 'w').close(); time.sleep(1.5 if late else 0); \
         answer(request, {{'move': 'a7a6' if late else 'h7h6'}})",
        asked.display().to_string()
    );
    let bot = script(&folder, "slow.py", &slow);
    let mut terminal = Terminal::start(&["play", "chess", "--computer", &format!("black={bot}")], folder.path(), &[]);
    terminal.at_prompt("White > ");
    terminal.keys("e4\r");
    while !asked.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    terminal.keys("\x03");
    terminal.see("Stopped: the computer made no move for Black.");
    terminal.keys("\r");
    terminal.see("Black plays h6.");
    terminal.keys("quit\r");
    assert!(terminal.ended().success());
}
