"""Games of `astragal match` in which gnubg plays by its own interface: every move it wants must be one that the script permits."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import gnubg
from report import Comparison

PLAYER = Path(__file__).parent / "gnubg_player.py"
ROOT = Path(__file__).parents[2]

# How the games are played: money with the cube, and matches to three with Crawford's rule.
WAYS = {"money games": ["--set", "cube=yes"], "games in matches to three points": ["--set", "cube=yes", "--set", "match=3"]}


def program() -> str:
    """The program: what ASTRAGAL names, or the one that cargo has built, or the one on the path."""
    built = ROOT / "target" / "release" / "astragal"
    return os.environ.get("ASTRAGAL") or (str(built) if built.exists() else shutil.which("astragal") or "astragal")


def compare(positions: int, seed: int, progress) -> Comparison:
    """Plays until so many turns of gnubg have been seen, half of them in each way."""
    result = Comparison(
        game="Backgammon, whole games",
        script="backgammon",
        oracle="GNU Backgammon",
        version=gnubg.version(),
        licence="GPL-3.0-or-later",
        what="whether the script permits each move that gnubg plays as the opponent of `greedy` in `astragal match`, and accepts its "
        "decisions about the cube",
        main="turns",
        remarks="The moves come from gnubg's `external` command, and `tests/oracles/gnubg_player.py` passes them on.",
    )
    for number, (way, options) in enumerate(WAYS.items(), 1):
        while result.counts.get("turns", 0) < positions * number // len(WAYS):
            played(result, way, options, seed + result.counts.get("turns", 0))
            progress(result.counts["turns"], positions)
    return result


def played(result: Comparison, way: str, options: list[str], seed: int) -> None:
    """Two games, one with each side."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "turns"
        player = f"cmd:{sys.executable} {PLAYER} --log {log}"
        asked = [program(), "match", player, "greedy", "backgammon", "-n", "2", "--seed", str(seed), *options]
        said = subprocess.run(asked, capture_output=True, text=True)
        lines = log.read_text().splitlines() if log.exists() else []
        result.count("turns", len(lines))
        result.count("doubles rolled", sum(bool(re.search(r"\((\d), \1\)", line)) for line in lines))
        result.count(way, 2)
        result.count("games that gnubg won", int((re.findall(r"^(\d+) won", said.stdout, re.MULTILINE) or ["0"])[0]))
        for line in lines:
            if line.startswith("refused"):
                result.differ(line.replace("\t", " "))
        if said.returncode != 0 or "forfeited" in said.stdout:
            result.differ(f"{' '.join(asked[4:])}: {said.stdout[-300:]}{said.stderr[-300:]}")
