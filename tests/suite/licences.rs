//! What the program is made of: every dependency comes from crates.io and has a license that `deny.toml` allows.
//!
//! `cargo deny` says the same and more, but takes minutes to install; this needs nothing but cargo.

use crate::metadata::{ROOT, packages};
use serde_json::Value;
use std::path::Path;

/// A crate, its licence and where it comes from.
struct Dependency {
    name: String,
    licence: String,
    source: String,
}

fn dependencies() -> Vec<Dependency> {
    let one = |package: Value| {
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        Dependency {
            name: format!("{} {}", text("name"), text("version")),
            licence: text("license"),
            source: text("source"),
        }
    };
    packages().into_iter().map(one).collect()
}

/// The texts of the list `allow` in `deny.toml`.
fn allowed() -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(ROOT).join("deny.toml")).expect("deny.toml is there");
    let (_, list) = text.split_once("\nallow = [").expect("a list of licences");
    let (list, _) = list.split_once("\n]").expect("its end");
    list.split('"').skip(1).step_by(2).map(String::from).collect()
}

/// Crates that may have a licence besides, as `deny.toml` argues.
fn exceptions() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(Path::new(ROOT).join("deny.toml")).expect("deny.toml is there");
    let one = |line: &str| {
        let (name, rest) = line.trim().strip_prefix("{ crate = \"")?.split_once('"')?;
        Some((name.to_owned(), rest.split('"').nth(1)?.to_owned()))
    };
    text.lines().filter_map(one).collect()
}

/// Whether an SPDX expression can be met by allowed licences: `AND` binds tighter than `OR`, `/` is an old `OR`.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest, allowed) && rest.is_empty()
}

fn any(rest: &mut &[&str], allowed: &[String]) -> bool {
    let mut met = all(rest, allowed);
    while let ["OR", others @ ..] = *rest {
        *rest = others;
        met |= all(rest, allowed);
    }
    met
}

fn all(rest: &mut &[&str], allowed: &[String]) -> bool {
    let mut met = one(rest, allowed);
    while let ["AND", others @ ..] = *rest {
        *rest = others;
        met &= one(rest, allowed);
    }
    met
}

fn one(rest: &mut &[&str], allowed: &[String]) -> bool {
    match *rest {
        ["(", inner @ ..] => {
            *rest = inner;
            let met = any(rest, allowed);
            let closed = rest.first() == Some(&")");
            *rest = rest.get(1..).unwrap_or_default();
            met && closed
        }
        [licence, "WITH", exception, others @ ..] => {
            let whole = format!("{licence} WITH {exception}");
            *rest = others;
            allowed.contains(&whole)
        }
        [licence, others @ ..] => {
            *rest = others;
            allowed.iter().any(|known| known == licence)
        }
        [] => false,
    }
}

#[test]
fn expressions_are_read() {
    let allowed = ["MIT".to_owned(), "Apache-2.0 WITH LLVM-exception".to_owned(), "Zlib".to_owned()];
    for good in [
        "MIT",
        "MIT OR GPL-3.0",
        "GPL-3.0/MIT",
        "(GPL-2.0 OR MIT) AND Zlib",
        "Apache-2.0 WITH LLVM-exception OR Apache-2.0",
        "GPL-3.0 OR MIT AND Zlib",
    ] {
        assert!(is_met(good, &allowed), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND GPL-3.0", "Apache-2.0", "(MIT", "MIT Zlib"] {
        assert!(!is_met(bad, &allowed), "{bad}");
    }
}

#[test]
fn dependencies_are_permissive_and_from_crates_io() {
    let (allowed, dependencies) = (allowed(), dependencies());
    assert!(allowed.len() > 5 && dependencies.len() > 50, "{} licences, {} crates", allowed.len(), dependencies.len());
    let known = |source: &str| source.is_empty() || source == "registry+https://github.com/rust-lang/crates.io-index";
    let exceptions = exceptions();
    let excepted = |found: &Dependency| {
        let name = found.name.split(' ').next().unwrap_or_default();
        exceptions.iter().any(|(known, licence)| known == name && *licence == found.licence)
    };
    for (name, _) in &exceptions {
        assert!(dependencies.iter().any(|found| found.name.starts_with(&format!("{name} "))), "{name} is used no more");
    }
    let wrong: Vec<String> = dependencies
        .iter()
        .filter(|found| !(is_met(&found.licence, &allowed) || excepted(found)) || !known(&found.source))
        .map(|found| format!("{}: {} from {}", found.name, found.licence, found.source))
        .collect();
    assert!(wrong.is_empty(), "not allowed by deny.toml:\n{}", wrong.join("\n"));
}
