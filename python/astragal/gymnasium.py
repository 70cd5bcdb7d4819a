"""One side of a game as a Gymnasium environment, against a built-in player or your own function.

>>> import astragal.gymnasium
>>> env = astragal.gymnasium.AstragalEnv("dice-chess", opponent="random")
>>> seen, info = env.reset(seed=1)
>>> legal = info["action_mask"].nonzero()[0]
>>> seen, reward, terminated, truncated, info = env.step(int(legal[0]))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

import astragal

Planes = npt.NDArray[np.float32]


class AstragalEnv(gymnasium.Env[Planes, np.int64]):
    """A game from the point of view of one side. Between two steps, the dice are rolled and all other sides play.

    Args:
        game: a name, a path, or a loaded game.
        options: the options of the script, for a name or a path.
        side: the agent's side, from 0.
        opponent: ``"random"``, ``"greedy"``, ``"computer:1"`` to ``"computer:8"``, or a function from state to action.
        max_actions: the number of actions of all sides after which an episode is truncated.
        illegal: the response to an illegal action: ``"lose"`` ends the episode with a reward of -1, and ``"raise"`` raises
            ``astragal.IllegalAction``.

    Observations are the planes of ``State.observation_tensor``. ``info["action_mask"]`` is true at the legal actions. The reward is the
    side's return when the game ends, and 0 before that.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: astragal.Game | str,
        options: Mapping[str, str] | None = None,
        *,
        side: int = 0,
        opponent: str | Callable[[astragal.State], int] = "random",
        max_actions: int = 2000,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.game = astragal.load(game, options) if isinstance(game, str) else game
        if not 0 <= side < self.game.num_players():
            raise ValueError(f"there is no side {side}: the sides are 0 to {self.game.num_players() - 1}")
        if illegal not in ("lose", "raise"):
            raise ValueError(f'expected illegal="lose" or "raise", found {illegal!r}')
        self.side, self.opponent, self.max_actions, self.illegal = side, opponent, max_actions, illegal
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Box(
            -32768.0, 32767.0, tuple(self.game.observation_tensor_shape()), np.float32
        )
        self.action_space = gymnasium.spaces.Discrete(self.game.num_distinct_actions())
        self.state = self.game.new_initial_state()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Starts a game, from ``options={"position": ...}`` if given."""
        super().reset(seed=seed)
        position = (options or {}).get("position")
        self.state = self.game.new_initial_state(seed=int(self.np_random.integers(2**63)), position=position)
        self._others()
        return self._seen(), self._info()

    def step(self, action: np.int64) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Applies an action and continues until the agent's next decision."""
        if self.state.is_terminal():
            raise astragal.IllegalAction("the game is over: reset the environment")
        try:
            self.state.apply_action(int(action))
        except astragal.IllegalAction:
            if self.illegal == "raise":
                raise
            return self._seen(), -1.0, True, False, self._info()
        self._others()
        over = self.state.is_terminal()
        reward = self.state.player_return(self.side) if over else 0.0
        truncated = not over and self.state.move_number() >= self.max_actions
        return self._seen(), reward, over, truncated, self._info()

    def render(self) -> str | None:
        """Returns the board as text."""
        return str(self.state) if self.render_mode == "ansi" else None

    def _others(self) -> None:
        state = self.state
        while not state.is_terminal() and state.move_number() < self.max_actions:
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
            elif state.current_player() == self.side:
                return
            elif callable(self.opponent):
                state.apply_action(self.opponent(state))
            elif self.opponent == "random":
                legal = state.legal_actions()
                state.apply_action(legal[int(self.np_random.integers(len(legal)))])
            else:
                state.apply_action(state.choose(self.opponent, seed=state.seed))

    def _seen(self) -> Planes:
        return self.state.observation_tensor(self.side)

    def _info(self) -> dict[str, Any]:
        mask = self.state.action_mask()
        if self.state.current_player() != self.side:
            mask[:] = False
        return {"action_mask": mask, "position": self.state.position}
