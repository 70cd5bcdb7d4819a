"""Shogi against Fairy-Stockfish: drops, promotion and what is forbidden."""

from __future__ import annotations

import random

import astragal
from fairy_stockfish import SCRIPTS, compare_games, described
from report import Comparison


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares so many positions of random games."""
    result = described(
        "Shogi",
        "scripts/shogi.rhai",
        "the placements and hands that the legal moves lead to, and whether there are any",
        "Repetition and impasse are left out.",
    )
    game = astragal.load(SCRIPTS / "shogi.rhai")
    compare_games(result, game, "shogi", positions, random.Random(seed), progress)
    return result
