"""Shogi against Fairy-Stockfish: drops, promotion and what is forbidden."""

from __future__ import annotations

import random

import astragal
from fairy_stockfish import FairyStockfish, described
from placements import compare_games
from report import SCRIPTS, Comparison


MATES = "mates by a dropped pawn that only Fairy-Stockfish permits"


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares so many positions of random games."""
    result = described(
        "Shogi",
        "scripts/shogi.rhai",
        "the placements and hands that the legal moves lead to, and whether legal moves exist",
        "Repetition and impasse are left out. Fairy-Stockfish permits some mates by a dropped pawn, which shogi forbids. The script and "
        "python-shogi reject these mates, and the test counts them separately.",
    )
    game = astragal.load(SCRIPTS / "shogi.rhai")
    engine = FairyStockfish("shogi")

    def excuse(fen: str, moves: list[str]) -> str | None:
        after = engine.after_moves(fen)
        mates = all(move.startswith("P@") and engine.in_check(after[move]) and not engine.after_moves(after[move]) for move in moves)
        return MATES if mates else None

    compare_games(result, game, engine, positions, random.Random(seed), progress, excuse)
    return result
