"""Which opening rolls win? Plays King for 2, writes the games as Parquet, and queries them with DuckDB.

    python opening_rolls.py [GAMES [FOLDER]]

Both players are greedy, so the rolls matter more than for players who decide at random. Requires astragal[data].
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import duckdb

import astragal
import astragal.data


class Roll(NamedTuple):
    """An opening roll, with the first player's mean score after it."""

    faces: list[int]
    games: int
    score: float
    low: float
    high: float


# A win counts as 1 and a draw as 0.5. The order of the dice does not matter.
SCORES = """
    with games as (
        select list_sort(first_roll) as faces,
               case when winner = $first then 1.0 when winner is null then 0.5 else 0.0 end as score
        from read_parquet($files)
    )
    select faces, count(*), avg(score) from games group by faces order by avg(score) desc, faces
"""


def opening_rolls(folder: str, game: astragal.Game, games: int, threads: int = 1) -> list[Roll]:
    """All opening rolls, best first, with intervals that hold simultaneously with 95% confidence (Bonferroni)."""

    def roll(faces: list[int], count: int, score: float) -> Roll:
        # The Wilson interval, which is slightly too wide if games are drawn.
        shrink = 1 + wide**2 / count
        middle = (score + wide**2 / (2 * count)) / shrink
        half = wide * math.sqrt(score * (1 - score) / count + wide**2 / (4 * count**2)) / shrink
        return Roll(faces, count, score, middle - half, middle + half)

    files = astragal.data.write(folder, game, games, players=["greedy"], seed=1, threads=threads)
    known = duckdb.execute(SCORES, {"first": game.players[0], "files": [str(file) for file in files]}).fetchall()
    wide = NormalDist().inv_cdf(1 - 0.025 / len(known))
    return [roll(*one) for one in known]


def main(games: int, folder: str | None) -> None:
    """Prints a table."""
    with tempfile.TemporaryDirectory() as temporary:
        place = folder or str(Path(temporary) / "games")
        rolls = opening_rolls(place, astragal.load("king-for-2"), games, threads=os.cpu_count() or 1)
    mean = sum(roll.score * roll.games for roll in rolls) / games
    print(f"{games} games, the first player scores {mean:.1%}")
    print(f"{'roll':6}{'games':>8}{'score':>9}  simultaneous 95 %")
    for roll in rolls:
        mark = "better" if roll.low > mean else "worse" if roll.high < mean else ""
        faces = " ".join(map(str, roll.faces))
        print(f"{faces:6}{roll.games:8}{roll.score:9.1%}  {roll.low:.1%} to {roll.high:.1%}  {mark}".rstrip())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, sys.argv[2] if len(sys.argv) > 2 else None)
