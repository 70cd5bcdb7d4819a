//! A table of the rules: where the scripts state each, and which situations and tests name it.

use crate::common::{data, json, json_lines, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The first words of rule ids.
const GROUPS: [&str; 6] = ["CH", "DC", "TRI", "BAB", "K2", "XQ"];

/// Every id that a text names: `DC-3`, lists, and ranges as `DC-10 to DC-12`.
fn named(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
    let id = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let (group, number) = word.split_once('-')?;
        let number: u32 = number.parse().ok()?;
        GROUPS.iter().find(|g| **g == group).map(|group| (*group, number))
    };
    let mut ids = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let Some((group, number)) = id(word) else { continue };
        let last = match (words.get(i + 1), words.get(i + 2).and_then(|word| id(word))) {
            (Some(&"to"), Some((same, last))) if same == group => last,
            _ => number,
        };
        ids.extend((number..=last).map(|n| format!("{group}-{n}")));
    }
    ids.dedup();
    ids
}

type Places = BTreeMap<String, Vec<String>>;

/// Comments of the scripts that come with the program, except the gallery.
fn script_lines() -> Places {
    let mut places = Places::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../variants");
    for (file, text) in files(&folder, "rhai") {
        for (number, line) in (1..).zip(text.lines()) {
            let Some((_, comment)) = line.split_once("//") else { continue };
            for id in named(comment) {
                places.entry(id).or_default().push(format!("{file}:{number}"));
            }
        }
    }
    places
}

fn files(folder: &Path, extension: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("a readable file"))
    };
    paths.iter().map(read).collect()
}

/// Situations by the rules they name.
fn cases() -> Places {
    let mut places = Places::new();
    let mut add = |rules: &serde_json::Value, name: &str| {
        for rule in rules.as_array().into_iter().flatten().filter_map(|rule| rule.as_str()) {
            places.entry(rule.to_owned()).or_default().push(name.to_owned());
        }
    };
    for (file, _) in files(&data("situations"), "jsonl") {
        if file.starts_with("gallery-") || file.ends_with(".draft.jsonl") {
            continue;
        }
        for case in json_lines(&format!("situations/{file}")) {
            add(&case["rules"], case["id"].as_str().expect("an id"));
        }
    }
    for case in json("probabilities.json").as_array().into_iter().flatten() {
        add(&case["rules"], &format!("probability: {}", case["what"].as_str().expect("what")));
    }
    places
}

/// Tests of this suite whose comments name rules.
fn tests() -> Places {
    let mut places = Places::new();
    for (file, text) in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("suite"), "rs") {
        if file == "coverage.rs" {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in lines.iter().enumerate().filter(|(_, line)| line.trim() == "#[test]") {
            let comment = lines[..i].iter().rev().take_while(|line| line.trim().starts_with("///"));
            let name = lines[i..].iter().find_map(|line| line.trim().strip_prefix("fn ")?.split('(').next());
            let Some(name) = name else { panic!("{file}:{}: {line} before no function", i + 1) };
            for id in comment.flat_map(|line| named(line)) {
                places.entry(id).or_default().push(format!("{}::{name}", file.trim_end_matches(".rs")));
            }
        }
    }
    places
}

fn brief(places: Option<&Vec<String>>, most: usize) -> String {
    let Some(places) = places else { return "-".into() };
    let shown = places[..places.len().min(most)].join(" ");
    if places.len() > most { format!("{shown} and {} more", places.len() - most) } else { shown }
}

#[test]
fn every_rule_has_a_script_line_and_a_test() {
    let (lines, cases, tests) = (script_lines(), cases(), tests());
    let rules = text("rules.txt");
    let rules: Vec<&str> = rules.split_whitespace().collect();
    assert!(rules.len() >= 100, "rules.txt lists only {}", rules.len());
    let mut missing = Vec::new();
    for rule in &rules {
        let (line, case, test) = (lines.get(*rule), cases.get(*rule), tests.get(*rule));
        println!("{rule:7} {:42} {} {}", brief(line, 3), brief(case, 4), test.map_or(String::new(), |t| t.join(" ")));
        if line.is_none() {
            missing.push(format!("{rule}: no line of a script names it"));
        }
        if case.is_none() && test.is_none() {
            missing.push(format!("{rule}: no case and no test names it"));
        }
    }
    let known = |id: &&String| !rules.contains(&id.as_str());
    let strange: Vec<&String> = lines.keys().chain(cases.keys()).chain(tests.keys()).filter(known).collect();
    assert!(strange.is_empty(), "there are no such rules: {strange:?}");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn ids_are_read_from_comments() {
    assert_eq!(named("DC-3: what the faces mean"), ["DC-3"]);
    assert_eq!(named("DC-1, DC-6, and (DC-13)"), ["DC-1", "DC-6", "DC-13"]);
    assert_eq!(named("XQ-1 to XQ-3: board"), ["XQ-1", "XQ-2", "XQ-3"]);
    assert!(named("a d4-e5 move, UTF-8, DC-x").is_empty());
}
