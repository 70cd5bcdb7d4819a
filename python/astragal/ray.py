"""Simulations on a Ray cluster, or on all processors of one machine. Each shard is a task, and the result is one report.

>>> import astragal, astragal.ray                                          # doctest: +SKIP
>>> game = astragal.load("dice-chess")                                     # doctest: +SKIP
>>> report = astragal.ray.simulate(game, games=10**7, shards=500, folder="parts")   # doctest: +SKIP

Ray decides where a task runs, and restarts it if its worker dies. The report is identical to that of ``Game.simulate``, byte for byte.
Requires ``pip install astragal[ray]`` on all machines.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from os import PathLike
from typing import Any

import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]

import astragal

#: The number of tasks that Ray has at a time: enough to let a cluster grow, and few enough to stay readable in the dashboard.
_HANDED = 1000
#: The number of shards per processor, unless the caller sets ``shards``.
_SHARDS_EACH = 16


def simulate(
    game: astragal.Game,
    games: int,
    *,
    shards: int | None = None,
    folder: str | PathLike[str] | None = None,
    players: Sequence[str] | None = None,
    seed: int = 1,
    max_plies: int = 2000,
    position: str | None = None,
    luck: bool | None = None,
    lines: bool = False,
    retries: int = 3,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]:
    """Plays games in shards, each as a Ray task on its own processor, and merges them into one report.

    Starts Ray, or connects to it like ``ray.init()``, if necessary.

    Args:
        game: the game to play.
        games: the number of games.
        shards: the number of parts; by default, 16 for each processor of the cluster. If a worker dies, only the time of its
            shard is lost.
        folder: a folder for the parts, on the calling machine. Workers send their parts to that machine, so no shared disk is
            needed. Parts that exist in the folder are not played again, even if ``shards`` was different. By default, parts
            are kept in memory, and are lost if the call is interrupted.
        retries: how many times a shard is played again if its worker dies; -1 for no limit.
        progress: called after each shard with the number of finished games, including existing ones.

    The other arguments are those of ``Game.simulate``.

    Raises:
        ValueError: if there are no games to play, an argument is invalid, or the folder has parts that overlap or belong to a
            different simulation.
        OSError: if a part cannot be written.
        ray.exceptions.RayError: if a worker dies more than ``retries`` times. The parts in the folder remain, and the next
            call continues from them.
        Exception: any exception that ``Game.simulate`` raises in a worker.
    """
    if games < 1:
        raise ValueError("games must be at least 1")
    if shards is not None and shards < 1:
        raise ValueError("shards must be at least 1")
    setting: dict[str, Any] = {
        "players": None if players is None else list(players),
        "seed": seed,
        "max_plies": max_plies,
        "position": position,
        "luck": luck,
        "lines": lines,
    }
    kept = [] if folder is None else game.find_parts(folder, **setting)
    parts = [part for part in kept if part.games.start < games]
    gaps = list(_gaps(games, [part.games for part in parts]))
    if not ray.is_initialized():
        ray.init()
    if shards is None:
        resources: Callable[[], dict[str, float]] = ray.cluster_resources
        shards = _SHARDS_EACH * int(resources().get("CPU", 1))
    shards = min(shards, games)
    done = games - sum(len(gap) for gap in gaps)
    if progress is not None and done:
        progress(done)
    with closing(_played(game, _cut(gaps, games, shards), setting, retries)) as played:
        for part in played:
            if folder is not None:
                part.write(folder)
            parts.append(part)
            done += len(part.games)
            if progress is not None:
                progress(done)
    return astragal.merge(*parts)


def _gaps(games: int, known: Iterable[range]) -> Iterator[range]:
    """The games that no part contains; ``known`` is in order."""
    end = 0
    for part in known:
        if part.start < end:
            raise ValueError(f"games {part.start}..{min(end, part.stop)} occur twice")
        if part.start > end:
            yield range(end, part.start)
        end = part.stop
    if end > games:
        raise ValueError(f"a part ends after game {games}: request {end} games, or use another folder")
    if end < games:
        yield range(end, games)


def _cut(gaps: Iterable[range], games: int, shards: int) -> Iterator[range]:
    """The games to play, split at the boundaries of the shards."""
    for gap in gaps:
        start = gap.start
        while start < gap.stop:
            # The end of the shard that this game is in: shard k begins at k * games // shards.
            shard = ((start + 1) * shards - 1) // games
            stop = min(gap.stop, (shard + 1) * games // shards)
            yield range(start, stop)
            start = stop


def _play(game: astragal.Game, games: range, setting: dict[str, Any]) -> astragal.Part:
    """The task of a worker."""
    return game.simulate_part(games, **setting)


def _played(
    game: astragal.Game, shards: Iterator[range], setting: dict[str, Any], retries: int
) -> Generator[astragal.Part, None, None]:
    """The parts as they arrive. After an error or Ctrl-C, the remaining tasks are canceled."""
    task = ray.remote(_play)
    shared = ray.put(game)

    def hand(games: range) -> Any:
        name = f"astragal {games.start}..{games.stop}"
        return task.options(name=name, num_cpus=1, max_retries=retries).remote(shared, games, setting)

    waiting = [hand(games) for games in islice(shards, _HANDED)]
    try:
        while waiting:
            ready, waiting = ray.wait(waiting, num_returns=1)
            try:
                part: astragal.Part = ray.get(ready[0])
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            waiting.extend(hand(games) for games in islice(shards, 1))
            yield part
    finally:
        for reference in waiting:
            ray.cancel(reference)
