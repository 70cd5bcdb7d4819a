//! What a script's top level has declared so far.
//!
//! The functions that declare (see [`crate::functions`]) run once, at load, and fill a [`Declaration`];
//! [`super::script`] makes the variant of it. In an imported script they do nothing until the importing script calls
//! a function that makes them.

use crate::symmetry::Symmetry;
use astragal_core::board::Board;
use astragal_core::rule::Place;
use astragal_core::variant::Spec;
use astragal_core::{MAX_SIDES, Square};
use rhai::Dynamic;

/// A named choice between readings of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDef {
    /// The name.
    pub name: String,
    /// The values it can have, as people write them.
    pub values: Vec<String>,
    /// The first of them.
    pub default: String,
    /// The value in force.
    pub chosen: String,
    /// One line of why.
    pub why: String,
}

/// A castling as declared: squares, but not yet what stands there.
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

/// Everything that the top level has said so far.
pub(crate) struct Declaration {
    pub spec: Spec,
    pub setup: Option<String>,
    pub options: Vec<OptionDef>,
    pub values: Vec<(String, Dynamic)>,
    pub given: Vec<(String, String)>,
    pub castles: Vec<CastleDecl>,
    pub later: Vec<Later>,
    pub faces: Vec<String>,
    /// What the script claims to be the same game with colours exchanged.
    pub symmetry: Option<Symmetry>,
    /// How many pieces of each kind and side the starting array has.
    pub array_counts: Vec<[i64; MAX_SIDES]>,
    /// What may be declared once, in words, and where it has been.
    pub once: Vec<(String, Place)>,
    /// What has been declared again nevertheless: where first, where then.
    pub again: Vec<(String, Place, Place)>,
}

impl Declaration {
    /// Notes a declaration of which the last counts.
    pub(crate) fn note(&mut self, what: &str, place: Option<Place>) {
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
