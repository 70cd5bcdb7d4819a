//! The pictures of the README and the guide are those that the commands of `docs/pictures/README.md` draw.

use crate::common::Folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The words of a command line; quotes keep several together.
fn words(line: &str) -> Vec<String> {
    let quoted = |(at, part): (usize, &str)| match at % 2 {
        0 => part.split_whitespace().map(str::to_string).collect(),
        _ => vec![part.to_string()],
    };
    line.split('"').enumerate().flat_map(quoted).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures")
}

fn page() -> String {
    fs::read_to_string(folder().join("README.md")).unwrap()
}

/// Runs the commands of the page that begin with these words, and compares what they draw.
fn draw(command: &str) {
    let elsewhere = Folder::new("pictures");
    let page = page();
    let lines: Vec<&str> = page.lines().filter(|line| line.starts_with(command)).collect();
    assert!(!lines.is_empty(), "the page has no commands");
    for line in lines {
        let arguments: Vec<String> = words(line).split_off(1);
        let output = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(&arguments)
            .current_dir(elsewhere.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let Some(file) = arguments.last().filter(|file| file.ends_with(".svg")) else { continue };
        let (path, made) = (folder().join(file), fs::read_to_string(elsewhere.path().join(file)).unwrap());
        if std::env::var_os("ASTRAGAL_WRITE").is_some() {
            fs::write(&path, &made).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(found == made, "{file} is stale: run the tests once with ASTRAGAL_WRITE=1, and look at it");
    }
}

#[test]
fn pictures_are_what_their_commands_draw() {
    draw("astragal board ");
}

#[test]
#[ignore = "takes minutes"]
fn pictures_of_tables_are_what_their_commands_draw() {
    draw("astragal solve ");
}

#[test]
fn each_picture_has_a_command() {
    let page = page();
    let forgotten = |entry: &String| entry.ends_with(".svg") && !page.contains(&format!("--svg {entry}\n"));
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(files.filter(forgotten).collect::<Vec<_>>(), Vec::<String>::new(), "no command draws these");
}
