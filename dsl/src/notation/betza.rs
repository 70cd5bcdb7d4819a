//! Movement in Betza notation, as XBoard reads it: `mfWcefFimfnD` is the orthodox pawn.
//!
//! Each capital (or custom leap `(x,y)`) becomes one [`Atom`]. The small letters before it give directions and modes, and
//! the number after it how often. Small letters may be in any order; those of several legs stay between their `a`. Movement
//! that an atom cannot express is rejected, never approximated.

mod alphabet;
mod hex;
mod leap;
mod legs;
mod letters;

pub use alphabet::letters;
pub use letters::{Letter, Role};

use super::{NotationError, quoted, tokens};
use astragal_core::board::{Cells, Offset, turn_offset};
use astragal_core::{Atom, Travel};
use leap::{Leap, Shape};
use letters::{DIRECTIONS, JOINT, MODES, is_in, spaced};
use logos::Logos;
use std::ops::Range;

const NAME: &str = "movement";
/// No board is longer, so more steps are rejected; write 0 for no limit.
const LONGEST: u32 = 15;
/// The maximum number of atoms of one piece.
const MOST: usize = 64;

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t]+")]
enum Token {
    #[regex("[a-z]")]
    Small,
    #[regex("[A-Z]")]
    Capital,
    #[regex(r"\([0-9]+[ ]*,[ ]*[0-9]+\)")]
    Leap,
    #[regex("[0-9]+")]
    Number,
}

/// The small letters before a capital.
#[derive(Default)]
struct Modifiers {
    directions: Vec<(char, Range<usize>)>,
    modes: Vec<(char, Range<usize>)>,
}

impl Modifiers {
    fn has(&self, mode: char) -> bool {
        self.place(mode).is_some()
    }

    fn place(&self, mode: char) -> Option<Range<usize>> {
        self.modes.iter().find(|(m, _)| *m == mode).map(|(_, span)| span.clone())
    }
}

/// Reads movement.
///
/// ```
/// use astragal_dsl::notation::betza;
/// let horse = betza::parse("nN").unwrap();
/// assert_eq!((horse[0].steps[0], &horse[0].legs[0][..]), ((1, 2), &[(0, 1)][..]));
/// ```
///
/// # Errors
/// A [`NotationError`] for letters that are unknown, or known but not supported.
pub fn parse(text: &str) -> Result<Vec<Atom>, NotationError> {
    parse_on(Cells::Square, text)
}

/// Parses movement on a board with the given cells.
///
/// ```
/// use astragal_core::board::Cells;
/// use astragal_dsl::notation::betza;
/// let pawn = betza::parse_on(Cells::Hex, "mfWcflfrW").unwrap();
/// assert_eq!(pawn[1].steps, [(1, 1), (-1, 0)]);
/// ```
///
/// # Errors
/// As [`parse`].
pub fn parse_on(cells: Cells, text: &str) -> Result<Vec<Atom>, NotationError> {
    let read = tokens::<Token>(NAME, text, "a letter of Betza notation, a number or a leap such as '(1,2)'");
    let tokens = read.map_err(|error| {
        let joined: String = text.chars().filter(|c| !matches!(c, '+' | ',' | '|' | '&' | '/' | ' ' | ';')).collect();
        let between = matches!(text.get(error.span.clone()), Some("+" | "," | "|" | "&" | "/" | " " | ";"));
        if between {
            error.help(format!("write the movements one after another, without separators: {joined}"))
        } else {
            error
        }
    })?;
    let mut reader = Reader { text, tokens, at: 0, cells };
    let mut atoms = Vec::new();
    while let Some((_, span)) = reader.next() {
        if atoms.len() == MOST {
            return Err(reader.error(span, format!("at most {MOST} movements")));
        }
        atoms.push(reader.atom()?);
    }
    if atoms.is_empty() {
        let error = NotationError::new(NAME, text, 0..text.len(), "a movement, such as 'R' or 'mfW'").found("none");
        return Err(error.help("for a piece that never moves, omit the movement"));
    }
    Ok(atoms)
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    cells: Cells,
}

impl Reader<'_> {
    fn next(&self) -> Option<(Token, Range<usize>)> {
        self.tokens.get(self.at).cloned()
    }

    fn slice(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    fn error(&self, span: Range<usize>, expected: impl Into<String>) -> NotationError {
        NotationError::new(NAME, self.text, span, expected)
    }

    fn atom(&mut self) -> Result<Atom, NotationError> {
        let mut groups = vec![self.modifiers()?];
        while self.again() {
            groups.push(self.modifiers()?);
        }
        let Some((token, span)) = self.next() else {
            let end = self.text.len();
            let error = self.error(end..end, "a capital letter for the type of step");
            let capital = self.text.to_uppercase();
            return Err(match parse_on(self.cells, &capital) {
                Ok(_) => error.help(format!("write the type of step as a capital letter: '{capital}'")),
                Err(_) => error.help("add a capital letter, such as the W in 'mfW'"),
            });
        };
        self.at += 1;
        let leap = match token {
            Token::Leap => self.custom(span.clone())?,
            Token::Capital => self.capital(span.clone())?,
            Token::Number | Token::Small => {
                let rest = self.text.get(span.end..).unwrap_or_default();
                let capital = rest.chars().next().filter(char::is_ascii_uppercase).unwrap_or('W');
                let number = self.text.get(span.clone()).and_then(|text| text.parse::<u8>().ok()).unwrap_or(3);
                let error = self.error(span, "a capital letter for the type of step");
                return Err(error.help(format!("write the number after its capital letter, as in '{capital}{number}'")));
            }
        };
        let max = self.reach(&leap, &span)?;
        let [modifiers] = &groups[..] else { return self.legs(&leap, &groups, max, span) };
        if let Some(place) = modifiers.place('y') {
            return Err(self.error(place, "'y' before an 'a'").help("'y' makes the next leg slide, as in 'yafsF'"));
        }
        let steps = self.directions(&leap, modifiers)?;
        self.build(&leap, steps, max, modifiers, span)
    }

    /// Whether another leg follows.
    fn again(&mut self) -> bool {
        let again = self.next().is_some_and(|(token, span)| token == Token::Small && self.slice(&span) == "a");
        self.at += usize::from(again);
        again
    }

    fn modifiers(&mut self) -> Result<Modifiers, NotationError> {
        let mut modifiers = Modifiers::default();
        while let Some((Token::Small, span)) = self.next() {
            let letter = self.slice(&span).chars().next().unwrap_or(' ');
            match letter {
                letter if letter == JOINT.0 => break,
                letter if is_in(&DIRECTIONS, letter) => modifiers.directions.push((letter, span)),
                letter if is_in(&MODES, letter) => {
                    if modifiers.has(letter) {
                        let found = format!("a second '{letter}'");
                        return Err(self.error(span, "each modifier at most once").found(found));
                    }
                    modifiers.modes.push((letter, span));
                }
                _ => return Err(self.refuse(letter, span)),
            }
            self.at += 1;
        }
        Ok(modifiers)
    }

    fn refuse(&self, letter: char, span: Range<usize>) -> NotationError {
        let help = match letter {
            't' => "join the legs with 'a', as in 'yafsF' for a step followed by a slide".into(),
            'u' | 'k' => "in the rule, handle the pieces between `mv.from` and `mv.to`".into(),
            'x' => "add such moves in the rule with `way(squares, targets)`".into(),
            _ => format!("directions: {}; modes: {}; 'a' joins legs", spaced(&DIRECTIONS), spaced(&MODES)),
        };
        self.error(span, "a direction or a mode").help(help)
    }

    fn capital(&self, span: Range<usize>) -> Result<Leap, NotationError> {
        let letter = self.slice(&span).to_owned();
        if self.cells == Cells::Hex {
            return hex::capital(&letter).ok_or_else(|| {
                let error = self.error(span, "one of the capital letters W F D A H G N K Q R B");
                error.help("on hexagons, write other leaps with two numbers, as in '(1,4)'")
            });
        }
        let (leap, reach) = match letter.as_str() {
            "W" => ((0, 1), 1),
            "F" => ((1, 1), 1),
            "D" => ((0, 2), 1),
            "N" => ((1, 2), 1),
            "A" => ((2, 2), 1),
            "H" => ((0, 3), 1),
            "C" => ((1, 3), 1),
            "Z" => ((2, 3), 1),
            "G" => ((3, 3), 1),
            "R" => ((0, 1), 0),
            "B" => ((1, 1), 0),
            "K" => return Ok(royal(1)),
            "Q" => return Ok(royal(0)),
            other => {
                let error = self.error(span, "one of the capital letters W F D N A H C Z G K Q R B");
                return Err(match other {
                    "O" => error.help("declare castling with `castling()`, not in the movement"),
                    "L" | "J" => error.help("write C for a (1,3) leap, or Z for a (2,3) leap"),
                    "S" => error.help("write N for a knight's leap"),
                    "T" => error.help("write R for a rook's movement"),
                    "P" => error.help("write fmWfcF for a pawn's movement"),
                    _ => error.help("write other leaps with two numbers, as in '(1,4)'"),
                });
            }
        };
        Ok(leaper(leap, reach))
    }

    fn custom(&self, span: Range<usize>) -> Result<Leap, NotationError> {
        let parts: Vec<Option<i8>> =
            self.slice(&span).trim_matches(['(', ')']).split(',').map(|n| n.trim().parse().ok()).collect();
        match parts[..] {
            [Some(x), Some(y)] if (x, y) != (0, 0) && i32::from(x.max(y)) <= LONGEST as i32 => match self.cells {
                Cells::Square => Ok(leaper((x.min(y), x.max(y)), 1)),
                Cells::Hex => Ok(hex::leaper((x, y), 1)),
            },
            _ => Err(self.error(span, format!("a leap of 1 to {LONGEST} squares"))),
        }
    }

    /// The maximum number of steps: a number, the capital again (no limit), or the capital's default.
    fn reach(&mut self, leap: &Leap, capital: &Range<usize>) -> Result<u8, NotationError> {
        match self.next() {
            Some((Token::Number, span)) => {
                self.at += 1;
                let digits = self.slice(&span);
                let steps =
                    digits.parse::<u32>().ok().filter(|n| *n <= LONGEST && (digits == "0" || !digits.starts_with('0')));
                let steps = steps.ok_or_else(|| {
                    self.error(span.clone(), format!("a number of steps from 1 to {LONGEST}"))
                        .help("write 0 for no limit")
                })?;
                Ok(steps as u8)
            }
            // Older than the numbers and still common: WW is the rook, NN the nightrider.
            Some((Token::Capital, span)) if self.slice(&span) == self.slice(capital) && span.start == capital.end => {
                self.at += 1;
                Ok(0)
            }
            _ => Ok(leap.reach),
        }
    }

    fn directions(&self, leap: &Leap, modifiers: &Modifiers) -> Result<Vec<Offset>, NotationError> {
        let letters = &modifiers.directions;
        if letters.is_empty() {
            return Ok(leap.steps.clone());
        }
        let mut chosen = vec![false; leap.steps.len()];
        let mut at = 0;
        while let Some((letter, span)) = letters.get(at) {
            let next = letters.get(at + 1).map(|(c, _)| *c);
            if leap.shape == Shape::Hex {
                let picked = hex::pick(&leap.steps, *letter, next);
                let (picked, used) =
                    picked.ok_or_else(|| self.error(span.clone(), "one of the directions f b l r v s"))?;
                chosen.iter_mut().zip(picked).for_each(|(all, new)| *all |= new);
                at += used;
                continue;
            }
            let (pick, used) = choose(leap.shape, *letter, next).ok_or_else(|| {
                let place = span.start..letters.get(at + 1).map_or(span.end, |(_, s)| s.end);
                let error = self.error(place, "a direction that fits this step");
                error.help("use 'h' with steps such as N and K, as in 'fh', 'lh', 'hr'")
            })?;
            for (i, step) in leap.steps.iter().enumerate() {
                chosen[i] |= pick.matches(i, *step);
            }
            at += used;
        }
        Ok(leap.steps.iter().zip(chosen).filter(|(_, c)| *c).map(|(s, _)| *s).collect())
    }

    fn build(
        &self,
        leap: &Leap,
        steps: Vec<Offset>,
        max: u8,
        modifiers: &Modifiers,
        capital: Range<usize>,
    ) -> Result<Atom, NotationError> {
        let has = |mode| modifiers.has(mode);
        // Without any of them a move may go to an empty square and may capture.
        let plain = !has('m') && !has('c') && !has('d') && !has('e');
        let mut atom = Atom {
            legs: vec![Vec::new(); steps.len()],
            steps,
            max,
            quiet: plain || has('m'),
            capture: plain || has('c'),
            friendly: has('d'),
            en_passant: has('e'),
            initial: has('i'),
            round: has('o'),
            ..Atom::default()
        };
        if let Some(place) = modifiers.place('n') {
            if leap.shape == Shape::Hex && atom.steps.iter().any(|&step| skew(step)) {
                return Err(self.error(place, "'n' (on hexagons) only with steps along a line of neighbors"));
            }
            Self::make_lame(&mut atom, leap);
        }
        if let Some(place) = modifiers.place('z').or(modifiers.place('q')) {
            self.bend(&mut atom, leap, modifiers, place)?;
        }
        self.set_travel(&mut atom, leap, modifiers, capital)?;
        Ok(atom)
    }

    /// Makes a rider turn after each step: alternately left and right (`z`), or always the same way (`q`). Each
    /// direction becomes two, a left and a right one.
    fn bend(
        &self,
        atom: &mut Atom,
        leap: &Leap,
        modifiers: &Modifiers,
        place: Range<usize>,
    ) -> Result<(), NotationError> {
        let crooked = modifiers.has('z');
        let fits = match leap.shape {
            Shape::Straight | Shape::Diagonal => crooked,
            Shape::Oblique => !crooked,
            Shape::Royal | Shape::Hex => false,
        };
        if !fits || modifiers.has('n') || crooked && modifiers.has('q') || atom.max == 1 {
            let error = self.error(
                place,
                "'z' with straight or diagonal riders, as in 'zB', or 'q' with knight-like riders, as in 'qN0'",
            );
            return Err(error.help("write other turns as legs joined by 'a', as in 'yafsF'"));
        }
        let steps = std::mem::take(&mut atom.steps);
        let size = leap.steps.len();
        for step in steps {
            for way in [1, size - 1] {
                let at = leap.steps.iter().position(|s| *s == step).unwrap_or(0);
                atom.bends.push(match crooked {
                    true => vec![turn_offset(step, if way == 1 { 1 } else { 3 }), step],
                    false => (1..=size).map(|n| leap.steps[(at + n * way) % size]).collect(),
                });
                atom.steps.push(step);
            }
        }
        atom.legs = vec![Vec::new(); atom.steps.len()];
        Ok(())
    }

    fn make_lame(atom: &mut Atom, leap: &Leap) {
        let unit = atom.steps.iter().all(|(x, y)| x.abs() <= 1 && y.abs() <= 1);
        if !unit {
            atom.legs = atom.steps.iter().map(|step| path(*step)).collect();
        }
        let far = !unit || atom.max != 1;
        atom.double = far && atom.initial && atom.quiet && leap.shape != Shape::Oblique;
    }

    fn set_travel(
        &self,
        atom: &mut Atom,
        leap: &Leap,
        modifiers: &Modifiers,
        capital: Range<usize>,
    ) -> Result<(), NotationError> {
        let hops: Vec<&(char, Range<usize>)> = modifiers.modes.iter().filter(|(m, _)| "jpg".contains(*m)).collect();
        let [(mode, span)] = hops[..] else {
            return match hops.get(1) {
                Some((_, span)) => Err(self.error(span.clone(), "only one of j, p and g")),
                None => Ok(()),
            };
        };
        if *mode == 'j' {
            return self.must_jump(atom, leap, span.clone());
        }
        if modifiers.has('n') {
            return Err(self.error(span.clone(), format!("'{mode}' without 'n'")).found("both"));
        }
        if atom.max == 1 {
            let found = format!("{} with a single step", quoted(self.slice(&capital)));
            let error = self.error(capital, format!("a movement of more than one step after '{mode}'")).found(found);
            return Err(error.help("write a longer movement, as in 'pR', 'gQ' or 'pW3'"));
        }
        atom.travel = if *mode == 'p' { Travel::Hop } else { Travel::Land };
        Ok(())
    }

    /// `j` requires the leap to jump over something: a hop of exactly two half steps.
    fn must_jump(&self, atom: &mut Atom, leap: &Leap, span: Range<usize>) -> Result<(), NotationError> {
        let two = atom.steps.iter().all(|(x, y)| x.abs().max(y.abs()) == 2);
        if leap.shape == Shape::Oblique || !two || atom.max != 1 || atom.legs.iter().any(|leg| !leg.is_empty()) {
            let error = self.error(span, "'j' only before D or A").found("'j' elsewhere");
            return Err(error.help("remove 'j': leaps jump over pieces anyway"));
        }
        for step in &mut atom.steps {
            *step = (step.0 / 2, step.1 / 2);
        }
        (atom.min, atom.max, atom.travel) = (2, 2, Travel::Hop);
        Ok(())
    }
}

fn royal(reach: u8) -> Leap {
    let steps = vec![(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    Leap { steps, shape: Shape::Royal, reach }
}

/// Whether a step on hexagons leaves the lines of neighbors.
fn skew((x, y): Offset) -> bool {
    x != 0 && y != 0 && x != y
}

/// The turns and mirror images of a leap with `0 <= a <= b`, clockwise from forward.
fn leaper((a, b): Offset, reach: u8) -> Leap {
    let shape = match (a, b) {
        (0, _) => Shape::Straight,
        (a, b) if a == b => Shape::Diagonal,
        _ => Shape::Oblique,
    };
    let mut steps = Vec::with_capacity(8);
    for step in [(a, b), (b, a), (b, -a), (a, -b), (-a, -b), (-b, -a), (-b, a), (-a, b)] {
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    Leap { steps, shape, reach }
}

/// The squares between: straight on, or for an oblique leap orthogonally first and then outward. Blockable horses and
/// elephants move that way.
fn path((x, y): Offset) -> Vec<Offset> {
    let (sx, sy) = (x.signum(), y.signum());
    let straight = x.abs().abs_diff(y.abs()) as i8;
    let (mut at, mut squares) = ((0, 0), Vec::new());
    for i in 0..x.abs().max(y.abs()) - 1 {
        let (dx, dy) = match i < straight {
            true if x.abs() > y.abs() => (sx, 0),
            true => (0, sy),
            false => (sx, sy),
        };
        at = (at.0 + dx, at.1 + dy);
        squares.push(at);
    }
    squares
}

/// The directions that one or two letters name.
#[derive(Clone, Copy)]
enum Pick {
    /// The half of the board on that side.
    Half(char),
    /// Directions mainly in that direction.
    Main(char),
    /// Directions in the half of the first letter, mainly in the direction of the second.
    MainWithin(char, char),
    /// Both halves.
    Corner(char, char),
    /// One direction of rotation.
    Chiral(bool),
}

impl Pick {
    fn matches(self, index: usize, step: Offset) -> bool {
        match self {
            Pick::Half(a) => half(a, step),
            Pick::Main(a) => main(a, step),
            Pick::MainWithin(a, b) => half(a, step) && main(b, step),
            Pick::Corner(a, b) => half(a, step) && half(b, step),
            // An oblique leap's steps are listed clockwise from forward: every second one turns right.
            Pick::Chiral(right) => index.is_multiple_of(2) == right,
        }
    }
}

fn half(letter: char, (x, y): Offset) -> bool {
    match letter {
        'f' => y > 0,
        'b' => y < 0,
        'r' => x > 0,
        'l' => x < 0,
        'v' => y != 0,
        _ => x != 0,
    }
}

fn main(letter: char, step: Offset) -> bool {
    let upright = step.1.abs() > step.0.abs();
    let across = step.0.abs() > step.1.abs();
    half(letter, step) && if matches!(letter, 'f' | 'b' | 'v') { upright } else { across }
}

/// The directions that `letter` selects, perhaps with the `next` one, and the number of letters used; `None` if
/// the shape has no such direction.
fn choose(shape: Shape, letter: char, next: Option<char>) -> Option<(Pick, usize)> {
    let upright = |c| matches!(c, 'f' | 'b' | 'v');
    let across = |c| matches!(c, 'l' | 'r' | 's');
    let perpendicular = next.filter(|n| (upright(letter) && across(*n)) || (across(letter) && upright(*n)));
    match shape {
        Shape::Hex => None,
        Shape::Straight | Shape::Diagonal if letter == 'h' || next == Some('h') => None,
        Shape::Straight => Some((Pick::Half(letter), 1)),
        Shape::Diagonal => Some(perpendicular.map_or((Pick::Half(letter), 1), |n| (Pick::Corner(letter, n), 2))),
        Shape::Oblique if letter == 'h' => match next {
            Some('r') => Some((Pick::Chiral(true), 2)),
            Some('l') => Some((Pick::Chiral(false), 2)),
            _ => None,
        },
        Shape::Royal if letter == 'h' => None,
        _ if next == Some('h') => Some((Pick::Half(letter), 2)),
        _ if next == Some(letter) => Some((Pick::Main(letter), 2)),
        _ => match perpendicular.filter(|_| !matches!(letter, 'v' | 's')) {
            Some(n) if shape == Shape::Oblique => Some((Pick::MainWithin(letter, n), 2)),
            Some(n) => Some((Pick::Corner(letter, n), 2)),
            None => Some((Pick::Main(letter), 1)),
        },
    }
}

#[cfg(test)]
#[path = "betza_tests.rs"]
mod tests;
