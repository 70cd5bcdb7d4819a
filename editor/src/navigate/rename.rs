//! Renames functions, variables and declared names everywhere in a script.
//!
//! A rename succeeds only if every word still refers to the same thing afterward: the changed script must have the same
//! uses at the same places. So another rename can undo it.

use crate::document::Origin;
use crate::imported;
use crate::names::NameKind;
use crate::resolve::{self, Form, Meaning, Word};
use crate::script::Script;
use astragal_dsl::syntax::can_be_name;
use astragal_dsl::{Fix, manual, printable, vocabulary};
use std::fmt;
use std::ops::Range;

/// The reason why something cannot be renamed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RenameError {
    /// There is no name at the offset.
    Nothing,
    /// It is a function of the language.
    BuiltIn(String),
    /// It comes from an imported script.
    Imported {
        /// Its name.
        name: String,
        /// The imported script.
        script: String,
    },
    /// It exists without a declaration, such as the region "far rank".
    Undeclared(NameKind, String),
    /// A function of an imported script expects the name.
    Expected {
        /// Its name.
        name: String,
        /// The imported script.
        script: String,
    },
    /// The engine calls this function by its name.
    Rule(String),
    /// The new name is that of a rule, so the engine would call the function.
    NamesRule(String),
    /// The new name is not a valid name of a variable or function.
    NoIdentifier(String),
    /// The new name is a reserved word of the language.
    Keyword(String),
    /// The new name is not valid for this kind of thing, for this reason.
    NoName(NameKind, String, String),
    /// The script writes the name without quotes somewhere, so it must be one word.
    NotOneWord(String),
    /// Something else has the new name.
    Taken {
        /// The new name.
        name: String,
        /// The thing that has it, such as `a variable`.
        by: String,
        /// The line where it is, from 1; 0 if it is elsewhere.
        line: usize,
    },
    /// The new name would refer to something else in some places.
    Ambiguous(String),
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenameError::Nothing => write!(f, "there is nothing to rename here"),
            RenameError::BuiltIn(name) => write!(f, "`{name}` is a built-in function and cannot be renamed"),
            RenameError::Imported { name, script } => {
                write!(f, "`{name}` comes from the imported script \"{script}\" and cannot be renamed here")
            }
            RenameError::Undeclared(kind, name) => {
                write!(f, "the script does not declare the {} \"{name}\", so it cannot be renamed", kind.word())
            }
            RenameError::Expected { name, script } => {
                write!(f, "the imported script \"{script}\" uses the name \"{name}\" too, so it cannot be renamed")
            }
            RenameError::Rule(name) => write!(f, "`{name}` is a rule: the engine calls it by this name"),
            RenameError::NamesRule(name) => write!(f, "`{name}` is the name of a rule, which the engine calls"),
            RenameError::NoIdentifier(name) => {
                write!(f, "`{name}` is not a valid name: use letters, digits and underscores, and begin with a letter")
            }
            RenameError::Keyword(name) => write!(f, "`{name}` is a reserved word of the language"),
            RenameError::NoName(kind, name, why) => {
                write!(f, "\"{name}\" cannot be the name of {}: {why}", with_article(kind.word()))
            }
            RenameError::NotOneWord(name) => {
                write!(f, "\"{name}\" is not one word, but the script uses the name without quotes")
            }
            RenameError::Taken { name, by, line: 0 } => write!(f, "there is already {by} called \"{name}\""),
            RenameError::Taken { name, by, line } => {
                write!(f, "there is already {by} called \"{name}\" on line {line}")
            }
            RenameError::Ambiguous(name) => write!(f, "\"{name}\" already has another meaning in this script"),
        }
    }
}

impl std::error::Error for RenameError {}

/// The bytes of the name at an offset, if it can be renamed.
pub fn renameable(script: &Script, offset: usize) -> Option<Range<usize>> {
    let words = resolve::words(script);
    let word = resolve::word_at(&words, script.text(), offset)?;
    let subject = Subject { script, words: &words, word };
    subject.refuse().is_ok().then(|| word.span.clone())
}

/// The edits that rename the thing at an offset, in order. Empty if it already has this name.
///
/// # Errors
/// If it cannot be renamed, or cannot have this name.
pub fn rename(script: &Script, offset: usize, new_name: &str) -> Result<Vec<Fix>, RenameError> {
    let words = resolve::words(script);
    let word = resolve::word_at(&words, script.text(), offset).ok_or(RenameError::Nothing)?;
    let subject = Subject { script, words: &words, word };
    subject.refuse()?;
    if script.text()[word.span.clone()] == *new_name {
        return Ok(Vec::new());
    }
    match &word.meaning {
        Meaning::Named(kind, _) => subject.check_text(*kind, new_name)?,
        _ => subject.check_identifier(new_name)?,
    }
    let were_quoted = !can_be_name(&script.text()[word.span.clone()]);
    let are_quoted = !can_be_name(new_name);
    let change = |one| subject.change(one, new_name, were_quoted, are_quoted);
    let changes: Vec<Fix> = subject.uses().map(change).collect::<Result<_, _>>()?;
    subject.verify(&changes, new_name)?;
    Ok(changes)
}

/// The thing to rename.
struct Subject<'a> {
    script: &'a Script,
    words: &'a [Word],
    word: &'a Word,
}

impl Subject<'_> {
    /// All words that refer to it.
    fn uses(&self) -> impl Iterator<Item = &Word> {
        self.words.iter().filter(|one| one.meaning == self.word.meaning)
    }

    /// Returns an error unless the script itself gives it its name.
    fn refuse(&self) -> Result<(), RenameError> {
        let document = self.script.document();
        match &self.word.meaning {
            Meaning::Variable { .. } => Ok(()),
            Meaning::Function(name) if manual::rules().contains(&name.as_str()) => Err(RenameError::Rule(name.clone())),
            Meaning::Function(_) => Ok(()),
            Meaning::Module(_) => self.uses().any(|one| one.declares).then_some(()).ok_or(RenameError::Nothing),
            Meaning::BuiltIn(name) => Err(RenameError::BuiltIn(name.clone())),
            Meaning::Imported { module, name } => {
                let script = imported::script_of(document, module).unwrap_or(module).to_string();
                Err(RenameError::Imported { name: name.clone(), script })
            }
            Meaning::Named(kind, name) if !self.uses().any(|one| one.declares) => {
                Err(match imported::declares_name(document, *kind, name) {
                    Some((source, _)) => RenameError::Imported { name: name.clone(), script: source.name },
                    None => RenameError::Undeclared(*kind, name.clone()),
                })
            }
            Meaning::Named(_, name) => match imported::asks_for(self.script, name) {
                Some(script) => Err(RenameError::Expected { name: name.clone(), script }),
                None => Ok(()),
            },
            Meaning::Property | Meaning::Key | Meaning::Unknown => Err(RenameError::Nothing),
        }
    }

    /// Checks that a function, variable or imported script can have a name.
    fn check_identifier(&self, name: &str) -> Result<(), RenameError> {
        if !can_be_name(name) {
            let valid = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_word = name.chars().all(valid) && name.starts_with(|c: char| !c.is_ascii_digit());
            return Err(if is_word { RenameError::Keyword } else { RenameError::NoIdentifier }(name.into()));
        }
        match &self.word.meaning {
            Meaning::Function(_) => self.check_function(name),
            Meaning::Variable { .. } => self.check_variable(name),
            _ => {
                let other = self.words.iter().find(|one| one.declares && one.meaning == Meaning::Module(name.into()));
                other.map_or(Ok(()), |other| Err(self.taken(name, "an imported script", other)))
            }
        }
    }

    fn check_function(&self, name: &str) -> Result<(), RenameError> {
        if manual::rules().contains(&name) {
            return Err(RenameError::NamesRule(name.into()));
        }
        let same = Meaning::Function(name.into());
        if let Some(other) = self.words.iter().find(|one| one.declares && one.meaning == same) {
            return Err(self.taken(name, "a function", other));
        }
        let counts = self.uses().filter(|one| one.declares).filter_map(|one| one.arguments);
        if counts.into_iter().any(|count| vocabulary::hides_built_in(name, count)) {
            return Err(RenameError::Taken { name: name.into(), by: "a built-in function".into(), line: 0 });
        }
        let uses: Vec<&Word> = self.uses().collect();
        let clashes = |other: &&Word| uses.iter().any(|one| self.sees(one, other)) || self.is_captured(other);
        match self.variables(name).find(clashes) {
            Some(other) => Err(self.taken(name, "a variable", other)),
            None => Ok(()),
        }
    }

    fn check_variable(&self, name: &str) -> Result<(), RenameError> {
        let Some(own) = self.uses().find(|one| one.declares) else { return Ok(()) };
        if let Some(other) = self.variables(name).find(|other| self.sees(other, own) || self.sees(own, other)) {
            return Err(self.taken(name, "a variable", other));
        }
        // A call refers to the function, but a reader would look for the variable.
        let is_called = |one: &&Word| {
            let is_function = match &one.meaning {
                Meaning::Function(other) => other == name,
                Meaning::BuiltIn(other) => other == name && one.form != Form::Member,
                _ => false,
            };
            is_function && !one.declares && self.sees(one, own)
        };
        let called = self.words.iter().find(is_called);
        let is_own = |one: &&Word| one.declares && one.meaning == Meaning::Function(name.into());
        let hidden = self.words.iter().find(is_own).filter(|_| self.is_captured(own));
        match called.or(hidden) {
            Some(other) if matches!(other.meaning, Meaning::BuiltIn(_)) => {
                Err(RenameError::Taken { name: name.into(), by: "a built-in function".into(), line: 0 })
            }
            Some(other) => Err(self.taken(name, "a function", other)),
            None => Ok(()),
        }
    }

    /// The declarations of variables with a name.
    fn variables<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Word> {
        let is_variable = |one: &&Word| one.declares && matches!(one.meaning, Meaning::Variable { .. });
        self.words.iter().filter(is_variable).filter(move |one| self.script.text()[one.span.clone()] == *name)
    }

    /// Whether a variable is in scope at a word.
    fn sees(&self, word: &Word, declared: &Word) -> bool {
        let (document, at) = (self.script.document(), word.span.start);
        let of_token = |token: usize| document.tokens()[token].span.start == declared.span.start;
        let Some(binding) = document.bindings().iter().find(|one| of_token(one.token)) else { return false };
        if binding.origin == Origin::Parameter && word.declares {
            // The scope of a parameter does not include the parameter list, but names in the list must differ.
            let other = document.bindings().iter().find(|one| document.tokens()[one.token].span.start == at);
            if other.is_some_and(|other| other.origin == Origin::Parameter && other.scope == binding.scope) {
                return true;
            }
        }
        let is_constant = binding.origin == Origin::Const && document.enclosing(binding.token).is_none();
        let here = document.function_at(at).map(|function| &function.span);
        let there = document.function_at(declared.span.start).map(|function| &function.span);
        match (here, there) {
            (Some(_), None) => is_constant,
            _ => here == there && binding.visible().contains(&at),
        }
    }

    /// Whether an anonymous function captures a variable. Inside it, the interpreter prefers functions of the same
    /// name.
    fn is_captured(&self, declared: &Word) -> bool {
        let document = self.script.document();
        let bodies = resolve::closures(document);
        let uses = self.words.iter().filter(|one| one.meaning == declared.meaning);
        let captures = |at: usize| {
            bodies.iter().any(|body| {
                body.contains(&at) && !body.contains(&declared.span.start) && !self.is_parameter(declared, body)
            })
        };
        uses.into_iter().any(|one| captures(one.span.start))
    }

    /// Whether a variable is a parameter of the anonymous function with this body.
    fn is_parameter(&self, declared: &Word, body: &Range<usize>) -> bool {
        let document = self.script.document();
        let at = |token: usize| document.tokens()[token].span.start;
        document
            .bindings()
            .iter()
            .any(|one| one.origin == Origin::Parameter && at(one.token) == declared.span.start && one.scope == *body)
    }

    fn taken(&self, name: &str, by: &str, other: &Word) -> RenameError {
        let line = self.script.document().lines().line_of(other.span.start) + 1;
        RenameError::Taken { name: name.into(), by: by.into(), line }
    }

    /// Checks that a declared thing can have a name.
    fn check_text(&self, kind: NameKind, name: &str) -> Result<(), RenameError> {
        if let Some(why) = fault_of_name(kind, name) {
            return Err(RenameError::NoName(kind, name.into(), why));
        }
        let shares = |other: NameKind| other == kind || share_names(kind, other);
        let known = self.script.declared().iter().find(|one| one.name == *name && shares(one.kind));
        let Some(known) = known else { return Ok(()) };
        let by = with_article(known.kind.word());
        let line = known.token.map_or(0, |token| {
            self.script.document().lines().line_of(self.script.document().tokens()[token].span.start) + 1
        });
        Err(RenameError::Taken { name: name.into(), by, line })
    }

    /// The edit of one word. Keys need quotes unless they are one word.
    fn change(&self, one: &Word, name: &str, were_quoted: bool, are_quoted: bool) -> Result<Fix, RenameError> {
        let span = one.span.clone();
        match one.form {
            Form::Key if are_quoted => Ok(Fix { span, text: format!("\"{name}\"") }),
            Form::Member if are_quoted => Err(RenameError::NotOneWord(name.into())),
            Form::Quoted if were_quoted && !are_quoted && self.is_quoted_key(one) => {
                Ok(Fix { span: span.start - 1..span.end + 1, text: name.into() })
            }
            _ => Ok(Fix { span, text: name.into() }),
        }
    }

    /// Whether a word is a quoted key of a map.
    fn is_quoted_key(&self, word: &Word) -> bool {
        let document = self.script.document();
        let token = document.token_at(word.span.start);
        token.is_some_and(|token| document.is_text(token) && document.is_key(token))
    }

    /// Checks that the changed script has the same uses at the same places.
    fn verify(&self, changes: &[Fix], name: &str) -> Result<(), RenameError> {
        let text = apply(self.script.text(), changes);
        let mut script = self.script.clone();
        script.edit(text);
        let words = resolve::words(&script);
        let mut shift = 0_isize;
        let expected: Vec<usize> = changes
            .iter()
            .map(|change| {
                let quotes = usize::from(change.text.starts_with('"') && change.text.len() > name.len());
                let start = change.span.start.saturating_add_signed(shift) + quotes;
                shift += change.text.len() as isize - change.span.len() as isize;
                start
            })
            .collect();
        let first = expected.first().and_then(|start| words.iter().find(|word| word.span.start == *start));
        let found: Vec<usize> = words
            .iter()
            .filter(|word| first.is_some_and(|first| first.meaning == word.meaning))
            .map(|word| word.span.start)
            .collect();
        let is_same_kind = first.is_some_and(|first| match (&first.meaning, &self.word.meaning) {
            (Meaning::Named(kind, _), Meaning::Named(other, _)) => kind == other,
            (new, old) => std::mem::discriminant(new) == std::mem::discriminant(old),
        });
        match found == expected && is_same_kind && words.len() == self.words.len() {
            true => Ok(()),
            false => Err(RenameError::Ambiguous(name.into())),
        }
    }
}

/// The text after a list of edits, which are in order.
fn apply(text: &str, changes: &[Fix]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len() + 64), 0);
    for change in changes {
        out.push_str(&text[at..change.span.start]);
        out.push_str(&change.text);
        at = change.span.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The reason why a string cannot be the name of a thing, if there is one.
fn fault_of_name(kind: NameKind, name: &str) -> Option<String> {
    let in_positions = matches!(kind, NameKind::Counter | NameKind::Mark | NameKind::Trait);
    let has_space = name.contains(|c: char| c.is_whitespace() || c == '=');
    let fault = match () {
        () if name.is_empty() => "it is empty",
        () if name.trim() != name => "it begins or ends with a space",
        () if name.contains(['"', '`', '\\']) => "names cannot contain quotation marks or backslashes",
        () if name.chars().any(|c| c.is_control() || printable::steers(c)) => "names cannot contain control characters",
        () if !name.starts_with(|c: char| c.is_alphanumeric() || c == '_') => "it must begin with a letter or digit",
        () if in_positions && has_space => "it appears in positions, so it cannot contain spaces or `=`",
        () if kind == NameKind::Option && has_space => "players type it, so it cannot contain spaces or `=`",
        () if matches!(kind, NameKind::Counter | NameKind::Mark) => {
            return manual::reserved_in_positions(name).map(|what| format!("positions use this name for {what}"));
        }
        () => return None,
    };
    Some(fault.into())
}

/// Whether two kinds of things cannot share a name, because positions or functions could not distinguish them.
fn share_names(kind: NameKind, other: NameKind) -> bool {
    use NameKind::{Counter, Mark, Piece, Side, Trait};
    matches!((kind, other), (Mark, Counter | Trait) | (Counter | Trait, Mark) | (Piece, Side) | (Side, Piece))
}

fn with_article(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {word}")
}
