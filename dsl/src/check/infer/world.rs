//! The names that a script has declared, once its top level has run.

use super::super::name_table::NameTable;
use super::reach::{self, Reach};
use crate::host::kind::ParamKind;
use astragal_core::{Kind, Position, Side, Variant};
use std::collections::BTreeMap;

/// The names by what they name.
pub(in crate::check) struct World {
    pub(super) kinds: Vec<String>,
    /// Those that pieces promote to.
    pub(super) promoted: Vec<String>,
    /// How many files the board has.
    pub(super) files: i64,
    /// How many ranks it has.
    pub(super) ranks: i64,
    /// How many squares the board has.
    pub(super) squares: i64,
    pub(super) sides: Vec<String>,
    regions: Vec<String>,
    counters: Vec<String>,
    marks: Vec<String>,
    /// How many places each of them has.
    places: Vec<i64>,
    /// The numbers that counters begin with and rules set, as far as these can be seen: the least and the greatest.
    reach: BTreeMap<String, Reach>,
    /// Those that are secret.
    secret: Vec<String>,
    /// How many stations each track has, on its longest path; one that is closed has no end.
    stations: Vec<i64>,
    /// The counters that are 0 where the game begins.
    pub(super) empty: Vec<String>,
    traits: Vec<String>,
    tracks: Vec<String>,
}

impl World {
    /// Those of a variant.
    pub(in crate::check) fn of(variant: &Variant, start: &Position, table: &NameTable) -> World {
        let spec = variant.spec();
        World {
            kinds: variant.kinds().iter().map(|kind| kind.name.clone()).collect(),
            promoted: promoted(variant),
            files: i64::from(variant.board().width()),
            ranks: i64::from(variant.board().height()),
            squares: i64::from(variant.board().squares().len()),
            sides: spec.sides.iter().map(|side| side.name.clone()).collect(),
            regions: variant.board().regions().iter().map(|region| region.name.clone()).collect(),
            counters: spec.counters.iter().map(|counter| counter.name.clone()).collect(),
            marks: spec.marks.iter().map(|mark| mark.name.clone()).collect(),
            places: spec.counters.iter().map(|counter| counter.size as i64).collect(),
            reach: reach::of_counters(variant, start, table),
            secret: spec.counters.iter().filter(|counter| counter.secret).map(|counter| counter.name.clone()).collect(),
            stations: spec
                .tracks
                .iter()
                .map(|track| match track.closed {
                    true => i64::MAX,
                    false => track.paths.iter().flatten().map(Vec::len).max().unwrap_or(0) as i64,
                })
                .collect(),
            empty: spec
                .counters
                .iter()
                .enumerate()
                .filter(|(i, def)| def.size == 1 && is_empty(variant, start, *i))
                .map(|(_, def)| def.name.clone())
                .collect(),
            traits: spec.traits.iter().map(|one| one.name.clone()).collect(),
            tracks: spec.tracks.iter().map(|track| track.name.clone()).collect(),
        }
    }

    /// The same where it is not known what stands where, and what counters begin with.
    pub(in crate::check) fn without_start(mut self) -> World {
        self.reach.clear();
        self.empty.clear();
        self
    }

    /// How many places a counter has.
    pub(super) fn places(&self, counter: &str) -> Option<i64> {
        self.counters.iter().position(|name| name == counter).map(|at| self.places[at])
    }

    /// What a counter can come to, where something is out of its reach.
    pub(super) fn reach(&self, counter: &str) -> Option<&Reach> {
        self.reach.get(counter)
    }

    /// Whether a counter is secret.
    pub(super) fn is_secret(&self, counter: &str) -> bool {
        self.secret.iter().any(|name| name == counter)
    }

    /// How many stations a track has.
    pub(super) fn stations(&self, track: &str) -> Option<i64> {
        self.tracks.iter().position(|name| name == track).map(|at| self.stations[at])
    }

    /// The names that a parameter takes, and the word for what they name.
    pub(super) fn names(&self, kind: ParamKind) -> Option<(&'static str, Vec<&str>)> {
        Some(match kind {
            ParamKind::PieceName => {
                ("piece or side", self.kinds.iter().chain(&self.sides).map(String::as_str).collect())
            }
            ParamKind::PieceNames => ("piece", self.kinds.iter().map(String::as_str).collect()),
            ParamKind::SideName | ParamKind::SideOrName => ("side", self.sides.iter().map(String::as_str).collect()),
            ParamKind::RegionName => ("region", self.regions.iter().map(String::as_str).collect()),
            ParamKind::CounterName => ("counter", self.counters.iter().map(String::as_str).collect()),
            ParamKind::MarkName => ("mark", self.marks.iter().map(String::as_str).collect()),
            ParamKind::TraitName => ("trait", self.traits.iter().map(String::as_str).collect()),
            ParamKind::TrackName => ("track", self.tracks.iter().map(String::as_str).collect()),
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

/// Whether a counter is 0 for every side where the game begins.
fn is_empty(variant: &Variant, start: &Position, index: usize) -> bool {
    (0..variant.sides()).all(|side| Position::counter_at(start, variant, index, 0, Side(side as u8)) == 0)
}
