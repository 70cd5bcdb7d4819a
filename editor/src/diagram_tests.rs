//! Compares drawings with the rules of well-known pieces, and with the engine.

use super::*;
use astragal_core::movegen::generate;
use astragal_core::variant::Spec;
use astragal_core::{Board, Filter, KindDef, Move, Piece, Position, Safety, Side, Square};
use astragal_dsl::notation::betza;

/// Compares a drawing with the expected one, in which each line begins with a bar.
#[track_caller]
fn check_on(cells: Cells, letter: &str, text: &str, expected: &str) {
    let lines = expected.lines().filter_map(|line| line.trim_start().strip_prefix('|'));
    let expected = lines.map(str::trim_end).collect::<Vec<_>>().join("\n");
    let found = movement(cells, letter, &betza::parse_on(cells, text).unwrap(), None);
    assert_eq!(found.trim_end(), expected, "{text}:\n{found}");
}

#[track_caller]
fn check(letter: &str, text: &str, expected: &str) {
    check_on(Cells::Square, letter, text, expected);
}

#[test]
fn moves_and_captures_have_their_symbols() {
    let drawing = movement(Cells::Square, "S", &betza::parse("fmWfcF").unwrap(), None);
    assert_eq!(drawing.lines().nth(1), Some(" . x o x ."));
}

#[test]
fn leaps_reach_their_squares_alone() {
    check(
        "N",
        "N",
        r"
        | . * . * .
        | * . . . *
        | . . N . .
        | * . . . *
        | . * . * .
        |
        |*  moves or captures",
    );
    check(
        "A",
        "AW",
        r"
        | + . . . +
        | . . * . .
        | . * A * .
        | . . * . .
        | + . . . +
        |
        |*  moves or captures
        |+  moves or captures, jumping over any pieces between",
    );
}

/// A pawn: one step ahead, two from home, and captures to both sides.
#[test]
fn moves_and_captures_have_their_own_symbols() {
    check(
        "P",
        "mfWcefFimfnD",
        r"
        | . . + . .
        | . x o x .
        | . . P . .
        | . . . . .
        | . . . . .
        |
        |o  moves without capturing
        |x  only captures
        |+  moves without capturing, only from its home squares",
    );
    check(
        "K",
        "dKeF",
        r"
        | . . . . .
        | . + # + .
        | . # K # .
        | . + # + .
        | . . . . .
        |
        |+  captures only its own side's pieces; captures, only en passant
        |#  captures only its own side's pieces",
    );
}

#[test]
fn slides_go_on_beyond_the_drawing() {
    check(
        "Q",
        "Q",
        r"
        | \       |       /
        |   * . . * . . *
        |   . * . * . * .
        |   . . * * * . .
        | - * * * Q * * * -
        |   . . * * * . .
        |   . * . * . * .
        |   * . . * . . *
        | /       |       \
        |
        |*  moves or captures
        |- / \ |  the line continues",
    );
    check(
        "R",
        "R2fR",
        r"
        |       |
        | . . . * . . .
        | . . . * . . .
        | . . . * . . .
        | . * * R * * .
        | . . . * . . .
        | . . . * . . .
        | . . . . . . .
        |
        |*  moves or captures
        ||  the line continues",
    );
}

/// The cannon of xiangqi moves like a rook, and captures beyond a screen.
#[test]
fn hoppers_need_a_piece_to_jump_over() {
    check(
        "C",
        "mRcpR",
        r"
        |         |
        |   . . . + . . .
        |   . . . + . . .
        |   . . . o . . .
        | - + + o C o + + -
        |   . . . o . . .
        |   . . . + . . .
        |   . . . + . . .
        |         |
        |
        |o  moves without capturing
        |+  moves; captures, jumping over exactly one piece
        |- |  the line continues",
    );
    check(
        "G",
        "fgR",
        r"
        |       |
        | . . . + . . .
        | . . . + . . .
        | . . . . . . .
        | . . . G . . .
        | . . . . . . .
        | . . . . . . .
        | . . . . . . .
        |
        |+  moves or captures, just beyond a piece that it jumps over
        ||  the line continues",
    );
}

/// The elephant and the horse of xiangqi are blocked by a piece beside them.
#[test]
fn lame_leaps_show_the_squares_that_block_them() {
    check(
        "E",
        "nA",
        r"
        | * . . . *
        | . : . : .
        | . . E . .
        | . : . : .
        | * . . . *
        |
        |*  moves or captures
        |:  must be empty for moves past it",
    );
    let horse = r"
        | . * . * .
        | * . : . *
        | . : H : .
        | * . : . *
        | . * . * .
        |
        |*  moves or captures
        |:  must be empty for moves past it";
    check("H", "nN", horse);
    check("H", "afsW", horse);
}

#[test]
fn legs_show_what_happens_on_the_way() {
    check(
        "M",
        "fmFfcafmF",
        r"
        | + . . . +
        | . o . o .
        | . . M . .
        | . . . . .
        | . . . . .
        |
        |o  moves without capturing
        |+  moves to an empty square, capturing a piece on the way",
    );
    check(
        "L",
        "cabK",
        r"
        | . . . . .
        | . v v v .
        | . v L v .
        | . v v v .
        | . . . . .
        |
        |v  can be captured on the way
        |It can capture on the way and return to its own square.",
    );
    check(
        "J",
        "fpafW",
        r"
        | . . + . .
        | . . ^ . .
        | . . J . .
        | . . . . .
        | . . . . .
        |
        |+  moves or captures, jumping over a piece on the way
        |^  must be occupied for moves past it",
    );
    check(
        "G",
        "fyafsF",
        r"
        | . . * . * . .
        | . . * . * . .
        | * * : . : * *
        | . . . G . . .
        | . . . . . . .
        | . . . . . . .
        | . . . . . . .
        |
        |*  moves or captures
        |:  must be empty for moves past it
        |It also reaches squares beyond this drawing.",
    );
}

/// Gliński's chess: the pawn captures to both sides ahead, and the bishop goes through corners.
#[test]
fn hexagons_are_drawn_as_a_honeycomb() {
    check_on(
        Cells::Hex,
        "P",
        "mfWceflfrWimfnD",
        r"
        |     +
        |   .   .
        | .   o   .
        |   x   x
        | .   P   .
        |   .   .
        | .   .   .
        |   .   .
        |     .
        |
        |o  moves without capturing
        |x  only captures
        |+  moves without capturing, only from its home squares",
    );
    check_on(
        Cells::Hex,
        "N",
        "N",
        r"
        |       .
        |     *   *
        |   *   .   *
        | .   .   .   .
        |   .   .   .
        | *   .   .   *
        |   .   N   .
        | *   .   .   *
        |   .   .   .
        | .   .   .   .
        |   *   .   *
        |     *   *
        |       .
        |
        |*  moves or captures",
    );
    check_on(
        Cells::Hex,
        "B",
        "B",
        r"
        |     \   .   /
        |       .   .
        |     .   .   .
        |   .   *   *   .
        |     .   .   .
        |   .   .   .   .
        | -   *   B   *   -
        |   .   .   .   .
        |     .   .   .
        |   .   *   *   .
        |     .   .   .
        |       .   .
        |     /   .   \
        |
        |*  moves or captures
        |- / \  the line continues",
    );
}

/// Alone on the board, and with a single enemy, a piece moves and captures as drawn.
#[test]
fn drawings_agree_with_the_engine() {
    let texts = [
        "K",
        "N",
        "mfWcefFimfnD",
        "R3",
        "nA",
        "nN",
        "B",
        "Q2",
        "C",
        "Z",
        "AD",
        "fFbW",
        "zB2",
        "qN3",
        "NN",
        "afsW",
        "FyafsF",
        "mNcK",
        "sD",
        "frlN",
        "(1,4)",
    ];
    for text in texts {
        let atoms = betza::parse(text).unwrap();
        let diagram = drawn(Cells::Square, &atoms, None);
        let mut spec = Spec::new("", Board::new(15, 15, 1).unwrap());
        spec.kinds.push(KindDef { atoms, ..KindDef::new("piece", "P") });
        spec.kinds.push(KindDef::new("victim", "V"));
        let middle = spec.board.at(7, 7).unwrap();
        let piece = Piece::new(Side::FIRST, Kind(0));
        // Moves from home are those from the starting position.
        spec.array = vec![(middle, piece)];
        let variant = Variant::new(spec).unwrap();
        let mut alone = Position::empty(&variant);
        alone.put(&variant, middle, piece);
        let reaches = |position: &Position, to: Square| {
            let mut moves = Vec::new();
            generate(&variant, position, Side::FIRST, Safety::Pseudo, Filter::ALL, &mut moves);
            moves.iter().any(|mv: &Move| mv.to == to)
        };
        let (radius, mut count) = (diagram.radius, 0);
        for place in (-radius..=radius).flat_map(|y| (-radius..=radius).map(move |x| (x, y))) {
            if place == (0, 0) {
                continue;
            }
            let to = variant.board().at(i64::from(7 + place.0), i64::from(7 + place.1)).unwrap();
            let mut met = alone.clone();
            met.put(&variant, to, Piece::new(Side::SECOND, Kind(1)));
            let deeds = diagram.reached.get(&place).cloned().unwrap_or_default();
            let found = (deeds.iter().any(|deed| deed.moves), deeds.iter().any(|deed| deed.captures));
            assert_eq!(found, (reaches(&alone, to), reaches(&met, to)), "{text} to {place:?}");
            count += u32::from(found != (false, false));
        }
        assert!(count > 0, "{text}");
    }
}
