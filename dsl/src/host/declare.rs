//! The declarations that a script's top level has made so far.
//!
//! Functions that declare (see [`crate::functions`]) run once, at load, and fill a [`Declaration`]; [`super::script`] turns
//! it into the variant. In an imported script they do nothing until the importing script calls a function that makes them.

use crate::symmetry::Symmetry;
use astragal_core::board::Board;
use astragal_core::rule::SourceLocation;
use astragal_core::variant::Spec;
use astragal_core::{MAX_SIDES, Square};
use rhai::Dynamic;

/// A named choice between readings of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDef {
    /// The name.
    pub name: String,
    /// Its possible values, as people write them.
    pub values: Vec<String>,
    /// The first of them.
    pub default: String,
    /// The current value.
    pub chosen: String,
    /// Its name in words.
    pub label: String,
    /// The heading that it stands under; may be empty.
    pub group: String,
    /// A one-line explanation.
    pub why: String,
}

impl OptionDef {
    /// A name or value in words: spaces for underscores, and a capital first letter.
    pub(crate) fn label_of(name: &str) -> String {
        let words = name.replace('_', " ");
        let mut letters = words.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }
}

/// A castling as declared: its squares, not yet the pieces on them.
#[derive(Clone, Debug)]
pub(crate) struct CastleDecl {
    pub letter: char,
    pub king: (Square, Square),
    pub rook: (Square, Square),
    pub safe: bool,
}

/// Names of kinds that may be declared later.
#[derive(Clone, Debug)]
pub(crate) enum Later {
    Promotes(usize, Vec<String>),
    InHand(usize, String),
    Takes(usize, std::ops::Range<usize>, Vec<String>),
    Trait(usize, Vec<(String, i16)>),
}

/// All declarations of the top level so far.
pub(crate) struct Declaration {
    pub spec: Spec,
    pub setup: Option<String>,
    pub options: Vec<OptionDef>,
    pub values: Vec<(String, Dynamic)>,
    pub given: Vec<(String, String)>,
    pub castles: Vec<CastleDecl>,
    pub later: Vec<Later>,
    pub faces: Vec<String>,
    /// The symmetry between the sides that the script claims.
    pub symmetry: Option<Symmetry>,
    /// The number of pieces of each kind and side in the starting position.
    pub array_counts: Vec<[i64; MAX_SIDES]>,
    /// Declarations that are allowed once, in words, and their places.
    pub once: Vec<(String, SourceLocation)>,
    /// Repeated declarations: the first place, then the second.
    pub again: Vec<(String, SourceLocation, SourceLocation)>,
}

impl Declaration {
    /// Records a declaration that overrides earlier ones.
    pub(crate) fn note(&mut self, what: &str, place: Option<SourceLocation>) {
        let Some(place) = place else { return };
        match self.once.iter_mut().find(|(known, _)| known == what) {
            None => self.once.push((what.into(), place)),
            Some((_, first)) => {
                let first = std::mem::replace(first, place.clone());
                self.again.push((what.into(), first, place));
            }
        }
    }
}

impl Default for Declaration {
    fn default() -> Declaration {
        let board = Board::new(8, 8, 1).unwrap_or_else(|_| unreachable!("8x8 is a board"));
        Declaration {
            spec: Spec::new("", board),
            setup: None,
            options: Vec::new(),
            values: Vec::new(),
            given: Vec::new(),
            castles: Vec::new(),
            later: Vec::new(),
            faces: Vec::new(),
            symmetry: None,
            array_counts: Vec::new(),
            once: Vec::new(),
            again: Vec::new(),
        }
    }
}
