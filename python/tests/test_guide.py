"""Every block of Python in the documentation is run; those that need a framework are skipped where it is not installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("page", "needed"),
    [
        ("docs/python.md", "astragal"),
        ("python/README.md", "astragal"),
        ("docs/data.md", "duckdb"),
        ("docs/scale.md", "ray"),
    ],
)
def test_blocks_run_one_after_the_other(
    page: str, needed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)  # noqa: S102
