"""What the comparisons have found: one file for each under `results/`, and the page `docs/correctness.md` made of them.

    python3 tests/oracles/report.py            writes the page
    python3 tests/oracles/report.py --check    exits with 1 if the page differs from the results

Needs nothing but Python.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results"
SCRIPTS = HERE / "scripts"
PAGE = HERE.parents[1] / "docs" / "correctness.md"

# So many differences are kept word for word.
MOST_DIFFERENCES = 20

HEAD = """\
# Correctness

A rules engine is useful only if its rules are right. To test this, we compare Astragal with independent engines in every game that they
support. Astragal and the other engine receive the same position and the same dice, and must produce the same results. Two programs written independently
seldom make the same mistake.

These tests generate this page. To run them, see [tests/oracles](../tests/oracles/README.md).

| game | engine | compared | differences |
| --- | --- | --- | --- |
"""

TAIL = """
## Other comparisons

Some of these comparisons run with every `cargo test`. The reference programs are our own: they were written from the rulebooks alone, and
do not use the engine.

| game | compared with | compared items | location |
| --- | --- | --- | --- |
| Chess | [cozy-chess](https://crates.io/crates/cozy-chess) | moves, check, ends of games and perft, in every test run | `tests/suite/differential.rs` |
| Xiangqi | a reference program | moves, check and ends of games, in every test run | `tests/suite/xiangqi_reference.rs` |
| Dice Chess, DiceChess, King for 2, Babylonian Chess | a reference program | the turns of every roll, replayed situations, and odds | [tests/data](../tests/data/README.md) |
| Dice Chess | the game written by hand in Rust | 1,000 games, move by move, as part of the benchmark | `bench/benches/ratios/by_hand_on_core.rs` |
| Backgammon, Royal Game of Ur | the games written by hand in Rust | every decision of 1,000 games, as part of the benchmark | `bench/benches/ratios/races_by_hand.rs` |
| One-die Dice Chess | Ludii's statistics of 58,637 games | game length, lost turns, winners, and number of legal moves; they agree within three standard errors | [Lab figures](lab-figures.md#accuracy) |
| Puluc | a reference program | how often prisoners are dragged, in 20,000 games | `tests/suite/lab.rs` |

All other games are tested with situations: positions with moves, odds and results that come from the source of the rules
([tests/data/situations](../tests/data/README.md)).
"""


@dataclass
class Comparison:
    """One game compared with one oracle."""

    game: str
    """The game's name."""
    script: str
    """The script: a name that `astragal list` knows, or a file in `scripts/`."""
    oracle: str
    """The program that judges."""
    version: str
    """Its version."""
    licence: str
    """Its licence, as SPDX writes it."""
    what: str
    """What is compared in each position, in words."""
    main: str = "positions"
    """Which of the counts stands in the table."""
    remarks: str = ""
    """What is left out, and why differences are none."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many of each sort were compared."""
    different: int = 0
    """How many differed."""
    differences: list[str] = field(default_factory=list)
    """The first of them, to be played again."""

    def count(self, what: str, number: int = 1) -> None:
        """Notes that so many of a sort were compared."""
        self.counts[what] = self.counts.get(what, 0) + number

    def differ(self, where: str) -> None:
        """Notes a difference: a position, and what else is needed to come to it."""
        self.different += 1
        if len(self.differences) < MOST_DIFFERENCES:
            self.differences.append(where)

    def write(self, name: str) -> None:
        """Keeps the result under a name."""
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.json").write_text(json.dumps(asdict(self), indent=1) + "\n")


def read() -> dict[str, Comparison]:
    """All results, by name."""
    return {file.stem: Comparison(**json.loads(file.read_text())) for file in sorted(RESULTS.glob("*.json"))}


def page() -> str:
    """The page as the results give it."""
    results = read()
    rows, sections = [], []
    for name, result in sorted(results.items(), key=lambda one: (one[1].game, one[1].oracle)):
        oracle = f"{result.oracle} {result.version}"
        number = result.counts.get(result.main, 0)
        rows.append(f"| [{result.game}](#{name}) | {oracle} | {number:,} {result.main} | {result.different:,} |\n")
        section = [f'\n<a id="{name}"></a>\n\n## {result.game}: {result.oracle}\n\n']
        section.append(f"Compared: {result.what}. {result.remarks}".rstrip() + "\n\n")
        section.append(f"The script is `{result.script}`, and the engine is {oracle} ({result.licence}). ")
        section.append(f"To repeat the test, run `python tests/oracles/run.py {name}`.\n\n")
        section.append("| item | count |\n| --- | --- |\n")
        section += [f"| {what} | {count:,} |\n" for what, count in result.counts.items() if count]
        if result.differences:
            section.append("\nThe first differences:\n\n")
            section += [f"- `{where}`\n" for where in result.differences]
        sections.append("".join(section))
    return HEAD + "".join(rows) + "".join(sections) + TAIL


def main() -> int:
    now = page()
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != now:
            print(f"{PAGE.name} is not what the results give: run python3 tests/oracles/report.py", file=sys.stderr)
            return 1
    elif sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    else:
        PAGE.write_text(now)
    return 0


if __name__ == "__main__":
    sys.exit(main())
