//! The notation of boards that are not a flat grid: patches joined at their edges, drawn lines, and forward directions that
//! differ by region.

use super::directions::direction;
use crate::host::convert::squares_of_text;
use crate::host::error::{ScriptResult, fail, fail_help};
use astragal_core::board::{Board, Contradiction, Offset, Patched};
use astragal_core::{Square, SquareSet};

/// The maximum number of patches or lines of a board.
const MOST: usize = 256;

/// Covers a board with patches, each written row by row from the top as `i9-l12 / i8-l5`.
pub(super) fn sew(board: &mut Board, texts: &[String]) -> ScriptResult<()> {
    few(texts, "patches")?;
    let patches: Vec<Vec<Patched>> = texts.iter().map(|text| patch(board, text)).collect::<ScriptResult<_>>()?;
    let sewn = board.sew(&patches);
    agreed(board, sewn, "patch")
}

/// Draws lines on a board, each written as the squares that it joins: `a1 d1 g1`, `a1-e5`.
pub(super) fn draw(board: &mut Board, texts: &[String]) -> ScriptResult<()> {
    few(texts, "lines")?;
    let lines: Vec<Vec<Square>> = texts.iter().map(|text| line(board, text)).collect::<ScriptResult<_>>()?;
    let drawn = board.draw_lines(&lines);
    agreed(board, drawn, "line")
}

fn few(texts: &[String], what: &str) -> ScriptResult<()> {
    match texts.len() {
        1..=MOST => Ok(()),
        n => fail(format!("a board can have 1 to {MOST} {what}, not {n}")),
    }
}

fn agreed(board: &Board, done: Result<(), Contradiction>, what: &str) -> ScriptResult<()> {
    let Err(Contradiction { square, neighbors: [a, b] }) = done else { return Ok(()) };
    fail_help(
        format!(
            "the same direction from {} leads to {} in one {what}, but to {} in another",
            board.name(square),
            board.name(a),
            board.name(b)
        ),
        Some("directions follow the names of squares: right is the next letter, up is the next number".into()),
    )
}

/// The squares of a patch: rows of blocks from the top, all rows of the same width.
fn patch(board: &Board, text: &str) -> ScriptResult<Vec<Patched>> {
    let mut squares: Vec<Patched> = Vec::new();
    let (mut width, mut height) = (None, 0);
    for row in text.rsplit('/') {
        let (mut across, mut high) = (0, None);
        for word in row.split_whitespace() {
            let block = Block::read(board, word)?;
            if high.is_some_and(|high| high != block.rows) {
                return fail(format!("in the patch \"{text}\", {word} and the block before it have different heights"));
            }
            squares.extend(block.squares(board, across, height));
            across += block.columns;
            high = Some(block.rows);
        }
        if across == 0 || width.is_some_and(|width| width != across) {
            let help = "all rows of a patch must have the same width, as in \"a5-d8 / a1-d4\"";
            return fail_help(format!("the rows of the patch \"{text}\" have different widths"), Some(help.into()));
        }
        width = Some(across);
        height += high.unwrap_or(0);
        if squares.len() > board.len() {
            return fail(format!("the patch \"{text}\" has more squares than the board"));
        }
    }
    Ok(squares)
}

/// A rectangle of squares, oriented as in its patch.
struct Block {
    /// The square in its lower left corner.
    first: (i64, i64),
    right: Offset,
    up: Offset,
    columns: i16,
    rows: i16,
}

impl Block {
    /// `d4`, `a1-d4` from the lower left corner to the upper right one, or `a1-a4-d4` over the lower right one.
    fn read(board: &Board, word: &str) -> ScriptResult<Block> {
        let help = || {
            "a block is a square, or a rectangle given by its lower left and upper right corners in the patch, such as \
             \"a1-d4\" or, mirrored, \"d1-a4\"; if it lies on its side, put the lower right corner between them: \
             \"a1-a4-d4\""
        };
        let corners: Option<Vec<(i64, i64)>> = word
            .split('-')
            .map(|name| board.parse(name).map(|s| (i64::from(board.file(s)), i64::from(board.rank(s)))))
            .collect();
        let (first, corner, last) = match corners.as_deref() {
            Some(&[one]) => (one, one, one),
            Some(&[first, last]) => (first, (last.0, first.1), last),
            Some(&[first, corner, last]) => (first, corner, last),
            _ => return fail_help(format!("\"{word}\" is not a block of squares on this board"), Some(help().into())),
        };
        let side = |a: (i64, i64), b: (i64, i64)| (b.0 - a.0, b.1 - a.1);
        let (across, along) = (side(first, corner), side(corner, last));
        // The picture is upright, unless the corners show that it lies on its side.
        let lies = across.0 == 0 && along.1 == 0 && (across.1 != 0 || along.0 != 0);
        if !lies && (across.1 != 0 || along.0 != 0) {
            return fail_help(format!("the corners of \"{word}\" are not those of a rectangle"), Some(help().into()));
        }
        let sign = |n: i64| if n < 0 { -1 } else { 1 };
        let (right, up) = match lies {
            true => ((0, sign(across.1)), (sign(along.0), 0)),
            false => ((sign(across.0), 0), (0, sign(along.1))),
        };
        let length = |(x, y): (i64, i64)| (x.abs() + y.abs() + 1) as i16;
        Ok(Block { first, right, up, columns: length(across), rows: length(along) })
    }

    /// Its squares, holes left out, with its lower left corner in some column and row of the patch.
    fn squares(&self, board: &Board, column: i16, row: i16) -> Vec<Patched> {
        let mut all = Vec::new();
        for (y, x) in (0..self.rows).flat_map(|y| (0..self.columns).map(move |x| (y, x))) {
            let go = |right: i8, up: i8| i64::from(x) * i64::from(right) + i64::from(y) * i64::from(up);
            let at = (self.first.0 + go(self.right.0, self.up.0), self.first.1 + go(self.right.1, self.up.1));
            let (right, up) = (self.right, self.up);
            let square = board.at(at.0, at.1);
            all.extend(square.map(|square| Patched { square, column: column + x, row: row + y, right, up }));
        }
        all
    }
}

/// The squares that a line joins, in order: `a1-e5` includes all squares between.
fn line(board: &Board, text: &str) -> ScriptResult<Vec<Square>> {
    let mut squares: Vec<Square> = Vec::new();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let (from, to) = word.split_once('-').unwrap_or((word, word));
        let (Some(a), Some(b)) = (board.parse(from), board.parse(to)) else {
            return fail_help(
                format!("\"{word}\" is not a square or row of squares on this board"),
                Some("write a line as the squares that it joins, such as \"a1 d1 g1\" or \"a1-e5\"".into()),
            );
        };
        squares.push(a);
        if a != b {
            let passed = board.between(a, b);
            if passed.len() as i16 + 1 != board.distance(a, b) {
                return fail(format!("\"{word}\" is not an unbroken row of squares"));
            }
            squares.extend(passed);
            squares.push(b);
        }
    }
    squares.dedup();
    match squares.len() {
        2..=256 => Ok(squares),
        _ => fail(format!("a line must join 2 to 256 squares, but \"{text}\" does not")),
    }
}

/// A side's forward direction, and the squares with another one: `down`, or `down, up on e9-l12`.
pub(super) fn forward(board: &Board, text: &str) -> ScriptResult<(u8, Vec<(SquareSet, u8)>)> {
    let (everywhere, rest) = text.split_once(',').unwrap_or((text, ""));
    let forward = direction(board.cells(), everywhere.trim())?;
    let mut elsewhere: Vec<(SquareSet, u8)> = Vec::new();
    for part in rest.split(',').filter(|part| !part.trim().is_empty()) {
        let Some((word, squares)) = part.split_once(" on ") else {
            return fail_help(
                format!("\"{}\" does not name the squares for this direction", part.trim()),
                Some("write \"down, up on e9-l12\" if forward is down, but up on those squares".into()),
            );
        };
        let squares = squares_of_text(board, squares)?;
        if let Some(twice) = elsewhere.iter().find_map(|(known, _)| (*known & squares).into_iter().next()) {
            return fail(format!("\"{text}\" gives two directions for {}", board.name(twice)));
        }
        elsewhere.push((squares, direction(board.cells(), word.trim())?));
    }
    Ok((forward, elsewhere))
}
