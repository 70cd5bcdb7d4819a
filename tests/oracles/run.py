"""Compares games with the engines of others, and writes what that finds to `results/` and `docs/correctness.md`.

    python tests/oracles/run.py [--few] [NAME ..]

Without a name all comparisons run, which takes about two hours. With --few each looks at a hundredth of its positions, and nothing is
written. Exits with 1 where something differs that its comparison does not know of.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time

import report

# The modules, each with how many positions it looks at.
COMPARISONS = {
    "backgammon": 100_000,
    "orthodox_chess": 100_000,
    "einstein": 50_000,
    "fairy_xiangqi": 10_000,
    "fairy_shogi": 10_000,
    "fairy_betza": 12_000,
    "python_shogi": 10_000,
    "gnubg_bear_off": 461,
    "gnubg_two_sided": 50_000,
    "gnubg_match": 4_000,
}

SEED = 38


def show(name: str):
    """Progress on standard error, at most once a second."""
    last = [time.monotonic()]

    def progress(done: int, of: int) -> None:
        if time.monotonic() - last[0] > 1 or done == of:
            last[0] = time.monotonic()
            print(f"\r{name}: {done:,} of {of:,}", end="\n" if done == of else "", file=sys.stderr, flush=True)

    return progress


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(COMPARISONS)}")
    parser.add_argument("--few", action="store_true", help="a hundredth of the positions, and nothing is written")
    asked = parser.parse_args()
    unknown = set(asked.names) - set(COMPARISONS)
    if unknown:
        parser.error(f"no comparison is called {', '.join(sorted(unknown))}: there are {', '.join(COMPARISONS)}")
    different = 0
    for name in asked.names or COMPARISONS:
        positions = COMPARISONS[name] // (100 if asked.few else 1)
        result = importlib.import_module(name).compare(positions, SEED, show(name))
        different += result.different
        print(f"{name}: {result.counts}, {result.different} differ")
        for where in result.differences:
            print(f"  {where}")
        if not asked.few:
            result.write(name)
    if not asked.few:
        report.PAGE.write_text(report.page())
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
