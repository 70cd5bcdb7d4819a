"""Measures how fast Python plays random games: python python/benchmarks/speed.py

If OpenSpiel and Pgx are installed, it also prints ratios to their backgammon: OpenSpiel plays one game at a time, and Pgx plays many,
compiled by JAX for this processor.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import astragal


def rate(work: Callable[[], int], seconds: float = 3.0) -> float:
    """How many steps per second ``work`` makes, after one round that is not timed."""
    work()
    steps, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        steps += work()
    return steps / (time.perf_counter() - begun)


def one_by_one(begin: Callable[[int], Any], roll: Callable[[Any, random.Random], int]) -> Callable[[], int]:
    """Random games, one action at a time. ``begin`` returns a state for a seed, and ``roll`` an outcome of its dice."""
    draw = random.Random(1)

    def play() -> int:
        state = begin(draw.getrandbits(40))
        steps = 0
        while not state.is_terminal() and steps < 2000:
            if state.is_chance_node():
                action = roll(state, draw)
            else:
                legal = state.legal_actions()
                action = legal[int(draw.random() * len(legal))]
            state.apply_action(action)
            steps += 1
        return steps

    return play


def single(name: str) -> Callable[[], int]:
    """Random games of Astragal."""
    game = astragal.load(name)
    return one_by_one(lambda seed: game.new_initial_state(seed=seed), lambda state, _: state.sample_chance())


def openspiel(name: str) -> Callable[[], int]:
    """The same with a game that OpenSpiel implements in C++."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    def roll(state: Any, draw: random.Random) -> int:
        outcomes = state.chance_outcomes()
        return int(outcomes[int(draw.random() * len(outcomes))][0])

    game = pyspiel.load_game(name)
    return one_by_one(lambda _: game.new_initial_state(), roll)


def batch(name: str, games: int = 256) -> Callable[[], int]:
    """Steps with observations and masks."""
    vector = astragal.load(name).vector(games, seed=1)
    count = iter(range(10**9))

    def step() -> int:
        for _ in range(20):
            vector.step(vector.sample_actions(next(count)))
        return 20 * games

    return step


def pgx(name: str, games: int = 256) -> Callable[[], int]:
    """The same with a game of Pgx, with its own observations and masks. Finished games also restart."""
    import jax  # type: ignore[import-not-found, unused-ignore]
    import pgx as theirs  # type: ignore[import-not-found, unused-ignore]
    from pgx.experimental.wrappers import auto_reset  # type: ignore[import-not-found, unused-ignore]

    env = theirs.make(name)
    begin, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, key: Any) -> Any:
        first, second = jax.random.split(key)
        logits = jax.numpy.where(carry.legal_action_mask, 0.0, -jax.numpy.inf)
        action = jax.random.categorical(first, logits, axis=1)
        return step(carry, action, jax.random.split(second, games)), None

    several = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, 20))[0])
    held = {"state": jax.jit(begin)(jax.random.split(jax.random.PRNGKey(1), games)), "key": jax.random.PRNGKey(2)}

    def work() -> int:
        held["key"], key = jax.random.split(held["key"])
        held["state"] = jax.block_until_ready(several(held["state"], key))
        return 20 * games

    return work


def playouts(name: str, games: int = 256) -> Callable[[], int]:
    """Random games, played to the end and counted in moves."""
    vector = astragal.load(name).vector(games, seed=1, max_plies=500)
    return lambda: int(vector.play_out()["plies"].sum())


def main() -> None:
    """Prints a table."""
    others = {}
    for library, what, make in (("OpenSpiel", "single steps", openspiel), ("Pgx", "batch steps", pgx)):
        try:
            others[what] = library, rate(make("backgammon"))
            print(f"{f'{library}, backgammon, {what}':45} {others[what][1]:12,.0f} a second")
        except ImportError:
            print(f"{library} is not installed")
    for name in ("dice-chess", "backgammon", "einstein"):
        for what, work in (("single steps", single), ("batch steps", batch), ("random moves in batches", playouts)):
            own = rate(work(name))
            library, theirs = others.get(what, ("", 0.0))
            ratio = f"{own / theirs:8.2f} of {library}'s backgammon" if theirs else ""
            print(f"{name + ', ' + what:45} {own:12,.0f} a second {ratio}")


if __name__ == "__main__":
    main()
