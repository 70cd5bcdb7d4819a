//! The start of a game: the size of the board, the sides, and the squares of their pieces.
//!
//! Owns the wording of sets of squares. Reads the variant and its starting position, never the script.

use crate::Loaded;
use crate::notation::{describe, fen};
use astragal_core::{Kind, Piece, Side, Square, Variant};

/// The board, the sides and their starting positions, one sentence each. With sources, also the starting position as FEN.
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
        Some(_) if board.has_drawn_lines() => format!("The board has {squares} points joined by lines."),
        Some(_) => format!("The board has {squares} squares on several flat parts that are joined."),
    };
    let heaps = if spec.heaps { " Pieces can stack; the top piece of a heap moves." } else { "" };
    let mut lines = vec![format!("{size} {sides}{heaps}")];
    lines.extend((0..names.len()).filter_map(|side| array(loaded, Side(side as u8))));
    if sources {
        lines.push(format!("Position: {}", fen::write(&loaded.set.variant, &loaded.start)));
    }
    lines
}

/// A side's starting position: `White: rook a1 h1, pawn a2-h2; in hand: knight, pawn (7).`
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

/// The squares of such pieces. Squares that hold several follow, with their number: `b1-b3 a1 (15)`.
fn standing(loaded: &Loaded, piece: Piece) -> Option<String> {
    let (variant, start) = (&loaded.set.variant, &loaded.start);
    let count = |square: &Square| start.beneath(*square).chain([start.at(*square)]).filter(|p| *p == piece).count();
    let (single, heaps): (Vec<Square>, Vec<Square>) =
        start.occupied().into_iter().filter(|square| count(square) > 0).partition(|square| count(square) == 1);
    let mut told = runs(variant, &single);
    told.extend(heaps.iter().map(|square| format!("{} ({})", variant.board().name(*square), count(square))));
    (!told.is_empty()).then(|| told.join(" "))
}

/// Squares in words. Three or more adjacent ones on a rank, or else on a file, are joined: `a2-h2`, `e1-e3`.
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
    // In board order, no matter in which order they were found.
    found.sort_by_key(|run| squares.iter().position(|square| *square == run[0]));
    let written = |run: &Vec<Square>| match run.as_slice() {
        [first, .., last] => format!("{}-{}", board.name(*first), board.name(*last)),
        single => single.iter().map(|square| board.name(*square)).collect(),
    };
    found.iter().map(written).collect()
}

/// Splits squares into runs in which each square follows the one before.
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
