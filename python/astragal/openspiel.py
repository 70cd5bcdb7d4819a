"""Games for OpenSpiel: its Python algorithms can play, solve and train on any script.

>>> import astragal.openspiel
>>> import pyspiel
>>> game = pyspiel.load_game("python_astragal", {"variant": "dice-chess", "options": "self_check=allowed"})
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 36)

Chance nodes are explicit. OpenSpiel requires every game to end, so a game with more actions than ``max_length`` ends as a draw. C++
algorithms that traverse the game tree, such as CFR, work. ``pyspiel.MCTSBot`` and other C++ algorithms that keep states crash with every
game that is written in Python, so use ``open_spiel.python.algorithms.mcts`` instead.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel  # type: ignore[import-not-found, unused-ignore]

import astragal

#: The maximum number of outcomes that a chance node lists.
MAX_CHANCE_OUTCOMES = 1_000_000

_TYPE = pyspiel.GameType(
    short_name="python_astragal",
    long_name="Astragal: a board game with pieces and dice, from a script",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "variant": "",
        "options": "",
        "position": "",
        "max_length": 2000,
        "max_utility": 1.0,
    },
)


@lru_cache(maxsize=64)
def _load(variant: str, options: str) -> astragal.Game:
    pairs = (pair.split("=", 1) for pair in options.split(",") if pair)
    return astragal.load(variant, {name.strip(): value.strip() for name, value in pairs})


class AstragalGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A game from a script.

    Parameters: ``variant``, a name or a path; ``options``, written as ``name=value,name=value``; ``position``, the position to start from;
    ``max_length``, the maximum number of actions; ``max_utility``, the maximum value of a game, which is 1 unless the script awards points.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_TYPE.parameter_specification, **(params or {})}
        if not given["variant"]:
            raise ValueError('pass a game: {"variant": NAME or PATH}')
        self.engine = _load(str(given["variant"]), str(given["options"]))
        self.position = str(given["position"]) or None
        self.max_length = int(given["max_length"])
        utility = float(given["max_utility"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.engine.num_distinct_actions(),
            max_chance_outcomes=MAX_CHANCE_OUTCOMES,
            num_players=self.engine.num_players(),
            min_utility=-utility,
            max_utility=utility,
            utility_sum=0.0,
            max_game_length=self.max_length,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self, state: Any = None) -> AstragalState:
        """Returns the first state of a game."""
        return AstragalState(self)

    def observation_tensor_shape(self) -> list[int]:
        """The numbers of planes, ranks and files."""
        return list(self.engine.observation_tensor_shape())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> AstragalObserver:
        """Returns an observer of what a player can see."""
        if params:
            raise ValueError("observers have no parameters")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return AstragalObserver(self, perfect_recall=recall)


class AstragalState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A state of an ``AstragalGame``. ``engine`` is the ``astragal.State``, with all its methods."""

    def __init__(self, game: AstragalGame) -> None:
        super().__init__(game)
        self.engine = game.engine.new_initial_state(position=game.position)
        self.max_length = game.max_length

    def _is_cut(self) -> bool:
        return self.engine.move_number() >= self.max_length

    def current_player(self) -> int:
        """The side that decides, or the constant for a chance node or a finished game."""
        return int(pyspiel.PlayerId.TERMINAL) if self._is_cut() else self.engine.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.engine.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the dice, with their probabilities."""
        return self.engine.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.engine.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.engine.action_to_string(action)

    def is_terminal(self) -> bool:
        """Whether the game is over, or has been cut off."""
        return self.engine.is_terminal() or self._is_cut()

    def returns(self) -> list[float]:
        """The value of the result for each side; zeros if the game was cut off."""
        return self.engine.returns()

    def __str__(self) -> str:
        return self.engine.position


class AstragalObserver:
    """The view of a player, in the form that OpenSpiel requires."""

    def __init__(self, game: AstragalGame, *, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        shape = game.observation_tensor_shape()
        self.tensor: npt.NDArray[np.float32] = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: AstragalState, player: int) -> None:
        """Writes the view of ``player`` into ``tensor``."""
        self.dict["observation"][:] = state.engine.observation_tensor(player)

    def string_from(self, state: AstragalState, player: int) -> str:
        """The view of ``player`` as text; with perfect recall, everything that the player has seen."""
        engine = state.engine
        return engine.information_state_string(player) if self.perfect_recall else engine.observation_string(player)


pyspiel.register_game(_TYPE, AstragalGame)
