"""GNU Backgammon as a player of `astragal match`:

    astragal match "cmd:python gnubg_player.py" greedy backgammon --set cube=yes

It decides on doubles, answers them, and plays its best move for each roll. With --log FILE it writes a line for each turn it plays.
"""

from __future__ import annotations

import argparse
import re

from gnubg import Gnubg
from tables import Men, men_in, text_of, told
from turn_player import TurnPlayer, side_of


def moved(men: Men, side: int, play: str) -> Men:
    """What a move of gnubg, such as `25/20 6/0`, makes of a position."""
    boards, bar, off = [list(men[0]), list(men[1])], list(men[2]), list(men[3])
    for start, end in re.findall(r"(\d+)/(\d+)", play):
        start, end = int(start), int(end)
        if start == 25:
            bar[side] -= 1
        else:
            boards[side][24 - start if side == 0 else start - 1] -= 1
        if end == 0:
            off[side] += 1
            continue
        point = 24 - end if side == 0 else end - 1
        boards[side][point] += 1
        if boards[1 - side][point] == 1:
            boards[1 - side][point] = 0
            bar[1 - side] += 1
    return tuple(boards[0]), tuple(boards[1]), (bar[0], bar[1]), (off[0], off[1])


class Player(TurnPlayer):
    """Answers by gnubg."""

    def __init__(self, log) -> None:
        super().__init__()
        self.gnubg, self.log = Gnubg(), log

    def circumstances(self, question: dict) -> dict:
        """Stake, cube, and the score of a match."""
        position, side = question["position"], side_of(question)

        def number(name: str, default: int) -> list[int]:
            found = re.search(rf" {name}=([\d,]+)", position)
            return [int(each) for each in found[1].split(",")] if found else [default]

        score = number("score", 0)
        owner = number("cube", 0)[0]
        # While a double is offered the stake is still the old one.
        match = self.options.get("match", "no")
        return {
            "stake": number("stake", 1)[0],
            "owner": 0 if owner == 0 else 1 if owner == side + 1 else 2,
            "match": 0 if match == "no" else int(match),
            "score": tuple(score) if len(score) == 2 else (0, 0),
            "crawford": number("crawford", 0)[0] == 1,
        }

    def choice(self, question: dict) -> str:
        """What gnubg does about the cube."""
        offered = "accept" in question["pending"]["options"]
        said = self.gnubg.ask(men_in(question["position"]), side_of(question), offered=offered, **self.circumstances(question))
        return {"roll": "roll", "double": "double", "take": "accept", "beaver": "accept", "drop": "decline"}[said]

    def turn(self, question: dict, turns: list) -> list[str]:
        """The moves of the turn that gnubg wants, as the script writes them."""
        side, men = side_of(question), men_in(question["position"])
        dice = dice_of(question["position"])
        said = self.gnubg.ask(men, side, dice=dice, **self.circumstances(question))
        wanted = text_of(moved(men, side, said))
        turn = next((turn for turn in turns if told(turn.position) == wanted), None)
        if self.log:
            print(f"{'permitted' if turn else 'refused'}\t{dice}\t{said}\t{question['position']}", file=self.log, flush=True)
        if turn is None:
            raise ValueError(f"gnubg plays {said}, which the script does not permit: {question['position']}")
        return turn.moves


def dice_of(position: str) -> tuple[int, int]:
    """The roll of a position in which nothing has been moved yet: that of this turn, or the first of the game."""
    faces = re.search(r" (?:thrown=)?(\d),(\d)", position)
    return int(faces[1]), int(faces[2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", type=argparse.FileType("a"), help="a file that gets a line for each turn")
    player = Player(parser.parse_args().log)
    player.run()
    player.gnubg.close()


if __name__ == "__main__":
    main()
