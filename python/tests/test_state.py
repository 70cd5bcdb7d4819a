"""A state of a game, as a researcher uses it."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import astragal


def play(state: astragal.State, pick: int = 0) -> None:
    """Plays on by one event."""
    if state.is_chance_node():
        state.apply_action(state.sample_chance())
    else:
        actions = state.legal_actions()
        state.apply_action(actions[pick % len(actions)])


@pytest.mark.parametrize("name", astragal.names())
def test_every_game_is_played(name: str) -> None:
    game = astragal.load(name)
    state = game.new_initial_state(seed=3)
    for pick in range(60):
        if state.is_terminal():
            break
        player = state.current_player()
        assert player == astragal.CHANCE_PLAYER if state.is_chance_node() else 0 <= player < game.num_players()
        actions = state.legal_actions()
        assert actions == sorted(set(actions)) and actions
        if not state.is_chance_node():
            mask = state.action_mask()
            assert mask.shape == (game.num_distinct_actions(),)
            assert list(np.flatnonzero(mask)) == actions
            texts = [state.action_to_string(action) for action in actions]
            assert all(texts) and len(set(texts)) == len(texts), texts
        planes = state.observation_tensor()
        assert planes.dtype == np.float32 and list(planes.shape) == game.observation_tensor_shape()
        play(state, pick * 7)
    again = pickle.loads(pickle.dumps(state))
    assert again.history() == state.history() and again.position == state.position
    assert again.get_game().options == game.options


def test_chances_are_exact() -> None:
    state = astragal.load("dice-chess").new_initial_state(seed=7)
    outcomes = state.chance_outcomes(fractions=True)
    assert len(outcomes) == 36 and sum(chance for _, chance in outcomes) == Fraction(1)
    assert state.chance_outcomes()[0][1] == pytest.approx(1 / 36)
    assert [action for action, _ in outcomes] == state.legal_actions() == state.legal_actions(astragal.CHANCE_PLAYER)
    assert state.legal_actions(0) == []
    with pytest.raises(astragal.IllegalAction):
        state.apply_action(36)


def test_a_seed_gives_the_dice_of_the_engine() -> None:
    rolls = []
    for _ in range(2):
        state = astragal.load("dice-chess").new_initial_state(seed=7)
        while not state.is_terminal() and len(state.history()) < 40:
            play(state)
        rolls.append(state.history())
    assert rolls[0] == rolls[1]


def test_turns_are_listed_with_what_they_lead_to() -> None:
    """Two men of backgammon and a throw of 2 and 1: seven orders, three positions."""
    state = astragal.load("backgammon").new_initial_state(position="10MM2/14/14/14/14/14/14/14/14/14/14/14/14/14/14/14[] w")
    state.say("roll 2 1")
    turns = state.turns()
    assert [turn.moves for turn in turns[:2]] == [["24/22", "23/22"], ["24/22", "22/21"]]
    assert len(turns) == 7 and len(state.turns(limit=5)) == 5
    assert len(state.turns(distinct=True)) == 3 == len({turn.position for turn in turns})
    for turn in turns:
        after = state.clone()
        after.say(" ".join(turn.moves))
        assert after.position == turn.position and turn.probability == 1 and not turn.ends_game


def test_odds_of_a_contest() -> None:
    # A pawn throws a die of four faces (BAB-7); of the 16 throws of two, 6 are higher on one side and 4 are equal.
    game = astragal.load("babylonian")
    state = game.new_initial_state(position="4k3/8/8/3p4/4P3/8/8/4K3 w")
    odds = state.odds("e4d5")
    assert sum(one.probability for one in odds) == 1
    assert all(one.exact for one in odds)
    assert {one.effect for one in odds} == {"win", "tie", "lose"}
    win = next(one for one in odds if one.effect == "win")
    lose = next(one for one in odds if one.effect == "lose")
    assert win.probability == lose.probability == Fraction(6, 16)


def test_why_says_why() -> None:
    state = astragal.load("chess").new_initial_state()
    assert state.why("e2e5").startswith("e2e5 is not legal")


def test_undo_takes_back_one_action() -> None:
    state = astragal.load("backgammon").new_initial_state(seed=2)
    before = []
    for pick in range(40):
        if state.is_terminal():
            break
        before.append((state.position, state.legal_actions(), state.history()))
        play(state, pick)
    while before:
        assert state.undo()
        assert (state.position, state.legal_actions(), state.history()) == before.pop()
    assert not state.undo()


def test_copies_go_their_own_ways() -> None:
    state = astragal.load("chess").new_initial_state()
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state)):
        other.say("e2e4")
        assert other.history() and not state.history()
    assert state.string_to_action("e2e4") in state.legal_actions()
    assert state.action_to_string(state.string_to_action("Nf3")) == "Nf3"


RACE = """board(4, 1, #{ heaps: true }); sides(["A", "B"], #{ letters: "ab", forward: ["up", "up"] });
piece("man", "M", "mW"); track("way", ["a1-d1", "d1-a1"]); setup("MMMm a");
fn turn() { play_each(roll("2d6"), |die| along("way", die, #{ end: "stop" })); }
fn outcome() { if clock_reached(40) { draw("long"); } }"""


def test_a_move_names_the_die_where_it_matters_which_pays() -> None:
    state = astragal.load(text=RACE).new_initial_state(position="M1M1 a", seed=1)
    state.say("roll 1,4")
    with pytest.raises(astragal.IllegalAction, match="can be paid for by 1 or by 4: write '1:c1d1' or '4:c1d1'"):
        state.say("c1d1")
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    assert [state.string_to_action(text) for text in texts] == state.legal_actions()
    (shared,) = [text for text in texts if text.endswith(" ..")]
    half = state.clone()
    half.apply_action(half.string_to_action(shared))
    which = [half.action_to_string(action) for action in half.legal_actions()]
    assert [text[:2] for text in which] == ["1:", "4:"] and which[1] == f"4:{shared[:-3]}"
    assert [half.string_to_action(text) for text in which] == half.legal_actions()
    half.apply_action(half.string_to_action("4:c1d1"))
    state.say("4:c1d1")
    assert (half.position, half.history()) == (state.position, state.history())


def test_returns_are_zero_sum() -> None:
    state = astragal.load("chess").new_initial_state()
    assert state.returns() == [0.0, 0.0] and state.result is None
    state.say("f2f3 e7e5 g2g4 Qh4")
    assert state.is_terminal() and state.current_player() == astragal.TERMINAL_PLAYER
    assert state.returns() == [-1.0, 1.0] == [state.player_return(0), state.player_return(1)]
    assert state.legal_actions() == []
    assert state.result is not None and state.result.startswith("Black wins")
    with pytest.raises(astragal.IllegalAction):
        state.apply_action(0)


def test_errors_have_a_place() -> None:
    with pytest.raises(astragal.ScriptError) as wrong:
        astragal.load(text="board(8, 8);\npiece('pawn', \"P\", \"fW\");\n")
    assert wrong.value.line == 2 and wrong.value.column is not None
    assert "^" in wrong.value.report
    with pytest.raises(astragal.ScriptError, match='did you mean "dice-chess"'):
        astragal.load("dice-chss")
    with pytest.raises(astragal.ScriptError):
        astragal.load("dice-chess", options={"self_check": "perhaps"})
    with pytest.raises(astragal.PositionError):
        astragal.load("chess").new_initial_state(position="nonsense")
    with pytest.raises(astragal.IllegalAction):
        astragal.load("chess").new_initial_state().apply_action(10**6)
    with pytest.raises(ValueError):
        astragal.load()
    with pytest.raises(ValueError):
        astragal.load("chess").new_initial_state().observation_tensor(2)


def test_check_finds_mistakes() -> None:
    found = astragal.check("board(8, 8);\nfn turn() { pley(any()); }\n")
    assert found and found[0].severity == "error" and found[0].line == 2
    assert "play" in str(found[0])
    # Notes tell what no trial game has come to; nothing is wrong.
    assert {one.severity for one in astragal.check(astragal.load("king-for-2").script)} <= {"note"}


def test_secrets_are_kept() -> None:
    text = """
        board(3, 3);
        piece("runner", "R", "W");
        counter("card", 4, #{ each: true, secret: true });
        setup("r2/3/R2 w - - 0 1 card=2/3");
        fn turn() { play(any()); }
    """
    game = astragal.load(text=text)
    state = game.new_initial_state()
    assert "card=2/?" in state.information_state_string(0)
    assert "card=?/3" in state.information_state_string(1)
    plane = game.observation_planes.index("counter card of Black")
    assert (state.observation_tensor(0)[plane] == -1).all()
    assert (state.observation_tensor(1)[plane] == 3).all()


def test_several_threads_may_use_one_state() -> None:
    state = astragal.load("dicechess-3").new_initial_state(seed=1)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(200):
                state.legal_actions()
                state.clone().observation_tensor()
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_drawings() -> None:
    state = astragal.load("dice-xiangqi").new_initial_state()
    assert state.svg().startswith("<svg") and state._repr_svg_() == state.svg()  # type: ignore[attr-defined]
    assert len(str(state).splitlines()) > 9
    assert state.to_pgn().startswith("[")


@pytest.mark.parametrize("number", [-1, 2**64, -(2**70)])
def test_numbers_that_do_not_fit_are_no_overflow(number: int) -> None:
    game = astragal.load("dice-chess")
    state = game.new_initial_state()
    calls: list[Callable[[], object]] = [
        lambda: game.new_initial_state(seed=number),
        lambda: state.apply_action(number),
        lambda: state.action_to_string(number),
        lambda: state.player_return(number),
        lambda: state.observation_tensor(number),
        lambda: game.simulate(number),
        lambda: game.simulate(1, seed=number),
        lambda: game.simulate(1, threads=number),
        lambda: game.simulate(1, max_plies=number),
        lambda: game.rows(number),
        lambda: game.vector(number),
        lambda: game.vector(1, seed=number),
        lambda: game.digest(number),
    ]
    for call in calls:
        with pytest.raises(ValueError):
            call()


def test_games_are_played_on_a_thread_at_least() -> None:
    game = astragal.load("dice-chess")
    for call in (game.simulate, game.rows, game.simulate_part, game.vector):
        with pytest.raises(ValueError, match="at least 1"):
            call(1, threads=0)
        with pytest.raises(ValueError, match="at least 1"):
            call(1, max_plies=0)


def test_a_script_is_named_by_a_path(tmp_path: Path) -> None:
    file = tmp_path / "two.rhai"
    script = 'board(2, 2);\npiece("man", "M", "W");\nsetup("m1/1M w");\nconst N = option("n", [1, 2], "rounds");\n'
    file.write_text(script + 'const YES = option("yes", ["true", "false"], "a truth");\nfn turn() { play(any()); }\n')
    assert astragal.load(file).name == astragal.load(str(file)).name == "two"
    with pytest.raises(astragal.ScriptError, match="no such file"):
        astragal.load(Path("dice-chess"))
    with pytest.raises(ValueError, match="must be a string or a path"):
        astragal.load(7)  # type: ignore[arg-type]
    # Options are written as in Python, too.
    assert astragal.load(file, {"n": 2, "yes": False}).options == {"n": "2", "yes": "false"}
    with pytest.raises(astragal.ScriptError, match="self_check"):
        astragal.load("dice-chess", {"self_check": True})
    with pytest.raises(ValueError, match="the option n must be a string, a number or a bool"):
        astragal.load(file, {"n": [2]})  # type: ignore[dict-item]


def test_dice_are_said_in_one_word_or_in_several() -> None:
    game = astragal.load("dice-chess")
    states = [game.new_initial_state() for _ in range(3)]
    for state, text in zip(states, ("roll 2,3 Nc3", "roll 2 3 Nc3", "2 3 b1c3")):
        state.say(text)
    assert len({state.position for state in states}) == 1
    assert states[0].history() == states[1].history()


def test_built_in_players_choose() -> None:
    state = astragal.load("dice-chess").new_initial_state(position="k7/8/8/8/3q4/4P3/8/K7 w")
    state.say("roll 1,1")
    assert state.action_to_string(state.choose("greedy")) == "exd4"
    assert state.choose("random", seed=1) in state.legal_actions()
    with pytest.raises(ValueError):
        state.choose("somebody")


KEPT = Path(__file__).parents[2] / "tests" / "data"


@pytest.mark.parametrize(
    "line", [line for line in (KEPT / "digests.txt").read_text().splitlines() if not line.startswith("#")]
)
def test_a_seed_gives_the_games_that_it_gives_everywhere(line: str) -> None:
    name, digest = line.split(" ", 1)
    script = KEPT / "wild" / f"{name}.rhai"
    game = astragal.load(str(script) if script.exists() else name)
    assert game.digest(int(digest.split()[0])) == digest
