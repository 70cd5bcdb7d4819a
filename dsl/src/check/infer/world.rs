//! The names that a script has declared, available once its top level has run.

use super::super::name_table::NameTable;
use super::reach::{self, Reach};
use crate::host::kind::ParamKind;
use astragal_core::variant::CounterDef;
use astragal_core::{Kind, Position, Side, Variant};
use std::collections::BTreeMap;

/// The declared names by what they refer to.
pub(in crate::check) struct World<'v> {
    variant: &'v Variant,
    pub(super) kinds: Vec<String>,
    /// The kinds that pieces promote to.
    pub(super) promoted: Vec<String>,
    /// How many files the board has.
    pub(super) files: i64,
    /// How many ranks it has.
    pub(super) ranks: i64,
    /// How many squares the board has.
    pub(super) squares: i64,
    pub(super) sides: Vec<String>,
    /// The range of counters, where initial values and rules determine it.
    reach: BTreeMap<String, Reach>,
    /// The counters that are 0 at the start of a game.
    pub(super) empty: Vec<String>,
}

impl World<'_> {
    /// Collects the names of a variant.
    pub(in crate::check) fn of<'v>(variant: &'v Variant, start: &Position, table: &NameTable) -> World<'v> {
        let (spec, board) = (variant.spec(), variant.board());
        let empty = |(i, def): &(usize, &CounterDef)| def.size == 1 && is_empty(variant, start, *i);
        World {
            variant,
            kinds: variant.kinds().iter().map(|kind| kind.name.clone()).collect(),
            promoted: promoted(variant),
            files: i64::from(board.width()),
            ranks: i64::from(board.height()),
            squares: i64::from(board.squares().len()),
            sides: spec.sides.iter().map(|side| side.name.clone()).collect(),
            reach: reach::of_counters(variant, start, table),
            empty: spec.counters.iter().enumerate().filter(empty).map(|(_, def)| def.name.clone()).collect(),
        }
    }

    /// The same without facts that depend on the starting position or on initial values of counters.
    pub(in crate::check) fn without_start(mut self) -> Self {
        self.reach.clear();
        self.empty.clear();
        self
    }

    fn counter(&self, name: &str) -> Option<&CounterDef> {
        self.variant.spec().counters.iter().find(|def| def.name == name)
    }

    /// How many places a counter has.
    pub(super) fn places(&self, counter: &str) -> Option<i64> {
        self.counter(counter).map(|def| def.size as i64)
    }

    /// The values that a counter can take, if they are known.
    pub(super) fn reach(&self, counter: &str) -> Option<&Reach> {
        self.reach.get(counter)
    }

    /// Whether a counter is secret.
    pub(super) fn is_secret(&self, counter: &str) -> bool {
        self.counter(counter).is_some_and(|def| def.secret)
    }

    /// The number of stations of a track, on its longest path; unlimited for a closed track.
    pub(super) fn stations(&self, track: &str) -> Option<i64> {
        let track = self.variant.spec().tracks.iter().find(|def| def.name == track)?;
        let longest = track.paths.iter().flatten().map(Vec::len).max().unwrap_or(0) as i64;
        Some(if track.closed { i64::MAX } else { longest })
    }

    /// The names that a parameter accepts, and a word for them.
    pub(super) fn names(&self, kind: ParamKind) -> Option<(&'static str, Vec<&str>)> {
        let spec = self.variant.spec();
        Some(match kind {
            ParamKind::PieceName => {
                ("piece or side", self.kinds.iter().chain(&self.sides).map(String::as_str).collect())
            }
            ParamKind::PieceNames => ("piece", self.kinds.iter().map(String::as_str).collect()),
            ParamKind::SideName | ParamKind::SideOrName => ("side", self.sides.iter().map(String::as_str).collect()),
            ParamKind::RegionName => {
                ("region", self.variant.board().regions().iter().map(|def| def.name.as_str()).collect())
            }
            ParamKind::CounterName => ("counter", spec.counters.iter().map(|def| def.name.as_str()).collect()),
            ParamKind::MarkName => ("mark", spec.marks.iter().map(|def| def.name.as_str()).collect()),
            ParamKind::TraitName => ("trait", spec.traits.iter().map(|def| def.name.as_str()).collect()),
            ParamKind::TrackName => ("track", spec.tracks.iter().map(|def| def.name.as_str()).collect()),
            _ => return None,
        })
    }
}

/// The kinds that pieces promote to.
fn promoted(variant: &Variant) -> Vec<String> {
    let to =
        |kind: Kind| variant.kinds().iter().filter_map(|def| def.promotion.as_ref()).any(|one| one.to.contains(kind));
    let all = variant.kinds().iter().enumerate().filter(|(index, _)| to(Kind(*index as u8)));
    all.map(|(_, kind)| kind.name.clone()).collect()
}

/// Whether a counter is 0 for every side at the start of a game.
fn is_empty(variant: &Variant, start: &Position, index: usize) -> bool {
    (0..variant.sides()).all(|side| Position::counter_at(start, variant, index, 0, Side(side as u8)) == 0)
}
