"""A player of `astragal match` that decides on its whole turn of backgammon at once."""

from __future__ import annotations

import json
import sys

import astragal


class TurnPlayer:
    """Answers the questions of the program, game after game. Players derive from it and choose turns and options."""

    def __init__(self) -> None:
        self.options, self.game, self.plan = {}, None, []

    def begin(self, asked: dict) -> dict:
        """A game begins, with these options."""
        self.options = asked["options"]
        self.game = astragal.load("backgammon", {name: str(value) for name, value in self.options.items()})
        self.plan = []
        return {}

    def decide(self, question: dict) -> dict:
        """The next decision of a turn."""
        kind = question["pending"]["kind"]
        if kind == "choice":
            return {"choice": self.choice(question)}
        if not self.plan:
            self.plan = self.turn(question, self.turns(question))
        return {kind: self.plan.pop(0)}

    def turns(self, question: dict) -> list:
        """All turns that the side may play."""
        state = self.game.new_initial_state(position=question.get("resume", question["position"]))
        return state.turns(limit=1_000_000)

    def turn(self, question: dict, turns: list) -> list[str]:
        """The moves of the turn that this player chooses."""
        raise NotImplementedError

    def choice(self, question: dict) -> str:
        """The option that this player chooses, such as a double."""
        raise NotImplementedError

    def run(self) -> None:
        """Reads questions until there are no more."""
        for line in sys.stdin:
            request = json.loads(line)
            method = {"begin": self.begin, "decide": self.decide}.get(request["method"])
            result = method(request["params"]) if method else {}
            if "id" in request:
                print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)


def side_of(question: dict) -> int:
    """The side that is asked: 0 or 1."""
    return 0 if question["pending"]["player"] == "first" else 1
