//! Positions of squares in the picture if they are not in rows and columns: blocks of squares stretched between four
//! corners.

use crate::host::convert::{number, squares_of_text, text};
use crate::host::error::{ScriptResult, fail, fail_help};
use astragal_core::Square;
use astragal_core::board::Board;
use astragal_core::variant::Outline;
use rhai::{Array, Dynamic, Map};

/// The largest coordinate.
const MOST: i64 = 10_000;
/// Coordinates are stored in this many parts per unit, since squares between corners have fractional positions.
const PARTS: i64 = 64;

/// Parses `#{ "a1-d4": [[0, 0], [4, 0], [4, 4], [0, 4]] }`: the corners of a block at its first file and rank, its last
/// file and first rank, its last file and rank, and its first file and last rank meet. Every square needs a place.
pub(super) fn read(board: &Board, places: &Dynamic) -> ScriptResult<Vec<(Square, Outline)>> {
    if let Ok(shape) = text(places) {
        return ring(board, &shape);
    }
    let Some(blocks) = places.read_lock::<Map>() else {
        return fail("\"places\" is not a map from blocks of squares to their four corners");
    };
    let mut all: Vec<(Square, Outline)> = Vec::new();
    for (block, corners) in blocks.iter() {
        let corners = read_corners(block, corners)?;
        let squares = squares_of_text(board, block)?;
        let bounds = |of: &dyn Fn(Square) -> u8| {
            let (least, most) = (squares.into_iter().map(of).min(), squares.into_iter().map(of).max());
            (i64::from(least.unwrap_or(0)), i64::from(most.unwrap_or(0)))
        };
        let (files, ranks) = (bounds(&|s| board.file(s)), bounds(&|s| board.rank(s)));
        let (wide, high) = (files.1 - files.0 + 1, ranks.1 - ranks.0 + 1);
        for square in squares {
            if all.iter().any(|(known, _)| *known == square) {
                return fail(format!("{} is in two blocks, but a square can have only one place", board.name(square)));
            }
            let (x, y) = (i64::from(board.file(square)) - files.0, i64::from(board.rank(square)) - ranks.0);
            let at = |(dx, dy): (i64, i64)| between(&corners, (x + dx, y + dy), (wide, high));
            all.push((square, [(0, 0), (1, 0), (1, 1), (0, 1)].map(at)));
        }
    }
    if let Some(missing) = board.squares().into_iter().find(|s| all.iter().all(|(known, _)| known != s)) {
        return fail(format!(
            "{} has no place in the picture: give every square a place, or none",
            board.name(missing)
        ));
    }
    all.sort_by_key(|(square, _)| *square);
    Ok(all)
}

/// A ring: ranks lead outward, and the files follow one another clockwise from the top.
fn ring(board: &Board, shape: &str) -> ScriptResult<Vec<(Square, Outline)>> {
    if shape != "ring" {
        return fail_help(
            format!("`places` must be \"ring\" or a map of blocks of squares, not \"{shape}\""),
            Some("write `places: \"ring\"`".into()),
        );
    }
    if !board.wraps().0 || board.width() < 6 {
        let help = Some("declare it with `board(.., #{ wrap: \"files\" })` and at least 6 files".into());
        return fail_help("`places: \"ring\"` needs a board whose left and right edges are joined", help);
    }
    let files = f64::from(board.width());
    // The inner edges are as long as the squares are high.
    let inner = 0.5 / (std::f64::consts::PI / files).sin();
    let corner = |(file, rank): (u8, u8)| {
        let (turn, radius) = (std::f64::consts::TAU * f64::from(file) / files, inner + f64::from(rank));
        let scaled = |part: f64| (part * radius * 1000.0).round() as i32;
        (scaled(turn.sin()), scaled(turn.cos()))
    };
    let outline = |square: Square| {
        let (file, rank) = (board.file(square), board.rank(square));
        (square, [(file, rank), (file + 1, rank), (file + 1, rank + 1), (file, rank + 1)].map(corner))
    };
    Ok(board.squares().into_iter().map(outline).collect())
}

/// A point of a block, the given number of squares across and up, in parts of a unit.
fn between(corners: &[(i64, i64); 4], (x, y): (i64, i64), (wide, high): (i64, i64)) -> (i32, i32) {
    let weights = [(wide - x) * (high - y), x * (high - y), x * y, (wide - x) * y];
    let sum = |of: &dyn Fn(&(i64, i64)) -> i64| -> i32 {
        let sum: i64 = corners.iter().zip(weights).map(|(corner, weight)| of(corner) * weight).sum();
        (sum * PARTS / (wide * high)) as i32
    };
    (sum(&|corner| corner.0), sum(&|corner| corner.1))
}

fn read_corners(block: &str, value: &Dynamic) -> ScriptResult<[(i64, i64); 4]> {
    let pair = |value: &Dynamic| -> ScriptResult<Option<(i64, i64)>> {
        let Some(pair) = value.read_lock::<Array>() else { return Ok(None) };
        let numbers = pair.iter().map(number).collect::<ScriptResult<Vec<i64>>>()?;
        Ok(match numbers[..] {
            [x, y] if x.abs() <= MOST && y.abs() <= MOST => Some((x, y)),
            _ => None,
        })
    };
    let corners = match value.read_lock::<Array>() {
        Some(list) => list.iter().map(pair).collect::<ScriptResult<Option<Vec<_>>>>()?,
        None => None,
    };
    match corners.as_deref() {
        Some(&[a, b, c, d]) => Ok([a, b, c, d]),
        _ => fail_help(
            format!("the place of \"{block}\" does not have four corners"),
            Some(format!(
                "write four corners, as in [[0, 0], [4, 0], [4, 4], [0, 4]]: each is [across, up], in whole numbers up \
                 to {MOST}; start at the first file and rank, then go to the last file"
            )),
        ),
    }
}
