"""Bearing off in backgammon against gnubg's database: the exact chance to bear off all men with the next roll."""

from __future__ import annotations

import itertools
from fractions import Fraction

import astragal
import gnubg
from report import Comparison
from tables import text_of

# The database keeps sixteen bits of a chance, and its program prints three digits after the point.
EXACT_TO = 0.00003

MOST_MEN = 5


def start(points: tuple[int, ...]) -> str:
    """White's men on the points of its home, the first nearest to the end, all others borne off; Black has yet to come home."""
    own = [0] * 24
    for far, number in enumerate(points):
        own[23 - far] = number
    other = [0] * 24
    # Behind all of White's men, so that nobody meets.
    other[0] = 15
    placement, under = text_of((tuple(own), tuple(other), (0, 0), (15 - sum(points), 0))).split(" ")
    return f"{placement} w - - 0 1" + (f" under={under}" if under else "")


def chance(game: astragal.Game, position: str) -> Fraction:
    """The chance that some turn of the next roll ends the game."""
    total = Fraction(0)
    for low, high in itertools.combinations_with_replacement(range(1, 7), 2):
        state = game.new_initial_state(position=position)
        state.say(f"roll {low} {high}")
        if any(turn.ends_game for turn in state.turns(limit=100_000, distinct=True)):
            total += Fraction(1 if low == high else 2, 36)
    return total


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares all positions of few men, as many as asked for."""
    result = Comparison(
        game="Backgammon, bearing off",
        script="backgammon",
        oracle="GNU Backgammon",
        version=gnubg.version(),
        licence="GPL-3.0-or-later",
        what="the probability that all checkers are borne off with the next roll, for every position in which the player has at "
        "most five checkers left, all at home",
        remarks="Astragal computes an exact fraction from the turns of each roll. GNU Backgammon's database stores the probability in 16 "
        "bits, so the test accepts differences of up to 0.00003.",
    )
    game = astragal.load("backgammon")
    homes = itertools.product(range(MOST_MEN + 1), repeat=6)
    all_homes = sorted((points for points in homes if 1 <= sum(points) <= MOST_MEN), key=lambda points: (sum(points), points))
    for points in all_homes[:positions]:
        ours, theirs = chance(game, start(points)), (gnubg.bear_off(points) or [0.0])[0]
        result.count("positions")
        result.count("positions that one roll can finish", int(ours > 0))
        result.count("positions that every roll finishes", int(ours == 1))
        if abs(float(ours) - theirs) > EXACT_TO:
            result.differ(f"{start(points)}: {ours}, gnubg {theirs}")
        progress(result.counts["positions"], min(positions, len(all_homes)))
    return result
