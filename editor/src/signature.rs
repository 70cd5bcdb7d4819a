//! Signature help: the forms of the function that is being called, and the current parameter.
//!
//! The arguments so far determine the active form, as in [`crate::calls`]. The signature of a function of the script
//! has its parameters, and the comment above it.

use crate::calls::{self, Given};
use crate::document::{CallAround, Document, Function};
use crate::kinds::Reader;
use crate::script::Script;
use crate::{comments, imported};
use astragal_dsl::manual::{Entry, LanguageFunction};
use std::ops::Range;

/// A way to call a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// The function and its parameters.
    pub label: String,
    /// Its description in Markdown; may be empty.
    pub about: String,
    /// The byte range of each parameter in the label.
    pub parameters: Vec<Range<usize>>,
}

/// The forms of a function that is being called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signatures {
    /// The forms; at least one.
    pub forms: Vec<Form>,
    /// The index of the form that fits best.
    pub active: usize,
    /// The index of the current parameter in the active form. A value before the dot of a method counts as the first
    /// argument. The index can be beyond the last parameter.
    pub argument: usize,
    /// The offset of the opening bracket.
    pub open: usize,
}

/// The forms of the function whose arguments contain an offset; `None` outside calls.
pub fn signatures(script: &Script, offset: usize) -> Option<Signatures> {
    let document = script.document();
    if document.in_comment(offset) {
        return None;
    }
    let call = document.call_around(offset)?;
    let reader = Reader::new(script);
    let end = document.tokens_before(offset);
    let given = calls::given(&reader, &call, end);
    let (forms, active, argument) = match own(document, &call, end) {
        Some(form) => (vec![form], 0, call.argument),
        None => of_reference(script, &call, &given)?,
    };
    let open = document.tokens().get(call.open)?.span.start;
    Some(Signatures { forms, active, argument, open })
}

/// The form of a function of the script or of an imported script.
fn own(document: &Document, call: &CallAround, end: usize) -> Option<Form> {
    let Some(module) = &call.module else {
        return calls::own(document, call, end).map(|function| of_script(document, function));
    };
    let module = Document::new(imported::source_of(document, module)?.text);
    let function = calls::function_taking(&module, &call.name, calls::count(document, call, end))?;
    Some(of_script(&module, function))
}

/// The forms in the order of the reference, the index of the best form, and the index of the parameter.
fn of_reference(script: &Script, call: &CallAround, given: &[Given<'_>]) -> Option<(Vec<Form>, usize, usize)> {
    let ranked = calls::forms(script, call, given);
    let argument = calls::index(call);
    let mut forms: Vec<Form> = Vec::new();
    let mut active = 0;
    let best = ranked.first().copied();
    let mut in_order: Vec<&Entry> = ranked;
    in_order.sort_by_key(|entry| std::ptr::from_ref::<Entry>(*entry));
    for entry in in_order {
        if best.is_some_and(|best| std::ptr::eq(best, entry)) {
            active = forms.len();
        }
        forms.push(of_entry(entry));
    }
    let language = calls::of_language(call, given);
    if forms.is_empty() || best.is_some_and(|best| !takes(best, given)) && call.is_method && !language.is_empty() {
        active = forms.len();
    }
    forms.extend(language.into_iter().map(of_language));
    (!forms.is_empty()).then_some((forms, active, argument))
}

/// Whether a form may take the value before the dot.
fn takes(entry: &Entry, given: &[Given<'_>]) -> bool {
    match (entry.parameters.first(), given.first()) {
        (Some(one), Some(first)) => first.fits(one.kind),
        (None, Some(_)) => false,
        _ => true,
    }
}

fn of_entry(entry: &Entry) -> Form {
    let parameters = entry
        .parameters
        .iter()
        .map(|one| format!("{}{}: {}", one.name, if one.is_optional { "?" } else { "" }, one.kind.word()));
    let about = match entry.errors.is_empty() {
        true => entry.about.clone(),
        false => format!("{}\n\n{}", entry.about, entry.errors),
    };
    form(&entry.signature, about, parameters)
}

fn of_language(one: &LanguageFunction) -> Form {
    let kind = |kind: Option<astragal_dsl::manual::ValueKind>| kind.map_or("any", |kind| kind.word());
    let parameters = one.parameters.iter().map(|(name, of)| format!("{name}: {}", kind(*of)));
    form(&one.signature(), one.about.clone(), parameters)
}

fn of_script(document: &Document, function: &Function) -> Form {
    let parameters: Vec<&str> = function.parameters.iter().map(|&token| document.word(token)).collect();
    let label = format!("{}({})", document.word(function.name), parameters.join(", "));
    form(&label, comments::markdown(document, function.name), parameters.iter().map(ToString::to_string))
}

/// Builds a form, and locates its parameters in the label. There, they have the same order.
fn form(label: &str, about: String, parameters: impl Iterator<Item = String>) -> Form {
    let mut from = label.find('(').map_or(0, |open| open + 1);
    let mut found = Vec::new();
    for text in parameters {
        let Some(start) = label.get(from..).and_then(|rest| rest.find(&text)).map(|at| from + at) else { continue };
        found.push(start..start + text.len());
        from = start + text.len();
    }
    Form { label: label.to_string(), about, parameters: found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{bundled, marked};

    /// The active form and the text of the active parameter.
    fn active(text: &str) -> Option<(String, String)> {
        let (script, at) = marked(text);
        let found = signatures(&script, at)?;
        let form = &found.forms[found.active];
        let parameter = form.parameters.get(found.argument).map(|range| form.label[range.clone()].to_string());
        Some((form.label.clone(), parameter.unwrap_or_default()))
    }

    fn shows(text: &str, label: &str, parameter: &str) {
        assert_eq!(active(text), Some((label.to_string(), parameter.to_string())), "{text}");
    }

    #[test]
    fn the_form_is_chosen_by_the_arguments() {
        shows("fn turn() { play(^) }", "play(permit: permit)", "permit: permit");
        shows("fn turn() { play(any(), ^) }", "play(permit: permit, options: map)", "options: map");
        shows("fn turn() { play(opponent(), ^) }", "play(side: side, permit: permit)", "permit: permit");
        shows("fn turn() { win(mover(), ^", "win(side: side, reason?: string)", "reason?: string");
        shows(
            "fn turn() { has(\"White\", \"pawn\", ^) }",
            "has(side: string, kinds: kinds, least?: number)",
            "least?: number",
        );
        shows("fn turn() { count(\"pawn\"^) }", "count(kind: string)", "kind: string");
        shows("fn turn() { region(\"camp\", ^) }", "region(name: string, side?: side)", "side?: side");
        shows("piece(\"duke\", ^)", "piece(name: string, letter: string)", "letter: string");
        shows("fn mine() { piece(\"duke\", ^", "piece(name: string, letter: string)", "letter: string");
        shows("piece(\"rook\", ^)", "piece(kind: string, changes: map)", "changes: map");
        shows("piece(\"rook\", #{ ^ });", "piece(kind: string, changes: map)", "changes: map");
        shows(
            "piece(\"duke\", \"D\", ^);",
            "piece(name: string, letter: string, betza: string, options?: map)",
            "betza: string",
        );
        shows(
            "fn turn() { play_each(roll(\"2d6\"), |die| ^) }",
            "play_each(faces: array, permit: function)",
            "permit: function",
        );
        shows("fn turn() { play(from(\"a1^\")) }", "from(squares: squares)", "squares: squares");
    }

    #[test]
    fn the_value_before_the_dot_counts_as_an_argument() {
        shows("fn turn() { any().where(^) }", "where(permit: permit, test: function)", "test: function");
        shows("fn turn() { empty_squares().where(^) }", "where(squares: squares, test: function)", "test: function");
        shows("fn turn() { royal(mover()).get(^) }", "get(square: square, trait: string)", "trait: string");
        shows("fn turn() { PIECE.index_of(^) }", "index_of(array: array, value: any)", "value: any");
        shows("fn turn() { roll(\"2d6\").filter(^) }", "filter(array: array, filter: function)", "filter: function");
    }

    #[test]
    fn functions_of_scripts_show_their_comment() {
        shows("fn turn() { permit(1, ^) }", "permit(die, more)", "more");
        shows("fn turn() { chess::is_dead(^) }", "is_dead(reading)", "reading");
        let (script, at) = marked("fn turn() { permit(^) }");
        let found = signatures(&script, at).expect("a call");
        assert_eq!(found.forms[0].about, "The moves of a die.\nMore of them with a flag.");
        assert_eq!(&script.text()[found.open..=found.open], "(");
    }

    #[test]
    fn block_comments_are_shown_too() {
        let (script, at) = marked("/* About it. */\nfn helper(a) {} fn turn() { helper(^) }");
        assert_eq!(signatures(&script, at).expect("a call").forms[0].about, "About it.");
    }

    #[test]
    fn there_is_no_signature_outside_of_calls() {
        for text in [
            "^",
            "fn turn(^) {}",
            "fn turn() { play(any())^ }",
            "// play(^)",
            "x(^)",
            "fn turn() { any().where(|m| { ^ }) }",
        ] {
            assert_eq!(active(text), None, "{text}");
        }
    }

    #[test]
    fn every_call_of_every_bundled_script_has_its_signature() {
        let mut count = 0;
        for script in bundled() {
            let document = script.document();
            for token in (0..document.tokens().len()).filter(|&token| document.is_call(token)) {
                let name = document.word(token);
                let offset = document.tokens()[token + 1].span.end;
                let Some(found) = signatures(&script, offset) else {
                    // A variable that contains a function, or a function without a form in a list.
                    let is_value = document.binding(name, offset).is_some();
                    assert!(is_value || name == "type_of" || name == "call", "{}: {name}", script.source().name);
                    continue;
                };
                let form = &found.forms[found.active];
                assert!(
                    form.label.starts_with(&format!("{name}(")),
                    "{}: {name}: {}",
                    script.source().name,
                    form.label
                );
                assert!(form.parameters.iter().all(|range| form.label.get(range.clone()).is_some()));
                count += 1;
            }
        }
        assert!(count > 2000, "{count}");
    }
}
