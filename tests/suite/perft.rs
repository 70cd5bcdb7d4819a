//! Numbers of sequences of legal moves, through the scripts.

use crate::common::{json_lines, load, position};
use astragal_core::perft::{bulk_perft, divide, perft};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().into_iter().flatten().map(|n| n.as_u64().expect("a number of nodes")).collect()
}

/// The counts of a table. The last moves are made, too, and the quicker ways of counting agree.
fn table(name: &str, path: &str) {
    let loaded = load(name);
    let variant = &loaded.set.variant;
    let cases = json_lines(path);
    assert!(cases.len() >= 10, "{path} has only {} positions", cases.len());
    for case in cases {
        let start = position(&loaded, case["position"].as_str().expect("a position"));
        let depths = numbers(&case["depths"]);
        assert!(!depths.is_empty(), "{} has no counts", case["id"]);
        for (depth, expected) in (1..).zip(&depths) {
            assert_eq!(perft(variant, &start, depth), *expected, "{} at depth {depth}", case["id"]);
        }
        let depth = depths.len() as u32;
        let parts: u64 = divide(variant, &start, depth).iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(parts, depths[depths.len() - 1], "{} divided, depth {depth}", case["id"]);
    }
}

/// The counts that take longer.
fn deep_table(name: &str, path: &str) {
    let loaded = load(name);
    for case in json_lines(path) {
        let start = position(&loaded, case["position"].as_str().expect("a position"));
        let first = numbers(&case["depths"]).len() as u32 + 1;
        for (depth, expected) in (first..).zip(numbers(&case["deep"])) {
            assert_eq!(bulk_perft(&loaded.set.variant, &start, depth), expected, "{} at depth {depth}", case["id"]);
        }
    }
}

#[test]
fn chess_counts() {
    table("chess", "perft/chess.jsonl");
}

#[test]
fn xiangqi_counts() {
    table("xiangqi", "perft/xiangqi.jsonl");
}

#[test]
#[ignore = "some minutes"]
fn chess_deep_counts() {
    deep_table("chess", "perft/chess.jsonl");
}

#[test]
#[ignore = "some seconds"]
fn xiangqi_deep_counts() {
    deep_table("xiangqi", "perft/xiangqi.jsonl");
}
