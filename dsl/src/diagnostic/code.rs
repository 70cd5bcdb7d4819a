//! The sorts of mistakes: each has a word and an article with a wrong and a right script.

/// Declares the sorts with their words; the article of each is the file of that name.
macro_rules! codes {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal,)*) => {
        /// A sort of mistake in a script.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Code {
            /// All sorts, in the order of their articles.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// The word that stands in messages, as `unknown-name`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }

            /// What `astragal check --explain` says of it: what it means, and a wrong and a right script.
            pub fn article(self) -> &'static str {
                match self {
                    $(Code::$variant => include_str!(concat!("articles/", $name, ".md")),)*
                }
            }
        }
    };
}

codes! {
    /// The script cannot be read.
    Syntax = "syntax",
    /// There is no such function, variable or property.
    UnknownName = "unknown-name",
    /// Arguments that a function does not take.
    Arguments = "arguments",
    /// There is no such piece, side, counter, region or option.
    UnknownText = "unknown-text",
    /// Dice, movement, positions or squares that cannot be read.
    Notation = "notation",
    /// A condition that is neither true nor false.
    Condition = "condition",
    /// A comparison that comes out the same always.
    Comparison = "comparison",
    /// Values that cannot be reckoned with.
    Arithmetic = "arithmetic",
    /// An entry that an array or map does not have.
    Index = "index",
    /// A switch that leaves out a case, or has one that never comes.
    Switch = "switch",
    /// A value that is made and lost.
    LostValue = "lost-value",
    /// Something that is never reached.
    Unreachable = "unreachable",
    /// A loop or a call without end.
    Endless = "endless",
    /// A constant that is changed.
    Constant = "constant",
    /// Something that is declared twice.
    Duplicate = "duplicate",
    /// Something that nothing uses.
    Unused = "unused",
    /// A declaration that cannot be.
    Declaration = "declaration",
    /// A rule with another name or other parameters.
    Rules = "rules",
    /// A test of moves or squares that does more than look.
    Tests = "tests",
    /// A permit, royal or castling that does not do what it seems to.
    Permits = "permits",
    /// A permit that does not follow the moves of its turn.
    Frozen = "frozen",
    /// A secret that somebody is told, or a value that is never filled.
    Secrets = "secrets",
    /// An end that names a side which is hardly the one that is meant.
    WrongSide = "wrong-side",
    /// A counter or a pool that does not count what it should.
    Counters = "counters",
    /// A condition, case or call that the game would be the same without.
    NoDifference = "no-difference",
    /// A rule that fails while it is played.
    Play = "play",
    /// A game that nothing ends.
    NoEnd = "no-end",
    /// A game that is over before anybody has moved.
    OverAtOnce = "over-at-once",
    /// A game, or a side, without a move.
    NobodyMoves = "nobody-moves",
    /// A turn in which nobody is asked for anything.
    NeverPlays = "never-plays",
    /// A game that always ends in the same way.
    OneResult = "one-result",
    /// Rules that no trial game has come to.
    NotPlayed = "not-played",
}

impl Code {
    /// The sort with this word.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Severity, Source, check};

    /// The scripts of an article: the wrong one and the right one.
    fn scripts(code: Code) -> Vec<Source> {
        let blocks = code.article().split("\n```rhai").skip(1).filter_map(|rest| rest.split("\n```").next());
        let texts = blocks.filter_map(|block| block.split_once('\n')).map(|(_, text)| text);
        texts.map(|text| Source { name: code.name().into(), path: None, text: text.into() }).collect()
    }

    #[test]
    fn every_article_has_a_script_that_is_wrong_in_its_way_and_one_that_is_right() {
        for &code in Code::ALL {
            let article = code.article();
            assert!(article.starts_with("# ") && article.contains("\nWrong:\n") && article.contains("\nRight:\n"));
            let [wrong, right] = &scripts(code)[..] else { panic!("{}: not two scripts", code.name()) };
            let found = check(wrong);
            assert!(found.iter().any(|one| one.code == Some(code)), "{}: {found:#?}", code.name());
            let left: Vec<_> = check(right).into_iter().filter(|one| one.severity != Severity::Note).collect();
            assert!(left.is_empty(), "{}: {left:#?}", code.name());
            assert_eq!(Code::named(code.name()), Some(code));
        }
    }

    #[test]
    fn every_article_belongs_to_a_sort() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/diagnostic/articles");
        for entry in std::fs::read_dir(folder).unwrap() {
            let stem = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
            assert!(Code::named(&stem).is_some(), "{stem}");
        }
    }
}
