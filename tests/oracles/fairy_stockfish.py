"""Games against Fairy-Stockfish by its library pyffish: the placements, hands included, that the legal moves of a position lead to."""

from __future__ import annotations

import random
import re
from importlib.metadata import version
from pathlib import Path

import astragal
import pyffish
from report import Comparison

SCRIPTS = Path(__file__).parent / "scripts"


def ours(position: str) -> str:
    """A position of a script without what both sides write in their own way: placement and hands, then the side."""
    placement, side = position.split(" ")[:2]
    board, _, hands = placement.rstrip("]").partition("[")
    held = "".join(of * int(number or 1) for number, of in re.findall(r"(\d*)(\D)", hands.replace("-", "")))
    return f"{board}[{''.join(sorted(held))}] {side}"


def compare_games(result: Comparison, game: astragal.Game, variant: str, positions: int, chance: random.Random, progress) -> None:
    """Compares the positions of random games until so many are counted. Games of more than 200 moves are left."""
    while result.counts.get("positions", 0) < positions:
        fen = pyffish.start_fen(variant)
        result.count("games")
        state = game.new_initial_state()
        for _ in range(200):
            if result.counts.get("positions", 0) >= positions:
                return
            moves = pyffish.legal_moves(variant, fen, [])
            expected = {}
            for move in moves:
                after = pyffish.get_fen(variant, fen, [move])
                expected.setdefault(ours(after), after)
            found = {}
            for action in [] if state.is_terminal() else state.legal_actions():
                after = state.clone()
                after.apply_action(action)
                found.setdefault(ours(after.position), after)
            result.count("positions")
            result.count("placements after moves", len(expected))
            result.count("positions in check", int(pyffish.gives_check(variant, fen, [])))
            result.count("moves that drop a piece", sum("@" in move for move in moves))
            result.count("moves that promote", sum(move.endswith("+") for move in moves))
            progress(result.counts["positions"], positions)
            if set(expected) != set(found):
                apart = sorted(set(expected) ^ set(found))
                result.differ(f"{variant}: {fen}: {'; '.join(apart[:3])}")
                break
            if not expected:
                result.count("mates and stalemates")
                break
            key = chance.choice(sorted(expected))
            fen, state = expected[key], found[key]


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
