"""Bearing off against each other: exact values of backgammon's last phase, beside gnubg's two-sided database."""

from __future__ import annotations

import itertools
import math
import random
import struct
import tempfile
from functools import cache
from pathlib import Path

import astragal
import gnubg
from report import Comparison
from tables import text_of

# Debian makes it when the program is installed.
DATABASE = Path("/var/lib/gnubg/gnubg_ts0.bd")

HEADER = 40

# All positions of up to six men a side at home.
MOST_MEN = 6

# The database keeps sixteen bits of a value between -1 and 1, and so does every value that it was computed from.
EXACT_TO = 0.0001

Points = tuple[int, ...]


def start(own: Points, other: Points) -> str:
    """White's and Black's men on the points of their homes, the first nearest to the end, all others borne off; White rolls."""
    white, black = [0] * 24, [0] * 24
    for far, number in enumerate(own):
        white[23 - far] = number
    for far, number in enumerate(other):
        black[far] = number
    placement, under = text_of((tuple(white), tuple(black), (0, 0), (15 - sum(own), 15 - sum(other)))).split(" ")
    return f"{placement} w - - 0 1" + (f" under={under}" if under else "")


@cache
def number(points: Points) -> int:
    """The number of a side's men in the database: that of a combination of bars between men (combinatorial number system)."""
    bits, at = [], len(points) - 1 + sum(points)
    bits.append(at)
    for men in points[:-1]:
        at -= men + 1
        bits.append(at)
    return sum(math.comb(bit, place + 1) for place, bit in enumerate(sorted(bits)))


def homes(most: int) -> list[Points]:
    """All ways to have up to so many men at home, and at least one."""
    return [points for points in itertools.product(range(most + 1), repeat=6) if 1 <= sum(points) <= most]


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares as many random positions as asked for; fewer than a thousand have up to three men a side."""
    most = MOST_MEN if positions >= 1000 else 3
    result = Comparison(
        game="Backgammon, bearing off against each other",
        script="backgammon",
        oracle="GNU Backgammon",
        version=gnubg.version(),
        licence="GPL-3.0-or-later",
        what="the exact value before the roll, without the doubling cube, for positions that can arise when each side starts with six "
        "checkers on its six-point",
        remarks="Astragal's values come from `solve`. GNU Backgammon's database stores values in 16 bits, so the test accepts differences of "
        "up to 0.0001.",
    )
    data = DATABASE.read_bytes()
    game = astragal.load("backgammon")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "bear-off.table"
        six = (0, 0, 0, 0, 0, most)
        solved = game.solve(table, position=start(six, six), threads=2)
        assert solved["reached"] == "solved", solved
        game = game.with_tables(table)
        all_homes, draw, widest = homes(most), random.Random(seed), 0.0
        done = 0
        while done < positions:
            own, other = draw.choice(all_homes), draw.choice(all_homes)
            value = game.new_initial_state(position=start(own, other)).value()
            if value is None:
                continue  # no game comes to it: one side would have waited
            low, high = value
            at = HEADER + 8 * (number(own) * math.comb(MOST_MEN + 6, 6) + number(other))
            theirs = struct.unpack_from("<H", data, at)[0] / 32767.5 - 1
            widest = max(widest, abs((low + high) / 2 - theirs))
            result.count("positions")
            if abs((low + high) / 2 - theirs) > EXACT_TO:
                result.differ(f"{start(own, other)}: {low} to {high}, gnubg {theirs}")
            done += 1
            progress(done, positions)
    result.count("states of the table", solved["states"])
    print(f"the greatest difference is {widest:.7f}")
    return result
