"""GNU Backgammon as a player of `astragal match`:

    astragal match "cmd:python gnubg_player.py" greedy backgammon --set cube=yes

It decides on doubles, answers them, and plays its best move for each roll. With --log FILE it writes a line for each turn it plays.
"""

from __future__ import annotations

import argparse
import json
import re
import sys

import astragal
from gnubg import Gnubg
from tables import Men, men_in, text_of, told


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


class Player:
    """Answers the questions of the program, game after game."""

    def __init__(self, log) -> None:
        self.gnubg, self.log, self.plan = Gnubg(), log, []

    def begin(self, asked: dict) -> dict:
        self.options = asked["options"]
        self.game = astragal.load("backgammon", {name: str(value) for name, value in self.options.items()})
        self.plan = []
        return {}

    def decide(self, question: dict) -> dict:
        kind = question["pending"]["kind"]
        if kind == "choice":
            return {"choice": self.double(question)}
        if not self.plan:
            self.plan = self.best(question)
        return {kind: self.plan.pop(0)}

    def circumstances(self, question: dict) -> dict:
        """Stake, cube, and the score of a match."""
        position, side = question["position"], self.side(question)

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

    def side(self, question: dict) -> int:
        return 0 if question["pending"]["player"] == "first" else 1

    def double(self, question: dict) -> str:
        offered = "accept" in question["pending"]["options"]
        said = self.gnubg.ask(men_in(question["position"]), self.side(question), offered=offered, **self.circumstances(question))
        return {"roll": "roll", "double": "double", "take": "accept", "beaver": "accept", "drop": "decline"}[said]

    def best(self, question: dict) -> list[str]:
        """The moves of the turn that gnubg wants, as the script writes them."""
        state = self.game.new_initial_state(position=question.get("resume", question["position"]))
        side, men = self.side(question), men_in(question["position"])
        dice = dice_of(question["position"])
        said = self.gnubg.ask(men, side, dice=dice, **self.circumstances(question))
        wanted = text_of(moved(men, side, said))
        turn = next((turn for turn in state.turns(limit=1_000_000) if told(turn.position) == wanted), None)
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
    for line in sys.stdin:
        request = json.loads(line)
        method = {"begin": player.begin, "decide": player.decide}.get(request["method"])
        result = method(request["params"]) if method else {}
        if "id" in request:
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
    player.gnubg.close()


if __name__ == "__main__":
    main()
