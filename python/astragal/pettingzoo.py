"""A game as a PettingZoo environment in which agents take turns (AEC).

>>> import astragal.pettingzoo
>>> env = astragal.pettingzoo.env("dice-chess")
>>> env.reset(seed=1)
>>> env.agents
['White', 'Black']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv  # type: ignore[import-untyped, unused-ignore]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped, unused-ignore]

import astragal


def env(game: astragal.Game | str, options: Mapping[str, str] | None = None, **settings: Any) -> Any:
    """Returns the environment, wrapped so that an illegal action ends the episode and calls in the wrong order are errors."""
    inside = raw_env(game, options, **settings)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(inside, illegal_reward=-1))


class raw_env(AECEnv):  # type: ignore[misc, unused-ignore]
    """The environment without wrappers. Agents are the names of the sides, and dice are rolled automatically.

    Args:
        game: a name, a path, or a loaded game.
        options: the options of the script, for a name or a path.
        max_actions: the number of actions after which an episode is truncated.
    """

    metadata = {"render_modes": ["ansi"], "name": "astragal_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: astragal.Game | str,
        options: Mapping[str, str] | None = None,
        *,
        max_actions: int = 2000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = astragal.load(game, options) if isinstance(game, str) else game
        self.max_actions, self.render_mode = max_actions, render_mode
        self.possible_agents = list(self.game.players)
        shape = tuple(self.game.observation_tensor_shape())
        seen = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(-32768.0, 32767.0, shape, np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (self.game.num_distinct_actions(),), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.game.num_distinct_actions()) for agent in self.possible_agents
        }
        self.random = np.random.default_rng()
        self.state_of_game = self.game.new_initial_state()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of the planes and the legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of all actions of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game, from ``options={"position": ...}`` if given."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        position = (options or {}).get("position")
        self.state_of_game = self.game.new_initial_state(seed=int(self.random.integers(2**63)), position=position)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Returns what an agent can see, and its legal actions."""
        side = self.possible_agents.index(agent)
        state = self.state_of_game
        mask = state.action_mask().astype(np.int8)
        if state.current_player() != side:
            mask[:] = 0
        return {"observation": state.observation_tensor(side), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Applies the action of the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise astragal.IllegalAction("pass an action: this agent is to move")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.state_of_game.apply_action(int(action))
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Returns the board as text."""
        return str(self.state_of_game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing, because the environment holds no resources."""

    def _go_on(self) -> None:
        state = self.state_of_game
        while state.is_chance_node():
            state.apply_action(state.sample_chance())
        if state.is_terminal():
            self.rewards = dict(zip(self.possible_agents, state.returns()))
            self.terminations = dict.fromkeys(self.agents, True)
        elif state.move_number() >= self.max_actions:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[state.current_player()]
