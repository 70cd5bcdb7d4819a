"""PettingZoo's own tests. Skipped where it is not installed (see .ci/python)."""

from __future__ import annotations

import pytest

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped, unused-ignore]  # noqa: E402

import astragal.pettingzoo  # noqa: E402


@pytest.mark.parametrize("variant", ["dice-chess", "king-for-2", "chaturaji"])
def test_the_interface_is_as_it_should_be(variant: str) -> None:
    api_test(astragal.pettingzoo.env(variant), num_cycles=300)


def test_seeds_are_heeded() -> None:
    seed_test(lambda: astragal.pettingzoo.env("dice-chess"), num_cycles=100)
