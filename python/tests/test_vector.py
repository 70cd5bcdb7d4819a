"""Many games at once."""

from __future__ import annotations

import numpy as np
import pytest

import astragal


@pytest.mark.parametrize("name", ["dice-chess", "backgammon", "einstein", "chaturaji"])
def test_each_game_is_the_one_that_is_played_alone(name: str) -> None:
    game = astragal.load(name)
    many = game.vector(6, seed=5)
    few = game.vector(3, seed=5)
    for step in range(150):
        assert (many.observations[:3] == few.observations).all()
        assert (many.masks[:3] == few.masks).all()
        actions = many.sample_actions(step)
        many.step(actions)
        few.step(actions[:3])
        assert (many.dones[:3] == few.dones).all() and (many.rewards[:3] == few.rewards).all()


def test_threads_make_no_difference() -> None:
    game = astragal.load("dicechess-3")
    one, two = game.vector(8, seed=1), game.vector(8, seed=1, threads=3)
    for step in range(60):
        actions = one.sample_actions(step)
        one.step(actions)
        two.step(actions)
    assert (one.observations == two.observations).all() and (one.masks == two.masks).all()


def test_games_end_and_begin_anew() -> None:
    game = astragal.load("king-for-2")
    vector = game.vector(32, seed=9, max_plies=60)
    ended = truncated = 0
    for step in range(400):
        vector.step(vector.sample_actions(step))
        ended += int(vector.dones.sum())
        truncated += int(vector.truncated.sum())
        assert not (vector.dones & vector.truncated).any()
        assert np.allclose(vector.rewards.sum(axis=1), 0)
        assert (vector.rewards[~vector.dones] == 0).all()
        assert vector.masks.any(axis=1).all()
        assert (vector.current_players >= 0).all()
    assert ended > 0 and truncated > 0


def test_wrong_actions_change_nothing() -> None:
    vector = astragal.load("chess").vector(2)
    before = vector.observations.copy()
    with pytest.raises(astragal.IllegalAction, match="game 1"):
        vector.step(np.array([int(vector.sample_actions(1)[0]), 0]))
    with pytest.raises(ValueError):
        vector.step(np.array([0]))
    assert (vector.observations == before).all()
    with pytest.raises(ValueError):
        astragal.load("chess").vector(0)


def test_more_games_than_fit_into_memory_are_refused() -> None:
    for n in (10**9, 2**63):
        with pytest.raises(ValueError, match="MiB of memory: at most [0-9]+ of this variant fit"):
            astragal.load("chess").vector(n)
    assert len(astragal.load("chess").vector(2, threads=10**9)) == 2


def test_play_out() -> None:
    vector = astragal.load("dice-chess").vector(20, seed=4)
    result = vector.play_out()
    assert result["plies"].shape == (20,) and (result["plies"] > 0).all()
    assert np.allclose(result["returns"].sum(axis=1), 0)
    assert (vector.play_out()["plies"] != result["plies"]).any(), "other games come next"


def test_what_is_shown_is_not_written_to() -> None:
    vector = astragal.load("dice-chess").vector(1)
    with pytest.raises(ValueError, match="read-only"):
        vector.observations[:] = 0
    with pytest.raises(ValueError, match="read-only"):
        vector.masks[:] = False
