//! The kinds of mistakes: each has a word, and an article with a wrong and a right script.

/// Declares the kinds with their words; the article of each is the file of that name.
macro_rules! codes {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal,)*) => {
        /// A kind of mistake in a script.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Code {
            /// All kinds, in the order of their articles.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// The word in messages, such as `unknown-name`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }

            /// The article that `astragal check --explain` prints: an explanation, a wrong script and a right one.
            pub fn article(self) -> &'static str {
                match self {
                    $(Code::$variant => include_str!(concat!("articles/", $name, ".md")),)*
                }
            }
        }
    };
}

codes! {
    /// A script that cannot be parsed.
    Syntax = "syntax",
    /// An unknown function, variable or property.
    UnknownName = "unknown-name",
    /// Wrong arguments.
    Arguments = "arguments",
    /// An unknown piece, side, counter, region or option.
    UnknownText = "unknown-text",
    /// A string that cannot be parsed.
    Notation = "notation",
    /// A condition that is not true or false.
    Condition = "condition",
    /// A comparison that always has the same result.
    Comparison = "comparison",
    /// Values that do not fit an operator.
    Arithmetic = "arithmetic",
    /// An entry that does not exist.
    Index = "index",
    /// A switch that misses a case, or has one that never occurs.
    Switch = "switch",
    /// A value that is lost.
    LostValue = "lost-value",
    /// Code that never runs.
    Unreachable = "unreachable",
    /// A loop or call that never ends.
    Endless = "endless",
    /// An assignment to a constant.
    Constant = "constant",
    /// A second declaration of the same thing.
    Duplicate = "duplicate",
    /// A name that is never used.
    Unused = "unused",
    /// An invalid declaration.
    Declaration = "declaration",
    /// A rule with a wrong name or wrong parameters.
    Rules = "rules",
    /// A test that changes the game.
    Tests = "tests",
    /// A permit, royal piece or castling without the expected effect.
    Permits = "permits",
    /// A permit that is created too early.
    Frozen = "frozen",
    /// A secret that is revealed.
    Secrets = "secrets",
    /// A side that is probably wrong.
    WrongSide = "wrong-side",
    /// A counter or pool that miscounts or is never filled.
    Counters = "counters",
    /// A condition, case or call that changes nothing.
    NoDifference = "no-difference",
    /// A rule that fails during play.
    Play = "play",
    /// A game that never ends.
    NoEnd = "no-end",
    /// A game that ends before the first move.
    OverAtOnce = "over-at-once",
    /// A game or side without a move.
    NobodyMoves = "nobody-moves",
    /// A turn without a decision.
    NeverPlays = "never-plays",
    /// A game that always ends the same way.
    OneResult = "one-result",
    /// Rules that no trial game reached.
    NotPlayed = "not-played",
}

impl Code {
    /// The kind with this word.
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
