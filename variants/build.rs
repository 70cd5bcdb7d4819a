//! Writes the list of all scripts in this folder and in `gallery/`; the games that test them stay outside. With the feature
//! `trained` also writes the list of the trained players in `trained/`, which a page loads one by one instead.

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
    include_all(&mut list, &scripts, "include_str");
    list.push_str("/// Trained players, by the names of their variants.\npub static TRAINED: &[(&str, &[u8])] = &[\n");
    let is_wanted = env::var_os("CARGO_FEATURE_TRAINED").is_some();
    let mut trained = if is_wanted { files_in(&root.join("trained"), "learned") } else { Vec::new() };
    trained.sort();
    include_all(&mut list, &trained, "include_bytes");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("scripts.rs");
    fs::write(out, list).expect("the build directory can be written");
}

/// Ends a list with the names and contents of files.
fn include_all(list: &mut String, files: &[PathBuf], by: &str) {
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let file = path.canonicalize().unwrap_or(path.clone()).display().to_string();
        list.push_str(&format!("    ({name:?}, {by}!({file:?})),\n"));
    }
    list.push_str("];\n");
}

/// The scripts of a folder: a build without them would only fail when somebody plays.
fn scripts_in(folder: &Path) -> Vec<PathBuf> {
    let scripts = files_in(folder, "rhai");
    assert!(!scripts.is_empty(), "there are no scripts in {}", folder.display());
    scripts
}

/// The files of a folder with an extension.
fn files_in(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("the files in {}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}
