//! Betza notation on hexagons: the same capitals, with the nearest meaning.
//!
//! `W` steps to the six neighbors, `F` along the six lines between them. `D H` and `A G` are two and three such steps at
//! once, and `N` the twelve leaps to the nearest cells on neither. `R B K Q` work as usual. A direction letter picks the
//! steps that go most in that direction; two letters (`fr`) pick all steps in that quarter.

use super::leap::{Leap, Shape};
use astragal_core::board::{Cells, Offset};

/// The meaning of a capital, if it has one on hexagons.
pub(super) fn capital(letter: &str) -> Option<Leap> {
    let (leap, reach) = match letter {
        "W" => ((0, 1), 1),
        "F" => ((1, 2), 1),
        "D" => ((0, 2), 1),
        "N" => ((1, 3), 1),
        "A" => ((2, 4), 1),
        "H" => ((0, 3), 1),
        "G" => ((3, 6), 1),
        "R" => ((0, 1), 0),
        "B" => ((1, 2), 0),
        "K" => return Some(royal(1)),
        "Q" => return Some(royal(0)),
        _ => return None,
    };
    Some(leaper(leap, reach))
}

fn royal(reach: u8) -> Leap {
    let mut steps = leaper((0, 1), 1).steps;
    steps.extend(leaper((1, 2), 1).steps);
    Leap { steps, shape: Shape::Hex, reach }
}

/// The turns and mirror images of a leap.
pub(super) fn leaper(leap: Offset, reach: u8) -> Leap {
    let mut steps = Vec::with_capacity(12);
    for by in 0..6 {
        let (x, y) = Cells::Hex.turn(leap, by);
        for step in [(x, y), (-x, y - x)] {
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    Leap { steps, shape: Shape::Hex, reach }
}

/// The `steps` that a letter picks, perhaps with the `next` one, and the number of letters used.
pub(super) fn pick(steps: &[Offset], letter: char, next: Option<char>) -> Option<(Vec<bool>, usize)> {
    let upright = |c| matches!(c, 'f' | 'b' | 'v');
    let across = |c| matches!(c, 'l' | 'r' | 's');
    if !upright(letter) && !across(letter) || next == Some('h') {
        return None;
    }
    let pair = next.filter(|&n| upright(letter) && across(n) || across(letter) && upright(n));
    if let Some(next) = pair {
        return Some((steps.iter().map(|&s| toward(letter, s) > 0 && toward(next, s) > 0).collect(), 2));
    }
    let single = |letter: char| -> Vec<bool> {
        let best = steps
            .iter()
            .filter(|&&s| toward(letter, s) > 0)
            .copied()
            .reduce(|a, b| if closer(letter, b, a) { b } else { a });
        let best = |s: Offset| best.is_some_and(|best| toward(letter, s) > 0 && !closer(letter, best, s));
        steps.iter().map(|&s| best(s)).collect()
    };
    let both = |a: Vec<bool>, b: Vec<bool>| a.into_iter().zip(b).map(|(a, b)| a || b).collect();
    let chosen = match letter {
        'v' => both(single('f'), single('b')),
        's' => both(single('l'), single('r')),
        letter => single(letter),
    };
    let doubled = next == Some(letter);
    Some((chosen, if doubled { 2 } else { 1 }))
}

/// The length of a step in a direction. Sideways, the unit is a file; ahead, half the height of a cell.
fn toward(letter: char, (x, y): Offset) -> i32 {
    let (right, up) = (i32::from(x), 2 * i32::from(y) - i32::from(x));
    match letter {
        'f' => up,
        'b' => -up,
        'r' => right,
        'l' => -right,
        'v' => up.abs(),
        _ => right.abs(),
    }
}

/// Whether the first step is closer to a direction than the second. Both must point in that direction.
fn closer(letter: char, a: Offset, b: Offset) -> bool {
    let scale = if matches!(letter, 'l' | 'r') { 3 } else { 1 };
    let square = |s: Offset| {
        let (right, up) = (i32::from(s.0), 2 * i32::from(s.1) - i32::from(s.0));
        3 * right * right + up * up
    };
    let along = |s: Offset| scale * toward(letter, s) * toward(letter, s);
    along(a) * square(b) > along(b) * square(a)
}
