"""Games as tables, in Arrow and Parquet formats, for DuckDB, pandas and other tools.

>>> import astragal, astragal.data
>>> table = astragal.data.table(astragal.load("dice-chess"), 20, seed=1)
>>> table.num_rows, table.column_names[:3]
(20, ['game', 'winner', 'reason'])

Each row is a game, with the columns of ``Game.rows``. Here, ``labels`` and ``counters`` are JSON strings. Requires
``pip install astragal[data]``, which also installs DuckDB.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-not-found, import-untyped, unused-ignore]

import astragal

#: The key of a table's metadata that describes the simulation of the games.
_SIMULATION = b"astragal"


def table(
    game: astragal.Game,
    games: int | range,
    *,
    players: Sequence[str] | None = None,
    seed: int = 1,
    threads: int = 1,
    max_plies: int = 2000,
    position: str | None = None,
    progress: Callable[[int], object] | None = None,
) -> pa.Table:
    """Plays games and returns their rows as an Arrow table.

    The metadata of its schema describes the simulation as JSON, under ``astragal``: script, options, players, seed and version.

    Args:
        games: the number of games, or a range of game numbers. A row takes up about 100 bytes.

    The other arguments and the exceptions are those of ``Game.simulate``.
    """
    rows = game.rows(
        games,
        players=players,
        seed=seed,
        threads=threads,
        max_plies=max_plies,
        position=position,
        progress=progress,
    )
    # Columns whose names depend on the script are stored as JSON, so all tables have the same columns.
    for name in ("labels", "counters"):
        rows[name] = [json.dumps(value) for value in rows[name]]
    words, counts, text = pa.dictionary(pa.int32(), pa.string()), pa.uint32(), pa.string()
    kinds = {"game": pa.uint64(), "winner": words, "reason": words, "first_roll": pa.list_(pa.int16())}
    kinds |= {"digest": text, "labels": text, "counters": text}
    schema = pa.schema([(name, kinds.get(name, counts)) for name in rows])
    simulation = _simulation(game, players, seed, max_plies, position)
    return pa.table(rows, schema=schema.with_metadata({_SIMULATION: simulation}))


def write(
    folder: str | PathLike[str],
    game: astragal.Game,
    games: int,
    *,
    per_file: int = 100_000,
    players: Sequence[str] | None = None,
    seed: int = 1,
    threads: int = 1,
    max_plies: int = 2000,
    position: str | None = None,
    progress: Callable[[int], object] | None = None,
) -> list[Path]:
    """Plays games and writes their rows to a folder as Parquet: ``games-0-100000.parquet`` and so on.

    Each file appears only when it is complete. Files that exist are not played again, so an interrupted call can continue.

    Args:
        folder: the folder, which is created if necessary.
        per_file: the number of games per file, which is also the number in memory at a time.
        progress: called with the number of finished games, including existing ones.

    The other arguments are those of ``Game.simulate``.

    Returns:
        The files, in the order of their games.

    Raises:
        ValueError: as ``Game.simulate``, and if a file in the folder belongs to a different simulation.
        OSError: if a file cannot be written.
    """
    if games < 1 or per_file < 1:
        raise ValueError("games and per_file must be at least 1")
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    simulation = _simulation(game, players, seed, max_plies, position)
    files: list[Path] = []
    for start in range(0, games, per_file):
        numbers = range(start, min(start + per_file, games))
        file = place / f"games-{numbers.start}-{numbers.stop}.parquet"
        files.append(file)
        if file.exists():
            if (pq.read_schema(file).metadata or {}).get(_SIMULATION) != simulation:
                raise ValueError(f"{file} belongs to a different simulation: pass another folder")
        else:
            played = table(
                game,
                numbers,
                players=players,
                seed=seed,
                threads=threads,
                max_plies=max_plies,
                position=position,
                progress=_from(start, progress) if progress else None,
            )
            beside = file.with_name(f"{file.name}.{os.getpid()}.part")
            pq.write_table(played, beside, compression="zstd")
            beside.replace(file)
        if progress is not None:
            progress(numbers.stop)
    return files


def _from(start: int, progress: Callable[[int], object]) -> Callable[[int], object]:
    """Adds the games of earlier files to the progress."""
    return lambda done: progress(start + done)


def _simulation(
    game: astragal.Game, players: Sequence[str] | None, seed: int, max_plies: int, position: str | None
) -> bytes:
    """The settings of a simulation for the metadata: everything a game depends on except its number."""
    seats = ["random"] if players is None else list(players)
    known: dict[str, Any] = {
        "engine": astragal.__version__,
        "variant": game.name,
        "options": game.options,
        # A single player plays all sides.
        "players": seats * game.num_players() if len(seats) == 1 else seats,
        "seed": seed,
        "max_plies": max_plies,
        "position": position,
        "script": game.script,
    }
    return json.dumps(known, sort_keys=True).encode()
