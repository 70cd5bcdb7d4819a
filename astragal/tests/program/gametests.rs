//! Tests of scripts as authors write them: files in a folder, the program, its output and exit code.

use crate::common::Folder;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// A small game of its own: race a pawn to the last rank, one step for each 1 that a die shows.
const RACE: &str = r#"// A race.
title("Race");
board(3, 4);
sides(["White", "Black"]);
piece("pawn", "P", "mfW");
setup("1p1/3/3/P2 w");
symmetric("turned");

fn turn() {
    if roll("1d2") == 1 { play(any()) }
}

fn outcome() {
    if squares_of(mover(), "pawn").count() == 0 { return; }
    if !can_move(mover()) { win(mover(), "home"); }
}
"#;

const HOME: &str = "\
# Three steps lead home.
title: Home
variant: race.rhai

roll 1
Pa2
roll 2
roll 1
moves
refused b1
Pa3
";

/// A folder of this test's own, removed at the end.
impl Folder {
    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    fn fed(&self, args: &[&str], input: &str) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
        command.args(args).current_dir(&self.0).env_remove("NO_COLOR").env("TERM", "xterm").env("LANG", "C.UTF-8");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that has refused its arguments reads nothing.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        self.fed(args, "")
    }

    /// With the race, its test, and the accepted result of that test.
    fn with_race(name: &str) -> Folder {
        let folder = Folder::new(name);
        folder.write("race.rhai", RACE);
        folder.write("home.game", HOME);
        assert_eq!(folder.run(&["test", "--accept"]).1, "accepted  home.game\n0 passed, 1 accepted.\n");
        folder
    }
}

#[test]
fn from_a_new_test_to_an_accepted_one() {
    let folder = Folder::new("new-test");
    folder.write("race.rhai", RACE);
    folder.write("home.game", HOME);
    let (code, out, _) = folder.run(&["test"]);
    assert_eq!(code, 1, "a test without snapshot does not pass");
    assert!(out.starts_with("new    home.game\n@@ -0,0 +1,"), "{out}");
    assert!(
        out.ends_with("0 passed, 1 new; to review, use 'astragal review'; to accept all, 'astragal test --accept'.\n")
    );
    assert!(folder.has("snapshots/home.snap.new") && !folder.has("snapshots/home.snap"));
    assert_eq!(folder.run(&["test", "--accept"]).0, 0);
    assert!(!folder.has("snapshots/home.snap.new"), "nothing waits any longer");
    let expected = "---\nsource: \"home.game\"\nexpression: \"Home\"\n---\n> roll 1\nRoll of 1d2: 1.\nWhite to \
         move: Pa2.\n> Pa2\nWhite plays Pa2.\nBlack to roll 1d2.\n> roll 2\nRoll of 1d2: 2.\nBlack's turn \
         ends.\nWhite to roll 1d2.\n> roll 1\nRoll of 1d2: 1.\nWhite to move: Pa3.\n> moves\nPa3\n> refused \
         b1\nexpected a move that starts with the letter of its piece, found 'b1'; legal here: Pa3\n> \
         Pa3\nWhite plays Pa3.\nBlack to roll 1d2.\n> end\n1p1/P2/3/3 b - - 2 2\nBlack to roll 1d2.\n";
    assert_eq!(folder.read("snapshots/home.snap"), expected);
    assert_eq!(folder.run(&["test"]), (0, "ok     home.game\n1 passed.\n".into(), String::new()));
}

/// A game that is drawn too early: the diff shows what has changed.
#[test]
fn a_broken_script_is_seen() {
    let folder = Folder::with_race("broken");
    folder.write(
        "race.rhai",
        &RACE.replace("fn outcome() {", "fn outcome() {\n    if clock() == 2 { return draw(\"tired\"); }"),
    );
    let (code, out, _) = folder.run(&["test"]);
    let expected = "differs  home.game\n@@ -17,7 +17,7 @@\n expected a move that starts with the letter of its \
         piece, found 'b1'; legal here: Pa3\n > Pa3\n White plays Pa3.\n-Black to roll 1d2.\n+Draw: tired.\n > \
         end\n 1p1/P2/3/3 b - - 2 2\n-Black to roll 1d2.\n+Draw: tired.\n0 passed, 1 differs; to review, \
         use 'astragal review'; to accept all, 'astragal test --accept'.\n";
    assert_eq!((code, out.as_str()), (1, expected));
    assert!(folder.read("snapshots/home.snap.new").contains("Draw: tired."));
    let colored = folder.run(&["test", "--color", "always"]).1;
    assert!(colored.contains("\x1b[31m-Black to roll 1d2.\x1b[0m\n\x1b[32m+Draw: tired.\x1b[0m"), "{colored}");
    folder.write("race.rhai", RACE);
    assert_eq!(folder.run(&["test"]).0, 0);
    assert!(!folder.has("snapshots/home.snap.new"), "what waited is stale");
}

#[test]
fn mistakes_in_a_game_are_shown_with_their_place() {
    let folder = Folder::with_race("mistakes");
    for (from, to, expected) in [
        ("\nPa3\n", "\n Pa4\n", "legal moves of such a piece: Pa3\n  --> home.game:11:2\n   |\n11 |  Pa4\n   |  ^^^\n"),
        ("variant: race", "variant: rice", "rice.rhai"),
        ("roll 2", "roll 3", "error: 1d2 cannot show 3\n --> home.game:7:1\n  |\n7 | roll 3\n  | ^^^^\n"),
        ("refused b1", "refused Pa3", "error: 'Pa3' is legal here, but should be refused\n  --> home.game:10:9\n"),
        ("title:", "titel:", "did you mean 'title'?"),
        ("variant: race.rhai\n", "variant: race.rhai\nposition: 1p1/3/P3/3 w\n", "--> home.game:4:"),
        ("variant: race.rhai\n", "variant: race.rhai\noptions: speed=2\n", "there is no option called \"speed\""),
        ("\nPa3\n", "\nPa3\nodds\nundo 9\n", "there are only 5 events to take back"),
    ] {
        folder.write("home.game", &HOME.replace(from, to));
        let (code, out, _) = folder.run(&["test"]);
        assert_eq!(code, 1, "{to}: {out}");
        assert!(out.starts_with("error  home.game\nerror: ") && out.contains(expected), "{to}:\n{out}");
        assert!(!folder.has("snapshots/home.snap.new"), "{to}: there is nothing to accept");
    }
    folder.write("home.game", HOME);
    folder.write("race.rhai", &RACE.replace("play(any())", "play(any()"));
    let (code, out, _) = folder.run(&["test"]);
    assert!(code == 1 && out.contains("--> race.rhai:10:"), "{out}");
    folder.write("race.rhai", &RACE.replace("play(any())", "play(any()); [1][clock()]"));
    let (code, out, _) = folder.run(&["test"]);
    assert!(code == 1 && out.contains("rule `turn`") && out.contains("race.rhai:10:"), "{out}");
}

#[test]
fn which_games_a_path_means() {
    let folder = Folder::with_race("paths");
    folder.write("tests/deep/again.game", &HOME.replace("race.rhai", "../../race.rhai"));
    folder.write("other.rhai", &RACE.replace("Race", "Other"));
    folder.write("other.game", &HOME.replace("race.rhai", "other.rhai"));
    folder.write(".hidden/x.game", "nonsense:");
    folder.write("target/x.game", "nonsense:");
    let names = |args: &[&str]| -> Vec<String> {
        let (_, out, _) = folder.run(args);
        let first =
            |line: &str| line.split_whitespace().nth(1).filter(|word| word.ends_with(".game")).map(String::from);
        out.lines().filter_map(first).collect()
    };
    assert_eq!(names(&["test"]), ["home.game", "other.game", "tests/deep/again.game"]);
    assert_eq!(names(&["test", "race.rhai"]), ["home.game", "tests/deep/again.game"]);
    assert_eq!(names(&["test", "other.rhai", "other.game"]), ["other.game"]);
    assert_eq!(names(&["test", "tests"]), ["tests/deep/again.game"]);
    for args in [&["test", "nowhere"][..], &["test", "nowhere.game"], &["test", "--seed", "3"], &["review", "nowhere"]]
    {
        assert_eq!(folder.run(args).0, 2, "{args:?}");
    }
    fs::remove_file(folder.0.join("other.game")).unwrap();
    fs::remove_file(folder.0.join("race.rhai")).unwrap();
    let (code, out, _) = folder.run(&["test", "home.game"]);
    assert!(code == 1 && out.contains("home.game:3:10"), "{out}");
    let empty = Folder::new("empty");
    assert_eq!(empty.run(&["test"]).0, 2, "no test at all is no success");
}

/// Folders that contain themselves through links contain each test once, and only regular files are searched.
#[cfg(unix)]
#[test]
fn links_between_folders_lead_in_no_circles() {
    use std::os::unix::fs::symlink;
    let folder = Folder::with_race("links");
    folder.write("b/deep/again.game", &HOME.replace("race.rhai", "../../race.rhai"));
    for (to, link) in [(".", "a"), ("../..", "b/deep/up"), ("b/deep", "c"), ("nowhere", "d")] {
        symlink(to, folder.0.join(link)).unwrap();
    }
    let outside = Folder::new("links-outside");
    outside.write("far.game", &HOME.replace("race.rhai", &folder.0.join("race.rhai").display().to_string()));
    symlink(&outside.0, folder.0.join("e")).unwrap();
    let (_, out, err) = folder.run(&["test"]);
    let tests: Vec<&str> = out.lines().filter(|line| line.contains("  ") && line.ends_with(".game")).collect();
    assert_eq!(tests, ["new    b/deep/again.game", "new    e/far.game", "ok     home.game"], "{out}{err}");
    for args in [&["test", "/dev/null"][..], &["test", "/dev/zero"], &["review", "/dev/null"]] {
        let (code, out, err) = folder.run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(args[1]) && err.contains("not a regular file"), "{args:?}: {err}");
    }
}

#[test]
fn snapshots_without_a_game_are_told_and_removed_on_demand() {
    let folder = Folder::with_race("orphans");
    folder.write("snapshots/gone.snap", "---\nsource: \"gone.game\"\nexpression: \"\"\n---\nx\n");
    folder.write("snapshots/others.snap", "---\nsource: src/lib.rs\nexpression: x\n---\nx\n");
    let (code, out, _) = folder.run(&["test"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("orphan  snapshots/gone.snap: its .game file no longer exists\n1 passed, 1 orphan;"), "{out}");
    assert!(folder.run(&["test", "--accept"]).1.contains("removed  snapshots/gone.snap"));
    assert!(!folder.has("snapshots/gone.snap") && folder.has("snapshots/others.snap"));
}

#[test]
fn review_accepts_rejects_and_skips() {
    let folder = Folder::new("review");
    folder.write("race.rhai", RACE);
    for name in ["a", "b", "c"] {
        folder.write(&format!("{name}.game"), HOME);
    }
    assert_eq!(folder.run(&["review"]), (0, "There is nothing to review.\n".into(), String::new()));
    assert_eq!(folder.run(&["test"]).0, 1);
    let (code, out, _) = folder.fed(&["review"], "a\nx\nreject\n");
    assert_eq!(code, 1, "one is left: {out}");
    assert!(
        out.starts_with("a.game (1 of 3) Home\n@@ -0,0 +1,") && out.contains("expected a, r or s, found 'x'"),
        "{out}"
    );
    assert!(out.ends_with("1 accepted, 1 rejected, 1 skipped.\n"), "{out}");
    let left = ["a.snap", "b.snap", "c.snap", "a.snap.new", "b.snap.new", "c.snap.new"];
    let left: Vec<&str> = left.into_iter().filter(|name| folder.has(&format!("snapshots/{name}"))).collect();
    assert_eq!(left, ["a.snap", "c.snap.new"]);
    assert_eq!(folder.fed(&["review", "c.game"], "a\n").0, 0);
    assert_eq!(folder.run(&["test", "a.game", "c.game"]).1, "ok     a.game\nok     c.game\n2 passed.\n");
}

/// A changed rule makes a move of an accepted test illegal: there is no new text to accept, and `review` says so.
#[test]
fn review_shows_games_that_the_rules_no_longer_allow() {
    let folder = Folder::new("review-illegal");
    folder.write("race.rhai", RACE);
    folder.write("home.game", HOME);
    assert_eq!(folder.run(&["test", "--accept"]).0, 0);
    folder.write(
        "race.rhai",
        &RACE.replace("if roll(\"1d2\") == 1 { play(any()) }", "if roll(\"1d2\") == 2 { play(any()) }"),
    );
    let (code, out, _) = folder.run(&["review"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.starts_with("error  home.game\n") && out.contains("home.game:6:"), "{out}");
    assert!(
        out.ends_with(
            "1 test could not be played to the end, so it has nothing to accept: change the rules or the test.\n"
        ),
        "{out}"
    );
    assert!(!out.contains("There is nothing to review"), "{out}");
}

#[test]
fn coverage_tells_what_no_test_has_reached() {
    let folder = Folder::with_race("coverage");
    let script = RACE.replace("play(any()) }", "play(any()) } else { rested() }")
        + "\nfn rested() {\n    if clock_reached(100) { slept(); }\n}\n\nfn slept() {\n    let a = 1;\n\n    \
             label(`${a} nap`);\n}\n";
    folder.write("race.rhai", &script);
    let (code, out, _) = folder.run(&["test", "--coverage"]);
    assert_eq!(code, 0, "{out}");
    let report = &out[out.find("race.rhai:").unwrap()..];
    let expected = "race.rhai: 7 of 12 lines reached (58.3%), 3 more partly reached, 2 of 4 answers \
         (50.0%)\n  lines 23-25: not reached\n    23 |     let a = 1;\n    24 | \n    25 |     label(`${a} nap`);\n  \
         line 14, column 51: not reached: return\n  line 15, column 29: not reached: win(mover(), \"home\")\n  \
         line 19, column 29: not reached: slept()\n";
    assert!(report.starts_with(expected), "{report}");
    assert!(report.contains("line 15, column 9: always true: can_move(mover())"), "{report}");
    // Both faces of the die have come up.
    assert!(!report.contains("outcomes came up"), "{report}");
    assert_eq!(folder.run(&["test", "--coverage"]).1, out, "the same at every run");
    // The rest of the game reaches the end.
    folder.write("end.game", &(HOME.to_owned() + "roll 2\nroll 1\nPa4\noutcome\n"));
    let report = folder.run(&["test", "--coverage"]).1;
    assert!(!report.contains("win(mover(), \"home\")") && !report.contains("always true: can_move"), "{report}");
}

#[test]
fn random_games_hold_or_are_made_short() {
    let folder = Folder::new("random");
    folder.write("race.rhai", RACE);
    let (code, out, _) = folder.run(&["test", "--random", "40"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("ok     race.rhai: 40 games from seed 1, ") && out.contains("White wins: home."), "{out}");
    assert!(out.ends_with("all properties held: rules, positions, chances, undo, records, trees, symmetry\n"), "{out}");
    assert_eq!(folder.run(&["test", "race.rhai", "--random", "40"]).1, out, "the same games");
    assert!(
        folder.run(&["test", "--random", "2", "chess", "--set", "stalemate=loss"]).1.contains("chess.rhai: 2 games")
    );
    // A rule that fails late in a game: the step before it is all that is left.
    folder.write("race.rhai", &RACE.replace("play(any())", "if clock() == 3 { [1][7]; } play(any())"));
    let (code, out, _) = folder.run(&["test", "--random", "40"]);
    assert_eq!(code, 1, "{out}");
    let flat = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("the array has only entry 0, but no entry 7 --> race.rhai:10:"), "{out}");
    assert!(out.contains("to 1; to replay the result, use 'astragal test race-rules-"), "{out}");
    let (code, out, _) = folder.run(&["test"]);
    assert!(code == 1 && out.contains("roll 1") && out.contains("1 failed"), "the saved game fails: {out}");
    folder.write("race.rhai", RACE);
    assert_eq!(folder.run(&["test", "--accept"]).0, 0, "without the fault the saved game is a test");
    // A claim that does not hold.
    folder.write("race.rhai", &RACE.replace("if roll(", "if mover() == side(\"White\") || roll("));
    let (code, out, _) = folder.run(&["test", "--random", "40"]);
    assert!(code == 1 && out.contains("symmetry: the script declares 'symmetric', but"), "{out}");
    let (code, out, err) = folder.run(&["test", "--random", "0"]);
    assert!(code == 2 && out.is_empty() && err.contains("'0'"), "no game shows nothing: {out}{err}");
}

/// Squares drawn by chance have other numbers on a board that is turned over.
#[test]
fn drawn_squares_correspond_with_colors_exchanged() {
    let folder = Folder::new("drawn");
    for claim in ["symmetric()", "symmetric(\"turned\")"] {
        let script = r#"board(4, 4); piece("man", "M", "W"); setup("mmmm/4/4/MMMM w"); CLAIM;
            fn turn() { play(any()); remove(draw_from(squares_of(opponent(), "man"))); }
            fn outcome() { if !has(opponent(), "man") { win(mover(), "all are gone") } }"#;
        folder.write("drawn.rhai", &script.replace("CLAIM", claim));
        let (code, out, _) = folder.run(&["test", "drawn.rhai", "--random", "20"]);
        assert!(code == 0 && out.contains("records, trees, symmetry"), "{claim}: {out}");
    }
}

/// A push to the left is one to the right on a board that is turned over. It names its direction where a step ends on the
/// same square.
#[test]
fn pushes_correspond_with_colors_exchanged() {
    let folder = Folder::new("pushed");
    for claim in ["symmetric()", "symmetric(\"turned\")"] {
        let script = r#"board(5, 5); piece("man", "M", "K"); setup("m1m1m/5/1mM2/5/M1M1M w"); CLAIM;
            fn turn() { play(any() | pushes(1)); }
            fn outcome() { if pieces_on(mover()) < 3 { win(opponent(), "too few") } }"#
            .replace("pieces_on(mover())", "squares_of(mover()).count()");
        folder.write("pushed.rhai", &script.replace("CLAIM", claim));
        let (code, out, _) = folder.run(&["test", "pushed.rhai", "--random", "20"]);
        assert!(code == 0 && out.contains("symmetry"), "{claim}: {out}");
    }
}

#[test]
fn a_game_at_the_prompt_becomes_a_test() {
    let folder = Folder::with_race("record");
    let typed =
        "roll 1\nPa2\nrecord tests/mine\nroll 2\nrecord mine\nrecord mine.game\nrecord! mine\nrecord mine.pgn\n";
    let (code, out, err) = folder.fed(&["play", "race.rhai", "--seed", "5"], typed);
    assert_eq!(code, 1);
    assert!(out.contains("Written to mine.game; to run it, use 'astragal test mine.game'."), "{out}");
    assert!(err.contains("line 3: cannot write tests/mine.game") && err.contains("record! mine.game"), "{err}");
    assert_eq!(folder.read("mine.game"), "title: Race, 2 turns\nvariant: race.rhai\nseed: 5\n\nroll 1\nPa2\nroll 2\n");
    assert_eq!(folder.run(&["test", "mine.game"]).1, "ok     mine.game\n1 passed.\n");
}

#[test]
fn a_new_script_has_a_test_that_passes() {
    let folder = Folder::new("new-script");
    for base in ["dice-chess", "babylonian", "king-for-2"] {
        let name = format!("my-{base}");
        assert_eq!(folder.run(&["new", &name, "--from", base]).0, 0);
        let (code, out, _) = folder.run(&["test", &format!("{name}.rhai")]);
        assert_eq!((code, out), (0, format!("ok     {name}.game\n1 passed.\n")));
    }
}

/// A game in which chance draws a square.
const LOTS: &str = r#"title("Lots");
board(5, 3);
sides(["First", "Second"]);
piece("man", "M", "W");
royals("capturable");
setup("5/MM1mm/5 w");

fn turn() {
    remove(draw_from(squares("b2 d2 e2")));
    play(any())
}

fn outcome() {
    if !has(opponent(), 1) { win(mover(), "alone"); }
}
"#;

#[test]
fn squares_drawn_by_chance_go_by_name() {
    let folder = Folder::new("lots");
    folder.write("lots.rhai", LOTS);
    folder.write("name.game", "variant: lots.rhai\n\nroll d2\nMa3\n");
    folder.write("number.game", "variant: lots.rhai\n\nroll 2\nMa3\n");
    assert_eq!(folder.run(&["test", "--accept"]).0, 0);
    let by_name = folder.read("snapshots/name.snap");
    assert!(by_name.contains("> roll d2\nRoll of draw(1 of 3): d2.\n"), "{by_name}");
    assert!(by_name.contains("Second to roll"), "{by_name}");
    let shown = |text: &str| text.split("---\n").last().unwrap_or_default().to_string();
    assert_eq!(shown(&folder.read("snapshots/number.snap")).replace("> roll 2", "> roll d2"), shown(&by_name));
    folder.write("wrong.game", "variant: lots.rhai\n\nroll c2\n");
    let (code, out, err) = folder.run(&["test", "wrong.game"]);
    assert_eq!(code, 1, "{out}{err}");
    let said = "expected one of the possible squares (b2, d2, e2), found 'c2'";
    assert!([&*out, &err].concat().contains(said), "{out}{err}");
    // The same at the prompt, and a test made there says the name.
    let (_, out, err) = folder.fed(&["play", "lots.rhai"], "roll c2\nroll d2\nMa3\nrecord made.game\nquit\n");
    assert!(out.contains("Roll of draw(1 of 3): d2.") && [&*out, &err].concat().contains(said), "{out}{err}");
    assert!(folder.read("made.game").contains("roll d2\n"), "{}", folder.read("made.game"));
}

/// A game in which chance moves for the first side.
const BLIND: &str = r#"board(5, 3); sides(["First", "Second"]); piece("man", "M", "W"); setup("5/MM1mm/5 w");
fn turn() {
    let mv = draw_move(any());
    if mv == () { return; }
    if choose(["go", "stay"]) == "go" { make(mv); }
}
"#;

#[test]
fn moves_drawn_by_chance_go_by_name() {
    let folder = Folder::new("blind");
    folder.write("blind.rhai", BLIND);
    folder.write("name.game", "variant: blind.rhai\n\nroll b2b3\ngo\nroll d2d1\nstay\n");
    assert_eq!(folder.run(&["test", "--accept"]).0, 0);
    let shown = folder.read("snapshots/name.snap");
    assert!(shown.contains("> roll b2b3\nRoll of draw(1 of 5 moves): b2b3.\n"), "{shown}");
    assert!(shown.contains("b2b3 is made."), "{shown}");
    folder.write("wrong.game", "variant: blind.rhai\n\nroll b2d3\n");
    let (code, out, err) = folder.run(&["test", "wrong.game"]);
    let said = "expected one of the possible moves (a2a1, a2a3, b2b1, b2c2, b2b3), found 'b2d3'";
    let words = [&*out, &err].concat().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code == 1 && words.contains(said), "{out}{err}");
}

/// A game of choices: whoever rolls low may hold or go on, and a rule fails where it is told to.
const CHOICES: &str = r#"board(3, 3); piece("man", "M", "W"); setup("mmm/3/MMM w");
fn turn() {
    if roll("1d2") == 1 { play_or_pass(any()); return; }
    if choose(["hold still", "go on"]) == "go on" { [1][7]; }
}
"#;

#[test]
fn refused_knows_all_that_can_be_done() {
    let folder = Folder::new("refused");
    folder.write("c.rhai", CHOICES);
    let outcome = |lines: &str| {
        folder.write("t.game", &format!("variant: c.rhai\n\n{lines}\n"));
        let (code, out, _) = folder.run(&["test", "t.game", "--accept"]);
        (code, out)
    };
    for lines in [
        "roll 2\nrefused Ma2\nrefused pass\nrefused roll 1\nrefused 2\nhold still",
        "roll 1\nrefused choose hold still\nrefused roll 2\nrefused Ma3\nrefused M@a2\nrefused a1a1\nrefused \
         Ma2 Mb2\npass",
        "refused pass\nrefused roll 3\nrefused Ma2\nrefused choose go on\nrefused go on",
    ] {
        let (code, out) = outcome(lines);
        assert_eq!(code, 0, "{lines}: {out}");
    }
    for (lines, expected) in [
        ("roll 2\nrefused choose hold still", "'choose hold still' is legal here, but should be refused"),
        ("roll 2\nrefused hold still", "'hold still' is legal here, but should be refused"),
        ("refused roll 2", "'roll 2' is legal here, but should be refused"),
        ("refused roll", "'roll' is legal here, but should be refused"),
        ("roll 1\nrefused pass", "'pass' is legal here, but should be refused"),
        ("roll 1\nrefused Ma2", "'Ma2' is legal here, but should be refused"),
        ("roll 1\nrefused choose hold stil", "this script has no choice 'hold stil'; did you mean 'hold still'?"),
        ("roll 2\nrefused choose retreat", "this script has no choice 'retreat'"),
        ("roll 1\nrefused choos X", "'choos' is neither a move nor a choice of this script"),
        ("roll 2\nrefused retreat", "'retreat' is neither a move nor a choice of this script"),
        ("roll 1\nrefused Zz9", "'Zz9' is neither a move nor a choice"),
        ("roll 1\nrefused Ma3 Ma2", "the earlier move 'Ma3' is not legal"),
        ("roll 2\nrefused a1 a2", "the earlier move 'a1' is not legal"),
        ("refused moves", "'refused' cannot test 'moves'"),
        ("refused choose", "'choose' needs a choice after it"),
        ("roll 2\nrefused choose go on", "no entry 7"),
    ] {
        let (code, out) = outcome(lines);
        assert_eq!(code, 1, "{lines}: {out}");
        // Long sentences are broken into lines.
        let flat = out.split_whitespace().collect::<Vec<_>>().join(" ").replace(" = help: ", "; ");
        let shown = flat.contains(expected) || expected.split("; ").all(|part| flat.contains(part));
        assert!(out.starts_with("error  t.game") && shown, "{lines}: {out}");
    }
}

/// A game that never ends: every turn is lost, so the clock stands still.
const ENDLESS: &str = r#"board(3, 3); piece("stone", "S"); setup("3/1s1/S2 w");
fn turn() { roll("1d6"); play(any()); }
fn outcome() { if clock_reached(50) { draw("nothing happens"); } }
"#;

#[test]
fn games_that_do_not_end_are_told() {
    let folder = Folder::new("endless");
    folder.write("e.rhai", ENDLESS);
    let (code, out, err) = folder.run(&["test", "e.rhai", "--random", "5", "--longest", "40"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.starts_with("error  e.rhai: 5 games from seed 1, 200 events\n"), "{out}");
    assert!(out.contains("100.0 %  stopped after 40 events: no result"), "{out}");
    assert!(out.contains("  game 1 did not end: 3/1s1/S2 w - - 0 21\n"), "{out}");
    let again = "astragal test e.rhai --random 1 --seed 3 --longest 40";
    assert!(
        out.contains(&format!("  game 3 did not end: 3/1s1/S2 w - - 0 21\n    to replay it, use '{again}'\n")),
        "{out}"
    );
    assert!(
        !out.contains("game 4 did") && out.contains("and 2 more did not end") && out.contains("no game ended"),
        "{out}"
    );
    let (_, out, _) = folder.run(&again.split(' ').skip(1).collect::<Vec<_>>());
    assert!(out.contains("  game 3 did not end: 3/1s1/S2 w - - 0 21\n"), "{out}");
    let (code, out, _) = folder.run(&["check", "e.rhai", "--profile", "--longest", "30"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("Game 1 did not end: 3/1s1/S2 w - - 0 16") && out.contains("error: no game ended"), "{out}");
    for args in [
        &["test", "--longest", "9"][..],
        &["check", "e.rhai", "--longest", "9"],
        &["test", "--random", "1", "--longest", "0"],
    ] {
        assert_eq!(folder.run(args).0, 2, "{args:?}");
    }
    // Games of which some end are well, with the others told.
    folder.write("race.rhai", RACE);
    let (code, out, _) = folder.run(&["test", "race.rhai", "--random", "12", "--longest", "13"]);
    assert!(code == 0 && out.contains("did not end") && out.contains("White wins: home."), "{out}");
}

/// Ctrl-C and SIGTERM stop the search inside a game, and the findings so far are printed.
#[cfg(unix)]
#[test]
fn signals_stop_inside_a_game() {
    let folder = Folder::new("signals");
    folder.write("e.rhai", ENDLESS);
    for (signal, args) in [
        ("INT", &["test", "e.rhai", "--random", "3", "--longest", "2000000000"][..]),
        ("TERM", &["test", "e.rhai", "--random", "3", "--longest", "2000000000"]),
        ("TERM", &["check", "e.rhai", "--profile", "--longest", "2000000000"]),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
        let child = command.args(args).current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.unwrap();
        std::thread::sleep(std::time::Duration::from_secs(4));
        let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
        assert!(sent.success(), "it still runs");
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal} {args:?}: {text}");
        let expected = if args[0] == "test" { "e.rhai: 0 games from seed 1, 0 events" } else { "1 random game" };
        assert!(text.contains(expected), "{signal}: {text}");
    }
}

/// A game that is called a reproduction fails again. Here, a step and a push were once written alike.
#[test]
fn a_reproduction_is_one() {
    let folder = Folder::new("reproduced");
    let script = r#"board(3, 3); piece("king", "K", "K"); setup("3/kk1/KK1 w");
        fn turn() { let mv = play(any() | pushes(1)); if mv != () && mv.is_push { [1][7]; } }
        fn outcome() { if count(to_move()) == 0 { win(mover(), "all taken"); } }"#;
    folder.write("p.rhai", script);
    let (code, out, _) = folder.run(&["test", "p.rhai", "--random", "20"]);
    assert!(code == 1 && out.contains("to 1; to replay the result, use 'astragal test p-rules-"), "{out}");
    let (code, out, _) = folder.run(&["test"]);
    assert!(code == 1 && out.contains("no entry 7") && out.contains("1 failed"), "{out}");
}
