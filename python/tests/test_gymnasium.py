"""Gymnasium's own test. Skipped where it is not installed (see .ci/python)."""

from __future__ import annotations

import pytest

pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

import astragal  # noqa: E402
import astragal.gymnasium  # noqa: E402


@pytest.mark.parametrize("variant", ["dice-chess", "dice-xiangqi"])
def test_the_environment_is_as_it_should_be(variant: str) -> None:
    check_env(astragal.gymnasium.AstragalEnv(variant), skip_render_check=True)


@pytest.mark.parametrize("opponent", ["random", "greedy", "computer:1", lambda state: state.legal_actions()[0]])
def test_episodes_end(opponent: object) -> None:
    env = astragal.gymnasium.AstragalEnv("king-for-2", opponent=opponent, side=1)  # type: ignore[arg-type]
    _, info = env.reset(seed=3)
    over = env.state.is_terminal()
    reward = env.state.player_return(1)
    steps = 0
    while not over and steps < 500:
        legal = info["action_mask"].nonzero()[0]
        assert len(legal)
        _, reward, over, truncated, info = env.step(legal[steps % len(legal)])
        steps += 1
        if truncated:
            return
    assert over and reward in (-1.0, 0.0, 1.0)
    assert env.state.player_return(1) == reward


def test_illegal_actions() -> None:
    env = astragal.gymnasium.AstragalEnv("chess")
    env.reset(seed=1)
    _, reward, over, _, _ = env.step(0)  # type: ignore[arg-type]
    assert over and reward == -1.0
    strict = astragal.gymnasium.AstragalEnv("chess", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(astragal.IllegalAction):
        strict.step(0)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        astragal.gymnasium.AstragalEnv("chess", side=2)
