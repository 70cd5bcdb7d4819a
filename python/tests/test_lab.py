"""Simulations and matches from Python."""

from __future__ import annotations

import doctest
import signal
import subprocess
import sys

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
