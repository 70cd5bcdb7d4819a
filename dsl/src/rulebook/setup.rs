//! With what a game begins: the size of the board, who plays, and where each side's pieces stand.
//!
//! Owns how squares are put into words; reads the variant and its start, never the script.

use crate::Loaded;
use crate::notation::{describe, fen};
use astragal_core::{Kind, Piece, Side, Square, Variant};

/// The board, the sides and their arrays, a sentence each; with the sources also the start as FEN.
pub(super) fn board(loaded: &Loaded, sources: bool) -> Vec<String> {
    let spec = loaded.set.variant.spec();
    let names: Vec<String> = spec.sides.iter().map(|side| side.name.clone()).collect();
    let sides = match names.as_slice() {
        [only] => format!("{only} plays alone."),
        all => format!("{} move in this order.", describe::enumeration(all)),
    };
    let board = &spec.board;
    let squares = board.squares().len();
    let size = match board.links() {
        None => format!("The board has {} files and {} ranks.", board.width(), board.height()),
        Some(_) if board.has_drawn_lines() => format!("The board has {squares} points, joined by lines."),
        Some(_) => format!("The board has {squares} squares, sewn together of flat pieces."),
    };
    let heaps = if spec.heaps { " Pieces may stand on one another; of a heap the topmost one moves." } else { "" };
    let mut lines = vec![format!("{size} {sides}{heaps}")];
    lines.extend((0..names.len()).filter_map(|side| array(loaded, Side(side as u8))));
    if sources {
        lines.push(format!("Set-up: {}", fen::write(&loaded.set.variant, &loaded.start)));
    }
    lines
}

/// What a side begins with: `White: rook a1 h1, pawn a2-h2; in hand: knight, pawn (7).`
fn array(loaded: &Loaded, side: Side) -> Option<String> {
    let (variant, start) = (&loaded.set.variant, &loaded.start);
    let (mut placed, mut held) = (Vec::new(), Vec::new());
    for (kind, def) in (0..).map(Kind).zip(variant.kinds()) {
        let piece = Piece::new(side, kind);
        placed.extend(standing(loaded, piece).map(|squares| format!("{} {squares}", def.name)));
        match start.in_hand(variant, side, kind) {
            number if !variant.spec().hands || number <= 0 => {}
            1 => held.push(def.name.clone()),
            number => held.push(format!("{} ({number})", def.name)),
        }
    }
    let held = (!held.is_empty()).then(|| format!("in hand: {}", held.join(", ")));
    let placed = (!placed.is_empty()).then(|| placed.join(", "));
    let told: Vec<String> = placed.into_iter().chain(held).collect();
    let name = &variant.spec().sides.get(side.index())?.name;
    (!told.is_empty()).then(|| format!("{name}: {}.", told.join("; ")))
}

/// Where such pieces stand, and then those that share a square, with how many of them are there: `b1-b3 a1 (15)`.
fn standing(loaded: &Loaded, piece: Piece) -> Option<String> {
    let (variant, start) = (&loaded.set.variant, &loaded.start);
    let count = |square: &Square| start.beneath(*square).chain([start.at(*square)]).filter(|p| *p == piece).count();
    let (single, heaps): (Vec<Square>, Vec<Square>) =
        start.occupied().into_iter().filter(|square| count(square) > 0).partition(|square| count(square) == 1);
    let mut told = runs(variant, &single);
    told.extend(heaps.iter().map(|square| format!("{} ({})", variant.board().name(*square), count(square))));
    (!told.is_empty()).then(|| told.join(" "))
}

/// Squares in words: three or more beside each other on a rank, or else on a file, as `a2-h2` and `e1-e3`.
fn runs(variant: &Variant, squares: &[Square]) -> Vec<String> {
    let board = variant.board();
    let place = |square: Square| (i64::from(board.file(square)), i64::from(board.rank(square)));
    let along_ranks = grouped(squares.to_vec(), |a, b| place(b) == (place(a).0 + 1, place(a).1));
    let (mut found, rest): (Vec<_>, Vec<_>) = along_ranks.into_iter().partition(|run| run.len() > 2);
    let mut rest: Vec<Square> = rest.into_iter().flatten().collect();
    rest.sort_by_key(|square| place(*square));
    let along_files = grouped(rest, |a, b| place(b) == (place(a).0, place(a).1 + 1));
    for run in along_files {
        match run.len() {
            0..=2 => found.extend(run.into_iter().map(|square| vec![square])),
            _ => found.push(run),
        }
    }
    // In the order of the board, whatever they have been found as.
    found.sort_by_key(|run| squares.iter().position(|square| *square == run[0]));
    let written = |run: &Vec<Square>| match run.as_slice() {
        [first, .., last] => format!("{}-{}", board.name(*first), board.name(*last)),
        single => single.iter().map(|square| board.name(*square)).collect(),
    };
    found.iter().map(written).collect()
}

/// Squares in groups, in each of which every one follows the one before it.
fn grouped(squares: Vec<Square>, follows: impl Fn(Square, Square) -> bool) -> Vec<Vec<Square>> {
    let mut found: Vec<Vec<Square>> = Vec::new();
    for square in squares {
        match found.last_mut().filter(|run| run.last().is_some_and(|last| follows(*last, square))) {
            Some(run) => run.push(square),
            None => found.push(vec![square]),
        }
    }
    found
}
