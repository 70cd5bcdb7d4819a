//! A short fuzz run with the stable compiler: texts of the corpus in `fuzz/seeds`, changed here and there, are given to
//! each target in turn for a number of seconds.
//!
//! `fuzz SECONDS [SEED]` prints what it ran, and its seed. Inputs that break a property are kept in
//! `fuzz/artifacts/TARGET/`, and `fuzz TARGET FILE` runs one again. `cargo fuzz` looks deeper (see `fuzz/README.md`),
//! because it is guided by coverage.

use astragal_core::Stream;
use astragal_tests::properties::{changes, targets};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, fs};

/// A target takes its turn for so many inputs.
const TURN: usize = 8;
/// The maximum number of changes of one text.
const CHANGES: u64 = 5;

struct Target {
    name: &'static str,
    seeds: Vec<String>,
    words: Vec<String>,
    inputs: usize,
}

fn fuzz_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

impl Target {
    fn of(name: &'static str) -> Target {
        let path = fuzz_folder().join(format!("seeds/{name}.jsonl"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let seeds = text.lines().map(|line| serde_json::from_str(line).expect("a seed is a JSON string"));
        // Bytes have no words.
        let words = if name == "splice" { vec!["\u{7}".into(), "\u{0}".into()] } else { changes::dictionary(name) };
        Target { name, seeds: seeds.collect(), words, inputs: 0 }
    }

    /// The seeds as they are, then changed.
    fn next(&mut self, stream: &mut Stream) -> Vec<u8> {
        let mut below = |n: usize| stream.below(n as u64) as usize;
        let turn = self.inputs;
        self.inputs += 1;
        if let Some(seed) = self.seeds.get(turn) {
            return seed.clone().into_bytes();
        }
        let mut letters: Vec<char> = self.seeds[below(self.seeds.len())].chars().collect();
        for _ in 0..=below(CHANGES as usize) {
            let (word, at) = (&self.words[below(self.words.len())], below(letters.len() + 1));
            changes::apply(&mut letters, below(256) as u8, at, below(256) as u8, word);
        }
        letters.into_iter().collect::<String>().into_bytes()
    }
}

/// Runs one input, and returns whether its property holds. The input is on disk meanwhile, in case it kills the process.
fn holds(target: &str, data: &[u8]) -> bool {
    let folder = fuzz_folder().join("artifacts").join(target);
    let file = folder.join("running");
    fs::create_dir_all(&folder).and_then(|()| fs::write(&file, data)).expect("the input can be kept");
    if catch_unwind(AssertUnwindSafe(|| targets::run(target, data))).is_ok() {
        let _ = fs::remove_file(file);
        return true;
    }
    let kept = folder.join("broken");
    fs::rename(file, &kept).expect("the input can be kept");
    eprintln!("{target}: a property does not hold for the input in {}", kept.display());
    eprintln!("  cargo run -p astragal-tests --example fuzz -- {target} {}", kept.display());
    false
}

fn run(seconds: u64, seed: u64) -> bool {
    let mut all: Vec<Target> = targets::NAMES.into_iter().map(Target::of).collect();
    let mut stream = Stream::new(seed, 0);
    let end = Instant::now() + Duration::from_secs(seconds);
    'time: loop {
        for target in &mut all {
            for _ in 0..TURN {
                if Instant::now() >= end {
                    break 'time;
                }
                let data = target.next(&mut stream);
                if !holds(target.name, &data) {
                    eprintln!("  seed {seed}");
                    return false;
                }
            }
        }
    }
    let counts: Vec<String> = all.iter().map(|target| format!("{} {}", target.name, target.inputs)).collect();
    println!("{seconds} s, seed {seed}: {}", counts.join(", "));
    true
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let good = match arguments.as_slice() {
        [target, file] if targets::NAMES.contains(&target.as_str()) => {
            targets::run(target, &fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}")));
            true
        }
        [seconds, rest @ ..] if rest.len() < 2 && seconds.parse::<u64>().is_ok() => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
            let seed = rest.first().map_or(Some(now), |seed| seed.parse().ok());
            run(seconds.parse().unwrap_or_default(), seed.expect("the seed is a number"))
        }
        _ => {
            eprintln!("fuzz SECONDS [SEED], or fuzz TARGET FILE; the targets are {}", targets::NAMES.join(", "));
            return ExitCode::from(2);
        }
    };
    if good { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
