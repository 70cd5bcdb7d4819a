"""Training from Python, networks written by other programs, and the notebook and the example that show both."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astragal

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK: dict[str, Any] = json.loads((ROOT / "python/examples/einstein.ipynb").read_text(encoding="utf-8"))
CODE = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def program() -> str:
    """The path of the program `astragal`."""
    found = os.environ.get("ASTRAGAL") or shutil.which("astragal")
    if not found:
        pytest.skip("the program is not here: set ASTRAGAL to its path")
    return found


def test_the_command_and_python_write_the_same_file(tmp_path: Path) -> None:
    told: list[int] = []
    game = astragal.load("einstein")
    result = game.train(tmp_path / "python", games=40, hidden=8, seed=3, threads=2, probe=4, progress=told.append)
    assert (result.games, told) == (40, sorted(told))
    assert result.positions > 400 and 0 < result.error < 1 and result.seconds > 0
    assert result.against_greedy is not None and result.against_greedy["games"] == 4
    options = ["--games", "40", "--hidden", "8", "--seed", "3", "--threads", "1", "--probe", "0"]
    command = [program(), "train", "einstein", *options, "--into", str(tmp_path / "command")]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    assert (tmp_path / "python").read_bytes() == (tmp_path / "command").read_bytes()


def test_trained_players_play_parts_of_a_simulation(tmp_path: Path) -> None:
    game, file = astragal.load("einstein"), tmp_path / "one"
    game.train(file, games=8, hidden=4)
    players = [f"learned:{file}", "random"]
    whole = game.simulate(10, players=players)
    parts = [game.simulate_part(games, players=players) for games in (range(0, 4), range(4, 10))]
    file.unlink()
    assert json.dumps(astragal.merge(*parts)) == json.dumps(whole)


def test_a_training_is_resumed_and_no_file_is_overwritten(tmp_path: Path) -> None:
    game, file = astragal.load("einstein"), tmp_path / "one"
    game.train(file, games=8, hidden=4)
    with pytest.raises(FileExistsError, match="resume=True"):
        game.train(file, games=8)
    assert game.train(file, games=20, resume=True).games == 20
    assert game.read_network(file).games == 20
    with pytest.raises(OSError, match="none"):
        game.train(tmp_path / "none", games=1, resume=True)
    with pytest.raises(OSError, match="no such folder"):
        game.train(tmp_path / "none" / "one", games=1)
    with pytest.raises(ValueError, match="hides information"):
        astragal.load("ghosts").train(tmp_path / "ghosts", games=1)
    with pytest.raises(ValueError, match="not for 'dice-chess'"):
        astragal.load("dice-chess").train(file, games=30, resume=True)


def test_ctrl_c_keeps_what_is_learned(tmp_path: Path) -> None:
    file = tmp_path / "one"
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import astragal; game = astragal.load('einstein')\n"
        f"game.train({str(file)!r}, games=10**9, hidden=4, progress=lambda games: print('ready', flush=True))\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline().strip() == b"ready"
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors
    assert astragal.load("einstein").read_network(file).games > 0


def test_an_error_of_progress_ends_the_training_and_keeps_the_file(tmp_path: Path) -> None:
    def fail(_: int) -> None:
        raise KeyError("enough")

    game, file = astragal.load("einstein"), tmp_path / "one"
    with pytest.raises(KeyError):
        game.train(file, games=10**9, hidden=4, progress=fail)
    assert game.read_network(file).games > 0
    # Other games with the same rules go on.
    assert game.simulate(2)["games"] == 2


@pytest.mark.parametrize("name", astragal.names())
def test_every_feature_has_a_name(name: str) -> None:
    game = astragal.load(name)
    try:
        names = game.feature_names
    except ValueError as error:
        assert "hides information" in str(error)
        return
    assert len(names) == game.feature_count
    assert len(set(names)) == len(names)
    state = game.new_initial_state(seed=1)
    numbers, values = state.features()
    dense = np.zeros(game.feature_count, np.float32)
    np.add.at(dense, numbers, values)
    assert (dense == state.feature_tensor()).all()
    assert numbers.dtype == np.uint32 and values.dtype == np.float32
    # Pieces on the board come first: a feature with the name of its square for each.
    sides = ["own", "opposing"] if names[0].startswith("own ") else game.players
    assert all(names[number].startswith(tuple(f"{side} " for side in sides)) for number in numbers[:1])


def test_features_describe_the_position_for_the_side_to_roll() -> None:
    game = astragal.load("dice-chess")
    names = game.feature_names
    for position, player in [("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", 0), ("4k3/8/8/4p3/8/8/8/4K3 b - - 0 1", 1)]:
        state = game.new_initial_state(position=position)
        assert state.feature_player() == player and state.turn_number() == 0
        listed = {names[number]: float(value) for number, value in zip(*state.features())}
        # The board is turned over for the second side.
        assert listed["own pawn on e4"] == 1 and listed["own king on e1"] == 1 and listed["opposing king on e8"] == 1
        assert listed["own pawn on the board: a quarter of the number"] == 0.25


def test_targets_are_the_result_for_the_viewer() -> None:
    game = astragal.load("backgammon")
    assert game.result_levels == [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0] and game.output_count == 5
    state = game.new_initial_state(seed=4)
    # A game that is not over counts as drawn.
    assert state.target_outputs().tolist() == [1, 1, 0.5, 0, 0]
    while not state.is_terminal():
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance() if chance else state.choose("random", seed=1))
    for player, points in enumerate(state.returns()):
        # The results between the levels that the outputs exceed.
        low, steps = game.result_levels[0], np.diff(game.result_levels)
        assert low + float(steps @ state.target_outputs(player)) == points
    with pytest.raises(ValueError, match="no player 2"):
        state.target_outputs(2)


def weights_for(game: astragal.Game, hidden: int) -> list[np.ndarray[Any, np.dtype[np.float32]]]:
    """Random weights that files hold without rounding: whole parts of the greatest one."""
    draw, outputs = np.random.default_rng(1), game.output_count
    shapes = [(game.feature_count, hidden), (hidden,), (outputs, hidden), (outputs,)]
    parts = [draw.integers(-127, 128, shape).astype(np.float32) for shape in shapes]
    for part in parts:
        part.flat[0] = 127
    return [part * np.float32(scale / 127) for part, scale in zip(parts, [0.5, 0.25, 1.0, 0.5])]


@pytest.mark.parametrize("name", ["einstein", "backgammon", "chaturaji"])
def test_a_network_of_numpy_has_the_same_outputs_in_the_engine(name: str, tmp_path: Path) -> None:
    game, file = astragal.load(name), tmp_path / "numpy.learned"
    weights = weights_for(game, 24)
    game.write_network(file, weights, games=7, positions=70)
    network = game.read_network(file)
    assert (network.games, network.positions, network.levels) == (7, 70, game.result_levels)
    for mine, read in zip(weights, network.weights):
        assert mine.shape == read.shape and np.abs(mine - read).max() < 1e-4
    first, first_bias, second, second_bias = weights
    state = game.new_initial_state(seed=2)
    compared = 0
    while not state.is_terminal() and compared < 60:
        sums = state.feature_tensor() @ first + first_bias
        outputs = 1 / (1 + np.exp(-(second @ (sums / (1 + np.abs(sums))) + second_bias)))
        assert np.abs(network.outputs(state) - outputs).max() < 1e-4
        # What one of two sides wins, the other loses.
        assert game.num_players() > 2 or abs(sum(network.values(state))) < 1e-5
        compared += 1
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance() if chance else state.choose(f"learned:{file}"))
    assert compared > 20
    assert game.simulate(2, players=[f"learned:{file}"], luck=False)["games"] == 2


def test_weights_that_do_not_suit_are_refused(tmp_path: Path) -> None:
    game, file = astragal.load("einstein"), tmp_path / "one"
    first, first_bias, second, second_bias = weights_for(game, 4)
    with pytest.raises(ValueError, match=rf"expected weights of the shapes \[{game.feature_count}, H\]"):
        game.write_network(file, [first.T, first_bias, second, second_bias])
    with pytest.raises(ValueError, match="finite"):
        game.write_network(file, [first * np.float32("nan"), first_bias, second, second_bias])
    with pytest.raises(ValueError, match="levels"):
        game.write_network(file, [first, first_bias, second, second_bias], levels=[-1, 2])
    assert not file.exists()
    game.write_network(file, [first, first_bias, second, second_bias])
    with pytest.raises(ValueError, match="not for 'backgammon'"):
        astragal.load("backgammon").read_network(file)
    with pytest.raises(ValueError, match="not for this game"):
        game.read_network(file).values(astragal.load("backgammon").new_initial_state())


def test_the_example_in_pytorch_writes_a_player_that_beats_greedy(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    place = importlib.util.spec_from_file_location("torch_player", ROOT / "python/examples/torch_player.py")
    assert place is not None and place.loader is not None
    example = importlib.util.module_from_spec(place)
    place.loader.exec_module(example)
    game, file = astragal.load("einstein"), str(tmp_path / "torch.learned")
    network = example.train(file, game, 2, 150, hidden=32)
    state, read = game.new_initial_state(seed=1), game.read_network(file)
    numbers, starts, values, _ = example.joined([(*state.features(), state.target_outputs())])
    outputs = network(numbers, starts, values).sigmoid().detach().numpy()[0]
    assert np.abs(outputs - read.outputs(state)).max() < 1e-2
    result = astragal.match(f"learned:{file}", "greedy", game, 100)
    assert result["intervals"][0][0] > 0.4


def run(**parameters: int) -> dict[str, Any]:
    """Runs the cells of the notebook with other parameters, and returns their names."""
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


def test_the_notebook_runs_in_a_short_time() -> None:
    names = run(SECONDS=2, GAMES=20)
    assert names["training"].games > 0
    # The best of the listed turns is the one that the player chooses.
    best = max(names["worth"])[1]
    assert names["state"].string_to_action(best) == names["state"].choose(f"learned:{names['FILE']}")


def test_the_stored_outputs_show_that_training_helps() -> None:
    assert all(cell["execution_count"] == number for number, cell in enumerate(CODE, 1))
    outputs = (output for cell in CODE for output in cell["outputs"] if output["output_type"] == "stream")
    lines = [line for output in outputs for line in "".join(output["text"]).splitlines()]

    def bounds(start: str) -> tuple[float, float]:
        (line,) = [line for line in lines if line.startswith(start)]
        found = re.search(r"\(([\d.]+)% to ([\d.]+)%\)", line)
        assert found is not None
        return float(found[1]), float(found[2])

    assert bounds("trained against greedy")[0] > max(50, bounds("untrained against greedy")[1])
    assert bounds("two turns ahead against one")[1] > 50


@pytest.mark.skipif("ASTRAGAL_WHOLE" not in os.environ, reason="takes minutes; .ci/python --all")
def test_the_whole_notebook_beats_greedy() -> None:
    names = run()
    assert names["after"][0] > max(0.5, names["before"][1])
