//! The baseline: figures by name, in a generated file that people can read, and the tables of `docs/speed.md` generated
//! from it. Invariant: those tables match the file, or the guard fails.

use std::cmp::Ordering;
use std::fmt::Write;
use std::path::Path;

/// The path of the baseline from the root of the repository.
pub const FILE: &str = "bench/baseline.txt";

const PAGE: &str = "docs/speed.md";
const BEGIN: &str = "<!-- written from bench/baseline.txt -->\n";
const END: &str = "<!-- to here -->";

/// The unit of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Instructions of a job.
    Instructions,
    /// Bytes that the engine stores.
    Stored,
    /// Bytes of built files.
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

/// A figure; less is better.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// Its value.
    pub value: u64,
}

/// A job with fewer instructions is small: the allocator has more weight there.
const SMALL: u64 = 50_000_000;

impl Figure {
    /// The growth that is tolerated, in thousandths. Two builds of the same code in different folders differed by up to 2.1
    /// % in small jobs, and by less than 1 % in all others.
    fn slack(&self) -> u64 {
        match self.unit {
            Unit::Instructions if self.value < SMALL => 30,
            Unit::Instructions => 10,
            Unit::Stored => 0,
            Unit::File => 1,
        }
    }
}

/// All figures, in display order.
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

/// The tables of the page. Loads are many, so only their sum and the slowest are shown.
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

/// The page with these tables inserted.
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

/// Whether a figure exceeds its baseline, or falls below it, by more than the tolerance.
fn compared(figure: &Figure, old: &Figure) -> Ordering {
    let (value, old, slack) = (u128::from(figure.value), u128::from(old.value), u128::from(old.slack()));
    match value * 1000 {
        value if value > old * (1000 + slack) => Ordering::Greater,
        value if value < old * (1000 - slack) => Ordering::Less,
        _ => Ordering::Equal,
    }
}

/// Prints the differences from the baseline. Returns whether no figure is worse, none is missing (if `all` were taken) and
/// the page matches the baseline.
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
        println!("{PAGE} does not match {FILE}");
        good = false;
    }
    let advice = if good && better == 0 { "" } else { "; `-- --write` makes these figures the baseline" };
    println!("{} figures, {better} better, {}{advice}", now.len(), if good { "none worse" } else { "some worse" });
    Ok(good)
}
