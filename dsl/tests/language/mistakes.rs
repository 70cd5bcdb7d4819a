//! How well `check` finds, places, names and cures mistakes that designers make: points for each mistake.
//!
//! The mistakes are in `mistakes/*.txt`. Each is a change to a script that comes with the program: `- ` before the text
//! that is replaced, `+ ` before the new text. `«` and `»` enclose what the caret should be under; with `at`, the place is
//! elsewhere. `says` are words that must appear, and `cure` is what the advice must name. There is a point each if
//! something is reported; if it is at that place; if it is in the words of the author, with none of the interpreter's; and
//! if it has the cure.

use astragal_dsl::{Code, Diagnostic, Fix, Layout, Severity, Source, check, library};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::OnceLock;

/// How many of a hundred points must be reached.
const LEAST: usize = 95;

/// Words of the interpreter, which no designer knows.
const RAW: [&str; 16] = [
    "PermitV",
    "SetV",
    "SideV",
    "SquareV",
    "FnPtr",
    "i64",
    "Dynamic",
    "ImmutableString",
    "xpecting",
    "Non-pure",
    "Data type",
    "Unexpected",
    "BadInput",
    "a typo of",
    "mismatched",
    "not found:",
];

#[derive(Default)]
struct Mistake {
    title: String,
    base: String,
    changes: Vec<(String, String)>,
    at: Option<String>,
    says: Vec<String>,
    cure: String,
}

fn mistakes() -> Vec<Mistake> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let wanted = std::env::var("ASTRAGAL_MISTAKES").unwrap_or_default();
    files.retain(|file| file.file_stem().is_some_and(|name| name.to_string_lossy().contains(&wanted)));
    files.sort();
    let mut all: Vec<Mistake> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut last = ' ';
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(title) = line.strip_prefix("## ") {
                all.push(Mistake { title: title.into(), ..Mistake::default() });
                last = ' ';
                continue;
            }
            let mistake = all.last_mut().expect("a title first");
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "in" => mistake.base = rest.into(),
                "-" if last == '-' => append(&mut mistake.changes.last_mut().unwrap().0, rest),
                "-" => mistake.changes.push((rest.into(), String::new())),
                "+" if last == '+' => append(&mut mistake.changes.last_mut().unwrap().1, rest),
                "+" => mistake.changes.last_mut().unwrap().1 = rest.into(),
                "at" => mistake.at = Some(rest.into()),
                "says" => mistake.says = rest.split(" | ").map(str::to_string).collect(),
                "cure" => mistake.cure = rest.into(),
                other => panic!("{}: {other}", file.display()),
            }
            last = word.chars().next().unwrap();
        }
    }
    all
}

fn append(text: &mut String, line: &str) {
    text.push('\n');
    text.push_str(line);
}

fn bare(text: &str) -> String {
    text.replace(['«', '»'], "")
}

/// A script that comes with the program, or one of those that others have written (`wild/H05`).
fn base(name: &str) -> Option<Source> {
    if !name.starts_with("wild/") {
        return library::bundled(name);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(format!("{name}.rhai"));
    Some(Source { name: name.into(), path: None, text: std::fs::read_to_string(path).ok()? })
}

/// The script with the mistake in it, and its place.
fn script(mistake: &Mistake) -> (Source, (usize, usize)) {
    let mut source = base(&mistake.base).unwrap_or_else(|| panic!("{}: {}", mistake.title, mistake.base));
    let mut mark = None;
    for (old, new) in &mistake.changes {
        let at = source.text.find(old.as_str()).unwrap_or_else(|| panic!("{}: no {old}", mistake.title));
        source.text.replace_range(at..at + old.len(), &bare(new));
        mark = new.find('«').map(|within| at + within).or(mark);
    }
    let at = match mistake.at.as_deref() {
        Some("-") => return (source, (0, 0)),
        Some(text) => {
            let found = source.text.find(&bare(text)).unwrap_or_else(|| panic!("{}: no {text}", mistake.title));
            found + text.find('«').unwrap()
        }
        None => mark.unwrap_or_else(|| panic!("{}: no place", mistake.title)),
    };
    let before = &source.text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
    (source, (line, column))
}

/// A script with a mistake in it, where that is, and what is found.
struct Checked {
    mistake: Mistake,
    source: Source,
    place: (usize, usize),
    found: Vec<Diagnostic>,
}

/// All mistakes, each checked once.
fn checked() -> &'static [Checked] {
    static ALL: OnceLock<Vec<Checked>> = OnceLock::new();
    ALL.get_or_init(|| {
        let one = |mistake: Mistake| {
            let (source, place) = script(&mistake);
            let found = check(&source);
            Checked { mistake, source, place, found }
        };
        mistakes().into_iter().map(one).collect()
    })
}

/// The scripts of `broken/`, with what is found in each.
fn broken() -> Vec<(Source, Vec<Diagnostic>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "rhai"));
    files.sort();
    let one = |file: std::path::PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let source = Source { name, path: None, text: std::fs::read_to_string(&file).unwrap() };
        let found = check(&source);
        (source, found)
    };
    files.into_iter().map(one).collect()
}

/// The script with a change made.
fn changed(source: &Source, fix: &Fix) -> Source {
    let mut text = source.text.clone();
    text.replace_range(fix.span.clone(), &fix.text);
    Source { text, ..source.clone() }
}

/// What is still wrong after a change: the message that it should remove, or a new error at its place.
fn left_by(source: &Source, before: &[Diagnostic], one: &Diagnostic, fix: &Fix) -> Option<String> {
    let after = check(&changed(source, fix));
    let same = |all: &[Diagnostic]| all.iter().filter(|d| d.message == one.message && d.line == one.line).count();
    if same(&after) >= same(before) {
        return Some("the message is left".into());
    }
    let new = fix.span.start..fix.span.start + fix.text.len().max(1);
    let there =
        |d: &&Diagnostic| d.span().is_some_and(|span| span.start < new.end && new.start < span.end.max(span.start + 1));
    let known = |d: &&Diagnostic| before.iter().any(|old| old.message == d.message);
    let worse = after.iter().filter(|d| d.severity == Severity::Error).filter(there).find(|d| !known(d))?;
    Some(worse.render(false))
}

#[test]
fn every_cure_that_is_shown_works() {
    let of_broken = broken();
    let all = checked().iter().map(|one| (one.mistake.title.as_str(), &one.source, &one.found));
    let all = all.chain(of_broken.iter().map(|(source, found)| (source.name.as_str(), source, found)));
    let (mut tried, mut wrong) = (0, String::new());
    for (title, source, found) in all {
        for one in found.iter().filter(|one| one.file == source.file()) {
            for fix in one.fix.iter().chain(&one.suggestion()) {
                tried += 1;
                // There is a second mistake behind this one: the options of the base are not declared.
                let second = title == "function-without-its-base";
                if let Some(left) = left_by(source, found, one, fix).filter(|_| !second) {
                    let (shown, text) = (one.render(false), &fix.text);
                    writeln!(
                        wrong,
                        "=== {title}: `{text}` in place of `{}`: {left}\n{shown}",
                        &source.text[fix.span.clone()]
                    )
                    .unwrap();
                }
            }
        }
    }
    println!("{tried} changes tried");
    assert!(tried >= 400 || std::env::var_os("ASTRAGAL_MISTAKES").is_some(), "{tried}");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whether a line is as long as it is because of one word, which cannot be broken.
fn is_one_word(line: &str) -> bool {
    let words = line.trim_start_matches([' ', '=', '|', '-', '>']).trim_start_matches("help:").trim();
    words.split(' ').count() == 1
}

#[test]
fn reports_fit_into_eighty_columns_and_begin_with_the_errors() {
    let of_broken = broken();
    let all = checked().iter().map(|one| (one.mistake.title.as_str(), &one.found));
    let all = all.chain(of_broken.iter().map(|(source, found)| (source.name.as_str(), found)));
    let (mut lines, mut wrong) = (0, String::new());
    for (title, found) in all {
        for diagnostic in found {
            let shown = diagnostic.render(false);
            lines += shown.lines().count();
            for line in shown.lines().filter(|line| line.chars().count() > Layout::COLUMNS && !is_one_word(line)) {
                writeln!(wrong, "{title}: {line}").unwrap();
            }
        }
        let severities: Vec<Severity> = found.iter().map(|one| one.severity).collect();
        if !severities.is_sorted() {
            writeln!(wrong, "{title}: {severities:?}").unwrap();
        }
    }
    assert!(lines > 1000 || std::env::var_os("ASTRAGAL_MISTAKES").is_some(), "{lines}");
    assert!(wrong.is_empty(), "{wrong}");
}

fn said(diagnostic: &Diagnostic) -> String {
    format!("{}\n{}", diagnostic.message, diagnostic.help.as_deref().unwrap_or_default())
}

/// The four points: found, at the place, in the author's words, with the cure.
fn points(mistake: &Mistake, all: &[Diagnostic], place: (usize, usize)) -> [bool; 4] {
    let there = all.iter().find(|d| (d.line, d.column) == place || place.0 == 0 && d.line == 0);
    let Some(best) = there.or(all.first()) else { return [false; 4] };
    // Who writes a list says words, not how they are spelt.
    let text = said(best).to_lowercase();
    let words = mistake.says.iter().all(|word| text.contains(&word.to_lowercase()));
    let raw = all.iter().any(|d| RAW.iter().any(|raw| said(d).contains(raw)));
    let cure = best.help.as_deref().unwrap_or_default().to_lowercase().contains(&mistake.cure.to_lowercase());
    [true, there.is_some(), words && !raw, cure]
}

#[test]
fn mistakes_are_found_placed_named_and_cured() {
    let all = checked();
    assert!(all.len() >= 120 || std::env::var_os("ASTRAGAL_MISTAKES").is_some(), "{}", all.len());
    let (mut sums, mut short) = ([0; 4], String::new());
    for Checked { mistake, place, found, .. } in all {
        let place = *place;
        // What was merely not played is no word about the mistake.
        let mut found = found.clone();
        found.retain(|one| one.code != Some(Code::NotPlayed));
        let got = points(mistake, &found, place);
        sums.iter_mut().zip(got).for_each(|(sum, got)| *sum += usize::from(got));
        if got != [true; 4] || found.len() > 3 {
            let marks: String =
                got.iter().zip("fpwc".chars()).map(|(got, mark)| if *got { mark } else { '-' }).collect();
            writeln!(
                short,
                "=== {marks} {} ({}, {}:{}, {} said)",
                mistake.title,
                mistake.base,
                place.0,
                place.1,
                found.len()
            )
            .unwrap();
            for diagnostic in found.iter().take(3) {
                writeln!(short, "{}", diagnostic.render(false)).unwrap();
            }
        }
    }
    let points: usize = sums.iter().sum();
    println!(
        "{short}\n{} mistakes: found {}, place {}, words {}, cure {}: {points} of {} points",
        all.len(),
        sums[0],
        sums[1],
        sums[2],
        sums[3],
        4 * all.len()
    );
    assert!(points * 100 >= LEAST * 4 * all.len(), "only {points} of {} points", 4 * all.len());
}
