//! Faces that rules hold without seeing them: the questions that rules ask about them, and which outcomes of the dice give
//! equal answers.
//!
//! A rule that holds dice never sees their faces, only the answers to its questions. Two outcomes with the same answers
//! continue alike, so an analysis needs one outcome of each such class, weighted with the whole class. Owns the record of
//! questions, and the number of outcomes in each class, added up die by die in integers. [`crate::analysis::odds`] decides
//! which questions matter when.

use crate::board::square::Square;
use crate::dice::Die;
use crate::rules::query::{self, Tally};
use crate::rules::value::Value;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of different partial sums of answers that are distinguished; beyond it classes are not computed.
pub const MOST_CLASSES: usize = 50_000;

/// The same for the answers of all classes together.
const MOST_ANSWERS: usize = 2_000_000;

/// The number of answers between calls of `stop`.
const STRIDE: usize = 1 << 14;

/// A question about the faces that a slot holds. Dice are identified by number, from 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Asked {
    /// A tally of all dice.
    Tally(Tally),
    /// A tally of some dice.
    Of(Arc<[u16]>, Tally),
    /// Which of some dice show the lowest face among them.
    LowestOf(Arc<[u16]>),
    /// The face of a certain die.
    Face(u8),
    /// All faces, in any order.
    Shown,
    /// The face of every die.
    Every,
}

/// The questions asked so far, each with the place where its dice were rolled.
pub(crate) type Log = Arc<Mutex<Vec<(u32, Asked)>>>;

/// Takes the questions asked so far.
pub(crate) fn taken(log: &Log) -> Vec<(u32, Asked)> {
    std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Held faces that record every question about them.
#[derive(Clone, Debug)]
pub struct Watched {
    value: Value,
    site: u32,
    log: Log,
}

/// Watching does not change the value.
impl PartialEq for Watched {
    fn eq(&self, other: &Watched) -> bool {
        self.value == other.value
    }
}

impl Watched {
    /// Faces rolled at the place with this number; questions are noted in `log`.
    pub(crate) fn new(value: Value, site: u32, log: Log) -> Watched {
        Watched { value, site, log }
    }

    /// The held value, for use without a question.
    pub(crate) fn value(&self) -> &Value {
        &self.value
    }

    /// The number of the place where the dice were rolled.
    pub(crate) fn site(&self) -> u32 {
        self.site
    }

    /// The held value, for a recorded question.
    pub(crate) fn ask(&self, asked: Asked) -> &Value {
        let note = (self.site, asked);
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if !log.contains(&note) {
            log.push(note);
        }
        &self.value
    }

    /// The answers of the held faces to some questions.
    pub(crate) fn answers<'a>(&self, asked: impl Iterator<Item = &'a Asked>) -> Vec<Part> {
        let faces: Vec<i16> = match &self.value {
            Value::Dice(faces) => faces.clone(),
            Value::Faces(faces) => faces.iter().map(|&(_, face)| face).collect(),
            _ => Vec::new(),
        };
        let answer = |asked: &Asked| {
            let mut part = Part::new(asked);
            faces.iter().enumerate().for_each(|(die, &face)| part.add(asked, die, face));
            part.finish(asked)
        };
        asked.map(answer).collect()
    }
}

/// The dice, by number, of the pieces on some of the squares.
pub(crate) fn dice_on(faces: &[(Square, i16)], stands: impl Fn(Square) -> bool) -> Arc<[u16]> {
    (0..).zip(faces).filter(|(_, (square, _))| stands(*square)).map(|(die, _)| die).collect()
}

/// The answer to a question over the dice processed so far; at the end, the answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part {
    /// A sum, a count, a face.
    Number(i64),
    /// The lowest or highest so far, if there is one.
    Bound(Option<i16>),
    /// Faces, sorted unless their order was asked for.
    Faces(Vec<i16>),
    /// The lowest face and the dice that show it.
    Lowest(Option<i16>, Vec<u16>),
}

impl Part {
    /// No dice processed.
    fn new(asked: &Asked) -> Part {
        match asked {
            Asked::Tally(tally) | Asked::Of(_, tally) => match tally {
                Tally::Total | Tally::Count | Tally::Showing(_) => Part::Number(0),
                Tally::Lowest | Tally::Highest => Part::Bound(None),
                Tally::Alike | Tally::Kinds | Tally::Row | Tally::Ranked(_) => Part::Faces(Vec::new()),
            },
            Asked::LowestOf(_) => Part::Lowest(None, Vec::new()),
            Asked::Face(_) => Part::Number(0),
            Asked::Shown | Asked::Every => Part::Faces(Vec::new()),
        }
    }

    /// Processes one more die, which shows `face`.
    fn add(&mut self, asked: &Asked, die: usize, face: i16) {
        match (asked, self) {
            (Asked::Of(dice, _) | Asked::LowestOf(dice), _) if !dice.iter().any(|&d| usize::from(d) == die) => {}
            (Asked::Tally(tally) | Asked::Of(_, tally), part) => part.count(*tally, face),
            (Asked::LowestOf(_), Part::Lowest(lowest, dice)) => {
                if lowest.is_none_or(|lowest| face < lowest) {
                    (*lowest, *dice) = (Some(face), Vec::new());
                }
                if *lowest == Some(face) {
                    dice.push(die as u16);
                }
            }
            (Asked::Face(wanted), Part::Number(number)) if usize::from(*wanted) == die => *number = face.into(),
            (Asked::Shown, Part::Faces(faces)) => insert(faces, face),
            (Asked::Every, Part::Faces(faces)) => faces.push(face),
            _ => {}
        }
    }

    fn count(&mut self, tally: Tally, face: i16) {
        match (self, tally) {
            (Part::Number(number), Tally::Total) => *number += i64::from(face),
            (Part::Number(number), Tally::Showing(wanted)) => *number += i64::from(wanted == face),
            (Part::Number(number), _) => *number += 1,
            (Part::Bound(bound), Tally::Lowest) => *bound = Some(bound.map_or(face, |lowest| lowest.min(face))),
            (Part::Bound(bound), _) => *bound = Some(bound.map_or(face, |highest| highest.max(face))),
            (Part::Faces(faces), _) => insert(faces, face),
            (Part::Lowest(..), _) => {}
        }
    }

    /// The final answer, after all dice: intermediate data is dropped.
    fn finish(self, asked: &Asked) -> Part {
        match (self, asked) {
            (Part::Faces(faces), Asked::Tally(tally) | Asked::Of(_, tally)) => {
                Part::Number(query::tally(faces.into_iter().map(i64::from), *tally))
            }
            (Part::Lowest(_, dice), _) => Part::Lowest(None, dice),
            (part, _) => part,
        }
    }
}

/// Inserts a face in order.
fn insert(faces: &mut Vec<i16>, face: i16) {
    let at = faces.partition_point(|&other| other < face);
    faces.insert(at, face);
}

/// Outcomes with equal answers: the number of the first, and the weight of all.
pub(crate) type Class = (u64, u64);

/// The classes of outcomes of `dice` that answer these questions alike, in the order of their first outcomes; `None` if
/// there are too many to distinguish, or `stop`, which is called repeatedly, returns true. The dice must be countable
/// together.
pub(crate) fn classes(dice: &[Die], asked: &[Asked], stop: &dyn Fn() -> bool) -> Option<Vec<Class>> {
    let most = MOST_CLASSES.min(MOST_ANSWERS / asked.len().max(1));
    let mut looked = 0;
    let start = asked.iter().map(Part::new).collect();
    let mut known: FxHashMap<Vec<Part>, Class> = FxHashMap::from_iter([(start, (0, 1))]);
    for (number, die) in dice.iter().enumerate() {
        let mut next: FxHashMap<Vec<Part>, Class> = FxHashMap::with_capacity_and_hasher(known.len(), FxBuildHasher);
        for (parts, (first, weight)) in known {
            for (place, (&face, &times)) in die.faces().iter().zip(die.weights()).enumerate() {
                let mut parts = parts.clone();
                parts.iter_mut().zip(asked).for_each(|(part, asked)| part.add(asked, number, face));
                // The first outcome of a class begins with the first prefix, since all have the same length.
                let here = (first * die.faces().len() as u64 + place as u64, weight * u64::from(times));
                add(&mut next, parts, here);
            }
            looked += die.faces().len() * (1 + asked.len());
            if next.len() > most || looked >= STRIDE && stop() {
                return None;
            }
            looked %= STRIDE;
        }
        known = next;
    }
    let mut found: FxHashMap<Vec<Part>, Class> = FxHashMap::with_capacity_and_hasher(known.len(), FxBuildHasher);
    for (parts, class) in known {
        add(&mut found, parts.into_iter().zip(asked).map(|(part, asked)| part.finish(asked)).collect(), class);
    }
    let mut found: Vec<Class> = found.into_values().collect();
    found.sort_unstable();
    Some(found)
}

fn add(classes: &mut FxHashMap<Vec<Part>, Class>, parts: Vec<Part>, (first, weight): Class) {
    let class = classes.entry(parts).or_insert((first, 0));
    *class = (class.0.min(first), class.1 + weight);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;

    fn dice_of(counts: &[(usize, u16)]) -> Dice {
        let dice = counts.iter().flat_map(|&(count, faces)| vec![Die::fair(faces); count]).collect();
        Dice { dice, text: String::new() }
    }

    /// Every question, compared with all outcomes one by one: the same classes, weights and first outcomes.
    #[test]
    fn classes_are_those_of_all_outcomes() {
        let some: Arc<[u16]> = Arc::new([0, 2]);
        let tallies = [
            Tally::Total,
            Tally::Lowest,
            Tally::Highest,
            Tally::Count,
            Tally::Showing(2),
            Tally::Alike,
            Tally::Kinds,
            Tally::Row,
            Tally::Ranked(2),
        ];
        let mut questions = vec![Asked::Face(1), Asked::Shown, Asked::Every, Asked::LowestOf(some.clone())];
        questions.extend(tallies.iter().flat_map(|&tally| [Asked::Tally(tally), Asked::Of(some.clone(), tally)]));
        let mut dice = dice_of(&[(3, 4), (1, 6)]);
        dice.dice.push(Die::weighted([(-1, 2), (3, 5)]));
        let mut sets: Vec<Vec<Asked>> = questions.iter().map(|asked| vec![asked.clone()]).collect();
        sets.extend(questions.windows(3).map(<[Asked]>::to_vec));
        sets.push(Vec::new());
        for asked in sets {
            let mut expected: FxHashMap<Vec<Part>, Class> = FxHashMap::default();
            for index in 0..dice.outcomes() {
                let held = Watched::new(Value::Dice(dice.outcome(index)), 0, Log::default());
                add(&mut expected, held.answers(asked.iter()), (index, dice.weight(index)));
            }
            let mut expected: Vec<Class> = expected.into_values().collect();
            expected.sort_unstable();
            assert_eq!(classes(&dice.dice, &asked, &|| false), Some(expected), "{asked:?}");
        }
    }

    #[test]
    fn sums_counts_and_patterns_of_many_dice_are_exact() {
        // The ways to roll each sum with eight dice, by another convolution.
        let mut ways = vec![1_u64];
        for _ in 0..8 {
            let longer = |sum: usize| (1..=6).filter(|face| *face <= sum).filter_map(|face| ways.get(sum - face)).sum();
            ways = (0..ways.len() + 6).map(longer).collect();
        }
        let mut weights: Vec<u64> = ways.into_iter().filter(|&ways| ways > 0).collect();
        weights.sort_unstable();
        let of = |count: usize, asked: Asked| {
            let mut weights: Vec<u64> = classes(&dice_of(&[(count, 6)]).dice, &[asked], &|| false)
                .expect("few")
                .into_iter()
                .map(|class| class.1)
                .collect();
            weights.sort_unstable();
            weights
        };
        assert_eq!(of(8, Asked::Tally(Tally::Total)), weights);
        // The number of sixes among sixteen dice: binomials times powers of five.
        let mut binomials: Vec<u64> = Vec::new();
        let mut choose = 1_u64;
        for sixes in 0..=16_u64 {
            binomials.push(choose * 5_u64.pow(16 - sixes as u32));
            choose = choose * (16 - sixes) / (sixes + 1);
        }
        binomials.sort_unstable();
        assert_eq!(of(16, Asked::Tally(Tally::Showing(6))), binomials);
        // The highest of ten: n^10 - (n - 1)^10.
        let highest: Vec<u64> = (1..=6_u64).map(|n| n.pow(10) - (n - 1).pow(10)).collect();
        assert_eq!(of(10, Asked::Tally(Tally::Highest)), highest);
        // Five dice alike: the known table of poker dice.
        assert_eq!(of(5, Asked::Tally(Tally::Alike)), [6, 150, 720, 1500, 5400]);
    }

    /// Before too many sorted faces of 32d1000 are found, seconds pass: `stop` is called meanwhile.
    #[test]
    fn classes_are_not_sought_any_longer_than_they_are_wanted() {
        let asked = std::cell::Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 3;
        assert_eq!(classes(&dice_of(&[(6, 1000)]).dice, &[Asked::Tally(Tally::Total)], &stop), None);
        assert_eq!(asked.get(), 4);
    }

    #[test]
    fn too_many_classes_are_refused() {
        assert_eq!(classes(&dice_of(&[(20, 20)]).dice, &[Asked::Every], &|| false), None);
    }
}
