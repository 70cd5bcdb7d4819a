"""Backgammon against OpenSpiel: the positions after complete turns, in positions of random games.

OpenSpiel plays, uniformly at random, and says what each roll can lead to; the script is set up in the same position, is given the
same roll, and must lead to the same set of positions. Games that end must be worth the same points.
"""

from __future__ import annotations

import random
import re

import astragal
import pyspiel
from report import Comparison

FILES = "abcdefghijkl"
MEN = "Mm"

# A position: men of X and O on each of the 24 points, as X passes them; on the bar; borne off.
Men = tuple[tuple[int, ...], tuple[int, ...], tuple[int, int], tuple[int, int]]


def men_of(state: pyspiel.State) -> Men:
    """What stands where, read off OpenSpiel's state."""
    points = [tuple(state.board(player, point) for point in range(24)) for player in (0, 1)]
    off = [int(number) for number in re.findall(r"Scores, X: (\d+), O: (\d+)", str(state))[0]]
    bar = [15 - sum(points[player]) - off[player] for player in (0, 1)]
    return points[0], points[1], (bar[0], bar[1]), (off[0], off[1])


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


def led_to(state: pyspiel.State) -> dict[str, float]:
    """What a roll can lead to by OpenSpiel, with what the game is worth to X if it has ended. A double is two of its turns."""
    player, found, open_states = state.current_player(), {}, [state]
    seen = set()
    while open_states:
        before = open_states.pop()
        for action in before.legal_actions():
            after = before.child(action)
            key = text_of(men_of(after))
            if after.is_terminal() or after.current_player() != player:
                found[key] = after.returns()[0] if after.is_terminal() else 0.0
            elif key not in seen:
                seen.add(key)
                open_states.append(after)
    return found


def reached(game: astragal.Game, start: str, faces: tuple[int, int]) -> dict[str, float]:
    """The same by the script."""
    state = game.new_initial_state(position=start)
    state.say(f"roll {faces[0]} {faces[1]}")
    found, seen, open_states = {}, set(), [state]
    while open_states:
        before = open_states.pop()
        if before.is_terminal() or before.is_chance_node():
            found[told(before.position)] = before.returns()[0]
            continue
        for action in before.legal_actions():
            after = before.clone()
            after.apply_action(action)
            key = after.position
            if key not in seen:
                seen.add(key)
                open_states.append(after)
    return found


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares so many positions of random games."""
    result = Comparison(
        game="Backgammon",
        script="backgammon",
        oracle="OpenSpiel",
        version="2.0.2",
        licence="Apache-2.0",
        what="the set of positions after the complete turns of a roll, and the worth of games that end",
    )
    theirs = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    ours = astragal.load("backgammon")
    chance = random.Random(seed)
    state = theirs.new_initial_state()
    while result.counts.get("positions", 0) < positions:
        if state.is_terminal():
            result.count("games to the end")
            state = theirs.new_initial_state()
        if state.is_chance_node():
            men, opening = men_of(state), state.move_number() == 0
            outcomes, chances = zip(*state.chance_outcomes())
            action = chance.choices(outcomes, chances)[0]
            dice = re.search(r"roll: (\d)(\d)", state.action_to_string(action))
            faces = int(dice[1]), int(dice[2])
            state.apply_action(action)
            mover = state.current_player()
            start = text_of(men).split(" ")
            under = f" under={start[1]}" if start[1] else ""
            position = f"{start[0]} {'wb'[mover]} - - 0 1{under}"
            expected, found = led_to(state), reached(ours, position, faces)
            result.count("positions")
            result.count("positions after turns", len(expected))
            if opening:
                result.count("first throws")
            if men[2][mover]:
                result.count("men on the bar")
            if faces[0] == faces[1]:
                result.count("doubles")
            elif is_forced(ours, position, men, mover, faces, expected):
                result.count("one die can be used, and it is the higher")
            if any(text_off_of(after, mover) > men[3][mover] for after in expected):
                result.count("men borne off")
            if max(men[0] + men[1]) > 8:
                result.count("more than eight men on a point")
            if len(expected) == 1 and next(iter(expected)) == text_of(men):
                result.count("turns lost")
            result.count("games that end", sum(1 for worth in expected.values() if worth))
            if found != expected:
                result.differ(f"{position}, roll {faces[0]} {faces[1]}")
            progress(result.counts["positions"], positions)
        state.apply_action(chance.choice(state.legal_actions()))
    return result


def text_off_of(text: str, mover: int) -> int:
    """How many men of a side are in its tray: the last two files."""
    total = 0
    for row in text.split("[")[0].split("/")[1:]:
        cells = re.sub(r"\d+", lambda run: " " * int(run[0]), row)
        total += cells[12 + mover] == MEN[mover]
    return total


def pips(men_text: str, mover: int) -> int:
    """The pips that a side has to go, and one for each man to be borne off."""
    placement, hands = men_text.split(" ")[0].rstrip("]").split("[")
    board = [re.sub(r"\d+", lambda run: " " * int(run[0]), row) for row in placement.split("/")]
    letter, total = MEN[mover], 0
    for point in range(24):
        far = 24 - point if mover == 0 else point + 1
        squares = COLUMNS[point]
        total += far * sum(board[16 - int(s[1:])][ord(s[0]) - 97] == letter for s in squares)
    for number, of in re.findall(r"(\d*)(\D)", hands):
        total += 25 * int(number or 1) if of == letter else 0
    for entry in filter(None, men_text.split(" ")[1].split(",")):
        square, _, heap = entry.partition(":")
        point = next(p for p in range(24) if square in COLUMNS[p])
        far = 24 - point if mover == 0 else point + 1
        total += far * sum(int(n or 1) for n, of in re.findall(r"(\d*)(\D)", heap) if of == letter)
    return total


def is_forced(game, position, men, mover, faces, expected) -> bool:
    """Whether one die alone can be used, the lower one could be as well, and each way uses the higher."""
    high, low = max(faces), min(faces)
    before = pips(text_of(men), mover)
    if any(before - pips(after, mover) != high or text_off_of(after, mover) > men[3][mover] for after in expected):
        return False
    state = game.new_initial_state(position=position)
    state.say(f"roll {low} {low}")
    return not state.is_chance_node()
