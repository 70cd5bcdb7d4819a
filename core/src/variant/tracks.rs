//! Compiled tracks: lookup tables for paths, which declarations give as lists of squares.

use super::spec::{Station, TrackDef};
use crate::board::side::Side;
use crate::board::square::{MAX_SQUARES, Square, SquareSet};

/// One way along a track.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// Its stations, from first to last.
    pub(crate) stations: Vec<Station>,
    /// The squares of each station.
    pub(crate) sets: Vec<SquareSet>,
    /// The place of each square, if no square has two.
    places: Option<Box<Places>>,
}

/// The places of a path: the squares of its stations in the order in which they fill.
#[derive(Clone, Debug)]
struct Places {
    /// By square, for those of the path.
    of: [u8; MAX_SQUARES],
    /// By place, the number of the station and the square.
    at: Vec<(u8, Square)>,
    /// The squares of the first `n` stations, by `n`: one entry more than there are stations.
    through: Vec<SquareSet>,
}

impl Path {
    fn new(stations: Vec<Station>) -> Path {
        let sets = stations.iter().map(|station| station.iter().copied().collect()).collect();
        let places = Places::of(&stations).map(Box::new);
        Path { stations, sets, places }
    }

    /// The squares of the stations from `first` up to `end`, excluding `end`.
    pub(crate) fn between(&self, first: usize, end: usize) -> SquareSet {
        let end = end.min(self.sets.len());
        match &self.places {
            Some(places) if first < end => places.through[end] - places.through[first],
            _ => self.sets.iter().take(end).skip(first).fold(SquareSet::EMPTY, |all, set| all | *set),
        }
    }

    /// The index of the first station that has a square.
    pub(crate) fn station_of(&self, square: Square) -> Option<usize> {
        match &self.places {
            Some(places) => {
                let on_path = places.through[self.sets.len()].contains(square);
                on_path.then(|| usize::from(places.at[usize::from(places.of[square.index()])].0))
            }
            None => self.sets.iter().position(|set| set.contains(square)),
        }
    }

    /// The squares of the stations after those of some squares; the last station is followed by the first, if the path is
    /// `closed`.
    pub(crate) fn after(&self, set: SquareSet, closed: bool) -> SquareSet {
        let mut found = SquareSet::EMPTY;
        let mut add = |station: usize| {
            let next = self.sets.get(station + 1).or(self.sets.first().filter(|_| closed));
            found |= next.copied().unwrap_or(SquareSet::EMPTY);
        };
        match &self.places {
            Some(_) => set.into_iter().filter_map(|square| self.station_of(square)).for_each(add),
            None => (0..self.sets.len()).filter(|&i| !(self.sets[i] & set).is_empty()).for_each(&mut add),
        }
        found
    }

    /// Whether no square has two stations.
    pub(crate) fn is_simple(&self) -> bool {
        self.places.is_some()
    }

    /// Calls `f` for each station with one of some squares, in order, with its index and the last of these squares to fill,
    /// until `f` returns true; returns whether it did.
    pub(crate) fn each_topmost(&self, of: SquareSet, mut f: impl FnMut(usize, Square) -> bool) -> bool {
        let stations = self.stations.len();
        let Some(places) = self.places.as_ref().filter(|_| stations <= FEW_STATIONS) else {
            return self.stations.iter().enumerate().any(|(i, station)| {
                let any = !(of & self.sets[i]).is_empty();
                let last = || station.iter().rev().find(|&&square| of.contains(square));
                any && last().is_some_and(|&last| f(i, last))
            });
        };
        // The stations that are taken, one bit each, and for each the last place that is.
        let (mut taken, mut last) = (0u64, [0; FEW_STATIONS]);
        (of & places.through[stations]).into_iter().for_each(|square| {
            let place = places.of[square.index()];
            let station = places.at[usize::from(place)].0 % FEW_STATIONS as u8;
            taken |= 1 << station;
            let last = &mut last[usize::from(station)];
            *last = place.max(*last);
        });
        while taken != 0 {
            let station = taken.trailing_zeros() as usize;
            if f(station, places.at[usize::from(last[station])].1) {
                return true;
            }
            taken &= taken - 1;
        }
        false
    }
}

/// The maximum number of stations that one word stands for.
const FEW_STATIONS: usize = 64;

impl Places {
    /// `None` if some square has several, or if some station has none: otherwise all numbers are those of squares.
    fn of(stations: &[Station]) -> Option<Places> {
        if stations.iter().any(Vec::is_empty) {
            return None;
        }
        let mut places = Places { of: [0; MAX_SQUARES], at: Vec::new(), through: vec![SquareSet::EMPTY] };
        let mut seen = SquareSet::EMPTY;
        for (number, station) in stations.iter().enumerate() {
            for &square in station {
                if seen.contains(square) {
                    return None;
                }
                seen.insert(square);
                places.of[square.index()] = places.at.len() as u8;
                places.at.push((number as u8, square));
            }
            places.through.push(seen);
        }
        Some(places)
    }
}

/// A compiled track: the paths of each side, each followed by its reverse if that is allowed.
pub(crate) type Track = Vec<Vec<Path>>;

/// Compiles a track for this many sides.
pub(super) fn compile(def: &TrackDef, sides: usize) -> Track {
    let of = |side: Side| {
        let mut paths = Vec::new();
        for path in &def.paths[side.index()] {
            paths.push(Path::new(path.clone()));
            if def.both_ways {
                paths.push(Path::new(path.iter().rev().cloned().collect()));
            }
        }
        paths
    };
    (0..sides as u8).map(Side).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square_lists(numbers: &[&[u8]]) -> Vec<Station> {
        numbers.iter().map(|station| station.iter().map(|&s| Square(s)).collect()).collect()
    }

    fn set(numbers: &[u8]) -> SquareSet {
        numbers.iter().map(|&s| Square(s)).collect()
    }

    fn topmost(path: &Path, of: &[u8]) -> Vec<(usize, u8)> {
        let mut found = Vec::new();
        path.each_topmost(set(of), |station, square| {
            found.push((station, square.0));
            false
        });
        found
    }

    #[test]
    fn places_and_stations_give_the_same_answers() {
        // A heap that fills against the order of its squares, and one place off the path.
        let simple = Path::new(square_lists(&[&[200, 100, 7], &[3], &[64, 65]]));
        let crossing = Path::new(square_lists(&[&[200, 100, 7], &[3], &[64, 65], &[3]]));
        assert!(simple.places.is_some() && crossing.places.is_none());
        for of in [&[][..], &[200], &[7, 200], &[100, 200, 9], &[3, 64], &[64, 65, 100, 9]] {
            let mut both = topmost(&crossing, of);
            both.retain(|(station, _)| *station < 3);
            assert_eq!(topmost(&simple, of), both, "{of:?}");
        }
        for square in (0..=255).map(Square) {
            assert_eq!(simple.station_of(square), crossing.station_of(square), "{square:?}");
        }
        assert_eq!((simple.station_of(Square(100)), simple.station_of(Square(65))), (Some(0), Some(2)));
        assert_eq!(topmost(&simple, &[7, 100, 65, 64]), [(0, 7), (2, 65)]);
        assert_eq!(topmost(&crossing, &[3]), [(1, 3), (3, 3)]);
        for (of, closed, next) in [
            (&[100][..], false, &[3][..]),
            (&[3, 9], false, &[64, 65]),
            (&[65], false, &[]),
            (&[65, 7], true, &[200, 100, 7, 3]),
        ] {
            assert_eq!(simple.after(set(of), closed), set(next), "{of:?}");
        }
        assert_eq!(crossing.after(set(&[3]), false), set(&[64, 65]));
        assert_eq!(crossing.after(set(&[3]), true), set(&[64, 65, 200, 100, 7]));
        for (path, first, end, squares) in [
            (&simple, 1, 3, &[3, 64, 65][..]),
            (&simple, 0, 99, &[200, 100, 7, 3, 64, 65]),
            (&simple, 2, 1, &[]),
            (&simple, 9, 99, &[]),
            (&crossing, 2, 4, &[3, 64, 65]),
            (&crossing, 3, 2, &[]),
        ] {
            assert_eq!(path.between(first, end), set(squares), "{first} to {end}");
        }
    }
}
