//! The session in the README is what the program really prints.

use std::io::Write;
use std::process::{Command, Stdio};

/// Sessions of a text: the arguments after the program, the commands typed, and all other lines.
fn sessions(text: &str) -> Vec<(Vec<String>, Vec<String>, Vec<String>)> {
    let mut found = Vec::new();
    for block in text.split("```session\n").skip(1) {
        let mut lines = block.split("```").next().unwrap_or_default().lines();
        let command = lines.next().and_then(|line| line.split_once("-- ")).expect("a command line").1;
        let (mut typed, mut printed) = (Vec::new(), Vec::new());
        for line in lines {
            match line.split_once(" > ") {
                Some((_, command)) => typed.push(command.to_string()),
                None => printed.push(line.to_string()),
            }
        }
        found.push((command.split(' ').map(String::from).collect(), typed, printed));
    }
    found
}

#[test]
fn the_session_in_the_readme_is_real() {
    let readme = include_str!("../../../README.md");
    let all = sessions(readme);
    assert!(!all.is_empty(), "the README shows a session");
    for (arguments, typed, printed) in all {
        let mut program = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(arguments)
            .env("ASTRAGAL_STATE", std::env::temp_dir().join(format!("astragal-readme-{}", std::process::id())))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = program.stdin.take().expect("its input");
        input.write_all((typed.join("\n") + "\n").as_bytes()).expect("it reads");
        drop(input);
        let output = program.wait_with_output().expect("it ends");
        let real: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect();
        assert_eq!(real, printed);
    }
}
