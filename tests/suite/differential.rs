//! Legal moves, check and the end of the game against independent generators: chess against
//! cozy-chess, xiangqi against [`xiangqi_reference`](crate::xiangqi_reference).

use crate::common::{Random, apply, json_lines, load, position, random_event};
use crate::xiangqi_reference::{Grid, Point, in_palace};
use astragal_core::attack::in_check;
use astragal_core::movegen::{Filter, Safety, generate};
use astragal_core::{Event, Move, Position, Side, Square, State, Status, Variant};
use astragal_dsl::Loaded;
use astragal_dsl::notation::fen;
use cozy_chess::{Board, File, GameStatus, Piece};

/// A move as squares (0 is a1, 1 is b1) and the letter promoted to.
type Step = (usize, usize, Option<String>);

fn cell(variant: &Variant, square: Square) -> usize {
    usize::from(variant.board().rank(square)) * 8 + usize::from(variant.board().file(square))
}

fn ours(variant: &Variant, mv: Move) -> Step {
    (cell(variant, mv.from), cell(variant, mv.to), mv.promotion().map(|kind| variant.kind(kind).letter.to_lowercase()))
}

/// cozy-chess lets the king take its own rook to castle; here the king goes two squares.
fn theirs(board: &Board, mv: cozy_chess::Move) -> Step {
    let castles = board.color_on(mv.to) == Some(board.side_to_move());
    let file = match mv.to.file() > mv.from.file() {
        true => File::G,
        false => File::C,
    };
    let to = if castles { cozy_chess::Square::new(file, mv.to.rank()) } else { mv.to };
    (mv.from as usize, to as usize, mv.promotion.map(|piece| piece.to_string()))
}

fn cozy_moves(board: &Board) -> Vec<(Step, cozy_chess::Move)> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set.into_iter().map(|mv| (theirs(board, mv), mv)));
        false
    });
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    moves
}

fn legal(variant: &Variant, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    generate(variant, position, position.side(), Safety::Policy, Filter::ALL, &mut moves);
    moves
}

fn compare_chess(loaded: &Loaded, position: &Position, moves: &[Move], board: &Board) {
    let variant = &loaded.set.variant;
    let text = || fen::write(variant, position);
    let mut mine: Vec<Step> = moves.iter().map(|&mv| ours(variant, mv)).collect();
    mine.sort();
    let other: Vec<Step> = cozy_moves(board).into_iter().map(|(step, _)| step).collect();
    assert_eq!(mine, other, "{}", text());
    assert_eq!(in_check(variant, position, position.side()), !board.checkers().is_empty(), "{}", text());
    let rival = Side(1 - position.side().0);
    assert!(!in_check(variant, position, rival), "{}", text());
}

/// What repetitions are counted by: an en passant right only if it can be used.
fn key(board: &Board) -> String {
    let text = board.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    let passant = cozy_moves(board).iter().any(|(_, mv)| {
        let pawn = board.piece_on(mv.from) == Some(Piece::Pawn);
        pawn && mv.from.file() != mv.to.file() && board.piece_on(mv.to).is_none()
    });
    format!("{} {} {} {}", fields[0], fields[1], fields[2], if passant { fields[3] } else { "-" })
}

/// Whether and how the game has ended by the rules of chess.
fn expected_end(board: &Board, seen: &[String]) -> Option<(Option<u8>, &'static str)> {
    let moves = cozy_moves(board);
    if moves.is_empty() {
        let mate = board.status() == GameStatus::Won;
        let winner = 1 - board.side_to_move() as u8;
        return Some(if mate { (Some(winner), "checkmate") } else { (None, "stalemate") });
    }
    if seen.iter().filter(|past| *past == &seen[seen.len() - 1]).count() >= 3 {
        return Some((None, "repetition"));
    }
    if board.halfmove_clock() >= 100 {
        return Some((None, "move limit"));
    }
    is_dead(board).then_some((None, "dead position"))
}

/// No sequence of moves mates: bare kings, one knight, or bishops on squares of one color only.
fn is_dead(board: &Board) -> bool {
    let few = [Piece::Pawn, Piece::Rook, Piece::Queen].iter().all(|&piece| board.pieces(piece).is_empty());
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    let light = |square: cozy_chess::Square| (square.file() as usize + square.rank() as usize) % 2 == 1;
    let colors: Vec<bool> = bishops.into_iter().map(light).collect();
    let one_color = colors.windows(2).all(|pair| pair[0] == pair[1]);
    few && if knights.is_empty() { one_color } else { knights.len() == 1 && bishops.is_empty() }
}

/// Plays a random game from `start` in both programs side by side, and returns the number of plies.
fn chess_game(loaded: &Loaded, start: &str, random: &mut Random, longest: usize) -> (usize, Option<String>) {
    let mut board = Board::from_fen(start, false).unwrap_or_else(|error| panic!("{start}: {error}"));
    let mut state = State::new(loaded.set.clone(), position(loaded, start)).expect("a game");
    let mut seen = vec![key(&board)];
    for ply in 0..longest {
        let text = || fen::write(&loaded.set.variant, state.position());
        let end = expected_end(&board, &seen);
        let over = state.over().map(|over| (over.winner.map(|side| side.0), over.reason.as_str()));
        assert_eq!(over, end, "after {ply} plies from {start}: {}", text());
        if let Some((_, reason)) = end {
            compare_chess(loaded, state.position(), &legal(&loaded.set.variant, state.position()), &board);
            return (ply, Some(reason.into()));
        }
        let moves: Vec<Move> = state.moves().iter().map(|paid| paid.mv).collect();
        compare_chess(loaded, state.position(), &moves, &board);
        let Some(Event::Move(paid)) = random_event(&state, random) else { panic!("no move in {}", text()) };
        let step = ours(&loaded.set.variant, paid.mv);
        let found = cozy_moves(&board).into_iter().find(|(other, _)| *other == step);
        let Some((_, mv)) = found else { panic!("{step:?} in {}", text()) };
        board.play_unchecked(mv);
        seen.push(key(&board));
        apply(&mut state, &Event::Move(paid));
    }
    (longest, None)
}

/// CH-3 to CH-10: a hundred thousand plies from the array and from the positions of the perft table.
#[test]
fn chess_games_like_cozy_chess() {
    let loaded = load("chess");
    let table = json_lines("perft/chess.jsonl");
    let starts: Vec<&str> = table.iter().filter_map(|case| case["position"].as_str()).collect();
    let mut random = Random::new(2026);
    let (mut plies, mut games) = (0, 0);
    let mut ends = std::collections::BTreeMap::<String, usize>::new();
    while plies < 100_000 {
        let (count, end) = chess_game(&loaded, starts[games % starts.len()], &mut random, 400);
        plies += count;
        games += 1;
        *ends.entry(end.unwrap_or_default()).or_default() += 1;
    }
    println!("{games} games, {plies} plies, ends: {ends:?}");
    for end in ["checkmate", "stalemate", "repetition", "move limit", "dead position"] {
        assert!(ends.contains_key(end), "no game ended by {end}: {ends:?}");
    }
}

/// Random boards are full of checks, pins and promotions that games seldom show.
#[test]
fn chess_boards_like_cozy_chess() {
    let loaded = load("chess");
    let mut random = Random::new(64);
    let (mut boards, mut checks) = (0, 0);
    while boards < 15_000 {
        let text = scattered_chess(&mut random);
        // Refused are boards where the side not to move is in check, which cozy-chess cannot hold.
        let Ok(board) = Board::from_fen(&text, false) else { continue };
        let position = position(&loaded, &text);
        compare_chess(&loaded, &position, &legal(&loaded.set.variant, &position), &board);
        boards += 1;
        checks += usize::from(!board.checkers().is_empty());
    }
    assert!(checks > 1000, "{checks} checks");
}

fn scattered_chess(random: &mut Random) -> String {
    let mut cells = ['.'; 64];
    // Kings are often at home, so that castling happens, and never side by side, which cozy-chess
    // does not refuse.
    let mut kings = [4, 60];
    while random.below(2) == 0 || near(kings) {
        let anywhere = [random.below(64), random.below(64)];
        kings = [*random.pick(&[4, anywhere[0]]), *random.pick(&[60, anywhere[1]])];
    }
    (cells[kings[0]], cells[kings[1]]) = ('K', 'k');
    for (rook, corner) in [('R', 0), ('R', 7), ('r', 56), ('r', 63)] {
        if cells[corner] == '.' && random.below(2) == 0 {
            cells[corner] = rook;
        }
    }
    for _ in 0..2 + random.below(24) {
        let at = random.below(64);
        let piece = *random.pick(&['P', 'P', 'P', 'N', 'B', 'R', 'Q', 'p', 'p', 'p', 'n', 'b', 'r', 'q']);
        let edge = !(8..56).contains(&at);
        if cells[at] == '.' && !(edge && piece.eq_ignore_ascii_case(&'p')) {
            cells[at] = piece;
        }
    }
    let side = *random.pick(&['w', 'b']);
    let rights = [('K', 4, 7, 'R'), ('Q', 4, 0, 'R'), ('k', 60, 63, 'r'), ('q', 60, 56, 'r')];
    let held = rights.iter().filter(|&&(letter, king, rook, piece)| {
        let own = if letter.is_ascii_uppercase() { 'K' } else { 'k' };
        cells[king] == own && cells[rook] == piece
    });
    let castling: String = held.map(|&(letter, ..)| letter).collect();
    let passant = passed_squares(&cells, side);
    let passant = if passant.is_empty() { "-".into() } else { random.pick(&passant).clone() };
    let rows: Vec<String> = (0..8)
        .rev()
        .map(|rank| cells[rank * 8..rank * 8 + 8].iter().map(|&c| if c == '.' { '1' } else { c }).collect())
        .collect();
    format!("{} {side} {} {passant} 0 1", rows.join("/"), if castling.is_empty() { "-" } else { &castling })
}

fn near([a, b]: [usize; 2]) -> bool {
    (a / 8).abs_diff(b / 8) <= 1 && (a % 8).abs_diff(b % 8) <= 1
}

/// Squares that a pawn of the side not to move may have passed in the last move.
fn passed_squares(cells: &[char; 64], side: char) -> Vec<String> {
    let (pawn, from, passed, at) = if side == 'w' { ('p', 6, 5, 4) } else { ('P', 1, 2, 3) };
    let empty = |file: usize, rank: usize| cells[rank * 8 + file] == '.';
    let files = (0..8).filter(|&f| cells[at * 8 + f] == pawn && empty(f, passed) && empty(f, from));
    files.map(|f| format!("{}{}", (b'a' + f as u8) as char, passed + 1)).collect()
}

fn point(variant: &Variant, square: Square) -> Point {
    (i32::from(variant.board().file(square)), i32::from(variant.board().rank(square)))
}

fn compare_xiangqi(loaded: &Loaded, position: &Position, moves: &[Move], grid: &Grid) {
    let variant = &loaded.set.variant;
    let text = || fen::write(variant, position);
    assert_eq!(fen::write(variant, position).split(' ').next(), Some(grid.write().as_str()));
    let mut mine: Vec<(Point, Point)> =
        moves.iter().map(|mv| (point(variant, mv.from), point(variant, mv.to))).collect();
    mine.sort_unstable();
    assert_eq!(mine, grid.legal(position.side().0 == 0), "{}", text());
    for side in [Side(0), Side(1)] {
        assert_eq!(in_check(variant, position, side), grid.in_check(side.0 == 0), "{side:?} in {}", text());
    }
}

/// XQ-3 to XQ-5, XQ-12, XQ-13, by random games.
#[test]
fn xiangqi_games_like_the_reference() {
    let loaded = load("xiangqi");
    let variant = &loaded.set.variant;
    let table = json_lines("perft/xiangqi.jsonl");
    let starts: Vec<&str> = table.iter().filter_map(|case| case["position"].as_str()).collect();
    let mut random = Random::new(90);
    let (mut plies, mut games, mut mates) = (0, 0, 0);
    while plies < 20_000 {
        let start = starts[games % starts.len()];
        let mut state = State::new(loaded.set.clone(), position(&loaded, start)).expect("a game");
        let mut grid = Grid::read(start.split(' ').next().expect("a placement"));
        while state.status() == Status::Move {
            let moves: Vec<Move> = state.moves().iter().map(|paid| paid.mv).collect();
            compare_xiangqi(&loaded, state.position(), &moves, &grid);
            assert!(!moves.is_empty());
            let Some(event @ Event::Move(paid)) = random_event(&state, &mut random) else { panic!("no move") };
            grid = grid.after((point(variant, paid.mv.from), point(variant, paid.mv.to)));
            apply(&mut state, &event);
            plies += 1;
        }
        // XQ-12, XQ-13: without a legal move the player to move has lost.
        let red = state.position().side().0 == 0;
        let over = state.over().expect("an end");
        let stuck = grid.legal(red).is_empty();
        let expected = if grid.in_check(red) { "checkmate" } else { "stalemate" };
        assert_eq!(stuck, ["checkmate", "stalemate"].contains(&over.reason.as_str()), "{over:?} in {grid:?}");
        if stuck {
            let other = Side(u8::from(red));
            assert_eq!((over.winner, over.reason.as_str()), (Some(other), expected), "{grid:?}");
        }
        games += 1;
        mates += usize::from(stuck);
    }
    assert!(mates > 5, "{mates} of {games} games ended by mate");
}

/// Boards that games seldom show; the side not to move may be in check.
#[test]
fn xiangqi_boards_like_the_reference() {
    let loaded = load("xiangqi");
    let mut random = Random::new(91);
    let mut captures_of_generals = 0;
    for _ in 0..5000 {
        let grid = scattered_xiangqi(&mut random);
        for side in ["w", "b"] {
            let position = position(&loaded, &format!("{} {side} - - 0 1", grid.write()));
            let moves = legal(&loaded.set.variant, &position);
            compare_xiangqi(&loaded, &position, &moves, &grid);
            let general = grid.general(side == "b").expect("a general");
            captures_of_generals += moves.iter().filter(|mv| point(&loaded.set.variant, mv.to) == general).count();
        }
    }
    assert!(captures_of_generals > 500, "{captures_of_generals}");
}

fn scattered_xiangqi(random: &mut Random) -> Grid {
    let mut grid = Grid::empty();
    let home = |kind: char, point: Point, red: bool| match kind {
        'K' | 'A' => in_palace(point, red),
        'B' => (point.1 <= 4) == red,
        // A pawn stands at least on the fourth row from its own edge.
        'P' => {
            if red {
                point.1 >= 3
            } else {
                point.1 <= 6
            }
        }
        _ => true,
    };
    let mut place = |kind: char, red: bool, random: &mut Random| loop {
        let at = (random.below(9) as i32, random.below(10) as i32);
        if home(kind, at, red) && grid.at(at) == Some('.') {
            grid.set(at, if red { kind } else { kind.to_ascii_lowercase() });
            return;
        }
    };
    place('K', true, random);
    place('K', false, random);
    for _ in 0..2 + random.below(24) {
        let kind = *random.pick(&['A', 'B', 'N', 'N', 'R', 'R', 'C', 'C', 'P', 'P', 'P']);
        if kind != 'A' || random.below(2) == 0 {
            place(kind, random.below(2) == 0, random);
        }
    }
    grid
}
