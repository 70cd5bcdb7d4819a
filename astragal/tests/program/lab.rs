//! `simulate`, `merge`, `compare` and `analyse` through the program itself.

use crate::common::Folder;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn program(folder: &Folder, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    command.args(args).current_dir(folder.path()).env("LANG", "C").stdin(Stdio::null());
    command
}

fn run(folder: &Folder, args: &[&str]) -> Output {
    program(folder, args).output().expect("the program runs")
}

/// What a command that succeeds prints.
pub fn printed(folder: &Folder, args: &[&str]) -> String {
    let output = run(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What a command that fails says, and its exit code.
pub fn refused(folder: &Folder, args: &[&str]) -> (i32, String) {
    let output = run(folder, args);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().expect("an exit code"), text)
}

/// The fields that other programs rely on, and sums that must agree.
#[test]
fn the_json_report() {
    let folder = Folder::new("lab-json");
    let text = printed(&folder, &["simulate", "dice-chess", "-n", "120", "--seed", "5", "--json"]);
    assert_eq!(text.lines().count(), 1);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let number = |path: &str| report.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path}"));
    assert_eq!((report["variant"].as_str(), number("/seed"), number("/games")), (Some("dice-chess"), 5.0, 120.0));
    assert_eq!(report["players"], serde_json::json!(["random", "random"]));
    let results = ["first", "second", "draw", "unfinished"].map(|key| number(&format!("/results/{key}/count")));
    assert_eq!(results.iter().sum::<f64>(), 120.0);
    for key in ["share", "low", "high"] {
        assert!((0.0..=1.0).contains(&number(&format!("/results/first/{key}"))));
    }
    let reasons: f64 = report["reasons"].as_object().unwrap().values().filter_map(Value::as_f64).sum();
    assert_eq!(reasons, 120.0 - number("/results/unfinished/count"));
    for (length, figure) in ["plies", "turns", "events"]
        .iter()
        .flat_map(|length| ["mean", "se", "sd", "median", "p05", "p95"].map(|figure| (length, figure)))
    {
        assert!(number(&format!("/length/{length}/{figure}")) > 0.0, "{length} {figure}");
    }
    let turns = ["lost", "passed", "forced", "decided", "ended"].map(|key| number(&format!("/turns/{key}")));
    assert_eq!(turns.iter().sum::<f64>(), number("/turns/count"));
    assert!(number("/turns/lost") > 0.0 && number("/turns/forced") > 0.0);
    assert!(number("/branching/mean") > 1.0 && number("/branching/max") >= number("/branching/p95"));
    assert_eq!(report["digest"].as_str().map(str::len), Some(32));
    // Whatever the threads, and whichever games come first.
    for threads in ["1", "3"] {
        let again = ["simulate", "dice-chess", "-n", "120", "--seed", "5", "--json", "--threads", threads];
        assert_eq!(printed(&folder, &again), text);
    }
}

#[test]
fn a_line_for_each_game() {
    let folder = Folder::new("lab-rows");
    let args =
        ["simulate", "king-for-2", "-n", "40", "--csv", "games.csv", "--jsonl", "games.jsonl", "--html", "page.html"];
    printed(&folder, &args);
    let csv = fs::read_to_string(folder.path().join("games.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 41);
    assert!(lines[0].contains(",captures,first_roll,digest,"));
    assert!(lines[0].ends_with(",instead,cut_short,forced_passes,labels,counters"));
    assert!(lines[0].starts_with("game,winner,reason,plies,turns") && lines[40].starts_with("39,"));
    let jsonl = fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    for (number, line) in jsonl.lines().enumerate() {
        let row: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(row["game"], number);
        assert!(lines[number + 1].contains(&format!(",{},0,", row["digest"].as_str().unwrap())));
        // King for 2 has neither labels nor counters.
        assert!(row["labels"] == serde_json::json!({}) && row["counters"] == serde_json::json!({}));
        // What was rolled first is a list here and text there.
        let faces: Vec<String> = row["first_roll"].as_array().unwrap().iter().map(Value::to_string).collect();
        assert!(!faces.is_empty() && lines[number + 1].contains(&format!(",{},", faces.join(" "))));
    }
    // A page of its own: well-formed pictures with titles, and nothing from elsewhere.
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(!page.contains("http-equiv") && !page.contains("src=") && !page.contains("<script"));
    let pictures: Vec<&str> = page.split("<svg").skip(1).collect();
    assert!(pictures.len() >= 4, "{} pictures", pictures.len());
    for picture in pictures {
        let (picture, _) = picture.split_once("</svg>").expect("its end");
        let text = format!("<svg{picture}</svg>");
        let parsed = roxmltree::Document::parse(&text).expect("XML");
        assert_eq!(parsed.root_element().attribute("role"), Some("img"));
        assert!(parsed.root_element().children().any(|child| child.has_tag_name("title")));
        assert!(parsed.root_element().children().any(|child| child.has_tag_name("desc")));
    }
    // Figures stand in tables whose rows and columns have titles.
    let tables: Vec<&str> = page.split("<table>").skip(1).collect();
    assert!(tables.len() >= 5 && !page.contains("<pre"), "{} tables", tables.len());
    for table in tables {
        let (table, _) = table.split_once("</table>").expect("its end");
        let text = format!("<table>{table}</table>");
        let parsed = roxmltree::Document::parse(&text).expect("XML");
        let scoped = |scope: &str| parsed.descendants().filter(|n| n.attribute("scope") == Some(scope)).count();
        let rows = parsed.descendants().filter(|node| node.has_tag_name("tr")).count();
        assert!(scoped("col") > 0 && scoped("row") + 1 == rows, "{text}");
        assert!(parsed.descendants().any(|node| node.has_tag_name("caption")));
    }
}

/// With luck, the page has the fan, and luck against skill; a game of two parties also has its discs.
#[test]
fn luck_against_skill_is_drawn() {
    let folder = Folder::new("lab-luck-page");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/lab/giveaway.rhai");
    printed(&folder, &["simulate", script, "-n", "12", "--luck", "--html", "page.html"]);
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    for title in [
        "Winning chance over time",
        "Luck and skill",
        "Where pieces go",
        "Where pieces are captured",
        "Length in turns",
    ] {
        assert!(page.contains(&format!("<h2>{title}</h2>")), "{title}");
    }
    let discs = page.matches("<circle").count();
    assert!((1..=12).contains(&discs), "{discs} discs");
}

/// Parts are written once, found again, and played again if they are damaged or were killed; together, they are the bytes
/// of one run.
#[test]
fn parts_on_disk() {
    let folder = Folder::new("lab-parts");
    let part = |games: &str, dir: &str| {
        printed(&folder, &["simulate", "dice-chess", "--seed", "3", "--games", games, "--part", dir, "--threads", "1"])
    };
    part("0..40", "a");
    part("100..130", "b");
    assert!(part("0..40", "a").contains("already played"));
    let (code, why) = refused(&folder, &["merge", "a", "b"]);
    assert!(code == 2 && why.contains("games 40..100 are missing"), "{why}");
    // A process that was killed has left half a file and no manifest.
    fs::write(folder.path().join("b/games-40-100.tally.json.123.part"), "{").unwrap();
    fs::write(folder.path().join("b/games-40-100.tally.json"), "{").unwrap();
    assert!(refused(&folder, &["merge", "a", "b"]).1.contains("missing"));
    part("40..100", "b");
    let whole = printed(&folder, &["simulate", "dice-chess", "--seed", "3", "-n", "130"]);
    assert_eq!(printed(&folder, &["merge", "b", "a"]), whole);
    // Damaged, and mended by playing it once more.
    fs::write(folder.path().join("a/games-0-40.tally.json"), "{}").unwrap();
    assert!(refused(&folder, &["merge", "a", "b"]).1.contains("SHA-256"));
    part("0..40", "a");
    assert_eq!(printed(&folder, &["merge", "a", "b"]), whole);
    let (code, why) = refused(&folder, &["simulate", "dice-chess", "--seed", "4", "--games", "0..40", "--part", "a"]);
    assert!(code == 2 && why.contains("a different simulation"), "{why}");
    assert!(refused(&folder, &["merge", "."]).1.contains("this folder has no parts"));
}

/// Ctrl-C ends it with the report of what is done.
#[cfg(unix)]
#[test]
fn interrupted_it_tells_what_is_done() {
    let folder = Folder::new("lab-stop");
    let mut command = program(&folder, &["simulate", "dice-chess", "-n", "100000000", "--threads", "2"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(3));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("Results") && text.contains("Digest of all games"), "{text}");
    assert!(text.contains(" of 100000000 games (stopped)"), "{text}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("stopped after ") && said.contains(" of 100000000 games"), "{said}");
    for command in ["simulate", "compare"] {
        assert!(printed(&folder, &[command, "--help"]).contains("130 stopped"));
    }
}

/// The steps of a ladder that were finished before Ctrl-C are reported.
#[cfg(unix)]
#[test]
fn an_interrupted_ladder_tells_its_steps() {
    let folder = Folder::new("lab-ladder-stop");
    let mut command = program(&folder, &["simulate", "king-for-2", "-n", "4", "--ladder", "8", "--threads", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(8));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("greedy       random"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("of 9 steps"));
}

/// A report says which games it is about if they are not the first ones; 1 is one game.
#[test]
fn the_range_is_told() {
    let folder = Folder::new("lab-range");
    let simulate = |more: &[&str]| printed(&folder, &[&["simulate", "dice-chess"], more].concat());
    assert!(simulate(&["--games", "50..60"]).contains("): games 50 to 59, players"));
    assert!(simulate(&["--games", "7..8"]).contains("): game 7, players"));
    assert!(simulate(&["-n", "1"]).contains("): 1 game, players"));
    simulate(&["--games", "10..20", "--part", "parts"]);
    let merged = printed(&folder, &["merge", "parts", "--html", "whole.html"]);
    assert!(merged.contains("): games 10 to 19, players"), "{merged}");
    assert!(fs::read_to_string(folder.path().join("whole.html")).unwrap().contains("games 10 to 19"));
    let report: Value = serde_json::from_str(&printed(&folder, &["merge", "parts", "--json"])).unwrap();
    assert_eq!((&report["range"], &report["complete"]), (&serde_json::json!([10, 20]), &true.into()));
}

/// Rows can have the standard output to themselves; a file that cannot be written is named.
#[test]
fn rows_on_standard_output() {
    let folder = Folder::new("lab-stdout");
    let output = run(&folder, &["simulate", "dice-chess", "-n", "3", "--csv", "-"]);
    let (rows, report) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success() && rows.lines().count() == 4 && rows.starts_with("game,winner,"), "{rows}");
    assert!(report.contains("Digest of all games"), "{report}");
    let rows = run(&folder, &["simulate", "dice-chess", "-n", "3", "--jsonl", "-"]).stdout;
    assert!(String::from_utf8(rows).unwrap().lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    assert!(
        refused(&folder, &["simulate", "dice-chess", "-n", "3", "--csv", "-", "--json"])
            .1
            .contains("can use standard output")
    );
    #[cfg(target_os = "linux")]
    for option in ["--csv", "--jsonl"] {
        let (code, why) = refused(&folder, &["simulate", "dice-chess", "-n", "2000", option, "/dev/full"]);
        assert!(code == 2 && why.contains("/dev/full"), "{why}");
    }
}

/// A ladder of one pair of games has numbers everywhere, and shares from 0 to 1.
#[test]
fn a_ladder_of_two_games() {
    let folder = Folder::new("lab-ladder");
    let args = ["simulate", "king-for-2", "-n", "2", "--ladder", "1"];
    let text = printed(&folder, &args);
    assert!(!text.contains("NaN") && text.lines().count() == 3, "{text}");
    for line in printed(&folder, &[&args[..], &["--json"]].concat()).lines() {
        let step: Value = serde_json::from_str(line).unwrap();
        let (low, high) = (step["low"].as_f64().unwrap(), step["high"].as_f64().unwrap());
        assert!(0.0 <= low && low < high && high <= 1.0, "{line}");
    }
}

/// An option that is set twice is refused, except where two settings are compared.
#[test]
fn options_are_set_once() {
    let folder = Folder::new("lab-twice");
    let twice = ["--set", "tie=reroll", "--set", "tie=standoff"];
    for command in ["simulate", "odds", "play"] {
        let (code, why) = refused(&folder, &[&[command, "babylonian"], &twice[..]].concat());
        assert!(code == 2 && why.contains("'tie' is set twice"), "{command}: {why}");
    }
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let folder = Folder::new("lab-refused");
    for (args, expected) in [
        (&["simulate", "dice-ches"][..], "dice-chess"),
        (&["simulate", "dice-chess", "--players", "gredy"], "greedy"),
        (&["simulate", "dice-chess", "--players", "random,random,random"], "2 players"),
        (&["simulate", "dice-chess", "--position", "nonsense"], "expected"),
        (&["simulate", "dice-chess", "--games", "9..3"], "0..50000"),
        (&["simulate", "dice-chess", "-n", "0"], "0"),
        (&["simulate", "dice-chess", "--set", "doubles=never"], "same_type"),
        (&["compare", "dice-chess"], "nothing to compare"),
        (&["compare", "dice-chess", "--each", "doublets"], "doubles"),
        (&["simulate", "stratego-like.rhai"], "stratego-like"),
        (&["analyse", "missing.pgn"], "missing.pgn"),
    ] {
        let (code, why) = refused(&folder, args);
        assert!(code == 2 && why.contains(expected), "{args:?}: {code} {why}");
    }
}

/// A blunder is found, with what would have been better; what was sure is said to be sure.
#[test]
fn a_game_analysed() {
    let folder = Folder::new("lab-analyse");
    let record = "[Variant \"dice-chess\"]\n[SetUp \"1\"]\n[FEN \"7k/8/6K1/8/8/8/8/Q7 w - - 0 1\"]\n\n1. \
         {[%roll 5,1]} Qa2 1/2-1/2\n";
    fs::write(folder.path().join("game.pgn"), record).unwrap();
    let text = printed(&folder, &["analyse", "game.pgn", "--ascii", "--svg", "curve.svg"]);
    assert!(text.contains("Draw: stalemate.") && text.contains("Worst decisions"), "{text}");
    assert!(text.contains("Qa2:  -50.0, better Q"), "{text}");
    let picture = fs::read_to_string(folder.path().join("curve.svg")).unwrap();
    assert!(roxmltree::Document::parse(&picture).is_ok());
    let json: Value = serde_json::from_str(&printed(&folder, &["analyse", "game.pgn", "--json"])).unwrap();
    assert_eq!(json["totals"][0]["decisions"], 1);
    assert_eq!(json["events"][1]["error"], 0.5);
    assert_eq!(json["events"][1]["exact"], true);
    let deeper = printed(&folder, &["analyse", "game.pgn", "--level", "1"]);
    assert!(deeper.contains("better Q"), "{deeper}");
    assert_eq!(json["curve"].as_array().unwrap().last().unwrap(), 0.5);
}

/// The same setting twice does not differ, and another board does.
#[test]
fn compared() {
    let folder = Folder::new("lab-compare");
    let lines =
        |text: String| text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>();
    let same = lines(printed(&folder, &["compare", "dice-chess", "dice-chess", "-n", "256", "--json"]));
    let figures = same[0]["figures"].as_array().unwrap();
    assert!(figures.iter().all(|figure| figure["difference"] == 0.0 && figure["differs"] == false), "{figures:?}");
    let each = ["compare", "babylonian", "--each", "tie", "-n", "256", "--max-plies", "300", "--all", "--json"];
    let options = lines(printed(&folder, &each));
    assert!(options.len() >= 3 && options.iter().all(|one| one["games"] == 256));
    // What is 0 in both is in the table all the same.
    let table =
        printed(&folder, &["compare", "babylonian", "--each", "tie", "-n", "128", "--max-plies", "300", "--all"]);
    let rows = table.lines().filter(|line| line.starts_with("tie=") && line.contains('%'));
    assert!(rows.clone().count() >= 3 && rows.clone().all(|row| !row.contains(" - ")), "{table}");
    let differs = |one: &Value| one["figures"].as_array().unwrap().iter().any(|figure| figure["differs"] == true);
    assert!(options.iter().any(differs));
}

/// A ready example of `docs/lab`, run by the shell in a folder with the program on its path.
fn example(folder: &Folder, shell: &[&str], variables: &[(&str, &str)]) {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_astragal"));
    let path = format!("{}:{}", program.parent().expect("its folder").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.args(shell).current_dir(folder.path()).env("PATH", path).env("LANG", "C").stdin(Stdio::null());
    let output = command.envs(variables.iter().copied()).output().expect("the shell runs");
    assert!(output.status.success(), "{shell:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The array script of Slurm, which learns its task as Slurm would tell it; submitting a task again does no harm.
#[test]
fn the_slurm_array() {
    let folder = Folder::new("lab-slurm");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/lab/slurm.sh");
    for task in ["2", "0", "1", "0"] {
        example(&folder, &[script], &[("GAMES", "50"), ("PARTS", "3"), ("SLURM_ARRAY_TASK_ID", task)]);
    }
    let whole = printed(&folder, &["simulate", "dice-chess", "-n", "50"]);
    assert_eq!(printed(&folder, &["merge", "parts"]), whole);
}

/// The command of the Kubernetes Job, which learns its index as Kubernetes would tell it. It has as many parts as
/// completions.
#[test]
fn the_kubernetes_job() {
    let folder = Folder::new("lab-kubernetes");
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/lab/kubernetes.yaml")).unwrap();
    let (_, command) = text.split_once("            - |\n").expect("its command");
    let lines = command.lines().take_while(|line| line.starts_with("              "));
    let command: Vec<&str> = lines.map(str::trim).collect();
    let command = command.join("\n").replace("/parts", "parts");
    assert!(command.contains("JOB_COMPLETION_INDEX") && command.contains("astragal simulate"), "{command}");
    let number = |before: &str| {
        let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before}"));
        rest.chars().take_while(char::is_ascii_digit).collect::<String>()
    };
    assert_eq!(number("completions: "), number("{ name: PARTS, value: \""));
    for index in ["1", "0"] {
        let variables = [("GAMES", "31"), ("PARTS", "2"), ("JOB_COMPLETION_INDEX", index)];
        example(&folder, &["-ceu", &command], &variables);
    }
    let whole = printed(&folder, &["simulate", "dice-chess", "-n", "31"]);
    assert_eq!(printed(&folder, &["merge", "parts"]), whole);
}

/// GNU parallel for real, where it is installed.
#[test]
fn gnu_parallel() {
    if Command::new("parallel").arg("--version").output().is_err() {
        return eprintln!("not tested: there is no 'parallel' here");
    }
    let folder = Folder::new("lab-parallel");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/lab/parallel.sh");
    example(&folder, &[script, "king-for-2", "40", "3", "parts", "--seed", "7"], &[]);
    let whole = printed(&folder, &["simulate", "king-for-2", "-n", "40", "--seed", "7"]);
    assert_eq!(printed(&folder, &["merge", "parts"]), whole);
}

/// A game that White always wins, worth three points or a half: the first player has White in the first and third of three games.
#[test]
fn matches_are_told_in_the_points_of_the_script() {
    let folder = Folder::new("lab-points");
    let script = |award: &str| {
        format!(
            "board(1, 2); piece(\"man\", \"M\"); setup(\"m/M w\");\n\
             fn turn() {{ roll(\"1d6\"); {award} win(side(\"White\"), \"always\"); }}\n"
        )
    };
    for (file, award, points, text) in [
        ("three.rhai", "award(side(\"White\"), 3);", 3.0, "\n+1.00 points per game\n"),
        ("half.rhai", "award_halves(side(\"White\"), 1);", 0.5, "\n+0.17 points per game\n"),
        ("none.rhai", "", 0.0, ""),
    ] {
        fs::write(folder.path().join(file), script(award)).expect("a script");
        let args = ["match", "random", "random", file, "-n", "3", "--seed", "1"];
        let report: Value = serde_json::from_str(&printed(&folder, &[&args[..], &["--json"]].concat())).expect("JSON");
        assert_eq!((report["wins"].as_u64(), report["losses"].as_u64()), (Some(2), Some(1)), "{file}");
        assert_eq!(report["points"].as_f64(), Some(points), "{file}");
        let said = printed(&folder, &args);
        assert_eq!(said.contains("points"), !award.is_empty(), "{said}");
        assert!(said.contains(text), "{said}");
        // What one game is worth is what the report of a simulation says, and what luck is told from.
        if !award.is_empty() {
            let report = printed(&folder, &["simulate", file, "-n", "4", "--luck", "--json"]);
            let report: Value = serde_json::from_str(&report).expect("JSON");
            assert_eq!(report["points"]["first"]["mean"].as_f64(), Some(points), "{file}");
            assert_eq!(report["luck"]["result"]["value"].as_f64(), Some(points), "{file}");
        }
    }
}
