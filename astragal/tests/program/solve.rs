//! `solve` through the program itself, and its tables in other commands.

use crate::common::Folder;
use crate::lab::{printed, refused};
use serde_json::Value;
use std::fs;

/// One man each in the Royal Game of Ur: hundreds of states.
const UR: [&str; 3] = ["royal-game-of-ur", "--position", "4*3/8/4*3[Mm] f"];

fn with(command: &str, more: &[&str]) -> Vec<String> {
    [command].iter().chain(&UR).chain(more).map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_table_serves_every_command() {
    let folder = Folder::new("solve");
    let words = |command: &str, more: &[&str]| -> String {
        let all = with(command, more);
        printed(&folder, &all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let solved: Value = serde_json::from_str(&words("solve", &["--into", "ur.table", "--json"])).expect("JSON");
    assert_eq!((solved["reached"].as_str(), solved["states"].as_u64()), (Some("solved"), Some(434)));
    // The value that a program for this game alone has found, by value iteration from its rules.
    let low = solved["value"][0].as_f64().expect("a number");
    assert!((low - 0.060_099_679_05).abs() < 1e-6, "{low}");
    // A table rounds bounds outwards.
    let looked_up = words("solve", &["--table", "ur.table"]);
    assert_eq!(looked_up, "First to roll: 0.0600995 to 0.0600998 points\n");
    let odds: Value = serde_json::from_str(&words("odds", &["--table", "ur.table", "--json"])).expect("JSON");
    assert!((odds["value"][0].as_f64().expect("a number") - low).abs() < 1e-6);
    let simulated = words("simulate", &["--table", "ur.table", "-n", "4", "--players", "computer:1", "--json"]);
    let report: Value = serde_json::from_str(&simulated).expect("JSON");
    assert_eq!(report["games"].as_u64(), Some(4));
    let verified = printed(&folder, &["solve", UR[0], "--verify", "ur.table"]);
    assert_eq!(verified, "checked 434 of 434 states against the next turn: all agree\n");
}

#[test]
fn a_table_is_neither_lost_nor_mixed_up() {
    let folder = Folder::new("solve-files");
    let words = |more: &[&str]| with("solve", more);
    let said = |more: &[&str]| {
        let all = words(more);
        refused(&folder, &all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (code, text) = said(&["--into", "none/ur.table"]);
    assert_eq!((code, text.contains("there is no folder 'none'")), (2, true), "{text}");
    let solved = words(&["--into", "ur.table"]);
    printed(&folder, &solved.iter().map(String::as_str).collect::<Vec<_>>());
    let before = fs::read(folder.path().join("ur.table")).expect("a table");
    let other = ["solve", UR[0], "--position", "4*3/8/4*3[MMmm] f", "--into", "ur.table"];
    let (code, text) = refused(&folder, &other);
    assert_eq!((code, text.contains("this table was made from '4*3/8/4*3[Mm] f")), (2, true), "{text}");
    let (code, text) = said(&["--table", "ur.table", "--set", "race=short"]);
    assert_eq!((code, text.contains("race")), (2, true), "{text}");
    let (code, text) = refused(&folder, &["odds", "dice-chess", "--table", "ur.table"]);
    assert_eq!((code, text.contains("the table is for 'royal-game-of-ur', not for 'dice-chess'")), (2, true), "{text}");
    assert!(fs::read(folder.path().join("ur.table")).expect("a table") == before);
    fs::write(folder.path().join("cut.table"), &before[..200]).expect("a file");
    let (code, text) = said(&["--table", "cut.table"]);
    assert_eq!((code, text.contains("cut.table: the second line of the table is damaged")), (2, true), "{text}");
}

/// A search that is ended by a limit keeps its states; the same command continues with them, and gives the same table.
#[test]
fn a_search_that_was_ended_goes_on() {
    let folder = Folder::new("solve-on");
    let path = |name: &str| folder.path().join(name);
    let solve = ["solve", UR[0], "--position", "4*3/8/4*3[MMm] f"];
    let with = |more: &[&'static str]| [&solve[..], more].concat();
    printed(&folder, &with(&["--into", "whole.table"]));
    let text = printed(&folder, &with(&["--into", "part.table", "--states", "300"]));
    assert!(text.contains("not solved: only"), "{text}");
    assert!(path("part.table.states").is_file());
    let (code, text) = refused(&folder, &with(&["--set", "race=short", "--into", "part.table"]));
    assert_eq!(code, 2, "{text}");
    let text = printed(&folder, &with(&["--into", "part.table"]));
    assert!(text.contains("solved: every value is accurate") || text.contains("all values are exact"), "{text}");
    assert!(!path("part.table.states").exists(), "it is done");
    assert!(fs::read(path("part.table")).expect("a table") == fs::read(path("whole.table")).expect("a table"));
    fs::write(path("part.table.states"), b"something else").expect("a file");
    let (code, text) = refused(&folder, &with(&["--into", "part.table"]));
    assert_eq!((code, text.contains("delete it to start over")), (2, true), "{text}");
}

#[test]
fn several_tables_serve_together_and_a_server_takes_them() {
    let folder = Folder::new("solve-several");
    let ended = "4*3/8/4*3[Mm] s";
    printed(&folder, &with("solve", &["--into", "one.table"]).iter().map(String::as_str).collect::<Vec<_>>());
    printed(&folder, &["solve", "dicechess-3", "--material", "KvK", "--into", "kings.table"]);
    printed(&folder, &["solve", UR[0], "--position", ended, "--into", "two.table"]);
    let odds = printed(&folder, &["odds", UR[0], "--position", ended, "--table", "one.table", "--table", "two.table"]);
    assert!(odds.contains("Second can expect") && odds.contains("(exact, from the table)"), "{odds}");
    let (code, text) = refused(&folder, &["serve", "--table", "none.table"]);
    assert_eq!((code, text.contains("none.table: ")), (2, true), "{text}");
    let (code, text) = refused(&folder, &["simulate", UR[0], "--table", "one.table", "--part", "parts", "-n", "2"]);
    assert_eq!((code, text.contains("cannot be used with")), (2, true), "{text}");
}
