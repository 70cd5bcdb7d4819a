//! Hostile scripts: each is loaded, played and checked in a process of its own with little memory, so that an abort is
//! noticed. The process must end soon, with an error in words or with an ordinary game.
//!
//! The processes are this test program itself, started again with the script in the environment. They run on a test thread
//! with its usual stack of 2 MB.

use astragal_computer::{Computer, Evaluation, Limits};
use astragal_core::{Game, GameError, State, Status, Stream, odds};
use astragal_dsl::{Source, check, library, load};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Where the child finds its script, and what it is to do with it.
const SCRIPT: &str = "ASTRAGAL_HOSTILE_SCRIPT";
const TASK: &str = "ASTRAGAL_HOSTILE_TASK";

/// Seconds of processor time: wall-clock time says little on a busy machine.
const SECONDS: u64 = 2;
/// The maximum memory in use, in mebibytes; also the address space, beyond which allocations fail.
const MEMORY: u64 = 256;
const ADDRESSES: u64 = 1024;
const PLIES: u64 = 50;
/// What is done with each script: it is checked, a game is played at random, and the computer is asked for a hint and the
/// odds of a roll.
const TASKS: [&str; 3] = ["play", "check", "think"];
/// How long the hint and the odds may take each.
const THOUGHT: Duration = Duration::from_millis(400);

#[test]
fn hostile_scripts_end_in_time() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "rhai"));
    files.sort();
    assert!(files.len() >= 100);
    if let Ok(only) = std::env::var("ASTRAGAL_HOSTILE_ONLY") {
        files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(&only)));
    }
    let jobs: Vec<(PathBuf, &str)> =
        files.into_iter().flat_map(|path| TASKS.map(|task| (path.clone(), task))).collect();
    let (jobs, failures) = (Mutex::new(jobs), Mutex::new(String::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((path, task)) = jobs.lock().unwrap().pop() else { return };
                    if let Err(reason) = survive(&path, task) {
                        writeln!(
                            failures.lock().unwrap(),
                            "{} ({task}): {reason}",
                            path.file_name().unwrap().display()
                        )
                        .unwrap();
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "\n{failures}");
}

/// Runs the child for one script and judges how it ended.
fn survive(path: &Path, task: &str) -> Result<(), String> {
    let limits =
        format!("ulimit -c 0; ulimit -v {}; ulimit -t {}; exec \"$0\" \"$@\"", ADDRESSES << 10, 2 * SECONDS + 2);
    let child = Command::new("sh")
        .args(["-c", &limits])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(SCRIPT, path)
        .env(TASK, task)
        .env_remove("RUST_BACKTRACE")
        .env_remove("RUST_MIN_STACK")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&child.stdout);
    let err = String::from_utf8_lossy(&child.stderr);
    let line = |prefix: &str| out.lines().find_map(|line| line.strip_prefix(prefix)).map(str::to_string);
    let Some(result) = line("result ") else {
        return Err(format!("{}: {}", child.status, err.trim().lines().last().unwrap_or_default()));
    };
    let number = |prefix: &str| line(prefix).and_then(|text| text.parse::<u64>().ok()).unwrap_or(u64::MAX);
    let (peak, spent) = (number("peak "), number("spent "));
    let allowed = if task == "play" { SECONDS } else { 2 * SECONDS };
    if std::env::var_os("ASTRAGAL_HOSTILE_SHOW").is_some() {
        println!("{spent:>6} ms {:>4} MB {} ({task}): {result}", peak >> 10, path.file_name().unwrap().display());
    }
    if !child.status.success() {
        return Err(format!("{} after {result}", child.status));
    }
    if err.contains("panicked") {
        return Err(format!("panics: {}", err.lines().find(|l| l.contains("panicked")).unwrap_or_default()));
    }
    if peak >> 10 > MEMORY {
        return Err(format!("{} MiB of memory, {result}", peak >> 10));
    }
    if spent > allowed * 1000 {
        return Err(format!("{spent} ms, {result}"));
    }
    Ok(())
}

/// The child's part; only run by [`survive`].
#[test]
#[ignore = "run by hostile_scripts_end_in_time"]
fn child() {
    let (Some(path), Ok(task)) = (std::env::var_os(SCRIPT), std::env::var(TASK)) else { return };
    let path = PathBuf::from(path);
    let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
    let source = Source { name: "hostile".into(), path: Some("hostile.rhai".into()), text };
    let started = Instant::now();
    let result = match task.as_str() {
        "check" => judged(&source),
        "think" => thought(&source),
        _ => played(&source, started),
    };
    println!("\nresult {}", result.replace('\n', " "));
    println!("spent {}", processor_time());
    println!("peak {}", peak());
    assert!(library::bundled("chess").is_some_and(|chess| load(&chess, &[]).is_ok()), "chess still loads");
}

fn judged(source: &Source) -> String {
    let all = check(source);
    assert!(all.len() <= 20);
    all.first().map_or("nothing to say".into(), |first| first.to_string())
}

fn played(source: &Source, started: Instant) -> String {
    let loaded = match load(source, &[]) {
        Ok(loaded) => loaded,
        Err(error) => return format!("not loaded: {error}"),
    };
    let mut game = match Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1) {
        Ok(game) => game,
        Err(error) => return format!("not begun: {error}"),
    };
    for ply in 0..PLIES {
        // A slow game is no failure; a step that does not end is.
        if started.elapsed() > Duration::from_millis(1000) {
            return format!("slow: {ply} plies");
        }
        let mut stream = Stream::new(7, ply);
        let mut pick = |n: usize| (stream.next_u64() % n.max(1) as u64) as usize;
        let result = match game.status() {
            Status::Over => return format!("over after {ply} plies"),
            Status::Chance => game.roll().map(|_| ()),
            Status::Move if game.state().moves().is_empty() => game.pass(),
            Status::Move => {
                let paid = game.state().moves()[pick(game.state().moves().len())];
                game.play(paid)
            }
            Status::Choice => game.choose(pick(game.state().choices().len())),
        };
        match result {
            Ok(()) => {}
            Err(GameError::Rule(error)) => return format!("stopped after {ply} plies: {error}"),
            Err(error) => return format!("refused after {ply} plies: {error}"),
        }
    }
    format!("{PLIES} plies")
}

/// Asks for odds, and for a hint at the first decision; both have little time and few nodes.
fn thought(source: &Source) -> String {
    let loaded = match load(source, &[]) {
        Ok(loaded) => loaded,
        Err(error) => return format!("not loaded: {error}"),
    };
    let mut state = match State::new(Arc::clone(&loaded.set), loaded.start.clone()) {
        Ok(state) => state,
        Err(error) => return format!("not begun: {error}"),
    };
    let (mut said, mut stream) = (String::new(), Stream::new(7, 0));
    let begun = Instant::now();
    while state.status() == Status::Chance && begun.elapsed() < THOUGHT {
        if said.is_empty() {
            let until = Instant::now() + THOUGHT;
            let odds = odds::explore(&state, &move || Instant::now() > until);
            said = format!("odds {:?}; ", odds.map(|found| found.map(|found| found.outcomes.len())));
        }
        if let Err(error) = state.roll(state.draw(&mut stream)) {
            return format!("{said}stopped: {error}");
        }
    }
    let limits = Limits { nodes: Some(10), time: Some(THOUGHT), ..Limits::default() };
    let until = Instant::now() + THOUGHT;
    let learn = || Evaluation::learn(Arc::clone(&loaded.set), &loaded.start);
    let hint = match loaded.set.rules.stopping(move || Instant::now() > until, learn) {
        Ok(evaluation) => Computer::new(Arc::new(evaluation), 4, 1).with_limits(limits).search(&state, 1),
        Err(error) => Err(error.into()),
    };
    let hint = hint.map_or_else(|error| error.to_string(), |found| format!("{} lines", found.lines.len()));
    format!("{said}{hint}")
}

/// The maximum memory that this process has used, in kibibytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// Milliseconds of processor time that this process has used, in ticks of a hundredth of a second.
fn processor_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<u64>().ok()).unwrap_or(0);
    (ticks(11) + ticks(12)) * 10
}
