//! Go to definition, find references, and rename.
//!
//! The module `resolve` determines the meaning of words; this module only selects words. Other scripts are always bundled
//! scripts, since scripts can import no others.

mod rename;

#[cfg(test)]
mod tests;

pub use rename::{RenameError, rename, renameable};

use crate::document::Origin;
use crate::imported;
use crate::names::NameKind;
use crate::resolve::{self, Meaning, Word};
use crate::script::Script;
use std::ops::Range;

/// The location of a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// In the same script.
    Here(Range<usize>),
    /// In a bundled script.
    Bundled {
        /// The script's name.
        name: String,
        /// Its text.
        text: String,
        /// The byte range in that text.
        span: Range<usize>,
    },
}

/// The declaration of the word at an offset. For an imported script, the beginning of that script.
pub fn definition(script: &Script, offset: usize) -> Option<Target> {
    if let Some(target) = imported_script(script, offset) {
        return Some(target);
    }
    let words = resolve::words(script);
    let word = resolve::word_at(&words, script.text(), offset)?;
    match &word.meaning {
        Meaning::Function(_) => {
            let all: Vec<&Word> = words.iter().filter(|one| one.declares && one.meaning == word.meaning).collect();
            let exact = all.iter().find(|one| word.arguments.is_some() && one.arguments == word.arguments);
            exact.or(all.first()).map(|one| Target::Here(one.span.clone()))
        }
        Meaning::Variable { .. } => declaration(&words, &word.meaning).map(Target::Here),
        Meaning::Module(alias) => beginning(script, alias).or_else(|| {
            let declared = declaration(&words, &word.meaning)?;
            Some(Target::Here(declared))
        }),
        Meaning::Imported { module, name } => {
            let base = imported::read(imported::script_of(script.document(), module)?)?;
            let span = imported::declaration(&base, name, word.arguments)?;
            Some(Target::Bundled { name: base.source().name.clone(), text: base.text().to_string(), span })
        }
        Meaning::Named(kind, name) => declaration(&words, &word.meaning).map(Target::Here).or_else(|| {
            let (source, span) = imported::declares_name(script.document(), *kind, name)?;
            Some(Target::Bundled { name: source.name, text: source.text, span })
        }),
        Meaning::BuiltIn(_) | Meaning::Property | Meaning::Key | Meaning::Unknown => None,
    }
}

/// The first declaration of a meaning in the script.
fn declaration(words: &[Word], meaning: &Meaning) -> Option<Range<usize>> {
    words.iter().find(|word| word.declares && word.meaning == *meaning).map(|word| word.span.clone())
}

/// The beginning of the script that an `import` at an offset names.
fn imported_script(script: &Script, offset: usize) -> Option<Target> {
    let document = script.document();
    let touches = |token: usize| {
        let span = &document.tokens()[token].span;
        span.start <= offset && offset <= span.end
    };
    let import = document.imports().iter().find(|import| touches(import.script))?;
    bundled(&document.text()[document.inside(import.script)])
}

/// The beginning of the script that is imported under a name.
fn beginning(script: &Script, alias: &str) -> Option<Target> {
    bundled(imported::script_of(script.document(), alias)?)
}

fn bundled(name: &str) -> Option<Target> {
    let script = imported::read(name)?;
    Some(Target::Bundled { name: name.to_string(), text: script.text().to_string(), span: 0..0 })
}

/// The byte ranges of all uses of the name at an offset, in order. For an option that a constant holds, they include
/// the uses of the constant.
pub fn references(script: &Script, offset: usize, with_declaration: bool) -> Vec<Range<usize>> {
    let words = resolve::words(script);
    let Some(word) = resolve::word_at(&words, script.text(), offset) else { return Vec::new() };
    if matches!(word.meaning, Meaning::Property | Meaning::Key | Meaning::Unknown) {
        return Vec::new();
    }
    let held = held_by(script, &words, &word.meaning);
    let same = |one: &&Word| one.meaning == word.meaning || held.as_ref().is_some_and(|held| one.meaning == *held);
    let all = words.iter().filter(same).filter(|one| with_declaration || !one.declares);
    all.map(|one| one.span.clone()).collect()
}

/// The constant that holds the value of an option, as in `const LENGTH = option("length", ..)`.
fn held_by(script: &Script, words: &[Word], meaning: &Meaning) -> Option<Meaning> {
    let Meaning::Named(NameKind::Option, _) = meaning else { return None };
    let document = script.document();
    let declared = declaration(words, meaning)?;
    let text = document.token_at(declared.start)?;
    // The constant, `=`, `option`, the bracket, and the string.
    let constant = text.checked_sub(4)?;
    let holds = document.is(constant + 1, "=") && document.is(constant + 2, "option") && document.is(constant + 3, "(");
    let at = document.tokens()[constant].span.start;
    let is_held = |word: &&Word| {
        let is_constant = matches!(word.meaning, Meaning::Variable { origin: Origin::Const | Origin::Let, .. });
        word.span.start == at && word.declares && is_constant
    };
    words.iter().find(is_held).filter(|_| holds).map(|word| word.meaning.clone())
}
