"""Shogi against python-shogi, which shares nothing with Fairy-Stockfish."""

from __future__ import annotations

import random
from importlib.metadata import version

import astragal
import shogi
from placements import compare_games
from report import SCRIPTS, Comparison


class PythonShogi:
    """python-shogi; SFEN names the sides the other way round and writes hands behind them."""

    name = "shogi"

    def start(self) -> str:
        return fen_of(shogi.Board())

    def after_moves(self, fen: str) -> dict[str, str]:
        board = board_of(fen)
        after = {}
        for move in list(board.legal_moves):
            board.push(move)
            after[move.usi()] = fen_of(board)
            board.pop()
        return after

    def in_check(self, fen: str) -> bool:
        return board_of(fen).is_check()


OTHER = {"b": "w", "w": "b"}


def fen_of(board: shogi.Board) -> str:
    """A position with the hands in brackets, as Fairy-Stockfish and our scripts write it."""
    placement, side, hands, number = board.sfen().split(" ")
    return f"{placement}[{hands}] {OTHER[side]} {number}"


def board_of(fen: str) -> shogi.Board:
    """The board of a position as `fen_of` writes it."""
    placement, side, number = fen.split(" ")
    squares, _, hands = placement.rstrip("]").partition("[")
    return shogi.Board(f"{squares} {OTHER[side]} {hands} {number}")


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares so many positions of random games."""
    result = Comparison(
        game="Shogi",
        script="scripts/shogi.rhai",
        oracle="python-shogi",
        version=version("python-shogi"),
        licence="GPL-3.0-or-later",
        what="the placements and hands that the legal moves lead to, and whether legal moves exist",
        remarks="Repetition and impasse are left out.",
    )
    game = astragal.load(SCRIPTS / "shogi.rhai")
    compare_games(result, game, PythonShogi(), positions, random.Random(seed), progress)
    return result
