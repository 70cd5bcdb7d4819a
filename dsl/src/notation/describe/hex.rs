//! Distances and directions on hexagons in words: straight on through an edge, diagonally through a corner.

use super::phrases::{alternatives, distance, enumeration, lame};
use astragal_core::Atom;
use astragal_core::board::{Cells, Offset};

/// The six straight directions in the order of [`Cells::neighbors`].
const STRAIGHT: [&str; 6] =
    ["forward", "forward to the right", "back to the right", "back", "back to the left", "forward to the left"];

/// The six diagonals, each between a straight direction and the next.
const DIAGONAL: [&str; 6] = [
    "diagonally forward to the right",
    "diagonally to the right",
    "diagonally back to the right",
    "diagonally back to the left",
    "diagonally to the left",
    "diagonally forward to the left",
];

/// An offset as `long` steps in one straight direction and `short` (at most as many) in a neighboring one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Leap {
    long: i16,
    short: i16,
    /// The straight direction of the long part.
    main: usize,
    /// The straight direction of the short part.
    aside: usize,
}

impl Leap {
    fn of((x, y): Offset) -> Leap {
        let (x, y) = (i16::from(x), i16::from(y));
        let six = Cells::Hex.neighbors();
        let step = |i: usize| (i16::from(six[i % 6].0), i16::from(six[i % 6].1));
        for i in 0..6 {
            let (u, v) = (step(i), step(i + 1));
            let turn = u.0 * v.1 - u.1 * v.0;
            let (a, b) = ((x * v.1 - y * v.0) / turn, (u.0 * y - u.1 * x) / turn);
            if a > 0 && b >= 0 {
                let next = (i + 1) % 6;
                return match a >= b {
                    true => Leap { long: a, short: b, main: i, aside: next },
                    false => Leap { long: b, short: a, main: next, aside: i },
                };
            }
        }
        Leap { long: 0, short: 0, main: 0, aside: 0 }
    }

    fn shape(self) -> (i16, i16) {
        (self.long, self.short)
    }

    /// The number of the heading among twelve, clockwise from straight ahead; `None` for leaps off all lines.
    fn heading(self) -> Option<usize> {
        match self.shape() {
            (_, 0) => Some(2 * self.main),
            // The last diagonal is between the first direction and the last.
            (a, b) if a == b => {
                Some(2 * if self.main.abs_diff(self.aside) == 5 { 5 } else { self.main.min(self.aside) } + 1)
            }
            _ => None,
        }
    }

    /// `2 forward, 1 forward to the right`.
    fn words(self) -> String {
        let part = |n: i16, i: usize| format!("{n} {}", STRAIGHT[i]);
        match self.short {
            0 => part(self.long, self.main),
            short => format!("{}, {}", part(self.long, self.main), part(short, self.aside)),
        }
    }
}

/// Distance and directions of an atom's steps.
pub(super) fn way(atom: &Atom, steps: &[Offset]) -> String {
    let leaps: Vec<Leap> = steps.iter().map(|&step| Leap::of(step)).collect();
    let headings: Option<Vec<usize>> = leaps.iter().map(|leap| leap.heading()).collect();
    let length = leaps.first().map_or(1, |leap| leap.long);
    let is_even = leaps.iter().all(|leap| leap.long == length);
    match headings {
        Some(headings) if is_even && length == 1 => {
            format!("{} {}", distance(atom.min, atom.max, "hexagon"), directions(headings))
        }
        Some(headings) if is_even && atom.max == 1 => {
            let jumping = if lame(atom) { "" } else { ", jumping" };
            format!("{length} hexagons {}{jumping}", directions(headings))
        }
        _ => leaping(atom, leaps),
    }
}

/// Leaps listed one by one, unless they are all leaps of a shape.
fn leaping(atom: &Atom, mut leaps: Vec<Leap>) -> String {
    leaps.sort_by_key(|leap| (leap.main != 0, leap.main, leap.aside));
    let shape = leaps[0].shape();
    let is_one_shape = leaps.iter().all(|leap| leap.shape() == shape);
    let name = if is_one_shape && shape == (2, 1) { "knight's leaps" } else { "leaps" };
    let mut text = match is_one_shape && name != "leaps" && leaps.len() == 12 {
        true => name.to_string(),
        false => format!("{name} to {}", enumeration(&leaps.iter().map(|leap| leap.words()).collect::<Vec<_>>())),
    };
    if atom.max != 1 {
        text.push_str(&format!(", {} in a row", distance(atom.min, atom.max, "leap")));
    }
    text
}

/// The headings in words, joined into the largest groups that have a name.
fn directions(mut left: Vec<usize>) -> String {
    let groups: [(&[usize], &str); 9] = [
        (&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "straight or diagonally in any direction"),
        (&[0, 2, 4, 6, 8, 10], "in any direction"),
        (&[1, 3, 5, 7, 9, 11], "diagonally"),
        (&[0, 6], "forward or back"),
        (&[2, 10], "forward to either side"),
        (&[4, 8], "back to either side"),
        (&[1, 11], "diagonally forward to either side"),
        (&[5, 7], "diagonally back to either side"),
        (&[3, 9], "diagonally to either side"),
    ];
    let mut words: Vec<String> = Vec::new();
    for (group, name) in groups {
        if group.iter().all(|heading| left.contains(heading)) {
            left.retain(|heading| !group.contains(heading));
            words.push(name.into());
        }
    }
    left.sort_unstable();
    words
        .extend(left.iter().map(|heading| if heading % 2 == 0 { STRAIGHT } else { DIAGONAL }[heading / 2].to_string()));
    alternatives(&words)
}
