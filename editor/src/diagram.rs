//! Draws movement as a small text board: the piece in the middle, and a symbol on each square that it reaches.
//!
//! Forward is up. Atoms are drawn as on an infinite board, without moves that rules add. Drawings are plain ASCII, so
//! columns align in every monospaced font. Invariant: every symbol except the dot is explained below the board.

use astragal_core::board::{Cells, Offset};
use astragal_core::{Atom, Collision, Kind, KindMask, Route, Travel, Variant};
use std::collections::BTreeMap;

/// The smallest and the largest distance from the middle to the edge.
const RADIUS: std::ops::RangeInclusive<i16> = 2..=4;
/// The distance at which slides without a limit are cut off.
const SLIDE: i16 = 3;
/// The maximum number of steps that are followed; no board has room for more.
const MOST_STEPS: usize = 16;
/// Symbols for ways of moving that are neither plain moves nor plain captures.
const SYMBOLS: [char; 12] = ['+', '#', '%', '&', '~', '=', '$', '?', '1', '2', '3', '4'];

/// The condition of a move that captures before it ends.
const ON_THE_WAY: &str = "capturing a piece on the way";

/// A square as files to the right and ranks ahead of the piece.
type Place = (i16, i16);

/// The moves and captures that a piece can make on a square, under the same condition.
#[derive(Clone, Default, PartialEq, Eq)]
struct Deed {
    /// The condition in words; empty if there is none.
    condition: String,
    /// The names of the only pieces that it can capture; empty for all.
    victims: String,
    moves: bool,
    captures: bool,
    captures_own: bool,
}

/// The role of a square that the piece passes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Passing {
    Empty,
    Jumped,
    Captured,
}

/// The drawing in progress.
struct Diagram<'a> {
    cells: Cells,
    variant: Option<&'a Variant>,
    reached: BTreeMap<Place, Vec<Deed>>,
    passed: BTreeMap<Place, Vec<Passing>>,
    /// Lines that continue: the first square outside the drawing, and the direction.
    lines: Vec<(Place, Offset)>,
    radius: i16,
    /// Whether the piece reaches squares outside the drawing that no line shows.
    further: bool,
}

/// Draws movement for a piece with this letter. If it can capture only some kinds of pieces, their names come from the
/// variant. Empty if there is no movement.
pub(crate) fn movement(cells: Cells, letter: &str, atoms: &[Atom], variant: Option<&Variant>) -> String {
    if atoms.is_empty() { String::new() } else { drawn(cells, atoms, variant).draw(letter) }
}

fn drawn<'a>(cells: Cells, atoms: &[Atom], variant: Option<&'a Variant>) -> Diagram<'a> {
    let mut diagram = Diagram {
        cells,
        variant,
        reached: BTreeMap::new(),
        passed: BTreeMap::new(),
        lines: Vec::new(),
        radius: radius(cells, atoms),
        further: false,
    };
    atoms.iter().for_each(|atom| diagram.add(atom));
    diagram
}

/// The distance from the middle to the edge.
fn radius(cells: Cells, atoms: &[Atom]) -> i16 {
    let mut needed = *RADIUS.start();
    for atom in atoms {
        let slides = atom.max == 0 || atom.routes.iter().any(|route| route.steps.len() > 2);
        if slides {
            needed = needed.max(SLIDE);
        }
        let most = if atom.max == 0 { 1 } else { usize::from(atom.max) };
        let rides = (0..atom.steps.len()).filter_map(|way| ride(atom, way).take(most).last());
        let short = atom.routes.iter().filter(|route| route.steps.len() <= 2).map(end);
        needed = rides.chain(short).map(|place| distance(cells, place)).fold(needed, i16::max);
    }
    needed.min(*RADIUS.end())
}

/// The distance from the middle, in steps from neighbor to neighbor.
fn distance(cells: Cells, (x, y): Place) -> i16 {
    let straight = x.abs().max(y.abs());
    if cells == Cells::Hex { straight.max((x - y).abs()) } else { straight }
}

fn plus((x, y): Place, step: Offset) -> Place {
    (x + i16::from(step.0), y + i16::from(step.1))
}

/// The squares after each step in a direction.
fn ride(atom: &Atom, way: usize) -> impl Iterator<Item = Place> + '_ {
    let first = atom.steps.get(way).copied();
    let bends = atom.bends.get(way).filter(|bends| !bends.is_empty());
    let later = move |n: usize| bends.map_or(first, |bends| bends.get(n % bends.len()).copied());
    let steps = (0..MOST_STEPS).map_while(move |n| if n == 0 { first } else { later(n - 1) });
    steps.scan((0, 0), |at, step| {
        *at = plus(*at, step);
        Some(*at)
    })
}

/// The square where a route ends.
fn end(route: &Route) -> Place {
    route.steps.iter().fold((0, 0), |at, (step, _)| plus(at, *step))
}

impl Diagram<'_> {
    fn add(&mut self, atom: &Atom) {
        let common = self.conditions(atom);
        for way in 0..atom.steps.len() {
            self.add_ride(atom, way, &common);
        }
        for route in &atom.routes {
            self.add_route(atom, route, &common);
        }
    }

    /// The conditions of all moves of an atom, in words.
    fn conditions(&self, atom: &Atom) -> Vec<String> {
        let mut words = Vec::new();
        match atom.travel {
            Travel::Clear => {}
            Travel::Hop => words.push("jumping over exactly one piece".into()),
            Travel::Land => words.push("just beyond a piece that it jumps over".into()),
        }
        if atom.en_passant && !atom.capture {
            words.push("only en passant".into());
        }
        if atom.initial {
            words.push("only from its home squares".into());
        }
        words
    }

    fn add_ride(&mut self, atom: &Atom, way: usize, common: &[String]) {
        let step = atom.steps.get(way).copied().unwrap_or_default();
        let least = if atom.travel == Travel::Clear { atom.min } else { atom.min.max(2) };
        let most = if atom.max == 0 { MOST_STEPS } else { usize::from(atom.max) };
        let is_line = distance(self.cells, plus((0, 0), step)) == 1 && atom.bends.is_empty();
        let mut conditions = common.to_vec();
        let legs = atom.legs.get(way).map_or(&[][..], Vec::as_slice);
        if leaps_along_a_line(self.cells, step) && legs.is_empty() && atom.travel == Travel::Clear {
            conditions.insert(0, "jumping over any pieces between".into());
        }
        for &leg in legs {
            self.pass(plus((0, 0), leg), Passing::Empty);
        }
        for (n, place) in ride(atom, way).take(most).enumerate().skip(usize::from(least.max(1)) - 1) {
            if n > 0 && place == (0, 0) {
                break;
            }
            if distance(self.cells, place) <= self.radius {
                self.reach(place, atom, &conditions);
            } else if is_line || self.is_straight(atom, step, place) {
                self.lines.push((place, step));
                break;
            } else {
                self.further = true;
                break;
            }
        }
    }

    /// Whether a line outside the drawing shows a slide along a diagonal of hexagons, whose steps are longer.
    fn is_straight(&self, atom: &Atom, step: Offset, place: Place) -> bool {
        let is_diagonal = self.cells == Cells::Hex && distance(self.cells, plus((0, 0), step)) == 2;
        let is_near = distance(self.cells, place) <= self.radius + 2;
        is_diagonal && is_near && atom.bends.is_empty() && !leaps_along_a_line(self.cells, step)
    }

    fn add_route(&mut self, atom: &Atom, route: &Route, common: &[String]) {
        let mut conditions = common.to_vec();
        let Some(before) = route.steps.len().checked_sub(1) else { return };
        let passing = &route.steps[..before];
        let meets = |what: Collision| passing.iter().any(|(_, collision)| *collision == what);
        if meets(Collision::Hurdle) {
            conditions.push("jumping over a piece on the way".into());
        }
        if meets(Collision::Victim) {
            conditions.push(ON_THE_WAY.into());
        }
        let mut at = (0, 0);
        for (step, collision) in passing {
            at = plus(at, *step);
            let what = match collision {
                Collision::Nothing => Passing::Empty,
                Collision::Hurdle => Passing::Jumped,
                Collision::Victim => Passing::Captured,
            };
            self.pass(at, what);
        }
        let place = end(route);
        match distance(self.cells, place) <= self.radius {
            true => self.reach(place, atom, &conditions),
            false => self.further = true,
        }
    }

    fn pass(&mut self, place: Place, what: Passing) {
        let known = self.passed.entry(place).or_default();
        if !known.contains(&what) {
            known.push(what);
        }
    }

    fn reach(&mut self, place: Place, atom: &Atom, conditions: &[String]) {
        let condition = conditions.join(", ");
        let deeds = self.reached.entry(place).or_default();
        let only_en_passant = atom.en_passant && !atom.quiet && !atom.capture && !atom.friendly;
        let limited = self.variant.filter(|_| atom.victims != KindMask::ALL);
        let deed = Deed {
            condition,
            victims: limited.map_or(String::new(), |variant| names(variant, atom.victims)),
            moves: atom.quiet,
            captures: atom.capture || only_en_passant,
            captures_own: atom.friendly,
        };
        match deeds.iter_mut().find(|known| known.condition == deed.condition && known.victims == deed.victims) {
            Some(known) => {
                known.moves |= deed.moves;
                known.captures |= deed.captures;
                known.captures_own |= deed.captures_own;
            }
            None => deeds.push(deed),
        }
    }

    fn draw(&self, letter: &str) -> String {
        let mut canvas = Canvas::new(self.cells, self.radius);
        let mut legend: Vec<(char, String)> = Vec::new();
        let mut returns = false;
        for place in canvas.places() {
            let Some(deeds) = self.reached.get(&place) else {
                canvas.put(place, self.passing(place, &mut legend).unwrap_or('.'));
                continue;
            };
            let words = phrase(deeds);
            if place == (0, 0) {
                returns |= deeds.iter().any(|deed| deed.condition.contains(ON_THE_WAY));
                continue;
            }
            let symbol = symbol(&words, &legend);
            canvas.put(place, symbol);
            if legend.iter().all(|(known, _)| *known != symbol) {
                legend.push((symbol, words));
            }
        }
        canvas.piece(letter);
        for (place, step) in &self.lines {
            canvas.put(*place, stroke(self.cells, *step));
        }
        legend.sort_by_key(|(symbol, _)| rank(*symbol));
        let mut text = canvas.text();
        text.push('\n');
        for (symbol, words) in &legend {
            text.push_str(&format!("{symbol}  {words}\n"));
        }
        if !self.lines.is_empty() {
            let strokes: std::collections::BTreeSet<char> =
                self.lines.iter().map(|(_, step)| stroke(self.cells, *step)).collect();
            let strokes: Vec<String> = strokes.iter().map(char::to_string).collect();
            text.push_str(&format!("{}  the line continues\n", strokes.join(" ")));
        }
        if returns {
            text.push_str("It can capture on the way and return to its own square.\n");
        }
        if self.further {
            text.push_str("It also reaches squares beyond this drawing.\n");
        }
        text
    }

    /// The symbol of a square that is not reached, but passed.
    fn passing(&self, place: Place, legend: &mut Vec<(char, String)>) -> Option<char> {
        let passed = self.passed.get(&place).filter(|_| place != (0, 0))?;
        let (symbol, words) = match passed.iter().max()? {
            Passing::Captured => ('v', "can be captured on the way"),
            // A square that can be empty or occupied is not a condition.
            Passing::Jumped if passed.contains(&Passing::Empty) => return None,
            Passing::Jumped => ('^', "must be occupied for moves past it"),
            Passing::Empty => (':', "must be empty for moves past it"),
        };
        if legend.iter().all(|(known, _)| *known != symbol) {
            legend.push((symbol, words.into()));
        }
        Some(symbol)
    }
}

/// Whether a leap passes squares on a line, so that it differs from a slide of the same length.
fn leaps_along_a_line(cells: Cells, (x, y): Offset) -> bool {
    let (x, y) = (i16::from(x), i16::from(y));
    match cells {
        Cells::Square => (x == 0 || y == 0 || x.abs() == y.abs()) && distance(cells, (x, y)) > 1,
        Cells::Hex => {
            let is_line = x == 0 || y == 0 || x == y;
            // A diagonal step leads to a cell that touches the origin's cell only at a corner.
            let is_diagonal = x == 2 * y || y == 2 * x || x == -y;
            is_line && distance(cells, (x, y)) > 1 || is_diagonal && distance(cells, (x, y)) > 2
        }
    }
}

/// The names of kinds: `knight, bishop or rook`.
fn names(variant: &Variant, kinds: KindMask) -> String {
    let named = (0..).map(Kind).zip(variant.kinds()).filter(|(kind, _)| kinds.contains(*kind));
    match named.map(|(_, def)| def.name.as_str()).collect::<Vec<_>>().as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        few => few.concat(),
    }
}

/// The moves and captures on a square, in words.
fn phrase(deeds: &[Deed]) -> String {
    let mut sorted = deeds.to_vec();
    let is_free = |deed: &Deed| deed.condition.is_empty() && deed.victims.is_empty();
    sorted.sort_by_key(|deed| !is_free(deed));
    // A move or capture that is possible without a condition is not repeated with one.
    if let Some(free) = sorted.first().filter(|deed| is_free(deed)).cloned() {
        for deed in &mut sorted[1..] {
            deed.moves &= !free.moves;
            deed.captures &= !free.captures;
            deed.captures_own &= !free.captures_own;
        }
        sorted.retain(|deed| deed.moves || deed.captures || deed.captures_own);
    }
    let is_single = sorted.len() == 1;
    let one = |deed: &Deed| {
        let captures = match deed.victims.as_str() {
            "" => "captures".to_owned(),
            victims => format!("captures an enemy {victims}"),
        };
        let verb = match (deed.moves, deed.captures, deed.captures_own) {
            (true, true, false) => format!("moves or {captures}"),
            (true, false, false) if deed.condition.contains(ON_THE_WAY) => "moves to an empty square".into(),
            (true, false, false) if is_single => "moves without capturing".into(),
            (true, false, false) => "moves".into(),
            (false, true, false) if is_single => format!("only {captures}"),
            (false, true, false) => captures,
            (false, false, _) => "captures only its own side's pieces".into(),
            (true, false, true) => "moves, or captures its own side's pieces".into(),
            (true, true, true) => format!("moves or {captures}, including pieces of its own side"),
            (false, true, true) => format!("only {captures}, including pieces of its own side"),
        };
        let condition = if deed.condition.is_empty() { String::new() } else { format!(", {}", deed.condition) };
        format!("{verb}{condition}")
    };
    sorted.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The symbol for a description: a fixed symbol, one that already has this meaning, or a new one.
fn symbol(words: &str, legend: &[(char, String)]) -> char {
    match words {
        "moves or captures" => '*',
        "moves without capturing" => 'o',
        "only captures" => 'x',
        _ => {
            let known = legend.iter().find(|(_, known)| known == words).map(|(symbol, _)| *symbol);
            let free = || SYMBOLS.into_iter().find(|symbol| legend.iter().all(|(used, _)| used != symbol));
            known.or_else(free).unwrap_or('!')
        }
    }
}

/// The place of a symbol in the legend.
fn rank(symbol: char) -> usize {
    let order = ['*', 'o', 'x'];
    let last = [':', '^', 'v'];
    let place = |list: &[char]| list.iter().position(|known| *known == symbol);
    place(&order)
        .or_else(|| place(&SYMBOLS).map(|at| at + order.len()))
        .or_else(|| place(&last).map(|at| at + order.len() + SYMBOLS.len()))
        .unwrap_or(usize::MAX)
}

/// The character of a line that continues in a direction.
fn stroke(cells: Cells, (x, y): Offset) -> char {
    let up = if cells == Cells::Hex { 2 * i16::from(y) - i16::from(x) } else { i16::from(y) };
    match (i16::from(x).signum(), up.signum()) {
        (0, _) => '|',
        (_, 0) => '-',
        (a, b) if a == b => '/',
        _ => '\\',
    }
}

/// A grid of characters, with a margin of one square for lines that continue.
struct Canvas {
    cells: Cells,
    radius: i16,
    rows: Vec<Vec<char>>,
}

impl Canvas {
    fn new(cells: Cells, radius: i16) -> Canvas {
        let high = match cells {
            Cells::Square => radius + 1,
            Cells::Hex => 2 * (radius + 1),
        };
        let (height, width) = (2 * high + 1, 4 * (radius + 1) + 2);
        Canvas { cells, radius, rows: vec![vec![' '; width.unsigned_abs().into()]; height.unsigned_abs().into()] }
    }

    /// The squares of the drawing from the top, each row from the left.
    fn places(&self) -> Vec<Place> {
        let span = || -self.radius..=self.radius;
        let all = span().flat_map(|y| span().map(move |x| (x, y)));
        let mut places: Vec<Place> = all.filter(|place| distance(self.cells, *place) <= self.radius).collect();
        places.sort_by_key(|place| self.spot(*place));
        places
    }

    /// The row and column of a square.
    fn spot(&self, (x, y): Place) -> (i16, i16) {
        let middle = self.radius + 1;
        match self.cells {
            Cells::Square => (middle - y, 2 * (middle + x)),
            Cells::Hex => (2 * middle - (2 * y - x), 2 * (middle + x)),
        }
    }

    fn put(&mut self, place: Place, symbol: char) {
        let (row, column) = self.spot(place);
        self.set(row, column, symbol);
    }

    fn set(&mut self, row: i16, column: i16, symbol: char) {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get_mut(row));
        let cell = row.and_then(|row| usize::try_from(column).ok().and_then(|column| row.get_mut(column)));
        if let Some(cell) = cell {
            *cell = symbol;
        }
    }

    /// Puts the letter of the piece in the middle. A second character goes into the gap before it.
    fn piece(&mut self, letter: &str) {
        let (row, column) = self.spot((0, 0));
        for (back, symbol) in (0..2).zip(letter.chars().rev()) {
            self.set(row, column - back, symbol);
        }
    }

    /// The rows, without blank rows and without the common left margin.
    fn text(&self) -> String {
        let rows = self.rows.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned());
        let rows: Vec<String> = rows.filter(|row| !row.is_empty()).collect();
        let margin = rows.iter().map(|row| row.len() - row.trim_start().len()).min().unwrap_or(0);
        let cut = |row: &String| format!(" {}\n", row.get(margin..).unwrap_or_default());
        rows.iter().map(cut).collect()
    }
}

#[cfg(test)]
#[path = "diagram_tests.rs"]
mod tests;
