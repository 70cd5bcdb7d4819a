//! What cargo says about the crates that the program is made of.

use serde_json::Value;
use std::process::Command;

/// The repository.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The packages, ours and those that they depend on, as `cargo metadata` describes them: of all systems if they have been
/// fetched (`cargo fetch`), else of this one.
pub(crate) fn packages() -> Vec<Value> {
    let found = metadata(&[]).or_else(|| metadata(&["--filter-platform", &host()])).expect("the crates are there");
    let used = |package: &&Value| {
        let nodes = found["resolve"]["nodes"].as_array();
        nodes.is_none_or(|nodes| nodes.iter().any(|node| node["id"] == package["id"]))
    };
    found["packages"].as_array().expect("packages").iter().filter(used).cloned().collect()
}

fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

fn metadata(more: &[&str]) -> Option<Value> {
    let mut command = Command::new(cargo());
    command.current_dir(ROOT).args(["metadata", "--format-version", "1", "--locked", "--offline"]).args(more);
    let output = command.output().expect("cargo runs");
    output.status.success().then(|| serde_json::from_slice(&output.stdout).expect("cargo writes JSON"))
}

/// The system that this test was built for.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host").to_owned()
}
