"""The engine. Import its names from ``astragal``."""

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
    "Network",
    "Outcome",
    "Part",
    "PositionError",
    "RuleError",
    "ScriptError",
    "State",
    "Training",
    "Turn",
    "Vector",
    "__version__",
    "check",
    "interval",
    "load",
    "merge",
    "names",
]

__version__: str

class AstragalError(Exception):
    """The base class of all Astragal errors."""

class ScriptError(AstragalError):
    """A script was not found or has errors."""

    line: int | None
    column: int | None
    report: str

class RuleError(AstragalError):
    """A rule of a script failed during a game."""

    line: int | None
    column: int | None

class PositionError(AstragalError):
    """A text is not a valid position of the game."""

class IllegalAction(AstragalError):
    """The game does not allow the action now."""

@final
class Diagnostic:
    """A problem that ``check`` found, or a note. ``str()`` shows it with its line."""

    @property
    def severity(self) -> str:
        """``"error"``, ``"warning"`` or ``"note"``."""

    @property
    def code(self) -> str | None:
        """The code to pass to ``astragal check --explain``; None for some notes."""

    @property
    def message(self) -> str:
        """The message."""

    @property
    def help(self) -> str | None:
        """The correction, if there is one."""

    @property
    def line(self) -> int:
        """The line, from 1; 0 if the location is unknown."""

    @property
    def column(self) -> int:
        """The first column, from 1."""

    @property
    def end_column(self) -> int:
        """The column after the last one."""

    @property
    def report(self) -> str:
        """The message with its line, and a marker under the location."""

@final
class Turn:
    """One way to finish a turn."""

    @property
    def moves(self) -> list[str]:
        """Moves, choices and rolls in order, in the format of ``State.say``."""

    @property
    def probability(self) -> Fraction:
        """The exact probability of its rolls."""

    @property
    def position(self) -> str:
        """The resulting position, as FEN."""

    @property
    def ends_game(self) -> bool:
        """Whether it ends the game."""

@final
class Outcome:
    """One outcome of a move."""

    @property
    def probability(self) -> Fraction:
        """Its probability."""

    @property
    def exact(self) -> bool:
        """Whether the probability is exact; otherwise it is an estimate from a sample."""

    @property
    def effect(self) -> str:
        """``"win"``, ``"tie"``, ``"lose"`` or the script's label."""

    @property
    def position(self) -> str:
        """The resulting position."""

@final
class Game:
    """A game with its rules and options. Any number of threads can play it at the same time."""

    @property
    def name(self) -> str:
        """The name for ``astragal.load``."""

    @property
    def title(self) -> str:
        """The title."""

    @property
    def script(self) -> str:
        """The text of the script."""

    @property
    def options(self) -> dict[str, str]:
        """All options with their values."""

    @property
    def players(self) -> list[str]:
        """The names of the sides, in turn order."""

    @property
    def observation_planes(self) -> list[str]:
        """The name of each plane of ``State.observation_tensor``."""

    @property
    def feature_count(self) -> int:
        """The number of features of a position: the inputs of a network.

        Raises:
            ValueError: if the game hides information from its players.
        """

    @property
    def feature_names(self) -> list[str]:
        """The meaning of each feature, such as ``"White rook on e4"``.

        If both sides play by the same rules, the sides are called ``own`` and ``opposing``, and squares are as the first
        player sees them.
        """

    @property
    def result_levels(self) -> list[float]:
        """The results that a network distinguishes, in points: ``[-1.0, 1.0]`` for a game that is won or lost.

        They are determined from random games.
        """

    @property
    def output_count(self) -> int:
        """The number of outputs of a network with these levels."""

    def num_players(self) -> int:
        """The number of sides."""

    def num_distinct_actions(self) -> int:
        """The number of actions, which are numbered from 0."""

    def observation_tensor_shape(self) -> list[int]:
        """The numbers of planes, ranks and files."""

    def rules(self) -> str:
        """The rulebook, generated from the script."""

    def with_tables(self, *files: str | PathLike[str]) -> Game:
        """Returns the same game with the exact values of tables that ``solve`` or ``astragal solve --into FILE`` has written.

        ``State.value`` returns them, and built-in players and ``simulate`` use them.

        Raises:
            OSError: if a file cannot be opened.
            ValueError: if a file is not a table, is damaged, or is for other rules.
        """

    def digest(self, games: int = 10) -> str:
        """Plays random games and returns a digest of all their dice and positions."""

    def new_initial_state(self, *, seed: int = 1, position: str | None = None) -> State:
        """Starts a game and returns its first state.

        Args:
            seed: the seed of the dice for ``State.sample_chance``.
            position: the position to start from; the starting position by default.

        Raises:
            PositionError: if the text is not a position of the game.
        """

    def deserialize_state(self, text: str) -> State:
        """Restores a state from the text of ``State.serialize``."""

    def vector(self, n: int, *, seed: int = 1, max_plies: int = 2000, threads: int = 1) -> Vector:
        """Returns ``n`` games that are played in parallel; see ``Vector``."""

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
            games: the number of games.
            players: one player for all sides, or one per side: ``"random"``, ``"greedy"``, ``"computer:1"`` to ``"computer:8"``,
                or ``"learned:FILE"``.
            seed: the seed of dice and players.
            threads: the number of games to play at a time; it does not change the report.
            max_plies: the number of moves after which a game is cut off.
            position: the position to start from; the starting position by default.
            luck: whether to separate luck from skill, which takes much longer; by default, if a computer plays.
            lines: whether to count the games that run each line of the script.
            first: the number of the first game.
            progress: called with the number of finished games, at most a few times a second.

        Raises:
            ValueError: if there is no such player, or no game to play.
            RuleError: if a rule fails.
        """

    def solve(
        self,
        file: str | PathLike[str],
        *,
        position: str | None = None,
        material: str | None = None,
        states: int = 50_000_000,
        memory: int = 4096,
        epsilon: float = 1e-6,
        threads: int = 1,
        progress: Callable[[int], object] | None = None,
    ) -> dict[str, Any]:
        """Computes the exact value of every position of a small game or an ending, like ``astragal solve --into FILE``.

        It writes a table for ``Game.with_tables``.

        Args:
            file: the file of the table. It is replaced when the table is complete.
            position: the position to start from; the starting position by default.
            material: pieces such as ``"KRvK"``, to solve all their placements instead.
            states: the maximum number of states.
            memory: the maximum memory for states and turns, in megabytes.
            epsilon: how close the bounds of each value must be, in points.
            threads: the number of threads; it does not change the table.
            progress: called with the number of states whose turns are listed, at most a few times a second.

        Returns:
            ``states``, ``reached`` (``"solved"``, ``"full"`` if there are more states than allowed, ``"still"`` if the bounds
            of a value do not meet), and ``widest``, the widest interval between the bounds of a value.

        Raises:
            ValueError: if the game cannot be solved, for example because it hides information from its players.
            OSError: if the file cannot be written.
        """

    def train(
        self,
        into: str | PathLike[str],
        *,
        games: int | None = None,
        time: float | None = None,
        threads: int | None = None,
        seed: int = 1,
        hidden: int = 80,
        lambda_: float = 0.7,
        rate: float = 2.0,
        explore: float = 0.02,
        opening: int = 0,
        turns: int = 1000,
        position: str | None = None,
        resume: bool = False,
        probe: int = 0,
        progress: Callable[[int], object] | None = None,
    ) -> Training:
        """Trains a player by games against itself, like ``astragal train --into FILE``.

        The player is then called ``"learned:FILE"``. The same seed and number of games give the same file as the command,
        with any number of threads. Ctrl-C and exceptions of ``progress`` end the training: the file is written first.

        Args:
            into: the file to write.
            games: the number of games to stop after, including those that a resumed file was trained on.
            time: the seconds to stop after; by default 600, unless ``games`` is set.
            threads: the number of threads; by default, the number of processors.
            seed: the seed of the games and of the first weights.
            hidden: the number of hidden units; a resumed file keeps its own.
            lambda_: how far results reach back in a game, from 0 (one turn) to 1 (the whole game).
            rate: the size of the first learning steps.
            explore: the chance of a random decision.
            opening: the maximum number of random decisions at the start of each game.
            turns: the maximum number of turns; longer games count as drawn.
            position: the position that all games start from; the starting position by default.
            resume: whether to continue the training in the file.
            probe: the number of games to play against ``greedy`` at the end.
            progress: called with the number of games, at most a few times a second.

        Raises:
            FileExistsError: if the file exists and ``resume`` is not set.
            ValueError: if the game hides information, or the file to resume is for other rules.
            OSError: if the file cannot be read or written.
            KeyboardInterrupt: at Ctrl-C.
        """

    def read_network(self, file: str | PathLike[str]) -> Network:
        """Reads a network that ``train`` or ``write_network`` has written.

        Raises:
            OSError: if the file cannot be read.
            ValueError: if it is damaged or for other rules.
        """

    def write_network(
        self,
        file: str | PathLike[str],
        weights: Sequence[npt.ArrayLike],
        *,
        levels: Sequence[float] | None = None,
        games: int = 0,
        positions: int = 0,
    ) -> None:
        """Writes a network that another program has trained. It then plays as ``"learned:FILE"``.

        A hidden unit with the sum x responds with x / (1 + abs(x)). An output with the sum x is 1 / (1 + exp(-x)).

        Args:
            file: the file. An existing file is replaced.
            weights: four arrays of the shapes (features, hidden units), (hidden units), (outputs, hidden units), (outputs).
            levels: the results that the outputs distinguish; by default ``result_levels``.
            games: the number of games that the network was trained on, for the record.
            positions: the number of positions in them.

        Raises:
            ValueError: if a shape is wrong, a weight is not a finite number, or the levels do not suit the game.
            OSError: if the file cannot be written.
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
        """Plays a part of a simulation, for ``astragal.merge``.

        Args:
            games: their numbers, such as ``range(300, 1000)``, or a count from 0.
            folder: the folder for the part; a part that exists there is not played again.

        The other arguments are those of ``simulate``.
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
        """Returns the complete parts of a simulation in a folder, in the order of their games."""

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
        """Plays games and returns one row per game, as a mapping from column names to values.

        ``pandas.DataFrame`` accepts it. docs/data.md lists the columns. The other arguments are those of ``simulate``.
        """

@final
class Training:
    """The result of ``Game.train``."""

    @property
    def games(self) -> int:
        """The number of games that the network was trained on, including those before the training was resumed."""

    @property
    def positions(self) -> int:
        """The number of positions in those games."""

    @property
    def error(self) -> float:
        """The root mean square difference between the outputs and their targets, in the most recent games."""

    @property
    def seconds(self) -> float:
        """The duration of the training, in seconds."""

    @property
    def against_greedy(self) -> dict[str, Any] | None:
        """The match at the end, if ``probe`` asked for one: ``games``, ``wins``, ``interval`` and ``points``.

        ``interval`` is the 95% interval of the chance of winning. ``points`` is the mean per game, or None if the
        game awards no points.
        """

@final
class Network:
    """A network that evaluates positions at the start of a turn."""

    @property
    def games(self) -> int:
        """The number of games that it was trained on."""

    @property
    def positions(self) -> int:
        """The number of positions in those games."""

    @property
    def levels(self) -> list[float]:
        """The results that it distinguishes, in points, in ascending order."""

    @property
    def weights(self) -> list[npt.NDArray[np.float32]]:
        """Copies of the weights, in the order of ``Game.write_network``."""

    def outputs(self, state: State) -> npt.NDArray[np.float32]:
        """The outputs for a position: the probabilities that the result exceeds each level but the last.

        The result is that of ``State.feature_player``; in games of more than two sides, each side has its own outputs.
        """

    def values(self, state: State) -> list[float]:
        """The expected result for each side, in the unit of ``State.returns``; the result, if the game is over."""

@final
class Part:
    """Some games of a simulation, with their results."""

    def __new__(cls, manifest: str, tally: str) -> Part: ...
    @property
    def games(self) -> range:
        """The numbers of the games."""

    @property
    def manifest(self) -> str:
        """The settings of the simulation, as JSON."""

    @property
    def tally(self) -> str:
        """The results, as JSON."""

    def write(self, folder: str | PathLike[str]) -> None:
        """Writes the part to a folder, like ``astragal simulate --part``."""

@final
class State:
    """A state of a game, with its history."""

    @property
    def seed(self) -> int:
        """The seed of the dice."""

    @property
    def position(self) -> str:
        """The position as FEN, with additional fields for some games."""

    @property
    def result(self) -> str | None:
        """The result in a sentence; None during the game."""

    @property
    def question(self) -> str | None:
        """The script's question to the player, if it has one."""

    def get_game(self) -> Game:
        """The game of this state."""

    def current_player(self) -> int:
        """The side that decides, from 0; -1 at a chance node, -4 when the game is over."""

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def is_chance_node(self) -> bool:
        """Whether the game waits for dice."""

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions in ascending order; empty for a player who is not to act."""

    def action_mask(self) -> npt.NDArray[np.bool_]:
        """An array that is true at each legal action."""

    @overload
    def chance_outcomes(self, *, fractions: Literal[False] = False) -> list[tuple[int, float]]:
        """Pairs of an outcome of the dice and its probability; exact with ``fractions=True``."""

    @overload
    def chance_outcomes(self, *, fractions: Literal[True]) -> list[tuple[int, Fraction]]: ...
    def sample_chance(self) -> int:
        """The next outcome of the seeded dice."""

    def apply_action(self, action: int) -> None:
        """Applies an action or an outcome of the dice.

        Raises:
            IllegalAction: if it is not possible now.
        """

    def say(self, text: str) -> None:
        """Applies one or more typed events: rolls, moves and choices, such as ``"roll 2 3 e2e4"``.

        Raises:
            IllegalAction: if one of them is not possible; the state then stays unchanged.
        """

    def action_to_string(self, player_or_action: int, action: int | None = None) -> str:
        """An action as text: ``"Nc3"``, ``"roll 2 3"``. As in OpenSpiel, the player can come first."""

    def string_to_action(self, text: str) -> int:
        """The action that a text describes."""

    def choose(self, player: str = "greedy", *, seed: int = 1) -> int:
        """The action of a built-in player: ``"random"``, ``"greedy"``, ``"computer:1"`` to ``"computer:8"``.

        ``"learned:FILE"`` is the player that ``Game.train`` wrote to the file; with ``":2"`` after it, it looks two turns
        ahead.
        """

    def features(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
        """The features of the position that are not zero: their indices in ``Game.feature_names``, and their values.

        Networks evaluate positions at the start of a turn, before or after its first roll.

        Raises:
            ValueError: if the game hides information from its players.
        """

    def feature_tensor(self) -> npt.NDArray[np.float32]:
        """The features as one array, including those that are zero."""

    def feature_player(self) -> int:
        """The side whose view the features show.

        It is the side whose turn it is, if both sides play by the same rules; otherwise it is the first side.
        """

    def target_outputs(self, player: int = 0) -> npt.NDArray[np.float32]:
        """The outputs that a perfect forecast of this game's result would have had, for positions that ``player`` views.

        A game that is not over counts as drawn.
        """

    def value(self) -> tuple[float, float] | None:
        """The bounds of the expected result for the side that decides or rolls next, if both sides play as well as possible.

        A win is 1 and a loss -1; if the rules award points, the value is in points. None if the game has no tables
        (``Game.with_tables``), or they lack a state that the turn can lead to.
        """

    def undo(self) -> bool:
        """Takes back the last action; returns False if there is none."""

    def returns(self) -> list[float]:
        """The value of the result for each side; zeros before the end."""

    def rewards(self) -> list[float]:
        """The same as ``returns``, under OpenSpiel's name."""

    def player_return(self, player: int) -> float:
        """The value of the result for one side."""

    def history(self) -> list[int]:
        """All actions so far."""

    def move_number(self) -> int:
        """The number of actions so far."""

    def turn_number(self) -> int:
        """The number of turns that have ended."""

    def to_pgn(self) -> str:
        """The record of the game."""

    def why(self, text: str) -> str:
        """Explains why a move is legal or not."""

    def odds(self, text: str) -> list[Outcome]:
        """The outcomes of a move, each with its exact probability."""

    def turns(self, limit: int = 1000, distinct: bool = False) -> list[Turn]:
        """The ways to finish this turn, in the order of moves, at most ``limit`` of them.

        ``distinct`` keeps only the first of several turns that lead to the same position. Empty if the game is over.
        """

    def information_state_string(self, player: int | None = None) -> str:
        """Everything that a player has seen; by default, the player who is to act."""

    def observation_string(self, player: int | None = None) -> str:
        """The current view of a player."""

    def observation_tensor(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """The same as an array of planes; see ``Game.observation_planes``."""

    def svg(self, player: int | None = None) -> str:
        """A picture of the position as SVG, as one player sees it; by default, with everything visible."""

    def clone(self) -> State:
        """Returns an independent copy."""

    def serialize(self) -> str:
        """Returns a text for ``Game.deserialize_state``."""

    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: object) -> State: ...

@final
class Vector:
    """Games that are played in parallel. Dice are rolled automatically, and a finished game restarts.

    Every step overwrites the same array objects. Observations and masks are read-only.
    """

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """The view of the player who is to act, per game: planes, ranks and files."""

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """True at each legal action, per game."""

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """The value of the result for each side if the game just ended, otherwise 0, per game."""

    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """Whether a game just ended, per game."""

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Whether a game was just cut off after ``max_plies`` moves, per game."""

    @property
    def current_players(self) -> npt.NDArray[np.int32]:
        """The side that is to act, per game."""

    def __len__(self) -> int: ...
    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Applies one action in each game.

        Raises:
            IllegalAction: if one of them is not possible; the message names the game.
        """

    def sample_actions(self, seed: int) -> npt.NDArray[np.int64]:
        """A random legal action for each game, drawn from the seed."""

    def play_out(self) -> dict[str, Any]:
        """Plays every game to its end at random and restarts it; returns ``"returns"`` and ``"plies"``."""

def load(
    name: str | PathLike[str] | None = None,
    options: Mapping[str, str | int | bool] | None = None,
    *,
    text: str | None = None,
) -> Game:
    """Loads a game.

    Args:
        name: the name of a built-in game (``names`` lists them), or the path of a script.
        options: the names and values of options.
        text: the text of a script, instead of a name.

    Raises:
        ScriptError: if there is no such game, the script has errors, or an option is wrong.
    """

def names() -> list[str]:
    """The names of the built-in games."""

def interval(hits: int, trials: int) -> tuple[float, float]:
    """The 95% interval for the chance of an event that occurred ``hits`` times in ``trials``, by E. B. Wilson (1927)."""

def merge(*parts: Part | str | PathLike[str]) -> dict[str, Any]:
    """Merges parts into one report; each is a ``Part`` or a folder with parts."""

def check(
    text: str, *, name: str = "script", options: Mapping[str, str | int | bool] | None = None
) -> list[Diagnostic]:
    """Checks a script and returns its problems."""
