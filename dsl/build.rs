//! Writes the list of scripts under `variants/` into the library; the games that test them stay outside.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    // Asked when it runs: a build directory may have been moved since this program was compiled.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let root = Path::new(&manifest).join("../variants");
    // Only the scripts are watched, not the folder: cargo looks into all of it, and whenever a game under
    // variants/tests is accepted, everything would be built anew. A test of the suite says when a new
    // script has been overlooked.
    println!("cargo::rerun-if-changed=build.rs");
    let mut scripts = Vec::new();
    collect(&root, &mut scripts);
    scripts.sort_by_key(|path| path.file_stem().map(|s| s.to_os_string()));
    let mut list = String::from(
        "/// Names and texts of the scripts that come with the program.\nstatic BUNDLED: &[(&str, &str)] = &[\n",
    );
    for path in scripts {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        list.push_str(&format!(
            "    ({name:?}, include_str!({:?})),\n",
            path.canonicalize().unwrap_or(path).display().to_string()
        ));
    }
    list.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("bundled.rs");
    fs::write(out, list).expect("the build directory can be written");
}

fn collect(folder: &Path, scripts: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, scripts);
        } else if path.extension().is_some_and(|e| e == "rhai") {
            scripts.push(path);
        }
    }
}
