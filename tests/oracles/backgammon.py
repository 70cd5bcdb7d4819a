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
from tables import Men, men_in, pips, text_of, told


def men_of(state: pyspiel.State) -> Men:
    """What stands where, read off OpenSpiel's state."""
    points = [tuple(state.board(player, point) for point in range(24)) for player in (0, 1)]
    off = [int(number) for number in re.findall(r"Scores, X: (\d+), O: (\d+)", str(state))[0]]
    bar = [15 - sum(points[player]) - off[player] for player in (0, 1)]
    return points[0], points[1], (bar[0], bar[1]), (off[0], off[1])


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
        what="for each roll, the set of positions that complete turns can lead to, and the values of finished games",
    )
    theirs = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    ours = astragal.load("backgammon")
    chance = random.Random(seed)
    state = theirs.new_initial_state()
    while result.counts.get("positions", 0) < positions:
        if state.is_terminal():
            result.count("games played to the end")
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
            result.count("positions after complete turns", len(expected))
            if opening:
                result.count("opening rolls")
            if men[2][mover]:
                result.count("positions with checkers on the bar")
            if faces[0] == faces[1]:
                result.count("doubles")
            elif is_forced(ours, position, men, mover, faces, expected):
                result.count("positions in which only one die can be used, and it must be the higher one")
            if any(off_in(after, mover) > men[3][mover] for after in expected):
                result.count("positions in which checkers can be borne off")
            if max(men[0] + men[1]) > 8:
                result.count("positions with more than eight checkers on a point")
            if len(expected) == 1 and next(iter(expected)) == text_of(men):
                result.count("lost turns")
            result.count("resulting positions in which the game is over", sum(1 for worth in expected.values() if worth))
            if found != expected:
                result.differ(f"{position}, roll {faces[0]} {faces[1]}")
            progress(result.counts["positions"], positions)
        state.apply_action(chance.choice(state.legal_actions()))
    return result


def off_in(text: str, mover: int) -> int:
    """How many men of a side a text as `text_of` writes it has borne off."""
    return men_in(text_position(text))[3][mover]


def text_position(text: str) -> str:
    """A text as `text_of` writes it, as a position."""
    placement, under = text.split(" ")
    return f"{placement} w under={under}" if under else f"{placement} w"


def is_forced(game, position, men, mover, faces, expected) -> bool:
    """Whether one die alone can be used, the lower one could be as well, and each way uses the higher."""
    high, low = max(faces), min(faces)
    before = pips(men, mover)
    after = [men_in(text_position(text)) for text in expected]
    if any(before - pips(then, mover) != high or then[3][mover] > men[3][mover] for then in after):
        return False
    state = game.new_initial_state(position=position)
    state.say(f"roll {low} {low}")
    return not state.is_chance_node()
