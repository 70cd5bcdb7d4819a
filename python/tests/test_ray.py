"""Shards on a real local Ray of two workers. Skipped where Ray is not installed (see .ci/python --all)."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ray = pytest.importorskip("ray")
import astragal.ray  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def two_workers() -> Iterator[None]:
    # Another test may have had one started.
    ray.shutdown()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def parents(process: int) -> Iterator[int]:
    """The process that has begun this one, that one's, and so on."""
    while process > 1:
        yield process
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def workers() -> list[int]:
    """Our workers that are playing: Ray calls a process as its task is called."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name = (folder / "cmdline").read_bytes()
            if name.startswith(b"ray::astragal ") and os.getpid() in parents(int(folder.name)):
                found.append(int(folder.name))
        except OSError:
            # It has ended meanwhile.
            continue
    return found


def kill_one() -> None:
    """Ends one of the workers in the middle of its shard."""
    until = time.monotonic() + 60
    while not (playing := workers()):
        assert time.monotonic() < until, "nobody plays"
        time.sleep(0.01)
    os.kill(playing[0], signal.SIGKILL)


def test_the_report_is_that_of_one_process_to_the_byte() -> None:
    game = astragal.load("babylonian", {"tie": "reroll"})
    told: list[int] = []
    report = astragal.ray.simulate(game, 60, shards=7, players=["greedy", "random"], seed=3, progress=told.append)
    assert json.dumps(report) == json.dumps(game.simulate(60, players=["greedy", "random"], seed=3))
    assert len(told) == 7 and told == sorted(told) and told[-1] == 60


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    game = astragal.load("dice-chess")
    killed: list[bool] = []

    def kill(_: int) -> None:
        if not killed:
            kill_one()
            killed.append(True)

    report = astragal.ray.simulate(game, 3200, shards=8, seed=5, folder=tmp_path, progress=kill)
    assert killed and json.dumps(report) == json.dumps(game.simulate(3200, seed=5))
    assert len(game.find_parts(tmp_path, seed=5)) == 8


def test_what_was_broken_off_is_resumed_from_the_folder(tmp_path: Path) -> None:
    game = astragal.load("dice-chess")
    done: list[int] = []

    def kill(games: int) -> None:
        done.append(games)
        kill_one()

    with pytest.raises(ray.exceptions.WorkerCrashedError):
        astragal.ray.simulate(game, 3200, shards=8, seed=6, folder=tmp_path, retries=0, progress=kill)
    kept = game.find_parts(tmp_path, seed=6)
    assert done and sum(len(part.games) for part in kept) == done[-1] < 3200
    written = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    # In other shards than before: what is there stays as it is, and only what is missing is played.
    told: list[int] = []
    report = astragal.ray.simulate(game, 3200, shards=5, seed=6, folder=tmp_path, progress=told.append)
    assert told[0] == done[-1] and told[-1] == 3200
    assert json.dumps(report) == json.dumps(game.simulate(3200, seed=6))
    assert written.items() <= {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}.items()
    # Nothing is left to play.
    again = astragal.ray.simulate(game, 3200, shards=3, seed=6, folder=tmp_path)
    assert again == report


def test_errors_come_as_the_worker_has_met_them(tmp_path: Path) -> None:
    game = astragal.load("dice-chess")
    with pytest.raises(ValueError, match="gredy"):
        astragal.ray.simulate(game, 10, players=["gredy"])
    for games, shards in ((0, 1), (10, 0)):
        with pytest.raises(ValueError):
            astragal.ray.simulate(game, games, shards=shards)
    game.simulate_part(range(0, 30), folder=tmp_path)
    with pytest.raises(ValueError, match="behind game 20"):
        astragal.ray.simulate(game, 20, folder=tmp_path)
    game.simulate_part(range(20, 40), folder=tmp_path)
    with pytest.raises(ValueError, match="games 20..30 occur twice"):
        astragal.ray.simulate(game, 50, folder=tmp_path)
    with pytest.raises(ValueError, match="a different simulation"):
        astragal.ray.simulate(game, 50, folder=tmp_path, seed=9)
