//! How each kind of piece moves: in words, and on a small board.
//!
//! Owns the content of such a board: the moves of one piece alone, from the square with the most of them. An enemy is
//! placed on each square in turn to see whether it can be captured there. It ignores rules of the script that add or forbid
//! moves.

use super::columns::shown;
use super::theme::{Pieces, Theme};
use astragal_core::board::Cells;
use astragal_core::movegen::generate;
use astragal_core::{Filter, Kind, KindMask, Move, Piece, Position, Safety, Side, Square, SquareSet, Variant};
use astragal_dsl::{Loaded, rulebook};

/// How far a small board extends in each direction.
const REACH: i64 = 3;

/// The width in columns that small boards side by side may take.
const COLUMNS: usize = 78;

/// The key to the signs.
const KEY: &str = "o move, x capture, * move or capture, + capture over one piece in between\n";

/// The squares that a piece can reach.
pub(crate) struct Moves {
    /// The origin.
    pub(crate) from: Square,
    /// The targets of moves without capture.
    pub(crate) quiet: SquareSet,
    /// The targets of captures.
    pub(crate) captures: SquareSet,
    /// Captures that need another piece on the way.
    pub(crate) over: SquareSet,
}

/// The legend of all kinds for which `is_wanted` returns true.
pub fn legend(loaded: &Loaded, theme: Theme, is_wanted: impl Fn(&str) -> bool) -> String {
    let variant = &loaded.set.variant;
    let (mut text, mut boards) = (String::new(), Vec::new());
    for (words, kind) in rulebook::pieces(loaded).into_iter().zip((0..).map(Kind)) {
        let def = variant.kind(kind);
        if !is_wanted(&def.name) && !is_wanted(&def.letter) {
            continue;
        }
        let pictures = match theme.pieces {
            Pieces::Letters => String::new(),
            Pieces::Unicode => def.glyphs.iter().map(|glyph| format!("{glyph} ")).collect(),
        };
        text.push_str(&format!("{pictures}{words}\n"));
        if variant.board().cells() == Cells::Square && !rulebook::is_on_tracks(loaded) {
            boards.extend(moves(variant, kind).map(|moves| board(variant, kind, &moves, theme)));
        }
    }
    if boards.is_empty() {
        return text;
    }
    text.push('\n');
    let mut left = boards.as_slice();
    while !left.is_empty() {
        let wide = |n: usize| left[..n].iter().map(|board| width(board) + 2).sum::<usize>();
        let count = (1..=left.len()).take_while(|&n| n == 1 || wide(n) <= COLUMNS).last().unwrap_or(1);
        text.push_str(&abreast(&left[..count]));
        text.push('\n');
        left = &left[count..];
    }
    text + KEY
}

fn width(board: &[String]) -> usize {
    board.iter().map(|row| shown(row)).max().unwrap_or(0)
}

/// Puts boards side by side.
fn abreast(boards: &[Vec<String>]) -> String {
    let high = boards.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for i in 0..high {
        let mut row = String::new();
        for board in boards {
            let part = board.get(i).map_or("", String::as_str);
            row.push_str(part);
            row.push_str(&" ".repeat((width(board) + 2).saturating_sub(shown(part))));
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// The small board of a kind: its name, and the squares around it.
fn board(variant: &Variant, kind: Kind, moves: &Moves, theme: Theme) -> Vec<String> {
    let board = variant.board();
    let centre = (i64::from(board.file(moves.from)), i64::from(board.rank(moves.from)));
    let range = |middle: i64, edge: u8| {
        let low = (middle - REACH).clamp(0, (i64::from(edge) - 2 * REACH - 1).max(0));
        low..=(low + 2 * REACH).min(i64::from(edge) - 1)
    };
    let mut rows = vec![variant.kind(kind).name.clone()];
    for rank in range(centre.1, board.height()).rev() {
        let sign = |file| match board.at(file, rank) {
            None => " ".into(),
            Some(square) if square == moves.from => theme.paint("1", &variant.kind(kind).letter),
            Some(square) => {
                let (quiet, captures) = (moves.quiet.contains(square), moves.captures.contains(square));
                match (quiet, captures, moves.over.contains(square)) {
                    (true, true, _) => "*",
                    (true, false, _) => "o",
                    (false, true, _) => "x",
                    (false, false, true) => "+",
                    (false, false, false) => ".",
                }
                .into()
            }
        };
        let signs: Vec<String> = range(centre.0, board.width()).map(sign).collect();
        rows.push(signs.join(" "));
    }
    rows
}

/// The moves of a piece of the first side from the square with the most moves that is nearest to the middle; `None` if it
/// never moves.
pub(crate) fn moves(variant: &Variant, kind: Kind) -> Option<Moves> {
    let board = variant.board();
    let middle = (i64::from(board.width()) - 1, i64::from(board.height()) - 1);
    let far = |square: Square| {
        let (file, rank) = (2 * i64::from(board.file(square)), 2 * i64::from(board.rank(square)));
        (file - middle.0).abs() + (rank - middle.1).abs()
    };
    let places = board.squares().into_iter();
    let best = places.map(|from| (targets(variant, kind, from, &[]), from));
    let (quiet, from) =
        best.max_by_key(|(to, from)| (to.into_iter().count(), std::cmp::Reverse((far(*from), from.0))))?;
    let others = || board.squares().into_iter().filter(|&square| square != from);
    let captures: SquareSet = others().filter(|&square| victim(variant, kind, from, square).is_some()).collect();
    let man = Kind(0);
    let jumps = |square: &Square| {
        let target = [man, Kind(variant.kinds().len() as u8 - 1)];
        let screens = || others().filter(|screen| screen != square);
        target.iter().any(|&target| {
            screens().any(|screen| targets(variant, kind, from, &[(*square, target), (screen, man)]).contains(*square))
        })
    };
    let near = |square: &Square| board.distance(*square, from) <= REACH as i16;
    let over = match needs_a_man(variant, kind) {
        true => others().filter(|square| !captures.contains(*square) && near(square)).filter(jumps).collect(),
        false => SquareSet::EMPTY,
    };
    (!(quiet | captures | over).is_empty()).then_some(Moves { from, quiet, captures, over })
}

/// A kind of enemy that can be captured on a square, if any.
fn victim(variant: &Variant, kind: Kind, from: Square, square: Square) -> Option<Kind> {
    let mut kinds = (0..variant.kinds().len() as u8).map(Kind);
    kinds.find(|&other| targets(variant, kind, from, &[(square, other)]).contains(square))
}

/// The moves of a piece of the first side on a square, with enemies on others.
pub(crate) fn moves_among(variant: &Variant, kind: Kind, from: Square, enemies: SquareSet) -> Moves {
    let of = |square| (square, victim(variant, kind, from, square).unwrap_or(Kind(0)));
    let standing: Vec<(Square, Kind)> = enemies.into_iter().filter(|square| *square != from).map(of).collect();
    let reached = targets(variant, kind, from, &standing);
    Moves { from, quiet: reached - enemies, captures: reached & enemies, over: SquareSet::EMPTY }
}

/// Whether a kind jumps over pieces.
fn needs_a_man(variant: &Variant, kind: Kind) -> bool {
    variant.kind(kind).atoms.iter().any(|atom| atom.travel != astragal_core::Travel::Clear)
}

/// The targets of a piece of the first side on `from`, among enemies.
fn targets(variant: &Variant, kind: Kind, from: Square, enemies: &[(Square, Kind)]) -> SquareSet {
    let mut position = Position::empty(variant);
    position.put(variant, from, Piece::new(Side(0), kind));
    let foe = (1..variant.sides() as u8).map(Side).find(|&side| !variant.allied(side, Side(0)));
    for (square, kind) in enemies {
        position.put(variant, *square, Piece::new(foe.unwrap_or(Side(0)), *kind));
    }
    let filter = Filter { kinds: KindMask::ALL, castling: 0, drops: KindMask::NONE, into: KindMask::NONE };
    let mut moves: Vec<Move> = Vec::new();
    generate(variant, &position, Side(0), Safety::Pseudo, filter, &mut moves);
    moves.into_iter().filter(|mv| mv.from == from).map(|mv| mv.to).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_dsl::load_named;

    fn of(variant: &str, wanted: &str) -> String {
        legend(&load_named(variant, &[]).expect("a variant"), Theme::default(), |name| name == wanted)
    }

    #[test]
    fn a_pawn_moves_otherwise_than_it_takes() {
        let text = of("chess", "pawn");
        assert!(text.starts_with("pawn (P): "), "{text}");
        assert!(text.contains("\npawn\n. . . . . . .\n"), "{text}");
        assert!(text.contains("x o x") && text.ends_with(KEY), "{text}");
    }

    #[test]
    fn knights_and_cannons() {
        let knight = ". . * . * . .\n. * . . . * .\n. . . N . . .\n. * . . . * .\n. . * . * . .\n";
        assert!(of("chess", "N").contains(knight), "{}", of("chess", "N"));
        let cannon = of("xiangqi", "cannon");
        assert!(cannon.contains("o o o C o o o") || cannon.contains("o o C o o"), "{cannon}");
    }

    #[test]
    fn many_stand_side_by_side() {
        let all = legend(&load_named("chess", &[]).expect("chess"), Theme::default(), |_| true);
        assert!(all.lines().any(|line| line.split_whitespace().count() > 20), "{all}");
        let boards = all.split("\n\n").nth(1).expect("boards");
        assert!(boards.lines().all(|line| line.chars().count() <= COLUMNS), "{all}");
        let race = legend(&load_named("backgammon", &[]).expect("a game"), Theme::default(), |_| true);
        assert!(race.contains("along the track") && !race.contains(KEY), "{race}");
    }
}
