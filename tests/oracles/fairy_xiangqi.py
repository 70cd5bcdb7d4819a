"""Xiangqi against Fairy-Stockfish."""

from __future__ import annotations

import random

import astragal
from fairy_stockfish import FairyStockfish, described
from placements import compare_games
from report import Comparison


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares so many positions of random games."""
    result = described(
        "Xiangqi",
        "xiangqi",
        "the placements that the legal moves lead to, and whether legal moves exist",
        "The rules about repetition are switched off, because associations treat perpetual chasing differently. The limit on moves "
        "without a capture is switched off too.",
    )
    game = astragal.load("xiangqi", {"repetition": "off", "capture_limit": "off"})
    compare_games(result, game, FairyStockfish("xiangqi"), positions, random.Random(seed), progress)
    return result
