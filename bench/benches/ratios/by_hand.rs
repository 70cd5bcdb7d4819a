//! The baselines on cozy-chess: Dice Chess written by hand, random chess, and perft.

use astragal_core::Stream;
use cozy_chess::*;
use std::ops::Range;

#[path = "../../../core/tests/common/cozy.rs"]
mod cozy;

pub use cozy::perft;

/// Plays random games of Dice Chess; returns games and plies. The rules are those of the script's default options. In a
/// turn after an unanswered check, castling and underpromotion are left out, because cozy-chess cannot represent such
/// positions.
pub fn dice_chess(seeds: Range<u64>, cap: u32) -> (u64, u64) {
    let (mut games, mut plies) = (0, 0);
    let (mut hashes, mut list) = (Vec::new(), Vec::with_capacity(18));
    for seed in seeds {
        let mut draw = Stream::new(seed, 0);
        let mut board = Board::default();
        hashes.clear();
        hashes.push(board.hash());
        // The side to move is in check and has lost its turn: the other side moves.
        let mut exposed = false;
        let mut made = 0;
        while made < cap && (exposed || board.generate_moves(|_| true)) && !drawn(&board, &hashes) {
            let dice = (draw.below(6) as usize, draw.below(6) as usize);
            if exposed {
                match against_king(&board, dice, &mut draw) {
                    Reply::None => board = without_en_passant(board),
                    Reply::Over => {
                        made += 1;
                        break;
                    }
                    Reply::Goes(next) => {
                        board = next;
                        hashes.push(board.hash());
                        made += 1;
                    }
                }
                exposed = false;
                continue;
            }
            match choose(&board, dice, &mut draw, &mut list) {
                Some(mv) => {
                    board.play_unchecked(mv);
                    hashes.push(board.hash());
                    made += 1;
                }
                None => {
                    let clock = board.halfmove_clock();
                    match board.null_move() {
                        Some(next) => {
                            board = next;
                            board.set_halfmove_clock(clock);
                        }
                        None => exposed = true,
                    }
                }
            }
        }
        plies += u64::from(made);
        games += 1;
    }
    (games, plies)
}

fn drawn(board: &Board, hashes: &[u64]) -> bool {
    let clock = board.halfmove_clock() as usize;
    let since = &hashes[hashes.len().saturating_sub(clock + 1)..];
    let now = hashes.last();
    since.iter().filter(|hash| Some(*hash) == now).count() >= 3 || clock >= 100 || board.occupied().len() == 2
}

/// A random move among those that the dice permit.
fn choose(board: &Board, (a, b): (usize, usize), draw: &mut Stream, list: &mut Vec<PieceMoves>) -> Option<Move> {
    list.clear();
    let mut total = 0;
    let mut add = |moves: PieceMoves| {
        total += moves.len();
        list.push(moves);
        false
    };
    if a == b {
        board.generate_moves(add);
    } else {
        let king = board.pieces(Piece::King);
        let mut mask = board.pieces(Piece::ALL[a]) | board.pieces(Piece::ALL[b]);
        let castling_only = (a == 3 || b == 3) && (mask & king).is_empty();
        if castling_only {
            mask |= king;
        }
        let own = board.colors(board.side_to_move());
        board.generate_moves_for(mask, |mut moves| {
            if castling_only && moves.piece == Piece::King {
                moves.to &= own;
            }
            add(moves)
        });
    }
    if total == 0 {
        return None;
    }
    let mut pick = draw.below(total as u64) as usize;
    for moves in list.iter() {
        if pick < moves.len() {
            return moves.into_iter().nth(pick);
        }
        pick -= moves.len();
    }
    None
}

enum Reply {
    None,
    Over,
    Goes(Board),
}

/// A random move of the side that is not to move; it may capture the king.
fn against_king(board: &Board, (a, b): (usize, usize), draw: &mut Stream) -> Reply {
    let side = !board.side_to_move();
    let (own, enemies, occupied) = (board.colors(side), board.colors(!side), board.occupied());
    let mut moves = Vec::new();
    for from in own {
        let Some(piece) = board.piece_on(from) else { continue };
        if a != b && piece != Piece::ALL[a] && piece != Piece::ALL[b] {
            continue;
        }
        let targets = match piece {
            Piece::Pawn => get_pawn_quiets(from, side, occupied) | get_pawn_attacks(from, side) & enemies,
            Piece::Knight => get_knight_moves(from),
            Piece::Bishop => get_bishop_moves(from, occupied),
            Piece::Rook => get_rook_moves(from, occupied),
            Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
            Piece::King => get_king_moves(from),
        };
        for to in targets & !own {
            let king = if piece == Piece::King { to } else { board.king(side) };
            let after = (occupied ^ from.bitboard()) | to.bitboard();
            if to == board.king(!side) || !attacked(board, king, !side, after, to.bitboard()) {
                moves.push((piece, from, to));
            }
        }
    }
    if moves.is_empty() {
        return Reply::None;
    }
    let (piece, from, to) = moves[draw.below(moves.len() as u64) as usize];
    if to == board.king(!side) {
        return Reply::Over;
    }
    let last = matches!(to.rank(), Rank::First | Rank::Eighth);
    let becomes = if piece == Piece::Pawn && last { Piece::Queen } else { piece };
    let mut next = BoardBuilder::from_board(board);
    *next.square_mut(from) = None;
    *next.square_mut(to) = Some((becomes, side));
    next.en_passant = None;
    let quiet = piece != Piece::Pawn && !enemies.has(to);
    next.halfmove_clock = if quiet { (board.halfmove_clock() + 1).min(100) } else { 0 };
    for color in Color::ALL {
        let home = Rank::First.relative_to(color);
        let rights = *board.castle_rights(color);
        let gone = |file: File| [from, to].contains(&Square::new(file, home));
        let king_gone = gone(board.king(color).file()) && board.king(color).rank() == home;
        let kept = |file: Option<File>| file.filter(|&file| !king_gone && !gone(file));
        *next.castle_rights_mut(color) = CastleRights { short: kept(rights.short), long: kept(rights.long) };
    }
    // Three pieces can give check at once, which cozy-chess considers impossible: the game ends there.
    next.build().map_or(Reply::Over, Reply::Goes)
}

fn attacked(board: &Board, square: Square, by: Color, occupied: BitBoard, gone: BitBoard) -> bool {
    let of = |piece| board.colored_pieces(by, piece) & !gone;
    let queens = of(Piece::Queen);
    !(get_knight_moves(square) & of(Piece::Knight)
        | get_bishop_moves(square, occupied) & (of(Piece::Bishop) | queens)
        | get_rook_moves(square, occupied) & (of(Piece::Rook) | queens)
        | get_pawn_attacks(square, !by) & of(Piece::Pawn)
        | get_king_moves(square) & of(Piece::King))
    .is_empty()
}

fn without_en_passant(board: Board) -> Board {
    if board.en_passant().is_none() {
        return board;
    }
    let mut next = BoardBuilder::from_board(&board);
    next.en_passant = None;
    next.build().unwrap_or(board)
}

/// Plays random legal games of chess; returns their plies.
pub fn random_chess(seeds: Range<u64>, cap: u32) -> u64 {
    let mut plies = 0;
    let mut list = Vec::with_capacity(18);
    for seed in seeds {
        let mut draw = Stream::new(seed, 0);
        let mut board = Board::default();
        for _ in 0..cap {
            match choose(&board, (0, 0), &mut draw, &mut list) {
                Some(mv) if board.halfmove_clock() < 100 => board.play_unchecked(mv),
                _ => break,
            }
            plies += 1;
        }
    }
    plies
}
