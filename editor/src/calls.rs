//! Calls: the arguments as written so far, the forms of the called function, and which of them fit.
//!
//! A call that is being typed fits several forms. They are ranked as in the messages of `check`: by the arguments that
//! a form takes, then by those that it lacks. It knows nothing of completions.

use crate::document::{CallAround, Document, Function};
use crate::functions;
use crate::kinds::{Kinds, Reader};
use crate::names::{self, Declared, NameKind};
use crate::script::Script;
use astragal_dsl::manual::{Argument, Entry, LanguageFunction, ParamKind, ValueKind, language_functions};
use std::cmp::Reverse;

/// An argument of a call.
#[derive(Clone, Debug)]
pub(crate) enum Given<'a> {
    /// Nothing yet, or a value of an unknown kind.
    Unknown,
    /// A value of one of these kinds.
    Kinds(Kinds),
    /// A string that is written out, and its token.
    Text(&'a str, usize),
}

impl Given<'_> {
    /// Whether a parameter may take it.
    pub(crate) fn fits(&self, kind: ParamKind) -> bool {
        match self {
            Given::Unknown => true,
            Given::Kinds(kinds) => kinds.iter().any(|one| kind.accepts().contains(one)),
            Given::Text(..) => kind.accepts().contains(&ValueKind::Text),
        }
    }

    /// Whether it is a text that names what a parameter asks for.
    fn names(&self, kind: ParamKind, script: &Script) -> bool {
        let Given::Text(text, token) = self else { return false };
        // A call that declares a name does not also use it, unless an imported script declares the name too.
        let is_elsewhere = |one: &Declared| one.token != Some(*token) || names::is_imported(script.loaded(), one);
        let named = |of| script.declared().iter().any(|one| one.kind == of && one.name == *text && is_elsewhere(one));
        NameKind::of_parameter(kind).is_some_and(named)
    }

    /// Whether a function of the language may take it.
    fn is_for(&self, kind: Option<ValueKind>) -> bool {
        match (self, kind) {
            (Given::Kinds(kinds), Some(kind)) => kinds.contains(&kind),
            (Given::Text(..), Some(kind)) => kind == ValueKind::Text,
            _ => true,
        }
    }
}

/// The arguments of a call, the value before the dot of a method first. Tokens from `end` on do not count if the
/// bracket is not closed.
pub(crate) fn given<'a>(reader: &Reader<'a>, call: &CallAround, end: usize) -> Vec<Given<'a>> {
    let document = reader.document();
    let mut all = Vec::new();
    if call.is_method {
        let receiver = call.token.checked_sub(2).and_then(|last| reader.ending_at(last));
        all.push(receiver.map_or(Given::Unknown, Given::Kinds));
    }
    for range in document.slots(call.open, end) {
        all.push(match range.len() {
            1 if document.is_text(range.start) => {
                Given::Text(&document.text()[document.inside(range.start)], range.start)
            }
            _ => reader.of_range(range).map_or(Given::Unknown, Given::Kinds),
        });
    }
    all
}

/// The forms of a call's function that belong at its place, the best one first. A form that only declares is left out
/// within a rule if there are others.
pub(crate) fn forms(script: &Script, call: &CallAround, given: &[Given<'_>]) -> Vec<&'static Entry> {
    if call.module.is_some() {
        return Vec::new();
    }
    let at = script.document().tokens().get(call.open).map_or(0, |token| token.span.start);
    let in_rule = runs_rules(script.document(), at);
    let all: Vec<&'static Entry> = functions::named(&call.name).collect();
    let asks = all.iter().any(|entry| !entry.declares && entry.parameters.len() >= given.len());
    let mut all: Vec<&'static Entry> = all.into_iter().filter(|one| !(in_rule && asks && one.declares)).collect();
    all.sort_by_key(|entry| Reverse(rank(script, entry, given)));
    all
}

/// The forms that may take all arguments given so far; all forms if there is none.
pub(crate) fn fitting(script: &Script, call: &CallAround, given: &[Given<'_>]) -> Vec<&'static Entry> {
    let all = forms(script, call, given);
    let fits = |entry: &&'static Entry| {
        let taken = entry.parameters.iter().zip(given).all(|(one, given)| given.fits(one.kind));
        taken && given.len() <= entry.parameters.len()
    };
    let some: Vec<&'static Entry> = all.iter().copied().filter(fits).collect();
    if some.is_empty() { all } else { some }
}

/// The forms that a finished call can mean: those that take its arguments and lack none. All forms if there is none.
pub(crate) fn meant(reader: &Reader<'_>, call: &CallAround) -> Vec<&'static Entry> {
    let document = reader.document();
    let close = document.partner(call.open);
    let mut given = given(reader, call, close.unwrap_or(call.open + 1));
    if document.is(call.open + 1, ")") {
        given.pop();
    }
    let mut forms = fitting(reader.script(), call, &given);
    let is_complete = |form: &&Entry| form.parameters.iter().filter(|one| !one.is_optional).count() <= given.len();
    if close.is_some() && forms.iter().any(is_complete) {
        forms.retain(is_complete);
    }
    forms
}

/// How well a form fits: the arguments that it takes, minus those that it lacks, and names that exist.
fn rank(script: &Script, entry: &Entry, given: &[Given<'_>]) -> (usize, Reverse<usize>, usize) {
    let pairs = || entry.parameters.iter().zip(given);
    let taken = pairs().filter(|(one, given)| given.fits(one.kind)).count();
    let named = pairs().filter(|(one, given)| given.names(one.kind, script)).count();
    let least = entry.parameters.iter().filter(|one| !one.is_optional).count();
    let missing = least.saturating_sub(given.len()) + given.len().saturating_sub(entry.parameters.len());
    (taken, Reverse(missing), named)
}

/// The function of the script that a call means; `None` for methods and for functions of modules.
pub(crate) fn own<'a>(document: &'a Document, call: &CallAround, end: usize) -> Option<&'a Function> {
    let is_plain = !call.is_method && call.module.is_none();
    is_plain.then(|| function_taking(document, &call.name, count(document, call, end))).flatten()
}

/// The number of arguments that a call has so far.
pub(crate) fn count(document: &Document, call: &CallAround, end: usize) -> usize {
    let written = document.slots(call.open, end).iter().filter(|one| !one.is_empty()).count();
    written.max(call.argument + usize::from(call.argument > 0))
}

/// The function of a script that takes a number of arguments. A script can have several of a name, and one with the
/// name of a built-in function.
pub(crate) fn function_taking<'a>(document: &'a Document, name: &str, count: usize) -> Option<&'a Function> {
    let named = || document.functions().iter().filter(|function| document.is(function.name, name));
    let takes = named().filter(|function| function.parameters.len() >= count);
    let first = || named().next().filter(|_| !functions::is_function(name));
    takes.min_by_key(|function| function.parameters.len()).or_else(first)
}

/// The functions of the language that a call may mean: those of the value before the dot, if its kind is known.
pub(crate) fn of_language(call: &CallAround, given: &[Given<'_>]) -> Vec<&'static LanguageFunction> {
    let fits = |one: &LanguageFunction| {
        one.name == call.name && !one.is_property && given.first().is_none_or(|first| first.is_for(one.receiver()))
    };
    let mut all: Vec<&LanguageFunction> =
        language_functions().iter().filter(|one| call.module.is_none() && fits(one)).collect();
    let taken =
        |one: &LanguageFunction| one.parameters.iter().zip(given).filter(|(p, given)| given.is_for(p.1)).count();
    all.sort_by_key(|one| (Reverse(taken(one)), one.parameters.len().abs_diff(given.len())));
    all
}

/// The parameter that a place in a call fills, in each form that may be meant. `place` is the token at the place.
pub(crate) fn parameters_at<'a>(
    script: &'a Script,
    reader: &Reader<'a>,
    call: &CallAround,
    place: usize,
) -> Vec<(&'static Entry, usize)> {
    let index = index(call);
    let mut given = given(reader, call, place);
    // The argument at the place is being written, so its kind decides nothing.
    if let Some(here) = given.get_mut(index) {
        *here = Given::Unknown;
    }
    let forms = fitting(script, call, &given);
    forms.into_iter().filter(|entry| index < entry.parameters.len()).map(|entry| (entry, index)).collect()
}

/// The index of the parameter that a place in a call fills, the value before the dot of a method included.
pub(crate) fn index(call: &CallAround) -> usize {
    call.argument + usize::from(call.is_method)
}

/// The parameter of a form.
pub(crate) fn parameter(form: &(&'static Entry, usize)) -> Option<&'static Argument> {
    form.0.parameters.get(form.1)
}

/// Whether an offset is in a function that rules run: in a function of the script that does not declare anything.
pub(crate) fn runs_rules(document: &Document, offset: usize) -> bool {
    let Some(function) = document.function_at(offset).filter(|function| offset > function.body.start) else {
        return false;
    };
    let declares = |token: usize| {
        let count = || document.slots(token + 1, token + 2).iter().filter(|one| !one.is_empty()).count();
        let mut forms =
            functions::named(document.word(token)).filter(|entry| entry.parameters.len() >= count()).peekable();
        document.is_call(token) && forms.peek().is_some() && forms.all(|entry| entry.declares)
    };
    let start = document.tokens_before(function.body.start);
    let end = document.tokens_before(function.body.end);
    !(start..end).any(declares)
}
