//! What is published: what a registry requires of every crate, and the oldest Rust that is promised.

use crate::metadata::{ROOT, packages};
use serde_json::Value;
use std::path::Path;

/// The crates that are published.
fn ours() -> Vec<Value> {
    let own = |package: &Value| package["source"].is_null() && package["publish"].is_null();
    packages().into_iter().filter(own).collect()
}

fn texts(package: &Value, key: &str) -> Vec<String> {
    let list = package[key].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// The numbers of a version; missing ones are 0.
fn numbers(version: &str) -> [u32; 3] {
    let mut numbers = version.split('.').map(|number| number.parse().expect("a version"));
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}

/// The rules are those of the registry's page on publishing (at most five keywords of twenty characters and five
/// categories); the texts of both licenses must be included, because both require it.
#[test]
fn every_crate_can_be_published() {
    let ours = ours();
    assert_eq!(ours.len(), 9, "crates that are published");
    for package in &ours {
        let name = package["name"].as_str().expect("a name");
        let said = |key: &str| package[key].as_str().is_some_and(|text| !text.is_empty());
        for key in ["description", "license", "repository", "readme", "rust_version"] {
            assert!(said(key), "{name} says nothing of its {key}");
        }
        let keywords = texts(package, "keywords");
        assert!((1..=5).contains(&keywords.len()), "{name} has {} keywords", keywords.len());
        for word in keywords {
            let allowed = |c: char| c.is_ascii_alphanumeric() || "-_+".contains(c);
            let fits = word.len() <= 20 && word.chars().all(allowed);
            assert!(fits && word.starts_with(|c: char| c.is_ascii_alphanumeric()), "{name}: {word}");
        }
        assert!((1..=5).contains(&texts(package, "categories").len()), "{name}: categories");
        let folder = Path::new(package["manifest_path"].as_str().expect("a path")).parent().expect("a folder");
        for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let (own, root) = (std::fs::read(folder.join(file)), std::fs::read(Path::new(ROOT).join(file)));
            assert!(own.is_ok_and(|own| root.is_ok_and(|root| own == root)), "{name} has not the project's {file}");
        }
        assert!(folder.join(package["readme"].as_str().expect("a readme")).is_file(), "{name}: no readme");
    }
}

#[test]
fn no_dependency_asks_for_a_newer_rust_than_is_promised() {
    let promised = ours()[0]["rust_version"].as_str().map(numbers).expect("a promise");
    let newer: Vec<String> = packages()
        .iter()
        .filter(|package| package["rust_version"].as_str().is_some_and(|version| numbers(version) > promised))
        .map(|package| format!("{} asks for {}", package["name"], package["rust_version"]))
        .collect();
    assert!(newer.is_empty(), "{}", newer.join("\n"));
}
