"""Fairy-Stockfish as a judge, by its library pyffish."""

from __future__ import annotations

from importlib.metadata import version

import pyffish
from report import Comparison


class FairyStockfish:
    """A variant of Fairy-Stockfish by its name there."""

    def __init__(self, variant: str):
        self.name = variant

    def start(self) -> str:
        return pyffish.start_fen(self.name)

    def after_moves(self, fen: str) -> dict[str, str]:
        return {move: pyffish.get_fen(self.name, fen, [move]) for move in pyffish.legal_moves(self.name, fen, [])}

    def in_check(self, fen: str) -> bool:
        return pyffish.gives_check(self.name, fen, [])


def described(game: str, script: str, what: str, remarks: str) -> Comparison:
    """An empty result."""
    return Comparison(
        game=game,
        script=script,
        oracle="Fairy-Stockfish",
        version=f"(pyffish {version('pyffish')})",
        licence="GPL-3.0-or-later",
        what=what,
        remarks=remarks,
    )
