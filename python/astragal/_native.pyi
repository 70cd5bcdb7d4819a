"""The engine. Import what is here from ``astragal``."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any, Literal, final, overload

import numpy as np
import numpy.typing as npt

__all__ = [
    "AstragalError",
    "Diagnostic",
    "Game",
    "IllegalAction",
    "Outcome",
    "Part",
    "PositionError",
    "RuleError",
    "ScriptError",
    "State",
    "Turn",
    "Vector",
    "__version__",
    "check",
    "load",
    "merge",
    "names",
]

__version__: str

class AstragalError(Exception):
    """Whatever goes wrong in Astragal."""

class ScriptError(AstragalError):
    """A script cannot be found or is wrong."""

    line: int | None
    column: int | None
    report: str

class RuleError(AstragalError):
    """A rule of a script has failed while a game was played."""

    line: int | None
    column: int | None

class PositionError(AstragalError):
    """A text is no position of the game."""

class IllegalAction(AstragalError):
    """The game does not allow it now."""

@final
class Diagnostic:
    """One mistake that ``check`` has found, or a note. ``str`` shows it with the line in question."""

    @property
    def severity(self) -> str:
        """``"error"``, ``"warning"`` or ``"note"``."""

    @property
    def code(self) -> str | None:
        """The kind of mistake, as ``astragal check --explain`` knows it; None for some notes."""

    @property
    def message(self) -> str:
        """What is wrong."""

    @property
    def help(self) -> str | None:
        """What to write instead, where that is known."""

    @property
    def line(self) -> int:
        """The line, from 1; 0 where no place is known."""

    @property
    def column(self) -> int:
        """The first column, from 1."""

    @property
    def end_column(self) -> int:
        """The column behind the last one."""

    @property
    def report(self) -> str:
        """The message with the line in question and a mark under it."""

@final
class Turn:
    """A way to play a turn to its end."""

    @property
    def moves(self) -> list[str]:
        """What is done, one after another, as ``State.say`` reads it; the outcomes of rolls are among it."""

    @property
    def probability(self) -> Fraction:
        """The exact chance of all rolls in it."""

    @property
    def position(self) -> str:
        """The position that it leads to, as FEN."""

    @property
    def ends_game(self) -> bool:
        """Whether the game is over then."""

@final
class Outcome:
    """One of the things that a move may lead to."""

    @property
    def probability(self) -> Fraction:
        """The exact chance."""

    @property
    def exact(self) -> bool:
        """Whether the chance is exact; otherwise it was estimated from a sample."""

    @property
    def effect(self) -> str:
        """``"win"``, ``"tie"``, ``"lose"`` or the label that the script gives."""

    @property
    def position(self) -> str:
        """The position that it leads to."""

@final
class Game:
    """A game: its rules and options, ready to be played any number of times, by any number of threads."""

    @property
    def name(self) -> str:
        """The name, as ``astragal.load`` takes it."""

    @property
    def title(self) -> str:
        """The title for people."""

    @property
    def script(self) -> str:
        """The text of the script."""

    @property
    def options(self) -> dict[str, str]:
        """All options with the values in force."""

    @property
    def players(self) -> list[str]:
        """The names of the sides, in order of turn."""

    @property
    def observation_planes(self) -> list[str]:
        """The name of each plane of ``State.observation_tensor``."""

    def num_players(self) -> int:
        """The number of sides."""

    def num_distinct_actions(self) -> int:
        """The number of actions: they are numbered from 0 to one less."""

    def observation_tensor_shape(self) -> list[int]:
        """Planes, ranks and files."""

    def rules(self) -> str:
        """The rulebook, made from the script."""

    def digest(self, games: int = 10) -> str:
        """Plays games by chance and returns a digest of all their dice and positions."""

    def new_initial_state(self, *, seed: int = 1, position: str | None = None) -> State:
        """The first state of a game.

        Args:
            seed: of the dice that ``State.sample_chance`` shows.
            position: where the game begins, if not from the starting position.

        Raises:
            PositionError: if the text is no position of the game.
        """

    def deserialize_state(self, text: str) -> State:
        """The state that ``State.serialize`` has written."""

    def vector(self, n: int, *, seed: int = 1, max_plies: int = 2000, threads: int = 1) -> Vector:
        """Plays ``n`` games side by side; see ``Vector``."""

    def simulate(
        self,
        games: int,
        *,
        players: Sequence[str] | None = None,
        seed: int = 1,
        threads: int = 1,
        max_plies: int = 2000,
        position: str | None = None,
        luck: bool | None = None,
        lines: bool = False,
        first: int = 0,
        progress: Callable[[int], object] | None = None,
    ) -> dict[str, Any]:
        """Plays games and returns the report of ``astragal simulate --json``.

        Args:
            games: how many.
            players: one for all sides or one for each: ``"random"``, ``"greedy"``, ``"computer:1"`` to ``"computer:8"``.
            seed: of dice and players.
            threads: how many games are played at a time; the report is the same.
            max_plies: a game of more moves is broken off.
            position: where games begin, if not from the starting position.
            luck: whether luck is told from skill, which takes many times as long; by default where a computer plays.
            lines: whether it is counted in how many games each line of the script runs.
            first: the number of the first game.
            progress: called with the number of games that are over, a few times a second at most.

        Raises:
            ValueError: if there is no such player, or no game to play.
            RuleError: if a rule fails.
        """

    def simulate_part(
        self,
        games: int | range,
        *,
        folder: str | PathLike[str] | None = None,
        players: Sequence[str] | None = None,
        seed: int = 1,
        threads: int = 1,
        max_plies: int = 2000,
        position: str | None = None,
        luck: bool | None = None,
        lines: bool = False,
        progress: Callable[[int], object] | None = None,
    ) -> Part:
        """Plays some of the games of a simulation, for ``astragal.merge``.

        Args:
            games: their numbers as ``range(300, 1000)``, or how many from 0.
            folder: where the part is kept; a part that is there already is not played again.

        All else is as in ``simulate``.
        """

    def find_parts(
        self,
        folder: str | PathLike[str],
        *,
        players: Sequence[str] | None = None,
        seed: int = 1,
        max_plies: int = 2000,
        position: str | None = None,
        luck: bool | None = None,
        lines: bool = False,
    ) -> list[Part]:
        """The whole parts of a simulation in a folder, in the order of their games."""

    def rows(
        self,
        games: int | range,
        *,
        players: Sequence[str] | None = None,
        seed: int = 1,
        threads: int = 1,
        max_plies: int = 2000,
        position: str | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> dict[str, Any]:
        """Plays games and returns a row for each: a mapping from the names of columns to their values.

        ``pandas.DataFrame`` takes it as it is. docs/data.md lists the columns. All else is as in ``simulate``.
        """

@final
class Part:
    """Some games of a simulation, and what they came to."""

    def __new__(cls, manifest: str, tally: str) -> Part: ...
    @property
    def games(self) -> range:
        """The numbers of the games."""

    @property
    def manifest(self) -> str:
        """Of which simulation they are: JSON."""

    @property
    def tally(self) -> str:
        """What they came to: JSON."""

    def write(self, folder: str | PathLike[str]) -> None:
        """Keeps the part in a folder, as ``astragal simulate --part`` does."""

@final
class State:
    """A state of a game, with all that has led to it."""

    @property
    def seed(self) -> int:
        """The seed of the dice."""

    @property
    def position(self) -> str:
        """The position as a text: FEN with more fields where a game has more to say."""

    @property
    def result(self) -> str | None:
        """How the game ended, in a sentence; None while it goes on."""

    @property
    def question(self) -> str | None:
        """What the script asks the player, if it has words for it."""

    def get_game(self) -> Game:
        """The game that this is a state of."""

    def current_player(self) -> int:
        """The side that decides, from 0; -1 at a chance node, -4 when the game is over."""

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def is_chance_node(self) -> bool:
        """Whether the game waits for dice."""

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The actions that are possible, ascending; none for a player who is not to act."""

    def action_mask(self) -> npt.NDArray[np.bool_]:
        """True at each legal action."""

    @overload
    def chance_outcomes(self, *, fractions: Literal[False] = False) -> list[tuple[int, float]]:
        """Pairs of an outcome of the dice and its chance; with ``fractions=True`` the chances are exact."""

    @overload
    def chance_outcomes(self, *, fractions: Literal[True]) -> list[tuple[int, Fraction]]: ...
    def sample_chance(self) -> int:
        """The outcome that the dice of this seed show now."""

    def apply_action(self, action: int) -> None:
        """Does an action, or lets the dice show an outcome.

        Raises:
            IllegalAction: if it is not possible now.
        """

    def say(self, text: str) -> None:
        """Does what a text says: faces of dice, moves, choices, one or several, as ``"roll 2 3 e2e4"``.

        Raises:
            IllegalAction: if one of them is not possible; the state is then as it was.
        """

    def action_to_string(self, player_or_action: int, action: int | None = None) -> str:
        """An action as a text: ``"Nc3"``, ``"roll 2 3"``. The player may be given first, as in OpenSpiel."""

    def string_to_action(self, text: str) -> int:
        """The action that a text means."""

    def choose(self, player: str = "greedy", *, seed: int = 1) -> int:
        """What a built-in player would do: ``"random"``, ``"greedy"``, ``"computer:1"`` to ``"computer:8"``."""

    def undo(self) -> bool:
        """Takes back the last action; False if there is none."""

    def returns(self) -> list[float]:
        """What the game is worth to each side; zeros before the end."""

    def rewards(self) -> list[float]:
        """The same as ``returns``, as OpenSpiel names it."""

    def player_return(self, player: int) -> float:
        """What the game is worth to one side."""

    def history(self) -> list[int]:
        """All actions so far."""

    def move_number(self) -> int:
        """How many actions there were."""

    def to_pgn(self) -> str:
        """The record of the game."""

    def why(self, text: str) -> str:
        """Why a move is permitted or not, in words."""

    def odds(self, text: str) -> list[Outcome]:
        """What a move may lead to, each with its exact chance."""

    def turns(self, limit: int = 1000, distinct: bool = False) -> list[Turn]:
        """The ways to play this turn to its end, in the order of moves: at most ``limit`` of them.

        With ``distinct``, of the turns that lead to the same position only the first. Empty if the game is over.
        """

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has seen; by default the player who is to act."""

    def observation_string(self, player: int | None = None) -> str:
        """What a player sees now."""

    def observation_tensor(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """The same as planes; see ``Game.observation_planes``."""

    def svg(self, player: int | None = None) -> str:
        """A drawing, as one player sees it, or as it is."""

    def clone(self) -> State:
        """A copy that goes its own way."""

    def serialize(self) -> str:
        """A text that ``Game.deserialize_state`` reads."""

    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: object) -> State: ...

@final
class Vector:
    """Games that are played side by side: dice are rolled inside, and a game that is over begins anew.

    The arrays are the same objects at every step, and are overwritten by the next. Observations and masks are read-only.
    """

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """What the player who is to act sees, by game: planes, ranks and files."""

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """True at each legal action, by game."""

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """What the game that has just ended was worth to each side, by game."""

    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """Whether a game has just ended, by game."""

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Whether a game was just broken off after ``max_plies`` moves, by game."""

    @property
    def current_players(self) -> npt.NDArray[np.int32]:
        """The side that is to act, by game."""

    def __len__(self) -> int: ...
    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Does one action in each game.

        Raises:
            IllegalAction: if one of them is not possible; it says in which game.
        """

    def sample_actions(self, seed: int) -> npt.NDArray[np.int64]:
        """One legal action of each game, drawn from the seed."""

    def play_out(self) -> dict[str, Any]:
        """Plays every game to its end by chance and begins anew; returns ``"returns"`` and ``"plies"``."""

def load(
    name: str | PathLike[str] | None = None,
    options: Mapping[str, str | int | bool] | None = None,
    *,
    text: str | None = None,
) -> Game:
    """Loads a game.

    Args:
        name: of a game that comes with Astragal (``names`` lists them), or the path of a script.
        options: their names and values.
        text: a script, instead of a name.

    Raises:
        ScriptError: if there is no such game, the script is wrong, or an option is.
    """

def names() -> list[str]:
    """The names of the games that come with Astragal."""

def merge(*parts: Part | str | PathLike[str]) -> dict[str, Any]:
    """The report on parts put together, each a ``Part`` or a folder with parts."""

def check(
    text: str, *, name: str = "script", options: Mapping[str, str | int | bool] | None = None
) -> list[Diagnostic]:
    """The mistakes of a script, found before it is played."""
