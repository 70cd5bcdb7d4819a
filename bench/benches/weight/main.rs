//! The guard of speed and size. It counts the instructions of a dozen jobs, measures stored and shipped bytes, and compares
//! both with `bench/baseline.txt`. Valgrind's Callgrind counts the instructions, so the figures do not depend on how busy
//! the machine is.
//!
//! - `cargo bench -p astragal-bench --bench weight` prints the changes, and fails if a figure is worse; `-- --all` also
//!   fails if the program or the page has not been built.
//! - `-- --write` makes today's figures the baseline and writes the tables of `docs/speed.md` from it.
//!
//! Instructions may exceed their baseline by 1 % (in small jobs 3 %), and built files by 0.1 %: the memory layout differs
//! in each run, and files contain the names of folders. The bytes that the engine stores may not grow at all.

mod baseline;
mod jobs;

use baseline::{Figure, Figures, Unit};
use jobs::Job;
use std::num::NonZeroU32;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Mutex;

/// The file name of the program, which is built one folder above this one.
const PROGRAM: &str = "astragal";

/// How often a job that seems worse is counted again.
const RECOUNTS: usize = 4;

/// The files that a visitor of the studio loads, without the pages for measurements.
const PAGE: &str = "web/dist";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (write, all) = match args[..] {
        ["job", name] => return run_job(name),
        [] => (false, false),
        ["--all"] => (false, true),
        ["--write"] => (true, true),
        _ => {
            eprintln!("usage: cargo bench -p astragal-bench --bench weight [-- --all | --write]");
            return ExitCode::from(2);
        }
    };
    match guard(write, all) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Runs one job in this process, to be counted from outside.
fn run_job(name: &str) -> ExitCode {
    // Time limits are for programs at normal speed, not for one under Callgrind.
    astragal_dsl::stretch_time(NonZeroU32::new(1000).expect("not zero"));
    match jobs::all().into_iter().find(|job| job.name == name) {
        Some(job) => {
            (job.run)();
            ExitCode::SUCCESS
        }
        None => ExitCode::from(2),
    }
}

/// Takes all figures and compares them with the baseline, or makes them the baseline. Returns whether none is worse.
fn guard(write: bool, all: bool) -> Result<bool, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has a root")?;
    let mut now = counted(&jobs::all())?;
    // Hashers of the standard library have a new seed in each run, so the least of several counts is compared.
    for _ in 0..if write { 0 } else { RECOUNTS } {
        let worse = baseline::worse(root, &now)?;
        let again = jobs::all().into_iter().filter(|job| worse.contains(&job.name)).collect::<Vec<_>>();
        for figure in counted(&again)? {
            let old = now.iter_mut().find(|old| old.name == figure.name);
            old.into_iter().for_each(|old| old.value = old.value.min(figure.value));
        }
    }
    now.extend(stored());
    let (mut built, missing) = files(root);
    now.append(&mut built);
    if all && !missing.is_empty() {
        return Err(format!("not built: {}", missing.join(", ")));
    }
    if write {
        baseline::write(root, &now)?;
        println!("{} figures written to {}", now.len(), baseline::FILE);
        return Ok(true);
    }
    for file in missing {
        println!("{file}: not built, so not weighed");
    }
    baseline::compare(root, &now, all)
}

/// The instructions of some jobs. Two run at a time: that does not affect the counts.
fn counted(jobs: &[Job]) -> Result<Figures, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let (next, found) = (Mutex::new(0..jobs.len()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = next.lock().ok().and_then(|mut left| left.next());
                    let Some(place) = next else { break };
                    let counts = count(&program, &jobs[place].name);
                    if let Ok(mut found) = found.lock() {
                        found.push((place, counts));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().map_err(|error| error.to_string())?;
    found.sort_by_key(|(place, _)| *place);
    let figure = |(place, value): (usize, Result<u64, String>)| {
        let name = jobs[place].name.clone();
        value.map(|value| Figure { name, unit: Unit::Instructions, value })
    };
    found.into_iter().map(figure).collect()
}

/// The instructions of one job, counting only [`jobs::measured`].
fn count(program: &Path, job: &str) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*jobs::measured*"])
        .arg("--callgrind-out-file=/dev/null")
        .arg(program)
        .args(["job", job])
        .output()
        .map_err(|error| format!("valgrind, which counts instructions, cannot be run ({error}): install it"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    match collected {
        Some(count) if output.status.success() && count > 0 => Ok(count),
        _ => Err(format!("{job}: nothing was counted\n{said}")),
    }
}

/// The sizes of data that the engine stores, in bytes.
fn stored() -> Figures {
    let figure = |name: &str, value: usize| Figure { name: name.into(), unit: Unit::Stored, value: value as u64 };
    vec![figure("a position", size_of::<astragal_core::Position>()), figure("rule trees of all scripts", jobs::trees())]
}

/// The sizes of the built files, and the names of those that are missing.
fn files(root: &Path) -> (Figures, Vec<&'static str>) {
    let (mut figures, mut missing) = (Figures::new(), Vec::new());
    let size = |path: &Path| std::fs::metadata(path).ok().map(|data| data.len());
    let here = std::env::current_exe().ok();
    let program = here.as_deref().and_then(Path::parent).and_then(Path::parent).map(|built| built.join(PROGRAM));
    match program.as_deref().and_then(size) {
        Some(value) => figures.push(Figure { name: "the program".into(), unit: Unit::File, value }),
        None => missing.push(PROGRAM),
    }
    let page = std::fs::read_dir(root.join(PAGE)).into_iter().flatten().flatten();
    let loaded = page.filter(|file| !file.file_name().to_string_lossy().starts_with("bench"));
    match loaded.filter_map(|file| size(&file.path())).sum() {
        0 => missing.push(PAGE),
        value => figures.push(Figure { name: "the page".into(), unit: Unit::File, value }),
    }
    (figures, missing)
}
