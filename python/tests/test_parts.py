"""Simulations in parts, put together again."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import astragal


def test_parts_make_the_report_of_one_run_to_the_byte(tmp_path: Path) -> None:
    game = astragal.load("babylonian", {"tie": "reroll"})
    players = ["greedy", "random"]
    whole = game.simulate(40, players=players, seed=3)
    first = game.simulate_part(range(0, 15), folder=tmp_path / "a", players=players, seed=3)
    second = game.simulate_part(range(15, 30), players=players, seed=3)
    third = game.simulate_part(range(30, 40), folder=str(tmp_path / "b"), players=players, seed=3)
    assert [part.games for part in (first, second, third)] == [range(0, 15), range(15, 30), range(30, 40)]
    # Folders and parts, in any order; a part may have come by post.
    merged = astragal.merge(tmp_path / "b", pickle.loads(pickle.dumps(second)), tmp_path / "a")
    assert json.dumps(merged) == json.dumps(whole)
    with pytest.raises(ValueError, match="games 15..30 are missing"):
        astragal.merge(first, third)
    with pytest.raises(ValueError, match="occur twice"):
        astragal.merge(first, first)
    with pytest.raises(ValueError, match="different seeds"):
        astragal.merge(first, game.simulate_part(range(15, 30), players=players, seed=4))
    with pytest.raises(ValueError, match="SHA-256"):
        astragal.Part(first.manifest, second.tally)


def test_what_is_there_is_not_played_again(tmp_path: Path) -> None:
    game = astragal.load("dice-chess")
    games = range(10, 60)
    told: list[int] = []
    part = game.simulate_part(games, folder=tmp_path, seed=2, progress=told.append)
    assert told
    again = game.simulate_part(games, folder=tmp_path, seed=2, progress=lambda _: pytest.fail("played again"))
    assert (again.manifest, again.tally) == (part.manifest, part.tally)
    assert [part.games for part in game.find_parts(tmp_path, seed=2)] == [games]
    with pytest.raises(ValueError, match="a different simulation"):
        game.simulate_part(games, folder=tmp_path, seed=5)
    with pytest.raises(ValueError, match="a different simulation"):
        game.find_parts(tmp_path, seed=2, players=["greedy"])
    # Damaged: not found, played again, whole.
    (tally,) = tmp_path.glob("*.tally.json")
    tally.write_text("{")
    assert game.find_parts(tmp_path, seed=2) == []
    game.simulate_part(games, folder=tmp_path, seed=2)
    assert tally.read_text() == part.tally
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games-10-60.manifest.json", "games-10-60.tally.json"]


def test_arguments_that_do_not_fit(tmp_path: Path) -> None:
    game = astragal.load("dice-chess")
    assert game.find_parts(tmp_path / "nowhere") == []
    for games in (0, range(5, 5), range(0, 10, 2)):
        with pytest.raises(ValueError):
            game.simulate_part(games)
    with pytest.raises(ValueError, match="-1 is not allowed here: it is below 0"):
        game.simulate_part(range(-1, 3))
    with pytest.raises(ValueError, match="this folder has no parts"):
        astragal.merge()
    with pytest.raises(ValueError, match="nowhere"):
        astragal.merge(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        game.simulate_part(1, folder=tmp_path / "file" / "folder")


def test_luck_is_told_where_a_computer_plays() -> None:
    game = astragal.load("einstein")
    players = ["computer:1", "random"]
    assert "skill" in str(game.simulate(2, players=players)["luck"])
    assert game.simulate(2, players=players, luck=False)["luck"] is None
    assert game.simulate(4, luck=True)["luck"] is not None and game.simulate(4)["luck"] is None
    assert game.simulate(4, lines=True)["lines"] and not game.simulate(4)["lines"]
