//! Hostile scripts and the real program: no command uses more than a gigabyte for one, or runs on for more than two seconds
//! after it has been asked to stop.
//!
//! The scripts are in `dsl/tests/hostile`. Tests there also load, play and check each by itself.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The maximum memory in use, in mebibytes; also the address space, beyond which allocations fail. Stacks of threads are
/// reserved, not used.
const MEMORY: u64 = 1024;
const ADDRESSES: u64 = 4096;
/// Seconds of processor time after the request to end: wall-clock time says little on a busy machine.
const HEARS: u64 = 2;
/// Seconds of processor time after which it is asked to end; longer for commands that should end by themselves.
const WORKS: u64 = 5;
const ENDS: u64 = 120;
/// Longer than the slowest machine needs.
const PATIENCE: Duration = Duration::from_secs(300);

/// Commands, with `SCRIPT` for the script; and what each prints on standard output or standard error if it should end by
/// itself.
type Case = (&'static str, &'static [&'static str], Option<&'static str>);

const CASES: &[Case] = &[
    ("turns-secret-choices", &["turns", "SCRIPT"], Some("(see limit 31 in docs/limits.md)")),
    ("turns-secret-choices", &["perft", "SCRIPT", "--depth", "2", "--turns"], Some("(see limit 31 in docs/limits.md)")),
    ("turns-secret-choices", &["simulate", "SCRIPT", "-n", "1000000", "--threads", "1"], None),
    ("reroll-wide", &["simulate", "SCRIPT", "-n", "1000000", "--threads", "1"], None),
    ("reroll-wide", &["compare", "SCRIPT", "chess", "-n", "1000000", "--threads", "1"], None),
    ("reroll-wide", &["check", "SCRIPT", "--profile"], None),
    ("reroll-wide", &["test", "SCRIPT", "--random", "1000000"], None),
    ("reroll-wide", &["match", "random", "greedy", "SCRIPT", "-n", "1000000"], None),
    ("reroll-wide", &["odds", "SCRIPT"], None),
    ("reroll-wide", &["turns", "SCRIPT"], Some("too many to list")),
    ("cast-patterns", &["odds", "SCRIPT"], None),
    ("moves-for-every-roll", &["odds", "SCRIPT"], None),
    ("moves-for-every-roll", &["turns", "SCRIPT"], None),
    ("suppose-much", &["simulate", "SCRIPT", "-n", "1"], Some("(see limit 29 in docs/limits.md)")),
    ("permits-large-tree", &["simulate", "SCRIPT", "-n", "1000000", "--threads", "2"], None),
];

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../dsl/tests/hostile").join(format!("{name}.rhai"))
}

#[test]
fn every_command_stays_small_and_hears() {
    let only = std::env::var("ASTRAGAL_HOSTILE_ONLY").unwrap_or_default();
    let cases = CASES.iter().filter(|(name, ..)| name.contains(&only)).collect();
    let (cases, failures) = (Mutex::<Vec<&Case>>::new(cases), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(case) = cases.lock().unwrap().pop() else { return };
                    if let Err(reason) = survive(case) {
                        failures.lock().unwrap().push(format!("{} {:?}: {reason}", case.0, case.1));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Runs a command until it ends or has worked long enough, and in that case asks it to end. Judges what it used.
fn survive(&(name, args, ends_with): &Case) -> Result<(), String> {
    let path = script(name).display().to_string();
    let args = args.iter().map(|arg| if *arg == "SCRIPT" { path.as_str() } else { arg });
    let limits = format!("ulimit -c 0; ulimit -v {}; exec \"$0\" \"$@\"", ADDRESSES << 10);
    let mut child = Command::new("sh")
        .args(["-c", &limits, env!("CARGO_BIN_EXE_astragal")])
        .args(args)
        .env("ASTRAGAL_STATE", std::env::temp_dir().join(format!("astragal-hostile-{}", std::process::id())))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let [out, err] = [drained(child.stdout.take()), drained(child.stderr.take())];
    let watched = watch(&mut child, if ends_with.is_some() { ENDS } else { WORKS });
    let _ = child.kill();
    let status = child.wait().map_err(|error| error.to_string())?;
    let [out, err] = [out, err].map(|reader| reader.join().unwrap_or_default());
    let Watched { peak, asked, heard } = watched?;
    // Messages are wrapped to the width of the terminal.
    let said = format!("{out}{err}").split_whitespace().collect::<Vec<_>>().join(" ");
    let last = err.trim().lines().last().unwrap_or_default();
    if std::env::var_os("ASTRAGAL_HOSTILE_SHOW").is_some() {
        println!("{peak:>5} MiB, asked {asked}, {heard:>5} ms {name} {:?}: {last}", status.code());
    }
    match () {
        () if peak > MEMORY => Err(format!("{peak} MiB of memory, {last}")),
        () if heard > HEARS * 1000 => Err(format!("{heard} ms of work after SIGTERM")),
        () if said.contains("panicked") || !asked && status.code().is_none() => Err(format!("{status}: {last}")),
        () if ends_with.is_some_and(|text| !said.contains(text)) => Err(format!("{status}: says '{last}'")),
        () => Ok(()),
    }
}

/// Reads a stream to its end on a thread of its own.
fn drained(stream: Option<impl std::io::Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is what there is.
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// What a command used.
struct Watched {
    /// The maximum memory in use, in mebibytes.
    peak: u64,
    /// Whether it was asked to end.
    asked: bool,
    /// Milliseconds of processor time after that.
    heard: u64,
}

/// Watches a command until it ends, and asks it to end after so many seconds of processor time.
fn watch(child: &mut Child, works: u64) -> Result<Watched, String> {
    let (id, begun) = (child.id(), Instant::now());
    let (mut peak, mut asked, mut worked) = (0, None, 0);
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        peak = peak.max(in_memory(id));
        worked = worked.max(processor_time(id));
        if asked.is_none() && worked > works * 1000 {
            asked = Some(worked);
            let sent = Command::new("kill").args(["-TERM", &id.to_string()]).status();
            sent.map_err(|error| error.to_string())?;
        }
        if peak > MEMORY || asked.is_some_and(|asked| worked > asked + 2 * HEARS * 1000) {
            break;
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("{worked} ms of work, and no end"));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(Watched { peak, asked: asked.is_some(), heard: asked.map_or(0, |asked| worked - asked) })
}

/// The maximum memory that a process has used, in mebibytes.
fn in_memory(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) >> 10
}

/// Milliseconds of processor time that a process has used, in ticks of a hundredth of a second.
fn processor_time(id: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<u64>().ok()).unwrap_or(0);
    (ticks(11) + ticks(12)) * 10
}
