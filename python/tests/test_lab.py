"""Simulations and matches from Python."""

from __future__ import annotations

import doctest
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import astragal


def test_a_simulation_is_one_to_the_byte_on_any_number_of_threads() -> None:
    game = astragal.load("dice-chess")
    told: list[int] = []
    report = game.simulate(300, seed=1, progress=told.append)
    assert report == game.simulate(300, seed=1, threads=3)
    assert report["games"] == 300
    assert sum(result["count"] for result in report["results"].values()) == 300
    assert told == sorted(told)
    with pytest.raises(ValueError):
        game.simulate(0)
    with pytest.raises(ValueError):
        game.simulate(1, players=["nobody"])


def test_what_progress_raises_comes_out() -> None:
    def fail(_: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError):
        astragal.load("dice-chess").simulate(10**7, progress=fail)


def test_ctrl_c_stops_a_simulation() -> None:
    # Whoever runs the tests in the background may have the signal ignored, which is inherited.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code = heed + "import astragal; print('ready', flush=True); astragal.load('dice-chess').simulate(10**9)"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"ready\n"
    try:
        child.wait(0.5)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert b"KeyboardInterrupt" in errors


def test_greed_beats_chance() -> None:
    result = astragal.match("greedy", "random", astragal.load("dice-chess"), 40, seed=2)
    first, second = result["wins"]
    assert first > 25 and first + second + result["draws"] == 40
    with pytest.raises(ValueError):
        astragal.match("greedy", "random", astragal.load("chaturaji"), 4)


def test_the_examples_of_the_documentation() -> None:
    failed, tried = doctest.testmod(astragal)
    assert tried > 3 and failed == 0


def test_a_rule_that_fails_in_a_game_says_which_and_where() -> None:
    game = astragal.load(
        text='board(3, 1);\npiece("man", "M", "sR");\nsetup("M1m w");\ncounter("n", 0);\n'
        'fn turn() {\n    let group = [1, 2];\n    if number("n") >= 3 { group[7]; }\n    add("n", 1);\n    play(any());\n}'
    )
    with pytest.raises(astragal.RuleError, match="game 0") as caught:
        game.simulate(10)
    assert caught.value.line == 7


def test_a_solved_ending_is_known_to_players_and_states(tmp_path: Path) -> None:
    game = astragal.load("dicechess-3")
    told: list[int] = []
    solved = game.solve(tmp_path / "kings.table", material="KvK", threads=2, progress=told.append)
    assert (solved["states"], solved["reached"]) == (8064, "solved") and solved["widest"] <= 1e-6
    known = game.with_tables(tmp_path / "kings.table")
    # Adjacent kings, by hand: p / (2 - p), where p = 91/216 is the chance of a 6 with three dice.
    position = "8/8/8/8/8/8/8/Kk6 w - - 0 1"
    value = known.new_initial_state(position=position).value()
    assert value is not None and abs(value[0] - 91 / 341) < 1e-6 and abs(value[1] - 91 / 341) < 1e-6
    assert game.new_initial_state(position=position).value() is None
    state = pickle.loads(pickle.dumps(known)).new_initial_state(position="8/8/8/8/8/2k5/8/K7 w - - 0 1")
    state.say("roll 6 1 1")
    assert state.action_to_string(state.choose("computer:1")) != "a1b2", "next to the other king is worst"
    assert known.simulate(20, players=["computer:1"], position=position)["games"] == 20
    with pytest.raises(ValueError, match="parts"):
        known.simulate_part(4)


def test_a_table_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    game = astragal.load("dicechess-3")
    with pytest.raises(OSError, match="none.table"):
        game.with_tables(tmp_path / "none.table")
    (tmp_path / "empty.table").write_bytes(b"")
    with pytest.raises(ValueError, match="not a table"):
        game.with_tables(tmp_path / "empty.table")
    astragal.load("king-for-2").solve(tmp_path / "other.table", material="KvK")
    with pytest.raises(ValueError, match="the table is for 'king-for-2', not for 'dicechess-3'"):
        game.with_tables(tmp_path / "other.table")
    with pytest.raises(ValueError, match="hides information"):
        astragal.load("ghosts").solve(tmp_path / "ghosts.table")
    with pytest.raises(ValueError, match="placements"):
        game.solve(tmp_path / "large.table", material="KQRvKQR", states=1000)
