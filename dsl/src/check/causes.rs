//! Merges several errors with one cause: a counter that is used in many places and declared in none.

use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::functions::{Form, Parameter, named};
use crate::host::kind::ParamKind;
use crate::host::tokens::{Sort, Token, arguments};

/// Start of the message about an undeclared counter.
const NO_COUNTER: &str = "there is no counter called \"";

/// Merges all errors that name the same undeclared counter into one. If the top level has a variable of that name, the
/// error moves there. If another counter has a similar name, each place is a separate typo and keeps its error.
pub(super) fn gathered(found: &mut Vec<Diagnostic>, file: &str, all: &[Token<'_>]) {
    let counter = |said: &Diagnostic| {
        let own = said.severity == Severity::Error && said.file == file && said.line > 0;
        let name = said.message.strip_prefix(NO_COUNTER)?.split('"').next()?;
        own.then(|| name.to_string())
    };
    let mut at = 0;
    while let Some(first) = found.get(at) {
        at += 1;
        let Some(name) = counter(first) else { continue };
        let variable = variable(all, &name);
        let near = first.help.as_deref().is_some_and(|help| help.starts_with("did you mean"));
        if near && variable.is_none() {
            continue;
        }
        let same = |said: &Diagnostic| counter(said).as_ref() == Some(&name);
        let more: Vec<(usize, usize)> =
            found[at..].iter().filter(|said| same(said)).map(|d| (d.line, d.column)).collect();
        let mut i = 0;
        found.retain(|said| {
            i += 1;
            i <= at || !same(said)
        });
        let first = &mut found[at - 1];
        // The signature of the calling function is not useful advice here.
        if first.help.as_deref().is_none_or(crate::manual::is_signature_advice) {
            first.help = Some(format!("declare it at the top, as in `{}`", declaration(all, &name, "0")));
        }
        let mut places = more;
        if let Some(let_) = variable {
            places.push((first.line, first.column));
            at_variable(first, all, let_, &name);
        }
        places.sort_unstable();
        let known: Vec<usize> = first.others.iter().map(|(line, ..)| *line).collect();
        places.retain(|(line, _)| *line != first.line && !known.contains(line));
        places.dedup_by_key(|(line, _)| *line);
        first.others.extend(places.into_iter().map(|(line, column)| (line, column, "it is used here".to_string())));
    }
}

/// The top-level `let` that gives a name a number.
fn variable(all: &[Token<'_>], name: &str) -> Option<usize> {
    let gives = |four: &[Token<'_>]| {
        let number = four[3].sort == Some(Sort::Number);
        four[0].is("let") && four[0].at.1 == 1 && four[1].is(name) && four[2].is("=") && number
    };
    let let_ = all.windows(4).position(gives)?;
    all.get(let_ + 4).filter(|end| end.is(";")).map(|_| let_)
}

/// A declaration of a counter that fits its calls: `each` if a call names a side, `places` if a call names a place.
fn declaration(all: &[Token<'_>], name: &str, initial: &str) -> String {
    let quoted = format!("\"{name}\"");
    let (mut each, mut places) = (false, false);
    for (at, three) in all.windows(3).enumerate() {
        if !three[1].is("(") || !three[2].is(&quoted) {
            continue;
        }
        let Some(counts) = counts_of(three[0].text) else { continue };
        places |= three[0].text.ends_with("_at");
        each |= arguments(all, at + 1).len() > counts;
    }
    let options = match (each, places) {
        (false, false) => "",
        (true, false) => ", #{ each: true }",
        (false, true) => ", #{ places: 6 }",
        (true, true) => ", #{ each: true, places: 6 }",
    };
    format!("counter(\"{name}\", {initial}{options});")
}

/// The maximum number of arguments of a call of this function that name a counter and no side; `None` if it takes no
/// counter.
fn counts_of(function: &str) -> Option<usize> {
    let forms = || named(function).flat_map(|(_, function)| &function.forms);
    let has = |form: &Form, kind| form.params.iter().any(|param| param.kind == kind);
    let of_counters = || forms().filter(|form| has(form, ParamKind::CounterName));
    let without_side = of_counters().flat_map(|form| {
        let side = |param: &&Parameter| matches!(param.kind, ParamKind::Side | ParamKind::SideOrName);
        let sides = form.params.iter().filter(side);
        // A side that must be given is in a form of its own.
        sides.clone().all(|param| param.optional).then(|| form.params.len() - sides.count())
    });
    // To rank the sides, each must have a number.
    if function == "win_by" { of_counters().next().map(|_| 0) } else { without_side.max() }
}

/// Moves an error about a counter to the variable that was probably intended as that counter.
fn at_variable(said: &mut Diagnostic, all: &[Token<'_>], let_: usize, name: &str) {
    let [first, _, _, value, end] = &all[let_..let_ + 5] else { return };
    let declared = declaration(all, name, value.text);
    (said.line, said.column) = first.at;
    said.length = said.text[first.span.start..end.span.end].chars().count();
    said.message = format!("{NO_COUNTER}{name}\": this `let` declares a variable, and rules cannot use it");
    said.help = Some(format!("write `{declared}` instead of `let {name} = {};`", value.text));
    said.fix = None;
    // If the variable is also used as a variable, this change alone is not enough.
    let used = all.iter().filter(|token| token.is(name)).count() > 1;
    said.suggested = (!used).then_some(Fix { span: first.span.start..end.span.end, text: declared });
}

#[cfg(test)]
mod tests {
    use crate::{Severity, Source, check};

    /// The lines of the errors of a script with these declarations, each with the other lines it names.
    fn errors(declared: &str) -> Vec<(usize, Vec<usize>)> {
        let text = format!(
            "import \"chess\" as chess;\nchess::setup();\n{declared}\nfn turn() {{\n    play(any());\n    add(\"quiet\", 1);\n\
             \x20   if in_check(opponent()) {{ set(\"quiet\", 0); }}\n}}\n\
             fn outcome() {{\n    if number(\"quiet\") >= 50 {{ draw(\"quiet\"); }}\n}}\n"
        );
        let found = check(&Source { name: "quiet".into(), path: None, text });
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        errors.map(|one| (one.line, one.others.iter().map(|other| other.0).collect())).collect()
    }

    #[test]
    fn an_undeclared_counter_is_told_once_with_all_its_lines() {
        assert_eq!(errors("counter(\"quiet\", 0);"), []);
        assert_eq!(errors(""), [(6, vec![7, 10])]);
        assert_eq!(errors("let quiet = 0;"), [(3, vec![6, 7, 10])]);
        // A typo is a separate error at each place.
        assert_eq!(errors("counter(\"quit\", 0);").len(), 3);
    }

    #[test]
    fn the_declaration_fits_the_calls() {
        let help = |call: &str| {
            let text = format!(
                "import \"chess\" as chess;\nchess::setup();\nfn turn() {{\n    play(any());\n    {call}\n}}\n"
            );
            let found = check(&Source { name: "lives".into(), path: None, text });
            found.into_iter().find(|one| one.severity == Severity::Error).and_then(|one| one.help).unwrap_or_default()
        };
        let declare = |options: &str| format!("declare it at the top, as in `counter(\"lives\", 0{options});`");
        assert_eq!(help("add(\"lives\", 1);"), declare(""));
        assert_eq!(help("add(\"lives\", mover(), 1);"), declare(", #{ each: true }"));
        assert_eq!(help("if get(\"lives\", opponent()) == 0 { again(); }"), declare(", #{ each: true }"));
        assert_eq!(help("set_at(\"lives\", 2, 1);"), declare(", #{ places: 6 }"));
        assert_eq!(help("set_at(\"lives\", opponent(), 2, 1);"), declare(", #{ each: true, places: 6 }"));
    }
}
