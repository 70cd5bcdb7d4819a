"""EinStein würfelt nicht! against OpenSpiel: what each throw can lead to, who wins, and the chances of the die."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import astragal
import pyspiel
from report import Comparison

# OpenSpiel's white, who begins in the corner at the right below and moves first, is player 1.
WHITE = 1


def placement(state: pyspiel.State) -> str:
    """The stones as the script writes them: A to F for white, a to f for black."""
    rows = []
    for line in str(state).splitlines():
        cells = re.findall(r"\|(..)\|", line)
        letters = (" " if cell == "__" else chr(ord("A" if cell[0] == "w" else "a") + int(cell[1]) - 1) for cell in cells)
        rows.append(re.sub(" +", lambda run: str(len(run[0])), "".join(letters)))
    return "/".join(row for row in rows if row)


def worth(state: pyspiel.State) -> float:
    """What the game is worth to white; 0 while it goes on."""
    return state.returns()[WHITE] if state.is_terminal() else 0.0


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares so many positions of random games, each with the throw that was made there."""
    result = Comparison(
        game="EinStein würfelt nicht!",
        script="einstein",
        oracle="OpenSpiel",
        version="2.0.2",
        licence="Apache-2.0",
        what="the set of positions that a roll can lead to, the winner of each, and the probabilities of the die",
        remarks="In OpenSpiel, the stones are placed at random, but in the script, the players place them. Games therefore begin after this "
        "phase. OpenSpiel also rolls the die for a player's last stone, but the script does not. If a player has only one stone left, "
        "the test compares the moves of that stone, regardless of OpenSpiel's roll.",
    )
    theirs, ours = pyspiel.load_game("einstein_wurfelt_nicht"), astragal.load("einstein")
    chance = random.Random(seed)
    while result.counts.get("positions", 0) < positions:
        state = theirs.new_initial_state()
        for _ in range(2):
            state.apply_action(chance.choice(state.chance_outcomes())[0])
        result.count("games")
        while not state.is_terminal() and result.counts.get("positions", 0) < positions:
            before = placement(state)
            action = chance.choice(state.chance_outcomes())[0]
            face = int(state.action_to_string(action).split()[-1])
            state.apply_action(action)
            mover = state.current_player()
            expected = {}
            for action in state.legal_actions():
                after = state.child(action)
                expected[placement(after)] = worth(after)
            position = f"{before}[] {'s' if mover == WHITE else 'n'} - - 0 1"
            begun = ours.new_initial_state(position=position)
            if begun.is_chance_node():
                chances = [probability for _, probability in begun.chance_outcomes(fractions=True)]
                if chances != [Fraction(1, 6)] * 6:
                    result.differ(f"{position}: {chances}")
                result.count("rolls")
                begun.say(f"roll {face}")
            else:
                result.count("last stones, moved without a roll")
            found = {}
            for action in begun.legal_actions():
                after = begun.clone()
                after.apply_action(action)
                found[after.position.split("[")[0].split(" ")[0]] = after.returns()[0] if after.is_terminal() else 0.0
            result.count("positions")
            result.count("moves", len(expected))
            result.count("winning moves", sum(1 for value in expected.values() if value))
            stones = sum(letter.isalpha() for letter in before)
            captures = sum(sum(letter.isalpha() for letter in after) < stones for after in expected)
            result.count("captures, including those of the player's own stones", captures)
            if {key: (value > 0) - (value < 0) for key, value in found.items()} != expected:
                result.differ(f"{position}, roll {face}")
            progress(result.counts["positions"], positions)
            state.apply_action(chance.choice(state.legal_actions()))
    return result
