//! Movement in words: describes the atoms of a kind for rulebooks and explanations.

mod hex;
mod phrases;

pub(crate) use phrases::{a, alternatives, counted, entries, enumeration};

use astragal_core::board::{Bounces, Cells, Cushions, EdgeLine, Offset};
use astragal_core::{Atom, KindDef, KindMask, Travel, Variant};
use astragal_core::{Collision, Route};
use phrases::{distance, lame};

/// How a kind moves, one phrase for each way: `one square diagonally forward, only to capture`.
pub fn movement(variant: &Variant, kind: &KindDef) -> Vec<String> {
    let mut phrases: Vec<String> = Vec::new();
    let mut left: Vec<&Atom> = kind.atoms.iter().collect();
    while !left.is_empty() {
        let first = left.remove(0);
        let alike = |other: &&Atom| Atom { steps: Vec::new(), legs: Vec::new(), ..(*other).clone() } == bare(first);
        // Lame leaps each pass their own squares, and are not joined.
        let joined: Vec<&Atom> = match lame(first) {
            true => Vec::new(),
            false => left.iter().copied().filter(|other| !lame(other)).filter(alike).collect(),
        };
        left.retain(|other| !joined.iter().any(|j| std::ptr::eq(*j, *other)));
        let mut steps = first.steps.clone();
        steps.extend(joined.iter().flat_map(|atom| atom.steps.iter().copied()));
        steps.sort_unstable();
        steps.dedup();
        phrases.push(phrase(variant, kind, first, &steps));
    }
    phrases.dedup();
    phrases
}

/// Distance and directions of a way of moving, without its conditions: `any distance straight`.
pub(crate) fn way_on(cells: Cells, atom: &Atom) -> String {
    match cells {
        Cells::Square => way(atom, &atom.steps),
        Cells::Hex => hex::way(atom, &atom.steps),
    }
}

/// The directions of a board in words, clockwise from up: the order of a side's forward direction.
pub fn directions_on(cells: Cells) -> &'static [&'static str] {
    match cells {
        Cells::Square => &["up", "right", "down", "left"],
        Cells::Hex => &["up", "up right", "down right", "down", "down left", "up left"],
    }
}

fn bare(atom: &Atom) -> Atom {
    Atom { steps: Vec::new(), legs: Vec::new(), ..atom.clone() }
}

fn phrase(variant: &Variant, kind: &KindDef, atom: &Atom, steps: &[Offset]) -> String {
    let way = match variant.board().cells() {
        Cells::Square => way,
        Cells::Hex => hex::way,
    };
    let mut text = match (steps, atom.routes.as_slice()) {
        (steps, []) => way(atom, steps),
        ([], routes) => winding(routes),
        (steps, routes) => format!("{}, or {}", way(atom, steps), winding(routes)),
    };
    if atom.round {
        text.push_str(", wrapping around the left and right edges");
    }
    if let Some(bounces) = kind.bounces.as_ref().filter(|bounces| turns_at_edges(atom, bounces)) {
        text.push_str(&bouncing(bounces));
    }
    match atom.travel {
        Travel::Clear => {}
        Travel::Hop => text.push_str(", jumping over exactly one piece"),
        Travel::Land => text.push_str(", landing on the square just beyond a piece it jumps over"),
    }
    if lame(atom) {
        text.push_str(", unless a piece is in between");
    }
    match (atom.quiet, atom.capture) {
        (true, false) if atom.double && variant.captures_en_passant() => {
            text.push_str(", without capturing (it may then be captured en passant)")
        }
        (true, false) if atom.routes.iter().any(takes) => text.push_str(", to an empty square"),
        (true, false) => text.push_str(", without capturing"),
        (false, true) if atom.en_passant => text.push_str(", only to capture (including en passant)"),
        (false, true) => text.push_str(", only to capture"),
        _ => {}
    }
    if atom.victims != KindMask::ALL {
        text.push_str(&format!(" (captures only an enemy {})", names(variant, atom.victims)));
    }
    if atom.friendly {
        text.push_str(match (atom.quiet, atom.capture) {
            (true, true) => ", also capturing pieces of its own side",
            (true, false) => ", except pieces of its own side",
            (false, true) => ", including pieces of its own side",
            (false, false) => ", only to capture pieces of its own side",
        });
    }
    if atom.initial {
        text.push_str(&format!(", {}", from_home(kind)));
    }
    text
}

/// Whether bouncing adds anything to a way of moving. A piece that bounces straight back reaches no new squares.
fn turns_at_edges(atom: &Atom, bounces: &Bounces) -> bool {
    let same = |&(x, y): &Offset| (x == 0 || y == 0) && (x.abs() + y.abs() == 1 || bounces.at == EdgeLine::Squares);
    atom.max != 1 && !atom.steps.is_empty() && !(atom.bends.is_empty() && atom.steps.iter().all(same))
}

/// How a piece bounces: `, bouncing off the left and right edges at most once`.
fn bouncing(bounces: &Bounces) -> String {
    let edges = match &bounces.off {
        Cushions::All => "the edges of the board".into(),
        Cushions::Files => "the left and right edges".into(),
        Cushions::Ranks => "the top and bottom edges".into(),
        Cushions::Region(name) => format!("the edges of the region \"{name}\""),
    };
    let often = match bounces.most {
        None => String::new(),
        Some(1) => " at most once".into(),
        Some(most) => format!(" at most {most} times"),
    };
    let beside = if bounces.at == EdgeLine::Border { ", re-entering on the adjacent square" } else { "" };
    format!(", bouncing off {edges}{often}{beside}")
}

/// The home squares of a kind, for moves that it makes only from there.
pub(crate) fn from_home(kind: &KindDef) -> String {
    match &kind.home {
        Some(region) => format!("only from the region \"{region}\""),
        None => "only from its starting square".into(),
    }
}

/// The names of kinds: `knight, bishop or rook`.
pub(crate) fn names(variant: &Variant, kinds: KindMask) -> String {
    let all = variant.kinds().iter().enumerate();
    let names = all.filter(|(i, _)| kinds.contains(astragal_core::Kind(*i as u8))).map(|(_, kind)| kind.name.clone());
    alternatives(&names.collect::<Vec<_>>())
}

/// Whether a piece is captured on the way.
fn takes(route: &Route) -> bool {
    route.steps.iter().any(|step| step.1 == Collision::Victim)
}

/// Routes of several steps: their number, and what they pass.
fn winding(routes: &[Route]) -> String {
    let lengths = || routes.iter().map(|route| route.steps.len());
    let (least, most) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
    let mut text = if least == most { format!("{most} steps") } else { format!("{least} to {most} steps") };
    let meets = |what: Collision| routes.iter().any(|route| route.steps.iter().any(|step| step.1 == what));
    if meets(Collision::Hurdle) {
        text.push_str(", jumping over a piece");
    }
    if routes.iter().any(takes) {
        text.push_str(", capturing an enemy on the way");
    }
    let end = |route: &Route| route.steps.iter().fold((0, 0), |sum, (step, _)| (sum.0 + step.0, sum.1 + step.1));
    if routes.iter().all(|route| end(route) == (0, 0)) {
        text.push_str(", returning to its starting square");
    }
    text
}

/// Distance and directions.
fn way(atom: &Atom, steps: &[Offset]) -> String {
    let slides = atom.max != 1;
    let single = steps.iter().all(|(x, y)| x.abs() <= 1 && y.abs() <= 1);
    if single {
        return format!("{} {}", distance(atom.min, atom.max, "square"), directions(steps));
    }
    let (long, short) = steps.iter().map(|(x, y)| (x.abs().max(y.abs()), x.abs().min(y.abs()))).max().unwrap_or((1, 0));
    let same = steps.iter().all(|(x, y)| (x.abs().max(y.abs()), x.abs().min(y.abs())) == (long, short));
    if same && !slides && (short == 0 || short == long) {
        let jumping = if lame(atom) { "" } else { ", jumping" };
        return format!("{long} squares {}{jumping}", directions(steps));
    }
    let whole = steps.len() == if short == 0 || short == long { 4 } else { 8 };
    let leap = match (long, short) {
        _ if !same => "leaps".into(),
        (2, 1) => "knight's leaps".to_string(),
        (n, 0) => format!("straight leaps of {n} squares"),
        (n, m) if n == m => format!("diagonal leaps of {n} squares"),
        (n, m) => format!("leaps of {n} squares and {m} to the side"),
    };
    let where_to = match whole && same {
        true => String::new(),
        false => format!(" to {}", enumeration(&steps.iter().map(offset).collect::<Vec<_>>())),
    };
    match slides {
        true => format!("{leap}{where_to}, {} in a row", distance(atom.min, atom.max, "leap")),
        false => format!("{leap}{where_to}"),
    }
}

/// `2 forward 1 right`.
fn offset(step: &Offset) -> String {
    let part = |n: i8, plus: &str, minus: &str| match n {
        0 => None,
        n if n > 0 => Some(format!("{n} {plus}")),
        n => Some(format!("{} {minus}", -n)),
    };
    let parts = [part(step.1, "forward", "back"), part(step.0, "right", "left")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Directions of steps to neighbors.
fn directions(steps: &[Offset]) -> String {
    let mut left: Vec<Offset> = steps.iter().map(|(x, y)| (x.signum(), y.signum())).collect();
    let groups: [(&[Offset], &str); 9] = [
        (&[(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)], "in any direction"),
        (&[(0, 1), (0, -1), (1, 0), (-1, 0)], "straight"),
        (&[(1, 1), (1, -1), (-1, 1), (-1, -1)], "diagonally"),
        (&[(0, 1), (0, -1)], "forward or back"),
        (&[(1, 0), (-1, 0)], "sideways"),
        (&[(1, 1), (-1, 1)], "diagonally forward"),
        (&[(1, -1), (-1, -1)], "diagonally back"),
        (&[(0, 1)], "forward"),
        (&[(0, -1)], "back"),
    ];
    let mut words: Vec<String> = Vec::new();
    for (group, name) in groups {
        if group.iter().all(|step| left.contains(step)) {
            left.retain(|step| !group.contains(step));
            words.push(name.into());
        }
    }
    words.extend(left.iter().map(|&(x, y)| {
        let side = if x > 0 { "right" } else { "left" };
        match y {
            0 => format!("to the {side}"),
            1 => format!("forward to the {side}"),
            _ => format!("back to the {side}"),
        }
    }));
    alternatives(&words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load_named;
    use crate::notation::betza;

    fn described(betza: &str) -> String {
        described_on(Cells::Square, betza)
    }

    fn described_on(cells: Cells, betza: &str) -> String {
        let mut spec = load_named("chess", &[]).unwrap().set.variant.spec().clone();
        spec.board.set_cells(cells);
        let variant = Variant::new(spec).unwrap();
        let kind = KindDef { atoms: betza::parse_on(cells, betza).unwrap(), ..KindDef::new("x", "X") };
        movement(&variant, &kind).join("; ")
    }

    #[test]
    fn movement_is_told_in_words() {
        assert_eq!(described("K"), "one square in any direction");
        assert_eq!(described("Q"), "any distance in any direction");
        assert_eq!(described("R"), "any distance straight");
        assert_eq!(described("N"), "knight's leaps");
        assert_eq!(described("R3"), "up to 3 squares straight");
        assert_eq!(described("fWsW"), "one square sideways or forward");
        assert_eq!(described("nA"), "2 squares diagonally, unless a piece is in between");
        assert_eq!(described("mR"), "any distance straight, without capturing");
        assert_eq!(described("cpR"), "any distance straight, jumping over exactly one piece, only to capture");
        assert_eq!(described("mfW"), "one square forward, without capturing");
        assert_eq!(described("cefF"), "one square diagonally forward, only to capture (including en passant)");
        assert_eq!(described("fD"), "2 squares forward, jumping");
        assert_eq!(described("cabK"), "2 steps, capturing an enemy on the way, returning to its starting square");
        assert_eq!(described("mcafmK"), "2 steps, capturing an enemy on the way, to an empty square");
        assert_eq!(described("oR"), "any distance straight, wrapping around the left and right edges");
        assert_eq!(described("fN"), "knight's leaps to 2 forward 1 left and 2 forward 1 right");
    }

    #[test]
    fn bouncing_is_told_in_words() {
        let described = |betza: &str, bounces: Bounces| {
            let variant = load_named("chess", &[]).unwrap().set.variant.clone();
            let atoms = betza::parse(betza).unwrap();
            movement(&variant, &KindDef { atoms, bounces: Some(bounces), ..KindDef::new("x", "X") }).join("; ")
        };
        let all = Bounces { most: None, off: Cushions::All, at: EdgeLine::Squares };
        assert_eq!(described("B", all.clone()), "any distance diagonally, bouncing off the edges of the board");
        // Single steps do not bounce, and a rook that would come straight back gains nothing.
        let once = Bounces { most: Some(1), ..all.clone() };
        let text = "any distance diagonally, bouncing off the edges of the board at most once; knight's leaps";
        assert_eq!(described("BN", once), text);
        assert_eq!(described("R", all.clone()), "any distance straight");
        let border = Bounces { most: Some(2), off: Cushions::Files, at: EdgeLine::Border };
        let text = "any distance diagonally, bouncing off the left and right edges at most 2 times, re-entering \
             on the adjacent square";
        assert_eq!(described("B", border), text);
        let part = Bounces { off: Cushions::Region("cushion".into()), ..all };
        let text = "up to 4 squares diagonally, bouncing off the edges of the region \"cushion\"";
        assert_eq!(described("B4", part), text);
    }

    /// After the rules of Glinski's chess: a rook goes straight, through edges; a bishop diagonally, through corners.
    #[test]
    fn movement_on_hexagons_is_told_in_words_of_hexagons() {
        let described = |betza| described_on(Cells::Hex, betza);
        assert_eq!(described("W"), "one hexagon in any direction");
        assert_eq!(described("R"), "any number of hexagons in any direction");
        assert_eq!(described("B"), "any number of hexagons diagonally");
        assert_eq!(described("K"), "one hexagon straight or diagonally in any direction");
        assert_eq!(described("N"), "knight's leaps");
        assert_eq!(described("D"), "2 hexagons in any direction, jumping");
        assert_eq!(described("A"), "2 hexagons diagonally, jumping");
        assert_eq!(described("mfW"), "one hexagon forward, without capturing");
        assert_eq!(described("cflfrW"), "one hexagon forward to either side, only to capture");
        assert_eq!(described("cfF"), "one hexagon diagonally forward to either side, only to capture");
        assert_eq!(described("rF"), "one hexagon diagonally to the right");
        assert_eq!(described("vR2"), "up to 2 hexagons forward or back");
        assert_eq!(
            described("fN"),
            "knight's leaps to 2 forward, 1 forward to the right and 2 forward, 1 forward to the left"
        );
    }
}
