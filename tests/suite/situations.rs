//! The situations of the rulebooks, read from `data/situations`.
//!
//! Each line is one request to `astragal serve` and what its answer must hold; see `data/README.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// One line: `data/README.md` says what the keys mean. An unknown key is a mistake, and so is a case that lacks a key that
/// all cases have, or that expects nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    rules: Vec<String>,
    note: String,
    method: String,
    params: Map<String, Value>,
    #[serde(default)]
    result: Map<String, Value>,
    #[serde(default)]
    contains: BTreeMap<String, Vec<Value>>,
    #[serde(default)]
    excludes: BTreeMap<String, Vec<Value>>,
    #[serde(default)]
    count: BTreeMap<String, usize>,
    odds: Option<BTreeMap<String, String>>,
}

impl Case {
    fn expects(&self) -> usize {
        let lists = self.contains.len() + self.excludes.len() + self.count.len();
        self.result.len() + lists + self.odds.as_ref().map_or(0, BTreeMap::len)
    }
}

fn call(request: &Value) -> Value {
    let answer = astragal_service::rpc::Service::new().handle(&request.to_string()).unwrap_or_default();
    serde_json::from_str(&answer).unwrap_or_else(|error| json!({ "unreadable": answer, "error": error.to_string() }))
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// Every case that is to be run, with its file.
fn cases() -> Vec<(String, Case)> {
    let folder = data().join("situations");
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder).expect("the folder of situations").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.file_name().expect("a file name").to_string_lossy().into_owned();
        if !name.ends_with(".jsonl") || name.ends_with(".draft.jsonl") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a readable file");
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let read = serde_json::from_str(line);
            let case: Case = read.unwrap_or_else(|error| panic!("{name}:{}: {error}", index + 1));
            assert!(case.expects() > 0, "{name}:{}: {} expects nothing", index + 1, case.id);
            cases.push((name.clone(), case));
        }
    }
    cases
}

/// The value at a dotted path.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}

/// A field of the answer's position.
fn field(answer: &Value, index: usize) -> Value {
    let position = answer.get("position").and_then(Value::as_str).unwrap_or_default();
    position.split_whitespace().nth(index).map_or(Value::Null, Value::from)
}

fn compare(path: &str, expected: &Value, got: &Value, wrong: &mut Vec<String>) {
    if let (Value::Object(expected), Value::Object(fields)) = (expected, got) {
        for (key, value) in expected {
            match fields.get(key) {
                Some(got) => compare(&format!("{path}.{key}"), value, got, wrong),
                None => wrong.push(format!("{path}.{key}: the answer has none")),
            }
        }
    } else if expected != got {
        wrong.push(format!("{path}: expected {expected}, got {got}"));
    }
}

/// `3/16` as two numbers in lowest terms.
fn fraction(text: &str) -> Option<(u128, u128)> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    reduce(above.trim().parse().ok()?, below.trim().parse().ok()?)
}

fn reduce(above: u128, below: u128) -> Option<(u128, u128)> {
    let (mut a, mut b) = (above, below);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (below != 0).then(|| (above / a, below / a))
}

fn odds(expected: &BTreeMap<String, String>, answer: &Value, wrong: &mut Vec<String>) {
    let mut sums: BTreeMap<&str, (u128, u128)> = BTreeMap::new();
    let Some(outcomes) = answer.get("outcomes").and_then(Value::as_array) else {
        wrong.push(format!("outcomes: none in {answer}"));
        return;
    };
    for outcome in outcomes {
        let effect = outcome.get("effect").and_then(Value::as_str).unwrap_or_default();
        let Some((above, below)) = outcome.get("probability").and_then(Value::as_str).and_then(fraction) else {
            wrong.push(format!("odds: no probability in {outcome}"));
            continue;
        };
        let sum = sums.entry(effect).or_insert((0, 1));
        let total = sum.0.checked_mul(below).zip(above.checked_mul(sum.1)).and_then(|(a, b)| a.checked_add(b));
        match total.zip(sum.1.checked_mul(below)).and_then(|(a, b)| reduce(a, b)) {
            Some(total) => *sum = total,
            None => wrong.push(format!("odds.{effect}: fraction too large")),
        }
    }
    for (effect, probability) in expected {
        let want = fraction(probability);
        let got = sums.get(effect.as_str()).copied();
        if want.is_none() || want != got {
            wrong.push(format!("odds.{effect}: expected {probability}, got {got:?}"));
        }
    }
}

fn list<'a>(answer: &'a Value, path: &str, wrong: &mut Vec<String>) -> Option<&'a Vec<Value>> {
    let found = at(answer, path).and_then(Value::as_array);
    if found.is_none() {
        wrong.push(format!("{path}: expected a list, got {}", at(answer, path).unwrap_or(&Value::Null)));
    }
    found
}

fn failures(case: &Case) -> Vec<String> {
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": case.method, "params": case.params });
    let response = call(&request);
    let Some(answer) = response.get("result") else {
        return vec![format!("no result: {response}")];
    };
    let mut wrong = Vec::new();
    for (key, value) in &case.result {
        let got = match key.as_str() {
            "placement" => Some(field(answer, 0)),
            "side" => Some(field(answer, 1)),
            "castling" => Some(field(answer, 2)),
            "en_passant" => Some(field(answer, 3)),
            _ => answer.get(key).cloned(),
        };
        match got {
            Some(got) => compare(key, value, &got, &mut wrong),
            None => wrong.push(format!("{key}: the answer has none")),
        }
    }
    for (path, values) in &case.contains {
        let found = list(answer, path, &mut wrong).cloned().unwrap_or_default();
        for value in values.iter().filter(|value| !found.contains(value)) {
            wrong.push(format!("{path}: {value} is missing in {found:?}"));
        }
    }
    for (path, values) in &case.excludes {
        let found = list(answer, path, &mut wrong).cloned().unwrap_or_default();
        for value in values.iter().filter(|value| found.contains(value)) {
            wrong.push(format!("{path}: {value} must not be there"));
        }
    }
    for (path, &count) in &case.count {
        if let Some(found) = list(answer, path, &mut wrong)
            && found.len() != count
        {
            wrong.push(format!("{path}: expected {count} entries, got {}", found.len()));
        }
    }
    if let Some(expected) = &case.odds {
        odds(expected, answer, &mut wrong);
    }
    wrong
}

#[test]
fn every_situation_holds() {
    let cases = cases();
    let mut report = String::new();
    let mut failed = 0;
    for (file, case) in &cases {
        let wrong = failures(case);
        if !wrong.is_empty() {
            failed += 1;
            report += &format!("\n{} ({file}): {}", case.id, case.note);
            for line in wrong {
                report += &format!("\n    {line}");
            }
        }
    }
    assert!(failed == 0, "{failed} of {} situations fail:{report}", cases.len());
}

#[test]
fn every_rule_is_named() {
    let named: BTreeSet<String> = cases().iter().flat_map(|(_, case)| case.rules.clone()).collect();
    let text = fs::read_to_string(data().join("rules.txt")).expect("the list of rules");
    let missing: Vec<&str> = text.lines().map(str::trim).filter(|id| !id.is_empty() && !named.contains(*id)).collect();
    assert!(missing.is_empty(), "no situation names {}", missing.join(", "));
}
