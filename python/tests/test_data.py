"""Games as rows, as Arrow and as Parquet. What needs pyarrow is skipped where it is not installed (see .ci/python)."""

from __future__ import annotations

import doctest
import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

import astragal

# The roll decides: White wins if the first of his two dice shows more than 3.
CAST = """
board(3, 3);
sides(["White", "Black"]);
piece("man", "M", "W");
setup("m2/3/2M w - - 0 1");
fn turn() { if roll("2d6")[0] > 3 { win(side("White"), "high"); } else { win(side("Black"), "low"); } }
"""


def test_rows_tell_of_each_game_what_the_report_tells_of_all() -> None:
    game = astragal.load("dice-chess")
    rows = game.rows(range(100, 400), seed=2, threads=2)
    report = game.simulate(300, first=100, seed=2)
    assert list(rows["game"]) == list(range(100, 400))
    assert rows["plies"].mean() == pytest.approx(report["length"]["plies"]["mean"])
    assert rows["turns"].sum() == report["turns"]["count"] and rows["lost"].sum() == report["turns"]["lost"]
    for side, seat in zip(game.players, ("first", "second")):
        assert rows["winner"].count(side) == report["results"][seat]["count"]
    assert len(set(rows["digest"])) == 300
    assert {name: list(column) for name, column in game.rows(range(100, 400), seed=2).items()} == {
        name: list(column) for name, column in rows.items()
    }
    with pytest.raises(ValueError):
        game.rows(0)


def test_the_first_roll_is_the_one_that_was_rolled_first() -> None:
    rows = astragal.load(text=CAST).rows(300)
    for winner, faces in zip(rows["winner"], rows["first_roll"]):
        assert len(faces) == 2 and winner == ("White" if faces[0] > 3 else "Black")
    assert {face for faces in rows["first_roll"] for face in faces} == set(range(1, 7))
    assert astragal.load("chess").rows(2)["first_roll"] == [None, None]


# Each side pushes its stone on or scores; no dice.
SCORED = """
board(3, 2);
piece("stone", "S", "fW");
counter("score", 0, #{ each: true });
counter("turns", 0);
setup("s2/2S w - - 0 1");
fn turn() {
    if play(any(), #{ or: ["score"] }) == "score" { add("score", 2); label("scored"); }
    add("turns", 1);
    if get("turns") == 4 { draw("done"); }
}
"""


def test_a_row_has_the_labels_and_the_counters_of_its_game() -> None:
    rows = astragal.load(text=SCORED).rows(64, seed=3)
    for labels, counters, instead, plies in zip(rows["labels"], rows["counters"], rows["instead"], rows["plies"]):
        assert counters["turns"] == 4 and plies == 4
        # Each choice made instead of a move has scored two points for somebody.
        assert sum(counters["score"]) == 2 * instead == 2 * labels.get("scored", 0)
    assert len({tuple(counters["score"]) for counters in rows["counters"]}) > 2


def test_a_table_has_the_types_of_its_columns() -> None:
    pa = pytest.importorskip("pyarrow")
    import astragal.data

    game = astragal.load("dice-chess")
    table = astragal.data.table(game, 50, seed=4, players=["greedy"])
    rows = game.rows(50, seed=4, players=["greedy", "greedy"])
    assert table.column_names == list(rows)
    for name in ("labels", "counters"):
        rows[name] = [json.dumps(value) for value in rows[name]]
    assert {name: table[name].to_pylist() for name in rows} == {name: list(rows[name]) for name in rows}
    assert table.schema.field("first_roll").type == pa.list_(pa.int16())
    told = json.loads(table.schema.metadata[b"astragal"])
    assert (told["variant"], told["seed"], told["players"]) == ("dice-chess", 4, ["greedy", "greedy"])
    # A game without dice, and one that was broken off: the types stay.
    chess = astragal.data.table(astragal.load("chess"), 2, max_plies=3)
    assert chess.schema.types == table.schema.types and chess["winner"].to_pylist() == [None, None]
    failed, tried = doctest.testmod(astragal.data)
    assert tried and failed == 0


def test_files_are_written_once_and_together_they_are_the_table(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    import astragal.data

    game = astragal.load("dice-chess")
    told: list[int] = []
    files = astragal.data.write(tmp_path, game, 250, per_file=100, seed=3, progress=told.append)
    assert [file.name for file in files] == [f"games-{a}-{b}.parquet" for a, b in ((0, 100), (100, 200), (200, 250))]
    assert told == sorted(told) and told[-1] == 250
    assert pq.read_table(tmp_path).to_pylist() == astragal.data.table(game, 250, seed=3).to_pylist()
    before = files[1].stat().st_mtime_ns
    files[2].unlink()
    assert astragal.data.write(tmp_path, game, 250, per_file=100, seed=3, players=["random"]) == files
    assert files[1].stat().st_mtime_ns == before and sorted(tmp_path.iterdir()) == sorted(files)
    with pytest.raises(ValueError, match="a different simulation"):
        astragal.data.write(tmp_path, game, 250, per_file=100, seed=4)
    with pytest.raises(ValueError):
        astragal.data.write(tmp_path, game, 10, per_file=0)


def example(name: str) -> ModuleType:
    """A program of python/examples."""
    path = Path(__file__).resolve().parents[1] / "examples" / f"{name}.py"
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    return module


def test_the_example_finds_the_rolls_that_win(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    rolls = example("opening_rolls").opening_rolls(str(tmp_path), astragal.load(text=CAST), 3000)
    assert len(rolls) == 21 and sum(roll.games for roll in rolls) == 3000
    by_faces = {tuple(roll.faces): roll for roll in rolls}
    # In this game it is known which rolls win: all from 4 on, none to 3, and the others half the time.
    assert by_faces[5, 6].score == 1.0 and by_faces[1, 2].score == 0.0
    assert by_faces[1, 6].low < 0.5 < by_faces[1, 6].high
    assert [roll.score for roll in rolls] == sorted((roll.score for roll in rolls), reverse=True)


@pytest.mark.skipif("ASTRAGAL_WHOLE" not in os.environ, reason="takes minutes; .ci/python --all")
def test_the_documentation_has_the_table_of_a_hundred_thousand_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example("opening_rolls").main(100_000, str(tmp_path))
    page = (Path(__file__).resolve().parents[2] / "docs/data.md").read_text(encoding="utf-8")
    assert f"```text\n{capsys.readouterr().out}```" in page


def test_the_example_prints_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("duckdb")
    example("opening_rolls").main(400, str(tmp_path))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("400 games, the first player scores ") and len(lines) == 23
