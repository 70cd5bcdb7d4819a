//! The reference of the script language and the definition file for editors, both written from the rows of
//! [`crate::functions`].
//!
//! It only adds layout. Errors in the reference are errors in a row.

use crate::diagnostic::Code;
use crate::functions::{Cost, ExampleContext, Form, Function, Parameter, Row, chapters, in_one_line, named};
use crate::host::kind::ValueKind;
use crate::notation::describe::{alternatives, enumeration};

/// The beginning of the reference.
const PREFACE: &str = "\
# Function reference

This page lists every function of scripts. It is generated from the program (`astragal reference`); do not edit it.
A parameter marked `x?` is optional. A *function* is written `|x| ...`, *kinds* are a name or an array of names, and
*any* is explained in the text. The rule calculates with a *computed* number without seeing it.

Each function has a cost:

| cost | meaning |
| --- | --- |
";

/// The beginning of the articles about mistakes.
const MISTAKES: &str = "\
# Mistakes

This page explains the words in brackets in the messages of `astragal check`. `astragal check --explain WORD` prints
the same. It is generated; do not edit it. The tests check all scripts: every wrong script has the problem, and every right
script is free of it.
";

/// `docs/reference.md`.
pub fn markdown() -> String {
    let mut out = String::from(PREFACE);
    for cost in Cost::ALL {
        out.push_str(&format!("| {} | {} |\n", cost.word(), cost.meaning()));
    }
    for chapter in chapters() {
        out.push_str(&format!("\n## {}\n", chapter.title));
        if !chapter.intro.is_empty() {
            out.push_str(&format!("\n{}\n", chapter.intro));
        }
        chapter.rows.iter().for_each(|row| out.push_str(&section(row)));
    }
    out
}

/// `docs/mistakes.md`: the articles of all sorts of mistakes.
pub fn mistakes() -> String {
    let mut out = String::from(MISTAKES);
    for code in Code::ALL {
        let article = code.article().replacen("# ", &format!("<a id=\"{0}\"></a>\n## `{0}`: ", code.name()), 1);
        out.push_str(&format!("\n{article}"));
    }
    out
}

/// A form in which a function can be called.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The function's name.
    pub name: &'static str,
    /// Its parameters and result, on one line.
    pub signature: String,
    /// Its description, in a sentence or two.
    pub about: String,
}

/// The whole reference as data, for editors: one entry per form.
pub fn entries() -> Vec<Entry> {
    let rows = chapters().iter().flat_map(|chapter| &chapter.rows);
    let of_row = |row: &Row| {
        let about = in_one_line(row.about);
        let forms = row.functions.iter().flat_map(|function| function.forms.iter().map(move |form| (function, form)));
        let entry = |(function, form): (&Function, &Form)| Entry {
            name: function.name,
            signature: function.signature(form),
            about: about.clone(),
        };
        forms.map(entry).collect::<Vec<_>>()
    };
    rows.flat_map(of_row).collect()
}

/// The part of the reference about a row.
fn section(row: &Row) -> String {
    let forms = || row.functions.iter().flat_map(|function| function.forms.iter().map(move |form| (function, form)));
    let names: Vec<String> = forms().map(|(function, form)| format!("`{}`", function.signature(form))).collect();
    let (about, cost) = (in_one_line(row.about), row.cost.word());
    let anchors: String = anchors(row).map(|name| format!("<a id=\"{name}\"></a>\n")).collect();
    let mut out = format!("\n{anchors}### {}\n\n{about} *Cost: {cost}.{}*\n", names.join(", "), results(row));
    if !row.errors.is_empty() {
        out.push_str(&format!("\nErrors: {}\n", in_one_line(row.errors)));
    }
    let example = in_one_line(row.example);
    let example = match row.place {
        ExampleContext::Top => example,
        ExampleContext::Turn => format!("fn turn() {{ {example} }}"),
        ExampleContext::Capture => format!("fn capture(attacker, defender) {{ {example} }}"),
        ExampleContext::Outcome => format!("fn outcome() {{ {example} }}"),
    };
    out.push_str(&format!("\n```rhai,example\n{example}\n```\n"));
    out
}

/// The link anchors of a row. A name that an earlier row also has links to that row.
fn anchors(row: &Row) -> impl Iterator<Item = &'static str> {
    let mut names: Vec<&'static str> = row.functions.iter().map(|function| function.name).collect();
    names.dedup();
    let first = |name: &&str| named(name).next().is_some_and(|(first, _)| std::ptr::eq(first, row));
    names.into_iter().filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())).filter(first)
}

/// The link to a function in the reference.
pub(crate) fn link(name: &str) -> Option<String> {
    let known = name.starts_with(|c: char| c.is_ascii_alphabetic()) && named(name).next().is_some();
    known.then(|| format!("docs/reference.md#{name}"))
}

/// The reference entry of the functions called `name`, as text for a terminal: signatures, description, errors and an
/// example. `None` if there is no such function.
///
/// ```
/// let text = astragal_dsl::manual::about("pushes").unwrap();
/// assert!(text.starts_with("pushes(steps: number, options?: map)\n"));
/// assert!(astragal_dsl::manual::about("pushs").is_none());
/// ```
pub fn about(name: &str) -> Option<String> {
    let mut rows: Vec<&Row> = Vec::new();
    for (row, _) in named(name) {
        if !rows.iter().any(|known| std::ptr::eq(*known, row)) {
            rows.push(row);
        }
    }
    let texts: Vec<String> = rows.into_iter().map(|row| plain(&section(row))).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// A section without the marks of Markdown: examples are indented.
fn plain(section: &str) -> String {
    let mut out = String::new();
    let mut example = false;
    for line in section.trim().lines().filter(|line| !line.starts_with("<a id=")) {
        match (line.strip_prefix("### "), line.starts_with("```"), example) {
            (Some(forms), ..) => out.push_str(&forms.replace("`, `", "\n").replace('`', "")),
            (None, true, _) => {
                example = !example;
                continue;
            }
            (None, false, true) => out.push_str(&format!("    {line}")),
            (None, false, false) => out.push_str(&line.replace(['`', '*'], "")),
        }
        out.push('\n');
    }
    out
}

/// The results of the functions of a row, mentioned once if all are the same.
fn results(row: &Row) -> String {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    for function in &row.functions {
        for form in &function.forms {
            let words = result(form.results);
            match all.iter_mut().find(|(known, _)| *known == words) {
                None => all.push((words, vec![function.name])),
                Some((_, names)) if !names.contains(&function.name) => names.push(function.name),
                Some(_) => {}
            }
        }
    }
    match all.as_slice() {
        [(words, _)] if words.is_empty() => String::new(),
        [(words, _)] => format!(" Result: {words}."),
        several if row.functions.len() == 1 => {
            let words: Vec<String> = several.iter().map(|(words, _)| words.clone()).collect();
            format!(" Result: {}, depending on the arguments.", alternatives(&words))
        }
        several => {
            let one = |(words, names): &(String, Vec<&str>)| {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("of {} {words}", enumeration(&names))
            };
            format!(" Result: {}.", several.iter().map(one).collect::<Vec<_>>().join("; "))
        }
    }
}

/// The possible results of a call, in words; empty if it returns nothing.
fn result(kinds: &[ValueKind]) -> String {
    match kinds {
        [ValueKind::Nothing] => String::new(),
        all if all.len() == ValueKind::ALL.len() => "any value".into(),
        some => alternatives(&some.iter().map(|kind| kind.words().to_string()).collect::<Vec<_>>()),
    }
}

/// The definition file that Rhai's language server reads.
pub fn definitions() -> String {
    let mut out = String::from("module static;\n\n// Generated from what the program registers; do not edit.\n");
    for chapter in chapters() {
        out.push_str(&format!("\n// {}\n", chapter.title));
        for row in &chapter.rows {
            for (function, form) in row.functions.iter().flat_map(|f| f.forms.iter().map(move |form| (f, form))) {
                for count in form.least()..=form.params.len() {
                    out.push_str(&definition(row, function, form, count));
                }
            }
        }
    }
    out
}

fn definition(row: &Row, function: &Function, form: &Form, count: usize) -> String {
    let about = format!("\n/// {} Cost: {}.\n", in_one_line(row.about), row.cost.word());
    let result = match form.results {
        [kind] => kind.type_name(),
        _ => "?",
    };
    let types: Vec<&str> = form.params.iter().take(count).map(|param| param.kind.type_name()).collect();
    let names = form.params.iter().map(|param| param.name);
    match function.name.split_once('.') {
        // A property is a getter of its owner. Indexing is not written in these files.
        Some((_, property)) => format!("{about}fn get {property}(self: {}) -> {result};\n", types.join(", ")),
        None if function.name.ends_with("[]") => String::new(),
        None if function.is_operator() => format!("{about}op {}({}) -> {result};\n", function.name, types.join(", ")),
        None => {
            let params: Vec<String> = names.zip(types).map(|(name, of)| format!("{name}: {of}")).collect();
            format!("{about}fn {}({}) -> {result};\n", function.name, params.join(", "))
        }
    }
}

/// The signature of the form that best fits a call with `count` arguments, as in the reference: the form that takes most of
/// them, and of several the one with the fewest missing. `takes` returns whether a parameter takes the argument at an
/// index.
pub(crate) fn fitting_signature(name: &str, count: usize, takes: impl Fn(&Parameter, usize) -> bool) -> Option<String> {
    let rank = |form: &Form| {
        let taken = form.params.iter().take(count).enumerate().take_while(|(at, param)| takes(param, *at)).count();
        let all = form.params.iter().take(count).enumerate().filter(|(at, param)| takes(param, *at)).count();
        let missing = form.least().saturating_sub(count) + count.saturating_sub(form.params.len());
        // Of equal forms, the first is the likeliest.
        (all, std::cmp::Reverse(missing), taken)
    };
    let forms = named(name).flat_map(|(_, function)| function.forms.iter().map(move |form| (function, form)));
    let forms: Vec<(&Function, &Form)> = forms.collect();
    let best = forms.iter().rev().max_by_key(|(_, form)| rank(form))?;
    Some(best.0.signature(best.1))
}

/// The signatures of a function.
pub(crate) fn signatures(name: &str) -> Vec<String> {
    named(name).flat_map(|(_, function)| function.forms.iter().map(|form| function.signature(form))).collect()
}
