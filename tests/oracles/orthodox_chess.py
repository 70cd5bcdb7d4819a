"""Chess against python-chess: what may be played, how it is written, what it leads to and how games end."""

from __future__ import annotations

import random

import astragal
import chess
from report import Comparison

# The numbers of sequences of moves from positions that Chess Programming Wiki lists under "Perft Results".
PERFT = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": 3,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": 3,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": 4,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": 3,
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": 3,
}


def end_of(board: chess.Board) -> str:
    """How the game has ended by python-chess, in the words of the script; an empty text while it goes on."""
    if not any(board.legal_moves):
        return "checkmate" if board.is_check() else "stalemate"
    if board.is_repetition(3):
        return "repetition"
    if board.halfmove_clock >= 100:
        return "move limit"
    return "dead position" if board.is_insufficient_material() else ""


def perft(board: chess.Board, depth: int) -> int:
    """How many sequences of so many legal moves there are."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes


def ours(state: astragal.State, depth: int) -> int:
    """The same by the script, move by move."""
    if depth == 1:
        return len(state.legal_actions())
    nodes = 0
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        nodes += ours(after, depth - 1)
    return nodes


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares so many positions of random games."""
    result = Comparison(
        game="Chess",
        script="chess",
        oracle="python-chess",
        version=chess.__version__,
        licence="GPL-3.0-or-later",
        what="the legal moves in SAN, with check and mate; the position after each move as FEN; the results of games; perft",
        remarks="A quarter of the games begin from positions with few pieces, so that games end in every possible way. The test checks for "
        "these ends in the same order as the script: mate and stalemate, repetition, the move limit, dead positions. In python-chess, "
        "players must claim a draw by threefold repetition or the fifty-move rule. The test claims these draws immediately.",
    )
    game = astragal.load("chess")
    chance = random.Random(seed)
    while result.counts.get("positions", 0) < positions:
        start = chess.STARTING_FEN if chance.random() < 0.75 else few_pieces(chance)
        board, state = chess.Board(start), game.new_initial_state(position=start)
        while result.counts.get("positions", 0) < positions:
            result.count("positions")
            progress(result.counts["positions"], positions)
            end, told = end_of(board), state.result or ""
            if bool(end) != state.is_terminal() or end not in told.lower():
                result.differ(f"{board.fen()}: {end or 'goes on'}, not {told or 'going on'}")
                break
            if end:
                result.count(f"games ended by {end}")
                break
            moves = {board.san(move): move for move in board.legal_moves}
            actions = {state.action_to_string(action): action for action in state.legal_actions()}
            result.count("legal moves", len(moves))
            result.count("positions in check", int(board.is_check()))
            result.count("castling moves", sum(san.startswith("O-O") for san in moves))
            result.count("en passant captures", sum(board.is_en_passant(move) for move in moves.values()))
            result.count("promotions", sum("=" in san for san in moves))
            result.count("checkmating moves", sum(san.endswith("#") for san in moves))
            if set(moves) != set(actions):
                result.differ(f"{board.fen()}: {sorted(set(moves) ^ set(actions))}")
                break
            san = chance.choice(sorted(moves))
            board.push(moves[san])
            state.apply_action(actions[san])
            if board.fen(en_passant="fen") != state.position:
                result.differ(f"{board.fen(en_passant='fen')}, not {state.position}")
                break
    for start, depth in PERFT.items():
        expected = perft(chess.Board(start), depth)
        result.count("sequences of moves (perft)", expected)
        if ours(game.new_initial_state(position=start), depth) != expected:
            result.differ(f"{start}, perft {depth}")
    return result


def few_pieces(chance: random.Random) -> str:
    """A legal position of two kings and up to three other pieces."""
    while True:
        board = chess.Board(None)
        squares = chance.sample(chess.SQUARES, 2 + chance.randint(0, 3))
        pieces = [chess.Piece(chess.KING, chess.WHITE), chess.Piece(chess.KING, chess.BLACK)]
        while len(pieces) < len(squares):
            pieces.append(chess.Piece(chance.randint(chess.PAWN, chess.QUEEN), chance.random() < 0.5))
        for square, piece in zip(squares, pieces):
            board.set_piece_at(square, piece)
        board.turn = chance.random() < 0.5
        if board.is_valid():
            return board.fen()
