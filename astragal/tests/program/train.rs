//! `train` through the program itself, and the learned player in other commands.

use crate::commands::{fed, out};
use crate::common::Folder;
use crate::lab::{printed, refused};
use serde_json::Value;
use std::fs;

/// Two men each in the Royal Game of Ur.
const UR: [&str; 3] = ["royal-game-of-ur", "--position", "4*3/8/4*3[MMmm] f"];

fn with(command: &[&str], more: &[&str]) -> Vec<String> {
    command.iter().chain(&UR).chain(more).map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_trained_player_plays_everywhere() {
    let folder = Folder::new("train");
    let words = |command: &[&str], more: &[&str]| -> String {
        let all = with(command, more);
        printed(&folder, &all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let few = ["--games", "60", "--probe", "0", "--hidden", "16"];
    let said = words(&["train"], &[&few[..], &["--into", "one", "--threads", "1"]].concat());
    assert!(said.starts_with("one: 60 games, "), "{said}");
    words(&["train"], &[&few[..], &["--into", "two", "--threads", "2"]].concat());
    let read = |name: &str| fs::read(folder.path().join(name)).expect("a file");
    assert!(read("one") == read("two"), "threads do not change what is learned");
    let logged = ["--against", "random", "--log", "progress", "--curve", "curve.svg"];
    let said =
        words(&["train"], &[&["--games", "90", "--probe", "10", "--into", "two", "--resume"], &logged[..]].concat());
    assert!(said.starts_with("two: 90 games, "), "{said}");
    assert!(read("one") != read("two"));
    let progress: Value = serde_json::from_slice(&read("progress")).expect("one line of JSON");
    assert_eq!((progress["games"].as_u64(), progress["against"].as_str()), (Some(90), Some("random")));
    assert_eq!(progress["score"]["games"].as_u64(), Some(10), "{progress}");
    let wins = progress["score"]["wins"].as_u64().map(|wins| format!("{}% against random after 90 games", 10 * wins));
    let curve = String::from_utf8(read("curve.svg")).expect("text");
    assert!(wins.is_some_and(|wins| curve.contains(&wins)), "{curve}");
    words(&["train"], &["--games", "90", "--probe", "0", "--into", "small", "--hidden", "16", "--small"]);
    assert!(read("small").len() < read("two").len());

    let text = words(&["match", "learned:two", "learned:one:2"], &["-n", "6", "--json"]);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((report["games"].as_u64(), report["cut"].as_u64()), (Some(6), Some(0)));
    assert_eq!(report["players"], serde_json::json!(["learned:two", "learned:one:2"]));
    let text = words(&["simulate"], &["--players", "learned:two,random", "-n", "6", "--json"]);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["games"].as_u64(), Some(6));
    words(&["match", "learned:two", "random"], &["-n", "1", "--records", "game.pgn"]);
    let analysed = printed(&folder, &["analyse", "game.pgn", "--level", "1", "--learned", "two", "--json"]);
    assert!(serde_json::from_str::<Value>(&analysed).is_ok(), "{analysed}");
}

/// Parts of a simulation with trained players make one report, also where their files are not, and only with equal weights.
#[test]
fn trained_players_play_parts_of_a_simulation() {
    let folder = Folder::new("train-parts");
    let train = |seed| ["train", "einstein", "--games", "8", "--probe", "0", "--hidden", "4", "--seed", seed, "--into"];
    let simulated = ["simulate", "einstein", "--players", "learned:one,random"];
    let part = |games: &str| printed(&folder, &[&simulated[..], &["--games", games, "--part", "parts"]].concat());
    printed(&folder, &[&train("1")[..], &["one"]].concat());
    let whole = printed(&folder, &[&simulated[..], &["-n", "12"]].concat());
    part("0..5");
    part("5..12");
    fs::rename(folder.path().join("one"), folder.path().join("elsewhere")).expect("a file");
    assert_eq!(printed(&folder, &["merge", "parts"]), whole);
    printed(&folder, &[&train("2")[..], &["one"]].concat());
    part("12..14");
    let (code, why) = refused(&folder, &["merge", "parts"]);
    assert!(code == 2 && why.contains("different weights of trained players"), "{why}");
}

#[test]
fn files_are_neither_lost_nor_mixed_up() {
    let folder = Folder::new("train-refused");
    let train = |more: &[&str]| with(&["train", "--games", "4", "--probe", "0", "--hidden", "4"], more);
    let run = |words: Vec<String>| printed(&folder, &words.iter().map(String::as_str).collect::<Vec<_>>());
    let fails = |words: &[&str]| {
        let (code, why) = refused(&folder, words);
        assert_eq!(code, 2, "{why}");
        why
    };
    let nowhere = train(&["--into", "ur", "--curve", "nowhere/curve.svg"]);
    let why = fails(&nowhere.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(why.contains("nowhere"), "{why}");
    run(train(&["--into", "ur"]));
    let again = train(&["--into", "ur"]);
    let why = fails(&again.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(why.contains("ur exists: add --resume to continue it"), "{why}");
    let why = fails(&["match", "learned:ur", "random", "einstein", "-n", "1"]);
    assert!(why.contains("learned:ur: the file is for 'royal-game-of-ur', not for 'einstein'"), "{why}");
    let why = fails(&["match", "learned:none", "random", "einstein", "-n", "1"]);
    assert!(why.contains("learned:none: "), "{why}");
    let why = fails(&["train", "ghosts", "--games", "1", "--into", "ghosts"]);
    assert!(why.contains("hides information"), "{why}");
    let whole = fs::read(folder.path().join("ur")).expect("a file");
    fs::write(folder.path().join("cut"), &whole[..whole.len() - 9]).expect("written");
    let why = fails(&["match", "learned:cut", "random", "royal-game-of-ur", "-n", "1"]);
    assert!(why.contains("the file is damaged"), "{why}");
}

#[test]
fn a_server_offers_the_player_of_a_file() {
    let folder = Folder::new("train-serve");
    printed(&folder, &["train", UR[0], "--games", "20", "--probe", "0", "--hidden", "8", "--into", "ur"]);
    let file = folder.path().join("ur").display().to_string();
    let asked = |variant: &str, roll: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hint\",\"params\":{{\"variant\":\"{variant}\",\"roll\":[{roll}],\
             \"player\":\"learned\"}}}}\n"
        )
    };
    let lines = [asked(UR[0], "1,1,0,0"), asked("brainking", "1"), asked("dice-chess", "2,3")].concat();
    let served = out(&fed(&["serve", "--learned", &file], lines.as_bytes()));
    let answers: Vec<Value> = served.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers[0]["result"]["lines"][0]["events"][0]["move"], "M@c1");
    let why = answers[1]["error"]["message"].as_str().expect("an error");
    assert!(why.contains("the file is for 'royal-game-of-ur', not for 'brainking'"), "{why}");
    assert!(
        answers[2]["result"]["lines"][0]["events"][0]["move"].is_string(),
        "a player comes with it: {}",
        answers[2]
    );
    let (code, why) = refused(&folder, &["serve", "--learned", "none"]);
    assert!(code == 2 && why.contains("none: "), "{why}");
    fs::write(folder.path().join("text"), "no player").expect("written");
    let (code, why) = refused(&folder, &["serve", "--learned", "text"]);
    assert!(code == 2 && why.contains("text: this is not a file that 'train' has written"), "{why}");
    let (code, why) = refused(&folder, &["match", "learned", "random", UR[0], "-n", "1"]);
    assert!(code == 2 && why.contains("no trained player comes with 'royal-game-of-ur'"), "{why}");
}
