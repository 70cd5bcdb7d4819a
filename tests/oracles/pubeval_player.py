"""Pubeval, the usual measure of backgammon programs, as a player of `astragal match`:

    astragal match learned "cmd:python pubeval_player.py" backgammon

It was published by Gerald Tesauro in 1993 as a linear function of 122 inputs, with two sets of weights: for races, and for all other
positions. The weights, in `pubeval.txt`, are in the public domain. The function only compares positions after a turn; it knows no cube.
"""

from __future__ import annotations

from pathlib import Path

from tables import Men, men_in
from turn_player import TurnPlayer, side_of

WEIGHTS = {
    line.split(":")[0]: [float(number) for number in line.split(":")[1].split()]
    for line in (Path(__file__).parent / "pubeval.txt").read_text().splitlines()
    if ":" in line and not line.startswith("#")
}


def points(men: Men, side: int) -> list[int]:
    """The men on points 1 to 24 as `side` counts them from its home, positive if they are its own. Point 0 is the other side's bar and
    point 25 its own.
    """
    other = 1 - side
    board = [-men[2][other], *[0] * 24, men[2][side]]
    for point in range(24):
        board[24 - point if side == 0 else point + 1] = men[side][point] - men[other][point]
    return board


def is_race(board: list[int]) -> bool:
    """Whether no man can be hit any more."""
    own = max((point for point, number in enumerate(board) if number > 0), default=0)
    others = min((point for point, number in enumerate(board) if number < 0), default=25)
    return own < others


def inputs(board: list[int], off: int) -> list[float]:
    """Five inputs for each point from 24 to 1, then the other side's men on the bar and the own men that are off."""
    found = []
    for point in range(24, 0, -1):
        number = board[point]
        found += [number == -1, number == 1, number >= 2, number == 3, max(0, number - 3) / 2]
    return [*map(float, found), -board[0] / 2, off / 15]


def value(men: Men, side: int, race: bool) -> float:
    """How good a position after the turn of `side` is for it; `race` says what the position before the turn was."""
    if men[3][side] == 15:
        return float("inf")
    weights = WEIGHTS["race" if race else "contact"]
    return sum(weight * number for weight, number in zip(weights, inputs(points(men, side), men[3][side]), strict=True))


class Player(TurnPlayer):
    """Plays the turn whose position has the greatest value."""

    def turn(self, question: dict, turns: list) -> list[str]:
        side = side_of(question)
        race = is_race(points(men_in(question["position"]), side))
        return list(max(turns, key=lambda turn: value(men_in(turn.position), side, race)).moves)

    def choice(self, question: dict) -> str:
        """It never doubles, and accepts all doubles."""
        options = question["pending"]["options"]
        return next(option for option in ("roll", "accept") if option in options)


if __name__ == "__main__":
    Player().run()
