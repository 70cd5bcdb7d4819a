"""The notebook that learns: its cells with a short budget, what is stored of its whole run, and the whole run where it is asked
for (see .ci/python --all)."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK: dict[str, Any] = json.loads((ROOT / "python/examples/einstein.ipynb").read_text(encoding="utf-8"))
CODE = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def run(**parameters: int) -> dict[str, Any]:
    """The names that the cells leave, run one after the other; parameters take the place of the notebook's own."""
    names: dict[str, Any] = {}
    taken = 0
    for cell in CODE:
        exec(compile("".join(cell["source"]), "einstein.ipynb", "exec"), names)  # noqa: S102
        if "parameters" in cell["metadata"].get("tags", []):
            assert parameters.keys() <= names.keys()
            names.update(parameters)
            taken += 1
    assert taken == 1
    return names


def stored() -> list[str]:
    """The lines that the notebook has printed when it was run as it stands."""
    outputs = (output for cell in CODE for output in cell["outputs"] if output["output_type"] == "stream")
    return [line for output in outputs for line in "".join(output["text"]).splitlines()]


def wrong(names: dict[str, Any], network: Any) -> float:
    """How far a network's values are from what came of games of greedy players: the mean square (Brier's score)."""
    greedy, squares = names["built_in"]("greedy"), []
    for seed in range(100):
        trail, returns = names["play"](seed, [greedy, greedy])
        won = [(1 + returns[side]) / 2 for side, _ in trail]
        squares.extend((network(names["np"].array([planes for _, planes in trail])) - won) ** 2)
    return float(sum(squares) / len(squares))


def test_it_learns_even_in_a_short_time() -> None:
    names = run(GAMES=400, PAIRS=20)
    assert wrong(names, names["network"]) < wrong(names, names["unlearnt"]) - 0.01
    # The measure is fair: a player has exactly a half against itself, for both games of a pair are the same then.
    greedy = names["built_in"]("greedy")
    assert names["match"](greedy, greedy, 20, 1) == (0.5, 0.5, 0.5)
    # The same seeds give the same games.
    assert names["match"](names["agent"], greedy, 10, 7) == names["match"](names["agent"], greedy, 10, 7)


def test_what_is_stored_is_a_win_and_what_the_documentation_says() -> None:
    assert all(cell["execution_count"] == number for number, cell in enumerate(CODE, 1))
    lines = stored()
    (result,) = [line for line in lines if line.startswith("the agent against greedy")]
    found = re.search(r"\(([\d.]+)% to ", result)
    (before,) = [line for line in lines if line.startswith("before learning, against greedy")]
    least = re.search(r" to ([\d.]+)%\)", before)
    assert found is not None and least is not None and float(found[1]) > float(least[1]) > 50
    (minutes,) = [line for line in lines if line.endswith(" minutes")]
    assert float(minutes.split()[0]) < 10
    page = (ROOT / "docs/learning.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```text\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert set(block.splitlines()) <= set(lines)


@pytest.mark.skipif("ASTRAGAL_WHOLE" not in os.environ, reason="takes ten minutes; .ci/python --all")
def test_the_whole_run_beats_greedy() -> None:
    names = run()
    assert names["result"][1] > max(0.5, names["before"][2])
