//! The program as its users meet it: arguments, standard streams and exit codes.

use crate::common::Folder;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

/// A call of the program, in an environment that is always the same.
fn astragal(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    let state = std::env::temp_dir().join(format!("astragal-state-{}", std::process::id()));
    command.args(args).env_remove("NO_COLOR").env("TERM", "xterm").env("LANG", "C.UTF-8").env("ASTRAGAL_STATE", state);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str]) -> Output {
    astragal(args).output().unwrap()
}

pub fn fed(args: &[&str], input: &[u8]) -> Output {
    let mut child = astragal(args).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// A folder of this test's own, removed at the end.
#[test]
fn without_arguments_it_plays() {
    let output = fed(&[], b"roll 2 3\nNc3\n");
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = out(&output);
    assert!(text.contains("seed ") && text.contains("White plays Nc3.") && !text.contains('\x1b'), "{text}");
    assert!(!text.contains('\u{2654}'), "letters in a pipe: {text}");
}

#[test]
fn a_seed_gives_the_same_game() {
    let game = |seed: &str| out(&fed(&["play", "dice-chess", "--seed", seed], b"r\nr\nr\nhistory\n"));
    assert_eq!(game("11"), game("11"));
    assert_ne!(game("11"), game("12"));
}

#[test]
fn a_refused_line_is_told_on_standard_error() {
    let output = fed(&["play", "chess"], b"e4\nKe3\ne5\n");
    assert_eq!(code(&output), 1);
    assert!(err(&output).starts_with("line 2: "), "{}", err(&output));
    assert!(out(&output).contains("Black plays e5."));
}

#[test]
fn bad_input_has_exit_code_2_and_says_what_is_meant() {
    for (args, part) in [
        (&["play", "xiangqy"][..], "xiangqi"),
        (&["play", "chess", "--set", "stalemat=draw"], "stalemate"),
        (&["play", "chess", "--set", "stalemate=drawn"], "draw, pass, loss"),
        (&["play", "chess", "--set", "stalemate"], "name=value"),
        (&["play", "chess", "--position", "8/8 w"], "8 ranks"),
        (&["play", "chess", "--seed", "x"], "--seed"),
        (&["perft", "chess"], "--depth"),
        (&["perft", "chess", "--depth", "60"], "is too large"),
        (&["perft", "chess", "--depth", "65"], "at most 64"),
        (&["perft", "dice-chess", "--depth", "65", "--turns", "--divide"], "at most 64"),
        (&["odds", "dice-chess", "--move", "e4"], "--roll"),
        (&["odds", "dice-chess", "--roll", "2,7"], "cannot show"),
        (&["odds", "dice-chess", "--roll", "2,3", "--move", "e4"], "Nc3"),
        (&["replay", "/nonexistent.pgn"], "/nonexistent.pgn"),
        (&["check", "/nonexistent.rhai"], "/nonexistent.rhai"),
        (&["new", "No Good"], "lowercase letters"),
        (&["new", "chess"], "'astragal new my-chess --from chess'"),
        (&["new", "dice-chess.rhai", "--from", "xiangqi"], "my-dice-chess"),
        (&["test", "--random", "0"], "--random"),
        (&["serve", "--time", "0"], "--time"),
        (&["plya"], "play"),
        (&["--color", "blue"], "always"),
    ] {
        let output = run(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", err(&output));
        assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
        assert_eq!(out(&output), "", "{args:?}");
    }
}

#[test]
fn lists_are_for_people_and_programs() {
    let text = out(&run(&["list"]));
    assert!(text.contains("\ndice-chess  ") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let long = out(&run(&["list", "--options"]));
    assert!(long.contains("--set doubles=any | same_type"), "{long}");
    let lines = out(&run(&["list", "--json"]));
    let names: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(text.lines().take_while(|line| !line.is_empty()).count(), names.len(), "a line a game");
    let trained: Vec<&str> = text.lines().skip(names.len() + 1).collect();
    assert!(trained.join(" ").contains("The player 'learned' comes with these games"), "{trained:?}");
    for name in ["chess", "xiangqi", "dice-chess", "dicechess-3", "babylonian", "king-for-2", "dice-xiangqi"] {
        assert!(names.iter().any(|n| n == name), "{name}");
    }
}

#[test]
fn perft_counts() {
    assert_eq!(out(&run(&["perft", "chess", "--depth", "3"])), "8902\n");
    assert_eq!(
        out(&run(&["perft", "xiangqi", "--depth", "2", "--json"])),
        "{\"version\":1,\"depth\":2,\"nodes\":1920}\n"
    );
    let divided = out(&run(&["perft", "chess", "--depth", "2", "--divide"]));
    assert_eq!(divided.lines().count(), 21);
    assert!(divided.starts_with("a2a3: 20\n") && divided.ends_with("\n400\n"), "{divided}");
}

/// Without dice, turns are moves. With three dice, the sums agree with another engine's tables (tri-counts.json): each roll
/// counts as often as its faces can be ordered, and lost turns count once.
#[test]
fn turns_are_counted_by_the_rules() {
    assert_eq!(out(&run(&["perft", "chess", "--turns", "--depth", "3"])), "8902\n");
    assert_eq!(out(&run(&["perft", "dicechess-3", "--turns", "--depth", "1"])), "29858\n");
    let divided = out(&run(&["perft", "dicechess-3", "--turns", "--depth", "1", "--divide"]));
    assert!(divided.contains("\n1,2,3: 340\n") && divided.contains("\n3,2,1: 340\n"), "{divided}");
    let one = out(&run(&["turns", "dicechess-3", "--roll", "2,1,3"]));
    assert_eq!(one, "340 turns with up to 3 dice: 124 placements, none wins\n");
    let all = out(&run(&["turns", "dicechess-3"]));
    assert_eq!(all.lines().count(), 56, "{all}");
    assert!(all.contains("  2.78 %  1,2,3  340 turns with up to 3 dice: 124 placements, none wins\n"), "{all}");
    let json = out(&run(&["turns", "dicechess-3", "--roll", "2,1,3", "--json"]));
    assert_eq!(json, "{\"count\":340,\"max_dice\":3,\"placements\":124,\"winning\":0,\"version\":1}\n");
    // The same as the server says.
    let asked = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"turns\",\"params\":{\"variant\":\"dicechess-3\",\"roll\":[2,1,3]}}\n";
    let served = out(&fed(&["serve"], asked.as_bytes()));
    assert!(served.contains("{\"count\":340,\"max_dice\":3,\"placements\":124,\"winning\":0}"), "{served}");
}

/// Two men of backgammon on 24 and 23 and a throw of 2 and 1: seven orders, three positions.
#[test]
fn turns_are_listed_with_what_they_lead_to() {
    let two_men = "10MM2/14/14/14/14/14/14/14/14/14/14/14/14/14/14/14[] w";
    let list = |more: &[&str]| {
        let asked = ["turns", "backgammon", "--position", two_men, "--roll", "2,1", "--list"];
        run(&[&asked[..], more].concat())
    };
    let orders = [
        ("24/22 23/22", "9M2**/9M4"),
        ("24/22 22/21", "8M1M1**/14"),
        ("23/21 24/23", "8M1M1**/14"),
        ("23/21 21/20", "7M3M**/14"),
        ("24/23 23/21", "8M1M1**/14"),
        ("23/22 24/22", "9M2**/9M4"),
        ("23/22 22/20", "7M3M**/14"),
    ];
    let line = |(moves, ranks): &(&str, &str)| format!("{moves}  {ranks}{}[] b - - 2 1\n", "/14".repeat(14));
    let lines = |all: &[(&str, &str)]| all.iter().map(line).collect::<String>();
    assert_eq!(out(&list(&[])), lines(&orders));
    assert_eq!(out(&list(&["--distinct"])), lines(&[orders[0], orders[1], orders[3]]));
    let cut = list(&["--limit", "2"]);
    assert_eq!(out(&cut), lines(&orders[..2]));
    assert_eq!(String::from_utf8_lossy(&cut.stderr), "showing only the first 2; for more, use --limit\n");
    // The same in JSON, and as the server says.
    let (moves, ranks) =
        (r#""moves":["24/22","23/22"],"chance":"1""#, format!("9M2**/9M4{}[] b - - 2 1", "/14".repeat(14)));
    let first = format!("\"listed\":[{{{moves},\"position\":\"{ranks}\"}}],\"more\":true}}");
    assert_eq!(out(&list(&["--limit", "1", "--json"])), format!("{{\"version\":1,{first}\n"));
    let parameters = format!(r#"{{"variant":"backgammon","position":"{two_men}","roll":[2,1],"list":1}}"#);
    let asked = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"turns\",\"params\":{parameters}}}\n");
    let served = out(&fed(&["serve"], asked.as_bytes()));
    assert!(served.contains(&format!(r#""count":7,"max_dice":2,"placements":3,"winning":0,{first}"#)), "{served}");
    // Without a roll all outcomes are gone through; a turn that no move can begin is none.
    let rolled = run(&["turns", "dicechess-3", "--list", "--limit", "1"]);
    assert!(out(&rolled).starts_with("1,1,1 a3 "), "{}", out(&rolled));
    assert_eq!(
        out(&run(&["turns", "dicechess-3", "--roll", "6,6,6", "--list"])),
        "no turn: no move or choice is possible\n"
    );
    assert_eq!(run(&["turns", "dicechess-3", "--limit", "3"]).status.code(), Some(2));
}

#[test]
fn odds_of_choices_and_what_follows() {
    let folder = Folder::new("odds-choices");
    let script = folder.write(
        "bet.rhai",
        "title(\"Bet\"); board(3, 3); piece(\"man\", \"M\", \"K\"); setup(\"m2/3/2M w\");\n\
         fn turn() { let bet = choose(mover(), [\"high\", \"not at all\"]); play(any());\n\
         if bet == \"high\" { if roll(\"1d6\") > 4 { win(mover(), \"bet\"); } else { win(opponent(), \"bet\"); } } }\n",
    );
    let all = out(&run(&["odds", &script]));
    assert_eq!(all, "Not listed: choices with only one possible outcome (2)\n");
    let text = out(&run(&["odds", &script, "--move", "high c1b1"]));
    assert!(text.contains("1/3   33.33 %  win ") && text.contains("2/3   66.67 %  lose"), "{text}");
    let text = out(&run(&["odds", &script, "--move", "not at all c1b1"]));
    assert!(text.starts_with("1  100.00 %  moved"), "{text}");
    let all = out(&run(&["odds", "babylonian", "--move", "Nf3", "--json"]));
    assert!(all.contains("\"effect\":\"moved\""), "{all}");
    // Within a time: all that is exact by then, estimates, or that nothing has been found.
    let all = out(&run(&["odds", &script, "--move", "high c1b1", "--time", "20s"]));
    assert!(all.contains("1/3   33.33 %  win "), "{all}");
    let late = run(&["odds", &script, "--move", "high c1b1", "--time", "0.001ms"]);
    let error = String::from_utf8_lossy(&late.stderr).into_owned();
    assert!(late.status.code() == Some(2) && error.contains("stopped before the first result"), "{error}");
}

/// A man moves, another of the same side is drawn by chance and removed; then there is a choice.
const DRAWN: &str = r#"title("Drawn"); board(4, 4); piece("man", "M", "W"); setup("3m/4/4/MMMM w");
fn turn() {
    let m = play(any());
    let s = draw_from(squares_of(mover(), "man") - m.to);
    if s != () { remove(s); }
    choose(["keep", "swap"]);
}"#;

#[test]
fn squares_that_are_drawn_go_by_name_in_odds() {
    let folder = Folder::new("odds-drawn");
    let script = folder.write("drawn.rhai", DRAWN);
    let by_number = out(&run(&["odds", &script, "--move", "a1a2 2 keep"]));
    assert_eq!(by_number, "1  100.00 %  moved  3m/4/M3/1M1M b - - 0 1\n");
    for mv in ["a1a2 c1 keep", "a1a2 roll c1 keep", "a1a2 roll 2 keep"] {
        let output = run(&["odds", &script, "--move", mv]);
        assert_eq!(out(&output), by_number, "{mv}: {}", err(&output));
    }
    let wrong = run(&["odds", &script, "--move", "a1a2 keep"]);
    let said = "the game is waiting for a roll of draw(1 of 3): expected one of the possible squares (b1, c1, d1), \
         found 'keep'";
    assert!(code(&wrong) == 2 && err(&wrong).contains(said), "{}", err(&wrong));
    let asked = |choices: &str| {
        let params = format!("{{\"variant\":\"drawn.rhai\",\"move\":\"a1a2\",\"choices\":{choices}}}");
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"odds\",\"params\":{params}}}\n");
        out(&fed(&["serve", "--scripts", &folder.0.display().to_string()], line.as_bytes()))
    };
    let answer = asked("[\"c1\",\"keep\"]");
    assert!(
        answer.contains("\"position\":\"3m/4/M3/1M1M b - - 0 1\"") && answer.contains("\"probability\":\"1\""),
        "{answer}"
    );
    assert!(asked("[\"keep\"]").contains(said), "{}", asked("[\"keep\"]"));
    // A turn that begins with a draw.
    let first = DRAWN.replace("    let m = play(any());\n", "").replace(" - m.to", "") + "\n// Draws first.\n";
    let script = folder.write("first.rhai", &first);
    for args in [&["--roll", "c1", "--move", "keep"][..], &["--move", "c1 keep"], &["--move", "roll c1 keep"]] {
        let output = run(&[&["odds", &script], args].concat());
        assert_eq!(out(&output), "1  100.00 %  moved  3m/4/4/MM1M b - - 0 1\n", "{args:?}: {}", err(&output));
    }
    let turns = out(&run(&["turns", &script]));
    assert!(turns.contains("1/4   25.00 %  c1  2 turns: 1 placement, none wins\n"), "{turns}");
    assert_eq!(code(&run(&["odds", &script, "--roll", "a4"])), 2);
}

#[test]
fn rolls_within_a_turn_are_counted_as_turns() {
    let folder = Folder::new("turns-rolls");
    let again = |rule: &str| {
        let text =
            "title(\"Again\"); board(3, 3); piece(\"man\", \"M\", \"W\"); setup(\"m2/3/2M w\");\n".to_owned() + rule;
        folder.write("again.rhai", &text)
    };
    // Two moves, after each of which the turn ends, or has three more: from b1 and from c2, both to c1 or b2.
    let script = again("fn turn() { play(any()); if roll(\"1d2\") == 2 { play(any()); } }");
    assert_eq!(out(&run(&["turns", &script])), "8 turns: 6 placements, none wins\n");
    assert_eq!(out(&run(&["perft", &script, "--turns", "--depth", "1"])), "8\n");
    // More than can be looked at is refused.
    let script = again("fn turn() { play(any()); roll(\"7d6\"); }");
    let output = run(&["turns", &script]);
    assert!(code(&output) == 2 && err(&output).contains("too many to list"), "{}", err(&output));
    // A turn without end has ever more sequences.
    let script = again("fn turn() { loop { play(any()); } }");
    let output = run(&["turns", &script]);
    assert!(code(&output) == 2 && err(&output).contains("too many sequences to count"), "{}", err(&output));
}

#[test]
fn odds_are_exact() {
    let text = out(&run(&["odds", "dice-chess"]));
    let expected =
        "Next roll: 2d6\n1/3   33.33 %  turn lost\n4/9   44.44 %  pawn can move\n4/9   44.44 %  knight can move\n";
    assert_eq!(text, expected);
    let position = "4k3/8/8/3r4/4P3/8/8/4K3 w - -";
    let text = out(&run(&["odds", "babylonian", "--position", position, "--move", "exd5"]));
    let chances: Vec<&str> = text.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(chances.len(), 3, "{text}");
    assert!(["3/16", "1/8", "11/16"].iter().all(|chance| chances.contains(chance)), "{text}");
    let json = out(&run(&["odds", "babylonian", "--position", position, "--move", "e4d5", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["outcomes"].as_array().map(Vec::len), Some(3));
    assert!(out(&run(&["odds", "dice-chess", "--roll", "3,4"])).contains("lost"));
    let all = out(&run(&["odds", "babylonian", "--position", position]));
    assert!(all.contains("exd5: ") && all.contains("\nNot listed: moves with only one possible outcome ("), "{all}");
}

#[test]
fn records_are_verified() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/games/dice-chess-sample.pgn");
    let output = run(&["replay", sample]);
    assert_eq!(code(&output), 0, "{}", out(&output));
    assert!(out(&output).contains("White wins: checkmate."), "{}", out(&output));
    let folder = Folder::new("replay");
    let text = fs::read_to_string(sample).unwrap();
    let bad = folder.write("bad.pgn", &text.replace("Bc4", "Bc5"));
    let output = run(&["replay", &bad]);
    assert_eq!(code(&output), 1);
    let said = out(&output);
    assert!(said.contains("event 6 (line 12, column 18), 'Bc5'") && said.contains("f1c4"), "{said}");
    let json: serde_json::Value = serde_json::from_str(&out(&run(&["replay", "--json", &bad]))).unwrap();
    assert_eq!((&json["ok"], &json["event"], &json["line"]), (&false.into(), &6.into(), &12.into()));
    for (from, to, part) in [
        ("1-0\n", "0-1\n", "1-0"),
        ("4,5]} Rb8", "4,5]} --", "passing is not legal here"),
        ("[%roll 3,4]", "[%roll 3,7]", "cannot show"),
        ("[%roll 3,4]", "[%roll x]", "faces"),
        ("\"dice-chess\"", "\"dice-ches\"", "dice-chess"),
        ("[Variant \"dice-chess\"]\n", "", "[Variant"),
        ("[Variant", "[Options \"a\"]\n[Variant", "name=value"),
        ("[Variant", "[FEN \"8/8\"]\n[Variant", "[FEN"),
        ("[Variant", "[Seed \"many\"]\n[Variant", "whole number"),
        ("1. {", "1. } {", "PGN"),
    ] {
        let text = text.replace(from, to);
        let output = run(&["replay", &folder.write("broken.pgn", &text)]);
        assert_eq!(code(&output), 1, "{from} -> {to}: {}", out(&output));
        assert!(out(&output).contains(part), "{from} -> {to}: {}", out(&output));
    }
    let output = fed(&["replay", "-"], b"");
    assert_eq!((code(&output), out(&output).contains("no game")), (1, true));
    fs::write(folder.0.join("bytes.pgn"), b"\xff\xfe").unwrap();
    assert_eq!(code(&run(&["replay", &folder.0.join("bytes.pgn").display().to_string()])), 2);
}

#[test]
fn a_variant_of_ones_own() {
    let folder = Folder::new("new");
    let inside = |args: &[&str]| astragal(args).current_dir(&folder.0).output().unwrap();
    let output = inside(&["new", "my-game", "--from", "dice-chess"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(fs::read_to_string(folder.0.join("my-game.rhai")).unwrap().contains("title(\"My Game\");"));
    assert_eq!(code(&inside(&["check", "my-game.rhai"])), 0);
    assert!(out(&inside(&["odds", "my-game.rhai"])).contains("1/3"));
    assert_eq!(code(&inside(&["new", "my-game"])), 2, "it is not overwritten");
    let mut play = astragal(&["play", "my-game.rhai"]);
    let mut child = play.current_dir(&folder.0).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"roll 2 3\nNc3\nsave game.pgn\n").unwrap();
    assert!(out(&child.wait_with_output().unwrap()).contains("My Game (my-game)"));
    assert_eq!(code(&inside(&["replay", "game.pgn"])), 0);
}

#[test]
fn a_misspelt_name_is_told_alike_by_whoever_loads_the_script() {
    let folder = Folder::new("misspelt");
    let script = "board(3, 3);\npiece(\"man\", \"M\", \"K\");\nsetpu(\"3/3/M2 w\");\nfn turn() { play(any()); }\n";
    let path = folder.write("misspelt.rhai", script);
    folder.write("misspelt.game", "variant: misspelt.rhai\n\nmoves\n");
    let said = format!(
        "error[unknown-name]: there is no function called `setpu`\n --> {path}:3:1\n  |\n3 | setpu(\"3/3/M2 \
         w\");\n  | ^^^^^\n  |\n  = help: did you mean `setup`?\n"
    );
    let checked = run(&["check", &path]);
    assert!(format!("{}{}", out(&checked), err(&checked)).contains(&said), "{}{}", out(&checked), err(&checked));
    let game = folder.0.join("misspelt.game").display().to_string();
    for args in [&["play", &path][..], &["rules", &path], &["board", &path], &["test", &game]] {
        let output = run(args);
        let text = format!("{}{}", out(&output), err(&output));
        assert!(text.contains(&said), "{args:?}: {text}");
    }
    let request = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"moves\",\"params\":{\"variant\":\"misspelt.rhai\"}}\n";
    let answer = out(&fed(&["serve", "--scripts", &folder.0.display().to_string()], request.as_bytes()));
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let error = &answer["error"];
    assert!(
        error["message"].as_str().is_some_and(|text| text.contains("there is no function called `setpu`")),
        "{error}"
    );
    assert_eq!(error["data"]["help"], "did you mean `setup`?", "{error}");
    assert_eq!((&error["data"]["line"], &error["data"]["column"]), (&3.into(), &1.into()), "{error}");
}

/// When a rule fails during a game, every command that runs it reports the line, the caret under it, the calls and the
/// advice; if it fails in a base, the line of the script comes first.
#[test]
fn a_rule_that_fails_is_told_alike_by_whoever_runs_it() {
    let folder = Folder::new("fails");
    let script = "import \"chess\" as chess;\nconst PIECE = [\"pawn\", \"knight\"];\nchess::setup();\nroyals(\"capturable\");\n\
                  fn outcome() { if !has(opponent(), \"king\") { win(mover()); } }\n\
                  fn turn() { let die = roll(\"1d6\"); play(named(die)); }\nfn named(die) { pieces(PIECE[die - 1]) }\n";
    let path = folder.write("fails.rhai", script);
    let game = folder.write("fails-a.game", "variant: fails.rhai\n\nroll 6\n");
    let inside = |args: &[&str], input: &str| {
        let mut child = astragal(args).current_dir(&folder.0).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        format!("{}{}", out(&output), err(&output))
    };
    let said = ["PIECE[die - 1]", "^^^", "`named` is called here", "= help: entries are numbered from 0"];
    assert!(inside(&["new", "other", "--from", &path], "").contains("other.rhai"));
    for (args, input) in [
        (&["play", &path][..], "roll 6\n"),
        (&["test", &game], ""),
        (&["simulate", &path, "-n", "20", "--seed", "1"], ""),
        (&["turns", &path, "--roll", "6"], ""),
        (&["odds", &path], ""),
        (&["play", "other.rhai"], "roll 6\n"),
    ] {
        let text = inside(args, input);
        assert!(said.iter().all(|part| text.contains(part)), "{args:?}: {text}");
    }
    // The rulebook has no example then, and says why: in the words of `check`.
    let checked = out(&run(&["check", &path]));
    let (found, _) = checked.trim_end().rsplit_once('\n').unwrap();
    // Warnings and notes follow the errors.
    let errors = found[found.find("error[").unwrap()..].split("\nnote[").next().unwrap_or_default();
    let told = run(&["rules", &path]);
    assert_eq!(code(&told), 1);
    assert!(out(&told).contains("Pieces\n------") && !out(&told).contains("An example"), "{}", out(&told));
    assert!(err(&told).contains(errors.trim_end()), "{}\n---\n{errors}", err(&told));
    let request = |params: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"moves\",\"params\":{params}}}\n");
    let served = |params: &str| -> serde_json::Value {
        let text = inside(&["serve", "--scripts", "."], &request(params));
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["error"]["data"].clone()
    };
    let data = served(r#"{"variant": "fails.rhai", "roll": [6]}"#);
    assert_eq!((&data["file"], &data["line"]), (&"fails.rhai".into(), &7.into()), "{data}");
    let rendered = data["rendered"].as_str().unwrap_or_default();
    assert!(said.iter().all(|part| rendered.contains(part)), "{data}");

    let of_base = "import \"chess\" as chess;\nchess::setup();\n\
                   fn outcome() { if between_turns() { chess::mate_or_draw(); } }\nfn turn() { play(any()) }\n";
    let path = folder.write("base.rhai", of_base);
    for (args, input) in
        [(&["check", &path][..], ""), (&["play", &path], "e4\n"), (&["simulate", &path, "-n", "1"], "")]
    {
        let text = inside(args, input);
        let own = text.find("base.rhai:3:").unwrap_or_else(|| panic!("{args:?}: {text}"));
        assert!(text.find("this happens in chess.rhai, line ").is_some_and(|base| own < base), "{args:?}: {text}");
    }
    let data = served(r#"{"variant": "base.rhai"}"#);
    assert_eq!((&data["file"], &data["line"]), (&"base.rhai".into(), &3.into()), "{data}");
}

/// The prompt reports an edit that cannot be used with everything that `check` prints: the same lines, carets, words and
/// advice.
#[test]
fn a_broken_edit_is_told_at_the_prompt_as_check_tells_it() {
    let good = "import \"chess\" as chess;\ntitle(\"Own\");\nchess::setup();\nfn turn() {\n    let die = roll(\"1d6\");\n    \
                play(if die <= 3 { pieces(\"pawn\") } else { pieces(\"knight\") })\n}\n\
                fn outcome() { if between_turns() && !can_move(to_move()) { draw(\"nobody can move\"); } }\n";
    let folder = Folder::new("reload");
    for (edits, errors, warnings) in [
        // Cannot be read, in two places.
        (&[("1d6\");", "1d6\")"), ("title(\"Own\");", "title('Own');")][..], 2, 0),
        // Cannot be loaded, and is wrong in a rule as well.
        (&[("title(", "titel("), ("draw(", "drw("), ("roll(", "rol(")], 3, 0),
        // Can be loaded, but rules are wrong; and a warning.
        (&[("\"pawn\"", "\"pwan\""), ("draw(", "drw("), ("play(if", "if die > 9 { again(); } play(if")], 2, 1),
        // Fails in a trial game alone.
        (&[("    play(if", "    let more = [any()]; if round() > 1 { more.clear(); } play(more[0]); play(if")], 1, 0),
    ] {
        let path = folder.write("reload.rhai", good);
        let mut child = astragal(&["play", &path]).stdin(Stdio::piped()).spawn().unwrap();
        let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut lines = BufReader::new(output).lines().map(Result::unwrap);
        assert!(lines.any(|line| line == "White to roll 1d6."));
        let edited = edits.iter().fold(good.to_string(), |text, (old, new)| {
            assert!(text.contains(old), "{old}");
            text.replace(old, new)
        });
        folder.write("reload.rhai", &edited);
        let checked = out(&run(&["check", &path]));
        let (said, counts) = checked.trim_end().rsplit_once('\n').unwrap();
        let count = |word: &str| said.lines().filter(|line| line.starts_with(word)).count();
        assert_eq!((count("error["), count("warning[")), (errors, warnings), "{counts}\n{said}");
        writeln!(input, "fen").unwrap();
        drop(input);
        let rest = lines.collect::<Vec<_>>().join("\n");
        let told = "reload.rhai has changed but cannot be used. The old rules still apply.\n";
        let (_, told) = rest.split_once(told).unwrap_or_else(|| panic!("{rest}"));
        assert!(told.starts_with(said), "{told}\n---\n{said}");
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn broken_scripts_are_shown_with_their_place() {
    let folder = Folder::new("check");
    let script = folder.write("bad.rhai", "title(\"Bad\");\nfn turn( { play(any()) }\n");
    let output = run(&["check", &script]);
    assert_eq!(code(&output), 1);
    let text = out(&output);
    assert!(text.contains("bad.rhai:2:") && text.contains('^') && !text.contains('\x1b'), "{text}");
    assert!(out(&run(&["check", "--color", "always", &script])).contains('\x1b'));
    let json = out(&run(&["check", "--json", &script]));
    let json: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&json["severity"], &json["line"]), (&"error".into(), &2.into()));
    assert_eq!(code(&run(&["play", &script])), 2);
}

#[test]
fn colors_are_asked_for_or_not() {
    let colored = |args: &[&str]| out(&fed(args, b"")).contains('\x1b');
    assert!(colored(&["play", "chess", "--color", "always"]));
    assert!(!colored(&["play", "chess", "--color", "never"]));
    assert!(!colored(&["play", "chess"]));
    let board = out(&fed(&["play", "chess", "--board", "unicode"], b""));
    assert!(board.contains('\u{2654}') && board.contains('\u{265a}'), "{board}");
}

#[test]
fn boards_of_every_shape_look_right() {
    let folder = Folder::new("shapes");
    let script = "title(\"Shape\"); board(16, 12, #{ wrap: \"files\", holes: \"a1-c2 h6-i7 p12\" }); \
         sides([\"Red\", \"Blue\"]);\npiece(\"king\", \"K\", \"K\", #{ royal: true }); piece(\"prince\", \
         \"+K\", \"W\");\nsetup(\"14k*/16/16/+k15/16/7**7/7**7/7K8/16/16/***13/***K12 w\");\n";
    let rows = |text: &str| -> String { text.lines().map(|line| format!("{line}|\n")).collect() };
    let shape = folder.write("shape.rhai", script);
    let drawn = run(&["board", &shape]);
    assert_eq!(code(&drawn), 0, "{}", err(&drawn));
    insta::assert_snapshot!("shape_holes", rows(&out(&drawn)));
    insta::assert_snapshot!("shape_hexagons", rows(&out(&run(&["board", "dice-wars"]))));
    insta::assert_snapshot!("shape_points", rows(&out(&run(&["board", "xiangqi", "--flip", "--board", "unicode"]))));
    insta::assert_snapshot!("shape_signs_and_bars", rows(&out(&run(&["board", "backgammon"]))));
    insta::assert_snapshot!("shape_four_sides", rows(&out(&run(&["board", "four-seasons"]))));
}

#[test]
fn boards_are_drawn_as_text_and_as_pictures() {
    let position = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let text = out(&run(&["board", "chess", "--position", position]));
    assert!(text.contains("5 . . . p . . . .\n4 . . . . P . . .\n"), "{text}");
    let flipped = out(&run(&["board", "chess", "--flip", "--board", "unicode"]));
    assert!(flipped.starts_with("1 ♖ ♘ ♗ ♔"), "{flipped}");
    assert_eq!(code(&run(&["board", "chess", "--position", "8/8"])), 2);
    let folder = Folder::new("svg");
    let names: Vec<String> = out(&run(&["list", "--json"]))
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["name"].as_str().unwrap().to_owned())
        .collect();
    for name in &names {
        for letters in [&["--board", "letters"][..], &[]] {
            let picture = out(&run(&[&["board", name, "--svg"], letters].concat()));
            let read =
                roxmltree::Document::parse(&picture).unwrap_or_else(|error| panic!("{name}: {error}\n{picture}"));
            assert_eq!(read.root_element().tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
            assert!(!picture.contains("href") && !picture.contains("url("), "nothing from outside");
        }
    }
    let file = folder.0.join("board.svg").display().to_string();
    assert_eq!(code(&run(&["board", "chess", "--svg", &file])), 0);
    let picture = fs::read_to_string(&file).unwrap();
    let read = roxmltree::Document::parse(&picture).unwrap();
    let count = |tag: &str| read.descendants().filter(|node| node.tag_name().name() == tag).count();
    // The ground and 64 squares; 16 names; of each of 32 men the outline and the lines within: no font is needed for them.
    assert_eq!((count("rect"), count("text"), count("path")), (65, 16, 64));
    // From the prompt: the same picture, and no file is replaced unasked.
    let output = fed(&["play", "chess", "--board", "unicode"], format!("svg {file}\nsvg! {file}\n").as_bytes());
    assert!(err(&output).contains("svg! "), "{}", err(&output));
    let again = fs::read_to_string(&file).unwrap();
    assert_eq!(again.matches("<rect").count(), 65);
    let xiangqi = out(&run(&["board", "xiangqi", "--svg"]));
    let read = roxmltree::Document::parse(&xiangqi).unwrap();
    let path = read.descendants().find(|node| node.tag_name().name() == "path").unwrap().attribute("d").unwrap();
    // Ten ranks of eight lines; nine files of nine, of which seven are interrupted; two palaces.
    assert_eq!((path.matches('h').count(), path.matches('v').count(), path.matches('l').count()), (80, 74, 4));
}

/// Hands, numbers of pieces, and dice are parts of a picture. Characters are drawn as lines, so that no font is needed.
#[test]
fn pictures_show_all_of_a_position() {
    let folder = Folder::new("pictures");
    let script = folder.write(
        "own.rhai",
        "title(\"Own\"); hands(); board(3, 3); piece_trait(\"strength\", 1);\n\
         piece(\"man\", \"M\", \"K\"); piece(\"rare\", \"X\", \"K\", #{ glyphs: [\"\u{9f98}\", \"\u{9f98}\"] });\n\
         setup(\"m1x/3/1M1[MMm] w\");\n\
         fn turn() { add(squares(\"b1\"), \"strength\", 6); play_each([3, 5], |die| any(), #{ spend: \"all\" }) }\n",
    );
    let picture = out(&run(&["board", &script, "--svg"]));
    let read = roxmltree::Document::parse(&picture).unwrap_or_else(|error| panic!("{error}\n{picture}"));
    let written = read.descendants().filter(|node| ["text", "title"].contains(&node.tag_name().name()));
    let texts: Vec<&str> = written.filter_map(|node| node.text()).collect();
    for text in ["White holds", "Black holds", "\u{d7}2", "Dice left", "3", "5", "7", "x", "\u{9f98}"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
    assert!(picture.contains("<title>strength 7</title>"), "{picture}");
    let xiangqi = out(&run(&["board", "xiangqi", "--svg"]));
    let read = roxmltree::Document::parse(&xiangqi).unwrap();
    let text = read.descendants().filter(|node| node.tag_name().name() == "text").filter_map(|node| node.text());
    assert!(text.clone().count() > 0 && text.flat_map(str::chars).all(|c| c.is_ascii()), "{xiangqi}");
    let drawn = read.descendants().filter(|node| node.attribute("stroke-linecap") == Some("round")).count();
    assert_eq!(drawn, 36, "each piece, and the four characters of the river, are drawn as lines");
}

#[test]
fn whoever_stops_reading_is_no_error() {
    let mut child = astragal(&["list"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), err(&output).as_str()), (0, ""));
}

#[test]
fn help_and_generated_files() {
    for args in [&["--help"][..], &["-h"], &["play", "--help"], &["--version"]] {
        let output = run(args);
        assert_eq!(code(&output), 0);
        assert!(out(&output).len() > 10);
    }
    for (what, part) in
        [("man", ".TH"), ("complete-bash", "_astragal"), ("complete-zsh", "#compdef"), ("complete-fish", "complete -c")]
    {
        assert!(out(&run(&["--generate", what])).contains(part), "{what}");
    }
    let folder = Folder::new("man");
    let into = folder.0.display().to_string();
    assert_eq!(code(&run(&["--generate", "man", "--into", &into])), 0);
    let page = |name: &str| std::fs::read_to_string(folder.0.join(name)).expect("a page");
    assert!(page("astragal.1").contains("match") && page("astragal-match.1").contains("openings"));
    assert_eq!(code(&run(&["--generate", "complete-zsh", "--into", &into])), 2);
}

#[test]
fn the_server_answers_each_line_at_once_and_goes_on() {
    let mut child = astragal(&["serve"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |line: &[u8]| -> serde_json::Value {
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
        serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap()
    };
    let good = br#"{"jsonrpc":"2.0","id":1,"method":"moves","params":{"variant":"dice-chess","position":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","roll":[2,3],"options":{}}}"#;
    for bad in [&b"{"[..], b"\xff", b"[]", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"odds\"}", b"null"] {
        assert!(ask(bad)["error"]["code"].is_i64());
        assert_eq!(ask(good)["result"]["moves"], serde_json::json!(["b1a3", "b1c3", "g1f3", "g1h3"]));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn matches_are_counted_and_can_be_had_again() {
    let args = ["match", "greedy", "random", "dice-chess", "-n", "4", "--seed", "3", "--json"];
    let read = || -> serde_json::Value { serde_json::from_str(&out(&run(&args))).unwrap() };
    let (first, again) = (read(), read());
    let of = |name: &str| first[name].as_u64().unwrap();
    assert_eq!(of("wins") + of("draws") + of("losses") + of("cut"), 4, "{first}");
    assert_eq!((of("games"), &first["players"][0]), (4, &"greedy".into()));
    let low = first["wins_interval"][0].as_f64().unwrap();
    assert!(low < of("wins") as f64 / 4.0 || of("wins") == 0, "{first}");
    for same in ["wins", "draws", "losses", "cut", "events"] {
        assert_eq!(first[same], again[same], "{same}");
    }
    let text = out(&run(&["match", "random", "random", "dice-chess", "-n", "2", "--longest", "10"]));
    assert!(
        text.contains("2 stopped after 10 events: no result") && text.contains("95 % confidence interval"),
        "{text}"
    );
}

/// All of the report but the time that decisions took.
#[test]
fn a_match_is_the_same_on_any_number_of_threads() {
    let report = |threads: &str| -> serde_json::Value {
        let args = ["match", "greedy", "random", "babylonian", "-n", "12", "--seed", "5", "--longest", "60", "--json"];
        let mut report: serde_json::Value =
            serde_json::from_str(&out(&run(&[&args[..], &["--threads", threads]].concat()))).unwrap();
        assert!(report["ms_per_decision"].take().is_array(), "{report}");
        report
    };
    let alone = report("1");
    assert!(alone["events"].as_u64().is_some_and(|events| events > 100) && alone["games"] == 12, "{alone}");
    assert_eq!(alone, report("2"));
    assert_eq!(alone, report("5"));
}

#[test]
fn matches_that_cannot_be_are_refused() {
    for (args, part) in [
        (&["match", "gredy", "random"][..], "'greedy'"),
        (&["match", "computer:9", "random"], "from 1 to 8"),
        (&["match", "random", "random", "no-such-game"], "no-such-game"),
        (&["match", "random", "random", "-n", "0"], "at least one"),
        (&["match", "random", "random", "--time", "soon"], "2s"),
        (&["match", "random", "random", "--position", "8/8"], "error"),
        (&["play", "--computer", "green=3"], "green"),
        (&["play", "--computer", "black=3", "--time", "0s"], "0s"),
    ] {
        let output = run(args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
    }
}

#[test]
fn the_computer_plays_when_asked_on_the_command_line() {
    let text = out(&fed(&["play", "dice-chess", "--seed", "6", "--computer", "black=1"], b"roll 1 1\ne4\n"));
    assert!(text.contains("White plays e4.") && text.contains("Roll of 2d6"), "{text}");
    assert!(text.ends_with("White to roll 2d6.\n"), "{text}");
}

/// A profile without its times: the words before a unit of time are dropped.
fn without_times(text: &str) -> String {
    let line = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        while let Some(at) = words.iter().position(|word| ["ns", "us", "ms"].contains(word)) {
            words.splice(at - 1..=at, ["<time>"]);
        }
        words.join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_profile_tells_what_each_rule_costs() {
    let folder = Folder::new("profile");
    // One man that may go one step: two rules, each of which asks one question with two answers.
    let script = folder.write(
        "walk.rhai",
        "board(1, 6);\nsides([\"White\", \"Black\"]);\npiece(\"man\", \"M\", \"fmW\");\n\
         setup(\"m/1/1/1/1/M w - - 0 1\");\nfn turn() { if has(mover(), \"man\") { play(any()); } }\n\
         fn outcome() { if !can_move(to_move()) { win(mover(), \"stuck\"); } }\n",
    );
    let output = run(&["check", &script, "--profile"]);
    let text = without_times(&out(&output).replace(&script, "walk.rhai"));
    assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{text}");
    // Four ranks lie between the men; each of the 60 games has the same four moves.
    assert!(text.contains("60 random games, 240 moves and choices"), "{text}");
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("<time>")).collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(rows[0].starts_with("240 ") && rows[0].ends_with("<time> turn"), "{text}");
    assert!(rows[1].ends_with("<time> outcome"), "{text}");
    assert!(!text.contains("keeps growing") && text.contains("Total size of all trees: "), "{text}");
    let sum: usize = rows.iter().map(|row| row.split_whitespace().nth(3).unwrap().parse::<usize>().unwrap()).sum();
    assert!(text.contains(&format!("Total size of all trees: {:.1} KiB.", sum as f64 / 1024.0)), "{sum} bytes: {text}");
    let output = run(&["check", &script, "--profile", "--json"]);
    let lines = out(&output);
    let lines: String =
        lines.lines().filter(|line| !line.contains("\"severity\"")).map(|line| format!("{line}\n")).collect();
    let rules: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rules.iter().map(|rule| rule["rule"].as_str().unwrap()).collect::<Vec<_>>(), ["turn", "outcome"]);
    assert!(rules.iter().all(|rule| rule["growth"].is_null() && rule["plies"] == 240), "{lines}");
}

/// The 6^16 outcomes are neither counted one by one nor stored, and no game waits for them.
#[test]
fn many_dice_are_no_burden() {
    let folder = Folder::new("many-dice");
    let script = |name: &str, turn: &str| {
        let board = "board(3, 3); sides([\"White\", \"Black\"]); piece(\"man\", \"M\", \"W\"); setup(\"m2/3/2M w\");";
        folder.write(name, &format!("{board}\nfn turn() {{ {turn} }}\nfn outcome() {{}}\n"))
    };
    let unseen =
        script("unseen.rhai", "if cast(\"16d6\").total > 50 { win(mover(), \"more\") } else { draw(\"less\") }");
    let begun = std::time::Instant::now();
    let output = run(&["test", &unseen, "--random", "20"]);
    assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{}", out(&output));
    let output = run(&["odds", &unseen]);
    assert!(out(&output).contains("game over") && !out(&output).contains("estimated"), "{}", out(&output));
    // Of twelve dice, only the sum: 240 sums at most after each, not 20^12 outcomes. Counted by another program.
    let sum =
        "let sum = 0; for i in 0..12 { sum += roll(\"1d20\"); } label(if sum > 130 { \"more\" } else { \"less\" });";
    let output = run(&["odds", &script("sum.rhai", sum)]);
    assert!(out(&output).contains("1318275654059/3200000000000   41.20 %  more"), "{}", out(&output));
    // The script keeps every face: what they lead to is drawn by chance, and said to be.
    let keep =
        "let all = []; for i in 0..12 { all.push(roll(\"1d20\")); } let sum = 0; for face in all { sum += face; }";
    let seen = script("seen.rhai", &format!("{keep} label(if sum > 130 {{ \"more\" }} else {{ \"less\" }});"));
    let output = run(&["odds", &seen]);
    assert!(out(&output).contains("estimated") && out(&output).contains(" %  more"), "{}", out(&output));
    let output = run(&["odds", &seen, "--json"]);
    let roll: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    assert!(roll["samples"].as_u64().is_some_and(|samples| samples >= 1000), "{roll}");
    // Ties are rolled again: 15 of 48 pairs win, 6 tie.
    let ties = script(
        "ties.rhai",
        "loop { let a = roll(\"1d6\"); let b = roll(\"1d8\"); if a > b { label(\"more\"); break; }
         if b > a { label(\"less\"); break; } }",
    );
    let output = run(&["odds", &ties]);
    let text = out(&output);
    assert!(text.contains("5/14   35.71 %  more") && text.contains("9/14   64.29 %  less"), "{text}");
    // Minutes, if they were: how long it takes is a matter of the machine and of what else it does.
    assert!(begun.elapsed() < std::time::Duration::from_secs(120), "{:?}", begun.elapsed());
}

/// Runs the program through a shell, which sets up its streams and limits.
fn shell(before: &str, args: &str, after: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_astragal");
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{before} exec '{program}' {args} {after}")]);
    command.env("ASTRAGAL_STATE", std::env::temp_dir().join("astragal-shell-state")).stdin(Stdio::null());
    command.output().unwrap()
}

#[cfg(unix)]
#[test]
fn what_cannot_be_printed_is_an_error() {
    for (args, after, why) in [
        ("list", ">&-", "closed"),
        ("list --json", ">&-", "closed"),
        ("list", ">/dev/full", "space"),
        ("play chess --no-save", ">/dev/full", "space"),
        ("play chess --no-save", ">&-", "closed"),
        ("reference", ">/dev/full", "space"),
    ] {
        let output = shell("", args, after);
        assert_eq!(code(&output), 2, "{args} {after}: {}", err(&output));
        let said = err(&output);
        assert!(
            said.starts_with("error: cannot write to standard output: ") && said.contains(why),
            "{args} {after}: {said}"
        );
    }
    assert_eq!(code(&shell("", "list", ">/dev/null")), 0);
    assert_eq!(code(&shell("", "list", "1<>/dev/null")), 0, "somebody who wants nothing to read");
}

#[test]
fn whoever_waits_for_the_greeting_gets_it() {
    let mut child = astragal(&["play", "chess", "--seed", "1", "--no-save"]).stdin(Stdio::piped()).spawn().unwrap();
    let output = child.stdout.take().unwrap();
    let (said, heard) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).for_each(|line| drop(said.send(line)));
    });
    let mut greeting = String::new();
    while !greeting.contains("White to move") {
        greeting +=
            &heard.recv_timeout(std::time::Duration::from_secs(120)).expect("a greeting, though nothing is typed");
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    reader.join().unwrap();
}

/// Everything that a script can say, with characters that control a terminal.
const STEERING: &str = "//! Steer\x1b[2Jing \u{202e}gnireets\n\
    title(\"T\\x1b]0;x\\x07\\x1b[2J\\x1b[35m\\u009b\\u202e\"); board(2, 3); sides([\"Wh\\x1b[35mite\", \"Bl\\x1b[2Jack\"]);\n\
    piece(\"man\", \"M\", \"W\"); setup(\"m1/2/1M w\");\n\
    option(\"how\", [\"a\\x1b[35m\", \"b\"], \"Why\\x1b[2J\\x1b[35m\");\n\
    fn turn() { choose([\"one\\x1b[35m\\x1b[2J\", \"two\"]); label(\"L\\x1b[35m\\x1b[2J\"); play(any()); }\n\
    fn outcome() { if clock_reached(2) { win(mover(), \"R\\x1b[35m\\x1b[2J\\r\"); } }\n";

#[test]
fn no_text_of_a_script_steers_a_terminal() {
    let folder = Folder::new("steering");
    let script = folder.write("steering.rhai", STEERING);
    let broken = folder.write("broken.rhai", "title(\"x\"); /* \x1b[2J\x1b[35m\u{9b}\u{202e} */ peice(\"y\");\n");
    let test =
        folder.write("steering.game", "title: T\x1b[35m\x1b[2J\nvariant: steering.rhai\nchoose two # \x1b[2J\nb1b2\n");
    let record = folder
        .write("bad.pgn", "[Variant \"chess\"]\n[White \"W\x1b[35m\x1b[2J\"]\n\n1. {[%roll \x1b[35m\x1b[2J]} e4 *\n");
    let games = folder.write("games.pgn", "[White \"W\x1b[35m\x1b[2J\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n");
    let position = "m1/2/1\x1b[35m\x1b[2J w";
    let lines = format!(
        "moves\noptions\nrules\nchoose x\x1b[35m\nchoose two\nb1b2\nhistory\nodds\nhint\nwhy b2b3\nask \
         \"\\x1b[35m\\x1b[2J\"\nchoose one\\x1b[35m\\x1b[2J\na3b3\nstate\nsave {0}\nload {0}\nload \
         {games}\nposition {position}\n\x1b[35mx\n",
        folder.0.join("saved.pgn").display()
    );
    for color in ["never", "always"] {
        let base = ["--color", color];
        let saved = folder.0.join("saved.pgn").display().to_string();
        let outputs = [
            fed(&[&["play", &script][..], &base].concat(), lines.as_bytes()),
            run(&[&["check", &script, &broken][..], &base].concat()),
            run(&[&["check", "--json", &broken][..], &base].concat()),
            run(&[&["rules", &script][..], &base].concat()),
            run(&[&["board", &script][..], &base].concat()),
            run(&[&["play", &broken][..], &base].concat()),
            run(&[&["play", "\x1b[35m\x1b[2J.rhai"][..], &base].concat()),
            run(&[&["test", &test][..], &base].concat()),
            run(&[&["replay", &record][..], &base].concat()),
            run(&[&["replay", &saved][..], &base].concat()),
            run(&[&["replay", "--json", &saved][..], &base].concat()),
        ];
        for (i, output) in outputs.iter().enumerate() {
            let said = [out(output), err(output)].concat();
            let bare = said.replace("\x1b[1;", "").replace("\x1b[0m", "");
            let sent = |part: &str| bare.contains(part);
            assert!(!sent("\x1b[2J") && !sent("\x1b]") && !sent("\x1b[35m"), "{i} {color}: {said:?}");
            assert!(!said.contains(['\u{7}', '\r', '\u{9b}', '\u{202e}']), "{i} {color}: {said:?}");
            assert!(color == "always" || !said.contains('\x1b'), "{i}: {said:?}");
            // Shown it is: escaped, or in a line of a script by the picture of the character.
            let shown = ["\\x1b[2J", "\\u001b[2J", "\u{241b}[2J"];
            assert!([2, 4].contains(&i) || shown.iter().any(|text| said.contains(text)), "{i} {color}: {said:?}");
        }
        let played = out(&outputs[0]);
        assert!(
            played.contains("chooses two.") && played.contains("wins: R\\x1b[35m"),
            "it is played all the same: {played}"
        );
    }
}

#[cfg(unix)]
#[test]
fn what_never_ends_is_not_read() {
    let folder = Folder::new("endless");
    let pipe = folder.0.join("pipe.pgn");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let game = folder.0.join("pipe.game");
    assert!(Command::new("mkfifo").arg(&game).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", folder.0.join("zero.rhai")).unwrap();
    let inside = |args: &[&str], input: &[u8]| {
        let mut child = astragal(args).current_dir(&folder.0).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    };
    for (args, expected) in [
        (&["replay", "/dev/zero"][..], 2),
        (&["replay", "pipe.pgn"], 2),
        (&["check", "zero.rhai"], 2),
        (&["play", "zero.rhai"], 2),
        (&["test", "pipe.game"], 2),
        (&["review"], 0),
        (&["replay", "."], 2),
    ] {
        let output = inside(args, b"");
        assert_eq!(code(&output), expected, "{args:?}: {}{}", out(&output), err(&output));
        let said = [out(&output), err(&output)].concat();
        assert!(
            args == ["review"] || said.contains("not a regular file") || said.contains("a folder"),
            "{args:?}: {said}"
        );
    }
    let output = inside(&["play", "chess"], b"load pipe.pgn\nload /dev/zero\n");
    assert_eq!(err(&output).matches("not a regular file").count(), 2, "{}", err(&output));
    // An endless line is one line that is too long.
    let output = inside(&["play", "chess"], &[vec![b'x'; 3_000_000], b"\ne4\n".to_vec()].concat());
    assert!(err(&output).starts_with("line 1: a line can have at most 10000 bytes"), "{}", err(&output));
    assert!(out(&output).contains("White plays e4."));
}

/// Every game of a record is reported as soon as it has been verified, and none is kept for long.
#[test]
fn a_record_of_many_games_is_read_game_by_game() {
    let folder = Folder::new("many");
    let games = "[Variant \"chess\"]\n\n1. e4 *\n\n".repeat(200) + "[Variant \"chess\"]\n\n1. e5 *\n\n";
    let output = run(&["replay", &folder.write("games.pgn", &games)]);
    assert_eq!(code(&output), 1);
    assert_eq!(out(&output).matches("1 event. unfinished").count(), 200, "{}", out(&output));
    assert!(out(&output).lines().last().unwrap().contains("line 803"), "{}", out(&output).lines().last().unwrap());
    let long = format!("1. {}*\n", "{x} ".repeat(200_001));
    let output = run(&["replay", &folder.write("long.pgn", &long)]);
    assert!(out(&output).contains("at most 200000 parts"), "{}", out(&output));
}

#[test]
fn a_record_names_no_files_but_scripts_and_says_so() {
    let folder = Folder::new("named");
    let secret = folder.write("secret.txt", "the password is swordfish\n");
    let script = folder
        .write("mine.rhai", "import \"chess\" as chess; chess::setup(); title(\"Mine\"); fn turn() { play(any()) }\n");
    let record = |variant: &str| folder.write("game.pgn", &format!("[Variant \"{variant}\"]\n\n1. e4 *\n"));
    let test = |variant: &str| folder.write("one.game", &format!("variant: {variant}\ne4\n"));
    let nothing = folder.0.join("absent.txt").display().to_string();
    for args in [&["replay"][..], &["test"]] {
        let file = |variant: &str| if args == ["replay"] { record(variant) } else { test(variant) };
        let said = |variant: &str| {
            let output = run(&[args, &[&file(variant)]].concat());
            assert_eq!(code(&output), 1, "{}", out(&output));
            [out(&output), err(&output)].concat().replace(variant, "")
        };
        assert_eq!(said(&secret), said(&nothing), "what is there is not told");
        assert!(!said(&secret).contains("swordfish") && said(&secret).contains("'.rhai'"), "{}", said(&secret));
    }
    let output = run(&["replay", &record(&script)]);
    assert_eq!((code(&output), out(&output).contains("Mine, 1 turn")), (0, true), "{}{}", out(&output), err(&output));
    assert!(
        err(&output).ends_with(&format!("game.pgn names the script {script}; the rules of that script are used.\n")),
        "{}",
        err(&output)
    );
    let output = run(&["replay", "--variant", "chess", &record(&script)]);
    assert!(out(&output).contains("Chess, 1 turn") && err(&output).is_empty(), "{}{}", out(&output), err(&output));
    let load = format!("load {}\n", record(&script));
    let output = fed(&["play", "chess"], load.as_bytes());
    assert!(
        out(&output).contains(&format!("game.pgn names the script {script}; the rules of that script are used.\n")),
        "{}",
        out(&output)
    );
    let load = format!("load {}\n", record(&secret));
    let output = fed(&["play", "chess"], load.as_bytes());
    assert!(err(&output).contains("'.rhai'") && !err(&output).contains("swordfish"), "{}", err(&output));
}

#[test]
fn the_server_opens_scripts_of_its_folder_only() {
    let folder = Folder::new("served");
    folder.write("mine.rhai", "import \"chess\" as chess; chess::setup(); fn turn() { play(any()) }\n");
    let request = |name: &str| {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"state\",\"params\":{{\"variant\":\"{name}\"}}}}\n")
    };
    let path = folder.0.display().to_string();
    let output =
        fed(&["serve", "--scripts", &path], [request("mine.rhai"), request("../mine.rhai")].concat().as_bytes());
    let answers = out(&output);
    let lines: Vec<&str> = answers.lines().collect();
    assert!(lines[0].contains("\"over\":false") && lines[1].contains("-32000"), "{answers}");
    let output = fed(&["serve"], request(&format!("{path}/mine.rhai")).as_bytes());
    assert!(out(&output).contains("'astragal serve --scripts DIR'"), "{}", out(&output));
    assert_eq!(code(&run(&["serve", "--scripts", "/nonexistent"])), 2);
}

/// Help can be read at terminals of eighty columns.
#[test]
fn help_fits_eighty_columns() {
    let first = out(&run(&["--help"]));
    let listed =
        first.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list of commands");
    let named = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: Vec<&str> = named.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        for line in out(&run(&["help", command])).lines().chain(first.lines()) {
            assert!(line.chars().count() <= 80, "{command}: {line}");
        }
    }
}
