"""OpenSpiel's own tests, and some of its algorithms. Skipped where OpenSpiel is not installed (see .ci/python)."""

from __future__ import annotations

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")
import astragal.openspiel  # noqa: E402

@pytest.mark.parametrize("variant", ["dice-chess", "king-for-2", "backgammon", "einstein", "bidding-chess"])
def test_random_simulations(variant: str) -> None:
    game = pyspiel.load_game("python_astragal", {"variant": variant, "max_length": 120})
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


def test_the_game_is_to_be_named() -> None:
    with pytest.raises(ValueError, match="pass a game"):
        astragal.openspiel.AstragalGame({})


def test_states_are_written_and_read() -> None:
    game = pyspiel.load_game("python_astragal", {"variant": "king-for-2", "options": ""})
    state = game.new_initial_state()
    for _ in range(20):
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[0])
    text = pyspiel.serialize_game_and_state(game, state)
    game_again, again = pyspiel.deserialize_game_and_state(text)
    assert str(again) == str(state) and again.history() == state.history()
    assert str(game_again) == str(game)
    other = state.clone()
    if not other.is_terminal():
        other.apply_action(other.legal_actions()[0])
        assert other.history() != state.history()


def test_observers_see_what_the_engine_sees() -> None:
    from open_spiel.python.observation import make_observation  # type: ignore[import-untyped, unused-ignore]

    game = pyspiel.load_game("python_astragal", {"variant": "chess"})
    state = game.new_initial_state()
    observation = make_observation(game)
    observation.set_from(state, 1)
    assert (observation.dict["observation"] == state.engine.observation_tensor(1)).all()
    assert observation.string_from(state, 0) == state.engine.observation_string(0)


def test_their_search_plays_it() -> None:
    from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped, unused-ignore]

    game = pyspiel.load_game("python_astragal", {"variant": "chess", "position": "7k/8/6KQ/8/8/8/8/8 w - - 0 1"})
    state = game.new_initial_state()
    random = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 400, mcts.RandomRolloutEvaluator(1, random), random_state=random, solve=True)
    action = bot.step(state)
    state.apply_action(action)
    assert state.is_terminal() and state.returns() == [1.0, -1.0], "mate in one"


def test_their_solver_solves_a_tiny_game(tmp_path: object) -> None:
    from pathlib import Path

    from open_spiel.python.algorithms import cfr, exploitability  # type: ignore[import-untyped, unused-ignore]

    script = Path(str(tmp_path)) / "tiny.rhai"
    script.write_text(
        """
        board(2, 3);
        region("goal", "a3 b3");
        piece("runner", "R", "fW");
        setup("rr/2/RR w");
        fn turn() { if roll("1d2") == 2 { play(any()); } }
        fn outcome() { if !(squares_of(mover()) & region("goal")).is_empty { win(mover(), "home"); } }
        """,
        encoding="utf-8",
    )
    game = pyspiel.load_game("python_astragal", {"variant": str(script), "max_length": 8})
    solver = cfr.CFRSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.1
