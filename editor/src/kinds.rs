//! The kinds of values that expressions can have, as far as their tokens show.
//!
//! A guess for completions and signatures, never for messages: the interpreter and `check` decide what is right. `None`
//! stands for an unknown kind. The work is limited, since scripts can be arbitrarily complex.

mod of_calls;

use crate::document::{Binding, Document, Function, Origin, opens};
use crate::functions;
use crate::script::Script;
use astragal_dsl::manual::{self, Entry, ValueKind, language_functions};
use astragal_dsl::syntax::Sort;
use std::cell::Cell;
use std::ops::Range;

/// The possible kinds of a value, each once.
pub(crate) type Kinds = Vec<ValueKind>;

/// The maximum number of steps for one request.
const STEPS: u32 = 3_000;
/// The deepest nesting of expressions, variables and functions that is followed.
const DEPTH: u32 = 12;
/// The number of kinds from which on nothing is known.
const MANY: usize = 8;

/// Infers the kinds of expressions of a script.
pub(crate) struct Reader<'a> {
    script: &'a Script,
    left: Cell<u32>,
    depth: Cell<u32>,
}

impl<'a> Reader<'a> {
    /// For one request about a script.
    pub(crate) fn new(script: &'a Script) -> Reader<'a> {
        Reader { script, left: Cell::new(STEPS), depth: Cell::new(0) }
    }

    /// The script's text by its tokens.
    pub(crate) fn document(&self) -> &'a Document {
        self.script.document()
    }

    /// The script.
    pub(crate) fn script(&self) -> &'a Script {
        self.script
    }

    /// Takes a step, unless too many were taken.
    fn within<T>(&self, work: impl FnOnce() -> Option<T>) -> Option<T> {
        let left = self.left.get().checked_sub(1)?;
        if self.depth.get() >= DEPTH {
            return None;
        }
        self.left.set(left);
        self.depth.set(self.depth.get() + 1);
        let result = work();
        self.depth.set(self.depth.get() - 1);
        result
    }

    /// The kinds of the value whose last token this is, as of `mover()` at its bracket.
    pub(crate) fn ending_at(&self, token: usize) -> Option<Kinds> {
        self.within(|| {
            let document = self.document();
            match (document.tokens().get(token)?.sort?, document.word(token)) {
                (Sort::Text | Sort::OpenText | Sort::Template, _) => Some(vec![ValueKind::Text]),
                (Sort::Number, _) => Some(vec![ValueKind::Number]),
                (Sort::Word, "true" | "false") => Some(vec![ValueKind::Truth]),
                (Sort::Word, _) if document.is_member(token) => self.of_property(token),
                (Sort::Word, _) if document.is_name(token) => self.of_variable(token),
                (Sort::Sign, ")") => self.of_call(token),
                (Sort::Sign, "]") => self.of_square_bracket(token),
                (Sort::Sign, "}") => {
                    let open = document.partner(token)?;
                    document.is(open, "#{").then(|| vec![ValueKind::Map])
                }
                _ => None,
            }
        })
    }

    /// The last token of the value that begins at a token; the token itself if no value begins there.
    pub(crate) fn end_of(&self, token: usize, end: usize) -> usize {
        let document = self.document();
        let mut at = token;
        if opens(document.word(at)) {
            at = document.partner(at).filter(|&close| close < end).unwrap_or(at);
        }
        while at + 1 < end {
            at = match document.word(at + 1) {
                "(" | "[" | "?[" => match document.partner(at + 1) {
                    Some(close) if close < end => close,
                    _ => return at,
                },
                "." | "?." | "::" if at + 2 < end => at + 2,
                _ => return at,
            };
        }
        at
    }

    /// The kinds of the value of an expression.
    pub(crate) fn of_range(&self, range: Range<usize>) -> Option<Kinds> {
        self.within(|| {
            let document = self.document();
            let start = self.after_statements(range.clone());
            let range = start..range.end;
            if range.is_empty() {
                return None;
            }
            match document.word(start) {
                "return" => return self.of_range(start + 1..range.end),
                "if" | "switch" => return self.of_branches(range),
                "|" | "||" => return Some(vec![ValueKind::Function]),
                "!" => return Some(vec![ValueKind::Truth]),
                "-" => return self.of_range(start + 1..range.end),
                _ => {}
            }
            self.of_operands(range)
        })
    }

    /// The kinds of operands with operators between them.
    fn of_operands(&self, range: Range<usize>) -> Option<Kinds> {
        let document = self.document();
        let (mut at, mut operands, mut operators) = (range.start, Vec::new(), Vec::new());
        while at < range.end {
            // A sign before an operand changes nothing.
            while matches!(document.word(at), "-" | "!" | "+") && at + 1 < range.end {
                at += 1;
            }
            let last = self.end_of(at, range.end);
            operands.push(self.ending_at(last));
            match document.word(last + 1) {
                _ if last + 1 >= range.end => break,
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" | "in" => return Some(vec![ValueKind::Truth]),
                operator @ ("+" | "-" | "*" | "/" | "%" | "**" | "|" | "&") => operators.push(operator),
                _ => return None,
            }
            at = last + 2;
        }
        if operators.is_empty() { operands.pop()? } else { joined(&operands, &operators) }
    }

    /// The first token after statements that end with a block, such as loops.
    fn after_statements(&self, range: Range<usize>) -> usize {
        let document = self.document();
        let mut at = range.start;
        while matches!(document.word(at), "for" | "while" | "loop" | "if" | "switch") {
            let Some(mut end) = self.end_of_block(at, &range) else { return at };
            while document.is(end + 1, "else") {
                let Some(next) = self.end_of_block(end + 1, &range) else { return at };
                end = next;
            }
            if end + 1 >= range.end || document.tokens().get(end + 1).is_some_and(|next| next.sort == Some(Sort::Sign))
            {
                return at;
            }
            at = end + 1;
        }
        at
    }

    /// The closing brace of the next block within a range.
    fn end_of_block(&self, from: usize, range: &Range<usize>) -> Option<usize> {
        let open = self.next_block(from, range.end)?;
        self.document().partner(open).filter(|close| *close < range.end)
    }

    /// The opening brace of the next block that is not within other brackets.
    fn next_block(&self, from: usize, end: usize) -> Option<usize> {
        let document = self.document();
        let mut at = from;
        while at < end {
            if document.is(at, "{") {
                return Some(at);
            }
            at = match document.partner(at) {
                Some(close) if opens(document.word(at)) => close + 1,
                _ => at + 1,
            };
        }
        None
    }

    /// The kinds of all branches of `if`, or of the first known arm of `switch`.
    fn of_branches(&self, range: Range<usize>) -> Option<Kinds> {
        let document = self.document();
        let mut at = self.next_block(range.start, range.end)?;
        if document.is(range.start, "switch") {
            let end = document.partner(at)?;
            let arrows = (at + 1..end).filter(|&arrow| document.is(arrow, "=>"));
            return arrows.take(8).find_map(|arrow| {
                let comma =
                    (arrow + 1..end).find(|&comma| document.is(comma, ",") && document.enclosing(comma) == Some(at));
                self.of_value_or_block(arrow + 1, comma.unwrap_or(end))
            });
        }
        let mut all: Option<Kinds> = None;
        loop {
            if let Some(kinds) = self.of_block(at) {
                let mut both = all.unwrap_or_default();
                both.extend(kinds);
                all = tidy(both);
            }
            let close = document.partner(at)?;
            if !document.is(close + 1, "else") {
                return all;
            }
            at = self.next_block(close + 1, range.end)?;
        }
    }

    fn of_value_or_block(&self, start: usize, end: usize) -> Option<Kinds> {
        match self.document().is(start, "{") {
            true => self.of_block(start),
            false => self.of_range(start..end),
        }
    }

    /// The kinds of the value of a block: of its last expression.
    fn of_block(&self, open: usize) -> Option<Kinds> {
        let document = self.document();
        let close = document.partner(open)?;
        let mut start = open + 1;
        let mut at = start;
        let mut before = start;
        while at < close {
            if document.is(at, ";") {
                (before, start) = (start, at + 1);
            }
            at = match document.partner(at) {
                Some(end) if opens(document.word(at)) => end + 1,
                _ => at + 1,
            };
        }
        // `return x;` ends a block too.
        match start >= close && document.is(before, "return") && close > 0 {
            true => self.of_range(before + 1..close - 1),
            false => self.of_range(start..close),
        }
    }

    /// The kinds of results of a function of the script.
    pub(crate) fn of_function(&self, function: &Function) -> Option<Kinds> {
        self.within(|| {
            let document = self.document();
            let brace = document.tokens_before(function.body.start);
            let last = self.of_block(brace);
            let end = document.tokens_before(function.body.end);
            last.or_else(|| {
                let returns = (brace..end).filter(|&at| document.is(at, "return"));
                returns.take(4).find_map(|at| self.of_range(at + 1..document.end_of_statement(at + 1)))
            })
        })
    }

    /// The tokens of the value that a declared variable or constant begins with.
    pub(crate) fn initial(&self, binding: &Binding) -> Option<Range<usize>> {
        let (document, start) = (self.document(), binding.token + 2);
        document.is(start - 1, "=").then(|| start..document.end_of_statement(start))
    }

    fn of_property(&self, token: usize) -> Option<Kinds> {
        let receiver = token.checked_sub(2).and_then(|last| self.ending_at(last));
        let name = self.document().word(token);
        let fits = |kind: ValueKind| receiver.as_ref().is_none_or(|kinds| kinds.contains(&kind));
        let takes =
            |entry: &&Entry| entry.parameters.first().is_some_and(|one| one.kind.accepts().iter().any(|k| fits(*k)));
        let own: Kinds =
            functions::members(name).filter(takes).flat_map(|entry| entry.results.iter().copied()).collect();
        let language = language_functions().iter().filter(|one| one.is_property && one.name == name);
        let language = language.filter(|one| one.receiver().is_some_and(fits)).filter_map(|one| one.result);
        tidy(own.into_iter().chain(language).collect())
    }

    fn of_variable(&self, token: usize) -> Option<Kinds> {
        let document = self.document();
        let binding = document.binding(document.word(token), document.tokens().get(token)?.span.start)?;
        (binding.token != token).then(|| self.of_binding(binding)).flatten()
    }

    /// The kinds of a variable, constant or parameter.
    pub(crate) fn of_binding(&self, binding: &Binding) -> Option<Kinds> {
        self.within(|| match binding.origin {
            Origin::Let | Origin::Const => self.of_range(self.initial(binding)?),
            Origin::Loop => self.of_loop(binding),
            Origin::Parameter => self.of_parameter(binding),
            Origin::Import => None,
        })
    }

    /// `for x in values`, or `for (x, index) in values`.
    fn of_loop(&self, binding: &Binding) -> Option<Kinds> {
        let document = self.document();
        let near = binding.token + 1..(binding.token + 5).min(document.tokens().len());
        let within = near.clone().find(|&at| document.is(at, "in"))?;
        if document.is(binding.token - 1, ",") {
            return Some(vec![ValueKind::Number]);
        }
        let brace = self.next_block(within + 1, document.tokens().len())?;
        let last = self.end_of(within + 1, brace);
        if matches!(document.word(last + 1), ".." | "..=") {
            return Some(vec![ValueKind::Number]);
        }
        self.elements(last)
    }

    /// The kinds of the elements of the array or set whose last token this is.
    pub(crate) fn elements(&self, last: usize) -> Option<Kinds> {
        self.within(|| {
            let document = self.document();
            if let Some(open) = document.partner(last).filter(|&open| document.is(open, "[") && !document.indexes(open))
            {
                let first = document.slots(open, last).into_iter().next()?;
                return self.of_range(first);
            }
            if document.is_name(last) && !document.is_member(last) {
                let binding = document.binding(document.word(last), document.tokens()[last].span.start)?;
                if let Some(range) = self.initial(binding).filter(|range| range.contains(&(range.end - 1))) {
                    return self.elements(range.end - 1);
                }
            }
            let kinds = self.ending_at(last)?;
            let rolled = self.is_roll(last) || kinds.contains(&ValueKind::Number) && kinds.contains(&ValueKind::Array);
            match () {
                () if rolled => Some(vec![ValueKind::Number]),
                () if kinds == [ValueKind::Squares] => Some(vec![ValueKind::Square]),
                () if kinds == [ValueKind::Cast] => Some(vec![ValueKind::Reckoned]),
                () => None,
            }
        })
    }

    /// Whether a call that ends at a token rolls dice.
    fn is_roll(&self, last: usize) -> bool {
        let document = self.document();
        let name = document.partner(last).and_then(|open| open.checked_sub(1)).filter(|&name| document.is_name(name));
        name.is_some_and(|name| functions::named(document.word(name)).any(|entry| entry.cost == "chance"))
    }

    /// `list[0]`, or an array.
    fn of_square_bracket(&self, close: usize) -> Option<Kinds> {
        let document = self.document();
        let open = document.partner(close)?;
        match document.indexes(open) {
            true => self.elements(open - 1),
            false => Some(vec![ValueKind::Array]),
        }
    }

    fn of_parameter(&self, binding: &Binding) -> Option<Kinds> {
        let document = self.document();
        let owner = document.functions().iter().find(|function| function.parameters.contains(&binding.token));
        match owner {
            Some(function) => self.of_function_parameter(function, binding),
            None => self.of_closure_parameter(binding),
        }
    }

    /// A parameter of a rule, or of a function that the script calls.
    fn of_function_parameter(&self, function: &Function, binding: &Binding) -> Option<Kinds> {
        let document = self.document();
        let index = function.parameters.iter().position(|one| *one == binding.token)?;
        let name = document.word(function.name);
        if let Some(rule) = manual::RULES.iter().find(|rule| rule.name == name) {
            return rule.parameters.get(index).map(|(_, kind)| vec![*kind]);
        }
        let calls = (0..document.tokens().len()).filter(|&at| document.is(at, name) && document.is_call(at));
        calls.take(4).find_map(|at| {
            let argument = document.slots(at + 1, at + 2).into_iter().nth(index)?;
            self.of_range(argument)
        })
    }

    /// A parameter of an anonymous function, by the call that the function is passed to.
    fn of_closure_parameter(&self, binding: &Binding) -> Option<Kinds> {
        let document = self.document();
        let bar = (0..binding.token).rev().take(16).find(|&at| document.is(at, "|"))?;
        let first = bar + 1 == binding.token;
        let call = document.call_of(bar).filter(|call| call.parts.is_empty())?;
        let receiver = || match call.is_method {
            true => call.token.checked_sub(2),
            false => {
                let first = document.slots(call.open, bar).into_iter().next()?;
                first.end.checked_sub(1)
            }
        };
        let mut entries = functions::named(&call.name).peekable();
        if entries.peek().is_none() {
            return receiver().filter(|_| first).and_then(|last| self.elements(last));
        }
        let role =
            |kind: &str| functions::named(&call.name).any(|entry| entry.parameters.iter().any(|p| p.name == kind));
        let subject = receiver().and_then(|last| self.ending_at(last));
        let subject = |kind: ValueKind| subject.as_ref().is_some_and(|kinds| kinds.contains(&kind));
        match () {
            () if role("test") && subject(ValueKind::Permit) => Some(vec![ValueKind::Move]),
            () if role("test") && subject(ValueKind::Squares) => Some(vec![ValueKind::Square]),
            () if role("key") => self.rolled(call.open + 1),
            () if role("faces") => Some(vec![ValueKind::Number]),
            () if role("counter") => Some(vec![ValueKind::Side]),
            () => None,
        }
    }
}

/// The kinds of operands joined by operators. The kinds of some operands may be unknown.
fn joined(operands: &[Option<Kinds>], operators: &[&str]) -> Option<Kinds> {
    let among = |kinds: &[ValueKind], one: &Option<Kinds>| {
        one.as_ref().is_some_and(|one| one.iter().all(|kind| kinds.contains(kind)))
    };
    let any = |kinds: &[ValueKind]| operands.iter().any(|one| among(kinds, one));
    let all = |kinds: &[ValueKind]| operands.iter().all(|one| among(kinds, one));
    let are = |signs: &[&str]| operators.iter().all(|sign| signs.contains(sign));
    let (sets, sums) = (are(&["|", "&", "-"]), !are(&["|", "&"]));
    let kind = match () {
        () if sets && any(&[ValueKind::Permit]) => ValueKind::Permit,
        () if sets && any(&[ValueKind::Squares, ValueKind::Square]) => ValueKind::Squares,
        () if sums && all(&[ValueKind::Number]) => ValueKind::Number,
        () if sums && any(&[ValueKind::Reckoned]) => ValueKind::Reckoned,
        () if are(&["+"]) && any(&[ValueKind::Text]) => ValueKind::Text,
        () => return None,
    };
    Some(vec![kind])
}

/// Kinds without repetitions; `None` if there are none, or so many that nothing is known.
fn tidy(mut kinds: Kinds) -> Option<Kinds> {
    let mut known = Vec::new();
    kinds.retain(|kind| {
        !known.contains(kind) && {
            known.push(*kind);
            true
        }
    });
    (!kinds.is_empty() && kinds.len() < MANY).then_some(kinds)
}

#[cfg(test)]
mod tests;
