"""A bot: plays games of Astragal against itself, with random moves, and prints their results.

    python3 bot.py [VARIANT] [GAMES] [PROGRAM]
"""
import json
import random
import subprocess
import sys


class Server:
    """Sends requests to `astragal serve`, one per line."""

    def __init__(self, program):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([program, "serve"], text=True, encoding="utf-8", **pipes)

    def ask(self, method, **params):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]


def main(variant="dice-chess", games="1", program="astragal"):
    server, chance = Server(program), random.Random(2026)
    for seed in range(int(games)):
        game = server.ask("open", variant=variant, seed=seed)  # the server rolls the dice
        events = 0
        while game["pending"]:
            options = game["pending"]["options"] or ["pass"]
            event = {game["pending"]["kind"]: chance.choice(options)}  # a better bot would search here
            game = server.ask("apply", session=game["session"], events=[event])
            events += 1
        record = server.ask("close", session=game["session"])["record"]
        print(seed, game["state"]["winner"] or "draw", game["state"]["reason"], events, len(record) > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
