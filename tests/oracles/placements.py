"""Compares games by what their moves lead to: the placements, hands included, that the legal moves of a position reach.

The words for a move differ from engine to engine; what stands on the board after it does not.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Protocol

import astragal
from report import Comparison

# Longer games are left: what is new happens before.
MOST_MOVES = 200


class Engine(Protocol):
    """An engine that judges a game. Positions are FEN as this engine writes it."""

    name: str

    def start(self) -> str:
        """The position a game begins with."""

    def after_moves(self, fen: str) -> dict[str, str]:
        """The position after each legal move, by the move."""

    def in_check(self, fen: str) -> bool:
        """Whether the side to move is in check."""


Excuse = Callable[[str, list[str]], "str | None"]
"""Why an engine is known to permit more than the rules: asked with a position and the moves that it alone permits; `None` if that
is a difference."""


def none(fen: str, moves: list[str]) -> None:
    """No excuse."""


def plain(position: str) -> str:
    """A position without what each side writes in its own way: placement, sorted hands and the side to move."""
    placement, side = position.split(" ")[:2]
    board, _, hands = placement.rstrip("]").partition("[")
    held = "".join(of * int(number or 1) for number, of in re.findall(r"(\d*)(\D)", hands.replace("-", "")))
    return f"{board}[{''.join(sorted(held))}] {side}"


def compare_games(
    result: Comparison, game: astragal.Game, engine: Engine, positions: int, chance: random.Random, progress, excuse: Excuse = none
) -> None:
    """Compares the positions of random games until `result` counts so many."""
    while result.counts.get("positions", 0) < positions:
        fen = engine.start()
        result.count("games")
        state = game.new_initial_state()
        for _ in range(MOST_MOVES):
            if result.counts.get("positions", 0) >= positions:
                return
            after = engine.after_moves(fen)
            expected = {plain(reached): reached for reached in after.values()}
            found = {}
            for action in [] if state.is_terminal() else state.legal_actions():
                reached = state.clone()
                reached.apply_action(action)
                found[plain(reached.position)] = reached
            result.count("positions")
            result.count("placements after moves", len(expected))
            result.count("positions in check", int(engine.in_check(fen)))
            result.count("moves that drop a piece", sum("@" in move or "*" in move for move in after))
            result.count("moves that promote", sum(move.endswith("+") for move in after))
            progress(result.counts["positions"], positions)
            if set(expected) != set(found):
                theirs = [move for move, reached in after.items() if plain(reached) not in found]
                ours = sorted(set(found) - set(expected))
                why = None if ours else excuse(fen, theirs)
                if why is None:
                    apart = [f"{engine.name} alone: {move}" for move in theirs[:3]] + [f"script alone: {reached}" for reached in ours[:3]]
                    result.differ(f"{fen}: {'; '.join(apart)}")
                    break
                result.count(why)
                expected = {key: reached for key, reached in expected.items() if key in found}
            if not expected:
                result.count("mates and stalemates")
                break
            key = chance.choice(sorted(expected))
            fen, state = expected[key], found[key]
