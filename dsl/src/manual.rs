//! The reference of the script language and the definition file for editors, both written from the rows of
//! [`crate::functions`].
//!
//! It only adds layout. Errors in the reference are errors in a row.

mod language;
mod options;
mod rules;

pub use language::{LanguageFunction, language_functions};
pub use options::about_option;
pub use rules::{RULE_NAMES, RULES, Rule};

use crate::diagnostic::Code;
use crate::functions::{Cost, ExampleContext, Form, Function, Parameter, Row, chapters, in_one_line, named};
pub use crate::host::kind::{ParamKind, ValueKind};
use crate::notation::describe::{alternatives, enumeration};

/// The beginning of the reference.
const PREFACE: &str = "\
# Function reference

This page lists every function that Astragal adds to the script language. Scripts can also call
[Rhai's built-in functions](guide/questions.md#arrays-strings-and-loops). `astragal reference` generates this page; do
not edit it.

A parameter marked `x?` is optional. A *function* is written `|x| ...`. *Kinds* stands for the name of a kind of piece,
or an array of such names. Parameters of type *any* are explained in the text. A *computed* number is a number that the
rule can calculate with, but whose value it does not see. A *pool* is a counter with a place for each face of the dice,
or for each kind of card or chip.

Each function has a cost, which describes how a call affects the rule's *tree*. In this tree, Astragal keeps all runs of
the rule, with a branch wherever runs differ:

| cost | meaning |
| --- | --- |
";

/// The beginning of the articles about mistakes.
const MISTAKES: &str = "\
# Mistakes

This page explains the words in brackets in the messages of `astragal check`. `astragal check --explain WORD` prints
the same text. The page is generated; do not edit it. Tests check all its scripts: every wrong script has the problem,
and no right script has it.
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
    /// The description without the sentences that [`about_option`] returns for its options.
    pub purpose: String,
    /// The cost of a call, in one word: `declaration`, `value`, `question`, `search`, `chance`, `decision` or `effect`.
    pub cost: &'static str,
    /// The meaning of that word.
    pub cost_meaning: &'static str,
    /// Its requirements; may be empty.
    pub errors: String,
    /// An example of its use.
    pub example: String,
    /// Its parameters. For a property, the first one is the value that has it.
    pub parameters: Vec<Argument>,
    /// The kinds of values that it can return.
    pub results: &'static [ValueKind],
    /// The keys of its options map, each with the kinds of values that it takes.
    pub options: &'static [(&'static str, &'static [ValueKind])],
    /// Whether it is called at the top level of a script.
    pub declares: bool,
    /// Whether it is written between its operands.
    pub is_operator: bool,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name in the signature.
    pub name: &'static str,
    /// The kind of argument that it takes.
    pub kind: ParamKind,
    /// Whether it may be left out.
    pub is_optional: bool,
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
            purpose: options::purpose(row),
            cost: row.cost.word(),
            cost_meaning: row.cost.meaning(),
            errors: in_one_line(row.errors),
            example: in_one_line(row.example),
            parameters: form.params.iter().map(argument).collect(),
            results: form.results,
            options: row.options,
            declares: row.cost == Cost::Declaration,
            is_operator: function.is_operator(),
        };
        forms.map(entry).collect::<Vec<_>>()
    };
    rows.flat_map(of_row).collect()
}

fn argument(param: &Parameter) -> Argument {
    Argument { name: param.name, kind: param.kind, is_optional: param.optional }
}

/// The words that an option of a call takes, quoted, as the reference lists them; empty if it takes other values.
///
/// ```
/// assert!(astragal_dsl::manual::words_of_option("pieces", "unknown").is_empty());
/// ```
pub fn words_of_option(function: &str, key: &str) -> Vec<&'static str> {
    crate::functions::words_of_option(function, key)
}

/// The names of the functions that the engine calls: the rules of a game.
pub fn rules() -> &'static [&'static str] {
    &RULE_NAMES
}

/// What positions use this name for, if counters and marks cannot have it.
///
/// ```
/// use astragal_dsl::manual::reserved_in_positions;
/// assert_eq!(reserved_in_positions("turn"), Some("the current turn"));
/// assert_eq!(reserved_in_positions("lives"), None);
/// ```
pub fn reserved_in_positions(name: &str) -> Option<&'static str> {
    crate::functions::reserved_in_positions(name)
}

/// The words that a parameter takes, quoted, as the reference lists them; empty if it takes other values. `index` counts the
/// parameters from 0.
///
/// ```
/// assert_eq!(astragal_dsl::manual::words_of_parameter("royals", 1)[0], "\"free\"");
/// ```
pub fn words_of_parameter(function: &str, index: usize) -> Vec<&'static str> {
    crate::functions::words_of_parameter(function, index)
}

/// The part of the reference about a row.
fn section(row: &Row) -> String {
    let forms = || row.functions.iter().flat_map(|function| function.forms.iter().map(move |form| (function, form)));
    let names: Vec<String> = forms().map(|(function, form)| format!("`{}`", function.signature(form))).collect();
    let (about, cost) = (in_one_line(row.about), row.cost.word());
    let anchors: String = anchors(row).map(|name| format!("<a id=\"{name}\"></a>\n")).collect();
    let mut out = format!("\n{anchors}### {}\n\n{about} *Cost: {cost}.{}*\n", names.join(", "), results(row));
    if !row.errors.is_empty() {
        out.push_str(&format!("\nRequirements: {}\n", in_one_line(row.errors)));
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

/// The reference entry of the functions called `name`, as text for a terminal: signatures, description, requirements and
/// an example. `None` if there is no such function.
///
/// ```
/// let text = astragal_dsl::manual::about("pushes").unwrap();
/// assert!(text.starts_with("pushes(steps: number, options?: map)\n"));
/// assert!(astragal_dsl::manual::about("look").unwrap().contains("captures end with *."));
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

/// A section without the marks of Markdown: examples are indented. An asterisk in code is not a mark.
fn plain(section: &str) -> String {
    let mut out = String::new();
    let (mut example, mut code) = (false, false);
    for line in section.trim().lines().filter(|line| !line.starts_with("<a id=")) {
        match (line.strip_prefix("### "), line.starts_with("```"), example) {
            (Some(forms), ..) => out.push_str(&forms.replace("`, `", "\n").replace('`', "")),
            (None, true, _) => {
                example = !example;
                continue;
            }
            (None, false, true) => out.push_str(&format!("    {line}")),
            (None, false, false) => out.extend(line.chars().filter(|&char| {
                code ^= char == '`';
                char != '`' && (code || char != '*')
            })),
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
            format!(" Result, depending on the arguments: {}.", words.join("; or "))
        }
        several => {
            let one = |(words, names): &(String, Vec<&str>)| {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("{words} for {}", enumeration(&names))
            };
            format!(" Result: {}.", several.iter().map(one).collect::<Vec<_>>().join("; "))
        }
    }
}

/// The possible results of a call, in words; empty if it returns nothing.
///
/// ```
/// use astragal_dsl::manual::{ValueKind, result};
/// assert_eq!(result(&[ValueKind::Move, ValueKind::Nothing]), "a move or `()`");
/// ```
pub fn result(kinds: &[ValueKind]) -> String {
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
        // A form with another number of arguments is unlikely. Of equal forms, the first is the likeliest.
        (missing == 0, all, std::cmp::Reverse(missing), taken)
    };
    let forms = named(name).flat_map(|(_, function)| function.forms.iter().map(move |form| (function, form)));
    let forms: Vec<(&Function, &Form)> = forms.collect();
    let best = forms.iter().rev().max_by_key(|(_, form)| rank(form))?;
    Some(best.0.signature(best.1))
}

/// The words before the name of the function in advice that only names a signature, after `the` or `one`.
const SIGNATURE_ADVICE: &str = " signature of `";

/// Advice that shows a signature, such as `any()` or `fn permit(die)`.
pub(crate) fn signature_advice(signature: &str) -> String {
    let name = signature.strip_prefix("fn ").unwrap_or(signature).split('(').next().unwrap_or_default();
    let others = !signature.starts_with("fn ") && named(name).flat_map(|(_, function)| &function.forms).count() > 1;
    // An example may show another form of a function that has several.
    let call = if others || signature.starts_with("fn ") { None } else { example_call(name) };
    let example = call.filter(|call| *call != signature).map(|call| format!(", as in `{call}`")).unwrap_or_default();
    format!("{}{SIGNATURE_ADVICE}{name}` is `{signature}`{example}", if others { "one" } else { "the" })
}

/// A short call of a function, from its example.
fn example_call(name: &str) -> Option<&'static str> {
    const LONGEST: usize = 40;
    let example: &'static str = named(name).next()?.0.example;
    let plain = |at: &usize| {
        let before = &example[..*at];
        !before.ends_with("fn ") && !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))
    };
    let at = example.match_indices(&format!("{name}(")).map(|(at, _)| at).find(plain)?;
    let mut depth = 0;
    let end = example[at..].find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ')' && depth == 0
    })?;
    let call = &example[at..=at + end];
    (call.len() <= LONGEST && !call.contains('\n')).then_some(call)
}

/// Whether advice only shows a signature.
pub(crate) fn is_signature_advice(help: &str) -> bool {
    help.get("the".len()..).is_some_and(|rest| rest.starts_with(SIGNATURE_ADVICE))
}

/// The function whose signature some advice shows, if it shows one.
pub(crate) fn advised_function(help: &str) -> Option<&str> {
    help.split_once(SIGNATURE_ADVICE).and_then(|(_, rest)| rest.split('`').next())
}

/// The signatures of a function.
pub(crate) fn signatures(name: &str) -> Vec<String> {
    named(name).flat_map(|(_, function)| function.forms.iter().map(|form| function.signature(form))).collect()
}
