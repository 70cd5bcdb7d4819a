"""Backgammon as the script writes it: positions as numbers of men, and back."""

from __future__ import annotations

import re

FILES = "abcdefghijkl"
MEN = "Mm"

# A position: men of X and O on each of the 24 points, as X passes them; on the bar; borne off.
Men = tuple[tuple[int, ...], tuple[int, ...], tuple[int, int], tuple[int, int]]


def column(point: int) -> list[str]:
    """The squares of a point, in the order in which men take them."""
    if point < 12:
        return [f"{FILES[11 - point]}{rank}" for rank in range(16, 8, -1)]
    return [f"{FILES[point - 12]}{rank}" for rank in range(1, 9)]


COLUMNS = [column(point) for point in range(24)]


def text_of(men: Men) -> str:
    """The position as the script writes it, but for the side to move: placement, hands, and what lies beneath."""
    board = {"m16": "*", "n16": "*"}
    beneath = []
    for player, letter in enumerate(MEN):
        for point, number in enumerate(men[player]):
            board.update(dict.fromkeys(COLUMNS[point][:number], letter))
            if number > 8:
                more = f"{number - 8}" if number > 9 else ""
                beneath.append(f"{COLUMNS[point][7]}:{more}{letter}")
        board.update({f"{'mn'[player]}{rank}": letter for rank in range(1, men[3][player] + 1)})
    rows = []
    for rank in range(16, 0, -1):
        row = "".join(board.get(f"{file}{rank}", " ") for file in FILES + "mn")
        rows.append(re.sub(" +", lambda run: str(len(run[0])), row))
    hands = "".join(letter * number for letter, number in zip(MEN, men[2]))
    return f"{'/'.join(rows)}[{hands}] {','.join(sorted(beneath))}"


def told(position: str) -> str:
    """The same of a position that the script has come to."""
    board, hands = position.split("]", 1)[0].split("[")
    hands = "".join(of * int(number or 1) for number, of in re.findall(r"(\d*)(\D)", hands))
    beneath = re.search(r"under=(\S+)", position)
    return f"{board}[{hands}] {','.join(sorted(beneath[1].split(',')) if beneath else [])}"


def men_in(position: str) -> Men:
    """The men of a position that the script has written: the reverse of `text_of`."""
    text, under = told(position).split(" ")
    placement, hands = text.rstrip("]").split("[")
    rows = [re.sub(r"\d+", lambda run: " " * int(run[0]), row) for row in placement.split("/")]
    heaps = dict(entry.split(":") for entry in under.split(",") if entry)

    def on(square: str, letter: str) -> int:
        here = rows[16 - int(square[1:])]["abcdefghijklmn".index(square[0])] == letter
        beneath = re.findall(rf"(\d*){letter}", heaps.get(square, ""))
        return here + sum(int(number or 1) for number in beneath)

    points = [tuple(sum(on(square, letter) for square in squares) for squares in COLUMNS) for letter in MEN]
    off = [sum(on(f"{'mn'[side]}{rank}", letter) for rank in range(1, 16)) for side, letter in enumerate(MEN)]
    return points[0], points[1], (hands.count("M"), hands.count("m")), (off[0], off[1])


def pips(men: Men, side: int) -> int:
    """The pips that a side has to go."""
    far = [24 - point if side == 0 else point + 1 for point in range(24)]
    return 25 * men[2][side] + sum(far[point] * number for point, number in enumerate(men[side]))
