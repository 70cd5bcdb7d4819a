//! Small changes, made by machine, of the scripts that come with the program: which of them `check` accepts in silence,
//! reports in another line, or reports without advice.
//!
//! Run on demand: `cargo test -p astragal-dsl --test language mutations:: -- --ignored --nocapture`.
//! `ASTRAGAL_MUTATIONS=FAMILY` takes one family alone, and `ASTRAGAL_STRIDE=N` every Nth change of a script. Many changes
//! are not mistakes (another number of points, a shorter text), so the lists are read, not counted against a bound.

use astragal_dsl::{Code, Severity, Source, check, library};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A change: its family, the bytes that it replaces, and the new text.
struct Mutation {
    family: &'static str,
    span: std::ops::Range<usize>,
    by: String,
}

/// A word, number, text or sign of a script, and its bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Word,
    Number,
    Text,
    Sign,
}

/// Words of the language, which are replaced by those of other languages.
const WORDS: [(&str, &[&str]); 12] = [
    ("let", &["var", "const", "int", ""]),
    ("fn", &["function", "def", "func", ""]),
    ("if", &["when", "If", ""]),
    ("else", &["otherwise", "elif", ""]),
    ("for", &["foreach", "For"]),
    ("in", &["of", ":", "="]),
    ("while", &["until", "loop"]),
    ("return", &["retrun", "yield", ""]),
    ("switch", &["match", "case"]),
    ("true", &["True", "yes", "1"]),
    ("false", &["False", "no", "0"]),
    ("const", &["static", "final", "let"]),
];

/// Signs, with what other languages have instead, or with what one may type by mistake.
const SIGNS: [(&str, &[&str]); 20] = [
    ("==", &["=", "===", "="]),
    ("!=", &["<>", "!==", "=!", "~="]),
    ("&&", &["and", "&", "AND"]),
    ("||", &["or", "|"]),
    ("=>", &["->", ":", "="]),
    ("#{", &["{", "%{"]),
    ("<=", &["=<", "≤"]),
    (">=", &["=>", "≥"]),
    ("=", &["==", ":="]),
    ("!", &["not ", "~"]),
    ("-", &["–", "−"]),
    ("|=", &["|", "+="]),
    ("..=", &["..", "..."]),
    (".", &["->", "::", ".."]),
    (",", &[";", ""]),
    (";", &[",", ":", ""]),
    (":", &["=", "=>"]),
    ("[", &["("]),
    ("(", &["[", "{"]),
    ("{", &["(", ":"]),
];

fn tokens(text: &str) -> Vec<(Sort, std::ops::Range<usize>)> {
    let bytes = text.as_bytes();
    let (mut at, mut all) = (0, Vec::new());
    let long = ["..=", "#{", "==", "!=", "<=", ">=", "=>", "&&", "||", "|=", "&=", "+=", "-=", "*=", "..", "::"];
    while at < bytes.len() {
        let rest = &text[at..];
        let c = rest.chars().next().unwrap();
        let length = |fits: &dyn Fn(char) -> bool| rest.find(|c| !fits(c)).unwrap_or(rest.len());
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if c == '"' || c == '`' {
            let end = rest[1..].find(c).map_or(rest.len(), |end| end + 2);
            all.push((Sort::Text, at..at + end));
            at += end;
        } else if c.is_ascii_digit() {
            let end = length(&|c| c.is_ascii_digit());
            all.push((Sort::Number, at..at + end));
            at += end;
        } else if c.is_alphabetic() || c == '_' {
            let end = length(&|c| c.is_alphanumeric() || c == '_');
            all.push((Sort::Word, at..at + end));
            at += end;
        } else {
            let end = long.iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len());
            all.push((Sort::Sign, at..at + end));
            at += end;
        }
    }
    all
}

/// Swaps two letters in the middle.
fn misspelt(word: &str) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    let at = (0..letters.len().saturating_sub(1)).filter(|&i| letters[i] != letters[i + 1]).nth(letters.len() / 3)?;
    letters.swap(at, at + 1);
    Some(letters.into_iter().collect())
}

fn mutations(text: &str) -> Vec<Mutation> {
    let all = tokens(text);
    let mut found = Vec::new();
    let mut add = |family, span: &std::ops::Range<usize>, by: String| {
        found.push(Mutation { family, span: span.clone(), by });
    };
    for (i, (sort, span)) in all.iter().enumerate() {
        let token = &text[span.clone()];
        let next = all.get(i + 1).map_or("", |(_, span)| &text[span.clone()]);
        match sort {
            Sort::Word => {
                for other in WORDS.iter().filter(|(word, _)| *word == token).flat_map(|(_, all)| all.iter()) {
                    add("word of another language", span, (*other).into());
                }
                if WORDS.iter().all(|(word, _)| *word != token) {
                    let family = if next == "(" { "misspelt function" } else { "misspelt name" };
                    misspelt(token).into_iter().for_each(|by| add(family, span, by));
                }
                add("word twice", span, format!("{token} {token}"));
            }
            Sort::Text => {
                let inner = &token[1..token.len() - 1];
                misspelt(inner).into_iter().for_each(|by| add("misspelt text", span, format!("\"{by}\"")));
                add("quotes left out", span, inner.to_string());
                add("single quotes", span, format!("'{inner}'"));
                add("quote not closed", span, format!("\"{inner}"));
            }
            Sort::Number => {
                let number: i64 = token.parse().unwrap_or(0);
                add("one more", span, (number + 1).to_string());
                add("one less", span, (number - 1).to_string());
                add("number in quotes", span, format!("\"{number}\""));
            }
            Sort::Sign => {
                add("sign dropped", span, String::new());
                add("sign twice", span, format!("{token}{token}"));
                for other in SIGNS.iter().filter(|(sign, _)| *sign == token).flat_map(|(_, all)| all.iter()) {
                    add("sign of another language", span, (*other).into());
                }
            }
        }
        if *sort == Sort::Word && next == "(" && i > 0 && &text[all[i - 1].1.clone()] != "fn" {
            calls(text, &all, i + 1, &mut add);
        }
    }
    found
}

/// Changes of the arguments in the parentheses that open at a token.
fn calls(
    text: &str,
    all: &[(Sort, std::ops::Range<usize>)],
    open: usize,
    add: &mut impl FnMut(&'static str, &std::ops::Range<usize>, String),
) {
    let (mut depth, mut first, mut args, mut end) = (0, open + 1, Vec::new(), None);
    for (i, (_, span)) in all.iter().enumerate().skip(open) {
        let token = &text[span.clone()];
        depth += i32::from(matches!(token, "(" | "[" | "{" | "#{"));
        depth -= i32::from(matches!(token, ")" | "]" | "}"));
        if (depth == 0 || depth == 1 && token == ",") && first < i {
            args.push(all[first].1.start..all[i - 1].1.end);
            first = i + 1;
        }
        if depth == 0 {
            end = Some(i);
            break;
        }
    }
    let Some(end) = end else { return };
    let close = all[end].1.start..all[end].1.start;
    let more = if args.is_empty() { "1" } else { ", 1" };
    add("argument too much", &close, more.to_string());
    for (i, arg) in args.iter().enumerate() {
        for other in ["1", "\"zebra\"", "true", "[]", "()", "mover()", "any()", "a1"] {
            add("argument of another kind", arg, other.to_string());
        }
        if let Some(next) = args.get(i + 1) {
            let both = arg.start..next.end;
            add("arguments exchanged", &both, format!("{}, {}", &text[next.clone()], &text[arg.clone()]));
            add("argument left out", &(arg.start..next.start), String::new());
        }
    }
}

/// What happened to the changes of a family.
#[derive(Default)]
struct Tally {
    all: usize,
    silent: Vec<String>,
    misplaced: Vec<String>,
    uncured: Vec<String>,
}

fn judge(source: &Source, mutation: &Mutation, tally: &mut Tally) {
    let mut text = source.text.clone();
    let before = text[mutation.span.clone()].to_string();
    if before == mutation.by {
        return;
    }
    text.replace_range(mutation.span.clone(), &mutation.by);
    let line = source.text[..mutation.span.start].matches('\n').count() + 1;
    let last = line + before.matches('\n').count();
    let column = source.text[..mutation.span.start].rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let mut found = check(&Source { text: text.clone(), ..source.clone() });
    found.retain(|one| one.code != Some(Code::NotPlayed));
    let strongest = found.iter().map(|one| one.severity).min();
    found.retain(|one| Some(one.severity) == strongest || one.severity <= Severity::Warning);
    tally.all += 1;
    let own = text.lines().nth(line - 1).unwrap_or_default().trim();
    let shown: String = own.chars().take(110).collect();
    let case = format!("{}:{line}:{column} `{before}` -> `{}`: {shown}", source.name, mutation.by);
    let Some(first) = found.first() else { return tally.silent.push(case) };
    let said = |one: &astragal_dsl::Diagnostic| format!("{case}\n      {}:{} {}", one.line, one.column, one.message);
    let here = found.iter().find(|one| (line..=last).contains(&one.line));
    match here {
        None => tally.misplaced.push(said(first)),
        Some(one) if one.help.is_none() => tally.uncured.push(said(one)),
        Some(_) => {}
    }
}

#[test]
#[ignore = "a list to be read"]
fn mutations_that_are_passed_over() {
    let wanted = std::env::var("ASTRAGAL_MUTATIONS").unwrap_or_default();
    let stride: usize = std::env::var("ASTRAGAL_STRIDE").ok().and_then(|n| n.parse().ok()).unwrap_or(97);
    let sources: Vec<Source> = library::names().into_iter().filter_map(library::bundled).collect();
    let mut work = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let all = mutations(&source.text).into_iter().filter(|one| one.family.contains(&wanted));
        // Another place to begin in each script: scripts begin alike.
        work.extend(all.skip(at * 7 % stride).step_by(stride).map(|one| (source, one)));
    }
    let tallies: Vec<BTreeMap<&str, Tally>> = std::thread::scope(|scope| {
        let work = &work;
        let run = |part: usize| {
            let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
            for (source, one) in work.iter().skip(part).step_by(2) {
                judge(source, one, tallies.entry(one.family).or_default());
            }
            tallies
        };
        let parts = [0, 1].map(|part| scope.spawn(move || run(part)));
        parts.into_iter().map(|part| part.join().expect("no check panics")).collect()
    });
    let mut out = String::new();
    let families: std::collections::BTreeSet<&str> = tallies.iter().flat_map(|one| one.keys().copied()).collect();
    let mut sums = [0; 4];
    for family in families {
        let parts: Vec<&Tally> = tallies.iter().filter_map(|one| one.get(family)).collect();
        let count = |of: fn(&Tally) -> usize| parts.iter().map(|part| of(part)).sum::<usize>();
        let counts =
            [count(|t| t.all), count(|t| t.silent.len()), count(|t| t.misplaced.len()), count(|t| t.uncured.len())];
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let [all, silent, misplaced, uncured] = counts;
        writeln!(out, "== {family}: {all}; silent {silent}, in another line {misplaced}, without advice {uncured}")
            .unwrap();
        for (name, of) in [
            ("silent", (|t| &t.silent) as fn(&Tally) -> &Vec<String>),
            ("elsewhere", |t| &t.misplaced),
            ("no advice", |t| &t.uncured),
        ] {
            for case in parts.iter().flat_map(|part| of(part)) {
                writeln!(out, "  {name}: {case}").unwrap();
            }
        }
    }
    println!("{out}");
    let [all, silent, misplaced, uncured] = sums;
    println!("{all} changes: silent {silent}, in another line {misplaced}, without advice {uncured}");
    assert!(all > 0, "no family is called so: {wanted}");
}
