//! Puts the studio into the program, if `web/build.sh` has made it: the files of `web/dist`, or of the folder that
//! `ASTRAGAL_STUDIO` names.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-env-changed=ASTRAGAL_STUDIO");
    let usual = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../web/dist");
    let folder = env::var_os("ASTRAGAL_STUDIO").map_or(usual, PathBuf::from);
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let file = file.canonicalize()?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        writeln!(list, "    ({name:?}, include_bytes!({:?})),", file.display().to_string())?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("studio.rs"), list)?;
    Ok(())
}
