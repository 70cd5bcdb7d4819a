//! Completions where a value or a statement begins: functions, variables, constants and words of the language.

use super::wants::{Asker, Notation, Wants};
use super::{CompletionKind, List, describe};
use crate::document::{Binding, Document, Function, Origin, opens};
use crate::functions;
use crate::kinds::Kinds;
use crate::markdown::shortened;
use crate::names::NameKind;
use crate::{calls, comments, imported};
use astragal_dsl::manual::{self, Entry, ValueKind};
use astragal_dsl::notation::dice;
use std::collections::BTreeMap;

/// The words that begin a statement in a function.
const IN_RULES: [(&str, &str); 9] = [
    ("let", "declares a variable"),
    ("if", "runs statements under a condition"),
    ("switch", "compares a value with several others"),
    ("for", "repeats statements for each element"),
    ("return", "returns a value from the function"),
    ("while", "repeats statements while a condition holds"),
    ("loop", "repeats statements until `break`"),
    ("break", "ends a loop"),
    ("continue", "continues with the next pass of a loop"),
];

/// The words that begin a statement at the top level.
const AT_TOP: [(&str, &str); 6] = [
    ("const", "declares a constant"),
    ("fn", "declares a function"),
    ("import", "imports another script"),
    ("let", "declares a variable of the top level"),
    ("if", "runs statements under a condition"),
    ("for", "repeats statements for each element"),
];

/// The words that begin a value.
const IN_VALUES: [(&str, &str); 4] = [
    ("if", "chooses between two values"),
    ("switch", "selects a value, depending on another value"),
    ("true", "yes"),
    ("false", "no"),
];

/// The longest value of a constant that is shown.
const SHOWN: usize = 60;

impl<'a> List<'a> {
    fn document(&self) -> &'a Document {
        self.script.document()
    }

    fn asker(&self) -> Asker<'a, '_> {
        Asker { script: self.script, reader: &self.reader }
    }

    pub(super) fn keyword(&mut self, word: &str, rank: u8) {
        let lists = IN_RULES.iter().chain(&AT_TOP).chain(&IN_VALUES);
        let about = lists.clone().find(|(known, _)| *known == word).map_or("", |(_, about)| *about);
        self.add(CompletionKind::Keyword, rank, word, about, "");
    }

    /// Completions for the beginning of a statement.
    pub(super) fn statements(&mut self) {
        let document = self.document();
        let in_function = document.function_at(self.spot.offset).is_some();
        let closes_if = self.spot.at.checked_sub(1).is_some_and(|last| document.is(last, "}"));
        if closes_if && self.follows_if() {
            self.add(CompletionKind::Keyword, 2, "else", "runs statements if the condition does not hold", "");
        }
        if !calls::runs_rules(document, self.spot.offset) {
            self.built_in(|entry| entry.declares.then_some(0));
            if !in_function {
                AT_TOP.iter().for_each(|(word, _)| self.keyword(word, 1));
                self.rules();
                self.variables(|one| if one.origin == Origin::Import { 3 } else { 4 }, None);
                return self.own_functions(|_| 2);
            }
        } else {
            self.built_in(|entry| match entry.cost {
                _ if entry.declares => None,
                "decision" => Some(0),
                "effect" => Some(1),
                "chance" => Some(3),
                _ => Some(5),
            });
        }
        IN_RULES.iter().for_each(|(word, _)| self.keyword(word, 2));
        self.variables(|_| 2, None);
        self.own_functions(|_| 1);
    }

    /// Whether the block before the place belongs to an `if`.
    fn follows_if(&self) -> bool {
        let document = self.document();
        let Some(open) = self.spot.at.checked_sub(1).and_then(|last| document.partner(last)) else { return false };
        let mut at = open;
        while let Some(before) = at.checked_sub(1) {
            match document.word(before) {
                "if" => return true,
                ";" | "{" | "}" | "=>" | "," => return false,
                _ => {}
            }
            at = document.partner(before).filter(|_| !opens(document.word(before))).unwrap_or(before);
        }
        false
    }

    /// The rules that the script does not have yet, as functions to fill in.
    fn rules(&mut self) {
        for rule in manual::RULES {
            if self.document().function(rule.name).is_some() {
                continue;
            }
            let parameters: Vec<&str> = rule.parameters.iter().take(rule.required).map(|(name, _)| *name).collect();
            let head = format!("fn {}({})", rule.name, parameters.join(", "));
            let body = format!("{head} {{\n    \n}}");
            self.insert(CompletionKind::Snippet, 1, &head, body, "rule", rule.about);
        }
    }

    /// Completions for the beginning of a value.
    pub(super) fn values(&mut self) {
        let wants = self.asker().value(&self.spot);
        self.texts_in_quotes(&wants);
        for head in &wants.heads {
            self.add(CompletionKind::Snippet, 0, head, "function", "");
        }
        let mut kinds = wants.kinds.clone();
        let is_named = !wants.names.is_empty() || !wants.words.is_empty() || !wants.notations.is_empty();
        if is_named && kinds != [ValueKind::Text] {
            // Texts are offered themselves, and functions that return texts are not meant.
            kinds.retain(|kind| *kind != ValueKind::Text);
        }
        let unknown = if kinds.is_empty() { 1 } else { 2 };
        self.variables(|_| unknown, Some(&kinds));
        let results = self.results_of_functions();
        self.own_functions(|function| match results.get(&function.name).and_then(Option::as_ref) {
            Some(results) => rank_of(results, &kinds, 0),
            None => unknown,
        });
        let in_rule = calls::runs_rules(self.document(), self.spot.offset);
        let in_function = self.document().function_at(self.spot.offset).is_some();
        self.built_in(|entry| match entry.cost {
            _ if entry.declares && (in_rule || entry.results == [ValueKind::Nothing]) => None,
            _ if entry.declares => Some(1),
            "effect" if wants.effects => Some(0),
            "effect" => Some(7),
            "decision" | "chance" if !in_function => Some(7),
            _ => Some(rank_of(entry.results, &kinds, 1)),
        });
        for (word, _) in IN_VALUES {
            let is_truth = matches!(word, "true" | "false");
            let rank = match is_truth && kinds.contains(&ValueKind::Truth) {
                true if wants.option.is_some() => 0,
                true => 3,
                false => 6,
            };
            self.keyword(word, rank);
        }
    }

    /// Completions for a value of a `switch`, whose subject ends with a token.
    pub(super) fn patterns(&mut self, subject: usize) {
        let wants = self.asker().compared(subject);
        self.texts_in_quotes(&wants);
        self.add(CompletionKind::Keyword, 3, "_", "any other value", "");
    }

    /// Texts that a place takes, in quotes: names, words and dice. Squares would be too many.
    fn texts_in_quotes(&mut self, wants: &Wants) {
        self.words(wants, 0);
        self.names(wants, None);
        for value in &wants.literals {
            self.add(CompletionKind::Named(NameKind::Option), 0, value, "value of the option", "");
        }
        if wants.notations.contains(&Notation::Dice) {
            for (text, about) in dice::SAMPLES {
                self.quoted(CompletionKind::Word, 0, text, about, "");
            }
        }
    }

    /// The kinds of results of the functions of the script, by the tokens of their names.
    fn results_of_functions(&self) -> BTreeMap<usize, Option<Kinds>> {
        let functions = self.document().functions().iter().take(64);
        functions.map(|function| (function.name, self.reader.of_function(function))).collect()
    }

    /// The functions of the script. Rules are not called.
    fn own_functions(&mut self, rank: impl Fn(&Function) -> u8) {
        let document = self.document();
        for function in document.functions() {
            let name = document.word(function.name);
            if manual::RULES.iter().any(|rule| rule.name == name) {
                continue;
            }
            let about = comments::markdown(document, function.name);
            self.add(CompletionKind::Function, rank(function), name, head(document, function), about);
        }
    }

    /// The functions of an imported script.
    pub(super) fn functions_of_module(&mut self, module: &str) {
        let Some(source) = imported::source_of(self.document(), module) else { return };
        let document = Document::new(source.text);
        for function in document.functions() {
            let name = document.word(function.name);
            let is_private = document.text()[function.span.start..].starts_with("private");
            if is_private || manual::RULES.iter().any(|rule| rule.name == name) {
                continue;
            }
            let about = comments::markdown(&document, function.name);
            self.add(CompletionKind::Function, 0, name, head(&document, function), about);
        }
    }

    /// The variables, constants and modules that are visible at the place. Those of the kinds that it takes come first.
    fn variables(&mut self, rank: impl Fn(&Binding) -> u8, kinds: Option<&[ValueKind]>) {
        let document = self.document();
        let declared = self.declared_here();
        for name in document.binding_names() {
            let binding = document.visible(name, self.spot.offset);
            // A name that is being declared cannot be used yet.
            let is_known = |one: &&Binding| Some(one.token) != declared && one.token != self.spot.at;
            let Some(binding) = binding.filter(is_known) else { continue };
            let origin = binding.origin;
            if origin == Origin::Import {
                let rank = if kinds.is_some() { 4 } else { rank(binding) };
                self.insert(CompletionKind::Module, rank, name, format!("{name}::"), "imported script", "");
                continue;
            }
            let own = self.reader.of_binding(binding);
            let rank = match (kinds.filter(|kinds| !kinds.is_empty()), &own) {
                (Some(kinds), Some(own)) => rank_of(own, kinds, 0),
                _ => rank(binding),
            };
            let kind = if origin == Origin::Const { CompletionKind::Constant } else { CompletionKind::Variable };
            let detail = match (origin, own) {
                (Origin::Const, _) => self.initial_text(binding),
                (_, Some(own)) => manual::result(&own),
                _ => String::new(),
            };
            self.add(kind, rank, name, detail, "");
        }
    }

    /// The name that the statement at the place declares. It is not visible in its own initial value.
    fn declared_here(&self) -> Option<usize> {
        let document = self.document();
        let mut at = self.spot.at;
        while let Some(before) = at.checked_sub(1) {
            match document.word(before) {
                "let" | "const" => return Some(before + 1),
                ";" | "{" => return None,
                _ => {}
            }
            at = document.partner(before).filter(|_| !opens(document.word(before))).unwrap_or(before);
        }
        None
    }

    /// The initial value of a constant as it is written, cut off if it is long.
    fn initial_text(&self, binding: &Binding) -> String {
        let document = self.document();
        let tokens = document.tokens();
        let range = self.reader.initial(binding).filter(|range| !range.is_empty());
        let bytes =
            range.and_then(|range| Some(tokens.get(range.start)?.span.start..tokens.get(range.end - 1)?.span.end));
        let text = bytes.map_or("", |bytes| &document.text()[bytes]);
        shortened(text, SHOWN)
    }

    /// The functions of the reference that get a rank, each with its likeliest form.
    fn built_in(&mut self, rank: impl Fn(&Entry) -> Option<u8>) {
        let mut best: Vec<(&'static Entry, u8, usize)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in functions::all().iter().filter(|entry| is_called(entry)) {
            let Some(rank) = rank(entry) else { continue };
            match places.get(entry.name) {
                None => {
                    places.insert(entry.name, best.len());
                    best.push((entry, rank, 0));
                }
                Some(&at) => {
                    let (known, known_rank, others) = &mut best[at];
                    *others += 1;
                    if rank < *known_rank {
                        (*known, *known_rank) = (entry, rank);
                    }
                }
            }
        }
        for (entry, rank, others) in best {
            self.add(
                CompletionKind::Function,
                rank,
                entry.name,
                with_others(&entry.signature, others),
                describe(entry),
            );
        }
    }
}

/// A signature, and how many other forms there are.
pub(super) fn with_others(signature: &str, others: usize) -> String {
    match others {
        0 => signature.to_string(),
        1 => format!("{signature} (+1 form)"),
        n => format!("{signature} (+{n} forms)"),
    }
}

/// Whether a function is called by its name, not written as an operator or after a dot.
fn is_called(entry: &Entry) -> bool {
    !entry.is_operator && !entry.name.contains(['.', '['])
}

/// The rank of results at a place that takes some kinds: `best` for the kind that it takes first.
fn rank_of(results: &[ValueKind], wanted: &[ValueKind], best: u8) -> u8 {
    let Some(first) = wanted.first() else { return if results == [ValueKind::Nothing] { 6 } else { 3 } };
    match results {
        [ValueKind::Nothing] => 7,
        // A result of any kind fits everywhere, and is rarely meant.
        many if many.len() > 3 => 4,
        some if some.contains(first) => best,
        some if some.iter().any(|kind| wanted.contains(kind)) => best + 1,
        _ => 5,
    }
}

/// A function as it is declared: `fn permit(dice)`.
fn head(document: &Document, function: &Function) -> String {
    let parameters: Vec<&str> = function.parameters.iter().map(|&token| document.word(token)).collect();
    format!("fn {}({})", document.word(function.name), parameters.join(", "))
}
