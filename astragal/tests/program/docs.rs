//! Every code block of `docs/`, of the guide and of the cookbook is run: scripts are checked and played, sessions are
//! compared with what the program prints, and notations are read.

use crate::common::Folder;
use astragal_core::{Game, Status, Stream};
use astragal_dsl::notation::{betza, dice, fen};
use astragal_dsl::{Severity, Source, check, game_text, load, load_named, turn_state_text};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A block of code: what follows the fence, the text, and the line in its file.
struct Block {
    info: String,
    text: String,
    line: usize,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (None, Some(info)) => {
                open = Some(Block { info: info.trim().into(), text: String::new(), line: number + 1 });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => block.text.push_str(&format!("{line}\n")),
            (None, None) => {}
        }
    }
    found
}

#[test]
fn every_block_of_the_guide_works() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = ["docs", "docs/guide", "docs/cookbook"].map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let mut files: Vec<PathBuf> = entries.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "md"));
    files.sort();
    assert!(files.iter().any(|path| path.ends_with("tutorial.md")));
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        // Has a test of its own.
        if name == "testing" {
            continue;
        }
        let folder = Folder::new(&name);
        for block in blocks(&fs::read_to_string(&path).unwrap()) {
            let at = format!("{}:{}", path.file_name().unwrap().to_string_lossy(), block.line);
            run(&block, &folder, &at);
        }
    }
}

fn run(block: &Block, folder: &Folder, at: &str) {
    let mut info = block.info.splitn(2, [',', ' ']);
    let (kind, more) = (info.next().unwrap_or_default(), info.next().unwrap_or_default());
    let file = more.split(',').find_map(|part| part.strip_prefix("file="));
    if let Some(file) = file {
        fs::write(folder.0.join(file), &block.text).unwrap();
    }
    match kind {
        // Run by the tests of the reference.
        "rhai" if more == "example" => {}
        "rhai" if more.ends_with("broken") => {}
        "rhai" => whole_script(&block.text, at),
        "console" => console(&block.text, folder, at),
        "game" | "text" => {}
        "toml" => assert!(block.text.contains('='), "{at}"),
        "sh" => shell_reads(&block.text, at),
        "betza" => lines(block).for_each(|line| drop(betza::parse(line).unwrap_or_else(|e| panic!("{at}: {e}")))),
        "dice" => lines(block).for_each(|line| drop(dice::parse(line).unwrap_or_else(|e| panic!("{at}: {e}")))),
        "fen" => {
            let chess = load_named("chess", &[]).unwrap();
            lines(block)
                .for_each(|line| drop(fen::parse(&chess.set.variant, line).unwrap_or_else(|e| panic!("{at}: {e}"))));
        }
        "squares" => lines(block).for_each(|line| {
            let text = format!(
                "piece(\"man\", \"M\"); region(\"here\", \"{line}\"); fn outcome() {{ if \
                     clock_reached(9) {{ draw(\"long\") }} }}"
            );
            let source = Source { name: "squares".into(), path: None, text };
            load(&source, &[]).unwrap_or_else(|e| panic!("{at}: {line}: {e}"));
        }),
        "moves" => moves(block, more, at),
        "rpc" => requests(&block.text, folder, at),
        "json" => drop(serde_json::from_str::<serde_json::Value>(&block.text).unwrap_or_else(|e| panic!("{at}: {e}"))),
        // Settings that only editors read.
        "lua" | "lisp" | "vim" if ["editors.md:", "debug.md:"].iter().any(|page| at.starts_with(page)) => {}
        // Run by python/tests/test_guide.py.
        "python" if ["python.md:", "scale.md:", "data.md:"].iter().any(|page| at.starts_with(page)) => {}
        other => panic!("{at}: nothing is known of blocks of '{other}'"),
    }
}

/// The lines of a block without what explains them.
fn lines(block: &Block) -> impl Iterator<Item = &str> {
    let code = block
        .text
        .lines()
        .map(|line| line.split("  #").next().unwrap_or_default().split(" # ").next().unwrap_or_default());
    code.map(str::trim).filter(|line| !line.is_empty())
}

/// Moves of chess; those that end in a question mark are not possible.
fn moves(block: &Block, position: &str, at: &str) {
    let chess = load_named("chess", &[]).unwrap();
    let placed = fen::parse(&chess.set.variant, position).unwrap_or_else(|e| panic!("{at}: {e}"));
    let game = turn_state_text::begin(&chess, placed, 0).unwrap();
    for line in lines(block) {
        let found = game_text::find_move(game.state(), line.trim_end_matches('?'), None);
        assert_eq!(found.is_ok(), !line.ends_with('?'), "{at}: {line}");
    }
}

/// A script that is right, and can be played.
fn whole_script(text: &str, at: &str) {
    let source = Source { name: "script".into(), path: None, text: text.into() };
    let wrong: Vec<String> =
        check(&source).iter().filter(|d| d.severity == Severity::Error).map(|d| d.render(false)).collect();
    assert!(wrong.is_empty(), "{at}:\n{}", wrong.join("\n"));
    let loaded = load(&source, &[]).unwrap();
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).unwrap();
    let mut stream = Stream::new(1, 1);
    for _ in 0..40 {
        let pick = stream.next_u64() as usize;
        match game.status() {
            Status::Over => break,
            Status::Chance => drop(game.roll().unwrap()),
            Status::Choice => game.choose(pick % game.state().choices().len()).unwrap(),
            Status::Move => game.play(game.state().moves()[pick % game.state().moves().len()]).unwrap(),
        }
    }
}

fn shell_reads(text: &str, at: &str) {
    let mut shell = Command::new("sh").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success(), "{at}: not a shell's text");
}

/// Commands after `$ `, each with what it prints; lines after a prompt are typed.
fn console(text: &str, folder: &Folder, at: &str) {
    let mut commands: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command.into(), Vec::new())),
            None => commands.last_mut().unwrap_or_else(|| panic!("{at}: no command")).1.push(line),
        }
    }
    for (command, rest) in commands {
        let typed: Vec<&str> = rest.iter().filter_map(|line| typed(line)).collect();
        let expected: Vec<&str> = rest.into_iter().filter(|line| self::typed(line).is_none()).collect();
        let printed = shell(&command, &typed, folder, at);
        let at = format!("{at}: $ {command}");
        assert!(
            agrees(&expected, &printed),
            "{at}\nexpected:\n{}\nprinted:\n{}",
            expected.join("\n"),
            printed.join("\n")
        );
    }
}

/// Lines that are sent to the server, after `-> `, and its answers, after `<- `.
fn requests(text: &str, folder: &Folder, at: &str) {
    let lines = |mark: &str| text.lines().filter_map(|line| line.strip_prefix(mark)).collect::<Vec<_>>();
    let (sent, expected) = (lines("-> "), lines("<- "));
    assert!(!sent.is_empty() && sent.len() + expected.len() == text.lines().count(), "{at}: neither sent nor answered");
    let answers = shell("astragal serve", &sent, folder, at);
    assert_eq!(answers.len(), expected.len(), "{at}: {answers:#?}");
    for (expected, answer) in expected.iter().zip(&answers) {
        assert!(like(expected, answer), "{at}\nexpected:\n{expected}\nanswered:\n{answer}");
    }
}

/// What was typed at a prompt, as `White rolls > roll 3`.
fn typed(line: &str) -> Option<&str> {
    let (prompt, rest) = line.split_once(" > ")?;
    let side = prompt.split(' ').next().is_some_and(|word| ["White", "Black", "Red", "Blue", "(over)"].contains(&word));
    (side && prompt.split(' ').count() <= 2).then_some(rest)
}

/// Whether lines are as expected; `...` alone stands for any lines, inside a line for any text.
fn agrees(expected: &[&str], printed: &[String]) -> bool {
    let Some((first, rest)) = expected.split_first() else { return printed.is_empty() };
    if *first == "..." {
        return (0..=printed.len()).any(|skip| agrees(rest, &printed[skip..]));
    }
    printed.first().is_some_and(|line| like(first, line)) && agrees(rest, &printed[1..])
}

fn like(pattern: &str, line: &str) -> bool {
    let mut left = line;
    let parts: Vec<&str> = pattern.split("...").collect();
    let Some((first, others)) = parts.split_first() else { return false };
    let Some(rest) = left.strip_prefix(first) else { return false };
    left = rest;
    for part in others {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.is_empty() || pattern.ends_with("...")
}

/// Runs a command in the document's folder; edits of files are made where they are typed.
fn shell(command: &str, typed: &[&str], folder: &Folder, at: &str) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_astragal"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let mut child = Command::new("sh")
        .args(["-c", &format!("{command} 2>&1; code=$?; [ $code = 0 ] || echo \"[exit $code]\"")])
        .current_dir(&folder.0)
        .env("PATH", path)
        .env("LANG", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut marks = 0;
    for line in typed {
        match line.strip_prefix("# edit ") {
            None => writeln!(input, "{line}").unwrap(),
            Some(edit) => {
                // The program must have read all that was typed before: a record is written in between.
                marks += 1;
                let mark = folder.0.join(format!("mark{marks}.pgn"));
                writeln!(input, "save! {}", mark.display()).unwrap();
                input.flush().unwrap();
                let since = Instant::now();
                while !mark.exists() && since.elapsed() < Duration::from_secs(60) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                let (file, change) = edit.split_once(": ").unwrap_or_else(|| panic!("{at}: {edit}"));
                let (old, new) = change.split_once(" => ").unwrap_or_else(|| panic!("{at}: {edit}"));
                let text = fs::read_to_string(folder.0.join(file)).unwrap();
                assert!(text.contains(old), "{at}: there is no {old} in {file}");
                fs::write(folder.0.join(file), text.replace(old, new)).unwrap();
            }
        }
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter(|line| !line.starts_with("Written to ")).map(String::from).collect()
}
