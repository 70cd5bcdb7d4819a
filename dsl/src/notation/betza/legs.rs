//! Moves of several legs, joined by `a`: bent riders, draughts captures, lions, pieces that shoot.
//!
//! As in XBoard, each leg has its own directions and modes. Directions after the first leg are relative to the leg before,
//! in the eight-fold system of the king, and half-way ones turn straight steps into diagonal ones. A leg other than the
//! last ends on an empty square, unless it has `c` (it captures there) or `p` (it jumps over the piece there). `y` makes
//! the following legs slide, or stop sliding.

use super::{LONGEST, Leap, Modifiers, Reader, Shape, choose, hex, leaper, royal};
use crate::notation::NotationError;
use astragal_core::board::{Cells, Offset};
use astragal_core::{Atom, Collision, Route};
use std::ops::Range;

/// The maximum number of routes of one atom.
const MOST_ROUTES: usize = 4096;

/// An unfinished route.
#[derive(Clone, Default)]
struct Trail {
    steps: Vec<(Offset, Collision)>,
}

impl Trail {
    fn count(&self, meet: Collision) -> usize {
        self.steps.iter().filter(|(_, m)| *m == meet).count()
    }
}

impl Reader<'_> {
    /// The atom for several legs; `max` is the number of steps that the atom can make.
    pub(super) fn legs(
        &self,
        leap: &Leap,
        groups: &[Modifiers],
        max: u8,
        capital: Range<usize>,
    ) -> Result<Atom, NotationError> {
        let mut trails = vec![Trail::default()];
        let mut max = max;
        for (i, group) in groups.iter().enumerate() {
            let last = i + 1 == groups.len();
            self.check_modes(group, i == 0, last)?;
            let meets = if last { vec![Collision::Nothing] } else { meets(group) };
            let reach = if max == 0 { LONGEST as u8 } else { max };
            let mut next = Vec::new();
            for trail in &trails {
                let directions = match trail.steps.last() {
                    None => self.directions(leap, group)?,
                    Some(&(before, _)) => self.relative(leap, group, before)?,
                };
                for direction in directions {
                    extend(trail, direction, reach, &meets, &mut next);
                }
                if next.len() > MOST_ROUTES {
                    return Err(
                        self.error(capital, format!("at most {MOST_ROUTES} routes in a movement of several legs"))
                    );
                }
            }
            trails = next;
            if group.has('y') {
                max = if max == 1 { 0 } else { 1 };
            }
        }
        if trails.iter().any(|t| t.count(Collision::Victim) > 1 || t.count(Collision::Hurdle) > 1) {
            let error = self.error(capital, "at most one capture and one jump before the last leg");
            return Err(error.help("in the rule, move the same piece again with `play(from(mv.to))`"));
        }
        let last = &groups[groups.len() - 1];
        let plain = !last.has('m') && !last.has('c') && !last.has('d');
        Ok(Atom {
            routes: trails.into_iter().map(|t| Route { steps: t.steps }).collect(),
            quiet: plain || last.has('m'),
            capture: plain || last.has('c'),
            friendly: last.has('d'),
            initial: groups[0].has('i'),
            round: groups.iter().any(|g| g.has('o')),
            ..Atom::default()
        })
    }

    fn check_modes(&self, group: &Modifiers, first: bool, last: bool) -> Result<(), NotationError> {
        for (mode, span) in &group.modes {
            let fits = match mode {
                'm' | 'c' => true,
                'p' | 'y' => !last,
                'd' => last,
                'i' | 'o' => first,
                _ => false,
            };
            if !fits {
                let error = self.error(span.clone(), "m or c in any leg, p or y before an 'a', or d in the last leg");
                return Err(error.help("write i and o in the first leg"));
            }
        }
        Ok(())
    }

    /// The directions of a leg after a step `before`.
    fn relative(&self, leap: &Leap, group: &Modifiers, before: Offset) -> Result<Vec<Offset>, NotationError> {
        let ring = self.ring(before);
        let eight = royal(1).steps;
        let units: &[Offset] = if leap.shape == Shape::Hex { Cells::Hex.neighbors() } else { &eight };
        let letters = &group.directions;
        let mut chosen = vec![false; ring.len()];
        if letters.is_empty() {
            let own = matches!(leap.shape, Shape::Straight | Shape::Diagonal);
            chosen = (0..ring.len()).map(|i| !own || i % 2 == 0).collect();
        }
        let mut at = 0;
        while let Some((letter, span)) = letters.get(at) {
            let next = letters.get(at + 1).map(|(c, _)| *c);
            let picked = match leap.shape {
                Shape::Hex => hex::pick(units, *letter, next),
                _ => choose(Shape::Royal, *letter, next)
                    .map(|(pick, used)| (units.iter().enumerate().map(|(i, &s)| pick.matches(i, s)).collect(), used)),
            };
            let (picked, used): (Vec<bool>, usize) = picked.ok_or_else(|| {
                self.error(span.clone(), "a direction relative to the previous leg, such as f, fr or r")
            })?;
            // The mirror image of an oblique leap would turn the other way.
            if leap.shape == Shape::Oblique && (1..8).any(|i| picked[i] != picked[8 - i]) {
                let error = self
                    .error(span.clone(), "directions that are symmetric, such as 's' or 'fs', after an oblique leap");
                return Err(error.help("for other routes, use `moves()` with steps such as W and F"));
            }
            chosen.iter_mut().zip(picked).for_each(|(all, new)| *all |= new);
            at += used;
        }
        Ok(ring.into_iter().zip(chosen).filter(|(_, c)| *c).map(|(s, _)| s).collect())
    }

    /// The steps of the same length as `step`, clockwise from it.
    fn ring(&self, step: Offset) -> Vec<Offset> {
        let (x, y) = (step.0.abs(), step.1.abs());
        if self.cells == Cells::Hex {
            return (0..6).map(|by| Cells::Hex.turn(step, by)).collect();
        }
        let mut ring = if x == 0 || y == 0 || x == y {
            let size = x.max(y);
            royal(1).steps.into_iter().map(|(dx, dy)| (dx * size, dy * size)).collect()
        } else {
            leaper((x.min(y), x.max(y)), 1).steps
        };
        let start = ring.iter().position(|s| *s == step).unwrap_or(0);
        ring.rotate_left(start);
        ring
    }
}

/// The possible contents of the square where a leg other than the last ends.
fn meets(group: &Modifiers) -> Vec<Collision> {
    let named = [('m', Collision::Nothing), ('c', Collision::Victim), ('p', Collision::Hurdle)];
    let chosen: Vec<Collision> = named.into_iter().filter(|(letter, _)| group.has(*letter)).map(|(_, m)| m).collect();
    if chosen.is_empty() { vec![Collision::Nothing] } else { chosen }
}

/// Adds the trail with a leg of 1 to `reach` steps in a direction.
fn extend(trail: &Trail, direction: Offset, reach: u8, meets: &[Collision], out: &mut Vec<Trail>) {
    let mut long = trail.clone();
    for _ in 0..reach {
        for &meet in meets {
            let mut done = long.clone();
            done.steps.push((direction, meet));
            out.push(done);
        }
        long.steps.push((direction, Collision::Nothing));
        if out.len() > MOST_ROUTES {
            return;
        }
    }
}
