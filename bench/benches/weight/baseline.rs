//! The baseline: figures by name, in a file that is written by a program and read by people, and the tables of
//! `docs/speed.md` that are made of it. Invariant: those tables say what the file says, or the guard fails.

use std::cmp::Ordering;
use std::fmt::Write;
use std::path::Path;

/// Where the baseline is, from the root of the repository.
pub const FILE: &str = "bench/baseline.txt";

const PAGE: &str = "docs/speed.md";
const BEGIN: &str = "<!-- written from bench/baseline.txt -->\n";
const END: &str = "<!-- to here -->";

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Instructions of a job.
    Instructions,
    /// Bytes that the engine stores.
    Stored,
    /// Bytes of what was built.
    File,
}

impl Unit {
    const ALL: [Unit; 3] = [Unit::Instructions, Unit::Stored, Unit::File];

    fn word(self) -> &'static str {
        match self {
            Unit::Instructions => "instructions",
            Unit::Stored => "bytes",
            Unit::File => "file-bytes",
        }
    }
}

/// A figure: the less, the better.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// What it is of.
    pub name: String,
    /// What is counted.
    pub unit: Unit,
    /// How much.
    pub value: u64,
}

/// A job of fewer instructions is small: what the allocator does weighs more there.
const SMALL: u64 = 50_000_000;

impl Figure {
    /// Parts of a thousand by which it may grow unnoticed. Two builds of the same code in different folders differed by
    /// up to 2.1 % in small jobs, and by less than 1 % in all others.
    fn slack(&self) -> u64 {
        match self.unit {
            Unit::Instructions if self.value < SMALL => 30,
            Unit::Instructions => 10,
            Unit::Stored => 0,
            Unit::File => 1,
        }
    }
}

/// All figures, in the order in which they are shown.
pub type Figures = Vec<Figure>;

fn print(figures: &[Figure]) -> String {
    let mut text = String::from(
        "# What `cargo bench -p astragal-bench --bench weight` compares with, written by its `-- --write`.\n\
         # A commit that raises a figure says why.\n",
    );
    for Figure { name, unit, value } in figures {
        let _ = writeln!(text, "{value:>14} {:12} {name}", unit.word());
    }
    text
}

fn read(text: &str) -> Result<Figures, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let figure = |(number, line): (usize, &str)| {
        let mut words = line.split_whitespace();
        let value = words.next().and_then(|word| word.parse().ok());
        let unit = words.next().and_then(|word| Unit::ALL.into_iter().find(|unit| unit.word() == word));
        let name = words.collect::<Vec<_>>().join(" ");
        let both = value.zip(unit).filter(|_| !name.is_empty());
        both.map(|(value, unit)| Figure { name, unit, value })
            .ok_or(format!("{FILE}, line {}: expected a number, a unit and a name", number + 1))
    };
    lines.map(figure).collect()
}

/// The figure in short: 12.3 million, 456 bytes.
fn short(figure: &Figure) -> String {
    let value = figure.value as f64;
    match figure.unit {
        Unit::Instructions => format!("{:.1} million", value / 1e6),
        _ if figure.value < 10_000 => format!("{} bytes", figure.value),
        _ => format!("{:.2} MiB", value / 1_048_576.0),
    }
}

/// The tables of the page. Loads are many: their sum and the slowest are told.
fn tables(figures: &[Figure]) -> String {
    let (loads, others): (Vec<_>, Vec<_>) = figures.iter().partition(|figure| figure.name.starts_with("load "));
    let mut text = String::from("| job | instructions |\n| --- | --: |\n");
    for figure in others.iter().filter(|figure| figure.unit == Unit::Instructions) {
        let _ = writeln!(text, "| {} | {} |", figure.name, short(figure));
    }
    let sum = loads.iter().map(|figure| figure.value).sum();
    let sum = Figure { name: String::new(), unit: Unit::Instructions, value: sum };
    let _ = writeln!(text, "| load all {} scripts | {} |", loads.len(), short(&sum));
    if let Some(slowest) = loads.iter().max_by_key(|figure| figure.value) {
        let _ = writeln!(text, "| {}, the slowest of them | {} |", slowest.name, short(slowest));
    }
    text += "\n| what | size |\n| --- | --: |\n";
    for figure in others.iter().filter(|figure| figure.unit != Unit::Instructions) {
        let _ = writeln!(text, "| {} | {} |", figure.name, short(figure));
    }
    text
}

/// The page with these tables in their place.
fn page(text: &str, figures: &[Figure]) -> Result<String, String> {
    let missing = || format!("{PAGE} has no place for the tables: {} ... {END}", BEGIN.trim_end());
    let (before, rest) = text.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", tables(figures)))
}

/// Writes baseline and page.
pub fn write(root: &Path, now: &[Figure]) -> Result<(), String> {
    let save = |name: &str, text: String| std::fs::write(root.join(name), text).map_err(|why| format!("{name}: {why}"));
    save(PAGE, page(&load(root, PAGE)?, now)?)?;
    save(FILE, print(now))
}

fn load(root: &Path, name: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(name)).map_err(|why| format!("{name}: {why}"))
}

/// The names of the figures that are worse than the baseline.
pub fn worse(root: &Path, now: &[Figure]) -> Result<Vec<String>, String> {
    let before = read(&load(root, FILE)?)?;
    let is_worse = |figure: &&Figure| {
        before.iter().any(|old| old.name == figure.name && compared(figure, old) == Ordering::Greater)
    };
    Ok(now.iter().filter(is_worse).map(|figure| figure.name.clone()).collect())
}

/// Whether a figure is greater or less than its baseline by more than may go unnoticed.
fn compared(figure: &Figure, old: &Figure) -> Ordering {
    let (value, old, slack) = (u128::from(figure.value), u128::from(old.value), u128::from(old.slack()));
    match value * 1000 {
        value if value > old * (1000 + slack) => Ordering::Greater,
        value if value < old * (1000 - slack) => Ordering::Less,
        _ => Ordering::Equal,
    }
}

/// Prints what differs from the baseline; whether nothing is worse, nothing is missing (if `all` were taken) and the
/// page says what the baseline says.
pub fn compare(root: &Path, now: &[Figure], all: bool) -> Result<bool, String> {
    let (before, text) = (read(&load(root, FILE)?)?, load(root, PAGE)?);
    let (mut good, mut better) = (true, 0);
    for figure in now {
        let Some(old) = before.iter().find(|old| old.name == figure.name) else {
            println!("{}: {}, not in the baseline", figure.name, short(figure));
            good = false;
            continue;
        };
        let compared = compared(figure, old);
        let worse = compared == Ordering::Greater;
        if compared != Ordering::Equal {
            let percent = (figure.value as f64 / old.value.max(1) as f64 - 1.0) * 100.0;
            let word = if worse { "WORSE" } else { "better" };
            println!("{word:6} {percent:+8.2} %  {:>14} -> {:>14}  {}", old.value, figure.value, figure.name);
            better += usize::from(!worse);
        }
        good &= !worse;
    }
    for old in before.iter().filter(|old| all && now.iter().all(|figure| figure.name != old.name)) {
        println!("{}: in the baseline, but not taken", old.name);
        good = false;
    }
    if page(&text, &before)? != text {
        println!("{PAGE} does not say what {FILE} says");
        good = false;
    }
    let advice = if good && better == 0 { "" } else { "; `-- --write` makes these figures the baseline" };
    println!("{} figures, {better} better, {}{advice}", now.len(), if good { "none worse" } else { "some worse" });
    Ok(good)
}
