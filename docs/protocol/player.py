"""A player for games that Astragal runs. It captures if it can; otherwise, it moves at random.

    astragal match "cmd:python3 player.py" random dice-chess
    astragal play dice-chess --computer "black=cmd:python3 player.py"
"""
import json
import random
import sys


def is_capture(position, move):
    """Whether a piece is on the target square of a move. `position` is FEN; the board must have eight ranks."""
    ranks = position.split()[0].split("/")
    squares = move if move[0].isalpha() else move.split(":", 1)[1]  # the die that pays can come first: 6:h1h5
    file, rank = squares[2:3], squares[3:4]
    if len(ranks) != 8 or not file.isalpha() or not rank.isdigit():
        return False
    pieces = "".join("." * int(c) if c.isdigit() else c for c in ranks[8 - int(rank)])
    return pieces["abcdefgh".index(file)] != "."


def decide(question, chance):
    """An event: a move or a choice."""
    pending = question["pending"]
    options = pending.get("options") or ["pass"]
    if pending["kind"] == "choice":
        return {"choice": chance.choice(options)}
    captures = [move for move in options if is_capture(question["position"], move)]
    return {"move": chance.choice(captures or options)}  # a better player would search here


def main():
    chance = random.Random()
    for line in sys.stdin:  # ends when Astragal closes the input
        request = json.loads(line)
        result = {}
        if request["method"] == "begin":
            chance.seed(request["params"]["seed"])  # the same seed gives the same game
        elif request["method"] == "decide":
            result = decide(request["params"], chance)
        if "id" in request:
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
