"""Board games with pieces and dice, each written as one script: play, simulate, search, and train.

>>> import astragal
>>> game = astragal.load("dice-chess")
>>> state = game.new_initial_state(seed=7)
>>> while not state.is_terminal():
...     if state.is_chance_node():
...         state.apply_action(state.sample_chance())
...     else:
...         state.apply_action(state.legal_actions()[0])
>>> sum(state.returns())
0.0

Where possible, names are the same as in OpenSpiel. Some features are in separate modules, which require other packages: the adapters
``astragal.openspiel``, ``astragal.gymnasium`` and ``astragal.pettingzoo``, ``astragal.ray`` (simulations on a cluster), and
``astragal.data`` (games as Arrow and Parquet). To install them, run ``pip install astragal[openspiel]``, for example.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

from astragal._native import (
    AstragalError,
    Diagnostic,
    Game,
    IllegalAction,
    Network,
    Outcome,
    Part,
    PositionError,
    RuleError,
    ScriptError,
    State,
    Training,
    Turn,
    Vector,
    __version__,
    check,
    interval,
    load,
    merge,
    names,
)

__all__ = [
    "CHANCE_PLAYER",
    "TERMINAL_PLAYER",
    "AstragalError",
    "Diagnostic",
    "Game",
    "IllegalAction",
    "Network",
    "Outcome",
    "Part",
    "PositionError",
    "RuleError",
    "ScriptError",
    "State",
    "Training",
    "Turn",
    "Vector",
    "__version__",
    "check",
    "interval",
    "load",
    "match",
    "merge",
    "names",
]

#: The value of ``State.current_player`` at a chance node.
CHANCE_PLAYER = -1
#: The value of ``State.current_player`` after the end of the game.
TERMINAL_PLAYER = -4


def match(
    first: str,
    second: str,
    game: Game,
    games: int,
    *,
    seed: int = 1,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]:
    """Plays a match between two players, half of the games with sides swapped, and counts the wins.

    ``first`` and ``second`` are ``"random"``, ``"greedy"``, ``"computer:1"`` to ``"computer:8"``, or ``"learned:FILE"``.
    ``"wins"`` has the number of games that each player won, and ``"draws"`` the number of the other games. ``"intervals"`` has the 95%
    interval of each player's chance of winning. ``"reports"`` has the reports of both halves, as ``Game.simulate`` returns them.

    >>> import astragal
    >>> result = astragal.match("greedy", "random", astragal.load("dice-chess"), 20)
    >>> sum(result["wins"]) + result["draws"]
    20

    Raises:
        ValueError: if there is no such player, the game does not have two sides, or ``games`` is less than two.
    """
    if game.num_players() != 2:
        raise ValueError(f"a match needs a game of two sides: {game.name} has {game.num_players()} sides")
    if games < 2:
        raise ValueError("a match needs at least two games, one for each side")
    half = games // 2
    told = 0

    def so_far(done: int) -> object:
        return progress(told + done) if progress else None

    reports: list[dict[str, Any]] = []
    wins = [0, 0]
    for players, count in (((first, second), games - half), ((second, first), half)):
        report = game.simulate(
            count,
            players=list(players),
            seed=seed,
            threads=threads,
            # Only the winners matter here.
            luck=False,
            first=told,
            progress=so_far if progress else None,
        )
        told += count
        # In the second half, the players have swapped sides.
        order = (0, 1) if not reports else (1, 0)
        for player, seat in zip(order, ("first", "second")):
            wins[player] += int(report["results"][seat]["count"])
        reports.append(report)
    return {
        "players": [first, second],
        "games": games,
        "wins": wins,
        "intervals": [interval(count, games) for count in wins],
        "draws": games - sum(wins),
        "reports": reports,
    }


def _restore_game(name: str, options: dict[str, str], script: str, tables: Sequence[PathLike[str]] = ()) -> Game:
    """Restores a pickled game. The files of its tables must still exist."""
    game = load(name, options, text=script)
    return game.with_tables(*tables) if tables else game


def _restore_state(game: Game, text: str) -> State:
    """Restores a pickled state."""
    return game.deserialize_state(text)
