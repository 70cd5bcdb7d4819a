"""A player: decides in games that Astragal runs. It takes what it can, and moves by chance otherwise.

    astragal match "cmd:python3 player.py" random dice-chess
    astragal play dice-chess --computer "black=cmd:python3 player.py"
"""
import json
import random
import sys


def is_capture(position, move):
    """Whether a man stands where the move ends, on a board of eight ranks: `position` is FEN."""
    ranks = position.split()[0].split("/")
    squares = move if move[0].isalpha() else move.split(":", 1)[1]  # the die that pays may stand before it: 6:h1h5
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
    return {"move": chance.choice(captures or options)}  # here a better player would think


def main():
    chance = random.Random()
    for line in sys.stdin:  # ends when the program does
        request = json.loads(line)
        result = {}
        if request["method"] == "begin":
            chance.seed(request["params"]["seed"])  # the same seed, the same game
        elif request["method"] == "decide":
            result = decide(request["params"], chance)
        if "id" in request:
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
