//! The blocks of `docs/testing.md`, run one after another in one folder.

use std::fs;
use std::process::Command;

/// What a block says: a file to be written, or a call of the program and what it prints.
enum Block {
    File(String, String),
    Call(Vec<String>, String),
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    for part in text.split("\n```").skip(1).step_by(2) {
        let (head, body) = part.split_once('\n').unwrap_or((part, ""));
        if let Some(name) = head.strip_prefix("file ") {
            found.push(Block::File(name.into(), format!("{body}\n")));
        } else if head == "session" {
            for call in format!("\n{body}").split("\n$ astragal ").skip(1) {
                let (args, printed) = call.split_once('\n').unwrap_or((call, ""));
                let args = args.split_whitespace().map(String::from).collect();
                found.push(Block::Call(args, printed.to_owned()));
            }
        }
    }
    found
}

#[test]
fn the_guide_to_testing_is_real() {
    let folder = std::env::temp_dir().join(format!("astragal-testing-doc-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let blocks = blocks(include_str!("../../../docs/testing.md"));
    assert!(blocks.len() >= 5, "the guide shows files and sessions");
    for block in blocks {
        match block {
            Block::File(name, text) => fs::write(folder.join(name), text).expect("a file"),
            Block::Call(args, printed) => {
                let mut program = Command::new(env!("CARGO_BIN_EXE_astragal"));
                let output = program.args(&args).current_dir(&folder).output().expect("the program runs");
                let real = String::from_utf8_lossy(&output.stdout).into_owned();
                assert_eq!(real.trim_end(), printed.trim_end(), "astragal {}", args.join(" "));
            }
        }
    }
    fs::remove_dir_all(&folder).expect("it can be removed");
}
