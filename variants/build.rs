//! Writes the list of all scripts in this folder and in `gallery/`; the games that test them stay outside.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    // Asked when it runs: a build directory may have been moved since this program was compiled.
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    // Only the scripts are watched, not the folders: cargo looks into all of them, and whenever a game under `tests/` is
    // accepted, everything would be built anew. A test of the suite says when a new script has been overlooked.
    println!("cargo::rerun-if-changed=build.rs");
    let mut scripts = [scripts_in(&root), scripts_in(&root.join("gallery"))].concat();
    scripts.sort_by_key(|path| path.file_stem().map(|stem| stem.to_os_string()));
    let mut list =
        String::from("/// Names and texts of the scripts, sorted by name.\npub static SCRIPTS: &[(&str, &str)] = &[\n");
    for path in scripts {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().expect("a script has a name").to_string_lossy().into_owned();
        let file = path.canonicalize().unwrap_or(path).display().to_string();
        list.push_str(&format!("    ({name:?}, include_str!({file:?})),\n"));
    }
    list.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("scripts.rs");
    fs::write(out, list).expect("the build directory can be written");
}

/// The scripts of a folder: a build without them would only fail when somebody plays.
fn scripts_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("the scripts in {}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the folder of scripts can be read").path());
    let scripts: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "rhai")).collect();
    assert!(!scripts.is_empty(), "there are no scripts in {}", folder.display());
    scripts
}
